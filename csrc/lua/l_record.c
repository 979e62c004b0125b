// SPDX-License-Identifier: MIT
// For lua/anim/record: who records a graph is told of each update, and reads it without making garbage.
#include "lua/graph.h"
#include "lua/objects.h"

// The function `record` in the graph's Lua table.
bool luax_tell_recorder(lua_State* L, luax_stage stage, double dt)
{
    luax_graph_user(L, 1, LUAX_USER_LUA);
    lua_getfield(L, -1, "record");
    lua_remove(L, -2);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, (lua_Integer)stage);
    lua_pushnumber(L, dt);
    return lua_pcall(L, 3, 0, 0) == 0;
}

// graph, whether somebody records it
static int set_recorded(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    holder->recorded = lua_toboolean(L, 2);
    luax_note_in_crowd(holder);
    return 0;
}

static int count_events(lua_State* L)
{
    lua_pushinteger(L, (lua_Integer)luax_holder_at(L, 1)->graph->events.count);
    return 1;
}

// graph, number of an event in the queue -> seconds of the graph since the step began, then what a
// callback would be given; nothing for one that was read before.
static int peek_event(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    anim_event_queue* queue = &holder->graph->events;
    anim_happening* item = &queue->items[luax_index(L, 2, LUAX_ARG(2), queue->count) - 1];
    if (item->recorded)
        return 0;
    item->recorded = true;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_pushnumber(L, item->offset);
    return 1 + luax_push_happening(L, holder, item);
}

static int set_number(lua_State* L, int at, lua_Number x)
{
    lua_pushnumber(L, x);
    lua_rawseti(L, 2, at);
    return at;
}

// graph, list -> number of nodes that are heard; the list holds four values of each: place, uid, serial
// of its clip or 0, effective weight.
static int read_heard(lua_State* L)
{
    const anim_graph* graph = luax_holder_at(L, 1)->graph;
    const anim_topology* t = graph->topology;
    luaL_checktype(L, 2, LUA_TTABLE);
    int at = 0;
    for (uint32_t i = 0; i < t->walk_count; i++) {
        uint32_t place = t->walk[i];
        const anim_node* node = &t->nodes[place];
        float weight = anim_node_get_weight(graph, place);
        if (!(weight > 0))
            continue;
        at = set_number(L, at + 1, (lua_Number)place + 1);
        at = set_number(L, at + 1, (lua_Number)node->uid);
        at = set_number(L, at + 1, node->clip ? (lua_Number)node->clip->serial : 0);
        at = set_number(L, at + 1, (lua_Number)weight);
    }
    lua_pushinteger(L, at / 4);
    return 1;
}

// graph, list -> number of parameters; the list holds their values
static int read_values(lua_State* L)
{
    const anim_graph* graph = luax_holder_at(L, 1)->graph;
    luaL_checktype(L, 2, LUA_TTABLE);
    uint32_t count = graph->topology->param_count;
    for (uint32_t i = 0; i < count; i++)
        set_number(L, (int)i + 1, anim_graph_get_number(graph, i));
    lua_pushinteger(L, (lua_Integer)count);
    return 1;
}

const luaL_Reg luax_record_functions[] = {
    {"setRecorded", set_recorded}, {"countEvents", count_events}, {"peekEvent", peek_event},
    {"readHeard", read_heard},     {"readValues", read_values},   {NULL, NULL},
};
