// SPDX-License-Identifier: MIT
// oneShot, random and queue nodes: what can be asked and done. Building, and what needs an edit (fire, push,
// clear), is in lua/anim/graph.
#include "lua/graph.h"
#include "lua/objects.h"
#include "lua/table.h"

#include <math.h>
#include <string.h>

// --- oneShot ----------------------------------------------------------------------------------------

int luax_shot_stop(lua_State* L)
{
    luax_node* node = luax_node_of(L, ANIM_KIND_ONE_SHOT);
    float fade = luax_is_given(L, 2) ? luax_float(L, 2, LUAX_ARG(2)) : luax_info(node)->fade_out;
    if (fade < 0)
        luax_expected(L, 2, LUAX_ARG(2), "number of 0 or more");
    anim_shot_stop(node->holder->graph, node->place, fade);
    return 0;
}

int luax_shot_is_active(lua_State* L)
{
    const luax_node* node = luax_node_of(L, ANIM_KIND_ONE_SHOT);
    lua_pushboolean(L, anim_shot_is_active(node->holder->graph, node->place));
    return 1;
}

// --- random, queue ----------------------------------------------------------------------------------

int luax_player_pick(lua_State* L)
{
    luax_node* node = luax_node_of(L, ANIM_KIND_RANDOM);
    uint32_t input = ANIM_NO_NODE;
    if (luax_is_given(L, 2))
        input = (uint32_t)luax_index(L, 2, LUAX_ARG(2), luax_info(node)->input_count) - 1;
    anim_player_pick(node->holder->graph, node->place, input);
    return 0;
}

int luax_player_skip(lua_State* L)
{
    luax_node* node = luax_node_of(L, ANIM_KIND_QUEUE);
    anim_player_skip(node->holder->graph, node->place);
    return 0;
}

// Of the input that plays; nil before the first update.
int luax_player_get_index(lua_State* L)
{
    const luax_node* node = luax_node_of(L, ANIM_KIND_QUEUE);
    uint32_t index = anim_player_get_index(node->holder->graph, node->place);
    if (index < luax_info(node)->input_count)
        lua_pushinteger(L, (lua_Integer)index + 1);
    else
        lua_pushnil(L);
    return 1;
}

// --- for lua/anim/graph -------------------------------------------------------------------------------

static uint32_t shot_at(lua_State* L, anim_graph* graph)
{
    uint32_t place = luax_place_at(L, 2, graph->topology);
    if (graph->topology->nodes[place].kind != ANIM_KIND_ONE_SHOT)
        luax_fail(L, LUAX_ARG(2), "oneShot node expected");
    return place;
}

// graph, place, speed, fade in, fade out
static int fire_shot(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    uint32_t place = shot_at(L, graph);
    float numbers[3];
    for (int i = 0; i < 3; i++)
        numbers[i] = luax_float(L, 3 + i, LUAX_ARG(3 + i));
    anim_shot_fire(graph, place, numbers[0], numbers[1], numbers[2]);
    return 0;
}

// Any number stands for a seed of its own.
static uint64_t seed_at(lua_State* L, int index)
{
    double seed = luax_number(L, index, LUAX_ARG(index)) + 0.0; // -0 is 0
    uint64_t bits;
    memcpy(&bits, &seed, sizeof bits);
    return bits;
}

void luax_set_player(lua_State* L, anim_node* node, const char* key, int value)
{
    static const char* const draws[] = {"loop", "enter", NULL};
    const luax_place* at = LUAX_ARG(value);
    if (strcmp(key, "fade") == 0 || strcmp(key, "fadeIn") == 0)
        node->fade = luax_float(L, value, at);
    else if (strcmp(key, "fadeOut") == 0)
        node->fade_out = luax_float(L, value, at);
    else if (strcmp(key, "seed") == 0)
        node->seed = seed_at(L, value);
    else if (strcmp(key, "avoidRepeat") == 0)
        node->avoid_repeat = luax_boolean(L, value, at);
    else if (strcmp(key, "every") == 0)
        node->every_enter = luax_choice(L, value, at, draws) == 1;
    else if (strcmp(key, "loop") == 0)
        node->queue_loop = luax_boolean(L, value, at);
    else
        luax_fail(L, LUAX_ARG(value), "unknown key '%.64s'", key);
}

// graph, number
static int seed_graph(lua_State* L)
{
    anim_graph_set_seed(luax_graph_at(L, 1)->graph, seed_at(L, 2));
    return 0;
}

const luaL_Reg luax_player_functions[] = {
    {"fireShot", fire_shot},
    {"seedGraph", seed_graph},
    {NULL, NULL},
};
