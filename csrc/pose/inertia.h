// SPDX-License-Identifier: MIT
// What a pose does when its sources are gone (semantics 7): it goes on a little and stops, or what it
// was off by dies away.
#pragma once

#include "pose/pose.h"

// Two poses' worth of numbers a joint: what it is (`at`) and how fast it changes (`rate`, per second).
// Rotations of `rate` are rotation vectors in model of the parent (x, y, z; w unused).
typedef struct anim_momentum {
    anim_pose_group* at;
    anim_pose_group* rate;
} anim_momentum;

// From the pose now and `seconds` (> 0) earlier.
void anim_momentum_capture(const anim_skeleton* skeleton, const anim_pose_group* now,
                           const anim_pose_group* earlier, float seconds, anim_momentum* out);

// The pose `t` seconds later: at + rate t (1 - t / 2T) until T, then still.
void anim_momentum_pose(const anim_skeleton* skeleton, const anim_momentum* m, float t, float T,
                        anim_pose_group* out);

// Seconds of full speed that t (1 - t / 2T) amounts to, t cut at T.
float anim_momentum_reach(float t, float T);

// Inertial transitions (D. Bollo, GDC 2018). Turns a momentum of the source, in place, into offsets from
// `target` (its pose at the start, and its rate of change): `at` holds difference vectors, `rate` their
// speed along themselves in the first component.
void anim_momentum_to_offsets(const anim_skeleton* skeleton, anim_momentum* m,
                              const anim_pose_group* target);

// Adds what is left of the offsets after t of `duration` seconds: one joint's x(t) = (1 - s)^4 (x0 +
// (4 x0 + v0 t1) s), s = t / t1, v0 <= 0, t1 = min(duration * profile, -5 x0 / v0). `profile` is one
// float a joint (0: no offset at all), or NULL for 1.
void anim_offsets_apply(const anim_skeleton* skeleton, const anim_momentum* offsets, float t,
                        float duration, const float* profile, anim_pose_group* pose);

// x(t) of one number, for x0 >= 0.
float anim_inertia_decay(float x0, float v0, float t, float duration);
