// SPDX-License-Identifier: MIT
#include "pose/ik_aim.h"

#include "math/range.h"
#include "math/trig.h"

#include <float.h>
#include <string.h>

static const double sine_of_5_degrees = 0.087155742747658174;
static const double cosine_of_5_degrees = 0.99619469809174555;

_Static_assert(sizeof(anim_aim_memory) == 64, "it is hashed: no padding");

// The ray that aims, in the space of some joint's parent.
typedef struct ray {
    anim_dvec start, axis, up;
} ray;

// The joints are gone through from above; this is where that stands. "Here" is the space of the parent of the
// joint whose turn it is, "first" that of the first joint's parent.
typedef struct walk {
    const anim_skeleton* skeleton;
    anim_pose_group* pose;
    const anim_aim* d;
    anim_dvec target, pole; // here; the pole is a direction where none is given
    bool is_below;          // here is not first
    anim_dquat above;       // rotation from here to first, with the turns made
    anim_dquat done;        // what the axis was turned by so far; first
    bool is_limited;
    double limit; // its cosine
    double step;  // radians that the correction may change; below 0: any
    const anim_aim_memory* before;
    anim_aim_memory* after;
} walk;

static anim_dvec bounded(anim_dvec v, double most)
{
    return (anim_dvec){anim_clamp(v.x, -most, most), anim_clamp(v.y, -most, most),
                       anim_clamp(v.z, -most, most)};
}

static inline anim_dvec turned(const anim_ik_local* local, anim_dvec v) // and scaled
{
    return anim_dquat_rotate(local->q, anim_dvec_mul(local->s, v));
}

// As the joints from `joint` down stand.
static ray ray_above(const anim_skeleton* skeleton, const anim_pose_group* pose, const anim_aim* d,
                     uint32_t joint)
{
    uint32_t j = d->joints[d->joint_count - 1].joint;
    anim_ik_local local = anim_ik_local_of(skeleton, pose, j);
    ray r = {anim_ik_local_point(&local, anim_dvec_from(d->offset)),
             turned(&local, anim_dvec_from(d->axis)),
             {0, 0, 0}};
    if (d->has_up)
        r.up = turned(&local, anim_dvec_from(d->up));
    while (j != joint) {
        j = (uint32_t)skeleton->parents[j];
        local = anim_ik_local_of(skeleton, pose, j);
        r.start = bounded(anim_ik_local_point(&local, r.start), 1e60);
        r.axis = bounded(turned(&local, r.axis), 1e60);
        r.up = bounded(turned(&local, r.up), 1e60);
    }
    return r;
}

// The part of v that is square to the unit vector `axis`.
static anim_dvec square_part(anim_dvec v, anim_dvec axis)
{
    return anim_dvec_sub(v, anim_dvec_scale(axis, anim_dvec_dot(v, axis)));
}

static anim_dvec vector_of(anim_dquat q)
{
    return (anim_dvec){q.x, q.y, q.z};
}

static anim_dquat about(anim_dvec axis, double sine, double cosine)
{
    return (anim_dquat){axis.x * sine, axis.y * sine, axis.z * sine, cosine};
}

static anim_dquat shorter(anim_dquat q)
{
    return q.w < 0 ? (anim_dquat){-q.x, -q.y, -q.z, -q.w} : q;
}

static anim_dvec to_first(const walk* w, anim_dvec v)
{
    return w->is_below ? anim_dquat_rotate(w->above, v) : v;
}

static anim_dvec to_here(const walk* w, anim_dvec v)
{
    return w->is_below ? anim_dquat_rotate(anim_dquat_conjugate(w->above), v) : v;
}

// The same turn, here and first.
static anim_dquat turn_to_first(const walk* w, anim_dquat q)
{
    if (!w->is_below)
        return q;
    return anim_dquat_mul(anim_dquat_mul(w->above, q), anim_dquat_conjugate(w->above));
}

static anim_dquat turn_to_here(const walk* w, anim_dquat q)
{
    if (!w->is_below)
        return q;
    return anim_dquat_mul(anim_dquat_mul(anim_dquat_conjugate(w->above), q), w->above);
}

// Where the unit vector `axis`, here, pointed before all turns.
static anim_dvec animated_axis(const walk* w, anim_dvec axis)
{
    if (!w->is_below)
        return axis;
    return anim_dquat_rotate(turn_to_here(w, anim_dquat_conjugate(w->done)), axis);
}

static void store(anim_dvec v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

// --- toward the target --------------------------------------------------------------------------------

// The axis to turn about from one unit vector to another that is nearly opposite: with a limit the side is
// kept within half the cone; without one half a turn either way is the same, and only the roll is handed over.
static anim_dvec axis_behind(const walk* w, anim_dvec from, anim_dvec to, anim_dvec up,
                             double* spread)
{
    anim_dvec wanted = anim_dvec_cross(from, to);
    double sine = anim_dvec_length(wanted), kept_spread = (double)w->before->axis_spread;
    *spread = anim_min(sine / sine_of_5_degrees, 1);
    anim_dvec kept = to_here(w, anim_dvec_from(w->before->axis));
    kept = square_part(anim_dvec_normalize(kept, from), from);
    bool is_kept = anim_dvec_dot(kept, kept) > 1e-6;
    if (!is_kept) {
        kept_spread = 0;
        kept = square_part(anim_dvec_normalize(up, from), from);
        if (!(anim_dvec_dot(kept, kept) > 1e-6))
            kept = anim_dvec_square_to(from);
    }
    kept = anim_dvec_normalize(kept, kept);
    if (!(sine > 1e-9) || (w->is_limited && is_kept && *spread < 0.5))
        return kept;
    wanted = anim_dvec_scale(wanted, 1 / sine);
    if (w->is_limited)
        return wanted;
    if (anim_dvec_dot(wanted, kept) < 0)
        wanted = anim_dvec_scale(wanted, -1);
    return anim_ik_hand_over(from, kept, kept_spread, wanted, *spread);
}

// `turn` up to where it takes `axis`, which begins in the cone, out of it. With s the tangent of half the
// angle turned, axis . animated = limit is the quadratic equation bend s^2 - 2 q s - inside = 0.
static anim_dquat turn_to_limit(const walk* w, anim_dquat turn, anim_dvec axis, anim_dvec animated)
{
    if (anim_dvec_dot(animated, anim_dquat_rotate(turn, axis)) >= w->limit)
        return turn;
    anim_dvec k = anim_dvec_normalize(vector_of(turn), axis);
    double fixed = anim_dvec_dot(animated, k) * anim_dvec_dot(k, axis);
    double p = anim_dvec_dot(animated, axis) - fixed;
    double q = anim_dvec_dot(animated, anim_dvec_cross(k, axis)); // above 0: inward at first
    double bend = p - fixed + w->limit, inside = anim_max(p + fixed - w->limit, 0);
    double root = sqrt(anim_max(q * q + bend * inside, 0));
    return anim_dquat_normalize(q > 0 ? about(k, root + q, bend) : about(k, inside, root - q));
}

// `turn`, and where that left the axis outside the cone, the least turn back.
static anim_dquat turn_back(const walk* w, anim_dquat turn, anim_dvec axis, anim_dvec animated)
{
    axis = anim_dquat_rotate(turn, axis);
    double cosine = anim_dvec_dot(axis, animated);
    if (cosine >= w->limit)
        return turn;
    anim_dvec side = anim_dvec_normalize(square_part(axis, animated),
                                         anim_dvec_square_to(animated));
    double sine = sqrt(anim_max(1 - w->limit * w->limit, 0));
    anim_dvec edge = anim_dvec_add(anim_dvec_scale(animated, w->limit),
                                   anim_dvec_scale(side, sine));
    return anim_dquat_mul(anim_dquat_between(axis, edge, anim_dvec_square_to(axis)), turn);
}

// The turn about `line` (unit) that brings `up` toward the pole.
static anim_dquat roll(walk* w, anim_dvec line, anim_dvec up, anim_dvec pole)
{
    anim_dvec from = square_part(up, line), goal = square_part(pole, line);
    double apart2 = anim_dvec_dot(goal, goal), pole2 = anim_dvec_dot(pole, pole);
    if (!(anim_dvec_dot(from, from) > 1e-12 * anim_dvec_dot(up, up)))
        return ANIM_DQUAT_IDENTITY;
    from = anim_dvec_normalize(from, line);
    double spread = 1;
    goal = anim_dvec_normalize(goal, from);
    if (!(apart2 > sine_of_5_degrees * sine_of_5_degrees * pole2 && apart2 > 1e-100)) {
        spread = apart2 > 1e-100 ? anim_min(sqrt(apart2 / pole2) / sine_of_5_degrees, 1) : 0;
        double kept_spread = (double)w->before->up_spread;
        anim_dvec kept = square_part(to_here(w, anim_dvec_from(w->before->up)), line);
        if (!(anim_dvec_dot(kept, kept) > 1e-6)) {
            kept = from;
            kept_spread = 0;
        }
        kept = anim_dvec_normalize(kept, from);
        goal = spread > 0 ? anim_ik_hand_over(line, kept, kept_spread, goal, spread) : kept;
    }
    store(to_first(w, goal), w->after->up);
    w->after->up_spread = (float)spread;
    double cosine = anim_dvec_dot(from, goal);
    if (!(cosine > -1 + 1e-12))
        return about(line, 1, 0);
    double sine = anim_dvec_dot(line, anim_dvec_cross(from, goal));
    return anim_dquat_normalize(about(line, sine, 1 + cosine));
}

// Where on the ray the target comes to lie: the point as far from the joint as the target is; on a ray that
// passes by farther off, the nearest. All from the joint's place.
static anim_dvec sighting(anim_dvec start, anim_dvec axis, double distance)
{
    double along = anim_dvec_dot(start, axis), start2 = anim_dvec_dot(start, start);
    if (start2 == 0)
        return axis;
    double left = anim_max(distance * distance - (start2 - along * along), 0);
    anim_dvec point = anim_dvec_add(start, anim_dvec_scale(axis, sqrt(left) - along));
    return anim_dvec_normalize(point, axis);
}

// The correction that is remembered, as what is still missing of it here.
static anim_dquat last_turn(const walk* w)
{
    const double* t = w->before->turn;
    anim_dquat last = anim_dquat_normalize((anim_dquat){t[0], t[1], t[2], t[3]});
    return turn_to_here(w, anim_dquat_mul(last, anim_dquat_conjugate(w->done)));
}

// The whole turn about `pivot` that is still needed.
static anim_dquat needed_turn(walk* w, anim_dvec pivot, const ray* r, bool is_first)
{
    anim_dvec reach = anim_dvec_sub(w->target, pivot);
    double distance2 = anim_dvec_dot(reach, reach), axis2 = anim_dvec_dot(r->axis, r->axis);
    if (!(axis2 > 1e-100))
        return ANIM_DQUAT_IDENTITY;
    if (!(distance2 > 1e-12 * anim_dvec_dot(pivot, pivot)) || !(distance2 > 1e-100))
        return last_turn(w);
    double distance = sqrt(distance2);
    anim_dvec axis = anim_dvec_scale(r->axis, 1 / sqrt(axis2));
    anim_dvec to = anim_dvec_scale(reach, 1 / distance);
    anim_dvec from = sighting(anim_dvec_sub(r->start, pivot), axis, distance);
    anim_dquat turn;
    anim_dvec side;
    double spread = 1;
    if (anim_dvec_dot(from, to) > -cosine_of_5_degrees) {
        turn = anim_dquat_between(from, to, from);
        side = vector_of(turn);
    } else {
        side = axis_behind(w, from, to, r->up, &spread);
        turn = anim_dquat_between(anim_dvec_scale(from, -1), to, side);
        turn = anim_dquat_mul(turn, about(side, 1, 0));
    }
    if (is_first) {
        store(to_first(w, side), w->after->axis);
        w->after->axis_spread = (float)spread;
    }
    anim_dvec animated = axis;
    if (w->is_limited) {
        animated = animated_axis(w, axis);
        turn = turn_to_limit(w, turn, axis, animated);
    }
    if (w->d->has_up) {
        anim_dvec pole = w->d->has_pole ? anim_dvec_sub(w->pole, pivot) : w->pole;
        anim_dvec line = anim_dquat_rotate(turn, from), up = anim_dquat_rotate(turn, r->up);
        turn = anim_dquat_mul(roll(w, line, up, pole), turn);
    }
    return w->is_limited ? turn_back(w, turn, axis, animated) : turn;
}

// --- in time and in parts -----------------------------------------------------------------------------

// Axis times angle; w >= 0.
static anim_dvec rotation_vector(anim_dquat q)
{
    double sine = anim_dvec_length(vector_of(q));
    if (!(sine > 0))
        return (anim_dvec){0, 0, 0};
    return anim_dvec_scale(vector_of(q), 2 * anim_atan2_d(sine, q.w) / sine);
}

// The rotation of `part` times that vector.
static anim_dquat part_of(anim_dvec v, double part)
{
    double angle = anim_dvec_length(v);
    float sine, cosine;
    anim_sincos((float)(0.5 * angle * part), &sine, &cosine);
    if (!(angle > 0))
        return ANIM_DQUAT_IDENTITY;
    return anim_dquat_normalize(about(anim_dvec_scale(v, 1 / angle), (double)sine, (double)cosine));
}

// From the last correction toward `goal`, by what the rate allows. With a limit in a straight line from
// rotation vector to rotation vector, which stays in the cone and is no shorter than the turn.
static anim_dquat slowed(const walk* w, anim_dquat goal)
{
    const double* t = w->before->turn;
    anim_dquat last = shorter(anim_dquat_normalize((anim_dquat){t[0], t[1], t[2], t[3]}));
    anim_dvec from = {0, 0, 0}, way;
    if (w->is_limited) {
        from = rotation_vector(last);
        way = anim_dvec_sub(rotation_vector(shorter(goal)), from);
    } else {
        way = rotation_vector(shorter(anim_dquat_mul(goal, anim_dquat_conjugate(last))));
    }
    double length = anim_dvec_length(way);
    if (length <= w->step)
        return goal;
    double part = w->step / length;
    if (w->is_limited)
        return part_of(anim_dvec_add(from, anim_dvec_scale(way, part)), 1);
    return anim_dquat_normalize(anim_dquat_mul(part_of(way, part), last));
}

// --- down the joints ----------------------------------------------------------------------------------

// Into the space of the parent of `joint`, which is below `from`, whose rotation is now q. False where the
// way is flat.
static bool descend(walk* w, uint32_t from, anim_dquat q, uint32_t joint)
{
    double m[3][4], back[3][4];
    anim_dvec column[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, place = {0, 0, 0};
    anim_dquat rotation = ANIM_DQUAT_IDENTITY;
    uint32_t j = joint;
    do {
        j = (uint32_t)w->skeleton->parents[j];
        anim_ik_local local = anim_ik_local_of(w->skeleton, w->pose, j);
        local.q = j == from ? q : local.q;
        for (int i = 0; i < 3; i++)
            column[i] = bounded(turned(&local, column[i]), 1e18);
        place = bounded(anim_ik_local_point(&local, place), 1e18);
        rotation = anim_dquat_mul(local.q, rotation);
    } while (j != from);
    const anim_dvec columns[4] = {column[0], column[1], column[2], place};
    for (int i = 0; i < 4; i++) {
        m[0][i] = columns[i].x;
        m[1][i] = columns[i].y;
        m[2][i] = columns[i].z;
    }
    if (!anim_ik_invert((const double(*)[4])m, back))
        return false;
    const double(*to_here)[4] = (const double(*)[4])back;
    w->target = bounded(anim_ik_point(to_here, w->target), 1e60);
    w->pole = w->d->has_pole ? anim_ik_point(to_here, w->pole)
                             : anim_ik_direction(to_here, w->pole);
    w->pole = bounded(w->pole, 1e60);
    w->above = anim_dquat_mul(w->above, rotation);
    w->is_below = true;
    return true;
}

// Turns one joint by `fraction` of what is needed; gives its rotation before the weight.
static anim_dquat turn_joint(walk* w, uint32_t joint, const ray* r, double fraction, bool is_first)
{
    anim_ik_local local = anim_ik_local_of(w->skeleton, w->pose, joint);
    anim_dquat turn = needed_turn(w, local.t, r, is_first);
    if (w->step >= 0) {
        anim_dquat goal = slowed(w, anim_dquat_mul(turn_to_first(w, turn), w->done));
        turn = turn_to_here(w, anim_dquat_mul(goal, anim_dquat_conjugate(w->done)));
        anim_dvec axis = anim_dvec_normalize(r->axis, (anim_dvec){0, 0, 1});
        if (w->is_limited)
            turn = turn_back(w, turn, axis, animated_axis(w, axis));
    }
    if (fraction < 1)
        turn = part_of(rotation_vector(shorter(turn)), fraction);
    w->done = w->is_below ? anim_dquat_mul(turn_to_first(w, turn), w->done) : turn;
    anim_dquat q = anim_dquat_normalize(anim_dquat_mul(turn, local.q));
    anim_ik_turn(w->skeleton, w->pose, joint, q, (double)w->d->weight);
    return q;
}

static void turn_all(walk* w, const ray* first_ray)
{
    const anim_aim* d = w->d;
    double shares = 0;
    for (uint32_t i = 0; i < d->joint_count; i++)
        shares += anim_max((double)d->joints[i].share, 0);
    bool is_first = true;
    for (uint32_t i = 0; i < d->joint_count; i++) {
        bool is_last = i + 1 == d->joint_count;
        uint32_t joint = d->joints[i].joint;
        double share = anim_max((double)d->joints[i].share, 0);
        double fraction = is_last ? 1 : share <= 0 ? 0 : share < shares ? share / shares : 1;
        shares -= share;
        anim_dquat q = anim_ik_local_of(w->skeleton, w->pose, joint).q;
        if (fraction > 0) {
            ray r = i == 0 ? *first_ray : ray_above(w->skeleton, w->pose, d, joint);
            q = turn_joint(w, joint, &r, fraction, is_first);
            is_first = false;
        }
        if (!is_last && !descend(w, joint, q, d->joints[i + 1].joint))
            return;
    }
}

static void set_limits(walk* w, bool has_memory, double dt)
{
    double limit = (double)w->d->limit;
    w->is_limited = limit >= 0 && limit < 3.1415926;
    w->step = has_memory && w->d->rate >= 0 ? (double)w->d->rate * dt : -1;
    if (!w->is_limited)
        return;
    double half = limit < 1.5 ? (double)anim_sin((float)(0.5 * limit))
                              : (double)anim_cos((float)(0.5 * limit));
    w->limit = limit < 1.5 ? 1 - 2 * half * half : 2 * half * half - 1;
}

static void store_turn(anim_dquat turn, anim_aim_memory* out)
{
    turn = shorter(anim_dquat_normalize(turn));
    out->turn[0] = turn.x;
    out->turn[1] = turn.y;
    out->turn[2] = turn.z;
    out->turn[3] = turn.w;
}

// Not inlined: what it needs of stack and registers would cost the usual case.
__attribute__((noinline)) static void aim_all(const anim_skeleton* skeleton, anim_pose_group* pose,
                                              const anim_aim* d, const anim_ik_space* space, ray* r,
                                              anim_aim_memory* memory, bool has_memory, double dt)
{
    const double(*from_model)[4] = (const double(*)[4])space->from_model;
    const anim_aim_memory before = *memory;
    walk w = {.skeleton = skeleton, .pose = pose, .d = d, .before = &before, .after = memory};
    w.target = anim_ik_point(from_model, anim_dvec_from(d->target));
    w.pole = d->has_pole ? anim_ik_point(from_model, anim_dvec_from(d->pole))
                         : anim_ik_direction(from_model, (anim_dvec){0, 1, 0});
    w.above = w.done = ANIM_DQUAT_IDENTITY;
    set_limits(&w, has_memory, dt);
    turn_all(&w, r);
    store_turn(w.done, memory);
    *r = ray_above(skeleton, pose, d, d->joints[0].joint);
}

// The usual roll: `turn`, of any length, brought `axis` to `line`, both unit. False where the pole is in line
// or `up` is opposite to it.
static inline bool roll_one(const anim_aim* d, const anim_ik_space* space,
                            const anim_ik_local* local, anim_dvec axis, anim_dvec line,
                            anim_dquat* turn, anim_aim_memory* memory)
{
    const double(*from_model)[4] = (const double(*)[4])space->from_model;
    anim_dvec pole = d->has_pole ? anim_dvec_sub(anim_ik_point(from_model, anim_dvec_from(d->pole)),
                                                 local->t)
                                 : anim_ik_direction(from_model, (anim_dvec){0, 1, 0});
    anim_dvec up = turned(local, anim_dvec_from(d->up)), sum = anim_dvec_add(axis, line);
    double along = anim_dvec_dot(up, axis), across = anim_dvec_dot(up, line);
    // Turned along with the axis, without what then is along it.
    anim_dvec from = anim_dvec_sub(up, anim_dvec_scale(sum, (along + across) / turn->w));
    from = anim_dvec_add(from, anim_dvec_scale(line, along));
    anim_dvec goal = square_part(pole, line);
    double from2 = anim_dvec_dot(from, from), goal2 = anim_dvec_dot(goal, goal);
    double up2 = anim_dvec_dot(up, up), pole2 = anim_dvec_dot(pole, pole), scale2 = from2 * goal2;
    double scale = sqrt(scale2), cosine = scale + anim_dvec_dot(from, goal);
    bool is_clear = goal2 > sine_of_5_degrees * sine_of_5_degrees * pole2 && from2 > 1e-12 * up2 &&
                    scale2 > 1e-60 && scale2 < 1e60 && cosine > 1e-9 * scale;
    if (!is_clear)
        return false;
    double sine = anim_dvec_dot(line, anim_dvec_cross(from, goal));
    *turn = anim_dquat_mul(about(line, sine, cosine), *turn);
    store(anim_dvec_scale(goal, 1 / sqrt(goal2)), memory->up);
    memory->up_spread = 1;
    return true;
}

// The usual case, without detours: one joint, a target not behind it, no limits. False where that is not so.
static inline bool aim_one(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_aim* d,
                           const anim_ik_space* space, ray* r, anim_aim_memory* memory)
{
    bool is_plain = d->joint_count == 1 && d->limit < 0 && d->rate < 0 && d->offset[0] == 0 &&
                    d->offset[1] == 0 && d->offset[2] == 0;
    if (!is_plain)
        return false;
    uint32_t joint = d->joints[0].joint;
    anim_ik_local local = anim_ik_local_of(skeleton, pose, joint);
    anim_dvec to = anim_ik_point((const double(*)[4])space->from_model, anim_dvec_from(d->target));
    to = anim_dvec_sub(to, local.t);
    double axis2 = anim_dvec_dot(r->axis, r->axis), to2 = anim_dvec_dot(to, to);
    bool is_usual = axis2 > 1e-60 && axis2 < 1e60 && to2 > 1e-60 && to2 < 1e60 &&
                    to2 > 1e-12 * anim_dvec_dot(local.t, local.t);
    if (!is_usual)
        return false;
    anim_dvec axis = anim_dvec_scale(r->axis, 1 / sqrt(axis2));
    to = anim_dvec_scale(to, 1 / sqrt(to2));
    anim_dquat turn = anim_dquat_between_raw(axis, to, axis);
    if (!(turn.w > 1 - cosine_of_5_degrees))
        return false;
    anim_dvec side = vector_of(turn);
    if (d->has_up && !roll_one(d, space, &local, axis, to, &turn, memory))
        return false;
    anim_dquat q = anim_dquat_normalize(anim_dquat_mul(turn, local.q));
    anim_ik_turn(skeleton, pose, joint, q, (double)d->weight);
    store_turn(turn, memory);
    store(side, memory->axis);
    memory->axis_spread = 1;
    local.q = anim_ik_local_of(skeleton, pose, joint).q;
    r->axis = turned(&local, anim_dvec_from(d->axis));
    return true;
}

// How far the target is from the ray, in model space.
static double miss(const double to_model[3][4], const ray* r, anim_dvec target)
{
    anim_dvec way = anim_dvec_sub(target, anim_ik_point(to_model, r->start));
    anim_dvec axis = anim_ik_direction(to_model, r->axis);
    double length2 = anim_dvec_dot(axis, axis);
    if (!(length2 > 1e-100) || anim_dvec_dot(way, axis) < 0)
        return anim_dvec_length(way);
    return anim_dvec_length(anim_dvec_cross(way, axis)) / sqrt(length2);
}

float anim_ik_aim(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_aim* desc,
                  const anim_aim_memory* before, anim_aim_memory* after, double dt)
{
    uint32_t first = desc->joints[0].joint;
    anim_aim_memory memory = before ? *before : (anim_aim_memory){.up_spread = 0};
    anim_ik_space space;
    bool can_reach = anim_ik_space_above(skeleton, pose, first, &space);
    ray r = ray_above(skeleton, pose, desc, first);
    if (can_reach && desc->weight > 0 && !aim_one(skeleton, pose, desc, &space, &r, &memory))
        aim_all(skeleton, pose, desc, &space, &r, &memory, before != NULL, dt);
    if (after)
        *after = memory;
    double left = miss((const double(*)[4])space.to_model, &r, anim_dvec_from(desc->target));
    return (float)anim_min(left, (double)FLT_MAX);
}

bool anim_aim_memory_is_fine(const void* memory)
{
    anim_aim_memory m;
    memcpy(&m, memory, sizeof m);
    double turn2 = 0, axis2 = 0, up2 = 0;
    for (int i = 0; i < 4; i++)
        turn2 += m.turn[i] * m.turn[i];
    for (int i = 0; i < 3; i++) {
        axis2 += (double)m.axis[i] * (double)m.axis[i];
        up2 += (double)m.up[i] * (double)m.up[i];
    }
    bool is_turn = turn2 == 0 || fabs(turn2 - 1) < 1e-9;
    bool is_axis = axis2 < 1 + 1e-5 && m.axis_spread >= 0 && m.axis_spread <= 1;
    bool is_up = (up2 == 0 || fabs(up2 - 1) < 1e-5) && m.up_spread >= 0 && m.up_spread <= 1;
    return is_turn && is_axis && is_up;
}
