// SPDX-License-Identifier: MIT
// Two bones: root and middle joint turn so that the tip comes to a target. The law of cosines; no rounds,
// unless the chain itself holds uneven scale.
#pragma once

#include "pose/ik.h"

// What the tip's rotation does. Model space is meant without scale, as in layers: the product of the
// rotations down to the joint.
typedef enum anim_ik_rotation {
    ANIM_IK_ROTATION_LOCAL, // the local one stays
    ANIM_IK_ROTATION_MODEL, // the model-space one stays as it was in the animated pose
    ANIM_IK_ROTATION_GIVEN  // `given`, in model space
} anim_ik_rotation;

typedef struct anim_two_bone {
    uint32_t root, mid,
        tip;         // each below the one before, directly or not; what lies between moves along
    float target[3]; // model space
    float pole[3];   // a point in model space that the middle joint bends toward
    bool has_pole;
    float weight; // 0 to 1
    float
        soft; // 0 to 1, 1: off. From soft * length on the tip lags behind, so that it never snaps straight
    float stretch; // 1: off. The factor up to which translations grow to reach farther
    anim_ik_rotation rotation;
    float given[4];
} anim_two_bone;

// What is remembered of the last solution; all zero: nothing.
typedef struct anim_bend {
    float normal[3]; // of the bend plane, unit, in the space of the root's parent
    float spread;    // 0 to 1: how far pole and target were from being in line
} anim_bend;

// Turns root and mid, by `weight`. The root's place, the bones' lengths (but for `stretch`) and all other
// joints stay; so does the twist of both segments: beyond the bend only the least turn toward the target is
// made, then the turn about the line to the target that brings the middle joint toward the pole.
//
// The tip comes to distance d from the root, |target - root| clamped to what the bones reach; with soft
// s < 1, L the length and a = s L: from a on d' = a + (L - a) (1 - e^(-(d - a) / (L - a))) (semantics 9).
// `stretch` makes up for what is missing then.
//
// The bend plane:
// - With a pole the one that holds root, target and pole. Where pole and target lie in one line from the root
//   (within 5 degrees, also on opposite sides) the plane that was last stays, without a memory that of the
//   rest pose, turned with the target, and the pole's is handed over to (anim_ik_hand_over).
// - Without a pole the animated one. A chain bent by less than 5 degrees leans, the more the straighter it is,
//   to the plane of the rest pose in the middle joint's frame; where rest is straight, too, it bends about the
//   axis of the middle joint that is least along the lower bone.
// Jumps are left where they must be: a target on the root, one opposite to the animated tip without a pole,
// the first step into the 5 degrees without a memory.
//
// A bone shorter than a millionth of the chain counts as none: the chain is one bone then. Uneven scale on
// root or what is above mid makes the lower bone's length depend on its direction; that is solved in rounds.
// `before` may be NULL (no memory), so may `after`; both may be the same.
// Returns the distance of tip and target that is left, in model space.
float anim_ik_two_bone(const anim_skeleton* skeleton, anim_pose_group* pose,
                       const anim_two_bone* desc, const anim_bend* before, anim_bend* after);

// False for bytes (sizeof(anim_bend)) that no solution can have left.
bool anim_bend_is_fine(const void* memory);
