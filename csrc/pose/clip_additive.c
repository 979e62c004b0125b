// SPDX-License-Identifier: MIT
// Clips to deltas (semantics 4): rotation qref^-1 q, translation T - Tref, scale S / Sref. All of them
// are linear in the keys, so keys stay keys.
#include "math/glm.h"
#include "pose/clip_edit.h"
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack.h"

// A scale of zero (or as good as) has no ratio: its delta is 1, whatever the clip does.
static void scale_delta(float* value, const float reference[3], bool is_value)
{
    const float least = 1e-12f;
    for (int i = 0; i < 3; i++)
        value[i] = fabsf(reference[i]) > least ? value[i] / reference[i] : is_value ? 1.0f : 0.0f;
}

static void to_delta(anim_channel channel, const anim_xform* reference, float* value, bool is_value)
{
    if (channel == ANIM_CHANNEL_ROTATION) {
        versor q, inverse;
        memcpy(q, reference->q, sizeof q);
        glm_quat_conjugate(q, inverse);
        memcpy(q, value, sizeof q);
        glm_quat_mul(inverse, q, value);
    } else if (channel == ANIM_CHANNEL_SCALE) {
        scale_delta(value, reference->s, is_value);
    } else if (is_value) {
        for (int i = 0; i < 3; i++)
            value[i] -= reference->t[i];
    }
}

static bool track_to_delta(anim_draft* d, anim_track_desc* track, const anim_pose_group* reference)
{
    anim_xform ref;
    anim_pose_get(d->clip->keys->skeleton, reference, track->joint, &ref);
    uint32_t width = anim_channel_width(track->channel);
    uint32_t parts = anim_key_stride(track->interp, 1);
    float* values = anim_draft_own_values(d, track);
    if (!values)
        return false;
    for (size_t i = 0; i < (size_t)track->times.count * parts; i++, values += width)
        to_delta(track->channel, &ref, values, parts == 1 || i % 3 == 1);
    return true;
}

anim_code anim_clip_to_additive(const anim_clip* clip, const anim_pose_group* reference,
                                anim_clip** out, anim_error* err)
{
    *out = NULL;
    if (clip->keys->additive)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "clip '%s' is additive already", clip->name);
    anim_clip* keyed;
    anim_code code = anim_clip_unpack(clip, &keyed, err);
    if (code)
        return code;
    anim_draft d;
    bool whole = anim_draft_init(&d, keyed);
    for (uint32_t i = 0; i < d.desc.track_count && whole; i++)
        whole = track_to_delta(&d, &d.tracks[i], reference);
    d.desc.additive = true;
    d.desc.motion = NULL; // deltas move nobody
    code = anim_draft_finish(&d, whole, out, err);
    anim_clip_release(keyed);
    return code;
}
