// SPDX-License-Identifier: MIT
// The triangulation against its definition: the triangles tile the hull, and no circle holds a point.
#include "graph/delaunay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { most_points = 200, slack = 10 };

typedef struct points {
    uint32_t count;
    double x[most_points], y[most_points];
} points;

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static bool is_new(const points* p, double x, double y)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->x[i] == x && p->y[i] == y)
            return false;
    return true;
}

// Scattered over a square, on a lattice, on a thin strip, or on a circle; never two at one place.
static void make_points(points* p, int kind, uint32_t wanted)
{
    *p = (points){0};
    for (uint32_t tries = 0; tries < wanted * 4 && p->count < wanted; tries++) {
        double x = random_below(1u << 25), y = random_below(1u << 25);
        if (kind == 1) {
            x = floor(x / 0x1p22) * 0x1p22;
            y = floor(y / 0x1p22) * 0x1p22;
        } else if (kind == 2) {
            y = floor(y / 0x1p22) + x / 0x1p20;
            y = floor(y);
        } else if (kind == 3) {
            double angle = x / 0x1p25 * 6.2831853;
            x = floor(0x1p24 * cos(angle));
            y = floor(0x1p24 * sin(angle));
        }
        if (is_new(p, x, y)) {
            p->x[p->count] = x;
            p->y[p->count++] = y;
        }
    }
}

static double area(const points* p, uint32_t a, uint32_t b, uint32_t c)
{
    return anim_delaunay_area(p->x[a], p->y[a], p->x[b], p->y[b], p->x[c], p->y[c]);
}

// Twice the area of the convex hull: gift wrapping.
static double hull_area(const points* p)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < p->count; i++)
        if (p->x[i] < p->x[first] || (p->x[i] == p->x[first] && p->y[i] < p->y[first]))
            first = i;
    double sum = 0;
    uint32_t at = first;
    do {
        uint32_t next = at == 0 ? 1 : 0;
        for (uint32_t i = 0; i < p->count; i++) {
            double side = area(p, at, next, i);
            double near = hypot(p->x[next] - p->x[at], p->y[next] - p->y[at]);
            double far = hypot(p->x[i] - p->x[at], p->y[i] - p->y[at]);
            if (side < 0 || (side == 0 && far > near))
                next = i;
        }
        sum += area(p, first, at, next);
        at = next;
    } while (at != first);
    return sum;
}

static void assert_tiles(const points* p, const anim_delaunay* mesh)
{
    double sum = 0;
    bool used[most_points] = {false};
    for (uint32_t edge = 0; edge < mesh->edge_count; edge++) {
        uint32_t twin = mesh->twin[edge];
        used[mesh->from[edge]] = true;
        if (twin != ANIM_NO_EDGE) {
            assert_int_equal(mesh->twin[twin], edge);
            assert_int_equal(mesh->from[twin], mesh->from[anim_delaunay_next(edge)]);
            assert_int_equal(mesh->from[edge], mesh->from[anim_delaunay_next(twin)]);
        }
        if (edge % 3 == 0) {
            double part = area(p, mesh->from[edge], mesh->from[edge + 1], mesh->from[edge + 2]);
            assert_true(part > 0);
            sum += part;
        }
    }
    assert_true(sum == hull_area(p));
    for (uint32_t i = 0; i < p->count; i++)
        assert_true(used[i]);
}

// The deepest that a point lies inside a circle: how far it or the circle's points have to move, about.
static double deepest(const points* p, const anim_delaunay* mesh)
{
    long double most = 0;
    for (uint32_t edge = 0; edge < mesh->edge_count; edge += 3)
        for (uint32_t i = 0; i < p->count; i++) {
            long double x[3], y[3], d[3], size = 0;
            for (uint32_t k = 0; k < 3; k++) {
                x[k] = p->x[mesh->from[edge + k]] - p->x[i];
                y[k] = p->y[mesh->from[edge + k]] - p->y[i];
                d[k] = x[k] * x[k] + y[k] * y[k];
                size = fmaxl(size, sqrtl(d[k]));
            }
            long double det = d[0] * (x[1] * y[2] - y[1] * x[2]) +
                              d[1] * (x[2] * y[0] - y[2] * x[0]) +
                              d[2] * (x[0] * y[1] - y[0] * x[1]);
            most = fmaxl(most, det / (size * size * size));
        }
    return (double)most;
}

static void test_definition(void** state)
{
    (void)state;
    for (int round = 0; round < 400; round++) {
        points p;
        anim_arena arena = {0};
        anim_delaunay mesh;
        int kind = round % 4;
        make_points(&p, kind, 3 + random_below(round < 40 ? most_points - 3 : 30));
        assert_true(anim_delaunay_build(p.x, p.y, p.count, slack, &arena, &mesh));
        if (mesh.edge_count > 0) {
            assert_tiles(&p, &mesh);
            double depth = deepest(&p, &mesh);
            if (depth > 3 * slack)
                fail_msg("kind %d, %u points: one lies %g inside", kind, p.count, depth);
        } else {
            assert_true(hull_area(&p) == 0);
        }
        anim_arena_free(&arena);
    }
}

// On a lattice the first corner of each cell has the diagonal, whatever the order of the points.
static void test_ties(void** state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        points p = {.count = 36};
        for (uint32_t i = 0; i < 36; i++) {
            uint32_t j = random_below(i + 1);
            p.x[i] = p.x[j];
            p.y[i] = p.y[j];
            p.x[j] = i % 6 * 0x1p21;
            p.y[j] = i / 6 * 0x1p21;
        }
        anim_arena arena = {0};
        anim_delaunay mesh;
        assert_true(anim_delaunay_build(p.x, p.y, p.count, slack, &arena, &mesh));
        assert_int_equal(mesh.edge_count, 3 * 50);
        for (uint32_t edge = 0; edge < mesh.edge_count; edge++) {
            uint32_t a = mesh.from[edge], b = mesh.from[anim_delaunay_next(edge)];
            double dx = p.x[b] - p.x[a], dy = p.y[b] - p.y[a];
            assert_true(dx == 0 || dy == 0 || dx == dy);
        }
        anim_arena_free(&arena);
    }
}

static void test_line(void** state)
{
    (void)state;
    points p = {.count = 5, .x = {4, 0, 3, 1, 2}, .y = {8, 0, 6, 2, 4}};
    anim_arena arena = {0};
    anim_delaunay mesh;
    assert_true(anim_delaunay_build(p.x, p.y, p.count, 1, &arena, &mesh));
    assert_int_equal(mesh.edge_count, 0);
    p.y[2] = 7; // one point off the line: a fan from it
    assert_true(anim_delaunay_build(p.x, p.y, p.count, 1, &arena, &mesh));
    assert_tiles(&p, &mesh);
    anim_arena_free(&arena);
    arena.limit = 64;
    assert_false(anim_delaunay_build(p.x, p.y, p.count, 1, &arena, &mesh));
    anim_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
