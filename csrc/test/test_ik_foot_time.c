// SPDX-License-Identifier: MIT
// Feet over time: springs, the lock, and anything at all.
#include "test/ik_biped.h"

// --- smoothing ----------------------------------------------------------------------------------------

// A foot swings over an edge: the closed form of the spring, in any steps.
static void test_edge(void** state)
{
    (void)state;
    static const int rates[] = {10, 30, 144, 1000};
    for (int r = 0; r < 4; r++) {
        stage s = make_stage();
        s.desc.smooth = 0.2f;
        biped_pose animated, pose;
        pose_walk(s.skeleton, 0.8, animated); // the left foot is in the air
        double dt = 1.0 / rates[r], from = place_of(s.skeleton, animated, ANKLE_L).y;
        for (int i = -3; i < rates[r]; i++) {
            s.desc.place.t[2] = 1.2f * (float)(i * dt);
            set_ground(&s, 0, i < 0 ? 0 : -0.1, 0, 0);
            set_ground(&s, 1, 0, 0, 0);
            memcpy(pose, animated, sizeof pose);
            solve(&s, pose, dt);
            double t = i < 0 ? 0 : (i + 1) * dt, w = 2 / 0.2;
            double right = i < 0 ? 0 : -0.1 + 0.1 * (1 + w * t) * exp(-w * t);
            assert_true(fabs(place_of(s.skeleton, pose, ANKLE_L).y - from - right) < 3e-6);
        }
        free_stage(&s);
    }
}

// A foot that just leaves the ground passes an edge: it does not jump either.
static void test_edge_at_take_off(void** state)
{
    (void)state;
    stage s = make_stage();
    s.desc.smooth = 0.1f;
    double most = 0, last = 0;
    for (int i = 0; i < 60; i++) {
        biped_pose pose;
        double u = 0.55 + i / 240.0;
        bool is_past = u > 0.63; // 8 mm above the ground
        s.desc.place.t[2] = (float)(walk_speed * u);
        set_ground(&s, 0, is_past ? 0.15 : 0, 0, 0);
        set_ground(&s, 1, 0, 0, 0);
        pose_walk(s.skeleton, u, pose);
        solve(&s, pose, 1 / 240.0);
        double now = place_of(s.skeleton, pose, ANKLE_L).y;
        if (i > 0)
            most = fmax(most, fabs(now - last));
        last = now;
    }
    print_message("off the ground over an edge: %.1f mm a step\n", 1e3 * most);
    assert_true(most < 0.02 && most > 0.005);
    free_stage(&s);
}

// What moves evenly is followed at once: a slope passed by, and ground that goes up below a foot that
// stands; a standing foot that is drawn over an edge does not jump.
static void test_even_motion(void** state)
{
    (void)state;
    stage s = make_stage();
    s.desc.smooth = 0.2f;
    biped_pose animated, pose;
    pose_walk(s.skeleton, 0.2, animated);
    anim_dvec from = place_of(s.skeleton, animated, HEEL_L);
    double last = 0;
    for (int i = 0; i < 200; i++) {
        double along = i < 50 ? 0.02 * i : 1, height = i < 100 ? 0 : fmin(0.002 * (i - 100), 0.1);
        bool is_past = i >= 160;
        if (is_past) // over an edge of 8 cm
            height -= 0.08, along += 0.02 * (i - 159);
        double below = height + 0.1 * along - 0.06 * along; // on a slope in the world
        s.desc.place.t[2] = (float)along;
        s.desc.place.t[0] = (float)(-0.3 * along);
        set_ground(&s, 0, below, 0.2, 0.1);
        set_ground(&s, 1, below, 0.2, 0.1);
        memcpy(pose, animated, sizeof pose);
        solve(&s, pose, 1 / 60.0);
        anim_dvec heel = place_of(s.skeleton, pose, HEEL_L);
        double now = heel.y - below - 0.1 * heel.z - 0.2 * heel.x;
        if (!is_past)
            assert_true(fabs(now) < 3e-6);
        else if (i == 160)
            assert_true(now > 0.045); // of .08, after a step of the quick spring
        else
            assert_true(now < last + 1e-6);
        last = now;
    }
    assert_true(fabs(last) < 0.001 && fabs(from.y) < 1e-6);
    free_stage(&s);
}

// A character is set 20 cm higher: its feet stay where they are, its pelvis goes after it by the spring. A
// locked foot counts as standing, though it floats in the clip.
static void test_set_up(void** state)
{
    (void)state;
    for (int floats = 0; floats < 2; floats++) {
        stage s = make_stage();
        s.desc.smooth = 0.2f;
        biped_pose animated, pose;
        pose_walk(s.skeleton, 0.2, animated);
        anim_xform root;
        anim_pose_get(s.skeleton, animated, ROOT, &root);
        root.t[1] = floats ? 0.03f : 0;
        anim_pose_set(s.skeleton, animated, ROOT, &root);
        s.inputs[0].lock = (float)floats;
        double ankle = 0, pelvis = 0;
        for (int i = 0; i < 90; i++) {
            double up = i < 40 ? 0 : 0.2;
            s.desc.place.t[1] = (float)up;
            set_ground(&s, 0, -up, 0, 0);
            set_ground(&s, 1, -up, 0, 0);
            memcpy(pose, animated, sizeof pose);
            assert_true(solve(&s, pose, 1 / 60.0) < 1e-5f);
            double foot = place_of(s.skeleton, pose, ANKLE_L).y + up;
            double body = place_of(s.skeleton, pose, PELVIS).y + up;
            if (i > 39) {
                assert_true(fabs(foot - ankle) < 3e-6);
                assert_true(fabs(body - pelvis) < (floats ? 0.006 : 0.001));
            }
            ankle = foot;
            pelvis = body;
        }
        free_stage(&s);
    }
}

// --- lock ---------------------------------------------------------------------------------------------

typedef struct held {
    stage s;
    biped_pose animated, pose;
    double t;
} held;

static void begin_hold(held* h)
{
    *h = (held){.s = make_stage()};
    h->s.desc.release = 0.2f;
    h->s.desc.smooth = 0.1f;
    pose_walk(h->s.skeleton, 0.2, h->animated);
    set_ground(&h->s, 0, 0, 0, 0);
    set_ground(&h->s, 1, 0, 0, 0);
}

// One step with the character at (x, z), turned by `yaw`. Returns the left ball in world space.
static anim_dvec hold(held* h, double x, double z, double yaw, bool lock)
{
    anim_rigid* place = &h->s.desc.place;
    *place = (anim_rigid){{(float)x, 0, (float)z},
                          {0, (float)sin(yaw / 2), 0, (float)cos(yaw / 2)}};
    h->s.inputs[0].lock = lock;
    memcpy(h->pose, h->animated, sizeof h->pose);
    solve(&h->s, h->pose, 1 / 60.0);
    anim_dvec ball = place_of(h->s.skeleton, h->pose, TOE_L);
    ball = anim_dquat_rotate(anim_dquat_from(place->q), ball);
    return anim_dvec_add(ball, anim_dvec_from(place->t));
}

// From ankle to ball, seen from above.
static double heading(const held* h)
{
    anim_dvec by = anim_dvec_sub(place_of(h->s.skeleton, h->pose, TOE_L),
                                 place_of(h->s.skeleton, h->pose, ANKLE_L));
    by = anim_dquat_rotate(anim_dquat_from(h->s.desc.place.q), by);
    return atan2(by.x, by.z);
}

static void test_lock(void** state)
{
    (void)state;
    held h;
    begin_hold(&h);
    anim_dvec first = hold(&h, 0, 0, 0, true), last = first, free = first;
    double most = 0;
    for (int i = 1; i <= 30; i++) { // moves and turns about its own axis
        anim_dvec ball = hold(&h, 0.006 * i, -0.004 * i, 0.02 * i, true);
        assert_true(distance(ball, first) < 3e-6 && fabs(heading(&h)) < 3e-6);
    }
    for (int i = 0; i < 60; i++) { // let go: back to the animation without a jump
        anim_dvec ball = hold(&h, 0.18, -0.12, 0.6, false);
        most = fmax(most, distance(ball, last));
        last = ball;
        free = anim_dquat_rotate((anim_dquat){0, sin(0.3), 0, cos(0.3)},
                                 place_of(h.s.skeleton, h.animated, TOE_L));
        free = anim_dvec_add(free, (anim_dvec){0.18, 0, -0.12});
    }
    print_message("let go: at most %.1f mm a step\n", 1e3 * most);
    assert_true(most < 0.025 && most > 0.001);
    assert_true(distance(last, free) < 1e-3 && fabs(heading(&h) - 0.6) < 1e-3);
    // held again on the way back: where it is then
    hold(&h, 0.18, -0.12, 0.6, true);
    hold(&h, 0.24, -0.12, 0.6, true);
    for (int i = 0; i < 5; i++)
        last = hold(&h, 0.24, -0.12, 0.6, false);
    for (int i = 0; i < 5; i++)
        assert_true(distance(hold(&h, 0.24, -0.12, 0.6, true), last) < 0.02);
    free_stage(&h.s);
}

// Lost: too far away, turned too far, no ground. Then not again before the lock was off.
static void test_lock_is_lost(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        held h;
        begin_hold(&h);
        h.s.desc.reach = kind == 1 ? 0.6f : 0.2f;
        anim_dvec first = hold(&h, 0, 0, 0, true), last = first;
        double most = 0;
        for (int i = 1; i <= 40; i++) {
            double z = kind == 0 ? 0.01 * i : 0, yaw = kind == 1 ? 0.04 * i : 0;
            if (kind == 2 && i == 20)
                set_ground(&h.s, 0, 5, 0, 0);
            anim_dvec ball = hold(&h, 0, z, yaw, true);
            bool is_held = kind == 0 ? i <= 20 : kind == 1 ? i <= 19 : true;
            assert_true((distance(ball, first) < 3e-6) == is_held || (kind == 2 && i >= 20));
            most = fmax(most, distance(ball, last));
            last = ball;
        }
        assert_true(most < 0.03);
        for (int i = 0; i < 100;
             i++) // at its place in the animation in the end, though the lock is on
            last = hold(&h, 0, 0.4, 0, true);
        anim_dvec free = place_of(h.s.skeleton, h.animated, TOE_L);
        assert_true(fabs(last.z - free.z - 0.4) < 1e-4);
        if (kind != 2) {
            hold(&h, 0, 0.4, 0, false);
            last = hold(&h, 0, 0.4, 0, true);
            assert_true(distance(hold(&h, 0, 0.45, 0, true), last) < 3e-6);
        }
        free_stage(&h.s);
    }
}

// A clip whose feet float is brought onto the ground while its lock holds; one whose feet are in the ground
// is lifted out of it at once, up to a twentieth of the leg.
static void test_lock_settles(void** state)
{
    (void)state;
    held h;
    begin_hold(&h);
    anim_xform root;
    anim_pose_get(h.s.skeleton, h.animated, ROOT, &root);
    root.t[1] = 0.015f;
    anim_pose_set(h.s.skeleton, h.animated, ROOT, &root);
    double last = hold(&h, 0, 0, 0, true).y;
    assert_true(fabs(last - 0.045) < 1e-5);
    for (int i = 0; i < 120; i++) {
        root.t[1] = i < 60 ? 0.015f : 0.015f + 0.01f * (float)sin(0.2 * i); // floats up and down
        anim_pose_set(h.s.skeleton, h.animated, ROOT, &root);
        double now = hold(&h, 0, 0, 0, i < 110).y;
        assert_true(i >= 60 || now < last + 1e-6);
        assert_true(i < 60 || i > 109 || fabs(now - 0.03) < 2e-5);
        assert_true(fabs(now - last) < 0.007);
        last = now;
    }
    forget(&h.s);
    h.s.desc.smooth = 0.4f;
    for (int i = 0; i < 4; i++) { // comes down when it is held: goes on at its speed
        root.t[1] = (float)fmax(0.012 - 0.004 * i, 0);
        anim_pose_set(h.s.skeleton, h.animated, ROOT, &root);
        last = hold(&h, 0, 0, 0, i > 0).y;
    }
    assert_true(last > 0.03 && last < 0.0325);
    for (int i = 0; i <= 60; i++) {
        root.t[1] = -0.001f * (float)i;
        anim_pose_set(h.s.skeleton, h.animated, ROOT, &root);
        forget(&h.s);
        double right = 0.03 - fmax(0.001 * i - 0.05 * 0.8709, 0);
        assert_true(fabs(hold(&h, 0, 0, 0, i % 2).y - right) < 5e-6);
    }
    free_stage(&h.s);
}

// Over an edge, then locked while it still floats: it comes down soon, without a jump.
static void test_lock_after_edge(void** state)
{
    (void)state;
    held h;
    begin_hold(&h);
    anim_xform root;
    anim_pose_get(h.s.skeleton, h.animated, ROOT, &root);
    root.t[1] = 0.025f;
    anim_pose_set(h.s.skeleton, h.animated, ROOT, &root);
    double last = 0, most = 0;
    for (int i = 0; i < 26; i++) {
        set_ground(&h.s, 0, i < 8 ? 0 : -0.1, 0, 0);
        last = i ? last : hold(&h, 0, 0, 0, false).y;
        double now = hold(&h, 0, 0.02 * i, 0, i >= 10).y;
        if (i != 8) // where it passes the edge, near the ground
            most = fmax(most, fabs(now - last));
        assert_true(i < 17 || fabs(now + 0.07) < 0.0002);
        last = now;
    }
    assert_true(most < 0.035);
    free_stage(&h.s);
}

// --- anything -----------------------------------------------------------------------------------------

static float hostile(float usual)
{
    static const float values[] = {0, 1, -1, 1e-30f, -1e-30f, 1e30f, -1e30f, 1e-42f};
    uint32_t i = random_bits() % 32;
    return i < 8 ? values[i] : usual + random_float(-1, 1);
}

static void hostile_vector(float usual, float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = hostile(usual);
}

static bool hostile_ground(void* user, uint32_t leg, const float point[3], float out_point[3],
                           float out_normal[3])
{
    (void)user, (void)leg;
    for (int i = 0; i < 3; i++)
        assert_true(isfinite(point[i]));
    hostile_vector(0, out_point);
    hostile_vector(0, out_normal);
    if (random_bits() % 2)
        out_normal[1] = 1;
    return random_bits() % 4 != 0;
}

static void hostile_pose(const anim_skeleton* skeleton, anim_pose_group* pose)
{
    for (uint32_t j = 0; j < BIPED_JOINTS; j++) {
        anim_xform x;
        anim_pose_get(skeleton, skeleton->rest, j, &x);
        for (int i = 0; i < 3; i++) {
            if (random_bits() % 8 == 0)
                x.t[i] = hostile(x.t[i]);
            if (random_bits() % 16 == 0)
                x.s[i] = hostile(1);
        }
        for (int i = 0; i < 4 && random_bits() % 4; i++)
            x.q[i] += random_float(-1, 1);
        anim_quat_normalize(x.q, x.q);
        anim_pose_set(skeleton, pose, j, &x);
    }
}

static float hostile_above(float least)
{
    return fmaxf(hostile(0), least);
}

static void hostile_desc(stage* s)
{
    anim_foot* d = &s->desc;
    d->level = hostile(0);
    d->reach = hostile_above(0);
    d->smooth = hostile_above(0);
    d->ahead = hostile_above(0);
    d->release = hostile_above(0);
    d->tilt = random_float(0, 1.5f);
    d->weight = random_bits() % 2 ? 1 : random_float(0, 1);
    d->pelvis = random_bits() % 8 ? PELVIS : -1;
    hostile_vector(0, d->place.t);
    for (int i = 0; i < 4; i++)
        d->place.q[i] = random_float(-1, 1);
    anim_quat_normalize(d->place.q, d->place.q);
    d->ground = random_bits() % 8 ? hostile_ground : NULL;
    for (uint32_t leg = 0; leg < 2; leg++) {
        anim_foot_input* in = &s->inputs[leg];
        in->lock = random_float(0, 1);
        in->has_ground = random_bits() % 2;
        hostile_vector(0, in->point);
        hostile_vector(0, in->normal);
        s->legs[leg].toe = random_bits() % 8 ? (int32_t)(TOE_L + leg * LEG) : -1;
    }
}

// Memory goes on from one to the next.
static void test_hostile(void** state)
{
    (void)state;
    static const double times[] = {0, 1e-300, 1e-9, 0.01, 1.0 / 60, 1, 1e30, 1e300};
    stage s = make_stage();
    size_t size = anim_ik_foot_memory_size(2);
    anim_foot_memory* before = calloc(1, size);
    uint32_t count = rounds(1000000), changed = 0;
    for (uint32_t i = 0; i < count; i++) {
        biped_pose animated, pose, again;
        hostile_pose(s.skeleton, animated);
        if (i % 4 == 0)
            hostile_desc(&s);
        memcpy(pose, animated, sizeof pose);
        memcpy(before, s.memory, size);
        double dt = times[random_bits() % 8];
        uint32_t seed = random_state;
        float left = solve(&s, pose, dt);
        assert_true(isfinite(left) && left >= 0);
        assert_sound(s.skeleton, pose);
        assert_true(anim_ik_foot_memory_is_fine(2, s.memory));
        changed += memcmp(pose, animated, sizeof pose) != 0;
        if (i % 8 == 0) { // the same again, to the bit
            random_state = seed;
            memcpy(again, animated, sizeof again);
            anim_ik_foot(s.skeleton, again, &s.desc, before, before, dt);
            assert_memory_equal(again, pose, sizeof pose);
            assert_memory_equal(before, s.memory, size);
        }
        if (i % 64 == 0)
            forget(&s);
    }
    assert_true(changed > count / 2);
    free(before);
    free_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge),         cmocka_unit_test(test_edge_at_take_off),
        cmocka_unit_test(test_even_motion),  cmocka_unit_test(test_set_up),
        cmocka_unit_test(test_lock),         cmocka_unit_test(test_lock_is_lost),
        cmocka_unit_test(test_lock_settles), cmocka_unit_test(test_lock_after_edge),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
