// SPDX-License-Identifier: MIT
// One transform at a time: import, editing of clips, the edge of the API. Poses are in lanes
// (pose/pose.h).
#pragma once

#include "base/config.h"

// Local transform of a joint: scaled, then turned, then moved. Quaternions are x, y, z, w.
typedef struct anim_xform {
    float t[3];
    float q[4];
    float s[3];
} anim_xform;

// An affine matrix as three rows of four (the last row 0 0 0 1 is left out): point' = m * point.
typedef struct anim_mat34 {
    float m[3][4];
} anim_mat34;

#define ANIM_XFORM_IDENTITY ((anim_xform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}})
#define ANIM_MAT34_IDENTITY ((anim_mat34){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}})

bool anim_floats_are_finite(const float* values, size_t count);
bool anim_floats_are_within(const float* values, size_t count, float most); // |x| <= most, no nan
bool anim_xform_is_finite(const anim_xform* x);

void anim_mat34_from_xform(const anim_xform* x, anim_mat34* out);
void anim_mat34_mul(const anim_mat34* a, const anim_mat34* b, anim_mat34* out); // out may be a or b

// False where the matrix can't be inverted (a scale of zero); `out` is then the identity.
bool anim_mat34_invert(const anim_mat34* a, anim_mat34* out);

// Translation, rotation and scale of a matrix. A mirrored matrix gives a negative x scale; shear is
// dropped (false); an axis of length zero gives scale 0 and a rotation that fits the others.
bool anim_mat34_decompose(const anim_mat34* a, anim_xform* out);

// From and to 16 numbers, column-major as in glTF. from: the last row is not looked at.
void anim_mat34_from_columns(const float columns[16], anim_mat34* out);
void anim_mat34_to_columns(const anim_mat34* a, float columns[16]);

// Unit quaternion nearest to q in `out`; false (and identity) where q is zero or not finite. One
// that is unit as far as floats go keeps its bits.
bool anim_quat_normalize(const float q[4], float out[4]);

// Takes from a unit quaternion what turns by less than 1e-15 (and the sign of zeros): files are full of such
// remains, and their squares are denormal numbers, with which processors are several times slower.
void anim_quat_clear_tiny(float q[4]);

// Spherical interpolation, the shorter way; the same formula as the lanes of pose/sampler.c.
void anim_quat_slerp(const float a[4], const float b[4], float u, float out[4]);

// The turn about the unit axis (twist) that is contained in q; identity where q turns by 180 degrees
// about an axis square to it.
void anim_quat_twist(const float q[4], const float axis[3], float out[4]);
