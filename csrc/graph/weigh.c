// SPDX-License-Identifier: MIT
// Effective weights (semantics 1, 4 and 5): each composite shares its own among its inputs.
#include "graph/execute.h"
#include "graph/walk.h"

#include <math.h>

static const float too_light = 1e-6f;

// Weights to shares: normalised, filled up by the fallback where there is nothing.
static void share_out(const anim_node* node, anim_input_state* inputs)
{
    float sum = 0;
    for (uint32_t i = 0; i < node->input_count; i++)
        sum += inputs[i].share;
    if (sum < too_light) {
        for (uint32_t i = 0; i < node->input_count; i++)
            inputs[i].share = 0;
        if (node->input_count > 0 && node->fallback == ANIM_FALLBACK_FIRST)
            inputs[0].share = 1;
        return;
    }
    if (!node->normalize && sum <= 1)
        return;
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i].share /= sum;
}

// A weight on its way to another (setWeight with seconds, setLayerWeight).
static void move_weight(anim_graph* graph, anim_input_state* input, float dt)
{
    if (input->goal_time <= 0)
        return;
    if (dt >= input->goal_time) {
        input->weight = input->goal;
        input->goal_time = 0;
        graph->faded += !(input->goal > 0);
        return;
    }
    input->weight += (input->goal - input->weight) * (dt / input->goal_time);
    input->goal_time -= dt;
}

static void weigh_settable(anim_walk* w, uint32_t at, const anim_node* node, float dt)
{
    anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    if (anim_state_of_node(w->graph, at)->target != ANIM_NO_NODE)
        anim_mixer_fade_step(w->graph, at, dt);
    for (uint32_t i = 0; i < node->input_count; i++) {
        move_weight(w->graph, &inputs[i], dt);
        float weight = anim_source_value(w->graph, &node->inputs[i].weight, inputs[i].weight);
        inputs[i].share = weight > 0 && node->inputs[i].node != ANIM_NO_NODE ? weight : 0;
    }
}

static void weigh_layers(anim_walk* w, uint32_t at, const anim_node* node, float dt)
{
    weigh_settable(w, at, node, dt);
    anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    for (uint32_t i = 1; i < node->input_count; i++)
        if (inputs[i].share > 1 && node->inputs[i].mode == ANIM_LAYER_OVERRIDE)
            inputs[i].share = 1;
    if (node->input_count > 0)
        inputs[0].share = 1;
}

static void weigh_blend(anim_walk* w, uint32_t at, const anim_node* node)
{
    anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    float x = node->x < 0 ? 0 : (float)anim_state_of_param(w->graph, (uint32_t)node->x)->value;
    float y = node->y < 0 ? 0 : (float)anim_state_of_param(w->graph, (uint32_t)node->y)->value;
    float* weights = anim_workspace_floats(w->graph->workspace);
    if (node->kind == ANIM_KIND_BLEND1D)
        anim_blend_1d_weights(node->thresholds, node->input_count, x, weights);
    else
        anim_blend_space_weights(node->space, x, y, weights);
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i].share = weights[i];
}

static void share(anim_walk* w, uint32_t at, const anim_node* node, float dt)
{
    if (node->kind == ANIM_KIND_MACHINE)
        return; // machine.c decides
    if (node->kind == ANIM_KIND_BLEND1D || node->kind == ANIM_KIND_BLEND2D) {
        weigh_blend(w, at, node);
    } else if (node->kind == ANIM_KIND_LAYERS) {
        weigh_layers(w, at, node, dt);
    } else {
        weigh_settable(w, at, node, dt);
        share_out(node, anim_state_of_inputs(w->graph, at));
    }
}

void anim_node_share(anim_graph* graph, uint32_t node)
{
    anim_walk w = {.graph = graph, .topology = graph->topology, .mute = true};
    share(&w, node, &graph->topology->nodes[node], 0);
}

static void weigh(anim_walk* w, uint32_t at, float weight, double dt);

// The states that play, as they were at the end of the last update; machine.c decides what they become.
static void weigh_states(anim_walk* w, uint32_t at, const anim_node* node, float weight, double dt)
{
    const anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    uint32_t current = anim_machine_get_state(w->graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE && (i == current || inputs[i].share > 0))
            weigh(w, node->inputs[i].node, weight * inputs[i].share,
                  dt * fabs((double)node->inputs[i].speed));
}

static void weigh(anim_walk* w, uint32_t at, float weight, double dt)
{
    const anim_node* node = &w->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(w->graph, at);
    s->weight_before = s->weight;
    s->weight = weight;
    if (!anim_node_is_composite(node))
        return;
    // Fades run in the node's own clock, forward.
    dt *= s->flags & ANIM_NODE_PLAYING ? fabs((double)anim_node_speed(w->graph, at)) : 0;
    if (node->kind == ANIM_KIND_SCRIPT && node->has_update && w->graph->host.script_update)
        w->graph->host.script_update(w->graph->host.user, w->graph, at, dt);
    if (node->kind == ANIM_KIND_MACHINE) {
        weigh_states(w, at, node, weight, dt);
        return;
    }
    share(w, at, node, (float)dt);
    const anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            weigh(w, node->inputs[i].node, weight * inputs[i].share,
                  dt * fabs(anim_input_speed(node, i)));
}

void anim_walk_spread(anim_graph* graph, uint32_t at, float weight)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_state_of_node(graph, at)->weight = weight;
    if (!anim_node_is_composite(node))
        return;
    if (node->kind == ANIM_KIND_MACHINE) {
        anim_machine_spread(graph, at);
        return;
    }
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_walk_spread(graph, node->inputs[i].node, weight * inputs[i].share);
}

void anim_walk_enter(anim_walk* walk, uint32_t at)
{
    weigh(walk, at, 0, 0);
}

void anim_walk_weigh(anim_walk* walk)
{
    if (walk->topology->root != ANIM_NO_NODE)
        weigh(walk, walk->topology->root, 1, fabs(walk->dt));
}
