// SPDX-License-Identifier: MIT
#include "pose/inertia.h"

#include "math/glm.h"
#include "math/trig.h"

// Rotation vector (axis times angle, the shorter way) of a unit quaternion.
static void to_vector(const float q[4], vec3 out)
{
    float sign = q[3] < 0 ? -1.0f : 1.0f;
    vec3 part = {q[0] * sign, q[1] * sign, q[2] * sign};
    float sine = glm_vec3_norm(part);
    float angle = 2 * anim_atan2(sine, q[3] * sign);
    glm_vec3_scale(part, sine > 1e-12f ? angle / sine : 2, out);
}

static void from_vector(const vec3 v, versor out)
{
    vec3 axis = {v[0], v[1], v[2]};
    float angle = glm_vec3_norm(axis);
    float scale = angle > 1e-12f ? anim_sin(angle * 0.5f) / angle : 0.5f;
    versor q = {v[0] * scale, v[1] * scale, v[2] * scale, anim_cos(angle * 0.5f)};
    anim_quat_normalize(q, out);
}

// The turn from a to b, b = turn * a.
static void turn_between(const float a[4], const float b[4], versor out)
{
    versor inverse = {-a[0], -a[1], -a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
    glm_quat_mul(to, inverse, out);
}

void anim_momentum_capture(const anim_skeleton* skeleton, const anim_pose_group* now,
                           const anim_pose_group* earlier, float seconds, anim_momentum* out)
{
    memcpy(out->at, now, skeleton->group_count * sizeof *now);
    anim_pose_to_identity(skeleton, out->rate);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        anim_xform a, b, rate = {{0}, {0}, {0}};
        versor turn;
        vec3 vector;
        anim_pose_get(skeleton, earlier, j, &a);
        anim_pose_get(skeleton, now, j, &b);
        turn_between(a.q, b.q, turn);
        to_vector(turn, vector);
        for (int i = 0; i < 3; i++) {
            rate.t[i] = (b.t[i] - a.t[i]) / seconds;
            rate.q[i] = vector[i] / seconds;
            rate.s[i] = (b.s[i] - a.s[i]) / seconds;
        }
        anim_pose_set(skeleton, out->rate, j, &rate);
    }
}

float anim_momentum_reach(float t, float T)
{
    if (!(T > 0))
        return 0;
    float at = t < T ? t : T;
    return at * (1 - at / (2 * T));
}

// Moves x along `by`, a difference whose rotation is a vector (xyz of q), by parts of it.
static void move_by(anim_xform* x, const anim_xform* by, float part_t, float part_q, float part_s)
{
    versor turn, from;
    memcpy(from, x->q, sizeof from);
    from_vector((vec3){by->q[0] * part_q, by->q[1] * part_q, by->q[2] * part_q}, turn);
    glm_quat_mul(turn, from, x->q);
    anim_quat_normalize(x->q, x->q);
    for (int i = 0; i < 3; i++) {
        x->t[i] += by->t[i] * part_t;
        x->s[i] += by->s[i] * part_s;
    }
}

void anim_momentum_pose(const anim_skeleton* skeleton, const anim_momentum* m, float t, float T,
                        anim_pose_group* out)
{
    float reach = anim_momentum_reach(t, T);
    memcpy(out, m->at, skeleton->group_count * sizeof *out);
    for (uint32_t j = 0; j < skeleton->joint_count && reach > 0; j++) {
        anim_xform x, rate;
        anim_pose_get(skeleton, m->at, j, &x);
        anim_pose_get(skeleton, m->rate, j, &rate);
        move_by(&x, &rate, reach, reach, reach);
        anim_pose_set(skeleton, out, j, &x);
    }
}

// The speed of a difference along itself; 0 where there is none.
static float along(const float difference[3], const float rate[3])
{
    float length2 = 0, dot = 0;
    for (int i = 0; i < 3; i++) {
        length2 += difference[i] * difference[i];
        dot += difference[i] * rate[i];
    }
    return length2 > 1e-16f ? dot / sqrtf(length2) : 0;
}

void anim_momentum_to_offsets(const anim_skeleton* skeleton, anim_momentum* m,
                              const anim_pose_group* target)
{
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        anim_xform x, rate, to, offset = {{0}, {0}, {0}}, speed = {{0}, {0}, {0}};
        anim_pose_get(skeleton, m->at, j, &x);
        anim_pose_get(skeleton, m->rate, j, &rate);
        anim_pose_get(skeleton, target, j, &to);
        versor turn;
        vec3 vector;
        turn_between(to.q, x.q, turn);
        to_vector(turn, vector);
        for (int i = 0; i < 3; i++) {
            offset.t[i] = x.t[i] - to.t[i];
            offset.q[i] = vector[i];
            offset.s[i] = x.s[i] - to.s[i];
        }
        speed.t[0] = along(offset.t, rate.t);
        speed.q[0] = along(offset.q, rate.q);
        speed.s[0] = along(offset.s, rate.s);
        anim_pose_set(skeleton, m->at, j, &offset);
        anim_pose_set(skeleton, m->rate, j, &speed);
    }
}

float anim_inertia_decay(float x0, float v0, float t, float duration)
{
    if (!(x0 > 0))
        return 0;
    float v = v0 < 0 ? v0 : 0;
    float t1 = v < 0 && -5 * x0 / v < duration ? -5 * x0 / v : duration;
    if (!(t < t1))
        return 0;
    float s = t / t1, left = 1 - s;
    return left * left * (left * left) * (x0 + (4 * x0 + v * t1) * s);
}

// The part of a difference vector that is left.
static float part_left(const float difference[3], float speed, float t, float duration)
{
    vec3 d = {difference[0], difference[1], difference[2]};
    float size = glm_vec3_norm(d);
    return size > 1e-12f ? anim_inertia_decay(size, speed, t, duration) / size : 0;
}

void anim_offsets_apply(const anim_skeleton* skeleton, const anim_momentum* offsets, float t,
                        float duration, const float* profile, anim_pose_group* pose)
{
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        anim_xform x, offset, speed;
        float own = profile ? duration * profile[skeleton->slots[j]] : duration;
        anim_pose_get(skeleton, pose, j, &x);
        anim_pose_get(skeleton, offsets->at, j, &offset);
        anim_pose_get(skeleton, offsets->rate, j, &speed);
        float pt = part_left(offset.t, speed.t[0], t, own);
        float pq = part_left(offset.q, speed.q[0], t, own);
        float ps = part_left(offset.s, speed.s[0], t, own);
        move_by(&x, &offset, pt, pq, ps);
        anim_pose_set(skeleton, pose, j, &x);
    }
}
