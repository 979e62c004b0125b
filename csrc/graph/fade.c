// SPDX-License-Identifier: MIT
// mixer:fadeTo (semantics 7): weights that fall to 0 while one input takes what they leave. Interrupted
// fades join a list that falls faster, so the number of live inputs stays small and nothing ever jumps.
#include "graph/state.h"
#include "graph/walk.h"

static const float too_light = 1e-6f; // what is left over by rounding is not heard

static void set_playing(anim_graph* graph, uint32_t child, bool plays)
{
    if (child == ANIM_NO_NODE)
        return;
    if (plays)
        anim_node_play(graph, child);
    else
        anim_node_pause(graph, child);
}

// What faded out stands still from now on, and is back at its start. A member of a sync group shares its
// place, heard or not.
static void finish_input(anim_graph* graph, uint32_t at, uint32_t input)
{
    anim_input_state* s = &anim_state_of_inputs(graph, at)[input];
    const anim_node* node = &graph->topology->nodes[at];
    uint32_t child = node->inputs[input].node;
    s->weight = s->fall = 0;
    if (child == ANIM_NO_NODE)
        return;
    if (!s->keeps_place && !node->inputs[input].is_member)
        anim_node_reset(graph, child);
    set_playing(graph, child, false);
}

// The target has what the others leave.
static float left_by_others(const anim_input_state* inputs, uint32_t count, uint32_t target)
{
    float left = 1;
    for (uint32_t i = 0; i < count; i++)
        if (i != target && inputs[i].weight > 0)
            left -= inputs[i].weight;
    return left > too_light ? left : 0;
}

// Weights as they were set become weights that sum to 1; afterwards only fades change them.
static void normalize_weights(const anim_node* node, anim_input_state* inputs)
{
    float sum = 0;
    for (uint32_t i = 0; i < node->input_count; i++) {
        inputs[i].weight = anim_weight_bounded(inputs[i].weight > 0 ? inputs[i].weight : 0);
        inputs[i].goal_time = 0;
        sum += inputs[i].weight;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i].weight = sum > too_light ? inputs[i].weight / sum : i == 0 ? 1.0f : 0.0f;
}

static uint32_t heaviest_input(const anim_node* node, const anim_input_state* inputs, uint32_t but)
{
    uint32_t heaviest = ANIM_NO_NODE;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (i != but && inputs[i].weight > 0 &&
            (heaviest == ANIM_NO_NODE || inputs[i].weight > inputs[heaviest].weight))
            heaviest = i;
    return heaviest;
}

// The one that the new fade comes from: of a fade in progress the heavier of its two ends.
static uint32_t choose_current(const anim_node* node, const anim_node_state* s,
                               const anim_input_state* inputs, uint32_t to)
{
    if (s->target >= node->input_count || s->current >= node->input_count)
        return heaviest_input(node, inputs, to);
    if (s->current == to) // back again
        return s->target;
    return inputs[s->current].weight > inputs[s->target].weight ? s->current : s->target;
}

void anim_mixer_fade_to(anim_graph* graph, uint32_t at, uint32_t to, float seconds, bool rewind)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    anim_input_state* inputs = anim_state_of_inputs(graph, at);
    if (s->target == to)
        return;
    if (s->target == ANIM_NO_NODE)
        normalize_weights(node, inputs);
    uint32_t current = choose_current(node, s, inputs, to);
    float time = seconds * (1 - inputs[to].weight);
    s->current = current;
    s->target = to;
    inputs[to].fall = 0;
    inputs[to].keeps_place = 0;
    set_playing(graph, node->inputs[to].node, true);
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (i == to || !(inputs[i].weight > 0))
            continue;
        if (i == current || inputs[i].fall == 0)
            inputs[i].keeps_place = !rewind;
        float whole = i == current ? inputs[i].weight : 2;
        inputs[i].fall = time > 0 ? whole / time : -1;
        if (!(time > 0)) {
            inputs[i].weight = 0;
            set_playing(graph, node->inputs[i].node, false); // and goes back after the next step
            graph->faded++;
        }
    }
    inputs[to].weight = left_by_others(inputs, node->input_count, to);
}

void anim_mixer_fade_step(anim_graph* graph, uint32_t at, float dt)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_input_state* inputs = anim_state_of_inputs(graph, at);
    uint32_t target = anim_state_of_node(graph, at)->target;
    for (uint32_t i = 0; i < node->input_count; i++) {
        graph->faded += inputs[i].fall < 0;
        if (i == target || !(inputs[i].fall > 0))
            continue;
        inputs[i].weight -= inputs[i].fall * dt;
        if (!(inputs[i].weight > too_light)) {
            inputs[i].weight = 0;
            inputs[i].fall = -1; // it is still heard in this step, so it ends after that
            graph->faded++;
        }
    }
    inputs[target].weight = left_by_others(inputs, node->input_count, target);
}

void anim_graph_finish_fades(anim_graph* graph)
{
    const anim_topology* t = graph->topology;
    for (uint32_t i = 0; i < t->walk_count; i++) {
        uint32_t at = t->walk[i];
        if (t->nodes[at].kind != ANIM_KIND_MIXER)
            continue;
        const anim_input_state* inputs = anim_state_of_inputs(graph, at);
        for (uint32_t k = 0; k < t->nodes[at].input_count; k++)
            if (inputs[k].fall < 0)
                finish_input(graph, at, k);
    }
}

bool anim_mixer_is_fading(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (inputs[i].fall > 0)
            return true;
    return false;
}

uint32_t anim_mixer_get_target(const anim_graph* graph, uint32_t at)
{
    return anim_state_of_node(graph, at)->target;
}
