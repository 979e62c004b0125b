// SPDX-License-Identifier: MIT
// Inside the graph layer: what random, queue and oneShot nodes keep behind their input states.
#pragma once

#include "pose/root_motion.h"

#include <stdint.h>

typedef struct anim_player_state {
    uint64_t random;   // of the draws; a reset goes on with it
    uint32_t stage;    // see below
    uint32_t pending;  // asked for by pick or skip, until the next advance; UINT32_MAX: none
    anim_rigid motion; // root motion of this step, all parts of it
    float left;        // seconds left over when a queue ended, for what a callback pushes then
} anim_player_state;

enum { ANIM_PLAYER_FRESH, ANIM_PLAYER_PLAYS, ANIM_PLAYER_ENDED };

// Input 0: the base, 1: the shot.
typedef struct anim_shot_state {
    double gone;    // seconds of the node's clock since it was fired
    double stopped; // `gone` when it was stopped
    float floor;    // weight of what was there when it was fired again
    float held;     // weight of what is held until the next advance fires another node
    float stop_weight, stop_fade;
    float fade_in, fade_out;             // as they came out for this shot
    float next_speed, next_in, next_out; // of the one to be fired
    uint32_t active;
    uint32_t stopping;
    uint32_t fired; // 1: to be entered in the next advance
    uint32_t older; // what lies under it: ANIM_SHOT_ALONE, _COPY, _HELD
    uint32_t lost;  // 1: the node is another than what is shown, which is held
} anim_shot_state;
// ... and then a pose that is held, with room for its rate (none): see pose/inertia.h.
