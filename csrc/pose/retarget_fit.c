// SPDX-License-Identifier: MIT
// How the two skeletons stand in their model spaces: what is up, where the floor is, how large they are.
#include "pose/retarget.h"

static const double cosine_20 = 0.93969262078590838, cosine_40 = 0.76604444311897803,
                    cosine_45 = 0.70710678118654752, cosine_60 = 0.5;

static const anim_dvec nowhere = {0, 0, 0}, upward = {0, 1, 0};

void anim_retarget_sample(anim_retarget* r, double time)
{
    anim_clip_sample(r->clip, time, r->pose);
    anim_placed_all(r->rig[0].skeleton, r->pose, r->placed);
}

enum { most_looks = 128 };

uint32_t anim_retarget_look_count(const anim_retarget* r)
{
    return r->time_count < most_looks ? r->time_count : most_looks;
}

void anim_retarget_look(anim_retarget* r, uint32_t look)
{
    uint32_t last = anim_retarget_look_count(r) - 1;
    uint32_t key = last == 0 ? 0 : (uint32_t)((uint64_t)look * (r->time_count - 1) / last);
    anim_retarget_sample(r, (double)r->times[key]);
}

// --- directions of a body -------------------------------------------------------------------------

typedef struct body {
    anim_dvec up;        // from the legs' tips to the limbs' roots
    anim_dvec legs;      // from the legs' tips to their roots
    anim_dvec trunk;     // from the legs' roots to the arms'
    anim_dvec across[2]; // from one side to the other: legs, arms
} body;

static anim_dvec unit(anim_dvec v)
{
    return anim_dvec_normalize(v, nowhere);
}

// `placed`: a pose of that side's skeleton.
static body look_at_body(const anim_retarget* r, int side, const anim_placed* placed)
{
    anim_dvec roots[2] = {nowhere, nowhere}, tips = nowhere, across[2] = {nowhere, nowhere};
    double counts[2] = {0, 0};
    for (uint32_t i = 0; i < r->limb_count; i++) {
        const anim_limb* limb = &r->limbs[i];
        int kind = i < 2 && r->hips >= 0 ? 0 : 1; // the legs come first
        anim_dvec root = anim_pair_at(r, limb->upper, side, placed);
        roots[kind] = anim_dvec_add(roots[kind], root);
        counts[kind]++;
        across[kind] = i % 2 ? anim_dvec_sub(across[kind], root) : root;
        if (kind == 0)
            tips = anim_dvec_add(
                tips, anim_pair_at(r, limb->end >= 0 ? limb->end : limb->tip, side, placed));
    }
    body b = {.across = {unit(across[0]), unit(across[1])}};
    if (counts[0] == 0)
        return b;
    anim_dvec legs = anim_dvec_scale(roots[0], 1 / counts[0]);
    anim_dvec low = anim_dvec_scale(tips, 1 / counts[0]);
    anim_dvec all = anim_dvec_scale(anim_dvec_add(roots[0], roots[1]), 1 / (counts[0] + counts[1]));
    b.up = unit(anim_dvec_sub(all, low));
    b.legs = unit(anim_dvec_sub(legs, low));
    if (counts[1] > 0)
        b.trunk = unit(anim_dvec_sub(anim_dvec_scale(roots[1], 1 / counts[1]), legs));
    return b;
}

static bool is_zero(anim_dvec v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// The legs of a body that stands go down, the trunk of one with arms goes up.
static bool is_upright(const anim_retarget* r, const body* b)
{
    bool has_arms = r->limb_count > 2 && !r->limbs[2].is_leg;
    return anim_dvec_dot(b->legs, b->up) > cosine_45 &&
           (!has_arms || anim_dvec_dot(b->trunk, b->up) > cosine_40);
}

// And its sides agree.
static bool does_stand(const anim_retarget* r, const body* b)
{
    if (r->hips < 0)
        return true;
    return is_upright(r, b) && !is_zero(b->across[0]) &&
           (r->limb_count <= 2 || anim_dvec_dot(b->across[0], b->across[1]) > cosine_60);
}

// The first arm is to be on the side of the first leg: as the skeleton has it that is upright, else that
// shows it more.
static void match_sides(anim_retarget* r)
{
    if (r->hips < 0 || r->limb_count <= 2)
        return;
    body b[2] = {look_at_body(r, 0, r->rig[0].reference), look_at_body(r, 1, r->rig[1].reference)};
    bool upright[2] = {is_upright(r, &b[0]), is_upright(r, &b[1])};
    double same[2] = {anim_dvec_dot(b[0].across[0], b[0].across[1]),
                      anim_dvec_dot(b[1].across[0], b[1].across[1])};
    int side = upright[0] != upright[1] ? upright[1] : fabs(same[1]) > fabs(same[0]);
    if (same[side] >= 0)
        return;
    anim_limb swap = r->limbs[2];
    r->limbs[2] = r->limbs[3];
    r->limbs[3] = swap;
    for (uint32_t i = 0; i < r->pair_count; i++)
        if (r->pairs[i].limb == 2 || r->pairs[i].limb == 3)
            r->pairs[i].limb = 5 - r->pairs[i].limb;
}

static anim_dvec nearest_axis(anim_dvec v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    if (y >= x && y >= z)
        return (anim_dvec){0, v.y < 0 ? -1 : 1, 0};
    return x >= z ? (anim_dvec){v.x < 0 ? -1 : 1, 0, 0} : (anim_dvec){0, 0, v.z < 0 ? -1 : 1};
}

static void find_up(anim_retarget* r, int side)
{
    anim_rig* rig = &r->rig[side];
    body b = look_at_body(r, side, rig->reference);
    rig->stands = does_stand(r, &b);
    rig->up = rig->stands && !is_zero(b.up) ? nearest_axis(b.up) : upward;
}

// --- R and S --------------------------------------------------------------------------------------

static anim_dvec flat(anim_dvec v, anim_dvec up)
{
    return anim_dvec_sub(v, anim_dvec_scale(up, anim_dvec_dot(v, up)));
}

// From side to side, level; along an axis if the body stands nearly so at rest.
static anim_dvec find_across(const anim_retarget* r, int side)
{
    const anim_rig* rig = &r->rig[side];
    body b = look_at_body(r, side, rig->reference);
    anim_dvec sum = is_zero(b.across[0]) || !rig->stands ? b.across[0] : nowhere;
    if (is_zero(sum))
        sum = anim_dvec_add(b.across[0], b.across[1]);
    anim_dvec across = unit(flat(sum, rig->up)), axis = nearest_axis(across);
    bool is_square = rig->stands && anim_dvec_dot(across, axis) > cosine_20;
    return is_square && anim_dvec_dot(axis, rig->up) == 0 ? axis : across;
}

static anim_dquat turn_up(anim_dvec from, anim_dvec to)
{
    return anim_dquat_between(from, to, anim_dvec_square_to(from));
}

// Takes up to up and side to side.
static anim_dquat find_turn(const anim_retarget* r)
{
    const anim_rig *from = &r->rig[0], *to = &r->rig[1];
    anim_dquat up = turn_up(from->up, to->up);
    anim_dvec source = find_across(r, 0), target = find_across(r, 1);
    if (is_zero(source) || is_zero(target))
        return up;
    source = anim_dquat_rotate(up, source);
    return anim_dquat_normalize(anim_dquat_mul(anim_dquat_between(source, target, to->up), up));
}

// The lowest joint of the legs, and below them; 0 where there are none.
static double lowest(const anim_retarget* r, int side, anim_dvec up, const anim_placed* placed)
{
    const anim_rig* rig = &r->rig[side];
    double low = 1e300;
    for (uint32_t j = 0; j < rig->skeleton->joint_count; j++) {
        double height = anim_dvec_dot(anim_placed_at(&placed[j]), up);
        if (rig->is_low[j] && height < low)
            low = height;
    }
    return low < 1e300 ? low : 0;
}

// Mean height of the legs' roots, and how long the legs are, without what is below their ends.
typedef struct stature {
    double root, length;
} stature;

static stature measure_legs(const anim_retarget* r, int side)
{
    const anim_rig* rig = &r->rig[side];
    stature s = {0, 0};
    for (int i = 0; i < 2; i++) {
        const anim_limb* limb = &r->limbs[i];
        int32_t chain[3] = {limb->upper, limb->lower, limb->end};
        s.root += anim_dvec_dot(anim_pair_at(r, limb->upper, side, rig->reference), rig->up) / 2;
        for (int k = 1; k < 3 && chain[k] >= 0; k++)
            s.length += anim_dvec_length(
                            anim_dvec_sub(anim_pair_at(r, chain[k], side, rig->reference),
                                          anim_pair_at(r, chain[k - 1], side, rig->reference))) /
                        2;
    }
    return s;
}

// The floor is at height 0, unless a body that stands reaches well below it.
static void find_ground(anim_retarget* r, int side)
{
    anim_rig* rig = &r->rig[side];
    rig->ground = 0;
    if (r->hips < 0)
        return;
    double low = lowest(r, side, rig->up, rig->reference);
    bool is_above = low >= -.1 * (measure_legs(r, side).root - low);
    rig->ground = is_above && rig->stands ? 0 : low;
}

// --- the source's motion --------------------------------------------------------------------------

// Up is what it is at rest, or y: whichever is nearer to how the body stands in the mean. Without a rest
// pose to trust it may be z.
static void find_motion_up(anim_retarget* r)
{
    anim_rig* rig = &r->rig[0];
    r->up = rig->up;
    if (r->hips < 0)
        return;
    anim_dvec sum = nowhere;
    for (uint32_t i = 0; i < anim_retarget_look_count(r); i++) {
        anim_retarget_look(r, i);
        sum = anim_dvec_add(sum, look_at_body(r, 0, r->placed).up);
    }
    anim_dvec other = rig->stands ? rig->up : (anim_dvec){0, 0, 1};
    r->up = anim_dvec_dot(sum, other) > anim_dvec_dot(sum, upward) ? other : upward;
}

// The floor of the motion: that of the rest pose, or about height 0, whichever is nearer to the lowest that the
// legs come; where they never come near it from below, that itself.
static void find_floor(anim_retarget* r)
{
    r->floor = 0;
    if (r->hips < 0)
        return;
    double low = 1e300, high = -1e300, length = measure_legs(r, 0).length;
    double at_rest = r->rig[0].ground;
    r->ankle = 1e300;
    for (uint32_t i = 0; i < anim_retarget_look_count(r); i++) {
        anim_retarget_look(r, i);
        double height = lowest(r, 0, r->up, r->placed);
        low = height < low ? height : low;
        high = height > high ? height : high;
        for (uint32_t k = 0; k < r->limb_count; k++) {
            const anim_limb* limb = &r->limbs[k];
            int32_t end = limb->end >= 0 ? limb->end : limb->tip;
            height = anim_dvec_dot(anim_pair_at(r, end, 0, r->placed), r->up);
            if (limb->is_leg && height < r->ankle)
                r->ankle = height;
        }
    }
    if (r->rig[0].stands && fabs(low - at_rest) <= fabs(low))
        r->floor = at_rest;
    else if (low < .15 * length)
        r->floor = low;
    if (high < r->floor - .25 * length)
        r->floor = low;
}

// --- size -----------------------------------------------------------------------------------------

// Length of the pair's bone, in both.
static void add_bone(const anim_retarget* r, int32_t pair, double sizes[2])
{
    for (int side = 0; side < 2 && r->pairs[pair].parent >= 0; side++)
        sizes[side] += anim_dvec_length(
            anim_dvec_sub(anim_pair_at(r, pair, side, r->rig[side].reference),
                          anim_pair_at(r, r->pairs[pair].parent, side, r->rig[side].reference)));
}

// By the length of the legs, so that steps fit; where there are none, by that of all bones together.
static void find_scale(anim_retarget* r)
{
    double sizes[2] = {0, 0};
    for (int side = 0; side < 2 && r->hips >= 0; side++) {
        stature s = measure_legs(r, side);
        sizes[side] = s.length;
        r->tall[side] = s.root - r->rig[side].ground;
    }
    if (!(sizes[0] > 0) || !(sizes[1] > 0))
        for (uint32_t i = 0; i < r->pair_count; i++)
            add_bone(r, (int32_t)i, sizes);
    double scale = sizes[1] / sizes[0];
    r->scale = sizes[0] > 0 && sizes[1] > 0 && scale > 1e-9 && scale < 1e9 ? scale : 1;
}

// --- fit ------------------------------------------------------------------------------------------

static void refer_to(anim_retarget* r, const anim_pose_group* pose)
{
    anim_rig* rig = &r->rig[0];
    rig->pose = pose;
    anim_placed_all(rig->skeleton, pose, rig->reference);
    body b = look_at_body(r, 0, rig->reference);
    rig->up = is_zero(b.up) ? upward : nearest_axis(b.up);
}

// A rest pose in which nobody could stand says nothing about its joints (motion capture often has
// such): the clip's first pose is looked at instead.
static bool choose_reference(anim_retarget* r)
{
    if (r->desc->source) {
        refer_to(r, r->desc->source);
        find_up(r, 0);
    } else if (!r->rig[0].stands) {
        size_t groups = r->rig[0].skeleton->group_count;
        anim_pose_group* first = anim_arena_alloc(r->arena, groups, sizeof *first);
        if (!first)
            return false;
        anim_clip_sample(r->clip, (double)r->times[0], first);
        refer_to(r, first);
        r->is_seen = true;
    } else {
        return true;
    }
    r->body = find_turn(r);
    return anim_retarget_link(r);
}

bool anim_retarget_fit(anim_retarget* r)
{
    const anim_rig* from = &r->rig[0];
    r->pose = anim_arena_alloc(r->arena, from->skeleton->group_count, sizeof *r->pose);
    r->placed = anim_arena_alloc(r->arena, from->skeleton->joint_count, sizeof *r->placed);
    if (!r->pose || !r->placed)
        return false;
    match_sides(r);
    find_up(r, 0);
    find_up(r, 1);
    r->body = find_turn(r);
    find_motion_up(r);
    bool is_level = from->stands && anim_dvec_dot(r->up, from->up) > cosine_45;
    r->turn = is_level ? r->body : turn_up(r->up, r->rig[1].up);
    if (!choose_reference(r))
        return false;
    find_ground(r, 0);
    find_ground(r, 1);
    find_floor(r);
    if (r->is_seen)
        r->rig[0].ground = r->floor;
    find_scale(r);
    return true;
}
