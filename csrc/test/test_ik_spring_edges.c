// SPDX-License-Identifier: MIT
// The spring chain where there is nothing to do, no time or too much, no length, odd scales, branches.
#include "test/ik_spring_scene.h"

static void test_nothing_moves_what_rests(void** state)
{
    (void)state;
    scene s = bare_chain(5, 0.1, 0.03, -0.02);
    s.spring = ANIM_SPRING_DEFAULTS;
    s.spring.root = 1;
    POSE_AT(s.skeleton, s.animated, q, 0, 2) = 0.6f;
    POSE_AT(s.skeleton, s.animated, q, 3, 2) = 0.8f;
    for (int i = 0; i < 200; i++) {
        scene_update(&s, i % 7 * 0.01);
        assert_memory_equal(s.pose, s.animated, pose_size(&s));
    }
    scene_free(&s);
}

static void test_no_time(void** state)
{
    (void)state;
    scene s = bare_chain(4, 0.1, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    scene_run(&s, 0.5, 77);
    anim_pose_group* shown = malloc(pose_size(&s));
    void* kept = malloc(s.size);
    memcpy(shown, s.pose, pose_size(&s));
    memcpy(kept, s.memory, s.size);
    for (int i = 0; i < 3; i++) {
        scene_update(&s, 0);
        assert_memory_equal(s.pose, shown, pose_size(&s));
        assert_memory_equal(s.memory, kept, s.size);
    }
    free(shown);
    free(kept);
    scene_free(&s);
}

static void test_same_bits_twice_and_in_place(void** state)
{
    (void)state;
    scene s = bare_chain(6, 0.1, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    scene_run(&s, 0.4, 60);
    void *a = malloc(s.size), *b = malloc(s.size);
    anim_pose_group* first = malloc(pose_size(&s));
    const double times[] = {1.0 / 60, 0.001, 0.5, 7};
    for (int i = 0; i < 4; i++) {
        s.place.position[0] = i;
        memcpy(s.pose, s.animated, pose_size(&s));
        anim_ik_spring(s.skeleton, s.pose, &s.spring, &s.place, s.memory, a, times[i], s.scratch);
        memcpy(first, s.pose, pose_size(&s));
        memset(s.scratch, 0x5a, anim_ik_spring_scratch_size(s.skeleton, &s.spring));
        memcpy(s.pose, s.animated, pose_size(&s));
        anim_ik_spring(s.skeleton, s.pose, &s.spring, &s.place, s.memory, b, times[i], s.scratch);
        assert_memory_equal(a, b, s.size);
        assert_memory_equal(first, s.pose, pose_size(&s));
        scene_update(&s, times[i]);
        assert_memory_equal(s.memory, b, s.size);
    }
    free(a);
    free(b);
    free(first);
    scene_free(&s);
}

static void test_weight(void** state)
{
    (void)state;
    const float weights[] = {0, 0.3f, 1};
    anim_pose_group* poses[3];
    void* memories[3];
    scene s[3];
    for (int i = 0; i < 3; i++) {
        s[i] = bare_chain(4, 0.1, 0, 0);
        set_gravity(&s[i], 0, -9.81, 0);
        s[i].spring.weight = weights[i];
        scene_run(&s[i], 0.3, 60);
        poses[i] = s[i].pose;
        memories[i] = s[i].memory;
    }
    assert_memory_equal(poses[0], s[0].animated, pose_size(&s[0]));
    assert_memory_equal(memories[0], memories[2], s[0].size); // it goes on, whatever is seen of it
    assert_memory_equal(memories[1], memories[2], s[0].size);
    for (uint32_t j = 1; j <= 4; j++) {
        anim_dquat q = anim_dquat_nlerp(anim_ik_local_of(s[0].skeleton, poses[0], j).q,
                                        anim_ik_local_of(s[0].skeleton, poses[2], j).q,
                                        (double)weights[1]);
        assert_true(fabs(anim_dquat_dot(q, anim_ik_local_of(s[0].skeleton, poses[1], j).q)) >
                    1 - 1e-7);
    }
    for (int i = 0; i < 3; i++)
        scene_free(&s[i]);
}

// Only rotations of the chain change: lengths, translations, scales and all other joints keep their bits.
static void test_what_stays(void** state)
{
    (void)state;
    scene s = bare_chain(6, 0.1, 0.02, 0);
    s.spring.root = 3;
    POSE_AT(s.skeleton, s.animated, s, 1, 4) = 1.5f;
    set_gravity(&s, 0, 0, -9.81);
    scene_run(&s, 1, 60);
    anim_pose_group *a = s.animated, *p = s.pose;
    assert_memory_equal(a[0].t, p[0].t, sizeof a[0].t);
    assert_memory_equal(a[0].s, p[0].s, sizeof a[0].s);
    for (uint32_t j = 0; j < 8; j++) {
        double turned = 0, length = 0;
        for (int k = 0; k < 4; k++) {
            turned += fabs(
                (double)(POSE_AT(s.skeleton, a, q, k, j) - POSE_AT(s.skeleton, p, q, k, j)));
            length += (double)(POSE_AT(s.skeleton, p, q, k, j) * POSE_AT(s.skeleton, p, q, k, j));
        }
        assert_true(fabs(length - 1) < 1e-6);
        assert_true((turned > 0) == (j >= 3 && j <= 6));
    }
    // twist: the turn is square to the bone
    anim_dquat turn = anim_dquat_mul(anim_ik_local_of(s.skeleton, p, 3).q,
                                     anim_dquat_conjugate(anim_ik_local_of(s.skeleton, a, 3).q));
    assert_true(fabs(turn.x * 0.1 + turn.y * 0.02) < 1e-6);
    scene_free(&s);
}

static void test_teleport(void** state)
{
    (void)state;
    scene stays = bare_chain(5, 0, -0.1, 0), goes = bare_chain(5, 0, -0.1, 0);
    scene* both[] = {&stays, &goes};
    double worst = 0;
    for (int f = 1; f <= 300; f++) {
        for (int i = 0; i < 2; i++) {
            scene* s = both[i];
            set_gravity(s, 0, -9.81, 0);
            s->spring.damping = 0.3f;
            s->place.position[0] = f * 0.02 + 0.05 * sin(0.2 * f);
            s->place.position[1] = i == 1 && f > 100 ? 1000 : 0;
            scene_update(s, 1.0 / 60);
        }
        for (uint32_t j = 1; j <= 5; j++)
            worst = fmax(worst, distance(tip_of(&stays, j), tip_of(&goes, j)));
    }
    print_message("a gate shifts the chain by %.2f mm\n", worst * 1000);
    assert_true(worst < 0.01);  // its way there was taken to be straight
    goes.place.position[1] = 0; // within the given distance it is a motion
    goes.spring.teleport = 2000;
    scene_update(&goes, 1.0 / 60);
    assert_true(lean_of(&goes, 5) > 1);
    scene_free(&stays);
    scene_free(&goes);
}

static void test_reset(void** state)
{
    (void)state;
    scene s = bare_chain(5, 0.1, 0, 0), other = bare_chain(5, 0.1, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    set_gravity(&other, 0, -9.81, 0);
    scene_run(&s, 1, 60);
    s.place.reset = true;
    scene_update(&s, 0);
    assert_memory_equal(s.pose, s.animated, pose_size(&s));
    scene_update(&s, 1.0 / 60);
    scene_update(&other, 1.0 / 60);
    assert_memory_equal(s.pose, other.pose, pose_size(&s));
    assert_memory_equal(s.memory, other.memory, s.size);
    scene_free(&s);
    scene_free(&other);
}

static void test_long_times(void** state)
{
    (void)state;
    const double times[] = {0.2, 0.3, 1, 10, 1e6, 1e300};
    for (int i = 0; i < 6; i++) {
        scene s = bare_chain(6, 0.08, -0.06, 0);
        s.spring.damping = 0.3f;
        set_gravity(&s, 0, -9.81, 0);
        scene_update(&s, times[i]);
        anim_dvec tip = anim_dvec_sub(tip_of(&s, 6), point_of(&s, s.pose, 1, NULL));
        print_message("after %g s at once: %.3f m beside, %.3f m down\n", times[i], tip.x, -tip.y);
        if (times[i] >= 1)
            assert_true(fabs(tip.x) < 0.15 && tip.y < -0.58); // hangs, or nearly
        scene_update(&s, 1.0 / 60);
        anim_dvec later = anim_dvec_sub(tip_of(&s, 6), point_of(&s, s.pose, 1, NULL));
        assert_true(distance(tip, later) < 0.15);
        scene_free(&s);
    }
}

// A time that is too long to be simulated leaves no old speed.
static void test_long_time_brings_rest(void** state)
{
    (void)state;
    scene s = bare_chain(3, 0.1, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    scene_run(&s, 0.2, 60);
    set_gravity(&s, 0, 0, 0);
    scene_update(&s, 0.01); // it would turn for ever
    s.place.position[0] = 0.5;
    scene_update(&s, 10);
    anim_dvec tip = tip_of(&s, 3);
    scene_update(&s, 0.1);
    assert_true(distance(tip, tip_of(&s, 3)) < 0.02); // but for the frame's 0.05 m/s
    scene_free(&s);
}

// Gravity and wind are the world's, whichever way the character stands.
static void test_world_space(void** state)
{
    (void)state;
    scene turned = bare_chain(4, 0.1, 0.02, 0), plain = bare_chain(4, 0.1, 0.02, 0);
    const float q[4] = {0.48f, 0.6f, 0, 0.64f};
    memcpy(turned.place.rotation, q, sizeof q);
    turned.place.position[2] = 1000;
    anim_dvec down = anim_dquat_rotate(anim_dquat_conjugate(anim_dquat_from(q)),
                                       (anim_dvec){0, -9.81, 0});
    anim_dvec wind = anim_dquat_rotate(anim_dquat_conjugate(anim_dquat_from(q)),
                                       (anim_dvec){3, 0, 0});
    set_gravity(&turned, 0, -9.81, 0);
    set_gravity(&plain, down.x, down.y, down.z);
    turned.spring.wind[0] = 3;
    plain.spring.wind[0] = (float)wind.x;
    plain.spring.wind[1] = (float)wind.y;
    plain.spring.wind[2] = (float)wind.z;
    turned.spring.drag = plain.spring.drag = 1;
    for (int f = 0; f < 60; f++) {
        scene_update(&turned, 1.0 / 60);
        scene_update(&plain, 1.0 / 60);
        for (uint32_t j = 1; j <= 4; j++)
            assert_true(distance(tip_of(&turned, j), tip_of(&plain, j)) < 1e-4);
    }
    assert_true(lean_of(&plain, 4) > 0.2);
    scene_free(&turned);
    scene_free(&plain);
}

// Damping works against what is not the character's motion: neither turning, walking nor waving is held up.
static void test_damping_lets_the_character_move(void** state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        scene s = bare_chain(4, 0.1, 0, 0);
        s.spring.stiffness = 4;
        s.spring.damping = 4;
        double lean = 0;
        for (int f = 0; f < 300; f++) {
            double half = 0.5 * f / 60; // 1 rad/s
            s.place.position[1] = how == 0 ? 2.0 * f / 60 : 0;
            float* q = how == 1 ? &s.place.rotation[2] : NULL;
            if (q) {
                q[0] = (float)sin(half);
                q[1] = (float)cos(half);
            }
            if (how == 2) {
                POSE_AT(s.skeleton, s.animated, q, 2, 1) = (float)sin(half);
                POSE_AT(s.skeleton, s.animated, q, 3, 1) = (float)cos(half);
            }
            scene_update(&s, 1.0 / 60);
            lean = f > 200 ? fmax(lean, lean_of(&s, 4)) : 0;
        }
        assert_true(lean < 0.01);
        scene_free(&s);
    }
}

// A memory from before a collider was added.
static void test_more_colliders(void** state)
{
    (void)state;
    const anim_collider far = {ANIM_COLLIDER_SPHERE, -1, {9, 9, 9}, {0}, 1};
    scene s = bare_chain(5, 0.1, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    scene_run(&s, 0.3, 60);
    scene more = bare_chain(5, 0.1, 0, 0);
    set_gravity(&more, 0, -9.81, 0);
    more.spring.colliders = &far;
    more.spring.collider_count = 1;
    scene_start(&more);
    assert_true(more.size > s.size);
    memcpy(more.memory, s.memory, s.size);
    scene_run(&s, 0.3, 60);
    scene_run(&more, 0.3, 60);
    assert_memory_equal(s.memory, more.memory, s.size);
    assert_memory_equal(s.pose, more.pose, pose_size(&s));
    scene_free(&s);
    scene_free(&more);
}

// ---- scale (kinds Z and I of the list of faults)

static scene scaled_chain(float x, float y, float z)
{
    const float tip[3] = {0.1f, 0, 0};
    scene s = bare_chain(4, 0.1, 0.02, 0.03);
    memcpy(s.spring.tip, tip, sizeof tip);
    POSE_AT(s.skeleton, s.animated, s, 0, 0) = x;
    POSE_AT(s.skeleton, s.animated, s, 1, 0) = y;
    POSE_AT(s.skeleton, s.animated, s, 2, 0) = z;
    s.spring.damping = 0.3f;
    set_gravity(&s, 0, -9.81, 0);
    return s;
}

static void test_mirrored(void** state) // 105
{
    (void)state;
    scene plain = scaled_chain(1, 1, 1), mirrored = scaled_chain(-1, 1, 1);
    scene* both[] = {&plain, &mirrored};
    for (int f = 1; f <= 120; f++) {
        for (int i = 0; i < 2; i++) {
            scene* s = both[i];
            double sign = i ? -1 : 1, angle = sign * 0.02 * f;
            s->spring.stiffness = 1;
            s->place.position[0] = sign * 0.1 * sin(0.2 * f);
            s->place.rotation[1] = (float)sin(angle);
            s->place.rotation[3] = (float)cos(angle);
            scene_update(s, 1.0 / 60);
        }
        for (uint32_t j = 1; j <= 4; j++) {
            anim_dvec a = tip_of(&plain, j), b = tip_of(&mirrored, j);
            b.x = -b.x;
            assert_true(distance(a, b) < 1e-6);
        }
    }
    scene_free(&plain);
    scene_free(&mirrored);
}

// In the end all hangs down, whatever the scales above make of directions.
static void test_uneven_scale(void** state)
{
    (void)state;
    const float scales[][3] = {{1, 3, 0.5f}, {-2, 1, 0.1f}, {-1, -1, -3}, {1e-3f, 1, 50}};
    for (int i = 0; i < 4; i++) {
        scene s = scaled_chain(scales[i][0], scales[i][1], scales[i][2]);
        POSE_AT(s.skeleton, s.animated, q, 2, 0) = 0.6f;
        POSE_AT(s.skeleton, s.animated, q, 3, 0) = 0.8f;
        POSE_AT(s.skeleton, s.animated, q, 1, 1) = -0.28f;
        POSE_AT(s.skeleton, s.animated, q, 3, 1) = 0.96f;
        s.spring.drag = 2;
        scene_run(&s, 60, 60);
        for (uint32_t j = 1; j <= 4; j++) {
            anim_dvec bone = anim_dvec_sub(tip_of(&s, j), point_of(&s, s.pose, j, NULL));
            bone = anim_dvec_normalize(bone, bone);
            assert_true(bone.y < -1 + 1e-5);
        }
        scene_free(&s);
    }
}

static void test_scale_zero(void** state) // 103
{
    (void)state;
    scene s = scaled_chain(1, 1, 1);
    set_gravity(&s, 0, 0, 0);
    scene_update(&s, 1.0 / 60);
    anim_pose_group first = s.pose[0];
    for (int k = 0; k < 3; k++)
        POSE_AT(s.skeleton, s.animated, s, k, 0) = 0;
    scene_update(&s, 1.0 / 60);
    assert_memory_equal(s.pose, s.animated, pose_size(&s));
    for (int k = 0; k < 3; k++)
        POSE_AT(s.skeleton, s.animated, s, k, 0) = 1;
    scene_update(&s, 1.0 / 60);
    assert_memory_equal(s.pose, &first, sizeof first);
    scene_free(&s);
}

static void test_no_length(void** state) // 97: two joints in one place are one
{
    (void)state;
    anim_joint_desc joints[6] = {{0}};
    const char* names[] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i < 6; i++) {
        joints[i] = (anim_joint_desc){names[i], i - 1, ANIM_XFORM_IDENTITY};
        joints[i].rest.t[0] = i == 0 ? 0 : i == 3 ? 1e-9f : 0.1f;
    }
    scene twin = scene_of(joints, 6);
    scene plain = bare_chain(4, 0.1, 0, 0);
    scene* both[] = {&twin, &plain};
    for (int i = 0; i < 2; i++) {
        both[i]->spring = ANIM_SPRING_DEFAULTS;
        both[i]->spring.root = 1;
        both[i]->spring.tip[0] = 0.1f;
        set_gravity(both[i], 0, -9.81, 0);
        scene_start(both[i]);
        scene_run(both[i], 0.7, 60);
    }
    for (uint32_t j = 1; j <= 4; j++)
        assert_true(distance(tip_of(&plain, j), tip_of(&twin, j < 2 ? j : j + 1)) < 1e-6);
    for (int k = 0; k < 4; k++)
        assert_true(POSE_AT(twin.skeleton, twin.pose, q, k, 2) ==
                    POSE_AT(twin.skeleton, twin.animated, q, k, 2)); // its bone has no direction
    scene_free(&twin);
    scene_free(&plain);
    scene none = bare_chain(3, 0, 0, 0); // all of it: nothing happens
    set_gravity(&none, 0, -9.81, 0);
    scene_run(&none, 0.5, 60);
    assert_memory_equal(none.pose, none.animated, pose_size(&none));
    scene_free(&none);
}

// ---- trees

static void test_tree(void** state)
{
    (void)state;
    scene s = tree_of();
    set_gravity(&s, 0, -9.81, 0);
    double away = 0;
    for (int f = 0; f < 600; f++) {
        s.place.position[2] = f < 200 ? 0.02 * sin(0.2 * f) : 0;
        scene_update(&s, 1.0 / 60);
        const float tips[2][3] = {{-0.1f, 0, 0}, {0.1f, 0, 0}};
        anim_dvec left = point_of(&s, s.pose, 4, tips[0]), right = point_of(&s, s.pose, 6, tips[1]);
        right.x = -right.x;
        assert_true(distance(left, right) < 1e-5);
        away = fmax(away, fabs(left.z));
        // children of one joint turn with it and keep their places to each other
        double apart = distance(point_of(&s, s.pose, 3, NULL), point_of(&s, s.pose, 5, NULL));
        assert_true(fabs(apart - 0.2) < 1e-6);
    }
    assert_true(away > 0.01);
    const float up[3] = {0, 0.1f, 0};
    anim_dvec end = point_of(&s, s.pose, 4, (const float[3]){-0.1f, 0, 0});
    anim_dvec still = point_of(&s, s.pose, 7, up);
    assert_true(end.y < 0.27 && end.y > 0.1); // strands sag, the stem stands
    assert_true(still.y > 0.39);
    scene_free(&s);
}

// A stem that is pushed aside takes its strands along as they are.
static void test_strands_go_with_the_stem(void** state)
{
    (void)state;
    const anim_collider ball = {ANIM_COLLIDER_SPHERE, -1, {-0.08f, 0.3f, 0}, {0}, 0.15f};
    scene s = tree_of();
    s.spring.damping = 1;
    s.spring.colliders = &ball;
    s.spring.collider_count = 1;
    scene_start(&s);
    s.spring.teleport = 1e6f;
    scene_run(&s, 10, 60);
    assert_true(lean_of(&s, 1) > 0.2);
    for (uint32_t j = 5; j < 8; j++) // on the far side of the ball
        assert_true(fabs((double)POSE_AT(s.skeleton, s.pose, q, 3, j)) > 1 - 1e-5);
    scene_free(&s);
}

// Strands are carried by the stem and don't pull back, so they may gain what it does not lose; but not more
// and more.
static void test_tree_undamped(void** state)
{
    (void)state;
    scene s = tree_of();
    s.spring.stiffness = s.spring.damping = s.spring.drag = 0;
    set_gravity(&s, 9.81, 0, 0);
    double first = 0, most = 0;
    anim_dvec before = {0, 0, 0};
    const int frames = is_slow() ? 36000 : 3600;
    for (int f = 0; f < frames; f++) {
        scene_update(&s, 1.0 / 60);
        anim_dvec tip = point_of(&s, s.pose, 4, (const float[3]){-0.1f, 0, 0});
        most = f > 0 ? fmax(most, distance(tip, before) * 60) : 0;
        before = tip;
        if (f == frames / 10) {
            first = most;
            most = 0;
        }
    }
    print_message("a strand's tip: %.1f m/s at most at first, then %.1f\n", first, most);
    assert_true(most < first * 1.05);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_moves_what_rests),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_same_bits_twice_and_in_place),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_what_stays),
        cmocka_unit_test(test_teleport),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_long_times),
        cmocka_unit_test(test_long_time_brings_rest),
        cmocka_unit_test(test_world_space),
        cmocka_unit_test(test_damping_lets_the_character_move),
        cmocka_unit_test(test_more_colliders),
        cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_uneven_scale),
        cmocka_unit_test(test_scale_zero),
        cmocka_unit_test(test_no_length),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_strands_go_with_the_stem),
        cmocka_unit_test(test_tree_undamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
