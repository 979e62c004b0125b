// SPDX-License-Identifier: MIT
// random and queue: mixers that choose for themselves what comes next, at the instant the present input
// has played one pass. Time that is left over goes to what follows.
#include "graph/probe.h"
#include "graph/shot.h"

#include <math.h>

enum { longest_chain = 4096 }; // inputs played in one update

typedef struct runner {
    anim_walk* walk;
    anim_graph* graph;
    uint32_t at;
    const anim_node* node;
    anim_node_state* s;
    anim_player_state* p;
    double moved; // seconds of this step that are done
} runner;

static runner runner_of(anim_walk* walk, anim_graph* graph, uint32_t at)
{
    return (runner){walk,
                    graph,
                    at,
                    &graph->topology->nodes[at],
                    anim_state_of_node(graph, at),
                    anim_state_of_player(graph, at),
                    0};
}

// --- choosing -----------------------------------------------------------------------------------------

// splitmix64 (Steele, Lea and Flood, 2014): every state gives another number, and any seed is a good one.
static uint64_t draw_bits(uint64_t* state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double chance(const runner* r, uint32_t input, uint32_t avoid)
{
    float weight = r->node->inputs[input].weight.value;
    return weight > 0 && input != avoid ? (double)weight : 0;
}

static uint32_t draw(runner* r, uint32_t current)
{
    uint32_t avoid = r->node->avoid_repeat ? current : ANIM_NO_NODE, last = ANIM_NO_NODE;
    double sum = 0;
    for (uint32_t i = 0; i < r->node->input_count; i++)
        sum += chance(r, i, avoid);
    double at = (double)(draw_bits(&r->p->random) >> 11) * 0x1p-53 * sum;
    for (uint32_t i = 0; i < r->node->input_count; i++) {
        double part = chance(r, i, avoid);
        if (part > 0)
            last = i;
        if (part > 0 && at < part)
            return i;
        at -= part;
    }
    if (last != ANIM_NO_NODE) // rounding
        return last;
    return current < r->node->input_count ? current : 0; // nothing else has a chance
}

static bool has_next(const runner* r)
{
    if (r->node->kind == ANIM_KIND_RANDOM)
        return !r->node->every_enter;
    return r->s->target + 1 < r->node->input_count || r->node->queue_loop;
}

static uint32_t choose_next(runner* r)
{
    if (r->node->kind == ANIM_KIND_RANDOM)
        return draw(r, r->s->target);
    return (r->s->target + 1) % r->node->input_count;
}

static double no_param(const void* user, uint32_t index)
{
    (void)user;
    (void)index;
    return 0;
}

// When the present input has played one pass.
static bool find_end(const runner* r, double rest, double* instant)
{
    anim_condition nothing = {.text = ""};
    const anim_transition end = {.condition = &nothing, .exit = 1};
    anim_probe probe;
    anim_probe_init(&probe, r->graph, r->node->inputs[r->s->target].node, r->walk->direction);
    probe.param = no_param;
    return anim_probe_find(&probe, &end, rest, instant);
}

double anim_player_change_in(anim_walk* walk, uint32_t at, double rest)
{
    runner r = runner_of(walk, walk->graph, at);
    double instant;
    if (r.node->input_count > 0 && r.p->stage == ANIM_PLAYER_FRESH)
        return 0; // what it begins with is known then
    bool plays = r.p->stage == ANIM_PLAYER_PLAYS && r.s->target < r.node->input_count;
    return plays && has_next(&r) && find_end(&r, rest, &instant) ? instant : HUGE_VAL;
}

// Of one that stands in another: it has not ended while something waits in it.
double anim_player_later(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = at == ANIM_NO_NODE ? NULL : &graph->topology->nodes[at];
    if (!node || !anim_node_is_player(node))
        return 0;
    uint32_t index = anim_player_get_index(graph, at), now = index < node->input_count ? index : 0;
    double sum = now < node->input_count ? anim_player_later(graph, node->inputs[now].node) : 0;
    for (uint32_t i = now + 1; i < node->input_count && node->kind == ANIM_KIND_QUEUE; i++) {
        uint32_t child = node->inputs[i].node;
        double pace = child == ANIM_NO_NODE ? 0 : fabs((double)anim_node_get_speed(graph, child));
        if (pace > 0)
            sum += anim_node_get_duration(graph, child) / pace;
    }
    double speed = fabs((double)anim_node_get_speed(graph, at));
    return speed > 0 ? sum / speed : sum;
}

// --- moving -------------------------------------------------------------------------------------------

void anim_player_share(anim_graph* graph, uint32_t at)
{
    anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < graph->topology->nodes[at].input_count; i++)
        inputs[i].share = inputs[i].weight > 0 ? inputs[i].weight : 0;
}

static void spread(const runner* r)
{
    const anim_input_state* inputs = anim_state_of_inputs(r->graph, r->at);
    anim_player_share(r->graph, r->at);
    for (uint32_t i = 0; i < r->node->input_count; i++)
        if (r->node->inputs[i].node != ANIM_NO_NODE)
            anim_walk_spread(r->graph, r->node->inputs[i].node, r->s->weight * inputs[i].share);
}

static void pass_time(runner* r, double seconds)
{
    const anim_input_state* inputs = anim_state_of_inputs(r->graph, r->at);
    bool leaving = r->walk->leaving;
    r->walk->covers = seconds * r->walk->pace;
    for (uint32_t i = 0; i < r->node->input_count; i++) {
        bool is_target = i == r->s->target;
        if (r->node->inputs[i].node == ANIM_NO_NODE || !(is_target || inputs[i].weight > 0))
            continue;
        r->walk->leaving = leaving || !is_target;
        anim_walk_step(r->walk, r->node->inputs[i].node, seconds * r->walk->direction);
    }
    r->walk->leaving = leaving;
    r->moved += seconds;
    r->walk->offset += seconds * r->walk->pace;
    anim_player_share(r->graph, r->at);
    if (!r->walk->quiet)
        anim_player_add_motion(r->graph, r->at);
}

static void tell(const runner* r, anim_event_kind kind, uint32_t input, anim_edge edge)
{
    anim_walk_note_change(r->walk, r->at, kind, input, edge);
}

static void enter(const runner* r, uint32_t input)
{
    uint32_t child = r->node->inputs[input].node;
    tell(r, ANIM_EVENT_ENTER, input, ANIM_EDGE_NONE);
    r->walk->turn++;
    if (child == ANIM_NO_NODE)
        return;
    anim_node_reset(r->graph, child);
    anim_state_of_node(r->graph, child)->flags |= ANIM_NODE_PLAYING;
    anim_walk_enter(r->walk, child);
}

// What was heard in a part of this step is told, though it may have no weight at the end.
static void keep_heard(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    s->weight_before = fmaxf(s->weight_before, s->weight);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            keep_heard(graph, node->inputs[i].node);
}

static void go_to(runner* r, uint32_t next, bool done, double dt)
{
    uint32_t left = r->node->inputs[r->s->target].node;
    spread(r);
    if (left != ANIM_NO_NODE)
        keep_heard(r->graph, left);
    r->walk->turn++;
    if (r->p->stage == ANIM_PLAYER_PLAYS)
        tell(r, ANIM_EVENT_EXIT, r->s->target, done ? ANIM_EDGE_DONE : ANIM_EDGE_INTERRUPTED);
    r->p->stage = ANIM_PLAYER_PLAYS;
    if (next != r->s->target)
        anim_mixer_fade_to(r->graph, r->at, next, r->node->fade, true);
    enter(r, next);
    if (r->node->fade > 0)
        anim_mixer_fade_step(r->graph, r->at, (float)(dt - r->moved));
}

static void start(runner* r)
{
    anim_input_state* inputs = anim_state_of_inputs(r->graph, r->at);
    uint32_t first = r->p->pending;
    if (first >= r->node->input_count)
        first = r->node->kind == ANIM_KIND_RANDOM ? draw(r, ANIM_NO_NODE) : 0;
    r->p->pending = ANIM_NO_NODE;
    r->p->stage = ANIM_PLAYER_PLAYS;
    for (uint32_t i = 0; i < r->node->input_count; i++) {
        inputs[i].weight = i == first;
        inputs[i].fall = inputs[i].goal_time = 0;
    }
    r->s->target = first;
    r->s->current = ANIM_NO_NODE;
    enter(r, first);
}

// The last of a queue has ended: told once.
static void end(runner* r, double rest)
{
    double instant;
    if (r->node->kind != ANIM_KIND_QUEUE || r->p->stage == ANIM_PLAYER_ENDED ||
        anim_player_later(r->graph, r->node->inputs[r->s->target].node) > 0 ||
        !find_end(r, rest, &instant))
        return;
    pass_time(r, instant);
    r->walk->turn++;
    tell(r, ANIM_EVENT_EXIT, r->s->target, ANIM_EDGE_DONE);
    r->walk->turn++;
    r->p->stage = ANIM_PLAYER_ENDED;
    r->p->left = (float)fmax(rest - instant, 0);
}

static void run(runner* r, double dt)
{
    if (r->p->stage == ANIM_PLAYER_FRESH || r->s->target >= r->node->input_count)
        start(r);
    uint32_t at_once = 0; // transitions since time last passed
    for (int chain = 0; chain < longest_chain && at_once <= r->node->input_count; chain++) {
        uint32_t asked = r->p->pending;
        double instant = 0, rest = fmax(dt - r->moved, 0);
        r->p->pending = ANIM_NO_NODE;
        if (asked < r->node->input_count) {
            go_to(r, asked, false, dt);
            continue;
        }
        bool goes_on = anim_player_later(r->graph, r->node->inputs[r->s->target].node) > 0;
        if (!(has_next(r) || goes_on) || !find_end(r, rest, &instant))
            break;
        pass_time(r, instant);
        at_once = instant > 0 ? 0 : at_once + 1;
        if (!goes_on)
            go_to(r, choose_next(r), true, dt);
        if (!(dt - r->moved > 0))
            return; // what was entered takes its first step in the next update
    }
    if (!has_next(r))
        end(r, fmax(dt - r->moved, 0));
    pass_time(r, fmax(dt - r->moved, 0));
}

void anim_player_step(anim_walk* walk, uint32_t at, double dt)
{
    runner r = runner_of(walk, walk->graph, at);
    const anim_walk before = *walk;
    double clock = fabs(dt);
    if (r.node->input_count == 0)
        return;
    walk->direction = dt < 0 ? -1 : 1;
    if (walk->quiet) {
        pass_time(&r, clock);
        walk->direction = before.direction;
        return;
    }
    if (!walk->held && clock > 0) {
        clock += has_next(&r) ? (double)r.p->left : 0;
        r.p->left = 0;
    }
    walk->pace = clock > 0 ? walk->covers / clock : 0;
    r.p->motion = ANIM_RIGID_IDENTITY;
    if (walk->held)
        pass_time(&r, 0);
    else
        run(&r, clock);
    spread(&r);
    walk->offset = before.offset;
    walk->covers = before.covers;
    walk->pace = before.pace;
    walk->direction = before.direction;
}

// --- from outside -------------------------------------------------------------------------------------

void anim_player_init(anim_graph* graph, uint32_t at, uint64_t random)
{
    anim_player_state* p = anim_state_of_player(graph, at);
    *p = (anim_player_state){
        .random = random, .pending = ANIM_NO_NODE, .motion = ANIM_RIGID_IDENTITY};
    for (uint32_t i = 0; i < graph->topology->nodes[at].input_count; i++)
        anim_state_of_inputs(graph, at)[i].weight = 0; // until something is entered
}

void anim_player_reset(anim_graph* graph, uint32_t at)
{
    if (graph->topology->nodes[at].kind == ANIM_KIND_ONE_SHOT)
        *anim_state_of_shot(graph, at) = (anim_shot_state){0};
    else
        anim_player_init(graph, at, anim_state_of_player(graph, at)->random);
}

uint64_t anim_player_seed_of(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (graph->seed == 0)
        return node->seed;
    uint64_t mixed = graph->seed ^ ((uint64_t)node->uid << 32);
    return draw_bits(&mixed) ^ node->seed;
}

void anim_graph_set_seed(anim_graph* graph, uint64_t seed)
{
    graph->seed = seed;
    for (uint32_t i = 0; i < graph->topology->node_count; i++)
        if (graph->topology->nodes[i].uid && graph->topology->nodes[i].kind == ANIM_KIND_RANDOM)
            anim_state_of_player(graph, i)->random = anim_player_seed_of(graph, i);
}

void anim_player_pick(anim_graph* graph, uint32_t at, uint32_t input)
{
    runner r = runner_of(NULL, graph, at);
    if (r.node->input_count == 0)
        return;
    r.p->pending = input == ANIM_NO_NODE ? draw(&r, r.s->target) : input;
}

void anim_player_skip(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_player_state* p = anim_state_of_player(graph, at);
    uint32_t from = p->pending < node->input_count ? p->pending : anim_player_get_index(graph, at);
    uint32_t next = from < node->input_count ? from + 1
                                             : 1; // one that has not begun is at the first
    if (next < node->input_count)
        p->pending = next;
    else if (node->queue_loop && node->input_count > 0)
        p->pending = 0;
}

uint32_t anim_player_get_index(const anim_graph* graph, uint32_t at)
{
    if (anim_state_of_player(graph, at)->stage == ANIM_PLAYER_FRESH)
        return ANIM_NO_NODE;
    return anim_state_of_node(graph, at)->target;
}
