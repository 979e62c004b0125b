// SPDX-License-Identifier: MIT
#include "import/archive.h"

#include "base/hash.h"
#include "base/mem.h"
#include "import/unique.h"
#include "pose/keys.h"
#include "pose/pack_format.h"
#include "pose/root_motion.h"

#include <math.h>
#include <string.h>

// Runs twice: without bytes it only adds up.
typedef struct writer {
    unsigned char* bytes;
    size_t size;
    uint32_t* tables; // old -> new number of a time table, plus 1
    uint32_t version;
} writer;

uint64_t anim_archive_hash(const void* file, size_t size)
{
    // Four hashes side by side: one would wait for its own multiplication at every word.
    enum { lanes = 4, stripe = lanes * 8 };
    uint64_t lane[lanes] = {ANIM_HASH_START, ANIM_HASH_START + 1, ANIM_HASH_START + 2,
                            ANIM_HASH_START + 3};
    const unsigned char* at = (const unsigned char*)file + sizeof(anim_archive_header);
    size_t left = size - sizeof(anim_archive_header);
    for (; left >= stripe; left -= stripe, at += stripe)
        for (int i = 0; i < lanes; i++)
            lane[i] = anim_hash(lane[i], at + 8 * i, 8);
    return anim_hash(anim_hash(ANIM_HASH_START, lane, sizeof lane), at, left);
}

// --- pieces --------------------------------------------------------------------------------------

static void put(writer* w, const void* from, size_t count, size_t element, size_t alignment)
{
    w->size = (w->size + alignment - 1) / alignment * alignment;
    if (w->bytes && count > 0)
        memcpy(w->bytes + w->size, from, count * element);
    w->size += count * element;
}

static void put_u32(writer* w, uint32_t value)
{
    put(w, &value, 1, sizeof value, sizeof value);
}

static void put_f64(writer* w, double value)
{
    put(w, &value, 1, sizeof value, sizeof value);
}

static void put_floats(writer* w, const float* values, size_t count)
{
    put(w, values, count, sizeof *values, sizeof *values);
}

static void put_text(writer* w, const char* text)
{
    put_u32(w, (uint32_t)strlen(text));
    put(w, text, strlen(text) + 1, 1, 1);
}

static void put_value(writer* w, const anim_value* value)
{
    put_u32(w, value->kind);
    if (value->kind == ANIM_VALUE_BOOLEAN)
        put_u32(w, value->as.boolean);
    if (value->kind == ANIM_VALUE_NUMBER)
        put_f64(w, value->as.number);
    if (value->kind == ANIM_VALUE_STRING) {
        uint64_t size = value->as.string.size;
        put(w, &size, 1, sizeof size, sizeof size);
        put(w, value->as.string.bytes, value->as.string.size, 1, 1);
    }
}

// --- assets --------------------------------------------------------------------------------------

static void put_skeleton(writer* w, const anim_skeleton* skeleton)
{
    put(w, skeleton->parents, skeleton->joint_count, sizeof *skeleton->parents, 2);
    put(w, skeleton->rest_xforms, skeleton->joint_count, sizeof *skeleton->rest_xforms, 4);
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        put_text(w, anim_skeleton_name(skeleton, j));
}

// Tables are numbered in the order of their first use, so that loading and saving again, which
// builds the keys anew, gives the same file.
static void number_table(writer* w, uint32_t table, uint32_t* used, uint32_t* order)
{
    if (w->tables[table])
        return;
    order[*used] = table;
    w->tables[table] = ++*used;
}

static uint32_t number_tables(writer* w, const anim_keys* keys)
{
    uint32_t used = 0, *order = w->tables + keys->times_count;
    memset(w->tables, 0, keys->times_count * sizeof *w->tables);
    for (uint32_t i = 0; i < keys->track_count; i++)
        number_table(w, keys->tracks[i].times, &used, order);
    for (uint32_t i = 0; i < keys->curve_count; i++)
        number_table(w, keys->curves[i].times, &used, order);
    for (uint32_t i = 0; i < keys->property_count; i++)
        number_table(w, keys->properties[i].times, &used, order);
    return used;
}

static void put_times(writer* w, const anim_times* times)
{
    put_u32(w, times->count);
    put_u32(w, times->at == NULL);
    if (times->at) {
        put_floats(w, times->at, times->count);
        return;
    }
    put_f64(w, times->start);
    put_f64(w, times->step);
}

static void put_motion(writer* w, const anim_motion* motion)
{
    put_u32(w, motion ? motion->joint + 1 : 0);
    if (!motion)
        return;
    put_u32(w, motion->times.count);
    put_floats(w, motion->times.at, motion->times.count);
    put(w, motion->values, motion->times.count, sizeof *motion->values, 4);
}

static void put_packed(writer* w, const struct anim_pack* pack)
{
    put_u32(w, pack ? pack->head.size : 0);
    if (pack)
        put(w, pack->bytes, pack->head.size, 1, 8);
}

static void put_keys(writer* w, const anim_keys* keys)
{
    uint32_t used = number_tables(w, keys);
    put_u32(w, keys->additive);
    put_u32(w, used);
    put_u32(w, keys->track_count);
    put_u32(w, keys->curve_count);
    put_u32(w, keys->property_count);
    for (uint32_t i = 0; i < used; i++)
        put_times(w, &keys->times[w->tables[keys->times_count + i]]);
    for (uint32_t i = 0; i < keys->track_count; i++) {
        const anim_track* t = &keys->tracks[i];
        anim_archive_track track = {t->joint, t->channel, t->interp, w->tables[t->times] - 1};
        put(w, &track, 1, sizeof track, 4);
    }
    for (uint32_t i = 0; i < keys->track_count; i++) {
        const anim_track* t = &keys->tracks[i];
        size_t stride = anim_key_stride(t->interp, anim_channel_width(t->channel));
        put_floats(w, t->values, keys->times[t->times].count * stride);
    }
    for (uint32_t i = 0; i < keys->curve_count; i++) {
        const anim_curve* c = &keys->curves[i];
        put_text(w, anim_names_get(&keys->curve_names, i));
        put_u32(w, w->tables[c->times] - 1);
        put_u32(w, c->interp);
        put_floats(w, c->values,
                   keys->times[c->times].count * (size_t)anim_key_stride(c->interp, 1));
    }
    for (uint32_t i = 0; i < keys->property_count; i++) {
        const anim_property* p = &keys->properties[i];
        put_text(w, anim_names_get(&keys->property_names, i));
        put_u32(w, w->tables[p->times] - 1);
        for (uint32_t k = 0; k < keys->times[p->times].count; k++)
            put_value(w, &p->values[k]);
    }
    put_motion(w, keys->motion);
    if (w->version > ANIM_ARCHIVE_UNPACKED)
        put_packed(w, keys->pack);
}

// The first clip with the same keys.
static uint32_t find_owner(const anim_archive_desc* desc, uint32_t clip)
{
    uint32_t owner = 0;
    while (desc->clips[owner]->keys != desc->clips[clip]->keys)
        owner++;
    return owner;
}

static void put_clip(writer* w, const anim_archive_desc* desc, uint32_t i)
{
    const anim_clip* clip = desc->clips[i];
    uint32_t owner = find_owner(desc, i);
    put_text(w, clip->name);
    put_u32(w, clip->loop);
    put_f64(w, clip->duration);
    put_u32(w, owner);
    if (owner == i)
        put_keys(w, clip->keys);
    put_u32(w, clip->event_count);
    put_u32(w, clip->marker_count);
    for (uint32_t e = 0; e < clip->event_count; e++) {
        put_f64(w, clip->events[e].time);
        put_f64(w, clip->events[e].duration);
        put_text(w, anim_clip_event_name(clip, e));
        put_value(w, &clip->events[e].data);
    }
    for (uint32_t m = 0; m < clip->marker_count; m++) {
        put_f64(w, clip->markers[m].time);
        put_text(w, anim_clip_marker_name(clip, m));
    }
}

static void put_skin(writer* w, const anim_skin* skin)
{
    put_text(w, skin->name);
    put_u32(w, skin->joint_count);
    put(w, skin->joints, skin->joint_count, sizeof *skin->joints, 2);
    put(w, skin->inverse_bind, skin->joint_count, sizeof *skin->inverse_bind, 4);
}

static void put_morph(writer* w, const anim_morph* morph)
{
    put_text(w, morph->name);
    put_u32(w, morph->target_count);
    put_floats(w, morph->weights, morph->target_count);
    for (uint32_t i = 0; i < morph->target_count; i++) {
        put_text(w, morph->targets[i]);
        put_text(w, morph->curves[i]);
    }
}

static void put_all(writer* w, const anim_archive_desc* desc)
{
    w->size = sizeof(anim_archive_header);
    put_u32(w, desc->skeleton->joint_count);
    put_u32(w, desc->clip_count);
    put_u32(w, desc->skin_count);
    put_u32(w, desc->morph_count);
    put_skeleton(w, desc->skeleton);
    for (uint32_t i = 0; i < desc->clip_count; i++)
        put_clip(w, desc, i);
    for (uint32_t i = 0; i < desc->skin_count; i++)
        put_skin(w, desc->skins[i]);
    for (uint32_t i = 0; i < desc->morph_count; i++)
        put_morph(w, &desc->morphs[i]);
}

// --- what can't be stored ------------------------------------------------------------------------

// NULL, or why the value can't be in a file.
static const char* refuse_value(const anim_value* value)
{
    if (value->kind == ANIM_VALUE_HOST)
        return "only nil, booleans, numbers and strings can be saved";
    if (value->kind == ANIM_VALUE_NUMBER && isnan(value->as.number))
        return "it is not a number (nan)";
    return NULL;
}

static anim_code check_keys(const anim_clip* clip, anim_error* err)
{
    const anim_keys* keys = clip->keys;
    for (uint32_t i = 0; i < keys->property_count; i++)
        for (uint32_t k = 0; k < keys->times[keys->properties[i].times].count; k++) {
            const char* why = refuse_value(&keys->properties[i].values[k]);
            if (why)
                return anim_fail(err, ANIM_ERR_ARGUMENT, "clip '%s', property '%s', key %u: %s",
                                 clip->name, anim_names_get(&keys->property_names, i), k + 1, why);
        }
    return ANIM_OK;
}

static anim_code check_unique(anim_unique* names, const char* name, const char* kind,
                              anim_error* err)
{
    const char* unique = anim_unique_add(names, name);
    if (!unique)
        return anim_fail_memory(err, "an archive");
    if (unique != name)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "two %s are named '%s'", kind, name);
    return ANIM_OK;
}

static anim_code check_clip(const anim_archive_desc* desc, const anim_clip* clip, anim_error* err)
{
    if (!anim_skeleton_same(clip->keys->skeleton, desc->skeleton))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "clip '%s' is of another skeleton", clip->name);
    for (uint32_t e = 0; e < clip->event_count; e++) {
        const char* why = refuse_value(&clip->events[e].data);
        if (why)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "clip '%s', event '%s' at %g: %s", clip->name,
                             anim_clip_event_name(clip, e), clip->events[e].time, why);
    }
    return check_keys(clip, err);
}

static anim_code check_skin(const anim_archive_desc* desc, const anim_skin* skin, anim_error* err)
{
    if (!anim_skeleton_same(skin->skeleton, desc->skeleton))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "skin '%s' is of another skeleton", skin->name);
    if (!anim_floats_are_finite(skin->inverse_bind[0].m[0], 12 * (size_t)skin->joint_count))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "skin '%s': an inverse bind matrix is not finite",
                         skin->name);
    return ANIM_OK;
}

static anim_code check(const anim_archive_desc* desc, anim_arena* arena, anim_error* err)
{
    anim_unique clips = {arena, NULL, 0, 0}, meshes = clips;
    anim_code code = ANIM_OK;
    for (uint32_t i = 0; i < desc->clip_count && !code; i++) {
        code = check_unique(&clips, desc->clips[i]->name, "clips", err);
        if (!code)
            code = check_clip(desc, desc->clips[i], err);
    }
    for (uint32_t i = 0; i < desc->skin_count && !code; i++)
        code = check_skin(desc, desc->skins[i], err);
    for (uint32_t i = 0; i < desc->morph_count && !code; i++)
        code = check_unique(&meshes, desc->morphs[i].name, "meshes", err);
    return code;
}

static anim_code write_archive(const anim_archive_desc* desc, anim_arena* arena, anim_blob* out,
                               anim_error* err)
{
    anim_code code = check(desc, arena, err);
    if (code)
        return code;
    uint32_t most_tables = 0;
    writer w = {.version = ANIM_ARCHIVE_UNPACKED};
    for (uint32_t i = 0; i < desc->clip_count; i++) {
        if (desc->clips[i]->keys->times_count > most_tables)
            most_tables = desc->clips[i]->keys->times_count;
        if (desc->clips[i]->keys->pack)
            w.version = ANIM_ARCHIVE_VERSION;
    }
    w.tables = anim_arena_alloc(arena, 2 * (size_t)most_tables, sizeof *w.tables);
    if (!w.tables)
        return anim_fail_memory(err, "an archive");
    put_all(&w, desc);
    w.bytes = anim_mem_alloc(w.size);
    if (!w.bytes)
        return anim_fail_memory(err, "an archive");
    put_all(&w, desc);
    anim_archive_header header = {"ANIM", w.version, w.size, 0};
    header.hash = anim_archive_hash(w.bytes, w.size);
    memcpy(w.bytes, &header, sizeof header);
    *out = (anim_blob){w.bytes, w.size};
    return ANIM_OK;
}

anim_code anim_archive_write(const anim_archive_desc* desc, anim_blob* out, anim_error* err)
{
    *out = (anim_blob){NULL, 0};
    anim_arena arena = {0};
    anim_code code = write_archive(desc, &arena, out, err);
    anim_arena_free(&arena);
    return code;
}
