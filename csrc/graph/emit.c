// SPDX-License-Identifier: MIT
// State to operations: what is sampled and mixed, with what weight. Nothing without weight is listed.
#include "graph/execute.h"
#include "graph/machine_internal.h"
#include "graph/shot.h"

typedef struct emitter {
    anim_graph* graph;
    anim_workspace* work;
    anim_op* next;  // of the list
    uint32_t shift; // of the second copies that stand in the first one's place
} emitter;

static void emit(emitter* e, uint32_t node, uint32_t slot);

// Those who push fill in what operations of the kind have (graph/execute.h).
static anim_op* push(emitter* e, anim_op_kind kind, uint32_t slot)
{
    anim_op* op = e->next++;
    op->kind = kind;
    op->slot = slot;
    return op;
}

static anim_op* push_layer(emitter* e, anim_op_kind kind, uint32_t slot, float weight, bool sparse,
                           const anim_mask* mask)
{
    anim_op* op = push(e, kind, slot);
    op->weight = weight;
    op->sparse = sparse;
    op->mask = mask ? mask->weights : NULL;
    op->groups = mask ? mask->groups : NULL;
    return op;
}

// What is kept in a state block lies behind its place once the copies have changed places again.
static anim_pose_group* behind(const emitter* e, anim_pose_group* kept)
{
    return (anim_pose_group*)(void*)((unsigned char*)kept + e->shift);
}

static void push_momentum(emitter* e, anim_op_kind kind, uint32_t slot, anim_momentum momentum,
                          double time, double duration, const float* mask)
{
    anim_op* op = push(e, kind, slot);
    op->momentum = (anim_momentum){behind(e, momentum.at), behind(e, momentum.rate)};
    op->time = time;
    op->duration = (float)duration;
    op->mask = mask;
}

static void emit_rest(emitter* e, uint32_t slot, bool delta)
{
    push(e, ANIM_OP_REST, slot)->delta = delta;
}

static void emit_child(emitter* e, const anim_input* input, uint32_t slot, bool delta)
{
    if (input->node == ANIM_NO_NODE)
        emit_rest(e, slot, delta);
    else
        emit(e, input->node, slot);
}

static void emit_clip(emitter* e, uint32_t at, const anim_node* node, uint32_t slot)
{
    const anim_clip* clip = node->in_additive && !node->against ? node->delta : node->clip;
    if (!clip) {
        emit_rest(e, slot, node->in_additive);
        return;
    }
    anim_op* op = push(e, ANIM_OP_SAMPLE, slot);
    op->clip = clip;
    op->time = anim_state_of_node(e->graph, at)->at.time;
    if (!node->against)
        return;
    op = push(e, ANIM_OP_DELTA, slot);
    op->pose = node->against;
    op->channels = node->against_channels;
}

static void emit_pose(emitter* e, const anim_node* node, uint32_t slot)
{
    const anim_pose_group* pose = node->in_additive ? node->pose_delta : node->pose;
    if (!pose) {
        emit_rest(e, slot, node->in_additive);
        return;
    }
    push(e, ANIM_OP_POSE, slot)->pose = pose;
}

// One term of a sum; input UINT32_MAX stands for the rest pose that fills a sum below 1.
static void emit_term(emitter* e, const anim_node* node, uint32_t input, float share, uint32_t slot)
{
    if (input == UINT32_MAX)
        emit_rest(e, slot + 1, node->in_additive);
    else
        emit_child(e, &node->inputs[input], slot + 1, node->in_additive);
    push(e, ANIM_OP_MIX_ADD, slot)->weight = share;
}

static void emit_mix(emitter* e, uint32_t at, const anim_node* node, uint32_t slot)
{
    const anim_input_state* inputs = anim_state_of_inputs(e->graph, at);
    uint32_t heaviest = UINT32_MAX, terms = 0;
    float sum = 0, most = 0;
    for (uint32_t i = 0; i < node->input_count; i++) {
        sum += inputs[i].share;
        terms += inputs[i].share > 0;
        if (inputs[i].share > most) {
            most = inputs[i].share;
            heaviest = i;
        }
    }
    float missing = sum < 1 - 1e-6f ? 1 - sum : 0;
    if (terms == 0 || heaviest == UINT32_MAX) {
        emit_rest(e, slot, node->in_additive);
        return;
    }
    if (terms == 1 && missing == 0) { // alone: its pose to the bit
        emit_child(e, &node->inputs[heaviest], slot, node->in_additive);
        return;
    }
    push(e, ANIM_OP_MIX_BEGIN, slot);
    bool rest_first = missing > most;
    if (rest_first)
        emit_term(e, node, UINT32_MAX, missing, slot);
    emit_term(e, node, heaviest, most, slot);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (i != heaviest && inputs[i].share > 0)
            emit_term(e, node, i, inputs[i].share, slot);
    if (missing > 0 && !rest_first)
        emit_term(e, node, UINT32_MAX, missing, slot);
    push(e, ANIM_OP_MIX_END, slot);
}

static void emit_base(emitter* e, const anim_node* node, uint32_t slot)
{
    if (node->input_count == 0)
        emit_rest(e, slot, node->in_additive);
    else
        emit_child(e, &node->inputs[0], slot, node->in_additive);
}

static void emit_layers(emitter* e, uint32_t at, const anim_node* node, uint32_t slot)
{
    const anim_input_state* states = anim_state_of_inputs(e->graph, at);
    emit_base(e, node, slot);
    for (uint32_t i = 1; i < node->input_count; i++) {
        const anim_input* layer = &node->inputs[i];
        if (!(states[i].share > 0) || layer->node == ANIM_NO_NODE)
            continue;
        emit(e, layer->node, slot + 1);
        anim_op_kind kind = layer->mode == ANIM_LAYER_ADDITIVE ? ANIM_OP_ADD
                            : layer->model_space               ? ANIM_OP_LAYER_MODEL
                                                               : ANIM_OP_LAYER;
        push_layer(e, kind, slot, states[i].share, layer->sparse, layer->mask);
    }
}

// The second copy of a tree. What its nodes keep is found behind their places when the list runs.
static void emit_copy(emitter* e, uint32_t node, uint32_t slot)
{
    uint32_t shift = e->graph->topology->nodes[node].copy_shift;
    anim_copy_swap(e->graph, node);
    e->shift += shift;
    emit(e, node, slot);
    e->shift -= shift;
    anim_copy_swap(e->graph, node);
}

static void emit_source(emitter* e, uint32_t at, const anim_node* node, uint32_t slot)
{
    const anim_machine_state* m = anim_state_of_machine(e->graph, at);
    uint32_t current = anim_machine_child(e->graph, at, m->current);
    if (m->source == ANIM_SOURCE_MOMENTUM) {
        push_momentum(e, ANIM_OP_MOMENTUM, slot, anim_machine_momentum(e->graph, at), m->since,
                      m->reach, NULL);
    } else if (m->source == ANIM_SOURCE_COPY && current != ANIM_NO_NODE) {
        emit_copy(e, current, slot);
    } else if (m->source < node->input_count) {
        emit_child(e, &node->inputs[m->source], slot, node->in_additive);
    } else {
        emit_rest(e, slot, node->in_additive);
    }
}

static void emit_inertial(emitter* e, uint32_t at, const anim_transition* t, uint32_t slot)
{
    const anim_machine_state* m = anim_state_of_machine(e->graph, at);
    push_momentum(e, ANIM_OP_OFFSETS, slot, anim_machine_momentum(e->graph, at), m->elapsed,
                  m->duration, t && t->profile ? t->profile->weights : NULL);
}

// How far each joint is in a fade with a profile: a joint of value v is done after fade x v.
static const float* profile_weights(emitter* e, const anim_machine_state* m,
                                    const anim_transition* t)
{
    float* out = anim_workspace_profile(e->work);
    uint32_t lanes = e->graph->topology->skeleton->group_count * ANIM_LANES;
    for (uint32_t i = 0; i < lanes; i++) {
        double own = m->duration * (double)t->profile->weights[i];
        float s = own > m->elapsed ? (float)(m->elapsed / own) : 1;
        out[i] = m->base + (1 - m->base) * anim_ease(&t->curve, s);
    }
    return out;
}

static void emit_crossfade(emitter* e, uint32_t at, const anim_node* node, const anim_transition* t,
                           uint32_t slot)
{
    const anim_machine_state* m = anim_state_of_machine(e->graph, at);
    float weight = anim_machine_weight(e->graph, at);
    const anim_input* target = &node->inputs[m->current];
    if (t && t->profile) {
        emit_source(e, at, node, slot);
        emit_child(e, target, slot + 1, node->in_additive);
        push_layer(e, ANIM_OP_LAYER, slot, 1, false, NULL)->mask = profile_weights(e, m, t);
        return;
    }
    bool source_first = weight <= 0.5f;
    push(e, ANIM_OP_MIX_BEGIN, slot);
    for (int turn = 0; turn < 2; turn++) {
        bool source = (turn == 0) == source_first;
        if (source)
            emit_source(e, at, node, slot + 1);
        else
            emit_child(e, target, slot + 1, node->in_additive);
        push(e, ANIM_OP_MIX_ADD, slot)->weight = source ? 1 - weight : weight;
    }
    push(e, ANIM_OP_MIX_END, slot);
}

// The shot alone: what lies under its newest copy, and that over it.
static void emit_copies(emitter* e, uint32_t at, const anim_node* node, uint32_t slot)
{
    const anim_shot_state* s = anim_state_of_shot(e->graph, at);
    float newest = anim_shot_newest(e->graph, at);
    uint32_t child = node->inputs[1].node;
    if (newest >= 1) {
        emit(e, child, slot);
        return;
    }
    if (s->older == ANIM_SHOT_COPY)
        emit_copy(e, child, slot);
    else
        push_momentum(e, ANIM_OP_MOMENTUM, slot, anim_shot_momentum(e->graph, at), 0, 0, NULL);
    if (newest <= 0)
        return;
    emit(e, child, slot + 1);
    push_layer(e, ANIM_OP_LAYER, slot, newest, false, NULL);
}

static void emit_shot(emitter* e, uint32_t at, const anim_node* node, uint32_t slot)
{
    emit_base(e, node, slot);
    float weight = anim_shot_weight(e->graph, at);
    if (!(weight > 0) || anim_shot_child(e->graph, at) == ANIM_NO_NODE)
        return;
    const anim_input* shot = &node->inputs[1];
    emit_copies(e, at, node, slot + 1);
    bool adds = shot->mode == ANIM_LAYER_ADDITIVE;
    push_layer(e, adds ? ANIM_OP_ADD : ANIM_OP_LAYER, slot, weight, shot->sparse, shot->mask);
}

static void emit_machine(emitter* e, uint32_t at, const anim_node* node, uint32_t slot)
{
    const anim_machine_state* m = anim_state_of_machine(e->graph, at);
    const anim_transition* t = m->transition < node->transition_count
                                   ? &node->transitions[m->transition]
                                   : NULL;
    if (m->current >= node->input_count) {
        emit_rest(e, slot, node->in_additive);
        return;
    }
    bool fading = anim_machine_is_fading(m);
    if (fading && m->mode != ANIM_FADE_INERTIAL && anim_machine_weight(e->graph, at) < 1) {
        emit_crossfade(e, at, node, t, slot);
        return;
    }
    emit_child(e, &node->inputs[m->current], slot, node->in_additive);
    if (fading && m->mode == ANIM_FADE_INERTIAL)
        emit_inertial(e, at, t, slot);
}

static void emit(emitter* e, uint32_t at, uint32_t slot)
{
    const anim_node* node = &e->graph->topology->nodes[at];
    switch (node->kind) {
    case ANIM_KIND_CLIP: emit_clip(e, at, node, slot); break;
    case ANIM_KIND_POSE: emit_pose(e, node, slot); break;
    case ANIM_KIND_LAYERS: emit_layers(e, at, node, slot); break;
    case ANIM_KIND_MACHINE: emit_machine(e, at, node, slot); break;
    case ANIM_KIND_ONE_SHOT: emit_shot(e, at, node, slot); break;
    default: emit_mix(e, at, node, slot);
    }
    if (node->kind == ANIM_KIND_SCRIPT && node->has_pose)
        push(e, ANIM_OP_SCRIPT, slot)->node = at;
    if (anim_node_is_solver(node)) {
        anim_op* op = push(e, ANIM_OP_SOLVE, slot);
        op->node = at;
        op->shift = e->shift;
    }
}

static emitter begin(anim_graph* graph, anim_workspace* workspace)
{
    return (emitter){graph, workspace, anim_workspace_ops(workspace), 0};
}

void anim_graph_emit_shot(anim_graph* graph, anim_workspace* workspace, uint32_t at)
{
    emitter e = begin(graph, workspace);
    const anim_node* node = &graph->topology->nodes[at];
    const anim_input* shot = &node->inputs[1];
    bool adds = shot->mode == ANIM_LAYER_ADDITIVE;
    if (!adds) // joints without keys are where the base has them
        emit_base(&e, node, 0);
    emit_copies(&e, at, node, adds ? 0 : 1);
    if (!adds)
        push_layer(&e, ANIM_OP_LAYER, 0, 1, shot->sparse, NULL);
    push(&e, ANIM_OP_END, 0);
}

void anim_graph_emit(anim_graph* graph, anim_workspace* workspace, uint32_t root)
{
    emitter e = begin(graph, workspace);
    if (root == ANIM_NO_NODE)
        emit_rest(&e, 0, false);
    else
        emit(&e, root, 0);
    push(&e, ANIM_OP_END, 0);
}
