// SPDX-License-Identifier: MIT
// Forward and backward reaching inverse kinematics (A. Aristidou, J. Lasenby 2011).
//
// A pass goes inward, from the targets to the root, each joint to where its bone would let it be, and
// outward again from where the root really is. A loose chain does both with places alone; anywhere else
// the way outward turns joints, so that limits, weights and several bones on one joint are always real.
#include "pose/ik_chain_parts.h"

// `length` from `from` toward `to`; along `otherwise` where they are one.
static anim_dvec reach(anim_dvec from, anim_dvec to, double length, anim_dvec otherwise)
{
    anim_dvec way = anim_dvec_sub(to, from);
    double length2 = anim_dvec_dot(way, way);
    if (!(length2 > 1e-100))
        return anim_dvec_add(from, anim_dvec_scale(otherwise, length));
    return anim_dvec_add(from, anim_dvec_scale(way, length / sqrt(length2)));
}

// ---- a loose chain: joint i hangs on joint i - 1

static void loose_pass(anim_chain_solve* s, uint32_t iteration)
{
    static const anim_dvec x = {1, 0, 0};
    anim_chain_joint* joints = s->joints;
    uint32_t last = s->joint_count - 1;
    anim_dvec at = anim_chain_aim(&s->tips[0], joints[last].place, iteration);
    for (uint32_t i = last; i > 1; i--) {
        joints[i].wish = at;
        at = reach(at, joints[i - 1].place, joints[i].length, x);
    }
    joints[1].wish = at;
    at = joints[0].place;
    for (uint32_t i = 1; i <= last; i++)
        joints[i].place = at = reach(at, joints[i].wish, joints[i].length, x);
}

static void solve_loose(anim_chain_solve* s, uint32_t iterations)
{
    double tolerance = s->chain->tolerance;
    anim_chain_bend(s, 0);
    for (uint32_t i = 0; i < iterations && anim_chain_miss(s) > tolerance; i++)
        loose_pass(s, i);
    anim_chain_settle(s);
}

// ---- any tree

static void inward(anim_chain_solve* s, uint32_t iteration)
{
    static const anim_dvec zero = {0, 0, 0};
    for (uint32_t i = 0; i < s->joint_count; i++)
        s->joints[i].wish = zero;
    for (uint32_t i = 0; i < s->tip_count; i++) {
        anim_chain_joint* joint = &s->joints[s->tips[i].joint];
        joint->wish = anim_chain_aim(&s->tips[i], joint->place, iteration);
    }
    for (uint32_t i = s->joint_count - 1; i > 0; i--) {
        anim_chain_joint* joint = &s->joints[i];
        anim_chain_joint* parent = &s->joints[joint->parent];
        if (joint->child_count > 0)
            joint->wish = anim_dvec_scale(joint->wish, 1 / joint->pull);
        anim_dvec at = reach(joint->wish, parent->place, joint->length, zero);
        parent->wish = anim_dvec_add(parent->wish, anim_dvec_scale(at, joint->pull));
    }
}

// The way outward knows nothing of limits further down, and what it turns in vain is lost. So each pass is
// followed by one of CCD, which turns only what brings the tips nearer; with limits the last ones have it
// alone.
static void solve_bound(anim_chain_solve* s, uint32_t iterations)
{
    uint32_t reaching = s->chain->limit_count ? iterations - iterations / 3 : iterations;
    double left = anim_chain_miss(s), before = left;
    for (uint32_t i = 0; i < reaching && !anim_chain_is_done(s, i, before, left); i++) {
        anim_chain_bend(s, i);
        inward(s, i);
        anim_chain_follow(s);
        anim_chain_descend(s);
        before = left;
        left = anim_chain_miss(s);
    }
    if (left > s->chain->tolerance)
        anim_chain_ccd(s, iterations - reaching);
}

void anim_chain_fabrik(anim_chain_solve* s, uint32_t iterations)
{
    if (s->is_loose)
        solve_loose(s, iterations);
    else
        solve_bound(s, iterations);
}
