// SPDX-License-Identifier: MIT
// Stride warping: a walk takes longer or shorter steps, so that one clip fits a range of speeds.
#pragma once

#include "pose/ik_foot_leg.h"
#include "pose/ik_two_bone.h"

// What an ankle lies away from the pelvis along the direction of travel is multiplied by the factor.
typedef struct anim_stride {
    uint32_t pelvis; // the legs are below it
    const anim_ik_leg* legs;
    uint32_t leg_count; // at most ANIM_IK_LEGS
    float factor;       // >= 0: speed of the character / speed that the clip was made for
    float direction[3]; // of travel, model space, any length; 0 0 0: nothing changes
    float weight;       // 0 to 1: the factor is 1 + weight (factor - 1)
} anim_stride;

size_t anim_ik_stride_memory_size(const anim_stride* desc); // an anim_bend for each leg

// The pelvis is lowered by what the legs need to reach without being straighter than they are in the
// animation or 98 % of their length, at most by 30 % of it (a leg that needs more is stretched out), and
// never raised. Legs by two bones, in the plane that they bend in; feet keep their rotation in model
// space. At a factor of 1 every bit of the pose stays. Returns the largest distance of an ankle from its
// place that is left. The memories may be NULL, or the same.
float anim_ik_stride(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_stride* desc,
                     const anim_bend* before, anim_bend* after);
