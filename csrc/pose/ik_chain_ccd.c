// SPDX-License-Identifier: MIT
// Cyclic coordinate descent (L. Wang, C. Chen 1991): one joint after the other turns so that the tips below
// it come nearest to their targets, as far as it alone can do that.
//
// An iteration goes from the root to the tips and back: with the way back alone long chains creep. Tips and
// targets are carried from joint to joint in local coordinates, so scales of any kind need no special care.
#include "pose/ik_chain_parts.h"

static anim_dvec to_parent(const anim_chain_joint* joint, anim_dvec point)
{
    return anim_chain_bounded(anim_dvec_add(joint->offset, anim_dquat_rotate(joint->turn, point)));
}

static void turn_joint(anim_chain_solve* s, anim_chain_joint* joint)
{
    anim_chain_wishes wishes = {0};
    const anim_chain_sight* sights = s->sights + joint->first_sight;
    for (uint32_t t = joint->first_tip; t < joint->tip_end; t++, sights++)
        anim_chain_wish(&wishes, sights->point, sights->goal, s->tips[t].weight);
    anim_chain_turn(joint, &wishes);
}

// From the root on; starts with the tips as they are seen from its parent.
static void go_down(anim_chain_solve* s, uint32_t iteration, bool turning)
{
    for (uint32_t i = 0; i < s->tip_count; i++)
        s->tips[i].seen = anim_chain_aim(&s->tips[i], s->tips[i].seen, iteration);
    for (uint32_t i = 0; i < s->joint_count; i++) {
        anim_chain_joint* joint = &s->joints[i];
        if (joint->child_count == 0)
            continue;
        anim_chain_sight* sights = s->sights + joint->first_sight;
        for (uint32_t t = joint->first_tip; t < joint->tip_end; t++)
            sights[t - joint->first_tip].goal = anim_dvec_sub(s->tips[t].seen, joint->offset);
        if (turning)
            turn_joint(s, joint);
        anim_dquat back = anim_dquat_conjugate(joint->turn);
        for (uint32_t t = joint->first_tip; t < joint->tip_end; t++) {
            anim_dvec goal = anim_dquat_rotate(back, sights[t - joint->first_tip].goal);
            s->tips[t].seen = anim_chain_bounded(anim_dvec_mul(joint->unscale, goal));
        }
    }
}

// From the tips on; ends with them as they are seen from the root's parent.
static void go_up(anim_chain_solve* s, bool turning)
{
    for (uint32_t i = s->joint_count; i-- > 0;) {
        anim_chain_joint* joint = &s->joints[i];
        if (joint->child_count == 0) {
            s->tips[joint->first_tip].seen = joint->offset;
            continue;
        }
        anim_chain_sight* sights = s->sights + joint->first_sight;
        for (uint32_t t = joint->first_tip; t < joint->tip_end; t++)
            sights[t - joint->first_tip].point = anim_dvec_mul(joint->scale, s->tips[t].seen);
        if (turning)
            turn_joint(s, joint);
        for (uint32_t t = joint->first_tip; t < joint->tip_end; t++)
            s->tips[t].seen = to_parent(joint, sights[t - joint->first_tip].point);
    }
}

static double miss(const anim_chain_solve* s)
{
    double most = 0;
    for (uint32_t i = 0; i < s->tip_count; i++) {
        const anim_chain_tip* tip = &s->tips[i];
        double distance = anim_chain_distance(s, tip->seen, tip->target);
        most = distance > most ? distance : most;
    }
    return most;
}

double anim_chain_ccd(anim_chain_solve* s, uint32_t iterations)
{
    go_up(s, false);
    double left = miss(s), before = left;
    for (uint32_t i = 0; i < iterations && !anim_chain_is_done(s, i, before, left); i++) {
        if (anim_chain_bend(s, i))
            go_up(s, false);
        go_down(s, i, i > 0);
        go_up(s, true);
        before = left;
        left = miss(s);
    }
    return left;
}

void anim_chain_descend(anim_chain_solve* s)
{
    for (uint32_t i = 0; i < s->tip_count; i++)
        s->tips[i].seen = s->joints[s->tips[i].joint].place;
    go_down(s, 0, false);
    go_up(s, true);
    anim_chain_place(s);
}
