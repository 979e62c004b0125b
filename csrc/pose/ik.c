// SPDX-License-Identifier: MIT
#include "pose/ik.h"

#include "math/trig.h"

#include <string.h>

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

bool anim_ik_invert(const double m[3][4], double out[3][4])
{
    anim_dvec x = column_of(m, 0), y = column_of(m, 1), z = column_of(m, 2);
    anim_dvec yz = anim_dvec_cross(y, z), zx = anim_dvec_cross(z, x), xy = anim_dvec_cross(x, y);
    double volume = anim_dvec_dot(x, yz), volume2 = volume * volume;
    double edges2 = anim_dvec_dot(x, x) * anim_dvec_dot(y, y) * anim_dvec_dot(z, z);
    if (!(volume2 > 1e-24 * edges2) || !(volume2 > 1e-120))
        return false;
    double k = 1 / volume;
    anim_dvec at = column_of(m, 3);
    anim_dvec rows[3] = {anim_dvec_scale(yz, k), anim_dvec_scale(zx, k), anim_dvec_scale(xy, k)};
    for (int row = 0; row < 3; row++) {
        out[row][0] = rows[row].x;
        out[row][1] = rows[row].y;
        out[row][2] = rows[row].z;
        out[row][3] = -anim_dvec_dot(rows[row], at);
    }
    return true;
}

bool anim_ik_space_of(const anim_skeleton* skeleton, const anim_pose_group* pose, int32_t joint,
                      anim_ik_space* out)
{
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    memcpy(out->to_model, identity, sizeof identity);
    for (; joint >= 0; joint = skeleton->parents[joint]) {
        anim_ik_local local = anim_ik_local_of(skeleton, pose, (uint32_t)joint);
        put_under(&local, out->to_model);
    }
    return anim_ik_invert((const double(*)[4])out->to_model, out->from_model);
}

typedef double d2 __attribute__((vector_size(16)));

static inline d2 both(double x)
{
    return (d2){x, x};
}

// Rotation and scale of a joint as a matrix. Most have no scale.
static inline void linear_of(const anim_pose_group* g, uint32_t i, double r[3][3])
{
    double x = (double)g->q[0][i], y = (double)g->q[1][i], z = (double)g->q[2][i];
    double w = (double)g->q[3][i];
    double x2 = x + x, y2 = y + y, z2 = z + z;
    double xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    double wx = w * x2, wy = w * y2, wz = w * z2;
    r[0][0] = 1 - (yy + zz);
    r[1][0] = xy + wz;
    r[2][0] = xz - wy;
    r[0][1] = xy - wz;
    r[1][1] = 1 - (xx + zz);
    r[2][1] = yz + wx;
    r[0][2] = xz + wy;
    r[1][2] = yz - wx;
    r[2][2] = 1 - (xx + yy);
    if (g->s[0][i] == 1 && g->s[1][i] == 1 && g->s[2][i] == 1)
        return;
    for (int column = 0; column < 3; column++) {
        double scale = (double)g->s[column][i];
        for (int row = 0; row < 3; row++)
            r[row][column] *= scale;
    }
}

// The matrix of `joint` in rows, two numbers at a time.
static void rows_of(const anim_skeleton* skeleton, const anim_pose_group* pose, int32_t joint,
                    double m[3][4])
{
    d2 row[3][2] = {{{1, 0}, {0, 0}}, {{0, 1}, {0, 0}}, {{0, 0}, {1, 0}}};
    for (; joint >= 0; joint = skeleton->parents[joint]) {
        uint32_t slot = skeleton->slots[joint], i = slot % ANIM_LANES;
        const anim_pose_group* g = &pose[slot / ANIM_LANES];
        double r[3][3];
        linear_of(g, i, r);
        d2 left[3], right[3];
        for (int k = 0; k < 3; k++) {
            d2 x = both(r[k][0]), y = both(r[k][1]), z = both(r[k][2]);
            left[k] = x * row[0][0] + y * row[1][0] + z * row[2][0];
            right[k] = x * row[0][1] + y * row[1][1] +
                       (z * row[2][1] + (d2){0, (double)g->t[k][i]});
        }
        for (int k = 0; k < 3; k++) {
            row[k][0] = left[k];
            row[k][1] = right[k];
        }
    }
    memcpy(m, row, sizeof row);
}

bool anim_ik_space_above(const anim_skeleton* skeleton, const anim_pose_group* pose, uint32_t joint,
                         anim_ik_space* out)
{
    rows_of(skeleton, pose, skeleton->parents[joint], out->to_model);
    double sums[4]; // not a number, or too much, where a product was
    for (int column = 0; column < 4; column++) {
        anim_dvec v = column_of((const double(*)[4])out->to_model, column);
        sums[column] = anim_dvec_dot(v, v);
    }
    if (!((sums[0] + sums[1]) + (sums[2] + sums[3]) < 1e36))
        return anim_ik_space_of(skeleton, pose, skeleton->parents[joint], out);
    return anim_ik_invert((const double(*)[4])out->to_model, out->from_model);
}

static double still_open(double spread)
{
    return (1 - spread) * (1 - spread) * (1 + 2 * spread);
}

anim_dvec anim_ik_hand_over(anim_dvec axis, anim_dvec kept, double kept_spread, anim_dvec wanted,
                            double spread)
{
    if (spread >= 1)
        return wanted;
    if (!(spread > kept_spread))
        return kept;
    anim_dvec side = anim_dvec_cross(axis, kept);
    double angle = anim_atan2_d(anim_dvec_dot(side, wanted), anim_dvec_dot(kept, wanted));
    double part = 1 - still_open(spread) / still_open(kept_spread);
    float sine, cosine;
    anim_sincos((float)(angle * part), &sine, &cosine);
    return anim_dvec_normalize(
        anim_dvec_add(anim_dvec_scale(kept, (double)cosine), anim_dvec_scale(side, (double)sine)),
        kept);
}
