// SPDX-License-Identifier: MIT
// A transition begins (semantics 7): what the fade comes from, how its target is entered, what is told.
#include "graph/execute.h"
#include "graph/machine_internal.h"
#include "pose/timeline.h"

#include <string.h>

double anim_machine_exact_weight(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    if (!anim_machine_is_fading(m) || m->mode == ANIM_FADE_INERTIAL)
        return 1;
    const anim_transition* t = m->transition < node->transition_count
                                   ? &node->transitions[m->transition]
                                   : NULL;
    const anim_ease_curve linear = {0};
    double s = anim_ease_exactly(t ? &t->curve : &linear, m->elapsed / m->duration);
    return (double)m->base + (1 - (double)m->base) * (s < 0 ? 0 : s > 1 ? 1 : s);
}

// --- telling ----------------------------------------------------------------------------------------------

void anim_machine_note(const anim_runner* r, anim_event_kind kind, uint32_t state, anim_edge edge)
{
    anim_walk_note_change(r->walk, r->at, kind, state, edge);
}

static void trace(const anim_runner* r, const anim_choice* c, const anim_transition* t)
{
    bool backward = anim_state_of_graph(r->graph)->speed < 0;
    anim_trace_entry e = {
        .time = anim_state_of_graph(r->graph)->clock +
                (backward ? -r->walk->offset : r->walk->offset),
        .update = anim_state_of_graph(r->graph)->advanced,
        .node = r->at,
        .uid = r->node->uid,
        .from = r->m->current,
        .to = c->to,
        .transition = c->transition,
        .reason = c->reason,
    };
    for (uint32_t i = 0; t && i < t->condition->step_count && e.param_count < ANIM_TRACE_PARAMS;
         i++) {
        uint32_t param = t->condition->steps[i].index, known = 0;
        while (known < e.param_count && e.params[known] != param)
            known++;
        if (t->condition->steps[i].op != ANIM_COND_PARAM || known < e.param_count)
            continue;
        e.values[e.param_count] = anim_machine_param(r, param);
        e.params[e.param_count++] = param;
    }
    anim_trace_push(r->graph->trace, &e);
}

// Triggers that a taken transition names are gone when all machines have seen this update.
static void use_triggers(anim_runner* r, const anim_condition* c)
{
    for (uint32_t i = 0; i < c->step_count; i++) {
        uint32_t param = c->steps[i].index;
        if (c->steps[i].op != ANIM_COND_PARAM ||
            r->graph->topology->params[param].kind != ANIM_PARAM_TRIGGER)
            continue;
        if (anim_machine_param(r, param) == 0)
            continue;
        anim_state_of_param(r->graph, param)->velocity = 1; // taken
        if (param < 64)
            r->m->used |= (uint64_t)1 << param;
    }
}

// --- fades ------------------------------------------------------------------------------------------------

// A second copy that plays no more has no weight; what it had before is still needed to tell its events.
static void drop_copy(anim_runner* r, uint32_t child)
{
    anim_copy_begin(r->walk, child);
    anim_walk_note_ranges(r->walk, child);
    anim_walk_spread(r->graph, child, 0);
    anim_copy_end(r->walk, child);
}

// What played until now is left for good: the source of a fade.
static void drop_source(anim_runner* r)
{
    uint32_t source = anim_machine_child(r->graph, r->at, r->m->source);
    uint32_t child = anim_machine_child(r->graph, r->at, r->m->current);
    if (r->m->source == ANIM_SOURCE_COPY && child != ANIM_NO_NODE)
        drop_copy(r, child);
    if (source != ANIM_NO_NODE)
        anim_walk_note_ranges(r->walk, source);
}

void anim_machine_end_fade(anim_runner* r)
{
    drop_source(r);
    r->m->source = ANIM_SOURCE_NONE;
    r->m->elapsed = r->m->duration = 0;
    r->m->base = 0;
}

// A copy is entered where the other is, which lies `size` bytes behind it. Its weights stay its own, and
// the ranges that it is inside of: they end and begin when it is told what happened.
static void take_over(anim_graph* graph, uint32_t at, size_t size, size_t shift)
{
    const anim_node* node = &graph->topology->nodes[at];
    unsigned char* to = graph->state + node->state_offset + shift;
    anim_node_state* s = (anim_node_state*)(void*)to;
    anim_clip_state* c = (anim_clip_state*)(void*)(s + 1);
    bool is_clip = node->kind == ANIM_KIND_CLIP;
    float weight = s->weight, before = s->weight_before;
    uint64_t ranges = is_clip ? c->ranges : 0;
    memcpy(to, to + size, node->state_size);
    s->weight = weight;
    s->weight_before = before;
    s->flags |= ANIM_NODE_ENTERED;
    if (is_clip)
        c->ranges = ranges;
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        if (child == ANIM_NO_NODE)
            continue;
        take_over(graph, child, size, shift);
        if (graph->topology->nodes[child].copy_shift > 0)
            take_over(graph, child, size, shift + graph->topology->nodes[child].copy_shift);
    }
}

// `copy`: in the place of its other copy, which has what it goes on from.
static void enter(anim_runner* r, uint32_t to, const anim_transition* t, double phase, bool copy)
{
    uint32_t child = anim_machine_child(r->graph, r->at, to);
    bool keeps = t && t->keep;
    r->m->fresh = 1;
    if (child == ANIM_NO_NODE)
        return;
    if (!keeps || copy || t->sync || t->offset >= 0)
        anim_play_end(r->walk, child);
    if (copy)
        take_over(r->graph, child, r->graph->topology->nodes[child].copy_shift, 0);
    if (keeps)
        anim_play_go_on(r->graph, child);
    else
        anim_node_reset(r->graph, child);
    anim_state_of_node(r->graph, child)->flags |= ANIM_NODE_PLAYING;
    anim_walk_enter(r->walk, child);
    if (t && t->sync)
        anim_node_set_phase(r->graph, child, phase, false);
    else if (t && t->offset >= 0)
        anim_node_set_phase(r->graph, child, t->offset, false);
}

// Back to the state that is being left: the two change roles and keep their times.
static void turn_back(anim_runner* r, const anim_choice* c, anim_fade_mode mode)
{
    anim_machine_state* m = r->m;
    double weight = anim_machine_exact_weight(r->graph, r->at);
    uint32_t left = m->current;
    uint32_t child = anim_machine_child(r->graph, r->at, left);
    if (mode == ANIM_FADE_INERTIAL)
        anim_machine_take_momentum(r->walk, r->at);
    if (mode == ANIM_FADE_INERTIAL && child != ANIM_NO_NODE)
        anim_walk_note_ranges(r->walk, child);
    m->current = m->source;
    m->source = left;
    m->base = mode == ANIM_FADE_INERTIAL ? 0 : (float)(1 - weight);
    m->duration = mode == ANIM_FADE_INERTIAL ? c->fade : c->fade * weight;
    if (m->duration < ANIM_SAME_INSTANT)
        m->duration = 0;
    m->fresh = 0;
}

// What the fade comes from: the state itself, its second copy, or what the machine shows just now.
static void leave(anim_runner* r, const anim_choice* c, const anim_transition* t,
                  anim_fade_mode mode)
{
    anim_machine_state* m = r->m;
    uint32_t left = anim_machine_child(r->graph, r->at, m->current);
    double phase = left == ANIM_NO_NODE ? 0 : anim_node_get_phase(r->graph, left);
    bool interrupts = anim_machine_is_fading(m), into_itself = c->to == m->current;
    bool copy = into_itself && left != ANIM_NO_NODE &&
                r->graph->topology->nodes[left].copy_shift > 0;
    bool vanishes = interrupts || (into_itself && !copy);
    if (c->fade > 0 && (vanishes || mode == ANIM_FADE_INERTIAL))
        anim_machine_take_momentum(r->walk, r->at);
    if (interrupts)
        drop_source(r);
    if (left != ANIM_NO_NODE && (vanishes || mode == ANIM_FADE_INERTIAL || !(c->fade > 0)))
        anim_walk_note_ranges(r->walk, left);
    if (copy)
        anim_copy_exchange(r->walk, left);
    if (copy && vanishes)
        drop_copy(r, left);
    if (vanishes) {
        m->since = 0;
        m->reach = mode == ANIM_FADE_FROZEN ? 0 : fmin(c->fade, 0.2);
    }
    m->source = vanishes ? ANIM_SOURCE_MOMENTUM : into_itself ? ANIM_SOURCE_COPY : m->current;
    m->current = c->to;
    m->base = 0;
    m->duration = c->fade;
    enter(r, c->to, t, phase, copy);
}

void anim_machine_begin(anim_runner* r, const anim_choice* choice)
{
    anim_choice bounded = *choice, *c = &bounded;
    bounded.fade = anim_bounded_seconds(choice->fade);
    anim_machine_state* m = r->m;
    const anim_transition* t = c->transition == ANIM_NO_TRANSITION
                                   ? NULL
                                   : &r->node->transitions[c->transition];
    anim_fade_mode mode = t ? t->mode : ANIM_FADE_CROSSFADE;
    uint32_t left = anim_machine_child(r->graph, r->at, m->current);
    bool done = left != ANIM_NO_NODE && anim_node_is_done(r->graph, left);
    bool back = anim_machine_is_fading(m) && m->mode != ANIM_FADE_INERTIAL && c->to == m->source;
    trace(r, c, t);
    r->walk->turn++;
    anim_machine_note(r, ANIM_EVENT_EXIT, m->current,
                      done ? ANIM_EDGE_DONE : ANIM_EDGE_INTERRUPTED);
    if (t)
        use_triggers(r, t->condition);
    m->left = m->current;
    if (back)
        turn_back(r, c, mode);
    else
        leave(r, c, t, mode);
    m->elapsed = 0;
    m->transition = c->transition;
    m->mode = (uint32_t)mode;
    if (!(m->duration > 0))
        anim_machine_end_fade(r);
    else if (mode == ANIM_FADE_INERTIAL)
        anim_machine_take_offsets(r->walk, r->at);
    m->capped += ++m->taken == ANIM_LONGEST_CHAIN;
    m->faded |= m->duration > 0;
    anim_machine_note(r, ANIM_EVENT_ENTER, m->current, ANIM_EDGE_NONE);
    r->walk->turn++;
}
