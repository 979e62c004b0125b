// SPDX-License-Identifier: MIT
#include "pose/clip_edit.h"
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack.h"

#include <string.h>

// What remains of a time table between two cuts.
typedef struct cut {
    anim_times_desc times;
    uint32_t first, count; // keys of the old table that stay
    bool at_start, at_end; // a key is made at the cut
} cut;

static cut cut_table(const anim_times_desc* times, double t0, double t1)
{
    uint32_t last = times->count - 1;
    cut c = {.first = 0};
    while (c.first <= last && anim_times_desc_at(times, c.first) < t0)
        c.first++;
    uint32_t end = c.first;
    while (end <= last && anim_times_desc_at(times, end) <= t1)
        end++;
    c.count = end - c.first;
    c.at_start = c.first > 0 && c.first <= last && anim_times_desc_at(times, c.first) > t0;
    c.at_end = end > 0 && end <= last && (c.count == 0 || anim_times_desc_at(times, end - 1) < t1);
    if (c.first > last) { // all keys lie before: the last one holds
        c.first = last;
        c.count = 1;
    } else if (end == 0) { // all keys lie after: the first one holds
        c.count = 1;
    }
    return c;
}

static bool cut_times(anim_arena* arena, const anim_times_desc* times, double t0, double t1, cut* c)
{
    c->times = (anim_times_desc){.count = c->count + c->at_start + c->at_end};
    if (!times->at && !c->at_start && !c->at_end) {
        double start = anim_times_desc_at(times, c->first) - t0;
        c->times.start = start > 0 ? start : 0;
        c->times.step = times->step;
        return true;
    }
    float* at = anim_arena_alloc(arena, c->times.count, sizeof *at);
    if (!at)
        return false;
    uint32_t to = 0;
    if (c->at_start)
        at[to++] = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        double time = anim_times_desc_at(times, c->first + i) - t0;
        at[to++] = time < 0 ? 0 : anim_time_to_key(time > t1 - t0 ? t1 - t0 : time);
    }
    if (c->at_end)
        at[to++] = anim_time_to_key(t1 - t0);
    c->times.at = at;
    return true;
}

// A key (with tangents, where the track has them) at any time within the track. A cubic rotation is
// made on the side of the key that stays beside it, the later one or the earlier.
static void make_key(const anim_times* times, anim_interp interp, uint32_t width,
                     const float* values, double time, bool beside_later, float* out)
{
    anim_place place = anim_times_find(times, time);
    uint32_t stride = anim_key_stride(interp, width);
    const float *from = values + (size_t)place.key * stride, *to = from + stride;
    if (interp == ANIM_INTERP_STEP || times->count == 1) {
        memcpy(out, place.u < 1 ? from : to, stride * sizeof *out);
    } else if (interp == ANIM_INTERP_CUBIC) {
        float sign = anim_segment_sign(from + width, to + width, width);
        anim_hermite(from, to, width, place, sign, out + width);
        anim_hermite_slope(from, to, width, place, sign, out);
        for (uint32_t i = 0; i < 2 * width && beside_later; i++)
            out[i] *= sign;
        memcpy(out + 2 * width, out, width * sizeof *out);
    } else if (width == 4) {
        anim_quat_slerp(from, to, place.u, out);
    } else {
        for (uint32_t i = 0; i < width; i++)
            out[i] = from[i] * (1 - place.u) + to[i] * place.u;
    }
}

static const float* cut_values(anim_arena* arena, const anim_times* times, const cut* c,
                               anim_interp interp, uint32_t width, const float* values, double t0,
                               double t1)
{
    uint32_t stride = anim_key_stride(interp, width);
    float* out = anim_arena_alloc(arena, (size_t)c->times.count * stride, sizeof *out);
    if (!out)
        return NULL;
    float* to = out;
    if (c->at_start) {
        make_key(times, interp, width, values, t0, c->count > 0, to);
        to += stride;
    }
    memcpy(to, values + (size_t)c->first * stride, (size_t)c->count * stride * sizeof *to);
    if (c->at_end)
        make_key(times, interp, width, values, t1, false, to + (size_t)c->count * stride);
    return out;
}

static bool slice_property(anim_draft* d, const anim_times* times, const cut* c,
                           anim_property_desc* property, double t0, double t1)
{
    anim_value* out = anim_arena_alloc(&d->arena, c->times.count, sizeof *out);
    if (!out)
        return false;
    const anim_value* from = property->values;
    uint32_t to = 0;
    if (c->at_start)
        out[to++] = from[anim_times_find(times, t0).key];
    for (uint32_t i = 0; i < c->count; i++)
        out[to++] = from[c->first + i];
    if (c->at_end)
        out[to] = from[anim_times_find(times, t1).key];
    property->values = out;
    property->times = c->times;
    return true;
}

static bool slice_tracks(anim_draft* d, const cut* cuts, double t0, double t1)
{
    const anim_keys* keys = d->clip->keys;
    bool whole = true;
    for (uint32_t i = 0; i < keys->track_count && whole; i++) {
        anim_track_desc* track = &d->tracks[i];
        const cut* c = &cuts[keys->tracks[i].times];
        track->values = cut_values(&d->arena, &keys->times[keys->tracks[i].times], c, track->interp,
                                   anim_channel_width(track->channel), track->values, t0, t1);
        track->times = c->times;
        whole = track->values != NULL;
    }
    for (uint32_t i = 0; i < keys->curve_count && whole; i++) {
        const cut* c = &cuts[keys->curves[i].times];
        d->curves[i].values = cut_values(&d->arena, &keys->times[keys->curves[i].times], c,
                                         d->curves[i].interp, 1, d->curves[i].values, t0, t1);
        d->curves[i].times = c->times;
        whole = d->curves[i].values != NULL;
    }
    for (uint32_t i = 0; i < keys->property_count && whole; i++)
        whole = slice_property(d, &keys->times[keys->properties[i].times],
                               &cuts[keys->properties[i].times], &d->properties[i], t0, t1);
    return whole;
}

static void slice_events(anim_draft* d, double t0, double t1)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->desc.event_count; i++) {
        anim_event_desc e = d->events[i];
        double end = e.duration >= 0 ? e.time + e.duration : e.time;
        if (e.time > t1 || end < t0)
            continue;
        e.time = e.time > t0 ? e.time - t0 : 0;
        if (e.duration >= 0)
            e.duration = (end < t1 ? end : t1) - t0 - e.time;
        d->events[kept++] = e;
    }
    d->desc.event_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < d->desc.marker_count; i++) {
        if (d->markers[i].time < t0 || d->markers[i].time > t1)
            continue;
        d->markers[kept] = d->markers[i];
        d->markers[kept++].time -= t0;
    }
    d->desc.marker_count = kept;
}

// Root motion from the cut on: M(t0)^-1 M(t0 + t).
typedef struct motion_cut {
    const anim_motion* motion;
    double t0;
} motion_cut;

static void motion_after(const void* user, double time, anim_rigid* out)
{
    const motion_cut* c = user;
    anim_rigid start, now, inverse;
    anim_motion_at(c->motion, c->t0, &start);
    anim_motion_at(c->motion, c->t0 + time, &now);
    anim_rigid_inverse(&start, &inverse);
    anim_rigid_mul(&inverse, &now, out);
}

static bool slice_motion(anim_draft* d, double t0, double t1)
{
    const anim_motion* motion = d->clip->keys->motion;
    if (!motion)
        return true;
    anim_times_desc times = {motion->times.count, motion->times.at, 0, 0};
    cut c = cut_table(&times, t0, t1);
    motion_cut from = {motion, t0};
    return cut_times(&d->arena, &times, t0, t1, &c) &&
           anim_draft_set_motion(d, motion->joint, c.times.at, c.times.count, motion_after, &from);
}

static anim_code slice(const anim_clip* clip, double t0, double t1, anim_clip** out,
                       anim_error* err)
{
    if (!(t0 >= 0 && t0 < t1 && t1 <= clip->duration))
        return anim_fail(err, ANIM_ERR_ARGUMENT,
                         "slice from %g to %g: 0 <= from < to <= %g expected", t0, t1,
                         clip->duration);
    anim_draft d;
    bool whole = anim_draft_init(&d, clip);
    const anim_keys* keys = clip->keys;
    cut* cuts = anim_arena_alloc(&d.arena, keys->times_count, sizeof *cuts);
    whole = whole && cuts;
    for (uint32_t i = 0; i < keys->times_count && whole; i++) {
        anim_times_desc times = anim_times_describe(keys, i);
        cuts[i] = cut_table(&times, t0, t1);
        whole = cut_times(&d.arena, &times, t0, t1, &cuts[i]);
    }
    if (whole && slice_tracks(&d, cuts, t0, t1) && slice_motion(&d, t0, t1))
        slice_events(&d, t0, t1);
    else
        whole = false;
    d.desc.duration = t1 - t0;
    return anim_draft_finish(&d, whole, out, err);
}

anim_code anim_clip_slice(const anim_clip* clip, double t0, double t1, anim_clip** out,
                          anim_error* err)
{
    *out = NULL;
    anim_clip* keyed;
    anim_code code = anim_clip_unpack(clip, &keyed, err);
    if (!code)
        code = slice(keyed, t0, t1, out, err);
    anim_clip_release(keyed);
    return code;
}
