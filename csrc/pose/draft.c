// SPDX-License-Identifier: MIT
#include "pose/draft.h"

#include "pose/keys.h"

#include <string.h>

anim_times_desc anim_times_describe(const anim_keys* keys, uint32_t table)
{
    const anim_times* t = &keys->times[table];
    return (anim_times_desc){t->count, t->at, t->start, t->step};
}

static bool make_lists(anim_draft* d)
{
    const anim_keys* keys = d->clip->keys;
    anim_arena* arena = &d->arena;
    d->tracks = anim_arena_alloc(arena, keys->track_count, sizeof *d->tracks);
    d->curves = anim_arena_alloc(arena, keys->curve_count, sizeof *d->curves);
    d->properties = anim_arena_alloc(arena, keys->property_count, sizeof *d->properties);
    d->events = anim_clip_describe_events(d->clip, arena);
    d->markers = anim_clip_describe_markers(d->clip, arena);
    return d->tracks && d->curves && d->properties && d->events && d->markers;
}

bool anim_draft_init(anim_draft* d, const anim_clip* clip)
{
    const anim_keys* keys = clip->keys;
    *d = (anim_draft){.clip = clip};
    if (!make_lists(d))
        return false;
    for (uint32_t i = 0; i < keys->track_count; i++) {
        const anim_track* t = &keys->tracks[i];
        d->tracks[i] = (anim_track_desc){t->joint, (anim_channel)t->channel, (anim_interp)t->interp,
                                         anim_times_describe(keys, t->times), t->values};
    }
    for (uint32_t i = 0; i < keys->curve_count; i++)
        d->curves[i] = (anim_curve_desc){
            anim_names_get(&keys->curve_names, i), (anim_interp)keys->curves[i].interp,
            anim_times_describe(keys, keys->curves[i].times), keys->curves[i].values};
    for (uint32_t i = 0; i < keys->property_count; i++)
        d->properties[i] = (anim_property_desc){
            anim_names_get(&keys->property_names, i),
            anim_times_describe(keys, keys->properties[i].times), keys->properties[i].values};
    d->desc = (anim_clip_desc){
        .name = clip->name,
        .skeleton = keys->skeleton,
        .duration = clip->duration,
        .loop = clip->loop,
        .additive = keys->additive,
        .exact = true,
        .motion = keys->motion,
        .tracks = d->tracks,
        .curves = d->curves,
        .properties = d->properties,
        .events = d->events,
        .markers = d->markers,
        .track_count = keys->track_count,
        .curve_count = keys->curve_count,
        .property_count = keys->property_count,
        .event_count = clip->event_count,
        .marker_count = clip->marker_count,
    };
    return true;
}

anim_code anim_draft_finish(anim_draft* d, bool whole, anim_clip** out, anim_error* err)
{
    anim_code code = whole ? anim_clip_create(&d->desc, NULL, out, err)
                           : anim_fail_memory(err, "a clip");
    anim_arena_free(&d->arena);
    return code;
}

float* anim_draft_own_values(anim_draft* d, anim_track_desc* track)
{
    size_t stride = anim_key_stride(track->interp, anim_channel_width(track->channel));
    float* copy = anim_arena_alloc(&d->arena, track->times.count * stride, sizeof *copy);
    if (copy)
        memcpy(copy, track->values, track->times.count * stride * sizeof *copy);
    track->values = copy;
    return copy;
}

bool anim_draft_set_motion(anim_draft* d, uint32_t joint, const float* at, uint32_t count,
                           void (*made)(const void* user, double time, anim_rigid* out),
                           const void* user)
{
    anim_motion* motion = anim_arena_alloc(&d->arena, 1, sizeof *motion);
    anim_rigid* values = anim_arena_alloc(&d->arena, count, sizeof *values);
    if (!motion || !values)
        return false;
    for (uint32_t i = 0; i < count; i++)
        made(user, at[i], &values[i]);
    double step = count > 1 ? ((double)at[count - 1] - at[0]) / (count - 1) : 1;
    *motion = (anim_motion){joint, {count, at, at[0], step}, values};
    d->desc.motion = motion;
    return true;
}
