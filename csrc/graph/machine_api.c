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

void anim_machine_place(anim_graph* graph, uint32_t at, uint32_t state)
{
    anim_machine_state* m = anim_state_of_machine(graph, at);
    m->current = state;
    m->source = ANIM_SOURCE_NONE;
    m->elapsed = m->duration = 0;
    m->base = 0;
    m->started = 1;
    for (uint32_t i = 0; i < graph->topology->nodes[at].input_count; i++)
        anim_state_of_inputs(graph, at)[i].share = i == state ? 1 : 0;
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

// What a search needs: how each state was come by, and the order in which that happened.
typedef struct search {
    uint32_t *by, *before, *queue;
    uint32_t count;
} search;

static void find(search* s, uint32_t state, uint32_t by, uint32_t before)
{
    if (s->before[state] != ANIM_NO_NODE)
        return;
    s->by[state] = by;
    s->before[state] = before;
    s->queue[s->count++] = state;
}

// Breadth first; of ways of one length the one that comes first in the list.
static void explore(const anim_node* node, search* s, uint32_t from)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        s->before[i] = ANIM_NO_NODE;
    find(s, from, ANIM_NO_TRANSITION, from);
    for (uint32_t head = 0; head < s->count; head++)
        for (uint32_t i = 0; i < node->transition_count; i++) {
            const anim_transition* t = &node->transitions[i];
            if (t->from == ANIM_ANY_STATE || (uint32_t)t->from == s->queue[head])
                find(s, t->to, i, s->queue[head]);
        }
}

uint32_t anim_machine_path(const anim_topology* topology, uint32_t at, uint32_t from, uint32_t to,
                           uint32_t step, uint32_t* scratch)
{
    const anim_node* node = &topology->nodes[at];
    uint32_t n = node->input_count, length = 0;
    if (from >= n || to >= n)
        return ANIM_NO_TRANSITION;
    search s = {scratch, scratch + n, scratch + 2 * (size_t)n, 0};
    explore(node, &s, from);
    if (s.before[to] == ANIM_NO_NODE)
        return ANIM_NO_TRANSITION;
    for (uint32_t state = to; state != from; state = s.before[state])
        length++;
    if (step >= length)
        return ANIM_NO_TRANSITION;
    uint32_t state = to;
    for (uint32_t back = length - 1; back > step; back--)
        state = s.before[state];
    return s.by[state];
}

bool anim_machine_travel(anim_graph* graph, uint32_t at, uint32_t state)
{
    anim_machine_state* m = anim_state_of_machine(graph, at);
    uint32_t* scratch = anim_workspace_counts(graph->workspace);
    if (state != m->current &&
        anim_machine_path(graph->topology, at, m->current, state, 0, scratch) == ANIM_NO_TRANSITION)
        return false;
    m->goal = state == m->current ? ANIM_SOURCE_NONE : state;
    m->origin = m->current;
    m->hops = 0;
    m->pending = ANIM_SOURCE_NONE;
    return true;
}
