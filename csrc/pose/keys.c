// SPDX-License-Identifier: MIT
// Descriptions to keys: times are cleaned and shared, values copied, checked and put in order.
#include "pose/keys.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/order.h"
#include "pose/pack_format.h"
#include "pose/root_motion.h"

#include <math.h>
#include <string.h>

// A time table after cleaning. `kept[i]` is the place of key i in the description; NULL: all, in order.
typedef struct table {
    anim_times_desc source;
    anim_times times; // `at` is in the arena or in the description
    const uint32_t* kept;
    uint32_t index; // of the table it became (equal tables share one)
} table;

typedef struct builder {
    const anim_clip_desc* desc;
    anim_notes* notes;
    anim_error* err;
    anim_arena arena;
    table* tables; // one per different description of times
    uint32_t table_count, slot_count;
    uint32_t* slots;       // hash of descriptions -> table + 1
    uint32_t* track_table; // per description, in `tables`
    uint32_t* curve_table;
    uint32_t* property_table;
    int32_t* track_of; // per channel and joint: description, or -1
    uint32_t* unique;  // the tables that are stored
    uint32_t unique_count;
    uint32_t turned_keys; // neighbouring rotation keys on opposite sides
} builder;

static anim_code fail_at(builder* b, const char* what, const char* name, const char* problem)
{
    return anim_fail(b->err, ANIM_ERR_ARGUMENT, "%s '%s': %s", what, name, problem);
}

// --- times ----------------------------------------------------------------------------------------

static bool is_same_source(const anim_times_desc* a, const anim_times_desc* b)
{
    return a->count == b->count && a->at == b->at &&
           (a->at || (a->start == b->start && a->step == b->step));
}

static double float_key(const void* list, uint32_t index)
{
    return ((const float*)list)[index];
}

// Keys in order of time, each time once.
static anim_code repair_times(builder* b, table* t, const char* what, const char* name)
{
    uint32_t count = t->source.count;
    uint32_t* order = anim_order_by(&b->arena, float_key, t->source.at, count);
    float* at = anim_arena_alloc(&b->arena, count, sizeof *at);
    if (!order || !at)
        return anim_fail_memory(b->err, "a clip");
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        float time = t->source.at[order[i]];
        if (kept > 0 && at[kept - 1] == time)
            kept--; // the later wins
        order[kept] = order[i];
        at[kept++] = time;
    }
    t->times.at = at;
    t->times.count = kept;
    t->kept = order;
    anim_notes_add(b->notes,
                   "%s '%s': keys out of order or twice at one time; sorted, the later wins", what,
                   name);
    return ANIM_OK;
}

static anim_code clean_times(builder* b, table* t, const char* what, const char* name)
{
    const anim_times_desc* source = &t->source;
    if (source->count == 0)
        return fail_at(b, what, name, "no keys");
    t->times.count = source->count;
    if (!source->at) {
        double last = source->start + source->step * (source->count - 1);
        if (!(source->start >= 0) || !(last <= 1e9) || (source->count > 1 && !(source->step > 0)))
            return fail_at(b, what, name, "key times must be finite, rising and not negative");
        t->times.start = source->start;
        t->times.step = source->count > 1 ? source->step : 1;
        return ANIM_OK;
    }
    bool rising = true;
    for (uint32_t i = 0; i < source->count; i++) {
        if (!(source->at[i] >= 0 && source->at[i] <= 1e9f))
            return anim_fail(b->err, ANIM_ERR_ARGUMENT,
                             "%s '%s': key %u has time %g; 0 to 1e9 seconds expected", what, name,
                             i + 1, (double)source->at[i]);
        rising = rising && (i == 0 || source->at[i - 1] < source->at[i]);
    }
    t->times.at = source->at;
    anim_code code = rising ? ANIM_OK : repair_times(b, t, what, name);
    if (code)
        return code;
    t->times.start = t->times.at[0];
    t->times.step = t->times.count > 1
                        ? ((double)t->times.at[t->times.count - 1] - t->times.start) /
                              (t->times.count - 1)
                        : 1;
    return ANIM_OK;
}

static uint64_t hash_source(const anim_times_desc* source)
{
    uint64_t hash = anim_hash(ANIM_HASH_START, &source->count, sizeof source->count);
    if (source->at)
        return anim_hash(hash, &source->at, sizeof source->at);
    hash = anim_hash(hash, &source->start, sizeof source->start);
    return anim_hash(hash, &source->step, sizeof source->step);
}

// The table of a description of times; descriptions that are the same array are cleaned once.
static anim_code add_times(builder* b, const anim_times_desc* source, const char* what,
                           const char* name, uint32_t* out)
{
    uint32_t slot = (uint32_t)hash_source(source) & (b->slot_count - 1);
    for (; b->slots[slot]; slot = (slot + 1) & (b->slot_count - 1)) {
        uint32_t found = b->slots[slot] - 1;
        if (is_same_source(&b->tables[found].source, source)) {
            *out = found;
            return ANIM_OK;
        }
    }
    table* t = &b->tables[b->table_count];
    t->source = *source;
    anim_code code = clean_times(b, t, what, name);
    if (code)
        return code;
    *out = b->table_count++;
    b->slots[slot] = b->table_count;
    return ANIM_OK;
}

static bool is_same_table(const anim_times* a, const anim_times* b)
{
    if (a->count != b->count || !a->at != !b->at)
        return false;
    if (!a->at)
        return a->start == b->start && a->step == b->step;
    return memcmp(a->at, b->at, a->count * sizeof *a->at) == 0;
}

// Tables of equal content (exporters that write the times once a channel) become one.
static anim_code merge_tables(builder* b)
{
    b->unique = anim_arena_alloc(&b->arena, b->table_count, sizeof *b->unique);
    if (!b->unique)
        return anim_fail_memory(b->err, "a clip");
    memset(b->slots, 0, b->slot_count * sizeof *b->slots);
    for (uint32_t i = 0; i < b->table_count; i++) {
        table* t = &b->tables[i];
        uint64_t hash = anim_hash(ANIM_HASH_START, &t->times.count, sizeof t->times.count);
        hash = t->times.at ? anim_hash(hash, t->times.at, t->times.count * sizeof(float))
                           : anim_hash(hash, &t->times.step, sizeof t->times.step);
        uint32_t slot = (uint32_t)hash & (b->slot_count - 1);
        while (b->slots[slot] &&
               !is_same_table(&b->tables[b->unique[b->slots[slot] - 1]].times, &t->times))
            slot = (slot + 1) & (b->slot_count - 1);
        if (!b->slots[slot]) {
            b->unique[b->unique_count++] = i;
            b->slots[slot] = b->unique_count;
        }
        t->index = b->slots[slot] - 1;
    }
    return ANIM_OK;
}

// --- what there is ----------------------------------------------------------------------------------

static anim_code collect_tracks(builder* b)
{
    const anim_clip_desc* d = b->desc;
    uint32_t joints = d->skeleton->joint_count;
    for (uint32_t i = 0; i < 3 * joints; i++)
        b->track_of[i] = -1;
    for (uint32_t i = 0; i < d->track_count; i++) {
        const anim_track_desc* track = &d->tracks[i];
        if (track->joint >= joints)
            return anim_fail(b->err, ANIM_ERR_ARGUMENT, "track %u: there is no joint %u", i + 1,
                             track->joint + 1);
        const char* name = anim_skeleton_name(d->skeleton, track->joint);
        int32_t* place = &b->track_of[track->channel * joints + track->joint];
        if (*place >= 0)
            return anim_fail(b->err, ANIM_ERR_ARGUMENT, "joint '%s' has two tracks of %s", name,
                             anim_channel_name(track->channel));
        *place = (int32_t)i;
        anim_code code = add_times(b, &track->times, "joint", name, &b->track_table[i]);
        if (code)
            return code;
    }
    return ANIM_OK;
}

static anim_code collect_named(builder* b)
{
    const anim_clip_desc* d = b->desc;
    anim_code code = ANIM_OK;
    for (uint32_t i = 0; i < d->curve_count && !code; i++)
        code = add_times(b, &d->curves[i].times, "curve", d->curves[i].name, &b->curve_table[i]);
    for (uint32_t i = 0; i < d->property_count && !code; i++)
        code = add_times(b, &d->properties[i].times, "property", d->properties[i].name,
                         &b->property_table[i]);
    return code;
}

static anim_code collect(builder* b)
{
    const anim_clip_desc* d = b->desc;
    size_t most = (size_t)d->track_count + d->curve_count + d->property_count;
    if (most > UINT32_MAX / 8)
        return anim_fail(b->err, ANIM_ERR_LIMIT, "too many tracks");
    b->slot_count = 16;
    while (b->slot_count < 2 * most)
        b->slot_count *= 2;
    b->slots = anim_arena_alloc(&b->arena, b->slot_count, sizeof *b->slots);
    b->tables = anim_arena_alloc(&b->arena, most, sizeof *b->tables);
    b->track_table = anim_arena_alloc(&b->arena, d->track_count, sizeof *b->track_table);
    b->curve_table = anim_arena_alloc(&b->arena, d->curve_count, sizeof *b->curve_table);
    b->property_table = anim_arena_alloc(&b->arena, d->property_count, sizeof *b->property_table);
    b->track_of = anim_arena_alloc(&b->arena, 3 * (size_t)d->skeleton->joint_count,
                                   sizeof *b->track_of);
    if (!b->slots || !b->tables || !b->track_table || !b->curve_table || !b->property_table ||
        !b->track_of)
        return anim_fail_memory(b->err, "a clip");
    anim_code code = collect_tracks(b);
    if (!code)
        code = collect_named(b);
    return code ? code : merge_tables(b);
}

// --- values -----------------------------------------------------------------------------------------

anim_value anim_value_copy(const anim_value* value, anim_layout* layout)
{
    anim_value copy = *value;
    if (value->kind == ANIM_VALUE_STRING) {
        char* bytes = anim_layout_take(layout, value->as.string.size, 1);
        if (bytes)
            memcpy(bytes, value->as.string.bytes, value->as.string.size);
        copy.as.string.bytes = bytes;
    }
    return copy;
}

static void copy_values(const table* t, const float* from, size_t stride, float* to)
{
    if (!t->kept) {
        memcpy(to, from, t->times.count * stride * sizeof *to);
        return;
    }
    for (uint32_t i = 0; i < t->times.count; i++)
        memcpy(to + i * stride, from + t->kept[i] * stride, stride * sizeof *to);
}

static anim_code check_range(builder* b, const float* values, uint32_t count, size_t stride,
                             const char* what, const char* name)
{
    // Beyond this a tangent times a key distance, or a chain of joints, is no number any more. What is
    // made out of a clip may be larger than what a clip is made of.
    const float most = b->desc->exact ? 1e27f : 1e15f;
    if (anim_floats_are_within(values, count * stride, most))
        return ANIM_OK;
    uint32_t key = 0;
    while (anim_floats_are_within(values + key * stride, stride, most))
        key++;
    return anim_fail(b->err, ANIM_ERR_ARGUMENT, "%s '%s': key %u is not between -%g and %g", what,
                     name, key + 1, (double)most, (double)most);
}

// Two keys on opposite sides and far apart in time may have meant more than 180 degrees, which can't be
// kept; close together it is but a quaternion with its signs turned, as many exporters write them.
static bool may_turn_far(const float a[4], const float b[4], double seconds)
{
    const double far_apart = 0.1;
    return seconds >= far_apart && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0;
}

static anim_code unit_rotations(builder* b, float* values, const anim_times* times, size_t stride,
                                const char* joint)
{
    bool cubic = stride == 12; // takes the way that the file's signs and tangents say
    const float tolerance = 2e-3f;
    float* value = values + (cubic ? 4 : 0);
    float worst = 0;
    for (uint32_t i = 0; i < times->count; i++, value += stride) {
        float raw[4];
        memcpy(raw, value, sizeof raw);
        if (!anim_quat_normalize(raw, value))
            return anim_fail(b->err, ANIM_ERR_ARGUMENT,
                             "joint '%s': rotation key %u has length zero", joint, i + 1);
        anim_quat_clear_tiny(value);
        float off = fabsf(raw[0] * value[0] + raw[1] * value[1] + raw[2] * value[2] +
                          raw[3] * value[3] - 1);
        worst = off > worst ? off : worst;
        if (i > 0 && !cubic &&
            may_turn_far(value - stride, value,
                         anim_times_at(times, i) - anim_times_at(times, i - 1)))
            b->turned_keys++;
    }
    if (worst > tolerance)
        anim_notes_add(b->notes,
                       "joint '%s': rotation keys are not unit (off by up to %.3g); normalised",
                       joint, (double)worst);
    return ANIM_OK;
}

// --- the block ----------------------------------------------------------------------------------------

typedef struct parts {
    anim_keys* keys;
    anim_times* times;
    anim_track* tracks;
    anim_curve* curves;
    anim_property* properties;
    uint8_t* channels;
    struct anim_pack* pack;
    anim_names curve_names, property_names;
} parts;

static size_t curve_stride(const anim_curve_desc* curve)
{
    return anim_key_stride(curve->interp, 1);
}

static float* take_floats(anim_layout* layout, size_t count)
{
    return anim_layout_take(layout, count, sizeof(float));
}

static void lay_out_times(builder* b, anim_layout* layout, parts* p)
{
    for (uint32_t i = 0; i < b->unique_count; i++) {
        const anim_times* from = &b->tables[b->unique[i]].times;
        float* at = from->at ? take_floats(layout, from->count) : NULL;
        if (!layout->block)
            continue;
        p->times[i] = *from;
        if (at)
            memcpy(at, from->at, from->count * sizeof *at);
        p->times[i].at = at;
        double last = anim_times_at(&p->times[i], from->count - 1);
        if (last > p->keys->last_key)
            p->keys->last_key = last;
    }
}

// -1: none.
static int32_t track_of_lane(const builder* b, uint32_t channel, uint32_t slot)
{
    const anim_skeleton* skeleton = b->desc->skeleton;
    uint32_t joint = skeleton->joints[slot];
    return joint == ANIM_NO_JOINT ? -1 : b->track_of[channel * skeleton->joint_count + joint];
}

static anim_code lay_out_tracks(builder* b, anim_layout* layout, parts* p)
{
    const anim_clip_desc* d = b->desc;
    uint32_t lanes = d->skeleton->group_count * ANIM_LANES, to = 0;
    for (uint32_t i = 0; i < 3 * lanes; i++) { // as they lie in a pose
        int32_t track = track_of_lane(b, i / lanes, i % lanes);
        if (track < 0)
            continue;
        const anim_track_desc* from = &d->tracks[track];
        const table* t = &b->tables[b->track_table[track]];
        size_t stride = anim_key_stride(from->interp, anim_channel_width(from->channel));
        float* values = take_floats(layout, t->times.count * stride);
        if (!layout->block)
            continue;
        p->tracks[to++] = (anim_track){(uint16_t)from->joint, (uint8_t)from->channel,
                                       (uint8_t)from->interp, t->index, values};
        p->channels[from->joint] |= (uint8_t)(1u << from->channel);
        copy_values(t, from->values, stride, values);
        const char* name = anim_skeleton_name(d->skeleton, from->joint);
        anim_code code = check_range(b, values, t->times.count, stride, "joint", name);
        if (!code && from->channel == ANIM_CHANNEL_ROTATION && !d->exact)
            code = unit_rotations(b, values, &t->times, stride, name);
        if (code)
            return code;
    }
    return ANIM_OK;
}

static anim_code lay_out_named(builder* b, anim_layout* layout, parts* p)
{
    const anim_clip_desc* d = b->desc;
    for (uint32_t i = 0; i < d->curve_count; i++) {
        const anim_curve_desc* from = &d->curves[i];
        const table* t = &b->tables[b->curve_table[i]];
        float* values = take_floats(layout, t->times.count * curve_stride(from));
        if (!layout->block)
            continue;
        p->curves[i] = (anim_curve){t->index, (uint8_t)from->interp, values};
        copy_values(t, from->values, curve_stride(from), values);
        anim_code code = check_range(b, values, t->times.count, curve_stride(from), "curve",
                                     from->name);
        if (code)
            return code;
    }
    for (uint32_t i = 0; i < d->property_count; i++) {
        const table* t = &b->tables[b->property_table[i]];
        anim_value* values = anim_layout_take(layout, t->times.count, sizeof *values);
        for (uint32_t k = 0; k < t->times.count; k++) {
            const anim_value* from = &d->properties[i].values[t->kept ? t->kept[k] : k];
            anim_value copy = anim_value_copy(from, layout);
            if (values)
                values[k] = copy;
        }
        if (layout->block)
            p->properties[i] = (anim_property){t->index, values};
    }
    return ANIM_OK;
}

static anim_code build_names(builder* b, anim_layout* layout, parts* p)
{
    const anim_clip_desc* d = b->desc;
    const char** names = anim_arena_alloc(&b->arena, d->curve_count + (size_t)d->property_count,
                                          sizeof *names);
    if (!names)
        return anim_fail_memory(b->err, "a clip");
    for (uint32_t i = 0; i < d->curve_count; i++)
        names[i] = d->curves[i].name;
    for (uint32_t i = 0; i < d->property_count; i++)
        names[d->curve_count + i] = d->properties[i].name;
    anim_names_build(&p->curve_names, layout, names, d->curve_count);
    anim_names_build(&p->property_names, layout, names + d->curve_count, d->property_count);
    if (!layout->block)
        return ANIM_OK;
    int32_t twice = anim_names_duplicate(&p->curve_names);
    if (twice >= 0)
        return fail_at(b, "curve", anim_names_get(&p->curve_names, (uint32_t)twice),
                       "the name stands twice");
    twice = anim_names_duplicate(&p->property_names);
    if (twice >= 0)
        return fail_at(b, "property", anim_names_get(&p->property_names, (uint32_t)twice),
                       "the name stands twice");
    return ANIM_OK;
}

static void lay_out_motion(const anim_motion* from, anim_layout* layout, parts* p)
{
    if (!from)
        return;
    anim_motion* to = anim_layout_take(layout, 1, sizeof *to);
    anim_rigid* values = anim_layout_take(layout, from->times.count, sizeof *values);
    float* at = take_floats(layout, from->times.count);
    if (!layout->block)
        return;
    *to = *from;
    for (uint32_t i = 0; i < from->times.count; i++) {
        values[i] = from->values[i];
        at[i] = (float)anim_times_at(&from->times, i);
    }
    to->values = values;
    to->times.at = at;
    p->keys->motion = to;
}

static anim_code lay_out_packed(builder* b, anim_layout* layout, parts* p)
{
    const anim_clip_desc* d = b->desc;
    if (!d->packed)
        return ANIM_OK;
    anim_code code = anim_pack_open(d->packed, d->packed_size, d->skeleton, d->additive, layout,
                                    &p->pack, b->err);
    if (code || !layout->block)
        return code;
    for (uint32_t j = 0; j < d->skeleton->joint_count; j++)
        for (uint32_t channel = 0; channel < 3; channel++) {
            if (anim_pack_class(p->pack, channel, j) == ANIM_PACK_UNKEYED)
                continue;
            if (p->channels[j] & 1u << channel)
                return fail_at(b, "joint", anim_skeleton_name(d->skeleton, j),
                               "a track is there twice, packed and as keys");
            p->channels[j] |= (uint8_t)(1u << channel);
        }
    if (p->keys->last_key < p->pack->head.last_key)
        p->keys->last_key = p->pack->head.last_key;
    p->keys->pack = p->pack;
    return ANIM_OK;
}

static anim_code lay_out(builder* b, anim_layout* layout, parts* p)
{
    const anim_clip_desc* d = b->desc;
    p->keys = anim_layout_take(layout, 1, sizeof *p->keys);
    p->times = anim_layout_take(layout, b->unique_count, sizeof *p->times);
    p->tracks = anim_layout_take(layout, d->track_count, sizeof *p->tracks);
    p->curves = anim_layout_take(layout, d->curve_count, sizeof *p->curves);
    p->properties = anim_layout_take(layout, d->property_count, sizeof *p->properties);
    p->channels = anim_layout_take(layout, d->skeleton->joint_count, 1);
    anim_code code = build_names(b, layout, p);
    if (code)
        return code;
    lay_out_times(b, layout, p);
    lay_out_motion(d->motion, layout, p);
    code = lay_out_tracks(b, layout, p);
    if (!code)
        code = lay_out_packed(b, layout, p);
    return code ? code : lay_out_named(b, layout, p);
}

static anim_code build(builder* b, anim_keys** out)
{
    anim_layout layout = {0};
    parts p = {0};
    anim_code code = lay_out(b, &layout, &p);
    if (code)
        return code;
    size_t size = layout.size;
    layout = (anim_layout){anim_mem_alloc(size), 0};
    if (!layout.block)
        return anim_fail_memory(b->err, "a clip");
    code = lay_out(b, &layout, &p);
    if (code) {
        anim_mem_free(layout.block);
        return code;
    }
    const anim_clip_desc* d = b->desc;
    anim_keys* keys = p.keys;
    anim_ref_init(&keys->ref);
    keys->skeleton = anim_skeleton_retain(d->skeleton);
    keys->additive = d->additive;
    keys->times_count = b->unique_count;
    keys->track_count = d->track_count;
    keys->curve_count = d->curve_count;
    keys->property_count = d->property_count;
    keys->times = p.times;
    keys->tracks = p.tracks;
    keys->curves = p.curves;
    keys->properties = p.properties;
    keys->channels = p.channels;
    keys->curve_names = p.curve_names;
    keys->property_names = p.property_names;
    keys->size = size;
    if (b->turned_keys > 0)
        anim_notes_add(b->notes,
                       "rotation keys more than 180 degrees from the one before (%u of them): the "
                       "shorter way is taken",
                       b->turned_keys);
    *out = keys;
    return ANIM_OK;
}

anim_code anim_keys_create(const anim_clip_desc* desc, anim_notes* notes, anim_keys** out,
                           anim_error* err)
{
    builder b = {.desc = desc, .notes = notes, .err = err};
    anim_code code = collect(&b);
    if (!code)
        code = build(&b, out);
    anim_arena_free(&b.arena);
    return code;
}

anim_keys* anim_keys_retain(anim_keys* keys)
{
    anim_ref_retain(&keys->ref);
    return keys;
}

void anim_keys_release(anim_keys* keys)
{
    if (keys && anim_ref_drop(&keys->ref)) {
        anim_skeleton_release(keys->skeleton);
        anim_mem_free(keys);
    }
}
