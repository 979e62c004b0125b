// SPDX-License-Identifier: MIT
// Time of nodes that move by themselves, and what can be asked and done from outside.
#include "graph/shot.h"
#include "graph/solver.h"

#include <math.h>

static bool has_own_time(const anim_node* node)
{
    return node->kind == ANIM_KIND_CLIP || node->sync;
}

static double clip_length(const anim_node* node)
{
    return node->clip ? node->clip->duration : 0;
}

// Where a clip starts: as described, else at 0, or at its end where it plays backwards once.
static double start_time(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    double length = clip_length(node);
    if (node->start >= 0)
        return node->start < length                     ? node->start
               : anim_node_loop(node) == ANIM_LOOP_ONCE ? length
                                                        : 0;
    bool backward = anim_node_speed(graph, at) < 0;
    return backward && anim_node_loop(node) == ANIM_LOOP_ONCE ? length : 0;
}

// Paused, or something above is: it stands still, and a start is still to come.
static void hold_clip(anim_walk* w, uint32_t at)
{
    const anim_node* node = &w->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(w->graph, at);
    anim_step step;
    anim_step_by(s->at, clip_length(node), anim_node_loop(node), 0, false, &step);
    step.ended = false;
    anim_walk_clip_motion(w, at, &step);
    anim_walk_note_move(w, at, &step, NULL);
    s->rate = 0;
}

static void step_clip(anim_walk* w, uint32_t at, double dt)
{
    const anim_node* node = &w->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(w->graph, at);
    if (!node->clip)
        return;
    if (w->held || !(s->flags & ANIM_NODE_PLAYING)) {
        hold_clip(w, at);
        return;
    }
    double speed = anim_node_speed(w->graph, at);
    if ((s->flags & ANIM_NODE_STARTS) && !w->quiet && node->start < 0 &&
        anim_node_loop(node) == ANIM_LOOP_ONCE)
        s->at.time = signbit(dt * speed) ? clip_length(node)
                                         : 0; // a step of -0 goes backwards, too
    bool stands = (s->flags & ANIM_NODE_DONE) && !(s->flags & ANIM_NODE_FRESH);
    double seconds = anim_bounded_seconds(dt * speed + (stands ? 0 : s->carry));
    s->carry = 0;
    s->rate = speed;
    if (stands) {
        bool turns_back = seconds != 0 && (seconds < 0) == (s->at.time > 0);
        if (!turns_back || clip_length(node) == 0)
            seconds = 0;
        else
            s->flags &= ~(uint32_t)ANIM_NODE_DONE;
    }
    anim_step step;
    anim_step_by(s->at, clip_length(node), anim_node_loop(node), seconds,
                 s->flags & ANIM_NODE_FRESH, &step);
    if (s->flags & ANIM_NODE_DONE)
        step.ended = false;
    anim_walk_clip_motion(w, at, &step);
    anim_walk_note_move(w, at, &step, NULL);
    s->at = step.to;
    s->flags &= ~(uint32_t)(ANIM_NODE_FRESH | ANIM_NODE_STARTS);
    if (step.ended) {
        s->flags |= ANIM_NODE_DONE;
        s->carry = seconds < 0 ? -step.left : step.left;
    }
}

static void step_composite(anim_walk* walk, uint32_t at, double own)
{
    const anim_node* node = &walk->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(walk->graph, at);
    if (node->sync) {
        anim_sync_step(walk, at, own);
        return;
    }
    if (node->kind == ANIM_KIND_MACHINE) {
        anim_machine_step(walk, at, own);
        return;
    }
    if (node->kind == ANIM_KIND_ONE_SHOT) {
        anim_shot_step(walk, at, own);
        return;
    }
    if (anim_node_is_player(node)) {
        anim_player_step(walk, at, own);
        return;
    }
    s->rate = own != 0 ? anim_node_speed(walk->graph, at) : 0;
    anim_solver_tick(walk->graph, at, own);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_walk_step(walk, node->inputs[i].node, own * anim_input_speed(node, i));
}

void anim_walk_step(anim_walk* walk, uint32_t at, double dt)
{
    const anim_node* node = &walk->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP) {
        step_clip(walk, at, dt);
        return;
    }
    if (!anim_node_is_composite(node))
        return;
    bool held = walk->held;
    walk->held = held || !(anim_state_of_node(walk->graph, at)->flags & ANIM_NODE_PLAYING);
    double own = walk->held ? 0 : anim_bounded_seconds(dt * anim_node_speed(walk->graph, at));
    step_composite(walk, at, own);
    walk->held = held;
}

// --- from outside -----------------------------------------------------------------------------------

static void reset_clip(anim_graph* graph, uint32_t at)
{
    anim_clip_state* c = anim_state_of_clip(graph, at);
    // In the middle of a step ranges end when it is told.
    *c = (anim_clip_state){.ranges = graph->locked ? c->ranges : 0, .motion = ANIM_RIGID_IDENTITY};
    anim_state_of_node(graph, at)->at.time = start_time(graph, at);
}

// What plays is at its start again; speeds and weights are the script's and stay.
void anim_node_reset(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state *s = anim_state_of_node(graph, at), was = *s;
    if (node->kind == ANIM_KIND_MACHINE)
        anim_machine_reset(graph, at);
    *s = (anim_node_state){.speed = was.speed,
                           .weight = was.weight,
                           .weight_before = was.weight_before,
                           .flags = ANIM_NODE_PLAYING | ANIM_NODE_FRESH | ANIM_NODE_STARTS |
                                    (was.flags & ANIM_NODE_ENTERED),
                           .leader = ANIM_NO_NODE,
                           .target = was.target,
                           .current = was.current};
    if (node->kind == ANIM_KIND_CLIP)
        reset_clip(graph, at);
    if (anim_node_is_shot_or_player(node))
        anim_player_reset(graph, at);
    if (anim_node_is_solver(node))
        anim_solver_forget(node->solver, anim_state_of_solver(graph, at));
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        if (child == ANIM_NO_NODE)
            continue;
        anim_node_reset(graph, child);
        if (graph->topology->nodes[child].copy_shift == 0)
            continue;
        anim_copy_swap(graph, child);
        anim_node_reset(graph, child);
        anim_copy_swap(graph, child);
    }
}

void anim_node_play(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    s->flags |= ANIM_NODE_PLAYING;
    if (!anim_node_is_done(graph, at))
        return;
    if (node->kind == ANIM_KIND_QUEUE) {
        anim_node_reset(graph, at);
        return;
    }
    uint32_t group = anim_sync_group_of(graph->topology, at);
    if (group != ANIM_NO_NODE && has_own_time(node)) { // they start together
        anim_sync_seek(graph, group, 0);
        anim_state_of_node(graph, group)->flags |= ANIM_NODE_STARTS;
        return;
    }
    s->flags = ANIM_NODE_PLAYING | ANIM_NODE_FRESH;
    if (!graph->delivering) // left-over time is for a restart in the node's own `done`
        s->carry = 0;
    if (node->kind == ANIM_KIND_CLIP) {
        s->flags |= ANIM_NODE_STARTS;
        s->at = (anim_playhead){start_time(graph, at), 0};
        anim_state_of_clip(graph, at)->ranges = 0;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE)
            anim_node_play(graph, node->inputs[i].node);
}

void anim_node_pause(anim_graph* graph, uint32_t at)
{
    anim_state_of_node(graph, at)->flags &= ~(uint32_t)ANIM_NODE_PLAYING;
}

// The child whose time a composite without a phase of its own shows: the base, else the heaviest.
static uint32_t speaking_child(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    if (node->kind == ANIM_KIND_MACHINE) {
        uint32_t state = anim_machine_get_state(graph, at);
        return state < node->input_count ? node->inputs[state].node : ANIM_NO_NODE;
    }
    if (anim_node_is_player(node)) {
        uint32_t input = anim_player_get_index(graph, at);
        input = input < node->input_count ? input : 0;
        return node->input_count > 0 ? node->inputs[input].node : ANIM_NO_NODE;
    }
    uint32_t heaviest = ANIM_NO_NODE;
    float most = -1;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node != ANIM_NO_NODE && inputs[i].share > most) {
            heaviest = node->inputs[i].node;
            most = inputs[i].share;
            if (anim_node_has_base(node))
                break;
        }
    return heaviest;
}

double anim_node_get_duration(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        return clip_length(node);
    if (!anim_node_is_composite(node))
        return 0;
    if (node->sync) {
        double speed = fabs(anim_node_speed(graph, at));
        double period = anim_sync_mean(graph, at, ANIM_SYNC_PERIOD, 0) * speed;
        // Held by a speed of 0 it has the length that it would have at 1.
        return isfinite(period) ? period : anim_sync_mean(graph, at, ANIM_SYNC_LENGTH, 0);
    }
    uint32_t child = speaking_child(graph, at);
    return child == ANIM_NO_NODE ? 0 : anim_node_get_duration(graph, child);
}

double anim_node_get_phase(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_node_state* s = anim_state_of_node(graph, at);
    if (node->kind == ANIM_KIND_CLIP)
        return clip_length(node) > 0 ? s->at.time / clip_length(node) : 0;
    if (node->sync)
        return anim_state_of_node(graph, anim_sync_group_of(graph->topology, at))->at.time;
    uint32_t child = anim_node_is_composite(node) ? speaking_child(graph, at) : ANIM_NO_NODE;
    return child == ANIM_NO_NODE ? 0 : anim_node_get_phase(graph, child);
}

double anim_node_get_time(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        return anim_state_of_node(graph, at)->at.time;
    return anim_node_get_phase(graph, at) * anim_node_get_duration(graph, at);
}

bool anim_node_is_done(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (has_own_time(node))
        return anim_state_of_node(graph, at)->flags & ANIM_NODE_DONE;
    uint32_t child = anim_node_is_composite(node) ? speaking_child(graph, at) : ANIM_NO_NODE;
    return child != ANIM_NO_NODE && anim_node_is_done(graph, child);
}

double anim_node_get_remaining(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (!has_own_time(node)) {
        uint32_t child = anim_node_is_composite(node) ? speaking_child(graph, at) : ANIM_NO_NODE;
        double speed = fabs(anim_node_speed(graph, at));
        if (child == ANIM_NO_NODE)
            return 0;
        double left = anim_node_get_remaining(graph, child);
        return speed > 0 ? left / speed : left;
    }
    double speed = anim_node_speed(graph, at);
    double phase = anim_node_get_phase(graph, at);
    double part = speed < 0 ? phase : 1 - phase;
    double seconds = part * anim_node_get_duration(graph, at);
    return speed != 0 ? seconds / fabs(speed) : seconds;
}

double anim_node_get_rate(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    double speed = anim_node_speed(graph, at);
    if (!(anim_state_of_node(graph, at)->flags & ANIM_NODE_PLAYING))
        return 0;
    if (node->kind == ANIM_KIND_CLIP)
        return clip_length(node) > 0 ? speed / clip_length(node) : 0;
    if (node->sync) {
        double period = anim_sync_mean(graph, at, ANIM_SYNC_PERIOD, 0);
        double rate = period > 0 && isfinite(period) ? 1 / period : 0;
        return speed < 0 ? -rate : rate;
    }
    uint32_t child = anim_node_is_composite(node) ? speaking_child(graph, at) : ANIM_NO_NODE;
    if (child == ANIM_NO_NODE)
        return 0;
    if (node->kind == ANIM_KIND_MACHINE)
        speed *= node->inputs[anim_machine_get_state(graph, at)].speed;
    return speed * anim_node_get_rate(graph, child);
}

anim_loop anim_node_get_loop(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        return node->clip ? anim_node_loop(node) : ANIM_LOOP_REPEAT;
    if (node->sync)
        return node->group_loop;
    uint32_t child = anim_node_is_composite(node) ? speaking_child(graph, at) : ANIM_NO_NODE;
    return child == ANIM_NO_NODE ? ANIM_LOOP_REPEAT : anim_node_get_loop(graph, child);
}

bool anim_node_turns_back(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (has_own_time(node))
        return anim_node_get_loop(graph, at) == ANIM_LOOP_PINGPONG &&
               (anim_state_of_node(graph, at)->at.pass & 1);
    uint32_t child = anim_node_is_composite(node) ? speaking_child(graph, at) : ANIM_NO_NODE;
    return child != ANIM_NO_NODE && anim_node_turns_back(graph, child);
}

static void seek_clip(anim_graph* graph, uint32_t at, double time, bool fire)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    double length = clip_length(node);
    anim_loop loop = anim_node_loop(node);
    time = anim_bounded_seconds(time);
    anim_playhead to = {time, 0};
    if (loop == ANIM_LOOP_ONCE || length <= 0) {
        to.time = time < 0 ? 0 : time > length ? length : time;
    } else {
        to.pass = anim_pass_after(0, floor(time / length));
        to.time = time - (double)to.pass * length;
        if (to.time >= length)
            to.time = 0, to.pass++;
        if (!(to.time >= 0))
            to.time = 0;
        if (loop == ANIM_LOOP_PINGPONG && (to.pass & 1))
            to.time = length - to.time;
    }
    if (fire)
        anim_walk_tell_seek(graph, at, to);
    s->at = to;
    s->carry = 0;
    s->flags &= ~(uint32_t)(ANIM_NODE_DONE | ANIM_NODE_FRESH | ANIM_NODE_STARTS);
    if (fire)
        return; // told up to here: the next window is open
    s->flags |= ANIM_NODE_FRESH;
    if (!graph->locked) // else its next movement tells
        anim_clip_ranges_at(graph, at);
}

// A member that runs back is where its group has as much left.
static void seek_group(anim_graph* graph, uint32_t group, uint32_t at, double phase)
{
    anim_sync_seek(graph, group, anim_sync_runs_back(graph, group, at) ? 1 - phase : phase);
}

void anim_node_set_time(anim_graph* graph, uint32_t at, double time, bool fire)
{
    const anim_node* node = &graph->topology->nodes[at];
    double duration = anim_node_get_duration(graph, at);
    uint32_t group = anim_sync_group_of(graph->topology, at);
    if (group != ANIM_NO_NODE) {
        seek_group(graph, group, at, duration > 0 ? time / duration : 0);
    } else if (node->kind == ANIM_KIND_CLIP) {
        seek_clip(graph, at, time, fire);
    } else if (anim_node_is_composite(node)) {
        uint32_t child = speaking_child(graph, at);
        if (child != ANIM_NO_NODE)
            anim_node_set_time(graph, child, time, fire);
    }
}

void anim_node_set_phase(anim_graph* graph, uint32_t at, double phase, bool fire)
{
    uint32_t group = anim_sync_group_of(graph->topology, at);
    if (group != ANIM_NO_NODE)
        seek_group(graph, group, at, phase);
    else
        anim_node_set_time(graph, at, phase * anim_node_get_duration(graph, at), fire);
}

void anim_node_set_weight(anim_graph* graph, uint32_t at, uint32_t input, float weight,
                          float seconds)
{
    anim_input_state* s = &anim_state_of_inputs(graph, at)[input];
    anim_state_of_node(graph, at)->target = ANIM_NO_NODE; // what is set by hand ends a fade
    for (uint32_t i = 0; i < graph->topology->nodes[at].input_count; i++)
        anim_state_of_inputs(graph, at)[i].fall = 0;
    s->goal = weight;
    s->goal_time = seconds;
    if (seconds <= 0)
        s->weight = weight;
}

float anim_node_get_speed(const anim_graph* graph, uint32_t at)
{
    return anim_node_speed(graph, at);
}

void anim_node_set_speed(anim_graph* graph, uint32_t at, float speed)
{
    anim_state_of_node(graph, at)->speed = speed;
}

bool anim_node_is_playing(const anim_graph* graph, uint32_t at)
{
    return anim_state_of_node(graph, at)->flags & ANIM_NODE_PLAYING;
}

float anim_node_get_weight(const anim_graph* graph, uint32_t at)
{
    bool reached = graph->topology->nodes[at].order != UINT32_MAX;
    return reached ? anim_copy_weights(graph, at, false) : 0;
}

void anim_node_get_input_weight(const anim_graph* graph, uint32_t at, uint32_t input, float* weight,
                                float* goal)
{
    const anim_input_state* s = &anim_state_of_inputs(graph, at)[input];
    *weight = s->weight;
    *goal = s->goal_time > 0 ? s->goal : s->weight;
}

float anim_node_get_input_share(const anim_graph* graph, uint32_t at, uint32_t input)
{
    return anim_state_of_inputs(graph, at)[input].share;
}

void anim_node_refit(anim_graph* graph, uint32_t at, double phase)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    double length = clip_length(node);
    bool once = anim_node_loop(node) == ANIM_LOOP_ONCE;
    s->at.time = phase * length;
    if (s->at.time >= length)
        s->at.time = once ? length : 0;
    if (!once)
        s->flags &= ~(uint32_t)ANIM_NODE_DONE;
    anim_clip_ranges_at(graph, at);
}

void anim_node_fit(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    if (!node->clip)
        return;
    if (s->at.time > clip_length(node))
        s->at.time = anim_node_loop(node) == ANIM_LOOP_ONCE ? clip_length(node) : 0;
    anim_clip_ranges_at(graph, at);
}
