// SPDX-License-Identifier: MIT
// How far a joint may turn from its rest rotation. A turn is split into a twist about an axis of the joint,
// done first, and a swing that moves that axis (P. Baerlocher, R. Boulic 2001): turn = swing * twist.
#pragma once

#include "base/error.h"
#include "math/dvec.h"

typedef enum anim_limit_kind {
    ANIM_LIMIT_HINGE, // turns about the axis only
    ANIM_LIMIT_CONE   // the axis swings within a cone about where it is at rest
} anim_limit_kind;

// Angles are radians; those about the axis lie within -2 pi to 2 pi, 0 being the rest rotation. The range
// need not hold 0; one of 2 pi or more is no limit.
typedef struct anim_joint_limit {
    uint32_t joint;
    anim_limit_kind kind;
    float axis[3];              // in the joint's space; any length above 0
    float min, max;             // hinge: the angle about the axis
    float cone;                 // cone: the largest swing, 0 to pi
    float twist_min, twist_max; // cone: the angle about the axis
} anim_joint_limit;

// Fails (ANIM_ERR_ARGUMENT) on what is not finite, an axis of no length, a range that is reversed or too
// far from 0. `joint` is not looked at.
anim_code anim_joint_limit_check(const anim_joint_limit* desc, anim_error* err);

// Ready for use. Ends of ranges are halves of angles, as quaternions have them.
typedef struct anim_limit {
    anim_limit_kind kind;
    bool is_twist_free, is_swing_free;
    anim_dvec axis;
    anim_dquat rest;
    double middle_sine, middle_cosine; // of half the angle in the middle of the range
    double range_sine, range_cosine;   // of a quarter of the range's width
    double cone_sine, cone_cosine;     // of half the largest swing
} anim_limit;

// `rest` is the joint's local rest rotation. Where the twist is limited, too, the swing ends half a degree
// before half a turn: there no twist can be told.
void anim_limit_init(anim_limit* limit, const anim_joint_limit* desc, const float rest[4]);

// The local rotation q, or the one that the limit allows: twist and swing cut to their nearest end. What is
// inside keeps its bits.
anim_dquat anim_limit_clamp(const anim_limit* limit, anim_dquat q);

// From a (weight 0) to b (1), twist and swing each by itself: between two that are allowed all are.
anim_dquat anim_limit_blend(const anim_limit* limit, anim_dquat a, anim_dquat b, double weight);

// Hinge: from q part (0 to 1) of the way to the allowed angle that brings sums of points nearest to their
// goals: row r, column c of `sums` is the sum of weight * goal[r] * point[c], the points in the joint's
// turned space, goals in the parent's, both from the joint's origin. Stays where no angle is better.
anim_dquat anim_limit_hinge_toward(const anim_limit* limit, anim_dquat q, const double sums[3][3],
                                   double part);

// A small turn (of half-angle tangent `step`) into the range: toward its middle, and from there upward.
anim_dquat anim_limit_hinge_inward(const anim_limit* limit, anim_dquat q, double step);
