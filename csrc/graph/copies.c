// SPDX-License-Identifier: MIT
// A state that may fade into itself is there twice: its tree has a second place in the state block, right
// behind the first. The two change places, so that all other code knows of one.
#include "graph/execute.h"
#include "graph/machine_internal.h"
#include "graph/shot.h"

#include <string.h>

void anim_copy_swap(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    unsigned char *a = graph->state + node->state_offset, *b = a + node->copy_shift;
    unsigned char part[256];
    for (size_t done = 0; done < node->copy_shift; done += sizeof part) {
        size_t left = node->copy_shift - done, size = left < sizeof part ? left : sizeof part;
        memcpy(part, a + done, size);
        memcpy(a + done, b + done, size);
        memcpy(b + done, part, size);
    }
}

void anim_copy_begin(anim_walk* walk, uint32_t at)
{
    anim_copy_swap(walk->graph, at);
    walk->shift += walk->topology->nodes[at].copy_shift;
}

void anim_copy_end(anim_walk* walk, uint32_t at)
{
    anim_copy_swap(walk->graph, at);
    walk->shift -= walk->topology->nodes[at].copy_shift;
}

void anim_copy_exchange(anim_walk* walk, uint32_t at)
{
    const anim_topology* t = walk->topology;
    size_t size = t->nodes[at].copy_shift, first = t->nodes[at].state_offset + walk->shift;
    uint32_t count;
    anim_move* moves = anim_workspace_moves(walk->graph->workspace, &count);
    anim_copy_swap(walk->graph, at);
    for (uint32_t i = 0; i < count; i++) {
        size_t place = t->nodes[moves[i].node].state_offset + moves[i].shift;
        if (place >= first && place < first + size)
            moves[i].shift += (uint32_t)size;
        else if (place >= first + size && place < first + 2 * size)
            moves[i].shift -= (uint32_t)size;
    }
}

// The nodes with copies from `at` up, innermost first; how many.
static uint32_t owners(const anim_topology* t, uint32_t at, uint32_t out[8])
{
    uint32_t count = 0;
    for (; at != ANIM_NO_NODE && count < 8; at = t->nodes[at].parent)
        if (t->nodes[at].copy_shift > 0)
            out[count++] = at;
    return count;
}

uint32_t anim_copy_show(anim_graph* graph, uint32_t at, uint32_t shift, uint32_t shown[8])
{
    uint32_t list[8], made = 0;
    uint32_t count = shift > 0 ? owners(graph->topology, at, list) : 0;
    for (uint32_t i = count; i > 0; i--) {
        uint32_t size = graph->topology->nodes[list[i - 1]].copy_shift;
        if (shift < size)
            continue;
        shift -= size;
        shown[made++] = list[i - 1];
        anim_copy_swap(graph, list[i - 1]);
    }
    return made;
}

void anim_copy_hide(anim_graph* graph, const uint32_t shown[8], uint32_t count)
{
    for (uint32_t i = count; i > 0; i--)
        anim_copy_swap(graph, shown[i - 1]);
}

float anim_copy_weights(const anim_graph* graph, uint32_t at, bool before)
{
    uint32_t list[8], count = owners(graph->topology, at, list);
    float sum = 0;
    for (uint32_t set = 0; set < (uint32_t)1 << count; set++) {
        size_t offset = graph->topology->nodes[at].state_offset;
        for (uint32_t i = 0; i < count; i++)
            offset += set >> i & 1 ? graph->topology->nodes[list[i]].copy_shift : 0;
        const anim_node_state* s = (const void*)(graph->state + offset);
        sum += before ? s->weight_before : s->weight;
    }
    return sum;
}

bool anim_copy_plays(const anim_graph* graph, uint32_t at, uint32_t input)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_ONE_SHOT)
        return input == 1 && anim_state_of_shot(graph, at)->older == ANIM_SHOT_COPY;
    const anim_machine_state* m = node->kind == ANIM_KIND_MACHINE ? anim_state_of_machine(graph, at)
                                                                  : NULL;
    return m && input == m->current && m->source == ANIM_SOURCE_COPY;
}

void anim_copy_init(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_copy_init(graph, node->inputs[i].node);
    unsigned char* tree = graph->state + node->state_offset;
    memcpy(tree + node->copy_shift, tree, node->copy_shift);
}
