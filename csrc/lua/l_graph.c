// SPDX-License-Identifier: MIT
// anim.Graph: life, running, parameters, outputs. Building is in l_graph_edit.c and lua/anim/graph.
#include "lua/graph.h"
#include "lua/objects.h"
#include "lua/solver.h"

#include "base/mem.h"
#include "lua/clip.h"
#include "lua/table.h"

#include <stdatomic.h>
#include <string.h>

// --- life -------------------------------------------------------------------------------------------

void luax_release_holder(luax_graph* holder)
{
    if (--holder->refs == 0)
        anim_mem_free(holder);
}

static void destroy(luax_graph* holder)
{
    luax_forget_told(holder);
    luax_leave_crowd(holder);
    anim_graph_destroy(holder->graph);
    anim_pose_destroy(holder->view);
    holder->graph = NULL;
    holder->view = NULL;
    luax_release_holder(holder);
}

void luax_drop_graph(void* object)
{
    luax_graph* holder = object;
    holder->doomed = true;
    if (!holder->running)
        destroy(holder);
}

static void make_user_lists(lua_State* L)
{
    luax_get_user(L, -1);
    for (int i = 1; i <= LUAX_USER_LAST; i++) {
        lua_newtable(L);
        lua_rawseti(L, -2, i);
    }
    lua_pop(L, 1);
}

// Pushes the userdata of a graph yet to be made.
static luax_graph* new_holder(lua_State* L)
{
    luax_box* box = luax_new(L, LUAX_GRAPH);
    make_user_lists(L);
    luax_graph* holder = anim_mem_alloc(sizeof *holder);
    if (!holder)
        luaL_error(L, "not enough memory");
    holder->refs = 1;
    luax_fill(L, LUAX_GRAPH, box, holder);
    return holder;
}

static void set_host(luax_graph* holder)
{
    holder->graph->host = (anim_host){.script_update = luax_script_update,
                                      .script_pose = luax_script_pose,
                                      .condition = luax_condition,
                                      .ground = luax_ground,
                                      .user = holder};
}

int luax_new_graph(lua_State* L)
{
    static atomic_uint_fast64_t families;
    anim_skeleton* skeleton = luax_object(L, 1, LUAX_ARG(1), LUAX_SKELETON);
    luax_graph* holder = new_holder(L);
    anim_error err;
    if (anim_graph_create(skeleton, &holder->graph, &err))
        luax_fail_core(L, NULL, &err);
    holder->family = ++families;
    set_host(holder);
    return 1;
}

// The clone has its own lists, but the same clips and scripts.
int luax_clone_graph(lua_State* L)
{
    luax_graph* from = luax_graph_at(L, 1);
    luax_graph* holder = new_holder(L);
    anim_error err;
    if (anim_graph_clone(from->graph, &holder->graph, &err))
        luax_fail_core(L, NULL, &err);
    holder->family = from->family;
    holder->sweeps = from->sweeps;
    set_host(holder);
    static const enum luax_graph_user shared[] = {LUAX_USER_CLIPS, LUAX_USER_SCRIPTS,
                                                  LUAX_USER_CONDITIONS};
    luax_get_user(L, -1);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        luax_graph_user(L, 1, shared[i]);
        lua_rawseti(L, -2, (int)shared[i]);
    }
    luax_graph_user(L, 1, LUAX_USER_POSE);
    if (luax_is_kind(L, -1, LUAX_POSE)) { // its own: it is lent out while a script runs
        luax_new(L, LUAX_POSE);
        lua_rawseti(L, -3, LUAX_USER_POSE);
    }
    lua_pop(L, 2);
    return 1;
}

luax_graph* luax_holder_at(lua_State* L, int index)
{
    return luax_object(L, index, LUAX_ARG(index), LUAX_GRAPH);
}

luax_graph* luax_graph_at(lua_State* L, int index)
{
    luax_graph* holder = luax_holder_at(L, index);
    if (holder->graph->edited_from)
        luaL_error(L, "the graph is being built");
    return holder;
}

static anim_graph* self(lua_State* L)
{
    return luax_graph_at(L, 1)->graph;
}

void luax_graph_user(lua_State* L, int index, enum luax_graph_user which)
{
    luax_get_user(L, index);
    lua_rawgeti(L, -1, which);
    lua_remove(L, -2);
}

void luax_push_known(lua_State* L, int index, const char* bytes, size_t size)
{
    luax_graph_user(L, index, LUAX_USER_NAMES);
    lua_pushlstring(L, bytes, size);
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    if (lua_isnil(L, -1)) {
        lua_pushvalue(L, -2);
        lua_pushboolean(L, 1);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
    lua_remove(L, -2);
}

static int graph_to_string(lua_State* L)
{
    luax_graph* holder = luax_self_or_released(L, LUAX_GRAPH);
    if (holder)
        lua_pushfstring(L, "anim.Graph: %d nodes, %d joints",
                        (int)holder->graph->topology->walk_count,
                        (int)holder->graph->topology->skeleton->joint_count);
    return 1;
}

// --- running ----------------------------------------------------------------------------------------

// Nodes of play that faded out are removed, by the Lua side; false: that raised, the value is at the top.
static bool sweep(lua_State* L, luax_graph* holder)
{
    holder->swept = holder->graph->faded;
    luax_graph_user(L, 1, LUAX_USER_LUA);
    lua_getfield(L, -1, "sweep");
    lua_remove(L, -2);
    lua_pushvalue(L, 1);
    return lua_pcall(L, 1, 0, 0) == 0;
}

static bool tell_recorder(lua_State* L, const luax_graph* holder, luax_stage stage, double dt)
{
    return !holder->recorded || luax_tell_recorder(L, stage, dt);
}

static bool run_passes(lua_State* L, luax_graph* holder, int passes, double dt, bool mute,
                       anim_code* code, anim_error* err)
{
    if ((passes & LUAX_ADVANCE) && !tell_recorder(L, holder, LUAX_BEFORE, dt))
        return false;
    if (passes & LUAX_ADVANCE)
        *code = anim_graph_advance(holder->graph, dt, mute, err);
    if (*code || holder->failed)
        return true;
    if ((passes & LUAX_ADVANCE) && !tell_recorder(L, holder, LUAX_ADVANCED, dt))
        return false;
    if ((passes & LUAX_DELIVER) && !luax_deliver(L, holder))
        return false;
    if (holder->doomed)
        return true;
    if (passes & LUAX_SETTLE)
        anim_graph_settle(holder->graph);
    if ((passes & LUAX_SWEEP) && holder->sweeps && holder->swept != holder->graph->faded &&
        !sweep(L, holder))
        return false;
    if (!(passes & LUAX_EVALUATE))
        return true;
    if (holder->links > 0 && !luax_follow_links(L, holder))
        return false;
    *code = anim_graph_evaluate(holder->graph, err);
    return *code || holder->failed || tell_recorder(L, holder, LUAX_EVALUATED, 0);
}

double luax_step(lua_State* L, bool* mute)
{
    static const char* const modes[] = {"mute", NULL};
    double dt = luax_number(L, 2, LUAX_ARG(2));
    if (dt < 0)
        luax_expected(L, 2, LUAX_ARG(2), "number of 0 or more");
    *mute = luax_is_given(L, 3);
    if (*mute)
        luax_choice(L, 3, LUAX_ARG(3), modes);
    return dt;
}

// Whatever callbacks and scripts raise waits until the core has returned and the flags are put back. It may
// be in the middle of another run: a callback's.
static int run_inside(lua_State* L, luax_graph* holder, int passes, double dt, bool mute)
{
    lua_State* outer = holder->running;
    bool had_failed = holder->failed;
    lua_settop(L, 1);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    holder->running = L;
    holder->failed = false;
    anim_error err;
    anim_code code = ANIM_OK;
    bool raised = !run_passes(L, holder, passes, dt, mute, &code, &err);
    bool failed = holder->failed;
    holder->running = outer;
    holder->failed = outer && had_failed;
    if (holder->doomed && !outer)
        destroy(holder);
    if (code)
        luax_fail_core(L, NULL, &err);
    if (failed) {
        luax_get_user(L, 1);
        lua_rawgeti(L, -1, LUAX_USER_ERROR);
        lua_pushboolean(L, 0);
        lua_rawseti(L, -3, LUAX_USER_ERROR);
    }
    return failed || raised ? lua_error(L) : 0;
}

static int run_with(lua_State* L, luax_graph* holder, int passes, double dt, bool mute)
{
    if (holder->running)
        return luaL_error(L, "the graph is being updated");
    return run_inside(L, holder, passes, dt, mute);
}

static int run(lua_State* L, int passes)
{
    luax_graph* holder = luax_graph_at(L, 1);
    bool mute;
    double dt = luax_step(L, &mute);
    return run_with(L, holder, passes, dt, mute);
}

static int advance(lua_State* L)
{
    return run(L, LUAX_ADVANCE);
}

static int evaluate(lua_State* L)
{
    return run_with(L, luax_graph_at(L, 1), LUAX_SWEEP | LUAX_EVALUATE, 0, false);
}

static int deliver(lua_State* L)
{
    luax_at_most(L, 1);
    return run_with(L, luax_graph_at(L, 1), LUAX_DELIVER, 0, false);
}

static int update(lua_State* L)
{
    return run(L, LUAX_ADVANCE | LUAX_DELIVER | LUAX_SWEEP | LUAX_EVALUATE);
}

int luax_graph_run(lua_State* L)
{
    return run_with(L, luax_graph_at(L, 1), (int)lua_tointeger(L, 2), lua_tonumber(L, 3),
                    lua_toboolean(L, 4));
}

int luax_graph_show(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    int passes = lua_toboolean(L, 2) ? LUAX_SETTLE | LUAX_EVALUATE : LUAX_EVALUATE;
    bool was_shown = holder->graph->evaluated != 0;
    if (!(passes & LUAX_SETTLE) && (!was_shown || anim_graph_is_evaluated(holder->graph)))
        return 0;
    return run_inside(L, holder, passes, 0, false);
}

static luax_graph* idle(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    if (holder->running)
        luaL_error(L, "the graph is being updated");
    return holder;
}

static int reset(lua_State* L)
{
    luax_graph* holder = idle(L);
    luax_forget_told(holder);
    anim_graph_reset(holder->graph);
    luax_forget_links(L, holder);
    return 0;
}

static int get_speed(lua_State* L)
{
    lua_pushnumber(L, anim_graph_get_speed(self(L)));
    return 1;
}

static int set_speed(lua_State* L)
{
    anim_graph* graph = self(L);
    anim_graph_set_speed(graph, luax_number(L, 2, LUAX_ARG(2)));
    return 0;
}

// --- parameters -------------------------------------------------------------------------------------

static uint32_t param_at(lua_State* L, const anim_graph* graph)
{
    const char* name = luax_text(L, 2, LUAX_ARG(2));
    int32_t param = anim_topology_find_param(graph->topology, name);
    if (param >= 0)
        return (uint32_t)param;
    luax_scratch scratch = luax_new_scratch(L);
    uint32_t count = graph->topology->param_count;
    const char** texts = luax_alloc(L, scratch.arena, count, sizeof *texts);
    for (uint32_t i = 0; i < count; i++)
        texts[i] = graph->topology->params[i].name;
    anim_names names = luax_index_names(L, scratch.arena, texts, count);
    char hint[128];
    luax_fail(L, LUAX_ARG(2), "no parameter '%.64s'%s", name,
              luax_did_you_mean(&names, name, hint));
}

static int set(lua_State* L)
{
    anim_graph* graph = self(L);
    luax_param_set(L, graph, param_at(L, graph), 3);
    return 0;
}

static int get(lua_State* L)
{
    anim_graph* graph = self(L);
    return luax_param_get(L, graph, param_at(L, graph));
}

static int fire(lua_State* L)
{
    anim_graph* graph = self(L);
    luax_param_fire(L, graph, param_at(L, graph), true);
    return 0;
}

static int cancel(lua_State* L)
{
    anim_graph* graph = self(L);
    luax_param_fire(L, graph, param_at(L, graph), false);
    return 0;
}

// --- outputs ----------------------------------------------------------------------------------------

static uint32_t joint_at(lua_State* L, const anim_graph* graph)
{
    return luax_joint(L, 2, LUAX_ARG(2), graph->topology->skeleton);
}

static int get_joint(lua_State* L)
{
    anim_graph* graph = self(L);
    anim_xform x;
    anim_pose_get(graph->topology->skeleton, anim_graph_pose(graph), joint_at(L, graph), &x);
    return luax_push_xform(L, &x);
}

static int get_matrix(lua_State* L)
{
    anim_graph* graph = self(L);
    float columns[16];
    uint32_t joint = joint_at(L, graph);
    anim_mat34_to_columns(&anim_graph_model(graph)[joint], columns);
    luaL_checkstack(L, 16, NULL);
    for (int i = 0; i < 16; i++)
        lua_pushnumber(L, (lua_Number)columns[i]);
    return 16;
}

static int get_position(lua_State* L)
{
    anim_graph* graph = self(L);
    uint32_t joint = joint_at(L, graph);
    const anim_mat34* m = &anim_graph_model(graph)[joint];
    for (int i = 0; i < 3; i++)
        lua_pushnumber(L, (lua_Number)m->m[i][3]);
    return 3;
}

static int get_pose(lua_State* L)
{
    anim_graph* graph = self(L);
    anim_skeleton* skeleton = graph->topology->skeleton;
    lua_settop(L, 2);
    anim_pose* pose;
    if (luax_is_given(L, 2)) {
        pose = luax_object(L, 2, LUAX_ARG(2), LUAX_POSE);
        if (!anim_skeleton_same(pose->skeleton, skeleton))
            luax_fail(L, LUAX_ARG(2), "pose of the same skeleton expected, got one of another");
    } else {
        luax_box* box = luax_new(L, LUAX_POSE);
        pose = anim_pose_create(skeleton);
        if (!pose)
            return luaL_error(L, "not enough memory");
        luax_fill(L, LUAX_POSE, box, pose);
    }
    memcpy(pose->groups, anim_graph_pose(graph), skeleton->group_count * sizeof *pose->groups);
    pose->additive = false;
    return 1;
}

static int get_root_motion(lua_State* L)
{
    anim_rigid moved;
    anim_graph_get_motion(self(L), &moved);
    for (int i = 0; i < 3; i++)
        lua_pushnumber(L, (lua_Number)moved.t[i]);
    for (int i = 0; i < 4; i++)
        lua_pushnumber(L, (lua_Number)moved.q[i]);
    return 7;
}

static int get_curve(lua_State* L)
{
    anim_graph* graph = self(L);
    const char* name = luax_text(L, 2, LUAX_ARG(2));
    float missing = luax_is_given(L, 3) ? luax_float(L, 3, LUAX_ARG(3)) : 0;
    lua_pushnumber(L, (lua_Number)anim_graph_get_curve(graph, name, missing));
    return 1;
}

static int get_property(lua_State* L)
{
    const anim_value* value = anim_graph_get_property(self(L), luax_text(L, 2, LUAX_ARG(2)));
    if (!value)
        lua_pushnil(L);
    else if (value->kind == ANIM_VALUE_STRING)
        luax_push_known(L, 1, value->as.string.bytes ? value->as.string.bytes : "",
                        value->as.string.size);
    else
        luax_push_value(L, value, 0); // properties hold no values of the host
    return 1;
}

static int is_during(lua_State* L)
{
    lua_pushboolean(L, anim_graph_is_during(self(L), luax_text(L, 2, LUAX_ARG(2))));
    return 1;
}

// --- snapshots --------------------------------------------------------------------------------------

static int save(lua_State* L)
{
    anim_graph* graph = self(L);
    luax_scratch scratch = luax_new_scratch(L);
    size_t size = anim_graph_save_size(graph);
    char* bytes = luax_alloc(L, scratch.arena, size, 1);
    anim_graph_save(graph, bytes);
    lua_pushlstring(L, bytes, size);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}

static int restore(lua_State* L)
{
    luax_graph* holder = idle(L);
    size_t size;
    if (lua_type(L, 2) != LUA_TSTRING)
        luax_expected_type(L, 2, LUAX_ARG(2), "string");
    const char* bytes = lua_tolstring(L, 2, &size);
    anim_error err;
    if (anim_graph_restore(holder->graph, bytes, size, &err))
        return luax_return_error(L, &err);
    luax_forget_told(holder);
    lua_pushboolean(L, 1);
    return 1;
}

static int hash(lua_State* L)
{
    static const char* const what[] = {"state", NULL};
    anim_graph* graph = self(L);
    bool state_only = luax_is_given(L, 2);
    if (state_only)
        luax_choice(L, 2, LUAX_ARG(2), what);
    char text[17];
    uint64_t value = anim_graph_hash(graph, !state_only);
    for (int i = 0; i < 16; i++)
        text[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    lua_pushlstring(L, text, 16); // 64 bits fit into no number of Lua 5.1
    return 1;
}

// --- what is in it ----------------------------------------------------------------------------------

static int get_root(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    luax_push_node(L, 1, holder, holder->graph->topology->root);
    return 1;
}

// By name; or the node that corresponds to one of a clone of this graph.
static int find(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    const anim_topology* topology = holder->graph->topology;
    uint32_t place;
    if (luax_is_kind(L, 2, LUAX_NODE)) {
        const luax_node* node = luax_object(L, 2, LUAX_ARG(2), LUAX_NODE);
        if (node->holder->family != holder->family)
            luax_fail(L, LUAX_ARG(2), "node of this graph or a clone of it expected");
        bool is_here = anim_topology_has(topology, node->place, node->uid);
        place = is_here ? node->place : ANIM_NO_NODE;
    } else {
        const char* name = luax_text(L, 2, LUAX_ARG(2));
        place = name[0] ? anim_topology_find(topology, name) : ANIM_NO_NODE;
    }
    luax_push_node(L, 1, holder, place);
    return 1;
}

static int get_skeleton(lua_State* L)
{
    luax_push(L, LUAX_SKELETON, self(L)->topology->skeleton);
    return 1;
}

const luaL_Reg luax_graph_methods[] = {
    {"getRoot", get_root},
    {"find", find},
    {"getSkeleton", get_skeleton},
    {"getSpeed", get_speed},
    {"advance", advance},
    {"deliver", deliver},
    {"evaluate", evaluate},
    {"update", update},
    {"reset", reset},
    {"setSpeed", set_speed},
    {"setTransform", luax_graph_set_transform},
    {"warp", luax_graph_warp},
    {"isWarping", luax_graph_is_warping},
    {"set", set},
    {"get", get},
    {"fire", fire},
    {"cancel", cancel},
    {"on", luax_graph_on},
    {"events", luax_graph_events},
    {"active", luax_graph_active},
    {"isDuring", is_during},
    {"getJoint", get_joint},
    {"getMatrix", get_matrix},
    {"getPosition", get_position},
    {"getPose", get_pose},
    {"getRootMotion", get_root_motion},
    {"getCurve", get_curve},
    {"getProperty", get_property},
    {"writePalette", luax_graph_write_palette},
    {"getPalette", luax_graph_get_palette},
    {"getPaletteString", luax_graph_get_palette_string},
    {"save", save},
    {"restore", restore},
    {"hash", hash},
    {"__deliver", luax_graph_deliver},
    {"__run", luax_graph_run},
    {"__script", luax_graph_script},
    {"__ground", luax_graph_ground},
    {"__nextEvent", luax_graph_next_event},
    {"__nextActive", luax_graph_next_active},
    {"__tostring", graph_to_string},
    {NULL, NULL},
};
