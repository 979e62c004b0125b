// SPDX-License-Identifier: MIT
#include "pose/clip_edit.h"
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Times run backwards. A step key holds until the next one, so backwards its value starts where the
// next key was: the first key is then the old last one, at 0, if only for an instant.
static anim_times_desc reverse_times(anim_arena* arena, const anim_times_desc* times, bool step,
                                     double duration)
{
    uint32_t count = times->count;
    anim_times_desc out = {.count = count};
    if (!times->at && !step && count > 1) {
        double start = duration - anim_times_desc_at(times, count - 1);
        out.start = start > 0 ? start : 0;
        out.step = times->step;
        return out;
    }
    float* at = anim_arena_alloc(arena, count, sizeof *at);
    for (uint32_t i = 0; i < count && at; i++) {
        double time = duration - anim_times_desc_at(times, count - 1 - i);
        if (step)
            time = i == 0 ? 0 : duration - anim_times_desc_at(times, count - i);
        at[i] = time < 0 ? 0 : anim_time_to_key(time);
        if (step && i > 0 && at[i] <= at[i - 1])
            at[i] = nextafterf(at[i - 1], FLT_MAX);
    }
    out.at = at;
    return out;
}

static const float* reverse_values(anim_arena* arena, const float* values, uint32_t count,
                                   anim_interp interp, uint32_t width)
{
    uint32_t stride = anim_key_stride(interp, width);
    float* out = anim_arena_alloc(arena, (size_t)count * stride, sizeof *out);
    for (uint32_t i = 0; i < count && out; i++) {
        const float* from = values + (size_t)(count - 1 - i) * stride;
        float* to = out + (size_t)i * stride;
        memcpy(to, from, stride * sizeof *to);
        for (uint32_t k = 0; k < width && interp == ANIM_INTERP_CUBIC; k++) {
            to[k] = -from[2 * width + k];
            to[2 * width + k] = -from[k];
        }
    }
    return out;
}

static bool reverse_properties(anim_draft* d, double duration)
{
    for (uint32_t i = 0; i < d->desc.property_count; i++) {
        anim_property_desc* property = &d->properties[i];
        uint32_t count = property->times.count;
        anim_value* values = anim_arena_alloc(&d->arena, count, sizeof *values);
        if (!values)
            return false;
        for (uint32_t k = 0; k < count; k++)
            values[k] = property->values[count - 1 - k];
        property->values = values;
        property->times = reverse_times(&d->arena, &property->times, true, duration);
        if (!property->times.at)
            return false;
    }
    return true;
}

// One per table and kind of interpolation, so that tracks go on sharing.
typedef struct reversed {
    anim_times_desc step, smooth;
} reversed;

static bool reverse_tracks(anim_draft* d, const reversed* tables)
{
    const anim_keys* keys = d->clip->keys;
    for (uint32_t i = 0; i < keys->track_count; i++) {
        anim_track_desc* t = &d->tracks[i];
        const reversed* r = &tables[keys->tracks[i].times];
        t->values = reverse_values(&d->arena, t->values, t->times.count, t->interp,
                                   anim_channel_width(t->channel));
        t->times = t->interp == ANIM_INTERP_STEP ? r->step : r->smooth;
        if (!t->values)
            return false;
    }
    for (uint32_t i = 0; i < keys->curve_count; i++) {
        anim_curve_desc* c = &d->curves[i];
        const reversed* r = &tables[keys->curves[i].times];
        c->values = reverse_values(&d->arena, c->values, c->times.count, c->interp, 1);
        c->times = c->interp == ANIM_INTERP_STEP ? r->step : r->smooth;
        if (!c->values)
            return false;
    }
    return true;
}

static void reverse_events(anim_draft* d, double duration)
{
    for (uint32_t i = 0; i < d->desc.event_count; i++) {
        anim_event_desc* e = &d->events[i];
        double end = e->duration > 0 ? e->time + e->duration : e->time;
        e->time = end < duration ? duration - end : 0;
    }
    for (uint32_t i = 0; i < d->desc.marker_count; i++)
        d->markers[i].time = duration - d->markers[i].time;
}

// Root motion backwards: M(D)^-1 M(D - t).
static void motion_back(const void* user, double time, anim_rigid* out)
{
    const anim_clip* clip = user;
    anim_rigid end, now, inverse;
    anim_motion_at(clip->keys->motion, clip->duration, &end);
    anim_motion_at(clip->keys->motion, clip->duration - time, &now);
    anim_rigid_inverse(&end, &inverse);
    anim_rigid_mul(&inverse, &now, out);
}

static bool reverse_motion(anim_draft* d)
{
    const anim_motion* motion = d->clip->keys->motion;
    if (!motion)
        return true;
    anim_times_desc times = {motion->times.count, motion->times.at, 0, 0};
    times = reverse_times(&d->arena, &times, false, d->clip->duration);
    return times.at &&
           anim_draft_set_motion(d, motion->joint, times.at, times.count, motion_back, d->clip);
}

static anim_code reverse(const anim_clip* clip, anim_clip** out, anim_error* err)
{
    anim_draft d;
    const anim_keys* keys = clip->keys;
    bool whole = anim_draft_init(&d, clip);
    reversed* tables = anim_arena_alloc(&d.arena, keys->times_count, sizeof *tables);
    whole = whole && tables;
    for (uint32_t i = 0; i < keys->times_count && whole; i++) {
        anim_times_desc times = anim_times_describe(keys, i);
        tables[i].step = reverse_times(&d.arena, &times, true, clip->duration);
        tables[i].smooth = reverse_times(&d.arena, &times, false, clip->duration);
        whole = tables[i].step.at && (tables[i].smooth.at || !times.at);
    }
    whole = whole && reverse_tracks(&d, tables) && reverse_properties(&d, clip->duration) &&
            reverse_motion(&d);
    if (whole)
        reverse_events(&d, clip->duration);
    return anim_draft_finish(&d, whole, out, err);
}

static anim_code reverse_keyed(const anim_clip* clip, anim_clip** out, anim_error* err)
{
    if (clip->keys->last_key <= clip->duration || clip->duration <= 0)
        return reverse(clip, out, err);
    anim_clip* within = NULL; // keys past the end would start before 0
    anim_code code = anim_clip_slice(clip, 0, clip->duration, &within, err);
    if (!code)
        code = reverse(within, out, err);
    anim_clip_release(within);
    return code;
}

anim_code anim_clip_reverse(const anim_clip* clip, anim_clip** out, anim_error* err)
{
    *out = NULL;
    anim_clip* keyed;
    anim_code code = anim_clip_unpack(clip, &keyed, err);
    if (!code)
        code = reverse_keyed(keyed, out, err);
    anim_clip_release(keyed);
    return code;
}
