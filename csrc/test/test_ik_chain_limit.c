// SPDX-License-Identifier: MIT
// Limits of joints against swing and twist as measured by other formulas (test/ik_chain_rig.h).
#include "test/ik_chain_rig.h"

typedef struct sample {
    anim_joint_limit desc;
    anim_limit limit;
    float rest[4];
} sample;

static void make(sample* s, anim_limit_kind kind, float low, float high, float cone)
{
    *s = (sample){.desc = {.kind = kind,
                           .min = low,
                           .max = high,
                           .cone = cone,
                           .twist_min = low,
                           .twist_max = high}};
    random_direction(s->desc.axis);
    for (int i = 0; i < 3; i++)
        s->desc.axis[i] *= 3; // need not be of unit length
    random_turn(s->rest, 3);
    anim_error err;
    assert_int_equal(anim_joint_limit_check(&s->desc, &err), ANIM_OK);
    anim_limit_init(&s->limit, &s->desc, s->rest);
}

static void random_sample(sample* s)
{
    float a = random_float(-3.1f, 3.1f), b = random_float(-3.1f, 3.1f);
    anim_limit_kind kind = random_bits() % 2 ? ANIM_LIMIT_HINGE : ANIM_LIMIT_CONE;
    make(s, kind, fminf(a, b), fmaxf(a, b), random_float(0, 3.1415f));
}

static anim_dquat random_rotation(void)
{
    float q[4];
    random_turn(q, 6.28f);
    return anim_dquat_normalize(anim_dquat_from(q));
}

// rest * the turn about the axis.
static anim_dquat hinged(const sample* s, double angle)
{
    anim_dvec a = s->limit.axis;
    double sine = sin(angle / 2);
    anim_dquat turn = {a.x * sine, a.y * sine, a.z * sine, cos(angle / 2)};
    return anim_dquat_mul(s->limit.rest, turn);
}

static double excess(const sample* s, anim_dquat q)
{
    float turn[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    return excess_of(&s->desc, s->rest, turn);
}

static double angle_of(anim_dquat a, anim_dquat b)
{
    float p[4] = {(float)a.x, (float)a.y, (float)a.z, (float)a.w};
    float q[4] = {(float)b.x, (float)b.y, (float)b.z, (float)b.w};
    return angle_between(p, q);
}

static bool is_same(anim_dquat a, anim_dquat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

// The result is inside; what is inside stays, to the bit; clamping again changes nothing.
static void test_clamp(void** state)
{
    (void)state;
    int inside = 0;
    random_state = 1;
    for (int i = 0; i < 100000; i++) {
        sample s;
        random_sample(&s);
        anim_dquat q = random_rotation(), cut = anim_limit_clamp(&s.limit, q);
        double before = excess(&s, q);
        assert_true(excess(&s, cut) <= 1e-5);
        assert_true(angle_of(anim_limit_clamp(&s.limit, cut), cut) <= 2e-6);
        if (before == 0) {
            assert_true(is_same(q, cut));
            inside++;
        } else if (before > 1e-4) {
            assert_true(angle_of(q, cut) >= 0.9 * before);
        }
    }
    assert_true(inside > 1000);
}

// Hinges go to the nearest end, also over the half turn; a range may lie across it or be whole.
static void test_ends(void** state)
{
    (void)state;
    static const float cases[][4] = {
        // low, high, angle, right
        {-1, 2, 0.5f, 0.5f},  {-1, 2, 2.5f, 2},
        {-1, 2, -2, -1},      {-1, 2, -2.7f, 2},
        {-1, 2, 3.1f, 2},     {3, 4, 3.5f, 3.5f},
        {3, 4, -2.5f, -2.5f}, {3, 4, 0, 4},
        {3, 4, 0.5f, 3},      {-4, -3, 0.7f, -4},
        {0, 0, 1, 0},         {-6.2831855f, 0, 2, 2},
        {1, 1.5f, 0, 1},      {-3.1415927f, 3.1415927f, 3, 3},
    };
    random_state = 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample s;
        make(&s, ANIM_LIMIT_HINGE, cases[i][0], cases[i][1], 0);
        anim_dquat got = anim_limit_clamp(&s.limit, hinged(&s, (double)cases[i][2]));
        assert_true(angle_of(got, hinged(&s, (double)cases[i][3])) <= 1e-6);
    }
}

// Between two that are inside all are; the ends are the ends.
static void test_blend(void** state)
{
    (void)state;
    random_state = 3;
    for (int i = 0; i < 50000; i++) {
        sample s;
        random_sample(&s);
        anim_dquat a = anim_limit_clamp(&s.limit, random_rotation());
        anim_dquat b = anim_limit_clamp(&s.limit, random_rotation());
        double weight = (double)random_float(0, 1);
        assert_true(angle_of(anim_limit_blend(&s.limit, a, b, 0), a) <= 1e-6);
        assert_true(angle_of(anim_limit_blend(&s.limit, a, b, 1), b) <= 1e-6);
        assert_true(excess(&s, anim_limit_blend(&s.limit, a, b, weight)) <= 1e-5);
    }
    // From one end of a wide range to the other the way is through the range, a third of it is at -1.
    sample s;
    make(&s, ANIM_LIMIT_HINGE, -3, 3, 0);
    double third = angle_of(anim_limit_blend(&s.limit, hinged(&s, -3), hinged(&s, 3), 0.5),
                            hinged(&s, 0));
    assert_true(third <= 1e-6);
}

static double score(const double sums[3][3], anim_dquat q)
{
    double trace = 0;
    anim_dvec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int c = 0; c < 3; c++) { // of sums' * (q's matrix)
        anim_dvec column = anim_dquat_rotate(q, axes[c]);
        trace += column.x * sums[0][c] + column.y * sums[1][c] + column.z * sums[2][c];
    }
    return trace;
}

// No allowed angle brings the points nearer to their goals than the one that is taken.
static void test_hinge_toward(void** state)
{
    (void)state;
    random_state = 4;
    for (int i = 0; i < 2000; i++) {
        sample s;
        float a = random_float(-3, 3), b = random_float(-3, 3);
        make(&s, ANIM_LIMIT_HINGE, fminf(a, b), fmaxf(a, b), 0);
        double sums[3][3] = {{0}};
        for (uint32_t p = 0; p <= i % 3u; p++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    sums[r][c] += (double)random_float(-1, 1);
        anim_dquat from = random_rotation();
        anim_dquat got = anim_limit_hinge_toward(&s.limit, from, (const double(*)[3])sums, 1);
        assert_true(excess(&s, got) <= 1e-5);
        double right = score((const double(*)[3])sums, got);
        for (int k = 0; k <= 200; k++) {
            double angle = (double)s.desc.min + (double)(s.desc.max - s.desc.min) * k / 200;
            assert_true(score((const double(*)[3])sums, hinged(&s, angle)) <= right + 1e-5);
        }
        anim_dquat half = anim_limit_hinge_toward(&s.limit, from, (const double(*)[3])sums, 0.5);
        anim_dquat none = anim_limit_hinge_toward(&s.limit, from, (const double(*)[3])sums, 0);
        assert_true(excess(&s, half) <= 1e-5);
        assert_true(angle_of(none, anim_limit_clamp(&s.limit, from)) <= 1e-6);
        assert_true(fabs(angle_of(none, half) - angle_of(half, got)) <= 1e-5);
    }
}

// A goal exactly opposite, and points on the axis.
static void test_hinge_edges(void** state)
{
    (void)state;
    anim_joint_limit desc = {.kind = ANIM_LIMIT_HINGE, .axis = {0, 0, 1}, .min = -4, .max = 4};
    anim_limit limit;
    anim_limit_init(&limit, &desc, (const float[]){0, 0, 0, 1});
    const double opposite[3][3] = {{-1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    anim_dquat q = anim_limit_hinge_toward(&limit, ANIM_DQUAT_IDENTITY, opposite, 1);
    assert_true(fabs(q.z) > 1 - 1e-12);
    const double on_axis[3][3] = {{0, 0, 0.6}, {0, 0, 0}, {0, 0, 0.8}};
    q = anim_limit_hinge_toward(&limit, ANIM_DQUAT_IDENTITY, on_axis, 1);
    assert_true(is_same(q, ANIM_DQUAT_IDENTITY));
    const double nothing[3][3] = {{0}};
    q = anim_limit_hinge_toward(&limit, ANIM_DQUAT_IDENTITY, nothing, 1);
    assert_true(is_same(q, ANIM_DQUAT_IDENTITY));
}

// Toward the middle of the range, there upward; never out of it.
static void test_inward(void** state)
{
    (void)state;
    static const float cases[][4] = {
        // low, high, angle, right
        {0, 2, 0, 0.2f},  {-2, 0, 0, -0.2f},  {-2, 2, 0, 0.2f},
        {-2, 2, 1, 0.8f}, {0, 0.1f, 0, 0.1f}, {0, 0, 0, 0},
    };
    random_state = 5;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample s;
        make(&s, ANIM_LIMIT_HINGE, cases[i][0], cases[i][1], 0);
        anim_dquat q = hinged(&s, (double)cases[i][2]);
        q = anim_limit_hinge_inward(&s.limit, q, tan(0.1));
        assert_true(angle_of(q, hinged(&s, (double)cases[i][3])) <= 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clamp),       cmocka_unit_test(test_ends),
        cmocka_unit_test(test_blend),       cmocka_unit_test(test_hinge_toward),
        cmocka_unit_test(test_hinge_edges), cmocka_unit_test(test_inward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
