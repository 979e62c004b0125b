// SPDX-License-Identifier: MIT
// What the files about graphs share.
//
// A graph's userdata holds a luax_graph; node and parameter handles hold one too (counted), so that
// release() can empty it while handles are about. What refers back to Lua lies in the user value of
// the graph's userdata, a table with the lists below, so cycles can be collected.
#pragma once

#include "graph/graph.h"
#include "lua/luax.h"

enum luax_graph_user {
    LUAX_USER_NODES = 1,     // place of a node -> its userdata
    LUAX_USER_CLIPS,         // userdata of the clips in use: event data live there
    LUAX_USER_SCRIPTS,       // uid of a script node -> { update, pose, Pose userdata }
    LUAX_USER_SUBSCRIPTIONS, // Subscriptions, in order
    LUAX_USER_NAMES,         // names pushed so far, so that none is made again
    LUAX_USER_LUA,           // for lua/anim/graph
    LUAX_USER_ERROR,         // what a script node raised
    LUAX_USER_PALETTES,      // skin userdata -> Buffer, 4x4
    LUAX_USER_PALETTES_3X4
};

typedef struct luax_graph {
    int refs;
    anim_graph* graph;  // NULL: released
    lua_State* running; // while the core may call scripts: the state, and where the userdata is
    int self;
    bool failed;       // a script node raised; the value is in the user table
    uint32_t active;   // the walk of active()
    int subscriptions; // length of the list
} luax_graph;

typedef struct luax_node {
    luax_graph* holder;
    uint32_t place, uid;
} luax_node;

typedef struct luax_param {
    luax_graph* holder;
    uint32_t index;
} luax_param;

typedef struct luax_subscription {
    uint32_t place, uid; // of a node; uid 0: the whole graph
    bool active;
} luax_subscription;

typedef struct luax_buffer {
    size_t size;
    _Alignas(16) unsigned char bytes[];
} luax_buffer;

extern const luaL_Reg luax_graph_methods[];        // l_graph.c
extern const luaL_Reg luax_node_methods[];         // l_node.c
extern const luaL_Reg luax_param_methods[];        // l_param.c
extern const luaL_Reg luax_subscription_methods[]; // l_event.c
extern const luaL_Reg luax_buffer_methods[];       // l_palette.c
extern const luaL_Reg luax_edit_functions[];       // l_graph_edit.c, for lua/anim/graph

void luax_drop_graph(void* holder);
void luax_drop_node(void* node);
void luax_drop_param(void* param);

// The graph at `index`; raises where it is released or (luax_graph_at) being edited.
luax_graph* luax_holder_at(lua_State* L, int index);
luax_graph* luax_graph_at(lua_State* L, int index);

// The node at `index`, whose graph must be alive, not edited, and still have it.
luax_node* luax_node_at(lua_State* L, int index);

// Pushes list `which` of the graph's user value; `self`: index of the graph's userdata.
void luax_graph_user(lua_State* L, int self, enum luax_graph_user which);

// Pushes the userdata of a node, the same each time. Pushes nil where there is none.
void luax_push_node(lua_State* L, int self, luax_graph* holder, uint32_t place);
void luax_push_param(lua_State* L, int self, luax_graph* holder, uint32_t index);
// Pushes a name without making garbage the second time.
void luax_push_known(lua_State* L, int self, const char* name);

int luax_graph_on(lua_State* L); // l_event.c
int luax_node_on(lua_State* L);
int luax_graph_events(lua_State* L);
int luax_graph_active(lua_State* L);
void luax_deliver(lua_State* L, luax_graph* holder); // the graph's userdata is at index 1
int luax_graph_write_palette(lua_State* L);          // l_palette.c
int luax_graph_get_palette(lua_State* L);
int luax_graph_get_palette_string(lua_State* L);

// Lets the core call the script nodes of the graph at index 1 until it is ended; raises what they did.
void luax_begin_scripts(lua_State* L, luax_graph* holder);
void luax_end_scripts(lua_State* L, luax_graph* holder);
void luax_script_update(void* user, anim_graph* graph, uint32_t node, double dt);
void luax_script_pose(void* user, anim_graph* graph, uint32_t node, anim_pose_group* pose,
                      double dt);
