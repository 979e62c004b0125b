// SPDX-License-Identifier: MIT
// Chains: several tips in one tree, weights, limits, and what can't be created.
#include "test/ik_chain_rig.h"

static const anim_chain_solver solvers[] = {ANIM_CHAIN_FABRIK, ANIM_CHAIN_CCD};

static const char* const names[] = {"FABRIK", "CCD"};

// ---- a body: hips, three joints of a spine, two arms of three straight out to the sides

enum {
    HIPS,
    SPINE,
    CHEST,
    NECK,
    LEFT,
    LEFT_ELBOW,
    LEFT_HAND,
    RIGHT,
    RIGHT_ELBOW,
    RIGHT_HAND,
    HEAD
};

static void body(rig* r)
{
    rig_add(r, -1, 0, 1, 0);
    rig_add(r, HIPS, 0, 0.2f, 0);
    rig_add(r, SPINE, 0, 0.2f, 0);
    rig_add(r, CHEST, 0, 0.2f, 0);
    rig_add(r, NECK, 0.2f, 0, 0);
    rig_add(r, LEFT, 0.3f, 0, 0);
    rig_add(r, LEFT_ELBOW, 0.3f, 0, 0);
    rig_add(r, NECK, -0.2f, 0, 0);
    rig_add(r, RIGHT, -0.3f, 0, 0);
    rig_add(r, RIGHT_ELBOW, -0.3f, 0, 0);
    rig_add(r, NECK, 0, 0.3f, 0);
    rig_build(r);
}

static anim_chain* both_hands(const rig* r, anim_chain_solver solver)
{
    static const uint32_t tips[] = {RIGHT_HAND, LEFT_HAND}; // not in joint order
    anim_chain_desc desc = {.root = SPINE,
                            .tips = tips,
                            .tip_count = 2,
                            .solver = solver,
                            .iterations = 300,
                            .tolerance = 1e-3f};
    return rig_chain(r, &desc);
}

static void test_two_hands(void** state)
{
    (void)state;
    static const float targets[][2][3] = {
        {{-0.5f, 1.4f, 0.4f}, {0.4f, 1.9f, 0.3f}},
        {{-0.3f, 1.2f, 0.6f}, {0.1f, 1.2f, 0.6f}},   // both before the body, the spine bends
        {{-0.5f, 1.6f, 0}, {0.5f, 1.6f, 0}},         // on the lines of the straight arms
        {{-0.8f, 0.95f, 0.25f}, {0.6f, 1.5f, -0.2f}} // lower than the right arm alone reaches
    };
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 4; i++) {
            rig r = {0};
            body(&r);
            anim_chain* chain = both_hands(&r, solvers[s]);
            anim_chain_target at[2] = {{.weight = 1}, {.weight = 1}};
            memcpy(at[0].at, targets[i][0], sizeof at[0].at);
            memcpy(at[1].at, targets[i][1], sizeof at[1].at);
            double shoulders = distance_between(&r, LEFT, RIGHT), start[3], now[3];
            place_of(&r, SPINE, start);
            float residual = rig_solve(&r, chain, at, 1);
            double right = miss_of(&r, RIGHT_HAND, at[0].at),
                   left = miss_of(&r, LEFT_HAND, at[1].at);
            assert_true(right <= 1e-3 && left <= 1e-3);
            assert_true(fabs((double)residual - fmax(right, left)) <= 1e-6);
            place_of(&r, SPINE, now);
            assert_true(gap(start, now) == 0);
            assert_true(fabs(distance_between(&r, LEFT, RIGHT) - shoulders) <= 1e-6);
            anim_xform hips = rig_get(&r, HIPS), head = rig_get(&r, HEAD),
                       hand = rig_get(&r, LEFT_HAND);
            assert_float_equal(hips.q[3], 1, 0);
            assert_float_equal(head.q[3], 1, 0);
            assert_float_equal(hand.q[3], 1, 0);
            anim_chain_release(chain);
            rig_free(&r);
        }
}

// Two targets that can't both be reached: with equal weights the spine is fair to both, a heavier one has it.
static void test_conflict(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        double lean[3], right[3];
        for (int i = 0; i < 3; i++) {
            rig r = {0};
            body(&r);
            anim_chain* chain = both_hands(&r, solvers[s]);
            anim_chain_target at[2] = {{{-3, 1.2f, 0}, i == 1 ? 0.1f : 1},
                                       {{3, 1.2f, 0}, i == 2 ? 0.1f : 1}};
            double neck[3];
            rig_solve(&r, chain, at, 1);
            place_of(&r, NECK, neck);
            lean[i] = neck[0];
            right[i] = miss_of(&r, RIGHT_HAND, at[0].at);
            anim_chain_release(chain);
            rig_free(&r);
        }
        assert_true(fabs(lean[0]) <= 0.02);
        assert_true(lean[1] > 0.1 && lean[2] < -0.1); // toward the one that weighs 1
        assert_true(right[2] < right[0] && right[0] < right[1]);
    }
}

// Both hands led about in steps of a millimetre: no joint turns by more than a few degrees.
static void test_led(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        rig before = {0}, r = {0};
        body(&r);
        anim_chain* chain = both_hands(&r, solvers[s]);
        double most = 0;
        for (int step = 0; step < 2000; step++) {
            float sine, cosine, t = (float)step * 0.001f / 0.35f;
            anim_sincos(t, &sine, &cosine);
            anim_chain_target at[2] = {{{-0.3f + 0.2f * sine, 1.5f + 0.2f * cosine, 0.35f}, 1},
                                       {{0.3f + 0.2f * cosine, 1.4f, 0.3f + 0.15f * sine}, 1}};
            rig_free(&r);
            body(&r);
            before.skeleton = r.skeleton;
            rig_solve(&r, chain, at, 1);
            for (uint32_t joint = 0; step && joint < r.count; joint++)
                most = fmax(most, angle_between(rig_get(&r, joint).q, rig_get(&before, joint).q));
            memcpy(&before.pose, &r.pose, sizeof r.pose);
        }
        print_message("%s: hands led by 1 mm turn a joint by at most %.2f degrees\n", names[s],
                      most * 57.29577951308232);
        assert_true(most <= 0.0175);
        anim_chain_release(chain);
        rig_free(&r);
    }
}

// A target of weight 0 lets its arm be, to the bit; little weight changes little.
static void test_let_go(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        rig r = {0}, alone = {0}, little = {0};
        body(&r);
        body(&alone);
        body(&little);
        anim_chain* chain = both_hands(&r, solvers[s]);
        anim_chain_target at[2] = {{{-0.3f, 1.2f, 0.5f}, 1}, {{0, 0, 5}, 0}};
        float residual = rig_solve(&r, chain, at, 1);
        assert_true(residual <= 1e-3f);
        for (uint32_t joint = LEFT; joint <= LEFT_HAND; joint++) {
            anim_xform a = rig_get(&r, joint), b = rig_get(&alone, joint);
            assert_memory_equal(&a, &b, sizeof a);
        }
        at[1].weight = 1e-4f;
        rig_solve(&little, chain, at, 1);
        for (uint32_t joint = LEFT; joint <= LEFT_HAND; joint++)
            assert_true(angle_between(rig_get(&r, joint).q, rig_get(&little, joint).q) <= 1e-3);
        at[0].weight = at[1].weight = 0;
        assert_float_equal(rig_solve(&alone, chain, at, 1), 0, 0);
        rig_free(&little);
        body(&little);
        assert_memory_equal(alone.pose, little.pose, sizeof little.pose);
        anim_chain_release(chain);
        rig_free(&r);
        rig_free(&alone);
        rig_free(&little);
    }
}

// ---- weights

// 0 keeps every bit; between, joints are part of the way (nlerp) and the residual is that of the pose then.
static void test_weight(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        rig r = {0}, full = {0}, rest = {0};
        body(&r);
        body(&full);
        body(&rest);
        anim_chain* chain = both_hands(&r, solvers[s]);
        anim_chain_target at[2] = {{{-0.3f, 1.2f, 0.5f}, 1}, {{0.1f, 1.3f, 0.5f}, 1}};
        float untouched = rig_solve(&r, chain, at, 0);
        assert_memory_equal(r.pose, rest.pose, sizeof r.pose);
        assert_true(fabs((double)untouched - fmax(miss_of(&r, RIGHT_HAND, at[0].at),
                                                  miss_of(&r, LEFT_HAND, at[1].at))) <= 1e-6);
        rig_solve(&full, chain, at, 1);
        float residual = rig_solve(&r, chain, at, 0.25f);
        for (uint32_t joint = 0; joint < r.count; joint++) {
            float was[4], is[4], right[4], length = 0;
            memcpy(was, rig_get(&rest, joint).q, sizeof was);
            memcpy(is, rig_get(&full, joint).q, sizeof is);
            for (int i = 0; i < 4; i++) {
                right[i] = 0.75f * was[i] + 0.25f * (is[3] < 0 ? -is[i] : is[i]);
                length += right[i] * right[i];
            }
            for (int i = 0; i < 4; i++)
                right[i] /= sqrtf(length);
            assert_true(angle_between(right, rig_get(&r, joint).q) <= 1e-5);
        }
        double worst = fmax(miss_of(&r, RIGHT_HAND, at[0].at), miss_of(&r, LEFT_HAND, at[1].at));
        assert_true(fabs((double)residual - worst) <= 1e-6);
        anim_chain_release(chain);
        rig_free(&r);
        rig_free(&full);
        rig_free(&rest);
    }
}

// A stiff joint keeps its bits and the others do the work; a lazy one turns less than without its weight.
static void test_joint_weights(void** state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        double turn[3];
        for (int i = 0; i < 3; i++) {
            rig r = {0};
            body(&r);
            anim_chain_weight weight = {SPINE, (const float[]){1, 0.2f, 0}[i]};
            anim_chain_desc desc = {.root = SPINE,
                                    .tips = (const uint32_t[]){LEFT_HAND},
                                    .tip_count = 1,
                                    .solver = solvers[s],
                                    .iterations = 200,
                                    .tolerance = 1e-3f,
                                    .weights = &weight,
                                    .weight_count = 1};
            anim_chain* chain = rig_chain(&r, &desc);
            anim_chain_target at = {{0.4f, 1.3f, 0.5f}, 1};
            assert_true(rig_solve(&r, chain, &at, 1) <= 1e-3f);
            turn[i] = angle_between(rig_get(&r, SPINE).q, (const float[]){0, 0, 0, 1});
            anim_chain_release(chain);
            rig_free(&r);
        }
        assert_true(turn[2] == 0);
        assert_true(turn[1] > 0 && turn[1] < turn[0]);
    }
}

// ---- what can't be created

typedef struct wrong {
    anim_chain_desc desc;
    anim_code code;
    const char* message;
} wrong;

static void test_errors(void** state)
{
    (void)state;
    static const anim_joint_limit hinge = {.joint = LEFT, .axis = {1, 0, 0}, .max = 1};
    anim_joint_limit outside = hinge, flat = hinge, reversed = hinge, far = hinge, wide = hinge;
    anim_joint_limit twice[] = {hinge, hinge}, kind = hinge;
    outside.joint = HEAD;
    flat.axis[0] = 0;
    reversed.min = 2;
    far.max = 7;
    wide.kind = ANIM_LIMIT_CONE;
    wide.cone = 4;
    kind.kind = (anim_limit_kind)7;
    static const anim_chain_weight heavy = {LEFT, 2}, stray = {HIPS, 1};
    static const uint32_t hand[] = {LEFT_HAND}, same[] = {LEFT_HAND, LEFT_HAND},
                          below[] = {LEFT_ELBOW, LEFT_HAND}, hips[] = {HIPS}, root[] = {SPINE},
                          none[] = {99};
#define CHAIN(...)                                                                                 \
    {                                                                                              \
        .root = SPINE, .tips = hand, .tip_count = 1, __VA_ARGS__                                   \
    }
    const wrong cases[] = {
        {{.root = 99, .tips = hand, .tip_count = 1}, ANIM_ERR_ARGUMENT, "root 99 is not a joint"},
        {{.root = SPINE}, ANIM_ERR_ARGUMENT, "a chain needs a tip"},
        {{.root = SPINE, .tips = none, .tip_count = 1},
         ANIM_ERR_ARGUMENT,
         "tip 1: 99 is not a joint"},
        {{.root = SPINE, .tips = hips, .tip_count = 1},
         ANIM_ERR_ARGUMENT,
         "tip \"j0\" is not below the root \"j1\""},
        {{.root = SPINE, .tips = root, .tip_count = 1},
         ANIM_ERR_ARGUMENT,
         "tip \"j1\" is not below the root \"j1\""},
        {{.root = SPINE, .tips = same, .tip_count = 2},
         ANIM_ERR_ARGUMENT,
         "tip \"j6\" is there twice"},
        {{.root = SPINE, .tips = below, .tip_count = 2},
         ANIM_ERR_ARGUMENT,
         "tip \"j6\" is below tip \"j5\""},
        {{.root = SPINE, .tips = hand, .tip_count = 65},
         ANIM_ERR_LIMIT,
         "65 tips are more than a chain takes (64)"},
        {CHAIN(.iterations = 10001), ANIM_ERR_LIMIT,
         "10001 iterations are more than a chain takes (10000)"},
        {CHAIN(.tolerance = -1), ANIM_ERR_ARGUMENT, "tolerance -1 is not a distance"},
        {CHAIN(.tolerance = NAN), ANIM_ERR_ARGUMENT, NULL},
        {CHAIN(.solver = (anim_chain_solver)5), ANIM_ERR_ARGUMENT, "unknown solver 5"},
        {CHAIN(.limits = &outside, .limit_count = 1), ANIM_ERR_ARGUMENT,
         "limit 1: \"j10\" is not in the chain"},
        {CHAIN(.limits = twice, .limit_count = 2), ANIM_ERR_ARGUMENT, "limit 2: \"j4\" has one"},
        {CHAIN(.limits = &flat, .limit_count = 1), ANIM_ERR_ARGUMENT,
         "limit of \"j4\": axis (0, 0, 0) has no direction"},
        {CHAIN(.limits = &reversed, .limit_count = 1), ANIM_ERR_ARGUMENT,
         "limit of \"j4\": the angle from 2 to 1 is not a range within -2 pi to 2 pi"},
        {CHAIN(.limits = &far, .limit_count = 1), ANIM_ERR_ARGUMENT, NULL},
        {CHAIN(.limits = &wide, .limit_count = 1), ANIM_ERR_ARGUMENT,
         "limit of \"j4\": a cone of 4 is not within 0 to pi"},
        {CHAIN(.limits = &kind, .limit_count = 1), ANIM_ERR_ARGUMENT,
         "limit of \"j4\": unknown kind of limit 7"},
        {CHAIN(.weights = &heavy, .weight_count = 1), ANIM_ERR_ARGUMENT,
         "weight of \"j4\": 2 is not within 0 to 1"},
        {CHAIN(.weights = &stray, .weight_count = 1), ANIM_ERR_ARGUMENT,
         "weight 1: \"j0\" is not in the chain"},
    };
#undef CHAIN
    rig r = {0};
    body(&r);
    int64_t blocks = anim_mem_get_counts().blocks;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        anim_chain* chain = NULL;
        anim_error err = {0};
        assert_int_equal(anim_chain_create(r.skeleton, &cases[i].desc, &chain, &err),
                         cases[i].code);
        assert_null(chain);
        if (cases[i].message)
            assert_string_equal(err.message, cases[i].message);
    }
    assert_int_equal(anim_mem_get_counts().blocks, blocks);
    rig_free(&r);
}

// Every allocation fails once: an error, nothing leaks; and the chain keeps its skeleton alive.
static void test_memory(void** state)
{
    (void)state;
    int64_t blocks = anim_mem_get_counts().blocks;
    rig r = {0};
    body(&r);
    anim_chain_desc desc = {.root = SPINE, .tips = (const uint32_t[]){LEFT_HAND}, .tip_count = 1};
    anim_chain* chain = NULL;
    anim_error err;
    int failures = 0;
    for (; failures < 100; failures++) {
        anim_mem_fail_nth(failures + 1);
        anim_code code = anim_chain_create(r.skeleton, &desc, &chain, &err);
        anim_mem_fail_nth(0);
        if (code == ANIM_OK)
            break;
        assert_int_equal(code, ANIM_ERR_MEMORY);
    }
    assert_true(failures >= 2 && failures < 100);
    anim_skeleton_release(r.skeleton);
    anim_chain_target at = {{0.4f, 1.3f, 0.5f}, 1};
    assert_ptr_equal(anim_chain_retain(chain), chain);
    anim_chain_release(chain);
    assert_true(rig_solve(&r, chain, &at, 1) <= 1e-3f);
    anim_chain_release(chain);
    anim_chain_release(NULL);
    assert_int_equal(anim_mem_get_counts().blocks, blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_hands), cmocka_unit_test(test_conflict),
        cmocka_unit_test(test_led),       cmocka_unit_test(test_let_go),
        cmocka_unit_test(test_weight),    cmocka_unit_test(test_joint_weights),
        cmocka_unit_test(test_errors),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
