// SPDX-License-Identifier: MIT
#include "pose/ik_two_bone.h"

#include "math/range.h"
#include "math/trig.h"
#include "pose/ik_uneven.h"

#include <float.h>
#include <string.h>

static const double sine_of_5_degrees = 0.087155742747658174;
static const double least_bone = 1e-6; // of the chain's length

_Static_assert(sizeof(anim_bend) == 16, "it is hashed: no padding");

// The chain as it stands. "Root space" is the space of the root's parent turned back by the root's rotation
// and with the root in its origin: what is below moves rigidly with the root there, whatever its scale.
typedef struct limb {
    anim_dvec place, scale; // the root's
    anim_dquat root, mid;   // rotations
    anim_dvec tip;          // mid to tip in mid's space, scaled: what mid's rotation turns
    anim_dvec arm;          // the same, turned: in the space of mid's parent
    anim_dvec upper, lower; // root to mid and mid to tip in root space; unit, or zero
    double upper_length, lower_length;
    bool is_even;    // from the space of mid's parent to root space is a factor
    bool is_similar; // or a factor and a turn
    bool is_stiff;   // or flat: mid can't bend anything
    double factor;
    double up[3][4], down[3][4]; // where it is not even: to root space, and back
} limb;

static anim_dvec bounded(anim_dvec v, double most)
{
    return (anim_dvec){anim_clamp(v.x, -most, most), anim_clamp(v.y, -most, most),
                       anim_clamp(v.z, -most, most)};
}

// Place of `joint` in the space of a joint above it.
static anim_dvec place_below(const anim_skeleton* skeleton, const anim_pose_group* pose,
                             uint32_t joint, uint32_t above)
{
    anim_dvec place = anim_ik_local_of(skeleton, pose, joint).t;
    for (uint32_t j = (uint32_t)skeleton->parents[joint]; j != above;
         j = (uint32_t)skeleton->parents[j]) {
        anim_ik_local local = anim_ik_local_of(skeleton, pose, j);
        place = bounded(anim_ik_local_point(&local, place), 1e60);
    }
    return place;
}

static anim_dvec column_of(const double m[3][4], int i)
{
    return (anim_dvec){m[0][i], m[1][i], m[2][i]};
}

static bool is_uniform(anim_dvec scale)
{
    return scale.x == scale.y && scale.y == scale.z;
}

// The matrices between root space and the space of mid's parent. False where there is no way back.
static bool read_uneven(const anim_skeleton* skeleton, const anim_pose_group* pose,
                        const anim_two_bone* d, limb* l)
{
    anim_dvec column[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t j = (uint32_t)skeleton->parents[d->mid];
    for (; j != d->root; j = (uint32_t)skeleton->parents[j]) {
        anim_ik_local local = anim_ik_local_of(skeleton, pose, j);
        l->is_similar = l->is_similar && is_uniform(local.s);
        for (int i = 0; i < 3; i++)
            column[i] = bounded(anim_dquat_rotate(local.q, anim_dvec_mul(local.s, column[i])),
                                1e30);
    }
    for (int i = 0; i < 3; i++) {
        anim_dvec v = bounded(anim_dvec_mul(l->scale, column[i]), 1e30);
        l->up[0][i] = v.x;
        l->up[1][i] = v.y;
        l->up[2][i] = v.z;
    }
    l->up[0][3] = l->up[1][3] = l->up[2][3] = 0;
    return anim_ik_invert((const double(*)[4])l->up, l->down);
}

static anim_dvec to_root_space(const limb* l, anim_dvec v)
{
    return l->is_even ? anim_dvec_scale(v, l->factor)
                      : anim_ik_direction((const double(*)[4])l->up, v);
}

static inline anim_dvec lanes_of(const float (*from)[ANIM_LANES], uint32_t i)
{
    return (anim_dvec){(double)from[0][i], (double)from[1][i], (double)from[2][i]};
}

static inline anim_dquat rotation_of(const anim_skeleton* skeleton, const anim_pose_group* pose,
                                     uint32_t joint)
{
    uint32_t slot = skeleton->slots[joint], i = slot % ANIM_LANES;
    const anim_pose_group* g = &pose[slot / ANIM_LANES];
    return (anim_dquat){(double)g->q[0][i], (double)g->q[1][i], (double)g->q[2][i],
                        (double)g->q[3][i]};
}

static inline void read_limb(const anim_skeleton* skeleton, const anim_pose_group* pose,
                             const anim_two_bone* d, limb* l)
{
    const uint16_t* slots = skeleton->slots;
    uint32_t at_root = slots[d->root], at_mid = slots[d->mid], at_tip = slots[d->tip];
    const anim_pose_group* root = &pose[at_root / ANIM_LANES];
    const anim_pose_group* mid = &pose[at_mid / ANIM_LANES];
    const anim_pose_group* end = &pose[at_tip / ANIM_LANES];
    anim_dvec elbow = lanes_of(mid->t, at_mid % ANIM_LANES);
    anim_dvec tip = lanes_of(end->t, at_tip % ANIM_LANES);
    anim_dvec s = lanes_of(root->s, at_root % ANIM_LANES);
    bool is_child = skeleton->parents[d->mid] == (int32_t)d->root;
    if (!is_child)
        elbow = place_below(skeleton, pose, d->mid, d->root);
    if (skeleton->parents[d->tip] != (int32_t)d->mid)
        tip = place_below(skeleton, pose, d->tip, d->mid);
    l->place = lanes_of(root->t, at_root % ANIM_LANES);
    l->scale = s;
    l->root = rotation_of(skeleton, pose, d->root);
    l->mid = rotation_of(skeleton, pose, d->mid);
    l->tip = anim_dvec_mul(lanes_of(mid->s, at_mid % ANIM_LANES), tip);
    l->arm = anim_dquat_rotate(l->mid, l->tip);
    l->is_similar = is_uniform(s);
    l->is_even = is_child && l->is_similar;
    l->factor = s.x;
    l->is_stiff = l->is_even ? s.x == 0 : !read_uneven(skeleton, pose, d, l);
    l->upper = anim_dvec_mul(s, elbow);
    l->lower = to_root_space(l, l->arm);
    l->upper_length = anim_dvec_length(l->upper);
    l->lower_length = anim_dvec_length(l->lower);
    double product = l->upper_length * l->lower_length;
    if (product > 1e-200) {
        double each = 1 / product;
        l->upper = anim_dvec_scale(l->upper, each * l->lower_length);
        l->lower = anim_dvec_scale(l->lower, each * l->upper_length);
    } else {
        l->upper = anim_dvec_scale(l->upper, 1 / anim_max(l->upper_length, 1e-200));
        l->lower = anim_dvec_scale(l->lower, 1 / anim_max(l->lower_length, 1e-200));
    }
}

static void read_rest(const anim_skeleton* skeleton, const anim_two_bone* d, limb* l)
{
    read_limb(skeleton, skeleton->rest, d, l);
}

// --- the bend plane -----------------------------------------------------------------------------------

// The normal of a plane (the cross product of two vectors in it) comes into another space by the matrix that
// leads back, transposed.
static anim_dvec carried(const limb* l, const double back[3][4], anim_dvec n)
{
    if (l->is_even || l->is_stiff)
        return n;
    anim_dvec x = column_of(back, 0), y = column_of(back, 1), z = column_of(back, 2);
    bool is_mirrored = anim_dvec_dot(anim_dvec_cross(x, y), z) < 0;
    n = (anim_dvec){anim_dvec_dot(x, n), anim_dvec_dot(y, n), anim_dvec_dot(z, n)};
    return anim_dvec_normalize(is_mirrored ? anim_dvec_scale(n, -1) : n, (anim_dvec){0, 0, 1});
}

static anim_dvec normal_to_root_space(const limb* l, anim_dvec n)
{
    return carried(l, (const double(*)[4])l->down, n);
}

static anim_dvec normal_to_mid_parent(const limb* l, anim_dvec n)
{
    return carried(l, (const double(*)[4])l->up, n);
}

// The part of v that is square to the unit vector `axis`, unit; any where there is none.
static anim_dvec squared(anim_dvec v, anim_dvec axis)
{
    v = anim_dvec_sub(v, anim_dvec_scale(axis, anim_dvec_dot(v, axis)));
    if (!(anim_dvec_dot(v, v) > 1e-24))
        return anim_dvec_square_to(axis);
    return anim_dvec_normalize(v, axis);
}

static anim_dvec least_axis(anim_dvec v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return x <= y && x <= z ? (anim_dvec){1, 0, 0}
           : y <= z         ? (anim_dvec){0, 1, 0}
                            : (anim_dvec){0, 0, 1};
}

// Of the rest pose, in its own root space: straight is what is bent by less than a thousandth.
static anim_dvec rest_normal(const limb* rest)
{
    anim_dvec n = anim_dvec_cross(rest->upper, rest->lower);
    if (!(anim_dvec_dot(n, n) > 1e-6)) {
        n = anim_dquat_rotate(rest->mid, least_axis(rest->tip));
        n = normal_to_root_space(rest, n);
        anim_dvec along = rest->lower_length > 0 ? rest->lower : rest->upper;
        return squared(n, anim_dvec_normalize(along, (anim_dvec){1, 0, 0}));
    }
    return anim_dvec_normalize(n, n);
}

// The animated chain is bent by less than 5 degrees, `n` is as long as that angle's sine.
static anim_dvec straight_normal(const anim_skeleton* skeleton, const anim_two_bone* d,
                                 const limb* l, anim_dvec n)
{
    limb rest;
    read_rest(skeleton, d, &rest);
    anim_dvec from = normal_to_mid_parent(&rest, rest_normal(&rest));
    from = anim_dquat_rotate(anim_dquat_conjugate(rest.mid), from);
    from = normal_to_root_space(l, anim_dquat_rotate(l->mid, from));
    double missing = sine_of_5_degrees - anim_dvec_length(n);
    return squared(anim_dvec_add(n, anim_dvec_scale(from, missing)), l->upper);
}

// The rest pose's plane, turned the least way so that its chain points along `ahead`; in the space of the
// root's parent.
static anim_dvec turned_rest_normal(const anim_skeleton* skeleton, const anim_two_bone* d,
                                    anim_dvec ahead)
{
    limb rest;
    read_rest(skeleton, d, &rest);
    anim_dvec n = rest_normal(&rest);
    anim_dvec along = anim_dvec_add(anim_dvec_scale(rest.upper, rest.upper_length),
                                    anim_dvec_scale(rest.lower, rest.lower_length));
    along = anim_dvec_normalize(along, anim_dvec_cross(n, rest.upper));
    n = anim_dquat_rotate(rest.root, squared(n, along));
    along = anim_dquat_rotate(rest.root, along);
    return squared(anim_dquat_rotate(anim_dquat_between(along, ahead, n), n), ahead);
}

// What is to be solved, in root space.
typedef struct task {
    const anim_skeleton* skeleton;
    const anim_two_bone* desc;
    const limb* limb;
    anim_dvec goal, pole; // from the root's place
    anim_bend before;
} task;

typedef struct solution {
    anim_dquat root, mid; // local rotations
    double stretch;
    anim_dvec normal; // of the bend plane; zero: none
    double spread;
} solution;

// The plane of the pole, as a normal square to the unit vector `ahead`.
static anim_dvec pole_normal(const task* t, anim_dvec ahead, double* spread)
{
    anim_dvec n = anim_dvec_cross(t->pole, ahead);
    double apart2 = anim_dvec_dot(n, n), pole2 = anim_dvec_dot(t->pole, t->pole);
    *spread = 1;
    if (apart2 > sine_of_5_degrees * sine_of_5_degrees * pole2 && apart2 > 1e-100)
        return anim_dvec_scale(n, 1 / sqrt(apart2));
    *spread = apart2 > 1e-100 ? anim_min(sqrt(apart2 / pole2) / sine_of_5_degrees, 1) : 0;
    anim_dquat q = t->limb->root;
    anim_dvec kept = anim_dvec_from(t->before.normal);
    double kept_spread = (double)t->before.spread;
    if (anim_dvec_dot(kept, kept) > 0.5) {
        kept = anim_dquat_rotate(anim_dquat_conjugate(q), kept);
        kept = anim_dvec_sub(kept, anim_dvec_scale(ahead, anim_dvec_dot(kept, ahead)));
    } else {
        kept = (anim_dvec){0, 0, 0};
    }
    if (!(anim_dvec_dot(kept, kept) > 1e-6)) {
        kept = turned_rest_normal(t->skeleton, t->desc, anim_dquat_rotate(q, ahead));
        kept = anim_dquat_rotate(anim_dquat_conjugate(q), kept);
        kept_spread = 0;
    }
    kept = anim_dvec_normalize(kept, ahead);
    n = anim_dvec_normalize(n, kept);
    return *spread > 0 ? anim_ik_hand_over(ahead, kept, kept_spread, n, *spread) : kept;
}

// --- the bend -----------------------------------------------------------------------------------------

// A bent chain in root space, before the root turns.
typedef struct bend {
    anim_dvec lower; // mid to tip, unit
    anim_dvec reach; // root to tip, unit
} bend;

// `cosine` of a + `sine` of b.
static anim_dvec mixed(anim_dvec a, double cosine, anim_dvec b, double sine)
{
    return anim_dvec_add(anim_dvec_scale(a, cosine), anim_dvec_scale(b, sine));
}

// The law of cosines, for a tip at `distance`, which the bones can reach; `side` is square to the upper bone
// in the bend plane. The chain's length is taken as 1, so that nothing overflows.
static bend bend_evenly(const limb* l, anim_dvec side, double distance)
{
    double k = 1 / (l->upper_length + l->lower_length);
    double a = l->upper_length * k, b = l->lower_length * k, x = distance * k;
    if (!(x > 1e-12))
        return (bend){anim_dvec_scale(l->upper, -1), side};
    double area = sqrt(anim_max((1 + x) * (1 - x) * (x + (a - b)) * (x - (a - b)), 0)); // times 4
    double each = 1 / (2 * a * b * x), at_mid = each * x, at_root = each * b;
    return (bend){
        mixed(l->upper, ((x - a) * (x + a) - b * b) * at_mid, side, area * at_mid),
        mixed(l->upper, (x * x + (a - b)) * at_root, side, area * at_root),
    };
}

// In a space that is uneven between the bones; its reach is not unit.
static bend bend_unevenly(const limb* l, anim_dvec side, double distance)
{
    const double(*down)[4] = (const double(*)[4])l->down;
    anim_uneven u = {anim_ik_direction(down, l->upper), anim_ik_direction(down, side),
                     anim_dvec_length(l->arm), l->upper_length};
    anim_uneven_bend found = anim_uneven_find(&u, distance);
    anim_dvec lower = mixed(l->upper, found.cosine, side, found.sine);
    return (bend){lower, mixed(l->upper, u.upper, lower, found.lower)};
}

static double softened(double distance, double length, double soft)
{
    double start = soft * length, room = length - start;
    if (!(soft < 1) || !(distance > start))
        return distance;
    return start + room * (1 - anim_exp_d((start - distance) / room));
}

static double stretch_for(const anim_two_bone* d, double distance, double reached)
{
    double most = (double)d->stretch;
    if (!(most > 1) || !(distance > reached * (1 + 1e-9)))
        return 1;
    return distance < most * reached ? distance / reached : most;
}

// The bend for a tip at `distance`, its reach being a unit vector.
static bend bend_to(const anim_two_bone* d, const limb* l, anim_dvec side, double distance,
                    double* stretch)
{
    double least = fabs(l->upper_length - l->lower_length);
    double most = l->upper_length + l->lower_length;
    if (l->is_similar) {
        double reached = anim_clamp(softened(distance, most, (double)d->soft), least, most);
        *stretch = stretch_for(d, distance, reached);
        return bend_evenly(l, side, reached);
    }
    anim_dvec straight = anim_ik_direction((const double(*)[4])l->down, l->upper);
    most = l->upper_length + anim_dvec_length(l->arm) / anim_dvec_length(straight);
    bend b = bend_unevenly(l, side, softened(distance, most, (double)d->soft));
    *stretch = stretch_for(d, distance, anim_dvec_length(b.reach));
    b.reach = anim_dvec_normalize(b.reach, side);
    return b;
}

static anim_dquat turned_mid(const limb* l, const bend* b, anim_dvec normal, anim_dvec side)
{
    anim_dvec from = l->lower, to = b->lower, axis = normal;
    if (!l->is_even) {
        const double(*down)[4] = (const double(*)[4])l->down;
        from = anim_dvec_normalize(l->arm, (anim_dvec){1, 0, 0});
        to = anim_dvec_normalize(anim_ik_direction(down, b->lower), from);
        axis = squared(anim_dvec_cross(from, anim_ik_direction(down, side)), from);
    }
    return anim_dquat_normalize(anim_dquat_mul(anim_dquat_between_raw(from, to, axis), l->mid));
}

// The root's rotation: the least turn that brings `reach` to `ahead`, then about that to the pole's plane.
static anim_dquat turned_root(const task* t, anim_dvec reach, anim_dvec ahead, solution* out)
{
    anim_dvec normal = out->normal;
    anim_dquat turn = anim_dquat_between_raw(reach, ahead, normal);
    anim_dvec sum = anim_dvec_add(reach, ahead);
    double sum2 = anim_dvec_dot(sum, sum);
    if (sum2 > 2e-12)
        normal = anim_dvec_sub(normal,
                               anim_dvec_scale(sum, 2 * anim_dvec_dot(normal, ahead) / sum2));
    if (t->desc->has_pole) {
        anim_dvec goal = pole_normal(t, ahead, &out->spread);
        double cosine = anim_dvec_dot(normal, goal);
        anim_dvec v = anim_dvec_scale(ahead, anim_dvec_dot(ahead, anim_dvec_cross(normal, goal)));
        anim_dquat about = cosine > -1 + 1e-12 ? (anim_dquat){v.x, v.y, v.z, 1 + cosine}
                                               : (anim_dquat){ahead.x, ahead.y, ahead.z, 0};
        turn = anim_dquat_mul(about, turn);
        normal = goal;
    }
    out->normal = normal;
    return anim_dquat_normalize(anim_dquat_mul(t->limb->root, turn));
}

// What is left where nothing can bend: the root turns root to tip toward the goal.
static void solve_stiff(const task* t, double distance, solution* out)
{
    const limb* l = t->limb;
    anim_dvec reach = mixed(l->upper, l->upper_length, l->lower, l->lower_length);
    double length = anim_dvec_length(reach);
    if (!(length > 1e-50) || !(distance > least_bone * length))
        return;
    reach = anim_dvec_scale(reach, 1 / length);
    anim_dvec ahead = anim_dvec_scale(t->goal, 1 / distance);
    anim_dquat turn = anim_dquat_between(reach, ahead, anim_dvec_square_to(reach));
    out->root = anim_dquat_normalize(anim_dquat_mul(l->root, turn));
    out->stretch = stretch_for(t->desc, distance, length);
}

static void solve(const task* t, solution* out)
{
    const limb* l = t->limb;
    double length = l->upper_length + l->lower_length, distance = anim_dvec_length(t->goal);
    *out = (solution){.root = l->root, .mid = l->mid, .stretch = 1};
    if (l->is_stiff || !(anim_min(l->upper_length, l->lower_length) > least_bone * length)) {
        solve_stiff(t, distance, out);
        return;
    }
    anim_dvec normal = anim_dvec_cross(l->upper, l->lower);
    double sine2 = anim_dvec_dot(normal, normal);
    if (sine2 >= sine_of_5_degrees * sine_of_5_degrees)
        normal = anim_dvec_scale(normal, 1 / sqrt(sine2));
    else
        normal = straight_normal(t->skeleton, t->desc, l, normal);
    anim_dvec side = anim_dvec_cross(normal, l->upper);
    bend b = bend_to(t->desc, l, side, distance, &out->stretch);
    bool is_ahead = distance > least_bone * length;
    anim_dvec ahead = is_ahead ? anim_dvec_scale(t->goal, 1 / distance) : b.reach;
    out->normal = normal;
    out->spread = 1;
    out->mid = turned_mid(l, &b, normal, side);
    out->root = turned_root(t, b.reach, ahead, out);
}

// --- the pose -----------------------------------------------------------------------------------------

// Product of the rotations from below `above` (-1: all) down to `joint`.
static anim_dquat rotation_below(const anim_skeleton* skeleton, const anim_pose_group* pose,
                                 int32_t above, int32_t joint)
{
    anim_dquat q = ANIM_DQUAT_IDENTITY;
    for (; joint != above; joint = skeleton->parents[joint])
        q = anim_dquat_mul(rotation_of(skeleton, pose, (uint32_t)joint), q);
    return q;
}

// Lengthens the translations below the root down to the tip.
static void lengthen(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_two_bone* d,
                     double factor)
{
    for (uint32_t j = d->tip; j != d->root; j = (uint32_t)skeleton->parents[j]) {
        uint32_t slot = skeleton->slots[j];
        anim_pose_group* g = &pose[slot / ANIM_LANES];
        for (int k = 0; k < 3; k++) {
            float* t = &g->t[k][slot % ANIM_LANES];
            *t = (float)anim_clamp((double)*t * factor, -(double)FLT_MAX, (double)FLT_MAX);
        }
    }
}

// Turns the tip; `before` is the rotation that its parent had, below the root's parent. In model space the
// weight counts from the animated rotation on, so that a hand that keeps its own does so at any weight.
static void turn_tip(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_two_bone* d,
                     anim_dquat before)
{
    int32_t top = skeleton->parents[d->root], above_tip = skeleton->parents[d->tip];
    anim_dquat after = rotation_below(skeleton, pose, top, above_tip);
    anim_dquat q = anim_dquat_mul(before, rotation_of(skeleton, pose, d->tip));
    if (d->rotation == ANIM_IK_ROTATION_GIVEN) {
        anim_dquat above = anim_dquat_conjugate(rotation_below(skeleton, pose, -1, top));
        anim_dquat given = anim_dquat_normalize(anim_dquat_from(d->given));
        q = anim_dquat_nlerp(q, anim_dquat_mul(above, given), (double)d->weight);
    }
    q = anim_dquat_normalize(anim_dquat_mul(anim_dquat_conjugate(after), q));
    anim_ik_turn(skeleton, pose, d->tip, q, 1);
}

static void apply(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_two_bone* d,
                  const solution* s)
{
    double weight = (double)d->weight;
    bool turns_tip = d->rotation != ANIM_IK_ROTATION_LOCAL;
    anim_dquat before = ANIM_DQUAT_IDENTITY;
    if (turns_tip)
        before = rotation_below(skeleton, pose, skeleton->parents[d->root],
                                skeleton->parents[d->tip]);
    anim_ik_turn(skeleton, pose, d->root, s->root, weight);
    anim_ik_turn(skeleton, pose, d->mid, s->mid, weight);
    if (s->stretch > 1)
        lengthen(skeleton, pose, d, 1 + weight * (s->stretch - 1));
    if (turns_tip)
        turn_tip(skeleton, pose, d, before);
}

static void remember(const limb* l, const solution* s, anim_bend* after)
{
    if (!(anim_dvec_dot(s->normal, s->normal) > 0.5))
        return;
    anim_dvec n = anim_dvec_normalize(anim_dquat_rotate(l->root, s->normal), s->normal);
    *after = (anim_bend){{(float)n.x, (float)n.y, (float)n.z}, (float)s->spread};
}

float anim_ik_two_bone(const anim_skeleton* skeleton, anim_pose_group* pose,
                       const anim_two_bone* desc, const anim_bend* before, anim_bend* after)
{
    anim_bend memory = before ? *before : (anim_bend){.spread = 0};
    anim_ik_space space;
    limb l;
    bool can_reach = anim_ik_space_above(skeleton, pose, desc->root, &space);
    read_limb(skeleton, pose, desc, &l);
    anim_dvec target = anim_dvec_from(desc->target);
    double stretched = 1;
    if (can_reach && desc->weight > 0) {
        const double(*from_model)[4] = (const double(*)[4])space.from_model;
        anim_dquat back = anim_dquat_conjugate(l.root);
        anim_dvec goal = anim_dvec_sub(anim_ik_point(from_model, target), l.place);
        task t = {skeleton, desc, &l, anim_dquat_rotate(back, goal), {0, 0, 0}, memory};
        if (desc->has_pole) {
            anim_dvec pole = anim_ik_point(from_model, anim_dvec_from(desc->pole));
            t.pole = anim_dquat_rotate(back, anim_dvec_sub(pole, l.place));
        }
        solution s;
        solve(&t, &s);
        apply(skeleton, pose, desc, &s);
        remember(&l, &s, &memory);
        stretched = 1 + (double)desc->weight * (s.stretch - 1);
    }
    if (after)
        *after = memory;
    anim_dvec arm = anim_dquat_rotate(rotation_of(skeleton, pose, desc->mid), l.tip);
    anim_dvec tip = mixed(l.upper, l.upper_length, to_root_space(&l, arm), 1);
    tip = anim_dquat_rotate(rotation_of(skeleton, pose, desc->root),
                            anim_dvec_scale(tip, stretched));
    tip = anim_ik_point((const double(*)[4])space.to_model, anim_dvec_add(l.place, tip));
    double left = anim_dvec_length(anim_dvec_sub(target, tip));
    return (float)anim_min(left, (double)FLT_MAX);
}

bool anim_bend_is_fine(const void* memory)
{
    anim_bend m;
    memcpy(&m, memory, sizeof m);
    double length2 = 0;
    for (int i = 0; i < 3; i++)
        length2 += (double)m.normal[i] * (double)m.normal[i];
    bool is_none = length2 == 0 && m.spread == 0;
    return is_none || (fabs(length2 - 1) < 1e-5 && m.spread >= 0 && m.spread <= 1);
}
