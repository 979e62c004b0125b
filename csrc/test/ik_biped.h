// SPDX-License-Identifier: MIT
// A figure on two legs that walks along +Z, for the tests of feet: by a formula, so that what it stands
// on at each time is known.
#pragma once

#include "math/trig.h"
#include "pose/ik_foot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROOT,
    PELVIS,
    SPINE,
    LOIN,
    CHEST,
    HEAD,
    HIP_L,
    KNEE_L,
    ANKLE_L,
    TOE_L,
    TIP_L,
    HEEL_L,
    HIP_R,
    KNEE_R,
    ANKLE_R,
    TOE_R,
    TIP_R,
    HEEL_R,
    BIPED_JOINTS
};

enum { BIPED_GROUPS = (BIPED_JOINTS + 7) / 8, LEG = HIP_R - HIP_L };

typedef anim_pose_group biped_pose[BIPED_GROUPS];

// Rounds of a random test; few under Valgrind.
static inline uint32_t rounds(uint32_t count)
{
    const char* slow = getenv("ANIM_SLOW");
    return slow && strcmp(slow, "0") == 0 ? count / 100 + 1 : count;
}

static uint32_t random_state = 1;

static inline uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static inline float random_float(float low, float high)
{
    return low + (high - low) * ((float)(random_bits() >> 8) * 0x1p-24f);
}

// The root may be scaled: everything below it is then, too.
static inline anim_skeleton* make_biped_with(const float root_scale[3])
{
    static const float at[BIPED_JOINTS][3] = {
        {0, 0, 0},           {0, 0.95f, 0},      {0, 0.12f, 0},       {0, 0.15f, 0},
        {0, 0.15f, 0},       {0, 0.25f, 0},      {0.1f, 0, 0},        {0, -0.45f, 0.02f},
        {0, -0.42f, -0.02f}, {0, -0.05f, 0.13f}, {0, -0.03f, 0.07f},  {0, -0.08f, -0.05f},
        {-0.1f, 0, 0},       {0, -0.45f, 0.02f}, {0, -0.42f, -0.02f}, {0, -0.05f, 0.13f},
        {0, -0.03f, 0.07f},  {0, -0.08f, -0.05f}};
    static const int32_t parents[BIPED_JOINTS] = {-1, 0, 1, 2, 3,  4,  1,  6,  7,
                                                  8,  9, 8, 1, 12, 13, 14, 15, 14};
    static const char* const names[BIPED_JOINTS] = {
        "root",  "pelvis", "spine",  "loin",  "chest",  "head",    "hip.L", "knee.L", "ankle.L",
        "toe.L", "tip.L",  "heel.L", "hip.R", "knee.R", "ankle.R", "toe.R", "tip.R",  "heel.R"};
    anim_joint_desc joints[BIPED_JOINTS];
    for (uint32_t i = 0; i < BIPED_JOINTS; i++) {
        joints[i] = (anim_joint_desc){names[i], parents[i], ANIM_XFORM_IDENTITY};
        memcpy(joints[i].rest.t, at[i], sizeof at[i]);
    }
    memcpy(joints[ROOT].rest.s, root_scale, 3 * sizeof *root_scale);
    anim_skeleton* skeleton;
    anim_error err;
    uint32_t order[BIPED_JOINTS];
    assert_int_equal(anim_skeleton_create(joints, BIPED_JOINTS, order, &skeleton, &err), 0);
    for (uint32_t i = 0; i < BIPED_JOINTS; i++)
        assert_int_equal(order[i], i);
    return skeleton;
}

static inline anim_skeleton* make_biped(void)
{
    return make_biped_with((const float[]){1, 1, 1});
}

static inline void describe_leg(const anim_skeleton* skeleton, uint32_t leg, bool has_heel,
                                anim_foot_leg* out)
{
    uint32_t to = leg * LEG;
    *out = (anim_foot_leg){.joints = {HIP_L + to, KNEE_L + to, ANKLE_L + to},
                           .toe = (int32_t)(TOE_L + to),
                           .heel = has_heel ? (int32_t)(HEEL_L + to) : -1};
    anim_ik_foot_measure(skeleton, out);
}

static inline anim_dvec place_of(const anim_skeleton* skeleton, const anim_pose_group* pose,
                                 uint32_t joint)
{
    anim_ik_space space;
    anim_ik_space_of(skeleton, pose, (int32_t)joint, &space);
    return anim_ik_point((const double(*)[4])space.to_model, (anim_dvec){0, 0, 0});
}

// --- walking ------------------------------------------------------------------------------------------

// The walk's time over its period is u, 0 to 1. A foot comes down on its heel at 0, stands flat from .08
// to .35, rolls over its ball until .6 and swings.
static const double walk_period = 1, walk_speed = 1.2;
static const double walk_flat = 0.08, walk_rolls = 0.35, walk_swings = 0.6;

static inline double smooth_step(double x)
{
    x = fmin(fmax(x, 0), 1);
    return x * x * (3 - 2 * x);
}

typedef struct walk_foot {
    double z, y;  // of the ankle
    double pitch; // toes down is positive
    double toe;   // likewise, against the foot
} walk_foot;

static inline void pitched(double y, double z, double angle, double* out_y, double* out_z)
{
    *out_y = y * cos(angle) - z * sin(angle);
    *out_z = y * sin(angle) + z * cos(angle);
}

static inline walk_foot foot_standing(double u)
{
    walk_foot f = {0.36 - walk_speed * walk_period * u, 0.08, 0, 0};
    double y, z;
    if (u < walk_flat) { // around the heel
        f.pitch = -0.35 * (1 - u / walk_flat);
        pitched(0.08, 0.05, f.pitch, &y, &z);
        f.z += z - 0.05;
        f.y = y;
    } else if (u > walk_rolls) { // around the ball
        f.pitch = 0.8 * smooth_step((u - walk_rolls) / (walk_swings - walk_rolls) * 0.8);
        pitched(0.05, -0.13, f.pitch, &y, &z);
        f.z += z + 0.13;
        f.y = y + 0.03;
        f.toe = -f.pitch;
    }
    return f;
}

static inline walk_foot foot_walking(double u)
{
    u -= floor(u);
    if (u <= walk_swings)
        return foot_standing(u);
    double s = (u - walk_swings) / (1 - walk_swings), k = smooth_step(s);
    walk_foot from = foot_standing(walk_swings), to = foot_standing(0);
    double bump = 16 * s * s * (1 - s) * (1 - s);
    return (walk_foot){from.z + (to.z - from.z) * k, from.y + (to.y - from.y) * k + 0.07 * bump,
                       from.pitch + (to.pitch - from.pitch) * k, from.toe * (1 - k)};
}

static inline void turn_about_x(const anim_skeleton* skeleton, anim_pose_group* pose,
                                uint32_t joint, double angle)
{
    anim_xform x;
    anim_pose_get(skeleton, pose, joint, &x);
    memcpy(x.q, (float[]){(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)}, sizeof x.q);
    anim_pose_set(skeleton, pose, joint, &x);
}

static inline void pose_walk(const anim_skeleton* skeleton, double u, anim_pose_group* pose)
{
    memcpy(pose, skeleton->rest, sizeof(biped_pose));
    anim_xform pelvis;
    anim_pose_get(skeleton, pose, PELVIS, &pelvis);
    pelvis.t[1] = (float)(0.905 - 0.015 * cos(4 * 3.14159265358979 * u));
    anim_pose_set(skeleton, pose, PELVIS, &pelvis);
    for (uint32_t leg = 0; leg < 2; leg++) {
        uint32_t to = leg * LEG;
        walk_foot f = foot_walking(u + leg * 0.5);
        anim_two_bone bones = {.root = HIP_L + to,
                               .mid = KNEE_L + to,
                               .tip = ANKLE_L + to,
                               .target = {leg ? -0.1f : 0.1f, (float)f.y, (float)f.z},
                               .weight = 1,
                               .soft = 1,
                               .stretch = 1,
                               .rotation = ANIM_IK_ROTATION_GIVEN,
                               .given = {(float)sin(f.pitch / 2), 0, 0, (float)cos(f.pitch / 2)}};
        float left = anim_ik_two_bone(skeleton, pose, &bones, NULL, NULL);
        assert_true(left < 1e-5f);
        turn_about_x(skeleton, pose, TOE_L + to, f.toe);
    }
}

// --- feet ---------------------------------------------------------------------------------------------

typedef struct stage {
    anim_skeleton* skeleton;
    anim_foot_leg legs[2];
    anim_foot_input inputs[2];
    anim_foot desc;
    anim_foot_memory* memory;
} stage;

static inline stage make_stage(void)
{
    stage s = {.skeleton = make_biped()};
    for (uint32_t i = 0; i < 2; i++)
        describe_leg(s.skeleton, i, true, &s.legs[i]);
    s.memory = calloc(1, anim_ik_foot_memory_size(2));
    s.desc = (anim_foot){.leg_count = 2,
                         .pelvis = PELVIS,
                         .reach = 0.6f,
                         .tilt = ANIM_FOOT_TILT,
                         .weight = 1,
                         .place = ANIM_RIGID_IDENTITY};
    return s;
}

static inline void free_stage(stage* s)
{
    anim_skeleton_release(s->skeleton);
    free(s->memory);
}

static inline void forget(stage* s)
{
    memset(s->memory, 0, anim_ik_foot_memory_size(2));
}

static inline float solve(stage* s, anim_pose_group* pose, double dt)
{
    s->desc.legs = s->legs;
    s->desc.inputs = s->inputs;
    return anim_ik_foot(s->skeleton, pose, &s->desc, s->memory, s->memory, dt);
}

static inline void set_ground(stage* s, uint32_t leg, double height, double slope_x, double slope_z)
{
    s->inputs[leg] = (anim_foot_input){.lock = s->inputs[leg].lock,
                                       .has_ground = true,
                                       .point = {0, (float)height, 0},
                                       .normal = {(float)-slope_x, 1, (float)-slope_z}};
}

static inline double length_of(anim_dvec v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static inline double distance(anim_dvec a, anim_dvec b)
{
    return length_of(anim_dvec_sub(a, b));
}

static inline void assert_sound(const anim_skeleton* skeleton, const anim_pose_group* pose)
{
    for (uint32_t j = 0; j < BIPED_JOINTS; j++) {
        anim_xform x;
        anim_pose_get(skeleton, pose, j, &x);
        assert_true(anim_xform_is_finite(&x));
        double unit = 0;
        for (int i = 0; i < 4; i++)
            unit += (double)x.q[i] * x.q[i];
        assert_true(fabs(unit - 1) < 2e-6);
    }
}
