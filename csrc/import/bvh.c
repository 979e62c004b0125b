// SPDX-License-Identifier: MIT
#include "import/bvh.h"

#include "import/limit.h"
#include "import/unique.h"

#include <math.h>
#include <string.h>

enum { most_channels = 255 }; // of one joint; files have 0, 3 or 6

static anim_code fail_memory(const anim_bvh* bvh)
{
    return anim_import_fail_memory(&bvh->arena, bvh->text.err);
}

// --- HIERARCHY -----------------------------------------------------------------------------------

static anim_code add_joint(anim_bvh* bvh, anim_bvh_joint* parent, const char* name, size_t length)
{
    if (bvh->joint_count == ANIM_MAX_JOINTS)
        return anim_fail(bvh->text.err, ANIM_ERR_LIMIT, "line %u: more than %u joints",
                         bvh->text.line, ANIM_MAX_JOINTS);
    anim_bvh_joint* joint = anim_arena_alloc(&bvh->arena, 1, sizeof *joint);
    char* copy = name ? anim_arena_copy_text(&bvh->arena, name, length) : NULL;
    if (!joint || (name && !copy))
        return fail_memory(bvh);
    joint->parent = parent;
    joint->name = copy;
    joint->index = bvh->joint_count++;
    joint->line = bvh->text.line;
    if (bvh->last)
        bvh->last->next = joint;
    else
        bvh->first = joint;
    bvh->last = joint;
    return ANIM_OK;
}

// After ROOT or JOINT: the name and the brace.
static anim_code read_joint(anim_bvh* bvh, anim_bvh_joint* parent)
{
    anim_bvh_text* text = &bvh->text;
    const char* name;
    size_t length;
    anim_bvh_take_name(text, &name, &length);
    if (memchr(name, 0, length) || length > ANIM_MAX_NAME)
        return anim_fail(text->err, ANIM_ERR_FORMAT,
                         "line %u: a joint's name has a zero byte or more than %u bytes",
                         text->line, ANIM_MAX_NAME);
    if (length == 0) {
        name = anim_arena_format(&bvh->arena, "joint%u", bvh->joint_count + 1);
        if (!name)
            return fail_memory(bvh);
        length = strlen(name);
        anim_notes_add(&bvh->model->notes, "line %u: a joint without a name; it is called '%s'",
                       text->line, name);
    }
    anim_code code = add_joint(bvh, parent, name, length);
    if (code)
        return code;
    return anim_bvh_take_char(text, '{') ? ANIM_OK : anim_bvh_expected(text, "'{'");
}

// After END: usually "Site"; some programs write a name there, which is nobody's.
static anim_code read_end_site(anim_bvh* bvh, anim_bvh_joint* parent)
{
    const char* label;
    size_t length;
    anim_bvh_take_name(&bvh->text, &label, &length);
    anim_code code = add_joint(bvh, parent, NULL, 0);
    if (code)
        return code;
    return anim_bvh_take_char(&bvh->text, '{') ? ANIM_OK : anim_bvh_expected(&bvh->text, "'{'");
}

static const char* title(const anim_bvh_joint* joint)
{
    return joint->name ? joint->name : "End Site";
}

static anim_code read_offset(anim_bvh* bvh, anim_bvh_joint* joint)
{
    if (joint->has_offset)
        anim_notes_add(&bvh->model->notes, "line %u: a second OFFSET of '%s' replaces the first",
                       bvh->text.line, title(joint));
    joint->has_offset = true;
    for (int i = 0; i < 3; i++) {
        double value;
        anim_code code = anim_bvh_take_number(&bvh->text, "three numbers for OFFSET", &value);
        if (code)
            return code;
        joint->offset[i] = value;
    }
    return ANIM_OK;
}

// Rotations may come twice (Z X Z is an order, too), a position not.
static anim_code read_channel(anim_bvh* bvh, const anim_bvh_joint* joint, uint8_t* out)
{
    static const char* const names[ANIM_BVH_CHANNEL_KINDS] = {
        "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
    for (uint8_t kind = 0; kind < ANIM_BVH_CHANNEL_KINDS; kind++)
        if (anim_bvh_take(&bvh->text, names[kind])) {
            *out = kind;
            if (kind < ANIM_BVH_ROTATION &&
                memchr(joint->channels, kind, (size_t)(out - joint->channels)))
                return anim_fail(bvh->text.err, ANIM_ERR_FORMAT, "line %u: '%s' has %s twice",
                                 bvh->text.line, title(joint), names[kind]);
            return ANIM_OK;
        }
    return anim_bvh_expected(&bvh->text, "a channel (Xposition ... Zrotation)");
}

static anim_code read_channels(anim_bvh* bvh, anim_bvh_joint* joint)
{
    anim_bvh_text* text = &bvh->text;
    if (joint->has_channels)
        return anim_fail(text->err, ANIM_ERR_FORMAT, "line %u: a second CHANNELS of '%s'",
                         text->line, title(joint));
    double count;
    anim_code code = anim_bvh_take_number(text, "the number of channels", &count);
    if (code)
        return code;
    if (!(count >= 0 && count <= most_channels) || count != floor(count))
        return anim_fail(text->err, ANIM_ERR_FORMAT,
                         "line %u: %g channels; expected a whole number from 0 to %d", text->line,
                         count, most_channels);
    joint->has_channels = true;
    joint->channel_count = (uint32_t)count;
    uint8_t* channels = anim_arena_alloc(&bvh->arena, joint->channel_count, 1);
    if (!channels)
        return fail_memory(bvh);
    joint->channels = channels;
    for (uint32_t i = 0; i < joint->channel_count && !code; i++)
        code = read_channel(bvh, joint, &channels[i]);
    bvh->channel_count += joint->channel_count;
    return code;
}

// One statement between the braces of `*open`, which it may close or replace by a child.
static anim_code read_statement(anim_bvh* bvh, anim_bvh_joint** open)
{
    anim_bvh_text* text = &bvh->text;
    if (anim_bvh_take(text, "OFFSET"))
        return read_offset(bvh, *open);
    if (anim_bvh_take(text, "CHANNELS"))
        return read_channels(bvh, *open);
    if (anim_bvh_take_char(text, '}')) {
        *open = (*open)->parent;
        return ANIM_OK;
    }
    anim_code code;
    if (anim_bvh_take(text, "JOINT"))
        code = read_joint(bvh, *open);
    else if (anim_bvh_take(text, "END"))
        code = read_end_site(bvh, *open);
    else
        code = anim_bvh_expected(text, "OFFSET, CHANNELS, JOINT, End Site or '}'");
    *open = bvh->last;
    return code;
}

// Up to MOTION or the end of the file.
static anim_code read_hierarchy(anim_bvh* bvh)
{
    anim_bvh_text* text = &bvh->text;
    anim_bvh_joint* open = NULL;
    anim_code code = ANIM_OK;
    if (!anim_bvh_take(text, "HIERARCHY"))
        return anim_bvh_expected(text, "HIERARCHY");
    while (!code && anim_bvh_skip_space(text)) {
        if (open) {
            code = read_statement(bvh, &open);
        } else if (anim_bvh_take(text, "ROOT")) {
            code = read_joint(bvh, NULL);
            open = bvh->last;
        } else if (bvh->first) {
            break;
        } else {
            code = anim_bvh_expected(text, "ROOT");
        }
    }
    if (!code && open)
        return anim_fail(text->err, ANIM_ERR_FORMAT,
                         "line %u: the file ends inside '%s' of line %u; expected '}'", text->line,
                         title(open), open->line);
    if (!code && !bvh->first)
        return anim_bvh_expected(text, "ROOT");
    return code;
}

// --- names and skeleton --------------------------------------------------------------------------

// Joints keep their names before End Sites take theirs.
static anim_code name_joints(anim_bvh* bvh)
{
    anim_unique unique = {&bvh->arena, NULL, 0, 0};
    for (anim_bvh_joint* joint = bvh->first; joint; joint = joint->next) {
        if (!joint->name)
            continue;
        const char* given = joint->name;
        joint->name = anim_unique_add(&unique, given);
        if (!joint->name)
            return fail_memory(bvh);
        if (joint->name != given)
            anim_notes_add(&bvh->model->notes, "line %u: a second joint '%s'; it is called '%s'",
                           joint->line, given, joint->name);
    }
    for (anim_bvh_joint* joint = bvh->first; joint; joint = joint->next) {
        if (joint->name)
            continue;
        joint->name = anim_arena_format(&bvh->arena, "%s_End", joint->parent->name);
        if (joint->name)
            joint->name = anim_unique_add(&unique, joint->name);
        if (!joint->name)
            return fail_memory(bvh);
    }
    return ANIM_OK;
}

static anim_code make_skeleton(anim_bvh* bvh)
{
    anim_joint_desc* joints = anim_arena_alloc(&bvh->arena, bvh->joint_count, sizeof *joints);
    bvh->order = anim_arena_alloc(&bvh->arena, bvh->joint_count, sizeof *bvh->order);
    if (!joints || !bvh->order)
        return fail_memory(bvh);
    for (const anim_bvh_joint* joint = bvh->first; joint; joint = joint->next) {
        anim_joint_desc* desc = &joints[joint->index];
        desc->name = joint->name;
        desc->parent = joint->parent ? (int32_t)joint->parent->index : -1;
        desc->rest = ANIM_XFORM_IDENTITY;
        for (int i = 0; i < 3; i++)
            desc->rest.t[i] = (float)(joint->offset[i] * bvh->scale);
        if (!anim_xform_is_finite(&desc->rest))
            return anim_fail(bvh->text.err, ANIM_ERR_FORMAT,
                             "line %u: OFFSET of '%s' is too large with a scale of %g", joint->line,
                             joint->name, bvh->scale);
    }
    return anim_skeleton_create(joints, bvh->joint_count, bvh->order, &bvh->model->skeleton,
                                bvh->text.err);
}

static anim_code import_bvh(anim_bvh* bvh)
{
    anim_code code = read_hierarchy(bvh);
    if (!code)
        code = name_joints(bvh);
    if (!code)
        code = make_skeleton(bvh);
    if (code)
        return code;
    if (anim_bvh_take(&bvh->text, "MOTION"))
        return anim_bvh_read_motion(bvh);
    if (anim_bvh_skip_space(&bvh->text))
        return anim_bvh_expected(&bvh->text, "ROOT or MOTION");
    anim_notes_add(&bvh->model->notes, "no MOTION: a skeleton without a clip");
    return ANIM_OK;
}

anim_code anim_import_bvh(const anim_import_desc* desc, anim_model* model, anim_error* err)
{
    anim_bvh bvh = {.desc = desc, .model = model};
    bvh.scale = desc->bvh_scale != 0 ? desc->bvh_scale : 1;
    if (!(bvh.scale > 0) || isinf(bvh.scale))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "scale %g; expected a finite number above 0",
                         bvh.scale);
    bvh.arena.limit = anim_import_limit(desc);
    bvh.text = anim_bvh_text_start(desc->bytes, desc->size, err);
    anim_code code = import_bvh(&bvh);
    anim_arena_free(&bvh.arena);
    return code;
}
