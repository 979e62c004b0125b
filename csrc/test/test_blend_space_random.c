// SPDX-License-Identifier: MIT
// What holds for all blend spaces, on random samples and inputs.
#include "base/hash.h"
#include "math/range.h"
#include "test/blend_samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

static uint32_t random_state;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static float random_float(float low, float high)
{
    return low + (high - low) * ((float)(random_bits() >> 8) * 0x1p-24f);
}

// Points of many kinds: scattered, on circles, on lines, on a lattice, with some far off the origin.
static void random_samples(samples* s, anim_blend_mode mode)
{
    uint32_t kind = random_bits() % 4;
    uint32_t columns = 1 + random_bits() % 5;
    s->count = mode == ANIM_BLEND_GRID ? columns * (1 + random_bits() % 5) : 1 + random_bits() % 24;
    float scale = random_bits() % 4 ? 1 : exp2f(random_float(-140, 120));
    float shift = random_bits() % 4 || mode == ANIM_BLEND_SIMPLE ? 0 : 100 * scale;
    float phase = random_float(0, 6);
    for (uint32_t i = 0; i < s->count; i++) {
        float x = random_float(-1, 1), y = random_float(-1, 1);
        if (mode == ANIM_BLEND_SIMPLE || kind == 1) {
            float angle = phase + (float)i * (6.2831853f / (float)s->count);
            float length = kind == 1 ? 1 : 0.2f + fabsf(x);
            x = length * cosf(angle);
            y = length * sinf(angle);
        } else if (kind == 2) {
            y = 0.3f * x;
        }
        if (kind == 3 && mode != ANIM_BLEND_SIMPLE) {
            x = (float)(random_bits() % 4);
            y = (float)(random_bits() % 4);
        }
        if (mode == ANIM_BLEND_GRID) {
            x = 0.1f * (float)(i % columns * i % columns) + (float)(i % columns) + 0.3f * phase;
            y = sqrtf((float)(i / columns)) + phase;
        }
        s->x[i] = x * scale + shift;
        s->y[i] = y * scale + shift;
    }
    for (uint32_t i = s->count; i > 1; i--)
        swap(s, i - 1, random_bits() % i);
}

static float random_input(float near)
{
    switch (random_bits() % 8) {
    case 0: return random_float(-1e30f, 1e30f);
    case 1: return random_float(-1e-42f, 1e-42f);
    case 2: return random_bits() % 2 ? FLT_MAX : -FLT_MAX;
    case 3: return 0;
    default: return near * random_float(-2, 2);
    }
}

static void assert_fair(const float* weights, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(weights[i] >= 0 && weights[i] <= 1);
        assert_true(weights[i] == 0 || weights[i] * (float)count > 0.9e-7f);
        sum += weights[i];
    }
    assert_true(fabs(sum - 1) <= 1e-6);
}

static void test_random_weights(void** state)
{
    (void)state;
    random_state = 1;
    for (anim_blend_mode mode = 0; mode < ANIM_BLEND_MODE_COUNT; mode++)
        for (int round = 0; round < 400; round++) {
            samples s;
            float got[24 + 1];
            random_samples(&s, mode);
            anim_blend_space* space = create(mode, &s);
            for (int i = 0; i < 50; i++) {
                float near = s.x[random_bits() % s.count] + s.y[random_bits() % s.count];
                float x = random_input(near), y = random_input(near);
                anim_blend_space_weights(space, x, y, got);
                assert_fair(got, s.count);
            }
            anim_blend_space_release(space);
        }
}

// On a sample all weight is that of the sample and those merged with it, evenly shared.
static void test_exact_on_samples(void** state)
{
    (void)state;
    random_state = 2;
    for (anim_blend_mode mode = 0; mode < ANIM_BLEND_MODE_COUNT; mode++)
        for (int round = 0; round < 300; round++) {
            samples s;
            float got[24 + 1];
            random_samples(&s, mode);
            anim_blend_space* space = create(mode, &s);
            double most = 4 * 1e-6 * anim_blend_space_extent(space);
            for (uint32_t i = 0; i < s.count; i++) {
                anim_blend_space_weights(space, s.x[i], s.y[i], got);
                uint32_t sharing = 0;
                for (uint32_t j = 0; j < s.count; j++) {
                    sharing += got[j] > 0;
                    assert_true(got[j] == 0 || (fabs((double)s.x[j] - s.x[i]) <= most &&
                                                fabs((double)s.y[j] - s.y[i]) <= most));
                }
                assert_true(got[i] == 1 / (float)sharing);
            }
            anim_blend_space_release(space);
        }
}

static void test_order_of_samples(void** state)
{
    (void)state;
    random_state = 3;
    for (anim_blend_mode mode = 0; mode < ANIM_BLEND_MODE_COUNT; mode++)
        for (int round = 0; round < 300; round++) {
            samples s, t;
            random_samples(&s, mode);
            uint32_t places[24 + 1]; // t's i-th sample is s's places[i]
            t = s;
            for (uint32_t i = 0; i < s.count; i++)
                places[i] = i;
            for (uint32_t i = s.count; i > 1; i--) {
                uint32_t j = random_bits() % i, place = places[i - 1];
                swap(&t, i - 1, j);
                places[i - 1] = places[j];
                places[j] = place;
            }
            anim_blend_space *first = create(mode, &s), *second = create(mode, &t);
            for (int i = 0; i < 20; i++) {
                float x = random_input(s.x[0]), y = random_input(s.y[0]), a[25], b[25];
                anim_blend_space_weights(first, x, y, a);
                anim_blend_space_weights(second, x, y, b);
                for (uint32_t k = 0; k < s.count; k++)
                    assert_true(a[places[k]] == b[k]);
            }
            anim_blend_space_release(first);
            anim_blend_space_release(second);
        }
}

static double change(const anim_blend_space* space, uint32_t count, const double a[2],
                     const double b[2])
{
    float at_a[25], at_b[25];
    anim_blend_space_weights(space, (float)a[0], (float)a[1], at_a);
    anim_blend_space_weights(space, (float)b[0], (float)b[1], at_b);
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = anim_max(most, fabs((double)at_a[i] - at_b[i]));
    return most;
}

// Halves the way towards the half that changes more, down to 1e-5 of the extent: a jump is found there.
static double find_jump(const anim_blend_space* space, uint32_t count, double a[2], double b[2])
{
    double end = 1e-5 * anim_blend_space_extent(space);
    while (hypot(b[0] - a[0], b[1] - a[1]) > end) {
        double middle[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
        bool first = change(space, count, a, middle) > change(space, count, middle, b);
        memcpy(first ? b : a, middle, sizeof middle);
    }
    return change(space, count, a, b);
}

static void test_continuity(void** state)
{
    (void)state;
    static const anim_blend_mode modes[] = {ANIM_BLEND_CARTESIAN, ANIM_BLEND_TRIANGULATED,
                                            ANIM_BLEND_GRID, ANIM_BLEND_SIMPLE};
    random_state = 4;
    double most = 0;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        for (int round = 0; round < 300; round++) {
            samples s;
            random_samples(&s, modes[m]);
            anim_blend_space* space = create(modes[m], &s);
            double extent = anim_blend_space_extent(space);
            for (int i = 0; i < 20 && extent > 1e-30 && s.x[0] / extent < 50; i++) {
                double ends[2][2];
                for (int k = 0; k < 4; k++)
                    ends[k / 2][k % 2] = (k % 2 ? s.y[0] : s.x[0]) +
                                         extent * (double)random_float(-1.5f, 1.5f);
                double jump = find_jump(space, s.count, ends[0], ends[1]);
                if (jump > 0.03)
                    fail_msg("mode %d, round %d: a jump of %g at (%.9g, %.9g)", (int)modes[m],
                             round, jump, ends[0][0], ends[0][1]);
                most = anim_max(most, jump);
            }
            anim_blend_space_release(space);
        }
    print_message("largest change over 1e-5 of the extent: %g\n", most);
    // The search does find jumps: opposite to the samples of a gap.
    static const samples fan = {3, {1, 0.8f, 0.8f}, {0, 0.6f, -0.6f}};
    anim_blend_space* space = create(ANIM_BLEND_DIRECTIONAL, &fan);
    double a[2] = {-1, 0}, b[2] = {-1, 2};
    assert_true(find_jump(space, 3, a, b) > 0.2);
    anim_blend_space_release(space);
}

// Distance of p from the triangle a b c; two corners may be one.
static double distance(const samples* s, const uint32_t corners[3], const double p[2])
{
    double least = INFINITY, side[3];
    for (int k = 0; k < 3; k++) {
        uint32_t a = corners[k], b = corners[(k + 1) % 3];
        double ex = (double)s->x[b] - s->x[a], ey = (double)s->y[b] - s->y[a];
        double dx = p[0] - s->x[a], dy = p[1] - s->y[a], ee = ex * ex + ey * ey;
        double t = ee > 0 ? anim_clamp((dx * ex + dy * ey) / ee, 0, 1) : 0;
        least = anim_min(least, hypot(dx - t * ex, dy - t * ey));
        side[k] = ex * dy - ey * dx;
    }
    bool inside = (side[0] > 0 && side[1] > 0 && side[2] > 0) ||
                  (side[0] < 0 && side[1] < 0 && side[2] < 0);
    return inside ? 0 : least;
}

// By trying all triangles.
static double distance_from_hull(const samples* s, const double p[2])
{
    double least = INFINITY;
    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t b = a; b < s->count; b++)
            for (uint32_t c = b; c < s->count; c++)
                least = anim_min(least, distance(s, (uint32_t[]){a, b, c}, p));
    return least;
}

// The place that the weights stand for is the input itself or, outside, as near as the hull comes; also
// on strips and needles so thin that they are nearly lines.
static void test_place_of_triangulated_weights(void** state)
{
    (void)state;
    random_state = 6;
    double worst = 0;
    for (int round = 0; round < 2000; round++) {
        samples s = {.count = 3 + random_bits() % 8};
        float thin = exp2f(random_float(-24, 0)), slope = random_float(-1, 1),
              tip = (float)(round % 2);
        for (uint32_t i = 0; i < s.count; i++) {
            float x = random_float(0, 1), y = random_float(-1, 1);
            s.x[i] = tip > 0 ? x * x : x;
            s.y[i] = slope * s.x[i] + thin * (tip > 0 ? s.x[i] * y : y);
        }
        anim_blend_space* space = create(ANIM_BLEND_TRIANGULATED, &s);
        for (int i = 0; i < 20; i++) {
            float got[16], x = random_float(-1, 2),
                           y = slope * x + random_float(-1, 1) * (i % 2 ? thin : 1);
            double place[2] = {0, 0}, input[2] = {x, y};
            anim_blend_space_weights(space, x, y, got);
            assert_fair(got, s.count);
            for (uint32_t k = 0; k < s.count; k++) {
                place[0] += (double)got[k] * s.x[k];
                place[1] += (double)got[k] * s.y[k];
            }
            double miss = hypot(place[0] - x, place[1] - y) - distance_from_hull(&s, input);
            worst = anim_max(worst, miss / anim_blend_space_extent(space));
        }
        anim_blend_space_release(space);
    }
    print_message("farther than the hull by %g of the extent\n", worst);
    assert_true(worst < 3e-6);
}

// Samples and inputs out of integer arithmetic, so that only our own functions make the bits.
static void test_bits(void** state)
{
    (void)state;
    random_state = 5;
    uint64_t hash = ANIM_HASH_START;
    for (int round = 0; round < 300; round++) {
        samples s = {.count = 16};
        for (uint32_t i = 0; i < s.count; i++) {
            s.x[i] = round % 2 ? random_float(-1, 1) : (float)(i % 4) / 3;
            s.y[i] = round % 2 ? random_float(-1, 1) : (float)(i / 4) - 1.5f;
        }
        for (anim_blend_mode mode = ANIM_BLEND_SIMPLE; mode < ANIM_BLEND_MODE_COUNT; mode++) {
            if ((mode == ANIM_BLEND_GRID && round % 2) ||
                (mode == ANIM_BLEND_SIMPLE && !(round % 2)))
                continue;
            anim_blend_space* space = create(mode, &s);
            for (int i = 0; i < 8; i++) {
                float got[16];
                float x = random_float(-2, 2), y = random_float(-2, 2);
                anim_blend_space_weights(space, x, y, got);
                hash = anim_hash(hash, got, sizeof got);
            }
            anim_blend_space_release(space);
        }
    }
    assert_int_equal(hash, 0x6b51a8104ad72ff4u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_weights),
        cmocka_unit_test(test_exact_on_samples),
        cmocka_unit_test(test_order_of_samples),
        cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_place_of_triangulated_weights),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
