// SPDX-License-Identifier: MIT
// State machines (semantics 7): what a machine node is made of. How it runs is in machine.c.
#pragma once

#include "graph/condition.h"
#include "math/ease.h"
#include "pose/mask.h"
#include "pose/root_motion.h"

typedef enum anim_fade_mode {
    ANIM_FADE_CROSSFADE,
    ANIM_FADE_INERTIAL, // the source is not evaluated any more; what it was off by dies away
    ANIM_FADE_FROZEN    // the source's time and events stop
} anim_fade_mode;

typedef enum anim_interrupt {
    ANIM_INTERRUPT_TARGET, // while it fades, transitions of its target may take over
    ANIM_INTERRUPT_NONE,
    ANIM_INTERRUPT_SOURCE,
    ANIM_INTERRUPT_BOTH
} anim_interrupt;

#define ANIM_ANY_STATE (-1)

typedef struct anim_transition {
    int32_t from; // input of the machine, or ANIM_ANY_STATE
    uint32_t to;
    anim_condition* condition; // owned
    double fade;               // seconds; 0: at once
    anim_ease_curve curve;
    double exit;   // phase of the source that it waits for; < 0: none
    double offset; // phase where the target starts; < 0: at its start
    bool keep;     // the target goes on where it was left
    bool self;     // allowed into its own state
    bool sync;     // the target starts at the source's phase
    bool joined;   // described together with the one before it: one of a list of states in `from`
    anim_interrupt interrupt;
    anim_fade_mode mode;
    anim_mask* profile; // retained; NULL: all joints alike
} anim_transition;

static inline bool anim_transition_is_timed(const anim_transition* t)
{
    return t->exit >= 0 || t->condition->timed;
}

// --- in the state block, behind the input states ------------------------------------------------------
//
// Of an input, `share` is used.

// Sources of a fade that are no input.
#define ANIM_SOURCE_NONE UINT32_MAX
#define ANIM_SOURCE_MOMENTUM (UINT32_MAX - 1) // the machine's output when it was interrupted
#define ANIM_SOURCE_COPY (UINT32_MAX - 2)     // the second copy of the current state
#define ANIM_NO_TRANSITION UINT32_MAX

typedef struct anim_machine_state {
    double elapsed, duration; // of the fade, seconds of the machine's clock
    double since;             // seconds since the momentum was taken
    double reach;             // T of the momentum: it goes on for so long
    double stepped;           // seconds of its last move
    double pending_fade;      // of play
    uint64_t used;            // triggers that this update used, by index
    uint64_t answers;         // of functions beside an `exit`, in this update, by place in the list
    float base;               // weight the target had when the fade began
    uint32_t current, source;
    uint32_t transition;   // that made the fade
    uint32_t mode;         // anim_fade_mode of the fade
    uint32_t pending;      // of play, until the next advance; ANIM_SOURCE_NONE: none
    uint32_t goal;         // of travel; ANIM_SOURCE_NONE: none
    uint32_t origin, hops; // where it began, and how many steps it has made
    uint32_t left;         // the state that was left last
    uint32_t started;      // 1 after the first advance
    uint32_t fresh;        // 1: the current state has yet to take its first step
    uint32_t capped;       // how often the cap of chained transitions was hit
    // Of one update: which (anim_graph_state.advanced), whether it has been decided what does not watch
    // the states, transitions taken, whether one of them had a fade.
    uint32_t update, judged, taken, faded;
    float drift_t[3], drift_r[3]; // root motion a second when the momentum was taken (turn: vector)
    anim_rigid motion;            // root motion of its last step, all parts of it
} anim_machine_state;
// ... and then the momentum: two poses (pose/inertia.h).
