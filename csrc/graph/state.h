// SPDX-License-Identifier: MIT
// Inside the graph layer: where things lie in a character's state block.
#pragma once

#include "graph/graph.h"
#include "graph/player.h"

_Static_assert(sizeof(anim_node_state) == 72, "the block is hashed: no padding");
_Static_assert(sizeof(anim_input_state) == 24, "the block is hashed: no padding");
_Static_assert(sizeof(anim_clip_state) == 40, "the block is hashed: no padding");
_Static_assert(sizeof(anim_param_state) == 32, "the block is hashed: no padding");
_Static_assert(sizeof(anim_graph_state) == 168, "the block is hashed: no padding");

_Static_assert(sizeof(anim_player_state) == 48, "the block is hashed: no padding");
_Static_assert(sizeof(anim_shot_state) == 72, "the block is hashed: no padding");
_Static_assert(sizeof(anim_machine_state) == 184, "the block is hashed: no padding");

size_t anim_solver_state_size(const struct anim_solver* solver); // graph/solver.h

// `groups`: of the skeleton, for the poses that machines keep.
static inline size_t anim_node_state_size(const anim_node* node, uint32_t groups)
{
    size_t size = sizeof(anim_node_state);
    if (node->kind == ANIM_KIND_CLIP)
        return size + sizeof(anim_clip_state);
    size += node->input_count * sizeof(anim_input_state);
    if (node->kind == ANIM_KIND_MACHINE)
        size += sizeof(anim_machine_state) + 2 * groups * sizeof(anim_pose_group);
    if (node->kind == ANIM_KIND_ONE_SHOT)
        size += sizeof(anim_shot_state) + 2 * groups * sizeof(anim_pose_group);
    if (anim_node_is_player(node))
        size += sizeof(anim_player_state);
    if (anim_node_is_solver(node))
        size += anim_solver_state_size(node->solver);
    return size;
}

static inline anim_graph_state* anim_state_of_graph(const anim_graph* graph)
{
    return (anim_graph_state*)(void*)graph->state;
}

static inline anim_param_state* anim_state_of_param(const anim_graph* graph, uint32_t param)
{
    return (anim_param_state*)(void*)(graph->state + sizeof(anim_graph_state)) + param;
}

static inline anim_node_state* anim_state_of_node(const anim_graph* graph, uint32_t node)
{
    return (anim_node_state*)(void*)(graph->state + graph->topology->nodes[node].state_offset);
}

static inline anim_input_state* anim_state_of_inputs(const anim_graph* graph, uint32_t node)
{
    return (anim_input_state*)(void*)(anim_state_of_node(graph, node) + 1);
}

static inline anim_clip_state* anim_state_of_clip(const anim_graph* graph, uint32_t node)
{
    return (anim_clip_state*)(void*)(anim_state_of_node(graph, node) + 1);
}

// A number that is fixed or follows a parameter; `fixed` is what it is without one.
static inline float anim_source_value(const anim_graph* graph, const anim_source* source,
                                      float fixed)
{
    return source->param == ANIM_NO_PARAM
               ? fixed
               : (float)anim_state_of_param(graph, (uint32_t)source->param)->value;
}

static inline float anim_node_speed(const anim_graph* graph, uint32_t node)
{
    return anim_source_value(graph, &graph->topology->nodes[node].speed,
                             anim_state_of_node(graph, node)->speed);
}

// Weights as large as scripts like; many of these still sum to a number.
static inline float anim_weight_bounded(float weight)
{
    const float most = 1e30f;
    return weight > most ? most : weight < -most ? -most : weight;
}

// Rate of an entry of a blend space.
static inline double anim_input_speed(const anim_node* node, uint32_t input)
{
    bool is_blend = node->kind == ANIM_KIND_BLEND1D || node->kind == ANIM_KIND_BLEND2D;
    return is_blend ? (double)node->inputs[input].speed : 1;
}

static inline anim_loop anim_node_loop(const anim_node* node)
{
    if (node->plays_once)
        return ANIM_LOOP_ONCE;
    return node->loop >= 0 ? (anim_loop)node->loop : node->clip->loop;
}

// fade.c: moves the weights of a mixer that fades by dt seconds of its own clock.
void anim_mixer_fade_step(anim_graph* graph, uint32_t node, float dt);
// After the step in which weights came to 0.
void anim_graph_finish_fades(anim_graph* graph);

// weigh.c: what the inputs of a composite have of its weight, as things stand.
void anim_node_share(anim_graph* graph, uint32_t node);

// step.c: a clip node that has another clip now is at a place in it.
void anim_node_fit(anim_graph* graph, uint32_t node);

// Initial state of one node, without those below it.
void anim_node_state_init(anim_graph* graph, uint32_t node);
