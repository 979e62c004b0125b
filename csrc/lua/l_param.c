// SPDX-License-Identifier: MIT
// anim.Param, and parameters by name.
#include "lua/graph.h"
#include "lua/objects.h"

#include "base/mem.h"

void luax_drop_param(void* object)
{
    luax_param* param = object;
    luax_release_holder(param->holder);
    anim_mem_free(param);
}

void luax_push_param(lua_State* L, int self, luax_graph* holder, uint32_t index)
{
    luax_graph_user(L, self, LUAX_USER_PARAMS);
    lua_rawgeti(L, -1, (int)index + 1);
    if (luax_is_kind(L, -1, LUAX_PARAM) && ((luax_box*)lua_touserdata(L, -1))->object) {
        lua_remove(L, -2);
        return;
    }
    lua_pop(L, 1);
    luax_box* box = luax_new(L, LUAX_PARAM);
    luax_get_user(L, -1);
    lua_pushvalue(L, self); // keeps the graph
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
    luax_param* param = anim_mem_alloc(sizeof *param);
    if (!param)
        luaL_error(L, "not enough memory");
    *param = (luax_param){holder, index};
    holder->refs++;
    luax_fill(L, LUAX_PARAM, box, param);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, (int)index + 1);
    lua_remove(L, -2);
}

void luax_param_set(lua_State* L, anim_graph* graph, uint32_t index, int value)
{
    const anim_param* param = &graph->topology->params[index];
    if (param->kind == ANIM_PARAM_NUMBER)
        anim_graph_set_number(graph, index, luax_number(L, value, LUAX_ARG(value)));
    else if (param->kind == ANIM_PARAM_BOOLEAN || lua_isboolean(L, value))
        anim_graph_set_number(graph, index, luax_boolean(L, value, LUAX_ARG(value)));
    else
        luax_expected(L, value, LUAX_ARG(value), "true or false (a trigger)");
}

int luax_param_get(lua_State* L, const anim_graph* graph, uint32_t index)
{
    double value = anim_graph_get_number(graph, index);
    if (graph->topology->params[index].kind == ANIM_PARAM_NUMBER)
        lua_pushnumber(L, value);
    else
        lua_pushboolean(L, value != 0);
    return 1;
}

void luax_param_fire(lua_State* L, anim_graph* graph, uint32_t index, bool set)
{
    const anim_param* param = &graph->topology->params[index];
    if (param->kind != ANIM_PARAM_TRIGGER)
        luaL_error(L, "parameter '%s' is no trigger", param->name);
    anim_graph_set_number(graph, index, set);
}

static luax_param* self(lua_State* L)
{
    luax_param* param = luax_self(L, LUAX_PARAM);
    if (!param->holder->graph || param->holder->doomed)
        luaL_error(L, "attempt to use a parameter of a released anim.Graph");
    if (param->holder->graph->edited_from)
        luaL_error(L, "the graph is being built");
    return param;
}

static int set(lua_State* L)
{
    luax_param* param = self(L);
    luax_param_set(L, param->holder->graph, param->index, 2);
    return 0;
}

static int get(lua_State* L)
{
    luax_param* param = self(L);
    return luax_param_get(L, param->holder->graph, param->index);
}

static int get_target(lua_State* L)
{
    luax_param* param = self(L);
    double value = anim_graph_get_target(param->holder->graph, param->index);
    if (param->holder->graph->topology->params[param->index].kind == ANIM_PARAM_NUMBER)
        lua_pushnumber(L, value);
    else
        lua_pushboolean(L, value != 0);
    return 1;
}

static int fire(lua_State* L)
{
    luax_param* param = self(L);
    luax_param_fire(L, param->holder->graph, param->index, true);
    return 0;
}

static int cancel(lua_State* L)
{
    luax_param* param = self(L);
    luax_param_fire(L, param->holder->graph, param->index, false);
    return 0;
}

static int get_graph(lua_State* L)
{
    self(L);
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, 1);
    return 1;
}

static int get_name(lua_State* L)
{
    luax_param* param = self(L);
    lua_pushstring(L, param->holder->graph->topology->params[param->index].name);
    return 1;
}

static int to_string(lua_State* L)
{
    luax_param* param = luax_self_or_released(L, LUAX_PARAM);
    if (!param)
        return 1;
    if (!param->holder->graph || param->holder->graph->edited_from)
        lua_pushliteral(L, "anim.Param");
    else
        lua_pushfstring(L, "anim.Param: %s",
                        param->holder->graph->topology->params[param->index].name);
    return 1;
}

const luaL_Reg luax_param_methods[] = {
    {"set", set},       {"get", get},          {"getTarget", get_target}, {"fire", fire},
    {"cancel", cancel}, {"getName", get_name}, {"getGraph", get_graph},   {"__tostring", to_string},
    {NULL, NULL},
};
