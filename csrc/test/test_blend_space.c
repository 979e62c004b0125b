// SPDX-License-Identifier: MIT
#include "base/mem.h"
#include "test/blend_samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void assert_error(const anim_blend_space_desc* desc, anim_code code, const char* message)
{
    anim_blend_space* space;
    anim_error err = {0};
    assert_int_equal(anim_blend_space_create(desc, &space, &err), code);
    assert_null(space);
    assert_string_equal(err.message, message);
}

static void assert_rejected(anim_blend_mode mode, const samples* s, const char* message)
{
    anim_blend_space_desc desc = {.mode = mode, .count = s->count, .x = s->x, .y = s->y};
    assert_error(&desc, ANIM_ERR_ARGUMENT, message);
}

static void assert_near(const float* got, const float* right, uint32_t count, double tolerance)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(fabs((double)got[i] - right[i]) <= tolerance))
            fail_msg("weight %u is %.9g, not %.9g", i + 1, (double)got[i], (double)right[i]);
}

// A row of a table: at (x, y) these weights.
typedef struct expected {
    float x, y;
    float weights[6];
} expected;

static void assert_weights(anim_blend_mode mode, const samples* s, const expected* rows,
                           size_t row_count, double tolerance)
{
    anim_blend_space* space = create(mode, s);
    for (size_t i = 0; i < row_count; i++) {
        float got[6];
        anim_blend_space_weights(space, rows[i].x, rows[i].y, got);
        assert_near(got, rows[i].weights, s->count, tolerance);
    }
    anim_blend_space_release(space);
}

#define ASSERT_WEIGHTS(mode, s, rows, tolerance)                                                   \
    assert_weights(mode, s, rows, sizeof(rows) / sizeof *(rows), tolerance)

// ---- one dimension

static void test_1d(void** state)
{
    (void)state;
    static const float thresholds[] = {0, 1, 2};
    static const struct {
        float x, weights[3];
    } rows[] = {
        {1, {0, 1, 0}},          {0, {1, 0, 0}},
        {2, {0, 0, 1}},          {0.25f, {0.75f, 0.25f, 0}},
        {1.5f, {0, 0.5f, 0.5f}}, {-1, {1, 0, 0}},
        {3, {0, 0, 1}},          {FLT_MAX, {0, 0, 1}},
        {-1e30f, {1, 0, 0}},     {0.99999994f, {0, 1, 0}},
        {1e-45f, {1, 0, 0}},     {5e-8f, {1, 0, 0}},
    };
    assert_int_equal(anim_blend_1d_check(thresholds, 3, NULL), ANIM_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float got[3];
        anim_blend_1d_weights(thresholds, 3, rows[i].x, got);
        assert_near(got, rows[i].weights, 3, 0);
    }
    static const float wide[] = {-FLT_MAX, FLT_MAX};
    static const float halves[] = {0.5f, 0.5f};
    float got[2] = {7, 7};
    anim_blend_1d_weights(wide, 2, 0, got);
    assert_near(got, halves, 2, 0);
    anim_blend_1d_weights(wide, 1, 5, got);
    assert_true(got[0] == 1);
    anim_blend_1d_weights(wide, 0, 5, NULL);
}

static void test_1d_errors(void** state)
{
    (void)state;
    anim_error err;
    static const float equal[] = {0, 0, 1}, falling[] = {0, 1.5f, 1}, odd[] = {0, NAN};
    assert_int_equal(anim_blend_1d_check(equal, 3, &err), ANIM_ERR_ARGUMENT);
    assert_string_equal(err.message, "threshold 0 of entry 2 is not above 0 of entry 1");
    assert_int_equal(anim_blend_1d_check(falling, 3, &err), ANIM_ERR_ARGUMENT);
    assert_string_equal(err.message, "threshold 1 of entry 3 is not above 1.5 of entry 2");
    assert_int_equal(anim_blend_1d_check(odd, 2, &err), ANIM_ERR_ARGUMENT);
    assert_string_equal(err.message, "threshold nan of entry 2 is not finite");
    assert_int_equal(anim_blend_1d_check(NULL, 0, NULL), ANIM_OK);
}

// ---- the modes by known values

static const samples compass = {5, {0, 1, 0, -1, 0}, {1, 0, -1, 0, 0}}; // N E S W O

static void test_simple(void** state)
{
    (void)state;
    static const expected rows[] = {
        {0.5f, 0.5f, {0.5f, 0.5f}},
        {0.25f, 0.5f, {0.5f, 0.25f, 0, 0, 0.25f}},
        {2, 2, {0.5f, 0.5f}},
        {0, 0, {0, 0, 0, 0, 1}},
        {1e-9f, 0, {0, 0, 0, 0, 1}},
        {-0.3f, 0, {0, 0, 0, 0.3f, 0.7f}},
        {0, -5, {0, 0, 1}},
        {-1e30f, 3e30f, {0.75f, 0, 0, 0.25f}},
        {1e-45f, -1e-45f, {0, 0, 0, 0, 1}},
    };
    ASSERT_WEIGHTS(ANIM_BLEND_SIMPLE, &compass, rows, 1e-7);

    static const samples nearly = {5, {0, 1, 0, -1, 4e-8f}, {1, 0, -1, 0, 0}};
    ASSERT_WEIGHTS(ANIM_BLEND_SIMPLE, &nearly, rows, 1e-7);

    static const samples without = {4, {0, 1, 0, -1}, {1, 0, -1, 0}};
    static const expected even[] = {{0, 0, {0.25f, 0.25f, 0.25f, 0.25f}},
                                    {0.5f, 0, {0.125f, 0.625f, 0.125f, 0.125f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_SIMPLE, &without, even, 1e-7);

    static const samples opposite = {3, {1, -1, 0}, {0, 0, 0}}; // E W O
    static const expected ways[] = {{0.5f, 0.5f, {0.5f, 0, 0.5f}},
                                    {-0.25f, -9, {0, 0.25f, 0.75f}},
                                    {0, 3, {0, 0, 1}},
                                    {7, 3, {1, 0, 0}}};
    ASSERT_WEIGHTS(ANIM_BLEND_SIMPLE, &opposite, ways, 1e-7);

    static const samples pair = {2, {2, 0}, {0, 0}}; // E O
    static const expected lone[] = {{1, 0, {0.5f, 0.5f}}, {-3, 1, {0, 1}}, {5, 5, {1, 0}}};
    ASSERT_WEIGHTS(ANIM_BLEND_SIMPLE, &pair, lone, 1e-7);
}

static void test_simple_errors(void** state)
{
    (void)state;
    static const samples twice = {4, {1, 0, 0.3f, 0}, {0, 1, 0, -1}};
    assert_rejected(ANIM_BLEND_SIMPLE, &twice,
                    "samples 1 and 3 lie in one direction; mode \"simple\" takes one in each");
    static const samples wrapped = {3, {-1, 0, -2}, {0, 1, -0.0f}};
    assert_rejected(ANIM_BLEND_SIMPLE, &wrapped,
                    "samples 1 and 3 lie in one direction; mode \"simple\" takes one in each");
    static const samples rounded = {2, {0.1f, 0.7f}, {0.3f, 2.1f}};
    assert_rejected(ANIM_BLEND_SIMPLE, &rounded,
                    "samples 1 and 2 lie in one direction; mode \"simple\" takes one in each");
}

static void test_cartesian(void** state)
{
    (void)state;
    static const samples corner = {3, {0, 1, 0}, {0, 0, 1}};
    static const expected rows[] = {{0.25f, 0.25f, {0.6f, 0.2f, 0.2f}},
                                    {1, 1, {0, 0.5f, 0.5f}},
                                    {-1, -1, {1, 0, 0}},
                                    {1e30f, 1e30f, {0, 0.5f, 0.5f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_CARTESIAN, &corner, rows, 1e-7);
}

static void test_directional(void** state)
{
    (void)state;
    static const samples six = {
        6, {0, 0, 1, 0, -1, 0}, {0, 1, 0, -1, 0, 2}}; // O N E S W, N twice as far
    static const expected rows[] = {{0.5f, 0.5f, {0.2265f, 0.3867f, 0.3867f}},
                                    {0, 1.5f, {0, 0.5f, 0, 0, 0, 0.5f}},
                                    {0, 0, {1, 0, 0, 0, 0, 0}}};
    ASSERT_WEIGHTS(ANIM_BLEND_DIRECTIONAL, &six, rows, 5e-5);
    // Angles don't count between a sample and the origin, nor for an input there.
    static const samples line = {3, {0, 0, 0}, {0, 1, -1}}; // O N S
    static const expected beside[] = {{0.6f, 0, {0.4f / 1.4f, 0.5f / 1.4f, 0.5f / 1.4f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_DIRECTIONAL, &line, beside, 1e-7);
    static const samples four = {4, {0, 1, 0, -1}, {1, 0, -1, 0}}; // N E S W
    static const expected even[] = {{0, 0, {0.25f, 0.25f, 0.25f, 0.25f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_DIRECTIONAL, &four, even, 1e-7);
    // Three samples that rule each other out: the nearest is left.
    static const samples ring = {3, {0.4542f, -1.7001f, -0.0079f}, {-0.5274f, -6.3276f, -0.0013f}};
    static const expected nearest[] = {{-1.2374f, 1.4365f, {0, 0, 1}}};
    ASSERT_WEIGHTS(ANIM_BLEND_DIRECTIONAL, &ring, nearest, 0);
    // Between opposite samples both sides are alike.
    static const samples opposite = {2, {3, -3}, {4, -4}};
    static const expected ways[] = {{4, -3, {0.5f, 0.5f}},
                                    {-4, 3, {0.5f, 0.5f}},
                                    {7, 1, {0.75f, 0.25f}},
                                    {-1, 7, {0.75f, 0.25f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_DIRECTIONAL, &opposite, ways, 1e-7);
}

static void test_grid(void** state)
{
    (void)state;
    static const samples grid = {6, {1, 0, 0, 3, 3, 1}, {2, 0, 2, 2, 0, 0}};
    static const expected rows[] = {{0.5f, 1, {0.25f, 0.25f, 0.25f, 0, 0, 0.25f}},
                                    {2.5f, 0.5f, {0.0625f, 0, 0, 0.1875f, 0.5625f, 0.1875f}},
                                    {9, 1, {0, 0, 0, 0.5f, 0.5f, 0}},
                                    {-1, -1e30f, {0, 1}},
                                    {1, 2, {1}}};
    ASSERT_WEIGHTS(ANIM_BLEND_GRID, &grid, rows, 1e-7);
    static const samples column = {3, {5, 5, 5}, {0, 4, 1}};
    static const expected between[] = {{0, 2, {0, 0.333333333f, 0.666666667f}}, {5, 4, {0, 1}}};
    ASSERT_WEIGHTS(ANIM_BLEND_GRID, &column, between, 1e-7);

    static const samples hole = {5, {0, 1, 2, 0, 2}, {0, 0, 0, 3, 3}};
    assert_rejected(ANIM_BLEND_GRID, &hole, "the grid of 3 by 2 samples has none at (1, 3)");
    static const samples chain = {4, {0, 1.8e-6f, 0.9e-6f, 1}, {0, 0, 1, 0}};
    assert_rejected(ANIM_BLEND_GRID, &chain,
                    "samples 1 and 2 share a place in the grid but are not equal");
}

static void test_idw(void** state)
{
    (void)state;
    static const samples three = {3, {0, 3, 0}, {0, 0, 6}};
    float x[] = {0, 3, 0}, y[] = {0, 0, 6}, got[3];
    anim_blend_space_desc desc = {.mode = ANIM_BLEND_IDW, .count = 3, .x = x, .y = y};
    for (int variant = 0; variant < 4; variant++) {
        desc.power = variant & 1 ? 3 : 0;
        desc.manhattan = variant & 2;
        anim_blend_space* space;
        assert_int_equal(anim_blend_space_create(&desc, &space, NULL), ANIM_OK);
        anim_blend_space_weights(space, 1, 2, got);
        double d[3] = {variant & 2 ? 3 : sqrt(5), variant & 2 ? 4 : sqrt(8),
                       variant & 2 ? 5 : sqrt(17)};
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += pow(d[i], variant & 1 ? -3 : -2);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(got[i] - pow(d[i], variant & 1 ? -3 : -2) / sum) < 1e-7);
        anim_blend_space_weights(space, 3, 0.9e-5f, got);
        assert_true(got[1] == 1 && got[0] == 0 && got[2] == 0);
        anim_blend_space_release(space);
    }
    static const samples close = {2, {0, 3e-5f}, {0, 0}};
    static const expected alone[] = {{0.9e-5f, 0, {1, 0}}, {1.2e-5f, 0, {9 / 13.f, 4 / 13.f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_IDW, &close, alone, 1e-6);
    static const expected far[] = {{1e30f, -1e30f, {1 / 3.f, 1 / 3.f, 1 / 3.f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_IDW, &three, far, 1e-7);
    desc.power = -1;
    assert_error(&desc, ANIM_ERR_ARGUMENT, "power -1 is not above 0");
}

// ---- triangles

// Fault 106: on the diagonal and on edges of a square, in all 24 orders.
static void test_square_in_any_order(void** state)
{
    (void)state;
    static const samples square = {4, {0, 1, 1, 0}, {0, 0, 1, 1}};
    static const float inputs[][2] = {
        {0.5f, 0.5f}, {0.25f, 0.75f}, {0.75f, 0.75f}, {0, 0.25f}, {0.5f, 1}};
    for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++) {
        double at[2][2] = {{-1, -1}, {-1, -1}}; // by place, from the first order
        for (uint32_t order = 0; order < 24; order++) {
            samples s = square;
            swap(&s, 0, order % 4);
            swap(&s, 1, 1 + order / 4 % 3);
            swap(&s, 2, 2 + order / 12);
            anim_blend_space* space = create(ANIM_BLEND_TRIANGULATED, &s);
            float got[4];
            anim_blend_space_weights(space, inputs[n][0], inputs[n][1], got);
            for (int i = 0; i < 4; i++) {
                double* right = &at[(int)s.x[i]][(int)s.y[i]];
                if (*right < 0)
                    *right = got[i];
                assert_true(fabs(got[i] - *right) <= 1e-6);
            }
            anim_blend_space_release(space);
        }
    }
}

static void test_triangulated(void** state)
{
    (void)state;
    static const samples corner = {3, {0, 1, 0}, {0, 0, 1}};
    static const expected rows[] = {{0.25f, 0.5f, {0.25f, 0.25f, 0.5f}},
                                    {0.25f, -3, {0.75f, 0.25f, 0}},
                                    {2, 2, {0, 0.5f, 0.5f}},
                                    {1.5f, 2, {0, 0.25f, 0.75f}},
                                    {-2, -1, {1, 0, 0}},
                                    {5, 0.5f, {0, 1, 0}},
                                    {1e30f, 1e30f, {0, 0.5f, 0.5f}},
                                    {FLT_MAX, 0, {0, 1, 0}},
                                    {0.25f, -FLT_MAX, {0.75f, 0.25f, 0}},
                                    {1e-45f, -1e-45f, {1, 0, 0}}};
    ASSERT_WEIGHTS(ANIM_BLEND_TRIANGULATED, &corner, rows, 1e-7);
    // Of four points on a circle the first by x, then y, has the diagonal.
    static const samples square = {4, {1, 0, 1, 0}, {1, 1, 0, 0}};
    static const expected diagonal[] = {{0.5f, 0.5f, {0.5f, 0, 0, 0.5f}},
                                        {0.25f, 0.5f, {0.25f, 0.25f, 0, 0.5f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_TRIANGULATED, &square, diagonal, 1e-7);
}

// Fault 107, and lines that only rounding bends.
static void test_collinear(void** state)
{
    (void)state;
    static const samples three = {3, {0, 1, 2}, {0, 0, 0}};
    static const expected rows[] = {
        {0.5f, 3, {0.5f, 0.5f, 0}}, {1, -7, {0, 1, 0}}, {9, 1, {0, 0, 1}}};
    ASSERT_WEIGHTS(ANIM_BLEND_TRIANGULATED, &three, rows, 1e-7);
    static const samples two = {2, {0, 2}, {0, 2}};
    static const expected both[] = {{1, 0, {0.75f, 0.25f}}, {2, 2, {0, 1}}, {-1, 0, {1, 0}}};
    ASSERT_WEIGHTS(ANIM_BLEND_TRIANGULATED, &two, both, 1e-7);
    static const samples one = {1, {3}, {4}};
    static const expected alone[] = {{0, 0, {1}}, {1e30f, -1e-45f, {1}}};
    static const samples none = {0};
    for (anim_blend_mode mode = 0; mode < ANIM_BLEND_MODE_COUNT; mode++) {
        ASSERT_WEIGHTS(mode, &one, alone, 0);
        assert_weights(mode, &none, alone, 1, 0);
    }
    static const samples bent = {5, {0.7f, 0.1f, 0.9f, 0.3f, 0.2f}, {2.1f, 0.3f, 2.7f, 0.9f, 0.6f}};
    static const expected tilted[] = {{0.15f + 3, 0.45f - 1, {0, 0.5f, 0, 0, 0.5f}},
                                      {0.5f - 6, 1.5f + 2, {0.5f, 0, 0, 0.5f, 0}}};
    ASSERT_WEIGHTS(ANIM_BLEND_TRIANGULATED, &bent, tilted, 1e-6);
}

// A sample on a side of the hull that rounding moved by a hair keeps its weight outside.
static void test_sample_on_the_hull(void** state)
{
    (void)state;
    for (int i = 1; i < 100; i++) {
        float u = (float)i / 100, hair = 1e-7f * (float)(i % 5 - 2);
        samples s = {4, {0, 1, 0, u + hair}, {0, 0, 1, (float)(1 - i / 100.0) + hair}};
        anim_blend_space* space = create(ANIM_BLEND_TRIANGULATED, &s);
        float got[4], right[4] = {0, 0, 0, 1}, half[4] = {0, 0, 0.5f, 0.5f};
        anim_blend_space_weights(space, u + 0.5f, 1.5f - u, got);
        assert_near(got, right, 4, 1e-3);
        anim_blend_space_weights(space, u / 2 + 3, 1 - u / 2 + 3, got);
        assert_near(got, half, 4, 1e-3);
        anim_blend_space_weights(space, u * 0.999998f, (1 - u) * 0.999998f, got);
        assert_near(got, right, 4, 1e-3);
        anim_blend_space_release(space);
    }
}

// ---- merging, gaps, extent, memory

static void test_merged_samples(void** state)
{
    (void)state;
    static const samples s = {5, {0, 1, 0.0000005f, 0, 1}, {0, 0, 0.0000003f, 1, 0}};
    static const expected rows[] = {{0, 0, {0.5f, 0, 0.5f, 0, 0}},
                                    {0.0000005f, 0.0000003f, {0.5f, 0, 0.5f, 0, 0}},
                                    {0.5f, 0, {0.25f, 0.25f, 0.25f, 0, 0.25f}}};
    ASSERT_WEIGHTS(ANIM_BLEND_TRIANGULATED, &s, rows, 1e-6);
    ASSERT_WEIGHTS(ANIM_BLEND_CARTESIAN, &s, rows, 1e-6);
    ASSERT_WEIGHTS(ANIM_BLEND_SIMPLE, &s, rows, 1e-6);
    static const samples all = {3, {2, 2, 2}, {5, 5, 5}};
    static const expected third[] = {{7, 7, {1 / 3.f, 1 / 3.f, 1 / 3.f}}};
    for (anim_blend_mode mode = 0; mode < ANIM_BLEND_MODE_COUNT; mode++)
        ASSERT_WEIGHTS(mode, &all, third, 0);
}

static bool has_gap(anim_blend_mode mode, const samples* s)
{
    anim_blend_space* space = create(mode, s);
    bool gap = anim_blend_space_has_gap(space);
    anim_blend_space_release(space);
    return gap;
}

static void test_gaps(void** state)
{
    (void)state;
    static const samples opposite = {3, {1, -1, 0}, {0, 0, 0}},
                         fan = {3, {1, 0.8f, 0.8f}, {0, 0.6f, -0.6f}};
    static const samples thirds = {3, {1, -0.5f, -0.5f}, {0, 0.866f, -0.866f}};
    static const samples one = {2, {1, 0}, {0, 0}}, lone = {1, {1}, {0}};
    for (anim_blend_mode mode = ANIM_BLEND_SIMPLE; mode <= ANIM_BLEND_DIRECTIONAL; mode++) {
        assert_false(has_gap(mode, &compass) || has_gap(mode, &thirds) || has_gap(mode, &lone));
        assert_true(has_gap(mode, &opposite) && has_gap(mode, &fan) && has_gap(mode, &one));
    }
    assert_false(has_gap(ANIM_BLEND_CARTESIAN, &fan));
}

static void test_bad_samples(void** state)
{
    (void)state;
    static samples many = {ANIM_BLEND_MAX_SAMPLES, {0}, {0}};
    anim_blend_space_desc desc = {
        .mode = ANIM_BLEND_IDW, .count = many.count + 1, .x = many.x, .y = many.y};
    assert_error(&desc, ANIM_ERR_LIMIT, "1025 samples are more than a blend space takes (1024)");
    static const samples odd = {2, {0, INFINITY}, {0, 1}};
    assert_rejected(ANIM_BLEND_CARTESIAN, &odd, "sample 2 at (inf, 1) is not finite");
}

// The most samples, at places that are worst for a triangulation: a lattice, a circle, a line, a spiral.
static void test_many_samples(void** state)
{
    (void)state;
    static samples s;
    static float got[ANIM_BLEND_MAX_SAMPLES];
    s.count = ANIM_BLEND_MAX_SAMPLES;
    for (int kind = 0; kind < 4; kind++) {
        for (uint32_t i = 0; i < s.count; i++) {
            float u = (float)i / (float)s.count, length = kind == 3 ? u * u : 1;
            s.x[i] = kind == 0 ? (float)(i % 32) : kind == 2 ? u : length * cosf(50 * u);
            s.y[i] = kind == 0 ? (float)(i / 32) : kind == 2 ? 3 * u : length * sinf(50 * u);
        }
        anim_blend_space* space = create(ANIM_BLEND_TRIANGULATED, &s);
        assert_true(anim_blend_space_extent(space) > 0.9);
        for (uint32_t i = 0; i < s.count; i += 100) {
            double x = 0, y = 0;
            anim_blend_space_weights(space, s.x[i] * 0.7f, s.y[i] * 0.7f, got);
            for (uint32_t k = 0; k < s.count; k++) {
                x += (double)got[k] * s.x[k];
                y += (double)got[k] * s.y[k];
            }
            assert_true(hypot(x - s.x[i] * 0.7, y - s.y[i] * 0.7) <
                        1e-5 * anim_blend_space_extent(space));
        }
        anim_blend_space_release(space);
    }
}

static void test_out_of_memory(void** state)
{
    (void)state;
    static samples s;
    s.count = ANIM_BLEND_MAX_SAMPLES;
    anim_mem_counts before = anim_mem_get_counts();
    for (anim_blend_mode mode = 0; mode < ANIM_BLEND_MODE_COUNT; mode++) {
        for (uint32_t i = 0; i < s.count; i++) {
            s.x[i] = mode == ANIM_BLEND_SIMPLE ? cosf((float)i * 0.006f) : (float)(i % 32);
            s.y[i] = mode == ANIM_BLEND_SIMPLE ? sinf((float)i * 0.006f) : (float)(i / 32);
        }
        anim_blend_space_desc desc = {.mode = mode, .count = s.count, .x = s.x, .y = s.y};
        anim_blend_space* space = NULL;
        anim_error err = {0};
        int64_t n = 0;
        do {
            assert_null(space);
            assert_int_equal(anim_mem_get_counts().blocks, before.blocks);
            anim_mem_fail_nth(++n);
            anim_blend_space_create(&desc, &space, &err);
            assert_true(space || err.code == ANIM_ERR_MEMORY);
        } while (!space);
        anim_mem_fail_nth(0);
        assert_true(n > 2); // the arena and one block
        assert_int_equal(anim_mem_get_counts().blocks, before.blocks + 1);
        int64_t total = anim_mem_get_counts().total;
        static float got[ANIM_BLEND_MAX_SAMPLES];
        anim_blend_space_weights(space, 0.3f, 0.4f, got);
        assert_int_equal(anim_mem_get_counts().total, total);
        assert_ptr_equal(anim_blend_space_retain(space), space);
        anim_blend_space_release(space);
        anim_blend_space_release(space);
    }
    anim_blend_space_release(NULL);
    assert_int_equal(anim_mem_get_counts().blocks, before.blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1d),
        cmocka_unit_test(test_1d_errors),
        cmocka_unit_test(test_simple),
        cmocka_unit_test(test_simple_errors),
        cmocka_unit_test(test_cartesian),
        cmocka_unit_test(test_directional),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_idw),
        cmocka_unit_test(test_square_in_any_order),
        cmocka_unit_test(test_triangulated),
        cmocka_unit_test(test_collinear),
        cmocka_unit_test(test_sample_on_the_hull),
        cmocka_unit_test(test_merged_samples),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_bad_samples),
        cmocka_unit_test(test_many_samples),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
