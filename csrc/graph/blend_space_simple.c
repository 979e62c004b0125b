// SPDX-License-Identifier: MIT
// Sites around the origin: their order, the gaps between them, and the mode `simple`.
#include "graph/blend_space_parts.h"

#include "base/order.h"
#include "math/range.h"
#include "math/trig.h"

static double angle_key(const void* list, uint32_t index)
{
    const anim_blend_site* sites = list;
    return sites[index].length == 0 ? 4 : sites[index].angle; // the origin comes last
}

// From the site at this place to the next one, counter-clockwise; a lone site is its own neighbour.
static double turn_to_next(const anim_blend_space* space, uint32_t place)
{
    uint32_t next = place + 1 < space->around_count ? place + 1 : 0;
    double turn = space->sites[space->around[next]].angle -
                  space->sites[space->around[place]].angle;
    return next ? turn : turn + ANIM_BLEND_FULL_TURN;
}

anim_code anim_blend_prepare_around(anim_blend_space* draft, anim_arena* arena, anim_error* err)
{
    draft->around = anim_order_by(arena, angle_key, draft->sites, draft->site_count);
    if (!draft->around)
        return anim_fail_memory(err, "a blend space");
    for (uint32_t i = 0; i < draft->site_count; i++)
        draft->around_count += draft->sites[i].length > 0;
    for (uint32_t i = 0; i < draft->around_count; i++) {
        double turn = turn_to_next(draft, i);
        draft->gap |= turn >= ANIM_BLEND_HALF_TURN;
        if (draft->mode != ANIM_BLEND_SIMPLE || turn > 1e-6)
            continue;
        uint32_t a = anim_blend_sample_number(draft, draft->around[i]);
        uint32_t b = anim_blend_sample_number(
            draft, draft->around[i + 1 < draft->around_count ? i + 1 : 0]);
        return anim_fail(
            err, ANIM_ERR_ARGUMENT,
            "samples %u and %u lie in one direction; mode \"simple\" takes one in each",
            a < b ? a : b, a < b ? b : a);
    }
    return ANIM_OK;
}

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

// How far p is along a, in lengths of a.
static double along(const anim_blend_site* a, double x, double y)
{
    return anim_max(0, (x * a->x + y * a->y) / (a->x * a->x + a->y * a->y));
}

// The place of the last site at or before the angle, going round.
static uint32_t find_place(const anim_blend_space* space, double angle)
{
    uint32_t after = 0;
    while (after < space->around_count && space->sites[space->around[after]].angle <= angle)
        after++;
    return after ? after - 1 : space->around_count - 1;
}

// What the two directions don't take goes to the origin or, where nothing is there, evenly to all.
static void give_rest(const anim_blend_space* space, double rest, float* weights)
{
    uint32_t site_count = space->site_count;
    for (uint32_t i = 0; i < site_count; i++) {
        if (space->around_count == site_count)
            *anim_blend_weight(space, i, weights) += (float)(rest / site_count);
        else if (space->sites[i].length == 0)
            *anim_blend_weight(space, i, weights) = (float)rest;
    }
}

void anim_blend_weigh_simple(const anim_blend_space* space, double x, double y, float* weights)
{
    uint32_t place = find_place(space, anim_atan2_d(y, x));
    uint32_t left = space->around[place + 1 < space->around_count ? place + 1 : 0];
    uint32_t right = space->around[place];
    const anim_blend_site *a = &space->sites[right], *b = &space->sites[left];
    double at_a, at_b;
    if (turn_to_next(space, place) >= ANIM_BLEND_HALF_TURN) {
        at_a = along(a, x, y);
        at_b = left == right ? 0 : along(b, x, y);
    } else {
        double area = cross(a->x, a->y, b->x, b->y);
        at_a = anim_max(0, cross(x, y, b->x, b->y) / area);
        at_b = anim_max(0, cross(a->x, a->y, x, y) / area);
    }
    double total = anim_max(1, at_a + at_b);
    at_a /= total;
    at_b /= total;
    *anim_blend_weight(space, right, weights) = (float)at_a;
    *anim_blend_weight(space, left, weights) += (float)at_b;
    give_rest(space, anim_max(0, 1 - at_a - at_b), weights);
}
