// SPDX-License-Identifier: MIT
// Inside the pose layer: retargeting between skeletons whose axes, rest poses and sizes differ.
//
// Method. Between joints whose axes have nothing in common a rotation keeps its meaning only in model
// space, as the turn away from a reference pose (J.-S. Monzani et al. 2000, "Using an Intermediate Skeleton
// and Inverse Kinematics for Motion Retargeting"). With A(t) a source joint's model-space
// rotation, A_ref and B_ref those of the reference poses, and Q the turn that makes the target stand like
// the source, the target joint's model-space rotation is
//   B(t) = S A(t) A_ref^-1 R^-1 Q B_ref
// R takes the source's reference pose into the target's model space (its up to up, its sides to its sides),
// S its motion. Q of a limb's long bones makes them point the same way: from the parent's Q on by the
// least turn. For all else a difference below some degrees is one of shape, not of pose, and stays.
//
// A pair is a joint of the source and the joint of the target that it drives. Pairs form a tree: a pair's
// parent is the nearest joint above that is in a pair, taken from the skeleton that knows better (a foot may
// hang on the root in one of them). No names are looked at: what is a leg follows from tree and lengths.
//
// Of arrays of two the first is the source's, the second the target's. All is computed in double.
#pragma once

#include "pose/clip_edit.h"
#include "pose/ik_two_bone.h"

// A joint in model space. `q` leaves scale out; `flip` holds the signs of scales, so that q is a rotation
// below mirrored joints too: where no scale is uneven, the matrix is q * flip times the scale.
typedef struct anim_placed {
    anim_dquat q;
    anim_dvec flip; // 1 or -1 each
    double m[3][4];
} anim_placed;

#define ANIM_PLACED_ORIGIN                                                                         \
    ((anim_placed){{0, 0, 0, 1}, {1, 1, 1}, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}})

void anim_placed_below(const anim_placed* parent, const anim_ik_local* local, anim_placed* out);
void anim_placed_all(const anim_skeleton* skeleton, const anim_pose_group* pose, anim_placed* out);

// A point of model space in the joint's space; false where that can't be had (a scale of zero).
bool anim_placed_inside(const anim_placed* placed, anim_dvec point, anim_dvec* out);

// flip * q * flip: the turn as it looks behind mirrors.
anim_dquat anim_dquat_flip(anim_dquat q, anim_dvec flip);

static inline anim_dvec anim_placed_at(const anim_placed* placed)
{
    return (anim_dvec){placed->m[0][3], placed->m[1][3], placed->m[2][3]};
}

// Within what rest poses may hold, whatever a script makes of scales.
static inline float anim_dvec_number(double x)
{
    return x > 1e15 ? 1e15f : x < -1e15 ? -1e15f : (float)x;
}

typedef enum anim_part {
    ANIM_PART_OTHER,
    ANIM_PART_BASE,   // above the hips
    ANIM_PART_HIPS,   // where the legs hang
    ANIM_PART_TRUNK,  // spine, neck, head, tail
    ANIM_PART_GIRDLE, // of a limb, before its long bones
    ANIM_PART_BONE,   // its two long bones
    ANIM_PART_END,    // hand or foot
    ANIM_PART_DIGIT
} anim_part;

typedef struct anim_pair {
    uint16_t joint[2];
    int32_t parent, child, next; // first child, next sibling; -1: none
    int32_t along;               // the child that its bone points to; -1: none
    uint32_t depth, count;       // pairs above, pairs from here down
    double length[2];            // along bones to the farthest tip below
    anim_part part;
    int32_t limb;     // that it is in; -1: none
    anim_dquat align; // Q
    bool is_pointing; // the source's bone ends in a joint that hangs elsewhere: it points there
    anim_dvec bone;   // its direction in the reference pose, R applied
    anim_dquat after; // A_ref^-1 R^-1 Q B_ref
    bool is_carried;  // its place follows the source's
    bool is_loose;    // moves away from its parent by much: so does the target's
    anim_dvec base;   // carried: the source's place where the target is at `at`
    anim_dvec at;
} anim_pair;

// A chain of pairs, of which two are long bones.
typedef struct anim_limb {
    int32_t first, upper, lower, end, tip; // pairs; lower, end: -1 where there is none
    bool is_leg;
} anim_limb;

enum { ANIM_MAX_LIMBS = 8 }; // of two sides: 0 and 1, 2 and 3, ...

typedef struct anim_rig {
    const anim_skeleton* skeleton;
    const anim_pose_group* pose; // the reference pose
    anim_placed* reference;      // every joint in it
    int32_t* pair_of;            // of every joint; -1: none
    int32_t* pair_above;         // the nearest of the joints above; -1: none
    bool* is_low;                // belongs to a leg, or hangs below one
    anim_dvec up;
    bool stands;   // the reference is a pose in which a body stands
    double ground; // height of the floor below it
} anim_rig;

typedef struct anim_retarget {
    anim_arena* arena;
    const anim_clip* clip;
    const anim_retarget_desc* desc;
    anim_rig rig[2];
    anim_pair* pairs; // by source joint
    uint32_t pair_count;
    uint32_t* order; // pairs, parents first
    anim_limb limbs[ANIM_MAX_LIMBS];
    uint32_t limb_count;
    int32_t hips, chest; // pairs; -1: none
    int32_t root;        // the pair whose place is carried over; -1: none
    float* times;        // of keys
    uint32_t time_count;
    anim_dquat body, turn; // R, S
    anim_dvec up;          // of the source's motion
    double floor;          // height of the floor below it
    double scale;          // what lengths are multiplied by
    double whole[2];       // length of the longest chain of pairs
    double tall[2];        // height of the legs' roots above the floor in the reference poses
    double ankle;          // lowest height of a leg's end in the source's motion
    bool is_seen;          // the source's reference is a pose of the clip
    anim_pose_group* pose; // of the source, scratch
    anim_placed* placed;   // the same in model space
} anim_retarget;

// The steps, in this order; false: out of memory. retarget_tree.c, retarget_body.c, retarget_times.c,
// retarget_fit.c, retarget_align.c, retarget_carry.c
bool anim_retarget_pair(anim_retarget* r, const int32_t* map);
bool anim_retarget_find_body(anim_retarget* r);
bool anim_retarget_find_times(anim_retarget* r);
bool anim_retarget_fit(anim_retarget* r);
void anim_retarget_align(anim_retarget* r);
bool anim_retarget_carry(anim_retarget* r);

// Again, after parents or the reference have changed.
bool anim_retarget_link(anim_retarget* r);

// How far a pair of the source is from where its parent pair would carry it; zero without one.
anim_dvec anim_pair_slack(const anim_retarget* r, int32_t pair, const anim_placed* placed);

// The source at a time, in `placed`; `anim_retarget_look` at one of some times all over the clip.
void anim_retarget_sample(anim_retarget* r, double time);
uint32_t anim_retarget_look_count(const anim_retarget* r);
void anim_retarget_look(anim_retarget* r, uint32_t look);

static inline anim_dvec anim_pair_at(const anim_retarget* r, int32_t pair, int side,
                                     const anim_placed* placed)
{
    return anim_placed_at(&placed[r->pairs[pair].joint[side]]);
}

// --- the target at a time -------------------------------------------------------------------------

// A leg whose foot is kept (retarget_feet.c).
typedef struct anim_kept_leg {
    int32_t upper, lower, foot; // pairs
    int32_t toe[2];             // joints below the foot; -1: none
    double stand[2][2];         // heights of foot and toe when they stand, of both rigs
    double length;              // of the target's
    anim_dvec toe_offset;       // from the foot, in the target foot's turned space
    anim_dvec offset; // from the scaled place of the source's toe (or foot), in the reference poses
    anim_skeleton* rig; // upper, lower and foot alone: what the solver sees
    anim_bend bend;
} anim_kept_leg;

// The target's skeleton with joints placed (retarget_place.c).
typedef struct anim_target {
    const anim_retarget* r;
    uint32_t* sequence; // joints in the order in which they can be placed
    uint32_t count;
    bool* is_attached;     // pairs whose place is told by the parent pair, not by the joint above
    anim_dquat* rotations; // of pairs, in model space
    anim_dvec* places;     // of carried pairs, in model space; of loose ones, how far they are off
    anim_ik_local* locals; // of pairs
    anim_placed* placed;   // joints
    anim_kept_leg legs[ANIM_MAX_LIMBS];
    uint32_t leg_count;
} anim_target;

bool anim_target_init(anim_target* t, anim_retarget* r);
void anim_target_stand(anim_target* t,
                       anim_retarget* r); // reference poses, and how high the hips are in them
void anim_target_at(anim_target* t,
                    const anim_placed* source); // rotations, places, then all joints
void anim_target_place(anim_target* t);         // all joints again

// Legs for desc->feet; nothing without. Fails where there are none.
anim_code anim_target_find_legs(anim_target* t, anim_retarget* r, anim_error* err);
void anim_target_keep_feet(anim_target* t, const anim_placed* source);
