// SPDX-License-Identifier: MIT
// What holds for the aim solver with any input, and the same bits from every compiler.
#include "pose/ik_aim.h"
#include "test/ik_rig.h"

typedef struct gaze {
    rig rig;
    anim_aim_joint joints[4];
    anim_aim d;
} gaze;

static float solve(gaze* g, const anim_aim_memory* before, anim_aim_memory* after, double dt)
{
    return anim_ik_aim(g->rig.skeleton, g->rig.pose, &g->d, before, after, dt);
}

static void random_gaze(gaze* g, bool is_hostile, bool is_scaled)
{
    anim_xform joints[most_joints];
    uint32_t above = random_bits() % 4, count = 1 + (one_in(2) ? random_bits() % 4 : 0),
             next = above;
    *g = (gaze){.d = {.joint_count = count}};
    for (uint32_t i = 0; i < count; i++) {
        next += i > 0 && one_in(3);
        g->joints[i].joint = next++;
    }
    for (uint32_t j = 0; j < next; j++)
        joints[j] = is_hostile ? random_hostile_joint() : random_sane_joint(is_scaled || j < above);
    make_rig(&g->rig, joints, next);
}

static void random_task(gaze* g, bool is_hostile)
{
    anim_aim* d = &g->d;
    d->joints = g->joints;
    for (uint32_t i = 0; i < d->joint_count; i++)
        g->joints[i].share = is_hostile && one_in(8) ? fabsf(hostile(1)) : random_float(0, 1);
    for (int k = 0; k < 3; k++) {
        d->axis[k] = is_hostile ? hostile(1) : random_float(-1, 1);
        d->up[k] = is_hostile ? hostile(1) : random_float(-1, 1);
        d->offset[k] = is_hostile ? hostile(1) : random_float(-0.2f, 0.2f);
        d->target[k] = is_hostile ? hostile(3) : random_float(-4, 4);
        d->pole[k] = is_hostile ? hostile(3) : random_float(-4, 4);
    }
    if (!is_hostile &&
        d->axis[0] * d->axis[0] + d->axis[1] * d->axis[1] + d->axis[2] * d->axis[2] < 0.1f)
        d->axis[2] = 1;
    if (one_in(3))
        memset(d->offset, 0, sizeof d->offset);
    d->has_up = one_in(2);
    d->has_pole = one_in(2);
    d->weight = one_in(2) ? 1 : one_in(8) ? 0 : random_float(0, 1);
    d->limit = one_in(2) ? -1 : one_in(8) ? 0 : random_float(0, 3.5f);
    d->rate = one_in(2) ? -1 : one_in(8) ? 0 : random_float(0, 20);
}

static anim_aim_memory random_memory(void)
{
    float q[4], axis[4] = {0}, up[4];
    const float raw[4] = {random_float(-1, 1), random_float(-1, 1), random_float(-1, 1), 0};
    random_rotation(q, 1);
    anim_quat_normalize(raw, up);
    for (int k = 0; k < 3; k++)
        axis[k] = random_float(-0.5f, 0.5f);
    anim_aim_memory m = {.up_spread = 0};
    if (one_in(3))
        return m;
    anim_dquat turn = anim_dquat_normalize(anim_dquat_from(q));
    m = (anim_aim_memory){.turn = {turn.x, turn.y, turn.z, turn.w},
                          .axis_spread = random_float(0, 1),
                          .up_spread = random_float(0, 1)};
    memcpy(m.axis, axis, sizeof m.axis);
    memcpy(m.up, up, sizeof m.up);
    return m;
}

// Every number finite, rotations unit, and only rotations of the joints named changed.
static bool is_fair(const gaze* g, const anim_pose_group* before)
{
    if (!is_pose_fair(&g->rig))
        return false;
    anim_pose_group all[most_groups];
    memcpy(all, before, sizeof all);
    for (uint32_t i = 0; i < g->d.joint_count; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t j = g->rig.skeleton->slots[g->joints[i].joint];
            all[j / ANIM_LANES].q[k][j % ANIM_LANES] =
                g->rig.pose[j / ANIM_LANES].q[k][j % ANIM_LANES];
        }
    return memcmp(all, g->rig.pose, sizeof all) == 0;
}

static void test_anything(void** state)
{
    (void)state;
    random_state = 1;
    for (uint32_t i = 0; i < rounds(20000); i++) {
        gaze g;
        random_gaze(&g, true, true);
        for (int n = 0; n < 60; n++) {
            random_task(&g, true);
            anim_pose_group before[most_groups];
            to_rest(&g.rig);
            if (one_in(2))
                for (uint32_t j = 0; j < g.rig.count; j++) {
                    anim_xform x = random_hostile_joint();
                    anim_pose_set(g.rig.skeleton, g.rig.pose, j, &x);
                }
            if (one_in(4))
                for (int k = 0; k < 3; k++)
                    g.d.pole[k] = g.d.target[k] * (one_in(2) ? 2.0f : -1.0f);
            memcpy(before, g.rig.pose, sizeof before);
            anim_aim_memory memory = random_memory(), after;
            double dt = one_in(8) ? 1e30 : one_in(8) ? 0 : 0.02;
            float left = solve(&g, one_in(4) ? NULL : &memory, &after, dt);
            if (!isfinite(left) || left < 0 || !is_fair(&g, before) ||
                !anim_aim_memory_is_fine(&after))
                fail_msg("round %u, %d: %g left", i, n, (double)left);
        }
        free_rig(&g.rig);
    }
}

// --- sane ---------------------------------------------------------------------------------------------

// The ray in model space.
static void ray_of(const gaze* g, const anim_pose_group* pose, anim_dvec* start, anim_dvec* axis)
{
    anim_dvec tip = anim_dvec_add(anim_dvec_from(g->d.offset), anim_dvec_from(g->d.axis));
    *start = anim_dvec_from(g->d.offset);
    for (int32_t j = (int32_t)g->joints[g->d.joint_count - 1].joint; j >= 0;
         j = g->rig.skeleton->parents[j]) {
        anim_ik_local local = anim_ik_local_of(g->rig.skeleton, pose, (uint32_t)j);
        *start = anim_ik_local_point(&local, *start);
        tip = anim_ik_local_point(&local, tip);
    }
    *axis = anim_dvec_sub(tip, *start);
    *axis = anim_dvec_normalize(*axis, *axis);
}

// No joint makes more than its part of half a turn.
static void assert_parts(const gaze* g)
{
    double shares = 0;
    for (uint32_t i = g->d.joint_count; i > 0; i--) {
        double share = (double)g->joints[i - 1].share;
        shares += share;
        double part = i == g->d.joint_count ? 1 : share / shares;
        double turn = turned_by(&g->rig, g->rig.skeleton->rest, g->joints[i - 1].joint);
        assert_true(turn < part * 3.14159265358979 + 1e-5);
    }
}

// The residual is what forward kinematics gives; without limits it is 0 for what is far enough, uneven scale or
// not.
static void test_residual(void** state)
{
    (void)state;
    random_state = 2;
    uint32_t far = 0;
    double worst = 0;
    for (uint32_t i = 0; i < rounds(60000); i++) {
        gaze g;
        random_gaze(&g, false, one_in(2));
        for (int n = 0; n < 4; n++) {
            random_task(&g, false);
            anim_aim_memory memory = random_memory();
            to_rest(&g.rig);
            float left = solve(&g, &memory, NULL, 0.02);
            anim_dvec start, axis;
            ray_of(&g, g.rig.pose, &start, &axis);
            anim_dvec way = anim_dvec_sub(anim_dvec_from(g.d.target), start);
            double right = anim_dvec_dot(way, axis) < 0
                               ? anim_dvec_length(way)
                               : anim_dvec_length(anim_dvec_cross(way, axis));
            assert_true(fabs((double)left - right) < 1e-5);
            assert_parts(&g);
            if (g.d.weight == 1 && g.d.limit < 0 && g.d.rate < 0 && anim_dvec_length(way) > 1) {
                worst = fmax(worst, (double)left);
                far++;
            }
        }
        free_rig(&g.rig);
    }
    print_message("%u aimed, at most %.2g off\n", far, worst);
    assert_true(far > rounds(60000) / 4 && worst < 1e-5);
}

// Chains without uneven scale between the joints: the limit and the rate hold over a walk of the target.
static void test_limit_and_rate(void** state)
{
    (void)state;
    random_state = 3;
    double most_turn = 0, most_step = 0;
    for (uint32_t i = 0; i < rounds(6000); i++) {
        gaze g;
        random_gaze(&g, false, false);
        random_task(&g, false);
        g.d.weight = 1;
        g.d.limit = random_float(0.01f, 3.1f);
        g.d.rate = one_in(2) ? -1 : random_float(0.1f, 10);
        if (g.d.rate >= 0) // where the roll has nothing to add
            g.d.has_up = false;
        anim_aim_memory memory = {.up_spread = 0};
        anim_ik_space space;
        anim_ik_space_above(g.rig.skeleton, g.rig.pose, g.joints[0].joint, &space);
        const double(*from_model)[4] = (const double(*)[4])space.from_model;
        anim_dvec start, axis, animated;
        ray_of(&g, g.rig.pose, &start, &animated);
        animated = anim_ik_direction(from_model, animated);
        anim_dvec before = animated;
        for (int n = 0; n < 60; n++) {
            for (int k = 0; k < 3; k++)
                g.d.target[k] += random_float(-0.4f, 0.4f);
            to_rest(&g.rig);
            solve(&g, &memory, &memory, 0.02);
            ray_of(&g, g.rig.pose, &start, &axis);
            axis = anim_ik_direction(from_model, axis);
            double off = degrees_between(axis, animated) / 57.29577951308232 - (double)g.d.limit;
            double step = degrees_between(axis, before) / 57.29577951308232 -
                          (double)g.d.rate * 0.02;
            most_turn = fmax(most_turn, off);
            if (g.d.rate >= 0)
                most_step = fmax(most_step, step);
            before = axis;
        }
        free_rig(&g.rig);
    }
    print_message("over the limit by %.2g, over the rate by %.2g rad at most\n", most_turn,
                  most_step);
    assert_true(most_turn < 1e-5 && most_step < 1e-5);
}

// With uneven scale between the joints a limit is not exact, but no turn goes past the target.
static void test_limit_uneven(void** state)
{
    (void)state;
    random_state = 7;
    double worst = 0;
    for (uint32_t i = 0; i < rounds(60000); i++) {
        gaze g;
        random_gaze(&g, false, true);
        random_task(&g, false);
        g.d.weight = 1;
        g.d.limit = random_float(0.01f, 2);
        g.d.rate = -1;
        g.d.has_up = false;
        memset(g.d.offset, 0, sizeof g.d.offset);
        anim_dvec start, axis, target = anim_dvec_from(g.d.target);
        ray_of(&g, g.rig.pose, &start, &axis);
        double before = degrees_between(axis, anim_dvec_sub(target, start));
        bool is_near = distance(target, start) < 3;
        solve(&g, NULL, NULL, 0);
        ray_of(&g, g.rig.pose, &start, &axis);
        double after = degrees_between(axis, anim_dvec_sub(target, start));
        if (!is_near && distance(target, start) > 3)
            worst = fmax(worst, after - before);
        free_rig(&g.rig);
    }
    print_message("farther off by %.1f degrees at most\n", worst);
    assert_true(worst < 15);
}

// Of about half a turn the short way changes sides: seen where it is shared, or made at a rate.
static bool is_half_turn(const gaze* g)
{
    gaze free = *g;
    anim_aim_memory memory = {.up_spread = 0};
    free.d.joints = free.joints;
    free.d.rate = -1;
    to_rest(&free.rig);
    solve(&free, &memory, &memory, 0);
    return (g->d.joint_count > 1 || g->d.rate >= 0) && fabs(memory.turn[3]) < 0.4;
}

// True where a step of the target may turn the joints by any angle: see the header.
static bool is_singular(const gaze* g)
{
    if (is_half_turn(g))
        return true;
    const anim_pose_group* rest = g->rig.skeleton->rest;
    anim_dvec start, axis, target = anim_dvec_from(g->d.target);
    ray_of(g, rest, &start, &axis);
    for (uint32_t i = 0; i < g->d.joint_count; i++) {
        for (int after = 0; after < 2; after++) {
            const anim_pose_group* pose = after ? g->rig.pose : rest;
            anim_dvec pivot = place_in(&g->rig, pose, g->joints[i].joint);
            ray_of(g, pose, &start, &axis);
            double passes = distance(start, pivot), far = distance(target, pivot);
            if (far < 1 || far < 1.5 * passes)
                return true;
            anim_dvec to = anim_dvec_sub(target, pivot), pole = {0, 1, 0};
            if (g->d.has_pole)
                pole = anim_dvec_sub(anim_dvec_from(g->d.pole), pivot);
            double in_line = degrees_between(to, pole);
            if (g->d.has_up && (in_line < 15 || in_line > 165))
                return true;
            if (!after && degrees_between(to, axis) > 140)
                return true;
        }
    }
    return false;
}

// A target moved by 1 mm turns no joint far.
static void test_continuity(void** state)
{
    (void)state;
    random_state = 4;
    double worst = 0;
    uint32_t looked_at = 0;
    for (uint32_t i = 0; i < rounds(40000); i++) {
        gaze g;
        random_gaze(&g, false, false);
        for (int n = 0; n < 4; n++) {
            random_task(&g, false);
            if (g.d.weight < 1) // near half a turn "the shorter way" changes sides
                g.d.weight = 1;
            anim_aim_memory memory = {.up_spread = 0};
            to_rest(&g.rig);
            solve(&g, &memory, &memory, 0.02);
            if (is_singular(&g))
                continue;
            anim_pose_group before[most_groups];
            memcpy(before, g.rig.pose, sizeof before);
            g.d.target[random_bits() % 3] += one_in(2) ? 1e-3f : -1e-3f;
            memory = (anim_aim_memory){.up_spread = 0};
            to_rest(&g.rig);
            solve(&g, &memory, NULL, 0.02);
            for (uint32_t j = 0; j < g.rig.count; j++)
                worst = fmax(worst, turned_by(&g.rig, before, j));
            looked_at++;
        }
        free_rig(&g.rig);
    }
    print_message("1 mm turns by %.4f rad at most (%u steps)\n", worst, looked_at);
    assert_true(looked_at > rounds(40000) / 2 && worst < 0.02);
}

// Weight 0 leaves every bit; the same input gives the same bits, also where both memories are one.
static void test_weight_and_repeats(void** state)
{
    (void)state;
    random_state = 5;
    for (uint32_t i = 0; i < rounds(20000); i++) {
        gaze g;
        random_gaze(&g, i % 2 == 0, true);
        random_task(&g, i % 2 == 0);
        anim_aim_memory memory = random_memory(), after = {.up_spread = 0};
        float weight = g.d.weight;
        g.d.weight = 0;
        anim_pose_group before[most_groups];
        memcpy(before, g.rig.pose, sizeof before);
        assert_true(isfinite(solve(&g, &memory, &after, 0.1)));
        assert_memory_equal(before, g.rig.pose, sizeof before);
        assert_memory_equal(&memory, &after, sizeof memory);
        g.d.weight = weight;
        float left = solve(&g, &memory, &after, 0.1);
        memcpy(before, g.rig.pose, sizeof before);
        to_rest(&g.rig);
        float again = solve(&g, &memory, &memory, 0.1);
        assert_memory_equal(before, g.rig.pose, sizeof before);
        assert_memory_equal(&memory, &after, sizeof memory);
        assert_memory_equal(&left, &again, sizeof left);
        free_rig(&g.rig);
    }
}

// The bits of 20,000 solutions: the same on every machine and with every compiler.
static void test_bits(void** state)
{
    (void)state;
    random_state = 6;
    uint64_t hash = ANIM_HASH_START;
    for (uint32_t i = 0; i < 20000; i++) {
        gaze g;
        random_gaze(&g, i % 4 == 0, i % 4 == 1);
        random_task(&g, i % 4 == 0);
        anim_aim_memory memory = random_memory();
        float left = solve(&g, one_in(4) ? NULL : &memory, &memory, 0.02);
        hash = hash_pose(hash, g.rig.skeleton, g.rig.pose);
        hash = anim_hash(hash, &memory, sizeof memory);
        hash = anim_hash(hash, &left, sizeof left);
        free_rig(&g.rig);
    }
    print_message("bits %016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x5ef7ceab979bf3b8u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anything),       cmocka_unit_test(test_residual),
        cmocka_unit_test(test_limit_and_rate), cmocka_unit_test(test_limit_uneven),
        cmocka_unit_test(test_continuity),     cmocka_unit_test(test_weight_and_repeats),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
