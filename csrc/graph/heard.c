// SPDX-License-Identifier: MIT
// What is heard beside the pose: curves, properties, ranges. Worked out when asked for, from the state.
#include "graph/state.h"
#include "graph/walk.h"

#include <string.h>

// A curve's value and whether any clip below has it.
typedef struct heard {
    float value;
    bool found;
} heard;

static heard curve_of(const anim_graph* graph, uint32_t at, const char* name, float missing);

static heard curve_of_clip(const anim_graph* graph, uint32_t at, const anim_node* node,
                           const char* name, float missing)
{
    const anim_keys* keys = node->clip ? node->clip->keys : NULL;
    int32_t curve = keys ? anim_names_find(&keys->curve_names, name) : -1;
    if (curve < 0)
        return (heard){missing, false};
    const anim_curve* c = &keys->curves[curve];
    float value = anim_curve_sample(keys, c, anim_state_of_node(graph, at)->at.time);
    if (node->in_additive && !keys->additive) // a delta, like the pose: against its first key
        value -= anim_curve_sample(keys, c, 0);
    return (heard){value, true};
}

static heard curve_of_mix(const anim_graph* graph, uint32_t at, const anim_node* node,
                          const char* name, float missing)
{
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    float sum = 0, weight = 0;
    bool found = false;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (!(inputs[i].share > 0) || node->inputs[i].node == ANIM_NO_NODE)
            continue;
        heard below = curve_of(graph, node->inputs[i].node, name, missing);
        sum += inputs[i].share * below.value;
        weight += inputs[i].share;
        found |= below.found;
    }
    if (node->kind == ANIM_KIND_MACHINE && weight > 0) // a source that is gone has no curves
        return (heard){sum / weight, found};
    return (heard){sum + (1 - weight) * missing, found};
}

static heard curve_of_layers(const anim_graph* graph, uint32_t at, const anim_node* node,
                             const char* name, float missing)
{
    const anim_input_state* states = anim_state_of_inputs(graph, at);
    heard out = {missing, false};
    if (node->input_count > 0 && node->inputs[0].node != ANIM_NO_NODE)
        out = curve_of(graph, node->inputs[0].node, name, missing);
    for (uint32_t i = 1; i < node->input_count; i++) {
        const anim_input* layer = &node->inputs[i];
        float w = states[i].share;
        if (!(w > 0) || layer->node == ANIM_NO_NODE)
            continue;
        bool additive = layer->mode == ANIM_LAYER_ADDITIVE;
        heard above = curve_of(graph, layer->node, name, additive ? 0 : missing);
        if (additive)
            out.value += w * above.value;
        else if (above.found || !layer->sparse)
            out.value = out.value * (1 - w) + above.value * w;
        out.found |= above.found;
    }
    return out;
}

static heard curve_of(const anim_graph* graph, uint32_t at, const char* name, float missing)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        return curve_of_clip(graph, at, node, name, missing);
    if (!anim_node_is_composite(node))
        return (heard){missing, false};
    if (anim_node_has_base(node))
        return curve_of_layers(graph, at, node, name, missing);
    return curve_of_mix(graph, at, node, name, missing);
}

float anim_graph_get_curve(const anim_graph* graph, const char* name, float missing)
{
    if (graph->topology->root == ANIM_NO_NODE || !anim_state_of_graph(graph)->advanced)
        return missing;
    return curve_of(graph, graph->topology->root, name, missing).value;
}

float anim_node_get_curve(const anim_graph* graph, uint32_t node, const char* name, float missing)
{
    return curve_of(graph, node, name, missing).value;
}

// A discrete value and the weight that it has in the pose.
typedef struct candidate {
    const anim_value* value; // NULL: none
    float weight;
} candidate;

static candidate property_of_clip(const anim_graph* graph, uint32_t at, const char* name)
{
    const anim_clip* clip = graph->topology->nodes[at].clip;
    int32_t property = clip ? anim_names_find(&clip->keys->property_names, name) : -1;
    if (property < 0)
        return (candidate){NULL, 0};
    double time = anim_state_of_node(graph, at)->at.time;
    return (candidate){anim_property_sample(clip->keys, &clip->keys->properties[property], time),
                       1};
}

// The heaviest, ties to the first; an override layer takes weight from what is below it.
static candidate property_of(const anim_graph* graph, uint32_t at, const char* name)
{
    const anim_node* node = &graph->topology->nodes[at];
    candidate best = {NULL, 0};
    if (node->kind == ANIM_KIND_CLIP)
        return property_of_clip(graph, at, name);
    if (!anim_node_is_composite(node))
        return best;
    const anim_input_state* states = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++) {
        const anim_input* input = &node->inputs[i];
        if (!(states[i].share > 0) || input->node == ANIM_NO_NODE)
            continue;
        candidate found = property_of(graph, input->node, name);
        if (!found.value)
            continue;
        bool covers = anim_node_has_base(node) && i > 0 && input->mode == ANIM_LAYER_OVERRIDE;
        best.weight *= covers ? 1 - states[i].share : 1;
        found.weight *= states[i].share;
        if (found.weight > best.weight)
            best = found;
    }
    return best;
}

const anim_value* anim_graph_get_property(const anim_graph* graph, const char* name)
{
    uint32_t root = graph->topology->root;
    if (root == ANIM_NO_NODE || !anim_state_of_graph(graph)->advanced)
        return NULL;
    return property_of(graph, root, name).value;
}

bool anim_graph_is_during(const anim_graph* graph, const char* name)
{
    return anim_node_is_during(graph, graph->topology->root, name);
}

// Depth first, a tree is one stretch of the walk.
static bool is_in_tree(const anim_topology* t, uint32_t at, uint32_t top)
{
    while (at != top && at != ANIM_NO_NODE)
        at = t->nodes[at].parent;
    return at == top;
}

bool anim_node_is_during(const anim_graph* graph, uint32_t top, const char* name)
{
    const anim_topology* t = graph->topology;
    uint32_t first = top == ANIM_NO_NODE ? t->walk_count : t->nodes[top].order;
    for (uint32_t i = first; i < t->walk_count; i++) {
        if (!is_in_tree(t, t->walk[i], top))
            return false;
        const anim_node* node = &t->nodes[t->walk[i]];
        if (node->kind != ANIM_KIND_CLIP || !node->clip ||
            !(anim_state_of_node(graph, t->walk[i])->weight > 0))
            continue;
        uint64_t ranges = anim_state_of_clip(graph, t->walk[i])->ranges;
        for (uint32_t e = 0; e < node->clip->event_count && e < 64; e++)
            if ((ranges >> e & 1) && strcmp(anim_clip_event_name(node->clip, e), name) == 0)
                return true;
    }
    return false;
}
