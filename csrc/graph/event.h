// SPDX-License-Identifier: MIT
// What happened in an advance, in order, until somebody takes it.
#pragma once

#include "base/error.h"
#include "pose/clip.h"

typedef enum anim_edge {
    ANIM_EDGE_NONE,
    ANIM_EDGE_BEGIN, // of a range
    ANIM_EDGE_END,
    ANIM_EDGE_DONE, // of an exit: the state had come to its end
    ANIM_EDGE_INTERRUPTED
} anim_edge;

typedef enum anim_event_kind {
    ANIM_EVENT_CLIP, // of a clip
    ANIM_EVENT_LOOP, // data: the pass that ended
    ANIM_EVENT_DONE,
    ANIM_EVENT_ENTER, // of a machine; `event` is the state
    ANIM_EVENT_EXIT
} anim_event_kind;

typedef struct anim_happening {
    double offset;   // seconds after the start of the step
    double time;     // of the event in its clip
    anim_clip* clip; // retained while queued; NULL where no clip is concerned
    int64_t pass;
    uint32_t node, uid;
    uint32_t order; // of the node, depth first
    uint32_t event; // index in the clip
    uint32_t
        turn; // machines: what came about before a transition at the same instant is told before
    uint32_t serial; // of queueing: the last tie-break
    float weight;
    anim_event_kind kind;
    anim_edge edge;
    bool offered;  // was told to subscribers, none of whom took it
    bool recorded; // whoever records the graph has it
} anim_happening;

enum { ANIM_MAX_EVENTS = 4096 };

typedef struct anim_event_queue {
    anim_happening* items; // grows to ANIM_MAX_EVENTS; beyond it the oldest go
    uint32_t count, room;
    uint32_t serial;
    uint32_t settled; // so many at the front are of earlier steps and in order
    uint32_t offered; // how many are
    uint64_t lost;    // dropped because the queue was full, or for want of memory
    uint64_t skipped; // passes in the middle of long steps whose events did not fire
} anim_event_queue;

void anim_event_queue_push(anim_event_queue* queue, const anim_happening* item);
// By offset, then node order, then as queued.
void anim_event_queue_sort(anim_event_queue* queue);
// Marks the one at `index`: it was told, and nobody took it.
void anim_event_queue_offer(anim_event_queue* queue, uint32_t index);
// A new step begins: what was offered goes, what was not yet told comes before all that is new.
void anim_event_queue_begin_step(anim_event_queue* queue);
// Takes out the one at `index` < count; the caller owns out->clip.
void anim_event_queue_take(anim_event_queue* queue, uint32_t index, anim_happening* out);
void anim_event_queue_clear(anim_event_queue* queue);
void anim_event_queue_free(anim_event_queue* queue);
