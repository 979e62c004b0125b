// SPDX-License-Identifier: MIT
// Vectors and quaternions in double, one at a time: what IK computes with. Squares of the largest and
// the smallest floats neither overflow nor vanish in a double, so a solver needs no special cases for
// them. Only + - * / and sqrt: the same bits everywhere.
#pragma once

#include "base/config.h"

#include <math.h>

typedef struct anim_dvec {
    double x, y, z;
} anim_dvec;

typedef struct anim_dquat {
    double x, y, z, w;
} anim_dquat;

#define ANIM_DQUAT_IDENTITY ((anim_dquat){0, 0, 0, 1})

static inline anim_dvec anim_dvec_from(const float v[3])
{
    return (anim_dvec){(double)v[0], (double)v[1], (double)v[2]};
}

static inline anim_dvec anim_dvec_add(anim_dvec a, anim_dvec b)
{
    return (anim_dvec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline anim_dvec anim_dvec_sub(anim_dvec a, anim_dvec b)
{
    return (anim_dvec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline anim_dvec anim_dvec_scale(anim_dvec a, double k)
{
    return (anim_dvec){a.x * k, a.y * k, a.z * k};
}

static inline anim_dvec anim_dvec_mul(anim_dvec a, anim_dvec b) // component by component
{
    return (anim_dvec){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline double anim_dvec_dot(anim_dvec a, anim_dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline anim_dvec anim_dvec_cross(anim_dvec a, anim_dvec b)
{
    return (anim_dvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double anim_dvec_length(anim_dvec a)
{
    return sqrt(anim_dvec_dot(a, a));
}

// Unit length; `otherwise` where a is too short to have a direction.
static inline anim_dvec anim_dvec_normalize(anim_dvec a, anim_dvec otherwise)
{
    double length2 = anim_dvec_dot(a, a);
    return length2 > 1e-100 ? anim_dvec_scale(a, 1 / sqrt(length2)) : otherwise;
}

// A unit vector square to the unit vector a: the cross product with the axis it has least of.
static inline anim_dvec anim_dvec_square_to(anim_dvec a)
{
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    anim_dvec axis = x <= y && x <= z ? (anim_dvec){1, 0, 0}
                     : y <= z         ? (anim_dvec){0, 1, 0}
                                      : (anim_dvec){0, 0, 1};
    return anim_dvec_normalize(anim_dvec_cross(axis, a), (anim_dvec){0, 0, 1});
}

static inline anim_dquat anim_dquat_from(const float q[4])
{
    return (anim_dquat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static inline anim_dquat anim_dquat_conjugate(anim_dquat q)
{
    return (anim_dquat){-q.x, -q.y, -q.z, q.w};
}

static inline anim_dquat anim_dquat_mul(anim_dquat a, anim_dquat b) // b first, then a
{
    return (anim_dquat){
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
        (a.w * b.y - a.x * b.z) + (a.y * b.w + a.z * b.x),
        (a.w * b.z + a.x * b.y) + (a.z * b.w - a.y * b.x),
        (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
    };
}

static inline double anim_dquat_dot(anim_dquat a, anim_dquat b)
{
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

static inline anim_dquat anim_dquat_normalize(anim_dquat q) // identity where it has no direction
{
    double length2 = anim_dquat_dot(q, q);
    if (!(length2 > 1e-100))
        return ANIM_DQUAT_IDENTITY;
    double k = 1 / sqrt(length2);
    return (anim_dquat){q.x * k, q.y * k, q.z * k, q.w * k};
}

static inline anim_dvec anim_dquat_rotate(anim_dquat q, anim_dvec v) // q of unit length
{
    anim_dvec u = {q.x, q.y, q.z};
    anim_dvec t = anim_dvec_scale(anim_dvec_cross(u, v), 2);
    return anim_dvec_add(anim_dvec_add(v, anim_dvec_scale(t, q.w)), anim_dvec_cross(u, t));
}

// The least turn from one unit vector to another; where they are opposite, half a turn about the unit
// vector `axis`, which is square to `from`.
static inline anim_dquat anim_dquat_between(anim_dvec from, anim_dvec to, anim_dvec axis)
{
    double w = 1 + anim_dvec_dot(from, to);
    if (w < 1e-12)
        return (anim_dquat){axis.x, axis.y, axis.z, 0};
    anim_dvec c = anim_dvec_cross(from, to);
    return anim_dquat_normalize((anim_dquat){c.x, c.y, c.z, w});
}

// The same without the normalising, for products that are normalised themselves.
static inline anim_dquat anim_dquat_between_raw(anim_dvec from, anim_dvec to, anim_dvec axis)
{
    double w = 1 + anim_dvec_dot(from, to);
    if (w < 1e-12)
        return (anim_dquat){axis.x, axis.y, axis.z, 0};
    anim_dvec c = anim_dvec_cross(from, to);
    return (anim_dquat){c.x, c.y, c.z, w};
}

// From a (weight 0) to b (1) the shorter way, normalised.
static inline anim_dquat anim_dquat_nlerp(anim_dquat a, anim_dquat b, double weight)
{
    double other = anim_dquat_dot(a, b) < 0 ? -weight : weight, own = 1 - weight;
    return anim_dquat_normalize((anim_dquat){own * a.x + other * b.x, own * a.y + other * b.y,
                                             own * a.z + other * b.z, own * a.w + other * b.w});
}
