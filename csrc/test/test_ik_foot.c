// SPDX-License-Identifier: MIT
// Foot placement, one pose at a time, against formulas of its own.
#include "test/ik_biped.h"

// --- what a foot rests on -----------------------------------------------------------------------------

static void test_measure(void** state)
{
    (void)state;
    anim_skeleton* skeleton = make_biped();
    anim_foot_leg leg;
    describe_leg(skeleton, 0, true, &leg);
    assert_true(fabs(leg.length - (hypot(0.45, 0.02) + hypot(0.42, 0.02))) < 1e-6);
    assert_true(fabsf(leg.ball_height - 0.03f) < 1e-6f);
    assert_true(fabsf(leg.heel_at[1] + 0.08f) < 1e-6f && fabsf(leg.heel_at[2] + 0.05f) < 1e-6f);
    assert_true(fabsf(leg.toe_tip[1] + 0.03f) < 1e-6f && fabsf(leg.toe_tip[2] - 0.07f) < 1e-6f);
    describe_leg(skeleton, 0, false, &leg); // half of the ankle's height behind it
    assert_true(fabsf(leg.heel_at[1] + 0.08f) < 1e-6f && fabsf(leg.heel_at[2] + 0.04f) < 1e-6f);
    leg.toe = -1;
    anim_ik_foot_measure(skeleton, &leg);
    assert_true(fabsf(leg.ball_height - 0.08f) < 1e-6f && fabsf(leg.heel_at[2]) < 1e-6f);
    anim_skeleton_release(skeleton);
}

// --- place --------------------------------------------------------------------------------------------

typedef struct turn {
    double r[3][3];
} turn;

static anim_dvec turned(const turn* t, anim_dvec v)
{
    return (anim_dvec){t->r[0][0] * v.x + t->r[0][1] * v.y + t->r[0][2] * v.z,
                       t->r[1][0] * v.x + t->r[1][1] * v.y + t->r[1][2] * v.z,
                       t->r[2][0] * v.x + t->r[2][1] * v.y + t->r[2][2] * v.z};
}

// By Rodrigues' formula about the unit axis (x, 0, z).
static turn turn_about(double x, double z, double angle)
{
    double s = sin(angle), c = cos(angle), k = 1 - c;
    return (turn){{{c + k * x * x, -s * z, k * x * z},
                   {s * z, c, -s * x},
                   {k * x * z, s * x, c + k * z * z}}};
}

// The turn of the sole: toward the normal by the foot's lift, no more than the limit.
static turn sole_turn(double lift, double slope_x, double slope_z, double limit)
{
    double steep = hypot(slope_x, slope_z),
           away = lift / (0.2 * (hypot(0.45, 0.02) + hypot(0.42, 0.02)));
    double near = 1 - smooth_step(away), full = 1 / sqrt(1 + steep * steep);
    if (steep == 0)
        return turn_about(1, 0, 0);
    double flat = steep * full * near, up = full * near + 1 - near;
    double angle = fmin(atan2(flat, up), limit);
    return turn_about(-slope_z / steep, slope_x / steep, angle);
}

typedef struct animated_foot {
    anim_dvec ankle, ball, heel;
    double lift;
} animated_foot;

static animated_foot look_at(const anim_skeleton* skeleton, const anim_pose_group* pose,
                             uint32_t leg)
{
    uint32_t to = leg * LEG;
    animated_foot f = {place_of(skeleton, pose, ANKLE_L + to), place_of(skeleton, pose, TOE_L + to),
                       place_of(skeleton, pose, HEEL_L + to), 0};
    f.lift = fmin(f.heel.y, f.ball.y - 0.03);
    return f;
}

// Where a point of the animated foot should be.
static anim_dvec goal_of(const animated_foot* f, anim_dvec point, double height, double slope_x,
                         double slope_z, const turn* t)
{
    double sunk = fmin(fmax(-f->lift, 0), 0.05 * 0.8709);
    anim_dvec from = {point.x - f->ball.x, point.y, point.z - f->ball.z};
    anim_dvec by = turned(t, from);
    double ground = height + slope_x * f->ball.x + slope_z * f->ball.z + sunk;
    return (anim_dvec){f->ball.x + by.x, ground + by.y, f->ball.z + by.z};
}

// The pelvis: as low as the lower foot is moved, and as legs need; no lower.
static void assert_pelvis(const stage* s, const anim_pose_group* animated,
                          const anim_pose_group* pose, const double own[2])
{
    anim_dvec was = place_of(s->skeleton, animated, PELVIS),
              is = place_of(s->skeleton, pose, PELVIS);
    double off = is.y - was.y, least = fmin(0, fmin(own[0], own[1]));
    assert_true(fabs(is.x - was.x) + fabs(is.z - was.z) < 1e-6);
    assert_true(off <= least + 2e-6);
    bool is_tight = off > least - 2e-6;
    for (uint32_t to = 0; to <= LEG; to += LEG) {
        double now = distance(place_of(s->skeleton, pose, HIP_L + to),
                              place_of(s->skeleton, pose, ANKLE_L + to));
        double before = distance(place_of(s->skeleton, animated, HIP_L + to),
                                 place_of(s->skeleton, animated, ANKLE_L + to));
        double most = fmax(before, 0.999 * (hypot(0.45, 0.02) + hypot(0.42, 0.02)));
        assert_true(now <= most + 3e-6);
        is_tight = is_tight || now > most - 3e-6;
    }
    assert_true(is_tight);
}

static void assert_rest_stays(const anim_skeleton* skeleton, const anim_pose_group* animated,
                              const anim_pose_group* pose)
{
    for (uint32_t j = 0; j < BIPED_JOINTS; j++) {
        anim_xform a, b;
        anim_pose_get(skeleton, animated, j, &a);
        anim_pose_get(skeleton, pose, j, &b);
        bool turns = j >= HIP_L && (j - HIP_L) % LEG <= TOE_L - HIP_L;
        if (!turns)
            assert_memory_equal(a.q, b.q, sizeof a.q);
        if (j != PELVIS)
            assert_memory_equal(a.t, b.t, sizeof a.t);
        assert_memory_equal(a.s, b.s, sizeof a.s);
    }
}

static void test_place(void** state)
{
    (void)state;
    stage s = make_stage();
    uint32_t count = rounds(20000), kept_off = 0;
    double worst = 0;
    for (uint32_t i = 0; i < count; i++) {
        biped_pose animated, pose;
        double height[2], slope_x[2], slope_z[2], own[2];
        pose_walk(s.skeleton, random_float(0, 1), animated);
        memcpy(pose, animated, sizeof pose);
        float steep = i % 3 ? 0.4f : 2;
        for (uint32_t leg = 0; leg < 2; leg++) {
            height[leg] = random_float(-0.2f, 0.2f);
            slope_x[leg] = random_float(-steep, steep);
            slope_z[leg] = random_float(-steep, steep) * 0.3f;
            set_ground(&s, leg, height[leg], slope_x[leg], slope_z[leg]);
        }
        forget(&s);
        s.desc.reach = 3;
        assert_true(solve(&s, pose, 0.1) < 1e-5f);
        for (uint32_t leg = 0; leg < 2; leg++) {
            animated_foot was = look_at(s.skeleton, animated, leg);
            animated_foot is = look_at(s.skeleton, pose, leg);
            turn t = sole_turn(was.lift, slope_x[leg], slope_z[leg], 0.7853981634);
            anim_dvec ankle = goal_of(&was, was.ankle, height[leg], slope_x[leg], slope_z[leg], &t);
            anim_dvec ball = goal_of(&was, was.ball, height[leg], slope_x[leg], slope_z[leg], &t);
            anim_dvec heel = goal_of(&was, was.heel, height[leg], slope_x[leg], slope_z[leg], &t);
            own[leg] = ankle.y - was.ankle.y;
            anim_dvec hip = place_of(s.skeleton, pose, HIP_L + leg * LEG);
            if (distance(ankle, hip) < 0.4 * 0.8709 && was.lift > 0.0053) { // kept off the hip
                assert_true(is.ankle.y < ankle.y && distance(is.ankle, hip) < 0.4 * 0.8709 + 1e-4);
                assert_true(distance(is.ankle, hip) > 0.4 * 0.8709 - 1e-4 || was.lift < 0.0349);
                assert_true(fabs(is.ankle.x - ankle.x) + fabs(is.ankle.z - ankle.z) < 1e-5);
                kept_off++;
                continue;
            }
            worst = fmax(worst, distance(is.ankle, ankle));
            worst = fmax(worst, distance(is.ball, ball));
            worst = fmax(worst, distance(is.heel, heel));
        }
        assert_pelvis(&s, animated, pose, own);
        assert_rest_stays(s.skeleton, animated, pose);
        assert_sound(s.skeleton, pose);
    }
    print_message("%u poses: feet within %.2g m; %u kept off the hip\n", count, worst, kept_off);
    assert_true(worst < 5e-6 && worst > 0);
    assert_true(kept_off > 0 && kept_off < count / 10);
    free_stage(&s);
}

// Level ground at the animation's own height changes nothing but rounding.
static void test_own_ground(void** state)
{
    (void)state;
    stage s = make_stage();
    for (int i = 0; i < 200; i++) {
        biped_pose animated, pose;
        pose_walk(s.skeleton, i / 200.0, animated);
        memcpy(pose, animated, sizeof pose);
        set_ground(&s, 0, 0, 0, 0);
        set_ground(&s, 1, 0, 0, 0);
        forget(&s);
        solve(&s, pose, 0);
        for (uint32_t j = 0; j < BIPED_JOINTS; j++)
            assert_true(distance(place_of(s.skeleton, animated, j), place_of(s.skeleton, pose, j)) <
                        3e-6);
    }
    free_stage(&s);
}

static void test_weight(void** state)
{
    (void)state;
    stage s = make_stage();
    biped_pose animated, full, half, none;
    pose_walk(s.skeleton, 0.3, animated);
    memcpy(full, animated, sizeof full);
    memcpy(half, animated, sizeof half);
    memcpy(none, animated, sizeof none);
    set_ground(&s, 0, -0.1, 0.2, 0.1);
    set_ground(&s, 1, 0.05, 0, 0.3);
    solve(&s, full, 0);
    s.desc.weight = 0;
    assert_true(solve(&s, none, 0.1) == 0);
    assert_memory_equal(none, animated, sizeof none);
    for (size_t i = 0; i < anim_ik_foot_memory_size(2); i++)
        assert_true(((unsigned char*)s.memory)[i] == 0); // fresh
    s.desc.weight = 0.5f;
    assert_true(solve(&s, half, 0.1) < 1e-5f);
    static const uint32_t joints[] = {PELVIS, ANKLE_L, ANKLE_R};
    for (int i = 0; i < 3; i++) {
        anim_dvec a = place_of(s.skeleton, animated, joints[i]);
        anim_dvec b = place_of(s.skeleton, full, joints[i]);
        anim_dvec middle = anim_dvec_scale(anim_dvec_add(a, b), 0.5);
        assert_true(distance(place_of(s.skeleton, half, joints[i]), middle) < 3e-6);
    }
    forget(&s);
    s.desc.weight = 1e-6f; // next to nothing
    memcpy(half, animated, sizeof half);
    solve(&s, half, 0.1);
    for (uint32_t j = 0; j < BIPED_JOINTS; j++)
        assert_true(distance(place_of(s.skeleton, animated, j), place_of(s.skeleton, half, j)) <
                    3e-6);
    free_stage(&s);
}

// Beyond the reach, and where there is no ground, a foot keeps its place; level is the animation's ground.
static void test_reach(void** state)
{
    (void)state;
    stage s = make_stage();
    biped_pose animated, pose;
    pose_walk(s.skeleton, 0.2, animated);
    animated_foot was = look_at(s.skeleton, animated, 0);
    s.desc.reach = 0.15f;
    for (int i = -3; i <= 3; i++) {
        memcpy(pose, animated, sizeof pose);
        set_ground(&s, 0, 0.07 * i, 0, 0);
        forget(&s);
        solve(&s, pose, 0);
        double right = i == 3 || i == -3 ? 0 : 0.07 * i;
        animated_foot is = look_at(s.skeleton, pose, 0), other = look_at(s.skeleton, pose, 1);
        assert_true(fabs(is.ankle.y - was.ankle.y - right) < 2e-6);
        assert_true(distance(other.ankle, look_at(s.skeleton, animated, 1).ankle) < 2e-6);
    }
    s.desc.level = 0.3f; // everything stands that much higher
    anim_xform root;
    anim_pose_get(s.skeleton, animated, ROOT, &root);
    root.t[1] = 0.3f;
    anim_pose_set(s.skeleton, animated, ROOT, &root);
    memcpy(pose, animated, sizeof pose);
    set_ground(&s, 0, 0.37, 0, 0);
    forget(&s);
    solve(&s, pose, 0);
    assert_true(fabs(look_at(s.skeleton, pose, 0).ankle.y - was.ankle.y - 0.37) < 2e-6);
    free_stage(&s);
}

// A foot that rolls over its ball takes stiff toes with it into the ground: they are bent up onto it, by up
// to 60 degrees.
static void test_toes(void** state)
{
    (void)state;
    stage s = make_stage();
    int bent = 0, most_bent = 0;
    for (int i = 0; i <= 100; i++) {
        biped_pose animated, pose;
        double stiff = i % 3 ? 0 : 0.9, slope = 0.01 * (i % 40 - 20);
        pose_walk(s.skeleton, i / 100.0, animated);
        turn_about_x(s.skeleton, animated, TOE_L, stiff);
        anim_xform root; // now and then mirrored
        anim_pose_get(s.skeleton, animated, ROOT, &root);
        root.s[0] = i % 5 == 0 ? -1 : 1;
        root.s[2] = i % 5 == 1 ? -1 : 1;
        anim_pose_set(s.skeleton, animated, ROOT, &root);
        memcpy(pose, animated, sizeof pose);
        set_ground(&s, 0, 0, 0, slope);
        forget(&s);
        s.desc.tilt = i % 2 ? 0.7f : 0.1f; // steeper than the sole may be
        solve(&s, pose, 0);
        anim_dvec tip = place_of(s.skeleton, pose, TIP_L);
        double over = (tip.y - slope * tip.z) / sqrt(1 + slope * slope);
        anim_xform was, is;
        anim_pose_get(s.skeleton, animated, TOE_L, &was);
        anim_pose_get(s.skeleton, pose, TOE_L, &is);
        double bend = 2 * atan2(is.q[0], is.q[3]) - stiff;
        bool touched = memcmp(was.q, is.q, sizeof was.q) != 0, is_most = bend < -1.0471;
        bent += touched;
        most_bent += is_most;
        assert_true(over > -5e-6 || is_most);
        assert_true(!touched || fabs(over) < 5e-6 || is_most);
        assert_true(bend > -1.0473 && bend < 1e-6);
    }
    assert_true(bent > 20 && bent < 80 && most_bent > 5);
    free_stage(&s);
}

// Mirrored and uneven scale above (fault 105): the ankle comes to its place, the sole lies on the plane.
static void test_scale(void** state)
{
    (void)state;
    static const float scales[][3] = {
        {-1, 1, 1}, {1, 1, -1}, {-1, 1, -1}, {2, 1, 0.5f}, {0.5f, 2, -3}};
    stage s = make_stage();
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 50; i++) {
            biped_pose animated, pose;
            anim_xform root;
            pose_walk(s.skeleton, i / 50.0, animated);
            anim_pose_get(s.skeleton, animated, ROOT, &root);
            memcpy(root.s, scales[k], sizeof root.s);
            anim_pose_set(s.skeleton, animated, ROOT, &root);
            memcpy(pose, animated, sizeof pose);
            set_ground(&s, 0, 0.03, 0.2, 0.1);
            set_ground(&s, 1, -0.05, -0.1, 0.2);
            forget(&s);
            s.desc.reach = 3;
            assert_true(solve(&s, pose, 0) < 1e-5f);
            animated_foot was = look_at(s.skeleton, animated, 0), is = look_at(s.skeleton, pose, 0);
            was.lift = fmin(was.heel.y, was.ball.y - 0.03);
            turn t = sole_turn(was.lift, 0.2, 0.1, 0.78);
            anim_dvec goal = goal_of(&was, was.ankle, 0.03, 0.2, 0.1, &t);
            assert_true(distance(is.ankle, goal) < 1e-5);
            if (k < 3) // the foot keeps its form
                assert_true(distance(is.heel, goal_of(&was, was.heel, 0.03, 0.2, 0.1, &t)) < 1e-5);
            // a plane goes by the transposed matrix: the sole's was level, and is turned
            anim_ik_space before, after;
            anim_ik_space_of(s.skeleton, animated, ANKLE_L, &before);
            anim_ik_space_of(s.skeleton, pose, ANKLE_L, &after);
            anim_dvec n = turned(&t, (anim_dvec){0, 1, 0}), from[2];
            for (int j = 0; j < 2; j++) {
                const anim_ik_space* m = j ? &after : &before;
                anim_dvec v = j ? n : (anim_dvec){0, 1, 0};
                from[j] = (anim_dvec){
                    m->to_model[0][0] * v.x + m->to_model[1][0] * v.y + m->to_model[2][0] * v.z,
                    m->to_model[0][1] * v.x + m->to_model[1][1] * v.y + m->to_model[2][1] * v.z,
                    m->to_model[0][2] * v.x + m->to_model[1][2] * v.y + m->to_model[2][2] * v.z};
                from[j] = anim_dvec_scale(from[j], 1 / length_of(from[j]));
            }
            assert_true(distance(from[0], from[1]) < 3e-6);
        }
    free_stage(&s);
}

// The ground goes up by a millimetre at a time and tilts: joints go little steps, too.
static void test_is_continuous(void** state)
{
    (void)state;
    stage s = make_stage();
    double most = 0;
    for (int u = 0; u < 40; u++) {
        biped_pose pose, last;
        for (int i = 0; i <= 400; i++) {
            pose_walk(s.skeleton, u / 40.0, pose);
            turn_about_x(s.skeleton, pose, TOE_L, u % 2 ? 0.3 : 0);
            set_ground(&s, 0, -0.2 + 0.001 * i, 0.1, 0.001 * (i - 200));
            set_ground(&s, 1, 0.2 - 0.001 * i, -0.1, 0);
            forget(&s);
            solve(&s, pose, 0);
            for (uint32_t j = 0; i > 0 && j < BIPED_JOINTS; j++) {
                anim_dquat a = anim_ik_local_of(s.skeleton, pose, j).q,
                           b = anim_ik_local_of(s.skeleton, last, j).q;
                anim_dquat d = anim_dquat_mul(anim_dquat_conjugate(a), b);
                most = fmax(most, 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z));
            }
            memcpy(last, pose, sizeof pose);
        }
    }
    print_message("1 mm and 1 mrad: joints by %.4f rad\n", most);
    assert_true(most < 0.03 && most > 0.001);
    free_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measure),    cmocka_unit_test(test_place),
        cmocka_unit_test(test_own_ground), cmocka_unit_test(test_weight),
        cmocka_unit_test(test_reach),      cmocka_unit_test(test_toes),
        cmocka_unit_test(test_scale),      cmocka_unit_test(test_is_continuous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
