// SPDX-License-Identifier: MIT
// anim.Node: what all nodes can do, and what some kinds can. How they are linked is in l_graph_edit.c.
#include "lua/graph.h"
#include "lua/objects.h"
#include "lua/solver.h"

#include "base/mem.h"

const char* const luax_kinds[] = {"clip",   "pose",   "mixer",   "blend1D", "blend2D",
                                  "direct", "layers", "script",  "machine", "oneShot",
                                  "random", "queue",  "twoBone", "chain",   "aim",
                                  "foot",   "spring", "stride",  "orient",  NULL};

void luax_drop_node(void* object)
{
    luax_node* node = object;
    luax_release_holder(node->holder);
    anim_mem_free(node);
}

static void new_node(lua_State* L, int self, luax_graph* holder, uint32_t place)
{
    luax_box* box = luax_new(L, LUAX_NODE);
    luax_get_user(L, -1);
    lua_pushvalue(L, self); // keeps the graph
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
    luax_node* node = anim_mem_alloc(sizeof *node);
    if (!node)
        luaL_error(L, "not enough memory");
    *node = (luax_node){holder, place, holder->graph->topology->nodes[place].uid};
    holder->refs++;
    luax_fill(L, LUAX_NODE, box, node);
}

void luax_push_node(lua_State* L, int self, luax_graph* holder, uint32_t place)
{
    if (place == ANIM_NO_NODE) {
        lua_pushnil(L);
        return;
    }
    luax_graph_user(L, self, LUAX_USER_NODES);
    lua_rawgeti(L, -1, (int)place + 1);
    if (luax_is_kind(L, -1, LUAX_NODE)) {
        luax_node* known = ((luax_box*)lua_touserdata(L, -1))->object;
        if (known && known->uid == holder->graph->topology->nodes[place].uid) {
            lua_remove(L, -2);
            return;
        }
    }
    lua_pop(L, 1);
    new_node(L, self, holder, place);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, (int)place + 1);
    lua_remove(L, -2);
}

luax_node* luax_built_node_at(lua_State* L, int index)
{
    luax_node* node = luax_object(L, index, LUAX_ARG(index), LUAX_NODE);
    if (!node->holder->graph || node->holder->doomed)
        luaL_error(L, "attempt to use a node of a released anim.Graph");
    if (!anim_topology_has(node->holder->graph->topology, node->place, node->uid))
        luaL_error(L, "attempt to use a node that was removed from its graph");
    return node;
}

luax_node* luax_node_at(lua_State* L, int index)
{
    luax_node* node = luax_built_node_at(L, index);
    if (node->holder->graph->edited_from)
        luaL_error(L, "the graph is being built");
    return node;
}

static luax_node* self(lua_State* L)
{
    return luax_node_at(L, 1);
}

luax_node* luax_node_of(lua_State* L, anim_kind kind)
{
    luax_node* node = self(L);
    if (luax_info(node)->kind != kind)
        luaL_error(L, "a %s node has no such method; it belongs to %s nodes",
                   luax_kinds[luax_info(node)->kind], luax_kinds[kind]);
    return node;
}

// --- time -------------------------------------------------------------------------------------------

static int get_time(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushnumber(L, anim_node_get_time(node->holder->graph, node->place));
    return 1;
}

static int get_phase(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushnumber(L, anim_node_get_phase(node->holder->graph, node->place));
    return 1;
}

static int get_duration(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushnumber(L, anim_node_get_duration(node->holder->graph, node->place));
    return 1;
}

static int get_remaining(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushnumber(L, anim_node_get_remaining(node->holder->graph, node->place));
    return 1;
}

static bool fires(lua_State* L)
{
    return luax_is_given(L, 3) && luax_boolean(L, 3, LUAX_ARG(3));
}

static int set_time(lua_State* L)
{
    luax_node* node = self(L);
    double time = luax_number(L, 2, LUAX_ARG(2));
    anim_node_set_time(node->holder->graph, node->place, time, fires(L));
    return 0;
}

static int set_phase(lua_State* L)
{
    luax_node* node = self(L);
    double phase = luax_number(L, 2, LUAX_ARG(2));
    anim_node_set_phase(node->holder->graph, node->place, phase, fires(L));
    return 0;
}

static int get_speed(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushnumber(L, (lua_Number)anim_node_get_speed(node->holder->graph, node->place));
    return 1;
}

static int set_speed(lua_State* L)
{
    luax_node* node = self(L);
    if (luax_info(node)->speed.param != ANIM_NO_PARAM)
        return luaL_error(L, "the speed of this node follows parameter '%s'",
                          node->holder->graph->topology->params[luax_info(node)->speed.param].name);
    anim_node_set_speed(node->holder->graph, node->place, luax_float(L, 2, LUAX_ARG(2)));
    return 0;
}

static int play(lua_State* L)
{
    luax_node* node = self(L);
    if (luax_info(node)->kind == ANIM_KIND_MACHINE && luax_is_given(L, 2))
        return luax_machine_play(L);
    anim_node_play(node->holder->graph, node->place);
    return 0;
}

static int pause(lua_State* L)
{
    luax_node* node = self(L);
    anim_node_pause(node->holder->graph, node->place);
    return 0;
}

static int reset(lua_State* L)
{
    luax_node* node = self(L);
    anim_node_reset(node->holder->graph, node->place);
    return 0;
}

static int is_playing(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushboolean(L, anim_node_is_playing(node->holder->graph, node->place));
    return 1;
}

static int is_done(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushboolean(L, anim_node_is_done(node->holder->graph, node->place));
    return 1;
}

// --- what it is -------------------------------------------------------------------------------------

static int get_weight(lua_State* L)
{
    luax_node* node = self(L);
    lua_pushnumber(L, (lua_Number)anim_node_get_weight(node->holder->graph, node->place));
    return 1;
}

static int get_type(lua_State* L)
{
    lua_pushstring(L, luax_kinds[luax_info(self(L))->kind]);
    return 1;
}

static int get_name(lua_State* L)
{
    const char* name = luax_info(self(L))->name;
    if (name[0])
        lua_pushstring(L, name);
    else
        lua_pushnil(L);
    return 1;
}

static int get_graph(lua_State* L)
{
    self(L);
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, 1);
    return 1;
}

static int to_string(lua_State* L)
{
    luax_node* node = luax_self_or_released(L, LUAX_NODE);
    if (!node)
        return 1;
    const anim_graph* graph = node->holder->graph;
    if (!graph || !anim_topology_has(graph->topology, node->place, node->uid))
        lua_pushliteral(L, "anim.Node: removed");
    else if (luax_info(node)->name[0])
        lua_pushfstring(L, "anim.Node: %s '%s'", luax_kinds[luax_info(node)->kind],
                        luax_info(node)->name);
    else
        lua_pushfstring(L, "anim.Node: %s", luax_kinds[luax_info(node)->kind]);
    return 1;
}

// --- inputs -----------------------------------------------------------------------------------------

// What has a base counts what is above it; the base is input 0. Machines have names for theirs.
static uint32_t input_at(lua_State* L, const luax_node* node, int index)
{
    const anim_node* n = luax_info(node);
    if (n->kind == ANIM_KIND_MACHINE && lua_type(L, index) == LUA_TSTRING)
        return luax_state_at(L, index, n);
    bool based = anim_node_has_base(n);
    if (based && lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) == 0)
        return 0;
    uint32_t count = based && n->input_count > 0 ? n->input_count - 1 : n->input_count;
    return (uint32_t)luax_index(L, index, LUAX_ARG(index), count) - !based;
}

static int get_input(lua_State* L)
{
    luax_node* node = self(L);
    uint32_t child = luax_info(node)->inputs[input_at(L, node, 2)].node;
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, 1);
    luax_push_node(L, lua_gettop(L), node->holder, child);
    return 1;
}

static int get_input_count(lua_State* L)
{
    const anim_node* n = luax_info(self(L));
    lua_pushinteger(L, (int)n->input_count - (anim_node_has_base(n) && n->input_count > 0));
    return 1;
}

static int get_input_weight(lua_State* L)
{
    luax_node* node = self(L);
    uint32_t input = input_at(L, node, 2);
    lua_pushnumber(L,
                   (lua_Number)anim_node_get_input_share(node->holder->graph, node->place, input));
    return 1;
}

static bool has_weights(anim_kind kind)
{
    return kind == ANIM_KIND_MIXER || kind == ANIM_KIND_SCRIPT || kind == ANIM_KIND_LAYERS;
}

static int set_weight(lua_State* L)
{
    luax_node* node = self(L);
    const anim_node* n = luax_info(node);
    if (anim_node_is_solver(n))
        return luax_solver_set_weight(L, node);
    if (!has_weights(n->kind))
        return luaL_error(L, "the weights of a %s node are its own", luax_kinds[n->kind]);
    uint32_t input = input_at(L, node, 2);
    float weight = luax_float(L, 3, LUAX_ARG(3));
    float seconds = luax_is_given(L, 4) ? luax_float(L, 4, LUAX_ARG(4)) : 0;
    if (seconds < 0)
        luax_expected(L, 4, LUAX_ARG(4), "number of 0 or more");
    if (n->inputs[input].weight.param != ANIM_NO_PARAM)
        return luaL_error(L, "this weight follows a parameter");
    if (n->kind == ANIM_KIND_LAYERS && input == 0)
        return luaL_error(L, "the base of layers has no weight");
    anim_node_set_weight(node->holder->graph, node->place, input, weight, seconds);
    return 0;
}

static int set_layer_weight(lua_State* L)
{
    luax_node_of(L, ANIM_KIND_LAYERS);
    return set_weight(L);
}

// --- mixer ------------------------------------------------------------------------------------------

static int fade_to(lua_State* L)
{
    luax_node* node = luax_node_of(L, ANIM_KIND_MIXER);
    uint32_t input = input_at(L, node, 2);
    float seconds = luax_info(node)->inputs[input].fade;
    if (luax_is_given(L, 3))
        seconds = luax_float(L, 3, LUAX_ARG(3));
    if (seconds < 0)
        luax_expected(L, 3, LUAX_ARG(3), "number of 0 or more");
    bool rewind = !luax_is_given(L, 4) || luax_boolean(L, 4, LUAX_ARG(4));
    anim_mixer_fade_to(node->holder->graph, node->place, input, seconds, rewind);
    return 0;
}

static int is_fading(lua_State* L)
{
    luax_node* node = self(L);
    const anim_graph* graph = node->holder->graph;
    if (luax_info(node)->kind == ANIM_KIND_MACHINE)
        lua_pushboolean(L, anim_machine_is_in_fade(graph, node->place));
    else
        lua_pushboolean(L, anim_mixer_is_fading(graph, luax_node_of(L, ANIM_KIND_MIXER)->place));
    return 1;
}

static int get_target(lua_State* L)
{
    luax_node* node = luax_node_of(L, ANIM_KIND_MIXER);
    uint32_t target = anim_mixer_get_target(node->holder->graph, node->place);
    if (target == ANIM_NO_NODE)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (int)target + 1);
    return 1;
}

static int get_loop(lua_State* L)
{
    const anim_node* node = luax_info(luax_node_of(L, ANIM_KIND_CLIP));
    anim_loop loop = node->loop >= 0 ? (anim_loop)node->loop : node->clip->loop;
    if (loop == ANIM_LOOP_PINGPONG)
        lua_pushliteral(L, "pingpong");
    else
        lua_pushboolean(L, loop == ANIM_LOOP_REPEAT);
    return 1;
}

static int get_clip(lua_State* L)
{
    luax_push(L, LUAX_CLIP, luax_info(luax_node_of(L, ANIM_KIND_CLIP))->clip);
    return 1;
}

const luaL_Reg luax_node_methods[] = {
    {"getTime", get_time},
    {"setTime", set_time},
    {"getPhase", get_phase},
    {"setPhase", set_phase},
    {"getSpeed", get_speed},
    {"setSpeed", set_speed},
    {"getDuration", get_duration},
    {"getRemaining", get_remaining},
    {"play", play},
    {"pause", pause},
    {"reset", reset},
    {"isPlaying", is_playing},
    {"isDone", is_done},
    {"getWeight", get_weight},
    {"getType", get_type},
    {"getName", get_name},
    {"getGraph", get_graph},
    {"on", luax_node_on},
    {"getInput", get_input},
    {"getInputCount", get_input_count},
    {"getInputWeight", get_input_weight},
    {"setWeight", set_weight},
    {"setLayerWeight", set_layer_weight},
    {"fadeTo", fade_to},
    {"isFading", is_fading},
    {"getTarget", get_target},
    {"getState", luax_machine_get_state},
    {"getSource", luax_machine_get_source},
    {"getProgress", luax_machine_get_progress},
    {"travel", luax_machine_travel},
    {"getTrace", luax_machine_get_trace},
    {"stop", luax_shot_stop},
    {"isActive", luax_shot_is_active},
    {"pick", luax_player_pick},
    {"skip", luax_player_skip},
    {"getIndex", luax_player_get_index},
    {"setTarget", luax_solver_set_target},
    {"setPole", luax_solver_set_pole},
    {"getResidual", luax_solver_get_residual},
    {"setGround", luax_solver_set_ground},
    {"teleport", luax_solver_teleport},
    {"getClip", get_clip},
    {"getLoop", get_loop},
    {"__tostring", to_string},
    {NULL, NULL},
};
