// SPDX-License-Identifier: MIT
// Inside the graph layer: oneShot nodes (shot.c), random and queue nodes (player.c).
#pragma once

#include "graph/walk.h"
#include "pose/inertia.h"

// What lies under the newest copy of a shot.
enum { ANIM_SHOT_ALONE, ANIM_SHOT_COPY, ANIM_SHOT_HELD };

static inline anim_shot_state* anim_state_of_shot(const anim_graph* graph, uint32_t node)
{
    uint32_t inputs = graph->topology->nodes[node].input_count;
    return (anim_shot_state*)(void*)(anim_state_of_inputs(graph, node) + inputs);
}

static inline anim_player_state* anim_state_of_player(const anim_graph* graph, uint32_t node)
{
    uint32_t inputs = graph->topology->nodes[node].input_count;
    return (anim_player_state*)(void*)(anim_state_of_inputs(graph, node) + inputs);
}

// What is held, as a momentum without a rate.
static inline anim_momentum anim_shot_momentum(const anim_graph* graph, uint32_t node)
{
    anim_pose_group* at = (anim_pose_group*)(void*)(anim_state_of_shot(graph, node) + 1);
    return (anim_momentum){at, at + graph->topology->skeleton->group_count};
}

static inline uint32_t anim_shot_child(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    return node->input_count > 1 ? node->inputs[1].node : ANIM_NO_NODE;
}

float anim_shot_weight(const anim_graph* graph, uint32_t node); // of all copies together
float anim_shot_newest(const anim_graph* graph, uint32_t node); // the newest one's part of that
// Of the node's weight: what the second copy has.
float anim_shot_share_of_copy(const anim_graph* graph, uint32_t node);
void anim_shot_hold(anim_graph* graph, uint32_t node); // its node or clip is to be replaced
void anim_shot_step(anim_walk* walk, uint32_t node, double dt);
void anim_shot_spread(anim_graph* graph, uint32_t node);

// Seconds of its own clock, up to `rest`, until it goes to another input; infinite: it does not.
double anim_player_change_in(anim_walk* walk, uint32_t node, double rest);
void anim_player_share(anim_graph* graph, uint32_t node); // its weights as they are
void anim_player_step(anim_walk* walk, uint32_t node, double dt);
void anim_player_init(anim_graph* graph, uint32_t node, uint64_t random);
// Seconds of its parent's clock that the inputs behind the present one last; 0 for other nodes.
double anim_player_later(const anim_graph* graph, uint32_t node);
void anim_player_reset(anim_graph* graph, uint32_t node); // oneShot, too
uint64_t anim_player_seed_of(const anim_graph* graph, uint32_t node);
void anim_player_add_motion(anim_graph* graph, uint32_t node); // motion.c
