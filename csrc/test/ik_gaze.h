// SPDX-License-Identifier: MIT
// Joints that aim, for the tests of the aim solver.
#pragma once

#include "pose/ik_aim.h"
#include "test/ik_rig.h"

static const double degree = 1 / 57.29577951308232;

typedef struct gaze {
    rig rig;
    anim_aim_joint joints[most_joints];
    anim_aim d;
} gaze;

static inline float solve(gaze* g, const anim_aim_memory* before, anim_aim_memory* after, double dt)
{
    return anim_ik_aim(g->rig.skeleton, g->rig.pose, &g->d, before, after, dt);
}

static inline float solve_from_rest(gaze* g, const anim_aim_memory* before, anim_aim_memory* after,
                                    double dt)
{
    to_rest(&g->rig);
    return solve(g, before, after, dt);
}

// The joints from `first` to the last one take part, with equal shares. +Z aims.
static inline void make_gaze(gaze* g, const anim_xform* joints, uint32_t count, uint32_t first)
{
    make_rig(&g->rig, joints, count);
    for (uint32_t j = first; j < count; j++)
        g->joints[j - first] = (anim_aim_joint){j, 1};
    g->d = (anim_aim){.joints = g->joints,
                      .joint_count = count - first,
                      .axis = {0, 0, 1},
                      .weight = 1,
                      .limit = -1,
                      .rate = -1};
}

static inline void make_head(gaze* g) // one joint above the origin's height, looking along Z
{
    const anim_xform joints[] = {at(0, 0, 0), at(0, 1, 0)};
    make_gaze(g, joints, 2, 1);
}

static inline void set_up(gaze* g, double x, double y, double z)
{
    g->d.has_up = true;
    set_point(g->d.up, x, y, z);
}

static inline uint32_t last_joint(const gaze* g)
{
    return g->d.joints[g->d.joint_count - 1].joint;
}

// A direction of the last joint in model space, unit.
static inline anim_dvec pointing(const gaze* g, const float axis[3])
{
    uint32_t j = last_joint(g);
    anim_dvec p = anim_dvec_from(axis), origin = {0, 0, 0};
    for (int32_t i = (int32_t)j; i >= 0; i = g->rig.skeleton->parents[i]) {
        anim_ik_local local = anim_ik_local_of(g->rig.skeleton, g->rig.pose, (uint32_t)i);
        p = anim_ik_local_point(&local, p);
        origin = anim_ik_local_point(&local, origin);
    }
    p = anim_dvec_sub(p, origin);
    return anim_dvec_normalize(p, p);
}

static inline anim_dvec aimed(const gaze* g)
{
    return pointing(g, g->d.axis);
}

static inline void assert_points(const gaze* g, double x, double y, double z, double degrees)
{
    anim_dvec right = {x, y, z}, got = aimed(g);
    if (!(degrees_between(got, right) <= degrees))
        fail_msg("points along %.9g %.9g %.9g", got.x, got.y, got.z);
}

// Target in polar form, seen from the head: yaw from Z to X, pitch upward, degrees.
static inline void look_at(gaze* g, double yaw, double pitch, double far)
{
    double level = far * cos(pitch * degree);
    set_point(g->d.target, level * sin(yaw * degree), 1 + far * sin(pitch * degree),
              level * cos(yaw * degree));
}

static inline double yaw_of(const gaze* g)
{
    anim_dvec v = aimed(g);
    return atan2(v.x, v.z) / degree;
}
