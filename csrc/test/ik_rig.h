// SPDX-License-Identifier: MIT
// Chains of joints for the tests of IK, and random ones, sane or hostile.
#pragma once

#include "base/hash.h"
#include "math/range.h"
#include "pose/ik.h"
#include "test/pose_at.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { most_joints = 12, most_groups = 2 };

// A chain of joints, each the child of the one before.
typedef struct rig {
    anim_skeleton* skeleton;
    uint32_t count;
    anim_pose_group pose[most_groups];
} rig;

static inline void make_rig(rig* r, const anim_xform* joints, uint32_t count)
{
    static const char* const names[most_joints] = {"a", "b", "c", "d", "e", "f",
                                                   "g", "h", "i", "j", "k", "l"};
    anim_joint_desc desc[most_joints];
    anim_error error;
    for (uint32_t i = 0; i < count; i++) {
        desc[i] = (anim_joint_desc){names[i], (int32_t)i - 1, joints[i]};
        for (int k = 0; k < 3; k++) { // the most that a rest pose may have
            desc[i].rest.t[k] = (float)anim_clamp((double)joints[i].t[k], -9e14, 9e14);
            desc[i].rest.s[k] = (float)anim_clamp((double)joints[i].s[k], -9e14, 9e14);
        }
    }
    *r = (rig){.count = count};
    if (anim_skeleton_create(desc, count, NULL, &r->skeleton, &error) != ANIM_OK)
        fail_msg("%s", error.message);
    anim_pose_to_rest(r->skeleton, r->pose);
}

static inline void free_rig(rig* r)
{
    anim_skeleton_release(r->skeleton);
}

static inline void to_rest(rig* r)
{
    anim_pose_to_rest(r->skeleton, r->pose);
}

static inline void set_point(float out[3], double x, double y, double z)
{
    out[0] = (float)x;
    out[1] = (float)y;
    out[2] = (float)z;
}

// Forward kinematics in double.
static inline anim_dvec place_in(const rig* r, const anim_pose_group* pose, uint32_t joint)
{
    anim_dvec p = anim_ik_local_of(r->skeleton, pose, joint).t;
    for (int32_t j = r->skeleton->parents[joint]; j >= 0; j = r->skeleton->parents[j]) {
        anim_ik_local local = anim_ik_local_of(r->skeleton, pose, (uint32_t)j);
        p = anim_ik_local_point(&local, p);
    }
    return p;
}

static inline anim_dvec place(const rig* r, uint32_t joint)
{
    return place_in(r, r->pose, joint);
}

static inline double distance(anim_dvec a, anim_dvec b)
{
    return anim_dvec_length(anim_dvec_sub(a, b));
}

static inline double degrees_between(anim_dvec a, anim_dvec b)
{
    return atan2(anim_dvec_length(anim_dvec_cross(a, b)), anim_dvec_dot(a, b)) * 57.29577951308232;
}

static inline void assert_at(const rig* r, uint32_t joint, double x, double y, double z,
                             double within)
{
    anim_dvec p = place(r, joint), right = {x, y, z};
    if (!(distance(p, right) <= within))
        fail_msg("joint %u at %.9g %.9g %.9g, not %.9g %.9g %.9g", joint, p.x, p.y, p.z, x, y, z);
}

static inline anim_dquat model_rotation(const rig* r, uint32_t joint)
{
    anim_dquat q = ANIM_DQUAT_IDENTITY;
    for (int32_t j = (int32_t)joint; j >= 0; j = r->skeleton->parents[j])
        q = anim_dquat_mul(anim_ik_local_of(r->skeleton, r->pose, (uint32_t)j).q, q);
    return q;
}

static inline double angle_between(anim_dquat a, anim_dquat b) // radians
{
    anim_dquat d = anim_dquat_mul(anim_dquat_conjugate(a), b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static inline double turned_by(const rig* r, const anim_pose_group* from, uint32_t joint)
{
    return angle_between(anim_ik_local_of(r->skeleton, from, joint).q,
                         anim_ik_local_of(r->skeleton, r->pose, joint).q);
}

static inline anim_xform at(float x, float y, float z)
{
    return (anim_xform){{x, y, z}, {0, 0, 0, 1}, {1, 1, 1}};
}

static inline anim_xform turned(anim_xform x, double ax, double ay, double az, double degrees)
{
    double half = degrees / 2 / 57.29577951308232;
    double k = sin(half) / sqrt(ax * ax + ay * ay + az * az);
    const float q[4] = {(float)(ax * k), (float)(ay * k), (float)(az * k), (float)cos(half)};
    anim_quat_normalize(q, x.q);
    return x;
}

// --- random -------------------------------------------------------------------------------------------

static uint32_t random_state;

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

static inline bool one_in(uint32_t n)
{
    return random_bits() % n == 0;
}

static inline uint32_t rounds(uint32_t many)
{
    const char* slow = getenv("ANIM_SLOW");
    return slow && strcmp(slow, "0") == 0 ? many / 50 : many;
}

// Anything from 0 to 1e30.
static inline float hostile(float usual)
{
    static const float values[] = {0, 1e-30f, -1e-30f, 1e30f, -1e30f, 1e-7f, 1, -1, 1e4f, 1e-45f};
    uint32_t n = random_bits() % 40;
    return n < 10 ? values[n] : usual * random_float(-1, 1);
}

static inline void random_rotation(float q[4], float amount)
{
    float raw[4] = {amount * random_float(-1, 1), amount * random_float(-1, 1),
                    amount * random_float(-1, 1), one_in(4) ? random_float(-1, 1) : 1};
    anim_quat_normalize(raw, q);
}

static inline anim_xform random_hostile_joint(void)
{
    anim_xform x = {{hostile(1), hostile(1), hostile(1)}, {0, 0, 0, 1}, {1, 1, 1}};
    if (one_in(3)) // in line
        x.t[0] = x.t[2] = 0;
    if (!one_in(4))
        random_rotation(x.q, 1);
    if (one_in(3))
        for (int k = 0; k < 3; k++)
            x.s[k] = one_in(2) ? hostile(2) : 1;
    return x;
}

// Bones of .3 to 1.5; scale only where it is asked for, uneven and mirrored.
static inline anim_xform random_sane_joint(bool is_scaled)
{
    anim_xform x = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    anim_dvec t = {(double)random_float(-1, 1), (double)random_float(-1, 1),
                   (double)random_float(-1, 1)};
    t = anim_dvec_scale(anim_dvec_normalize(t, (anim_dvec){0, 1, 0}),
                        (double)random_float(0.3f, 1.5f));
    set_point(x.t, t.x, t.y, t.z);
    random_rotation(x.q, 0.7f);
    if (is_scaled && one_in(2))
        for (int k = 0; k < 3; k++)
            x.s[k] = random_float(0.7f, 1.4f) * (one_in(4) ? -1.0f : 1.0f);
    return x;
}

// Every number of the pose finite and every rotation unit.
static inline bool is_pose_fair(const rig* r)
{
    if (!anim_floats_are_finite(r->pose[0].t[0], sizeof(r->pose) / (sizeof(float))))
        return false;
    for (uint32_t j = 0; j < r->count; j++) {
        anim_dquat q = anim_ik_local_of(r->skeleton, r->pose, j).q;
        if (fabs(sqrt(anim_dquat_dot(q, q)) - 1) > 1e-6)
            return false;
    }
    return true;
}
