// SPDX-License-Identifier: MIT
// Orientation warping: the lower body is turned to the direction of travel, the spine turns back.
#pragma once

#include "pose/ik.h"

// angle: counterclockwise seen from above, wrapped to -pi..pi; it jumps there, so a caller that lets it
// go round changes from a clip that walks forward to one that walks backward near pi/2 and gives what
// is left: for travel by a, more than pi/2 to the side, play backward and give a - pi (or a + pi).
typedef struct anim_orient {
    uint32_t pelvis;       // turned with all that is below it
    const uint32_t* spine; // a chain below the pelvis that turns back; may be empty
    const float* shares;   // of the turn, >= 0, scaled to a sum of 1; NULL: all alike
    uint32_t spine_count;
    float angle;  // radians about the model's +Y
    float weight; // 0 to 1, of the angle
} anim_orient;

// What is above the last joint of the spine keeps the rotation that it has in model space; the pelvis
// stays where it is. Where the space above the pelvis can't be inverted nothing changes.
void anim_ik_orient(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_orient* desc);

// The direction v, unit, in the space of the matrix; false where that is flat.
bool anim_ik_direction_below(const double matrix[3][4], anim_dvec v, anim_dvec* out);

// Two directions in model space, square to each other: the normal of a plane and a vector in it.
typedef struct anim_ik_frame {
    anim_dvec normal, along;
} anim_ik_frame;

// The local rotation of a joint that has q below a parent of model-space matrix `was`, when its parent
// becomes `now` and what had the frame `from` shall have the frame `to`. Both directions come out
// exactly below uneven and mirrored scale, too: normals of planes go through a matrix by its transpose,
// vectors by its inverse, so they are square in the parent's space as well. q where a matrix is flat.
anim_dquat anim_ik_reframe(const double was[3][4], const double now[3][4], anim_dquat q,
                           const anim_ik_frame* from, const anim_ik_frame* to);
