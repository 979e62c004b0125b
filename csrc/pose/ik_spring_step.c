// SPDX-License-Identifier: MIT
// One inner step: where the animation has the points, where they would go freely, and what the bones make
// of that.
#include "pose/ik_spring_parts.h"

void anim_spring_frame_at(anim_spring_sim* sim, double u)
{
    sim->origin = anim_spring_path_at(&sim->place, u);
    sim->origin_rate = anim_spring_path_rate(&sim->place, u, sim->per_second);
    const anim_dquat *from = &sim->turn_from, *step = &sim->turn_step, *bend = &sim->turn_bend;
    double k = u * (u - 1), l = 2 * u - 1;
    anim_dquat q = {from->x + step->x * u + bend->x * k, from->y + step->y * u + bend->y * k,
                    from->z + step->z * u + bend->z * k, from->w + step->w * u + bend->w * k};
    anim_dquat rate = {step->x + bend->x * l, step->y + bend->y * l, step->z + bend->z * l,
                       step->w + bend->w * l};
    double length2 = anim_dquat_dot(q, q);
    anim_dquat spin = anim_dquat_mul(rate, anim_dquat_conjugate(q));
    double twice = length2 > 1e-6 ? 2 * sim->per_second / length2 : 0;
    sim->spin = anim_dvec_scale((anim_dvec){spin.x, spin.y, spin.z}, twice);
    q = anim_dquat_normalize(q);
    sim->axes[0] = anim_dquat_rotate(q, (anim_dvec){1, 0, 0});
    sim->axes[1] = anim_dquat_rotate(q, (anim_dvec){0, 1, 0});
    sim->axes[2] = anim_dquat_rotate(q, (anim_dvec){0, 0, 1});
    for (uint32_t i = 0; i < sim->spring->collider_count; i++) {
        anim_spring_body* b = &sim->bodies[i];
        anim_dvec a = anim_spring_out(sim, anim_spring_path_at(&b->a, u));
        anim_dvec to = anim_spring_out(sim, anim_spring_path_at(&b->b, u));
        b->at = anim_dvec_add(sim->origin, a);
        b->to = anim_dvec_add(sim->origin, to);
        a = anim_dvec_add(anim_dvec_cross(sim->spin, a),
                          anim_spring_out(sim, anim_spring_path_rate(&b->a, u, sim->per_second)));
        to = anim_dvec_add(anim_dvec_cross(sim->spin, to),
                           anim_spring_out(sim, anim_spring_path_rate(&b->b, u, sim->per_second)));
        b->at_rate = anim_dvec_add(sim->origin_rate, a);
        b->to_rate = anim_dvec_add(sim->origin_rate, to);
        b->reach = b->radius + b->radius_step * u + (double)sim->spring->radius;
    }
}

// What the frame's motion makes of a place, and the animation's own on top of it.
static anim_dvec flow_at(const anim_spring_sim* sim, anim_dvec x, anim_dvec rate)
{
    anim_dvec turning = anim_dvec_cross(sim->spin, anim_dvec_sub(x, sim->origin));
    return anim_dvec_add(anim_dvec_add(sim->origin_rate, turning), rate);
}

// Raw places, and those carried by the joint that the chain hangs on: turned about its origin as it was.
void anim_spring_aim(anim_spring_sim* sim, const anim_spring_chain* chain, double u)
{
    const anim_spring_point* joint = chain->hung_on >= 0 ? &sim->points[chain->hung_on - 1] : NULL;
    anim_dquat turn = joint ? joint[1].turn : ANIM_DQUAT_IDENTITY;
    for (uint32_t i = 0; i <= chain->count; i++) {
        anim_spring_point* p = &sim->points[chain->anchor + i];
        p->raw = anim_dvec_add(sim->origin, anim_spring_out(sim, anim_spring_path_at(&p->path, u)));
        anim_dvec rate = anim_spring_out(sim, anim_spring_path_rate(&p->path, u, sim->per_second));
        p->goal = p->raw;
        if (joint) {
            anim_dvec arm = anim_dvec_sub(p->raw, joint->raw);
            p->goal = anim_dvec_add(joint->x, anim_dquat_rotate(turn, arm));
            rate = anim_dquat_rotate(turn, rate);
        }
        if (sim->limited && i > 0) {
            anim_dvec aim = anim_dvec_sub(p->goal, p[-1].goal);
            p->aim = anim_dvec_normalize(aim, p->n);
        }
        p->flow = flow_at(sim, i > 0 ? anim_dvec_add(p->x, p->d) : p->goal, rate);
        p->long_now = p->length + p->length_step * u;
    }
    anim_spring_point* anchor = &sim->points[chain->anchor];
    anchor->x = anchor->goal;
    anchor->v = anchor->flow;
    if (sim->spring->collider_count > 0)
        anim_spring_find_walls(sim, chain);
}

// The two-step formula: v' = (3 x' - 4 x + x_before) / 2h = (x' - base) / b, and the same for v'. Without a
// step before it, the one-step formula: v' = (x' - x) / h. What depends on x' and v' goes to the left side.
static void predict(const anim_spring_sim* sim, anim_spring_point* p, double h)
{
    double b = p->starts ? h : h * 2 / 3, third = p->starts ? 0 : 1.0 / 3;
    double held = 1 + b * (p->rub + sim->drag), whole = held + b * b * p->pull;
    anim_dvec v = anim_spring_along(p->v, anim_dvec_sub(p->v, p->w), third);
    p->base = anim_spring_along(p->x, p->d, third);
    p->per_way = 1 / b;
    p->held = false;
    anim_dvec force = anim_spring_along(sim->gravity, p->flow, p->rub);
    force = anim_spring_along(force, sim->wind, sim->drag);
    force = anim_spring_along(force, p->goal, p->pull);
    force = anim_spring_along(force, v, 1 / b);
    p->wish = anim_spring_along(anim_dvec_scale(p->base, held), force, b * b);
    p->wish = anim_dvec_scale(p->wish, 1 / whole);
    p->inertia = whole * (h / b) * (h / b);
}

void anim_spring_step(anim_spring_sim* sim, double u, double h)
{
    anim_spring_frame_at(sim, u);
    for (uint32_t c = 0; c < sim->chain_count; c++) {
        const anim_spring_chain* chain = &sim->chains[c];
        anim_spring_aim(sim, chain, u);
        for (uint32_t i = 0; i < chain->active_count; i++)
            predict(sim, &sim->points[sim->active[chain->active + i]], h);
        anim_spring_solve(sim, chain, h);
        anim_dvec at = sim->points[chain->anchor].x;
        for (uint32_t i = 0; i < chain->active_count; i++) {
            anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
            at = anim_spring_along(at, p->n, p->long_now);
            p->w = p->v;
            p->v = anim_dvec_scale(anim_dvec_sub(at, p->base), p->per_way);
            p->d = anim_dvec_sub(at, p->x);
            p->x = at;
            p->starts = false;
        }
        anim_spring_settle(sim, chain, h);
    }
}

void anim_spring_show(anim_spring_sim* sim, double late, double h)
{
    anim_spring_frame_at(sim, 1);
    for (uint32_t c = 0; c < sim->chain_count; c++) {
        const anim_spring_chain* chain = &sim->chains[c];
        anim_spring_aim(sim, chain, 1);
        anim_dvec at = sim->points[chain->anchor].x, from = at;
        for (uint32_t i = 0; i < chain->active_count; i++) {
            anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
            anim_dvec more = anim_dvec_scale(anim_dvec_sub(p->v, p->w), late / (2 * h));
            anim_dvec x = anim_spring_along(p->x, anim_dvec_add(p->v, more), late);
            p->n = anim_dvec_normalize(anim_dvec_sub(x, from), p->n);
            from = x;
            at = anim_spring_along(at, p->n, p->long_now);
            p->x = at;
        }
        anim_spring_settle(sim, chain, 0);
    }
}
