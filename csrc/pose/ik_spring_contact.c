// SPDX-License-Identifier: MIT
// Colliders and limits: as springs while the directions are found, then exactly. Exactly means that a bone keeps
// its length and is turned just as far as needed, which for a sphere has a closed form. Pushing out adds
// no velocity; what leads in is taken away (no bounce, no friction).
#include "pose/ik_spring_parts.h"

enum { most_rounds = 6 };

static const double wall_stiffness = 1e4; // of a point's inertia

// The point of the collider's axis that is nearest to x, and its velocity.
static anim_dvec nearest(const anim_spring_body* body, anim_dvec x, anim_dvec* rate)
{
    anim_dvec axis = anim_dvec_sub(body->to, body->at);
    double length2 = anim_dvec_dot(axis, axis);
    double t = anim_dvec_dot(axis, anim_dvec_sub(x, body->at));
    t = !(t > 0) ? 0 : t >= length2 ? 1 : t / length2;
    if (rate)
        *rate = anim_spring_along(body->at_rate, anim_dvec_sub(body->to_rate, body->at_rate), t);
    return anim_spring_along(body->at, axis, t);
}

void anim_spring_find_walls(anim_spring_sim* sim, const anim_spring_chain* chain)
{
    anim_dvec start = sim->points[chain->anchor].x;
    double whole = 0;
    for (uint32_t i = 1; i <= chain->count; i++)
        whole += sim->points[chain->anchor + i].long_now;
    sim->near_count = 0;
    for (uint32_t i = 0; i < sim->spring->collider_count; i++) {
        const anim_spring_body* body = &sim->bodies[i];
        anim_dvec off = anim_dvec_sub(start, nearest(body, start, NULL));
        double most = whole + body->reach;
        if (!(anim_dvec_dot(off, off) > most * most))
            sim->near[sim->near_count++] = i;
    }
}

double anim_spring_add_walls(const anim_spring_sim* sim, anim_spring_point* p, anim_dvec x)
{
    double sum = 0, stiff = wall_stiffness * p->inertia;
    p->wall = (anim_spring_matrix){0};
    for (uint32_t i = 0; i < sim->near_count; i++) {
        const anim_spring_body* body = &sim->bodies[sim->near[i]];
        anim_dvec off = anim_dvec_sub(x, nearest(body, x, NULL));
        double far2 = anim_dvec_dot(off, off);
        if (!(far2 < body->reach * body->reach))
            continue;
        double far = sqrt(far2);
        double at_start = anim_dvec_length(anim_dvec_sub(p->x, nearest(body, p->x, NULL)));
        double depth = anim_min(body->reach, at_start) - far;
        if (!(depth > 0) || !(far > 1e-6 * body->reach))
            continue;
        p->held = true;
        off = anim_dvec_scale(off, 1 / far);
        p->slope = anim_spring_along(p->slope, off, -stiff * depth);
        anim_spring_add_square(&p->wall, off, stiff);
        sum += stiff * depth * depth;
    }
    return sum;
}

// Of n toward its aim, square to n, of the length of the angle's sine.
static anim_dvec way_back(const anim_spring_point* p)
{
    return anim_spring_along(p->aim, p->n, -anim_dvec_dot(p->n, p->aim));
}

// The sine of the angle that n is beyond the limit by; from a right angle on 1.
static double beyond_limit(const anim_spring_sim* sim, const anim_spring_point* p, double sine)
{
    double cosine = anim_dvec_dot(p->n, p->aim);
    double beyond = sine * sim->limit_cosine - cosine * sim->limit_sine;
    bool far = cosine * sim->limit_cosine + sine * sim->limit_sine < 0;
    return far && beyond > 0 ? 1 : beyond;
}

void anim_spring_start_limit(const anim_spring_sim* sim, anim_spring_point* p)
{
    p->start_excess = anim_max(beyond_limit(sim, p, anim_dvec_length(way_back(p))), 0);
}

double anim_spring_add_limit(const anim_spring_sim* sim, anim_spring_point* p)
{
    anim_dvec back = way_back(p);
    double sine = anim_dvec_length(back);
    double beyond = beyond_limit(sim, p, sine) - p->start_excess;
    p->back_k = p->back_by = 0;
    p->back = back;
    if (!(beyond > 0) || !(sine > 1e-9))
        return 0;
    p->held = true;
    p->back = anim_dvec_scale(back, 1 / sine);
    p->back_k = wall_stiffness * p->inertia;
    beyond *= p->long_now;
    p->back_by = p->back_k * beyond;
    return p->back_by * beyond;
}

// ---- exactly

static anim_dvec at_angle(anim_dvec axis, anim_dvec n, double cosine, double sine)
{
    anim_dvec side = anim_spring_along(n, axis, -anim_dvec_dot(n, axis)), other;
    other = anim_dvec_square_to(axis);
    side = anim_dvec_dot(side, side) > 1e-24 ? anim_dvec_normalize(side, other) : other;
    return anim_dvec_normalize(anim_spring_along(anim_dvec_scale(axis, cosine), side, sine), n);
}

static bool leave(anim_spring_point* p, anim_dvec start, const anim_spring_body* body)
{
    double length = p->long_now, reach = body->reach;
    bool turned = false;
    for (int round = 0; round < most_rounds; round++) { // the nearest place on an axis moves with x
        anim_dvec x = anim_spring_along(start, p->n, length);
        anim_dvec centre = nearest(body, x, NULL);
        anim_dvec off = anim_dvec_sub(x, centre), in = anim_dvec_sub(centre, start);
        if (!(anim_dvec_dot(off, off) < reach * reach * (1 - 1e-9)))
            break;
        double deep2 = anim_dvec_dot(in, in), deep = sqrt(deep2);
        double cosine = length * length + deep2 - reach * reach, twice = 2 * length * deep;
        if (!(cosine > -twice) || !(deep2 > 1e-100))
            break; // no way out
        cosine = cosine < twice ? cosine / twice : 1;
        p->n = at_angle(anim_dvec_scale(in, 1 / deep), p->n, cosine, sqrt(1 - cosine * cosine));
        turned = true;
    }
    return turned;
}

// True if the bone had to be turned.
static bool meet_all(const anim_spring_sim* sim, anim_spring_point* p, anim_dvec start)
{
    bool turned = false;
    for (int round = 0; round < most_rounds; round++) {
        bool again = false;
        for (uint32_t i = 0; i < sim->near_count; i++)
            again |= leave(p, start, &sim->bodies[sim->near[i]]);
        if (sim->limited && anim_dvec_dot(p->n, p->aim) < sim->limit_cosine) {
            p->n = at_angle(p->aim, p->n, sim->limit_cosine, sim->limit_sine);
            again = true;
        }
        if (!again)
            break;
        turned = true;
    }
    return turned;
}

// Takes the part of the velocity relative to `rate` that leads against the unit vector `out`.
static void stop(anim_spring_point* p, anim_dvec out, anim_dvec rate)
{
    double into = anim_dvec_dot(anim_dvec_sub(p->v, rate), out);
    p->v = anim_spring_along(p->v, out, -anim_min(into, 0));
}

// The velocity of a point that something holds. Those of the step itself count: the two-step formula
// would throw it back half as hard as it came.
static void stop_at_all(const anim_spring_sim* sim, anim_spring_point* p,
                        const anim_spring_point* above, double h)
{
    const double near = 1e-3 * p->long_now;
    anim_dvec zero = {0, 0, 0}, bone = anim_dvec_scale(p->n, p->long_now);
    p->v = anim_dvec_scale(p->d, 1 / h);
    for (uint32_t i = 0; i < sim->near_count; i++) {
        const anim_spring_body* body = &sim->bodies[sim->near[i]];
        anim_dvec rate, out = anim_dvec_sub(p->x, nearest(body, p->x, &rate));
        double far = anim_dvec_length(out);
        if (far < body->reach + near)
            stop(p, anim_dvec_normalize(out, p->n), rate);
    }
    if (sim->limited && beyond_limit(sim, p, anim_dvec_length(way_back(p))) > -1e-3) {
        anim_dvec rate = anim_dvec_add(above->v, anim_dvec_cross(sim->spin, bone));
        stop(p, anim_dvec_normalize(way_back(p), zero), rate);
    }
}

// A blow goes through the whole chain: all start again with the speed that the step had.
static void start_again(anim_spring_sim* sim, const anim_spring_chain* chain, double h)
{
    const anim_spring_point* above = &sim->points[chain->anchor];
    for (uint32_t i = 0; i < chain->active_count; i++) {
        anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
        if (p->held)
            stop_at_all(sim, p, above, h);
        else
            p->v = anim_dvec_scale(p->d, 1 / h);
        p->d = anim_dvec_scale(p->v, h);
        p->w = p->v;
        p->starts = true;
        above = p;
    }
}

void anim_spring_settle(anim_spring_sim* sim, const anim_spring_chain* chain, double h)
{
    if (!chain->turns && !sim->limited && sim->near_count == 0)
        return;
    const anim_spring_point* above = &sim->points[chain->anchor];
    anim_dquat turn = chain->hung_on >= 0 ? sim->points[chain->hung_on].turn : ANIM_DQUAT_IDENTITY;
    bool moved = false, held = false;
    for (uint32_t i = 1; i <= chain->count; i++) {
        anim_spring_point* p = &sim->points[chain->anchor + i];
        if (p->rigid) {
            p->x = above->x;
            p->turn = turn;
            continue;
        }
        if (moved)
            p->n = anim_dvec_normalize(anim_dvec_sub(p->x, above->x), p->n);
        bool turned = meet_all(sim, p, above->x);
        p->held |= turned;
        held |= p->held;
        moved |= turned;
        if (moved)
            p->x = anim_spring_along(above->x, p->n, p->long_now);
        if (chain->turns) {
            anim_dvec aim = anim_dquat_rotate(turn, anim_dvec_sub(p->raw, above->raw));
            aim = anim_dvec_normalize(aim, p->n);
            turn = anim_dquat_mul(anim_dquat_between(aim, p->n, anim_dvec_square_to(aim)), turn);
            p->turn = turn = anim_dquat_normalize(turn);
        }
        above = p;
    }
    if (held && h > 0)
        start_again(sim, chain, h);
}
