// SPDX-License-Identifier: MIT
// A pose: the local transform of every joint, eight joints to a group.
#pragma once

#include "math/xform.h"
#include "pose/skeleton.h"

// Where a joint lies says its skeleton (`slots`). Lanes without a joint hold the identity.
typedef struct anim_pose_group {
    float t[3][ANIM_LANES];
    float q[4][ANIM_LANES];
    float s[3][ANIM_LANES];
} anim_pose_group;

extern const anim_pose_group anim_pose_identity; // eight joints of it

typedef enum anim_channel {
    ANIM_CHANNEL_TRANSLATION,
    ANIM_CHANNEL_ROTATION,
    ANIM_CHANNEL_SCALE
} anim_channel;

// One lane: number slot % 8 of group slot / 8.
void anim_lane_get(const anim_pose_group* groups, uint32_t slot, anim_xform* out);
void anim_lane_set(anim_pose_group* groups, uint32_t slot, const anim_xform* x);

static inline void anim_pose_get(const anim_skeleton* skeleton, const anim_pose_group* groups,
                                 uint32_t joint, anim_xform* out)
{
    anim_lane_get(groups, skeleton->slots[joint], out);
}

static inline void anim_pose_set(const anim_skeleton* skeleton, anim_pose_group* groups,
                                 uint32_t joint, const anim_xform* x)
{
    anim_lane_set(groups, skeleton->slots[joint], x);
}

// All joints at rest / all joints at the identity (what a delta pose starts from).
void anim_pose_to_rest(const anim_skeleton* skeleton, anim_pose_group* out);
void anim_pose_to_identity(const anim_skeleton* skeleton, anim_pose_group* out);

// Override layer (semantics 4): out = lerp(out, layer, weight * mask) for translation and scale,
// nlerp the shorter way for rotation. Where weight * mask is 0 every bit of `out` stays. `mask` is
// one float a lane, or NULL for 1 everywhere. weight 0 to 1.
void anim_pose_blend(const anim_skeleton* skeleton, anim_pose_group* out,
                     const anim_pose_group* layer, float weight, const float* mask);

#define ANIM_CHANNELS_ALL 7u // all bits 1 << anim_channel

// The same for some channels (`bits`), and of them only where the layer keys something: `channels` has
// for each lane the bits that are keyed; NULL: all.
void anim_pose_blend_channels(const anim_skeleton* skeleton, anim_pose_group* out,
                              const anim_pose_group* layer, float weight, const float* mask,
                              const uint8_t* channels, uint32_t bits);

// The same, but rotations in model space: joints keep the model-space rotation they have in the layer's
// own pose, whatever their parents do below it. `scratch` has room for two quaternions a joint;
// `channels` may be NULL (all).
void anim_pose_blend_model(const anim_skeleton* skeleton, anim_pose_group* out,
                           const anim_pose_group* layer, float weight, const float* mask,
                           const uint8_t* channels, float (*scratch)[4]);

// Weighted sums (semantics 4) of poses whose weights sum to 1. begin: the first, which should be the
// heaviest; add: one more, each rotation turned to the hemisphere of the first one's; end: rotations
// normalised. Sum, `first` and `pose` are poses of the skeleton.
void anim_pose_sum_begin(const anim_skeleton* skeleton, anim_pose_group* sum,
                         const anim_pose_group* first, float weight);
void anim_pose_sum_add(const anim_skeleton* skeleton, anim_pose_group* sum,
                       const anim_pose_group* first, const anim_pose_group* pose, float weight);
void anim_pose_sum_end(const anim_skeleton* skeleton, anim_pose_group* sum);

// Additive layer (semantics 4): T += w dT; rotation * delta^w; S *= 1 - w + w dS, w = weight * mask,
// weight >= 0; above 1 the delta is applied floor(w) times, then in part. `delta` holds deltas.
void anim_pose_add(const anim_skeleton* skeleton, anim_pose_group* out,
                   const anim_pose_group* delta, float weight, const float* mask);

// What must be added to `reference` to give the pose, in its place: qref^-1 q, T - Tref, S / Sref. `channels` has for
// each lane the bits (1 << anim_channel) that count (NULL: all); the others become the identity.
void anim_pose_to_delta(const anim_skeleton* skeleton, anim_pose_group* pose,
                        const anim_pose_group* reference, const uint8_t* channels);

#define ANIM_MODEL_MOST 1e18f // no element of a model-space matrix is larger

// Model space (parent * local down the hierarchy), one matrix a joint, in joint order. Finite for every
// finite pose whose rotations are of unit length.
void anim_pose_to_model(const anim_skeleton* skeleton, const anim_pose_group* groups,
                        anim_mat34* out);

// Model-space matrix of one joint; walks up its parents only.
void anim_pose_joint_to_model(const anim_skeleton* skeleton, const anim_pose_group* groups,
                              uint32_t joint, anim_mat34* out);

// Sets the local transform of `joint` so that its model-space matrix becomes `target`. False where
// the parent can't be inverted; then nothing is changed. Shear is dropped.
bool anim_pose_joint_from_model(const anim_skeleton* skeleton, anim_pose_group* groups,
                                uint32_t joint, const anim_mat34* target);

// A pose that stands by itself. Not shared between threads while it is written.
typedef struct anim_pose {
    anim_skeleton* skeleton; // retained
    bool additive;           // holds deltas (a sampled additive clip), not transforms
    anim_pose_group* groups;
} anim_pose;

anim_pose* anim_pose_create(anim_skeleton* skeleton); // at rest; NULL: out of memory
void anim_pose_destroy(anim_pose* pose);
