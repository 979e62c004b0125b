// SPDX-License-Identifier: MIT
// What a state does from one entry to the next is a play of it. In one update a state may be entered more
// than once, in the same place of the state block: what was noted of a play that is over keeps the weight
// that it had, and a new one was not heard when the update began.
#include "graph/execute.h"
#include "graph/machine_internal.h"

static size_t size_of_tree(const anim_topology* t, uint32_t at)
{
    const anim_node* node = &t->nodes[at];
    size_t size = node->state_size;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            size += size_of_tree(t, node->inputs[i].node) +
                    t->nodes[node->inputs[i].node].copy_shift;
    return size;
}

static anim_node_state* state_at(const anim_graph* graph, uint32_t at, size_t shift)
{
    return (anim_node_state*)(void*)(graph->state + graph->topology->nodes[at].state_offset +
                                     shift);
}

static float weight_before(const anim_node_state* s)
{
    return s->flags & ANIM_NODE_ENTERED ? 0 : s->weight_before;
}

// Calls f for all nodes below one, and itself, in all copies.
static void each_below(anim_graph* graph, uint32_t at, size_t shift,
                       void (*f)(const anim_node* node, anim_node_state* s))
{
    const anim_node* node = &graph->topology->nodes[at];
    f(node, state_at(graph, at, shift));
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        uint32_t copy = child == ANIM_NO_NODE ? 0 : graph->topology->nodes[child].copy_shift;
        if (child != ANIM_NO_NODE)
            each_below(graph, child, shift, f);
        if (copy > 0)
            each_below(graph, child, shift + copy, f);
    }
}

static void mark_entered(const anim_node* node, anim_node_state* s)
{
    (void)node;
    s->flags |= ANIM_NODE_ENTERED;
}

static void hear(const anim_node* node, anim_node_state* s)
{
    (void)node;
    s->weight_before = s->weight;
}

static void join(const anim_node* node, anim_node_state* s)
{
    if (node->kind == ANIM_KIND_CLIP)
        ((anim_clip_state*)(void*)(s + 1))->joins = 1;
}

void anim_play_start(anim_graph* graph, uint32_t at)
{
    each_below(graph, at, 0, hear);
    if (graph->topology->nodes[at].copy_shift > 0)
        each_below(graph, at, graph->topology->nodes[at].copy_shift, hear);
}

void anim_play_end(anim_walk* walk, uint32_t at)
{
    const anim_topology* t = walk->topology;
    size_t first = t->nodes[at].state_offset + walk->shift, size = size_of_tree(t, at);
    uint32_t count;
    anim_move* moves = anim_workspace_moves(walk->graph->workspace, &count);
    for (uint32_t i = 0; i < count; i++) {
        anim_move* move = &moves[i];
        size_t place = t->nodes[move->node].state_offset + move->shift;
        if (place >= first && place < first + size && move->heard < 0)
            move->heard = weight_before(
                state_at(walk->graph, move->node, move->shift - walk->shift));
    }
    each_below(walk->graph, at, 0, mark_entered);
}

void anim_play_go_on(anim_graph* graph, uint32_t at)
{
    each_below(graph, at, 0, join);
}

float anim_play_weight_before(const anim_graph* graph, const anim_move* move)
{
    return move->heard >= 0 ? move->heard : weight_before(anim_state_of_node(graph, move->node));
}

float anim_play_weight(const anim_graph* graph, const anim_move* move)
{
    float weight = move->heard >= 0 ? 0 : anim_state_of_node(graph, move->node)->weight;
    if (!(weight > 0))
        weight = anim_play_weight_before(graph, move);
    // One that came and went in between has that of its node.
    if (!(weight > 0))
        weight = anim_copy_weights(graph, move->node, false);
    return weight > 0 ? weight : anim_copy_weights(graph, move->node, true);
}
