// SPDX-License-Identifier: MIT
// Machines: what their nodes can do, and conditions that are functions. Building is in l_machine_edit.c.
#include "lua/graph.h"
#include "lua/objects.h"
#include "lua/table.h"

#include <string.h>

static const double default_fade = 0.2;

static luax_node* self(lua_State* L)
{
    return luax_node_of(L, ANIM_KIND_MACHINE);
}

// --- states -----------------------------------------------------------------------------------------

static uint32_t find_state(const anim_node* machine, const char* name)
{
    for (uint32_t i = 0; i < machine->input_count; i++)
        if (machine->inputs[i].name && strcmp(machine->inputs[i].name, name) == 0)
            return i;
    return ANIM_NO_NODE;
}

uint32_t luax_state_at(lua_State* L, int index, const anim_node* machine)
{
    const char* name = luax_text(L, index, LUAX_ARG(index));
    uint32_t state = find_state(machine, name);
    if (state != ANIM_NO_NODE)
        return state;
    luax_scratch scratch = luax_new_scratch(L);
    const char** texts = luax_alloc(L, scratch.arena, machine->input_count, sizeof *texts);
    for (uint32_t i = 0; i < machine->input_count; i++)
        texts[i] = machine->inputs[i].name;
    anim_names names = luax_index_names(L, scratch.arena, texts, machine->input_count);
    char hint[128];
    luax_fail(L, LUAX_ARG(index), "no state '%.64s'%s", name,
              luax_did_you_mean(&names, name, hint));
}

void luax_push_state(lua_State* L, int graph, const anim_node* machine, uint32_t state)
{
    const char* name = state < machine->input_count ? machine->inputs[state].name : NULL;
    if (name)
        luax_push_known(L, graph, name, strlen(name));
    else
        lua_pushnil(L);
}

// Pushes the userdata of the node's graph; its index.
static int push_graph(lua_State* L)
{
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, 1);
    return lua_gettop(L);
}

int luax_machine_get_state(lua_State* L)
{
    const luax_node* node = self(L);
    uint32_t state = anim_machine_get_state(node->holder->graph, node->place);
    luax_push_state(L, push_graph(L), luax_info(node), state);
    return 1;
}

int luax_machine_get_source(lua_State* L)
{
    const luax_node* node = self(L);
    uint32_t state = anim_machine_get_source(node->holder->graph, node->place);
    luax_push_state(L, push_graph(L), luax_info(node), state);
    return 1;
}

int luax_machine_get_progress(lua_State* L)
{
    const luax_node* node = self(L);
    lua_pushnumber(L, anim_machine_get_progress(node->holder->graph, node->place));
    return 1;
}

int luax_machine_play(lua_State* L)
{
    luax_node* node = self(L);
    uint32_t state = luax_state_at(L, 2, luax_info(node));
    double fade = luax_is_given(L, 3) ? luax_number(L, 3, LUAX_ARG(3)) : default_fade;
    if (fade < 0)
        luax_expected(L, 3, LUAX_ARG(3), "number of 0 or more");
    anim_machine_play(node->holder->graph, node->place, state, fade);
    return 0;
}

int luax_machine_travel(lua_State* L)
{
    luax_node* node = self(L);
    uint32_t state = luax_state_at(L, 2, luax_info(node));
    anim_graph* graph = node->holder->graph;
    if (!anim_machine_travel(graph, node->place, state))
        luax_fail(L, LUAX_ARG(2), "no transitions lead from '%s' to '%s'",
                  luax_info(node)->inputs[anim_machine_get_state(graph, node->place)].name,
                  luax_info(node)->inputs[state].name);
    return 0;
}

// --- trace ------------------------------------------------------------------------------------------

// Into the table at the top.
static void set_reason(lua_State* L, const anim_node* machine, const anim_trace_entry* e)
{
    const anim_transition* t = e->transition < machine->transition_count
                                   ? &machine->transitions[e->transition]
                                   : NULL;
    if (e->reason == ANIM_TRACE_PLAY || (e->reason == ANIM_TRACE_TRANSITION && !t))
        lua_pushliteral(L, "play");
    else if (e->reason == ANIM_TRACE_TRAVEL)
        lua_pushliteral(L, "travel");
    else if (t->condition->function > 0)
        lua_pushliteral(L, "function");
    else if (t->condition->step_count > 0)
        lua_pushstring(L, t->condition->text);
    else
        lua_pushnil(L);
    lua_setfield(L, -2, "when");
    if (!t || e->reason != ANIM_TRACE_TRANSITION)
        return;
    int number = 0; // as described: a list of states in `from` is one transition
    for (uint32_t i = 0; i <= e->transition; i++)
        number += !machine->transitions[i].joined;
    lua_pushinteger(L, number);
    lua_setfield(L, -2, "transition");
    if (t->exit < 0)
        return;
    lua_pushnumber(L, t->exit);
    lua_setfield(L, -2, "exit");
}

static void set_params(lua_State* L, const anim_topology* t, const anim_trace_entry* e)
{
    lua_createtable(L, 0, (int)e->param_count);
    for (uint32_t i = 0; i < e->param_count; i++) {
        const anim_param* param = &t->params[e->params[i]];
        if (param->kind == ANIM_PARAM_NUMBER)
            lua_pushnumber(L, e->values[i]);
        else
            lua_pushboolean(L, e->values[i] != 0);
        lua_setfield(L, -2, param->name);
    }
    lua_setfield(L, -2, "params");
}

// The last transitions, newest first.
int luax_machine_get_trace(lua_State* L)
{
    const luax_node* node = self(L);
    const anim_graph* graph = node->holder->graph;
    double most = luax_is_given(L, 2) ? luax_number(L, 2, LUAX_ARG(2)) : ANIM_TRACE_LENGTH;
    if (most < 0)
        luax_expected(L, 2, LUAX_ARG(2), "number of 0 or more");
    int at = push_graph(L), count = 0;
    lua_newtable(L);
    for (uint32_t i = 0; i < anim_trace_length(graph->trace) && count < most; i++) {
        const anim_trace_entry* e = anim_trace_get(graph->trace, i);
        if (e->node != node->place || e->uid != node->uid)
            continue;
        lua_createtable(L, 0, 6);
        lua_pushnumber(L, e->time);
        lua_setfield(L, -2, "time");
        luax_push_state(L, at, luax_info(node), e->from);
        lua_setfield(L, -2, "from");
        luax_push_state(L, at, luax_info(node), e->to);
        lua_setfield(L, -2, "to");
        set_reason(L, luax_info(node), e);
        set_params(L, graph->topology, e);
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

// --- conditions that are functions --------------------------------------------------------------------

// What the core calls in the middle of a pass: nothing here may raise.
bool luax_condition(void* user, anim_graph* graph, uint32_t function)
{
    luax_graph* holder = user;
    lua_State* L = holder->running;
    (void)graph;
    if (!L || holder->failed || holder->doomed)
        return false;
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        holder->failed = true;
        return false;
    }
    int top = lua_gettop(L);
    luax_graph_user(L, 1, LUAX_USER_CONDITIONS);
    lua_rawgeti(L, -1, (int)function);
    lua_pushvalue(L, 1);
    bool answer = false;
    if (lua_pcall(L, 1, 1, 0) == 0)
        answer = lua_toboolean(L, -1);
    else
        luax_keep_error(holder);
    lua_settop(L, top);
    return answer;
}
