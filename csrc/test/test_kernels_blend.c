// SPDX-License-Identifier: MIT
// Layers and sums of poses: all sets of kernels give the same bits, and the right ones.
#include "pose/kernels.h"
#include "test/kernel_rig.h"

static anim_pose_group below[most_groups], above[most_groups], third[most_groups];
static anim_pose_group right[most_groups + 1], got[most_groups + 1];
static float mask[most_groups * 8];
static uint8_t channels[most_groups * 8];

// --- what is compared --------------------------------------------------------------------------------

// One call with random arguments; the same for each set.
typedef struct task {
    float weight;
    const float* mask;
    const uint8_t* channels;
    uint32_t bits;
} task;

typedef void (*body)(const anim_skeleton* s, const task* t, anim_pose_group* out);

static void run_blend(const anim_skeleton* s, const task* t, anim_pose_group* out)
{
    anim_pose_blend(s, out, above, t->weight, t->mask);
}

static void run_channels(const anim_skeleton* s, const task* t, anim_pose_group* out)
{
    anim_pose_blend_channels(s, out, above, t->weight, t->mask, t->channels, t->bits);
}

static void run_add(const anim_skeleton* s, const task* t, anim_pose_group* out)
{
    static const float times[] = {1, 1, 3.7f, 1e6f, 1e30f};
    anim_pose_add(s, out, above, t->weight * times[t->bits % 5], t->mask);
}

static void run_delta(const anim_skeleton* s, const task* t, anim_pose_group* out)
{
    anim_pose_to_delta(s, out, above, t->channels);
}

static void run_sum(const anim_skeleton* s, const task* t, anim_pose_group* out)
{
    anim_pose_sum_begin(s, out, below, 1 - t->weight);
    anim_pose_sum_add(s, out, below, above, t->weight / 2);
    anim_pose_sum_add(s, out, below, third, t->weight / 2);
    anim_pose_sum_end(s, out);
}

static float random_weight(void)
{
    static const float edges[] = {0, 1, 0.5f, 1e-30f, 1e-45f, 0.99999994f};
    return random_below(3) ? random_between(0, 1)
                           : edges[random_below(sizeof edges / sizeof *edges)];
}

static task random_task(const anim_skeleton* s, pose_kind kind)
{
    random_pose(s, kind, below);
    random_pose(s, kind, above);
    random_pose(s, kind, third);
    for (uint32_t i = 0; i < s->group_count * 8; i++) {
        mask[i] = random_below(3) ? random_weight() : 0;
        channels[i] = (uint8_t)random_below(8);
    }
    return (task){random_weight(), random_below(2) ? mask : NULL, random_below(2) ? channels : NULL,
                  random_below(8)};
}

static void run_with(anim_simd set, body run, const anim_skeleton* s, const task* t,
                     anim_pose_group* out)
{
    assert_true(anim_simd_force(set));
    memset(out, 0x5a, (most_groups + 1) * sizeof *out); // what lies behind the pose stays
    memcpy(out, below, s->group_count * sizeof *out);
    run(s, t, out);
}

static void compare(body run, uint32_t rounds)
{
    random_state = 777;
    for (uint32_t i = 0; i < rounds; i++) {
        anim_skeleton* s = random_skeleton(TREE_CHAIN, 1 + random_below(most_joints));
        task t = random_task(s, (pose_kind)(i % POSE_KINDS));
        run_with(ANIM_SIMD_SCALAR, run, s, &t, right);
        for (int set = ANIM_SIMD_BASELINE; set <= (int)last_set(); set++) {
            run_with((anim_simd)set, run, s, &t, got);
            if (memcmp(right, got, sizeof got) != 0)
                fail_msg("round %u: %s differs from scalar", i, anim_simd_name((anim_simd)set));
        }
        anim_skeleton_release(s);
    }
    anim_simd_force(anim_simd_best());
}

static void test_blend_same_bits(void** state)
{
    (void)state;
    compare(run_blend, 300);
}

static void test_channels_same_bits(void** state)
{
    (void)state;
    compare(run_channels, 300);
}

static void test_add_same_bits(void** state)
{
    (void)state;
    compare(run_add, 300);
}

static void test_delta_same_bits(void** state)
{
    (void)state;
    compare(run_delta, 300);
}

static void test_sum_same_bits(void** state)
{
    (void)state;
    compare(run_sum, 300);
}

// --- the oracle: double precision, a joint at a time ---------------------------------------------------

typedef struct dxform {
    double t[3], q[4], s[3];
} dxform;

static dxform to_double(const anim_pose_group* groups, uint32_t slot)
{
    anim_xform x;
    dxform out;
    anim_lane_get(groups, slot, &x);
    for (int i = 0; i < 4; i++)
        out.q[i] = x.q[i];
    for (int i = 0; i < 3; i++) {
        out.t[i] = x.t[i];
        out.s[i] = x.s[i];
    }
    return out;
}

static double dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void normalize(double q[4])
{
    double length = sqrt(dot(q, q));
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

// How far the joint at hand is from where rounding decides: a sum of rotations of length zero, or two that are
// half a turn apart, which both ways lead between.
static double condition = 1;

static double side_of(double cosine)
{
    condition = fmin(condition, fabs(cosine));
    return cosine < 0 ? -1 : 1;
}

static void normalize_checked(double q[4])
{
    condition = fmin(condition, sqrt(dot(q, q)));
    normalize(q);
}

static void turn_by(double q[4], const double d[4])
{
    const double a[4] = {q[0], q[1], q[2], q[3]};
    q[0] = a[3] * d[0] + a[0] * d[3] + a[1] * d[2] - a[2] * d[1];
    q[1] = a[3] * d[1] - a[0] * d[2] + a[1] * d[3] + a[2] * d[0];
    q[2] = a[3] * d[2] + a[0] * d[1] - a[1] * d[0] + a[2] * d[3];
    q[3] = a[3] * d[3] - a[0] * d[0] - a[1] * d[1] - a[2] * d[2];
}

static void oracle_blend(dxform* x, const dxform* layer, double w)
{
    for (int i = 0; i < 3; i++) {
        x->t[i] += (layer->t[i] - x->t[i]) * w;
        x->s[i] += (layer->s[i] - x->s[i]) * w;
    }
    double side = side_of(dot(x->q, layer->q));
    for (int i = 0; i < 4; i++) // of either sign: both stand for one rotation
        x->q[i] = x->q[i] * (1 - w) + side * layer->q[i] * w;
    normalize_checked(x->q);
}

static void oracle_add(dxform* x, const dxform* delta, double w)
{
    double whole = floor(w), part[4];
    for (int i = 0; i < 3; i++) {
        x->t[i] += w * delta->t[i];
        x->s[i] *= 1 - w + w * delta->s[i];
    }
    double side = side_of(delta->q[3]);
    for (int i = 0; i < 4; i++)
        part[i] = (i == 3) * (1 - (w - whole)) + side * delta->q[i] * (w - whole);
    normalize_checked(part);
    turn_by(x->q, part);
    for (; whole > 0; whole--)
        turn_by(x->q, delta->q);
    normalize(x->q);
}

static void assert_near(const dxform* x, uint32_t slot, double within)
{
    dxform g = to_double(got, slot);
    double side = dot(g.q, x->q) < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (!(fabs(g.q[i] - side * x->q[i]) <= within / condition))
            fail_msg("slot %u: rotation %.9g, not %.9g", slot, g.q[i], side * x->q[i]);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(g.t[i] - x->t[i]) <= within))
            fail_msg("slot %u: translation %.9g, not %.9g", slot, g.t[i], x->t[i]);
        if (!(fabs(g.s[i] - x->s[i]) <= within))
            fail_msg("slot %u: scale %.9g, not %.9g", slot, g.s[i], x->s[i]);
    }
}

typedef void (*oracle)(dxform* x, uint32_t slot, const task* t);

static double share(const task* t, uint32_t slot)
{
    float w = t->mask ? t->weight * t->mask[slot] : t->weight;
    return (double)w;
}

static void blended(dxform* x, uint32_t slot, const task* t)
{
    dxform layer = to_double(above, slot);
    oracle_blend(x, &layer, share(t, slot));
}

static void added(dxform* x, uint32_t slot, const task* t)
{
    static const float times[] = {1, 1, 3.7f};
    dxform delta = to_double(above, slot);
    float scaled = t->weight * times[t->bits % 5];
    oracle_add(x, &delta, (double)(t->mask ? scaled * t->mask[slot] : scaled));
}

static void differing(dxform* x, uint32_t slot, const task* t)
{
    const dxform reference = to_double(above, slot), was = *x;
    uint32_t bits = t->channels ? t->channels[slot] : ANIM_CHANNELS_ALL;
    *x = (dxform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        if (bits & 1u << ANIM_CHANNEL_TRANSLATION)
            x->t[i] = was.t[i] - reference.t[i];
        if ((bits & 1u << ANIM_CHANNEL_SCALE) && fabs(reference.s[i]) > 1e-12)
            x->s[i] = was.s[i] / reference.s[i];
        condition = fmin(condition, fabs(reference.s[i]) < 0.1 ? 0 : 1); // of large numbers
    }
    if (!(bits & 1u << ANIM_CHANNEL_ROTATION))
        return;
    for (int i = 0; i < 4; i++)
        x->q[i] = i < 3 ? -reference.q[i] : reference.q[i];
    turn_by(x->q, was.q);
}

static void summed(dxform* x, uint32_t slot, const task* t)
{
    const dxform first = *x, more[2] = {to_double(above, slot), to_double(third, slot)};
    double w = (double)t->weight;
    for (int i = 0; i < 3; i++) {
        x->t[i] = (1 - w) * first.t[i] + w / 2 * (more[0].t[i] + more[1].t[i]);
        x->s[i] = (1 - w) * first.s[i] + w / 2 * (more[0].s[i] + more[1].s[i]);
    }
    for (int i = 0; i < 4; i++)
        x->q[i] *= 1 - w;
    for (int k = 0; k < 2; k++) {
        double side = side_of(dot(first.q, more[k].q)) * w / 2;
        for (int i = 0; i < 4; i++)
            x->q[i] += side * more[k].q[i];
    }
    normalize_checked(x->q);
}

static void check(body run, oracle expect, uint32_t rounds)
{
    random_state = 31;
    for (uint32_t i = 0; i < rounds; i++) {
        anim_skeleton* s = random_skeleton(TREE_CHAIN, 1 + random_below(40));
        task t = random_task(s, POSE_SCALED);
        t.bits %= 3;
        run_with(anim_simd_best(), run, s, &t, got);
        for (uint32_t j = 0; j < s->group_count * 8; j++) {
            dxform x = to_double(below, j);
            condition = 1;
            expect(&x, j, &t);
            if (condition > 1e-3)
                assert_near(&x, j, 4e-6);
        }
        anim_skeleton_release(s);
    }
}

static void test_blend_right(void** state)
{
    (void)state;
    check(run_blend, blended, 200);
}

static void test_add_right(void** state)
{
    (void)state;
    check(run_add, added, 200);
}

static void test_delta_right(void** state)
{
    (void)state;
    check(run_delta, differing, 200);
}

static void test_sum_right(void** state)
{
    (void)state;
    check(run_sum, summed, 200);
}

static void test_add_finite(void** state)
{
    (void)state;
    random_state = 9;
    for (uint32_t i = 0; i < 200; i++) {
        anim_skeleton* s = random_skeleton(TREE_CHAIN, 1 + random_below(40));
        task t = random_task(s, POSE_HOSTILE);
        for (int set = 0; set <= (int)last_set(); set++) {
            run_with((anim_simd)set, run_add, s, &t, got);
            if (!anim_floats_are_finite(got[0].t[0], s->group_count * sizeof *got / sizeof(float)))
                fail_msg("round %u, %s: not finite", i, anim_simd_name((anim_simd)set));
        }
        anim_skeleton_release(s);
    }
    anim_simd_force(anim_simd_best());
}

// What has no share of a layer keeps every bit; what has all of it takes every bit.
static void test_shares(void** state)
{
    (void)state;
    random_state = 5;
    anim_skeleton* s = random_skeleton(TREE_CHAIN, 21);
    for (int set = 0; set <= (int)last_set(); set++) {
        task t = random_task(s, POSE_HOSTILE);
        for (uint32_t j = 0; j < 21; j++) {
            mask[s->slots[j]] = j % 2 ? 1 : 0;
            channels[s->slots[j]] = j % 3 ? 7 : 0;
        }
        t = (task){1, mask, channels, ANIM_CHANNELS_ALL};
        run_with((anim_simd)set, run_channels, s, &t, got);
        for (uint32_t j = 0; j < 21; j++) {
            anim_xform is, was;
            anim_pose_get(s, got, j, &is);
            anim_pose_get(s, j % 2 && j % 3 ? above : below, j, &was);
            if (j % 2 == 0 || j % 3 == 0)
                assert_memory_equal(&is, &was, sizeof is);
            else
                assert_memory_equal(is.q, was.q, sizeof is.q);
        }
    }
    anim_simd_force(anim_simd_best());
    anim_skeleton_release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blend_same_bits), cmocka_unit_test(test_channels_same_bits),
        cmocka_unit_test(test_add_same_bits),   cmocka_unit_test(test_sum_same_bits),
        cmocka_unit_test(test_blend_right),     cmocka_unit_test(test_add_right),
        cmocka_unit_test(test_sum_right),       cmocka_unit_test(test_shares),
        cmocka_unit_test(test_add_finite),      cmocka_unit_test(test_delta_same_bits),
        cmocka_unit_test(test_delta_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
