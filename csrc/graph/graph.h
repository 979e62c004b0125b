// SPDX-License-Identifier: MIT
// One character: a topology, a block of state, and the pose that came of it. All run-time state lies in
// the block, without pointers, so that save, restore, hash and clone are one pass over it.
#pragma once

#include "graph/event.h"
#include "graph/topology.h"
#include "graph/trace.h"
#include "math/dvec.h"
#include "pose/pose.h"
#include "pose/root_motion.h"
#include "pose/skin.h"
#include "pose/timeline.h"
#include "pose/warp.h"

enum anim_node_flags {
    ANIM_NODE_PLAYING = 1,   // time moves
    ANIM_NODE_DONE = 2,      // came to its end
    ANIM_NODE_FRESH = 4,     // started or sought: the next window is closed at its start
    ANIM_NODE_STARTS = 8,    // clips and sync groups: at the start, which the way then decides
    ANIM_NODE_BY_PHASE = 16, // sync group with markers: shares the phase, since a member runs back
    ANIM_NODE_ENTERED = 32   // what plays there began in this update (plays.c)
};

// What every node has in the state block. No padding: the block is hashed and compared.
typedef struct anim_node_state {
    anim_playhead at; // clips: seconds; sync groups: phase, 0 to 1, of the leader
    double carry;     // seconds left over when it ended, taken up by a restart in its own `done`
    double rate;      // of the last step: clip seconds a second, or passes a second of a group
    double place; // sync group with markers: how many it passed in this cycle, with the fraction
    float weight; // effective, in the last update
    float weight_before;
    float speed; // where it follows no parameter
    uint32_t flags;
    uint32_t leader;  // sync group: the node that speaks; ANIM_NO_NODE at first
    uint32_t target;  // mixer: the input that fadeTo goes to; ANIM_NO_NODE: none asked yet
    uint32_t current; // mixer: the one it came from
    uint32_t reserved;
} anim_node_state;

// Behind it, one for each input of a composite node...
typedef struct anim_input_state {
    float share;     // of the node's weight, in the last update
    float weight;    // as set by script or description (kinds that have settable weights)
    float goal;      // what `weight` moves to,
    float goal_time; // in these seconds; 0: it is there
    float
        fall; // mixer: weight a second that it loses to fadeTo's target; < 0: it came to 0 just now
    uint32_t keeps_place; // mixer: faded out, it stays where it is instead of going back
} anim_input_state;

// ... or this for a clip.
typedef struct anim_clip_state {
    uint64_t ranges;   // the range events it is inside of, by order (the first 64)
    anim_rigid motion; // root motion of the last step
    uint32_t joins;    // 1: it went on in the middle; ranges that it is inside of begin
} anim_clip_state;

typedef struct anim_param_state {
    double target;   // as set: a number, 0 or 1, or whether the trigger is set
    double value;    // after dead zone, curve and smoothing
    double velocity; // of the smoothing; of a trigger: 1 once it was taken in this update
    double age;      // seconds since the trigger was set
} anim_param_state;

enum { ANIM_WARP_POSITION = 1, ANIM_WARP_ROTATION = 2, ANIM_WARP_BEGINS = 4 };

// graph:warp; `left` 0: none.
typedef struct anim_warp_state {
    anim_dvec place; // of the target, in the character's frame as it is now. In double: many steps
    anim_dquat turn; // lead there
    anim_warp warp;
    uint32_t what; // the flags above
    uint32_t reserved;
    double left; // seconds of the graph
} anim_warp_state;

// First in the block; then the parameters, then the nodes.
typedef struct anim_graph_state {
    double speed;      // of the whole graph
    double clock;      // seconds advanced, in the graph's own time
    anim_rigid motion; // root motion of the last advance
    uint32_t advanced; // number of the last advance; 0: none yet
    anim_rigid place;  // of the character in the world
    uint32_t reserved;
    anim_warp_state warp;
} anim_graph_state;

typedef struct anim_graph anim_graph;

// What the core asks of its host. All may be NULL. They run on the calling thread.
typedef struct anim_host {
    void (*script_update)(void* user, anim_graph* graph, uint32_t node, double dt);
    void (*script_pose)(void* user, anim_graph* graph, uint32_t node, anim_pose_group* pose,
                        double dt);
    // A condition that is a function of the script's (anim_condition.function).
    bool (*condition)(void* user, anim_graph* graph, uint32_t function);
    // Height of the ground at `at`, a point in world space, and its normal (zeros: level). False: none.
    bool (*ground)(void* user, anim_graph* graph, uint32_t node, const float at[3], float* height,
                   float normal[3]);
    void* user;
} anim_host;

struct anim_graph {
    anim_topology* topology;    // retained
    anim_topology* edited_from; // while it is edited: what it was
    unsigned char* state;
    anim_host host;
    anim_event_queue events;
    anim_trace* trace;        // made with the first machine
    struct anim_cover* cover; // a fade from before it was described anew (graph/cover.h)
    double last_dt;           // of the last advance, for script nodes' `pose`
    uint64_t seed;   // makes the draws of a character its own; 0: those of the nodes' seeds alone
    bool locked;     // inside advance or evaluate: edits are refused
    bool delivering; // events are being told
    uint32_t faded;  // inputs whose weight came to 0 by a fade, counted
    uint32_t failed; // the node that the last edit failed at; ANIM_NO_NODE: none in particular
    anim_pose_group* pose;            // by way of anim_graph_pose and anim_graph_pose_to_write
    struct anim_recipe* recipe;       // what it still has to be made of
    anim_mat34* model;                // made when asked for
    bool model_valid;                 // all of it; not so where only the joints of a skin were made
    bool model_wanted;                // it was asked for since it was last expected
    uint32_t model_parted;            // `evaluated` when those of a skin were last made
    uint32_t evaluated;               // number of the advance that the pose was last made for
    struct anim_workspace* workspace; // shared by the clones
    struct anim_crowd* crowd;         // that it is in; NULL: in none (graph/crowd.h)
    uint32_t crowd_place;             // there
};

anim_code anim_graph_create(anim_skeleton* skeleton, anim_graph** out, anim_error* err);
anim_code anim_graph_clone(const anim_graph* graph, anim_graph** out, anim_error* err);
void anim_graph_destroy(anim_graph* graph);

// --- editing ----------------------------------------------------------------------------------------

// Between begin and end the topology is the caller's own and may be changed (graph/topology.h). `end`
// compiles it and carries the state over: what was not touched keeps every bit. On failure of `end`
// the graph is as before `begin`. Nothing else of the graph may be used in between.
anim_code anim_graph_edit_begin(anim_graph* graph, anim_error* err);
anim_code anim_graph_edit_end(anim_graph* graph, anim_error* err);
void anim_graph_edit_cancel(anim_graph* graph);

// --- running ----------------------------------------------------------------------------------------

// dt seconds (>= 0, finite; the caller checks). Moves time and parameters, queues events. `mute`
// queues none. Clears what the last advance queued and nobody took.
anim_code anim_graph_advance(anim_graph* graph, double dt, bool mute, anim_error* err);
anim_code anim_graph_evaluate(anim_graph* graph, anim_error* err); // makes the pose
// The same for one whose matrices are read: they are made at once. A pose that is nothing but clips of the
// fast form is not put down on the way, but made again if somebody asks for it. `far`: the matrices go past the
// caches, where there are too many of them to stay there; anim_stream_end() must follow (base/cache.h).
anim_code anim_graph_evaluate_to_model(anim_graph* graph, bool far, anim_error* err);
// Shares out the weights of what is there, as an advance by no time would; nothing moves, decides or is told.
void anim_graph_settle(anim_graph* graph);
void anim_graph_reset(anim_graph* graph); // as built

void anim_graph_set_speed(anim_graph* graph, double speed);
double anim_graph_get_speed(const anim_graph* graph);
bool anim_graph_has_advanced(const anim_graph* graph); // since it was built or reset
double anim_graph_get_clock(const anim_graph* graph);  // seconds advanced, in its own time
void anim_graph_get_motion(const anim_graph* graph, anim_rigid* out); // of the last advance

// Root motion is bent so that in `seconds` (of the graph's own time) the character is at the target,
// which is given in its frame now or, `in_world`, in world space (anim_graph_set_place). NULL ends it.
typedef struct anim_warp_desc {
    anim_rigid target;
    bool has_position, has_rotation; // what is to be reached
    bool in_world;
    double seconds; // > 0
} anim_warp_desc;

void anim_graph_warp(anim_graph* graph, const anim_warp_desc* desc);
bool anim_graph_is_warping(const anim_graph* graph);

double anim_param_shape(const anim_param* param, double x); // dead zone and mapping curve
void anim_graph_set_number(anim_graph* graph, uint32_t param, double value);
double anim_graph_get_number(const anim_graph* graph, uint32_t param);
double anim_graph_get_target(const anim_graph* graph, uint32_t param);

// Whether the pose is that of the last advance; before the first one it is rest.
static inline bool anim_graph_is_evaluated(const anim_graph* graph)
{
    return graph->evaluated == ((const anim_graph_state*)(const void*)graph->state)->advanced;
}

// Of the last evaluate; rest before.
const anim_pose_group* anim_graph_pose(const anim_graph* graph);
anim_pose_group* anim_graph_pose_to_write(anim_graph* graph); // another is put in its place
const anim_mat34* anim_graph_model(anim_graph* graph);        // all joints, model space
// Makes it at once, while the pose is at hand, where it was asked for after the evaluate before.
void anim_graph_expect_model(anim_graph* graph);

// The palette of a skin of this skeleton, or of one that is the same (pose/skin.h has the layouts): of the
// last evaluate's pose, and where it is the first since then, by way of the joints that the skin needs only.
void anim_graph_palette(anim_graph* graph, const anim_skin* skin, bool rows_3x4, float* out);

// Where the character stands in the world: what is given in world space (targets of solvers, the ground)
// is brought into its model space with this. q of unit length. The identity until it is set.
void anim_graph_set_place(anim_graph* graph, const anim_rigid* place);
void anim_graph_get_place(const anim_graph* graph, anim_rigid* out);

// The run-time state as bytes, and back; restore fails where they are of another topology.
size_t anim_graph_save_size(const anim_graph* graph);
void anim_graph_save(const anim_graph* graph, void* out);
anim_code anim_graph_restore(anim_graph* graph, const void* bytes, size_t size, anim_error* err);
uint64_t anim_graph_hash(const anim_graph* graph, bool with_pose);

// --- nodes ------------------------------------------------------------------------------------------

void anim_node_reset(anim_graph* graph, uint32_t node); // with all below it
void anim_node_play(anim_graph* graph, uint32_t node);
void anim_node_pause(anim_graph* graph, uint32_t node);
bool anim_node_is_done(const anim_graph* graph, uint32_t node);
double anim_node_get_time(const anim_graph* graph, uint32_t node);
double anim_node_get_phase(const anim_graph* graph, uint32_t node);
double anim_node_get_duration(const anim_graph* graph, uint32_t node);
double anim_node_get_remaining(const anim_graph* graph,
                               uint32_t node); // seconds at the present rate
float anim_node_get_speed(const anim_graph* graph, uint32_t node);
void anim_node_set_speed(anim_graph* graph, uint32_t node, float speed); // where no param rules it
bool anim_node_is_playing(const anim_graph* graph, uint32_t node);
float anim_node_get_weight(const anim_graph* graph, uint32_t node); // effective; 0 if not reached
// Of an input whose weight can be set: what it is now, and what it moves to.
void anim_node_get_input_weight(const anim_graph* graph, uint32_t node, uint32_t input,
                                float* weight, float* goal);
float anim_node_get_input_share(const anim_graph* graph, uint32_t node, uint32_t input);
// After an edit gave a clip node another clip or loop mode: a place that it has, at `phase`; events go on
// from there.
void anim_node_refit(anim_graph* graph, uint32_t node, double phase);
// A seek (semantics 1). `fire`: what lies between is told with the next update.
void anim_node_set_time(anim_graph* graph, uint32_t node, double time, bool fire);
void anim_node_set_phase(anim_graph* graph, uint32_t node, double phase, bool fire);
void anim_node_set_weight(anim_graph* graph, uint32_t node, uint32_t input, float weight,
                          float seconds);

// Mixers (semantics 7): the weights move to input `to` in `seconds`, always summing to 1. What reaches
// 0 is paused, and rewound unless `rewind` is false.
void anim_mixer_fade_to(anim_graph* graph, uint32_t node, uint32_t to, float seconds, bool rewind);
bool anim_mixer_is_fading(const anim_graph* graph, uint32_t node);
uint32_t anim_mixer_get_target(const anim_graph* graph, uint32_t node); // ANIM_NO_NODE: no fade yet

// --- machines -------------------------------------------------------------------------------------------

// Goes to a state with the next advance, whatever it fades now; the current state: nothing happens.
void anim_machine_play(anim_graph* graph, uint32_t node, uint32_t state, double fade);
// Goes there over the shortest path of transitions, conditions ignored. False: there is none.
bool anim_machine_travel(anim_graph* graph, uint32_t node, uint32_t state);
uint32_t anim_machine_get_state(const anim_graph* graph, uint32_t node);
// The state that fades out, or was left last where the fade comes from an interruption; ANIM_NO_NODE:
// none.
uint32_t anim_machine_get_source(const anim_graph* graph, uint32_t node);
double anim_machine_get_progress(const anim_graph* graph, uint32_t node); // 0 to 1; 1: not fading
// Is in a state at once, without a fade or events.
void anim_machine_place(anim_graph* graph, uint32_t node, uint32_t state);
bool anim_machine_is_in_fade(const anim_graph* graph, uint32_t node);
uint32_t anim_machine_get_capped(const anim_graph* graph, uint32_t node); // chains cut off so far

// --- random, queue, oneShot -----------------------------------------------------------------------------

// Goes to an input with the next advance; ANIM_NO_NODE: a random one.
void anim_player_pick(anim_graph* graph, uint32_t node, uint32_t input);
void anim_player_skip(anim_graph* graph, uint32_t node); // queue: on to the next, if there is one
uint32_t anim_player_get_index(const anim_graph* graph, uint32_t node); // ANIM_NO_NODE: nothing yet

// Other draws for each character: 0 for those of the nodes' own seeds alone.
void anim_graph_set_seed(anim_graph* graph, uint64_t seed);

// Fires the shot with the next advance. What it shows when an edit gives it another node or another clip
// is held, and fades out, or under what is fired.
void anim_shot_fire(anim_graph* graph, uint32_t node, float speed, float fade_in, float fade_out);
void anim_shot_stop(anim_graph* graph, uint32_t node, float fade);
bool anim_shot_is_active(const anim_graph* graph, uint32_t node);

// --- twoBone and the other solvers ----------------------------------------------------------------------

#define ANIM_POLE UINT32_MAX // in place of a target's number

// A target: a point in the node's space or, `in_world`, in world space.
void anim_solver_set_target(anim_graph* graph, uint32_t node, uint32_t target, const float at[3],
                            bool in_world);
// Or a joint of the character itself, as the pose comes in.
void anim_solver_set_joint(anim_graph* graph, uint32_t node, uint32_t target, uint32_t joint);
void anim_solver_set_weight(anim_graph* graph, uint32_t node, float weight);
// foot: the ground below a leg, in world space, asked for no more; NULL: as described again.
void anim_solver_set_ground(anim_graph* graph, uint32_t node, uint32_t leg, const float point[3],
                            const float normal[3]);
// spring: the chain goes to its animated pose with the next evaluate, at rest.
void anim_solver_teleport(anim_graph* graph, uint32_t node);
float anim_solver_get_weight(const anim_graph* graph, uint32_t node);
float anim_solver_get_residual(const anim_graph* graph, uint32_t node); // metres, last evaluate
// Where a target is in model space, joints as the last evaluate left them; false: it is not given.
bool anim_solver_get_target(const anim_graph* graph, uint32_t node, uint32_t target, float out[3]);

// --- what is heard ----------------------------------------------------------------------------------

// The scalar curve `name` blended like the pose; `missing` where no clip has it.
float anim_graph_get_curve(const anim_graph* graph, const char* name, float missing);
const anim_value* anim_graph_get_property(const anim_graph* graph, const char* name); // NULL: none
bool anim_graph_is_during(const anim_graph* graph, const char* name);
// Likewise of a node under the root and what is below it.
float anim_node_get_curve(const anim_graph* graph, uint32_t node, const char* name, float missing);
bool anim_node_is_during(const anim_graph* graph, uint32_t node, const char* name);
