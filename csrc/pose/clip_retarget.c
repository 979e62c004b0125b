// SPDX-License-Identifier: MIT
#include "pose/clip_edit.h"
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack.h"

#include <math.h>

static float length(const float t[3])
{
    return sqrtf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
}

// How much longer the bone to this joint is on the target; 1 for roots and bones without length.
static float bone_ratio(const anim_skeleton* from, uint32_t joint, const anim_skeleton* to,
                        uint32_t target)
{
    if (from->parents[joint] < 0 || to->parents[target] < 0)
        return 1;
    float old = length(from->rest_xforms[joint].t);
    return old > 1e-6f ? length(to->rest_xforms[target].t) / old : 1;
}

static bool scale_track(anim_draft* d, anim_track_desc* track, float ratio)
{
    float* values = anim_draft_own_values(d, track);
    size_t count = (size_t)track->times.count * anim_key_stride(track->interp, 3);
    for (size_t i = 0; i < count && values; i++)
        values[i] *= ratio;
    return values != NULL;
}

static bool map_tracks(anim_draft* d, const anim_skeleton* target, const int32_t* map)
{
    uint32_t kept = 0;
    bool whole = true;
    for (uint32_t i = 0; i < d->desc.track_count && whole; i++) {
        anim_track_desc track = d->tracks[i];
        int32_t to = map[track.joint];
        if (to < 0)
            continue;
        float ratio = bone_ratio(d->desc.skeleton, track.joint, target, (uint32_t)to);
        if (track.channel == ANIM_CHANNEL_TRANSLATION && ratio != 1)
            whole = scale_track(d, &track, ratio);
        track.joint = (uint32_t)to;
        d->tracks[kept++] = track;
    }
    d->desc.track_count = kept;
    return whole;
}

static void same_motion(const void* user, double time, anim_rigid* out)
{
    anim_motion_at(user, time, out);
}

// Root motion goes with its joint, as roots do: unscaled.
static bool map_motion(anim_draft* d, const int32_t* map)
{
    const anim_motion* motion = d->clip->keys->motion;
    d->desc.motion = NULL;
    if (!motion || map[motion->joint] < 0)
        return true;
    return anim_draft_set_motion(d, (uint32_t)map[motion->joint], motion->times.at,
                                 motion->times.count, same_motion, motion);
}

anim_code anim_clip_retarget(const anim_clip* clip, anim_skeleton* target, const int32_t* map,
                             anim_clip** out, anim_error* err)
{
    *out = NULL;
    const anim_skeleton* from = clip->keys->skeleton;
    for (uint32_t j = 0; j < from->joint_count; j++)
        if (map[j] >= (int32_t)target->joint_count)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "retarget: '%s' has no joint to go to",
                             anim_skeleton_name(from, j));
    anim_clip* keyed;
    anim_code code = anim_clip_unpack(clip, &keyed, err);
    if (code)
        return code;
    anim_draft d;
    bool whole = anim_draft_init(&d, keyed) && map_tracks(&d, target, map) && map_motion(&d, map);
    d.desc.skeleton = target;
    code = anim_draft_finish(&d, whole, out, err);
    anim_clip_release(keyed);
    return code;
}
