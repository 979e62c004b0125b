// SPDX-License-Identifier: MIT
#include "pose/skin.h"

#include "base/layout.h"
#include "base/mem.h"
#include "pose/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct parts {
    anim_skin* skin;
    anim_mat34* inverse_bind;
    uint16_t* joints;
    char* name;
    uint16_t* groups;
} parts;

// Groups of a pose.
typedef struct group_list {
    uint16_t* groups;
    uint32_t count;
} group_list;

static parts lay_out(anim_layout* layout, const anim_skin_desc* desc, const group_list* list)
{
    parts p;
    p.skin = anim_layout_take(layout, 1, sizeof *p.skin);
    p.inverse_bind = anim_layout_take(layout, desc->joint_count, sizeof *p.inverse_bind);
    p.joints = anim_layout_take(layout, desc->joint_count, sizeof *p.joints);
    p.name = anim_layout_take(layout, strlen(desc->name ? desc->name : "") + 1, 1);
    p.groups = anim_layout_take(layout, list->count, sizeof *p.groups);
    return p;
}

static bool list_groups(anim_arena* arena, const anim_skin_desc* desc, group_list* out)
{
    const anim_skeleton* skeleton = desc->skeleton;
    bool* wanted = anim_arena_alloc(arena, skeleton->group_count, sizeof *wanted);
    out->groups = anim_arena_alloc(arena, skeleton->group_count, sizeof *out->groups);
    if (!wanted || !out->groups)
        return false;
    for (uint32_t i = 0; i < desc->joint_count; i++)
        wanted[skeleton->slots[desc->joints[i]] / ANIM_LANES] = true;
    out->count = anim_pairs_close(skeleton->pairs, skeleton->slots, skeleton->joint_count, wanted,
                                  out->groups);
    return true;
}

// So that palettes are finite. What is not finite here is kept, for those who refuse it.
static anim_mat34 bounded(const anim_mat34* m)
{
    anim_mat34 out = *m;
    for (int i = 0; i < 12; i++) {
        float* v = &out.m[i / 4][i % 4];
        if (fabsf(*v) > ANIM_MODEL_MOST && fabsf(*v) <= FLT_MAX)
            *v = *v > 0 ? ANIM_MODEL_MOST : -ANIM_MODEL_MOST;
    }
    return out;
}

static anim_skin* build(const anim_skin_desc* desc, const group_list* list)
{
    const char* name = desc->name ? desc->name : "";
    anim_layout layout = {0};
    lay_out(&layout, desc, list);
    size_t size = layout.size;
    layout = (anim_layout){anim_mem_alloc(size), 0};
    if (!layout.block)
        return NULL;
    parts p = lay_out(&layout, desc, list);
    for (uint32_t i = 0; i < desc->joint_count; i++)
        p.inverse_bind[i] = desc->inverse_bind ? bounded(&desc->inverse_bind[i])
                                               : ANIM_MAT34_IDENTITY;
    memcpy(p.joints, desc->joints, desc->joint_count * sizeof *p.joints);
    memcpy(p.name, name, strlen(name) + 1);

    anim_ref_init(&p.skin->ref);
    p.skin->skeleton = anim_skeleton_retain(desc->skeleton);
    p.skin->name = p.name;
    p.skin->joint_count = desc->joint_count;
    p.skin->joints = p.joints;
    p.skin->inverse_bind = p.inverse_bind;
    p.skin->size = size;
    memcpy(p.groups, list->groups, list->count * sizeof *p.groups);
    p.skin->groups = p.groups;
    p.skin->group_count = list->count;
    return p.skin;
}

anim_code anim_skin_create(const anim_skin_desc* desc, anim_skin** out, anim_error* err)
{
    *out = NULL;
    const char* name = desc->name ? desc->name : "";
    if (desc->joint_count == 0)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "skin '%s' has no joints", name);
    for (uint32_t i = 0; i < desc->joint_count; i++)
        if (desc->joints[i] >= desc->skeleton->joint_count)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "skin '%s': joint %u is out of range", name,
                             i + 1);
    anim_arena arena = {0};
    group_list list;
    *out = list_groups(&arena, desc, &list) ? build(desc, &list) : NULL;
    anim_arena_free(&arena);
    return *out ? ANIM_OK : anim_fail_memory(err, "a skin");
}

anim_skin* anim_skin_retain(anim_skin* skin)
{
    anim_ref_retain(&skin->ref);
    return skin;
}

void anim_skin_release(anim_skin* skin)
{
    if (skin && anim_ref_drop(&skin->ref)) {
        anim_skeleton_release(skin->skeleton);
        anim_mem_free(skin);
    }
}

void anim_skin_palette_3x4(const anim_skin* skin, const anim_mat34* model, float* out)
{
    anim_kernels_now()->palette(model, skin->joints, skin->inverse_bind, skin->joint_count, true,
                                out);
}

void anim_skin_palette_4x4(const anim_skin* skin, const anim_mat34* model, float* out)
{
    anim_kernels_now()->palette(model, skin->joints, skin->inverse_bind, skin->joint_count, false,
                                out);
}

void anim_skin_to_model(const anim_skin* skin, const anim_pose_group* groups, anim_mat34* out)
{
    const anim_skeleton* skeleton = skin->skeleton;
    anim_kernels_now()->to_model(skeleton->pairs, skeleton->joint_count, skin->groups,
                                 skin->group_count, groups, out);
}
