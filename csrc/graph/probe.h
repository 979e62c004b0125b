// SPDX-License-Identifier: MIT
// Inside the graph layer: a look ahead at a state that moves evenly, for transitions that watch it.
#pragma once

#include "graph/machine.h"
#include "graph/walk.h"

typedef struct anim_probe {
    anim_graph* graph;
    uint32_t child;  // the state's node; ANIM_NO_NODE: an empty state
    double speed;    // of the state, in the machine's clock
    double place;    // now, in passes; on the way back of a ping-pong 1 to 2
    double rate;     // passes a second of the machine's clock
    double duration; // of a pass, in seconds of the state
    double rest;     // how far it looks
    double until; // from then on something else plays: what is so then is not for this look to say
    bool goes_on; // the step does after `rest`, so that it can be looked at what is so just then
    double
        later; // seconds that wait behind what plays in the state (queues): until then it is not done
    anim_loop loop;
    bool done;
    bool stands;   // a source that does not move
    bool backward; // it plays, or would play, backwards
    double (*param)(const void* user, uint32_t index);
    const void* param_user;
} anim_probe;

void anim_probe_init(anim_probe* probe, anim_graph* graph, uint32_t child, double speed);
void anim_probe_stand(anim_probe* probe);

// Whether it is inside a range event of this name now.
bool anim_probe_is_during(const anim_probe* probe, const char* name);

// The first instant, 0 to `rest` seconds from now, at which the transition's condition holds.
bool anim_probe_find(anim_probe* probe, const anim_transition* transition, double rest,
                     double* out);
