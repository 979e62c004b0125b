// SPDX-License-Identifier: MIT
// Which transition is due (semantics 7): calls and what watches no state at an instant, the others within
// a stretch of time in which all that plays moves evenly.
#include "graph/execute.h"
#include "graph/machine_internal.h"
#include "graph/probe.h"
#include "graph/shot.h"

// --- parameters and functions -----------------------------------------------------------------------------

double anim_machine_param(const void* user, uint32_t index)
{
    const anim_runner* r = user;
    const anim_param_state* p = anim_state_of_param(r->graph, index);
    bool trigger = r->graph->topology->params[index].kind == ANIM_PARAM_TRIGGER;
    if (trigger && index < 64 && (r->m->used >> index & 1))
        return 0; // this machine has used it in this update
    return trigger ? p->target : p->value;
}

static bool ask(const anim_runner* r, const anim_condition* c)
{
    const anim_host* host = &r->graph->host;
    return host->condition && host->condition(host->user, r->graph, c->function);
}

void anim_machine_ask_functions(anim_runner* r)
{
    r->m->answers = 0;
    for (uint32_t i = 0; i < r->node->transition_count; i++) {
        const anim_transition* t = &r->node->transitions[i];
        if (t->condition->function > 0 && t->exit >= 0 && i < 64 && ask(r, t->condition))
            r->m->answers |= (uint64_t)1 << i;
    }
}

// Of a transition with an `exit`: as it was at the start of the update.
static bool answer(const anim_runner* r, uint32_t transition)
{
    const anim_condition* c = r->node->transitions[transition].condition;
    if (c->function == 0)
        return true;
    return transition < 64 ? r->m->answers >> transition & 1 : ask(r, c);
}

// --- what may be looked at --------------------------------------------------------------------------------

// The state that fades out, where it is still there; ANIM_NO_NODE.
static uint32_t leaving_state(const anim_machine_state* m)
{
    if (!anim_machine_is_fading(m))
        return ANIM_NO_NODE;
    return m->source == ANIM_SOURCE_COPY  ? m->current
           : m->source < ANIM_SOURCE_COPY ? m->source
                                          : ANIM_NO_NODE;
}

enum place { NOWHERE, CURRENT, SOURCE, BOTH }; // copies of one state may be there twice

// Which of the states that play a transition may leave now.
static enum place open_to(const anim_runner* r, const anim_transition* t)
{
    const anim_machine_state* m = r->m;
    const anim_transition* fade = anim_fade_transition(r);
    bool fading = anim_machine_is_fading(m);
    anim_interrupt rule = fading && fade ? fade->interrupt : ANIM_INTERRUPT_TARGET;
    if (t->to == m->current && !t->self)
        return NOWHERE;
    if (t->from == ANIM_ANY_STATE)
        return CURRENT;
    if (m->goal != ANIM_SOURCE_NONE) // a travel goes its way
        return NOWHERE;
    int found = NOWHERE;
    if ((uint32_t)t->from == m->current &&
        (rule == ANIM_INTERRUPT_TARGET || rule == ANIM_INTERRUPT_BOTH))
        found |= CURRENT;
    // Not into the current one: a condition that stays true would begin the same fade for ever.
    if (fading && (uint32_t)t->from == leaving_state(m) && t->to != m->current &&
        (rule == ANIM_INTERRUPT_SOURCE || rule == ANIM_INTERRUPT_BOTH))
        found |= SOURCE;
    return (enum place)found;
}

// --- at an instant ----------------------------------------------------------------------------------------

static bool holds(const anim_runner* r, const anim_condition* c)
{
    const anim_condition_view nothing = {0};
    if (c->function > 0)
        return ask(r, c);
    return anim_condition_run(c, anim_machine_param, r, &nothing) != 0;
}

// The next step of a travel, whatever its condition.
static bool choose_step(anim_runner* r, anim_choice* out)
{
    anim_machine_state* m = r->m;
    uint32_t* scratch = anim_workspace_counts(r->graph->workspace);
    uint32_t step = anim_machine_path(r->graph->topology, r->at, m->origin, m->goal, m->hops,
                                      scratch);
    if (step != ANIM_NO_TRANSITION) {
        const anim_transition* t = &r->node->transitions[step];
        m->hops++;
        *out = (anim_choice){t->to, step, t->fade, 0, ANIM_TRACE_TRAVEL};
    }
    if (step == ANIM_NO_TRANSITION || out->to == m->goal)
        m->goal = ANIM_SOURCE_NONE;
    return step != ANIM_NO_TRANSITION;
}

bool anim_machine_choose(anim_runner* r, anim_choice* out)
{
    anim_machine_state* m = r->m;
    uint32_t called = m->pending;
    m->pending = ANIM_SOURCE_NONE;
    if (called != ANIM_SOURCE_NONE && called != m->current) {
        *out = (anim_choice){called, ANIM_NO_TRANSITION, m->pending_fade, 0, ANIM_TRACE_PLAY};
        return true;
    }
    bool travels = m->goal != ANIM_SOURCE_NONE && (m->hops == 0 || !anim_machine_is_fading(m));
    if (travels && choose_step(r, out))
        return true;
    for (uint32_t i = 0; i < r->node->transition_count; i++) {
        const anim_transition* t = &r->node->transitions[i];
        if (anim_transition_is_timed(t) || open_to(r, t) == NOWHERE || !holds(r, t->condition))
            continue;
        *out = (anim_choice){t->to, i, t->fade, 0, ANIM_TRACE_TRANSITION};
        m->goal = ANIM_SOURCE_NONE;
        return true;
    }
    return false;
}

// --- within a stretch of time -----------------------------------------------------------------------------

// Whether it was just entered, or what plays in it: then it takes its first step before anything else.
static bool is_fresh(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (!node->changes)
        return false;
    if (node->kind == ANIM_KIND_MACHINE) {
        const anim_machine_state* m = anim_state_of_machine(graph, at);
        uint32_t child = anim_machine_child(graph, at, m->current);
        return m->fresh || (child != ANIM_NO_NODE && is_fresh(graph, child));
    }
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE && inputs[i].share > 0 &&
            is_fresh(graph, node->inputs[i].node))
            return true;
    return false;
}

static bool find_in(const anim_runner* r, const anim_transition* t, bool source,
                    const anim_stretch* s, double* instant)
{
    const anim_machine_state* m = r->m;
    uint32_t state = source ? leaving_state(m) : m->current;
    uint32_t child = anim_machine_child(r->graph, r->at, state);
    bool is_copy = source && m->source == ANIM_SOURCE_COPY && child != ANIM_NO_NODE;
    if (is_copy)
        anim_copy_swap(r->graph, child);
    bool waits = anim_machine_is_over(r) && child != ANIM_NO_NODE && is_fresh(r->graph, child);
    anim_probe probe;
    double speed = (double)r->node->inputs[state].speed * r->walk->direction;
    anim_probe_init(&probe, r->graph, child, speed);
    double pace = fabs(speed);
    probe.later = pace > 0 ? anim_player_later(r->graph, child) / pace : 0;
    probe.param = anim_machine_param;
    probe.param_user = r;
    probe.goes_on = r->walk->goes_on || r->rest > s->part;
    if (s->changes)
        probe.until = s->at_once ? 0 : s->part - ANIM_SAME_INSTANT;
    if (source && m->mode != ANIM_FADE_CROSSFADE)
        anim_probe_stand(&probe);
    bool found = !waits && anim_probe_find(&probe, t, s->part, instant);
    if (is_copy)
        anim_copy_swap(r->graph, child);
    return found;
}

bool anim_machine_choose_timed(anim_runner* r, const anim_stretch* s, anim_choice* out)
{
    bool found = false;
    for (uint32_t i = 0; i < r->node->transition_count; i++) {
        const anim_transition* t = &r->node->transitions[i];
        enum place place = anim_transition_is_timed(t) ? open_to(r, t) : NOWHERE;
        for (int source = 0; source < 2; source++) {
            double instant;
            if (!(place & (source ? SOURCE : CURRENT)) || !answer(r, i) ||
                !find_in(r, t, source, s, &instant) ||
                (found && instant >= out->instant - ANIM_SAME_INSTANT))
                continue;
            *out = (anim_choice){t->to, i, t->fade, instant, ANIM_TRACE_TRANSITION};
            found = true;
        }
    }
    return found;
}

// --- what changes by itself below -------------------------------------------------------------------------

static double next_change(anim_walk* walk, uint32_t at, double rest);

// The same in the clock of who holds the node, which plays it at `speed`.
static double change_of(anim_walk* walk, uint32_t at, double speed, double rest)
{
    double pace = fabs(speed), direction = walk->direction;
    if (!walk->topology->nodes[at].changes || !(pace > 0))
        return HUGE_VAL;
    if (speed < 0)
        walk->direction = -direction;
    double next = next_change(walk, at, rest * pace) / pace;
    walk->direction = direction;
    return next;
}

double anim_machine_change_in(const anim_runner* r, double rest)
{
    const anim_machine_state* m = r->m;
    bool moves = m->mode == ANIM_FADE_CROSSFADE, goes_on = r->walk->goes_on;
    double next = HUGE_VAL;
    r->walk->goes_on = goes_on || r->rest > rest;
    for (int source = 0; source < 1 + moves; source++) {
        uint32_t state = source ? leaving_state(m) : m->current;
        uint32_t child = anim_machine_child(r->graph, r->at, state);
        bool is_copy = source && m->source == ANIM_SOURCE_COPY;
        if (child == ANIM_NO_NODE)
            continue;
        if (is_copy)
            anim_copy_swap(r->graph, child);
        next = fmin(next, change_of(r->walk, child, (double)r->node->inputs[state].speed, rest));
        if (is_copy)
            anim_copy_swap(r->graph, child);
    }
    r->walk->goes_on = goes_on;
    return next;
}

static double change_of_machine(anim_walk* walk, uint32_t at, double rest)
{
    anim_runner r = anim_runner_of(walk, at);
    r.rest = rest;
    double part = fmin(rest, anim_fade_left(r.m)), next = part < rest ? part : HUGE_VAL;
    anim_choice c;
    if (r.node->input_count == 0 || (r.m->fresh && anim_machine_is_over(&r)))
        return HUGE_VAL;
    if (anim_may_choose(r.m) && anim_machine_choose_timed(&r, &(anim_stretch){.part = part}, &c))
        next = fmin(next, c.instant);
    return fmin(next, anim_machine_change_in(&r, fmin(part, next)));
}

static double next_change(anim_walk* walk, uint32_t at, double rest)
{
    const anim_node* node = &walk->topology->nodes[at];
    double speed = (double)anim_node_speed(walk->graph, at), pace = fabs(speed);
    double direction = walk->direction, next = HUGE_VAL;
    if (!anim_node_is_playing(walk->graph, at) || !(pace > 0))
        return next;
    if (speed < 0)
        walk->direction = -direction;
    if (node->kind == ANIM_KIND_MACHINE)
        next = change_of_machine(walk, at, rest * pace);
    if (anim_node_is_player(node))
        next = anim_player_change_in(walk, at, rest * pace);
    for (uint32_t i = 0; i < node->input_count && node->kind != ANIM_KIND_MACHINE; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            next = fmin(next, change_of(walk, node->inputs[i].node, anim_input_speed(node, i),
                                        rest * pace));
    walk->direction = direction;
    return next / pace;
}
