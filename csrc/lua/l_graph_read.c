// SPDX-License-Identifier: MIT
// What lua/anim/graph asks: kinds of values, places of nodes, and the graph as plain tables.
#include "lua/clip.h"
#include "lua/graph.h"
#include "lua/objects.h"
#include "lua/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "Graph", "Node", "Clip" and so on, as in luax_types without "anim."; nil for what is none of ours.
static int kind_of(lua_State* L)
{
    for (int kind = 1; kind < LUAX_KINDS; kind++)
        if (luax_is_kind(L, 1, (luax_kind)kind)) {
            lua_pushstring(L, luax_types[kind].name + strlen("anim."));
            return 1;
        }
    lua_pushnil(L);
    return 1;
}

// The tables of methods of Graph, Node, Param and Clip.
static int methods(lua_State* L)
{
    static const luax_kind kinds[] = {LUAX_GRAPH, LUAX_NODE, LUAX_PARAM};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        lua_rawgeti(L, LUAX_TYPES, (int)kinds[i]);
        lua_getfield(L, -1, "__index");
        lua_remove(L, -2);
    }
    return 3;
}

// graph -> the table that goes with it for the Lua side
static int user(lua_State* L)
{
    luax_holder_at(L, 1);
    luax_graph_user(L, 1, LUAX_USER_LUA);
    return 1;
}

static int is_updating(lua_State* L)
{
    lua_pushboolean(L, luax_holder_at(L, 1)->graph->locked);
    return 1;
}

// node -> graph, place. Or, with a graph as second argument: the place, nil if it is of another graph.
static int place_of(lua_State* L)
{
    const luax_node* node = luax_built_node_at(L, 1);
    if (luax_is_given(L, 2)) {
        if (node->holder == luax_holder_at(L, 2))
            lua_pushinteger(L, (lua_Integer)node->place + 1);
        else
            lua_pushnil(L);
        return 1;
    }
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, 1);
    lua_pushinteger(L, (lua_Integer)node->place + 1);
    return 2;
}

static void push_place(lua_State* L, uint32_t place)
{
    if (place == ANIM_NO_NODE)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)place + 1);
}

// graph, place -> Node
static int node_at(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    luax_push_node(L, 1, holder, luax_place_at(L, 2, holder->graph->topology));
    return 1;
}

// graph, name -> place of a node
static int find_place(lua_State* L)
{
    const anim_topology* t = luax_holder_at(L, 1)->graph->topology;
    const char* name = luax_text(L, 2, LUAX_ARG(2));
    push_place(L, name[0] ? anim_topology_find(t, name) : ANIM_NO_NODE);
    return 1;
}

static int root_place(lua_State* L)
{
    push_place(L, luax_holder_at(L, 1)->graph->topology->root);
    return 1;
}

// graph, name -> index of a parameter, its kind
static int find_param(lua_State* L)
{
    static const char* const kinds[] = {"number", "boolean", "trigger"};
    const anim_topology* t = luax_holder_at(L, 1)->graph->topology;
    int32_t param = anim_topology_find_param(t, luax_text(L, 2, LUAX_ARG(2)));
    if (param < 0)
        return 0;
    lua_pushinteger(L, param + 1);
    lua_pushstring(L, kinds[t->params[param].kind]);
    return 2;
}

// graph, index -> Param
static int param_at(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    uint32_t count = holder->graph->topology->param_count;
    luax_push_param(L, 1, holder, (uint32_t)luax_index(L, 2, LUAX_ARG(2), count) - 1);
    return 1;
}

// Param -> graph, index
static int index_of(lua_State* L)
{
    const luax_param* param = luax_object(L, 1, LUAX_ARG(1), LUAX_PARAM);
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, 1);
    lua_pushinteger(L, (lua_Integer)param->index + 1);
    return 2;
}

// --- names ------------------------------------------------------------------------------------------

// table -> list of its keys, which are names, in byte order
static int names(lua_State* L)
{
    lua_settop(L, 1);
    luax_scratch scratch = luax_new_scratch(L);
    uint32_t count;
    const luax_map_key* keys = luax_map(L, 1, LUAX_ARG(1), false, scratch.arena, &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushstring(L, keys[i].name);
        lua_rawseti(L, -2, (int)i + 1);
    }
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}

// name, list of names -> "; did you mean 'x'?" or ""
static int did_you_mean(lua_State* L)
{
    const char* name = lua_tostring(L, 1);
    lua_settop(L, 2);
    luax_scratch scratch = luax_new_scratch(L);
    uint32_t count = luax_list(L, 2, LUAX_ARG(2));
    const char** texts = luax_alloc(L, scratch.arena, count, sizeof *texts);
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (int)i + 1);
        texts[i] = lua_tostring(L, -1); // still in the list
        lua_pop(L, 1);
    }
    anim_names known = luax_index_names(L, scratch.arena, texts, count);
    char hint[128];
    lua_pushstring(L, name ? luax_did_you_mean(&known, name, hint) : "");
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}

// --- the graph as tables ----------------------------------------------------------------------------

double luax_shortest(float x)
{
    char text[32];
    double wide = (double)x;
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, wide);
        if (strtof(text, NULL) == x)
            return strtod(text, NULL);
    }
    return wide;
}

// The number, or the name of the parameter.
static void set_source(lua_State* L, const char* key, const anim_topology* t,
                       const anim_source* source)
{
    if (source->param == ANIM_NO_PARAM)
        luax_put_number(L, key, luax_shortest(source->value));
    else
        luax_put_string(L, key, t->params[source->param].name);
}

static void push_input(lua_State* L, const anim_topology* t, const anim_input* input)
{
    lua_createtable(L, 0, 12);
    push_place(L, input->node);
    lua_setfield(L, -2, "node");
    set_source(L, "weight", t, &input->weight);
    luax_put_boolean(L, "followsParam", input->weight.param != ANIM_NO_PARAM);
    luax_put_number(L, "speed", luax_shortest(input->speed));
    luax_put_number(L, "x", luax_shortest(input->x));
    luax_put_number(L, "y", luax_shortest(input->y));
    luax_put_number(L, "fade", luax_shortest(input->fade));
    luax_put_boolean(L, "additive", input->mode == ANIM_LAYER_ADDITIVE);
    luax_put_boolean(L, "modelSpace", input->model_space);
    luax_put_boolean(L, "sparse", input->sparse);
    if (input->mask) {
        luax_push(L, LUAX_MASK, input->mask);
        lua_setfield(L, -2, "mask");
    }
    if (input->reference) {
        luax_push(L, LUAX_CLIP, input->reference);
        lua_setfield(L, -2, "reference");
        luax_put_number(L, "referenceTime", luax_shortest(input->reference_time));
    }
}

static void set_blend(lua_State* L, const anim_topology* t, const anim_node* node)
{
    static const char* const modes[] = {"simple",       "directional", "cartesian",
                                        "triangulated", "grid",        "idw"};
    if (node->x >= 0)
        luax_put_string(L, "x", t->params[node->x].name);
    if (node->y >= 0)
        luax_put_string(L, "y", t->params[node->y].name);
    luax_put_boolean(L, "matchSpeed", node->match_speed);
    luax_put_string(L, "mode", modes[node->mode]);
    luax_put_number(L, "power", luax_shortest(node->power));
    luax_put_boolean(L, "manhattan", node->manhattan);
}

static void set_clip(lua_State* L, const anim_node* node)
{
    if (node->clip) {
        luax_push(L, LUAX_CLIP, node->clip);
        lua_setfield(L, -2, "clip");
    }
    if (node->loop == ANIM_LOOP_PINGPONG)
        luax_put_string(L, "loop", "pingpong");
    else if (node->loop >= 0)
        luax_put_boolean(L, "loop", node->loop == ANIM_LOOP_REPEAT);
    if (node->start >= 0)
        luax_put_number(L, "start", node->start);
    luax_put_number(L, "minWeight", luax_shortest(node->min_weight));
    luax_put_boolean(L, "followers", node->followers);
}

static void set_pose(lua_State* L, const anim_topology* t, const anim_node* node)
{
    luax_box* box = luax_new(L, LUAX_POSE);
    anim_pose* pose = anim_pose_create(t->skeleton);
    if (!pose)
        luaL_error(L, "not enough memory");
    luax_fill(L, LUAX_POSE, box, pose);
    memcpy(pose->groups, node->pose, t->skeleton->group_count * sizeof *pose->groups);
    lua_setfield(L, -2, "pose");
}

// Into the table at the top.
static void set_functions(lua_State* L, const anim_node* node)
{
    luax_graph_user(L, 1, LUAX_USER_SCRIPTS);
    lua_pushnumber(L, (lua_Number)node->uid);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    lua_rawgeti(L, -1, 1);
    lua_setfield(L, -3, "update");
    lua_rawgeti(L, -1, 2);
    lua_setfield(L, -3, "pose");
    lua_pop(L, 1);
}

static void set_player(lua_State* L, const anim_node* node)
{
    double seed;
    memcpy(&seed, &node->seed, sizeof seed);
    luax_put_number(L, "fadeIn", luax_shortest(node->fade));
    luax_put_number(L, "fadeOut", luax_shortest(node->fade_out));
    luax_put_number(L, "seed", seed);
    luax_put_boolean(L, "avoidRepeat", node->avoid_repeat);
    luax_put_string(L, "every", node->every_enter ? "enter" : "loop");
    luax_put_boolean(L, "repeats", node->queue_loop);
}

// graph, place -> table, nil where the place is free
static int read_node(lua_State* L)
{
    const anim_topology* t = luax_holder_at(L, 1)->graph->topology;
    const anim_node* node = &t->nodes[luax_place_at(L, 2, t)];
    if (node->uid == 0)
        return 0;
    lua_createtable(L, 0, 20);
    luax_put_string(L, "type", luax_kinds[node->kind]);
    luax_put_string(L, "name", node->name);
    luax_put_boolean(L, "inlined", node->inlined);
    luax_put_number(L, "uid", (double)node->uid);
    push_place(L, node->parent);
    lua_setfield(L, -2, "parent");
    set_source(L, "speed", t, &node->speed);
    luax_put_boolean(L, "sync", node->sync);
    luax_put_boolean(L, "normalize", node->normalize);
    luax_put_string(L, "fallback", node->fallback == ANIM_FALLBACK_REST ? "rest" : "first");
    if (node->kind == ANIM_KIND_BLEND1D || node->kind == ANIM_KIND_BLEND2D)
        set_blend(L, t, node);
    if (node->kind == ANIM_KIND_CLIP)
        set_clip(L, node);
    if (node->kind == ANIM_KIND_POSE && node->pose)
        set_pose(L, t, node);
    if (node->kind == ANIM_KIND_SCRIPT)
        set_functions(L, node);
    if (anim_node_is_shot_or_player(node))
        set_player(L, node);
    lua_createtable(L, (int)node->input_count, 0);
    for (uint32_t i = 0; i < node->input_count; i++) {
        push_input(L, t, &node->inputs[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "inputs");
    return 1;
}

static int count_nodes(lua_State* L)
{
    lua_pushinteger(L, (lua_Integer)luax_holder_at(L, 1)->graph->topology->node_count);
    return 1;
}

// graph -> list of parameters
static int read_params(lua_State* L)
{
    static const char* const kinds[] = {"number", "boolean", "trigger"};
    const anim_topology* t = luax_holder_at(L, 1)->graph->topology;
    lua_createtable(L, (int)t->param_count, 0);
    for (uint32_t i = 0; i < t->param_count; i++) {
        const anim_param* p = &t->params[i];
        lua_createtable(L, 0, 7);
        luax_put_string(L, "name", p->name);
        luax_put_string(L, "kind", kinds[p->kind]);
        luax_put_number(L, "initial", p->initial);
        luax_put_number(L, "smooth", p->smooth);
        luax_put_number(L, "deadZone", p->dead_zone);
        if (p->kind == ANIM_PARAM_TRIGGER && p->life >= 0)
            luax_put_number(L, "life", p->life);
        lua_createtable(L, 2 * (int)p->curve_count, 0);
        for (uint32_t k = 0; k < 2 * p->curve_count; k++) {
            lua_pushnumber(L, luax_shortest(p->curve[k]));
            lua_rawseti(L, -2, (int)k + 1);
        }
        lua_setfield(L, -2, "curve");
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// graph, place, input -> the weight it has and the one it moves to
static int input_weight(lua_State* L)
{
    const anim_graph* graph = luax_graph_at(L, 1)->graph;
    uint32_t place = luax_place_at(L, 2, graph->topology);
    const anim_node* node = &graph->topology->nodes[place];
    uint32_t input = (uint32_t)luax_index(L, 3, LUAX_ARG(3), node->input_count) - 1;
    float weight, goal;
    anim_node_get_input_weight(graph, place, input, &weight, &goal);
    lua_pushnumber(L, (lua_Number)weight);
    lua_pushnumber(L, (lua_Number)goal);
    return 2;
}

// graph -> whether it ever advanced, and the seconds it did
static int read_clock(lua_State* L)
{
    const anim_graph* graph = luax_graph_at(L, 1)->graph;
    lua_pushboolean(L, anim_graph_has_advanced(graph));
    lua_pushnumber(L, anim_graph_get_clock(graph));
    return 2;
}

// graph -> list of queued events, lost, skipped
static int read_events(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    const anim_event_queue* queue = &holder->graph->events;
    lua_createtable(L, (int)queue->count, 0);
    for (uint32_t i = 0; i < queue->count; i++) {
        const anim_happening* item = &queue->items[i];
        lua_createtable(L, 0, 4);
        luax_put_string(L, "name", luax_event_name(item));
        if (item->clip)
            luax_put_string(L, "clip", item->clip->name);
        luax_put_number(L, "time", item->time);
        luax_put_number(L, "weight", (double)item->weight);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_pushnumber(L, (lua_Number)queue->lost);
    lua_pushnumber(L, (lua_Number)queue->skipped);
    return 3;
}

const luaL_Reg luax_read_functions[] = {
    {"kindOf", kind_of},
    {"methods", methods},
    {"user", user},
    {"isUpdating", is_updating},
    {"placeOf", place_of},
    {"nodeAt", node_at},
    {"findPlace", find_place},
    {"rootPlace", root_place},
    {"findParam", find_param},
    {"paramAt", param_at},
    {"indexOf", index_of},
    {"names", names},
    {"didYouMean", did_you_mean},
    {"readNode", read_node},
    {"countNodes", count_nodes},
    {"readParams", read_params},
    {"readEvents", read_events},
    {"inputWeight", input_weight},
    {"readClock", read_clock},
    {NULL, NULL},
};
