// SPDX-License-Identifier: MIT
// Packed tracks back to keys: a linear one a frame, or one alone.
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack_format.h"

#include <string.h>

typedef struct unpacking {
    anim_draft* draft;
    const anim_keys* keys;
    const struct anim_pack* pack;
    uint32_t first; // of the new tracks in the draft
} unpacking;

static void copy_value(const anim_skeleton* skeleton, const anim_pose_group* pose,
                       const anim_track_desc* track, uint32_t frame)
{
    anim_xform x;
    anim_pose_get(skeleton, pose, track->joint, &x);
    uint32_t width = anim_channel_width(track->channel);
    const float* from = track->channel == ANIM_CHANNEL_TRANSLATION ? x.t
                        : track->channel == ANIM_CHANNEL_ROTATION  ? x.q
                                                                   : x.s;
    if (frame < track->times.count)
        memcpy((float*)(void*)(uintptr_t)track->values + (size_t)frame * width, from,
               width * sizeof *from);
}

static bool add_track(unpacking* u, uint32_t joint, uint32_t channel)
{
    anim_draft* d = u->draft;
    uint32_t kind = anim_pack_class(u->pack, channel, joint);
    uint32_t count = kind == ANIM_PACK_MOVING ? u->pack->head.frames : 1;
    if (kind == ANIM_PACK_UNKEYED)
        return true;
    float* values = anim_arena_alloc(&d->arena, count,
                                     anim_channel_width((anim_channel)channel) * sizeof *values);
    const anim_pack_header* head = &u->pack->head;
    d->tracks[d->desc.track_count++] = (anim_track_desc){joint,
                                                         (anim_channel)channel,
                                                         ANIM_INTERP_LINEAR,
                                                         {count, NULL, head->start, head->step},
                                                         values};
    return values != NULL;
}

static bool add_tracks(unpacking* u)
{
    anim_draft* d = u->draft;
    uint32_t joints = u->keys->skeleton->joint_count;
    anim_track_desc* tracks = anim_arena_alloc(&d->arena, 3 * (size_t)joints, sizeof *tracks);
    if (!tracks)
        return false;
    if (d->desc.track_count > 0)
        memcpy(tracks, d->tracks, d->desc.track_count * sizeof *tracks);
    d->tracks = tracks;
    d->desc.tracks = tracks;
    u->first = d->desc.track_count;
    for (uint32_t channel = 0; channel < 3; channel++)
        for (uint32_t j = 0; j < joints; j++)
            if (!add_track(u, j, channel))
                return false;
    return true;
}

static bool fill_tracks(unpacking* u)
{
    anim_draft* d = u->draft;
    const anim_pack_header* head = &u->pack->head;
    anim_pose_group* pose = anim_arena_alloc(&d->arena, u->keys->skeleton->group_count,
                                             sizeof *pose);
    for (uint32_t f = 0; f < head->frames && pose; f++) {
        anim_clip_sample(d->clip, head->start + head->step * f, pose);
        for (uint32_t i = u->first; i < d->desc.track_count; i++)
            copy_value(u->keys->skeleton, pose, &d->tracks[i], f);
    }
    return pose != NULL;
}

anim_code anim_clip_unpack(const anim_clip* clip, anim_clip** out, anim_error* err)
{
    *out = NULL;
    if (!clip->keys->pack) {
        *out = anim_clip_retain((anim_clip*)(uintptr_t)clip);
        return ANIM_OK;
    }
    anim_draft d;
    bool whole = anim_draft_init(&d, clip);
    unpacking u = {.draft = &d, .keys = clip->keys, .pack = clip->keys->pack};
    whole = whole && add_tracks(&u) && fill_tracks(&u);
    return anim_draft_finish(&d, whole, out, err);
}
