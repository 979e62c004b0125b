// SPDX-License-Identifier: MIT
// Why did it go there? The last transitions of all machines of a character. No part of its state: it is
// neither saved nor hashed.
#pragma once

#include "base/error.h"

enum { ANIM_TRACE_LENGTH = 32, ANIM_TRACE_PARAMS = 8 };

typedef enum anim_trace_reason {
    ANIM_TRACE_TRANSITION,
    ANIM_TRACE_PLAY,
    ANIM_TRACE_TRAVEL // a transition that was taken whatever its condition
} anim_trace_reason;

typedef struct anim_trace_entry {
    double time;     // of the graph's clock
    uint32_t update; // anim_graph_state.advanced
    uint32_t node, uid;
    uint32_t from, to; // states
    uint32_t transition;
    anim_trace_reason reason;
    uint32_t param_count; // that its condition read, the first ones
    uint32_t params[ANIM_TRACE_PARAMS];
    double values[ANIM_TRACE_PARAMS];
} anim_trace_entry;

typedef struct anim_trace {
    anim_trace_entry entries[ANIM_TRACE_LENGTH]; // a ring
    uint32_t count;                              // ever written
} anim_trace;

// The next entry, empty but for what is given; the oldest makes room. `trace` may be NULL.
anim_trace_entry* anim_trace_push(anim_trace* trace, const anim_trace_entry* entry);
// How many there are, and the n-th from the newest (0).
uint32_t anim_trace_length(const anim_trace* trace);
anim_trace_entry* anim_trace_get(anim_trace* trace, uint32_t n);
// Back in time: what came after this update is forgotten.
void anim_trace_rewind(anim_trace* trace, uint32_t update);
