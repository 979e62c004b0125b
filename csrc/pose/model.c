// SPDX-License-Identifier: MIT
// Local to model space: matrices of eight joints at once, then the chain joint by joint.
#include "math/simd.h"
#include "pose/pose.h"

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

// The local matrices of a group, by element: m[row][column] of eight joints.
static void local_elements(const anim_pose_group* g, anim_f8 m[3][4])
{
    const anim_f8 one = anim_f8_splat(1), two = anim_f8_splat(2);
    anim_f8 x = anim_f8_load(g->q[0]), y = anim_f8_load(g->q[1]), z = anim_f8_load(g->q[2]),
            w = anim_f8_load(g->q[3]);
    anim_f8 sx = anim_f8_load(g->s[0]), sy = anim_f8_load(g->s[1]), sz = anim_f8_load(g->s[2]);
    anim_f8 xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    anim_f8 wx = w * x, wy = w * y, wz = w * z;
    m[0][0] = (one - two * (yy + zz)) * sx;
    m[1][0] = two * (xy + wz) * sx;
    m[2][0] = two * (xz - wy) * sx;
    m[0][1] = two * (xy - wz) * sy;
    m[1][1] = (one - two * (xx + zz)) * sy;
    m[2][1] = two * (yz + wx) * sy;
    m[0][2] = two * (xz + wy) * sz;
    m[1][2] = two * (yz - wx) * sz;
    m[2][2] = (one - two * (xx + yy)) * sz;
    m[0][3] = anim_f8_load(g->t[0]);
    m[1][3] = anim_f8_load(g->t[1]);
    m[2][3] = anim_f8_load(g->t[2]);
}

static void lane_rows(const anim_f8 m[3][4], uint32_t lane, f4 rows[3])
{
    for (int row = 0; row < 3; row++)
        rows[row] = (f4){m[row][0][lane], m[row][1][lane], m[row][2][lane], m[row][3][lane]};
}

// Kept below what two of them multiplied can still be told from infinity: whatever a script or a file
// makes of scales down a chain, no matrix is ever not a number.
static f4 bounded(f4 row)
{
    const float most = 1e18f;
    const f4 high = {most, most, most, most}, low = -high;
    i4 over = row > high, under = row < low;
    return (f4)((over & (i4)high) | (under & (i4)low) | (~(over | under) & (i4)row));
}

// Rows of parent * local, where `rows` are the local ones.
static void apply_parent(const anim_mat34* parent, f4 rows[3])
{
    f4 product[3];
    for (int row = 0; row < 3; row++) {
        const float* p = parent->m[row];
        f4 moved = {0, 0, 0, p[3]};
        product[row] = bounded((rows[0] * p[0] + rows[1] * p[1]) + (rows[2] * p[2] + moved));
    }
    memcpy(rows, product, sizeof product);
}

void anim_pose_to_model(const anim_skeleton* skeleton, const anim_pose_group* groups,
                        anim_mat34* out)
{
    for (uint32_t g = 0; g < skeleton->group_count; g++) {
        anim_f8 m[3][4];
        local_elements(&groups[g], m);
        uint32_t first = g * ANIM_LANES;
        uint32_t lanes = skeleton->joint_count - first;
        for (uint32_t lane = 0; lane < ANIM_LANES && lane < lanes; lane++) {
            f4 rows[3];
            lane_rows((const anim_f8(*)[4])m, lane, rows);
            int32_t parent = skeleton->parents[first + lane];
            if (parent >= 0)
                apply_parent(&out[parent], rows);
            memcpy(out[first + lane].m, rows, sizeof rows);
        }
    }
}
