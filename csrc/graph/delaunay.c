// SPDX-License-Identifier: MIT
// A sweep in rising order of x, then y, joins each point to the part of the rim that it sees; edges are
// then flipped until every circle is empty (C. Lawson, 1977).
#include "graph/delaunay.h"

#include "base/order.h"
#include "math/range.h"

#include <math.h>

typedef struct builder {
    const double *x, *y;
    uint32_t* order; // of the sweep
    uint32_t* rank;  // of a point in it
    uint32_t count;
    double slack;
    // The rim, counter-clockwise: by point, the points beside it and the edge to the next one.
    uint32_t *next, *before, *edge;
    anim_delaunay* mesh;
} builder;

static double area(const builder* b, uint32_t p, uint32_t q, uint32_t r)
{
    return anim_delaunay_area(b->x[p], b->y[p], b->x[q], b->y[q], b->x[r], b->y[r]);
}

// ---- sweep

static double lexicographic_key(const void* list, uint32_t index)
{
    const builder* b = list;
    return (b->x[index] - b->x[0]) * 0x1p26 + (b->y[index] - b->y[0]);
}

static void link(anim_delaunay* mesh, uint32_t a, uint32_t b)
{
    mesh->twin[a] = b;
    if (b != ANIM_NO_EDGE)
        mesh->twin[b] = a;
}

static uint32_t add_triangle(anim_delaunay* mesh, uint32_t p, uint32_t q, uint32_t r)
{
    uint32_t edge = mesh->edge_count;
    mesh->edge_count += 3;
    mesh->from[edge] = p;
    mesh->from[edge + 1] = q;
    mesh->from[edge + 2] = r;
    for (uint32_t i = 0; i < 3; i++)
        mesh->twin[edge + i] = ANIM_NO_EDGE;
    return edge;
}

static void set_rim(builder* b, uint32_t p, uint32_t q, uint32_t edge)
{
    b->next[p] = q;
    b->before[q] = p;
    b->edge[p] = edge;
}

// The first points of the order lie on a line, the one after them does not: triangles between them.
static void start(builder* b, uint32_t on_line)
{
    uint32_t apex = b->order[on_line];
    bool left = area(b, b->order[0], b->order[1], apex) > 0;
    uint32_t last = ANIM_NO_EDGE;
    for (uint32_t i = 0; i + 1 < on_line; i++) {
        uint32_t p = b->order[left ? i : on_line - 1 - i];
        uint32_t q = b->order[left ? i + 1 : on_line - 2 - i];
        uint32_t edge = add_triangle(b->mesh, p, q, apex);
        set_rim(b, p, q, edge);
        if (last == ANIM_NO_EDGE)
            set_rim(b, apex, p, edge + 2);
        else
            link(b->mesh, edge + 2, last + 1);
        set_rim(b, q, apex, edge + 1);
        last = edge;
    }
}

static bool sees(const builder* b, uint32_t point, uint32_t rim)
{
    return area(b, rim, b->next[rim], point) < 0;
}

// The point lies beyond all before it, so it sees an edge beside the latest of them.
static void join(builder* b, uint32_t point, uint32_t latest)
{
    uint32_t first = latest;
    while (sees(b, point, b->before[first]))
        first = b->before[first];
    uint32_t at = first, first_edge = ANIM_NO_EDGE, last = ANIM_NO_EDGE;
    while (sees(b, point, at)) {
        uint32_t edge = add_triangle(b->mesh, at, point, b->next[at]);
        link(b->mesh, edge + 2, b->edge[at]);
        if (last == ANIM_NO_EDGE)
            first_edge = edge;
        else
            link(b->mesh, edge, last + 1);
        last = edge;
        at = b->next[at];
    }
    set_rim(b, first, point, first_edge);
    set_rim(b, point, at, last + 1);
}

static void sweep(builder* b)
{
    uint32_t on_line = 2;
    while (on_line < b->count && area(b, b->order[0], b->order[1], b->order[on_line]) == 0)
        on_line++;
    if (on_line >= b->count)
        return;
    start(b, on_line);
    for (uint32_t i = on_line + 1; i < b->count; i++)
        join(b, b->order[i], b->order[i - 1]);
}

// ---- flips

// The two triangles of an edge: it goes from a to b, c lies on its left and d on its right.
typedef struct quad {
    uint32_t a, b, c, d;
} quad;

static quad around_edge(const anim_delaunay* mesh, uint32_t edge)
{
    uint32_t twin = mesh->twin[edge];
    return (quad){mesh->from[edge], mesh->from[twin], mesh->from[anim_delaunay_before(edge)],
                  mesh->from[anim_delaunay_before(twin)]};
}

// 1: d lies inside the circle through a, b and c; 0: near it; -1: outside. The determinant changes by at
// most `slack` times the third power of the size where a point moves by `slack`.
static int circle_side(const builder* b, quad q)
{
    double ax = b->x[q.a] - b->x[q.d], ay = b->y[q.a] - b->y[q.d];
    double bx = b->x[q.b] - b->x[q.d], by = b->y[q.b] - b->y[q.d];
    double cx = b->x[q.c] - b->x[q.d], cy = b->y[q.c] - b->y[q.d];
    double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    double det = aa * (bx * cy - by * cx) + bb * (cx * ay - cy * ax) + cc * (ax * by - ay * bx);
    double size = sqrt(anim_max(aa, anim_max(bb, cc)));
    double most = b->slack * size * size * size;
    return det > most ? 1 : det < -most ? -1 : 0;
}

static bool is_convex(const builder* b, quad q)
{
    return area(b, q.d, q.b, q.c) > 0 && area(b, q.c, q.a, q.d) > 0;
}

static bool is_inside(const builder* b, quad q)
{
    return circle_side(b, q) > 0; // the quad is then convex
}

// Where the circle is undecided, the first point gets the edge.
static bool is_tie_lost(const builder* b, quad q)
{
    uint32_t joined = b->rank[q.a] < b->rank[q.b] ? b->rank[q.a] : b->rank[q.b];
    uint32_t apart = b->rank[q.c] < b->rank[q.d] ? b->rank[q.c] : b->rank[q.d];
    return apart < joined && circle_side(b, q) == 0 && is_convex(b, q);
}

// Turns the edge of a quad: from a-b to d-c.
static void flip(anim_delaunay* mesh, uint32_t edge)
{
    uint32_t twin = mesh->twin[edge];
    uint32_t next = anim_delaunay_next(edge), twin_next = anim_delaunay_next(twin);
    quad q = around_edge(mesh, edge);
    link(mesh, edge, mesh->twin[twin_next]);
    link(mesh, twin, mesh->twin[next]);
    link(mesh, next, twin_next);
    mesh->from[next] = q.d;
    mesh->from[twin_next] = q.c;
}

// Ends: each flip lowers a surface over the points, the paraboloid for is_inside (whose threshold is far
// above any rounding), and for is_tie_lost one that is lowest at the first point, next at the second...
static void flip_while(builder* b, bool (*is_wrong)(const builder*, quad))
{
    anim_delaunay* mesh = b->mesh;
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t edge = 0; edge < mesh->edge_count; edge++) {
            if (mesh->twin[edge] == ANIM_NO_EDGE || !is_wrong(b, around_edge(mesh, edge)))
                continue;
            flip(mesh, edge);
            again = true;
        }
    }
}

bool anim_delaunay_build(const double* x, const double* y, uint32_t count, double slack,
                         anim_arena* arena, anim_delaunay* out)
{
    *out = (anim_delaunay){0};
    builder b = {.x = x, .y = y, .count = count, .slack = slack, .mesh = out};
    b.order = anim_order_by(arena, lexicographic_key, &b, count);
    b.rank = anim_arena_alloc(arena, count, sizeof *b.rank);
    b.next = anim_arena_alloc(arena, count, sizeof *b.next);
    b.before = anim_arena_alloc(arena, count, sizeof *b.before);
    b.edge = anim_arena_alloc(arena, count, sizeof *b.edge);
    out->from = anim_arena_alloc(arena, (size_t)count * 6, sizeof *out->from);
    out->twin = anim_arena_alloc(arena, (size_t)count * 6, sizeof *out->twin);
    if (!b.order || !b.rank || !b.next || !b.before || !b.edge || !out->from || !out->twin)
        return false;
    for (uint32_t i = 0; i < count; i++)
        b.rank[b.order[i]] = i;
    sweep(&b);
    flip_while(&b, is_inside);
    flip_while(&b, is_tie_lost);
    return true;
}
