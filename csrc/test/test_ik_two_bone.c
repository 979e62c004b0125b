// SPDX-License-Identifier: MIT
// The two-bone solver: known answers and the faults.md cases 94, 95, 97, 98, 103, 105.
// spec/support/reference/ik_two_bone.lua has the closed form.
#include "pose/ik_two_bone.h"
#include "test/ik_rig.h"

typedef struct arm {
    rig rig;
    anim_two_bone d;
} arm;

static float solve(arm* a, const anim_bend* before, anim_bend* after)
{
    return anim_ik_two_bone(a->rig.skeleton, a->rig.pose, &a->d, before, after);
}

static float solve_from_rest(arm* a, const anim_bend* before, anim_bend* after)
{
    to_rest(&a->rig);
    return solve(a, before, after);
}

static void make_arm(arm* a, const anim_xform* joints, uint32_t count, uint32_t root, uint32_t mid,
                     uint32_t tip)
{
    make_rig(&a->rig, joints, count);
    a->d = (anim_two_bone){.root = root,
                           .mid = mid,
                           .tip = tip,
                           .weight = 1,
                           .soft = 1,
                           .stretch = 1,
                           .given = {0, 0, 0, 1}};
}

static void set_pole(arm* a, double x, double y, double z)
{
    a->d.has_pole = true;
    set_point(a->d.pole, x, y, z);
}

static void make_straight(arm* a) // along X, bones of length 1, parent above
{
    const anim_xform joints[] = {at(0, 0, 0), at(0, 0, 0), at(1, 0, 0), at(1, 0, 0)};
    make_arm(a, joints, 4, 1, 2, 3);
}

// --- known answers ------------------------------------------------------------------------------------

static void test_elbow(void** state)
{
    (void)state;
    arm r;
    make_straight(&r);
    set_point(r.d.target, 1.2, 0, 0);
    set_pole(&r, 0.3, 5, 0);
    assert_true(solve(&r, NULL, NULL) < 1e-6f);
    assert_at(&r.rig, 2, 0.6, 0.8, 0, 1e-6);
    assert_at(&r.rig, 3, 1.2, 0, 0, 1e-6);
    set_pole(&r, 0.3, -5, 0);
    assert_true(solve(&r, NULL, NULL) < 1e-6f);
    assert_at(&r.rig, 2, 0.6, -0.8, 0, 1e-6);
    set_pole(&r, 0.3, 0, 2);
    assert_true(solve(&r, NULL, NULL) < 1e-6f);
    assert_at(&r.rig, 2, 0.6, 0, 0.8, 1e-6);
    free_rig(&r.rig);
}

// 95: a root with an offset, under a turned parent; nothing but root and mid changes a bit.
static void test_place_and_lengths(void** state)
{
    (void)state;
    const anim_xform joints[] = {turned(at(1, 2, 3), 1, 1, 0, 40), turned(at(3, 0, 0), 0, 1, 0, 30),
                                 at(0.2f, 1, 0), turned(at(0, 1.5f, 0), 1, 0, 0, 20),
                                 turned(at(0.1f, 0.7f, 0), 0, 1, 1, 50)};
    arm r;
    make_arm(&r, joints, 5, 1, 2, 3);
    anim_dvec root = place(&r.rig, 1);
    double upper = distance(place(&r.rig, 1), place(&r.rig, 2)),
           lower = distance(place(&r.rig, 2), place(&r.rig, 3));
    anim_pose_group before[most_groups];
    memcpy(before, r.rig.pose, sizeof before);
    for (int i = 0; i < 50; i++) {
        set_point(r.d.target, root.x + 3 * sin(i * 1.7), root.y + 2 * cos(i * 2.1),
                  root.z + sin(i * 0.9));
        solve_from_rest(&r, NULL, NULL);
        assert_true(distance(place(&r.rig, 1), root) < 1e-9);
        assert_true(fabs(distance(place(&r.rig, 1), place(&r.rig, 2)) - upper) < 1e-6);
        assert_true(fabs(distance(place(&r.rig, 2), place(&r.rig, 3)) - lower) < 1e-6);
        for (int k = 0; k < 4; k++)
            POSE_AT(r.rig.skeleton, before, q, k, 1) = POSE_AT(r.rig.skeleton, r.rig.pose, q, k, 1),
                                                  POSE_AT(r.rig.skeleton, before, q, k, 2) =
                                                      POSE_AT(r.rig.skeleton, r.rig.pose, q, k, 2);
        assert_memory_equal(before, r.rig.pose, sizeof before);
    }
    free_rig(&r.rig);
}

// 98
static void test_stretch(void** state)
{
    (void)state;
    arm r;
    make_straight(&r);
    set_point(r.d.target, 3, 0, 0);
    assert_true(fabsf(solve(&r, NULL, NULL) - 1) < 1e-6f);
    assert_at(&r.rig, 3, 2, 0, 0, 1e-6);
    assert_true(POSE_AT(r.rig.skeleton, r.rig.pose, t, 0, 2) == 1 &&
                POSE_AT(r.rig.skeleton, r.rig.pose, t, 0, 3) == 1);
    r.d.stretch = 2;
    assert_true(solve_from_rest(&r, NULL, NULL) < 1e-6f);
    assert_at(&r.rig, 2, 1.5, 0, 0, 1e-6);
    assert_at(&r.rig, 3, 3, 0, 0, 1e-6);
    for (uint32_t j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++)
            assert_true(POSE_AT(r.rig.skeleton, r.rig.pose, s, k, j) == 1);
    r.d.stretch = 1.2f;
    assert_true(fabsf(solve_from_rest(&r, NULL, NULL) - 0.6f) < 1e-6f);
    assert_at(&r.rig, 3, 2.4, 0, 0, 1e-6);
    r.d.weight = 0.5f;
    solve_from_rest(&r, NULL, NULL);
    assert_at(&r.rig, 3, 2.2, 0, 0, 1e-6);
    r.d.weight = 1;
    set_point(r.d.target, 1.9, 0, 0); // within reach: nothing is stretched
    assert_true(solve_from_rest(&r, NULL, NULL) < 1e-6f);
    assert_true(POSE_AT(r.rig.skeleton, r.rig.pose, t, 0, 2) == 1 &&
                POSE_AT(r.rig.skeleton, r.rig.pose, t, 0, 3) == 1);
    free_rig(&r.rig);
}

static void test_soft(void** state)
{
    (void)state;
    arm r;
    make_straight(&r);
    r.d.soft = 0.8f;
    double before = 0, start = (double)0.8f * 2;
    for (double d = 0.01; d < 8; d += 0.01) {
        set_point(r.d.target, d, 0, 0);
        float left = solve_from_rest(&r, NULL, NULL);
        double right = d <= start ? d : start + (2 - start) * (1 - exp(-(d - start) / (2 - start)));
        double reached = anim_dvec_length(place(&r.rig, 3));
        assert_true(fabs(reached - right) < 2e-6);
        assert_true(fabs((double)left - (d - right)) < 2e-6);
        assert_true(reached > before - 1e-6 && reached < 2 + 1e-6);
        before = reached;
    }
    r.d.stretch = 3; // makes up for what is missing
    set_point(r.d.target, 1.8, 0.3, 0);
    assert_true(solve_from_rest(&r, NULL, NULL) < 1e-6f);
    free_rig(&r.rig);
}

// The inner and the outer sphere, the target on the root, lengths that differ.
static void test_reach(void** state)
{
    (void)state;
    const anim_xform joints[] = {turned(at(0, 0, 0), 1, 2, 3, 50), turned(at(2, 0, 0), 0, 0, 1, 30),
                                 at(0.5f, 0, 0)};
    arm r;
    make_arm(&r, joints, 3, 0, 1, 2);
    const double distances[][2] = {{9, 2.5}, {2.2, 2.2}, {1.5, 1.5}, {1.6, 1.6}, {0.3, 1.5}};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        double d = distances[i][0], right = distances[i][1];
        set_point(r.d.target, 0, 0.6 * d, 0.8 * d);
        float left = solve_from_rest(&r, NULL, NULL);
        assert_at(&r.rig, 2, 0, 0.6 * right, 0.8 * right, 2e-6);
        assert_true(fabs((double)left - fabs(d - right)) < 2e-6);
    }
    set_point(r.d.target, 0, 0, 0);
    assert_true(fabsf(solve_from_rest(&r, NULL, NULL) - 1.5f) < 1e-6f);
    assert_true(turned_by(&r.rig, r.rig.skeleton->rest, 0) < 1e-6); // no direction to turn to
    free_rig(&r.rig);
    make_straight(&r);
    set_point(r.d.target, 0, 0, 0);
    assert_true(solve(&r, NULL, NULL) < 1e-6f); // folded up
    assert_at(&r.rig, 3, 0, 0, 0, 1e-6);
    free_rig(&r.rig);
}

static void test_weight(void** state)
{
    (void)state;
    arm r;
    make_straight(&r);
    set_point(r.d.target, 0.4, 1.1, 0.2);
    set_pole(&r, 0.3, 0, 5);
    solve(&r, NULL, NULL);
    double whole[2] = {turned_by(&r.rig, r.rig.skeleton->rest, 1),
                       turned_by(&r.rig, r.rig.skeleton->rest, 2)};
    r.d.weight = 0.5f;
    solve_from_rest(&r, NULL, NULL);
    for (uint32_t j = 1; j < 3; j++)
        assert_true(fabs(turned_by(&r.rig, r.rig.skeleton->rest, j) - whole[j - 1] / 2) < 1e-6);
    free_rig(&r.rig);
}

static void test_rotation(void** state)
{
    (void)state;
    const anim_xform joints[] = {turned(at(1, 0, 0), 0, 1, 0, 70), turned(at(0, 1, 0), 1, 0, 0, 30),
                                 turned(at(0, 1, 0), 1, 0, 0, 25),
                                 turned(at(0, 0.1f, 0), 0, 1, 0, 20),
                                 turned(at(0, 0.9f, 0), 1, 1, 1, 33)};
    arm r;
    make_arm(&r, joints, 5, 1, 2, 4);
    set_point(r.d.target, 1.3, 1.9, 0.6);
    anim_dquat was = model_rotation(&r.rig, 4);
    assert_true(solve(&r, NULL, NULL) < 1e-6f);
    assert_true(memcmp(&POSE_AT(r.rig.skeleton, r.rig.pose, q, 0, 4),
                       &POSE_AT(r.rig.skeleton, r.rig.skeleton->rest, q, 0, 4),
                       sizeof(float)) == 0);
    assert_true(angle_between(was, model_rotation(&r.rig, 4)) > 0.1);
    r.d.rotation = ANIM_IK_ROTATION_MODEL;
    for (float weight = 0.25f; weight <= 1; weight += 0.25f) {
        r.d.weight = weight;
        solve_from_rest(&r, NULL, NULL);
        assert_true(angle_between(was, model_rotation(&r.rig, 4)) < 1e-6);
    }
    r.d.rotation = ANIM_IK_ROTATION_GIVEN;
    const float given[4] = {0.4f, -0.8f, 1.2f, 2}; // any length
    memcpy(r.d.given, given, sizeof given);
    anim_dquat goal = anim_dquat_normalize(anim_dquat_from(given));
    assert_true(solve_from_rest(&r, NULL, NULL) < 1e-6f);
    assert_true(angle_between(goal, model_rotation(&r.rig, 4)) < 1e-6);
    r.d.weight = 0.5f;
    solve_from_rest(&r, NULL, NULL);
    double half = angle_between(was, model_rotation(&r.rig, 4));
    assert_true(fabs(half - angle_between(goal, model_rotation(&r.rig, 4))) < 1e-6);
    free_rig(&r.rig);
}

// --- the bend plane -----------------------------------------------------------------------------------

static anim_dvec elbow_side(const arm* r) // which way mid is from the line root to tip; unit
{
    anim_dvec root = place(&r->rig, r->d.root);
    anim_dvec mid = anim_dvec_sub(place(&r->rig, r->d.mid), root);
    anim_dvec line = anim_dvec_normalize(anim_dvec_sub(place(&r->rig, r->d.tip), root), mid);
    mid = anim_dvec_sub(mid, anim_dvec_scale(line, anim_dvec_dot(mid, line)));
    return anim_dvec_normalize(mid, mid);
}

// 94: the target goes through the pole's direction, passing at `aside` degrees. Outside of 5 degrees the
// elbow follows, inside it stays in its plane, or turns into the pole's without a jump.
static void sweep_through_pole(double aside)
{
    arm r;
    make_straight(&r);
    set_pole(&r, 0, 1, 0);
    anim_bend memory = {.spread = 0};
    anim_dvec before = {0, 0, 0}, last_side = {0, 0, 0};
    double before_apart = 0;
    for (double angle = -40; angle <= 40; angle += 0.5) {
        double a = angle / 57.2957795, b = aside / 57.2957795;
        set_point(r.d.target, 1.5 * sin(a), 1.5 * cos(a) * cos(b), 1.5 * cos(a) * sin(b));
        assert_true(solve_from_rest(&r, &memory, &memory) < 1e-5f);
        assert_true(anim_bend_is_fine(&memory));
        anim_dvec elbow = place(&r.rig, 2), side = elbow_side(&r);
        anim_dvec target = anim_dvec_from(r.d.target);
        double apart = degrees_between(target, (anim_dvec){0, 1, 0});
        if (angle > -40) {
            double step = degrees_between(before, elbow);
            assert_true(step <= (apart > 5 && before_apart > 5 ? 5 : 30));
            if (apart < 5 && apart < before_apart)
                assert_true(degrees_between(last_side, side) < 1);
        }
        if (apart > 5.001) { // in the plane of target and pole, on the pole's side
            anim_dvec normal = anim_dvec_cross(target, (anim_dvec){0, 1, 0});
            assert_true(fabs(anim_dvec_dot(elbow, normal)) < 1e-5);
            assert_true(side.y > 0);
        }
        before = elbow;
        last_side = side;
        before_apart = apart;
    }
    free_rig(&r.rig);
}

static void test_pole_in_line(void** state)
{
    (void)state;
    const double aside[] = {0, 1e-9, 1e-4, 0.1, 1, 2, 3, 4.9, 5.1, 10};
    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
        sweep_through_pole(aside[i]);
}

// What is handed over does not depend on the steps, and a target that rests changes nothing.
static void test_pole_steps(void** state)
{
    (void)state;
    anim_dvec side[3];
    const int steps[] = {1, 7, 60};
    for (int n = 0; n < 3; n++) {
        arm r;
        make_straight(&r);
        set_pole(&r, 0, 2, 0);
        anim_bend memory = {.spread = 0};
        for (int i = -1; i <= steps[n]; i++) {
            double degrees = i < 0 ? -20 : 4 * (double)i / steps[n];
            double a = degrees / 57.2957795;
            set_point(r.d.target, 1.5 * sin(a), 1.5 * cos(a), 0);
            solve_from_rest(&r, &memory, &memory);
        }
        side[n] = elbow_side(&r);
        anim_pose_group pose[most_groups];
        memcpy(pose, r.rig.pose, sizeof pose);
        anim_bend again = memory;
        solve_from_rest(&r, &again, &again);
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 4; j++)
                assert_true(fabsf(POSE_AT(r.rig.skeleton, pose, q, k, j) -
                                  POSE_AT(r.rig.skeleton, r.rig.pose, q, k, j)) < 1e-6f);
        free_rig(&r.rig);
    }
    assert_true(degrees_between(side[0], side[1]) < 0.01);
    assert_true(degrees_between(side[0], side[2]) < 0.01);
}

// Without a memory the plane of the rest pose is kept.
static void test_pole_from_rest(void** state)
{
    (void)state;
    const anim_xform joints[] = {at(0, 0, 0), turned(at(1, 0, 0), 0, 1, 0, 60), at(1, 0, 0)};
    arm r;
    make_arm(&r, joints, 3, 0, 1, 2);
    anim_dvec tip = place(&r.rig, 2); // bent about Y
    POSE_AT(r.rig.skeleton, r.rig.pose, q, 3, 1) = 1;
    POSE_AT(r.rig.skeleton, r.rig.pose, q, 1, 1) = 0;
    POSE_AT(r.rig.skeleton, r.rig.pose, q, 0, 0) = 0.6f; // turned otherwise now
    POSE_AT(r.rig.skeleton, r.rig.pose, q, 3, 0) = 0.8f;
    set_point(r.d.target, tip.x, tip.y, tip.z);
    set_pole(&r, 3 * tip.x, 3 * tip.y, 3 * tip.z);
    solve(&r, NULL, NULL);
    assert_at(&r.rig, 1, 1, 0, 0, 1e-6);
    set_pole(&r, -tip.x, -tip.y, -tip.z);
    solve(&r, NULL, NULL);
    assert_at(&r.rig, 1, 1, 0, 0, 1e-6);
    set_pole(&r, 0, 0, 0); // on the root
    solve(&r, NULL, NULL);
    assert_at(&r.rig, 1, 1, 0, 0, 1e-6);
    free_rig(&r.rig);
    // Elsewhere it is turned along with the line to the tip, here from X to Y.
    for (int n = 0; n < 2; n++) {
        anim_xform arms[] = {at(0, 0, 0), turned(at(1, 0, 0), 0, 1, 0, 60), at(1, 0, 0)};
        arms[0] = turned(arms[0], 0, 1, 0, -30);
        if (n == 1) { // the same at rest, by other rotations
            arms[0] = turned(arms[0], 0, 1, 0, 60);
            arms[1] = turned(at(0, 0, 1), 0, 1, 0, -30);
        }
        make_arm(&r, arms, 3, 0, 1, 2);
        assert_at(&r.rig, 2, sqrt(3), 0, 0, 1e-6);
        set_point(r.d.target, 0, 1.2, 0);
        set_pole(&r, 0, 3, 0);
        assert_true(solve(&r, NULL, NULL) < 1e-6f);
        assert_at(&r.rig, 1, 0, 0.6, 0.8, 1e-6);
        free_rig(&r.rig);
    }
}

// Without a pole the animated plane, without a turn about the upper bone; nearly straight: that of the rest
// pose, also where the animation overstretches the joint; straight at rest: an axis of the middle joint.
static void test_plane_without_pole(void** state)
{
    (void)state;
    const anim_xform joints[] = {at(0, 0, 0), turned(at(1, 0, 0), 0, 0, 1, 40), at(1, 0, 0)};
    arm r;
    make_arm(&r, joints, 3, 0, 1, 2);
    set_point(r.d.target, 1.1, 0.3, 0);
    assert_true(solve(&r, NULL, NULL) < 1e-6f);
    for (int j = 0; j < 2; j++) // all turns about Z
        assert_true(fabsf(POSE_AT(r.rig.skeleton, r.rig.pose, q, 0, j)) < 1e-6f &&
                    fabsf(POSE_AT(r.rig.skeleton, r.rig.pose, q, 1, j)) < 1e-6f);
    assert_true(elbow_side(&r).y < 0);
    const double bends[] = {20, 6, 3, 0.1, 0, -0.1, -2};
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        anim_xform mid = turned(joints[1], 0, 0, 1, bends[i]);
        to_rest(&r.rig);
        anim_pose_set(r.rig.skeleton, r.rig.pose, 1, &mid);
        solve(&r, NULL, NULL);
        assert_true(elbow_side(&r).y < -0.7);
    }
    anim_xform mid = turned(joints[1], 0, 0, 1, -6); // meant
    anim_pose_set(r.rig.skeleton, r.rig.pose, 1, &mid);
    anim_pose_set(r.rig.skeleton, r.rig.pose, 0, &joints[0]);
    solve(&r, NULL, NULL);
    assert_true(elbow_side(&r).y > 0.7);
    free_rig(&r.rig);

    // Straight along X, Y, Z: about the first axis square to the bone.
    const double elbows[3][3] = {{0.6, 0, 0.8}, {0, 0.6, -0.8}, {0, 0.8, 0.6}};
    for (int k = 0; k < 3; k++) {
        anim_xform bones[3] = {at(0, 0, 0), at(0, 0, 0), at(0, 0, 0)};
        bones[1].t[k] = bones[2].t[k] = 1;
        make_arm(&r, bones, 3, 0, 1, 2);
        r.d.target[k] = 1.2f;
        assert_true(solve(&r, NULL, NULL) < 1e-6f);
        assert_at(&r.rig, 1, elbows[k][0], elbows[k][1], elbows[k][2], 1e-6);
        free_rig(&r.rig);
    }
}

// The rest pose's plane goes with the middle joint: a twist of it turns the plane of a straight chain.
static void test_plane_goes_with_mid(void** state)
{
    (void)state;
    anim_xform bent = turned(at(1, 0, 0), 1, 0, 0, 30);
    anim_dquat twist = anim_dquat_from(bent.q);
    bent = turned(at(1, 0, 0), 0, 0, 1, 40); // about Z, after the twist
    anim_dquat q = anim_dquat_mul(anim_dquat_from(bent.q), twist);
    const float rest[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    memcpy(bent.q, rest, sizeof rest);
    const anim_xform joints[] = {at(0, 0, 0), bent, at(1, 0, 0)};
    arm r;
    make_arm(&r, joints, 3, 0, 1, 2);
    set_point(r.d.target, 1.2, 0, 0);
    for (double more = 0; more < 360; more += 45) {
        to_rest(&r.rig);
        anim_xform mid = turned(at(1, 0, 0), 1, 0, 0, 30 + more);
        anim_pose_set(r.rig.skeleton, r.rig.pose, 1, &mid);
        assert_true(solve(&r, NULL, NULL) < 1e-6f);
        double a = more / 57.29577951308232;
        assert_at(&r.rig, 1, 0.6, -0.8 * cos(a), -0.8 * sin(a), 1e-5);
    }
    free_rig(&r.rig);
}

// --- zero, mirrored and uneven ------------------------------------------------------------------------

// 97
static void test_no_length(void** state)
{
    (void)state;
    for (int which = 1; which <= 3; which++) {
        const anim_xform joints[] = {at(0, 0, 0), at(which & 1 ? 0.0f : 1.0f, 0, 0),
                                     at(which & 2 ? 0.0f : 1.0f, 0, 0)};
        arm r;
        make_arm(&r, joints, 3, 0, 1, 2);
        double length = which == 3 ? 0 : 1;
        set_point(r.d.target, 0, 2, 0);
        set_pole(&r, 1, 1, 0);
        anim_bend after;
        assert_true(fabs((double)solve(&r, NULL, &after) - (2 - length)) < 1e-6);
        assert_at(&r.rig, 2, 0, length, 0, 1e-6);
        r.d.stretch = 1.5f;
        solve_from_rest(&r, NULL, NULL);
        assert_at(&r.rig, 2, 0, 1.5 * length, 0, 1e-6);
        free_rig(&r.rig);
    }
}

// 103: a scale of zero above or in the chain for one frame leaves nothing behind.
static void test_scale_of_zero(void** state)
{
    (void)state;
    for (uint32_t joint = 0; joint < 4; joint++) {
        const anim_xform joints[] = {turned(at(0, 1, 0), 1, 2, 3, 30),
                                     turned(at(0, 1, 0), 1, 0, 0, 20),
                                     turned(at(0, 1, 0), 1, 0, 0, 30), at(0, 1, 0)};
        arm r;
        make_arm(&r, joints, 4, 1, 2, 3);
        set_point(r.d.target, 0.7, 2.2, 0.4);
        set_pole(&r, -1, 3, 3);
        anim_bend memory;
        anim_pose_group first[most_groups];
        solve(&r, NULL, &memory);
        memcpy(first, r.rig.pose, sizeof first);
        for (int axes = 1; axes < 8; axes++) {
            to_rest(&r.rig);
            for (int k = 0; k < 3; k++)
                if (axes >> k & 1)
                    POSE_AT(r.rig.skeleton, r.rig.pose, s, k, joint) = 0;
            assert_true(isfinite(solve(&r, &memory, &memory)));
            assert_true(anim_bend_is_fine(&memory));
            if (joint == 0) // nothing can be reached
                assert_true(memcmp(r.rig.pose[0].q, r.rig.skeleton->rest[0].q, sizeof first[0].q) ==
                            0);
        }
        solve_from_rest(&r, &memory, &memory);
        assert_memory_equal(first, r.rig.pose, sizeof first);
        free_rig(&r.rig);
    }
}

// 105: under a mirrored parent the result is the mirror image; under an uneven one the tip gets there.
static void test_scale_above(void** state)
{
    (void)state;
    for (int pole = 0; pole < 2; pole++) {
        anim_xform joints[] = {at(0, 0, 0), turned(at(0.3f, 1, 0), 1, 0, 1, 20),
                               turned(at(0.1f, 1, 0), 1, 0, 0, 30), at(0, 1, 0.1f)};
        arm r, mirrored;
        make_arm(&r, joints, 4, 1, 2, 3);
        joints[0].s[0] = -1;
        make_arm(&mirrored, joints, 4, 1, 2, 3);
        set_point(r.d.target, 0.9, 1.6, 0.8);
        set_point(mirrored.d.target, -0.9, 1.6, 0.8);
        if (pole) {
            set_pole(&r, 2, 3, 1);
            set_pole(&mirrored, -2, 3, 1);
        }
        assert_true(solve(&r, NULL, NULL) < 1e-6f && solve(&mirrored, NULL, NULL) < 1e-6f);
        for (uint32_t j = 1; j < 4; j++) {
            anim_dvec p = place(&r.rig, j);
            assert_at(&mirrored.rig, j, -p.x, p.y, p.z, 1e-6);
        }
        free_rig(&r.rig);
        free_rig(&mirrored.rig);
        joints[0].s[0] = 2;
        joints[0].s[1] = 0.5f;
        make_arm(&r, joints, 4, 1, 2, 3);
        set_point(r.d.target, 1.6, 1.1, 0.8);
        if (pole)
            set_pole(&r, 2, 3, 1);
        assert_true(solve(&r, NULL, NULL) < 1e-6f);
        assert_at(&r.rig, 3, 1.6, 1.1, 0.8, 1e-6);
        if (pole) { // root, elbow, target, pole in one plane of model space, too
            anim_dvec root = place(&r.rig, 1), line = anim_dvec_sub(place(&r.rig, 3), root);
            anim_dvec n = anim_dvec_cross(anim_dvec_sub((anim_dvec){2, 3, 1}, root), line);
            assert_true(fabs(anim_dvec_dot(n, anim_dvec_sub(place(&r.rig, 2), root))) < 1e-6);
        }
        free_rig(&r.rig);
    }
}

static void test_memory_is_checked(void** state)
{
    (void)state;
    anim_bend m = {.spread = 0};
    assert_true(anim_bend_is_fine(&m));
    m.spread = 0.5f;
    assert_false(anim_bend_is_fine(&m));
    m.normal[1] = 1;
    assert_true(anim_bend_is_fine(&m));
    const float wrong[] = {NAN, INFINITY, -0.1f, 1.1f};
    for (int i = 0; i < 4; i++) {
        m.spread = wrong[i];
        assert_false(anim_bend_is_fine(&m));
        m.spread = 0.5f;
        m.normal[0] = i < 2 ? wrong[i] : 0.3f;
        assert_false(anim_bend_is_fine(&m));
        m.normal[0] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elbow),
        cmocka_unit_test(test_place_and_lengths),
        cmocka_unit_test(test_stretch),
        cmocka_unit_test(test_soft),
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_pole_in_line),
        cmocka_unit_test(test_pole_steps),
        cmocka_unit_test(test_pole_from_rest),
        cmocka_unit_test(test_plane_without_pole),
        cmocka_unit_test(test_plane_goes_with_mid),
        cmocka_unit_test(test_no_length),
        cmocka_unit_test(test_scale_of_zero),
        cmocka_unit_test(test_scale_above),
        cmocka_unit_test(test_memory_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
