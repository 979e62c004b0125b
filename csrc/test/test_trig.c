// SPDX-License-Identifier: MIT
// Accuracy against the C library in double, and golden hashes: a changed bit fails here first.
#include "base/hash.h"
#include "math/ease.h"
#include "math/spring.h"
#include "math/trig.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Distance from `right` in units of the last place that a float there has.
static double ulps(float got, double right)
{
    float rounded = fabsf((float)right);
    double unit = (double)nextafterf(rounded, INFINITY) - rounded;
    return fabs(got - right) / unit;
}

typedef struct function {
    const char* name;
    float (*ours)(float);
    double (*right)(double);
    float from, to; // where it is measured
    double most;    // ulp
} function;

static const function functions[] = {
    {"sin", anim_sin, sin, -1e6f, 1e6f, 0.51},   {"sin", anim_sin, sin, -4, 4, 0.51},
    {"sin", anim_sin, sin, 1e6f, 3e38f, 0.51},   {"cos", anim_cos, cos, -1e6f, 1e6f, 0.51},
    {"cos", anim_cos, cos, -4, 4, 0.51},         {"cos", anim_cos, cos, -3e38f, -1e6f, 0.51},
    {"acos", anim_acos, acos, -1, 1, 0.51},      {"acos", anim_acos, acos, 0.999f, 1, 0.51},
    {"exp", anim_exp, exp, -87.3f, 88.7f, 0.51}, {"exp", anim_exp, exp, -0.1f, 0.1f, 0.51},
    {"exp", anim_exp, exp, -103, -87.3f, 0.51},
};

// 200,000 numbers, evenly by value and by exponent.
static float sample(const function* f, int i)
{
    float u = (float)(i * 2654435761u >> 8) * 0x1p-24f;
    if (i % 2)
        return f->from + (f->to - f->from) * u;
    float end = i % 4 ? f->from : f->to;
    float x = end * (float)exp2(-40.0 * u);
    return x < f->from ? f->from : x > f->to ? f->to : x;
}

static void test_accuracy(void** state)
{
    (void)state;
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
        const function* f = &functions[n];
#if defined(_WIN32) // whose own sine loses its way far out; the golden hashes below know ours
        if (f->from < -1e6f || f->to > 1e6f)
            continue;
#endif
        double worst = 0;
        for (int i = 0; i < 200000; i++) {
            float x = sample(f, i);
            double miss = ulps(f->ours(x), f->right(x));
            worst = miss > worst ? miss : worst;
        }
        print_message("%-4s %9g to %9g: %.6f ulp\n", f->name, (double)f->from, (double)f->to,
                      worst);
        assert_true(worst <= f->most);
        assert_true(worst > 0.4); // what rounding alone costs
    }
}

static void test_accuracy_of_two_arguments(void** state)
{
    (void)state;
    double worst_arc = 0, worst_power = 0, worst_arc_d = 0, worst_exp_d = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t a = i * 2654435761u, b = (i ^ 0x5bd1e995u) * 2246822519u;
        float y = from_bits(a % 0x7f800000u | (a & 0x80000000u));
        float x = i % 2 ? from_bits(b % 0x7f800000u | (b & 0x80000000u))
                        : y * ((float)(b >> 8) * 0x1p-23f - 1);
        double angle = atan2(y, x);
        worst_arc = fmax(worst_arc, ulps(anim_atan2(y, x), angle));
        if (fabs(angle) > DBL_MIN)
            worst_arc_d = fmax(worst_arc_d, fabs(anim_atan2_d(y, x) / angle - 1));

        float base = from_bits(a % 0x7f800000u);
        float power = ((float)(b >> 8) * 0x1p-23f - 1) * (i % 2 ? 4 : 400);
        double right = pow(base, power);
        if (right < FLT_MAX && right > FLT_MIN)
            worst_power = fmax(worst_power, ulps(anim_pow(base, power), right));

        double d = ((double)b * 0x1p-31 - 1) * (i % 2 ? 700 : 1);
        worst_exp_d = fmax(worst_exp_d, fabs(anim_exp_d(d) / exp(d) - 1));
    }
    print_message("atan2 %.6f ulp, pow %.6f ulp; double: atan2 %.2g, exp %.2g relative\n",
                  worst_arc, worst_power, worst_arc_d, worst_exp_d);
    assert_true(worst_arc <= 0.51 && worst_power <= 0.51);
    assert_true(worst_arc_d <= 2 * DBL_EPSILON && worst_exp_d <= DBL_EPSILON);
    assert_true(worst_arc_d > 0 && worst_exp_d > 0);
}

static void test_special_values(void** state)
{
    (void)state;
    assert_true(anim_sin(0) == 0 && anim_cos(0) == 1);
    assert_true(anim_acos(1) == 0 && anim_acos(2) == 0);
    assert_true(anim_acos(-1) == 3.14159265f && anim_acos(-1e30f) == 3.14159265f);
    assert_true(anim_exp(0) == 1 && anim_exp(89) == FLT_MAX && anim_exp(-FLT_MAX) == 0);
    assert_true(anim_exp_d(0) == 1 && anim_exp_d(710) == DBL_MAX && anim_exp_d(-1e300) == 0);
    assert_true(anim_exp_d(-745) == exp(-745) && anim_exp_d(-720) > 0);
    assert_true(anim_pow(0, 0) == 1 && anim_pow(0, 2) == 0 && anim_pow(0, -1) == FLT_MAX);
    assert_true(anim_pow(1, FLT_MAX) == 1 && anim_pow(1.5f, FLT_MAX) == FLT_MAX);
    assert_true(anim_pow(0.5f, FLT_MAX) == 0 && anim_pow(-2, 2) == 0 && anim_pow(3, 1) == 3);
    assert_true(anim_pow(2, 10) == 1024 && anim_pow(9, 0.5f) == 3);

    static const float places[] = {0.0f, -0.0f, 1, -1, FLT_MIN, -FLT_MIN, FLT_MAX, -FLT_MAX};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++) {
            float got = anim_atan2(places[i], places[j]);
            float right = (float)atan2(places[i], places[j]);
            assert_memory_equal(&got, &right, sizeof got); // signs of zero count
        }
}

// Bits of every function over all exponents.
static uint64_t hash_sweep(void)
{
    uint64_t hash = ANIM_HASH_START;
    for (uint32_t i = 0; i < 0x7f800000u; i += 65521) {
        float x = from_bits(i), y = from_bits((0x7f7fffffu - i) | (i << 31));
        float s, c;
        anim_sincos(x, &s, &c);
        float all[] = {s,
                       c,
                       anim_sin(-x),
                       anim_cos(-x),
                       anim_exp(x),
                       anim_exp(y),
                       anim_acos(y),
                       anim_acos(1 - x),
                       anim_pow(x, 1.7f),
                       anim_pow(x, y),
                       anim_atan2(x, y),
                       anim_atan2(y, x)};
        hash = anim_hash(hash, all, sizeof all);
        double wide[] = {anim_atan2_d(x, y), anim_exp_d(x), anim_exp_d(-x)};
        hash = anim_hash(hash, wide, sizeof wide);
    }
    return hash;
}

static void test_bits(void** state)
{
    (void)state;
    assert_int_equal(hash_sweep(), 0x884e918e7b49b85eu);
}

static void test_finite_everywhere(void** state)
{
    (void)state;
    for (uint32_t i = 0; i < 0x7f800000u; i += 10007) {
        float x = from_bits(i), s, c;
        anim_sincos(x, &s, &c);
        assert_true(fabsf(s) <= 1 && fabsf(c) <= 1);
        assert_true(fabs((double)s * s + (double)c * c - 1) < 2e-7);
        assert_true(anim_sin(x) == s && anim_cos(x) == c);
        assert_true(anim_sin(-x) == -s && anim_cos(-x) == c);
        assert_true(isfinite(anim_exp(x)) && isfinite(anim_pow(x, x)) && isfinite(anim_pow(x, -x)));
    }
}

static void test_spring(void** state)
{
    (void)state;
    double x = 0, v = 0, y = 0, u = 0;
    anim_spring_step(&x, &v, 1, 0.3, 0.3);
    for (int i = 0; i < 18; i++)
        anim_spring_step(&y, &u, 1, 0.3, 0.3 / 18);
    assert_true(fabs(x - 0.59399) < 5e-6);
    assert_true(fabs(x - y) < 1e-14 && fabs(v - u) < 1e-13);

    anim_spring_step(&x, &v, -2, 0.3, DBL_MAX);
    assert_true(x == -2 && v == 0);
    x = 7, v = 3;
    anim_spring_step(&x, &v, 2, 0.3, 0);
    assert_true(x == 7 && v == 3);
    anim_spring_step(&x, &v, 2, 0, 0);
    assert_true(x == 2 && v == 0);
    x = -FLT_MAX, v = FLT_MAX;
    for (double dt = 1e-40; dt < 1e40; dt *= 10) {
        anim_spring_step(&x, &v, FLT_MAX, 1e-8, dt);
        assert_true(isfinite(x) && isfinite(v));
    }
    assert_true(x == (double)FLT_MAX && v == 0);
}

static void assert_rising(const anim_ease_curve* curve)
{
    float before = 0;
    assert_true(anim_ease(curve, 0) == 0 && anim_ease(curve, -1) == 0);
    assert_true(anim_ease(curve, 1) == 1 && anim_ease(curve, 2) == 1);
    for (uint32_t bits = 0; bits < 0x3f800000u; bits += 30011) {
        float now = anim_ease(curve, from_bits(bits));
        assert_true(now >= before && now <= 1);
        before = now;
    }
}

static void test_ease(void** state)
{
    (void)state;
    static const float at[] = {0.25f, 0.5f, 0.75f};
    static const float right[][3] = {{0.25f, 0.5f, 0.75f},
                                     {0.15625f, 0.5f, 0.84375f},
                                     {0.0625f, 0.25f, 0.5625f},
                                     {0.4375f, 0.75f, 0.9375f}};
    for (int kind = ANIM_EASE_LINEAR; kind < ANIM_EASE_BEZIER; kind++) {
        anim_ease_curve curve = {.kind = (anim_ease_kind)kind};
        assert_rising(&curve);
        for (int i = 0; i < 3; i++)
            assert_true(anim_ease(&curve, at[i]) == right[kind][i]);
    }
}

static void test_bezier(void** state)
{
    (void)state;
    static const float rising[][4] = {
        {0.25f, 0.1f, 0.25f, 1},
        {0, 0, 1, 1},
        {1, 0, 0, 1},
        {0, 1, 1, 0},
        {0, 0, 0, 0},
        {1, 1, 1, 1},
        {0, 1, 0, 1},
        {1, 0, 1, 0},
        {-3, 0.2f, 5, 0.9f},
    };
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++) {
        anim_ease_curve curve = {.kind = ANIM_EASE_BEZIER};
        memcpy(curve.bezier, rising[i], sizeof curve.bezier);
        assert_rising(&curve);
    }
    // Points of the curve itself, and the values of CSS "ease" in all browsers.
    anim_ease_curve ease = {ANIM_EASE_BEZIER, {0.25f, 0.1f, 0.25f, 1}};
    for (int i = 1; i < 1000; i++) {
        double t = i / 1000.0, u = 1 - t;
        double x = 3 * u * u * t * 0.25 + 3 * u * t * t * 0.25 + t * t * t;
        double y = 3 * u * u * t * 0.1f + 3 * u * t * t + t * t * t;
        assert_true(fabs(anim_ease(&ease, (float)x) - y) < 3e-7);
    }
    assert_true(fabsf(anim_ease(&ease, 0.5f) - 0.802403f) < 1e-6f);
    anim_ease_curve over = {ANIM_EASE_BEZIER, {0.5f, -1, 0.5f, 2}};
    assert_true(anim_ease(&over, 0.1f) < 0 && anim_ease(&over, 0.9f) > 1);
    assert_true(anim_ease(&over, 0.5f) == 0.5f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_accuracy_of_two_arguments),
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_finite_everywhere),
        cmocka_unit_test(test_spring),
        cmocka_unit_test(test_ease),
        cmocka_unit_test(test_bezier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
