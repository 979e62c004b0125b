// SPDX-License-Identifier: MIT
// Building and reading machines for lua/anim/graph. States and transitions count from 1; in `from`, 0 is
// any state.
#include "lua/graph.h"
#include "lua/objects.h"
#include "lua/table.h"

#include "graph/cover.h"
#include "graph/probe.h"

#include <string.h>

static const double default_fade = 0.2;

// --- functions ----------------------------------------------------------------------------------------

// A copy of the graph's functions, which clones share, with those alone that are in use; at the top.
static void copy_functions(lua_State* L, const anim_topology* t)
{
    luax_graph_user(L, 1, LUAX_USER_CONDITIONS);
    lua_newtable(L);
    for (uint32_t i = 0; i < t->node_count; i++)
        for (uint32_t k = 0; t->nodes[i].uid && k < t->nodes[i].transition_count; k++) {
            int function = (int)t->nodes[i].transitions[k].condition->function;
            if (function == 0)
                continue;
            lua_rawgeti(L, -2, function);
            lua_rawseti(L, -2, function);
        }
    lua_remove(L, -2);
}

static void keep_functions(lua_State* L)
{
    luax_get_user(L, 1);
    lua_insert(L, -2);
    lua_rawseti(L, -2, LUAX_USER_CONDITIONS);
    lua_pop(L, 1);
}

void luax_keep_conditions(lua_State* L, const anim_topology* t)
{
    copy_functions(L, t);
    keep_functions(L);
}

// --- building -----------------------------------------------------------------------------------------

static const char* const operations[] = {
    "number", "param", "time", "phase", "remaining", "done", "event", "during", "<",
    "<=",     ">",     ">=",   "==",    "~=",        "and",  "or",    "not",    NULL};
static const char* const modes[] = {"crossfade", "inertial", "frozen", NULL};
static const char* const interrupts[] = {"target", "none", "source", "both", NULL};
static const char* const curves[] = {"linear", "smooth", "easeIn", "easeOut", NULL};

static anim_topology* open_topology(lua_State* L)
{
    anim_graph* graph = luax_holder_at(L, 1)->graph;
    if (!graph->edited_from)
        luaL_error(L, "the graph is not being edited");
    return graph->topology;
}

static anim_node* machine_at(lua_State* L, int index, const anim_topology* t)
{
    anim_node* node = &t->nodes[luax_place_at(L, index, t)];
    if (node->uid == 0 || node->kind != ANIM_KIND_MACHINE)
        luax_fail(L, LUAX_ARG(index), "machine expected");
    return node;
}

static double number_field(lua_State* L, int table, const char* key, double missing)
{
    lua_getfield(L, table, key);
    double x = lua_isnil(L, -1) ? missing : luax_number(L, -1, LUAX_ARG(3));
    lua_pop(L, 1);
    return x;
}

static bool flag_field(lua_State* L, int table, const char* key)
{
    lua_getfield(L, table, key);
    bool x = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return x;
}

static int choice_field(lua_State* L, int table, const char* key, const char* const* choices)
{
    lua_getfield(L, table, key);
    int choice = lua_isnil(L, -1) ? 0 : luax_choice(L, -1, LUAX_ARG(3), choices);
    lua_pop(L, 1);
    return choice;
}

static void read_curve(lua_State* L, int table, anim_ease_curve* curve)
{
    lua_getfield(L, table, "curve");
    if (lua_istable(L, -1)) {
        curve->kind = ANIM_EASE_BEZIER;
        luax_vector(L, lua_gettop(L), LUAX_ARG(3), curve->bezier, 4);
    } else if (!lua_isnil(L, -1)) {
        curve->kind = (anim_ease_kind)luax_choice(L, -1, LUAX_ARG(3), curves);
    }
    lua_pop(L, 1);
}

// The flat list of operations and operands at the top.
static void read_steps(lua_State* L, anim_arena* arena, anim_condition* c)
{
    uint32_t count = luax_list(L, lua_gettop(L), LUAX_ARG(3));
    anim_condition_step* steps = luax_alloc(L, arena, count, sizeof *steps);
    c->steps = steps;
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (int)i + 1);
        anim_condition_step* step = &steps[c->step_count++];
        *step = (anim_condition_step){.op = (uint32_t)luax_choice(L, -1, LUAX_ARG(3), operations)};
        lua_pop(L, 1);
        bool takes = step->op <= ANIM_COND_PARAM || step->op == ANIM_COND_EVENT ||
                     step->op == ANIM_COND_DURING;
        if (!takes)
            continue;
        lua_rawgeti(L, -1, (int)++i + 1);
        double operand = luax_number(L, -1, LUAX_ARG(3));
        lua_pop(L, 1);
        if (step->op == ANIM_COND_NUMBER)
            step->value = operand;
        else
            step->index = operand >= 1 && operand <= INT32_MAX ? (uint32_t)operand - 1 : UINT32_MAX;
    }
}

static void read_names(lua_State* L, anim_arena* arena, anim_condition* c)
{
    c->name_count = luax_list(L, lua_gettop(L), LUAX_ARG(3));
    const char** names = luax_alloc(L, arena, c->name_count, sizeof *names);
    for (uint32_t i = 0; i < c->name_count; i++) {
        lua_rawgeti(L, -1, (int)i + 1);
        names[i] = luax_text(L, -1, LUAX_ARG(3)); // still in the list
        lua_pop(L, 1);
    }
    c->names = names;
}

// `functions`: index of the table that functions go into, `last` the last number in use.
static anim_condition* read_condition(lua_State* L, int table, anim_arena* arena, int functions,
                                      uint32_t* last)
{
    anim_condition* c = luax_alloc(L, arena, 1, sizeof *c);
    *c = (anim_condition){.text = ""};
    lua_getfield(L, table, "when");
    if (lua_isfunction(L, -1)) {
        c->function = ++*last;
        lua_rawseti(L, functions, (int)c->function);
        return c;
    }
    if (!lua_isnil(L, -1))
        c->text = luax_text(L, -1, LUAX_ARG(3)); // still in the table
    lua_pop(L, 1);
    c->timed = flag_field(L, table, "timed");
    lua_getfield(L, table, "steps");
    if (!lua_isnil(L, -1))
        read_steps(L, arena, c);
    lua_pop(L, 1);
    lua_getfield(L, table, "names");
    if (!lua_isnil(L, -1))
        read_names(L, arena, c);
    lua_pop(L, 1);
    return c;
}

static void read_transition(lua_State* L, int table, const anim_topology* t, anim_transition* out)
{
    out->from = (int32_t)number_field(L, table, "from", 0) - 1;
    out->to = (uint32_t)number_field(L, table, "to", 0) - 1;
    out->fade = number_field(L, table, "fade", default_fade);
    out->exit = number_field(L, table, "exit", -1);
    out->offset = number_field(L, table, "offset", -1);
    out->keep = flag_field(L, table, "keep");
    out->self = flag_field(L, table, "self");
    out->sync = flag_field(L, table, "sync");
    out->joined = flag_field(L, table, "joined");
    out->mode = (anim_fade_mode)choice_field(L, table, "mode", modes);
    out->interrupt = (anim_interrupt)choice_field(L, table, "interrupt", interrupts);
    read_curve(L, table, &out->curve);
    lua_getfield(L, table, "profile");
    if (!lua_isnil(L, -1))
        out->profile = luax_object(L, -1, LUAX_ARG(3), LUAX_MASK);
    if (out->profile && !anim_skeleton_same(out->profile->skeleton, t->skeleton))
        luaL_error(L, "mask of the graph's skeleton expected, got one of another");
    lua_pop(L, 1);
}

// graph, place, list -> true, or nil and a message
static int set_transitions(lua_State* L)
{
    anim_topology* t = open_topology(L);
    lua_settop(L, 3);
    uint32_t place = (uint32_t)(machine_at(L, 2, t) - t->nodes);
    luax_scratch scratch = luax_new_scratch(L);
    uint32_t count = luax_list(L, 3, LUAX_ARG(3)), last = 0;
    anim_transition* list = luax_alloc(L, scratch.arena, count, sizeof *list);
    copy_functions(L, t);
    int functions = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, functions); lua_pop(L, 1))
        if (lua_tonumber(L, -2) > last)
            last = (uint32_t)lua_tonumber(L, -2);
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, 3, (int)i + 1);
        int table = lua_gettop(L);
        list[i] = (anim_transition){0};
        read_transition(L, table, t, &list[i]);
        list[i].condition = read_condition(L, table, scratch.arena, functions, &last);
        lua_settop(L, functions);
    }
    anim_error err;
    anim_code code = anim_topology_set_transitions(t, place, list, count, &err);
    luax_empty(LUAX_SCRATCH, scratch.box);
    if (code)
        return luax_return_error(L, &err);
    keep_functions(L);
    lua_pushboolean(L, 1);
    return 1;
}

// graph, place, state, name
static int set_state_name(lua_State* L)
{
    anim_topology* t = open_topology(L);
    const anim_node* node = machine_at(L, 2, t);
    uint32_t state = (uint32_t)luax_index(L, 3, LUAX_ARG(3), node->input_count) - 1;
    anim_error err;
    if (anim_topology_set_state_name(t, (uint32_t)(node - t->nodes), state,
                                     luax_name(L, 4, LUAX_ARG(4)), &err))
        return luax_return_error(L, &err);
    lua_pushboolean(L, 1);
    return 1;
}

// graph, place, state
static int set_initial(lua_State* L)
{
    anim_node* node = machine_at(L, 2, open_topology(L));
    node->initial = (uint32_t)luax_index(L, 3, LUAX_ARG(3), node->input_count) - 1;
    return 0;
}

// What can become of a node's time: whether it ends, whether it comes to phase 1.
typedef struct ends {
    bool done, whole;
} ends;

static ends find_ends(const anim_topology* t, uint32_t at)
{
    if (at == ANIM_NO_NODE)
        return (ends){false, false};
    const anim_node* node = &t->nodes[at];
    if (node->kind == ANIM_KIND_CLIP || node->sync) {
        anim_loop loop = node->sync        ? anim_sync_loop(t, at)
                         : node->loop >= 0 ? (anim_loop)node->loop
                         : node->clip      ? node->clip->loop
                                           : ANIM_LOOP_REPEAT;
        return (ends){loop == ANIM_LOOP_ONCE, loop != ANIM_LOOP_REPEAT};
    }
    ends found = {false, false};
    for (uint32_t i = 0; i < node->input_count; i++) {
        ends one = find_ends(t, node->inputs[i].node);
        found.done |= one.done;
        found.whole |= one.whole;
        if (node->kind == ANIM_KIND_LAYERS) // its base speaks
            break;
    }
    return found;
}

// graph, place -> whether it can be done, whether it can come to phase 1
static int can_end(lua_State* L)
{
    const anim_topology* t = luax_holder_at(L, 1)->graph->topology;
    ends found = find_ends(t, luax_place_at(L, 2, t));
    lua_pushboolean(L, found.done);
    lua_pushboolean(L, found.whole);
    return 2;
}

// --- reading --------------------------------------------------------------------------------------------

static void set_curve(lua_State* L, const anim_ease_curve* curve)
{
    if (curve->kind < ANIM_EASE_BEZIER) {
        luax_put_string(L, "curve", curves[curve->kind]);
        return;
    }
    lua_createtable(L, 4, 0);
    for (int i = 0; i < 4; i++) {
        lua_pushnumber(L, luax_shortest(curve->bezier[i]));
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "curve");
}

static void push_transition(lua_State* L, const anim_transition* t)
{
    lua_createtable(L, 0, 14);
    luax_put_number(L, "from", t->from + 1);
    luax_put_number(L, "to", (double)t->to + 1);
    if (t->condition->function > 0) {
        luax_graph_user(L, 1, LUAX_USER_CONDITIONS);
        lua_rawgeti(L, -1, (int)t->condition->function);
        lua_remove(L, -2);
        lua_setfield(L, -2, "when");
    } else if (t->condition->step_count > 0) {
        luax_put_string(L, "when", t->condition->text);
    }
    luax_put_number(L, "fade", t->fade);
    set_curve(L, &t->curve);
    if (t->exit >= 0)
        luax_put_number(L, "exit", t->exit);
    if (t->offset >= 0)
        luax_put_number(L, "offset", t->offset);
    luax_put_boolean(L, "keep", t->keep);
    luax_put_boolean(L, "self", t->self);
    luax_put_boolean(L, "sync", t->sync);
    luax_put_boolean(L, "joined", t->joined);
    luax_put_string(L, "mode", modes[t->mode]);
    luax_put_string(L, "interrupt", interrupts[t->interrupt]);
    if (t->profile) {
        luax_push(L, LUAX_MASK, t->profile);
        lua_setfield(L, -2, "profile");
    }
}

// graph, place -> { initial =, states = names, transitions = { ... } }
static int read_machine(lua_State* L)
{
    const anim_node* node = machine_at(L, 2, luax_holder_at(L, 1)->graph->topology);
    lua_createtable(L, 0, 3);
    luax_put_number(L, "initial", (double)node->initial + 1);
    lua_createtable(L, (int)node->input_count, 0);
    for (uint32_t i = 0; i < node->input_count; i++) {
        lua_pushstring(L, node->inputs[i].name);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "states");
    lua_createtable(L, (int)node->transition_count, 0);
    for (uint32_t i = 0; i < node->transition_count; i++) {
        push_transition(L, &node->transitions[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "transitions");
    return 1;
}

// graph, place -> current state, source or nil, chains cut off so far
static int read_machine_state(lua_State* L)
{
    const anim_graph* graph = luax_graph_at(L, 1)->graph;
    uint32_t place = (uint32_t)(machine_at(L, 2, graph->topology) - graph->topology->nodes);
    uint32_t source = anim_machine_get_source(graph, place);
    lua_pushinteger(L, (lua_Integer)anim_machine_get_state(graph, place) + 1);
    if (source == ANIM_NO_NODE)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)source + 1);
    lua_pushinteger(L, (lua_Integer)anim_machine_get_capped(graph, place));
    return 3;
}

// graph, place, name of a state: the machine is in it, if it has such a one
static int place_state(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    const anim_node* node = machine_at(L, 2, graph->topology);
    const char* name = luax_text(L, 3, LUAX_ARG(3));
    for (uint32_t i = 0; i < node->input_count; i++)
        if (strcmp(node->inputs[i].name, name) == 0)
            anim_machine_place(graph, (uint32_t)(node - graph->topology->nodes), i);
    return 0;
}

// graph: its pose is kept, for a fade from there
static int cover_pose(lua_State* L)
{
    anim_error err;
    if (anim_cover_begin(luax_graph_at(L, 1)->graph, &err))
        luax_fail_core(L, NULL, &err);
    return 0;
}

// graph, seconds
static int fade_from_cover(lua_State* L)
{
    anim_cover_fade(luax_graph_at(L, 1)->graph, luax_number(L, 2, LUAX_ARG(2)));
    return 0;
}

// graph, place, input -> what it has of the node's weight
static int input_share(lua_State* L)
{
    const anim_graph* graph = luax_graph_at(L, 1)->graph;
    const anim_topology* t = graph->topology;
    uint32_t place = luax_place_at(L, 2, t);
    uint32_t input = (uint32_t)luax_index(L, 3, LUAX_ARG(3), t->nodes[place].input_count) - 1;
    lua_pushnumber(L, (lua_Number)anim_node_get_input_share(graph, place, input));
    return 1;
}

// graph, place, name of a range event -> whether the node is inside of it
static int is_inside(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    uint32_t count = graph->topology->node_count;
    anim_probe probe;
    anim_probe_init(&probe, graph, (uint32_t)luax_index(L, 2, LUAX_ARG(2), count) - 1, 1);
    lua_pushboolean(L, anim_probe_is_during(&probe, luax_text(L, 3, LUAX_ARG(3))));
    return 1;
}

const luaL_Reg luax_machine_functions[] = {
    {"setTransitions", set_transitions},
    {"setStateName", set_state_name},
    {"setInitial", set_initial},
    {"canEnd", can_end},
    {"readMachine", read_machine},
    {"readMachineState", read_machine_state},
    {"isInside", is_inside},
    {"inputShare", input_share},
    {"placeState", place_state},
    {"coverPose", cover_pose},
    {"fadeFromCover", fade_from_cover},
    {NULL, NULL},
};
