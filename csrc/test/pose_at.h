// SPDX-License-Identifier: MIT
#pragma once

#include "base/hash.h"
#include "pose/pose.h"

// A number of a joint in a pose: of t, q or s.
#define POSE_AT(skeleton, pose, part, axis, joint)                                                 \
    ((pose)[(skeleton)->slots[joint] / ANIM_LANES]                                                 \
         .part[axis][(skeleton)->slots[joint] % ANIM_LANES])

// Of the joints in their order, in groups of eight as a pose has them: however they lie in it.
static inline uint64_t hash_pose(uint64_t hash, const anim_skeleton* skeleton,
                                 const anim_pose_group* pose)
{
    const anim_xform identity = ANIM_XFORM_IDENTITY;
    for (uint32_t first = 0; first < skeleton->joint_count; first += ANIM_LANES) {
        anim_pose_group group;
        for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
            anim_xform x = identity;
            if (first + lane < skeleton->joint_count)
                anim_pose_get(skeleton, pose, first + lane, &x);
            anim_lane_set(&group, lane, &x);
        }
        hash = anim_hash(hash, &group, sizeof group);
    }
    return hash;
}
