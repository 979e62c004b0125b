// SPDX-License-Identifier: MIT
// Inside the graph layer: one advance. Weights are set from the root down, then time moves, then what
// was passed on the way is told: only then is it settled how much of each node is heard.
#pragma once

#include "graph/state.h"

#include <math.h>

// What is common to all nodes of one advance.
typedef struct anim_walk {
    anim_graph* graph;
    const anim_topology* topology;
    double dt; // of the graph, after its speed
    bool mute;
    // Where in the step the nodes being moved are: machines move their states in parts.
    double offset;    // seconds of the graph since the step began
    double covers;    // seconds of the graph that the present move takes
    double pace;      // seconds of the graph in a second of the innermost machine's clock
    double direction; // -1 where that machine's clock runs backwards
    uint32_t turn;    // counts the transitions of this advance
    bool quiet;       // a look at another time: nothing is noted or decided
    bool goes_on;     // the present move is a part of the step: more comes after it
    bool held;        // below a paused node: nothing moves, what is fresh stays so
    bool leaving;     // what moves is fading out: its end is nobody's news
    uint32_t shift;   // of copies that stand in the first one's place: bytes to where they belong
} anim_walk;

// A place among the markers: passed ones with the fraction, and whole cycles.
typedef struct anim_marker_place {
    double place;
    int64_t cycle;
} anim_marker_place;

// The sync group a clip is stepped in; NULL where it moves by itself.
typedef struct anim_sync_group {
    uint32_t node;   // the outermost synchronised node
    uint32_t leader; // the member that speaks for all; ANIM_NO_NODE: nobody has weight
    bool by_markers; // then the step began at `from`,
    anim_marker_place from;
    double pace; // and a second of the group's clock is so many of the graph
} anim_sync_group;

// weigh.c: effective weights of everything under the root.
void anim_walk_weigh(anim_walk* walk);

// step.c: moves `node` and all below it by dt seconds of its parent's clock.
void anim_walk_step(anim_walk* walk, uint32_t node, double dt);

// A clip's movement in this advance, told when all have moved.
typedef struct anim_move {
    anim_step step;
    double offset; // seconds of the graph after the step began
    double lasts;  // seconds of the graph
    double rate;   // clip seconds per second of the graph
    uint32_t node;
    uint32_t turn;
    uint32_t shift; // its state lies so far behind (copies.c)
    float heard;    // weight of the play that it was part of (plays.c); < 0: the present one
    bool leaving;
    bool joins;  // it went on in the middle: ranges that it is inside of begin
    bool stands; // no movement: the clip is left, and ranges that it is inside of end
    // a change of state of a machine, told in the same way; ANIM_EVENT_CLIP: it is a movement
    anim_event_kind kind;
    anim_edge edge;
    uint32_t state;
    bool in_group;
    anim_sync_group group;
} anim_move;

// Within a pass of a clip that holds no events: there is nothing to tell.
static inline bool anim_step_is_silent(const anim_clip* clip, const anim_step* step)
{
    return clip->event_count == 0 && step->count <= 1 && !step->ended;
}

// clip_events.c: what is noted here is told by tell_moves.
void anim_walk_push_move(anim_walk* walk, uint32_t node, const anim_step* step, double rate,
                         bool joins, const anim_sync_group* group);
void anim_walk_tell_moves(anim_walk* walk);

// Notes a movement that somebody may ask for later, and gives its rate (clip seconds per second of the graph).
static inline double anim_walk_note_move(anim_walk* walk, uint32_t node, const anim_step* step,
                                         const anim_sync_group* group)
{
    double moved = fabs(step->to.time - step->from.time) + step->left;
    if (step->loop != ANIM_LOOP_ONCE)
        moved = anim_step_distance(step);
    double rate = walk->covers > 0 ? moved / walk->covers : 0;
    if (walk->quiet)
        return rate;
    const anim_clip* clip = walk->topology->nodes[node].clip;
    anim_clip_state* s = anim_state_of_clip(walk->graph, node);
    bool joins = s->joins != 0;
    s->joins = 0;
    // A warp looks for what moves the character; ranges may be left from before a snapshot.
    if (clip->keys->motion || s->ranges != 0 || !anim_step_is_silent(clip, step))
        anim_walk_push_move(walk, node, step, rate, joins, group);
    return rate;
}

// `enter` or `exit` of a state or input, told with the movements.
void anim_walk_note_change(const anim_walk* walk, uint32_t node, anim_event_kind kind,
                           uint32_t input, anim_edge edge);
// The clips below are left: ranges that they are inside of end.
void anim_walk_note_ranges(anim_walk* walk, uint32_t node);

// A firing seek: what lies between the playhead and `to` is queued at once, for the next update.
void anim_walk_tell_seek(anim_graph* graph, uint32_t node, anim_playhead to);
// The range events a clip is inside of are taken from where it stands, without events.
void anim_clip_ranges_at(anim_graph* graph, uint32_t node);

// motion.c: what a clip's root motion was in a step; and that of the whole graph, from what the clips moved by.
void anim_walk_clip_motion(anim_walk* walk, uint32_t node, const anim_step* step);
void anim_walk_motion(anim_walk* walk);
void anim_walk_warp(anim_walk* walk); // warp_motion.c

// Weights of a tree by the shares it has, and 0 for what it does not use.
void anim_walk_spread(anim_graph* graph, uint32_t node, float weight);
// A tree that is entered within a step: its shares are made.
void anim_walk_enter(anim_walk* walk, uint32_t node);

// copies.c. Those without a second copy stay as they are.
void anim_copy_swap(anim_graph* graph, uint32_t node); // a tree changes places with its second copy
void anim_copy_begin(anim_walk* walk, uint32_t node);  // for a moment, ...
void anim_copy_end(anim_walk* walk, uint32_t node);
void anim_copy_exchange(anim_walk* walk, uint32_t node); // ... or for good: noted moves follow
// Copies change places until the state `shift` bytes behind that of `node` is in front; which: `shown`.
uint32_t anim_copy_show(anim_graph* graph, uint32_t node, uint32_t shift, uint32_t shown[8]);
void anim_copy_hide(anim_graph* graph, const uint32_t shown[8], uint32_t count);
// Of all copies of a node together, now or `before` the update.
float anim_copy_weights(const anim_graph* graph, uint32_t node, bool before);
void anim_copy_init(anim_graph* graph, uint32_t node); // all as the first one stands
// Whether both copies of an input play.
bool anim_copy_plays(const anim_graph* graph, uint32_t node, uint32_t input);

// plays.c: what a machine begins with counts as heard when the update began, and nothing else.
void anim_play_start(anim_graph* graph, uint32_t node);
// What plays in a tree is over, something else begins there. Told is the weight of a movement's play at
// the end of the update or, where that is 0, at its start; or else that of its node.
void anim_play_end(anim_walk* walk, uint32_t node);
// It goes on in the middle: what it is inside of begins with its next movement.
void anim_play_go_on(anim_graph* graph, uint32_t node);
float anim_play_weight(const anim_graph* graph, const anim_move* move);
float anim_play_weight_before(const anim_graph* graph,
                              const anim_move* move); // its own, at the start

// machine.c: a machine moves by dt seconds of its own clock; its weights go to its states.
void anim_machine_step(anim_walk* walk, uint32_t node, double dt);
void anim_machine_spread(anim_graph* graph, uint32_t node);
// As built, but for what it did in this update already.
void anim_machine_reset(anim_graph* graph, uint32_t node);
// Decides what watches no state in all machines below `node`, if this update has not yet.
void anim_machine_settle(anim_walk* walk, uint32_t node);
// Number `step` (0: the first) of the transitions on the shortest path from one state to another;
// ANIM_NO_TRANSITION: there is none. `scratch`: three numbers a state.
uint32_t anim_machine_path(const anim_topology* topology, uint32_t node, uint32_t from, uint32_t to,
                           uint32_t step, uint32_t* scratch);

// step.c: passes a second of its parent's clock, and how the node ends.
double anim_node_get_rate(const anim_graph* graph, uint32_t node);
anim_loop anim_node_get_loop(const anim_graph* graph, uint32_t node);
bool anim_node_turns_back(const anim_graph* graph, uint32_t node); // on the way back of a ping-pong

// --- synchronised groups (sync.c, sync_markers.c) ---------------------------------------------------

// Moves a group by dt seconds of its own clock.
void anim_sync_step(anim_walk* walk, uint32_t node, double dt);
// The phase of a group is set from outside: all members follow, without events.
void anim_sync_seek(anim_graph* graph, uint32_t node, double phase);
anim_loop anim_sync_loop(const anim_topology* topology, uint32_t node);
// The outermost synchronised node that moves `node`, or ANIM_NO_NODE.
uint32_t anim_sync_group_of(const anim_topology* topology, uint32_t node);

// Has no phase of its own; its first input has.
static inline bool anim_sync_passes_on(const anim_node* node)
{
    return node->kind == ANIM_KIND_LAYERS || anim_node_is_solver(node);
}

// A clip without length has no place to share; other nodes than these move by themselves.
static inline bool anim_sync_carries_members(const anim_node* node)
{
    return node->kind == ANIM_KIND_CLIP ? node->clip && node->clip->duration > 0
                                        : node->sync || anim_sync_passes_on(node);
}

// All inputs of synchronised nodes, the base of layers, what a solver works on.
static inline bool anim_sync_leads_on(const anim_node* node, uint32_t input)
{
    return node->sync || (anim_sync_passes_on(node) && input == 0);
}

// Whether a group reaches members through an input of `node` (a member or between it and the group).
static inline bool anim_sync_is_member_input(const anim_topology* t, const anim_node* node,
                                             uint32_t input)
{
    uint32_t child = node->inputs[input].node;
    return child != ANIM_NO_NODE && anim_sync_leads_on(node, input) &&
           anim_sync_carries_members(&t->nodes[child]);
}

// A mean over the members below `node`, by their share: of one pass in seconds at their speeds, of the
// lengths without any speed, or of the stretch between two markers. Infinite where something stands
// still, 0 without members.
typedef enum anim_sync_measure {
    ANIM_SYNC_PERIOD,
    ANIM_SYNC_LENGTH,
    ANIM_SYNC_SEGMENT
} anim_sync_measure;
double anim_sync_mean(const anim_graph* graph, uint32_t node, anim_sync_measure measure,
                      uint32_t segment);
double anim_sync_distance(const anim_graph* graph, uint32_t node); // of root motion in a pass

// A member whose speed in the group is negative shows its clip backwards.
bool anim_sync_runs_back(const anim_graph* graph, uint32_t group, uint32_t member);
bool anim_sync_some_run_back(const anim_graph* graph, uint32_t node, bool backward);

// The heaviest member of `group` whose clip has an event of this name (any, where NULL), or NO_NODE.
uint32_t anim_sync_heaviest(const anim_graph* graph, uint32_t group, const char* event);
uint32_t anim_sync_choose_leader(anim_graph* graph, uint32_t group);

// When compiled: finds the markers that all members of a group share, in the same cyclic order.
anim_code anim_sync_prepare(anim_topology* topology, uint32_t node, anim_error* err);

double anim_markers_stretch(const anim_node* member, uint32_t segment); // seconds to the next one
anim_marker_place anim_markers_find(const anim_node* member, double time);
anim_playhead anim_markers_in_clip(const anim_node* member, anim_marker_place at);
// The place `dt` seconds later, the stretches as long as the members' shares make them.
anim_marker_place anim_markers_move(const anim_graph* graph, uint32_t group, anim_marker_place from,
                                    double dt);

// Seconds of the group's clock from one place to another.
double anim_markers_seconds(const anim_graph* graph, uint32_t group, anim_marker_place from,
                            anim_marker_place to);

static inline bool anim_node_is_composite(const anim_node* node)
{
    return node->kind != ANIM_KIND_CLIP && node->kind != ANIM_KIND_POSE;
}
