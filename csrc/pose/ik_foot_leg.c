// SPDX-License-Identifier: MIT
#include "pose/ik_foot_leg.h"

#include "math/range.h"

#include <string.h>

static double bounded(double x) // like the matrices of poses (pose/model.c)
{
    return anim_clamp(x, -1e18, 1e18);
}

static anim_dvec bounded_point(anim_dvec p)
{
    return (anim_dvec){bounded(p.x), bounded(p.y), bounded(p.z)};
}

anim_dvec anim_ik_limb_point(const anim_skeleton* skeleton, const anim_pose_group* pose,
                             const anim_ik_limb* limb, uint32_t joint, anim_dvec point)
{
    anim_dvec p = point;
    for (int32_t j = (int32_t)joint; j != limb->parent; j = skeleton->parents[j]) {
        anim_ik_local local = anim_ik_local_of(skeleton, pose, (uint32_t)j);
        p = bounded_point(anim_ik_local_point(&local, p));
    }
    return bounded_point(anim_ik_point((const double(*)[4])limb->above, p));
}

void anim_ik_limb_matrix(const anim_skeleton* skeleton, const anim_pose_group* pose,
                         const anim_ik_limb* limb, int32_t joint, double out[3][4])
{
    const double(*above)[4] = (const double(*)[4])limb->above;
    anim_dvec x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, p = {0, 0, 0};
    for (int32_t j = joint; j != limb->parent; j = skeleton->parents[j]) {
        anim_ik_local local = anim_ik_local_of(skeleton, pose, (uint32_t)j);
        x = bounded_point(anim_dquat_rotate(local.q, anim_dvec_mul(local.s, x)));
        y = bounded_point(anim_dquat_rotate(local.q, anim_dvec_mul(local.s, y)));
        z = bounded_point(anim_dquat_rotate(local.q, anim_dvec_mul(local.s, z)));
        p = bounded_point(anim_ik_local_point(&local, p));
    }
    anim_dvec columns[4] = {anim_ik_direction(above, x), anim_ik_direction(above, y),
                            anim_ik_direction(above, z), anim_ik_point(above, p)};
    for (int i = 0; i < 4; i++) {
        anim_dvec column = bounded_point(columns[i]);
        out[0][i] = column.x;
        out[1][i] = column.y;
        out[2][i] = column.z;
    }
}

bool anim_ik_limb_of(const anim_skeleton* skeleton, const anim_pose_group* pose,
                     const anim_ik_leg* leg, const anim_ik_limb* like, anim_ik_limb* out)
{
    int32_t parent = skeleton->parents[leg->root];
    if (like && like->parent == parent) {
        *out = *like;
    } else {
        anim_ik_space space;
        if (!anim_ik_space_above(skeleton, pose, leg->root, &space))
            return false;
        memcpy(out->above, space.to_model, sizeof out->above);
        out->parent = parent;
    }
    const anim_dvec origin = {0, 0, 0};
    out->root = anim_ik_limb_point(skeleton, pose, out, leg->root, origin);
    out->mid = anim_ik_limb_point(skeleton, pose, out, leg->mid, origin);
    out->tip = anim_ik_limb_point(skeleton, pose, out, leg->tip, origin);
    out->length = anim_dvec_length(anim_dvec_sub(out->mid, out->root)) +
                  anim_dvec_length(anim_dvec_sub(out->tip, out->mid));
    return true;
}

double anim_ik_limb_lift(const anim_ik_limb* limb, anim_dvec target, double most)
{
    double x = target.x - limb->root.x, z = target.z - limb->root.z;
    double up2 = most * most - (x * x + z * z);
    return target.y + sqrt(anim_max(up2, 0)) - limb->root.y;
}

void anim_ik_to_floats(anim_dvec v, float out[3])
{
    out[0] = (float)anim_clamp(v.x, -1e30, 1e30);
    out[1] = (float)anim_clamp(v.y, -1e30, 1e30);
    out[2] = (float)anim_clamp(v.z, -1e30, 1e30);
}

bool anim_ik_lift(const anim_skeleton* skeleton, anim_pose_group* pose, uint32_t joint,
                  double height)
{
    anim_ik_space space;
    if (!anim_ik_space_above(skeleton, pose, joint, &space))
        return false;
    anim_dvec by = anim_ik_direction((const double(*)[4])space.from_model,
                                     (anim_dvec){0, height, 0});
    float t[3];
    anim_ik_to_floats(anim_dvec_add(anim_ik_local_of(skeleton, pose, joint).t, by), t);
    uint32_t slot = skeleton->slots[joint], i = slot % ANIM_LANES;
    anim_pose_group* g = &pose[slot / ANIM_LANES];
    for (int axis = 0; axis < 3; axis++)
        g->t[axis][i] = t[axis];
    return true;
}
