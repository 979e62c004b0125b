// SPDX-License-Identifier: MIT
#include "graph/blend_space_parts.h"

#include "base/layout.h"
#include "base/mem.h"
#include "base/order.h"
#include "math/range.h"
#include "math/trig.h"

#include <math.h>
#include <string.h>

static const double merge_distance = 1e-6; // of the extent
static const double least_weight = 1e-7;

static const struct mode {
    anim_code (*prepare)(anim_blend_space* draft, anim_arena* arena, anim_error* err);
    void (*weigh)(const anim_blend_space* space, double x, double y, float* weights);
} modes[ANIM_BLEND_MODE_COUNT] = {
    [ANIM_BLEND_SIMPLE] = {anim_blend_prepare_around, anim_blend_weigh_simple},
    [ANIM_BLEND_DIRECTIONAL] = {anim_blend_prepare_around, anim_blend_weigh_directional},
    [ANIM_BLEND_CARTESIAN] = {NULL, anim_blend_weigh_cartesian},
    [ANIM_BLEND_TRIANGULATED] = {anim_blend_prepare_triangles, anim_blend_weigh_triangles},
    [ANIM_BLEND_GRID] = {anim_blend_prepare_grid, anim_blend_weigh_grid},
    [ANIM_BLEND_IDW] = {NULL, anim_blend_weigh_idw},
};

// ---- creation

static anim_code check(const anim_blend_space_desc* desc, anim_error* err)
{
    if (desc->count > ANIM_BLEND_MAX_SAMPLES)
        return anim_fail(err, ANIM_ERR_LIMIT, "%u samples are more than a blend space takes (%u)",
                         desc->count, ANIM_BLEND_MAX_SAMPLES);
    for (uint32_t i = 0; i < desc->count; i++)
        if (!isfinite(desc->x[i]) || !isfinite(desc->y[i]))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "sample %u at (%g, %g) is not finite", i + 1,
                             (double)desc->x[i], (double)desc->y[i]);
    if (!(desc->power >= 0) || !isfinite(desc->power))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "power %g is not above 0", (double)desc->power);
    return ANIM_OK;
}

static double find_extent(const anim_blend_space_desc* desc)
{
    if (desc->count == 0)
        return 0;
    double low[2] = {desc->x[0], desc->y[0]}, high[2] = {desc->x[0], desc->y[0]};
    for (uint32_t i = 1; i < desc->count; i++) {
        low[0] = anim_min(low[0], desc->x[i]);
        low[1] = anim_min(low[1], desc->y[i]);
        high[0] = anim_max(high[0], desc->x[i]);
        high[1] = anim_max(high[1], desc->y[i]);
    }
    return anim_max(high[0] - low[0], high[1] - low[1]);
}

typedef struct row {
    const float* values;
    const uint32_t* order; // NULL: as they come
} row;

static double row_key(const void* list, uint32_t index)
{
    const row* r = list;
    return r->values[r->order ? r->order[index] : index];
}

// Samples in rising order of x, then y, then number.
static uint32_t* sort_samples(const anim_blend_space_desc* desc, anim_arena* arena)
{
    row by_y = {desc->y, NULL};
    by_y.order = anim_order_by(arena, row_key, &by_y, desc->count);
    if (!by_y.order)
        return NULL;
    row by_x = {desc->x, by_y.order};
    uint32_t* order = anim_order_by(arena, row_key, &by_x, desc->count);
    for (uint32_t i = 0; order && i < desc->count; i++)
        order[i] = by_y.order[order[i]];
    return order;
}

// leader[i]: the first sample (by place in the order) of those that i is equal to, also by way of others.
static void find_leaders(const anim_blend_space* draft, const uint32_t* order, uint32_t* leader)
{
    double most = merge_distance * draft->extent;
    for (uint32_t i = 0; i < draft->count; i++)
        leader[i] = i;
    for (uint32_t i = 0; i < draft->count; i++) {
        for (uint32_t j = i + 1; j < draft->count; j++) {
            uint32_t a = order[i], b = order[j];
            if ((double)draft->x[b] - draft->x[a] > most)
                break;
            uint32_t from = leader[i] < leader[j] ? leader[j] : leader[i];
            uint32_t to = leader[i] < leader[j] ? leader[i] : leader[j];
            if (from == to || fabs((double)draft->y[b] - draft->y[a]) > most)
                continue;
            for (uint32_t k = from; k < draft->count; k++)
                if (leader[k] == from)
                    leader[k] = to;
        }
    }
}

static void fill_site(const anim_blend_space* draft, uint32_t sample, anim_blend_site* site)
{
    // Half the distance: only one site can then be at the origin.
    double most = merge_distance / 2 * draft->extent;
    site->x = draft->x[sample];
    site->y = draft->y[sample];
    if (fabs(site->x) <= most && fabs(site->y) <= most)
        return;
    site->length = sqrt(site->x * site->x + site->y * site->y);
    site->angle = anim_atan2_d(site->y, site->x);
}

static bool make_sites(anim_blend_space* draft, const uint32_t* order, anim_arena* arena)
{
    uint32_t count = draft->count;
    uint32_t* leader = anim_arena_alloc(arena, count, sizeof *leader);
    uint32_t* members = anim_arena_alloc(arena, count, sizeof *members);
    anim_blend_site* sites = anim_arena_alloc(arena, count, sizeof *sites);
    if (!leader || !members || !sites)
        return false;
    find_leaders(draft, order, leader);
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (leader[i] != i)
            continue;
        anim_blend_site* site = &sites[draft->site_count++];
        fill_site(draft, order[i], site);
        site->first = taken;
        for (uint32_t j = i; j < count; j++)
            if (leader[j] == i)
                members[taken++] = order[j];
        site->count = taken - site->first;
    }
    draft->members = members;
    draft->sites = sites;
    return true;
}

static const void* copy(anim_layout* layout, const void* from, size_t count, size_t element)
{
    void* to = anim_layout_take(layout, count, element);
    if (to && count)
        memcpy(to, from, count * element);
    return to;
}

// The draft and all it refers to, one after the other.
static anim_blend_space* pack(anim_layout* layout, const anim_blend_space* draft)
{
    anim_blend_space* space = anim_layout_take(layout, 1, sizeof *space);
    anim_blend_space s = *draft;
    bool triangulated = s.side_count > 0;
    uint32_t places = triangulated ? s.site_count : 0;
    s.x = copy(layout, s.x, s.count, sizeof *s.x);
    s.y = copy(layout, s.y, s.count, sizeof *s.y);
    s.members = copy(layout, s.members, s.count, sizeof *s.members);
    s.sites = copy(layout, s.sites, s.site_count, sizeof *s.sites);
    s.around = copy(layout, s.around, s.around_count, sizeof *s.around);
    s.columns = copy(layout, s.columns, s.column_count, sizeof *s.columns);
    s.rows = copy(layout, s.rows, s.row_count, sizeof *s.rows);
    s.cells = copy(layout, s.cells, s.column_count * s.row_count, sizeof *s.cells);
    s.unit_x = copy(layout, s.unit_x, places, sizeof *s.unit_x);
    s.unit_y = copy(layout, s.unit_y, places, sizeof *s.unit_y);
    s.triangles = copy(layout, s.triangles, s.triangle_count * 3, sizeof *s.triangles);
    s.rim = copy(layout, s.rim, s.rim_count, sizeof *s.rim);
    s.knots = copy(layout, s.knots, s.rim_count, sizeof *s.knots);
    s.sides = copy(layout, s.sides, triangulated ? s.side_count + 1 : 0, sizeof *s.sides);
    if (space)
        *space = s;
    return space;
}

static anim_code build_draft(anim_blend_space* draft, const anim_blend_space_desc* desc,
                             anim_arena* arena, anim_error* err)
{
    const uint32_t* order = sort_samples(desc, arena);
    if (!order || !make_sites(draft, order, arena))
        return anim_fail_memory(err, "a blend space");
    if (draft->site_count < 2 || !modes[draft->mode].prepare)
        return ANIM_OK;
    return modes[draft->mode].prepare(draft, arena, err);
}

anim_code anim_blend_space_create(const anim_blend_space_desc* desc, anim_blend_space** out,
                                  anim_error* err)
{
    *out = NULL;
    anim_code code = check(desc, err);
    if (code)
        return code;
    anim_arena arena = {0};
    anim_blend_space draft = {
        .mode = desc->mode,
        .count = desc->count,
        .power = desc->power > 0 ? desc->power : 2,
        .manhattan = desc->manhattan,
        .extent = find_extent(desc),
        .x = desc->x,
        .y = desc->y,
    };
    code = build_draft(&draft, desc, &arena, err);
    if (!code) {
        anim_layout layout = {0};
        pack(&layout, &draft);
        layout = (anim_layout){anim_mem_alloc(layout.size), 0};
        if (layout.block) {
            *out = pack(&layout, &draft);
            anim_ref_init(&(*out)->ref);
        } else {
            code = anim_fail_memory(err, "a blend space");
        }
    }
    anim_arena_free(&arena);
    return code;
}

anim_blend_space* anim_blend_space_retain(anim_blend_space* space)
{
    anim_ref_retain(&space->ref);
    return space;
}

void anim_blend_space_release(anim_blend_space* space)
{
    if (space && anim_ref_drop(&space->ref))
        anim_mem_free(space);
}

// ---- weights

static bool stands_on(const anim_blend_space* space, const anim_blend_site* site, float x, float y)
{
    for (uint32_t i = 0; i < site->count; i++) {
        uint32_t sample = space->members[site->first + i];
        if (space->x[sample] == x && space->y[sample] == y)
            return true;
    }
    return false;
}

// True where there is nothing to weigh: one site, or the input stands on one.
static bool weigh_alone(const anim_blend_space* space, float x, float y, float* weights)
{
    for (uint32_t i = 0; i < space->site_count; i++)
        if (space->site_count == 1 || stands_on(space, &space->sites[i], x, y)) {
            *anim_blend_weight(space, i, weights) = 1;
            return true;
        }
    return false;
}

static double add_up(const anim_blend_space* space, double least, float* weights)
{
    double sum = 0;
    for (uint32_t i = 0; i < space->site_count; i++) {
        float* weight = anim_blend_weight(space, i, weights);
        if (*weight < least)
            *weight = 0;
        sum += *weight;
    }
    return sum;
}

void anim_blend_space_weights(const anim_blend_space* space, float x, float y, float* weights)
{
    for (uint32_t i = 0; i < space->count; i++)
        weights[i] = 0;
    if (space->count == 0)
        return;
    if (!weigh_alone(space, x, y, weights))
        modes[space->mode].weigh(space, x, y, weights);
    double sum = add_up(space, 0, weights);
    sum = add_up(space, least_weight * sum, weights);
    for (uint32_t i = 0; i < space->site_count; i++) {
        const anim_blend_site* site = &space->sites[i];
        float share = (float)(*anim_blend_weight(space, i, weights) / sum / site->count);
        for (uint32_t k = 0; k < site->count; k++)
            weights[space->members[site->first + k]] = share;
    }
}

double anim_blend_space_extent(const anim_blend_space* space)
{
    return space->extent;
}

bool anim_blend_space_has_gap(const anim_blend_space* space)
{
    return space->gap;
}
