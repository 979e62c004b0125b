// SPDX-License-Identifier: MIT
// Root motion (semantics 8): what a clip moves its character by, taken out of a joint.
#pragma once

#include "pose/timeline.h"

// A turn and a move, no scale: x' = q x + t.
typedef struct anim_rigid {
    float t[3];
    float q[4];
} anim_rigid;

#define ANIM_RIGID_IDENTITY ((anim_rigid){{0, 0, 0}, {0, 0, 0, 1}})

// The motion track of a clip: M(t), the model-space change since the first key, keyed over time.
typedef struct anim_motion {
    uint32_t joint;           // that it was taken from
    anim_times times;         // explicit
    const anim_rigid* values; // one a key; M(0) is the identity at the first key
} anim_motion;

void anim_rigid_mul(const anim_rigid* a, const anim_rigid* b, anim_rigid* out); // a after b
void anim_rigid_inverse(const anim_rigid* a, anim_rigid* out);

// M(t): lerp and slerp between keys, held outside.
void anim_motion_at(const anim_motion* motion, double time, anim_rigid* out);

// The motion of a step, in the character's frame before it: M(t0)^-1 M(D) . (M(0)^-1 M(D))^n . M(0)^-1
// M(t1), mirrored backwards; ping-pong returns; all passes count, also those without spans.
void anim_motion_of_step(const anim_motion* motion, const anim_step* step, anim_rigid* out);

typedef struct anim_motion_desc {
    uint32_t joint;
    bool x, y, z; // axes of translation that are taken out
    int turn;     // axis of the rotation that is taken out (0 x, 1 y, 2 z); -1: none
} anim_motion_desc;

// The clip with this motion taken out of the joint: it plays in place, and M(t) applied to the pose
// gives the old clip back.
anim_code anim_clip_with_root_motion(const anim_clip* clip, const anim_motion_desc* desc,
                                     anim_clip** out, anim_error* err);
