// SPDX-License-Identifier: MIT
// How a machine runs (semantics 7). One update: calls and transitions that watch no state are decided at
// the start of the step; the states advance; the others start at the instant they became true and the
// rest of the step goes to their target. Stretches end where a machine below changes its state, so that
// within one all that plays moves evenly.
#include "graph/execute.h"
#include "graph/machine_internal.h"

enum {
    most_stretches = 512
}; // in one step of a machine: more than its chains and those below come to

static const double rounding = 1e-9; // relative

// --- an update begins -------------------------------------------------------------------------------------

static void begin_update(anim_runner* r)
{
    uint32_t update = anim_state_of_graph(r->graph)->advanced;
    if (r->m->update == update)
        return;
    r->m->update = update;
    r->m->judged = r->m->taken = r->m->faded = 0;
    r->m->used = 0;
}

void anim_machine_reset(anim_graph* graph, uint32_t at)
{
    anim_machine_state* m = anim_state_of_machine(graph, at);
    uint32_t update = m->update, taken = m->taken, faded = m->faded;
    uint64_t used = m->used;
    anim_node_state_init(graph, at);
    m->update = update;
    m->taken = taken;
    m->faded = faded;
    m->used = used;
}

static void choose_at_once(anim_runner* r)
{
    anim_choice c;
    while (anim_may_choose(r->m) && anim_machine_choose(r, &c))
        anim_machine_begin(r, &c);
}

// Calls, and transitions that watch no state: once an update.
static void judge(anim_runner* r)
{
    begin_update(r);
    if (r->m->judged)
        return;
    r->m->judged = 1;
    if (!r->m->started)
        anim_machine_note(r, ANIM_EVENT_ENTER, r->m->current, ANIM_EDGE_NONE);
    r->m->started = 1;
    anim_machine_ask_functions(r);
    choose_at_once(r);
}

// --- what plays in it -------------------------------------------------------------------------------------

// What moves now, the current state and the one that fades out, decides what it can at once.
static void settle_moving(anim_runner* r)
{
    const anim_machine_state* m = r->m;
    uint32_t child = anim_machine_child(r->graph, r->at, m->current);
    bool moves = anim_machine_is_fading(m) && m->mode == ANIM_FADE_CROSSFADE;
    bool goes_on = r->walk->goes_on;
    if (m->fresh && anim_machine_is_over(r)) // it takes its first step in the next update
        return;
    r->walk->goes_on = goes_on || r->rest > 0;
    if (child != ANIM_NO_NODE)
        anim_machine_settle(r->walk, child);
    if (moves && m->source == ANIM_SOURCE_COPY && child != ANIM_NO_NODE) {
        anim_copy_begin(r->walk, child);
        anim_machine_settle(r->walk, child);
        anim_copy_end(r->walk, child);
    }
    uint32_t source = anim_machine_child(r->graph, r->at, m->source);
    if (moves && source != ANIM_NO_NODE)
        anim_machine_settle(r->walk, source);
    r->walk->goes_on = goes_on;
}

void anim_machine_settle(anim_walk* walk, uint32_t at)
{
    const anim_node* node = &walk->topology->nodes[at];
    if (!node->changes)
        return;
    if (node->kind == ANIM_KIND_MACHINE) {
        anim_runner r = anim_runner_of(walk, at);
        if (node->input_count == 0)
            return;
        judge(&r);
        settle_moving(&r);
        return;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_machine_settle(walk, node->inputs[i].node);
}

// --- time -------------------------------------------------------------------------------------------------

// A stretch without a decision, no longer than the fade.
static void pass_time(anim_runner* r, double seconds)
{
    anim_machine_state* m = r->m;
    bool ends = seconds >= anim_fade_left(m) * (1 - rounding), goes_on = r->walk->goes_on;
    r->walk->covers = seconds * r->walk->pace;
    r->walk->goes_on = goes_on || r->rest > seconds;
    anim_machine_move(r->walk, r->at, seconds);
    r->walk->goes_on = goes_on;
    r->moved += seconds;
    m->stepped = seconds;
    m->fresh = 0;
    r->walk->offset += seconds * r->walk->pace;
    if (anim_machine_is_fading(m)) {
        m->elapsed += seconds;
        m->since += seconds;
    }
    anim_machine_add_motion(r->graph, r->at);
    if (ends)
        anim_machine_end_fade(r);
}

// Until the fade ends or something below changes.
static anim_stretch next_stretch(const anim_runner* r, bool looks)
{
    double part = fmin(r->rest, anim_fade_left(r->m));
    double change = looks ? anim_machine_change_in(r, part) : HUGE_VAL;
    if (!(change <= part + ANIM_SAME_INSTANT))
        return (anim_stretch){part, false, false};
    return (anim_stretch){fmin(change, part), true, change <= ANIM_SAME_INSTANT};
}

// What is due first in the stretch. What has happened at the end of the last one, `late`, waits until all
// below has changed that changes then.
static bool choose_next(anim_runner* r, const anim_stretch* s, anim_choice* late, anim_choice* out)
{
    bool waits = late->transition != ANIM_NO_TRANSITION;
    if (!anim_may_choose(r->m) || (waits && s->at_once && !anim_machine_is_over(r)))
        return false;
    bool found = anim_machine_choose_timed(r, s, out);
    if (waits &&
        !(found && out->instant <= ANIM_SAME_INSTANT && out->transition < late->transition)) {
        *out = *late;
        out->instant = 0;
        return true;
    }
    if (!found || !s->changes || out->instant < s->part - ANIM_SAME_INSTANT)
        return found;
    *late = *out;
    return false;
}

static void run(anim_runner* r, double dt)
{
    anim_choice c, late = {.transition = ANIM_NO_TRANSITION};
    bool stood = false;
    judge(r);
    for (uint32_t count = 0;; count++) {
        r->rest = dt - r->moved;
        if (count > 0 && r->rest < ANIM_SAME_INSTANT) // of instants that are one
            r->rest = 0;
        if (r->m->fresh && anim_machine_is_over(r))
            return;
        settle_moving(r);
        anim_stretch s = next_stretch(r, count < most_stretches);
        if (choose_next(r, &s, &late, &c)) {
            late.transition = ANIM_NO_TRANSITION;
            pass_time(r, c.instant);
            if (r->node->transitions[c.transition].from == ANIM_ANY_STATE)
                r->m->goal = ANIM_SOURCE_NONE;
            anim_machine_begin(r, &c);
            choose_at_once(r);
            continue;
        }
        // What has come of a change is looked at, too, and at once where no time passes.
        bool last = s.part >= r->rest && !(s.changes && (s.part > 0 || !stood));
        stood = s.changes && !(s.part > 0);
        pass_time(r, s.part);
        if (last)
            return;
    }
}

// --- weights ----------------------------------------------------------------------------------------------

static void share_weights(anim_runner* r)
{
    anim_input_state* inputs = anim_state_of_inputs(r->graph, r->at);
    const anim_machine_state* m = r->m;
    double weight = anim_machine_exact_weight(r->graph, r->at);
    for (uint32_t i = 0; i < r->node->input_count; i++)
        inputs[i].share = i == m->current  ? (float)weight
                          : i == m->source ? (float)(1 - weight)
                                           : 0;
}

static void spread_to_copy(anim_graph* graph, uint32_t child, float weight)
{
    uint32_t shift = graph->topology->nodes[child].copy_shift;
    const unsigned char* copy = (const unsigned char*)anim_state_of_node(graph, child) + shift;
    bool is_heard = ((const anim_node_state*)(const void*)copy)->weight > 0;
    if (shift == 0 || !(weight > 0 || is_heard))
        return;
    anim_copy_swap(graph, child);
    anim_walk_spread(graph, child, weight);
    anim_copy_swap(graph, child);
}

void anim_machine_spread(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    float weight = anim_state_of_node(graph, at)->weight;
    float left = weight * (float)(1 - anim_machine_exact_weight(graph, at));
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (node->inputs[i].node == ANIM_NO_NODE)
            continue;
        bool is_source = i == m->current && m->source == ANIM_SOURCE_COPY;
        anim_walk_spread(graph, node->inputs[i].node, weight * inputs[i].share);
        spread_to_copy(graph, node->inputs[i].node, is_source ? left : 0);
    }
}

// --- a step -----------------------------------------------------------------------------------------------

// A look at another time: nothing is decided.
static void look(anim_walk* walk, anim_runner* r, double dt)
{
    walk->direction = 1;
    anim_machine_move(walk, r->at, dt);
    r->m->elapsed = fmax(r->m->elapsed + dt, 0);
    r->m->since = fmax(r->m->since + dt, 0);
}

void anim_machine_step(anim_walk* walk, uint32_t at, double dt)
{
    anim_runner r = anim_runner_of(walk, at);
    if (r.node->input_count == 0)
        return;
    const anim_walk before = *walk;
    double clock = fabs(dt);
    if (walk->quiet) {
        look(walk, &r, dt);
        walk->direction = before.direction;
        return;
    }
    walk->pace = clock > 0 ? walk->covers / clock : 0;
    walk->direction = dt < 0 ? -1 : 1;
    r.m->motion = ANIM_RIGID_IDENTITY;
    run(&r, clock);
    share_weights(&r);
    anim_machine_spread(walk->graph, at);
    walk->offset = before.offset;
    walk->covers = before.covers;
    walk->pace = before.pace;
    walk->direction = before.direction;
}
