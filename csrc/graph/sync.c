// SPDX-License-Identifier: MIT
// Synchronised children (semantics 6): one phase for all clips below the outermost synchronised node.
#include "graph/solver.h"
#include "graph/walk.h"

#include <math.h>

// A movement of the whole group, which every member makes in its own time: either all share a phase,
// or the place among their markers.
typedef struct move {
    anim_walk* walk;
    anim_loop loop;
    anim_sync_group group;
    anim_playhead from, to; // of the phase; without markers
    double left;            // passes that are left over at an end
    bool by_markers;
    anim_marker_place markers; // where it ends
    bool backward;
    bool ended, done; // it comes to its end now; it is there afterwards
} move;

// Once follows the group also where that loops; ping-pong goes back on odd passes in any case.
static anim_loop loop_of_member(anim_loop group, const anim_node* node)
{
    anim_loop own = anim_node_loop(node);
    return group == ANIM_LOOP_ONCE || own == ANIM_LOOP_ONCE ? group : own;
}

// As far before the beginning of the first pass as it was behind it.
static anim_playhead turned_round(anim_playhead at)
{
    return at.time > 0 ? (anim_playhead){1 - at.time, -at.pass - 1} : (anim_playhead){0, -at.pass};
}

// Where a member is at a phase of its group; one that runs back goes from its end to its beginning.
static ANIM_ALWAYS_INLINE anim_playhead in_clip(anim_playhead phase, anim_loop group,
                                                anim_loop loop, double length, bool back)
{
    double part = group == ANIM_LOOP_PINGPONG && (phase.pass & 1) ? 1 - phase.time : phase.time;
    anim_playhead at = {part, phase.pass};
    if (back && group == ANIM_LOOP_ONCE)
        at.time = 1 - part;
    else if (back)
        at = turned_round(at);
    if (loop == ANIM_LOOP_PINGPONG && (at.pass & 1))
        at.time = 1 - at.time;
    at.time *= length;
    at.time = at.time > length ? length : at.time;
    return at;
}

// From where the group is: a member may have been put elsewhere meanwhile (a mixer rewinds what faded out).
static void step_of_member(const move* m, const anim_node* node, const anim_node_state* s,
                           bool back, anim_step* out)
{
    bool closed = (s->flags & ANIM_NODE_FRESH) && !m->walk->held;
    anim_loop loop = loop_of_member(m->loop, node);
    double length = node->clip->duration;
    anim_playhead from = m->by_markers ? anim_markers_in_clip(node, m->group.from)
                                       : in_clip(m->from, m->loop, loop, length, back);
    anim_playhead to = m->by_markers ? anim_markers_in_clip(node, m->markers)
                                     : in_clip(m->to, m->loop, loop, length, back);
    anim_step_to(from, to, length, loop, m->backward != back, closed, out);
    out->ended = m->ended;
    out->left = m->left * length;
}

static void set_done(const move* m, anim_node_state* s)
{
    if (!m->walk->held)
        s->flags &= ~(uint32_t)(ANIM_NODE_FRESH | ANIM_NODE_STARTS | ANIM_NODE_DONE);
    if (m->done)
        s->flags |= ANIM_NODE_DONE;
}

static void move_clip(const move* m, uint32_t at, bool back)
{
    const anim_node* node = &m->walk->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(m->walk->graph, at);
    anim_step step;
    step_of_member(m, node, s, back, &step);
    anim_walk_clip_motion(m->walk, at, &step);
    double rate = anim_walk_note_move(m->walk, at, &step, &m->group);
    s->at = step.to;
    s->rate = step.backward ? -rate : rate;
    set_done(m, s);
}

// `seconds`: of the clock of the node, in this step.
static void move_members(const move* m, uint32_t at, double seconds, bool back)
{
    const anim_topology* t = m->walk->topology;
    const anim_node* node = &t->nodes[at];
    if (node->kind == ANIM_KIND_CLIP) {
        move_clip(m, at, back);
        return;
    }
    anim_solver_tick(m->walk->graph, at, seconds);
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        double entry = anim_input_speed(node, i);
        if (node->inputs[i].is_member) {
            double speed = entry * anim_node_speed(m->walk->graph, child);
            move_members(m, child, seconds * speed, back != (signbit(speed) != 0));
        } else if (child != ANIM_NO_NODE) {
            anim_walk_step(m->walk, child, seconds * entry);
        }
    }
    anim_node_state* s = anim_state_of_node(m->walk->graph, at);
    if (!node->sync)
        return;
    if (!m->by_markers)
        s->at = m->to;
    set_done(m, s);
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
    if (node->kind == ANIM_KIND_CLIP) {
        anim_node_state* s = anim_state_of_node(graph, at);
        s->at = anim_markers_in_clip(node, place);
        if (!(s->flags & ANIM_NODE_STARTS)) // a seek is silent
            anim_clip_ranges_at(graph, at);
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].is_member)
            place_members(graph, node->inputs[i].node, place);
}

// A group that starts, was sought or shared the phase takes its place from its leader's phase.
static anim_marker_place start_place(anim_graph* graph, uint32_t at, uint32_t leader)
{
    anim_node_state* s = anim_state_of_node(graph, at);
    if (!(s->flags & (ANIM_NODE_FRESH | ANIM_NODE_BY_PHASE)))
        return (anim_marker_place){s->place, s->at.pass};
    const anim_node* node = &graph->topology->nodes[leader];
    anim_marker_place place = anim_markers_find(node, s->at.time * node->clip->duration);
    place.cycle = anim_pass_after(s->at.pass, (double)place.cycle);
    place_members(graph, at, place);
    s->flags &= ~(uint32_t)ANIM_NODE_BY_PHASE;
    return place;
}

// It met at markers so far, and goes on from where its leader is.
static void leave_markers(anim_graph* graph, uint32_t at, uint32_t leader)
{
    anim_node_state* s = anim_state_of_node(graph, at);
    if (!(s->flags & (ANIM_NODE_FRESH | ANIM_NODE_BY_PHASE))) {
        anim_playhead now = anim_state_of_node(graph, leader)->at;
        now.time /= graph->topology->nodes[leader].clip->duration;
        s->at = anim_sync_runs_back(graph, at, leader) ? turned_round(now) : now;
    }
    s->flags |= ANIM_NODE_BY_PHASE;
}

static void step_by_markers(anim_walk* walk, uint32_t at, double dt, double seconds, move* m)
{
    anim_node_state* s = anim_state_of_node(walk->graph, at);
    anim_marker_place from = start_place(walk->graph, at, m->group.leader);
    m->by_markers = true;
    m->markers = anim_markers_move(walk->graph, at, from, dt);
    m->group.by_markers = true;
    m->group.from = from;
    m->group.pace = dt != 0 ? walk->covers / fabs(dt) : 0;
    move_members(m, at, seconds, false);
    if (s->flags & ANIM_NODE_FRESH) // held: the start is still to come
        return;
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
    double distance = anim_sync_distance(graph, at);
    double wanted = fabs(anim_state_of_param(graph, (uint32_t)node->x)->value);
    if (!(distance > 0) || !(period > 0) || !isfinite(period))
        return 1;
    double rate = wanted * period / distance;
    return rate < 0.5 ? 0.5 : rate > 2 ? 2 : rate;
}

static bool meets_at_markers(anim_graph* graph, uint32_t at, uint32_t leader)
{
    if (graph->topology->nodes[at].marker_count == 0 || leader == ANIM_NO_NODE)
        return false;
    if (!anim_sync_some_run_back(graph, at, false))
        return true;
    leave_markers(graph, at, leader);
    return false;
}

void anim_sync_step(anim_walk* walk, uint32_t at, double dt)
{
    anim_graph* graph = walk->graph;
    anim_node_state* s = anim_state_of_node(graph, at);
    double speed = fabs(anim_node_speed(graph, at)); // dt has it in it already
    double matched = anim_bounded_seconds(dt * matching_rate(graph, at));
    double period = anim_sync_mean(graph, at, ANIM_SYNC_PERIOD, 0) * speed;
    double passes = period > 0 && isfinite(period) ? matched / period : 0;
    move m = {.walk = walk,
              .loop = walk->topology->nodes[at].group_loop,
              .group = {.node = at, .leader = anim_sync_choose_leader(graph, at)},
              .backward = passes < 0};
    if ((s->flags & ANIM_NODE_STARTS) && m.loop == ANIM_LOOP_ONCE && !walk->held && !walk->quiet)
        s->at.time = signbit(dt) ? 1 : 0;
    bool was_done = (s->flags & ANIM_NODE_DONE) && !(s->flags & ANIM_NODE_FRESH);
    if (was_done && (passes > 0) == (s->at.time > 0))
        passes = 0;
    s->rate = matched != 0 ? passes / matched : 0;
    if (meets_at_markers(graph, at, m.group.leader)) {
        step_by_markers(walk, at, passes != 0 ? matched : 0, dt, &m);
        return;
    }
    anim_step phase;
    anim_step_by(s->at, 1, m.loop, passes, false, &phase);
    m.from.time = phase.from.time; // in the parts that were written (pose/timeline.h)
    m.from.pass = phase.from.pass;
    m.to.time = phase.to.time;
    m.to.pass = phase.to.pass;
    m.left = phase.left;
    m.ended = phase.ended && !was_done;
    m.done = phase.ended || (was_done && passes == 0);
    move_members(&m, at, dt, false);
}

static void seek_members(anim_graph* graph, uint32_t at, anim_playhead phase, anim_loop loop,
                         bool back)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    s->flags &= ~(uint32_t)(ANIM_NODE_DONE | ANIM_NODE_STARTS);
    s->flags |= ANIM_NODE_FRESH;
    if (node->kind == ANIM_KIND_CLIP) {
        s->at = in_clip(phase, loop, loop_of_member(loop, node), node->clip->duration, back);
        if (!graph->locked)
            anim_clip_ranges_at(graph, at);
        return;
    }
    s->at = node->sync ? phase : s->at;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (!node->inputs[i].is_member)
            continue;
        uint32_t child = node->inputs[i].node;
        double speed = anim_input_speed(node, i) * (double)anim_node_speed(graph, child);
        seek_members(graph, child, phase, loop, back != (signbit(speed) != 0));
    }
}

void anim_sync_seek(anim_graph* graph, uint32_t at, double phase)
{
    anim_loop loop = graph->topology->nodes[at].group_loop;
    phase = anim_bounded_seconds(phase);
    anim_playhead to = {phase, 0};
    if (loop == ANIM_LOOP_ONCE) {
        to.time = phase < 0 ? 0 : phase > 1 ? 1 : phase;
    } else {
        to.pass = anim_pass_after(0, floor(phase));
        to.time = phase - (double)to.pass;
        if (to.time >= 1)
            to.time = 0, to.pass++;
        if (loop == ANIM_LOOP_PINGPONG && (to.pass & 1))
            to.time = 1 - to.time;
    }
    seek_members(graph, at, to, loop, false);
}
