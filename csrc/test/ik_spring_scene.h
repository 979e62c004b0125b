// SPDX-License-Identifier: MIT
// A character for the tests of the spring chain: a chain or a tree, what acts on it, and its memory.
#pragma once

#include "pose/ik_spring.h"
#include "test/pose_at.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { most_joints = 40 };

static const double pi = 3.14159265358979323846;

static inline bool is_slow(void)
{
    const char* slow = getenv("ANIM_SLOW");
    return !slow || strcmp(slow, "0") != 0;
}

typedef struct scene {
    anim_skeleton* skeleton;
    anim_pose_group *animated, *pose;
    anim_spring spring;
    anim_spring_place place;
    void *memory, *scratch;
    size_t size;
} scene;

static inline scene scene_of(const anim_joint_desc* joints, uint32_t count)
{
    scene s = {.spring = ANIM_SPRING_DEFAULTS, .place = {.rotation = {0, 0, 0, 1}}};
    anim_error err;
    assert_int_equal(anim_skeleton_create(joints, count, NULL, &s.skeleton, &err), ANIM_OK);
    size_t bytes = s.skeleton->group_count * sizeof(anim_pose_group);
    s.animated = malloc(bytes);
    s.pose = malloc(bytes);
    anim_pose_to_rest(s.skeleton, s.animated);
    return s;
}

// Joint 0 stands still in the origin, unless it is the root of the spring; the others follow each other.
static inline scene chain_of(uint32_t bones, const float length[3])
{
    static char names[most_joints][16];
    anim_joint_desc joints[most_joints] = {{0}};
    for (uint32_t i = 0; i <= bones; i++) {
        snprintf(names[i], sizeof names[i], "j%u", i);
        joints[i] = (anim_joint_desc){names[i], (int32_t)i - 1, ANIM_XFORM_IDENTITY};
        memcpy(joints[i].rest.t, length, i > 0 ? sizeof joints[i].rest.t : 0);
    }
    scene s = scene_of(joints, bones + 1);
    s.spring.root = 1;
    memcpy(s.spring.tip, length, sizeof s.spring.tip);
    return s;
}

static inline void scene_start(scene* s) // once the colliders are known
{
    free(s->memory);
    free(s->scratch);
    s->size = anim_ik_spring_memory_size(s->skeleton, &s->spring);
    s->memory = calloc(1, s->size);
    s->scratch = malloc(anim_ik_spring_scratch_size(s->skeleton, &s->spring));
}

static inline void scene_free(scene* s)
{
    anim_skeleton_release(s->skeleton);
    free(s->animated);
    free(s->pose);
    free(s->memory);
    free(s->scratch);
}

static inline size_t pose_size(const scene* s)
{
    return s->skeleton->group_count * sizeof(anim_pose_group);
}

static inline void scene_update(scene* s, double dt)
{
    memcpy(s->pose, s->animated, pose_size(s));
    anim_ik_spring(s->skeleton, s->pose, &s->spring, &s->place, s->memory, s->memory, dt,
                   s->scratch);
}

static inline void scene_run(scene* s, double seconds, double rate)
{
    for (int i = (int)(seconds * rate + 0.5); i > 0; i--)
        scene_update(s, 1 / rate);
}

static inline anim_dvec point_of(const scene* s, const anim_pose_group* pose, uint32_t joint,
                                 const float offset[3]) // in model space
{
    anim_dvec p = offset ? anim_dvec_from(offset) : (anim_dvec){0, 0, 0};
    for (int32_t j = (int32_t)joint; j >= 0; j = s->skeleton->parents[j]) {
        anim_ik_local local = anim_ik_local_of(s->skeleton, pose, (uint32_t)j);
        p = anim_ik_local_point(&local, p);
    }
    return p;
}

// Where the bone of joint `joint` of a simple chain ends.
static inline anim_dvec tip_of(const scene* s, uint32_t joint)
{
    bool last = joint + 1 == s->skeleton->joint_count;
    return last ? point_of(s, s->pose, joint, s->spring.tip)
                : point_of(s, s->pose, joint + 1, NULL);
}

static inline double distance(anim_dvec a, anim_dvec b)
{
    return anim_dvec_length(anim_dvec_sub(a, b));
}

static inline void set_gravity(scene* s, double x, double y, double z)
{
    s->spring.gravity[0] = (float)x;
    s->spring.gravity[1] = (float)y;
    s->spring.gravity[2] = (float)z;
}

// A chain without anything that acts on it.
static inline scene bare_chain(uint32_t bones, double x, double y, double z)
{
    const float length[3] = {(float)x, (float)y, (float)z};
    scene s = chain_of(bones, length);
    s.spring.stiffness = s.spring.damping = s.spring.drag = 0;
    scene_start(&s);
    return s;
}

static inline double lean_of(const scene* s,
                             uint32_t joint) // of the bone from where it is animated
{
    bool last = joint + 1 == s->skeleton->joint_count;
    anim_dvec zero = {0, 0, 0};
    anim_dvec from = point_of(s, s->animated, joint, NULL);
    anim_dvec to = last ? point_of(s, s->animated, joint, s->spring.tip)
                        : point_of(s, s->animated, joint + 1, NULL);
    anim_dvec a = anim_dvec_normalize(anim_dvec_sub(to, from), zero);
    anim_dvec b = anim_dvec_sub(tip_of(s, joint), point_of(s, s->pose, joint, NULL));
    b = anim_dvec_normalize(b, zero);
    return atan2(anim_dvec_length(anim_dvec_cross(a, b)), anim_dvec_dot(a, b));
}

// A stem of two bones with three strands, two of them each other's mirror image.
static inline scene tree_of(void)
{
    static const anim_joint_desc joints[] = {
        {"root", -1, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"stem1", 0, {{0, 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"stem2", 1, {{0, 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"left1", 2, {{-0.1f, 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"left2", 3, {{-0.1f, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"right1", 2, {{0.1f, 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"right2", 5, {{0.1f, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"middle", 2, {{0, 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
    };
    scene s = scene_of(joints, 8);
    s.spring.root = 1;
    scene_start(&s);
    return s;
}
