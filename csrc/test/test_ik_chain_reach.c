// SPDX-License-Identifier: MIT
// Chains: what they reach, and how.
#include "test/ik_chain_rig.h"

static const anim_chain_solver solvers[] = {ANIM_CHAIN_FABRIK, ANIM_CHAIN_CCD};
static const char* const names[] = {"FABRIK", "CCD"};

// ---- random chains

// What the solver may not move: everything but the rotations of joints `first` to `last`.
static void assert_nothing_else(const rig* r, const anim_pose_group* before, uint32_t first,
                                uint32_t last)
{
    for (uint32_t joint = 0; joint < r->count; joint++) {
        anim_xform was, is = rig_get(r, joint);
        anim_pose_get(r->skeleton, before, joint, &was);
        if (joint >= first && joint <= last)
            memcpy(was.q, is.q, sizeof was.q);
        assert_memory_equal(&was, &is, sizeof is);
    }
}

typedef struct chain_case {
    uint32_t root, tip;
    double length, hole; // how far it reaches, and how near
} chain_case;

// `bones` between 0.1 and 1 long under a joint that is moved and turned, with joints that hang off it. Rests
// are straight or crooked.
static chain_case random_chain(rig* r, uint32_t bones)
{
    bool is_straight = random_bits() % 2;
    chain_case c = {.root = 1, .tip = 1 + bones};
    double longest = 0;
    rig_add(r, -1, 1, 2, 3);
    random_turn(r->joints[0].rest.q, 3);
    for (uint32_t i = 0; i <= bones; i++) {
        float way[3] = {0, 1, 0}, length = i ? random_float(0.1f, 1) : 0.5f;
        if (!is_straight)
            random_direction(way);
        uint32_t joint = rig_add(r, (int32_t)i, way[0] * length, way[1] * length, way[2] * length);
        if (!is_straight)
            random_turn(r->joints[joint].rest.q, 3);
        if (i == 0)
            continue;
        c.length += length;
        longest = length > longest ? length : longest;
    }
    c.hole = fmax(0, 2 * longest - c.length);
    rig_add(r, (int32_t)c.tip, 0, 1, 0);
    rig_add(r, 2, 1, 0, 0);
    rig_add(r, 0, 1, 0, 0);
    rig_build(r);
    return c;
}

static void random_target(const rig* r, const chain_case* c, float out[3])
{
    double root[3], distance;
    float way[3];
    place_of(r, c->root, root);
    random_direction(way);
    do
        distance = 0.95 * c->length * cbrt(random_float(0, 1));
    while (distance < c->hole);
    for (int i = 0; i < 3; i++)
        out[i] = (float)(root[i] + distance * way[i]);
}

typedef struct tally {
    int reached, count;
    double longest;  // relative change of a bone
    double root;     // how far the root moved
    double residual; // how far the returned one was off
} tally;

static void one_reach(anim_chain_solver solver, uint32_t iterations, tally* t)
{
    rig r = {0};
    chain_case c = random_chain(&r, 2 + random_bits() % 15);
    anim_chain_desc desc = {.root = c.root,
                            .tips = &c.tip,
                            .tip_count = 1,
                            .solver = solver,
                            .iterations = iterations,
                            .tolerance = (float)(1e-3 * c.length)};
    anim_chain* chain = rig_chain(&r, &desc);
    anim_chain_target target = {.weight = 1};
    random_target(&r, &c, target.at);
    anim_pose_group before[MOST_GROUPS];
    double lengths[MOST_JOINTS], root[3], now[3];
    memcpy(before, r.pose, sizeof before);
    place_of(&r, c.root, root);
    for (uint32_t i = c.root; i < c.tip; i++)
        lengths[i] = distance_between(&r, i, i + 1);
    float residual = rig_solve(&r, chain, &target, 1);
    double miss = miss_of(&r, c.tip, target.at);
    t->count++;
    t->reached += miss <= 1e-3 * c.length;
    t->residual = fmax(t->residual, fabs(miss - (double)residual));
    for (uint32_t i = c.root; i < c.tip; i++)
        t->longest = fmax(t->longest, fabs(distance_between(&r, i, i + 1) / lengths[i] - 1));
    place_of(&r, c.root, now);
    t->root = fmax(t->root, gap(root, now));
    assert_nothing_else(&r, before, c.root, c.tip - 1);
    anim_chain_release(chain);
    rig_free(&r);
}

static void test_reach(void** state)
{
    (void)state;
    static const uint32_t iterations[] = {30, 300};
    static const double least[] = {99.5, 90};
    for (int s = 0; s < 2; s++) {
        tally t = {0};
        random_state = 20 + (uint32_t)s;
        for (int i = 0; i < (is_slow_run() ? 10000 : 500); i++)
            one_reach(solvers[s], iterations[s], &t);
        double percent = 100.0 * t.reached / t.count;
        print_message("%s, %u iterations: %.2f %% of %d targets within 1e-3 of the length; bones "
                      "change by %.1e, the root by %.1e, the residual is off by %.1e\n",
                      names[s], iterations[s], percent, t.count, t.longest, t.root, t.residual);
        assert_true(percent >= least[s]);
        assert_true(t.longest <= 1e-5 && t.root <= 1e-6 && t.residual <= 1e-5);
    }
}

// Joints that are lazy, each in its own way: passes that aim half a miss beyond the target still get there.
static void test_lazy_reach(void** state)
{
    (void)state;
    int reached = 0, count = is_slow_run() ? 2000 : 300;
    random_state = 22;
    for (int i = 0; i < count; i++) {
        rig r = {0};
        chain_case c = random_chain(&r, 2 + random_bits() % 15);
        anim_chain_weight weights[MOST_JOINTS];
        for (uint32_t joint = c.root; joint < c.tip; joint++)
            weights[joint - c.root] = (anim_chain_weight){joint, random_float(0.1f, 1)};
        anim_chain_desc desc = {.root = c.root,
                                .tips = &c.tip,
                                .tip_count = 1,
                                .tolerance = (float)(1e-3 * c.length),
                                .weights = weights,
                                .weight_count = c.tip - c.root};
        anim_chain* chain = rig_chain(&r, &desc);
        anim_chain_target target = {.weight = 1};
        random_target(&r, &c, target.at);
        reached += rig_solve(&r, chain, &target, 1) <= desc.tolerance;
        anim_chain_release(chain);
        rig_free(&r);
    }
    double percent = 100.0 * reached / count;
    print_message("FABRIK, 30 iterations, weights .1 to 1: %.1f %% of %d targets\n", percent,
                  count);
    assert_true(percent >= 92);
}

// A chain without limits twists no joint: each turns about an axis square to its bone, before and after.
static void test_twist(void** state)
{
    (void)state;
    random_state = 23;
    for (int i = 0; i < 500; i++) {
        rig r = {0};
        chain_case c = random_chain(&r, 2 + random_bits() % 6);
        rig before = r;
        float target[3];
        random_target(&r, &c, target);
        rig_reach(&r, solvers[i % 2], c.root, c.tip, target);
        for (uint32_t joint = c.root; joint < c.tip; joint++) {
            anim_xform a = rig_get(&before, joint), b = rig_get(&r, joint),
                       bone = rig_get(&r, joint + 1);
            double q[4] = {-(double)a.q[0], -(double)a.q[1], -(double)a.q[2], a.q[3]};
            double now[4] = {b.q[0], b.q[1], b.q[2], b.q[3]}, turn[4];
            product(q, now, turn); // in the joint's own space, where the bone does not move
            double along = turn[0] * bone.t[0] + turn[1] * bone.t[1] + turn[2] * bone.t[2];
            double length = sqrt((double)bone.t[0] * bone.t[0] + (double)bone.t[1] * bone.t[1] +
                                 (double)bone.t[2] * bone.t[2]);
            assert_true(fabs(along) <= 2e-6 * length);
        }
        rig_free(&r);
    }
}

// ---- FABRIK as the paper has it

// Returns how many passes it took to come near enough, 0: more than `most`.
static int paper(double (*p)[3], uint32_t last, const float target[3], double tolerance, int most)
{
    double length[MOST_JOINTS];
    for (uint32_t i = 1; i <= last; i++)
        length[i] = gap(p[i], p[i - 1]);
    for (int pass = 1; pass <= most; pass++) {
        double root[3] = {p[0][0], p[0][1], p[0][2]};
        for (int k = 0; k < 3; k++)
            p[last][k] = target[k];
        for (uint32_t i = last; i-- > 0;) {
            double ratio = length[i + 1] / gap(p[i], p[i + 1]);
            for (int k = 0; k < 3; k++)
                p[i][k] = (1 - ratio) * p[i + 1][k] + ratio * p[i][k];
        }
        memcpy(p[0], root, sizeof root);
        for (uint32_t i = 1; i <= last; i++) {
            double ratio = length[i] / gap(p[i], p[i - 1]);
            for (int k = 0; k < 3; k++)
                p[i][k] = (1 - ratio) * p[i - 1][k] + ratio * p[i][k];
        }
        if (gap(p[last], (const double[]){target[0], target[1], target[2]}) <= tolerance)
            return pass;
    }
    return 0;
}

// Where two passes are enough all joints are where the paper's algorithm puts them.
static void test_paper(void** state)
{
    (void)state;
    int compared = 0;
    random_state = 25;
    for (int i = 0; i < 2000; i++) {
        rig r = {0};
        chain_case c = random_chain(&r, 3 + random_bits() % 10);
        double p[MOST_JOINTS][3];
        float target[3];
        bool is_crooked = fabs(distance_between(&r, c.root, c.tip) / c.length - 1) > 0.05;
        random_target(&r, &c, target);
        for (uint32_t joint = c.root; joint <= c.tip; joint++)
            place_of(&r, joint, p[joint - c.root]);
        double tolerance = 1e-3 * c.length;
        if (is_crooked && paper(p, c.tip - c.root, target, 0.999 * tolerance, 2)) {
            anim_chain_desc desc = {
                .root = c.root, .tips = &c.tip, .tip_count = 1, .tolerance = (float)tolerance};
            anim_chain* chain = rig_chain(&r, &desc);
            anim_chain_target at = {{target[0], target[1], target[2]}, 1};
            rig_solve(&r, chain, &at, 1);
            for (uint32_t joint = c.root; joint <= c.tip; joint++) {
                double is[3];
                place_of(&r, joint, is);
                assert_true(gap(is, p[joint - c.root]) <= 2e-5 * c.length);
            }
            compared++;
            anim_chain_release(chain);
        }
        rig_free(&r);
    }
    assert_true(compared > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_lazy_reach),
        cmocka_unit_test(test_twist),
        cmocka_unit_test(test_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
