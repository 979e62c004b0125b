// SPDX-License-Identifier: MIT
// What holds for the two-bone solver with any input, and the same bits from every compiler.
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

static void random_arm(arm* r, bool is_hostile)
{
    anim_xform joints[most_joints];
    uint32_t root = random_bits() % 4;
    uint32_t mid = root + 1 + (one_in(3) ? random_bits() % 3 : 0);
    uint32_t tip = mid + 1 + (one_in(3) ? random_bits() % 3 : 0);
    for (uint32_t j = 0; j <= tip; j++)
        joints[j] = is_hostile ? random_hostile_joint() : random_sane_joint(j < root);
    make_arm(r, joints, tip + 1, root, mid, tip);
}

static void random_task(arm* r, bool is_hostile)
{
    for (int k = 0; k < 3; k++) {
        r->d.target[k] = is_hostile ? hostile(2) : random_float(-2, 2);
        r->d.pole[k] = is_hostile ? hostile(2) : random_float(-3, 3);
    }
    if (is_hostile && one_in(6))
        for (int k = 0; k < 3; k++)
            r->d.pole[k] = r->d.target[k] * (one_in(2) ? 2.0f : -1.0f);
    r->d.has_pole = one_in(2);
    r->d.weight = one_in(2) ? 1 : one_in(8) ? 0 : random_float(0, 1);
    r->d.soft = one_in(2) ? 1 : one_in(4) ? 0 : random_float(0, 1);
    r->d.stretch = one_in(2) ? 1 : one_in(8) ? 1e30f : random_float(1, 2);
    r->d.rotation = (anim_ik_rotation)(random_bits() % 3);
    for (int k = 0; k < 4; k++)
        r->d.given[k] = is_hostile ? hostile(1) : random_float(-1, 1);
}

static anim_bend random_memory(void)
{
    const float raw[4] = {random_float(-1, 1), random_float(-1, 1), random_float(-1, 1), 0};
    float unit[4];
    bool is_known = anim_quat_normalize(raw, unit) && !one_in(3);
    if (!is_known)
        return (anim_bend){.spread = 0};
    return (anim_bend){{unit[0], unit[1], unit[2]}, random_float(0, 1)};
}

// Every number finite, rotations unit, and only the chain's joints changed, only the channels that may.
static bool is_fair(const arm* r, const anim_pose_group* before)
{
    if (!is_pose_fair(&r->rig))
        return false;
    for (uint32_t j = 0; j < r->rig.count; j++) {
        bool turns = j == r->d.root || j == r->d.mid || j == r->d.tip;
        bool moves = j > r->d.root && j <= r->d.tip && r->d.stretch > 1;
        anim_xform was, is;
        anim_pose_get(r->rig.skeleton, before, j, &was);
        anim_pose_get(r->rig.skeleton, r->rig.pose, j, &is);
        if (memcmp(was.s, is.s, sizeof is.s) != 0)
            return false;
        if (!turns && memcmp(was.q, is.q, sizeof is.q) != 0)
            return false;
        if (!moves && memcmp(was.t, is.t, sizeof is.t) != 0)
            return false;
    }
    return true;
}

static void test_anything(void** state)
{
    (void)state;
    random_state = 1;
    for (uint32_t i = 0; i < rounds(20000); i++) {
        arm r;
        random_arm(&r, true);
        for (int n = 0; n < 60; n++) {
            random_task(&r, true);
            anim_pose_group before[most_groups];
            to_rest(&r.rig);
            if (one_in(2))
                for (uint32_t j = 0; j < r.rig.count; j++) {
                    anim_xform x = random_hostile_joint();
                    anim_pose_set(r.rig.skeleton, r.rig.pose, j, &x);
                }
            memcpy(before, r.rig.pose, sizeof before);
            anim_bend memory = random_memory(), after;
            float left = solve(&r, one_in(4) ? NULL : &memory, &after);
            if (!isfinite(left) || left < 0 || !is_fair(&r, before) || !anim_bend_is_fine(&after))
                fail_msg("round %u, %d: %g left", i, n, (double)left);
        }
        free_rig(&r.rig);
    }
}

// The tip is as near to the target as the bones allow, measured where the solver does.
static void assert_reach(const arm* r)
{
    anim_ik_space space;
    assert_true(anim_ik_space_above(r->rig.skeleton, r->rig.skeleton->rest, r->d.root, &space));
    const double(*from_model)[4] = (const double(*)[4])space.from_model;
    anim_dvec p[3];
    const uint32_t joints[3] = {r->d.root, r->d.mid, r->d.tip};
    for (int i = 0; i < 3; i++)
        p[i] = anim_ik_point(from_model, place_in(&r->rig, r->rig.skeleton->rest, joints[i]));
    anim_dvec target = anim_ik_point(from_model, anim_dvec_from(r->d.target));
    anim_dvec tip = anim_ik_point(from_model, place(&r->rig, r->d.tip));
    double upper = distance(p[0], p[1]), lower = distance(p[1], p[2]), far = distance(p[0], target);
    double right = fmax(fmin(far, (upper + lower) * (double)r->d.stretch), fabs(upper - lower));
    assert_true(fabs(distance(p[0], tip) - right) < 5e-6 * (1 + right));
    assert_true(fabs(distance(tip, target) - fabs(far - right)) < 1e-5 * (1 + right));
}

// Products of scales that no double holds.
static void test_deep(void** state)
{
    (void)state;
    anim_xform joints[most_joints];
    for (uint32_t j = 0; j < most_joints; j++)
        joints[j] = at(0, 1, 0);
    arm r;
    make_arm(&r, joints, most_joints, 9, 10, 11);
    const float scales[] = {FLT_MAX, -1e30f, 1e-38f};
    for (int n = 0; n < 3; n++) {
        for (uint32_t j = 0; j < 9; j++)
            for (int k = 0; k < 3; k++)
                POSE_AT(r.rig.skeleton, r.rig.pose, s, k, j) = scales[n];
        set_point(r.d.target, 1, 2, 3);
        assert_true(isfinite(solve(&r, NULL, NULL)) && is_pose_fair(&r.rig));
    }
    free_rig(&r.rig);
}

// Sane chains: the residual is the distance that forward kinematics gives.
static void test_residual(void** state)
{
    (void)state;
    random_state = 2;
    double worst = 0;
    for (uint32_t i = 0; i < rounds(50000); i++) {
        arm r;
        random_arm(&r, false);
        for (int n = 0; n < 4; n++) {
            random_task(&r, false);
            anim_bend memory = random_memory();
            float left = solve_from_rest(&r, &memory, NULL);
            double right = distance(place(&r.rig, r.d.tip), anim_dvec_from(r.d.target));
            worst = fmax(worst, fabs((double)left - right) / (1 + right));
            assert_true(fabs((double)left - right) < 2e-6 * (1 + right));
            if (r.d.weight == 1 && r.d.soft == 1)
                assert_reach(&r);
        }
        free_rig(&r.rig);
    }
    print_message("residual: within %.2g\n", worst);
}

// A goal that root and mid can reach: mid turned by `bend` about the animated plane's normal, then the root turned
// anyhow. False where the bend goes through straight, or the chain is nearly straight, where another plane is
// taken.
static bool make_reachable(arm* r, double bend, const float root_turn[4])
{
    anim_ik_space space; // of mid's parent
    anim_ik_space_above(r->rig.skeleton, r->rig.pose, r->d.mid, &space);
    const double(*from_model)[4] = (const double(*)[4])space.from_model;
    anim_ik_local mid = anim_ik_local_of(r->rig.skeleton, r->rig.pose, r->d.mid);
    anim_dvec root = anim_ik_point(from_model, place(&r->rig, r->d.root));
    anim_dvec tip = anim_ik_point(from_model, place(&r->rig, r->d.tip));
    anim_dvec upper = anim_dvec_sub(mid.t, root), lower = anim_dvec_sub(tip, mid.t);
    anim_dvec normal = anim_dvec_cross(upper, lower);
    normal = anim_dvec_normalize(normal, normal);
    anim_dquat turn = {normal.x * sin(bend / 2), normal.y * sin(bend / 2), normal.z * sin(bend / 2),
                       cos(bend / 2)};
    anim_dvec bent = anim_dvec_cross(upper, anim_dquat_rotate(turn, lower));
    arm goal = *r;
    anim_ik_turn(goal.rig.skeleton, goal.rig.pose, r->d.mid, anim_dquat_mul(turn, mid.q), 1);
    anim_ik_turn(goal.rig.skeleton, goal.rig.pose, r->d.root, anim_dquat_from(root_turn), 1);
    anim_dvec target = place(&goal.rig, r->d.tip);
    set_point(r->d.target, target.x, target.y, target.z);
    double degrees = degrees_between(upper, lower);
    return anim_dvec_dot(bent, normal) > 0 && degrees > 10 && degrees < 170;
}

// Uneven scale on root and what is above mid: what can be reached is reached.
static void test_uneven_chain(void** state)
{
    (void)state;
    random_state = 3;
    uint32_t missed = 0, looked_at = 0;
    for (uint32_t i = 0; i < rounds(20000); i++) {
        arm r;
        random_arm(&r, false);
        // on all, or only on what is between
        for (uint32_t j = r.d.root + (one_in(3) && r.d.mid > r.d.root + 1); j < r.d.mid; j++)
            for (int k = 0; k < 3; k++)
                POSE_AT(r.rig.skeleton, r.rig.pose, s, k, j) = random_float(0.7f, 1.4f) *
                                                               (one_in(8) ? -1.0f : 1.0f);
        float q[4];
        random_rotation(q, 1);
        bool is_sure = make_reachable(&r, (double)random_float(-2, 2), q);
        float left = solve(&r, NULL, NULL);
        double right = distance(place(&r.rig, r.d.tip), anim_dvec_from(r.d.target));
        assert_true(fabs((double)left - right) < 1e-5);
        looked_at += is_sure;
        missed += is_sure && left > 1e-5f;
        free_rig(&r.rig);
    }
    print_message("uneven chains: %u of %u not reached\n", missed, looked_at);
    assert_true(missed == 0 && looked_at > rounds(20000) / 4);
}

// True where a step of the target may turn the joints by any angle: see the header.
static bool is_singular(const arm* r)
{
    anim_ik_space space;
    if (!anim_ik_space_above(r->rig.skeleton, r->rig.pose, r->d.root, &space))
        return true;
    const double(*from_model)[4] = (const double(*)[4])space.from_model;
    anim_dvec root = anim_ik_local_of(r->rig.skeleton, r->rig.skeleton->rest, r->d.root).t;
    anim_dvec to = anim_dvec_sub(anim_ik_point(from_model, anim_dvec_from(r->d.target)), root);
    if (anim_dvec_length(to) < 0.2)
        return true;
    anim_dvec line = anim_ik_point(from_model, anim_dvec_from(r->d.pole));
    if (!r->d.has_pole)
        line = anim_ik_point(from_model, place_in(&r->rig, r->rig.skeleton->rest, r->d.tip));
    double degrees = degrees_between(to, anim_dvec_sub(line, root));
    return degrees > 170 || (r->d.has_pole && degrees < 10);
}

// Between 0 and 1 the weight mixes by the shorter way, which changes sides at half a turn.
static bool is_half_turn(arm* r, const anim_bend* memory)
{
    float weight = r->d.weight;
    r->d.weight = 1;
    solve_from_rest(r, memory, NULL);
    r->d.weight = weight;
    for (uint32_t j = r->d.root; j <= r->d.tip; j++)
        if (angle_between(anim_ik_local_of(r->rig.skeleton, r->rig.skeleton->rest, j).q,
                          anim_ik_local_of(r->rig.skeleton, r->rig.pose, j).q) > 2.9)
            return true;
    return false;
}

// A target moved by 1 mm turns no joint far; by more than a few degrees only where the chain gets straight.
static void test_continuity(void** state)
{
    (void)state;
    random_state = 4;
    double worst = 0;
    uint32_t looked_at = 0;
    for (uint32_t i = 0; i < rounds(30000); i++) {
        arm r;
        random_arm(&r, false);
        for (int n = 0; n < 5; n++) {
            random_task(&r, false);
            r.d.stretch = r.d.stretch == 1e30f ? 1 : r.d.stretch;
            anim_bend memory = random_memory();
            if (is_singular(&r) || (r.d.weight < 1 && is_half_turn(&r, &memory)))
                continue;
            solve_from_rest(&r, &memory, NULL);
            anim_pose_group before[most_groups];
            memcpy(before, r.rig.pose, sizeof before);
            r.d.target[random_bits() % 3] += one_in(2) ? 1e-3f : -1e-3f;
            solve_from_rest(&r, &memory, NULL);
            for (uint32_t j = r.d.root; j <= r.d.tip; j++)
                worst = fmax(worst,
                             angle_between(anim_ik_local_of(r.rig.skeleton, before, j).q,
                                           anim_ik_local_of(r.rig.skeleton, r.rig.pose, j).q));
            looked_at++;
        }
        free_rig(&r.rig);
    }
    print_message("1 mm turns by %.3f rad at most (%u steps)\n", worst, looked_at);
    assert_true(looked_at > rounds(30000) && worst < 0.35);
}

// Weight 0 leaves every bit; the same input gives the same bits, also where both memories are one.
static void test_weight_and_repeats(void** state)
{
    (void)state;
    random_state = 5;
    for (uint32_t i = 0; i < rounds(20000); i++) {
        arm r;
        random_arm(&r, i % 2 == 0);
        random_task(&r, i % 2 == 0);
        anim_bend memory = random_memory(), after = {.spread = 0};
        float weight = r.d.weight;
        r.d.weight = 0;
        anim_pose_group before[most_groups];
        memcpy(before, r.rig.pose, sizeof before);
        assert_true(isfinite(solve(&r, &memory, &after)));
        assert_memory_equal(before, r.rig.pose, sizeof before);
        assert_memory_equal(&memory, &after, sizeof memory);
        r.d.weight = weight;
        float left = solve(&r, &memory, &after);
        memcpy(before, r.rig.pose, sizeof before);
        float again = solve_from_rest(&r, &memory, &memory);
        assert_memory_equal(before, r.rig.pose, sizeof before);
        assert_memory_equal(&memory, &after, sizeof memory);
        assert_memory_equal(&left, &again, sizeof left);
        free_rig(&r.rig);
    }
}

// The bits of 20,000 solutions: the same on every machine and with every compiler.
static void test_bits(void** state)
{
    (void)state;
    random_state = 6;
    uint64_t hash = ANIM_HASH_START;
    for (uint32_t i = 0; i < 20000; i++) {
        arm r;
        random_arm(&r, i % 4 == 0);
        random_task(&r, i % 4 == 0);
        anim_bend memory = random_memory();
        float left = solve(&r, &memory, &memory);
        hash = hash_pose(hash, r.rig.skeleton, r.rig.pose);
        hash = anim_hash(hash, &memory, sizeof memory);
        hash = anim_hash(hash, &left, sizeof left);
        free_rig(&r.rig);
    }
    print_message("bits %016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x4a8aeb81b418efb2u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anything),   cmocka_unit_test(test_deep),
        cmocka_unit_test(test_residual),   cmocka_unit_test(test_uneven_chain),
        cmocka_unit_test(test_continuity), cmocka_unit_test(test_weight_and_repeats),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
