// SPDX-License-Identifier: MIT
// What the solvers (pose/ik_*.h) share. They work on local poses, with targets in model space, and make
// only the transforms that they need. A solver computes in the space of the parent of its first joint:
// what stands above may be scaled unevenly or mirrored, since the target comes into that space exactly.
// All are finite for every finite input, the same on every machine, and allocate nothing.
#pragma once

#include "math/dvec.h"
#include "pose/pose.h"

// Model-space matrix of a joint and the way back.
typedef struct anim_ik_space {
    double to_model[3][4];
    double from_model[3][4];
} anim_ik_space;

// Of `joint` (-1: model space itself) as the pose stands. False where it can't be inverted (a scale of
// zero above): nothing below can reach anything then. Products are bounded like those of poses.
bool anim_ik_space_of(const anim_skeleton* skeleton, const anim_pose_group* pose, int32_t joint,
                      anim_ik_space* out);

// Of the parent of `joint`. The same but for rounding, several times faster.
bool anim_ik_space_above(const anim_skeleton* skeleton, const anim_pose_group* pose, uint32_t joint,
                         anim_ik_space* out);

// False where `matrix` has no inverse, as above.
bool anim_ik_invert(const double matrix[3][4], double out[3][4]);

static inline anim_dvec anim_ik_direction(const double m[3][4],
                                          anim_dvec v) // without the translation
{
    return (anim_dvec){
        m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
        m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
        m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z,
    };
}

static inline anim_dvec anim_ik_point(const double m[3][4], anim_dvec p) // m * p
{
    return anim_dvec_add(anim_ik_direction(m, p), (anim_dvec){m[0][3], m[1][3], m[2][3]});
}

// Local transform of a joint in double.
typedef struct anim_ik_local {
    anim_dvec t, s;
    anim_dquat q;
} anim_ik_local;

static inline anim_ik_local anim_ik_local_of(const anim_skeleton* skeleton,
                                             const anim_pose_group* pose, uint32_t joint)
{
    uint32_t slot = skeleton->slots[joint], i = slot % ANIM_LANES;
    const anim_pose_group* g = &pose[slot / ANIM_LANES];
    return (anim_ik_local){
        {(double)g->t[0][i], (double)g->t[1][i], (double)g->t[2][i]},
        {(double)g->s[0][i], (double)g->s[1][i], (double)g->s[2][i]},
        {(double)g->q[0][i], (double)g->q[1][i], (double)g->q[2][i], (double)g->q[3][i]},
    };
}

// A point in the joint's space, in its parent's.
static inline anim_dvec anim_ik_local_point(const anim_ik_local* local, anim_dvec point)
{
    return anim_dvec_add(local->t, anim_dquat_rotate(local->q, anim_dvec_mul(local->s, point)));
}

// Turns `joint` toward the local rotation q, the shorter way, by weight 0 to 1. At 0 every bit stays, at 1
// it is q.
static inline void anim_ik_turn(const anim_skeleton* skeleton, anim_pose_group* pose,
                                uint32_t joint, anim_dquat q, double weight)
{
    if (!(weight > 0))
        return;
    uint32_t slot = skeleton->slots[joint], i = slot % ANIM_LANES;
    anim_pose_group* g = &pose[slot / ANIM_LANES];
    if (weight < 1)
        q = anim_dquat_nlerp(anim_ik_local_of(skeleton, pose, joint).q, q, weight);
    g->q[0][i] = (float)q.x;
    g->q[1][i] = (float)q.y;
    g->q[2][i] = (float)q.z;
    g->q[3][i] = (float)q.w;
}

// Where a direction is about to be lost (a pole in line with the target) a former one is kept, and handed
// over without a jump as the new one gets clear. All are unit and square to the unit vector `axis`. `spread`
// says how clear `wanted` is, 0 to 1; `kept` is what came out when it was `kept_spread`. While the spread
// does not grow `kept` stays; while it grows the angle between the two closes, by smoothstep, so that it is
// closed at 1. However many steps that takes, it comes to the same; a spread that rests changes nothing.
anim_dvec anim_ik_hand_over(anim_dvec axis, anim_dvec kept, double kept_spread, anim_dvec wanted,
                            double spread);
