// SPDX-License-Identifier: MIT
#include "pose/warp.h"

#include "math/dvec.h"
#include "math/range.h"
#include "math/trig.h"

static const double most_scale = 2;

typedef struct rigid {
    anim_dvec t;
    anim_dquat q;
} rigid;

static rigid rigid_from(const anim_rigid* a)
{
    return (rigid){anim_dvec_from(a->t), anim_dquat_normalize(anim_dquat_from(a->q))};
}

static rigid rigid_mul(rigid a, rigid b)
{
    return (rigid){anim_dvec_add(a.t, anim_dquat_rotate(a.q, b.t)), anim_dquat_mul(a.q, b.q)};
}

static rigid rigid_inverse(rigid a)
{
    anim_dquat q = anim_dquat_conjugate(a.q);
    return (rigid){anim_dquat_rotate(q, anim_dvec_scale(a.t, -1)), q};
}

static void rigid_to(rigid a, anim_rigid* out)
{
    anim_dquat q = anim_dquat_normalize(a.q);
    *out = (anim_rigid){{(float)a.t.x, (float)a.t.y, (float)a.t.z},
                        {(float)q.x, (float)q.y, (float)q.z, (float)q.w}};
}

// q^part, the shorter way about its own axis.
static anim_dquat power(anim_dquat q, double part)
{
    double sign = q.w < 0 ? -1 : 1;
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    if (sine < 1e-30)
        return ANIM_DQUAT_IDENTITY;
    float s, c;
    anim_sincos((float)(anim_atan2_d(sine, q.w * sign) * part), &s, &c);
    double k = (double)s / sine * sign;
    return anim_dquat_normalize((anim_dquat){q.x * k, q.y * k, q.z * k, (double)c});
}

void anim_warp_begin(const anim_rigid* remaining, const anim_rigid* target, anim_warp* out)
{
    anim_dvec e = rigid_inverse(rigid_from(remaining)).t;
    anim_dvec z = rigid_inverse(rigid_from(target)).t;
    *out = (anim_warp){{0, 0, 0}, 0};
    double length2 = anim_dvec_dot(e, e);
    if (!(length2 > 1e-24))
        return;
    anim_dvec d = anim_dvec_scale(e, 1 / sqrt(length2));
    out->axis[0] = (float)d.x;
    out->axis[1] = (float)d.y;
    out->axis[2] = (float)d.z;
    out->scale = (float)anim_clamp(anim_dvec_dot(z, e) / length2, 0, most_scale);
}

static anim_dvec scaled(const anim_warp* warp, anim_dvec v)
{
    anim_dvec d = anim_dvec_from(warp->axis);
    double more = ((double)warp->scale - 1) * anim_dvec_dot(d, v);
    return anim_dvec_add(v, anim_dvec_scale(d, more));
}

void anim_warp_step(const anim_warp* warp, const anim_rigid* remaining, const anim_rigid* target,
                    const anim_rigid* step, double left, double dt, anim_rigid* out)
{
    rigid goal = rigid_from(target);
    if (!(dt < left)) {
        rigid_to(goal, out);
        return;
    }
    double part = dt > 0 ? (left - dt) / left : 1; // of gap and turn that stays for later
    rigid z = rigid_inverse(goal), e = rigid_inverse(rigid_from(remaining));
    rigid e2 = rigid_mul(e, rigid_from(step)), z2;
    anim_dvec gap = anim_dvec_sub(z.t, scaled(warp, e.t));
    z2.t = anim_dvec_add(scaled(warp, e2.t), anim_dvec_scale(gap, part));
    anim_dquat turn = anim_dquat_mul(z.q, anim_dquat_conjugate(e.q));
    z2.q = anim_dquat_mul(power(turn, part), e2.q);
    rigid_to(rigid_mul(goal, z2), out);
}
