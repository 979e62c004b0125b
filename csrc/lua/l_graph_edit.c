// SPDX-License-Identifier: MIT
// Building and editing for lua/anim/graph: a graph is opened (begin), changed piece by piece, and closed
// (finish, or cancel, which leaves it as it was). Places and inputs count from 1. What the core refuses is
// given back as nil and its message, since the Lua side knows where in the description it happened.
#include "lua/clip.h"
#include "lua/graph.h"
#include "lua/objects.h"
#include "lua/table.h"

#include <string.h>

static anim_graph* open_graph(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    if (!holder->graph->edited_from)
        luaL_error(L, "the graph is not being edited");
    return holder->graph;
}

static int done(lua_State* L, anim_code code, const anim_error* err)
{
    if (code)
        return luax_return_error(L, err);
    lua_pushboolean(L, 1);
    return 1;
}

// A node by its place at `index`.
static uint32_t place_at(lua_State* L, int index, const anim_topology* t)
{
    uint32_t place = luax_place_at(L, index, t);
    if (t->nodes[place].uid == 0)
        luax_fail(L, LUAX_ARG(index), "there is no such node");
    return place;
}

static uint32_t optional_place_at(lua_State* L, int index, const anim_topology* t)
{
    return luax_is_given(L, index) ? place_at(L, index, t) : ANIM_NO_NODE;
}

static uint32_t input_at(lua_State* L, int index, const anim_node* node)
{
    return (uint32_t)luax_index(L, index, LUAX_ARG(index), node->input_count) - 1;
}

// --- begin and end ----------------------------------------------------------------------------------

static int begin(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    anim_error err;
    return done(L, anim_graph_edit_begin(holder->graph, &err), &err);
}

static int cancel(lua_State* L)
{
    anim_graph_edit_cancel(open_graph(L));
    return 0;
}

// Pushes what is known of a clip: its userdata, then name and data of each event.
static void push_clip_entry(lua_State* L, anim_clip* clip)
{
    lua_createtable(L, 1 + 2 * (int)clip->event_count, 0);
    int entry = lua_gettop(L);
    luax_push(L, LUAX_CLIP, clip);
    for (uint32_t i = 0; i < clip->event_count; i++) {
        lua_pushstring(L, anim_clip_event_name(clip, i));
        lua_rawseti(L, entry, 2 + 2 * (int)i);
        luax_push_value(L, &clip->events[i].data, entry + 1);
        lua_rawseti(L, entry, 3 + 2 * (int)i);
    }
    lua_rawseti(L, entry, 1);
}

// Into the table at the top; what is in the one below it is taken over.
static void keep_clip(lua_State* L, anim_clip* clip)
{
    if (!clip)
        return;
    lua_pushnumber(L, (lua_Number)clip->serial);
    lua_pushvalue(L, -1);
    lua_rawget(L, -4);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        push_clip_entry(L, clip);
    }
    lua_rawset(L, -3);
}

static void keep_clips(lua_State* L, const luax_graph* holder)
{
    const anim_topology* t = holder->graph->topology;
    const anim_event_queue* queue = &holder->graph->events;
    luax_graph_user(L, 1, LUAX_USER_CLIPS);
    lua_newtable(L);
    for (uint32_t i = 0; i < t->node_count; i++) {
        keep_clip(L, t->nodes[i].clip);
        for (uint32_t k = 0; k < t->nodes[i].input_count; k++)
            keep_clip(L, t->nodes[i].inputs[k].reference);
    }
    for (uint32_t i = 0; i < queue->count; i++)
        keep_clip(L, queue->items[i].clip);
    if (holder->telling)
        keep_clip(L, holder->told.clip);
    luax_get_user(L, 1);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, LUAX_USER_CLIPS);
    lua_pop(L, 3);
}

// A new table each time: clones share it.
static void keep_scripts(lua_State* L, const anim_topology* t)
{
    luax_graph_user(L, 1, LUAX_USER_SCRIPTS);
    lua_newtable(L);
    for (uint32_t i = 0; i < t->node_count; i++) {
        anim_kind kind = t->nodes[i].kind;
        if (t->nodes[i].uid == 0 || (kind != ANIM_KIND_SCRIPT && kind != ANIM_KIND_FOOT))
            continue;
        lua_pushnumber(L, (lua_Number)t->nodes[i].uid);
        lua_pushvalue(L, -1);
        lua_rawget(L, -4);
        lua_rawset(L, -3);
    }
    luax_get_user(L, 1);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, LUAX_USER_SCRIPTS);
    lua_pop(L, 3);
}

// true; or nil, message and the place of the node that is to blame, if one is.
static int finish(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    anim_graph* graph = open_graph(L);
    anim_error err;
    if (anim_graph_edit_end(graph, &err)) {
        luax_return_error(L, &err);
        if (graph->failed == ANIM_NO_NODE)
            return 2;
        lua_pushinteger(L, (lua_Integer)graph->failed + 1);
        return 3;
    }
    holder->stale = true;
    lua_settop(L, 1);
    keep_clips(L, holder);
    keep_scripts(L, graph->topology);
    luax_keep_conditions(L, graph->topology);
    lua_pushboolean(L, 1);
    return 1;
}

// --- nodes and links --------------------------------------------------------------------------------

// graph, kind, name or nil, inlined -> place
static int add_node(lua_State* L)
{
    anim_graph* graph = open_graph(L);
    anim_kind kind = (anim_kind)luax_choice(L, 2, LUAX_ARG(2), luax_kinds);
    const char* name = luax_is_given(L, 3) ? luax_name(L, 3, LUAX_ARG(3)) : NULL;
    uint32_t place;
    anim_error err;
    if (anim_topology_add_node(graph->topology, kind, name, &place, &err))
        return luax_return_error(L, &err);
    graph->topology->nodes[place].inlined = lua_toboolean(L, 4);
    lua_pushinteger(L, (lua_Integer)place + 1);
    return 1;
}

static int remove_node(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    anim_topology_remove_node(t, place_at(L, 2, t));
    return 0;
}

// graph, place, at, child or nil
static int insert_input(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    uint32_t place = place_at(L, 2, t);
    uint32_t at = (uint32_t)luax_index(L, 3, LUAX_ARG(3), t->nodes[place].input_count + 1) - 1;
    bool is_layer = t->nodes[place].kind == ANIM_KIND_LAYERS;
    const anim_input input = {.node = optional_place_at(L, 4, t),
                              .weight = {is_layer ? 1 : 0, ANIM_NO_PARAM},
                              .speed = 1,
                              .fade = 0.2f,
                              .sparse = true};
    anim_error err;
    return done(L, anim_topology_insert_input(t, place, at, &input, &err), &err);
}

// graph, place, input, child or nil
static int set_child(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    uint32_t place = place_at(L, 2, t), input = input_at(L, 3, &t->nodes[place]);
    anim_error err;
    return done(L, anim_topology_set_child(t, place, input, optional_place_at(L, 4, t), &err),
                &err);
}

static int remove_input(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    uint32_t place = place_at(L, 2, t);
    anim_topology_remove_input(t, place, input_at(L, 3, &t->nodes[place]));
    return 0;
}

static int set_root(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    uint32_t root = optional_place_at(L, 2, t);
    if (root != ANIM_NO_NODE && t->nodes[root].parent != ANIM_NO_NODE) {
        lua_pushnil(L);
        lua_pushliteral(L, "the node has a parent already");
        return 2;
    }
    t->root = root;
    lua_pushboolean(L, 1);
    return 1;
}

// --- fields of nodes and inputs ---------------------------------------------------------------------

static const char* const blend_modes[] = {"simple", "directional", "cartesian", "triangulated",
                                          "grid",   "idw",         NULL};
static const char* const metrics[] = {"euclidean", "manhattan", NULL};
static const char* const fallbacks[] = {"first", "rest", NULL};
static const char* const layer_modes[] = {"override", "additive", NULL};
static const char* const spaces[] = {"local", "model", NULL};

static int32_t param_at(lua_State* L, int index, const anim_topology* t)
{
    return luax_index(L, index, LUAX_ARG(index), t->param_count) - 1;
}

// A finite number, or { index of a parameter }.
static anim_source source_at(lua_State* L, int index, const anim_topology* t)
{
    if (!lua_istable(L, index))
        return (anim_source){luax_float(L, index, LUAX_ARG(index)), ANIM_NO_PARAM};
    lua_rawgeti(L, index, 1);
    anim_source source = {1, luax_index(L, -1, LUAX_ARG(index), t->param_count) - 1};
    lua_pop(L, 1);
    return source;
}

static int refuse(lua_State* L, const char* what)
{
    lua_pushnil(L);
    lua_pushstring(L, what);
    return 2;
}

static int set_clip(lua_State* L, anim_topology* t, uint32_t place, int value)
{
    anim_clip* clip = luax_object(L, value, LUAX_ARG(value), LUAX_CLIP);
    if (!anim_skeleton_same(clip->keys->skeleton, t->skeleton)) {
        lua_pushnil(L);
        lua_pushfstring(L,
                        "clip '%s' belongs to another skeleton; clip:retarget makes one for this",
                        clip->name);
        return 2;
    }
    anim_topology_set_clip(t, place, clip);
    return 0;
}

static int set_pose(lua_State* L, anim_topology* t, uint32_t place, int value)
{
    const anim_pose* pose = luax_object(L, value, LUAX_ARG(value), LUAX_POSE);
    if (!anim_skeleton_same(pose->skeleton, t->skeleton))
        return refuse(L, "pose of the graph's skeleton expected, got one of another");
    if (pose->additive)
        return refuse(L, "pose of transforms expected, got one of additive deltas");
    anim_error err;
    if (anim_topology_set_pose(t, place, pose->groups, &err))
        return luax_return_error(L, &err);
    return 0;
}

enum { key_at = 3, value_at = 4 };

static int set_clip_field(lua_State* L, anim_topology* t, uint32_t place, const char* key)
{
    anim_node* node = &t->nodes[place];
    const luax_place* at = LUAX_ARG(value_at);
    if (strcmp(key, "clip") == 0)
        return set_clip(L, t, place, value_at);
    if (strcmp(key, "pose") == 0)
        return set_pose(L, t, place, value_at);
    if (strcmp(key, "loop") == 0)
        node->loop = lua_isnil(L, value_at) ? -1 : (int32_t)luax_loop(L, value_at, at);
    else if (strcmp(key, "start") == 0)
        node->start = luax_number(L, value_at, at);
    else if (strcmp(key, "minWeight") == 0)
        node->min_weight = luax_float(L, value_at, at);
    else if (strcmp(key, "followers") == 0)
        node->followers = luax_boolean(L, value_at, at);
    else
        luax_fail(L, LUAX_ARG(key_at), "unknown key '%.64s'", key);
    return 0;
}

static int set_node_field(lua_State* L, anim_topology* t, uint32_t place, const char* key)
{
    anim_node* node = &t->nodes[place];
    const luax_place* at = LUAX_ARG(value_at);
    if (strcmp(key, "speed") == 0)
        node->speed = source_at(L, value_at, t);
    else if (strcmp(key, "sync") == 0)
        node->sync = luax_boolean(L, value_at, at);
    else if (strcmp(key, "normalize") == 0)
        node->normalize = luax_boolean(L, value_at, at);
    else if (strcmp(key, "fallback") == 0)
        node->fallback = (anim_fallback)luax_choice(L, value_at, at, fallbacks);
    else if (strcmp(key, "matchSpeed") == 0)
        node->match_speed = luax_boolean(L, value_at, at);
    else if (strcmp(key, "x") == 0)
        node->x = param_at(L, value_at, t);
    else if (strcmp(key, "y") == 0)
        node->y = param_at(L, value_at, t);
    else if (strcmp(key, "mode") == 0)
        node->mode = (anim_blend_mode)luax_choice(L, value_at, at, blend_modes);
    else if (strcmp(key, "power") == 0)
        node->power = luax_float(L, value_at, at);
    else if (strcmp(key, "metric") == 0)
        node->manhattan = luax_choice(L, value_at, at, metrics) == 1;
    else if (anim_node_is_shot_or_player(node))
        luax_set_player(L, node, key, value_at);
    else
        return set_clip_field(L, t, place, key);
    return 0;
}

// graph, place, key, value -> true, or nil and a message
static int set(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    lua_settop(L, value_at);
    uint32_t place = place_at(L, 2, t);
    int refused = set_node_field(L, t, place, luax_text(L, key_at, LUAX_ARG(key_at)));
    lua_pushboolean(L, 1);
    return refused ? (lua_pop(L, 1), refused) : 1;
}

static int set_mask(lua_State* L, anim_topology* t, uint32_t place, uint32_t input)
{
    anim_mask* mask = NULL;
    if (luax_is_given(L, 5))
        mask = luax_object(L, 5, LUAX_ARG(5), LUAX_MASK);
    if (mask && !anim_skeleton_same(mask->skeleton, t->skeleton))
        return refuse(L, "mask of the graph's skeleton expected, got one of another");
    anim_topology_set_mask(t, place, input, mask);
    lua_pushboolean(L, 1);
    return 1;
}

static int set_reference(lua_State* L, anim_topology* t, uint32_t place, uint32_t input)
{
    anim_clip* clip = luax_object(L, 5, LUAX_ARG(5), LUAX_CLIP);
    float time = luax_is_given(L, 6) ? luax_float(L, 6, LUAX_ARG(6)) : 0;
    if (!anim_skeleton_same(clip->keys->skeleton, t->skeleton))
        return refuse(L, "reference of the graph's skeleton expected, got one of another");
    if (clip->keys->additive)
        return refuse(L, "reference expected, got an additive clip");
    anim_topology_set_reference(t, place, input, clip, time);
    lua_pushboolean(L, 1);
    return 1;
}

// graph, place, input, key, value -> true, or nil and a message
static int set_of_input(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    lua_settop(L, 6);
    uint32_t place = place_at(L, 2, t), at = input_at(L, 3, &t->nodes[place]);
    const char* key = luax_text(L, 4, LUAX_ARG(4));
    anim_input* input = &t->nodes[place].inputs[at];
    const luax_place* value = LUAX_ARG(5);
    if (strcmp(key, "mask") == 0)
        return set_mask(L, t, place, at);
    if (strcmp(key, "reference") == 0)
        return set_reference(L, t, place, at);
    if (strcmp(key, "weight") == 0)
        input->weight = source_at(L, 5, t);
    else if (strcmp(key, "speed") == 0)
        input->speed = luax_float(L, 5, value);
    else if (strcmp(key, "x") == 0)
        input->x = luax_float(L, 5, value);
    else if (strcmp(key, "y") == 0)
        input->y = luax_float(L, 5, value);
    else if (strcmp(key, "fade") == 0)
        input->fade = luax_float(L, 5, value);
    else if (strcmp(key, "mode") == 0)
        input->mode = (anim_layer_mode)luax_choice(L, 5, value, layer_modes);
    else if (strcmp(key, "space") == 0)
        input->model_space = luax_choice(L, 5, value, spaces) == 1;
    else if (strcmp(key, "sparse") == 0)
        input->sparse = luax_boolean(L, 5, value);
    else
        luax_fail(L, LUAX_ARG(4), "unknown key '%.64s'", key);
    lua_pushboolean(L, 1);
    return 1;
}

// graph, place, update or nil, pose or nil, ground or nil
static int set_script(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    enum { first = 3, last = 5, user, scripts, before };
    lua_settop(L, last);
    anim_node* node = &t->nodes[place_at(L, 2, t)];
    node->has_update = lua_isfunction(L, 3);
    node->has_pose = lua_isfunction(L, 4);
    luax_get_user(L, 1);
    lua_newtable(L); // a copy, since clones share the table
    lua_rawgeti(L, user, LUAX_USER_SCRIPTS);
    for (lua_pushnil(L); lua_next(L, before);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, scripts);
    }
    lua_pushnumber(L, (lua_Number)node->uid);
    lua_createtable(L, 3, 0);
    for (int i = first; i <= last; i++) {
        lua_pushvalue(L, i);
        lua_rawseti(L, -2, i - first + 1);
    }
    lua_rawset(L, scripts);
    lua_pushvalue(L, scripts);
    lua_rawseti(L, user, LUAX_USER_SCRIPTS);
    lua_rawgeti(L, user, LUAX_USER_POSE);
    if (!luax_is_kind(L, -1, LUAX_POSE)) {
        luax_new(L, LUAX_POSE);
        lua_rawseti(L, user, LUAX_USER_POSE);
    }
    return 0;
}

// --- parameters -------------------------------------------------------------------------------------

static const char* const param_kinds[] = {"number", "boolean", "trigger", NULL};

// graph, name, kind, initial -> index
static int add_param(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    anim_param param = {.name = luax_name(L, 2, LUAX_ARG(2)), .life = -1};
    param.kind = (anim_param_kind)luax_choice(L, 3, LUAX_ARG(3), param_kinds);
    param.initial = luax_number(L, 4, LUAX_ARG(4));
    uint32_t index;
    anim_error err;
    if (anim_topology_add_param(t, &param, &index, &err))
        return luax_return_error(L, &err);
    lua_pushinteger(L, (lua_Integer)index + 1);
    return 1;
}

// graph, index, key, value: smooth, deadZone, life, or curve (a flat list of x and y)
static int shape_param(lua_State* L)
{
    anim_topology* t = open_graph(L)->topology;
    anim_param* param = &t->params[param_at(L, 2, t)];
    const char* key = luax_text(L, 3, LUAX_ARG(3));
    if (strcmp(key, "curve") == 0) {
        luax_scratch scratch = luax_new_scratch(L);
        uint32_t count;
        float* points = luax_floats(L, 4, LUAX_ARG(4), scratch.arena, &count);
        anim_error err;
        anim_code code = anim_param_set_curve(param, points, count / 2, &err);
        luax_empty(LUAX_SCRATCH, scratch.box);
        return done(L, code, &err);
    }
    double value = luax_number(L, 4, LUAX_ARG(4));
    if (strcmp(key, "smooth") == 0)
        param->smooth = value;
    else if (strcmp(key, "deadZone") == 0)
        param->dead_zone = value;
    else if (strcmp(key, "life") == 0)
        param->life = value;
    else
        luax_fail(L, LUAX_ARG(3), "unknown key '%.64s'", key);
    lua_pushboolean(L, 1);
    return 1;
}

// graph, index: the value is made again from what was set, after another shape was given
static int reshape_param(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    uint32_t index = (uint32_t)param_at(L, 2, graph->topology);
    if (graph->topology->params[index].kind == ANIM_PARAM_NUMBER)
        anim_graph_set_number(graph, index, anim_graph_get_target(graph, index));
    return 0;
}

// --- after an edit ----------------------------------------------------------------------------------

// graph, place, phase: see anim_node_refit
static int refit(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    uint32_t place = place_at(L, 2, graph->topology);
    if (graph->topology->nodes[place].kind != ANIM_KIND_CLIP)
        luax_fail(L, LUAX_ARG(2), "clip node expected");
    anim_node_refit(graph, place, luax_number(L, 3, LUAX_ARG(3)));
    return 0;
}

// graph, place, Pose -> whether it was written in place, which needs no edit: no clone shares the graph
static int write_pose(lua_State* L)
{
    anim_topology* t = luax_graph_at(L, 1)->graph->topology;
    anim_node* node = &t->nodes[place_at(L, 2, t)];
    const anim_pose* pose = luax_object(L, 3, LUAX_ARG(3), LUAX_POSE);
    bool fits = node->pose && !anim_ref_is_shared(&t->ref) && !pose->additive &&
                anim_skeleton_same(pose->skeleton, t->skeleton);
    if (fits)
        memcpy(node->pose, pose->groups, t->skeleton->group_count * sizeof *pose->groups);
    lua_pushboolean(L, fits);
    return 1;
}

// graph: faded nodes are to be told to `sweep` of its Lua table
static int enable_sweep(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    holder->sweeps = true;
    holder->swept = holder->graph->faded;
    luax_note_in_crowd(holder);
    return 0;
}

// graph, place -> whether the samples of a blend2D are fit; or nil and a message
static int check_space(lua_State* L)
{
    const anim_topology* t = open_graph(L)->topology;
    const anim_node* node = &t->nodes[place_at(L, 2, t)];
    luax_scratch scratch = luax_new_scratch(L);
    float* points = luax_alloc(L, scratch.arena, 2 * (size_t)node->input_count, sizeof *points);
    for (uint32_t i = 0; i < node->input_count; i++) {
        points[i] = node->inputs[i].x;
        points[i + node->input_count] = node->inputs[i].y;
    }
    const anim_blend_space_desc desc = {.mode = node->mode,
                                        .count = node->input_count,
                                        .x = points,
                                        .y = points + node->input_count,
                                        .power = node->power,
                                        .manhattan = node->manhattan};
    anim_blend_space* space = NULL;
    anim_error err;
    anim_code code = anim_blend_space_create(&desc, &space, &err);
    anim_blend_space_release(space);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return done(L, code, &err);
}

const luaL_Reg luax_edit_functions[] = {
    {"new", luax_new_graph},
    {"clone", luax_clone_graph},
    {"begin", begin},
    {"finish", finish},
    {"cancel", cancel},
    {"addNode", add_node},
    {"removeNode", remove_node},
    {"insertInput", insert_input},
    {"setChild", set_child},
    {"removeInput", remove_input},
    {"setRoot", set_root},
    {"set", set},
    {"setOfInput", set_of_input},
    {"setScript", set_script},
    {"addParam", add_param},
    {"shapeParam", shape_param},
    {"reshapeParam", reshape_param},
    {"refit", refit},
    {"writePose", write_pose},
    {"enableSweep", enable_sweep},
    {"checkSpace", check_space},
    {NULL, NULL},
};
