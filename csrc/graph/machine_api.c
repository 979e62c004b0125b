// SPDX-License-Identifier: MIT
// Machines from outside: what can be asked of them and told to them.
#include "graph/execute.h"
#include "graph/machine_internal.h"

void anim_machine_play(anim_graph* graph, uint32_t at, uint32_t state, double fade)
{
    anim_machine_state* m = anim_state_of_machine(graph, at);
    m->pending = state;
    m->pending_fade = fade;
    m->goal = ANIM_SOURCE_NONE;
}

uint32_t anim_machine_get_state(const anim_graph* graph, uint32_t at)
{
    return anim_state_of_machine(graph, at)->current;
}

uint32_t anim_machine_get_source(const anim_graph* graph, uint32_t at)
{
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    if (!anim_machine_is_fading(m))
        return ANIM_NO_NODE;
    if (m->source == ANIM_SOURCE_COPY)
        return m->current;
    return m->source == ANIM_SOURCE_MOMENTUM ? m->left : m->source;
}

double anim_machine_get_progress(const anim_graph* graph, uint32_t at)
{
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    return anim_machine_is_fading(m) ? m->elapsed / m->duration : 1;
}

bool anim_machine_is_in_fade(const anim_graph* graph, uint32_t at)
{
    return anim_machine_is_fading(anim_state_of_machine(graph, at));
}

uint32_t anim_machine_get_capped(const anim_graph* graph, uint32_t at)
{
    return anim_state_of_machine(graph, at)->capped;
}

// --- travel -------------------------------------------------------------------------------------------

// Breadth first from the goal backwards: how many transitions each state is away from it.
static void measure(const anim_node* node, uint32_t to, uint32_t* distance)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        distance[i] = UINT32_MAX;
    distance[to] = 0;
    bool changed = true;
    for (uint32_t round = 0; changed && round < node->input_count; round++) {
        changed = false;
        for (uint32_t i = 0; i < node->transition_count; i++) {
            const anim_transition* t = &node->transitions[i];
            if (distance[t->to] != round)
                continue;
            uint32_t first = t->from == ANIM_ANY_STATE ? 0 : (uint32_t)t->from;
            uint32_t last = t->from == ANIM_ANY_STATE ? node->input_count - 1 : first;
            for (uint32_t from = first; from <= last; from++)
                if (distance[from] == UINT32_MAX) {
                    distance[from] = round + 1;
                    changed = true;
                }
        }
    }
}

uint32_t anim_machine_path(const anim_topology* topology, uint32_t at, uint32_t from, uint32_t to,
                           uint32_t* distance)
{
    const anim_node* node = &topology->nodes[at];
    if (from >= node->input_count || to >= node->input_count)
        return ANIM_NO_TRANSITION;
    measure(node, to, distance);
    if (distance[from] == UINT32_MAX)
        return ANIM_NO_TRANSITION;
    for (uint32_t i = 0; i < node->transition_count; i++) {
        const anim_transition* t = &node->transitions[i];
        bool leaves = t->from == ANIM_ANY_STATE || (uint32_t)t->from == from;
        if (leaves && t->to != from && distance[t->to] < distance[from])
            return i;
    }
    return ANIM_NO_TRANSITION;
}

bool anim_machine_travel(anim_graph* graph, uint32_t at, uint32_t state)
{
    anim_machine_state* m = anim_state_of_machine(graph, at);
    if (state != m->current &&
        anim_machine_path(graph->topology, at, m->current, state,
                          anim_workspace_counts(graph->workspace)) == ANIM_NO_TRANSITION)
        return false;
    m->goal = state == m->current ? ANIM_SOURCE_NONE : state;
    m->first_hop = 1;
    return true;
}
