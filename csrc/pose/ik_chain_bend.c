// SPDX-License-Identifier: MIT
// The way out of a straight line: there every solver that follows the target sees no reason to bend.
#include "pose/ik_chain_parts.h"

static const double straight = 0.01;  // of the length: how far off its line a joint may be
static const double on_line = 0.0175; // a degree
static const double bend = 0.4;       // tangent of half the angle that all its joints turn by

// A branch: joints from one that other branches share (or the root) to a tip, by their parents.
typedef struct branch {
    uint32_t base, tip;
    uint32_t inner; // joints between them with bones on both sides
    double length;
    anim_dvec line; // along its longest bone
} branch;

static branch branch_of(const anim_chain_solve* s, const anim_chain_tip* tip)
{
    branch b = {.base = tip->joint, .tip = tip->joint};
    double longest = 0, below = 0;
    while (b.base != 0) {
        const anim_chain_joint* joint = &s->joints[b.base];
        const anim_chain_joint* parent = &s->joints[joint->parent];
        if (joint->length > longest) {
            longest = joint->length;
            b.line = anim_dvec_scale(anim_dvec_sub(joint->place, parent->place), 1 / longest);
        }
        b.length += joint->length;
        b.base = joint->parent;
        if (parent->child_count > 1 || b.base == 0)
            break;
        if (joint->length > 0 || below > 0)
            b.inner++;
        below += joint->length;
    }
    return b;
}

static double off_line(anim_dvec v, anim_dvec line)
{
    return anim_dvec_length(anim_dvec_cross(v, line));
}

// 1 on the line to 0 where the branch is not straight.
static double straightness(const anim_chain_solve* s, const branch* b)
{
    double most = 0;
    anim_dvec base = s->joints[b->base].place;
    for (uint32_t i = b->tip; i != b->base; i = s->joints[i].parent) {
        double off = off_line(anim_dvec_sub(s->joints[i].place, base), b->line);
        most = off > most ? off : most;
    }
    return 1 - most / (straight * b->length);
}

// The axis of the base that is least along the line, as it stands in the space of the root's parent.
static anim_dvec bend_axis(const anim_chain_joint* base, anim_dvec line)
{
    anim_dvec m = base->mirror;
    double flip = m.x * m.y * m.z;
    anim_dvec along = anim_dquat_rotate(anim_dquat_conjugate(base->frame), line);
    double x = fabs(along.x), y = fabs(along.y), z = fabs(along.z);
    anim_dvec axis = x <= y && x <= z ? (anim_dvec){flip * m.x, 0, 0}
                     : y <= z         ? (anim_dvec){0, flip * m.y, 0}
                                      : (anim_dvec){0, 0, flip * m.z};
    axis = anim_dquat_rotate(base->frame, axis);
    axis = anim_dvec_sub(axis, anim_dvec_scale(line, anim_dvec_dot(axis, line)));
    return anim_dvec_normalize(axis, anim_dvec_square_to(line));
}

// By an angle about an axis in the space of the root's parent.
static void turn_about(anim_chain_solve* s, uint32_t index, anim_dvec axis, double tangent)
{
    anim_chain_joint* joint = &s->joints[index];
    anim_dquat above = index ? s->joints[joint->parent].frame : ANIM_DQUAT_IDENTITY;
    anim_dvec a = anim_dvec_scale(anim_dquat_rotate(anim_dquat_conjugate(above), axis),
                                  tangent * joint->weight);
    anim_dquat q = anim_dquat_mul((anim_dquat){a.x, a.y, a.z, 1}, joint->turn);
    q = anim_chain_mirrored(anim_dquat_normalize(q), joint->mirror);
    if (joint->limit)
        q = anim_limit_clamp(joint->limit, q);
    joint->turn = anim_chain_mirrored(q, joint->mirror);
}

static void bend_hinge(anim_chain_joint* joint, double tangent)
{
    anim_dquat q = anim_chain_mirrored(joint->turn, joint->mirror);
    q = anim_limit_hinge_inward(joint->limit, q, tangent * joint->weight);
    joint->turn = anim_chain_mirrored(q, joint->mirror);
}

static bool bend_branch(anim_chain_solve* s, const anim_chain_tip* tip)
{
    branch b = branch_of(s, tip);
    if (b.inner == 0 || !(b.length > 1e-50))
        return false;
    double hinge = straightness(s, &b) * (bend / (b.inner + 1));
    anim_dvec way = anim_dvec_sub(tip->target, s->joints[b.base].place);
    double distance = anim_dvec_length(way);
    if (!(hinge > 0) || distance >= b.length)
        return false;
    double off = distance > 1e-50 ? off_line(way, b.line) / distance : 0;
    double other = off < on_line ? hinge * (1 - off / on_line) : 0;
    anim_dvec axis = bend_axis(&s->joints[b.base], b.line);
    for (uint32_t i = s->joints[b.tip].parent; i != b.base; i = s->joints[i].parent) {
        anim_chain_joint* joint = &s->joints[i];
        if (joint->limit && joint->limit->kind == ANIM_LIMIT_HINGE)
            bend_hinge(joint, hinge);
        else if (other > 0)
            turn_about(s, i, axis, other);
    }
    if (s->joints[b.base].child_count == 1 && other > 0)
        turn_about(s, b.base, axis, -other * b.inner / 2);
    return true;
}

bool anim_chain_bend(anim_chain_solve* s, uint32_t iteration)
{
    bool is_bent = false;
    if (iteration > (s->chain->limit_count ? 2 : 0))
        return false;
    anim_chain_place(s);
    for (uint32_t i = 0; i < s->tip_count; i++)
        is_bent |= bend_branch(s, &s->tips[i]);
    if (is_bent)
        anim_chain_place(s);
    return is_bent;
}
