// SPDX-License-Identifier: MIT
// When a transition that watches its state becomes true within a step (semantics 7, step c). The state
// moves evenly, so its time, phase and events at any instant are known before it is moved. The truth is
// looked at wherever it may change: with what happens at that instant, an event or a crossing, and
// everything else as it is just after, so that no rounding at the instant itself matters.
#include "graph/probe.h"

#include "graph/machine_internal.h"

#include <math.h>
#include <string.h>

// What is moved to an instant must come to what happens then, whatever the rounding: so much of a pass
// further.
static const double beyond = 4e-15;

void anim_probe_init(anim_probe* p, anim_graph* graph, uint32_t child, double speed)
{
    *p = (anim_probe){.graph = graph,
                      .child = child,
                      .speed = speed,
                      .until = HUGE_VAL,
                      .loop = ANIM_LOOP_REPEAT};
    if (child == ANIM_NO_NODE)
        return;
    double phase = anim_node_get_phase(graph, child);
    p->duration = anim_node_get_duration(graph, child);
    p->rate = anim_node_get_rate(graph, child) * speed;
    p->loop = anim_node_get_loop(graph, child);
    p->place = anim_node_turns_back(graph, child) ? 2 - phase : phase;
    p->done = anim_node_is_done(graph, child);
    p->backward = p->rate < 0;
    if (p->done)
        p->rate = 0;
}

void anim_probe_stand(anim_probe* p)
{
    p->stands = true;
    p->rate = 0;
}

static double phase_at(const anim_probe* p, double instant)
{
    double place = p->place + p->rate * instant;
    if (p->loop == ANIM_LOOP_ONCE)
        return place < 0 ? 0 : place > 1 ? 1 : place;
    if (p->loop == ANIM_LOOP_REPEAT)
        return p->rate == 0 ? place : place - floor(place);
    place -= 2 * floor(place / 2);
    return place > 1 ? 2 - place : place;
}

static bool done_at(const anim_probe* p, double instant)
{
    if (p->later > 0)
        return false;
    if (p->done || p->loop != ANIM_LOOP_ONCE || p->child == ANIM_NO_NODE || p->stands)
        return p->done;
    if (!(p->duration > 0)) // no length to play
        return anim_node_is_playing(p->graph, p->child);
    double place = p->place + p->rate * instant;
    return (p->rest > 0 || p->goes_on) && (p->rate < 0 ? place <= 0 : p->rate > 0 && place >= 1);
}

static double remaining_at(const anim_probe* p, double instant)
{
    double phase = phase_at(p, instant),
           pace = fabs(anim_node_get_rate(p->graph, p->child) * p->speed);
    double part = p->backward ? phase : 1 - phase;
    if (!(p->duration > 0) || part == 0)
        return p->later;
    return pace > 0 ? part / pace + p->later : HUGE_VAL;
}

// --- events of the clips below ------------------------------------------------------------------------

typedef struct seeker {
    const anim_probe* probe;
    const char* name;
    double instant; // looked at
    double* out;    // instants found
    uint32_t count, room;
    bool ends;   // those at which a range ends, too
    bool inside; // some clip is inside at the instant
} seeker;

// `more`: how much later it is surely over. What the look does not come to is for the next one.
static void add_instant(seeker* s, double instant, double more)
{
    if (instant <= s->probe->rest * (1 + 1e-15) && s->count < s->room)
        s->out[s->count++] = fmin(instant + more, s->probe->rest);
}

// Clip seconds a second of the machine, for a clip below: down the speeds, or with its group's phase.
static double clip_rate(const anim_probe* p, uint32_t clip)
{
    const anim_topology* t = p->graph->topology;
    uint32_t group = anim_sync_group_of(t, clip), at = group != ANIM_NO_NODE ? group : clip;
    double length = t->nodes[clip].clip->duration;
    double rate = length > 0 ? anim_node_get_rate(p->graph, at) * length : 0;
    while (at != p->child && rate != 0) {
        uint32_t above = t->nodes[at].parent;
        const anim_node* node = &t->nodes[above];
        for (uint32_t i = 0; i < node->input_count; i++)
            if (node->inputs[i].node == at)
                rate *= node->kind == ANIM_KIND_MACHINE ? (double)node->inputs[i].speed
                                                        : anim_input_speed(node, i);
        bool plays = anim_node_is_playing(p->graph, above);
        rate *= plays ? (double)anim_node_speed(p->graph, above) : 0;
        at = above;
    }
    bool is_done = anim_state_of_node(p->graph, group != ANIM_NO_NODE ? group : clip)->flags &
                   ANIM_NODE_DONE;
    return p->stands || is_done ? 0 : rate * p->speed;
}

// How a clip lies ahead: places are unrolled, those on the way back of a ping-pong are length to twice it.
typedef struct course {
    double place, rate;
    double length;
    double period; // 0: it does not come again
    bool fresh;
    bool pingpong;
} course;

// The next two times that the course comes by a place.
static void add_place(seeker* s, const course* c, double place)
{
    double way = c->rate > 0 ? place - c->place : c->place - place, pace = fabs(c->rate);
    if (c->period > 0)
        way -= floor(way / c->period) * c->period;
    if (way == 0 && !c->fresh)
        way = c->period > 0 ? c->period : -1;
    if (way < 0)
        return;
    double more = beyond * c->length / pace;
    add_instant(s, way / pace, way == 0 ? 0 : more);
    if (c->period > 0)
        add_instant(s, (way + c->period) / pace, more);
}

static void add_event(seeker* s, const course* c, const anim_event* e)
{
    double first = e->time,
           last = e->duration >= 0 ? fmin(e->time + e->duration, c->length) : e->time;
    double begin = c->rate < 0 ? last : first, end = c->rate < 0 ? first : last;
    if (c->rate == 0 && !(c->fresh && c->place == begin && !s->probe->stands))
        return;
    if (c->rate == 0) {
        add_instant(s, 0, 0);
        return;
    }
    add_place(s, c, begin);
    if (s->ends)
        add_place(s, c, end);
    if (!c->pingpong)
        return;
    add_place(s, c, 2 * c->length - end); // the range is met from its other side
    if (s->ends)
        add_place(s, c, 2 * c->length - begin);
}

static void seek_clip(seeker* s, uint32_t at)
{
    const anim_probe* p = s->probe;
    const anim_node* node = &p->graph->topology->nodes[at];
    const anim_clip* clip = node->clip;
    const anim_node_state* state = anim_state_of_node(p->graph, at);
    double length = clip->duration;
    anim_loop loop = anim_node_loop(node);
    bool returns = loop == ANIM_LOOP_PINGPONG && (state->at.pass & 1);
    course c = {.place = returns ? 2 * length - state->at.time : state->at.time,
                .rate = clip_rate(p, at),
                .length = length,
                .fresh = state->flags & ANIM_NODE_FRESH,
                .pingpong = loop == ANIM_LOOP_PINGPONG};
    c.period = loop == ANIM_LOOP_ONCE ? 0 : c.pingpong ? 2 * length : length;
    double now = c.place + c.rate * s->instant;
    if (c.period > 0)
        now -= floor(now / c.period) * c.period;
    if (now > length)
        now = c.pingpong ? 2 * length - now : length;
    for (uint32_t i = 0; i < clip->event_count; i++) {
        const anim_event* e = &clip->events[i];
        if (strcmp(anim_clip_event_name(clip, i), s->name) != 0)
            continue;
        s->inside |= e->duration >= 0 && now > e->time && now < e->time + e->duration;
        add_event(s, &c, e);
    }
}

static void seek_below(seeker* s, uint32_t at);

static void seek_state(seeker* s, uint32_t at, uint32_t state)
{
    uint32_t child = anim_machine_child(s->probe->graph, at, state);
    if (child != ANIM_NO_NODE)
        seek_below(s, child);
}

// What fades out in a machine is heard, too, while it moves.
static void seek_machine(seeker* s, uint32_t at)
{
    anim_graph* graph = s->probe->graph;
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    uint32_t current = m->current;
    bool moves = anim_machine_is_fading(m) && m->mode == ANIM_FADE_CROSSFADE;
    seek_state(s, at, current);
    if (moves && anim_copy_plays(graph, at, current)) {
        anim_copy_swap(graph, graph->topology->nodes[at].inputs[current].node);
        seek_state(s, at, current);
        anim_copy_swap(graph, graph->topology->nodes[at].inputs[current].node);
    } else if (moves) {
        seek_state(s, at, m->source);
    }
}

static void seek_below(seeker* s, uint32_t at)
{
    const anim_graph* graph = s->probe->graph;
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP && node->clip)
        seek_clip(s, at);
    if (node->kind == ANIM_KIND_MACHINE)
        seek_machine(s, at);
    if (!anim_node_is_composite(node) || node->kind == ANIM_KIND_MACHINE)
        return;
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE && inputs[i].share > 0)
            seek_below(s, node->inputs[i].node);
}

// --- conditions ---------------------------------------------------------------------------------------

enum { most_found = 128 };

// Whether what happens `then` has happened when all is looked at that is one with it.
static bool is_one(double then, double instant)
{
    return then <= instant && then >= instant - ANIM_SAME_INSTANT;
}

typedef struct view {
    const anim_probe* probe;
    double instant, after; // a moment that is just after it
    bool happens;          // what happens at the instant counts
} view;

static bool has_event(const void* user, const char* name)
{
    const view* v = user;
    double found[most_found];
    seeker s = {.probe = v->probe, .name = name, .out = found, .room = most_found};
    if (!v->happens || v->probe->child == ANIM_NO_NODE)
        return false;
    seek_below(&s, v->probe->child);
    for (uint32_t i = 0; i < s.count; i++)
        if (is_one(found[i], v->instant))
            return true;
    return false;
}

static bool is_during(const void* user, const char* name)
{
    const view* v = user;
    seeker s = {.probe = v->probe, .name = name, .instant = v->after};
    if (v->probe->child != ANIM_NO_NODE)
        seek_below(&s, v->probe->child);
    return s.inside;
}

bool anim_probe_is_during(const anim_probe* probe, const char* name)
{
    const view now = {probe, 0, 0, false};
    return is_during(&now, name);
}

// At or past the phase that a state which plays once is to come to; 1 is its end.
static bool is_past(const anim_probe* p, double exit, double instant)
{
    double phase = phase_at(p, instant);
    if (done_at(p, instant) || (!(p->duration > 0) && !(p->later > 0)))
        return true;
    if (p->later > 0 && exit == (p->backward ? 0 : 1))
        return false;
    if (p->backward)
        return phase <= exit + ANIM_SAME_INSTANT;
    return exit < 1 && phase >= exit - ANIM_SAME_INSTANT;
}

static double bounded_by(const anim_probe* p, double instant)
{
    return instant > p->rest && instant <= p->rest + ANIM_SAME_INSTANT ? p->rest : instant;
}

// When a state that comes again surely has passed a phase. It does so once or twice in a period; all has
// been seen in two of them. Where it stands it has been already.
static uint32_t find_passes(const anim_probe* p, double phase, double out[4])
{
    bool returns = p->loop == ANIM_LOOP_PINGPONG;
    double period = returns ? 2 : 1, pace = fabs(p->rate);
    uint32_t count = 0;
    for (int back = 0; back < 1 + returns; back++) {
        double place = back ? 2 - phase : phase;
        double way = p->rate > 0 ? place - p->place : p->place - place;
        way -= floor(way / period) * period;
        if (!(way / pace > ANIM_SAME_INSTANT))
            way += period;
        out[count++] = bounded_by(p, (way + beyond) / pace);
        out[count++] = bounded_by(p, (way + period + beyond) / pace);
    }
    return count;
}

// A state that comes again passes the phase at this instant.
static bool crosses(const anim_probe* p, double exit, double instant)
{
    double passes[4];
    if (p->rate == 0 || !(p->duration > 0))
        return false;
    uint32_t count = find_passes(p, exit, passes);
    for (uint32_t i = 0; i < count; i++)
        if (is_one(passes[i], instant))
            return true;
    return false;
}

static bool holds(const view* v, const anim_transition* t)
{
    const anim_probe* p = v->probe;
    if (t->exit >= 0) {
        bool reached = p->loop == ANIM_LOOP_ONCE ? is_past(p, t->exit, v->after)
                                                 : v->happens && crosses(p, t->exit, v->instant);
        if (!reached)
            return false;
    }
    double phase = phase_at(p, v->after);
    const anim_condition_view of_state = {
        phase * p->duration, phase, remaining_at(p, v->after), done_at(p, v->after), has_event,
        is_during,           v};
    return anim_condition_run(t->condition, p->param, p->param_user, &of_state) != 0;
}

// --- instants -----------------------------------------------------------------------------------------

typedef struct instants {
    double at[1024];
    uint32_t count;
    double end;
} instants;

static void consider(instants* list, double instant)
{
    if (instant >= 0 && instant <= list->end && list->count < 1024)
        list->at[list->count++] = instant;
}

// When the phase comes by a place.
static void consider_phase(instants* list, const anim_probe* p, double place)
{
    if (p->rate == 0 || !(place >= 0 && place <= 1))
        return;
    if (p->loop == ANIM_LOOP_ONCE) {
        double way = p->rate > 0 ? place - p->place : p->place - place;
        consider(list, bounded_by(p, way == 0 ? 0 : (way + beyond) / fabs(p->rate)));
        return;
    }
    double passes[4];
    uint32_t count = find_passes(p, place, passes);
    for (uint32_t i = 0; i < count; i++)
        consider(list, passes[i]);
}

// Whatever number a program mentions may be a time, a phase or what remains.
static void consider_number(instants* list, const anim_probe* p, double value)
{
    if (p->duration > 0)
        consider_phase(list, p, value / p->duration);
    consider_phase(list, p, value);
    double part = value * fabs(p->rate);
    consider_phase(list, p, p->rate < 0 ? part : 1 - part);
}

static void consider_event(instants* list, const anim_probe* p, const char* name, bool ends)
{
    double found[most_found];
    seeker s = {.probe = p, .name = name, .out = found, .room = most_found, .ends = ends};
    if (p->child != ANIM_NO_NODE)
        seek_below(&s, p->child);
    for (uint32_t i = 0; i < s.count; i++)
        consider(list, found[i]);
}

static void consider_program(instants* list, const anim_probe* p, const anim_condition* c)
{
    for (uint32_t i = 0; i < c->step_count; i++) {
        const anim_condition_step* s = &c->steps[i];
        if (s->op == ANIM_COND_NUMBER)
            consider_number(list, p, s->value);
        else if (s->op == ANIM_COND_PARAM)
            consider_number(list, p, p->param(p->param_user, s->index));
        else if (s->op == ANIM_COND_EVENT || s->op == ANIM_COND_DURING)
            consider_event(list, p, c->names[s->index], s->op == ANIM_COND_DURING);
    }
}

static void sort(instants* list)
{
    for (uint32_t i = 1; i < list->count; i++) {
        double moving = list->at[i];
        uint32_t to = i;
        for (; to > 0 && list->at[to - 1] > moving; to--)
            list->at[to] = list->at[to - 1];
        list->at[to] = moving;
    }
}

static bool comes_true(const anim_probe* p, const anim_transition* t, double instant, double after)
{
    view v = {p, instant, after, false};
    if (holds(&v, t))
        return instant < p->until;
    v.happens = true;
    return holds(&v, t);
}

bool anim_probe_find(anim_probe* p, const anim_transition* t, double rest, double* out)
{
    instants list = {.end = rest};
    p->rest = rest;
    consider(&list, 0);
    consider(&list, rest);
    consider_program(&list, p, t->condition);
    if (t->exit >= 0)
        consider_phase(&list, p, t->exit);
    consider_phase(&list, p, 0); // where it ends, wraps or turns
    consider_phase(&list, p, 1);
    sort(&list);
    for (uint32_t i = 0; i < list.count; i++) {
        double now = list.at[i], end = p->goes_on ? now + 2 * ANIM_SAME_INSTANT : now;
        double next = i + 1 < list.count ? list.at[i + 1] : end;
        if (i + 1 < list.count && next - now <= ANIM_SAME_INSTANT)
            continue; // of several that are one, the last, which has come to what the others come to
        if (comes_true(p, t, now, 0.5 * (now + next))) {
            *out = now;
            return true;
        }
    }
    return false;
}
