// SPDX-License-Identifier: MIT
// Warped root motion: the target is reached at any rate, and the path is the same for all of them.
#include "math/range.h"
#include "pose/warp.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Rigid transforms in double, by matrices of their own.
typedef struct place {
    double t[3], r[3][3];
} place;

static const place here = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static place after(const place* a, const place* b)
{
    place out;
    for (int i = 0; i < 3; i++) {
        out.t[i] = a->t[i];
        for (int j = 0; j < 3; j++) {
            out.t[i] += a->r[i][j] * b->t[j];
            out.r[i][j] = a->r[i][0] * b->r[0][j] + a->r[i][1] * b->r[1][j] +
                          a->r[i][2] * b->r[2][j];
        }
    }
    return out;
}

static place inverse(const place* a)
{
    place out;
    for (int i = 0; i < 3; i++) {
        out.t[i] = -(a->r[0][i] * a->t[0] + a->r[1][i] * a->t[1] + a->r[2][i] * a->t[2]);
        for (int j = 0; j < 3; j++)
            out.r[i][j] = a->r[j][i];
    }
    return out;
}

static place from_rigid(const anim_rigid* a)
{
    double x = a->q[0], y = a->q[1], z = a->q[2], w = a->q[3];
    double k = 2 / (x * x + y * y + z * z + w * w);
    return (place){{a->t[0], a->t[1], a->t[2]},
                   {{1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)},
                    {k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x)},
                    {k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)}}};
}

// Turns of this test are about one axis, yaw and a little roll, so w stays away from 0.
static anim_rigid to_rigid(const place* a)
{
    double w = sqrt(fmax(1 + a->r[0][0] + a->r[1][1] + a->r[2][2], 1e-12)) / 2;
    return (anim_rigid){{(float)a->t[0], (float)a->t[1], (float)a->t[2]},
                        {(float)((a->r[2][1] - a->r[1][2]) / (4 * w)),
                         (float)((a->r[0][2] - a->r[2][0]) / (4 * w)),
                         (float)((a->r[1][0] - a->r[0][1]) / (4 * w)), (float)w}};
}

static place turned(double x, double y, double z, double yaw)
{
    double s = sin(yaw), c = cos(yaw);
    return (place){{x, y, z}, {{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

static double distance(const place* a, const place* b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a->t[i] - b->t[i]) * (a->t[i] - b->t[i]);
    return sqrt(sum);
}

static double angle(const place* a, const place* b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += (a->r[i][j] - b->r[i][j]) * (a->r[i][j] - b->r[i][j]);
    return 2 * asin(fmin(sqrt(sum / 8), 1));
}

// What the clip does by itself, from 0 to 1 second. 0: a curved walk that sways, 1: nothing, 2: a leap that
// starts late and ends early, 3: there and back, 4: turns on the spot.
static place clip_at(int kind, double t)
{
    double u = fmin(fmax((t - 0.3) / 0.4, 0), 1), k = u * u * (3 - 2 * u);
    switch (kind) {
    case 0: return turned(0.1 * sin(9 * t) + 0.3 * t * t, 0.03 * cos(12 * t), 1.4 * t, 0.6 * t);
    case 1: return here;
    case 2: return turned(0, 2 * k * (1 - k), 2 * k, 0);
    case 3: return turned(0, 0, sin(3.14159265358979 * t), 0);
    default: return turned(0, 0, 0, 1.2 * t * t);
    }
}

static uint32_t random_state = 7;

static double random_to_1(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) * 0x1p-24;
}

typedef struct run {
    place at;                // at the end
    place half;              // at .5
    double fastest, slowest; // speed of the correction along z, kind 1
} run;

// rate: steps a second; 0: steps of any length.
static run warp_clip(int kind, const place* goal, double rate)
{
    run out = {.at = here, .fastest = -1e9, .slowest = 1e9};
    anim_warp warp = {{0, 0, 0}, 0};
    double t = 0;
    for (int i = 1; t < 1; i++) {
        double next = rate > 0 ? i / rate : t + 0.001 + 0.1 * random_to_1();
        if (t < 0.5 && next > 0.5)
            next = 0.5; // where runs are compared
        next = next > 1 - 1e-9 ? 1 : next;
        place now = clip_at(kind, t), then = clip_at(kind, next), end = clip_at(kind, 1);
        place back = inverse(&now), own_back = inverse(&out.at);
        place left = after(&back, &end), part = after(&back, &then);
        place target = after(&own_back, goal);
        anim_rigid remaining = to_rigid(&left), step = to_rigid(&part), to = to_rigid(&target);
        if (t == 0)
            anim_warp_begin(&remaining, &to, &warp);
        anim_rigid moved;
        anim_warp_step(&warp, &remaining, &to, &step, 1 - t, next - t, &moved);
        place by = from_rigid(&moved);
        double before = out.at.t[2];
        out.at = after(&out.at, &by);
        double speed = (out.at.t[2] - before) / (next - t);
        out.fastest = fmax(out.fastest, speed);
        out.slowest = fmin(out.slowest, speed);
        t = next;
        if (t == 0.5)
            out.half = out.at;
    }
    return out;
}

static void test_reaches(void** state)
{
    (void)state;
    double worst = 0, worst_angle = 0, worst_cut = 0;
    static const double rates[] = {30, 60, 144, 0, 0, 7};
    for (int kind = 0; kind < 5; kind++)
        for (int trial = 0; trial < 40; trial++) {
            place goal = turned(3 * random_to_1() - 1.5, random_to_1(), 4 * random_to_1() - 1,
                                4 * random_to_1() - 2);
            run runs[6];
            for (int i = 0; i < 6; i++) {
                runs[i] = warp_clip(kind, &goal, rates[i]);
                worst = fmax(worst, distance(&runs[i].at, &goal));
                worst_angle = fmax(worst_angle, angle(&runs[i].at, &goal));
                worst_cut = fmax(worst_cut, distance(&runs[i].half, &runs[0].half));
                worst_cut = fmax(worst_cut, angle(&runs[i].half, &runs[0].half));
            }
        }
    print_message("end: %.2g m, %.2g rad; half way, cut otherwise: %.2g m\n", worst, worst_angle,
                  worst_cut);
    assert_true(worst < 1e-5 && worst_angle < 1e-5);
    assert_true(worst_cut < 1e-5);
    assert_true(worst > 0); // rounding alone
}

// A clip that walks to the target by itself is not changed.
static void test_right_clip_stays(void** state)
{
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        place goal = clip_at(kind, 1), half = clip_at(kind, 0.5), begin = clip_at(kind, 0);
        place back = inverse(&begin);
        goal = after(&back, &goal);
        half = after(&back, &half);
        run r = warp_clip(kind, &goal, 60);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(r.half.t[i] - half.t[i]) < 3e-6);
    }
}

// A clip that stands still goes evenly; a leap that is too short is made longer, and before and after it
// the character stands as the clip does.
static void test_distribution(void** state)
{
    (void)state;
    place goal = turned(0, 0, 3, 0);
    run r = warp_clip(1, &goal, 60);
    assert_true(fabs(r.fastest - 3) < 1e-4 && fabs(r.slowest - 3) < 1e-4);
    r = warp_clip(2, &goal, 60);
    assert_true(fabs(r.slowest) < 1e-4); // not drawn along while it stands
    assert_true(fabs(r.half.t[2] - 1.5) < 1e-5);
    goal = turned(0, 0, 5, 0); // twice is as far as it goes, 1 m is left for time
    r = warp_clip(2, &goal, 60);
    assert_true(fabs(r.slowest - 1) < 1e-4);
    goal = turned(0.5, 0, 2, 0); // aside: in time
    r = warp_clip(2, &goal, 60);
    assert_true(fabs(r.half.t[0] - 0.25) < 1e-5 && fabs(r.half.t[2] - 1) < 1e-5);
    goal = turned(0, 0, -1, 0); // never backward with a clip that goes forward
    r = warp_clip(2, &goal, 60);
    assert_true(fabs(r.fastest + 1) < 1e-4 && fabs(r.slowest + 1) < 1e-4);
}

// The turn is linear in time; what is over the end is not gone beyond.
static void test_turn(void** state)
{
    (void)state;
    place goal = turned(0, 0, 3, 2.4), half = turned(0, 0, 1.5, 1.2);
    run r = warp_clip(1, &goal, 60);
    assert_true(angle(&r.half, &half) < 1e-5 && distance(&r.half, &half) < 1e-5);
    anim_rigid to = to_rigid(&goal), none = ANIM_RIGID_IDENTITY, out;
    anim_warp warp;
    anim_warp_begin(&none, &to, &warp);
    anim_warp_step(&warp, &none, &to, &none, 0.1, 0.12, &out);
    place end = from_rigid(&out);
    assert_true(angle(&end, &goal) < 1e-6 && distance(&end, &goal) < 1e-6);
    anim_warp_step(&warp, &none, &to, &none, 0.1, 0, &out); // no time: no way
    end = from_rigid(&out);
    assert_true(angle(&end, &here) < 1e-6 && distance(&end, &here) < 1e-6);
}

static void test_a_moving_target(void** state)
{
    (void)state;
    place at = here, goal = here;
    anim_warp warp = {{0, 0, 0}, 0};
    for (int i = 0; i < 60; i++) {
        goal = turned(1 + 0.01 * i, 0, 2 - 0.01 * i, 0.01 * i);
        place back = inverse(&at), target = after(&back, &goal);
        anim_rigid to = to_rigid(&target), left = {{0, 0, (float)(60 - i) / 60}, {0, 0, 0, 1}};
        anim_rigid step = {{0, 0, 1.0f / 60}, {0, 0, 0, 1}}, moved;
        if (i == 0)
            anim_warp_begin(&left, &to, &warp);
        anim_warp_step(&warp, &left, &to, &step, (60 - i) / 60.0, 1 / 60.0, &moved);
        place by = from_rigid(&moved);
        double far = distance(&by, &here);
        at = after(&at, &by);
        assert_true(far < 0.08 || i > 57);
    }
    assert_true(distance(&at, &goal) < 1e-5 && angle(&at, &goal) < 1e-5);
}

static float hostile(void)
{
    static const float values[] = {0, -0.0f, 1, -1, 1e-30f, -1e-30f, 1e30f, -1e30f, 1e-42f, 0.5f};
    uint32_t i = (uint32_t)(random_to_1() * 14);
    return i < 10 ? values[i] : (float)(4 * random_to_1() - 2);
}

static anim_rigid hostile_rigid(void)
{
    anim_rigid a;
    for (int i = 0; i < 3; i++)
        a.t[i] = hostile();
    for (int i = 0; i < 4; i++)
        a.q[i] = hostile();
    return a;
}

static void test_hostile(void** state)
{
    (void)state;
    static const double times[] = {0, 1e-300, 1e-9, 0.01, 1, 3, 1e30, 1e300};
    const char* slow = getenv("ANIM_SLOW");
    int count = slow && strcmp(slow, "0") == 0 ? 10000 : 1000000;
    for (int i = 0; i < count; i++) {
        anim_rigid left = hostile_rigid(), target = hostile_rigid(), step = hostile_rigid();
        anim_rigid out, again;
        anim_warp warp;
        double until = times[i % 8], dt = times[i / 8 % 8];
        anim_warp_begin(&left, &target, &warp);
        assert_true(warp.scale >= 0 && warp.scale <= 2);
        anim_warp_step(&warp, &left, &target, &step, until, dt, &out);
        anim_warp_step(&warp, &left, &target, &step, until, dt, &again);
        assert_memory_equal(&out, &again, sizeof out);
        double unit = 0;
        for (int j = 0; j < 4; j++)
            unit += (double)out.q[j] * out.q[j];
        assert_true(fabs(unit - 1) < 1e-6);
        for (int j = 0; j < 3; j++)
            assert_true(isfinite(out.t[j]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reaches),         cmocka_unit_test(test_right_clip_stays),
        cmocka_unit_test(test_distribution),    cmocka_unit_test(test_turn),
        cmocka_unit_test(test_a_moving_target), cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
