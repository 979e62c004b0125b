// SPDX-License-Identifier: MIT
// Chains: single cases with known answers, faults.md by number.
#include "test/ik_chain_rig.h"

static const anim_chain_solver solvers[] = {ANIM_CHAIN_FABRIK, ANIM_CHAIN_CCD};
static const char* const names[] = {"FABRIK", "CCD"};

// ---- known answers

// A straight arm of three joints under a turned one, as long as `lengths`.
static void arm(rig* r, const float* lengths, uint32_t bones)
{
    rig_add(r, -1, 0, 0, 0);
    rig_add(r, 0, 3, 0, 0);
    for (uint32_t i = 0; i < bones; i++)
        rig_add(r, (int32_t)(1 + i), 0, lengths[i], 0);
    rig_build(r);
}

static void set_turn(rig* r, uint32_t joint, float x, float y, float z, float angle)
{
    anim_xform pose = rig_get(r, joint);
    float sine;
    anim_sincos(angle / 2, &sine, &pose.q[3]);
    pose.q[0] = x * sine;
    pose.q[1] = y * sine;
    pose.q[2] = z * sine;
    anim_pose_set(r->skeleton, r->pose, joint, &pose);
}

// Two bones of 1, target 1.2 away: the elbow is .8 off the line, on the side where it was.
static void test_two_bones(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++)
        for (int side = -1; side <= 1; side += 2) {
            rig r = {0};
            arm(&r, (const float[]){1, 1}, 2);
            set_turn(&r, 1, 0, 0, 1, (float)side * -0.7f - 1.5707963f); // along +x, with a bend
            set_turn(&r, 2, 0, 0, 1, (float)side * 1.4f);
            anim_chain_desc desc = {.root = 1,
                                    .tips = (const uint32_t[]){3},
                                    .tip_count = 1,
                                    .solver = solvers[s],
                                    .iterations = 300,
                                    .tolerance = 1e-6f};
            anim_chain* chain = rig_chain(&r, &desc);
            anim_chain_target target = {{4.2f, 0, 0}, 1};
            float residual = rig_solve(&r, chain, &target, 1);
            double elbow[3], right[3] = {3.6, -0.8 * side, 0};
            place_of(&r, 2, elbow);
            assert_true(residual <= 1e-6f);
            assert_true(gap(elbow, right) <= 1e-5);
            anim_chain_release(chain);
            rig_free(&r);
        }
}

// Out of reach: straight toward the target; too near: folded as far as it goes.
static void test_out_of_reach(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        rig r = {0};
        double at[3];
        arm(&r, (const float[]){2, 0.5f, 0.5f}, 3);
        set_turn(&r, 2, 0, 0, 1, 0.3f);
        float residual = rig_reach(&r, solvers[s], 1, 4, (const float[]){3, 0, 13});
        place_of(&r, 4, at);
        assert_true(gap(at, (const double[]){3, 0, 3}) <= 1e-6);
        assert_true(fabsf(residual - 10) <= 1e-5f);
        residual = rig_reach(&r, solvers[s], 1, 4, (const float[]){3, 0, 0.25f});
        place_of(&r, 4, at);
        assert_true(gap(at, (const double[]){3, 0, 1}) <= 1e-5);
        assert_true(fabsf(residual - 0.75f) <= 1e-5f);
        rig_reach(&r, solvers[s], 1, 4, (const float[]){3, 0, 0});
        place_of(&r, 4, at);
        assert_true(fabs(gap(at, (const double[]){3, 0, 0}) - 1) <= 1e-5);
        rig_free(&r);
    }
}

// A straight chain bends for a target on its line, before it and behind it, the same way each time: about
// x, the first of the axes that are least along it.
static void test_straight(void** state)
{
    (void)state;
    static const float heights[] = {2.5f, 1, 0.1f, -1, -2.5f};
    for (int s = 0; s < 2; s++)
        for (int h = 0; h < 5; h++)
            for (uint32_t bones = 2; bones < 8; bones++) {
                float lengths[8];
                for (uint32_t i = 0; i < bones; i++)
                    lengths[i] = 3.0f / (float)bones;
                rig r = {0};
                arm(&r, lengths, bones);
                float target[3] = {3, heights[h], 0};
                assert_true(rig_reach(&r, solvers[s], 1, 1 + bones, target) <= 3e-4f);
                double most = 0;
                for (uint32_t i = 2; i <= bones; i++) {
                    double at[3];
                    place_of(&r, i, at);
                    assert_true(fabs(at[0] - 3) <=
                                1e-6); // turned about x: nothing leaves that plane
                    most = fmax(most, fabs(at[2]));
                }
                assert_true(most > 0.1 || heights[h] < 0); // behind it may lie in line again
                rig_free(&r);
            }
}

// A straight leg whose knee bends one way only lifts its foot, also where the target is on the wrong side.
static void test_straight_leg(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++)
        for (int z = -2; z <= 2; z++) {
            rig r = {0};
            uint32_t hip = rig_add(&r, -1, 0, 1, 0), knee = rig_add(&r, 0, 0, -0.5f, 0);
            uint32_t foot = rig_add(&r, 1, 0, -0.5f, 0);
            rig_build(&r);
            anim_joint_limit limits[] = {{.joint = hip,
                                          .kind = ANIM_LIMIT_CONE,
                                          .axis = {0, -1, 0},
                                          .cone = 1.5f,
                                          .twist_min = -0.5f,
                                          .twist_max = 0.5f},
                                         {.joint = knee,
                                          .kind = ANIM_LIMIT_HINGE,
                                          .axis = {1, 0, 0},
                                          .min = 0,
                                          .max = 2.6f}};
            anim_chain_desc desc = {.root = hip,
                                    .tips = &foot,
                                    .tip_count = 1,
                                    .solver = solvers[s],
                                    .tolerance = 1e-3f,
                                    .limits = limits,
                                    .limit_count = 2};
            anim_chain* chain = rig_chain(&r, &desc);
            anim_chain_target target = {{0, 0.3f, 0.05f * (float)z}, 1};
            assert_true(rig_solve(&r, chain, &target, 1) <= 1e-3f);
            for (uint32_t i = 0; i < 2; i++)
                assert_true(excess_of(&limits[i], (const float[]){0, 0, 0, 1},
                                      rig_get(&r, limits[i].joint).q) <= 1e-5);
            anim_chain_release(chain);
            rig_free(&r);
        }
}

// Joints of two hinges at one place, as machines have them: four pairs about x and z, half a metre apart.
static void test_universal(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        int reached = 0;
        random_state = 8;
        for (int i = 0; i < 300; i++) {
            rig r = {0};
            anim_joint_limit limits[8];
            for (uint32_t joint = 0; joint < 8; joint++) {
                rig_add(&r, (int32_t)joint - 1, 0, joint && joint % 2 == 0 ? 0.5f : 0, 0);
                limits[joint] = (anim_joint_limit){.joint = joint,
                                                   .kind = ANIM_LIMIT_HINGE,
                                                   .axis = {joint % 2 == 0, 0, joint % 2},
                                                   .min = -1.2f,
                                                   .max = 1.2f};
            }
            uint32_t tip = rig_add(&r, 7, 0, 0.5f, 0);
            rig_build(&r);
            rig goal = r;
            double at[3];
            for (uint32_t joint = 0; joint < 8; joint++)
                set_turn(&goal, joint, joint % 2 == 0, 0, joint % 2, random_float(-1, 1));
            place_of(&goal, tip, at);
            anim_chain_desc desc = {.tips = &tip,
                                    .tip_count = 1,
                                    .solver = solvers[s],
                                    .iterations = s ? 100 : 30,
                                    .tolerance = 2e-3f,
                                    .limits = limits,
                                    .limit_count = 8};
            anim_chain* chain = rig_chain(&r, &desc);
            anim_chain_target target = {{(float)at[0], (float)at[1], (float)at[2]}, 1};
            reached += rig_solve(&r, chain, &target, 1) <= 2e-3f;
            anim_chain_release(chain);
            rig_free(&r);
        }
        print_message("%s, universal joints: %d of 300 targets\n", names[s], reached);
        assert_true(reached >= (s ? 270 : 290));
    }
}

// ---- faults.md

// 95: the start of the chain stays where it is under a turned parent.
static void test_fault_95(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        rig r = {0};
        double before[3], after[3];
        arm(&r, (const float[]){1, 1, 1}, 3);
        set_turn(&r, 0, 0, 1, 0, 1);
        place_of(&r, 1, before);
        assert_true(rig_reach(&r, solvers[s], 1, 4, (const float[]){1, 1, -2}) <= 1e-3f);
        place_of(&r, 1, after);
        assert_true(gap(before, after) <= 1e-6);
        assert_float_equal(rig_get(&r, 1).t[0], 3, 0);
        rig_free(&r);
    }
}

// 96: lengths 1, 2, .5 whatever the target and the number of iterations.
static void test_fault_96(void** state)
{
    (void)state;
    static const float targets[][3] = {
        {3, 1, 1}, {3, 20, 0}, {3, 0, 0}, {2, -2, 0.5f}, {3, 0.4f, 0}};
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 5; i++)
            for (uint32_t iterations = 1; iterations <= 50; iterations++) {
                rig r = {0};
                arm(&r, (const float[]){1, 2, 0.5f}, 3);
                set_turn(&r, 2, 1, 0, 0, 0.5f);
                uint32_t tip = 4;
                anim_chain_desc desc = {.root = 1,
                                        .tips = &tip,
                                        .tip_count = 1,
                                        .solver = solvers[s],
                                        .iterations = iterations};
                anim_chain* chain = rig_chain(&r, &desc);
                anim_chain_target target = {{targets[i][0], targets[i][1], targets[i][2]}, 1};
                rig_solve(&r, chain, &target, 1);
                assert_true(fabs(distance_between(&r, 1, 2) - 1) <= 1e-5);
                assert_true(fabs(distance_between(&r, 2, 3) - 2) <= 1e-5);
                assert_true(fabs(distance_between(&r, 3, 4) - 0.5) <= 1e-5);
                anim_chain_release(chain);
                rig_free(&r);
            }
}

// 97: joints at one place act as one, wherever they are in the chain.
static void test_fault_97(void** state)
{
    (void)state;
    static const float target[3] = {4, 1, 1};
    for (int s = 0; s < 2; s++)
        for (uint32_t twin = 0; twin <= 3; twin++) {
            rig r = {0}, plain = {0};
            float lengths[4];
            for (uint32_t i = 0, taken = 0; i < 4; i++)
                lengths[i] = i == twin ? 0 : (const float[]){1, 2, 0.5f}[taken++];
            arm(&r, lengths, 4);
            arm(&plain, (const float[]){1, 2, 0.5f}, 3);
            set_turn(&r, twin == 0 ? 3 : 2, 1, 0, 0, 0.5f);
            set_turn(&plain, 2, 1, 0, 0, 0.5f);
            double a[3], b[3];
            rig_reach(&r, solvers[s], 1, 5, target);
            rig_reach(&plain, solvers[s], 1, 4, target);
            if (solvers[s] == ANIM_CHAIN_FABRIK && twin != 1)
                for (uint32_t i = 2; i <= 4; i++) {
                    place_of(&r, i <= twin + 1 ? i : i + 1, a);
                    place_of(&plain, i, b);
                    assert_true(gap(a, b) <= 1e-5);
                }
            assert_true(miss_of(&r, 5, target) <= 4e-4);
            rig_free(&r);
            rig_free(&plain);
        }
}

// 101: the same pose and target give the same bits, whatever was solved in between.
static void test_fault_101(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        rig r = {0};
        anim_pose_group start[MOST_GROUPS], first[MOST_GROUPS];
        float target[3] = {4, 1, 1}, wild[3] = {1e20f, -3, 1e-20f};
        arm(&r, (const float[]){1, 0.5f, 0.7f, 0.4f}, 4);
        set_turn(&r, 2, 1, 0, 0, 0.5f);
        memcpy(start, r.pose, sizeof start);
        rig_reach(&r, solvers[s], 1, 5, target);
        memcpy(first, r.pose, sizeof first);
        memcpy(r.pose, start, sizeof start);
        rig_reach(&r, solvers[s], 1, 5, wild);
        memcpy(r.pose, start, sizeof start);
        rig_reach(&r, solvers[s], 1, 5, target);
        assert_memory_equal(first, r.pose, sizeof first);
        rig_free(&r);
    }
}

// 105: a mirrored or unevenly scaled parent: the target is reached; mirrored it is the mirror image.
static void test_fault_105(void** state)
{
    (void)state;
    static const float scales[][3] = {{1, 1, 1}, {-1, 1, 1}, {1, -2, 0.5f}, {-3, -1, -1}};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 4; k++)
            for (int where = 0; where < 2;
                 where++) { // above the chain, or (mirrored only) inside it
                rig r = {0}, plain = {0};
                arm(&r, (const float[]){1, 1, 1}, 3);
                arm(&plain, (const float[]){1, 1, 1}, 3);
                anim_xform x = rig_get(&r, where ? 2 : 0);
                memcpy(x.s, scales[k], sizeof x.s);
                if (where && k == 2)
                    x.s[1] = 2, x.s[0] = x.s[2] = -2;
                if (where && k == 3)
                    x.s[0] = -1;
                anim_pose_set(r.skeleton, r.pose, where ? 2 : 0, &x);
                for (uint32_t i = 1; i <= 2; i++) {
                    set_turn(&r, i, 0, 0, 1, 0.4f);
                    set_turn(&plain, i, 0, 0, 1, 0.4f);
                }
                float target[3] = {4, 1, 1}, scaled[3];
                for (int i = 0; i < 3; i++)
                    scaled[i] = where ? target[i] : target[i] * scales[k][i];
                assert_true(rig_reach(&r, solvers[s], 1, 4, scaled) <= 1e-3f);
                rig_reach(&plain, solvers[s], 1, 4, target);
                for (uint32_t joint = 1; !where && k == 1 && joint <= 4; joint++) {
                    double a[3], b[3];
                    place_of(&r, joint, a);
                    place_of(&plain, joint, b);
                    assert_true(gap(a, (const double[]){-b[0], b[1], b[2]}) <= 1e-5);
                }
                rig_free(&r);
                rig_free(&plain);
            }
}

// Uneven scales inside the chain: no bone keeps its length, but the target is reached.
static void test_uneven(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        rig r = {0};
        arm(&r, (const float[]){1, 1, 1}, 3);
        for (uint32_t i = 1; i <= 3; i++) {
            anim_xform x = rig_get(&r, i);
            memcpy(x.s, (const float[]){1.2f, 0.9f, 1}, sizeof x.s);
            anim_pose_set(r.skeleton, r.pose, i, &x);
            set_turn(&r, i, 0.6f, 0, 0.8f, 0.3f);
        }
        uint32_t tip = 4;
        anim_chain_desc desc = {.root = 1,
                                .tips = &tip,
                                .tip_count = 1,
                                .solver = solvers[s],
                                .iterations = 200,
                                .tolerance = 1e-4f};
        anim_chain* chain = rig_chain(&r, &desc);
        anim_chain_target target = {{4, 1, 1}, 1};
        float residual = rig_solve(&r, chain, &target, 1);
        assert_true(residual <= 1e-4f && miss_of(&r, 4, target.at) <= 1e-4);
        anim_chain_release(chain);
        rig_free(&r);
    }
}

// A scale of zero above: nothing can be done, nothing changes.
static void test_flat(void** state)
{
    (void)state;
    rig r = {0};
    anim_pose_group before[MOST_GROUPS];
    arm(&r, (const float[]){1, 1}, 2);
    anim_xform x = rig_get(&r, 0);
    x.s[1] = 0;
    anim_pose_set(r.skeleton, r.pose, 0, &x);
    memcpy(before, r.pose, sizeof before);
    float target[3] = {3, 0, 2};
    assert_float_equal(rig_reach(&r, ANIM_CHAIN_FABRIK, 1, 3, target), 2, 1e-6f);
    assert_memory_equal(before, r.pose, sizeof before);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_bones), cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_straight),  cmocka_unit_test(test_straight_leg),
        cmocka_unit_test(test_universal), cmocka_unit_test(test_fault_95),
        cmocka_unit_test(test_fault_96),  cmocka_unit_test(test_fault_97),
        cmocka_unit_test(test_fault_101), cmocka_unit_test(test_fault_105),
        cmocka_unit_test(test_uneven),    cmocka_unit_test(test_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
