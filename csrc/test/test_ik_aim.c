// SPDX-License-Identifier: MIT
// The aim solver with one joint: known answers and the faults.md cases 99 and 100.
// spec/support/reference/ik_aim.lua has it by angles.
#include "test/ik_gaze.h"

// --- one joint ----------------------------------------------------------------------------------------

static void test_target(void** state)
{
    (void)state;
    gaze g;
    make_head(&g);
    for (double yaw = -175; yaw < 180; yaw += 10)
        for (double pitch = -85; pitch < 90; pitch += 17) {
            look_at(&g, yaw, pitch, 3);
            assert_true(solve_from_rest(&g, NULL, NULL, 0) < 1e-6f);
            anim_dvec to = anim_dvec_sub(anim_dvec_from(g.d.target), (anim_dvec){0, 1, 0});
            assert_true(degrees_between(aimed(&g), to) < 1e-4);
            // The least turn: about an axis square to the old and new direction.
            anim_dquat q = anim_ik_local_of(g.rig.skeleton, g.rig.pose, 1).q;
            assert_true(fabs(q.z) < 1e-6);
        }
    look_at(&g, 90, 0, 2);
    g.d.weight = 0.5f;
    solve_from_rest(&g, NULL, NULL, 0);
    assert_true(fabs(yaw_of(&g) - 45) < 1e-4);
    g.d.limit = (float)(60 * degree);
    solve_from_rest(&g, NULL, NULL, 0);
    assert_true(fabs(yaw_of(&g) - 30) < 1e-4);
    g.d.weight = 1;
    look_at(&g, 180, 0, 2); // behind: how far it is
    g.d.limit = 0;
    assert_true(fabsf(solve_from_rest(&g, NULL, NULL, 0) - 2) < 1e-6f);
    look_at(&g, 90, 0, 2);
    assert_true(fabsf(solve_from_rest(&g, NULL, NULL, 0) - 2) < 1e-6f);
    look_at(&g, 30, 0, 2);
    assert_true(fabsf(solve_from_rest(&g, NULL, NULL, 0) - 1) < 1e-6f);
    free_rig(&g.rig);
}

// 100: under a parent turned by 90 degrees, looking where it looks.
static void test_turned_parent(void** state)
{
    (void)state;
    const anim_xform joints[] = {turned(at(0, 1, 0), 0, 1, 0, 90), at(0, 1, 0)};
    gaze g;
    make_gaze(&g, joints, 2, 1);
    set_point(g.d.target, 5, 2, 0);
    anim_aim_memory memory;
    assert_true(solve(&g, NULL, &memory, 0) < 1e-6f);
    assert_true(turned_by(&g.rig, g.rig.skeleton->rest, 1) < 1e-6);
    assert_true(fabs(memory.turn[3] - 1) < 1e-12);
    set_point(g.d.target, 5, 2, -5);
    solve(&g, NULL, NULL, 0);
    assert_points(&g, 1, 0, -1, 1e-4);
    free_rig(&g.rig);
}

// The line from the offset point goes through the target, or as near as it can.
static void test_offset(void** state)
{
    (void)state;
    gaze g;
    make_head(&g);
    set_point(g.d.offset, 0.1, 0.3, 0.2);
    for (int i = 0; i < 40; i++) {
        set_point(g.d.target, 2 * sin(i * 1.3), 1 + 1.5 * sin(i * 0.7), 2 * cos(i * 1.3));
        assert_true(solve_from_rest(&g, NULL, NULL, 0) < 1e-6f);
    }
    float before = 0;
    for (double far = 0.6; far > 0.005; far *= 0.97) {
        set_point(g.d.target, 0.6 * far, 1, 0.8 * far);
        float left = solve_from_rest(&g, NULL, NULL, 0);
        double passes = sqrt(0.1 * 0.1 + 0.3 * 0.3), start = sqrt(passes * passes + 0.2 * 0.2);
        if (far > start + 1e-3)
            assert_true(left < 1e-6f);
        else if (far > passes) // on the line, behind its start
            assert_true(fabs((double)left - (0.2 - sqrt(far * far - passes * passes))) < 1e-6);
        assert_true(left >= before - 1e-6f);
        before = left;
    }
    free_rig(&g.rig);
}

static void test_up(void** state)
{
    (void)state;
    gaze g;
    make_head(&g);
    set_up(&g, 0, 1, 0);
    for (double yaw = -175; yaw < 180; yaw += 10)
        for (double pitch = -80; pitch < 85; pitch += 20) {
            look_at(&g, yaw, pitch, 3);
            for (int pole = 0; pole < 2; pole++) {
                g.d.has_pole = pole;
                set_point(g.d.pole, 7, 3, -1);
                assert_true(solve_from_rest(&g, NULL, NULL, 0) < 2e-6f);
                anim_dvec to = anim_dvec_sub(anim_dvec_from(g.d.target), (anim_dvec){0, 1, 0});
                anim_dvec goal = pole ? (anim_dvec){7, 2, -1} : (anim_dvec){0, 1, 0};
                to = anim_dvec_normalize(to, to);
                double in_line = degrees_between(to, goal);
                if (in_line < 6 || in_line > 174)
                    continue;
                goal = anim_dvec_sub(goal, anim_dvec_scale(to, anim_dvec_dot(goal, to)));
                assert_true(degrees_between(pointing(&g, g.d.up), goal) < 2e-4);
            }
        }
    free_rig(&g.rig);
}

// The pole, or +Y, is passed by the target: the roll stays and is handed over. Also where a joint above, which
// is turned, takes part.
static void pass_pole(double aside, bool is_shared)
{
    const anim_xform joints[] = {turned(at(0, 1, 0), 1, 0, 0, 40),
                                 turned(at(0, 0, 0), 1, 0, 0, -40)};
    gaze g;
    make_gaze(&g, joints, 2, is_shared ? 0 : 1);
    g.joints[0].share = 0.5f;
    set_up(&g, 0, 1, 0);
    anim_aim_memory memory = {.up_spread = 0};
    anim_pose_group before[most_groups];
    memcpy(before, g.rig.pose, sizeof before);
    for (double pitch = 60; pitch <= 120; pitch += 0.25) {
        set_point(g.d.target, 3 * sin(aside * degree), 1 + 3 * sin(pitch * degree),
                  3 * cos(pitch * degree));
        assert_true(solve_from_rest(&g, &memory, &memory, 0.01) < 2e-6f);
        assert_true(anim_aim_memory_is_fine(&memory));
        for (uint32_t j = 0; pitch > 60 && j < 2; j++)
            assert_true(turned_by(&g.rig, before, j) < 16 * degree);
        memcpy(before, g.rig.pose, sizeof before);
    }
    assert_true(pointing(&g, g.d.up).y > 0.5);
    free_rig(&g.rig);
}

static void test_up_in_line(void** state)
{
    (void)state;
    const double aside[] = {0, 0.1, 1, 3, 4.9};
    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++) {
        pass_pole(aside[i], false);
        if (aside[i] > 0) // else half a turn is shared
            pass_pole(aside[i], true);
    }
}

// --- behind, limits, rate -----------------------------------------------------------------------------

// 99: the target goes round, the axis stays in its cone, changes by no more than the rate and changes sides once.
static void sweep(double limit, double pitch, bool has_up, double rate)
{
    gaze g;
    make_head(&g);
    g.d.limit = (float)(limit * degree);
    g.d.rate = (float)rate;
    if (has_up)
        set_up(&g, 0, 1, 0);
    anim_aim_memory memory = {.up_spread = 0};
    anim_dvec before = {0, 0, 1};
    const double dt = 1.0 / 60;
    int changes = 0, side = 1;
    for (int i = 0; i <= 361; i++) {
        look_at(&g, i <= 180 ? i : i - 361, pitch, 3);
        solve_from_rest(&g, &memory, &memory, dt);
        anim_dvec now = aimed(&g);
        assert_true(degrees_between(now, (anim_dvec){0, 0, 1}) < limit + 1e-4);
        if (rate >= 0)
            assert_true(degrees_between(before, now) <= rate * dt / degree + 1e-4);
        if (fabs(now.x) > 0.05 && (now.x > 0) != (side > 0)) {
            side = -side;
            changes++;
        }
        before = now;
    }
    assert_int_equal(changes, 1);
    free_rig(&g.rig);
}

static void test_round_behind(void** state)
{
    (void)state;
    const double pitches[] = {0, 0.5, -2, 10, 40};
    for (size_t i = 0; i < sizeof pitches / sizeof *pitches; i++)
        for (int up = 0; up < 2; up++) {
            sweep(70, pitches[i], up, 3);
            sweep(70, pitches[i], up, 1.5);
            sweep(70, pitches[i], up, -1);
            sweep(120, pitches[i], up, 4);
        }
}

// To and fro straight behind: the side stays, whatever the target does there. Then it comes out on the other
// side: the axis goes through the cone, not behind, though that would be shorter.
static void test_side_behind(void** state)
{
    (void)state;
    for (int up = 0; up < 2; up++) {
        gaze g;
        make_head(&g);
        g.d.limit = (float)(120 * degree);
        if (up)
            set_up(&g, 0, 1, 0);
        anim_aim_memory memory = {.up_spread = 0};
        for (int i = 0; i < 60; i++) {
            look_at(&g, i < 20 ? 160 + i : i % 2 ? 178.5 : 181.5, i < 20 ? 0 : sin(i), 3);
            solve_from_rest(&g, &memory, &memory, 0.01);
            assert_true(yaw_of(&g) > 119);
        }
        double before = yaw_of(&g);
        anim_aim_memory out = memory;
        look_at(&g, 183.5, 0, 3);
        solve_from_rest(&g, &out, &out, 0.01);
        assert_true(yaw_of(&g) < -119);
        g.d.rate = 1;
        for (int i = 0; i < 440; i++) {
            look_at(&g, -130, 0, 3);
            solve_from_rest(&g, &memory, &memory, 0.01);
            assert_true(yaw_of(&g) <= before + 2e-4);
            before = yaw_of(&g);
        }
        assert_true(fabs(before + 120) < 1e-3);
        free_rig(&g.rig);
    }
}

// Within the cone nothing is cut; out of it the axis stops on the way.
static void test_limit(void** state)
{
    (void)state;
    gaze g;
    make_head(&g);
    for (double limit = 0; limit < 180; limit += 12.5) {
        g.d.limit = (float)(limit * degree);
        for (double yaw = -170; yaw <= 170; yaw += 20)
            for (double pitch = -60; pitch <= 60; pitch += 24) {
                look_at(&g, yaw, pitch, 3);
                solve_from_rest(&g, NULL, NULL, 0);
                anim_dvec to = anim_dvec_sub(anim_dvec_from(g.d.target), (anim_dvec){0, 1, 0});
                double whole = degrees_between(to, (anim_dvec){0, 0, 1});
                double off = degrees_between(aimed(&g), (anim_dvec){0, 0, 1});
                assert_true(fabs(off - fmin(whole, limit)) < 2e-4);
                assert_true(fabs(degrees_between(aimed(&g), to) - (whole - off)) < 4e-4);
            }
    }
    // Without limit and rate the axis follows round behind, and nothing spins.
    g.d.limit = -1;
    anim_aim_memory memory = {.up_spread = 0};
    anim_pose_group before[most_groups];
    memcpy(before, g.rig.pose, sizeof before);
    for (double pitch = 0; pitch < 3; pitch += 0.5)
        for (double yaw = 0; yaw <= 360; yaw += 0.5) {
            look_at(&g, yaw, pitch, 3);
            assert_true(solve_from_rest(&g, &memory, &memory, 0.1) < 2e-6f);
            if (yaw > 0)
                assert_true(turned_by(&g.rig, before, 1) < 45 * degree);
            if (yaw > 0 && pitch == 0)
                assert_true(turned_by(&g.rig, before, 1) < 0.501 * degree);
            memcpy(before, g.rig.pose, sizeof before);
        }
    free_rig(&g.rig);
}

// The rate counts from no correction at all, by the seconds and not by the steps; without a memory it is off.
static void test_rate(void** state)
{
    (void)state;
    gaze g;
    make_head(&g);
    g.d.rate = 1;
    for (int limited = 0; limited < 2; limited++)
        for (int steps = 1; steps <= 16; steps *= 4) {
            g.d.limit = limited ? 2 : -1;
            anim_aim_memory memory = {.up_spread = 0};
            look_at(&g, 50, 40, 3);
            for (int i = 0; i < steps; i++)
                solve_from_rest(&g, &memory, &memory, 0.6 / steps);
            double off = degrees_between(aimed(&g), (anim_dvec){0, 0, 1});
            assert_true(fabs(off - 0.6 / degree) < 1e-4);
            solve_from_rest(&g, &memory, &memory, 0); // no time goes by
            assert_true(fabs(degrees_between(aimed(&g), (anim_dvec){0, 0, 1}) - off) < 1e-4);
            assert_true(solve_from_rest(&g, &memory, &memory, 1) < 1e-6f);
        }
    assert_true(solve_from_rest(&g, NULL, NULL, 0) < 1e-6f);

    // From one target to another: by the same way for any steps.
    for (int limited = 0; limited < 2; limited++) {
        anim_dvec on_the_way[2];
        for (int i = 0; i < 2; i++) {
            int steps = i ? 30 : 1;
            anim_aim_memory memory = {.up_spread = 0};
            g.d.limit = limited ? 2.5f : -1;
            g.d.rate = 1000;
            look_at(&g, 70, -50, 3);
            solve_from_rest(&g, &memory, &memory, 1);
            g.d.rate = 1;
            look_at(&g, -20, 70, 3);
            for (int n = 0; n < steps; n++)
                solve_from_rest(&g, &memory, &memory, 0.9 / steps);
            on_the_way[i] = aimed(&g);
        }
        assert_true(degrees_between(on_the_way[0], on_the_way[1]) < 1e-4);
    }
    free_rig(&g.rig);
}

// On the joint: the animated pose, or the last correction.
static void test_on_the_joint(void** state)
{
    (void)state;
    gaze g;
    make_head(&g);
    set_point(g.d.target, 0, 1, 0);
    assert_true(solve(&g, NULL, NULL, 0) == 0);
    assert_memory_equal(g.rig.pose, g.rig.skeleton->rest, sizeof(anim_pose_group));
    anim_aim_memory memory;
    look_at(&g, 50, 10, 3);
    solve(&g, NULL, &memory, 0);
    anim_dvec was = aimed(&g);
    set_point(g.d.target, 1e-7, 1, 0);
    solve_from_rest(&g, &memory, NULL, 0);
    assert_true(degrees_between(aimed(&g), was) < 1e-4);
    free_rig(&g.rig);
}

static void test_memory_is_checked(void** state)
{
    (void)state;
    const anim_aim_memory none = {.up_spread = 0};
    anim_aim_memory fine = {{0, 0.6, 0, 0.8}, {0.5f, 0, 0}, 0.5f, {0, 1, 0}, 1};
    assert_true(anim_aim_memory_is_fine(&none) && anim_aim_memory_is_fine(&fine));
    const double wrong[] = {(double)NAN, (double)INFINITY, -0.1, 1.1};
    for (int i = 0; i < 4; i++) {
        anim_aim_memory m[5] = {fine, fine, fine, fine, fine};
        m[0].turn[0] = wrong[i];
        m[1].axis[1] = (float)(i == 2 ? -1 : wrong[i]);
        m[2].axis_spread = (float)wrong[i];
        m[3].up[0] = (float)wrong[i];
        m[4].up_spread = (float)wrong[i];
        for (int k = 0; k < 5; k++)
            assert_false(anim_aim_memory_is_fine(&m[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_turned_parent),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_up),
        cmocka_unit_test(test_up_in_line),
        cmocka_unit_test(test_round_behind),
        cmocka_unit_test(test_side_behind),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_on_the_joint),
        cmocka_unit_test(test_memory_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
