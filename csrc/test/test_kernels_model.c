// SPDX-License-Identifier: MIT
// Local to model space and palettes: all sets of kernels give the same bits, and the right ones.
#include "pose/kernels.h"
#include "pose/skin.h"
#include "test/kernel_rig.h"

static anim_pose_group pose[most_groups];
static anim_mat34 right[most_joints + 1], got[most_joints + 1];

// --- the oracle: double precision, a joint at a time -------------------------------------------------

typedef struct dmat34 {
    double m[3][4];
} dmat34;

static dmat34 local_of(const anim_skeleton* skeleton, const anim_pose_group* groups, uint32_t joint)
{
    anim_xform x;
    anim_pose_get(skeleton, groups, joint, &x);
    // The columns are the axes, turned by q v q* and scaled.
    dmat34 out;
    for (int c = 0; c < 3; c++) {
        double v[3] = {c == 0, c == 1, c == 2}, u[3] = {x.q[0], x.q[1], x.q[2]}, w = x.q[3];
        double along = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        const double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                 u[0] * v[1] - u[1] * v[0]};
        for (int i = 0; i < 3; i++)
            out.m[i][c] = x.s[c] * (2 * along * u[i] + (w * w - square) * v[i] + 2 * w * cross[i]);
    }
    for (int i = 0; i < 3; i++)
        out.m[i][3] = x.t[i];
    return out;
}

static dmat34 product(const dmat34* a, const dmat34* b)
{
    dmat34 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            out.m[i][j] = j == 3 ? a->m[i][3] : 0;
            for (int k = 0; k < 3; k++)
                out.m[i][j] += a->m[i][k] * b->m[k][j];
        }
    return out;
}

static dmat34 model_of(const anim_skeleton* s, const anim_pose_group* groups, uint32_t joint)
{
    dmat34 out = local_of(s, groups, joint);
    for (int32_t j = s->parents[joint]; j >= 0; j = s->parents[j]) {
        dmat34 above = local_of(s, groups, (uint32_t)j);
        out = product(&above, &out);
    }
    return out;
}

// Rounding adds up along the chain, and with the sizes of what is above.
static double reach(const anim_skeleton* s, uint32_t joint)
{
    double size = 4;
    for (int32_t j = s->parents[joint]; j >= 0; j = s->parents[j])
        size += 4;
    return size;
}

// --- comparing ---------------------------------------------------------------------------------------

static void fill_with_pattern(anim_mat34* out)
{
    memset(out, 0x5a, (most_joints + 1) * sizeof *out);
}

static void assert_same_bits(const void* a, const void* b, size_t size, const char* what,
                             anim_simd set)
{
    if (memcmp(a, b, size) == 0)
        return;
    size_t at = 0;
    while (((const char*)a)[at] == ((const char*)b)[at])
        at++;
    fail_msg("%s: %s differs from scalar at float %zu", what, anim_simd_name(set), at / 4);
}

typedef void (*body)(const anim_skeleton* skeleton, pose_kind kind);

static void for_random_rigs(uint32_t rounds, body run)
{
    static const uint32_t edge_counts[] = {1, 2, 7, 8, 9, 15, 16, 17, 64, most_joints};
    random_state = 12345;
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t count = i < 10 ? edge_counts[i] : 1 + random_below(most_joints);
        anim_skeleton* skeleton = random_skeleton((tree_shape)random_below(TREE_SHAPES), count);
        pose_kind kind = (pose_kind)(i % POSE_KINDS);
        random_pose(skeleton, kind, pose);
        run(skeleton, kind);
        anim_skeleton_release(skeleton);
    }
    anim_simd_force(anim_simd_best());
}

static void to_model_with(anim_simd set, const anim_skeleton* skeleton, anim_mat34* out)
{
    assert_true(anim_simd_force(set));
    fill_with_pattern(out); // what lies behind the last joint stays
    anim_pose_to_model(skeleton, pose, out);
}

// --- to model space ----------------------------------------------------------------------------------

static void same_bits(const anim_skeleton* skeleton, pose_kind kind)
{
    (void)kind;
    to_model_with(ANIM_SIMD_SCALAR, skeleton, right);
    for (int set = ANIM_SIMD_BASELINE; set <= (int)last_set(); set++) {
        to_model_with((anim_simd)set, skeleton, got);
        assert_same_bits(right, got, sizeof got, "to model", (anim_simd)set);
    }
}

static void test_same_bits(void** state)
{
    (void)state;
    for_random_rigs(300, same_bits);
}

static void near_oracle(const anim_skeleton* skeleton, pose_kind kind)
{
    if (kind == POSE_HOSTILE)
        return;
    to_model_with(ANIM_SIMD_SCALAR, skeleton, right);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        dmat34 m = model_of(skeleton, pose, j);
        double most = 4e-7 * reach(skeleton, j), size = 1;
        for (int i = 0; i < 12; i++)
            size = fmax(size, fabs((&m.m[0][0])[i]));
        for (int i = 0; i < 12; i++)
            if (!(fabs((&m.m[0][0])[i] - (double)(&right[j].m[0][0])[i]) <= most * size))
                fail_msg("joint %u: %.9g, not %.9g", j, (double)(&right[j].m[0][0])[i],
                         (&m.m[0][0])[i]);
    }
}

static void test_right(void** state)
{
    (void)state;
    for_random_rigs(100, near_oracle);
}

static void finite(const anim_skeleton* skeleton, pose_kind kind)
{
    (void)kind;
    for (int set = 0; set <= (int)last_set(); set++) {
        to_model_with((anim_simd)set, skeleton, got);
        if (!anim_floats_are_within(got[0].m[0], skeleton->joint_count * (size_t)12, 1e18f))
            fail_msg("%s: a matrix with an element that is no number, or beyond 1e18",
                     anim_simd_name((anim_simd)set));
    }
}

static void test_finite(void** state)
{
    (void)state;
    for_random_rigs(200, finite);
}

// --- the order ---------------------------------------------------------------------------------------

// Every joint lies in one lane, after its parent or beside it; lanes without one are identities.
static void in_order(const anim_skeleton* s, pose_kind kind)
{
    (void)kind;
    const anim_xform identity = ANIM_XFORM_IDENTITY;
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < s->group_count * 8; slot++) {
        uint32_t pair = slot / 8 * 4 + slot % 4, second = slot % 8 / 4, joint = s->joints[slot];
        anim_xform x;
        anim_lane_get(s->rest, slot, &x);
        if (joint == ANIM_NO_JOINT) {
            assert_memory_equal(&x, &identity, sizeof x);
            continue;
        }
        found++;
        assert_int_equal(s->slots[joint], slot);
        assert_memory_equal(&x, &s->rest_xforms[joint], sizeof x);
        const anim_joint_pair* own = &s->pairs[pair];
        assert_int_equal(own->joints[second], joint);
        assert_int_equal(own->parents[second], (uint16_t)s->parents[joint]);
        if (s->parents[joint] < 0)
            continue;
        uint32_t above = s->slots[s->parents[joint]], earlier = above / 8 * 4 + above % 4;
        assert_true(earlier < pair || (earlier == pair && second == 1 && above % 8 < 4));
        assert_true(!own->is_plain || earlier < pair);
    }
    assert_int_equal(found, s->joint_count);
}

static void test_order(void** state)
{
    (void)state;
    for_random_rigs(200, in_order);
}

// --- palettes ----------------------------------------------------------------------------------------

static anim_skin* random_skin(anim_skeleton* skeleton, bool is_hostile)
{
    static uint16_t joints[most_joints];
    static anim_mat34 inverse_bind[most_joints];
    uint32_t count = 1 + random_below(skeleton->joint_count);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = (uint16_t)random_below(skeleton->joint_count); // some twice
        for (int k = 0; k < 12; k++)
            (&inverse_bind[i].m[0][0])[k] = is_hostile ? hostile() : random_between(-2, 2);
    }
    anim_skin_desc desc = {NULL, skeleton, joints, inverse_bind, count};
    anim_skin* skin;
    anim_error error;
    assert_int_equal(anim_skin_create(&desc, &skin, &error), ANIM_OK);
    return skin;
}

// What the skin needs is as in the model-space matrices of all joints; nothing is touched but what lies in the
// groups that it lists.
static void check_part(const anim_skin* skin, anim_simd set)
{
    bool needed[most_joints] = {false}, touched[most_groups] = {false};
    static anim_mat34 fresh[most_joints + 1];
    for (uint32_t i = 0; i < skin->joint_count; i++)
        for (int32_t j = skin->joints[i]; j >= 0; j = skin->skeleton->parents[j])
            needed[j] = true;
    for (uint32_t i = 0; i < skin->group_count; i++)
        touched[skin->groups[i]] = true;
    fill_with_pattern(fresh);
    fill_with_pattern(got);
    assert_true(anim_simd_force(set));
    anim_skin_to_model(skin, pose, got);
    for (uint32_t j = 0; j < skin->skeleton->joint_count; j++)
        if (needed[j])
            assert_same_bits(&right[j], &got[j], sizeof *got, "part", set);
        else if (!touched[skin->skeleton->slots[j] / 8])
            assert_memory_equal(&fresh[j], &got[j], sizeof *got);
    assert_memory_equal(&fresh[most_joints], &got[most_joints], sizeof *got);
}

static void check_element(const anim_mat34* m, const anim_mat34* bind, int r, int c,
                          double got_here)
{
    double sum = c == 3 ? (double)m->m[r][3] : 0, size = fabs(sum);
    for (int k = 0; k < 3; k++) {
        double term = (double)m->m[r][k] * (double)bind->m[k][c];
        sum += term;
        size += fabs(term);
    }
    assert_true(fabs(sum - got_here) <= 4e-7 * size);
}

static void check_matrix(const anim_skin* skin, uint32_t i, const float* rows, const float* columns,
                         pose_kind kind)
{
    for (int k = 0; k < 12; k++) {
        int r = k / 4, c = k % 4;
        assert_true(fabsf(rows[k]) <= FLT_MAX && rows[k] == columns[4 * c + r]);
        if (kind != POSE_HOSTILE)
            check_element(&right[skin->joints[i]], &skin->inverse_bind[i], r, c, (double)rows[k]);
    }
    for (int c = 0; c < 4; c++)
        assert_true(columns[4 * c + 3] == (c == 3));
}

static void palettes(const anim_skeleton* skeleton, pose_kind kind)
{
    static float first[2][most_joints * 16 + 1], other[2][most_joints * 16 + 1];
    anim_skin* skin = random_skin((anim_skeleton*)(uintptr_t)skeleton, kind == POSE_HOSTILE);
    to_model_with(ANIM_SIMD_SCALAR, skeleton, right);
    for (int set = 0; set <= (int)last_set(); set++) {
        check_part(skin, (anim_simd)set);
        memset(other, 0x5a, sizeof other);
        anim_skin_palette_3x4(skin, right, other[0] + 1); // of no alignment
        anim_skin_palette_4x4(skin, right, other[1] + 1);
        if (set == ANIM_SIMD_SCALAR)
            memcpy(first, other, sizeof first);
        assert_same_bits(first, other, sizeof first, "palette", (anim_simd)set);
    }
    for (uint32_t i = 0; i < skin->joint_count; i++)
        check_matrix(skin, i, first[0] + 1 + 12 * i, first[1] + 1 + 16 * i, kind);
    anim_skin_release(skin);
}

static void test_palettes(void** state)
{
    (void)state;
    for_random_rigs(200, palettes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_right),
        cmocka_unit_test(test_finite),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_palettes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
