// SPDX-License-Identifier: MIT
// How a machine runs (semantics 7). One update: calls and transitions that watch no state are decided
// at the start of the step; the states advance; the others start at the instant they became true and
// the rest of the step goes to their target.
#include "graph/execute.h"
#include "graph/machine_internal.h"
#include "graph/probe.h"

#include <math.h>
#include <string.h>

enum { longest_chain = 8 }; // transitions without a fade in one update

typedef struct runner {
    anim_walk* walk;
    anim_graph* graph;
    uint32_t at;
    const anim_node* node;
    anim_machine_state* m;
    double moved; // seconds of this step that are done
} runner;

// --- telling ------------------------------------------------------------------------------------------

static void tell(const runner* r, anim_event_kind kind, uint32_t state, anim_edge edge)
{
    const anim_node_state* s = anim_state_of_node(r->graph, r->at);
    if (r->walk->mute || !(s->weight > 0))
        return;
    anim_happening h = {
        .offset = r->walk->offset,
        .node = r->at,
        .uid = r->node->uid,
        .order = r->node->order,
        .turn = r->walk->turn,
        .event = state,
        .weight = s->weight,
        .kind = kind,
        .edge = edge,
    };
    anim_event_queue_push(&r->graph->events, &h);
}

// --- parameters and triggers ----------------------------------------------------------------------------

static double param_of(const void* user, uint32_t index)
{
    const runner* r = user;
    const anim_param_state* p = anim_state_of_param(r->graph, index);
    bool trigger = r->graph->topology->params[index].kind == ANIM_PARAM_TRIGGER;
    if (trigger && index < 64 && (r->m->used >> index & 1))
        return 0; // this machine has used it in this update
    return trigger ? p->target : p->value;
}

// Triggers that a taken transition names are gone when all machines have seen this update.
static void use_triggers(runner* r, const anim_condition* c)
{
    for (uint32_t i = 0; i < c->step_count; i++) {
        uint32_t param = c->steps[i].index;
        if (c->steps[i].op != ANIM_COND_PARAM ||
            r->graph->topology->params[param].kind != ANIM_PARAM_TRIGGER)
            continue;
        anim_state_of_param(r->graph, param)->velocity = 1; // taken
        if (param < 64)
            r->m->used |= (uint64_t)1 << param;
    }
}

// --- fades ----------------------------------------------------------------------------------------------

static const anim_transition* fade_transition(const anim_node* node, const anim_machine_state* m)
{
    return m->transition < node->transition_count ? &node->transitions[m->transition] : NULL;
}

float anim_machine_weight(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    if (!anim_machine_is_fading(m))
        return 1;
    const anim_transition* t = fade_transition(node, m);
    const anim_ease_curve linear = {0};
    float s = anim_ease(t ? &t->curve : &linear, (float)(m->elapsed / m->duration));
    return m->base + (1 - m->base) * (s < 0 ? 0 : s > 1 ? 1 : s);
}

static void silence(anim_graph* graph, uint32_t child)
{
    if (child != ANIM_NO_NODE)
        anim_walk_spread(graph, child, 0);
}

static void end_fade(runner* r)
{
    r->m->source = ANIM_SOURCE_NONE;
    r->m->elapsed = r->m->duration = 0;
    r->m->base = 0;
}

static const double rounding = 1e-9;

static double fade_left(const anim_machine_state* m)
{
    return anim_machine_is_fading(m) ? m->duration - m->elapsed : HUGE_VAL;
}

// A stretch without a decision; a source moves up to the end of its fade and no further.
static void pass_time(runner* r, double seconds)
{
    double part = fmin(seconds, fade_left(r->m));
    bool ends = part >= fade_left(r->m) * (1 - rounding);
    r->walk->covers = part * r->walk->pace;
    anim_machine_move(r->walk, r->at, part);
    r->moved += part;
    r->m->stepped = part;
    r->walk->offset += part * r->walk->pace;
    if (!anim_machine_is_fading(r->m))
        return;
    r->m->elapsed += part;
    r->m->since += part;
    if (ends)
        end_fade(r);
    if (ends && seconds - part > 0)
        pass_time(r, seconds - part);
}

// --- a transition begins ----------------------------------------------------------------------------------

typedef struct choice {
    uint32_t to;
    uint32_t transition; // ANIM_NO_TRANSITION: play
    double fade;
    double instant;
    anim_trace_reason reason;
} choice;

static void enter(runner* r, uint32_t to, const anim_transition* t, double source_phase)
{
    uint32_t child = anim_machine_child(r->graph, r->at, to);
    if (child == ANIM_NO_NODE)
        return;
    if (!t || !t->keep)
        anim_node_reset(r->graph, child);
    anim_state_of_node(r->graph, child)->flags |= ANIM_NODE_PLAYING;
    anim_walk_enter(r->walk, child);
    if (t && t->sync)
        anim_node_set_phase(r->graph, child, source_phase, false);
    else if (t && t->offset >= 0)
        anim_node_set_phase(r->graph, child, t->offset, false);
}

// Back to the state that is being left: the two change roles and keep their times.
static void turn_back(runner* r, const choice* c)
{
    anim_machine_state* m = r->m;
    float base = 1 - anim_machine_weight(r->graph, r->at);
    uint32_t left = m->current;
    m->current = m->source;
    m->source = m->left = left;
    m->base = base;
    m->elapsed = 0;
    m->duration = c->fade * (1 - (double)base);
    m->transition = c->transition;
    m->mode = ANIM_FADE_CROSSFADE;
    if (!(m->duration > 0))
        end_fade(r);
}

// What the fade comes from: the state itself, its second copy, or what the machine shows just now.
static void choose_source(runner* r, const choice* c, anim_fade_mode mode)
{
    anim_machine_state* m = r->m;
    uint32_t child = anim_machine_child(r->graph, r->at, m->current);
    bool interrupts = anim_machine_is_fading(m);
    if (interrupts || mode == ANIM_FADE_INERTIAL)
        anim_machine_take_momentum(r->walk, r->at);
    if (interrupts || mode == ANIM_FADE_INERTIAL) {
        silence(r->graph, child);
        silence(r->graph, anim_machine_child(r->graph, r->at, m->source));
        m->source = ANIM_SOURCE_MOMENTUM;
        m->since = 0;
        m->reach = mode == ANIM_FADE_FROZEN ? 0 : fmin(c->fade, 0.2);
    } else if (c->to == m->current) {
        if (child != ANIM_NO_NODE)
            anim_copy_swap(r->graph, child);
        m->source = ANIM_SOURCE_COPY;
    } else {
        m->source = m->current;
    }
}

// The new state takes over; `back`: it is the one being left, and goes on where it is.
static void change_state(runner* r, const choice* c, const anim_transition* t, bool back)
{
    anim_machine_state* m = r->m;
    uint32_t left = anim_machine_child(r->graph, r->at, m->current);
    double phase = left == ANIM_NO_NODE ? 0 : anim_node_get_phase(r->graph, left);
    anim_fade_mode mode = t ? t->mode : ANIM_FADE_CROSSFADE;
    if (c->fade > 0) {
        choose_source(r, c, mode);
    } else {
        silence(r->graph, left);
        silence(r->graph, anim_machine_child(r->graph, r->at, m->source));
        m->source = ANIM_SOURCE_NONE;
    }
    m->left = m->current;
    m->current = c->to;
    m->base = 0;
    m->elapsed = 0;
    m->duration = c->fade;
    m->transition = c->transition;
    m->mode = (uint32_t)mode;
    if (!back)
        enter(r, c->to, t, phase);
    if (c->fade > 0 && mode == ANIM_FADE_INERTIAL)
        anim_machine_take_offsets(r->walk, r->at);
}

static void note(runner* r, const choice* c, const anim_transition* t)
{
    anim_graph* graph = r->graph;
    bool backward = anim_state_of_graph(graph)->speed < 0;
    anim_trace_entry e = {
        .time = anim_state_of_graph(graph)->clock + (backward ? -r->walk->offset : r->walk->offset),
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
        e.values[e.param_count] = param_of(r, param);
        e.params[e.param_count++] = param;
    }
    anim_trace_push(graph->trace, &e);
}

static void begin(runner* r, const choice* c)
{
    anim_machine_state* m = r->m;
    const anim_transition* t = c->transition == ANIM_NO_TRANSITION
                                   ? NULL
                                   : &r->node->transitions[c->transition];
    uint32_t left = anim_machine_child(r->graph, r->at, m->current);
    bool done = left != ANIM_NO_NODE && anim_node_is_done(r->graph, left);
    bool back = anim_machine_is_fading(m) && c->to == m->source;
    note(r, c, t);
    r->walk->turn++;
    tell(r, ANIM_EVENT_EXIT, m->current, done ? ANIM_EDGE_DONE : ANIM_EDGE_INTERRUPTED);
    if (t)
        use_triggers(r, t->condition);
    if (back && !(t && t->mode == ANIM_FADE_INERTIAL))
        turn_back(r, c);
    else
        change_state(r, c, t, back);
    tell(r, ANIM_EVENT_ENTER, m->current, ANIM_EDGE_NONE);
    r->walk->turn++;
}

// --- choosing ---------------------------------------------------------------------------------------------

// Whether a transition is looked at now, and the state that it leaves.
static bool is_open(const runner* r, const anim_transition* t, uint32_t* leaves)
{
    const anim_machine_state* m = r->m;
    const anim_transition* fade = fade_transition(r->node, m);
    bool fading = anim_machine_is_fading(m);
    anim_interrupt rule = fading && fade ? fade->interrupt : ANIM_INTERRUPT_TARGET;
    *leaves = m->current;
    if (t->to == m->current && !t->self)
        return false;
    if (t->from == ANIM_ANY_STATE)
        return true;
    if (m->goal != ANIM_SOURCE_NONE) // a travel goes its way
        return false;
    if ((uint32_t)t->from == m->current)
        return !fading || rule == ANIM_INTERRUPT_TARGET || rule == ANIM_INTERRUPT_BOTH;
    *leaves = m->source;
    return fading && (uint32_t)t->from == m->source &&
           (rule == ANIM_INTERRUPT_SOURCE || rule == ANIM_INTERRUPT_BOTH);
}

static bool holds_now(const runner* r, const anim_condition* c)
{
    const anim_condition_view nothing = {0};
    if (c->function > 0)
        return r->graph->host.condition &&
               r->graph->host.condition(r->graph->host.user, r->graph, c->function);
    return anim_condition_run(c, param_of, r, &nothing) != 0;
}

// The next step of a travel: the first transition of a shortest path, whatever its condition.
static uint32_t next_of_travel(const runner* r)
{
    return anim_machine_path(r->graph->topology, r->at, r->m->current, r->m->goal,
                             anim_workspace_counts(r->graph->workspace));
}

static bool choose_call(runner* r, choice* out)
{
    anim_machine_state* m = r->m;
    if (m->pending != ANIM_SOURCE_NONE) {
        *out = (choice){m->pending, ANIM_NO_TRANSITION, m->pending_fade, 0,
                        ANIM_TRACE_PLAY};
        m->pending = ANIM_SOURCE_NONE;
        if (out->to != m->current)
            return true;
    }
    if (m->goal == ANIM_SOURCE_NONE || (anim_machine_is_fading(m) && !m->first_hop))
        return false;
    m->first_hop = 0;
    uint32_t step = m->goal == m->current ? ANIM_NO_TRANSITION : next_of_travel(r);
    if (step == ANIM_NO_TRANSITION) {
        m->goal = ANIM_SOURCE_NONE;
        return false;
    }
    *out = (choice){r->node->transitions[step].to, step, r->node->transitions[step].fade, 0,
                    ANIM_TRACE_TRAVEL};
    return true;
}

static bool choose_untimed(runner* r, choice* out)
{
    if (choose_call(r, out))
        return true;
    for (uint32_t i = 0; i < r->node->transition_count; i++) {
        const anim_transition* t = &r->node->transitions[i];
        uint32_t leaves;
        if (!anim_transition_is_timed(t) && is_open(r, t, &leaves) && holds_now(r, t->condition)) {
            *out = (choice){t->to, i, t->fade, 0, ANIM_TRACE_TRANSITION};
            r->m->goal = ANIM_SOURCE_NONE;
            return true;
        }
    }
    return false;
}

static bool choose_timed(runner* r, double rest, choice* out)
{
    bool found = false;
    for (uint32_t i = 0; i < r->node->transition_count; i++) {
        const anim_transition* t = &r->node->transitions[i];
        uint32_t leaves;
        double instant;
        if (!anim_transition_is_timed(t) || !is_open(r, t, &leaves) ||
            (t->condition->function > 0 && !holds_now(r, t->condition)))
            continue;
        anim_probe probe;
        double speed = (leaves < r->node->input_count ? r->node->inputs[leaves].speed : 1) *
                       r->walk->direction;
        anim_probe_init(&probe, r->graph, anim_machine_child(r->graph, r->at, leaves), speed);
        probe.param = param_of;
        probe.param_user = r;
        if (leaves != r->m->current && r->m->mode == ANIM_FADE_FROZEN)
            probe.rate = 0;
        if (anim_probe_find(&probe, t, rest, &instant) && (!found || instant < out->instant)) {
            *out = (choice){t->to, i, t->fade, instant, ANIM_TRACE_TRANSITION};
            found = true;
        }
    }
    return found;
}

// --- one update -------------------------------------------------------------------------------------------

static void run(runner* r, double dt)
{
    bool judge = true; // what watches no state: at the start and after an entry without a fade
    for (int chain = 0;;) {
        choice c;
        double rest = dt - r->moved, part = fmin(rest, fade_left(r->m));
        bool now = judge && choose_untimed(r, &c);
        judge = false;
        if (!now && !choose_timed(r, part, &c)) {
            pass_time(r, part);
            if (dt - r->moved > rounding * dt)
                continue; // a fade has ended on the way
            return;
        }
        if (chain++ == longest_chain) {
            r->m->capped++;
            pass_time(r, rest);
            return;
        }
        if (c.instant > 0)
            pass_time(r, c.instant);
        begin(r, &c);
        judge = true;
        rest = dt - r->moved;
        if (rest <= rounding * dt) // the new state takes its first step in the next update
            return;
        if (anim_machine_is_fading(r->m)) { // one transition with a fade an update
            pass_time(r, rest);
            return;
        }
    }
}

static void share_weights(runner* r)
{
    anim_input_state* inputs = anim_state_of_inputs(r->graph, r->at);
    const anim_machine_state* m = r->m;
    float weight = m->mode == ANIM_FADE_INERTIAL ? 1 : anim_machine_weight(r->graph, r->at);
    for (uint32_t i = 0; i < r->node->input_count; i++)
        inputs[i].share = i == m->current ? weight : i == m->source ? 1 - weight : 0;
}

void anim_machine_spread(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    float weight = anim_state_of_node(graph, at)->weight;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_walk_spread(graph, node->inputs[i].node, weight * inputs[i].share);
    uint32_t child = anim_machine_child(graph, at, m->current);
    if (m->source != ANIM_SOURCE_COPY || child == ANIM_NO_NODE)
        return;
    anim_copy_swap(graph, child);
    anim_walk_spread(graph, child, weight * (1 - inputs[m->current].share));
    anim_copy_swap(graph, child);
}

void anim_machine_step(anim_walk* walk, uint32_t at, double dt)
{
    runner r = {
        walk, walk->graph, at, &walk->topology->nodes[at], anim_state_of_machine(walk->graph, at),
        0};
    if (r.node->input_count == 0)
        return;
    double offset = walk->offset, pace = walk->pace, direction = walk->direction;
    double covers = walk->covers;
    double clock = fabs(dt);
    walk->pace = clock > 0 ? walk->covers / clock : 0;
    walk->direction = dt < 0 ? -1 : 1;
    if (walk->quiet) { // only a look at another time: nothing is decided
        walk->direction = 1;
        anim_machine_move(walk, at, dt);
        r.m->elapsed = fmax(r.m->elapsed + dt, 0);
        r.m->since = fmax(r.m->since + dt, 0);
        walk->direction = direction;
        return;
    }
    r.m->used = 0;
    if (!r.m->started) {
        r.m->started = 1;
        tell(&r, ANIM_EVENT_ENTER, r.m->current, ANIM_EDGE_NONE);
    }
    run(&r, clock);
    share_weights(&r);
    anim_machine_spread(walk->graph, at);
    walk->offset = offset;
    walk->covers = covers;
    walk->pace = pace;
    walk->direction = direction;
}
