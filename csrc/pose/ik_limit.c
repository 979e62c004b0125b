// SPDX-License-Identifier: MIT
#include "pose/ik_limit.h"

#include "math/trig.h"

static const float pi = 3.14159265f;
static const double rounding =
    1e-13; // of a cosine: what is this near to an end is inside, 1e-6 rad

// ---- creation

static anim_code check_range(const char* name, float low, float high, anim_error* err)
{
    const float most = 2 * pi + 1e-5f;
    if (!(low >= -most && high <= most && low <= high))
        return anim_fail(err, ANIM_ERR_ARGUMENT,
                         "%s from %g to %g is not a range within -2 pi to 2 pi", name, (double)low,
                         (double)high);
    return ANIM_OK;
}

anim_code anim_joint_limit_check(const anim_joint_limit* desc, anim_error* err)
{
    const float* axis = desc->axis;
    double length = anim_dvec_length(anim_dvec_from(axis));
    if (!(length > 1e-30) || !isfinite(length))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "axis (%g, %g, %g) has no direction",
                         (double)axis[0], (double)axis[1], (double)axis[2]);
    switch (desc->kind) {
    case ANIM_LIMIT_HINGE: return check_range("the angle", desc->min, desc->max, err);
    case ANIM_LIMIT_CONE:
        if (!(desc->cone >= 0 && desc->cone <= pi + 1e-5f))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "a cone of %g is not within 0 to pi",
                             (double)desc->cone);
        return check_range("twist", desc->twist_min, desc->twist_max, err);
    }
    return anim_fail(err, ANIM_ERR_ARGUMENT, "unknown kind of limit %d", (int)desc->kind);
}

static void half_angle(double angle, double* sine, double* cosine)
{
    float s, c;
    anim_sincos((float)(angle / 2), &s, &c);
    double k = 1 / sqrt((double)s * (double)s + (double)c * (double)c);
    *sine = (double)s * k;
    *cosine = (double)c * k;
}

void anim_limit_init(anim_limit* limit, const anim_joint_limit* desc, const float rest[4])
{
    bool hinge = desc->kind == ANIM_LIMIT_HINGE;
    double low = (double)(hinge ? desc->min : desc->twist_min);
    double high = (double)(hinge ? desc->max : desc->twist_max);
    double cone = hinge ? 0 : (double)desc->cone;
    *limit = (anim_limit){
        .kind = desc->kind,
        .is_twist_free = high - low >= 2 * (double)pi - 1e-5,
        .axis = anim_dvec_normalize(anim_dvec_from(desc->axis), (anim_dvec){1, 0, 0}),
        .rest = anim_dquat_normalize(anim_dquat_from(rest)),
    };
    limit->is_swing_free = !hinge && limit->is_twist_free && cone >= (double)pi - 1e-5;
    if (!limit->is_twist_free && cone > (double)pi - 0.01)
        cone = (double)pi - 0.01;
    half_angle((low + high) / 2, &limit->middle_sine, &limit->middle_cosine);
    half_angle((high - low) / 2, &limit->range_sine, &limit->range_cosine);
    half_angle(cone, &limit->cone_sine, &limit->cone_cosine);
}

// ---- twist and swing

// A twist is an angle from the middle of the range, a swing a quaternion square to the axis. Both have a
// half-angle cosine >= 0.
typedef struct parts {
    double sine, cosine;
    anim_dquat swing;
} parts;

static anim_dvec vector_of(anim_dquat q)
{
    return (anim_dvec){q.x, q.y, q.z};
}

static anim_dquat about(anim_dvec axis, double sine, double cosine)
{
    return (anim_dquat){axis.x * sine, axis.y * sine, axis.z * sine, cosine};
}

// Unit length and cosine >= 0; the middle where there is no angle.
static void settle(double* sine, double* cosine)
{
    double length2 = *sine * *sine + *cosine * *cosine;
    double k = length2 > 1e-24 ? (*cosine < 0 ? -1 : 1) / sqrt(length2) : 0;
    *sine *= k;
    *cosine = k == 0 ? 1 : *cosine * k;
}

static void take_apart(const anim_limit* limit, anim_dquat q, parts* out)
{
    anim_dquat turn = anim_dquat_mul(anim_dquat_conjugate(limit->rest), q);
    double along = anim_dvec_dot(vector_of(turn), limit->axis);
    out->sine = along * limit->middle_cosine - turn.w * limit->middle_sine;
    out->cosine = turn.w * limit->middle_cosine + along * limit->middle_sine;
    settle(&out->sine, &out->cosine);
    double s = out->sine * limit->middle_cosine + out->cosine * limit->middle_sine;
    double c = out->cosine * limit->middle_cosine - out->sine * limit->middle_sine;
    out->swing = anim_dquat_mul(turn, about(limit->axis, -s, c));
    if (out->swing.w < 0)
        out->swing = (anim_dquat){-out->swing.x, -out->swing.y, -out->swing.z, -out->swing.w};
}

static anim_dquat put_together(const anim_limit* limit, const parts* p)
{
    double s = p->sine * limit->middle_cosine + p->cosine * limit->middle_sine;
    double c = p->cosine * limit->middle_cosine - p->sine * limit->middle_sine;
    anim_dquat turn = anim_dquat_mul(p->swing, about(limit->axis, s, c));
    return anim_dquat_normalize(anim_dquat_mul(limit->rest, turn));
}

static bool cut_twist(const anim_limit* limit, parts* p)
{
    if (limit->is_twist_free || p->cosine >= limit->range_cosine - rounding)
        return false;
    p->sine = p->sine < 0 ? -limit->range_sine : limit->range_sine;
    p->cosine = limit->range_cosine;
    return true;
}

static bool cut_swing(const anim_limit* limit, parts* p)
{
    if (limit->is_swing_free || p->swing.w >= limit->cone_cosine - rounding)
        return false;
    anim_dvec v = vector_of(p->swing);
    v = anim_dvec_sub(v, anim_dvec_scale(limit->axis, anim_dvec_dot(limit->axis, v)));
    v = anim_dvec_normalize(v, anim_dvec_square_to(limit->axis));
    p->swing = about(v, limit->cone_sine, limit->cone_cosine);
    return true;
}

anim_dquat anim_limit_clamp(const anim_limit* limit, anim_dquat q)
{
    parts p;
    take_apart(limit, q, &p);
    bool twist = cut_twist(limit, &p), swing = cut_swing(limit, &p);
    return twist || swing ? put_together(limit, &p) : q;
}

// In a range the way through its middle even where the other is shorter: that one leaves the range.
static void blend_twist(const anim_limit* limit, parts* from, const parts* to, double weight)
{
    double dot = from->sine * to->sine + from->cosine * to->cosine;
    double other = limit->is_twist_free && dot < 0 ? -weight : weight;
    from->sine = from->sine * (1 - weight) + to->sine * other;
    from->cosine = from->cosine * (1 - weight) + to->cosine * other;
    settle(&from->sine, &from->cosine);
}

anim_dquat anim_limit_blend(const anim_limit* limit, anim_dquat a, anim_dquat b, double weight)
{
    parts from, to;
    take_apart(limit, a, &from);
    take_apart(limit, b, &to);
    blend_twist(limit, &from, &to, weight);
    const anim_dquat *f = &from.swing, *t = &to.swing;
    double w = weight, own = 1 - w;
    from.swing = anim_dquat_normalize((anim_dquat){f->x * own + t->x * w, f->y * own + t->y * w,
                                                   f->z * own + t->z * w, f->w * own + t->w * w});
    return put_together(limit, &from);
}

// ---- hinges

// With u = rest^-1 goal, the best angle has the tangent  axis . (p x u) / (p . u - (axis p)(axis u)),
// summed over the points.
anim_dquat anim_limit_hinge_toward(const anim_limit* limit, anim_dquat q, const double sums[3][3],
                                   double part)
{
    anim_dquat back = anim_dquat_conjugate(limit->rest);
    anim_dvec a = limit->axis, column[3];
    double scale2 = 0;
    for (int c = 0; c < 3; c++) {
        column[c] = anim_dquat_rotate(back, (anim_dvec){sums[0][c], sums[1][c], sums[2][c]});
        scale2 += anim_dvec_dot(column[c], column[c]);
    }
    anim_dvec x = column[0], y = column[1], z = column[2];
    double sine = a.x * (y.z - z.y) + a.y * (z.x - x.z) + a.z * (x.y - y.x);
    double along = a.x * anim_dvec_dot(a, x) + a.y * anim_dvec_dot(a, y) +
                   a.z * anim_dvec_dot(a, z);
    double cosine = (x.x + y.y + z.z) - along;
    double length2 = sine * sine + cosine * cosine;
    if (!(length2 > 1e-24 * scale2))
        return anim_limit_clamp(limit, q);
    double half_cosine = sqrt(length2) +
                         cosine; // (sin A, 1 + cos A) is (sin A/2, cos A/2) stretched
    if (half_cosine <= 1e-12 * sqrt(length2)) {
        sine = 1;
        half_cosine = 0;
    }
    parts p;
    take_apart(limit, q, &p);
    p.swing = ANIM_DQUAT_IDENTITY;
    cut_twist(limit, &p);
    parts wanted = {
        sine * limit->middle_cosine - half_cosine * limit->middle_sine,
        half_cosine * limit->middle_cosine + sine * limit->middle_sine,
        ANIM_DQUAT_IDENTITY,
    };
    settle(&wanted.sine, &wanted.cosine);
    cut_twist(limit, &wanted);
    if (part < 1)
        blend_twist(limit, &p, &wanted, part);
    else
        p = wanted;
    return put_together(limit, &p);
}

anim_dquat anim_limit_hinge_inward(const anim_limit* limit, anim_dquat q, double step)
{
    parts p;
    take_apart(limit, q, &p);
    p.swing = ANIM_DQUAT_IDENTITY;
    cut_twist(limit, &p);
    double t = p.sine > 1e-6 ? -step : step;
    double sine = p.sine + p.cosine * t, cosine = p.cosine - p.sine * t;
    p.sine = sine;
    p.cosine = cosine;
    settle(&p.sine, &p.cosine);
    cut_twist(limit, &p);
    return put_together(limit, &p);
}
