// SPDX-License-Identifier: MIT
// When a transition that watches its state becomes true within a step (semantics 7, step c). The state
// moves evenly, so its time, phase and events at any instant are known before it is moved.
#include "graph/probe.h"

#include <math.h>
#include <string.h>

static const double same_instant = 1e-9;

void anim_probe_init(anim_probe* p, const anim_graph* graph, uint32_t child, double speed)
{
    *p = (anim_probe){.graph = graph, .child = child, .speed = speed};
    if (child == ANIM_NO_NODE)
        return;
    p->phase = anim_node_get_phase(graph, child);
    p->duration = anim_node_get_duration(graph, child);
    p->rate = anim_node_get_rate(graph, child) * speed;
    p->loop = anim_node_get_loop(graph, child);
    p->done = anim_node_is_done(graph, child);
    p->fresh = anim_state_of_node(graph, child)->flags & ANIM_NODE_FRESH;
}

static double phase_at(const anim_probe* p, double instant)
{
    double phase = p->phase + p->rate * instant;
    if (p->loop == ANIM_LOOP_ONCE)
        return phase < 0 ? 0 : phase > 1 ? 1 : phase;
    return phase - floor(phase);
}

static bool done_at(const anim_probe* p, double instant)
{
    if (p->done || p->loop != ANIM_LOOP_ONCE || p->child == ANIM_NO_NODE)
        return p->done;
    double phase = p->phase + p->rate * instant;
    return p->rate < 0 ? phase <= same_instant : phase >= 1 - same_instant;
}

static double remaining_at(const anim_probe* p, double instant)
{
    double phase = phase_at(p, instant), pace = fabs(p->rate);
    double part = p->rate < 0 ? phase : 1 - phase;
    return pace > 0 ? part / pace : part * p->duration;
}

// --- events of the clips below ------------------------------------------------------------------------

typedef struct seeker {
    const anim_probe* probe;
    const char* name;
    double instant; // looked at
    double* out;    // instants found
    uint32_t count, room;
    bool inside; // during: some clip is inside at the instant
} seeker;

static void add_instant(seeker* s, double instant)
{
    if (s->count < s->room)
        s->out[s->count++] = instant;
}

// Clip seconds a second of the machine, for a clip below: down the speeds, or with its group's phase.
static double clip_rate(const anim_probe* p, uint32_t clip)
{
    const anim_topology* t = p->graph->topology;
    double rate = anim_node_get_rate(p->graph, clip) * t->nodes[clip].clip->duration;
    uint32_t group = anim_sync_group_of(t, clip);
    uint32_t at = clip;
    if (group != ANIM_NO_NODE) {
        rate = anim_node_get_rate(p->graph, group) * t->nodes[clip].clip->duration;
        at = group;
    }
    while (at != p->child) {
        uint32_t above = t->nodes[at].parent;
        rate *= anim_node_speed(p->graph, above);
        at = above;
    }
    return rate * p->speed;
}

static void seek_clip(seeker* s, uint32_t at)
{
    const anim_probe* p = s->probe;
    const anim_node* node = &p->graph->topology->nodes[at];
    const anim_clip* clip = node->clip;
    double start = anim_state_of_node(p->graph, at)->at.time, length = clip->duration;
    double rate = clip_rate(p, at);
    bool loops = anim_node_loop(node) == ANIM_LOOP_REPEAT && length > 0;
    double now = start + rate * s->instant;
    now = loops ? now - floor(now / length) * length : now;
    for (uint32_t i = 0; i < clip->event_count; i++) {
        const anim_event* e = &clip->events[i];
        if (strcmp(anim_clip_event_name(clip, i), s->name) != 0)
            continue;
        s->inside |= e->duration >= 0 && now >= e->time && now < e->time + e->duration;
        double way = rate > 0 ? e->time - start : start - e->time, pace = fabs(rate);
        if (loops && way < 0)
            way += length;
        if (pace > 0 && (way > 0 || (way == 0 && p->fresh)))
            add_instant(s, way / pace);
        else if (pace > 0 && loops && way == 0)
            add_instant(s, length / pace);
    }
}

static void seek_below(seeker* s, uint32_t at)
{
    const anim_node* node = &s->probe->graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP && node->clip) {
        seek_clip(s, at);
        return;
    }
    if (!anim_node_is_composite(node))
        return;
    const anim_input_state* inputs = anim_state_of_inputs(s->probe->graph, at);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE && inputs[i].share > 0)
            seek_below(s, node->inputs[i].node);
}

// --- conditions ---------------------------------------------------------------------------------------

typedef struct look {
    const anim_probe* probe;
    double instant;
    bool between; // between two instants nothing fires
} look;

static bool has_event(const void* user, const char* name)
{
    const look* l = user;
    double found[64];
    seeker s = {l->probe, name, l->instant, found, 0, 64, false};
    if (l->between || l->probe->child == ANIM_NO_NODE)
        return false;
    seek_below(&s, l->probe->child);
    for (uint32_t i = 0; i < s.count; i++)
        if (fabs(found[i] - l->instant) <= same_instant)
            return true;
    return false;
}

static bool is_during(const void* user, const char* name)
{
    const look* l = user;
    seeker s = {l->probe, name, l->instant, NULL, 0, 0, false};
    if (l->probe->child != ANIM_NO_NODE)
        seek_below(&s, l->probe->child);
    return s.inside;
}

bool anim_probe_is_during(const anim_probe* probe, const char* name)
{
    const look l = {probe, 0, false};
    return is_during(&l, name);
}

static bool holds(const anim_probe* p, const anim_condition* c, double instant, bool between)
{
    look l = {p, instant, between};
    double phase = phase_at(p, instant);
    const anim_condition_view view = {
        phase * p->duration, phase, remaining_at(p, instant), done_at(p, instant), has_event,
        is_during,           &l};
    return anim_condition_run(c, p->param, p->param_user, &view) != 0;
}

typedef struct instants {
    double at[256];
    uint32_t count;
    double end;
} instants;

static void consider(instants* list, double instant)
{
    if (instant >= 0 && instant <= list->end + same_instant && list->count < 255)
        list->at[list->count++] = instant < list->end ? instant : list->end;
}

// Instants at which the phase passes `place`, in any pass.
static void consider_phase(instants* list, const anim_probe* p, double place)
{
    if (p->rate == 0)
        return;
    double way = p->rate > 0 ? place - p->phase : p->phase - place, pace = fabs(p->rate);
    if (p->loop == ANIM_LOOP_ONCE) {
        consider(list, way / pace);
        return;
    }
    way -= floor(way);
    for (int pass = 0; pass < 16; pass++)
        consider(list, (way + pass) / pace);
}

// Whatever number a program mentions may be a time, a phase or what remains.
static void consider_number(instants* list, const anim_probe* p, double value)
{
    if (p->duration > 0)
        consider_phase(list, p, value / p->duration);
    consider_phase(list, p, value);
    double phase = value * fabs(p->rate);
    consider_phase(list, p, p->rate < 0 ? phase : 1 - phase);
}

static void consider_program(instants* list, const anim_probe* p, const anim_condition* c)
{
    for (uint32_t i = 0; i < c->step_count; i++) {
        const anim_condition_step* s = &c->steps[i];
        if (s->op == ANIM_COND_NUMBER)
            consider_number(list, p, s->value);
        else if (s->op == ANIM_COND_PARAM)
            consider_number(list, p, p->param(p->param_user, s->index));
        else if (s->op == ANIM_COND_DONE)
            consider_phase(list, p, p->rate < 0 ? 0 : 1);
        else if (s->op == ANIM_COND_EVENT && p->child != ANIM_NO_NODE) {
            double found[64];
            seeker seek = {p, c->names[s->index], 0, found, 0, 64, false};
            seek_below(&seek, p->child);
            for (uint32_t k = 0; k < seek.count; k++)
                consider(list, found[k]);
        }
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

// A looping source passes `exit`; one that plays once is at it or past it.
static bool find_exit(const anim_probe* p, const anim_transition* t, double rest, double* out)
{
    instants list = {.end = rest};
    if (p->loop == ANIM_LOOP_ONCE) {
        bool past = p->rate < 0 ? p->phase <= t->exit : p->phase >= t->exit;
        if (past || (p->child == ANIM_NO_NODE))
            consider(&list, 0);
        else
            consider_phase(&list, p, t->exit);
        if (p->done)
            consider(&list, 0);
    } else {
        consider_phase(&list, p, t->exit);
    }
    sort(&list);
    for (uint32_t i = 0; i < list.count; i++) {
        bool passed_before = p->loop != ANIM_LOOP_ONCE && list.at[i] <= same_instant;
        if (!passed_before && holds(p, t->condition, list.at[i], false)) {
            *out = list.at[i];
            return true;
        }
    }
    return false;
}

bool anim_probe_find(const anim_probe* p, const anim_transition* t, double rest, double* out)
{
    if (t->exit >= 0)
        return find_exit(p, t, rest, out);
    instants list = {.end = rest};
    consider(&list, 0);
    consider(&list, rest);
    consider_program(&list, p, t->condition);
    if (p->loop == ANIM_LOOP_ONCE)
        consider_phase(&list, p, p->rate < 0 ? 0 : 1);
    sort(&list);
    for (uint32_t i = 0; i < list.count; i++) {
        bool now = holds(p, t->condition, list.at[i], false);
        if (!now && i + 1 < list.count && list.at[i + 1] - list.at[i] > same_instant)
            now = holds(p, t->condition, 0.5 * (list.at[i] + list.at[i + 1]), true);
        if (now) {
            *out = list.at[i];
            return true;
        }
    }
    return false;
}
