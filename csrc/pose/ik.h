// SPDX-License-Identifier: MIT
// What the solvers (pose/ik_*.h) share. They work on local poses, with targets in model space, and make
// only the transforms that they need. A solver computes in the space of the parent of its first joint:
// what stands above may be scaled unevenly or mirrored, since the target comes into that space exactly.
// All are finite for every finite input, the same on every machine, and allocate nothing.
#pragma once

#include "math/dvec.h"
#include "pose/pose.h"

// Model-space matrix of a joint and the way back.
typedef struct anim_ik_space {
    double to_model[3][4];
    double from_model[3][4];
} anim_ik_space;

// Of `joint` (-1: model space itself) as the pose stands. False where it can't be inverted (a scale of
// zero above): nothing below can reach anything then. Products are bounded like those of poses.
bool anim_ik_space_of(const anim_skeleton* skeleton, const anim_pose_group* pose, int32_t joint,
                      anim_ik_space* out);

anim_dvec anim_ik_point(const double matrix[3][4], anim_dvec point); // matrix * point
anim_dvec anim_ik_direction(const double matrix[3][4],
                            anim_dvec direction); // without the translation

// Turns `joint` toward the local rotation q, the shorter way, by weight 0 to 1. At 0 every bit stays, at 1
// it is q.
void anim_ik_turn(anim_pose_group* pose, uint32_t joint, anim_dquat q, double weight);

// Local transform of a joint in double.
typedef struct anim_ik_local {
    anim_dvec t, s;
    anim_dquat q;
} anim_ik_local;

anim_ik_local anim_ik_local_of(const anim_pose_group* pose, uint32_t joint);
// A point in the joint's space, in its parent's.
anim_dvec anim_ik_local_point(const anim_ik_local* local, anim_dvec point);
