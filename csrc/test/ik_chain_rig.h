// SPDX-License-Identifier: MIT
// Shared by the tests of chain solvers: random numbers, skeletons, forward kinematics by matrices and
// measured limits, all written without the solvers' own code.
#pragma once

#include "base/hash.h"
#include "base/mem.h"
#include "math/trig.h"
#include "pose/ik_chain.h"
#include "test/pose_at.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_JOINTS = 40, MOST_GROUPS = MOST_JOINTS / 8 };

// ---- random numbers (no libm: golden hashes hang on them)

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

static inline void random_direction(float v[3])
{
    float length2;
    do {
        length2 = 0;
        for (int i = 0; i < 3; i++) {
            v[i] = random_float(-1, 1);
            length2 += v[i] * v[i];
        }
    } while (length2 > 1 || length2 < 0.01f);
    for (int i = 0; i < 3; i++)
        v[i] /= sqrtf(length2);
}

static inline void random_turn(float q[4], float most)
{
    float axis[3], sine;
    random_direction(axis);
    anim_sincos(random_float(0, most) / 2, &sine, &q[3]);
    for (int i = 0; i < 3; i++)
        q[i] = axis[i] * sine;
}

static inline bool is_slow_run(void)
{
    const char* slow = getenv("ANIM_SLOW");
    return !slow || strcmp(slow, "0") != 0;
}

// ---- skeletons

typedef struct rig {
    anim_joint_desc joints[MOST_JOINTS];
    char names[MOST_JOINTS][16];
    uint32_t count;
    anim_skeleton* skeleton;
    anim_pose_group pose[MOST_GROUPS];
} rig;

// Joints have to be added in depth-first order. Gives the joint.
static inline uint32_t rig_add(rig* r, int32_t parent, float x, float y, float z)
{
    uint32_t joint = r->count++;
    assert_true(joint < MOST_JOINTS);
    snprintf(r->names[joint], sizeof r->names[joint], "j%u", joint);
    anim_joint_desc* desc = &r->joints[joint];
    *desc = (anim_joint_desc){r->names[joint], parent, ANIM_XFORM_IDENTITY};
    desc->rest.t[0] = x;
    desc->rest.t[1] = y;
    desc->rest.t[2] = z;
    return joint;
}

static inline void rig_build(rig* r)
{
    anim_error err;
    uint32_t order[MOST_JOINTS];
    if (anim_skeleton_create(r->joints, r->count, order, &r->skeleton, &err))
        fail_msg("%s", err.message);
    for (uint32_t i = 0; i < r->count; i++)
        assert_int_equal(order[i], i);
    memset(r->pose, 0, sizeof r->pose);
    anim_pose_to_rest(r->skeleton, r->pose);
}

static inline void rig_free(rig* r)
{
    anim_skeleton_release(r->skeleton);
    *r = (rig){0};
}

static inline anim_xform rig_get(const rig* r, uint32_t joint)
{
    anim_xform x;
    anim_pose_get(r->skeleton, r->pose, joint, &x);
    return x;
}

static inline anim_chain* rig_chain(const rig* r, const anim_chain_desc* desc)
{
    anim_chain* chain;
    anim_error err;
    if (anim_chain_create(r->skeleton, desc, &chain, &err))
        fail_msg("%s", err.message);
    return chain;
}

// With a scratch full of rubbish: a solver may not look at what it has not written.
static inline float rig_solve(rig* r, const anim_chain* chain, const anim_chain_target* targets,
                              float weight)
{
    static int rubbish;
    size_t size = anim_chain_scratch_size(chain);
    void* scratch = anim_mem_alloc(size);
    assert_non_null(scratch);
    memset(scratch, (rubbish = (rubbish + 0x55) & 0xff), size);
    float residual = anim_ik_chain(chain, r->pose, targets, weight, scratch);
    anim_mem_free(scratch);
    return residual;
}

// One tip, made and solved at once.
static inline float rig_reach(rig* r, anim_chain_solver solver, uint32_t root, uint32_t tip,
                              const float at[3])
{
    anim_chain_desc desc = {.root = root, .tips = &tip, .tip_count = 1, .solver = solver};
    anim_chain* chain = rig_chain(r, &desc);
    anim_chain_target target = {{at[0], at[1], at[2]}, 1};
    float residual = rig_solve(r, chain, &target, 1);
    anim_chain_release(chain);
    return residual;
}

// ---- where joints are: 4x4 matrices, parent * translation * rotation * scale

typedef struct frame {
    double m[3][4];
} frame;

static inline void frame_of(const anim_xform* x, frame* out)
{
    double q[4] = {x->q[0], x->q[1], x->q[2], x->q[3]};
    for (int c = 0; c < 3; c++) {
        double e[3] = {c == 0, c == 1, c == 2}, t[3], u[3];
        for (int i = 0; i < 3; i++) { // e + 2 w (q x e) + 2 q x (q x e)
            int j = (i + 1) % 3, k = (i + 2) % 3;
            t[i] = q[j] * e[k] - q[k] * e[j];
        }
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            u[i] = q[j] * t[k] - q[k] * t[j];
        }
        for (int i = 0; i < 3; i++)
            out->m[i][c] = (e[i] + 2 * q[3] * t[i] + 2 * u[i]) * (double)x->s[c];
    }
    for (int i = 0; i < 3; i++)
        out->m[i][3] = x->t[i];
}

static inline void place_of(const rig* r, uint32_t joint, double out[3])
{
    anim_xform x = rig_get(r, joint);
    for (int i = 0; i < 3; i++)
        out[i] = x.t[i];
    for (int32_t p = r->skeleton->parents[joint]; p >= 0; p = r->skeleton->parents[p]) {
        frame f;
        x = rig_get(r, (uint32_t)p);
        frame_of(&x, &f);
        double at[3] = {out[0], out[1], out[2]};
        for (int i = 0; i < 3; i++)
            out[i] = f.m[i][0] * at[0] + f.m[i][1] * at[1] + f.m[i][2] * at[2] + f.m[i][3];
    }
}

static inline double gap(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static inline double miss_of(const rig* r, uint32_t joint, const float target[3])
{
    double at[3], goal[3] = {target[0], target[1], target[2]};
    place_of(r, joint, at);
    return gap(at, goal);
}

static inline double distance_between(const rig* r, uint32_t a, uint32_t b)
{
    double p[3], q[3];
    place_of(r, a, p);
    place_of(r, b, q);
    return gap(p, q);
}

// The angle between two rotations.
static inline double angle_between(const float a[4], const float b[4])
{
    double dot = 0, difference2 = 0, sum2 = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * (double)b[i];
    for (int i = 0; i < 4; i++) {
        double other = dot < 0 ? -(double)b[i] : (double)b[i];
        difference2 += ((double)a[i] - other) * ((double)a[i] - other);
        sum2 += ((double)a[i] + other) * ((double)a[i] + other);
    }
    return 4 * atan2(sqrt(difference2), sqrt(sum2));
}

// ---- limits, measured: the swing is the angle by which the axis has moved; what is left after the least
// turn that brings it back is the twist

static inline void turned(const double q[4], const double v[3], double out[3])
{
    double t[3];
    for (int i = 0; i < 3; i++)
        t[i] = 2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + q[3] * t[i] +
                 (q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3]);
}

static inline void product(const double a[4], const double b[4], double out[4])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[3] * b[i] + b[3] * a[i] +
                 (a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static inline double outside(double angle, double low, double high)
{
    double least = INFINITY;
    for (int turns = -3; turns <= 3; turns++) {
        double a = angle + turns * 6.283185307179586;
        double off = a < low ? low - a : a > high ? a - high : 0;
        least = off < least ? off : least;
    }
    return least;
}

// By how many radians the local rotation q is outside.
static inline double excess_of(const anim_joint_limit* limit, const float rest[4], const float q[4])
{
    double back[4] = {-(double)rest[0], -(double)rest[1], -(double)rest[2], rest[3]};
    double local[4] = {q[0], q[1], q[2], q[3]}, turn[4], axis[3], moved[3];
    double length = sqrt((double)limit->axis[0] * limit->axis[0] +
                         (double)limit->axis[1] * limit->axis[1] +
                         (double)limit->axis[2] * limit->axis[2]);
    for (int i = 0; i < 3; i++)
        axis[i] = limit->axis[i] / length;
    product(back, local, turn);
    turned(turn, axis, moved);
    double cross[3], dot = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cross[i] = moved[j] * axis[k] - moved[k] * axis[j]; // from where it moved back to the axis
        dot += moved[i] * axis[i];
    }
    double sine = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    double swing = atan2(sine, dot);
    double least[4] = {cross[0], cross[1], cross[2], 1 + dot}, size = 0, twist[4];
    for (int i = 0; i < 4; i++)
        size += least[i] * least[i];
    for (int i = 0; i < 4; i++)
        least[i] /= sqrt(size);
    product(least, turn, twist);
    double along = twist[0] * axis[0] + twist[1] * axis[1] + twist[2] * axis[2];
    double angle = 2 * atan2(along, twist[3]);
    if (limit->kind == ANIM_LIMIT_HINGE)
        return fmax(swing, outside(angle, limit->min, limit->max));
    double off = fmax(0, swing - limit->cone);
    return size < 1e-8 ? off : fmax(off, outside(angle, limit->twist_min, limit->twist_max));
}
