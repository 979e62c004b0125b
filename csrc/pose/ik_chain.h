// SPDX-License-Identifier: MIT
// Chains of any length, and trees with several tips (a spine with two hands), after FABRIK (A. Aristidou,
// J. Lasenby 2011) or by cyclic coordinate descent (L. Wang, C. Chen 1991). See pose/ik.h for what the
// solvers have in common.
//
// A solve starts from the pose it is given and knows no other, so the same input gives the same result. It
// turns the joints from the root down to the parents of the tips; translations, scales and the local
// rotations of the tips stay, and so do the lengths of all bones. A target that is too far leaves the chain
// straight toward it, one that is too near leaves it folded. Joints at one place act as one joint.
//
// A small move of a target makes a small turn of the joints except where
// - the chain is straight (no joint more than 1 % of its length off its line) and the target within a degree
//   of that line: it then bends about the axis of its first joint that is least along it; hinges bend toward
//   the middle of their range wherever the target is;
// - a bone has to turn round (by more than 150 degrees from where it was): the way is as short on all sides;
// - the target is near the chain's root or, within 3 % of the length, a joint of the animated chain;
// - both ends of a limit are as near to where a joint should be, or its swing is near half a turn.
#pragma once

#include "pose/ik.h"
#include "pose/ik_limit.h"

#define ANIM_CHAIN_MAX_TIPS 64u
#define ANIM_CHAIN_MAX_ITERATIONS 10000u

typedef enum anim_chain_solver {
    ANIM_CHAIN_FABRIK, // even curves, few iterations
    ANIM_CHAIN_CCD     // the joints near the tip turn most
} anim_chain_solver;

// How much of each turn a joint takes part in, 0 (stiff) to 1. Joints that have none: 1.
typedef struct anim_chain_weight {
    uint32_t joint;
    float weight;
} anim_chain_weight;

typedef struct anim_chain_desc {
    uint32_t root;        // the first joint that turns
    const uint32_t* tips; // joints below the root, none below another
    uint32_t tip_count;   // >= 1
    anim_chain_solver solver;
    uint32_t iterations; // at most; 0: 30 of FABRIK, 100 of CCD
    float
        tolerance; // it is enough to come this near, in model space; 0: 1e-4 of the length at rest
    const anim_joint_limit* limits; // one a joint at most
    uint32_t limit_count;
    const anim_chain_weight* weights; // one a joint at most
    uint32_t weight_count;
} anim_chain_desc;

// What can be known before a pose is. Immutable, shared between threads; keeps the skeleton alive.
typedef struct anim_chain anim_chain;

// Fails (ANIM_ERR_ARGUMENT) on tips, limits and weights that do not fit; messages name the joints.
anim_code anim_chain_create(anim_skeleton* skeleton, const anim_chain_desc* desc, anim_chain** out,
                            anim_error* err);
anim_chain* anim_chain_retain(anim_chain* chain);
void anim_chain_release(anim_chain* chain); // NULL is fine

// Of a tip, in the order of the description. A target of weight 0 lets go: what hangs on this tip only
// stays as animated. Between 0 and 1 it pulls the less at joints that other tips turn, too, and joints that
// it has alone turn by that part of the way.
typedef struct anim_chain_target {
    float at[3]; // model space
    float weight;
} anim_chain_target;

// Bytes that a solve needs, aligned as ANIM_ALIGN.
size_t anim_chain_scratch_size(const anim_chain* chain);

// Solves and turns the joints by `weight` 0 to 1 of the way; one target a tip. Limits hold for all joints of
// the chain (tips too): at weight 1 the result is inside, below 1 it is if the animated pose was. Returns the largest distance between a tip and its target in model space, as the
// pose then is, over the targets that have weight.
//
// Where scales inside the chain are not the same along all axes a bone's length depends on how it is
// turned, and FABRIK is replaced by CCD, which needs no lengths.
float anim_ik_chain(const anim_chain* chain, anim_pose_group* pose,
                    const anim_chain_target* targets, float weight, void* scratch);
