// SPDX-License-Identifier: MIT
// oneShot (semantics 7): something short over a base. Its fade-out begins fadeOut before its end, in the
// node's own clock. Fired again while active, a second copy fades in over what is there.
#include "graph/shot.h"
#include "graph/execute.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-9;

// --- weights ------------------------------------------------------------------------------------------

static float part(double gone, double whole)
{
    return whole > 0 && gone < whole ? (float)(gone / whole) : 1;
}

// How far the newest copy has come in, `gone` seconds after it was fired.
static float risen(const anim_shot_state* s, double gone)
{
    return part(gone, (double)s->fade_in);
}

static float total(const anim_shot_state* s, double gone)
{
    float w = risen(s, gone);
    return w + (1 - w) * s->floor;
}

// A machine in a state that loops, and a random node that draws again, go on until they are stopped.
static bool is_endless(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (!node->changes || node->kind == ANIM_KIND_QUEUE)
        return false;
    bool draws_again = node->kind == ANIM_KIND_RANDOM && !node->every_enter;
    return draws_again || anim_node_get_loop(graph, at) != ANIM_LOOP_ONCE;
}

// Seconds of the node's clock until the shot has played; of what else loops that is one pass.
static double left_of(const anim_graph* graph, uint32_t at)
{
    uint32_t child = anim_shot_child(graph, at);
    if (child == ANIM_NO_NODE || anim_node_is_done(graph, child))
        return 0;
    if (is_endless(graph, child))
        return HUGE_VAL;
    return anim_node_get_remaining(graph, child) + anim_player_later(graph, child);
}

float anim_shot_weight(const anim_graph* graph, uint32_t at)
{
    const anim_shot_state* s = anim_state_of_shot(graph, at);
    if (!s->active)
        return 0;
    if (s->stopping)
        return s->stop_weight * (1 - part(s->gone - s->stopped, (double)s->stop_fade));
    if (s->lost)
        return s->held;
    double left = left_of(graph, at), out = s->gone + left - (double)s->fade_out;
    if (s->gone <= out)
        return total(s, s->gone);
    return total(s, fmax(out, 0)) * (s->fade_out > 0 ? (float)(left / (double)s->fade_out) : 0);
}

float anim_shot_newest(const anim_graph* graph, uint32_t at)
{
    const anim_shot_state* s = anim_state_of_shot(graph, at);
    if (s->lost)
        return 0;
    double out = s->gone + left_of(graph, at) - (double)s->fade_out;
    double gone = s->gone < out || s->stopping ? s->gone : fmax(out, 0);
    float w = risen(s, gone), whole = total(s, gone);
    return s->older != ANIM_SHOT_ALONE && whole > 0 ? w / whole : 1;
}

float anim_shot_share_of_copy(const anim_graph* graph, uint32_t at)
{
    if (anim_state_of_shot(graph, at)->older != ANIM_SHOT_COPY)
        return 0;
    return anim_shot_weight(graph, at) * (1 - anim_shot_newest(graph, at));
}

static bool covers_base(const anim_node* node)
{
    return node->input_count > 1 && !node->inputs[1].mask &&
           node->inputs[1].mode == ANIM_LAYER_OVERRIDE;
}

static void spread_copy(anim_graph* graph, uint32_t at, float weight)
{
    uint32_t child = anim_shot_child(graph, at);
    anim_copy_swap(graph, child);
    anim_walk_spread(graph, child, weight);
    anim_copy_swap(graph, child);
}

void anim_shot_spread(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_input_state* inputs = anim_state_of_inputs(graph, at);
    uint32_t child = anim_shot_child(graph, at);
    float weight = anim_state_of_node(graph, at)->weight, shot = anim_shot_weight(graph, at);
    float copy = anim_shot_share_of_copy(graph, at);
    if (node->input_count > 0)
        inputs[0].share = covers_base(node) ? 1 - shot : 1;
    if (node->input_count > 1)
        inputs[1].share = shot;
    if (node->input_count > 0 && node->inputs[0].node != ANIM_NO_NODE)
        anim_walk_spread(graph, node->inputs[0].node, weight * inputs[0].share);
    if (child == ANIM_NO_NODE)
        return;
    if (graph->topology->nodes[child].copy_shift > 0)
        spread_copy(graph, at, weight * copy);
    bool lost = anim_state_of_shot(graph, at)->lost;
    anim_walk_spread(graph, child, lost ? 0 : weight * (shot - copy));
}

// --- fired --------------------------------------------------------------------------------------------

static void tell(anim_walk* walk, uint32_t at, anim_event_kind kind, anim_edge edge)
{
    anim_walk_note_change(walk, at, kind, 1, edge);
}

// Fades that would not fit into the shot are shortened alike, so that it is seen at all.
static void fit_fades(const anim_graph* graph, uint32_t at, anim_shot_state* s)
{
    double length = left_of(graph, at), fades = (double)s->next_in + (double)s->next_out;
    double scale = fades > length && fades > 0 ? length / fades : 1;
    s->fade_in = (float)((double)s->next_in * scale);
    s->fade_out = (float)((double)s->next_out * scale);
}

void anim_shot_hold(anim_graph* graph, uint32_t at)
{
    anim_shot_state* s = anim_state_of_shot(graph, at);
    if (!s->active || s->lost)
        return;
    s->held = anim_shot_weight(graph, at);
    anim_momentum held = anim_shot_momentum(graph, at);
    anim_pose_group* pose = anim_workspace_poses(graph->workspace);
    anim_graph_pose_of_shot(graph, at, pose);
    memcpy(held.at, pose, graph->topology->skeleton->group_count * sizeof *pose);
    s->older = ANIM_SHOT_HELD;
    s->lost = 1;
}

// Where a second copy plays already, all that is there is held as it is.
static void keep_older(anim_walk* walk, uint32_t at, anim_shot_state* s, float weight)
{
    uint32_t child = anim_shot_child(walk->graph, at);
    bool has_copy = walk->topology->nodes[child].copy_shift > 0;
    if (!(weight > 0)) {
        s->older = ANIM_SHOT_ALONE;
    } else if (has_copy && s->older == ANIM_SHOT_ALONE) {
        anim_copy_exchange(walk, child);
        s->older = ANIM_SHOT_COPY;
    } else {
        anim_shot_hold(walk->graph, at);
        s->older = ANIM_SHOT_HELD;
    }
    s->floor = weight;
}

static void begin(anim_walk* walk, uint32_t at, anim_shot_state* s)
{
    uint32_t child = anim_shot_child(walk->graph, at);
    float weight = anim_shot_weight(walk->graph, at);
    walk->turn++;
    if (s->active)
        tell(walk, at, ANIM_EVENT_EXIT, ANIM_EDGE_INTERRUPTED);
    keep_older(walk, at, s, weight);
    s->active = 1;
    s->gone = 0;
    s->stopping = s->lost = s->fired = 0;
    anim_node_reset(walk->graph, child);
    anim_state_of_node(walk->graph, child)->speed = walk->topology->nodes[child].speed.value *
                                                    s->next_speed;
    anim_state_of_node(walk->graph, child)->flags |= ANIM_NODE_PLAYING;
    anim_walk_enter(walk, child);
    fit_fades(walk->graph, at, s);
    tell(walk, at, ANIM_EVENT_ENTER, ANIM_EDGE_NONE);
    walk->turn++;
}

// `instant`: as a part of the step that is being made.
static void finish(anim_walk* walk, uint32_t at, anim_shot_state* s, bool done, double instant)
{
    double offset = walk->offset;
    walk->offset += walk->covers * instant;
    walk->turn++;
    tell(walk, at, ANIM_EVENT_EXIT, done ? ANIM_EDGE_DONE : ANIM_EDGE_INTERRUPTED);
    walk->turn++;
    walk->offset = offset;
    s->active = s->stopping = s->older = s->lost = 0;
    s->floor = 0;
}

// --- one update ---------------------------------------------------------------------------------------

static void move_copy(anim_walk* walk, uint32_t child, double dt)
{
    bool leaving = walk->leaving;
    walk->leaving = true;
    anim_copy_begin(walk, child);
    anim_walk_step(walk, child, dt);
    anim_copy_end(walk, child);
    walk->leaving = leaving;
}

static void move(anim_walk* walk, uint32_t at, anim_shot_state* s, double dt)
{
    uint32_t child = anim_shot_child(walk->graph, at);
    double clock = fabs(dt), left = left_of(walk->graph, at);
    bool passes = anim_node_get_loop(walk->graph, child) != ANIM_LOOP_ONCE &&
                  left <= clock * (1 + rounding);
    double fade_left = s->stopping ? s->stopped + (double)s->stop_fade - s->gone : HUGE_VAL;
    if (s->older == ANIM_SHOT_COPY)
        move_copy(walk, child, dt);
    if (!s->lost)
        anim_walk_step(walk, child, dt);
    s->gone = fmax(s->gone + (walk->quiet ? dt : clock), 0);
    if (walk->quiet)
        return;
    bool done = !s->lost && (passes || left_of(walk->graph, at) <= 0);
    bool stopped = fade_left <= clock * (1 + rounding);
    double end = fmin((stopped ? fade_left : left) * (1 + rounding),
                      clock); // not before its `done`
    if (done || stopped)
        finish(walk, at, s, done && !stopped, clock > 0 ? fmax(end, 0) / clock : 0);
}

void anim_shot_step(anim_walk* walk, uint32_t at, double dt)
{
    const anim_node* node = &walk->topology->nodes[at];
    anim_shot_state* s = anim_state_of_shot(walk->graph, at);
    uint32_t child = anim_shot_child(walk->graph, at);
    if (node->input_count > 0 && node->inputs[0].node != ANIM_NO_NODE)
        anim_walk_step(walk, node->inputs[0].node, dt);
    if (s->fired && child != ANIM_NO_NODE && !walk->quiet && !walk->held)
        begin(walk, at, s);
    if (s->lost && !s->stopping && !walk->quiet) // replaced, and not fired again
        anim_shot_stop(walk->graph, at, s->fade_out);
    if (s->active && child != ANIM_NO_NODE)
        move(walk, at, s, dt);
    if (!walk->quiet)
        anim_shot_spread(walk->graph, at);
}

// --- from outside -------------------------------------------------------------------------------------

void anim_shot_fire(anim_graph* graph, uint32_t at, float speed, float fade_in, float fade_out)
{
    anim_shot_state* s = anim_state_of_shot(graph, at);
    s->fired = 1;
    s->next_speed = speed;
    s->next_in = fade_in;
    s->next_out = fade_out;
}

void anim_shot_stop(anim_graph* graph, uint32_t at, float fade)
{
    anim_shot_state* s = anim_state_of_shot(graph, at);
    s->fired = 0;
    if (!s->active)
        return;
    s->stop_weight = anim_shot_weight(graph, at);
    s->stopped = s->gone;
    s->stop_fade = fade;
    s->stopping = 1;
}

bool anim_shot_is_active(const anim_graph* graph, uint32_t at)
{
    const anim_shot_state* s = anim_state_of_shot(graph, at);
    return s->active || s->fired;
}
