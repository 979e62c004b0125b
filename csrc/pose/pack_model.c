// SPDX-License-Identifier: MIT
#include "pose/pack_model.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]);
    out[1] = a[3] * b[1] - a[0] * b[2] + (a[1] * b[3] + a[2] * b[0]);
    out[2] = a[3] * b[2] + a[0] * b[1] + (a[2] * b[3] - a[1] * b[0]);
    out[3] = a[3] * b[3] - a[0] * b[0] - (a[1] * b[1] + a[2] * b[2]);
}

void anim_pack_model_set(anim_pack_model* m, uint32_t joint, anim_channel channel, uint32_t moment,
                         const double* value)
{
    anim_pack_locals* to = &m->locals[(size_t)joint * m->pairs + moment / 2];
    uint32_t lane = moment % 2;
    const anim_xform* rest = &m->skeleton->rest_xforms[joint];
    if (channel == ANIM_CHANNEL_ROTATION) {
        double q[4];
        memcpy(q, value, sizeof q);
        if (m->additive)
            multiply((double[4]){rest->q[0], rest->q[1], rest->q[2], rest->q[3]}, value, q);
        for (int i = 0; i < 4; i++)
            to->q[i][lane] = q[i];
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (channel == ANIM_CHANNEL_TRANSLATION)
            to->t[i][lane] = m->additive ? (double)rest->t[i] + value[i] : value[i];
        else
            to->s[i][lane] = m->additive ? (double)rest->s[i] * value[i] : value[i];
    }
}

void anim_pack_model_set_pose(anim_pack_model* m, uint32_t moment, const anim_pose_group* pose)
{
    const anim_xform identity = ANIM_XFORM_IDENTITY;
    for (uint32_t j = 0; j < m->skeleton->joint_count; j++) {
        anim_xform x = identity;
        if (pose)
            anim_pose_get(m->skeleton, pose, j, &x);
        anim_pack_model_set(m, j, ANIM_CHANNEL_TRANSLATION, moment,
                            (double[3]){x.t[0], x.t[1], x.t[2]});
        anim_pack_model_set(m, j, ANIM_CHANNEL_ROTATION, moment,
                            (double[4]){x.q[0], x.q[1], x.q[2], x.q[3]});
        anim_pack_model_set(m, j, ANIM_CHANNEL_SCALE, moment, (double[3]){x.s[0], x.s[1], x.s[2]});
    }
}

// Scaled, turned, moved; rotations are taken as they are, so they should be unit.
static void to_matrix(const anim_pack_locals* l, anim_d2 m[12])
{
    anim_d2 x = l->q[0], y = l->q[1], z = l->q[2], w = l->q[3];
    anim_d2 x2 = x + x, y2 = y + y, z2 = z + z;
    anim_d2 xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    anim_d2 wx = w * x2, wy = w * y2, wz = w * z2;
    m[0] = (1.0 - (yy + zz)) * l->s[0];
    m[1] = (xy - wz) * l->s[1];
    m[2] = (xz + wy) * l->s[2];
    m[3] = l->t[0];
    m[4] = (xy + wz) * l->s[0];
    m[5] = (1.0 - (xx + zz)) * l->s[1];
    m[6] = (yz - wx) * l->s[2];
    m[7] = l->t[1];
    m[8] = (xz - wy) * l->s[0];
    m[9] = (yz + wx) * l->s[1];
    m[10] = (1.0 - (xx + yy)) * l->s[2];
    m[11] = l->t[2];
}

static void compute_joint(const anim_pack_model* m, uint32_t joint, anim_pack_matrices* all)
{
    const anim_pack_locals* locals = &m->locals[(size_t)joint * m->pairs];
    anim_pack_matrices* out = &all[(size_t)joint * m->pairs];
    int32_t above = m->skeleton->parents[joint];
    if (above < 0) {
        for (uint32_t p = 0; p < m->pairs; p++)
            to_matrix(&locals[p], out[p].m);
        return;
    }
    const anim_pack_matrices* parents = &all[(size_t)above * m->pairs];
    for (uint32_t p = 0; p < m->pairs; p++) {
        anim_d2 b[12];
        to_matrix(&locals[p], b);
        const anim_d2* a = parents[p].m;
        for (int r = 0; r < 12; r += 4) {
            for (int c = 0; c < 4; c++)
                out[p].m[r + c] = a[r] * b[c] + a[r + 1] * b[4 + c] + a[r + 2] * b[8 + c];
            out[p].m[r + 3] += a[r + 3];
        }
    }
}

// From the matrices of the rest pose. A scale of (nearly) nothing is left as it is.
static void set_shell(anim_pack_model* m, uint32_t joint)
{
    const double least = 1e-6;
    compute_joint(m, joint, m->made);
    const anim_d2* x = m->made[(size_t)joint * m->pairs].m;
    double size = 0;
    for (int axis = 0; axis < 3; axis++)
        size = fmax(size, x[axis][0] * x[axis][0] + x[4 + axis][0] * x[4 + axis][0] +
                              x[8 + axis][0] * x[8 + axis][0]);
    size = sqrt(size);
    m->shells[joint] = ANIM_PACK_SHELL * (size > least && size < 1 ? 1 / size : 1);
    m->radii[joint] = m->shells[joint] * size;
}

bool anim_pack_model_init(anim_pack_model* m, anim_arena* arena, const anim_skeleton* skeleton,
                          bool additive, uint32_t moments)
{
    uint32_t joints = skeleton->joint_count, pairs = (moments + 1) / 2;
    size_t cells = (size_t)joints * pairs;
    *m = (anim_pack_model){.skeleton = skeleton, .additive = additive, .moments = moments};
    m->pairs = pairs;
    m->locals = anim_arena_alloc(arena, cells, sizeof *m->locals);
    m->wanted = anim_arena_alloc(arena, cells, sizeof *m->wanted);
    m->made = anim_arena_alloc(arena, cells, sizeof *m->made);
    m->worst = anim_arena_alloc(arena, joints, sizeof *m->worst);
    m->shells = anim_arena_alloc(arena, joints, sizeof *m->shells);
    m->radii = anim_arena_alloc(arena, joints, sizeof *m->radii);
    uint32_t* end = anim_arena_alloc(arena, joints, sizeof *end);
    m->end = end;
    if (!m->locals || !m->wanted || !m->made || !m->worst || !m->shells || !m->radii || !end)
        return false;
    for (uint32_t j = joints; j-- > 0;) {
        end[j] = end[j] > j ? end[j] : j + 1;
        int32_t parent = skeleton->parents[j];
        if (parent >= 0 && end[parent] < end[j])
            end[parent] = end[j];
    }
    for (uint32_t p = 0; p < 2 * pairs; p++)
        anim_pack_model_set_pose(m, p, additive ? NULL : skeleton->rest);
    for (uint32_t j = 0; j < joints; j++)
        set_shell(m, j);
    return true;
}

void anim_pack_model_want(anim_pack_model* m)
{
    for (uint32_t j = 0; j < m->skeleton->joint_count; j++)
        compute_joint(m, j, m->wanted);
}

typedef int64_t mask2 __attribute__((vector_size(16)));

static anim_d2 larger(anim_d2 a, anim_d2 b)
{
    mask2 first = (mask2)(a > b);
    return (anim_d2)((first & (mask2)a) | (~first & (mask2)b));
}

// Square of the distance, and whatever is no number in `sum`.
static anim_d2 distance2(const anim_pack_matrices* a, const anim_pack_matrices* b, double shell,
                         anim_d2* sum)
{
    anim_d2 d[12], most = {0, 0};
    for (int i = 0; i < 12; i++)
        d[i] = a->m[i] - b->m[i];
    for (int axis = 0; axis < 3; axis++) {
        anim_d2 x = d[3] + d[axis] * shell;
        anim_d2 y = d[7] + d[4 + axis] * shell;
        anim_d2 z = d[11] + d[8 + axis] * shell;
        anim_d2 square = x * x + y * y + z * z;
        *sum += square;
        most = larger(square, most);
    }
    return most;
}

static double measure_joint(const anim_pack_model* m, uint32_t joint)
{
    const anim_pack_matrices* wanted = &m->wanted[(size_t)joint * m->pairs];
    const anim_pack_matrices* made = &m->made[(size_t)joint * m->pairs];
    anim_d2 most = {0, 0}, sum = {0, 0};
    for (uint32_t p = 0; p < m->pairs; p++)
        most = larger(distance2(&made[p], &wanted[p], m->shells[joint], &sum), most);
    double total = sum[0] + sum[1];
    if (!(total <= DBL_MAX))
        return INFINITY;
    return sqrt(most[0] > most[1] ? most[0] : most[1]);
}

double anim_pack_model_update(anim_pack_model* m, uint32_t first, uint32_t end, double bound)
{
    double most = 0;
    for (uint32_t j = first; j < end; j++) {
        compute_joint(m, j, m->made);
        m->work += m->moments;
        m->worst[j] = measure_joint(m, j);
        if (m->worst[j] > most)
            most = m->worst[j];
        if (most > bound)
            break;
    }
    return most;
}

double anim_pack_model_error(const anim_pack_model* m, uint32_t joint, uint32_t moment)
{
    size_t cell = (size_t)joint * m->pairs + moment / 2;
    anim_d2 sum = {0, 0};
    anim_d2 square = distance2(&m->made[cell], &m->wanted[cell], m->shells[joint], &sum);
    double e = sqrt(square[moment % 2]);
    return e <= DBL_MAX ? e : INFINITY;
}
