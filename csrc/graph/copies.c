// SPDX-License-Identifier: MIT
// A state that may fade into itself is there twice: each node below it has a second place in the state
// block. The two change places, so that all other code knows of one.
#include "graph/machine_internal.h"

static void swap_bytes(unsigned char* a, unsigned char* b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char swap = a[i];
        a[i] = b[i];
        b[i] = swap;
    }
}

void anim_copy_swap(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->copy_offset == 0)
        return;
    swap_bytes(graph->state + node->state_offset, graph->state + node->copy_offset,
               node->state_size);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_copy_swap(graph, node->inputs[i].node);
}
