// SPDX-License-Identifier: MIT
#include "pose/ik_orient.h"

#include "math/trig.h"

static const anim_dvec up = {0, 1, 0};

static anim_dvec column_of(const double m[3][4], int column)
{
    return (anim_dvec){m[0][column], m[1][column], m[2][column]};
}

// By the cofactors: only the direction is wanted, and the sign of the volume.
bool anim_ik_direction_below(const double m[3][4], anim_dvec v, anim_dvec* out)
{
    anim_dvec x = column_of(m, 0), y = column_of(m, 1), z = column_of(m, 2);
    anim_dvec yz = anim_dvec_cross(y, z), zx = anim_dvec_cross(z, x), xy = anim_dvec_cross(x, y);
    double volume = anim_dvec_dot(x, yz);
    double edges = anim_dvec_length(x) * anim_dvec_length(y) * anim_dvec_length(z);
    if (!(fabs(volume) > 1e-12 * edges) || !(fabs(volume) > 1e-60))
        return false;
    anim_dvec by = {anim_dvec_dot(yz, v), anim_dvec_dot(zx, v), anim_dvec_dot(xy, v)};
    *out = anim_dvec_normalize(anim_dvec_scale(by, volume < 0 ? -1 : 1), (anim_dvec){0, 0, 1});
    return true;
}

static bool frame_below(const double m[3][4], const anim_ik_frame* frame, anim_ik_frame* out)
{
    anim_dvec n = {anim_dvec_dot(column_of(m, 0), frame->normal),
                   anim_dvec_dot(column_of(m, 1), frame->normal),
                   anim_dvec_dot(column_of(m, 2), frame->normal)};
    out->normal = anim_dvec_normalize(n, up);
    return anim_ik_direction_below(m, frame->along, &out->along);
}

anim_dquat anim_ik_reframe(const double was[3][4], const double now[3][4], anim_dquat q,
                           const anim_ik_frame* from, const anim_ik_frame* to)
{
    anim_ik_frame a, b;
    if (!frame_below(was, from, &a) || !frame_below(now, to, &b))
        return q;
    anim_dquat tilt = anim_dquat_between(a.normal, b.normal, anim_dvec_square_to(a.normal));
    anim_dvec along = anim_dquat_rotate(tilt, a.along);
    anim_dquat spin = anim_dquat_between(along, b.along, b.normal);
    return anim_dquat_normalize(anim_dquat_mul(anim_dquat_mul(spin, tilt), q));
}

// Turns the joint about +Y so that what looked along `from` looks along `to`.
static void turn(const anim_skeleton* skeleton, anim_pose_group* pose, uint32_t joint,
                 anim_dvec from, anim_dvec to)
{
    anim_ik_space above;
    if (!anim_ik_space_above(skeleton, pose, joint, &above))
        return;
    const double(*m)[4] = (const double(*)[4])above.to_model;
    anim_dquat q = anim_ik_local_of(skeleton, pose, joint).q;
    anim_ik_frame was = {up, from}, now = {up, to};
    anim_ik_turn(skeleton, pose, joint, anim_ik_reframe(m, m, q, &was, &now), 1);
}

static anim_dvec heading(double angle)
{
    float s, c;
    anim_sincos((float)angle, &s, &c);
    return anim_dvec_normalize((anim_dvec){(double)s, 0, (double)c}, (anim_dvec){0, 0, 1});
}

static double share_sum(const anim_orient* desc)
{
    double sum = 0;
    for (uint32_t i = 0; desc->shares && i < desc->spine_count; i++)
        sum += (double)desc->shares[i];
    return sum;
}

void anim_ik_orient(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_orient* desc)
{
    float s, c;
    anim_sincos(desc->angle, &s, &c);
    double angle = anim_atan2_d((double)s, (double)c) * (double)desc->weight;
    anim_ik_space above;
    if (angle == 0 || !anim_ik_space_above(skeleton, pose, desc->pelvis, &above))
        return;
    double sum = share_sum(desc), left = 1;
    anim_dvec faces = heading(0), next = heading(angle);
    turn(skeleton, pose, desc->pelvis, faces, next);
    for (uint32_t i = 0; i < desc->spine_count; i++) {
        double share = sum > 0 ? (double)desc->shares[i] / sum : 1.0 / desc->spine_count;
        left -= share;
        faces = next;
        next = heading(i + 1 < desc->spine_count ? angle * left : 0);
        if (share > 0)
            turn(skeleton, pose, desc->spine[i], faces, next);
    }
}
