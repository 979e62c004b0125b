// SPDX-License-Identifier: MIT
// Clips to pack, made of waves, and the distance of two clips, measured by other code than the encoder's.
#pragma once

#include "base/mem.h"
#include "math/trig.h"
#include "pose/pack.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { joints = 19, most_keys = 400 };

static anim_error error;

static void ok(anim_code code)
{
    if (code)
        fail_msg("%s", error.message);
}

// --- clips to pack ---------------------------------------------------------------------------------

static uint32_t seed;

static double uniform(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (seed >> 8) / (1 << 24);
}

static void random_turn(double most, float q[4])
{
    double axis[3], square = 0, angle = uniform(-most, most) / 2;
    for (int i = 0; i < 3; i++) {
        axis[i] = uniform(-1, 1);
        square += axis[i] * axis[i];
    }
    for (int i = 0; i < 3; i++)
        q[i] = (float)(axis[i] / sqrt(square) * (double)anim_sin((float)angle));
    q[3] = anim_cos((float)angle);
}

static anim_skeleton* make_skeleton(void)
{
    static char names[joints][16];
    anim_joint_desc list[joints];
    anim_skeleton* skeleton;
    for (int j = 0; j < joints; j++) {
        snprintf(names[j], sizeof names[j], "j%d", j);
        list[j] = (anim_joint_desc){.name = names[j], .parent = j < 12 ? j - 1 : 3};
        list[j].rest = ANIM_XFORM_IDENTITY;
        for (int i = 0; i < 3; i++)
            list[j].rest.t[i] = (float)uniform(-0.2, 0.2);
        random_turn(1, list[j].rest.q);
    }
    ok(anim_skeleton_create(list, joints, NULL, &skeleton, &error));
    return skeleton;
}

// Smooth ways through a few directions; `closes`: the last key is the first one again.
typedef struct plan {
    uint32_t keys;
    double rate;
    bool closes, additive, scales;
    double swing; // radians
} plan;

static double wave(const double* part, double u)
{
    const double turn = 6.283185307179586;
    return part[0] + part[1] * (double)anim_sin((float)(turn * u)) +
           part[2] * (double)anim_cos((float)(turn * 2 * u + part[3])) +
           part[4] * (double)anim_sin((float)(turn * 5 * u + part[5]));
}

static void make_parts(double size, double parts[4][6])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 6; k++)
            parts[i][k] = k == 3 || k == 5 ? uniform(0, 6)
                                           : size * uniform(-1, 1) / (k == 4 ? 5 : 1);
}

static anim_clip* make_clip(anim_skeleton* skeleton, const plan* p)
{
    static float values[3 * joints][most_keys * 4];
    anim_track_desc tracks[3 * joints];
    uint32_t count = 0;
    for (uint32_t j = 0; j < joints; j++)
        for (uint32_t c = 0; c < 3; c++) {
            double parts[4][6];
            uint32_t width = c == ANIM_CHANNEL_ROTATION ? 4 : 3;
            if ((c == ANIM_CHANNEL_SCALE && !p->scales) || uniform(0, 1) < 0.2)
                continue;
            make_parts(c == ANIM_CHANNEL_ROTATION ? p->swing / 4 : 0.1, parts);
            bool is_still = uniform(0, 1) < 0.15;
            float* v = values[count];
            for (uint32_t k = 0; k < p->keys; k++, v += width) {
                double u = p->closes ? (double)(k % (p->keys - 1)) / (p->keys - 1)
                                     : 0.8 * k / (p->keys - 1);
                double square = 0;
                for (uint32_t i = 0; i < width; i++) {
                    double x = wave(parts[i], is_still ? 0 : u);
                    x += c == ANIM_CHANNEL_SCALE || (c == ANIM_CHANNEL_ROTATION && i == 3) ? 1 : 0;
                    v[i] = (float)x;
                    square += x * x;
                }
                for (uint32_t i = 0; i < 4 && c == ANIM_CHANNEL_ROTATION; i++)
                    v[i] = (float)((double)v[i] /
                                   (k % 3 == 1 && k + 2 < p->keys ? -sqrt(square) : sqrt(square)));
            }
            tracks[count] = (anim_track_desc){j,
                                              (anim_channel)c,
                                              ANIM_INTERP_LINEAR,
                                              {p->keys, NULL, 0, 1 / p->rate},
                                              values[count]};
            count++;
        }
    const anim_clip_desc desc = {.name = "made",
                                 .skeleton = skeleton,
                                 .duration = -1,
                                 .loop = ANIM_LOOP_REPEAT,
                                 .additive = p->additive,
                                 .tracks = tracks,
                                 .track_count = count};
    anim_clip* clip;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    return clip;
}

// --- the distance of two poses, by another way than the encoder's -----------------------------------

static void rotate(const double q[4], const double v[3], double out[3])
{
    double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                   2 * (q[0] * v[1] - q[1] * v[0])};
    out[0] = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
    out[1] = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
    out[2] = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
}

static void apply(const anim_xform* x, double v[3])
{
    double q[4] = {x->q[0], x->q[1], x->q[2], x->q[3]}, scaled[3];
    for (int i = 0; i < 3; i++)
        scaled[i] = v[i] * (double)x->s[i];
    rotate(q, scaled, v);
    for (int i = 0; i < 3; i++)
        v[i] += (double)x->t[i];
}

// A point near a joint in model space; deltas act inside the rest pose.
static void place_point(const anim_skeleton* s, const anim_pose_group* pose, bool additive,
                        uint32_t joint, int axis, double v[3])
{
    v[0] = v[1] = v[2] = 0;
    v[axis] = 0.03;
    for (int32_t j = (int32_t)joint; j >= 0; j = s->parents[j]) {
        anim_xform x, rest = s->rest_xforms[j];
        anim_pose_get(s, pose, (uint32_t)j, &x);
        if (additive) {
            const anim_xform delta = x;
            const double turn[4] = {delta.q[0], delta.q[1], delta.q[2], delta.q[3]};
            for (int i = 0; i < 3; i++)
                v[i] *= (double)delta.s[i] * (double)rest.s[i];
            rotate(turn, (double[3]){v[0], v[1], v[2]}, v);
            rotate((double[4]){rest.q[0], rest.q[1], rest.q[2], rest.q[3]},
                   (double[3]){v[0], v[1], v[2]}, v);
            for (int i = 0; i < 3; i++)
                v[i] += (double)rest.t[i] + (double)delta.t[i];
        } else {
            apply(&x, v);
        }
    }
}

static double farthest(const anim_skeleton* s, bool additive, const anim_pose* a,
                       const anim_pose* b)
{
    double most = 0;
    for (uint32_t j = 0; j < s->joint_count; j++)
        for (int axis = 0; axis < 3; axis++) {
            double v[3], w[3], square = 0;
            place_point(s, a->groups, additive, j, axis, v);
            place_point(s, b->groups, additive, j, axis, w);
            for (int i = 0; i < 3; i++)
                square += (v[i] - w[i]) * (v[i] - w[i]);
            most = fmax(most, sqrt(square));
        }
    return most;
}

// Over the whole clip in steps of `step` seconds.
static inline double measure(const anim_clip* a, const anim_clip* b, double step)
{
    anim_skeleton* s = a->keys->skeleton;
    anim_pose *x = anim_pose_create(s), *y = anim_pose_create(s);
    double most = 0;
    for (double time = 0; time <= a->duration + 2 * step; time += step) {
        anim_clip_sample(a, time, x->groups);
        anim_clip_sample(b, time, y->groups);
        most = fmax(most, farthest(s, a->keys->additive, x, y));
    }
    anim_pose_destroy(x);
    anim_pose_destroy(y);
    return most;
}
