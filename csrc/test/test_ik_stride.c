// SPDX-License-Identifier: MIT
// Stride warping and orientation warping.
#include "math/range.h"
#include "pose/ik_orient.h"
#include "pose/ik_stride.h"
#include "test/ik_biped.h"

#include <float.h>

static const anim_ik_leg legs[] = {{HIP_L, KNEE_L, ANKLE_L}, {HIP_R, KNEE_R, ANKLE_R}};
static const uint32_t spine[] = {SPINE, LOIN, CHEST};

static anim_stride stride_of(float factor)
{
    return (anim_stride){.pelvis = PELVIS,
                         .legs = legs,
                         .leg_count = 2,
                         .factor = factor,
                         .direction = {0, 0, 1},
                         .weight = 1};
}

// Rotation of a joint in model space as a matrix.
static void axes_of(const anim_skeleton* skeleton, const anim_pose_group* pose, uint32_t joint,
                    double out[3][3])
{
    anim_ik_space space;
    anim_ik_space_of(skeleton, pose, (int32_t)joint, &space);
    for (int j = 0; j < 3; j++) {
        double length = sqrt(space.to_model[0][j] * space.to_model[0][j] +
                             space.to_model[1][j] * space.to_model[1][j] +
                             space.to_model[2][j] * space.to_model[2][j]);
        for (int i = 0; i < 3; i++)
            out[i][j] = space.to_model[i][j] / length;
    }
}

static double apart(const double a[3][3], const double b[3][3])
{
    double most = 0;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs((&a[0][0])[i] - (&b[0][0])[i]));
    return most;
}

static double turn_between(const anim_skeleton* skeleton, const anim_pose_group* a,
                           const anim_pose_group* b, uint32_t joint)
{
    anim_dquat p = anim_ik_local_of(skeleton, a, joint).q,
               q = anim_ik_local_of(skeleton, b, joint).q;
    anim_dquat d = anim_dquat_mul(anim_dquat_conjugate(p), q);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

// --- stride -------------------------------------------------------------------------------------------

static void assert_stride(const anim_skeleton* skeleton, double u, float factor, double* lowest)
{
    biped_pose animated, pose;
    pose_walk(skeleton, u, animated);
    memcpy(pose, animated, sizeof pose);
    anim_stride desc = stride_of(factor);
    float left = anim_ik_stride(skeleton, pose, &desc, NULL, NULL);
    anim_dvec pelvis = place_of(skeleton, animated, PELVIS);
    anim_dvec now = place_of(skeleton, pose, PELVIS);
    assert_true(fabs(now.x - pelvis.x) + fabs(now.z - pelvis.z) < 1e-6);
    assert_true(now.y <= pelvis.y + 1e-6);
    *lowest = fmin(*lowest, now.y - pelvis.y);
    for (uint32_t leg = 0; leg < 2; leg++) {
        uint32_t ankle = legs[leg].tip, knee = legs[leg].mid;
        anim_dvec from = place_of(skeleton, animated, ankle);
        anim_dvec to = place_of(skeleton, pose, ankle);
        assert_true(fabs(to.z - (pelvis.z + factor * (from.z - pelvis.z))) < 2e-6);
        assert_true(fabs(to.x - from.x) < 2e-6 && fabs(to.y - from.y) < 2e-6);
        double was[3][3], is[3][3];
        axes_of(skeleton, animated, ankle, was);
        axes_of(skeleton, pose, ankle, is);
        assert_true(apart((const double(*)[3])was, (const double(*)[3])is) < 2e-6);
        anim_dvec bone = anim_dvec_sub(place_of(skeleton, pose, knee), to);
        assert_true(fabs(anim_dvec_length(bone) - hypot(0.42, 0.02)) < 1e-6);
    }
    assert_true(left < 2e-6f);
    // all but pelvis and legs
    for (uint32_t j = 0; j < BIPED_JOINTS; j++) {
        anim_xform a, b;
        anim_pose_get(skeleton, animated, j, &a);
        anim_pose_get(skeleton, pose, j, &b);
        if (j != PELVIS && (j < HIP_L || j == TOE_L || j == TIP_L || j == TOE_R || j == TIP_R))
            assert_memory_equal(&a, &b, sizeof a);
        assert_memory_equal(a.s, b.s, sizeof a.s);
        if (j != PELVIS)
            assert_memory_equal(a.t, b.t, sizeof a.t);
    }
}

static void test_stride(void** state)
{
    (void)state;
    anim_skeleton* skeleton = make_biped();
    double lowest = 0;
    for (int i = 0; i < 100; i++) {
        static const float factors[] = {0, 0.3f, 0.8f, 0.999f, 1.001f, 1.2f, 1.5f};
        for (int k = 0; k < 7; k++)
            assert_stride(skeleton, i / 100.0, factors[k], &lowest);
    }
    print_message("pelvis lowered by up to %.3f m at 1.5 times\n", -lowest);
    assert_true(lowest < -0.03 && lowest > -0.25);
    anim_skeleton_release(skeleton);
}

// A factor of 1, weight 0 or no direction: every bit stays. Half the weight: half of the step.
static void test_stride_off(void** state)
{
    (void)state;
    anim_skeleton* skeleton = make_biped();
    biped_pose animated, pose;
    pose_walk(skeleton, 0.05, animated);
    memcpy(pose, animated, sizeof pose);
    anim_stride desc[] = {stride_of(1), stride_of(1.4f), stride_of(1.4f)};
    desc[1].weight = 0;
    desc[2].direction[2] = 0;
    anim_bend before[2] = {{{1, 0, 0}, 1}}, after[2];
    for (int i = 0; i < 3; i++) {
        assert_true(anim_ik_stride(skeleton, pose, &desc[i], before, after) == 0);
        assert_memory_equal(pose, animated, sizeof pose);
        assert_memory_equal(before, after, sizeof before);
    }
    anim_dvec from = place_of(skeleton, animated, ANKLE_L);
    desc[1].weight = 0.5f;
    desc[1].direction[2] = -7; // of any length, and either way
    anim_ik_stride(skeleton, pose, &desc[1], NULL, NULL);
    anim_dvec pelvis = place_of(skeleton, animated, PELVIS);
    anim_dvec to = place_of(skeleton, pose, ANKLE_L);
    assert_true(fabs(to.z - (pelvis.z + 1.2 * (from.z - pelvis.z))) < 2e-6);
    anim_skeleton_release(skeleton);
}

// Uneven and mirrored scale above (fault 105): feet go to their places all the same.
static void test_stride_below_scale(void** state)
{
    (void)state;
    static const float scales[][3] = {{-1, 1, 1}, {1, 1, -1}, {2, 1, 0.5f}, {0.5f, 3, -2}};
    anim_skeleton* skeleton = make_biped();
    for (int i = 0; i < 4; i++)
        for (int u = 0; u < 20; u++) {
            biped_pose animated, pose;
            anim_xform root;
            pose_walk(skeleton, u / 20.0, animated);
            anim_pose_get(skeleton, animated, ROOT, &root);
            memcpy(root.s, scales[i], sizeof root.s);
            anim_pose_set(skeleton, animated, ROOT, &root);
            memcpy(pose, animated, sizeof pose);
            anim_stride desc = stride_of(1.3f);
            float left = anim_ik_stride(skeleton, pose, &desc, NULL, NULL);
            assert_true(left < (i < 2 ? 1e-5f : 0.05f)); // uneven: some legs are too short
            anim_dvec pelvis = place_of(skeleton, animated, PELVIS);
            double far = 0;
            for (int leg = 0; leg < 2; leg++) {
                anim_dvec goal = place_of(skeleton, animated, legs[leg].tip);
                goal.z = pelvis.z + 1.3 * (goal.z - pelvis.z);
                anim_dvec by = anim_dvec_sub(place_of(skeleton, pose, legs[leg].tip), goal);
                far = fmax(far, anim_dvec_length(by));
            }
            assert_true(fabs(far - left) < 1e-5);
        }
    anim_skeleton_release(skeleton);
}

// The factor moves a little: so do the joints. Faster where a leg is at the end of its reach.
static void test_stride_is_continuous(void** state)
{
    (void)state;
    anim_skeleton* skeleton = make_biped();
    biped_pose pose, last;
    double most = 0, most_stretched = 0, most_pelvis = 0;
    for (int u = 0; u < 20; u++)
        for (int i = 0; i <= 1500; i++) {
            anim_stride desc = stride_of(0.002f * (float)i); // an ankle moves by .8 mm at most
            pose_walk(skeleton, u / 20.0, pose);
            bool reaches = anim_ik_stride(skeleton, pose, &desc, NULL, NULL) < 1e-5f;
            for (uint32_t j = 0; i > 0 && j < BIPED_JOINTS; j++) {
                double turn = turn_between(skeleton, pose, last, j);
                most_stretched = fmax(most_stretched, turn);
                if (reaches && desc.factor < 1.6f)
                    most = fmax(most, turn);
            }
            anim_dvec now = place_of(skeleton, pose, PELVIS);
            if (i > 0)
                most_pelvis = fmax(most_pelvis, fabs(now.y - place_of(skeleton, last, PELVIS).y));
            memcpy(last, pose, sizeof pose);
        }
    print_message(
        "step of .002: joints %.4f rad, %.4f where the leg gets straight, pelvis %.5f m\n", most,
        most_stretched, most_pelvis);
    assert_true(most < 0.01 && most > 0.001 && most_stretched < 0.1 && most_pelvis < 0.002);
    anim_skeleton_release(skeleton);
}

// --- orientation --------------------------------------------------------------------------------------

static void assert_orient(const anim_skeleton* skeleton, float angle, float weight,
                          const float* shares)
{
    biped_pose animated, pose;
    pose_walk(skeleton, 0.1, animated);
    memcpy(pose, animated, sizeof pose);
    anim_orient desc = {.pelvis = PELVIS,
                        .spine = spine,
                        .shares = shares,
                        .spine_count = 3,
                        .angle = angle,
                        .weight = weight};
    anim_ik_orient(skeleton, pose, &desc);
    double a = remainder(angle, 2 * 3.14159265358979324) * weight, s = sin(a), c = cos(a);
    for (uint32_t j = 0; j < BIPED_JOINTS; j++) {
        anim_xform was, is;
        anim_pose_get(skeleton, animated, j, &was);
        anim_pose_get(skeleton, pose, j, &is);
        assert_memory_equal(was.t, is.t, sizeof was.t);
        assert_memory_equal(was.s, is.s, sizeof was.s);
        if (j != PELVIS && j != SPINE && j != LOIN && j != CHEST)
            assert_memory_equal(was.q, is.q, sizeof was.q);
    }
    double from[3][3], to[3][3], right[3][3];
    static const uint32_t upper[] = {CHEST, HEAD}, lower[] = {PELVIS, KNEE_L, TOE_R};
    for (int i = 0; i < 2; i++) {
        axes_of(skeleton, animated, upper[i], from);
        axes_of(skeleton, pose, upper[i], to);
        assert_true(apart((const double(*)[3])from, (const double(*)[3])to) < 2e-6);
    }
    for (int i = 0; i < 3; i++) {
        axes_of(skeleton, animated, lower[i], from);
        axes_of(skeleton, pose, lower[i], to);
        for (int j = 0; j < 3; j++) {
            right[0][j] = c * from[0][j] + s * from[2][j];
            right[1][j] = from[1][j];
            right[2][j] = c * from[2][j] - s * from[0][j];
        }
        assert_true(apart((const double(*)[3])right, (const double(*)[3])to) < 2e-6);
    }
    anim_dvec ankle = place_of(skeleton, animated, ANKLE_L);
    anim_dvec pelvis = place_of(skeleton, animated, PELVIS);
    anim_dvec by = anim_dvec_sub(ankle, pelvis), now = place_of(skeleton, pose, ANKLE_L);
    anim_dvec goal = {pelvis.x + c * by.x + s * by.z, ankle.y, pelvis.z + c * by.z - s * by.x};
    assert_true(anim_dvec_length(anim_dvec_sub(now, goal)) < 2e-6);
}

static void test_orient(void** state)
{
    (void)state;
    anim_skeleton* skeleton = make_biped();
    static const float uneven[] = {1, 0, 3};
    for (int i = -400; i <= 400; i++) {
        assert_orient(skeleton, 0.01f * (float)i, 1, NULL);
        assert_orient(skeleton, 0.01f * (float)i, 0.7f, uneven);
    }
    assert_orient(skeleton, 1000, 1, NULL);

    // shares: a quarter of the turn back in the first joint, nothing in the second
    biped_pose animated, pose;
    pose_walk(skeleton, 0.1, animated);
    memcpy(pose, animated, sizeof pose);
    anim_orient desc = {.pelvis = PELVIS,
                        .spine = spine,
                        .shares = uneven,
                        .spine_count = 3,
                        .angle = 0.8f,
                        .weight = 1};
    anim_ik_orient(skeleton, pose, &desc);
    assert_true(fabs(turn_between(skeleton, animated, pose, SPINE) - 0.2) < 1e-6);
    assert_true(turn_between(skeleton, animated, pose, LOIN) == 0);
    assert_true(fabs(turn_between(skeleton, animated, pose, CHEST) - 0.6) < 1e-6);

    memcpy(pose, animated, sizeof pose);
    desc.weight = 0;
    anim_ik_orient(skeleton, pose, &desc);
    assert_memory_equal(pose, animated, sizeof pose);
    desc.weight = 1;
    desc.angle = 0;
    anim_ik_orient(skeleton, pose, &desc);
    assert_memory_equal(pose, animated, sizeof pose);
    desc.angle = 1;
    desc.spine_count = 0; // nothing turns back
    anim_ik_orient(skeleton, pose, &desc);
    assert_true(fabs(turn_between(skeleton, animated, pose, PELVIS) - 1) < 1e-6);
    anim_skeleton_release(skeleton);
}

// What faces +Z in the pelvis' space goes to the asked direction below uneven and mirrored scale, too, and
// the chest stays as it was (fault 105).
static void test_orient_below_scale(void** state)
{
    (void)state;
    static const float scales[][3] = {{-1, 1, 1}, {1, 1, -1}, {2, 1, 1}, {0.5f, 3, -2}};
    for (int i = 0; i < 4; i++) {
        anim_skeleton* skeleton = make_biped_with(scales[i]);
        for (int k = -15; k <= 15; k++) {
            biped_pose pose;
            memcpy(pose, skeleton->rest, sizeof pose);
            anim_orient desc = {.pelvis = PELVIS,
                                .spine = spine,
                                .spine_count = 3,
                                .angle = 0.2f * (float)k,
                                .weight = 1};
            anim_ik_orient(skeleton, pose, &desc);
            anim_ik_space was, is;
            anim_ik_space_of(skeleton, skeleton->rest, CHEST, &was);
            anim_ik_space_of(skeleton, pose, CHEST, &is);
            for (int row = 0; row < 3; row++)
                for (int j = 0; j < 3; j++)
                    assert_true(fabs(was.to_model[row][j] - is.to_model[row][j]) < 3e-6);
            anim_ik_space_of(skeleton, pose, PELVIS, &is);
            double x = is.to_model[0][2], z = is.to_model[2][2];
            if (scales[i][2] < 0) // the pelvis looks backward
                x = -x, z = -z;
            double a = remainder(desc.angle, 2 * 3.14159265358979324);
            assert_true(fabs(remainder(atan2(x, z) - a, 2 * 3.14159265358979324)) < 2e-6);
            assert_true(fabs(is.to_model[1][2]) < 2e-6);
        }
        anim_skeleton_release(skeleton);
    }
}

static void test_direction_below(void** state)
{
    (void)state;
    const double m[3][4] = {{2, 0, 0, 5}, {0, 0, 1, 6}, {0, 4, 0, 7}}, flat[3][4] = {{1, 0, 0, 0}};
    anim_dvec out, right = {1, 2, 3}; // of (2, 3, 8), mirrored
    assert_true(anim_ik_direction_below(m, (anim_dvec){2, 3, 8}, &out));
    assert_true(fabs(anim_dvec_dot(out, right) - anim_dvec_length(right)) < 1e-12);
    assert_false(anim_ik_direction_below(flat, right, &out));
}

static void test_orient_is_continuous(void** state)
{
    (void)state;
    anim_skeleton* skeleton = make_biped();
    biped_pose pose, last;
    double most = 0;
    for (int i = -3141; i <= 3141; i++) {
        anim_orient desc = {.pelvis = PELVIS,
                            .spine = spine,
                            .spine_count = 3,
                            .angle = 0.001f * (float)i,
                            .weight = 1};
        pose_walk(skeleton, 0.1, pose);
        anim_ik_orient(skeleton, pose, &desc);
        for (uint32_t j = 0; i > -3141 && j < BIPED_JOINTS; j++)
            most = fmax(most, turn_between(skeleton, pose, last, j));
        memcpy(last, pose, sizeof pose);
    }
    assert_true(most < 0.00101 && most > 0.00099);
    anim_skeleton_release(skeleton);
}

// --- anything -----------------------------------------------------------------------------------------

static float hostile(float usual)
{
    static const float values[] = {0, 1, -1, 1e-30f, -1e-30f, 1e30f, -1e30f, 1e-42f};
    uint32_t i = random_bits() % 24;
    return i < 8 ? values[i] : usual + random_float(-1, 1);
}

static void hostile_pose(const anim_skeleton* skeleton, anim_pose_group* pose)
{
    for (uint32_t j = 0; j < BIPED_JOINTS; j++) {
        anim_xform x;
        anim_pose_get(skeleton, skeleton->rest, j, &x);
        for (int i = 0; i < 3; i++) {
            if (random_bits() % 4 == 0)
                x.t[i] = hostile(x.t[i]);
            if (random_bits() % 8 == 0)
                x.s[i] = hostile(1);
        }
        for (int i = 0; i < 4; i++)
            x.q[i] = random_float(-1, 1);
        anim_quat_normalize(x.q, x.q);
        anim_pose_set(skeleton, pose, j, &x);
    }
}

static void test_hostile(void** state)
{
    (void)state;
    anim_skeleton* skeleton = make_biped();
    uint32_t count = rounds(500000), changed = 0;
    for (uint32_t i = 0; i < count; i++) {
        biped_pose animated, pose, again;
        hostile_pose(skeleton, animated);
        memcpy(pose, animated, sizeof pose);
        anim_stride stride = stride_of(fabsf(hostile(1)));
        anim_orient orient = {.pelvis = PELVIS,
                              .spine = spine,
                              .spine_count = 3,
                              .angle = hostile(0),
                              .weight = random_float(0, 1)};
        for (int k = 0; k < 3; k++)
            stride.direction[k] = hostile(0);
        stride.weight = random_float(0, 1);
        anim_bend before[2] = {{{0, 0, 0}, 0}}, after[2];
        float left = anim_ik_stride(skeleton, pose, &stride, before, after);
        assert_true(isfinite(left) && left >= 0);
        assert_true(anim_bend_is_fine(after) && anim_bend_is_fine(after + 1));
        assert_sound(skeleton, pose);
        changed += memcmp(pose, animated, sizeof pose) != 0;
        memcpy(again, animated, sizeof again);
        anim_ik_stride(skeleton, again, &stride, before, after);
        assert_memory_equal(pose, again, sizeof pose);

        memcpy(pose, animated, sizeof pose);
        anim_ik_orient(skeleton, pose, &orient);
        assert_sound(skeleton, pose);
        memcpy(again, animated, sizeof again);
        anim_ik_orient(skeleton, again, &orient);
        assert_memory_equal(pose, again, sizeof pose);
    }
    assert_true(changed > count / 2);
    anim_skeleton_release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_stride_off),
        cmocka_unit_test(test_stride_below_scale),
        cmocka_unit_test(test_stride_is_continuous),
        cmocka_unit_test(test_orient),
        cmocka_unit_test(test_orient_below_scale),
        cmocka_unit_test(test_direction_below),
        cmocka_unit_test(test_orient_is_continuous),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
