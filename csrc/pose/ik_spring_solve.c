// SPDX-License-Identifier: MIT
// What bones of fixed length make of the places where their points would go: the nearest place to them,
// weighted by inertia, that the bones allow. Colliders and limits are stiff springs in it, so that what holds
// one point up is felt by the others; what they are off by is put right afterwards.
#include "pose/ik_spring_parts.h"

enum { most_rounds = 6, most_halves = 6 };

static void add(anim_spring_matrix* m, const anim_spring_matrix* other)
{
    m->xx += other->xx;
    m->xy += other->xy;
    m->xz += other->xz;
    m->yy += other->yy;
    m->yz += other->yz;
    m->zz += other->zz;
}

// Half the sum of squared distances from the wishes, weighted by inertia, for points on bones of the
// directions n; its slope for each point.
static double look(anim_spring_sim* sim, const anim_spring_chain* chain)
{
    anim_dvec at = sim->points[chain->anchor].x;
    double sum = 0;
    for (uint32_t i = 0; i < chain->active_count; i++) {
        anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
        at = anim_spring_along(at, p->n, p->long_now);
        anim_dvec off = anim_dvec_sub(at, p->wish);
        p->slope = anim_dvec_scale(off, p->inertia);
        sum += anim_dvec_dot(off, p->slope);
        if (sim->near_count > 0)
            sum += anim_spring_add_walls(sim, p, at);
        if (sim->limited)
            sum += anim_spring_add_limit(sim, p);
    }
    return sum / 2;
}

// Two unit vectors square to n and to each other (T. Duff and others, JCGT 6, 2017).
static void find_sides(anim_spring_point* p)
{
    anim_dvec n = p->n;
    double sign = n.z < 0 ? -1 : 1, a = -1 / (sign + n.z), b = n.x * n.y * a;
    p->side[0] = (anim_dvec){1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    p->side[1] = (anim_dvec){b, sign + n.y * n.y * a, -n.y};
}

// Newton's step for the bones, from the tip to the root and back: for each, how the part of the chain from
// it on resists (`k`) and pulls (`pull`) at the point above it, once its bones have turned as they like. A
// tension lets a bone turn less; a negative one is left out, so that the step always leads down.
static void find_step(anim_spring_sim* sim, const anim_spring_chain* chain)
{
    const uint32_t* active = &sim->active[chain->active];
    anim_spring_matrix k = {0};
    anim_dvec pull = {0, 0, 0}, sum = {0, 0, 0};
    for (uint32_t i = chain->active_count; i-- > 0;) {
        anim_spring_point* p = &sim->points[active[i]];
        k.xx += p->inertia;
        k.yy += p->inertia;
        k.zz += p->inertia;
        if (sim->near_count > 0)
            add(&k, &p->wall);
        pull = anim_dvec_add(pull, p->slope);
        sum = anim_dvec_add(sum, p->slope);
        double tension = anim_max(-anim_dvec_dot(p->n, sum), 0) / p->long_now;
        find_sides(p);
        p->k[0] = anim_spring_times(&k, p->side[0]);
        p->k[1] = anim_spring_times(&k, p->side[1]);
        double a = anim_dvec_dot(p->side[0], p->k[0]) + tension;
        double b = anim_dvec_dot(p->side[0], p->k[1]);
        double c = anim_dvec_dot(p->side[1], p->k[1]) + tension;
        anim_dvec bone = pull;
        if (sim->limited) {
            double back[2] = {anim_dvec_dot(p->back, p->side[0]),
                              anim_dvec_dot(p->back, p->side[1])};
            a += p->back_k * back[0] * back[0];
            b += p->back_k * back[0] * back[1];
            c += p->back_k * back[1] * back[1];
            bone = anim_spring_along(bone, p->back, -p->back_by);
        }
        a = anim_max(a, p->inertia); // they are no less, but for rounding
        c = anim_max(c - b * b / a, p->inertia);
        p->ratio = b / a;
        p->one_by[0] = 1 / a;
        p->one_by[1] = 1 / c;
        anim_dvec second = anim_spring_along(p->k[1], p->k[0], -p->ratio);
        p->along[0] = anim_dvec_dot(p->side[0], bone);
        p->along[1] = anim_dvec_dot(p->side[1], bone) - p->ratio * p->along[0];
        pull = anim_spring_along(pull, p->k[0], -p->along[0] * p->one_by[0]);
        pull = anim_spring_along(pull, second, -p->along[1] * p->one_by[1]);
        anim_spring_add_square(&k, p->k[0], -p->one_by[0]);
        anim_spring_add_square(&k, second, -p->one_by[1]);
    }
    anim_dvec moved = {0, 0, 0};
    for (uint32_t i = 0; i < chain->active_count; i++) {
        anim_spring_point* p = &sim->points[active[i]];
        double first = anim_dvec_dot(p->k[0], moved);
        double second = anim_dvec_dot(p->k[1], moved) - p->ratio * first;
        second = -(p->along[1] + second) * p->one_by[1];
        first = -(p->along[0] + first) * p->one_by[0] - p->ratio * second;
        p->turn_by = anim_spring_along(anim_dvec_scale(p->side[0], first), p->side[1], second);
        moved = anim_dvec_add(moved, p->turn_by);
        p->turn_by = anim_dvec_scale(p->turn_by, 1 / p->long_now);
        p->old_n = p->n;
    }
}

// The largest change, squared.
static double take_step(anim_spring_sim* sim, const anim_spring_chain* chain, double part)
{
    double most = 0;
    for (uint32_t i = 0; i < chain->active_count; i++) {
        anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
        most = anim_max(most, anim_dvec_dot(p->turn_by, p->turn_by));
        p->n = anim_dvec_normalize(anim_spring_along(p->old_n, p->turn_by, part), p->old_n);
    }
    return most * part * part;
}

static double go_on(anim_spring_sim* sim, const anim_spring_chain* chain, double h)
{
    anim_dvec from = sim->points[chain->anchor].x;
    for (uint32_t i = 0; i < chain->active_count; i++) {
        anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
        anim_dvec more = anim_dvec_scale(anim_dvec_sub(p->v, p->w), h);
        anim_dvec at = anim_dvec_add(anim_dvec_add(p->x, p->d), more);
        p->n = anim_dvec_normalize(anim_dvec_sub(at, from), p->n);
        from = at;
    }
    return look(sim, chain);
}

static double follow_wishes(anim_spring_sim* sim, const anim_spring_chain* chain)
{
    anim_dvec from = sim->points[chain->anchor].x;
    for (uint32_t i = 0; i < chain->active_count; i++) {
        anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
        p->n = anim_dvec_normalize(anim_dvec_sub(p->wish, from), p->n);
        from = anim_spring_along(from, p->n, p->long_now);
    }
    return look(sim, chain);
}

// Back to the last directions but for a part of the step, until it leads down. False where none does.
static bool shorten(anim_spring_sim* sim, const anim_spring_chain* chain, double far, double* now)
{
    double part = 1;
    for (int half = 0; half < most_halves && !(*now <= far); half++) {
        part /= 2;
        take_step(sim, chain, part);
        *now = look(sim, chain);
    }
    return *now <= far;
}

static void copy_directions(anim_spring_sim* sim, const anim_spring_chain* chain, bool back)
{
    for (uint32_t i = 0; i < chain->active_count; i++) {
        anim_spring_point* p = &sim->points[sim->active[chain->active + i]];
        if (back)
            p->n = p->best;
        else
            p->best = p->n;
    }
}

// The nearest place to the wishes that keeps the lengths: Newton's method on the directions of the bones. It
// starts where they would be if they went on as they went; where that is far off and it is nearer, where
// one point after the other goes toward its wish. A step may lead up only into a wall, of which the
// next one knows.
void anim_spring_solve(anim_spring_sim* sim, const anim_spring_chain* chain, double h)
{
    if (chain->active_count == 1) {
        follow_wishes(sim, chain); // that is all there is to it
        return;
    }
    bool walls = sim->limited || sim->near_count > 0;
    for (uint32_t i = 0; i < chain->active_count && sim->limited; i++)
        anim_spring_start_limit(sim, &sim->points[sim->active[chain->active + i]]);
    double far = go_on(sim, chain, h), best = far;
    copy_directions(sim, chain, false);
    for (int round = 0; round < most_rounds && chain->active_count > 0; round++) {
        find_step(sim, chain);
        double change = take_step(sim, chain, 1);
        if (change < 1e-6)
            return; // what is left is of the size of its square
        double now = look(sim, chain);
        if (round == 0 && change > 1e-2) {
            double other = follow_wishes(sim, chain);
            if (!(other <= now)) {
                take_step(sim, chain, 1);
                other = look(sim, chain);
            }
            now = other;
        }
        if (!walls && !shorten(sim, chain, far, &now))
            break;
        far = now;
        if (now <= best) {
            best = now;
            copy_directions(sim, chain, false);
        }
    }
    copy_directions(sim, chain, true);
}
