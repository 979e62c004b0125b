// SPDX-License-Identifier: MIT
// The aim solver with several joints, and the faults.md cases 97, 103, 105.
#include "test/ik_gaze.h"

// --- several joints -----------------------------------------------------------------------------------

// 90 degrees to the side, shared about one axis.
static void test_shares(void** state)
{
    (void)state;
    const anim_xform joints[] = {at(0, 1, 0), at(0, 0.2f, 0), at(0, 0.2f, 0), at(0, 0.2f, 0)};
    const float shares[][4] = {
        {1, 1, 1, 1}, {0, 1, 2, 1}, {5, 0, 0, 0}, {0, 0, 0, 0}, {0, 3, 3, 0}};
    for (size_t n = 0; n < sizeof shares / sizeof *shares; n++) {
        gaze g;
        make_gaze(&g, joints, 4, 0);
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            g.joints[i].share = shares[n][i];
            sum += (double)shares[n][i];
        }
        set_up(&g, 0, 1, 0);
        set_point(g.d.target, 4, 1.6, 0);
        for (int way = 0; way < 3; way++) { // whole, limited, by half
            g.d.limit = way == 1 ? (float)(50 * degree) : -1;
            g.d.weight = way == 2 ? 0.5f : 1;
            solve_from_rest(&g, NULL, NULL, 0);
            for (uint32_t j = 0; j < 4; j++) {
                double share = sum > 0 ? (double)shares[n][j] / sum : j == 3;
                double turn = turned_by(&g.rig, g.rig.skeleton->rest, j) / degree;
                double right = share * (way == 1 ? 50 : way == 2 ? 45 : 90);
                assert_true(fabs(turn - right) < (way == 1 ? 0.1 : 1e-4));
            }
        }
        free_rig(&g.rig);
    }
}

// A bent chain with joints in between and offsets: the last joint closes exactly, the others keep their bits.
static void test_closing(void** state)
{
    (void)state;
    const anim_xform joints[] = {turned(at(0, 1, 0), 1, 0, 0, 20),
                                 turned(at(0, 0.3f, 0), 1, 0, 1, 20),
                                 turned(at(0.1f, 0.2f, 0), 0, 0, 1, 15), at(0, 0.2f, 0.1f),
                                 turned(at(0.05f, 0.1f, 0.1f), 1, 1, 1, 30)};
    gaze g;
    make_gaze(&g, joints, 5, 0);
    g.joints[1] = (anim_aim_joint){2, 2};
    g.joints[2] = (anim_aim_joint){4, 1};
    g.d.joint_count = 3;
    set_point(g.d.offset, 0.02, 0.05, 0.1);
    for (int up = 0; up < 2; up++)
        for (int i = 0; i < 40; i++) {
            if (up)
                set_up(&g, 0, 1, 0);
            set_point(g.d.target, 3 * sin(i * 1.3), 1.5 + 1.5 * sin(i * 0.7), 3 * cos(i * 1.3));
            assert_true(solve_from_rest(&g, NULL, NULL, 0) < 2e-6f);
            for (uint32_t j = 1; j < 4; j += 2)
                for (int k = 0; k < 4; k++)
                    assert_true(POSE_AT(g.rig.skeleton, g.rig.pose, q, k, j) ==
                                POSE_AT(g.rig.skeleton, g.rig.skeleton->rest, q, k, j));
        }
    free_rig(&g.rig);
}

// --- zero, mirrored and uneven ------------------------------------------------------------------------

// 97
static void test_no_axis(void** state)
{
    (void)state;
    gaze g;
    make_head(&g);
    set_point(g.d.axis, 0, 0, 0);
    look_at(&g, 40, 0, 2);
    for (int up = 0; up < 2; up++) {
        assert_true(fabsf(solve(&g, NULL, NULL, 0) - 2) < 1e-6f);
        assert_memory_equal(g.rig.pose, g.rig.skeleton->rest, sizeof(anim_pose_group));
        set_up(&g, 0, 1, 0);
    }
    set_point(g.d.axis, 0, 0, 1);
    set_point(g.d.up, 0, 0, 0); // no roll then
    assert_true(solve(&g, NULL, NULL, 0) < 1e-6f);
    free_rig(&g.rig);
}

// 103: a scale of zero for a frame leaves nothing behind.
static void test_scale_of_zero(void** state)
{
    (void)state;
    for (uint32_t joint = 0; joint < 4; joint++) {
        const anim_xform joints[] = {turned(at(0, 1, 0), 1, 2, 3, 30),
                                     turned(at(0, 1, 0), 1, 0, 0, 20), at(0, 1, 0),
                                     turned(at(0, 1, 0), 0, 1, 0, 10)};
        gaze g;
        make_gaze(&g, joints, 4, 1);
        set_up(&g, 0, 1, 0);
        set_point(g.d.target, 1, 2, 3);
        anim_aim_memory memory;
        anim_pose_group first[most_groups];
        solve(&g, NULL, &memory, 0);
        memcpy(first, g.rig.pose, sizeof first);
        for (int axes = 1; axes < 8; axes++) {
            to_rest(&g.rig);
            for (int k = 0; k < 3; k++)
                if (axes >> k & 1)
                    POSE_AT(g.rig.skeleton, g.rig.pose, s, k, joint) = 0;
            assert_true(isfinite(solve(&g, &memory, &memory, 0.01)));
            assert_true(anim_aim_memory_is_fine(&memory));
            if (joint == 0) // nothing can be reached
                assert_memory_equal(g.rig.pose[0].q, g.rig.skeleton->rest[0].q, sizeof first[0].q);
        }
        solve_from_rest(&g, &memory, &memory, 0.01);
        assert_memory_equal(first, g.rig.pose, sizeof first);
        free_rig(&g.rig);
    }
}

// 105: under a mirrored parent the mirror image; under an uneven one and between uneven ones on the target.
static void test_scale(void** state)
{
    (void)state;
    for (int up = 0; up < 2; up++) {
        anim_xform joints[] = {at(0, 0.5f, 0), turned(at(0.3f, 1, 0), 1, 0, 1, 20),
                               turned(at(0.1f, 1, 0), 1, 0, 0, 30), at(0, 1, 0.1f)};
        gaze g, mirrored;
        make_gaze(&g, joints, 4, 1);
        joints[0].s[0] = -1;
        make_gaze(&mirrored, joints, 4, 1);
        set_point(g.d.target, 2, 1.6, 0.8);
        set_point(mirrored.d.target, -2, 1.6, 0.8);
        if (up) {
            set_up(&g, 0.1, 1, 0);
            set_up(&mirrored, 0.1, 1, 0);
        }
        assert_true(solve(&g, NULL, NULL, 0) < 1e-6f && solve(&mirrored, NULL, NULL, 0) < 1e-6f);
        for (uint32_t j = 1; j < 4; j++) {
            anim_dvec p = place(&g.rig, j);
            assert_at(&mirrored.rig, j, -p.x, p.y, p.z, 1e-6);
        }
        anim_dvec u = pointing(&g, g.d.up), v = pointing(&mirrored, g.d.up);
        assert_true(!up || distance(u, (anim_dvec){-v.x, v.y, v.z}) < 1e-6);
        free_rig(&g.rig);
        free_rig(&mirrored.rig);
        for (int j = 0; j < 4; j++) {
            joints[j].s[0] = 1.5f - 0.2f * (float)j;
            joints[j].s[2] = 0.7f;
        }
        joints[3].s[0] = -0.7f;
        make_gaze(&g, joints, 4, 1);
        g.d.has_up = up;
        set_point(g.d.up, 0.1, 1, 0);
        set_point(g.d.target, 2, 1.6, 0.8);
        assert_true(solve(&g, NULL, NULL, 0) < 2e-6f);
        free_rig(&g.rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),  cmocka_unit_test(test_closing),
        cmocka_unit_test(test_no_axis), cmocka_unit_test(test_scale_of_zero),
        cmocka_unit_test(test_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
