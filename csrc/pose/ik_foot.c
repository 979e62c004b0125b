// SPDX-License-Identifier: MIT
#include "pose/ik_foot.h"

#include "math/range.h"
#include "math/trig.h"
#include "pose/ik_foot_parts.h"
#include "pose/ik_orient.h"

#include <float.h>
#include <string.h>

static const anim_dvec up = {0, 1, 0}, ahead = {0, 0, 1};
static const double swinging = 0.04;  // lift / length of the leg: a foot that swings
static const double straight = 0.999; // of the length of a leg
static const double steepest = 1.2; // rise / way of a character that walks: above, it was set there
static const double nearest = 0.4;  // likewise: a foot that swings comes no nearer to the hip
static const double rolls = 0.004;  // of the length: heel and ball at one height
static const double most_bent_cosine = 0.5, most_bent_sine = 0.86602540378443865; // 60 degrees

// --- rest pose ----------------------------------------------------------------------------------------

static anim_dvec rest_place(const anim_skeleton* skeleton, uint32_t joint)
{
    anim_mat34 m;
    anim_pose_joint_to_model(skeleton, skeleton->rest, joint, &m);
    return (anim_dvec){(double)m.m[0][3], (double)m.m[1][3], (double)m.m[2][3]};
}

// A point on the floor, in the space of a joint at rest.
static void keep_point(const anim_skeleton* skeleton, uint32_t joint, anim_dvec point, double floor,
                       float out[3])
{
    anim_ik_space space;
    point.y = floor;
    memset(out, 0, 3 * sizeof *out);
    if (anim_ik_space_of(skeleton, skeleton->rest, (int32_t)joint, &space))
        anim_ik_to_floats(anim_ik_point((const double(*)[4])space.from_model, point), out);
}

void anim_ik_foot_measure(const anim_skeleton* skeleton, anim_foot_leg* leg)
{
    anim_dvec hip = rest_place(skeleton, leg->joints.root);
    anim_dvec knee = rest_place(skeleton, leg->joints.mid);
    anim_dvec ankle = rest_place(skeleton, leg->joints.tip), ball = ankle, heel = ankle, tip;
    double floor = anim_min(0, ankle.y);
    if (leg->toe >= 0) {
        ball = rest_place(skeleton, (uint32_t)leg->toe);
        tip = anim_dvec_add(ball, anim_dvec_scale(anim_dvec_sub(ball, ankle), 0.5));
        floor = anim_min(floor, ball.y);
        if (skeleton->child_counts[leg->toe] > 0) { // the first child is the next joint
            tip = rest_place(skeleton, (uint32_t)leg->toe + 1);
            floor = anim_min(floor, tip.y);
        }
    }
    if (leg->heel >= 0) {
        heel = rest_place(skeleton, (uint32_t)leg->heel);
        floor = anim_min(floor, heel.y);
    } else {
        anim_dvec back = {ankle.x - ball.x, 0, ankle.z - ball.z};
        back = anim_dvec_normalize(back, (anim_dvec){0, 0, 0});
        heel = anim_dvec_add(ankle, anim_dvec_scale(back, 0.5 * (ankle.y - floor)));
    }
    double length = anim_dvec_length(anim_dvec_sub(knee, hip)) +
                    anim_dvec_length(anim_dvec_sub(ankle, knee));
    leg->length = (float)anim_clamp(length, 0, 1e30);
    leg->ball_height = (float)anim_clamp(ball.y - floor, 0, 1e30);
    keep_point(skeleton, leg->joints.tip, heel, floor, leg->heel_at);
    memset(leg->toe_tip, 0, sizeof leg->toe_tip);
    memset(leg->toe_axis, 0, sizeof leg->toe_axis);
    anim_ik_space space;
    if (leg->toe < 0 || !anim_ik_space_above(skeleton, skeleton->rest, (uint32_t)leg->toe, &space))
        return;
    keep_point(skeleton, (uint32_t)leg->toe, tip, floor, leg->toe_tip);
    anim_dvec across = {ball.z - ankle.z, 0, ankle.x - ball.x};
    anim_ik_to_floats(anim_ik_direction((const double(*)[4])space.from_model, across),
                      leg->toe_axis);
}

// --- memory -------------------------------------------------------------------------------------------

size_t anim_ik_foot_memory_size(uint32_t leg_count)
{
    return sizeof(anim_foot_memory) + leg_count * sizeof(anim_foot_leg_memory);
}

static bool are_numbers(const void* doubles, size_t size)
{
    const double* numbers = doubles;
    for (size_t i = 0; i < size / sizeof *numbers; i++)
        if (!(fabs(numbers[i]) <= 1e37))
            return false;
    return true;
}

bool anim_ik_foot_memory_is_fine(uint32_t leg_count, const anim_foot_memory* memory)
{
    if (!are_numbers(memory, offsetof(anim_foot_memory, legs)))
        return false;
    for (uint32_t i = 0; i < leg_count; i++) {
        const anim_foot_leg_memory* m = &memory->legs[i];
        if (!are_numbers(m, offsetof(anim_foot_leg_memory, bend)) || !anim_bend_is_fine(&m->bend))
            return false;
        if (!(m->share >= 0 && m->share <= 1 && m->stood >= 0))
            return false;
    }
    return true;
}

// --- solving ------------------------------------------------------------------------------------------

static anim_foot_spring spring_of(double seconds, double dt)
{
    if (!(seconds > 1e-9))
        return (anim_foot_spring){0, 0};
    double rate = 2 / seconds;
    return (anim_foot_spring){rate, anim_exp_d(-rate * dt)};
}

static anim_foot_frame frame_of(const anim_foot* desc, double dt)
{
    double smooth = (double)desc->smooth;
    anim_foot_frame f = {.dt = dt};
    f.smooth = spring_of(smooth, dt);
    f.quick = spring_of(smooth / 4, dt);
    f.soon = spring_of(smooth / 2, dt);
    f.release = desc->release > 0 ? spring_of((double)desc->release, dt) : f.smooth;
    f.at = anim_dvec_from(desc->place.t);
    f.turn = anim_dquat_normalize(anim_dquat_from(desc->place.q));
    f.up = anim_dquat_rotate(f.turn, up);
    float s, c;
    anim_sincos(desc->tilt, &s, &c);
    f.most_sine = (double)s;
    f.least_cosine = (double)c;
    return f;
}

// The leg as it is animated.
static void look_at(const anim_skeleton* skeleton, const anim_pose_group* pose,
                    const anim_foot* desc, const anim_ik_limb* like, anim_foot_work* w)
{
    const anim_foot_leg* leg = w->leg;
    w->solvable = anim_ik_limb_of(skeleton, pose, &leg->joints, like, &w->limb);
    if (!w->solvable)
        return;
    int32_t parent = skeleton->parents[leg->joints.tip];
    anim_ik_limb_matrix(skeleton, pose, &w->limb, parent, w->knee);
    w->length = leg->length > 0 ? (double)leg->length : 1;
    w->ankle = anim_ik_local_of(skeleton, pose, leg->joints.tip).q;
    w->heel = anim_ik_limb_point(skeleton, pose, &w->limb, leg->joints.tip,
                                 anim_dvec_from(leg->heel_at));
    w->ball = w->limb.tip;
    if (leg->toe >= 0)
        w->ball = anim_ik_limb_point(skeleton, pose, &w->limb, (uint32_t)leg->toe,
                                     (anim_dvec){0, 0, 0});
    double heel = w->heel.y - (double)desc->level;
    double ball = w->ball.y - (double)desc->level - (double)leg->ball_height;
    w->lift = anim_min(heel, ball);
    w->high = anim_foot_step((w->lift / w->length - ANIM_FOOT_STANDS) /
                             (swinging - ANIM_FOOT_STANDS));
    w->ball_share = anim_clamp(0.5 + (heel - ball) / (2 * rolls * w->length), 0, 1);
}

// What the feet ask of the pelvis (against its place in the animation), and how high it may be at most.
static void ask_legs(const anim_foot_work* works, uint32_t count, double* asked, double* most)
{
    *asked = 0;
    *most = DBL_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const anim_foot_work* w = &works[i];
        if (!w->solvable)
            continue;
        double now = anim_dvec_length(anim_dvec_sub(w->limb.tip, w->limb.root));
        double longest = anim_max(now, straight * w->limb.length);
        *asked = anim_min(*asked, w->memory.own + w->later);
        *most = anim_min(*most, anim_ik_limb_lift(&w->limb, w->target, longest));
    }
}

// The part of a sudden step of the character that its feet did not take, since they stand. The legs
// remember how far they are moved.
static double step_back(const anim_foot_frame* frame, const anim_foot_memory* was,
                        const anim_foot_work* works, uint32_t count)
{
    anim_dvec then = {was->place[0], was->place[1], was->place[2]};
    anim_dvec by = anim_dvec_sub(frame->at, then);
    double rise = anim_dvec_dot(by, frame->up), stayed = 0;
    double along = anim_dvec_length(anim_dvec_sub(by, anim_dvec_scale(frame->up, rise)));
    for (uint32_t i = 0; i < count; i++) {
        const anim_foot_work* w = &works[i];
        if (!w->solvable)
            continue;
        double back = was->legs[i].own - w->memory.own;
        stayed = anim_max(stayed, (1 - w->high) * (rise > 0 ? back : -back));
    }
    stayed = anim_min(stayed, anim_max(fabs(rise) - steepest * along, 0));
    return rise > 0 ? -stayed : stayed;
}

static double move_pelvis(const anim_foot* desc, const anim_foot_frame* frame,
                          const anim_foot_work* works, const anim_foot_memory* was,
                          anim_foot_memory* now)
{
    double asked, most, reach = (double)desc->reach;
    ask_legs(works, desc->leg_count, &asked, &most);
    double wanted = anim_max(asked, -reach), at = wanted, speed = 0;
    if (was && was->begun == 1) {
        double x = was->pelvis + step_back(frame, was, works, desc->leg_count) - wanted;
        speed = was->pelvis_speed;
        anim_foot_relax(x > 0 ? &frame->soon : &frame->smooth, frame->dt, &x, &speed);
        at = wanted + x;
    }
    double held = anim_clamp(anim_min(at, most), -reach, reach);
    if (held < at)
        speed = anim_min(speed, 0);
    if (now) {
        now->begun = 1;
        now->pelvis = held;
        now->pelvis_speed = speed;
        memcpy(now->place, (double[]){frame->at.x, frame->at.y, frame->at.z}, sizeof now->place);
    }
    return held * (double)desc->weight;
}

// The toes turn about an axis that lies across the foot; `up` and `ahead` are square to it, on the ground.
// False where the foot lies on its side.
static bool toe_axes(const anim_foot_work* w, const double above[3][4], anim_dvec* across,
                     anim_dvec* forward)
{
    const anim_dvec none = {0, 0, 0};
    anim_dvec x = anim_ik_direction(above, (anim_dvec){1, 0, 0});
    anim_dvec y = anim_ik_direction(above, (anim_dvec){0, 1, 0});
    anim_dvec z = anim_ik_direction(above, (anim_dvec){0, 0, 1});
    anim_dvec side = anim_dvec_normalize(anim_ik_direction(above, anim_dvec_from(w->leg->toe_axis)),
                                         none);
    side = anim_dvec_sub(side, anim_dvec_scale(w->normal, anim_dvec_dot(side, w->normal)));
    bool is_mirrored = anim_dvec_dot(anim_dvec_cross(x, y), z) < 0;
    if (!(anim_dvec_dot(side, side) > 0.01))
        return false;
    side = anim_dvec_normalize(side, none);
    *across = is_mirrored ? anim_dvec_scale(side, -1) : side;
    *forward = anim_dvec_cross(*across, w->normal);
    return true;
}

// Turns (c, s) up onto (to_c, to_s), both unit, by 60 degrees at most.
static void turn_up(double* c, double* s, double to_c, double to_s)
{
    double cosine = *c * to_c + *s * to_s, sine = *c * to_s - *s * to_c;
    if (cosine < most_bent_cosine || sine < 0) {
        cosine = most_bent_cosine;
        sine = most_bent_sine;
    }
    double turned = *c * cosine - *s * sine;
    *s = *s * cosine + *c * sine;
    *c = turned;
}

// Toes that would be in the ground are bent up until they lie on it.
static void bend_toes(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_foot_work* w,
                      double weight)
{
    const anim_foot_leg* leg = w->leg;
    double m[3][4];
    anim_ik_limb_matrix(skeleton, pose, &w->limb, skeleton->parents[leg->toe], m);
    const double(*above)[4] = (const double(*)[4])m;
    anim_ik_local toe = anim_ik_local_of(skeleton, pose, (uint32_t)leg->toe);
    anim_dvec from = anim_ik_point(above, toe.t), n = w->normal, across, forward, a, b;
    anim_dvec tip = anim_ik_point(above, anim_ik_local_point(&toe, anim_dvec_from(leg->toe_tip)));
    anim_dvec by = anim_dvec_sub(tip, from);
    double height = anim_dvec_dot(anim_dvec_sub(from, w->ground), n), rise = anim_dvec_dot(by, n);
    if (!(rise + height < 0) || !toe_axes(w, above, &across, &forward))
        return;
    double along = anim_dvec_dot(by, forward), length = sqrt(along * along + rise * rise);
    if (!(length > 1e-30))
        return;
    double c = along / length, s = rise / length, to = anim_clamp(-height / length, -1, 1);
    turn_up(&c, &s, sqrt(1 - to * to), to);
    anim_dvec bent = anim_dvec_scale(across, anim_dvec_dot(by, across));
    bent = anim_dvec_add(bent, anim_dvec_scale(forward, length * c));
    bent = anim_dvec_add(bent, anim_dvec_scale(n, length * s));
    if (!anim_ik_direction_below(above, by, &a) || !anim_ik_direction_below(above, bent, &b))
        return;
    anim_dquat q = anim_dquat_between(a, b, anim_dvec_square_to(a));
    q = anim_dquat_normalize(anim_dquat_mul(q, toe.q));
    anim_ik_turn(skeleton, pose, (uint32_t)leg->toe, q, weight);
}

// A swinging foot that would come too near to its hip for the leg to have a direction stays lower.
static void keep_off(anim_foot_work* w, double lift)
{
    anim_dvec hip = w->limb.root;
    double now = anim_dvec_length(anim_dvec_sub(w->limb.tip, hip));
    double least = anim_min(now, nearest * w->limb.length);
    double x = w->target.x - hip.x, z = w->target.z - hip.z;
    double down2 = least * least - (x * x + z * z);
    double most = hip.y + lift - sqrt(anim_max(down2, 0));
    if (down2 > 0 && w->target.y > most)
        w->target.y += (most - w->target.y) * w->high;
}

// Hip, knee and ankle, the pelvis already in its place.
static float step_onto(const anim_skeleton* skeleton, anim_pose_group* pose, anim_foot_work* w,
                       double weight, const anim_bend* before)
{
    const anim_ik_leg* leg = &w->leg->joints;
    anim_two_bone bones = {.root = leg->root,
                           .mid = leg->mid,
                           .tip = leg->tip,
                           .weight = 1,
                           .soft = 1,
                           .stretch = 1,
                           .rotation = ANIM_IK_ROTATION_LOCAL};
    anim_dvec by = anim_dvec_sub(w->target, w->limb.tip);
    anim_ik_to_floats(anim_dvec_add(w->limb.tip, anim_dvec_scale(by, weight)), bones.target);
    float left = anim_ik_two_bone(skeleton, pose, &bones, before, &w->memory.bend);

    anim_dquat turn = anim_dquat_nlerp(ANIM_DQUAT_IDENTITY, w->turn, weight);
    anim_ik_frame from = {up, ahead};
    anim_ik_frame to = {anim_dquat_rotate(turn, up), anim_dquat_rotate(turn, ahead)};
    double knee[3][4];
    anim_ik_limb_matrix(skeleton, pose, &w->limb, skeleton->parents[leg->tip], knee);
    anim_dquat q = anim_ik_reframe((const double(*)[4])w->knee, (const double(*)[4])knee, w->ankle,
                                   &from, &to);
    anim_ik_turn(skeleton, pose, leg->tip, q, 1);
    return left;
}

float anim_ik_foot(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_foot* desc,
                   const anim_foot_memory* before, anim_foot_memory* after, double dt)
{
    if (!(desc->weight > 0)) {
        if (after)
            memset(after, 0, anim_ik_foot_memory_size(desc->leg_count));
        return 0;
    }
    anim_foot_frame frame = frame_of(desc, dt);
    anim_foot_work works[ANIM_IK_LEGS];
    const anim_ik_limb* like = NULL;
    for (uint32_t i = 0; i < desc->leg_count; i++) {
        anim_foot_work* w = &works[i];
        w->leg = &desc->legs[i];
        look_at(skeleton, pose, desc, like, w);
        if (before && w->solvable)
            w->memory = before->legs[i];
        else
            memset(&w->memory, 0, sizeof w->memory);
        if (!w->solvable)
            continue;
        like = &w->limb;
        anim_foot_place(desc, &frame, i, w);
    }
    double weight = (double)desc->weight;
    double lift = move_pelvis(desc, &frame, works, before, after);
    if (lift != 0 &&
        (desc->pelvis < 0 || !anim_ik_lift(skeleton, pose, (uint32_t)desc->pelvis, lift)))
        lift = 0;
    float residual = 0;
    for (uint32_t i = 0; i < desc->leg_count; i++) {
        anim_foot_work* w = &works[i];
        if (w->solvable) {
            keep_off(w, lift);
            w->limb.above[1][3] += lift;
            anim_bend bend = w->memory.bend;
            float left = step_onto(skeleton, pose, w, weight, &bend);
            residual = left > residual ? left : residual;
            if (w->leg->toe >= 0)
                bend_toes(skeleton, pose, w, weight);
        }
        if (after)
            after->legs[i] = w->memory;
    }
    return residual;
}
