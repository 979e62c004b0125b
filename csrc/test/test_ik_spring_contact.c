// SPDX-License-Identifier: MIT
// Colliders and limits of the spring chain.
#include "test/ik_spring_scene.h"

static double distance_to(const anim_collider* c, anim_dvec x)
{
    anim_dvec a = anim_dvec_from(c->a), b = c->kind ? anim_dvec_from(c->b) : a;
    anim_dvec axis = anim_dvec_sub(b, a), arm = anim_dvec_sub(x, a);
    double length2 = anim_dvec_dot(axis, axis);
    double t = length2 > 0 ? anim_dvec_dot(axis, arm) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return anim_dvec_length(anim_dvec_sub(arm, anim_dvec_scale(axis, t)));
}

static double deepest(const scene* s, uint32_t bones)
{
    double worst = -1e30;
    for (uint32_t b = 1; b <= bones; b++)
        for (uint32_t i = 0; i < s->spring.collider_count; i++) {
            const anim_collider* c = &s->spring.colliders[i];
            double space = (double)(c->radius + s->spring.radius);
            worst = fmax(worst, space - distance_to(c, tip_of(s, b)));
        }
    return worst;
}

static void check_rest(const char* what, const anim_collider* colliders, uint32_t count, double x,
                       double y, double stiffness, double limit)
{
    scene s = bare_chain(8, 0.1 * x, 0.1 * y, 0);
    s.spring.colliders = colliders;
    s.spring.collider_count = count;
    s.spring.radius = 0.01f;
    s.spring.stiffness = (float)stiffness;
    s.spring.limit = (float)limit;
    s.spring.damping = 0.3f;
    s.spring.drag = 1;
    set_gravity(&s, 0, -9.81, 0);
    scene_start(&s);
    scene_run(&s, 15, 60);
    double worst = -1e30;
    for (int i = 0; i < 300; i++) {
        scene_update(&s, 1.0 / 60);
        worst = fmax(worst, deepest(&s, 8));
    }
    print_message("%s: %.6f mm deep\n", what, worst * 1000);
    assert_true(worst < 1e-4);
    assert_true(worst > -2e-3); // and it does lie on it
    scene_free(&s);
}

static void test_colliders_at_rest(void** state)
{
    (void)state;
    const anim_collider ball = {ANIM_COLLIDER_SPHERE, -1, {0.45f, -0.3f, 0.01f}, {0}, 0.25f};
    check_rest("a ball under a tail", &ball, 1, 1, 0, 0.5, -1);
    check_rest("with a limit", &ball, 1, 1, 0, 0.5, 0.6);
    const anim_collider ground = {ANIM_COLLIDER_SPHERE, -1, {0, -50.4f, 0}, {0}, 50};
    check_rest("a ground under hair", &ground, 1, 0, -1, 0, -1);
    const anim_collider rest = {ANIM_COLLIDER_SPHERE, -1, {0.85f, -0.35f, 0}, {0}, 0.3f};
    check_rest("a ball under the end of what the limit holds straight", &rest, 1, 1, 0, 0, 0.3);
    const anim_collider rails[] = {
        {ANIM_COLLIDER_CAPSULE, -1, {0.4f, -0.2f, -1}, {0.4f, -0.2f, 1}, 0.1f},
        {ANIM_COLLIDER_CAPSULE, -1, {0.6f, -0.5f, -1}, {0.7f, -0.5f, 1}, 0.1f},
    };
    check_rest("capsules", rails, 2, 1, 0, 0, -1);
}

// What lies on a ball has no speed that would show when the ball is gone, and what falls on it stays there.
static void test_no_bounce_and_no_hidden_speed(void** state)
{
    (void)state;
    anim_collider ball = {ANIM_COLLIDER_SPHERE, -1, {0.28f, -0.21f, 0}, {0}, 0.1f};
    scene s = bare_chain(1, 0.2, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    s.spring.colliders = &ball;
    s.spring.collider_count = 1;
    scene_start(&s);
    double far = 1;
    for (int i = 0; i < 600; i++) {
        scene_update(&s, 1.0 / 240);
        far = distance_to(&ball, tip_of(&s, 1)) - 0.1;
        if (i > 60)
            assert_true(far < 1e-4);
    }
    ball.radius = 0;
    double height = tip_of(&s, 1).y;
    scene_update(&s, 1.0 / 60);
    double fallen = height - tip_of(&s, 1).y;
    assert_true(fallen > 0 && fallen < 9.81 / 3600);
    scene_free(&s);
}

// Hair that falls to the ground stays there.
static void test_falls_without_bounce(void** state)
{
    (void)state;
    const anim_collider ground = {ANIM_COLLIDER_SPHERE, -1, {0.2f, -50.05f, 0}, {0}, 50};
    scene s = bare_chain(3, 0.1, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    s.spring.colliders = &ground;
    s.spring.collider_count = 1;
    scene_start(&s);
    double bounce = 0;
    bool touched = false;
    for (int i = 0; i < 240; i++) {
        scene_update(&s, 1.0 / 240);
        double far = distance_to(&ground, tip_of(&s, 3)) - 50;
        touched |= far < 1e-4;
        bounce = touched ? fmax(bounce, far) : 0;
    }
    print_message("bounce: %.3f mm\n", bounce * 1000);
    assert_true(touched && bounce < 1e-3);
    scene_free(&s);
}

// A ball that swings through: pushed at the ball's speed, never in it at the end of an update, not shot off.
static void test_moving_collider(void** state)
{
    (void)state;
    anim_collider ball = {ANIM_COLLIDER_SPHERE, 0, {0, -0.5f, 0.4f}, {0}, 0.1f};
    scene s = bare_chain(8, 0, -0.1, 0);
    s.spring.damping = 0.2f;
    s.spring.radius = 0.01f;
    s.spring.colliders = &ball;
    s.spring.collider_count = 1;
    set_gravity(&s, 0, -9.81, 0);
    scene_start(&s);
    double fastest = 0;
    anim_dvec before[9] = {{0}};
    for (int i = 0; i < 240; i++) {
        ball.a[2] = 0.4f - 0.01f * (float)i;
        scene_update(&s, 1.0 / 120); // 1.2 m/s
        assert_true(deepest(&s, 8) < 1e-4);
        for (uint32_t b = 1; b <= 8; b++) {
            fastest = i > 0 ? fmax(fastest, distance(tip_of(&s, b), before[b]) * 120) : 0;
            before[b] = tip_of(&s, b);
        }
    }
    print_message("pushed at 1.2 m/s: %.2f m/s at most\n", fastest);
    assert_true(fastest < 6);
    scene_free(&s);
}

// What starts inside is put outside without being thrown.
static void test_start_inside(void** state)
{
    (void)state;
    const anim_collider ball = {ANIM_COLLIDER_SPHERE, -1, {0.45f, -0.07f, 0}, {0}, 0.1f};
    scene s = bare_chain(8, 0.1, 0, 0);
    s.spring.stiffness = 1;
    s.spring.damping = 0;
    s.spring.colliders = &ball;
    s.spring.collider_count = 1;
    scene_start(&s);
    scene_update(&s, 0);
    anim_dvec start = tip_of(&s, 8);
    for (int i = 0; i < 60; i++) {
        scene_update(&s, 1.0 / 60);
        assert_true(deepest(&s, 8) < 1e-4);
        assert_true(distance(tip_of(&s, 8), start) < 0.2);
    }
    scene_free(&s);
}

static void test_limit(void** state)
{
    (void)state;
    const float limits[] = {0, 0.01f, 0.4f, 1.5f, 3};
    for (int l = 0; l < 5; l++) {
        scene s = bare_chain(6, 0.1, 0, 0);
        s.spring.limit = limits[l];
        s.spring.damping = 0.1f;
        set_gravity(&s, 0, -9.81, 0);
        double most = 0;
        for (int i = 0; i < 600; i++) {
            s.place.position[1] = 0.3 * sin(0.3 * i);
            s.place.position[2] = 0.3 * cos(0.17 * i);
            scene_update(&s, 1.0 / 60);
            for (uint32_t j = 1; j <= 6; j++)
                most = fmax(most, lean_of(&s, j));
        }
        print_message("limit %.2f: leans by %.6f\n", (double)limits[l], most);
        assert_true(most < (double)limits[l] + 1e-5);
        assert_true(most >= 0.98 * (double)limits[l]); // and gets there
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colliders_at_rest),
        cmocka_unit_test(test_no_bounce_and_no_hidden_speed),
        cmocka_unit_test(test_falls_without_bounce),
        cmocka_unit_test(test_moving_collider),
        cmocka_unit_test(test_start_inside),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
