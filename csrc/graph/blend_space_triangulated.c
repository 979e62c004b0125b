// SPDX-License-Identifier: MIT
// Mode `triangulated`: barycentric weights in Delaunay triangles, and what holds outside them.
//
// What is nearly on a line or on the rim counts as on it: points that rounding moved inside by a hair
// would else lose all their weight outside.
#include "graph/blend_space_parts.h"

#include "base/order.h"
#include "graph/delaunay.h"
#include "math/range.h"

#include <math.h>

// Of the extent; less than half of what merges samples, so that two sites never share a place on a line.
static const double line_distance = 4e-7;

typedef struct line {
    double x, y;   // start
    double dx, dy; // to the end
} line;

static line line_between(const anim_blend_space* space, uint32_t from, uint32_t to)
{
    double x = space->unit_x[from], y = space->unit_y[from];
    return (line){x, y, space->unit_x[to] - x, space->unit_y[to] - y};
}

// Place along the line (0 at its start, 1 at its end) and distance from it (positive on its left) times
// its length. Products are subtracted, not differences multiplied: inputs are short of digits, so the
// products are exact and right for inputs at any distance.
static double place_on(const line* l, double x, double y)
{
    double to_input = x * l->dx + y * l->dy, to_start = l->x * l->dx + l->y * l->dy;
    return (to_input - to_start) / (l->dx * l->dx + l->dy * l->dy);
}

static double left_of(const line* l, double x, double y)
{
    return (l->dx * y - l->dy * x) - (l->dx * l->y - l->dy * l->x);
}

// ---- creation

typedef struct builder {
    anim_blend_space* draft;
    anim_arena* arena;
    double slack; // line_distance in units
    anim_delaunay mesh;
    uint32_t* next; // on the rim, by site
    uint32_t* edge; // from the site to the next one
    bool* on_rim;
    uint32_t *triangles, *rim, *sides;
    double* knots;
} builder;

static bool allocate(builder* b)
{
    anim_arena* arena = b->arena;
    uint32_t count = b->draft->site_count;
    b->next = anim_arena_alloc(arena, count, sizeof *b->next);
    b->edge = anim_arena_alloc(arena, count, sizeof *b->edge);
    b->on_rim = anim_arena_alloc(arena, count, sizeof *b->on_rim);
    b->rim = anim_arena_alloc(arena, count + 1, sizeof *b->rim);
    b->knots = anim_arena_alloc(arena, count + 1, sizeof *b->knots);
    b->sides = anim_arena_alloc(arena, count + 1, sizeof *b->sides);
    b->triangles = anim_arena_alloc(arena, (size_t)count * 6, sizeof *b->triangles);
    b->draft->triangles = b->triangles;
    b->draft->rim = b->rim;
    b->draft->sides = b->sides;
    b->draft->knots = b->knots;
    return b->next && b->edge && b->on_rim && b->rim && b->knots && b->sides && b->triangles;
}

static bool set_units(builder* b)
{
    anim_blend_space* draft = b->draft;
    double* x = anim_arena_alloc(b->arena, draft->site_count, sizeof *x);
    double* y = anim_arena_alloc(b->arena, draft->site_count, sizeof *y);
    if (!x || !y)
        return false;
    int exponent;
    frexp(draft->extent, &exponent);
    draft->scale = ldexp(1, 25 - exponent);
    for (uint32_t i = 0; i < draft->site_count; i++) {
        x[i] = floor(draft->sites[i].x * draft->scale + 0.5);
        y[i] = floor(draft->sites[i].y * draft->scale + 0.5);
    }
    draft->unit_x = x;
    draft->unit_y = y;
    b->slack = line_distance * draft->extent * draft->scale;
    return true;
}

static uint32_t find_farthest(const anim_blend_space* draft, uint32_t from)
{
    uint32_t farthest = from;
    double most = 0;
    for (uint32_t i = 0; i < draft->site_count; i++) {
        line l = line_between(draft, from, i);
        if (l.dx * l.dx + l.dy * l.dy > most) {
            most = l.dx * l.dx + l.dy * l.dy;
            farthest = i;
        }
    }
    return farthest;
}

typedef struct places {
    const anim_blend_space* draft;
    line line;
} places;

static double place_key(const void* list, uint32_t index)
{
    const places* p = list;
    return place_on(&p->line, p->draft->unit_x[index], p->draft->unit_y[index]);
}

static void add_to_rim(builder* b, uint32_t site, double knot)
{
    b->rim[b->draft->rim_count] = site;
    b->knots[b->draft->rim_count++] = knot;
}

// All sites on one side, in their order along it, if they do lie on a line.
static bool make_line(builder* b, bool* is_line)
{
    anim_blend_space* draft = b->draft;
    uint32_t end = find_farthest(draft, 0);
    places p = {draft, line_between(draft, find_farthest(draft, end), end)};
    double most = b->slack * sqrt(p.line.dx * p.line.dx + p.line.dy * p.line.dy);
    for (uint32_t i = 0; i < draft->site_count; i++)
        if (fabs(left_of(&p.line, draft->unit_x[i], draft->unit_y[i])) > most)
            return true;
    const uint32_t* order = anim_order_by(b->arena, place_key, &p, draft->site_count);
    if (!order)
        return false;
    for (uint32_t i = 0; i < draft->site_count; i++)
        add_to_rim(b, order[i], place_key(&p, order[i]));
    b->sides[0] = 0;
    b->sides[1] = draft->site_count - 1;
    draft->side_count = 1;
    *is_line = true;
    return true;
}

static void set_rim(builder* b, uint32_t edge)
{
    uint32_t from = b->mesh.from[edge];
    b->next[from] = b->mesh.from[anim_delaunay_next(edge)];
    b->edge[from] = edge;
    b->on_rim[from] = true;
}

enum { removed = UINT32_MAX };

// Takes away the triangle behind the rim after this site, on the side that the line is, if it is too
// thin to see; its third point is then on the rim.
static bool peel(builder* b, uint32_t site, const line* side)
{
    uint32_t* from = b->mesh.from;
    uint32_t edge = b->edge[site], after = b->next[site];
    uint32_t forth = anim_delaunay_next(edge), back = anim_delaunay_before(edge);
    uint32_t apex = from[back];
    const double *x = b->draft->unit_x, *y = b->draft->unit_y;
    double place = place_on(side, x[apex], y[apex]);
    double length = sqrt(side->dx * side->dx + side->dy * side->dy);
    if (b->on_rim[apex] || left_of(side, x[apex], y[apex]) > b->slack * length ||
        place <= place_on(side, x[site], y[site]) || place >= place_on(side, x[after], y[after]))
        return false;
    uint32_t first = b->mesh.twin[back], second = b->mesh.twin[forth];
    b->mesh.twin[first] = b->mesh.twin[second] = ANIM_NO_EDGE;
    from[edge] = from[forth] = from[back] = removed;
    set_rim(b, first);
    set_rim(b, second);
    return true;
}

// One straight side of the hull, its inner points included.
static void make_side(builder* b, uint32_t start, uint32_t end)
{
    anim_blend_space* draft = b->draft;
    line side = line_between(draft, start, end);
    b->sides[draft->side_count++] = draft->rim_count;
    uint32_t site = start;
    while (site != end) {
        if (peel(b, site, &side))
            continue;
        add_to_rim(b, site, place_on(&side, draft->unit_x[site], draft->unit_y[site]));
        site = b->next[site];
    }
}

static void make_hull(builder* b)
{
    anim_blend_space* draft = b->draft;
    uint32_t first = 0;
    for (uint32_t edge = 0; edge < b->mesh.edge_count; edge++)
        if (b->mesh.twin[edge] == ANIM_NO_EDGE) {
            set_rim(b, edge);
            first = b->mesh.from[edge];
        }
    uint32_t site = first;
    do {
        uint32_t end = b->next[site];
        make_side(b, site, end);
        site = end;
    } while (site != first);
    b->sides[draft->side_count] = draft->rim_count;
    add_to_rim(b, first, 0);
}

static void keep_triangles(builder* b)
{
    for (uint32_t edge = 0; edge < b->mesh.edge_count; edge++)
        if (b->mesh.from[edge] != removed)
            b->triangles[b->draft->triangle_count++] = b->mesh.from[edge];
    b->draft->triangle_count /= 3;
}

anim_code anim_blend_prepare_triangles(anim_blend_space* draft, anim_arena* arena, anim_error* err)
{
    builder b = {.draft = draft, .arena = arena};
    bool is_line = false;
    if (!allocate(&b) || !set_units(&b) || !make_line(&b, &is_line))
        return anim_fail_memory(err, "a blend space");
    if (is_line)
        return ANIM_OK;
    if (!anim_delaunay_build(draft->unit_x, draft->unit_y, draft->site_count, b.slack, arena,
                             &b.mesh))
        return anim_fail_memory(err, "a blend space");
    make_hull(&b);
    keep_triangles(&b);
    return ANIM_OK;
}

// ---- weights

static line side_line(const anim_blend_space* space, uint32_t side)
{
    return line_between(space, space->rim[space->sides[side]], space->rim[space->sides[side + 1]]);
}

// Linear between the points of a side, clamped at its ends.
static void weigh_side(const anim_blend_space* space, uint32_t side, double place, float* weights)
{
    uint32_t low = space->sides[side], end = space->sides[side + 1];
    while (low + 1 < end && space->knots[low + 1] <= place)
        low++;
    double knot = space->knots[low], next = low + 1 < end ? space->knots[low + 1] : 1;
    double share = anim_clamp((place - knot) / (next - knot), 0, 1);
    *anim_blend_weight(space, space->rim[low], weights) = (float)(1 - share);
    *anim_blend_weight(space, space->rim[low + 1], weights) = (float)share;
}

static bool is_outside(const anim_blend_space* space, uint32_t side, double x, double y)
{
    line l = side_line(space, side);
    return left_of(&l, x, y) < 0;
}

// The sides that an outer point sees are a chain. Going along it the point lies beyond the end of one
// side after the other, up to the one that holds the nearest place.
static bool weigh_outside(const anim_blend_space* space, double x, double y, float* weights)
{
    uint32_t count = space->side_count;
    uint32_t side = 0;
    while (side < count &&
           !(is_outside(space, side, x, y) && !is_outside(space, (side + count - 1) % count, x, y)))
        side++;
    if (side == count)
        return false;
    line l = side_line(space, side);
    double place = place_on(&l, x, y);
    while (place >= 1 && is_outside(space, (side + 1) % count, x, y)) {
        side = (side + 1) % count;
        l = side_line(space, side);
        place = place_on(&l, x, y);
    }
    weigh_side(space, side, place, weights);
    return true;
}

// Barycentric weights in the triangle that holds the point; one beside it would give the same on their
// edge.
static bool weigh_inside(const anim_blend_space* space, double x, double y, float* weights)
{
    for (uint32_t i = 0; i < space->triangle_count; i++) {
        const uint32_t* corners = space->triangles + (size_t)i * 3;
        double areas[3], sum = 0, least = 0;
        for (int k = 0; k < 3; k++) {
            uint32_t from = corners[(k + 1) % 3], to = corners[(k + 2) % 3];
            areas[k] = anim_delaunay_area(x, y, space->unit_x[from], space->unit_y[from],
                                          space->unit_x[to], space->unit_y[to]);
            sum += areas[k];
            least = anim_min(least, areas[k]);
        }
        if (least < 0 || sum == 0)
            continue;
        for (int k = 0; k < 3; k++)
            *anim_blend_weight(space, corners[k], weights) = (float)(areas[k] / sum);
        return true;
    }
    return false;
}

// Between triangles that rounding or peeling parted: on the nearest edge.
static void weigh_edge(const anim_blend_space* space, double x, double y, float* weights)
{
    uint32_t from = 0, to = 0;
    double share = 0, least = INFINITY;
    for (uint32_t i = 0; i < space->triangle_count * 3; i++) {
        uint32_t next = space->triangles[anim_delaunay_next(i)];
        line l = line_between(space, space->triangles[i], next);
        double place = anim_clamp(place_on(&l, x, y), 0, 1);
        double dx = l.x + place * l.dx - x, dy = l.y + place * l.dy - y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            from = space->triangles[i];
            to = next;
            share = place;
        }
    }
    *anim_blend_weight(space, from, weights) = (float)(1 - share);
    *anim_blend_weight(space, to, weights) = (float)share;
}

void anim_blend_weigh_triangles(const anim_blend_space* space, double x, double y, float* weights)
{
    x *= space->scale;
    y *= space->scale;
    if (space->triangle_count == 0) {
        line l = side_line(space, 0);
        weigh_side(space, 0, place_on(&l, x, y), weights);
    } else if (!weigh_outside(space, x, y, weights) && !weigh_inside(space, x, y, weights)) {
        weigh_edge(space, x, y, weights);
    }
}
