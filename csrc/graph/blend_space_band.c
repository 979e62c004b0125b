// SPDX-License-Identifier: MIT
// Gradient bands (R. S. Johansen, "Automated Semi-Procedural Animation for Character Locomotion", 2009,
// 6.3): a site's weight falls from 1 at the site to 0 at every other, along the line to it; the least of
// these counts. Modes `cartesian` and, with lengths and angles in place of x and y, `directional`.
#include "graph/blend_space_parts.h"

#include "math/range.h"
#include "math/trig.h"

#include <math.h>

typedef struct input {
    double x, y, length, angle;
} input;

typedef struct vector {
    double x, y;
} vector;

// How far p is from site a towards site b: 0 at a, 1 at b.
static double way(vector to_b, vector to_p)
{
    return (to_p.x * to_b.x + to_p.y * to_b.y) / (to_b.x * to_b.x + to_b.y * to_b.y);
}

static inline double cartesian_way(const anim_blend_site* a, const anim_blend_site* b,
                                   const input* p)
{
    return way((vector){b->x - a->x, b->y - a->y}, (vector){p->x - a->x, p->y - a->y});
}

// The shorter way round, counter-clockwise positive.
static double turn(double from, double to)
{
    double angle = to - from;
    if (angle > ANIM_BLEND_FULL_TURN / 2)
        angle -= ANIM_BLEND_FULL_TURN;
    if (angle < -ANIM_BLEND_FULL_TURN / 2)
        angle += ANIM_BLEND_FULL_TURN;
    return angle;
}

static inline double polar_way(const anim_blend_site* a, const anim_blend_site* b, const input* p)
{
    double mean = (a->length + b->length) / 2;
    vector to_b = {(b->length - a->length) / mean, 0};
    vector to_p = {(p->length - a->length) / mean, 0};
    if (a->length > 0 && b->length > 0) {
        to_b.y = turn(a->angle, b->angle);
        to_p.y = p->length > 0 ? turn(a->angle, p->angle) : 0;
        // Opposite sites have no shorter way: it is on the side of p, so that both sides are alike.
        if (fabs(to_b.y) >= ANIM_BLEND_HALF_TURN)
            to_b.y = copysign(to_b.y, to_p.y);
    }
    return way(to_b, to_p);
}

// In lengths and angles three sites can rule each other out (the first the second, that the third, that
// the first), and then no weight is left.
static void weigh_nearest(const anim_blend_space* space, const input* p, float* weights)
{
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < space->site_count; i++) {
        double dx = p->x - space->sites[i].x, dy = p->y - space->sites[i].y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            nearest = i;
        }
    }
    *anim_blend_weight(space, nearest, weights) = 1;
}

typedef double way_function(const anim_blend_site* a, const anim_blend_site* b, const input* p);

static inline void weigh(const anim_blend_space* space, const input* p, way_function* find_way,
                         float* weights)
{
    const anim_blend_site* sites = space->sites;
    double sum = 0;
    for (uint32_t i = 0; i < space->site_count; i++) {
        double weight = 1;
        for (uint32_t j = 0; j < space->site_count && weight > 0; j++)
            if (j != i)
                weight = anim_min(weight, 1 - find_way(&sites[i], &sites[j], p));
        weight = anim_max(weight, 0);
        *anim_blend_weight(space, i, weights) = (float)weight;
        sum += weight;
    }
    if (sum < 1e-30)
        weigh_nearest(space, p, weights);
}

void anim_blend_weigh_cartesian(const anim_blend_space* space, double x, double y, float* weights)
{
    input p = {.x = x, .y = y};
    weigh(space, &p, cartesian_way, weights);
}

void anim_blend_weigh_directional(const anim_blend_space* space, double x, double y, float* weights)
{
    input p = {x, y, sqrt(x * x + y * y), anim_atan2_d(y, x)};
    weigh(space, &p, polar_way, weights);
}
