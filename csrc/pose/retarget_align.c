// SPDX-License-Identifier: MIT
// Q: the turns that make the target's reference pose stand like the source's.
#include "pose/retarget.h"

// Differences of rest poses below these are of shape. Cosines of angles, or of their halves.
static const double spine_half = 0.97629600711993336; // 25 degrees
static const double neck = 0.86602540378443865;       // 30
static const double girdle = 0.81915204428899180;     // 35
static const double hand = 0.86602540378443865;       // 30
static const double foot = 0.70710678118654752;       // 45
static const double foot_half = 0.92387953251128674;  // 45

static const double on_axis = 0.98; // of a unit vector that lies along one

static const anim_dvec nowhere = {0, 0, 0};

static bool is_zero(anim_dvec v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// --- directions -----------------------------------------------------------------------------------

static anim_dvec place_of(const anim_retarget* r, int32_t pair, int side)
{
    return anim_pair_at(r, pair, side, r->rig[side].reference);
}

static anim_dvec into_target(const anim_retarget* r, anim_dvec v, int side)
{
    return side == 0 ? anim_dquat_rotate(r->body, v) : v;
}

// Joints that all but share a place have no direction.
static anim_dvec between(const anim_retarget* r, int32_t from, int32_t to, int side)
{
    anim_dvec v = anim_dvec_sub(place_of(r, to, side), place_of(r, from, side));
    if (anim_dvec_length(v) < .003 * r->whole[side])
        return nowhere;
    return into_target(r, anim_dvec_normalize(v, nowhere), side);
}

// To the farthest of the joints below a leaf that are in no pair.
static anim_dvec toward_rest(const anim_retarget* r, int32_t pair, int side)
{
    const anim_rig* rig = &r->rig[side];
    uint32_t joint = r->pairs[pair].joint[side];
    anim_dvec from = place_of(r, pair, side), best = nowhere;
    for (uint32_t j = joint + 1; j < rig->skeleton->joint_count; j++) {
        if (rig->skeleton->parents[j] < (int32_t)joint)
            break;
        anim_dvec v = anim_dvec_sub(anim_placed_at(&rig->reference[j]), from);
        if (anim_dvec_length(v) > anim_dvec_length(best))
            best = v;
    }
    return into_target(r, anim_dvec_normalize(best, nowhere), side);
}

// A long bone with nothing below: along the axis of its own along which its parent's bone lies, where that is
// one, as rigs have it that are built of bones.
static anim_dvec along_parent(const anim_retarget* r, int32_t pair, int side)
{
    int32_t parent = r->pairs[pair].parent;
    if (parent < 0)
        return nowhere;
    const anim_placed* placed = r->rig[side].reference;
    anim_dquat above = placed[r->pairs[parent].joint[side]].q;
    anim_dquat own = placed[r->pairs[pair].joint[side]].q;
    anim_dvec v = anim_dvec_sub(place_of(r, pair, side), place_of(r, parent, side));
    v = anim_dquat_rotate(anim_dquat_conjugate(above), anim_dvec_normalize(v, nowhere));
    if (fabs(v.x) < on_axis && fabs(v.y) < on_axis && fabs(v.z) < on_axis)
        return nowhere;
    return into_target(r, anim_dquat_rotate(own, v), side);
}

// Where the bone of a pair points; length zero where nothing says.
static anim_dvec direction(const anim_retarget* r, int32_t pair, int side)
{
    const anim_pair* p = &r->pairs[pair];
    anim_dvec v = p->along >= 0 ? between(r, pair, p->along, side) : nowhere;
    if (is_zero(v) && p->child < 0)
        v = toward_rest(r, pair, side);
    if (is_zero(v) && p->child < 0 && p->part == ANIM_PART_BONE)
        v = along_parent(r, pair, side);
    return v;
}

// --- turns ----------------------------------------------------------------------------------------

// From `base` on the least turn that brings the pair's bone to the source's direction, unless they are
// within an angle already.
static anim_dquat swing(const anim_retarget* r, int32_t pair, anim_dquat base, double cosine)
{
    anim_dvec goal = direction(r, pair, 0), own = direction(r, pair, 1);
    if (is_zero(goal) || is_zero(own))
        return base;
    own = anim_dquat_rotate(base, own);
    if (anim_dvec_dot(own, goal) >= cosine)
        return base;
    anim_dquat turn = anim_dquat_between(own, goal, anim_dvec_square_to(own));
    return anim_dquat_normalize(anim_dquat_mul(turn, base));
}

static anim_dvec square(anim_dvec v, anim_dvec axis)
{
    return anim_dvec_normalize(anim_dvec_sub(v, anim_dvec_scale(axis, anim_dvec_dot(v, axis))),
                               nowhere);
}

// Brings `own` to `goal`, then `own_side` as near to `goal_side` as a turn about that can.
static anim_dquat fit(anim_dvec own, anim_dvec own_side, anim_dvec goal, anim_dvec goal_side)
{
    if (is_zero(own) || is_zero(goal))
        return ANIM_DQUAT_IDENTITY;
    anim_dquat turn = anim_dquat_between(own, goal, anim_dvec_square_to(own));
    anim_dvec from = square(anim_dquat_rotate(turn, own_side), goal), to = square(goal_side, goal);
    if (is_zero(from) || is_zero(to))
        return turn;
    return anim_dquat_normalize(anim_dquat_mul(anim_dquat_between(from, to, goal), turn));
}

static bool is_small(anim_dquat q, double cosine_of_half)
{
    return fabs(q.w) >= cosine_of_half;
}

static anim_dvec middle(const anim_retarget* r, uint32_t limb, int side)
{
    anim_dvec a = place_of(r, r->limbs[limb].upper, side);
    anim_dvec b = place_of(r, r->limbs[limb + 1].upper, side);
    return anim_dvec_scale(anim_dvec_add(a, b), .5);
}

// Turn of hips or chest: by the long line of the trunk and the line through both limbs.
static anim_dquat fit_trunk(const anim_retarget* r, uint32_t limb)
{
    anim_dvec lines[2] = {nowhere, nowhere}, sides[2];
    for (int side = 0; side < 2; side++) {
        anim_dvec v = nowhere;
        if (r->hips >= 0 && r->limb_count > 2)
            v = anim_dvec_sub(middle(r, 2, side), middle(r, 0, side));
        else if (r->hips >= 0 && r->pairs[r->hips].along >= 0)
            v = anim_dvec_sub(place_of(r, r->pairs[r->hips].along, side), middle(r, 0, side));
        lines[side] = into_target(r, anim_dvec_normalize(v, nowhere), side);
        sides[side] = between(r, r->limbs[limb].upper, r->limbs[limb + 1].upper, side);
    }
    anim_dquat q = fit(lines[1], sides[1], lines[0], sides[0]);
    return is_small(q, spine_half) ? ANIM_DQUAT_IDENTITY : q;
}

// Turn that brings the directions to several children nearest to the source's: their mean, then about it.
static anim_dquat fit_children(const anim_retarget* r, int32_t pair, anim_dquat base)
{
    anim_dvec mean[2] = {nowhere, nowhere}, spread[2] = {nowhere, nowhere};
    int32_t first = r->pairs[pair].child, last = first;
    for (int32_t c = first; c >= 0; c = r->pairs[c].next) {
        for (int side = 0; side < 2; side++)
            mean[side] = anim_dvec_add(mean[side], between(r, pair, c, side));
        last = c;
    }
    for (int side = 0; side < 2; side++) {
        mean[side] = anim_dvec_normalize(mean[side], nowhere);
        spread[side] = anim_dvec_sub(between(r, pair, last, side), between(r, pair, first, side));
        if (side == 1) {
            mean[side] = anim_dquat_rotate(base, mean[side]);
            spread[side] = anim_dquat_rotate(base, spread[side]);
        }
    }
    return fit(mean[1], spread[1], mean[0], spread[0]);
}

// --- pairs by what they are -----------------------------------------------------------------------

static anim_dquat align_end(const anim_retarget* r, int32_t pair, anim_dquat base)
{
    const anim_pair* p = &r->pairs[pair];
    if (r->limbs[p->limb].is_leg) {
        // Soles are flat in both rest poses, whatever the way from ankle to toes.
        anim_dquat body = r->hips < 0 ? ANIM_DQUAT_IDENTITY : r->pairs[r->hips].align;
        anim_dquat away = anim_dquat_mul(base, anim_dquat_conjugate(body));
        anim_dvec goal = direction(r, pair, 0), own = direction(r, pair, 1);
        if (is_zero(goal) || is_zero(own) || p->along < 0)
            return is_small(away, foot_half) ? body : base;
        bool is_flat = anim_dvec_dot(anim_dquat_rotate(body, own), goal) >= foot;
        return is_flat ? body : swing(r, pair, base, 1);
    }
    if (p->child < 0 || r->pairs[p->child].next < 0)
        return p->along < 0 ? base : swing(r, pair, base, hand);
    anim_dquat turn = fit_children(r, pair, base);
    return is_small(turn, spine_half) ? base : anim_dquat_normalize(anim_dquat_mul(turn, base));
}

// Of the spine the chest's part that it is along the way from the hips.
static bool align_spine(anim_retarget* r)
{
    if (r->hips < 0 || r->chest < 0 || r->hips == r->chest)
        return false;
    double whole = r->pairs[r->chest].depth - r->pairs[r->hips].depth;
    anim_dquat hips = r->pairs[r->hips].align, chest = fit_trunk(r, 2);
    for (int32_t at = r->chest; at >= 0 && at != r->hips; at = r->pairs[at].parent) {
        double part = (r->pairs[at].depth - r->pairs[r->hips].depth) / whole;
        r->pairs[at].align = anim_dquat_nlerp(hips, chest, part);
    }
    return true;
}

static bool is_on_spine(const anim_retarget* r, int32_t pair)
{
    if (r->hips < 0 || r->chest < 0)
        return pair == r->chest;
    int32_t at = r->chest;
    while (at >= 0 && at != pair && at != r->hips)
        at = r->pairs[at].parent;
    return at == pair;
}

static anim_dquat align_pair(const anim_retarget* r, int32_t pair)
{
    const anim_pair* p = &r->pairs[pair];
    anim_dquat base = p->parent < 0 ? ANIM_DQUAT_IDENTITY : r->pairs[p->parent].align;
    switch (p->part) {
    case ANIM_PART_BASE: return ANIM_DQUAT_IDENTITY;
    case ANIM_PART_HIPS: return fit_trunk(r, 0);
    case ANIM_PART_TRUNK:
        if (pair == r->chest)
            return fit_trunk(r, 0);
        return swing(r, pair, base, neck);
    case ANIM_PART_GIRDLE: return swing(r, pair, base, girdle);
    case ANIM_PART_BONE: return swing(r, pair, base, 1);
    case ANIM_PART_END: return align_end(r, pair, base);
    case ANIM_PART_DIGIT: return swing(r, pair, base, r->limbs[p->limb].is_leg ? foot : 1);
    default: break;
    }
    if (p->child >= 0 && r->pairs[p->child].next >= 0) {
        anim_dquat turn = fit_children(r, pair, base);
        return is_small(turn, spine_half) ? base : anim_dquat_normalize(anim_dquat_mul(turn, base));
    }
    return p->along < 0 ? base : swing(r, pair, base, 1);
}

void anim_retarget_align(anim_retarget* r)
{
    for (uint32_t i = 0; i < r->pair_count; i++) {
        int32_t pair = (int32_t)r->order[i];
        bool is_made = r->hips >= 0 && r->hips != r->chest && pair != r->hips &&
                       is_on_spine(r, pair);
        if (!is_made)
            r->pairs[pair].align = align_pair(r, pair);
        if (pair == r->hips)
            align_spine(r);
    }
    for (uint32_t i = 0; i < r->pair_count; i++) {
        anim_pair* p = &r->pairs[i];
        anim_dquat own = anim_dquat_mul(p->align, r->rig[1].reference[p->joint[1]].q);
        anim_dquat back = anim_dquat_mul(r->body, r->rig[0].reference[p->joint[0]].q);
        p->after = anim_dquat_mul(anim_dquat_conjugate(back), own);
        p->bone = direction(r, (int32_t)i, 0);
        p->is_pointing = p->part == ANIM_PART_BONE && p->along >= 0 && !is_zero(p->bone) &&
                         !anim_skeleton_is_below(r->rig[0].skeleton, r->pairs[p->along].joint[0],
                                                 p->joint[0]);
    }
}
