// SPDX-License-Identifier: MIT
// Random skeletons and poses, sane or at the edge of what floats are, for the tests of kernels.
#pragma once

#include "base/simd_pick.h"
#include "pose/pose.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { most_joints = 300, most_groups = (most_joints + 7) / 8 };

static uint32_t random_state = 1;

static inline uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static inline uint32_t random_below(uint32_t count)
{
    return random_bits() % count;
}

static inline float random_between(float low, float high)
{
    return low + (high - low) * ((float)(random_bits() >> 8) / (float)(1u << 24));
}

typedef enum tree_shape { TREE_CHAIN, TREE_STAR, TREE_ANY, TREE_FOREST, TREE_SHAPES } tree_shape;

static inline int32_t random_parent(tree_shape shape, uint32_t joint)
{
    if (joint == 0 || (shape == TREE_FOREST && random_below(5) == 0))
        return -1;
    if (shape == TREE_CHAIN)
        return (int32_t)joint - 1;
    return shape == TREE_STAR ? 0 : (int32_t)random_below(joint);
}

static inline anim_skeleton* random_skeleton(tree_shape shape, uint32_t count)
{
    static anim_joint_desc joints[most_joints];
    static char names[most_joints][16];
    for (uint32_t j = 0; j < count; j++) {
        snprintf(names[j], sizeof names[j], "j%u", j);
        joints[j] = (anim_joint_desc){names[j], random_parent(shape, j), ANIM_XFORM_IDENTITY};
    }
    anim_skeleton* skeleton;
    anim_error error;
    if (anim_skeleton_create(joints, count, NULL, &skeleton, &error) != ANIM_OK)
        fail_msg("%s", error.message);
    return skeleton;
}

typedef enum pose_kind { POSE_RIGID, POSE_SCALED, POSE_HOSTILE, POSE_KINDS } pose_kind;

static inline void random_rotation(float q[4])
{
    float length2 = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = random_between(-1, 1);
        if (random_below(6) == 0) // axes, half turns, and zeros of both signs
            q[i] = random_below(2) ? 0.0f : -0.0f;
        length2 += q[i] * q[i];
    }
    if (length2 < 1e-3f)
        q[3] = 1;
    anim_quat_normalize(q, q);
}

static inline float hostile(void)
{
    static const float edges[] = {0.0f,     -0.0f,   FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN, 1e-40f,
                                  -FLT_MIN, 1e-20f,  1e15f,        -1e15f,        1e18f,   2e18f,
                                  -1e30f,   FLT_MAX, -FLT_MAX,     1.0f,          -1.0f,   1e-6f};
    return random_below(2) ? random_between(-3, 3)
                           : edges[random_below(sizeof edges / sizeof *edges)];
}

static inline anim_xform random_xform(pose_kind kind)
{
    anim_xform x = ANIM_XFORM_IDENTITY;
    random_rotation(x.q);
    for (int i = 0; i < 3; i++) {
        x.t[i] = kind == POSE_HOSTILE ? hostile() : random_between(-2, 2);
        if (kind == POSE_HOSTILE)
            x.s[i] = hostile();
        else if (kind == POSE_SCALED && random_below(2))
            x.s[i] = random_between(-1, 1.5f);
    }
    return x;
}

// Lanes past the last joint hold the identity.
static inline void random_pose(const anim_skeleton* skeleton, pose_kind kind, anim_pose_group* out)
{
    anim_pose_to_identity(skeleton, out);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        anim_xform x = random_xform(kind);
        anim_pose_set(skeleton, out, j, &x);
    }
}

// The sets that can be compared with the scalar one: up to the best of this machine.
static inline anim_simd last_set(void)
{
    return anim_simd_best();
}
