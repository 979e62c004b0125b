// SPDX-License-Identifier: MIT
// What the files about graphs share.
//
// A graph's userdata holds a luax_graph; node and parameter handles hold one too (counted), so that
// release() can empty it while handles are about. What refers back to Lua lies in the user value of
// the graph's userdata, a table with the lists below, so cycles can be collected.
#pragma once

#include "graph/crowd.h"
#include "graph/graph.h"
#include "lua/luax.h"

enum luax_graph_user {
    LUAX_USER_NODES = 1,     // place of a node, from 1 -> its userdata
    LUAX_USER_PARAMS,        // index of a parameter, from 1 -> its userdata
    LUAX_USER_CLIPS,         // serial of a clip in use -> { userdata, name and data of each event }
    LUAX_USER_SCRIPTS,       // uid of a script node -> { update, pose }
    LUAX_USER_SUBSCRIPTIONS, // Subscriptions, in order
    LUAX_USER_NAMES,         // strings pushed so far, so that none is made again
    LUAX_USER_LUA,           // for lua/anim/graph
    LUAX_USER_ERROR,         // what a script node raised
    LUAX_USER_POSE,          // the Pose that script nodes are given
    LUAX_USER_PALETTES,      // userdata of a skin -> Buffer, 4x4
    LUAX_USER_PALETTES_3X4,
    LUAX_USER_CONDITIONS, // number of a condition that is a function -> the function
    LUAX_USER_LINKS,      // targets that are joints of other graphs (l_solver.c)
    LUAX_USER_CROWD,      // { the list of Subscriptions of its crowd }
    LUAX_USER_LAST = LUAX_USER_CROWD
};

typedef struct luax_graph {
    int refs;
    anim_graph* graph;  // NULL: released
    uint64_t family;    // the same for all clones of a graph
    lua_State* running; // of the update it is in, which must not begin another; NULL: in none
    bool doomed;        // released while it runs: goes when that is over
    bool failed;        // a script node raised; the value is in the user table
    bool recorded;      // somebody records it and is told of each update
    bool sweeps;        // play and stop are used: what faded out is to be removed...
    uint32_t swept;     // ... when graph->faded is no longer this
    uint32_t active;    // the walk of active()
    anim_pose* view;    // what the Pose of script nodes holds while one runs
    int subscriptions;  // length of the list
    int links;          // length of that list
    bool stale;         // some of them may be cancelled, or of nodes that are gone
    bool telling;       // an event is being told, or was when a subscriber raised
    anim_happening told;
    uint64_t told_to;         // serial of the last subscription that heard it
    struct luax_crowd* crowd; // that it was put in last, counted; NULL: none
    int seat;                 // in its list of graphs
} luax_graph;

// A crowd's userdata holds one; its graphs and Subscriptions do too (counted).
typedef struct luax_crowd {
    int refs;
    anim_crowd* crowd;  // NULL: released
    lua_State* running; // of the update it is in
    bool doomed;        // released while it runs
    int seats;          // length of the list of graphs
    bool untidy;        // some of them are released
    int subscriptions;  // length of the list
    bool stale;         // some of them are cancelled
    uint64_t newest;    // serial of the last one there was when its update began
    int tellers;        // graphs that are telling events to the list now
} luax_crowd;

typedef struct luax_node {
    luax_graph* holder;
    uint32_t place, uid;
} luax_node;

typedef struct luax_param {
    luax_graph* holder;
    uint32_t index;
} luax_param;

typedef struct luax_subscription {
    luax_graph* holder; // or, NULL,
    luax_crowd* crowd;
    uint64_t serial;
    uint32_t place, uid; // of a node; uid 0: the whole graph
    bool active;
    bool all; // "*"
    char name[];
} luax_subscription;

typedef struct luax_buffer {
    size_t size, room;
    unsigned char* bytes;
} luax_buffer;

extern const luaL_Reg luax_graph_methods[];        // l_graph.c
extern const luaL_Reg luax_node_methods[];         // l_node.c
extern const luaL_Reg luax_param_methods[];        // l_param.c
extern const luaL_Reg luax_subscription_methods[]; // l_event.c
extern const luaL_Reg luax_buffer_methods[];       // l_palette.c
extern const luaL_Reg luax_crowd_methods[];        // l_crowd.c
extern const luaL_Reg luax_edit_functions[];       // l_graph_edit.c, for lua/anim/graph
extern const luaL_Reg luax_read_functions[];       // l_graph_read.c, for lua/anim/graph
extern const luaL_Reg luax_machine_functions[];    // l_machine_edit.c, for lua/anim/graph
extern const luaL_Reg luax_player_functions[];     // l_player.c, for lua/anim/graph
extern const luaL_Reg luax_solver_functions[];     // l_solver.c, for lua/anim/graph
extern const luaL_Reg luax_record_functions[];     // l_record.c, for lua/anim/record
extern const char* const luax_kinds[];             // names of node kinds, in the core's order

void luax_drop_graph(void* holder);
void luax_drop_node(void* node);
void luax_drop_param(void* param);
void luax_drop_subscription(void* subscription);
void luax_drop_buffer(void* buffer);
void luax_drop_crowd(void* crowd);
void luax_release_holder(luax_graph* holder); // what a handle holds of it

int luax_new_graph(lua_State* L);   // for lua/anim/graph
int luax_clone_graph(lua_State* L); // for lua/anim/graph
int luax_new_buffer(lua_State* L);
int luax_new_crowd(lua_State* L);

// The graph at `index`; raises where it is released, or (luax_graph_at) being edited.
luax_graph* luax_holder_at(lua_State* L, int index);
luax_graph* luax_graph_at(lua_State* L, int index);

// The node at `index`, which must still be in its graph; luax_node_at: while that is not edited.
luax_node* luax_built_node_at(lua_State* L, int index);
luax_node* luax_node_at(lua_State* L, int index);
luax_node* luax_node_of(lua_State* L, anim_kind kind); // self, which must be of this kind

static inline const anim_node* luax_info(const luax_node* node)
{
    return &node->holder->graph->topology->nodes[node->place];
}

// For lua/anim/graph, where nodes are places that count from 1: the place at `index`, from 0.
static inline uint32_t luax_place_at(lua_State* L, int index, const anim_topology* t)
{
    return (uint32_t)luax_index(L, index, LUAX_ARG(index), t->node_count) - 1;
}

// Pushes list `which` of the graph's user value; `self`: index of the graph's userdata.
void luax_graph_user(lua_State* L, int self, enum luax_graph_user which);

// Pushes the userdata of a node, the same each time; nil for ANIM_NO_NODE.
void luax_push_node(lua_State* L, int self, luax_graph* holder, uint32_t place);
void luax_push_param(lua_State* L, int self, luax_graph* holder, uint32_t index);
// Pushes a string without making garbage the second time.
void luax_push_known(lua_State* L, int self, const char* bytes, size_t size);

// Parameters of a graph, by index in its topology.
void luax_param_set(lua_State* L, anim_graph* graph, uint32_t index, int value);
int luax_param_get(lua_State* L, const anim_graph* graph, uint32_t index);
void luax_param_fire(lua_State* L, anim_graph* graph, uint32_t index, bool set);

// l_graph.c: what is to be done with the graph at index 1, as a sum, in argument 2; dt, whether mute.
enum luax_pass {
    LUAX_ADVANCE = 1,
    LUAX_DELIVER = 2,
    LUAX_SETTLE = 4,
    LUAX_SWEEP = 8,
    LUAX_EVALUATE = 16
};
int luax_graph_run(lua_State* L);
// Makes the pose of the graph at index 1, in a callback of its own, too: where argument 2 is true from weights
// that are shared out anew; else where one was made before, but not for the last advance.
int luax_graph_show(lua_State* L);
double luax_step(lua_State* L, bool* mute); // arguments 2 and 3 of an update

// l_crowd.c. The crowd that a graph is in, NULL: none; what a crowd must know of a graph has changed; a
// graph is gone.
luax_crowd* luax_crowd_of(const luax_graph* holder);
void luax_note_in_crowd(const luax_graph* holder);
void luax_leave_crowd(luax_graph* holder);
void luax_release_crowd(luax_crowd* crowd); // what a graph or Subscription holds of it

// l_event.c. luax_deliver tells the graph at index 1 what is queued; false: a subscriber raised, the
// value is at the top.
int luax_graph_on(lua_State* L);
int luax_node_on(lua_State* L);
int luax_graph_events(lua_State* L);
int luax_graph_next_event(lua_State* L);
int luax_graph_active(lua_State* L);
int luax_graph_next_active(lua_State* L);
int luax_graph_deliver(lua_State* L);
bool luax_deliver(lua_State* L, luax_graph* holder);
void luax_forget_told(luax_graph* holder);
const char* luax_event_name(const anim_happening* item);
// name, data, node, clip, time, weight, edge of the graph at index 1; no garbage.
int luax_push_happening(lua_State* L, luax_graph* holder, const anim_happening* item);

// l_record.c: whoever records the graph at index 1 is told where its update is; false: that raised, the
// value is at the top.
typedef enum luax_stage { LUAX_BEFORE = 1, LUAX_ADVANCED, LUAX_EVALUATED } luax_stage;
bool luax_tell_recorder(lua_State* L, luax_stage stage, double dt);

// A single-precision number as the shortest decimal that means it: what was written as .1 is .1 again.
double luax_shortest(float x); // l_graph_read.c

uint64_t luax_newest_of_crowd(lua_State* L, const luax_crowd* crowd, int list); // serial
int luax_subscribe_crowd(lua_State* L, luax_crowd* crowd, int list); // name, function: 2 and 3
void luax_compact_crowd(lua_State* L, luax_crowd* crowd, int list);

int luax_graph_write_palette(lua_State* L); // l_palette.c
// Pushes a Buffer; gives one another size. What lies in it is lost.
luax_buffer* luax_push_buffer(lua_State* L, size_t size);
void luax_resize_buffer(lua_State* L, luax_buffer* buffer, size_t size);
bool luax_is_3x4(lua_State* L, int index); // the layout there
int luax_graph_get_palette(lua_State* L);
int luax_graph_get_palette_string(lua_State* L);

// l_script.c: what the core calls; the graph's userdata is at index 1 of holder->running.
void luax_script_update(void* user, anim_graph* graph, uint32_t node, double dt);
void luax_script_pose(void* user, anim_graph* graph, uint32_t node, anim_pose_group* pose,
                      double dt);
int luax_graph_script(lua_State* L);
bool luax_ground(void* user, anim_graph* graph, uint32_t node, const float at[3], float* height,
                 float normal[3]);
int luax_graph_ground(lua_State* L);
// What is at the top of the stack was raised in the middle of a pass: it is kept until that is over.
void luax_keep_error(luax_graph* holder);

// l_machine.c. Node methods; `play` of a machine with a state as argument.
int luax_machine_get_state(lua_State* L);
int luax_machine_get_source(lua_State* L);
int luax_machine_get_progress(lua_State* L);
int luax_machine_play(lua_State* L);
int luax_machine_travel(lua_State* L);
int luax_machine_get_trace(lua_State* L);
bool luax_condition(void* user, anim_graph* graph, uint32_t function); // what the core calls
// The state of this name, which must be there; the name of one, nil where there is none.
uint32_t luax_state_at(lua_State* L, int index, const anim_node* machine);
void luax_push_state(lua_State* L, int graph, const anim_node* machine, uint32_t state);

// l_solver.c: targets that are joints of other graphs get their places, those graphs' poses are made first;
// false: that raised, the value is at the top.
bool luax_follow_links(lua_State* L, luax_graph* holder);
void luax_forget_links(lua_State* L, luax_graph* holder); // of the graph at index 1

// l_player.c. Node methods.
int luax_shot_stop(lua_State* L);
int luax_shot_is_active(lua_State* L);
int luax_player_pick(lua_State* L);
int luax_player_skip(lua_State* L);
int luax_player_get_index(lua_State* L);
// A field of such a node, from the value at an index.
void luax_set_player(lua_State* L, anim_node* node, const char* key, int value);

// l_machine_edit.c: functions that no condition is any more are let go.
void luax_keep_conditions(lua_State* L, const anim_topology* topology);
