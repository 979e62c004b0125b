// SPDX-License-Identifier: MIT
// Aim: an axis of a joint is turned toward a target; the joints above it may share the turn.
#pragma once

#include "pose/ik.h"

typedef struct anim_aim_joint {
    uint32_t joint;
    float share; // of the turn, 0 or more; only how it compares with the others counts
} anim_aim_joint;

typedef struct anim_aim {
    const anim_aim_joint* joints; // each below the one before, directly or not; the last one aims
    uint32_t joint_count;         // 1 or more
    float axis[3];                // what points at the target, in the last joint's space
    float up[3]; // in the last joint's space; points toward the pole as far as it can
    bool has_up;
    float offset[3]; // where the axis starts, in the last joint's space
    float target[3]; // model space
    float pole[3];   // a point in model space; without it `up` points toward +Y
    bool has_pole;
    float weight; // 0 to 1
    float limit;  // radians that the axis may turn away from where it is animated; below 0: any
    float rate;   // radians a second that the correction may change; below 0: any
} anim_aim;

// What is remembered of the last solution, in the space of the first joint's parent; all zero: nothing.
typedef struct anim_aim_memory {
    double turn[4];    // the correction: what the last joint was turned by
    float axis[3];     // that the first joint turned about, of any length
    float axis_spread; // 0 to 1: how far the target was from straight behind
    float up[3];       // where `up` pointed, square to the line to the target; unit
    float up_spread;   // 0 to 1: how far the pole was from that line
} anim_aim_memory;

// Turns the joints, by `weight`; nothing else changes. One after the other, each makes share / (sum of its
// share and those after it) of the turn that would then bring the axis onto the target, so that the last one
// closes what is left. That turn is the least one about the joint that brings the line of the axis through
// the target, then one about the line from joint to target that brings `up` into the half plane of the pole.
//
// - `limit`: the turn ends on the cone about the animated axis where it would leave it. It is meant for the
//   pose as it comes in, without scale between the joints.
// - `rate`: the correction of this frame differs from the last by rate * dt at most, at first from none. With a
//   limit below half a turn it goes through the cone, never round behind. Needs `before`. Where both can't be
//   kept, since the animated axis itself moved, the limit is.
// - Straight behind there is no least turn. With a limit the side stays that it was while the target is within
//   2.5 degrees of straight behind, then it is the target's: on the way round behind it changes once, at once
//   but for the rate. Without a limit the axis follows and only the roll is at stake, which is kept and handed
//   over within 5 degrees (anim_ik_hand_over). Without a memory exactly behind is reached by a turn about `up`.
// - Where the pole is in line with the target (within 5 degrees) the roll is kept and handed over likewise.
// - A target nearer to the joint than the axis passes by it: the axis passes as near as it can. On the joint:
//   the last correction stays, without a memory the animated pose. An axis of no length does nothing.
// - Scale above and at the joints may be uneven or mirrored: each turns in its parent's space, where it is a
//   plain turn; shares are parts of those. A scale of zero between them: those below stay.
// - Jumps are left where they must be: behind, without a limit too in those above the last; on the joint.
//
// `before` may be NULL (no memory, no rate), so may `after`; both may be the same. dt >= 0, seconds.
// Returns how far the target is from the ray of the axis; behind its start: from the start. Model space.
float anim_ik_aim(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_aim* desc,
                  const anim_aim_memory* before, anim_aim_memory* after, double dt);

// False for bytes (sizeof(anim_aim_memory)) that no solution can have left.
bool anim_aim_memory_is_fine(const void* memory);
