// SPDX-License-Identifier: MIT
// Inside the graph layer: what the files about running machines share.
#pragma once

#include "graph/machine.h"
#include "graph/walk.h"
#include "pose/inertia.h"

#include <math.h>

static inline anim_machine_state* anim_state_of_machine(const anim_graph* graph, uint32_t node)
{
    uint32_t inputs = graph->topology->nodes[node].input_count;
    return (anim_machine_state*)(void*)(anim_state_of_inputs(graph, node) + inputs);
}

static inline anim_momentum anim_machine_momentum(const anim_graph* graph, uint32_t node)
{
    anim_pose_group* at = (anim_pose_group*)(void*)(anim_state_of_machine(graph, node) + 1);
    return (anim_momentum){at, at + graph->topology->skeleton->group_count};
}

static inline bool anim_machine_is_fading(const anim_machine_state* m)
{
    return m->duration > 0;
}

// The target's weight, 1 where there is no fade or an inertial one; exactly, so that what is left to 1 is.
double anim_machine_exact_weight(const anim_graph* graph, uint32_t node);

static inline float anim_machine_weight(const anim_graph* graph, uint32_t node)
{
    return (float)anim_machine_exact_weight(graph, node);
}

// The child of a state; ANIM_NO_NODE where the state is empty.
static inline uint32_t anim_machine_child(const anim_graph* graph, uint32_t node, uint32_t state)
{
    const anim_node* n = &graph->topology->nodes[node];
    return state < n->input_count ? n->inputs[state].node : ANIM_NO_NODE;
}

// machine_momentum.c: takes the machine's output as it is, and how fast it changes, from node times.
void anim_machine_take_momentum(anim_walk* walk, uint32_t node);
// motion.c: and the root motion a second of its last step.
void anim_machine_take_drift(anim_graph* graph, uint32_t node);
// Turns the momentum into offsets from the current state (inertial fades).
void anim_machine_take_offsets(anim_walk* walk, uint32_t node);
// Moves all that plays in the machine by `seconds` of its clock.
void anim_machine_move(anim_walk* walk, uint32_t node, double seconds);

// --- one machine in one step --------------------------------------------------------------------------

typedef struct anim_runner {
    anim_walk* walk;
    anim_graph* graph;
    uint32_t at;
    const anim_node* node;
    anim_machine_state* m;
    double moved; // seconds of this step that are done,
    double rest;  // and those that are left
} anim_runner;

// A stretch of time in which all that plays moves evenly.
typedef struct anim_stretch {
    double part;  // seconds
    bool changes; // something below does at its end,
    bool at_once; // and that is now
} anim_stretch;

typedef struct anim_choice {
    uint32_t to;
    uint32_t transition; // ANIM_NO_TRANSITION: play
    double fade;
    double instant; // seconds from now
    anim_trace_reason reason;
} anim_choice;

static inline anim_runner anim_runner_of(anim_walk* walk, uint32_t at)
{
    return (anim_runner){walk,
                         walk->graph,
                         at,
                         &walk->topology->nodes[at],
                         anim_state_of_machine(walk->graph, at),
                         0,
                         0};
}

// What the present fade was made by; NULL: play.
static inline const anim_transition* anim_fade_transition(const anim_runner* r)
{
    return r->m->transition < r->node->transition_count ? &r->node->transitions[r->m->transition]
                                                        : NULL;
}

static inline double anim_fade_left(const anim_machine_state* m)
{
    return anim_machine_is_fading(m) ? m->duration - m->elapsed : HUGE_VAL;
}

// Nothing of the update is left.
static inline bool anim_machine_is_over(const anim_runner* r)
{
    return !(r->rest > 0 || r->walk->goes_on);
}

// Seconds; instants nearer than that are one.
#define ANIM_SAME_INSTANT 1e-9

enum { ANIM_LONGEST_CHAIN = 8 }; // transitions of a machine in one update

static inline bool anim_may_choose(const anim_machine_state* m)
{
    return !m->faded && m->taken < ANIM_LONGEST_CHAIN;
}

// machine_choose.c: `user` is a runner. The value of a parameter as this machine sees it; whether a call
// or a transition that watches no state is due; the first of the others within a stretch, but for what is
// so only when something below has changed at its end.
double anim_machine_param(const void* user, uint32_t index);
bool anim_machine_choose(anim_runner* r, anim_choice* out);
bool anim_machine_choose_timed(anim_runner* r, const anim_stretch* s, anim_choice* out);
void anim_machine_ask_functions(anim_runner* r); // those beside an `exit`, once an update
// Seconds, up to `rest`, until a machine below takes a transition or ends a fade; infinite: none does.
double anim_machine_change_in(const anim_runner* r, double rest);

// machine_fade.c: a transition begins; a fade is over; `enter` or `exit` is noted.
void anim_machine_begin(anim_runner* r, const anim_choice* c);
void anim_machine_end_fade(anim_runner* r);
void anim_machine_note(const anim_runner* r, anim_event_kind kind, uint32_t state, anim_edge edge);

// motion.c: root motion of what the machine has just moved is added to that of its step.
void anim_machine_add_motion(anim_graph* graph, uint32_t node);
