// SPDX-License-Identifier: MIT
// Chains: what holds for all of them, on random and on hostile input.
#include "test/ik_chain_rig.h"

#include <float.h>

static const anim_chain_solver solvers[] = {ANIM_CHAIN_FABRIK, ANIM_CHAIN_CCD};
static const char* const names[] = {"FABRIK", "CCD"};

// ---- hostile input

static const float lengths[] = {0, 1e-30f, 1e30f, -1e30f, 1e-45f, FLT_MIN, 1, -1, 0.5f};
static const float scales[] = {0, 1, 1, 1, -1, 2, 1e-30f, 1e30f, -1e-20f, 0.5f};

static float hostile(const float* values, size_t count)
{
    return values[random_bits() % count];
}
#define HOSTILE(values) hostile(values, sizeof values / sizeof *values)

static void hostile_pose(rig* r)
{
    uint32_t kind = random_bits() % 8;
    for (uint32_t joint = 0; joint < r->count; joint++) {
        anim_xform x = ANIM_XFORM_IDENTITY;
        for (int i = 0; i < 3; i++) {
            x.t[i] = kind & 1 ? HOSTILE(lengths) : random_float(-1, 1);
            if (kind & 2)
                x.s[i] = HOSTILE(scales);
        }
        if (kind == 4) { // along one line, some joints at one place
            x.t[0] = x.t[2] = 0;
            x.t[1] = random_bits() % 3 ? 1 : 0;
        }
        if (random_bits() % 4)
            random_turn(x.q, 6);
        anim_pose_set(r->skeleton, r->pose, joint, &x);
    }
}

static void hostile_targets(const rig* r, anim_chain_target* targets, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        uint32_t kind = random_bits() % 4;
        double at[3] = {0, 0, 0};
        if (kind == 0)
            place_of(r, random_bits() % r->count, at); // on a joint, the root or the tip
        for (int i = 0; i < 3; i++)
            targets[t].at[i] = kind == 1   ? HOSTILE(lengths)
                               : kind == 2 ? random_float(-3, 3)
                                           : (float)fmax(-1e30, fmin(1e30, at[i]));
        targets[t].weight = random_bits() % 8 ? random_float(0, 1) : (float)(random_bits() % 2);
    }
}

static void random_limits(anim_joint_limit* limits, uint32_t count, uint32_t root)
{
    for (uint32_t i = 0; i < count; i++) {
        float a = random_float(-3, 3), b = random_bits() % 4 ? random_float(-3, 3) : a;
        limits[i] = (anim_joint_limit){.joint = root + i,
                                       .kind = random_bits() % 2 ? ANIM_LIMIT_HINGE
                                                                 : ANIM_LIMIT_CONE,
                                       .min = fminf(a, b),
                                       .max = fmaxf(a, b),
                                       .twist_min = fminf(a, b),
                                       .twist_max = fmaxf(a, b),
                                       .cone = random_bits() % 8 ? random_float(0, 3.1415f) : 0};
        random_direction(limits[i].axis);
    }
}

enum { CHAINS = 24, MOST_TIPS = 3 };

typedef struct subject {
    rig r;
    anim_chain* chain;
    void* scratch;
    uint32_t tips;
    anim_joint_limit limits[8];
    uint32_t limit_count;
} subject;

// A chain of 1 to 5 bones under a joint, in some with one or two branches more.
static void make_subject(subject* s, uint32_t number)
{
    uint32_t bones = 1 + number % 5, tips[MOST_TIPS], trunk = 1 + bones / 2;
    *s = (subject){.tips = 1 + (number / 5) % MOST_TIPS};
    rig_add(&s->r, -1, 0, 0, 0);
    rig_add(&s->r, 0, 0, 1, 0);
    for (uint32_t i = 0; i < bones; i++)
        tips[0] = rig_add(&s->r, (int32_t)(1 + i), 0, 1, 0);
    for (uint32_t t = 1; t < s->tips; t++) {
        uint32_t joint = rig_add(&s->r, (int32_t)(bones > 1 ? trunk : 1), 1, 0, 0);
        tips[t] = rig_add(&s->r, (int32_t)joint, 1, 0, 0);
    }
    for (uint32_t joint = 0; joint < s->r.count; joint++)
        random_turn(s->r.joints[joint].rest.q, 2);
    rig_build(&s->r);
    s->limit_count = number % 3 == 1 ? bones + 1 : 0;
    random_limits(s->limits, s->limit_count, 1);
    anim_chain_weight weight = {1, random_float(0, 1)};
    anim_chain_desc desc = {.root = 1,
                            .tips = tips,
                            .tip_count = s->tips,
                            .solver = solvers[number / 3 % 2],
                            .iterations = 1 + number % 6,
                            .tolerance = number % 4 ? 1e-3f : 1e-9f,
                            .limits = s->limits,
                            .limit_count = s->limit_count,
                            .weights = &weight,
                            .weight_count = number % 7 == 2};
    s->chain = rig_chain(&s->r, &desc);
    s->scratch = anim_mem_alloc(anim_chain_scratch_size(s->chain));
    assert_non_null(s->scratch);
}

static void assert_sound(const subject* s, const anim_pose_group* before, float residual,
                         float weight)
{
    assert_true(residual >= 0 && residual <= FLT_MAX);
    for (uint32_t joint = 0; joint < s->r.count; joint++) {
        anim_xform was, is = rig_get(&s->r, joint);
        anim_pose_get(s->r.skeleton, before, joint, &was);
        double length2 = 0;
        for (int i = 0; i < 4; i++)
            length2 += (double)is.q[i] * (double)is.q[i];
        assert_true(fabs(length2 - 1) <= 2e-6);
        assert_memory_equal(was.t, is.t, sizeof is.t);
        assert_memory_equal(was.s, is.s, sizeof is.s);
        if (joint == 0 || weight == 0)
            assert_memory_equal(was.q, is.q, sizeof is.q);
    }
}

static void test_hostile(void** state)
{
    (void)state;
    static subject subjects[CHAINS];
    random_state = 30;
    for (uint32_t i = 0; i < CHAINS; i++)
        make_subject(&subjects[i], i);
    int count = is_slow_run() ? 2000000 : 20000;
    for (int i = 0; i < count; i++) {
        subject* s = &subjects[(uint32_t)i % CHAINS];
        anim_chain_target targets[MOST_TIPS];
        anim_pose_group before[MOST_GROUPS], first[MOST_GROUPS];
        size_t size = s->r.skeleton->group_count * sizeof *before;
        hostile_pose(&s->r);
        hostile_targets(&s->r, targets, s->tips);
        float weight = random_bits() % 4 ? 1 : random_bits() % 4 ? random_float(0, 1) : 0;
        memcpy(before, s->r.pose, size);
        float residual = anim_ik_chain(s->chain, s->r.pose, targets, weight, s->scratch);
        assert_sound(s, before, residual, weight);
        if (i % 16)
            continue;
        memcpy(first, s->r.pose, size);
        memcpy(s->r.pose, before, size);
        assert_true(anim_ik_chain(s->chain, s->r.pose, targets, weight, s->scratch) == residual);
        assert_memory_equal(first, s->r.pose, size);
    }
    for (uint32_t i = 0; i < CHAINS; i++) {
        anim_chain_release(subjects[i].chain);
        anim_mem_free(subjects[i].scratch);
        rig_free(&subjects[i].r);
    }
    print_message("%d hostile solves\n", count);
}

// Scales and lengths of 1e30 twenty joints deep: products end before they are infinite.
static void test_deep(void** state)
{
    (void)state;
    enum { BONES = 20 };
    random_state = 33;
    for (int i = 0; i < 400; i++) {
        rig r = {0};
        anim_joint_limit limits[BONES];
        for (int32_t joint = 0; joint <= BONES; joint++)
            rig_add(&r, joint - 1, 0, 1, 0);
        rig_build(&r);
        random_limits(limits, BONES, 0);
        uint32_t tip = BONES;
        anim_chain_desc desc = {.root = (uint32_t)i % 5,
                                .tips = &tip,
                                .tip_count = 1,
                                .solver = solvers[i % 2],
                                .iterations = 4,
                                .limits = limits + i % 5,
                                .limit_count = i % 3 ? 0 : BONES - (uint32_t)i % 5};
        anim_chain* chain = rig_chain(&r, &desc);
        for (uint32_t joint = 0; joint <= BONES; joint++) {
            anim_xform x = ANIM_XFORM_IDENTITY;
            float scale = i % 4 ? 1e30f : 1e-30f;
            for (int k = 0; k < 3; k++) {
                float length = i % 8 < 4 ? 1 : 1e30f;
                x.t[k] = random_bits() % 4 ? random_float(-length, length) : 0;
                x.s[k] = random_bits() % 2 ? scale : -scale;
            }
            if (joint % 7 == 6 && i % 16 < 8)
                x.s[1] *= random_float(-1, 1); // uneven
            random_turn(x.q, 3);
            anim_pose_set(r.skeleton, r.pose, joint, &x);
        }
        anim_chain_target target = {{1e30f, random_float(-1, 1), -1e30f}, 1};
        float residual = rig_solve(&r, chain, &target, 1);
        assert_true(residual >= 0 && residual <= FLT_MAX);
        for (uint32_t joint = 0; joint <= BONES; joint++) {
            anim_xform x = rig_get(&r, joint);
            float length2 = x.q[0] * x.q[0] + x.q[1] * x.q[1] + x.q[2] * x.q[2] + x.q[3] * x.q[3];
            assert_true(fabsf(length2 - 1) <= 2e-6f);
        }
        anim_chain_release(chain);
        rig_free(&r);
    }
}

// Hundreds of joints, some of them at one place.
static void test_long(void** state)
{
    (void)state;
    enum { JOINTS = 600 };
    static anim_joint_desc joints[JOINTS];
    static char joint_names[JOINTS][16];
    static anim_pose_group pose[JOINTS / 8];
    for (uint32_t i = 0; i < JOINTS; i++) {
        snprintf(joint_names[i], sizeof joint_names[i], "j%u", i);
        joints[i] = (anim_joint_desc){joint_names[i], (int32_t)i - 1, ANIM_XFORM_IDENTITY};
        joints[i].rest.t[1] = i % 5 ? 0.01f : 0;
    }
    anim_skeleton* skeleton;
    anim_error err;
    assert_int_equal(anim_skeleton_create(joints, JOINTS, NULL, &skeleton, &err), ANIM_OK);
    for (int s = 0; s < 2; s++) {
        uint32_t tip = JOINTS - 1;
        anim_chain_desc desc = {.root = 0, .tips = &tip, .tip_count = 1, .solver = solvers[s]};
        anim_chain* chain;
        assert_int_equal(anim_chain_create(skeleton, &desc, &chain, &err), ANIM_OK);
        void* scratch = anim_mem_alloc(anim_chain_scratch_size(chain));
        anim_pose_to_rest(skeleton, pose);
        anim_chain_target target = {{2, 1, -1}, 1};
        assert_true(anim_ik_chain(chain, pose, &target, 1, scratch) <= 5e-4f);
        anim_mem_free(scratch);
        anim_chain_release(chain);
    }
    anim_skeleton_release(skeleton);
}

// ---- limits

typedef struct limit_case {
    rig r;
    uint32_t bones, tip;
    anim_joint_limit limits[MOST_JOINTS];
} limit_case;

static void make_limited(limit_case* c)
{
    *c = (limit_case){.bones = 2 + random_bits() % 8};
    rig_add(&c->r, -1, 0, 0, 0);
    for (uint32_t i = 0; i <= c->bones; i++) {
        uint32_t joint = rig_add(&c->r, (int32_t)i, 0, 0.5f, 0);
        random_turn(c->r.joints[joint].rest.q, 2);
        c->tip = joint;
    }
    rig_build(&c->r);
    random_limits(c->limits, c->bones + 1, 1);
}

static double worst_excess(const limit_case* c)
{
    double worst = 0;
    for (uint32_t i = 0; i <= c->bones; i++) {
        uint32_t joint = c->limits[i].joint;
        worst = fmax(worst, excess_of(&c->limits[i], c->r.skeleton->rest_xforms[joint].q,
                                      rig_get(&c->r, joint).q));
    }
    return worst;
}

// Whatever the animated pose and the target: inside at weight 1; from inside at any weight.
static void test_limits(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        double worst = 0, worst_between = 0;
        random_state = 40 + (uint32_t)s;
        for (int i = 0; i < (is_slow_run() ? 10000 : 500); i++) {
            limit_case c;
            make_limited(&c);
            anim_chain_desc desc = {.root = 1,
                                    .tips = &c.tip,
                                    .tip_count = 1,
                                    .solver = solvers[s],
                                    .iterations = 1 + random_bits() % 20,
                                    .tolerance = 1e-3f,
                                    .limits = c.limits,
                                    .limit_count = c.bones + 1};
            anim_chain* chain = rig_chain(&c.r, &desc);
            for (uint32_t joint = 1; joint <= c.tip; joint++) {
                anim_xform x = rig_get(&c.r, joint);
                random_turn(x.q, 6.2f);
                anim_pose_set(c.r.skeleton, c.r.pose, joint, &x);
            }
            anim_chain_target target = {.weight = 1};
            for (int step = 0; step < 3; step++) {
                for (int k = 0; k < 3; k++)
                    target.at[k] = random_float(-0.4f, 0.4f) * (float)c.bones;
                rig_solve(&c.r, chain, &target, step ? random_float(0, 1) : 1);
                double excess = worst_excess(&c);
                if (step)
                    worst_between = fmax(worst_between, excess);
                else
                    worst = fmax(worst, excess);
            }
            anim_chain_release(chain);
            rig_free(&c.r);
        }
        print_message("%s: limits broken by at most %.1e rad, %.1e at weights below 1\n", names[s],
                      worst, worst_between);
        assert_true(worst <= 1e-4 && worst_between <= 1e-4);
    }
}

// Targets that some pose within the limits reaches.
static void test_limited_reach(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        int reached = 0, count = is_slow_run() ? 1000 : 200;
        random_state = 50;
        for (int i = 0; i < count; i++) {
            limit_case c;
            make_limited(&c);
            anim_chain_desc desc = {.root = 1,
                                    .tips = &c.tip,
                                    .tip_count = 1,
                                    .solver = solvers[s],
                                    .iterations = 100,
                                    .tolerance = 1e-3f * 0.5f * (float)c.bones,
                                    .limits = c.limits,
                                    .limit_count = c.bones + 1};
            anim_chain* chain = rig_chain(&c.r, &desc);
            rig other = c.r;
            for (uint32_t joint = 1; joint <= c.tip; joint++) {
                anim_limit limit;
                anim_xform x = rig_get(&c.r, joint);
                anim_limit_init(&limit, &c.limits[joint - 1], x.q);
                random_turn(x.q, 3);
                anim_dquat q = anim_limit_clamp(&limit, anim_dquat_from(x.q));
                float turn[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
                memcpy(x.q, turn, sizeof turn);
                anim_pose_set(other.skeleton, other.pose, joint, &x);
            }
            double at[3];
            place_of(&other, c.tip, at);
            anim_chain_target target = {{(float)at[0], (float)at[1], (float)at[2]}, 1};
            reached += rig_solve(&c.r, chain, &target, 1) <= desc.tolerance;
            anim_chain_release(chain);
            rig_free(&c.r);
        }
        print_message("%s, 100 iterations: %.1f %% of targets that limited chains can reach\n",
                      names[s], 100.0 * reached / count);
        assert_true(reached >= count * 3 / 4);
    }
}

// ---- continuity

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Where the header says that the result may jump: bones that turn round, targets near the root or a joint.
static bool is_singular(const rig* rest, const rig* r, uint32_t tip, const float target[3])
{
    for (uint32_t joint = 0; joint <= tip; joint++) {
        if (angle_between(rig_get(rest, joint).q, rig_get(r, joint).q) > 2.6)
            return true;
        if (miss_of(rest, joint, target) < 0.05)
            return true;
    }
    return false;
}

// Ranges that hold the rest pose, cones of less than 115 degrees.
static void natural_limits(anim_joint_limit* limits, uint32_t count)
{
    random_limits(limits, count, 0);
    for (uint32_t i = 0; i < count; i++) {
        limits[i].cone = random_float(0.2f, 2);
        limits[i].min = limits[i].twist_min = -random_float(0, 1.5f);
        limits[i].max = limits[i].twist_max = random_float(0, 1.5f);
    }
}

// Degrees that the joint turns by that turns most when a target is moved by a millimetre. Chains are 2 m long.
// Negative: the place is one where results may jump.
static double turn_by_a_millimetre(anim_chain_solver solver, bool is_limited)
{
    rig rest = {0};
    uint32_t bones = 2 + random_bits() % 7;
    for (uint32_t joint = 0; joint <= bones; joint++) {
        rig_add(&rest, (int32_t)joint - 1, 0, joint ? 2 / (float)bones : 0, 0);
        random_turn(rest.joints[joint].rest.q, 1);
    }
    rig_build(&rest);
    anim_joint_limit limits[MOST_JOINTS];
    natural_limits(limits, bones);
    anim_chain_desc desc = {.root = 0,
                            .tips = &bones,
                            .tip_count = 1,
                            .solver = solver,
                            .limits = limits,
                            .limit_count = is_limited ? bones : 0};
    anim_chain* chain = rig_chain(&rest, &desc);
    anim_chain_target target = {.weight = 1}, other = {.weight = 1};
    float way[3], step[3], length = 2.2f * cbrtf(random_float(0, 1));
    random_direction(way);
    random_direction(step);
    for (int k = 0; k < 3; k++) {
        target.at[k] = way[k] * length;
        other.at[k] = target.at[k] + 0.001f * step[k];
    }
    rig a = rest, b = rest;
    rig_solve(&a, chain, &target, 1);
    rig_solve(&b, chain, &other, 1);
    double most = 0;
    for (uint32_t joint = 0; joint <= bones; joint++)
        most = fmax(most, angle_between(rig_get(&a, joint).q, rig_get(&b, joint).q));
    bool may_jump = is_singular(&rest, &a, bones, target.at);
    anim_chain_release(chain);
    rig_free(&rest);
    return may_jump ? -1 : most * 57.29577951308232;
}

static void test_continuity(void** state)
{
    (void)state;
    enum { MOST = 6000 };
    static double turns[MOST];
    for (int s = 0; s < 4; s++) {
        int count = 0, tries = is_slow_run() ? MOST : 500;
        bool is_limited = s / 2;
        random_state = 60 + (uint32_t)s;
        for (int i = 0; i < tries; i++) {
            turns[count] = turn_by_a_millimetre(solvers[s % 2], is_limited);
            count += turns[count] >= 0;
        }
        qsort(turns, (size_t)count, sizeof *turns, compare);
        double middle = turns[count / 2], p99 = turns[count * 99 / 100], most = turns[count - 1];
        print_message(
            "%s%s: 1 mm turns a joint by %.2f degrees (median), %.1f (99 %%), %.1f (most) "
            "of %d\n",
            names[s % 2], is_limited ? ", limited" : "", middle, p99, most, count);
        assert_true(p99 <= (is_limited ? 3 : 2));
        assert_true(is_limited || most <= 20); // an end of a range may be left for the other
    }
}

// ---- bits

// The same on every machine and compiler. Where the solvers change on purpose, so do these.
static void test_bits(void** state)
{
    (void)state;
    static const uint64_t right[] = {0x2aa89b32aaa73fa6u, 0x3354270e5547ec0du};
    for (int s = 0; s < 2; s++) {
        uint64_t hash = 0;
        random_state = 70;
        for (int i = 0; i < 200; i++) {
            limit_case c;
            make_limited(&c);
            anim_chain_desc desc = {.root = 1,
                                    .tips = &c.tip,
                                    .tip_count = 1,
                                    .solver = solvers[s],
                                    .limits = c.limits,
                                    .limit_count = i % 2 ? c.bones + 1 : 0};
            anim_chain* chain = rig_chain(&c.r, &desc);
            anim_chain_target target = {.weight = 1};
            for (int k = 0; k < 3; k++)
                target.at[k] = random_float(-0.4f, 0.4f) * (float)c.bones;
            float residual = rig_solve(&c.r, chain, &target, 1);
            hash = anim_hash(hash, &residual, sizeof residual);
            hash = hash_pose(hash, c.r.skeleton, c.r.pose);
            anim_chain_release(chain);
            rig_free(&c.r);
        }
        print_message("%s: %016llx\n", names[s], (unsigned long long)hash);
        assert_true(hash == right[s]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile),       cmocka_unit_test(test_deep),
        cmocka_unit_test(test_long),          cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limited_reach), cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
