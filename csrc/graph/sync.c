// SPDX-License-Identifier: MIT
// Synchronised children (semantics 6): one phase for all clips below the outermost synchronised node.
#include "graph/walk.h"
#include "pose/root_motion.h"

#include <math.h>

static bool carries_members(const anim_node* node)
{
    return node->kind == ANIM_KIND_CLIP ? node->clip != NULL
                                        : node->sync || node->kind == ANIM_KIND_LAYERS;
}

// All inputs of synchronised nodes and the base of layers; other nodes move by themselves.
static bool is_member_input(const anim_node* node, uint32_t input)
{
    return node->sync || (node->kind == ANIM_KIND_LAYERS && input == 0);
}

bool anim_sync_is_member_input(const anim_topology* t, const anim_node* node, uint32_t input)
{
    uint32_t child = node->inputs[input].node;
    return child != ANIM_NO_NODE && is_member_input(node, input) &&
           carries_members(&t->nodes[child]);
}

uint32_t anim_sync_group_of(const anim_topology* t, uint32_t at)
{
    uint32_t group = t->nodes[at].sync ? at : ANIM_NO_NODE;
    if (!carries_members(&t->nodes[at]))
        return ANIM_NO_NODE;
    for (uint32_t above = t->nodes[at].parent; above != ANIM_NO_NODE;
         at = above, above = t->nodes[above].parent) {
        const anim_node* node = &t->nodes[above];
        for (uint32_t i = 0; i < node->input_count; i++)
            if (node->inputs[i].node == at && !is_member_input(node, i))
                return group;
        group = node->sync ? above : group;
    }
    return group;
}

static double measure_clip(const anim_node* node, anim_sync_measure measure, uint32_t segment)
{
    if (measure == ANIM_SYNC_SEGMENT)
        return anim_markers_stretch(node, segment);
    if (measure != ANIM_SYNC_DISTANCE)
        return node->clip->duration;
    const anim_motion* motion = node->clip->keys->motion;
    if (!motion)
        return 0;
    anim_rigid pass;
    anim_motion_at(motion, node->clip->duration, &pass);
    return sqrt((double)pass.t[0] * pass.t[0] + (double)pass.t[1] * pass.t[1] +
                (double)pass.t[2] * pass.t[2]);
}

double anim_sync_mean(const anim_graph* graph, uint32_t at, anim_sync_measure measure,
                      uint32_t segment)
{
    const anim_node* node = &graph->topology->nodes[at];
    bool in_seconds = measure == ANIM_SYNC_PERIOD || measure == ANIM_SYNC_SEGMENT;
    double speed = in_seconds ? fabs(anim_node_speed(graph, at)) : 1;
    double mean = 0, weight = 0;
    if (node->kind == ANIM_KIND_CLIP) {
        mean = measure_clip(node, measure, segment);
        return speed > 0 ? mean / speed : HUGE_VAL;
    }
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (!(inputs[i].share > 0) || !anim_sync_is_member_input(graph->topology, node, i))
            continue;
        double entry = in_seconds && node->kind != ANIM_KIND_LAYERS ? fabs(node->inputs[i].speed)
                                                                    : 1;
        double below = anim_sync_mean(graph, node->inputs[i].node, measure, segment);
        mean += inputs[i].share * (entry > 0 ? below / entry : HUGE_VAL);
        weight += inputs[i].share;
    }
    mean = weight > 0 ? mean / weight : 0;
    return speed > 0 ? mean / speed : mean > 0 ? HUGE_VAL : 0;
}

// What a member counts for in its group: its effective weight, or, in a group that is only being
// entered and has none yet, its share.
static float member_weight(const anim_graph* graph, uint32_t at)
{
    float share = 1;
    uint32_t group = anim_sync_group_of(graph->topology, at);
    if (anim_state_of_node(graph, group)->weight > 0)
        return anim_state_of_node(graph, at)->weight;
    while (at != group) {
        uint32_t above = graph->topology->nodes[at].parent;
        const anim_node* node = &graph->topology->nodes[above];
        for (uint32_t i = 0; i < node->input_count; i++)
            if (node->inputs[i].node == at)
                share *= anim_state_of_inputs(graph, above)[i].share;
        at = above;
    }
    return share;
}

uint32_t anim_sync_heaviest(const anim_graph* graph, uint32_t at, const char* event)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        return !event || anim_names_find(&node->clip->event_names, event) >= 0 ? at : ANIM_NO_NODE;
    uint32_t heaviest = ANIM_NO_NODE;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (!anim_sync_is_member_input(graph->topology, node, i))
            continue;
        uint32_t found = anim_sync_heaviest(graph, node->inputs[i].node, event);
        if (found != ANIM_NO_NODE && (heaviest == ANIM_NO_NODE ||
                                      member_weight(graph, found) > member_weight(graph, heaviest)))
            heaviest = found;
    }
    return heaviest;
}

// The heaviest leads; a change needs a lead of .1, so that equal weights don't make it flicker.
static uint32_t choose_leader(anim_graph* graph, uint32_t group)
{
    anim_node_state* s = anim_state_of_node(graph, group);
    uint32_t heaviest = anim_sync_heaviest(graph, group, NULL);
    if (heaviest == ANIM_NO_NODE)
        return s->leader = ANIM_NO_NODE;
    bool known = s->leader < graph->topology->node_count &&
                 graph->topology->nodes[s->leader].kind == ANIM_KIND_CLIP &&
                 anim_sync_group_of(graph->topology, s->leader) == group;
    float old = known ? member_weight(graph, s->leader) : 0;
    float new = member_weight(graph, heaviest);
    if (!known || !(old > 0) || new >= old + 0.1f)
        s->leader = heaviest;
    return s->leader;
}

// A group loops if any member does; ping-pong only where all do.
typedef struct loops {
    bool any_repeat, any_pingpong, any_once;
} loops;

static void collect_loops(const anim_topology* t, uint32_t at, loops* l)
{
    const anim_node* node = &t->nodes[at];
    if (node->kind == ANIM_KIND_CLIP) {
        anim_loop loop = anim_node_loop(node);
        l->any_repeat |= loop == ANIM_LOOP_REPEAT;
        l->any_pingpong |= loop == ANIM_LOOP_PINGPONG;
        l->any_once |= loop == ANIM_LOOP_ONCE;
        return;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        if (anim_sync_is_member_input(t, node, i))
            collect_loops(t, node->inputs[i].node, l);
}

anim_loop anim_sync_loop(const anim_topology* t, uint32_t at)
{
    loops l = {0};
    collect_loops(t, at, &l);
    if (l.any_pingpong && !l.any_repeat && !l.any_once)
        return ANIM_LOOP_PINGPONG;
    return l.any_repeat || l.any_pingpong ? ANIM_LOOP_REPEAT : ANIM_LOOP_ONCE;
}

// A movement of the whole group, which every member makes in its own time: either all share a phase,
// or the place among their markers.
typedef struct move {
    anim_walk* walk;
    double dt; // seconds of the graph it takes
    anim_loop loop;
    anim_sync_group group;
    anim_step phase; // length 1; without markers
    bool by_markers;
    anim_marker_place markers; // where it ends
    bool backward, ended;
} move;

static anim_playhead in_clip(anim_playhead phase, double length)
{
    double time = phase.time * length;
    return (anim_playhead){time > length ? length : time, phase.pass};
}

static anim_step step_of_member(const move* m, const anim_node* node, const anim_node_state* s)
{
    double length = node->clip->duration;
    anim_playhead from = m->by_markers ? s->at : in_clip(m->phase.from, length);
    anim_playhead to = m->by_markers ? anim_markers_in_clip(node, m->markers)
                                     : in_clip(m->phase.to, length);
    anim_step step = anim_step_to(from, to, length, m->loop, m->backward,
                                  s->flags & ANIM_NODE_FRESH);
    step.ended = m->ended;
    return step;
}

static void set_done(anim_node_state* s, bool done)
{
    s->flags &= ~(uint32_t)(ANIM_NODE_FRESH | ANIM_NODE_DONE);
    if (done)
        s->flags |= ANIM_NODE_DONE;
}

static void move_clip(const move* m, uint32_t at)
{
    const anim_node* node = &m->walk->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(m->walk->graph, at);
    anim_step step = step_of_member(m, node, s);
    anim_walk_clip_motion(m->walk, at, &step);
    double rate = anim_walk_note_move(m->walk, at, &step, &m->group);
    s->at = step.to;
    s->rate = m->backward ? -rate : rate;
    set_done(s, m->ended);
}

static void move_members(const move* m, uint32_t at)
{
    const anim_topology* t = m->walk->topology;
    const anim_node* node = &t->nodes[at];
    if (node->kind == ANIM_KIND_CLIP) {
        move_clip(m, at);
        return;
    }
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        if (anim_sync_is_member_input(t, node, i))
            move_members(m, child);
        else if (child != ANIM_NO_NODE)
            anim_walk_step(m->walk, child, m->dt);
    }
    anim_node_state* s = anim_state_of_node(m->walk->graph, at);
    if (!node->sync)
        return;
    s->at = m->phase.to;
    set_done(s, m->ended);
}

// The phase that a group with markers shows is its leader's.
static double leader_phase(const anim_graph* graph, uint32_t leader)
{
    const anim_node* node = leader == ANIM_NO_NODE ? NULL : &graph->topology->nodes[leader];
    if (!node || !(node->clip->duration > 0))
        return 0;
    return anim_state_of_node(graph, leader)->at.time / node->clip->duration;
}

static void place_members(anim_graph* graph, uint32_t at, anim_marker_place place)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        anim_state_of_node(graph, at)->at = anim_markers_in_clip(node, place);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (anim_sync_is_member_input(graph->topology, node, i))
            place_members(graph, node->inputs[i].node, place);
}

// A group that starts or was sought takes its place among the markers from its leader's phase.
static anim_marker_place start_place(anim_graph* graph, uint32_t at, uint32_t leader)
{
    anim_node_state* s = anim_state_of_node(graph, at);
    if (!(s->flags & ANIM_NODE_FRESH))
        return (anim_marker_place){s->place, s->at.pass};
    const anim_node* node = &graph->topology->nodes[leader];
    anim_marker_place place = anim_markers_find(node, s->at.time * node->clip->duration);
    place_members(graph, at, place);
    return place;
}

static void step_by_markers(anim_walk* walk, uint32_t at, double dt, move* m)
{
    anim_node_state* s = anim_state_of_node(walk->graph, at);
    anim_marker_place from = start_place(walk->graph, at, m->group.leader);
    m->by_markers = true;
    m->markers = anim_markers_move(walk->graph, at, from, dt);
    move_members(m, at);
    double phase = leader_phase(walk->graph, m->group.leader);
    s->place = m->markers.place;
    s->at = (anim_playhead){phase < 1 ? phase : 0, m->markers.cycle};
}

// matchSpeed: the rate at which blended root motion is as fast as the parameter says.
static double matching_rate(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (!node->match_speed || node->x < 0)
        return 1;
    double period = anim_sync_mean(graph, at, ANIM_SYNC_PERIOD, 0);
    double distance = anim_sync_mean(graph, at, ANIM_SYNC_DISTANCE, 0);
    double wanted = fabs(anim_state_of_param(graph, (uint32_t)node->x)->value);
    if (!(distance > 0) || !(period > 0) || !isfinite(period))
        return 1;
    double rate = wanted * period / distance;
    return rate < 0.5 ? 0.5 : rate > 2 ? 2 : rate;
}

void anim_sync_step(anim_walk* walk, uint32_t at, double dt)
{
    anim_graph* graph = walk->graph;
    anim_node_state* s = anim_state_of_node(graph, at);
    double speed = fabs(anim_node_speed(graph, at)); // dt has it in it already
    dt = anim_bounded_seconds(dt * matching_rate(graph, at));
    double period = anim_sync_mean(graph, at, ANIM_SYNC_PERIOD, 0) * speed;
    double passes = period > 0 && isfinite(period) ? dt / period : 0;
    bool was_done = (s->flags & ANIM_NODE_DONE) && !(s->flags & ANIM_NODE_FRESH);
    if (was_done && (passes > 0) == (s->at.time > 0))
        passes = 0;
    move m = {.walk = walk,
              .dt = fabs(dt),
              .loop = anim_sync_loop(walk->topology, at),
              .group = {at, choose_leader(graph, at)},
              .backward = passes < 0};
    s->rate = dt != 0 ? passes / dt : 0;
    if (walk->topology->nodes[at].marker_count > 0 && m.group.leader != ANIM_NO_NODE) {
        step_by_markers(walk, at, passes != 0 ? dt : 0, &m);
        return;
    }
    m.phase = anim_step_by(s->at, 1, m.loop, passes, s->flags & ANIM_NODE_FRESH);
    m.ended = m.phase.ended && !was_done;
    move_members(&m, at);
    if (was_done && passes == 0)
        s->flags |= ANIM_NODE_DONE;
}

static void seek_members(anim_graph* graph, uint32_t at, anim_playhead phase)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    s->flags &= ~(uint32_t)ANIM_NODE_DONE;
    s->flags |= ANIM_NODE_FRESH;
    if (node->kind == ANIM_KIND_CLIP) {
        s->at = in_clip(phase, node->clip->duration);
        anim_clip_ranges_at(graph, at);
        return;
    }
    s->at = node->sync ? phase : s->at;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (anim_sync_is_member_input(graph->topology, node, i))
            seek_members(graph, node->inputs[i].node, phase);
}

void anim_sync_seek(anim_graph* graph, uint32_t at, double phase)
{
    phase = anim_bounded_seconds(phase);
    anim_playhead to = {phase, 0};
    if (anim_sync_loop(graph->topology, at) == ANIM_LOOP_ONCE) {
        to.time = phase < 0 ? 0 : phase > 1 ? 1 : phase;
    } else {
        to.pass = anim_pass_after(0, floor(phase));
        to.time = phase - (double)to.pass;
        if (to.time >= 1)
            to.time = 0, to.pass++;
    }
    seek_members(graph, at, to);
}
