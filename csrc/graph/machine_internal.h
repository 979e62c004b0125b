// SPDX-License-Identifier: MIT
// Inside the graph layer: what the files about running machines share.
#pragma once

#include "graph/machine.h"
#include "graph/walk.h"
#include "pose/inertia.h"

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

// The target's weight in the fade, 1 where there is none.
float anim_machine_weight(const anim_graph* graph, uint32_t node);

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
