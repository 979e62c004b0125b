// SPDX-License-Identifier: MIT
#include "math/xform.h"

#include "math/glm.h"
#include "math/slerp.h"

bool anim_floats_are_finite(const float* values, size_t count)
{
    // Counted in integers, which compilers do eight at a time; a float sum they may not.
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (bits & 0x7f800000u) == 0x7f800000u;
    }
    return bad == 0;
}

bool anim_floats_are_within(const float* values, size_t count, float most)
{
    uint32_t limit, bad = 0; // positive floats are in the order of their bits, nan beyond all
    memcpy(&limit, &most, sizeof limit);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (bits & 0x7fffffffu) > limit;
    }
    return bad == 0;
}

bool anim_xform_is_finite(const anim_xform* x)
{
    return anim_floats_are_finite(x->t, 3) && anim_floats_are_finite(x->q, 4) &&
           anim_floats_are_finite(x->s, 3);
}

void anim_mat34_from_xform(const anim_xform* x, anim_mat34* out)
{
    float qx = x->q[0], qy = x->q[1], qz = x->q[2], qw = x->q[3];
    float xx = qx * qx, yy = qy * qy, zz = qz * qz;
    float xy = qx * qy, xz = qx * qz, yz = qy * qz;
    float wx = qw * qx, wy = qw * qy, wz = qw * qz;
    const float r[3][3] = {
        {1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
        {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
        {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)},
    };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out->m[i][j] = r[i][j] * x->s[j];
        out->m[i][3] = x->t[i];
    }
}

void anim_mat34_mul(const anim_mat34* a, const anim_mat34* b, anim_mat34* out)
{
    anim_mat34 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            float last = j == 3 ? a->m[i][3] : 0.0f;
            r.m[i][j] = (a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j]) +
                        (a->m[i][2] * b->m[2][j] + last);
        }
    *out = r;
}

bool anim_mat34_invert(const anim_mat34* a, anim_mat34* out)
{
    double m[3][3], inverse[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = a->m[i][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
            inverse[i][j] = m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0];
        }
    double det = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
    if (det == 0 || det * 0 != 0) {
        *out = ANIM_MAT34_IDENTITY;
        return false;
    }
    const double t[3] = {a->m[0][3], a->m[1][3], a->m[2][3]};
    for (int i = 0; i < 3; i++) {
        double moved = 0;
        for (int j = 0; j < 3; j++) {
            out->m[i][j] = (float)(inverse[i][j] / det);
            moved += inverse[i][j] / det * t[j];
        }
        out->m[i][3] = (float)-moved;
    }
    return true;
}

void anim_mat34_from_columns(const float columns[16], anim_mat34* out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            out->m[i][j] = columns[j * 4 + i];
}

void anim_mat34_to_columns(const anim_mat34* a, float columns[16])
{
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 3; i++)
            columns[j * 4 + i] = a->m[i][j];
        columns[j * 4 + 3] = j == 3;
    }
}

// A unit vector square to v (v need not be unit; zero gives the x axis).
static void any_square_axis(const vec3 v, vec3 out)
{
    vec3 least = {0, 0, 0};
    int axis = fabsf(v[0]) <= fabsf(v[1]) ? 0 : 1;
    if (fabsf(v[2]) < fabsf(v[axis]))
        axis = 2;
    least[axis] = 1;
    vec3 from = {v[0], v[1], v[2]};
    glm_vec3_cross(from, least, out);
    glm_vec3_normalize(out);
    if (glm_vec3_norm2(out) == 0)
        glm_vec3_copy((vec3){1, 0, 0}, out);
}

// Makes the three axes unit, filling in those of length zero so that a rotation remains.
static void complete_axes(vec3 axis[3], const float length[3])
{
    int zero = -1, count = 0;
    for (int i = 0; i < 3; i++)
        if (length[i] == 0) {
            zero = i;
            count++;
        }
    if (count == 3) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                axis[i][j] = i == j;
        return;
    }
    if (count == 2) {
        int kept = length[0] != 0 ? 0 : length[1] != 0 ? 1 : 2;
        zero = (kept + 2) % 3;
        any_square_axis(axis[kept], axis[(kept + 1) % 3]);
    }
    if (count > 0)
        glm_vec3_cross(axis[(zero + 1) % 3], axis[(zero + 2) % 3], axis[zero]);
}

bool anim_mat34_decompose(const anim_mat34* a, anim_xform* out)
{
    vec3 axis[3];
    float length[3];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++)
            axis[j][i] = a->m[i][j];
        length[j] = (float)sqrt((double)axis[j][0] * axis[j][0] + (double)axis[j][1] * axis[j][1] +
                                (double)axis[j][2] * axis[j][2]);
        if (length[j] != 0)
            glm_vec3_scale(axis[j], 1 / length[j], axis[j]);
        out->t[j] = a->m[j][3];
    }
    complete_axes(axis, length);
    vec3 cross;
    glm_vec3_cross(axis[0], axis[1], cross);
    if (glm_vec3_dot(cross, axis[2]) < 0) {
        length[0] = -length[0];
        glm_vec3_negate(axis[0]);
    }
    float shear = fabsf(glm_vec3_dot(axis[0], axis[1])) + fabsf(glm_vec3_dot(axis[1], axis[2])) +
                  fabsf(glm_vec3_dot(axis[0], axis[2]));
    mat3 rotation;
    for (int j = 0; j < 3; j++) {
        glm_vec3_copy(axis[j], rotation[j]);
        out->s[j] = length[j];
    }
    versor q;
    glm_mat3_quat(rotation, q);
    anim_quat_normalize(q, out->q);
    return shear < 1e-3f;
}

bool anim_quat_normalize(const float q[4], float out[4])
{
    double length2 = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] +
                     (double)q[3] * q[3];
    if (!(length2 > 1e-60) || length2 * 0 != 0) {
        memcpy(out, (float[]){0, 0, 0, 1}, 4 * sizeof *out);
        return false;
    }
    // As near to 1 as floats come: the same bits, so that normalising again changes nothing.
    double scale = fabs(length2 - 1) > 1.2e-7 ? 1 / sqrt(length2) : 1;
    for (int i = 0; i < 4; i++)
        out[i] = (float)(q[i] * scale);
    return true;
}

void anim_quat_clear_tiny(float q[4])
{
    for (int i = 0; i < 4; i++)
        if (fabsf(q[i]) < 5e-16f)
            q[i] = 0;
}

void anim_quat_slerp(const float a[4], const float b[4], float u, float out[4])
{
    float dot = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    float sign = dot < 0 ? -1.0f : 1.0f;
    float c2 = 0;
    for (int i = 0; i < 4; i++) {
        float d = a[i] - sign * b[i];
        c2 += d * d * 0.25f;
    }
    float angle2 = 4 * c2 * ANIM_SLERP_ARC(c2);
    float v = 1 - u;
    float whole = ANIM_SLERP_SINC(angle2);
    float wa = v * (ANIM_SLERP_SINC(v * v * angle2) / whole); // exactly 1 at u = 0
    float wb = u * (ANIM_SLERP_SINC(u * u * angle2) / whole) * sign;
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * wa + b[i] * wb;
}

void anim_quat_twist(const float q[4], const float axis[3], float out[4])
{
    float along = q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2];
    float twist[4] = {axis[0] * along, axis[1] * along, axis[2] * along, q[3]};
    anim_quat_normalize(twist, out);
}
