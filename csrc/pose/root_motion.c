// SPDX-License-Identifier: MIT
#include "pose/root_motion.h"

#include "math/glm.h"

void anim_rigid_mul(const anim_rigid* a, const anim_rigid* b, anim_rigid* out)
{
    anim_rigid left = *a, right = *b, made;
    glm_quat_rotatev(left.q, right.t, made.t);
    glm_vec3_add(made.t, left.t, made.t);
    glm_quat_mul(left.q, right.q, made.q);
    anim_quat_normalize(made.q, made.q);
    *out = made;
}

void anim_rigid_inverse(const anim_rigid* a, anim_rigid* out)
{
    anim_rigid from = *a, made;
    glm_quat_conjugate(from.q, made.q);
    glm_quat_rotatev(made.q, from.t, made.t);
    glm_vec3_negate(made.t);
    *out = made;
}

void anim_motion_at(const anim_motion* motion, double time, anim_rigid* out)
{
    anim_place place = anim_times_find(&motion->times, time);
    const anim_rigid* from = &motion->values[place.key];
    const anim_rigid* to = motion->times.count > 1 ? from + 1 : from;
    for (int i = 0; i < 3; i++)
        out->t[i] = from->t[i] * (1 - place.u) + to->t[i] * place.u;
    anim_quat_slerp(from->q, to->q, place.u, out->q);
}

// M(from)^-1 M(to)
static anim_rigid change(const anim_motion* motion, double from, double to)
{
    anim_rigid a, b, inverse, out;
    anim_motion_at(motion, from, &a);
    anim_motion_at(motion, to, &b);
    anim_rigid_inverse(&a, &inverse);
    anim_rigid_mul(&inverse, &b, &out);
    return out;
}

static anim_rigid power(anim_rigid base, uint64_t exponent)
{
    anim_rigid out = ANIM_RIGID_IDENTITY;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            anim_rigid_mul(&out, &base, &out);
        anim_rigid_mul(&base, &base, &base);
    }
    return out;
}

void anim_motion_of_step(const anim_motion* motion, const anim_step* step, anim_rigid* out)
{
    int64_t passes = step->to.pass - step->from.pass;
    if (passes == 0 || step->loop == ANIM_LOOP_PINGPONG) { // ping-pong goes back the way it came
        *out = change(motion, step->from.time, step->to.time);
        return;
    }
    double enter = passes > 0 ? 0 : step->length, leave = passes > 0 ? step->length : 0;
    uint64_t whole = (uint64_t)(passes > 0 ? passes : -passes) - 1;
    anim_rigid first = change(motion, step->from.time, leave);
    anim_rigid middle = power(change(motion, enter, leave), whole);
    anim_rigid last = change(motion, enter, step->to.time);
    anim_rigid_mul(&first, &middle, out);
    anim_rigid_mul(out, &last, out);
}
