// SPDX-License-Identifier: MIT
#include "pose/ik.h"

#include <string.h>

enum { lane_mask = ANIM_LANES - 1 };

anim_ik_local anim_ik_local_of(const anim_pose_group* pose, uint32_t joint)
{
    const anim_pose_group* g = &pose[joint / ANIM_LANES];
    uint32_t i = joint & lane_mask;
    return (anim_ik_local){
        {(double)g->t[0][i], (double)g->t[1][i], (double)g->t[2][i]},
        {(double)g->s[0][i], (double)g->s[1][i], (double)g->s[2][i]},
        {(double)g->q[0][i], (double)g->q[1][i], (double)g->q[2][i], (double)g->q[3][i]},
    };
}

anim_dvec anim_ik_local_point(const anim_ik_local* local, anim_dvec point)
{
    return anim_dvec_add(local->t, anim_dquat_rotate(local->q, anim_dvec_mul(local->s, point)));
}

anim_dvec anim_ik_direction(const double m[3][4], anim_dvec v)
{
    return (anim_dvec){
        m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
        m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
        m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z,
    };
}

anim_dvec anim_ik_point(const double m[3][4], anim_dvec p)
{
    return anim_dvec_add(anim_ik_direction(m, p), (anim_dvec){m[0][3], m[1][3], m[2][3]});
}

static double bounded(double x) // like the matrices of poses (pose/model.c)
{
    const double most = 1e18;
    return x > most ? most : x < -most ? -most : x;
}

static void set_column(double m[3][4], int column, anim_dvec v)
{
    m[0][column] = bounded(v.x);
    m[1][column] = bounded(v.y);
    m[2][column] = bounded(v.z);
}

static anim_dvec column_of(const double m[3][4], int column)
{
    return (anim_dvec){m[0][column], m[1][column], m[2][column]};
}

// m = local * m, from the leaf up to the root.
static void put_under(const anim_ik_local* local, double m[3][4])
{
    for (int column = 0; column < 3; column++)
        set_column(m, column,
                   anim_dquat_rotate(local->q, anim_dvec_mul(local->s, column_of(m, column))));
    set_column(m, 3, anim_ik_local_point(local, column_of(m, 3)));
}

static bool invert(const double m[3][4], double out[3][4])
{
    anim_dvec x = column_of(m, 0), y = column_of(m, 1), z = column_of(m, 2);
    anim_dvec yz = anim_dvec_cross(y, z), zx = anim_dvec_cross(z, x), xy = anim_dvec_cross(x, y);
    double volume = anim_dvec_dot(x, yz);
    double edges = anim_dvec_length(x) * anim_dvec_length(y) * anim_dvec_length(z);
    if (!(fabs(volume) > 1e-12 * edges) || !(fabs(volume) > 1e-60))
        return false;
    anim_dvec rows[3] = {anim_dvec_scale(yz, 1 / volume), anim_dvec_scale(zx, 1 / volume),
                         anim_dvec_scale(xy, 1 / volume)};
    for (int row = 0; row < 3; row++) {
        double back = -anim_dvec_dot(rows[row], column_of(m, 3));
        double values[4] = {rows[row].x, rows[row].y, rows[row].z, back};
        memcpy(out[row], values, sizeof values);
    }
    return true;
}

bool anim_ik_space_of(const anim_skeleton* skeleton, const anim_pose_group* pose, int32_t joint,
                      anim_ik_space* out)
{
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    memcpy(out->to_model, identity, sizeof identity);
    for (; joint >= 0; joint = skeleton->parents[joint]) {
        anim_ik_local local = anim_ik_local_of(pose, (uint32_t)joint);
        put_under(&local, out->to_model);
    }
    return invert((const double(*)[4])out->to_model, out->from_model);
}

void anim_ik_turn(anim_pose_group* pose, uint32_t joint, anim_dquat q, double weight)
{
    if (!(weight > 0))
        return;
    anim_pose_group* g = &pose[joint / ANIM_LANES];
    uint32_t i = joint & lane_mask;
    if (weight < 1)
        q = anim_dquat_nlerp(anim_ik_local_of(pose, joint).q, q, weight);
    g->q[0][i] = (float)q.x;
    g->q[1][i] = (float)q.y;
    g->q[2][i] = (float)q.z;
    g->q[3][i] = (float)q.w;
}
