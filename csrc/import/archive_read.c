// SPDX-License-Identifier: MIT
#include "import/archive.h"
#include "import/archive_reader.h"
#include "import/limit.h"
#include "import/unique.h"
#include "pose/keys.h"
#include "pose/root_motion.h"

#include <math.h>
#include <string.h>

typedef struct loader {
    anim_archive_reader r;
    const anim_import_desc* desc;
    anim_model* model;
    anim_arena arena; // freed after the import
    size_t held;      // bytes of the clips
    uint32_t version;
    uint32_t* owners; // per clip: the clip whose keys it has
    anim_unique clip_names, morph_names;
} loader;

static anim_code fail_memory(loader* l)
{
    if (!l->r.code)
        l->r.code = anim_import_fail_memory(&l->arena, l->r.err);
    return l->r.code;
}

// Room for `count` descriptions, or NULL with the reader failed.
static void* scratch(loader* l, size_t count, size_t element)
{
    void* memory = l->r.code ? NULL : anim_arena_alloc(&l->arena, count, element);
    if (!memory)
        fail_memory(l);
    return memory;
}

// What a constructor says about data from a file is a fault of the file.
static anim_code build_failed(loader* l, anim_code code, const char* what)
{
    anim_error_prefix(l->r.err, "%s: ", what);
    l->r.code = code == ANIM_ERR_ARGUMENT ? ANIM_ERR_FORMAT : code;
    if (l->r.err)
        l->r.err->code = l->r.code;
    return l->r.code;
}

static anim_code check_unique(loader* l, anim_unique* names, const char* name, const char* kind)
{
    names->arena = &l->arena;
    const char* unique = anim_unique_add(names, name);
    if (!unique)
        return fail_memory(l);
    return unique == name ? ANIM_OK : anim_archive_fail(&l->r, "two %s are named '%s'", kind, name);
}

// --- skeleton ------------------------------------------------------------------------------------

static bool is_unit(const float* q)
{
    const float tolerance = 1e-3f;
    float length2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    return fabsf(length2 - 1) <= tolerance; // false for nan
}

static anim_code read_skeleton(loader* l, uint32_t count)
{
    anim_archive_reader* r = &l->r;
    const int16_t* parents = anim_archive_array(r, count, sizeof *parents, 2);
    const anim_xform* rest = anim_archive_array(r, count, sizeof *rest, 4);
    anim_joint_desc* joints = scratch(l, count, sizeof *joints);
    uint32_t* order = scratch(l, count, sizeof *order);
    if (r->code)
        return r->code;
    for (uint32_t j = 0; j < count; j++) {
        joints[j] = (anim_joint_desc){anim_archive_text(r), parents[j], rest[j]};
        if (r->code)
            return r->code;
        if (!is_unit(rest[j].q))
            return anim_archive_fail(r, "joint '%s': the rest rotation is not unit",
                                     joints[j].name);
    }
    anim_code code = anim_skeleton_create(joints, count, order, &l->model->skeleton, r->err);
    if (code)
        return build_failed(l, code, "skeleton");
    for (uint32_t j = 0; j < count; j++)
        if (order[j] != j)
            return anim_archive_fail(r, "joint '%s' is not in depth-first order", joints[j].name);
    return ANIM_OK;
}

// A name that must not be empty.
static const char* read_name(loader* l)
{
    const char* name = anim_archive_text(&l->r);
    if (!l->r.code && (!name[0] || strlen(name) > ANIM_MAX_NAME))
        anim_archive_fail(&l->r, "a name of 1 to %u bytes expected", ANIM_MAX_NAME);
    return name;
}

// --- keys ----------------------------------------------------------------------------------------

static const float latest_key = 1e9f; // seconds

static bool is_rising(const float* at, uint32_t count)
{
    bool rising = at[0] >= 0 && at[count - 1] <= latest_key;
    for (uint32_t i = 1; i < count; i++)
        rising = rising & (at[i - 1] < at[i]);
    return rising;
}

static anim_times_desc read_times(loader* l)
{
    anim_archive_reader* r = &l->r;
    anim_times_desc times = {.count = anim_archive_u32(r)};
    if (anim_archive_choice(r, 1, "a flag for even times")) {
        times.start = anim_archive_f64(r);
        times.step = anim_archive_f64(r);
        double last = times.start + times.step * (times.count - 1);
        if (!r->code && !(times.count > 0 && times.start >= 0 && times.step > 0 &&
                          times.step <= latest_key && last <= latest_key))
            anim_archive_fail(r,
                              "%u key times from %g by %g are not rising between 0 and 1e9 seconds",
                              times.count, times.start, times.step);
        return times;
    }
    times.at = anim_archive_array(r, times.count, sizeof *times.at, 4);
    if (!r->code && (times.count == 0 || !is_rising(times.at, times.count)))
        anim_archive_fail(r, "%u key times are not rising between 0 and 1e9 seconds", times.count);
    return times;
}

// The table that a track, curve or property names.
static anim_times_desc find_times(loader* l, const anim_times_desc* tables, uint32_t count,
                                  uint32_t index)
{
    if (!l->r.code && index < count)
        return tables[index];
    anim_archive_fail(&l->r, "time table %u of %u", index, count);
    return (anim_times_desc){0};
}

// Cubic keys are normalised when sampled, and those that slice makes need not be unit.
static bool are_unit(const float* values, uint32_t count, anim_interp interp)
{
    bool unit = true;
    for (uint32_t i = 0; i < count && interp != ANIM_INTERP_CUBIC; i++, values += 4)
        unit = unit & is_unit(values);
    return unit;
}

static void read_tracks(loader* l, anim_clip_desc* clip, const anim_times_desc* tables,
                        uint32_t table_count)
{
    anim_archive_reader* r = &l->r;
    const anim_archive_track* from = anim_archive_array(r, clip->track_count, sizeof *from, 4);
    anim_track_desc* tracks = scratch(l, clip->track_count, sizeof *tracks);
    clip->tracks = tracks;
    for (uint32_t i = 0; i < clip->track_count && !r->code; i++, from++) {
        if (from->channel > ANIM_CHANNEL_SCALE || from->interp > ANIM_INTERP_CUBIC ||
            from->joint >= clip->skeleton->joint_count) {
            anim_archive_fail(r, "track %u: joint %u, channel %u, interpolation %u", i, from->joint,
                              from->channel, from->interp);
            return;
        }
        anim_times_desc times = find_times(l, tables, table_count, from->times);
        size_t stride = anim_key_stride(from->interp, anim_channel_width(from->channel));
        const float* values = anim_archive_array(r, times.count, stride * sizeof *values, 4);
        if (values && from->channel == ANIM_CHANNEL_ROTATION &&
            !are_unit(values, times.count, from->interp))
            anim_archive_fail(r, "a rotation key of joint '%s' is not unit",
                              anim_skeleton_name(clip->skeleton, from->joint));
        tracks[i] = (anim_track_desc){from->joint, from->channel, from->interp, times, values};
    }
}

static void read_curves(loader* l, anim_clip_desc* clip, const anim_times_desc* tables,
                        uint32_t table_count)
{
    anim_archive_reader* r = &l->r;
    anim_curve_desc* curves = scratch(l, clip->curve_count, sizeof *curves);
    clip->curves = curves;
    for (uint32_t i = 0; i < clip->curve_count && !r->code; i++) {
        anim_curve_desc* curve = &curves[i];
        curve->name = read_name(l);
        curve->times = find_times(l, tables, table_count, anim_archive_u32(r));
        curve->interp = anim_archive_choice(r, ANIM_INTERP_CUBIC, "an interpolation");
        curve->values = anim_archive_array(r, curve->times.count,
                                           anim_key_stride(curve->interp, 1) * sizeof(float), 4);
    }
}

static anim_value read_value(anim_archive_reader* r)
{
    anim_value value = {.kind = anim_archive_choice(r, ANIM_VALUE_STRING, "the kind of a value")};
    if (value.kind == ANIM_VALUE_BOOLEAN)
        value.as.boolean = anim_archive_choice(r, 1, "a boolean");
    if (value.kind == ANIM_VALUE_NUMBER) {
        value.as.number = anim_archive_f64(r);
        if (isnan(value.as.number))
            anim_archive_fail(r, "a value is not a number (nan)");
    }
    if (value.kind == ANIM_VALUE_STRING) {
        uint64_t size = anim_archive_u64(r);
        value.as.string.size = size < SIZE_MAX ? (size_t)size : SIZE_MAX;
        value.as.string.bytes = anim_archive_array(r, value.as.string.size, 1, 1);
    }
    return value;
}

static void read_properties(loader* l, anim_clip_desc* clip, const anim_times_desc* tables,
                            uint32_t table_count)
{
    anim_archive_reader* r = &l->r;
    anim_property_desc* properties = scratch(l, clip->property_count, sizeof *properties);
    clip->properties = properties;
    for (uint32_t i = 0; i < clip->property_count && !r->code; i++) {
        anim_property_desc* property = &properties[i];
        property->name = read_name(l);
        property->times = find_times(l, tables, table_count, anim_archive_u32(r));
        if (property->times.count > (size_t)(r->end - r->at) / 4)
            anim_archive_fail(r, "%u values are more than the file can hold",
                              property->times.count);
        anim_value* values = scratch(l, property->times.count, sizeof *values);
        property->values = values;
        for (uint32_t k = 0; k < property->times.count && !r->code; k++)
            values[k] = read_value(r);
    }
}

static const anim_motion* read_motion(loader* l, const anim_clip_desc* clip)
{
    anim_archive_reader* r = &l->r;
    uint32_t joint = anim_archive_choice(r, clip->skeleton->joint_count, "a joint, or 0");
    if (joint == 0)
        return NULL;
    anim_motion* motion = scratch(l, 1, sizeof *motion);
    uint32_t count = anim_archive_u32(r);
    const float* at = anim_archive_array(r, count, sizeof *at, 4);
    const anim_rigid* values = anim_archive_array(r, count, sizeof *values, 4);
    if (r->code)
        return NULL;
    if (count == 0 || !is_rising(at, count))
        anim_archive_fail(r, "%u times of root motion are not rising from 0 to 1e9 seconds", count);
    for (uint32_t i = 0; i < count && !r->code; i++)
        if (!is_unit(values[i].q) || !anim_floats_are_finite(values[i].t, 3))
            anim_archive_fail(r, "key %u of root motion is not a turn and a move", i);
    if (r->code)
        return NULL;
    double step = count > 1 ? ((double)at[count - 1] - at[0]) / (count - 1) : 1;
    *motion = (anim_motion){joint - 1, {count, at, at[0], step}, values};
    return motion;
}

static void read_keys(loader* l, anim_clip_desc* clip)
{
    anim_archive_reader* r = &l->r;
    clip->additive = anim_archive_choice(r, 1, "a flag for additive keys");
    uint32_t table_count = anim_archive_count(r, 8, "time tables");
    clip->track_count = anim_archive_count(r, sizeof(anim_archive_track), "tracks");
    clip->curve_count = anim_archive_count(r, 16, "curves");
    clip->property_count = anim_archive_count(r, 12, "properties");
    anim_times_desc* tables = scratch(l, table_count, sizeof *tables);
    for (uint32_t i = 0; i < table_count && !r->code; i++)
        tables[i] = read_times(l);
    read_tracks(l, clip, tables, table_count);
    read_curves(l, clip, tables, table_count);
    read_properties(l, clip, tables, table_count);
    clip->motion = read_motion(l, clip);
    clip->packed_size = l->version > ANIM_ARCHIVE_UNPACKED ? anim_archive_u32(r) : 0;
    if (clip->packed_size > 0 && l->version < ANIM_ARCHIVE_VERSION)
        anim_archive_fail(r,
                          "clips packed for .anim version %u; expected version %d: pack the "
                          "source again",
                          l->version, ANIM_ARCHIVE_VERSION);
    else if (clip->packed_size > 0)
        clip->packed = anim_archive_array(r, clip->packed_size, 1, 8);
}

// --- clips ---------------------------------------------------------------------------------------

static void read_events(loader* l, anim_clip_desc* clip)
{
    anim_archive_reader* r = &l->r;
    clip->event_count = anim_archive_count(r, 24, "events");
    clip->marker_count = anim_archive_count(r, 12, "markers");
    anim_event_desc* events = scratch(l, clip->event_count, sizeof *events);
    anim_marker_desc* markers = scratch(l, clip->marker_count, sizeof *markers);
    clip->events = events;
    clip->markers = markers;
    for (uint32_t i = 0; i < clip->event_count && !r->code; i++) {
        double time = anim_archive_f64(r), duration = anim_archive_f64(r);
        if (!isfinite(time) || !isfinite(duration))
            anim_archive_fail(r, "event %u: time %g and duration %g", i, time, duration);
        const char* name = read_name(l);
        events[i] = (anim_event_desc){time, duration, name, read_value(r)};
    }
    for (uint32_t i = 0; i < clip->marker_count && !r->code; i++) {
        double time = anim_archive_f64(r);
        markers[i] = (anim_marker_desc){time, read_name(l)};
    }
}

static anim_code build_clip(loader* l, uint32_t i, const anim_clip_desc* clip)
{
    anim_clip** clips = l->model->clips;
    anim_code code;
    if (l->owners[i] == i) {
        code = anim_clip_create(clip, &l->model->notes, &clips[i], l->r.err);
    } else {
        const anim_clip_variant variant = {
            .name = clip->name,
            .loop = (int)clip->loop,
            .duration = clip->duration,
            .events = clip->events,
            .event_count = clip->event_count,
            .markers = clip->markers,
            .marker_count = clip->marker_count,
        };
        code = anim_clip_derive(clips[l->owners[i]], &variant, &clips[i], l->r.err);
    }
    if (code)
        return build_failed(l, code, "a clip");
    l->model->clip_count++;
    l->held += clips[i]->size + (l->owners[i] == i ? clips[i]->keys->size : 0);
    if (l->held <= l->arena.limit)
        return ANIM_OK;
    return l->r.code = anim_import_fail_limit(l->arena.limit, l->r.err);
}

static anim_code read_clip(loader* l, uint32_t i)
{
    anim_archive_reader* r = &l->r;
    anim_clip_desc clip = {.skeleton = l->model->skeleton, .exact = true};
    clip.name = read_name(l);
    clip.loop = anim_archive_choice(r, ANIM_LOOP_PINGPONG, "a loop mode");
    clip.duration = anim_archive_f64(r);
    l->owners[i] = anim_archive_choice(r, i, "the clip whose keys are shared");
    if (r->code || check_unique(l, &l->clip_names, clip.name, "clips"))
        return r->code;
    if (!(clip.duration >= 0) || isinf(clip.duration))
        return anim_archive_fail(r, "clip '%s' lasts %g seconds", clip.name, clip.duration);
    if (l->owners[l->owners[i]] != l->owners[i])
        return anim_archive_fail(r, "clip '%s' shares keys with one that shares them itself",
                                 clip.name);
    if (l->owners[i] == i)
        read_keys(l, &clip);
    read_events(l, &clip);
    return r->code ? r->code : build_clip(l, i, &clip);
}

static anim_code read_clips(loader* l, uint32_t count)
{
    const anim_import_desc* desc = l->desc;
    l->model->clips = anim_arena_alloc(&l->model->arena, count, sizeof *l->model->clips);
    l->owners = scratch(l, count, sizeof *l->owners);
    if (!l->model->clips)
        fail_memory(l);
    for (uint32_t i = 0; i < count && !l->r.code; i++) {
        read_clip(l, i);
        if (!l->r.code && desc->progress &&
            !desc->progress(desc->user, (float)(i + 1) / (float)count))
            l->r.code = anim_fail(l->r.err, ANIM_ERR_IO, "cancelled");
    }
    return l->r.code;
}

// --- skins and morph targets ---------------------------------------------------------------------

static anim_code read_skin(loader* l)
{
    anim_archive_reader* r = &l->r;
    anim_skin_desc skin = {.name = anim_archive_text(r), .skeleton = l->model->skeleton};
    skin.joint_count = anim_archive_count(r, 2 + sizeof *skin.inverse_bind, "joints of a skin");
    skin.joints = anim_archive_array(r, skin.joint_count, sizeof *skin.joints, 2);
    skin.inverse_bind = anim_archive_array(r, skin.joint_count, sizeof *skin.inverse_bind, 4);
    if (r->code)
        return r->code;
    if (!anim_floats_are_finite((const float*)skin.inverse_bind, 12 * (size_t)skin.joint_count))
        return anim_archive_fail(r, "skin '%s': an inverse bind matrix is not finite", skin.name);
    anim_code code = anim_skin_create(&skin, &l->model->skins[l->model->skin_count], r->err);
    if (code)
        return build_failed(l, code, "a skin");
    l->model->skin_count++;
    return ANIM_OK;
}

static const char* keep_text(loader* l, const char* text)
{
    const char* copy = anim_arena_copy_text(&l->model->arena, text, strlen(text));
    if (!copy)
        fail_memory(l);
    return copy;
}

static anim_code read_morph(loader* l, anim_morph* morph)
{
    anim_archive_reader* r = &l->r;
    anim_arena* arena = &l->model->arena;
    morph->name = keep_text(l, read_name(l));
    uint32_t count = anim_archive_count(r, 14, "morph targets");
    const float* weights = anim_archive_array(r, count, sizeof *weights, 4);
    if (r->code || check_unique(l, &l->morph_names, morph->name, "meshes"))
        return r->code;
    if (!anim_floats_are_finite(weights, count))
        return anim_archive_fail(r, "mesh '%s': a weight is not finite", morph->name);
    const char** texts = anim_arena_alloc(arena, count, 2 * sizeof *texts);
    float* copy = anim_arena_alloc(arena, count, sizeof *copy);
    if (!texts || !copy)
        return fail_memory(l);
    memcpy(copy, weights, count * sizeof *copy);
    for (uint32_t i = 0; i < count && !r->code; i++) {
        texts[i] = keep_text(l, read_name(l));
        texts[count + i] = keep_text(l, read_name(l));
    }
    morph->target_count = count;
    morph->targets = texts;
    morph->curves = texts + count;
    morph->weights = copy;
    return r->code;
}

static anim_code read_rest(loader* l, uint32_t skin_count, uint32_t morph_count)
{
    anim_model* model = l->model;
    model->skins = anim_arena_alloc(&model->arena, skin_count, sizeof *model->skins);
    anim_morph* morphs = anim_arena_alloc(&model->arena, morph_count, sizeof *morphs);
    if (!model->skins || !morphs)
        return fail_memory(l);
    for (uint32_t i = 0; i < skin_count && !l->r.code; i++)
        read_skin(l);
    for (uint32_t i = 0; i < morph_count && !l->r.code; i++)
        read_morph(l, &morphs[i]);
    model->morphs = morphs;
    model->morph_count = morph_count;
    return l->r.code;
}

// --- file ----------------------------------------------------------------------------------------

static anim_code check_header(loader* l)
{
    anim_archive_reader* r = &l->r;
    const anim_archive_header* header = anim_archive_array(r, 1, sizeof *header, 8);
    size_t size = (size_t)(r->end - r->start);
    if (!header)
        return r->code;
    r->at = r->start;
    if (memcmp(header->magic, "ANIM", 4) != 0)
        return anim_archive_fail(r, "no .anim file; expected it to start with 'ANIM'");
    l->version = header->version;
    if (l->version < ANIM_ARCHIVE_UNPACKED || l->version > ANIM_ARCHIVE_VERSION)
        return r->code = anim_fail(r->err, ANIM_ERR_UNSUPPORTED,
                                   ".anim version %u; this library reads versions 1 to %d",
                                   header->version, ANIM_ARCHIVE_VERSION);
    if (header->size != size)
        return anim_archive_fail(r, "the header says %llu bytes, the file has %zu",
                                 (unsigned long long)header->size, size);
    if (header->hash != anim_archive_hash(header, size))
        return anim_archive_fail(r, "the contents were changed: the checksum differs");
    r->at = r->start + sizeof *header;
    return ANIM_OK;
}

static anim_code load(loader* l)
{
    anim_archive_reader* r = &l->r;
    if ((uintptr_t)l->desc->bytes % 8 != 0) {
        unsigned char* aligned = scratch(l, l->desc->size, 1);
        if (!aligned)
            return r->code;
        memcpy(aligned, l->desc->bytes, l->desc->size);
        r->start = aligned;
    }
    r->at = r->start;
    r->end = l->desc->size ? r->start + l->desc->size : r->start;
    if (check_header(l))
        return r->code;
    uint32_t joints = anim_archive_count(r, 47, "joints");
    uint32_t clips = anim_archive_count(r, 24, "clips");
    uint32_t skins = anim_archive_count(r, 9, "skins");
    uint32_t morphs = anim_archive_count(r, 9, "meshes");
    if (r->code || read_skeleton(l, joints) || read_clips(l, clips) || read_rest(l, skins, morphs))
        return r->code;
    if (r->at != r->end)
        return anim_archive_fail(r, "%zu bytes too many", (size_t)(r->end - r->at));
    return ANIM_OK;
}

anim_code anim_import_archive(const anim_import_desc* desc, anim_model* model, anim_error* err)
{
    loader l = {.desc = desc, .model = model};
    l.r = (anim_archive_reader){.start = desc->bytes, .err = err};
    l.arena.limit = anim_import_limit(desc);
    anim_code code = load(&l);
    anim_arena_free(&l.arena);
    return code;
}
