// SPDX-License-Identifier: MIT
// Inside the chain solvers. The active joints of a tree (those above and at tips that have weight) are
// loaded, parents first, as if they had neither scale nor mirroring: offsets carry the scale, rotations are
// mirrored where the scales above turn right into left.
#pragma once

#include "base/ref.h"
#include "pose/ik_chain.h"

#define ANIM_CHAIN_NONE UINT32_MAX
#define ANIM_CHAIN_FABRIK_ITERATIONS 30u
#define ANIM_CHAIN_CCD_ITERATIONS 100u
#define ANIM_CHAIN_FAR 1e60 // coordinates end here: products of scales have no bound

// Nodes of the tree in joint order: parents first.
typedef struct anim_chain_node {
    uint32_t joint;
    uint32_t parent;             // node, or ANIM_CHAIN_NONE
    uint32_t first_tip, tip_end; // which of anim_chain.tips are below it (or itself)
    uint32_t limit;              // or ANIM_CHAIN_NONE
    double weight;
} anim_chain_node;

struct anim_chain {
    anim_ref ref;
    anim_skeleton* skeleton;
    anim_chain_solver solver;
    uint32_t iterations;
    double tolerance;
    uint32_t node_count, tip_count, limit_count;
    uint32_t path_count; // joints of the ways from the root to each tip
    bool is_loose;       // no limits and no weights
    anim_chain_node* nodes;
    uint32_t* tips;    // nodes, rising
    uint32_t* targets; // of each of `tips`, its place in the description
    anim_limit* limits;
};

typedef struct anim_chain_joint {
    anim_dvec offset;         // from the parent's origin, in the parent's space
    anim_dvec scale, unscale; // of its own space; 1 where the tree is even
    anim_dvec growth;         // of even trees: scales above it, multiplied
    anim_dvec mirror;         // their signs, 1 or -1; 1 where uneven
    anim_dquat before, turn;  // local rotation: animated, now
    anim_dquat frame;         // of its space, in the space of the root's parent
    anim_dvec place, wish;    // in the space of the root's parent: where it is, where it should be
    double length;            // of the bone to its parent
    double pull;              // weights of the tips below, summed
    double part;              // the largest of them
    double weight;            // its part in turns
    const anim_limit* limit;  // or NULL
    uint32_t joint;           // of the skeleton
    uint32_t parent;          // these in the array, or ANIM_CHAIN_NONE
    uint32_t child, sibling;  // the last child; the sibling before
    uint32_t child_count;
    uint32_t aim;                // what a parent's turn is told by (ik_chain_shape.c), and where
    anim_dvec ahead;             //   that is in the parent's space
    uint32_t first_tip, tip_end; // in anim_chain_solve.tips
    uint32_t first_sight;        // in anim_chain_solve.sights, one a tip below
} anim_chain_joint;

typedef struct anim_chain_tip {
    anim_dvec target; // in the space of the root's parent
    double weight;
    anim_dvec seen;  // the tip or its target, from the joint that CCD is at
    uint32_t joint;  // in the array
    uint32_t number; // in anim_chain.tips
} anim_chain_tip;

// What a joint sees of a tip: where it is in the joint's turned space, and its target in the parent's, both
// from the joint's origin.
typedef struct anim_chain_sight {
    anim_dvec point, goal;
} anim_chain_sight;

typedef struct anim_chain_solve {
    const anim_chain* chain;
    anim_chain_joint* joints;
    anim_chain_tip* tips;
    anim_chain_sight* sights;
    uint32_t joint_count, tip_count;
    bool is_even;  // no scale changes a length: only then are places and lengths right
    bool is_loose; // even, one tip, no limits and no weights
    anim_ik_space space;
} anim_chain_solve;

// What a joint should turn to: points of its turned space and their goals in its parent's, both seen from
// its origin.
typedef struct anim_chain_wishes {
    uint32_t count;
    anim_dvec point, goal; // the last one
    double sums[3][3];     // of weight * goal * point, row and column
} anim_chain_wishes;

void anim_chain_wish(anim_chain_wishes* wishes, anim_dvec point, anim_dvec goal, double weight);
void anim_chain_turn(anim_chain_joint* joint, const anim_chain_wishes* wishes); // as far as it may

anim_dvec anim_chain_bounded(anim_dvec v);
// A rotation as it is seen in a mirror; twice gives it back.
anim_dquat anim_chain_mirrored(anim_dquat q, anim_dvec mirror);

void anim_chain_place(anim_chain_solve* s);  // frames and places from the turns
void anim_chain_follow(anim_chain_solve* s); // turns joints toward `wish`, from the root on
double anim_chain_distance(const anim_chain_solve* s, anim_dvec a, anim_dvec b); // in model space
double anim_chain_miss(const anim_chain_solve* s); // the largest of tips from targets, by `place`

// Where a tip that stands at `at` goes in an iteration: later on half of what it missed beyond its target.
// Without that the methods creep near full stretch; done early, while much is missed, it would make small
// moves of a target large.
static inline anim_dvec anim_chain_aim(const anim_chain_tip* tip, anim_dvec at, uint32_t iteration)
{
    anim_dvec missed = anim_dvec_sub(tip->target, at);
    return anim_dvec_add(tip->target, anim_dvec_scale(missed, iteration < 2 ? 0 : 0.5));
}

// Near enough, or no more to be had: at this pace all iterations would gain a tenth of the tolerance.
static inline bool anim_chain_is_done(const anim_chain_solve* s, uint32_t iteration, double before,
                                      double left)
{
    double tolerance = s->chain->tolerance;
    double gain = 0.1 * tolerance / s->chain->iterations;
    return !(left > tolerance) || (iteration > 2 && fabs(before - left) < gain);
}

// Turns straight branches out of their line, in the first iteration; with limits in some more, since a hinge
// that was drawn to the wrong side is at its end then and the branch straight again. True: there was one.
bool anim_chain_bend(anim_chain_solve* s, uint32_t iteration);
// A loose chain whose target is out of reach: as near as it gets. False: it is within reach.
bool anim_chain_strain(anim_chain_solve* s);

// The last step of a loose chain, by `place`. If it did not come near enough its bones go part of the way to
// a straight or a folded line. Then its joints turn from the animated pose to where it is, the least they
// can, so that nothing is twisted by the way the solver took.
void anim_chain_settle(anim_chain_solve* s);

void anim_chain_fabrik(anim_chain_solve* s, uint32_t iterations); // even trees
void anim_chain_descend(anim_chain_solve* s); // one way of CCD, from places to places
// Returns what anim_chain_miss would, of uneven trees, too.
double anim_chain_ccd(anim_chain_solve* s, uint32_t iterations);
