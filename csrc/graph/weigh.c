// SPDX-License-Identifier: MIT
// Effective weights (semantics 1, 4 and 5): each composite shares its own among its inputs.
#include "graph/execute.h"
#include "graph/machine_internal.h"
#include "graph/shot.h"

#include <math.h>

static const float too_light = 1e-6f;
static const float most_of_delta = 1e6f; // an additive layer's weight multiplies what it adds

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
    float weight = anim_weight_bounded(input->weight), goal = anim_weight_bounded(input->goal);
    input->weight = weight + (goal - weight) * (dt / input->goal_time);
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
        inputs[i].share = weight > 0 && node->inputs[i].node != ANIM_NO_NODE
                              ? anim_weight_bounded(weight)
                              : 0;
    }
}

static void weigh_layers(anim_walk* w, uint32_t at, const anim_node* node, float dt)
{
    weigh_settable(w, at, node, dt);
    anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    for (uint32_t i = 1; i < node->input_count; i++) {
        float most = node->inputs[i].mode == ANIM_LAYER_OVERRIDE ? 1 : most_of_delta;
        inputs[i].share = inputs[i].share > most ? most : inputs[i].share;
    }
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

static void weigh_player(anim_walk* w, uint32_t at, float dt)
{
    if (anim_state_of_node(w->graph, at)->target != ANIM_NO_NODE)
        anim_mixer_fade_step(w->graph, at, dt);
    anim_player_share(w->graph, at);
}

static void share(anim_walk* w, uint32_t at, const anim_node* node, float dt)
{
    if (node->kind == ANIM_KIND_MACHINE || node->kind == ANIM_KIND_ONE_SHOT)
        return; // machine.c and shot.c decide
    if (node->kind == ANIM_KIND_BLEND1D || node->kind == ANIM_KIND_BLEND2D) {
        weigh_blend(w, at, node);
    } else if (node->kind == ANIM_KIND_LAYERS) {
        weigh_layers(w, at, node, dt);
    } else if (anim_node_is_player(node)) {
        weigh_player(w, at, dt);
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

static bool was_heard(const anim_node_state* s)
{
    return s->weight > 0 || s->weight_before > 0;
}

// The second copy of a state, which has what the current one leaves.
static void weigh_copy(anim_walk* w, uint32_t child, float weight, double dt)
{
    uint32_t shift = w->topology->nodes[child].copy_shift;
    const unsigned char* copy = (const unsigned char*)anim_state_of_node(w->graph, child) + shift;
    if (shift == 0 || !(weight > 0 || was_heard((const anim_node_state*)(const void*)copy)))
        return;
    anim_copy_begin(w, child);
    weigh(w, child, weight, dt);
    anim_copy_end(w, child);
}

// The states as they were at the end of the last update; machine.c decides what they become.
static void weigh_states(anim_walk* w, uint32_t at, const anim_node* node, float weight, double dt)
{
    const anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    const anim_machine_state* m = anim_state_of_machine(w->graph, at);
    float left = weight * (float)(1 - anim_machine_exact_weight(w->graph, at));
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        if (child == ANIM_NO_NODE)
            continue;
        double seconds = dt * fabs((double)node->inputs[i].speed);
        if (i == m->current || inputs[i].share > 0 ||
            was_heard(anim_state_of_node(w->graph, child)))
            weigh(w, child, weight * inputs[i].share, seconds);
        bool is_source = i == m->current && m->source == ANIM_SOURCE_COPY;
        weigh_copy(w, child, is_source ? left : 0, seconds);
        if (!m->started)
            anim_play_start(w->graph, child);
    }
}

// As the shares were at the end of the last update; shot.c decides what they become.
static void weigh_shot(anim_walk* w, uint32_t at, const anim_node* node, float weight, double dt)
{
    const anim_input_state* inputs = anim_state_of_inputs(w->graph, at);
    uint32_t child = anim_shot_child(w->graph, at);
    float copy = anim_shot_share_of_copy(w->graph, at);
    if (node->input_count > 0 && node->inputs[0].node != ANIM_NO_NODE)
        weigh(w, node->inputs[0].node, weight * inputs[0].share, dt);
    if (child == ANIM_NO_NODE)
        return;
    weigh(w, child, weight * (inputs[1].share - copy), dt);
    weigh_copy(w, child, weight * copy, dt);
}

static void weigh(anim_walk* w, uint32_t at, float weight, double dt)
{
    const anim_node* node = &w->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(w->graph, at);
    s->weight_before = s->weight;
    s->weight = weight;
    s->flags &= ~(uint32_t)ANIM_NODE_ENTERED;
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
    if (node->kind == ANIM_KIND_ONE_SHOT) {
        weigh_shot(w, at, node, weight, dt);
        return;
    }
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
    if (node->kind == ANIM_KIND_ONE_SHOT) {
        anim_shot_spread(graph, at);
        return;
    }
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_walk_spread(graph, node->inputs[i].node, weight * inputs[i].share);
}

void anim_walk_enter(anim_walk* walk, uint32_t at)
{
    anim_graph* graph = walk->graph;
    const anim_node* node = &walk->topology->nodes[at];
    if (!anim_node_is_composite(node))
        return;
    if (node->kind == ANIM_KIND_SCRIPT && node->has_update && graph->host.script_update)
        graph->host.script_update(graph->host.user, graph, at, 0);
    share(walk, at, node, 0);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_walk_enter(walk, node->inputs[i].node);
}

void anim_walk_weigh(anim_walk* walk)
{
    if (walk->topology->root != ANIM_NO_NODE)
        weigh(walk, walk->topology->root, 1, fabs(walk->dt));
}
