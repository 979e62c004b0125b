// SPDX-License-Identifier: MIT
// Feet kept on the floor: legs of other proportions are bent so that the feet are as far above it as the
// source's, in scale, and stay where the source's stay.
#include "pose/retarget.h"

static anim_dvec flat(anim_dvec v, anim_dvec up)
{
    return anim_dvec_sub(v, anim_dvec_scale(up, anim_dvec_dot(v, up)));
}

// The turn about `up` that is contained in q.
static anim_dquat heading(anim_dquat q, anim_dvec up)
{
    double along = q.x * up.x + q.y * up.y + q.z * up.z;
    return anim_dquat_normalize((anim_dquat){along * up.x, along * up.y, along * up.z, q.w});
}

// Both skeletons have a toe.
static bool has_toes(const anim_kept_leg* leg)
{
    return leg->toe[0] >= 0 && leg->toe[1] >= 0;
}

// --- legs -----------------------------------------------------------------------------------------

// The pair's child, else the joint below the foot that is farthest from it.
static int32_t find_toe(const anim_retarget* r, int32_t foot, int side)
{
    const anim_rig* rig = &r->rig[side];
    const anim_pair* p = &r->pairs[foot];
    if (p->along >= 0)
        return r->pairs[p->along].joint[side];
    int32_t best = -1;
    double most = 0;
    for (uint32_t j = p->joint[side] + 1u; j < rig->skeleton->joint_count; j++) {
        if (rig->skeleton->parents[j] < p->joint[side])
            break;
        double length = anim_dvec_length(anim_dvec_sub(
            anim_placed_at(&rig->reference[j]), anim_placed_at(&rig->reference[p->joint[side]])));
        if (length > most) {
            best = (int32_t)j;
            most = length;
        }
    }
    return best;
}

static void add_leg(anim_target* t, int32_t upper, int32_t lower, int32_t foot)
{
    t->legs[t->leg_count++] = (anim_kept_leg){
        .upper = upper,
        .lower = lower,
        .foot = foot,
        .toe = {find_toe(t->r, foot, 0), find_toe(t->r, foot, 1)}};
}

static anim_code add_told_leg(anim_target* t, int32_t joint, anim_error* err)
{
    const anim_retarget* r = t->r;
    const char* name = anim_skeleton_name(r->rig[1].skeleton, (uint32_t)joint);
    int32_t foot = r->rig[1].pair_of[joint];
    if (foot < 0)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "feet: nothing drives '%s'", name);
    int32_t lower = r->pairs[foot].parent, upper = lower < 0 ? -1 : r->pairs[lower].parent;
    for (uint32_t i = 0; i < r->limb_count; i++)
        if (r->limbs[i].end == foot) {
            lower = r->limbs[i].lower;
            upper = r->limbs[i].upper;
        }
    if (upper < 0)
        return anim_fail(err, ANIM_ERR_ARGUMENT,
                         "feet: '%s' needs two joints above it that are in the map", name);
    add_leg(t, upper, lower, foot);
    return ANIM_OK;
}

static anim_code list_legs(anim_target* t, anim_error* err)
{
    const anim_retarget* r = t->r;
    for (int i = 0; i < 2; i++) {
        anim_code code = r->desc->foot[i] < 0 ? ANIM_OK : add_told_leg(t, r->desc->foot[i], err);
        if (code)
            return code;
    }
    for (uint32_t i = 0; i < r->limb_count && r->desc->foot[0] < 0 && r->desc->foot[1] < 0; i++)
        if (r->limbs[i].is_leg && r->limbs[i].end >= 0)
            add_leg(t, r->limbs[i].upper, r->limbs[i].lower, r->limbs[i].end);
    if (t->leg_count == 0)
        return anim_fail(err, ANIM_ERR_ARGUMENT,
                         "feet: the map has no two legs of three joints (name the feet's joints)");
    if (r->root < 0)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "feet: no joint carries the body (see 'root')");
    return ANIM_OK;
}

// --- standing -------------------------------------------------------------------------------------

// Foot (0) or toe (1), which is the foot where there is none.
static anim_dvec point(const anim_target* t, const anim_kept_leg* leg, int which, int side,
                       const anim_placed* placed)
{
    if (which == 1 && leg->toe[side] >= 0)
        return anim_placed_at(&placed[leg->toe[side]]);
    return anim_pair_at(t->r, leg->foot, side, placed);
}

// A source whose reference pose isn't one of standing: its feet stand where they come lowest.
static void watch_feet(anim_target* t, anim_retarget* r)
{
    double low[2] = {1e300, 1e300};
    for (uint32_t key = 0; key < r->time_count; key++) {
        anim_retarget_sample(r, (double)r->times[key]);
        for (uint32_t i = 0; i < t->leg_count; i++)
            for (int k = 0; k < 2; k++) {
                double h = anim_dvec_dot(point(t, &t->legs[i], k, 0, r->placed), r->up);
                low[k] = h < low[k] ? h : low[k];
            }
    }
    for (uint32_t i = 0; i < t->leg_count; i++)
        for (int k = 0; k < 2; k++)
            t->legs[i].stand[0][k] = low[k];
}

static void find_standing(anim_target* t, anim_retarget* r)
{
    const anim_rig *from = &r->rig[0], *to = &r->rig[1];
    for (uint32_t i = 0; i < t->leg_count; i++)
        for (int k = 0; k < 2; k++) {
            anim_kept_leg* leg = &t->legs[i];
            leg->stand[0][k] = anim_dvec_dot(point(t, leg, k, 0, from->reference), from->up) -
                               from->ground + r->floor;
            leg->stand[1][k] = anim_dvec_dot(point(t, leg, k, 1, to->reference), to->up);
        }
    if (!from->stands)
        watch_feet(t, r);
}

// In the target as it is placed; its toe may not be among the joints that are.
static anim_dvec toward_toe(const anim_target* t, const anim_kept_leg* leg)
{
    return anim_dquat_rotate(t->rotations[leg->foot], leg->toe_offset);
}

// Where the target's foot is beside the scaled source's, both in their reference poses.
static void find_offset(const anim_target* t, anim_kept_leg* leg)
{
    const anim_retarget* r = t->r;
    const anim_placed *from = r->rig[0].reference, *to = r->rig[1].reference;
    anim_dvec away = anim_dvec_sub(point(t, leg, 1, 1, to), point(t, leg, 0, 1, to));
    anim_dquat q = to[r->pairs[leg->foot].joint[1]].q;
    leg->toe_offset = anim_dquat_rotate(anim_dquat_conjugate(q), away);
    int which = has_toes(leg);
    anim_dvec own = anim_dvec_sub(point(t, leg, 0, 1, t->placed),
                                  anim_pair_at(r, r->root, 1, t->placed));
    if (which)
        own = anim_dvec_add(own, toward_toe(t, leg));
    anim_dvec other = anim_dvec_sub(point(t, leg, which, 0, from),
                                    anim_pair_at(r, r->root, 0, from));
    other = anim_dvec_scale(anim_dquat_rotate(r->body, other), r->scale);
    leg->offset = flat(anim_dvec_sub(own, other), r->rig[1].up);
}

// Upper, lower and foot as they stand in model space, each in the space of the one before.
static void list_chain(const anim_target* t, const anim_kept_leg* leg, anim_xform out[3])
{
    int32_t chain[3] = {leg->upper, leg->lower, leg->foot};
    anim_dvec above = {0, 0, 0};
    anim_dquat turn = ANIM_DQUAT_IDENTITY;
    for (int i = 0; i < 3; i++) {
        anim_dvec at = anim_pair_at(t->r, chain[i], 1, t->placed);
        anim_dquat back = anim_dquat_conjugate(turn);
        anim_dvec away = anim_dquat_rotate(back, anim_dvec_sub(at, above));
        anim_dquat q = anim_dquat_normalize(anim_dquat_mul(back, t->rotations[chain[i]]));
        out[i] = (anim_xform){
            {anim_dvec_number(away.x), anim_dvec_number(away.y), anim_dvec_number(away.z)},
            {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
            {1, 1, 1}};
        turn = t->rotations[chain[i]];
        above = at;
    }
}

static double length(const float v[3])
{
    return anim_dvec_length(anim_dvec_from(v));
}

static anim_code make_rig(const anim_target* t, anim_kept_leg* leg, anim_error* err)
{
    anim_xform chain[3];
    list_chain(t, leg, chain);
    leg->length = length(chain[1].t) + length(chain[2].t);
    const anim_joint_desc joints[3] = {
        {"upper", -1, chain[0]}, {"lower", 0, chain[1]}, {"foot", 1, chain[2]}};
    return anim_skeleton_create(joints, 3, NULL, &leg->rig, err);
}

anim_code anim_target_find_legs(anim_target* t, anim_retarget* r, anim_error* err)
{
    if (!r->desc->feet)
        return ANIM_OK;
    anim_code code = list_legs(t, err);
    if (code)
        return code;
    find_standing(t, r);
    for (uint32_t i = 0; i < t->leg_count && !code; i++) {
        find_offset(t, &t->legs[i]);
        code = make_rig(t, &t->legs[i], err);
    }
    return code;
}

// --- a leg at a time ------------------------------------------------------------------------------

// 1 on the floor, 0 from 15 hundredths of the leg's length on.
static double weight_of(double above, double leg)
{
    double u = leg > 0 ? above / (.15 * leg) : 1;
    return u < 0 ? 1 : u < 1 ? (1 - u) * (1 - u) * (1 + 2 * u) : 0;
}

// Where the target's toe (foot) would be, level, if it stood where the source's does.
static anim_dvec stand_at(const anim_target* t, const anim_kept_leg* leg, const anim_placed* source)
{
    const anim_retarget* r = t->r;
    const anim_pair *root = &r->pairs[r->root], *foot = &r->pairs[leg->foot];
    anim_dvec place = anim_dvec_sub(point(t, leg, has_toes(leg), 0, source), root->base);
    place = anim_dvec_scale(anim_dquat_rotate(r->turn, place), r->scale);
    anim_dquat rest = anim_dquat_mul(foot->align, r->rig[1].reference[foot->joint[1]].q);
    anim_dquat turn = anim_dquat_mul(t->rotations[leg->foot], anim_dquat_conjugate(rest));
    anim_dvec offset = anim_dquat_rotate(heading(turn, r->rig[1].up), leg->offset);
    return anim_dvec_add(anim_dvec_add(place, root->at), offset);
}

static double lower_of(double a, double b)
{
    return a < b ? a : b;
}

// Place of the target's foot. The nearer the source's is to the floor, the more it stays where that stays
// and as far above the floor, in scale; neither foot nor toe sinks in.
static anim_dvec goal(const anim_target* t, const anim_kept_leg* leg, const anim_placed* source)
{
    const anim_retarget* r = t->r;
    anim_dvec up = r->rig[1].up, free = point(t, leg, 0, 1, t->placed), toe = toward_toe(t, leg);
    double heights[2][2];
    for (int k = 0; k < 2; k++) {
        heights[0][k] = anim_dvec_dot(point(t, leg, k, 0, source), r->up) - leg->stand[0][k];
        heights[1][k] = anim_dvec_dot(free, up) - leg->stand[1][k];
    }
    heights[1][1] += anim_dvec_dot(toe, up);
    double wanted = heights[0][0], own = heights[1][0], low = lower_of(own, heights[1][1]);
    if (has_toes(leg)) {
        wanted = lower_of(wanted, heights[0][1]);
        own = low;
    }
    wanted = wanted > 0 ? wanted * r->scale : 0;
    double weight = weight_of(wanted, leg->length), rise = (wanted - own) * weight;
    rise = low + rise < 0 ? -low : rise;

    anim_dvec fixed = stand_at(t, leg, source);
    if (has_toes(leg))
        fixed = anim_dvec_sub(fixed, toe);
    anim_dvec way = anim_dvec_scale(flat(anim_dvec_sub(fixed, free), up), weight);
    return anim_dvec_add(anim_dvec_add(free, way), anim_dvec_scale(up, rise));
}

static void keep_foot(anim_target* t, anim_kept_leg* leg, const anim_placed* source)
{
    anim_xform chain[3];
    anim_pose_group pose;
    list_chain(t, leg, chain);
    anim_pose_to_rest(leg->rig, &pose);
    for (uint32_t i = 0; i < 3; i++)
        anim_pose_set(leg->rig, &pose, i, &chain[i]);
    anim_dvec to = goal(t, leg, source);
    anim_two_bone solver = {
        .root = 0,
        .mid = 1,
        .tip = 2,
        .target = {anim_dvec_number(to.x), anim_dvec_number(to.y), anim_dvec_number(to.z)},
        .weight = 1,
        .soft = 1,
        .stretch = 1,
        .rotation = ANIM_IK_ROTATION_LOCAL};
    anim_bend before = leg->bend;
    anim_ik_two_bone(leg->rig, &pose, &solver, &before, &leg->bend);
    anim_dquat upper = anim_ik_local_of(leg->rig, &pose, 0).q;
    t->rotations[leg->upper] = anim_dquat_normalize(upper);
    t->rotations[leg->lower] = anim_dquat_normalize(
        anim_dquat_mul(upper, anim_ik_local_of(leg->rig, &pose, 1).q));
}

void anim_target_keep_feet(anim_target* t, const anim_placed* source)
{
    for (uint32_t i = 0; i < t->leg_count; i++)
        keep_foot(t, &t->legs[i], source);
    if (t->leg_count > 0)
        anim_target_place(t);
}
