// SPDX-License-Identifier: MIT
// The spring chain against hostile input, its continuity, and its bits.
#include "base/hash.h"
#include "test/ik_spring_scene.h"

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 8;
}

static double random_unit(void)
{
    return random_bits() / 16777216.0;
}

static float hostile(double usual)
{
    static const float odd[] = {0, -0.0f, 1e-30f, -1e-30f, 1e30f, -1e30f,
                                1, -1,    1e-7f,  1e7f,    1e-38f};
    if (random_bits() % 12 == 0)
        return odd[random_bits() % 11];
    return (float)((random_unit() * 2 - 1) * usual);
}

static void random_quaternion(float q[4])
{
    double v[4], length = 0;
    do {
        length = 0;
        for (int k = 0; k < 4; k++) {
            v[k] = random_bits() % 8 == 0 ? 0 : random_unit() * 2 - 1;
            length += v[k] * v[k];
        }
    } while (length < 1e-3);
    for (int k = 0; k < 4; k++)
        q[k] = (float)(v[k] / sqrt(length));
}

static void random_pose(scene* s)
{
    for (uint32_t j = 0; j < s->skeleton->joint_count; j++) {
        anim_xform x;
        random_quaternion(x.q);
        for (int k = 0; k < 3; k++) {
            x.t[k] = hostile(0.3);
            x.s[k] = random_bits() % 3 ? 1 : random_bits() % 3 ? -1 : hostile(2);
        }
        anim_pose_set(s->skeleton, s->animated, j, &x);
    }
}

static void random_spring(scene* s, anim_collider* colliders, uint32_t count)
{
    anim_spring* p = &s->spring;
    p->stiffness = fabsf(hostile(5));
    p->damping = fabsf(hostile(1));
    p->drag = fabsf(hostile(2));
    p->limit = random_bits() % 2 ? -1 : hostile(2);
    p->radius = fabsf(hostile(0.02));
    p->teleport = hostile(3);
    p->weight = random_bits() % 4 ? 1 : (float)random_unit();
    for (int k = 0; k < 3; k++) {
        p->gravity[k] = hostile(10);
        p->wind[k] = hostile(5);
        p->tip[k] = hostile(0.1);
        s->place.position[k] = random_bits() % 30 ? random_unit() : (double)hostile(1e3);
    }
    s->place.reset = random_bits() % 50 == 0;
    random_quaternion(s->place.rotation);
    for (uint32_t i = 0; i < count; i++) {
        colliders[i].kind = random_bits() % 2;
        colliders[i].joint = (int32_t)(random_bits() % (s->skeleton->joint_count + 1)) - 1;
        colliders[i].radius = fabsf(hostile(0.3));
        for (int k = 0; k < 3; k++) {
            colliders[i].a[k] = hostile(0.5);
            colliders[i].b[k] = hostile(0.5);
        }
    }
}

static void check_pose(const scene* s)
{
    for (uint32_t j = 0; j < s->skeleton->joint_count; j++) {
        anim_xform x, from;
        anim_pose_get(s->skeleton, s->pose, j, &x);
        anim_pose_get(s->skeleton, s->animated, j, &from);
        double length = 0;
        for (int k = 0; k < 4; k++)
            length += (double)x.q[k] * (double)x.q[k];
        assert_true(fabs(length - 1) < 2e-6);
        assert_memory_equal(x.t, from.t, sizeof x.t);
        assert_memory_equal(x.s, from.s, sizeof x.s);
    }
}

// A head of 16 doubles and a flag, then points of 6 doubles and 14 floats.
static void check_memory(const scene* s)
{
    const double* at = s->memory;
    size_t points = (s->size - 136 - s->spring.collider_count * 32) / 104;
    for (int k = 0; k < 16; k++)
        assert_true(isfinite(at[k]));
    for (size_t i = 0; i < points; i++) {
        const double* point = at + 17 + 13 * i;
        const float* floats = (const float*)(point + 6);
        for (int k = 0; k < 14; k++)
            assert_true(isfinite(floats[k]) && (k >= 6 || isfinite(point[k])));
    }
}

// What was driven mad hangs quietly again, without a reset.
static void check_recovery(scene* s)
{
    anim_pose_to_rest(s->skeleton, s->animated);
    const anim_collider* colliders = s->spring.colliders;
    uint32_t count = s->spring.collider_count;
    s->spring = ANIM_SPRING_DEFAULTS;
    s->spring.root = 1;
    s->spring.tip[0] = 0.1f;
    s->spring.stiffness = 0;
    s->spring.damping = 1;
    s->spring.drag = 5;
    s->spring.wind[2] = 0.1f; // nothing stands on its head
    s->place = (anim_spring_place){.rotation = {0, 0, 0, 1}};
    set_gravity(s, 0, -9.81, 0);
    scene_run(s, 30, 60);
    anim_dvec bone = anim_dvec_sub(tip_of(s, 1), point_of(s, s->pose, 1, NULL));
    assert_true(bone.y < -0.99 * anim_dvec_length(bone));
    s->spring.colliders = colliders;
    s->spring.collider_count = count;
}

static void test_hostile_input(void** state)
{
    (void)state;
    const double times[] = {1e-300, 1e-9, 0, 0.001, 0.3, 50, 1e30};
    scene s[3] = {chain_of(4, (const float[3]){0.1f, 0, 0}), chain_of(2, (const float[3]){0, 0, 0}),
                  tree_of()};
    anim_collider colliders[2] = {{0}};
    for (int i = 0; i < 3; i++) {
        s[i].spring.colliders = colliders;
        s[i].spring.collider_count = (uint32_t)i;
        scene_start(&s[i]);
    }
    long calls = is_slow() ? 1000000 : 20000;
    for (long i = 0; i < calls; i++) {
        scene* one = &s[i % 3];
        if (random_bits() % 4 == 0)
            random_pose(one);
        if (random_bits() % 8 == 0)
            random_spring(one, colliders, one->spring.collider_count);
        if (random_bits() % 500 == 0)
            memset(one->memory, 0, one->size);
        if (i % 6001 == 3000 && one != &s[1])
            check_recovery(one);
        bool odd = random_bits() % 64 == 0;
        scene_update(one, odd ? times[random_bits() % 7] : random_unit() * 0.01);
        check_pose(one);
        check_memory(one);
    }
    print_message("%ld calls\n", calls);
    for (int i = 0; i < 3; i++)
        scene_free(&s[i]);
}

static double turn_between(const anim_skeleton* skeleton, const anim_pose_group* a,
                           const anim_pose_group* b, uint32_t joint)
{
    double same = anim_dquat_dot(anim_ik_local_of(skeleton, a, joint).q,
                                 anim_ik_local_of(skeleton, b, joint).q);
    return 2 * acos(fmin(fabs(same), 1));
}

// From one state, into two worlds that differ by 1 mm: the bones differ little, and so do the joints
// where no bone is near the opposite of its animated direction.
static void test_continuity(void** state)
{
    (void)state;
    scene s = bare_chain(5, 0.1, 0, 0);
    s.spring.stiffness = 1;
    s.spring.damping = 0.1f;
    set_gravity(&s, 0, -9.81, 0);
    void *kept = malloc(s.size), *other = malloc(s.size);
    double worst = 0, bones = 0;
    int counted = 0;
    for (int i = 0; i < 5000; i++) {
        s.place.position[0] += (random_unit() - 0.5) * 0.06;
        s.place.position[1] += (random_unit() - 0.5) * 0.06;
        s.place.position[2] += (random_unit() - 0.5) * 0.06;
        memcpy(kept, s.memory, s.size);
        scene_update(&s, 1.0 / 60);
        anim_pose_group first = s.pose[0];
        anim_dvec tips[6];
        bool counts = true;
        for (uint32_t j = 1; j <= 5; j++) {
            tips[j] = tip_of(&s, j);
            counts &= turn_between(s.skeleton, s.pose, s.animated, j) < 2.5;
        }
        anim_spring_place moved = s.place;
        moved.position[i % 3] += 0.001;
        memcpy(s.pose, s.animated, pose_size(&s));
        anim_ik_spring(s.skeleton, s.pose, &s.spring, &moved, kept, other, 1.0 / 60, s.scratch);
        counted += counts;
        for (uint32_t j = 1; j <= 5; j++) {
            worst = counts ? fmax(worst, turn_between(s.skeleton, &first, s.pose, j)) : worst;
            bones = fmax(bones, distance(tip_of(&s, j), tips[j]));
        }
    }
    print_message("1 mm moves a point by at most %.2f mm, turns a joint by %.4f rad (%d updates)\n",
                  bones * 1000, worst, counted);
    assert_true(bones < 0.005 && worst < 0.1 && worst > 1e-4 && counted > 1000);
    free(kept);
    free(other);
    scene_free(&s);
}

// Changed bits fail here first: the same on every machine, compiler and optimisation.
static void test_golden(void** state)
{
    (void)state;
    const anim_collider colliders[] = {
        {ANIM_COLLIDER_SPHERE, 2, {0.05f, -0.1f, 0}, {0}, 0.08f},
        {ANIM_COLLIDER_CAPSULE, -1, {0, 0.1f, -0.3f}, {0, 0.1f, 0.3f}, 0.05f},
    };
    scene s = tree_of();
    s.spring.colliders = colliders;
    s.spring.collider_count = 2;
    s.spring.limit = 0.9f;
    set_gravity(&s, 0, -9.81, 0);
    scene_start(&s);
    uint64_t hash = ANIM_HASH_START;
    for (int f = 0; f < 500; f++) {
        s.place.position[0] = 0.001 * (f * 37 % 101);
        POSE_AT(s.skeleton, s.animated, q, 2, 1) = f % 50 < 25 ? 0.6f : 0;
        POSE_AT(s.skeleton, s.animated, q, 3, 1) = f % 50 < 25 ? 0.8f : 1;
        scene_update(&s, f % 11 == 0 ? 0.3 : 0.013);
        hash = hash_pose(hash, s.skeleton, s.pose);
        hash = anim_hash(hash, s.memory, s.size);
    }
    print_message("hash %016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x6e69caf90563d894u);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_input),
        cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
