// SPDX-License-Identifier: MIT
// A leg as it stands, in model space: what foot placement (pose/ik_foot.h) and stride warping
// (pose/ik_stride.h) start from.
#pragma once

#include "pose/ik.h"

enum { ANIM_IK_LEGS = 16 }; // most of one character

typedef struct anim_ik_leg {
    uint32_t root, mid, tip; // hip, knee, ankle: each below the one before
} anim_ik_leg;

typedef struct anim_ik_limb {
    int32_t parent;     // of the hip
    double above[3][4]; // model-space matrix of that
    anim_dvec root, mid, tip;
    double length; // of both bones together
} anim_ik_limb;

// False where the space above the leg can't be inverted. `like`: another leg of the same pose, whose
// space serves where the parent is the same; may be NULL.
bool anim_ik_limb_of(const anim_skeleton* skeleton, const anim_pose_group* pose,
                     const anim_ik_leg* leg, const anim_ik_limb* like, anim_ik_limb* out);

// Model space: a point in the space of a joint at the hip or below it, and the matrix of such a joint or
// the hip's parent, in a pose whose space above the hip is that of the limb.
anim_dvec anim_ik_limb_point(const anim_skeleton* skeleton, const anim_pose_group* pose,
                             const anim_ik_limb* limb, uint32_t joint, anim_dvec point);
void anim_ik_limb_matrix(const anim_skeleton* skeleton, const anim_pose_group* pose,
                         const anim_ik_limb* limb, int32_t joint, double out[3][4]);

// How far the hip may stand above its place (below 0: must stand below) for the ankle to come to `target`
// with the leg no longer than `most`; to the height of the target where that is too far to the side.
double anim_ik_limb_lift(const anim_ik_limb* limb, anim_dvec target, double most);

// Moves the joint by `height` along the model's +Y; false (and no change) where the space above it can't
// be inverted.
bool anim_ik_lift(const anim_skeleton* skeleton, anim_pose_group* pose, uint32_t joint,
                  double height);

void anim_ik_to_floats(anim_dvec v, float out[3]); // no larger than 1e30
