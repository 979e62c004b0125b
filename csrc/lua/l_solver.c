// SPDX-License-Identifier: MIT
// Solvers: methods of nodes and poses. Descriptions are read in l_solver_desc.c.
//
// A target may be a joint of another graph. Who follows whom is kept in a list of the graph's user value: the
// core is given a point before each evaluate.
#include "lua/objects.h"
#include "lua/solver.h"
#include "lua/table.h"
#include "math/trig.h"

#include <math.h>
#include <string.h>

static luax_node* solver_at(lua_State* L)
{
    luax_node* node = luax_node_at(L, 1);
    if (!anim_node_is_solver(luax_info(node)))
        luaL_error(L,
                   "%s nodes have no such method; it belongs to twoBone, chain, aim and the like",
                   luax_kinds[luax_info(node)->kind]);
    return node;
}

// Pushes a node's graph.
static void push_graph(lua_State* L, int node)
{
    luax_get_user(L, node);
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
}

// --- targets in other graphs --------------------------------------------------------------------------

// An item of the list: the node and its target, whom it follows.
enum { link_uid = 1, link_place, link_target, link_graph, link_joint };

static uint32_t link_number(lua_State* L, int link, int field)
{
    lua_rawgeti(L, link, field);
    uint32_t number = (uint32_t)lua_tonumber(L, -1);
    lua_pop(L, 1);
    return number;
}

// Removes number `at` of the list at the top.
static void drop_link(lua_State* L, luax_graph* holder, int at)
{
    lua_rawgeti(L, -1, holder->links);
    lua_rawseti(L, -2, at);
    lua_pushnil(L);
    lua_rawseti(L, -2, holder->links--);
}

// The place of a target's link in the list at the top; 0: it follows nobody.
static int find_link(lua_State* L, const luax_graph* holder, uint32_t uid, uint32_t target)
{
    int found = 0;
    for (int i = 1; i <= holder->links && !found; i++) {
        lua_rawgeti(L, -1, i);
        if (link_number(L, lua_gettop(L), link_uid) == uid &&
            link_number(L, lua_gettop(L), link_target) == target)
            found = i;
        lua_pop(L, 1);
    }
    return found;
}

static void forget_link(lua_State* L, int graph, luax_graph* holder, uint32_t uid, uint32_t target)
{
    luax_graph_user(L, graph, LUAX_USER_LINKS);
    int at = find_link(L, holder, uid, target);
    if (at > 0)
        drop_link(L, holder, at);
    lua_pop(L, 1);
}

static void set_link(lua_State* L, int graph, const luax_node* node, uint32_t target, int other,
                     uint32_t joint)
{
    luax_graph_user(L, graph, LUAX_USER_LINKS);
    int at = find_link(L, node->holder, node->uid, target);
    if (at > 0)
        lua_rawgeti(L, -1, at);
    else
        lua_createtable(L, 5, 0);
    const lua_Number numbers[] = {(lua_Number)node->uid, (lua_Number)node->place,
                                  (lua_Number)target};
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, numbers[i]);
        lua_rawseti(L, -2, link_uid + i);
    }
    lua_pushvalue(L, other);
    lua_rawseti(L, -2, link_graph);
    lua_pushnumber(L, (lua_Number)joint);
    lua_rawseti(L, -2, link_joint);
    if (at > 0)
        lua_pop(L, 1);
    else
        lua_rawseti(L, -2, ++node->holder->links);
    lua_pop(L, 1);
    luax_note_in_crowd(node->holder);
}

// The other graph is at the top: its pose is made, if it has moved since. False: that raised, the value
// is at the top.
static bool evaluate_other(lua_State* L, const luax_graph* other)
{
    if (other->running || anim_graph_is_evaluated(other->graph))
        return true; // in a circle the last pose counts
    lua_getfield(L, -1, "evaluate");
    lua_pushvalue(L, -2);
    return lua_pcall(L, 1, 0, 0) == 0;
}

// Where the joint is in the world.
static void joint_in_world(anim_graph* graph, uint32_t joint, float out[3])
{
    anim_rigid place;
    anim_graph_get_place(graph, &place);
    const anim_mat34* m = &anim_graph_model(graph)[joint];
    anim_rigid in_model = {{m->m[0][3], m->m[1][3], m->m[2][3]}, {0, 0, 0, 1}}, in_world;
    anim_rigid_mul(&place, &in_model, &in_world);
    for (int i = 0; i < 3; i++)
        out[i] = fminf(fmaxf(in_world.t[i], -1e30f), 1e30f);
}

void luax_forget_links(lua_State* L, luax_graph* holder)
{
    luax_graph_user(L, 1, LUAX_USER_LINKS);
    while (holder->links > 0)
        drop_link(L, holder, holder->links);
    lua_pop(L, 1);
}

// Whether the link is still number `at` of the list.
static bool is_followed(lua_State* L, int list, int at, int link)
{
    lua_rawgeti(L, list, at);
    bool same = lua_rawequal(L, -1, link);
    lua_pop(L, 1);
    return same;
}

bool luax_follow_links(lua_State* L, luax_graph* holder)
{
    int top = lua_gettop(L);
    luax_graph_user(L, 1, LUAX_USER_LINKS);
    // Scripts of the other graphs may change the list meanwhile.
    for (int i = holder->links; i >= 1; i--) {
        lua_rawgeti(L, top + 1, i);
        if (!lua_istable(L, -1)) {
            lua_pop(L, 1);
            continue;
        }
        uint32_t place = link_number(L, top + 2, link_place);
        uint32_t uid = link_number(L, top + 2, link_uid);
        lua_rawgeti(L, top + 2, link_graph);
        luax_graph* other = ((luax_box*)lua_touserdata(L, -1))->object;
        bool is_there = other && other->graph && !other->graph->edited_from &&
                        anim_topology_has(holder->graph->topology, place, uid);
        if (is_there && !evaluate_other(L, other))
            return false;
        is_there = is_there && other->graph; // its scripts may have released it
        if (is_there && is_followed(L, top + 1, i, top + 2)) {
            float at[3];
            joint_in_world(other->graph, link_number(L, top + 2, link_joint), at);
            anim_solver_set_target(holder->graph, place, link_number(L, top + 2, link_target), at,
                                   true);
        }
        bool same = is_followed(L, top + 1, i, top + 2);
        lua_settop(L, top + 1);
        if (!is_there && same)
            drop_link(L, holder, i);
    }
    lua_settop(L, top);
    return true;
}

// --- methods of nodes ---------------------------------------------------------------------------------

// (x, y, z) or (graph, joint) from argument 2 on, and what may come behind them.
static void set_point(lua_State* L, luax_node* node, uint32_t target, int behind)
{
    if (lua_gettop(L) < 2)
        luax_fail(L, LUAX_ARG(2), "three numbers, or a graph and a joint expected, got nothing");
    int most = (luax_is_kind(L, 2, LUAX_GRAPH) ? 3 : 4) + behind;
    luax_at_most(L, most);
    lua_settop(L, most);
    push_graph(L, 1);
    int own = lua_gettop(L);
    if (luax_is_kind(L, 2, LUAX_GRAPH)) {
        const luax_graph* other = luax_graph_at(L, 2);
        uint32_t joint = luax_joint(L, 3, LUAX_ARG(3), other->graph->topology->skeleton);
        if (other != node->holder) {
            set_link(L, own, node, target, 2, joint);
            return;
        }
        forget_link(L, own, node->holder, node->uid, target);
        anim_solver_set_joint(node->holder->graph, node->place, target, joint);
        return;
    }
    float at[3];
    for (int i = 0; i < 3; i++)
        at[i] = luax_float(L, 2 + i, LUAX_ARG(2 + i));
    if (node->holder->links > 0)
        forget_link(L, own, node->holder, node->uid, target);
    anim_solver_set_target(node->holder->graph, node->place, target, at, false);
}

int luax_solver_set_target(lua_State* L)
{
    luax_node* node = solver_at(L);
    uint32_t count = luax_info(node)->solver->target_count, target = 0;
    int last = lua_gettop(L) > 1 && luax_is_kind(L, 2, LUAX_GRAPH) ? 4 : 5;
    if (!luax_info(node)->solver->waits) // those of a foot are the ground, see setGround
        return luaL_error(L, "%s nodes have no target", luax_kinds[luax_info(node)->kind]);
    if (luax_is_given(L, last))
        target = (uint32_t)luax_index(L, last, LUAX_ARG(last), count) - 1;
    set_point(L, node, target, 1);
    return 0;
}

int luax_solver_set_pole(lua_State* L)
{
    luax_node* node = solver_at(L);
    anim_kind kind = luax_info(node)->kind;
    if (kind != ANIM_KIND_TWO_BONE && kind != ANIM_KIND_AIM)
        return luaL_error(L, "%s nodes have no pole", luax_kinds[kind]);
    set_point(L, node, ANIM_POLE, 0);
    return 0;
}

int luax_solver_set_weight(lua_State* L, luax_node* node)
{
    const anim_source* weight = &luax_info(node)->solver->weight;
    float value = luax_float(L, 2, LUAX_ARG(2));
    luax_at_most(L, 2);
    if (value < 0 || value > 1)
        luax_expected(L, 2, LUAX_ARG(2), "number from 0 to 1");
    if (weight->param != ANIM_NO_PARAM)
        return luaL_error(L, "this weight follows parameter '%s'",
                          node->holder->graph->topology->params[weight->param].name);
    anim_solver_set_weight(node->holder->graph, node->place, value);
    return 0;
}

int luax_solver_get_residual(lua_State* L)
{
    const luax_node* node = solver_at(L);
    anim_kind kind = luax_info(node)->kind;
    if (kind == ANIM_KIND_SPRING || kind == ANIM_KIND_ORIENT)
        return luaL_error(L, "%s nodes have no residual", luax_kinds[kind]);
    lua_pushnumber(L, (lua_Number)anim_solver_get_residual(node->holder->graph, node->place));
    return 1;
}

// (leg, x, y, z [, nx, ny, nz]) in world space; (leg): as described again
int luax_solver_set_ground(lua_State* L)
{
    luax_node* node = luax_node_of(L, ANIM_KIND_FOOT);
    uint32_t legs = luax_info(node)->solver->target_count / 2;
    uint32_t leg = (uint32_t)luax_index(L, 2, LUAX_ARG(2), legs) - 1;
    if (lua_gettop(L) < 3) {
        anim_solver_set_ground(node->holder->graph, node->place, leg, NULL, NULL);
        return 0;
    }
    float numbers[6] = {0, 0, 0, 0, 1, 0};
    luax_at_most(L, 8);
    for (int i = 0, given = lua_gettop(L) > 5 ? 6 : 3; i < given; i++)
        numbers[i] = luax_float(L, 3 + i, LUAX_ARG(3 + i));
    anim_solver_set_ground(node->holder->graph, node->place, leg, numbers, numbers + 3);
    return 0;
}

int luax_solver_teleport(lua_State* L)
{
    luax_node* node = luax_node_of(L, ANIM_KIND_SPRING);
    anim_solver_teleport(node->holder->graph, node->place);
    return 0;
}

// --- the place of the character -----------------------------------------------------------------------

int luax_graph_set_transform(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    anim_rigid place = ANIM_RIGID_IDENTITY;
    for (int i = 0; i < 3; i++) {
        place.t[i] = luax_float(L, 2 + i, LUAX_ARG(2 + i));
        if (fabsf(place.t[i]) > 1e15f)
            luax_expected(L, 2 + i, LUAX_ARG(2 + i), "number from -1e15 to 1e15");
    }
    luax_at_most(L, 8);
    for (int i = 0; i < 4 && lua_gettop(L) > 4; i++)
        place.q[i] = luax_float(L, 5 + i, LUAX_ARG(5 + i));
    if (!anim_quat_normalize(place.q, place.q))
        luax_fail(L, LUAX_ARG(5), "rotation expected, got a quaternion of length zero");
    anim_graph_set_place(holder->graph, &place);
    return 0;
}

// --- root motion to a target --------------------------------------------------------------------------

// A table's target of the character; false: neither place nor facing is in it.
static void read_warp(lua_State* L, anim_warp_desc* d)
{
    static const char* const keys[] = {"position", "facing", "rotation", "seconds", "space", NULL};
    static const char* const spaces[] = {"model", "world", NULL};
    luax_place at;
    luax_record(L, 2, LUAX_ARG(2), keys, 0);
    d->target = ANIM_RIGID_IDENTITY;
    d->has_position = luax_field(L, 2, LUAX_ARG(2), "position", &at);
    if (d->has_position)
        luax_vector(L, lua_gettop(L), &at, d->target.t, 3);
    if (luax_field(L, 2, LUAX_ARG(2), "facing", &at)) {
        float half = luax_float(L, lua_gettop(L), &at) / 2;
        d->has_rotation = true;
        anim_sincos(half, &d->target.q[1], &d->target.q[3]);
    }
    if (luax_field(L, 2, LUAX_ARG(2), "rotation", &at)) {
        if (d->has_rotation)
            luax_fail(L, &at, "facing or rotation expected, got both");
        d->has_rotation = true;
        luax_vector(L, lua_gettop(L), &at, d->target.q, 4);
        if (!anim_quat_normalize(d->target.q, d->target.q))
            luax_fail(L, &at, "rotation expected, got a quaternion of length zero");
    }
    if (!d->has_position && !d->has_rotation)
        luax_fail(L, LUAX_ARG(2), "position, facing or rotation expected");
    if (luax_field(L, 2, LUAX_ARG(2), "space", &at))
        d->in_world = luax_choice(L, lua_gettop(L), &at, spaces) == 1;
    luax_field(L, 2, LUAX_ARG(2), "seconds", &at);
    d->seconds = luax_number(L, lua_gettop(L), &at);
    if (!(d->seconds > 0))
        luax_expected(L, lua_gettop(L), &at, "number above 0");
    for (int i = 0; i < 3; i++)
        if (fabsf(d->target.t[i]) > 1e15f)
            luax_fail(L, LUAX_ARG(2), "position: numbers from -1e15 to 1e15 expected");
}

int luax_graph_warp(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    lua_settop(L, 2);
    anim_warp_desc desc = {.seconds = 0};
    if (luax_is_given(L, 2))
        read_warp(L, &desc);
    anim_graph_warp(holder->graph, &desc);
    return 0;
}

int luax_graph_is_warping(lua_State* L)
{
    lua_pushboolean(L, anim_graph_is_warping(luax_graph_at(L, 1)->graph));
    return 1;
}

// --- methods of poses ---------------------------------------------------------------------------------

static int solve_pose(lua_State* L, anim_kind kind)
{
    anim_pose* pose = luax_self(L, LUAX_POSE);
    if (pose->additive)
        luax_fail(L, LUAX_ARG(1), "pose of transforms expected, got one of additive deltas");
    lua_settop(L, 2);
    luax_scratch scratch = luax_new_scratch(L);
    luax_scratch room = luax_new_scratch(L);
    anim_solver desc;
    luax_read_solver(L, 2, LUAX_ARG(2), kind, pose->skeleton, NULL, scratch.arena, &desc);
    anim_solver* solver;
    anim_error err;
    if (anim_solver_create(&desc, scratch.arena, pose->skeleton, &solver, &err))
        luax_fail_core(L, LUAX_ARG(2), &err);
    void* bytes = anim_arena_alloc(room.arena, anim_solver_room(solver), 1);
    float residual = bytes ? anim_pose_solve(solver, pose->skeleton, pose->groups, bytes) : 0;
    anim_solver_release(solver);
    if (!bytes)
        return luaL_error(L, "not enough memory");
    luax_empty(LUAX_SCRATCH, scratch.box);
    luax_empty(LUAX_SCRATCH, room.box);
    if (kind == ANIM_KIND_ORIENT)
        return 0;
    lua_pushnumber(L, (lua_Number)residual);
    return 1;
}

int luax_pose_two_bone(lua_State* L)
{
    return solve_pose(L, ANIM_KIND_TWO_BONE);
}

int luax_pose_chain(lua_State* L)
{
    return solve_pose(L, ANIM_KIND_CHAIN);
}

int luax_pose_stride(lua_State* L)
{
    return solve_pose(L, ANIM_KIND_STRIDE);
}

int luax_pose_orient(lua_State* L)
{
    return solve_pose(L, ANIM_KIND_ORIENT);
}

int luax_pose_aim(lua_State* L)
{
    return solve_pose(L, ANIM_KIND_AIM);
}

// --- for lua/anim/graph -------------------------------------------------------------------------------

// graph, place, description: of a graph that is being edited
static int set_solver(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    anim_topology* t = holder->graph->topology;
    uint32_t place = luax_place_at(L, 2, t);
    if (!holder->graph->edited_from || !anim_node_is_solver(&t->nodes[place]))
        luax_fail(L, LUAX_ARG(2), "solver of a graph that is edited expected");
    lua_settop(L, 3);
    luaL_checktype(L, 3, LUA_TTABLE);
    luax_scratch scratch = luax_new_scratch(L);
    anim_solver desc;
    luax_read_solver(L, 3, LUAX_ARG(3), t->nodes[place].kind, t->skeleton, holder, scratch.arena,
                     &desc);
    anim_solver* solver;
    anim_error err;
    if (anim_solver_create(&desc, scratch.arena, t->skeleton, &solver, &err))
        luax_fail_core(L, LUAX_ARG(3), &err);
    anim_topology_set_solver(t, place, solver);
    anim_solver_release(solver);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 0;
}

// kind -> list of the keys of its description
static int solver_keys(lua_State* L)
{
    int kind = luax_choice(L, 1, LUAX_ARG(1), luax_kinds);
    const char* const* keys = luax_solver_keys((anim_kind)kind);
    lua_newtable(L);
    for (int i = 0; keys && keys[i]; i++) {
        lua_pushstring(L, keys[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// graph, place, list -> numbers written: x, y, z of each target that is given, then of the pole; whether that
// is one of them; the solver's weight
static int read_targets(lua_State* L)
{
    const anim_graph* graph = luax_graph_at(L, 1)->graph;
    uint32_t place = luax_place_at(L, 2, graph->topology);
    const anim_node* node = &graph->topology->nodes[place];
    luaL_checktype(L, 3, LUA_TTABLE);
    int written = 0;
    bool has_pole = false;
    uint32_t targets = anim_node_is_solver(node) ? node->solver->target_count : 0;
    for (uint32_t i = 0; i <= targets && anim_node_is_solver(node); i++) {
        float at[3];
        has_pole = anim_solver_get_target(graph, place, i < targets ? i : ANIM_POLE, at);
        for (int k = 0; k < 3 && has_pole; k++) {
            lua_pushnumber(L, (lua_Number)at[k]);
            lua_rawseti(L, 3, ++written);
        }
    }
    lua_pushinteger(L, written);
    lua_pushboolean(L, has_pole);
    lua_pushnumber(L, anim_node_is_solver(node) ? (lua_Number)anim_solver_get_weight(graph, place)
                                                : 0);
    return 3;
}

// --- what a script has set, over a reload --------------------------------------------------------------

static const int point_fields =
    4; // source, x, y, z; behind them the graph and joint that it follows

// Pushes what is set of a point, and whom it follows: a list; nil for one that is as described.
static void push_point(lua_State* L, const luax_node* node, uint32_t target)
{
    const anim_graph* graph = node->holder->graph;
    const anim_solver_state* state = anim_state_of_solver(graph, node->place);
    const anim_point_state* p = target == ANIM_POLE ? &state->pole
                                                    : &anim_solver_points(state)[target];
    luax_graph_user(L, 1, LUAX_USER_LINKS);
    int list = lua_gettop(L), at = find_link(L, node->holder, node->uid, target);
    if (p->source == ANIM_POINT_AS_DESCRIBED && at == 0) {
        lua_pushnil(L);
    } else {
        const double numbers[] = {p->source, (double)p->at[0], (double)p->at[1], (double)p->at[2]};
        lua_createtable(L, point_fields + 2, 0);
        for (int i = 0; i < point_fields; i++) {
            lua_pushnumber(L, numbers[i]);
            lua_rawseti(L, -2, i + 1);
        }
        if (at > 0)
            lua_rawgeti(L, list, at);
        for (int i = 0; i < 2 && at > 0; i++) {
            lua_rawgeti(L, -1, link_graph + i);
            lua_rawseti(L, -3, point_fields + 1 + i);
        }
        if (at > 0)
            lua_pop(L, 1);
    }
    lua_remove(L, list);
}

static luax_node solver_of(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    uint32_t place = luax_place_at(L, 2, holder->graph->topology);
    luaL_argcheck(L, anim_node_is_solver(&holder->graph->topology->nodes[place]), 2, "solver");
    return (luax_node){holder, place, holder->graph->topology->nodes[place].uid};
}

// graph, place -> { targets = how many, weight = where it was set, [0] = the pole's point, a point of each }
static int read_points(lua_State* L)
{
    const luax_node node = solver_of(L);
    const anim_solver* solver = luax_info(&node)->solver;
    float weight = anim_state_of_solver(node.holder->graph, node.place)->weight;
    lua_settop(L, 2);
    lua_newtable(L);
    lua_pushnumber(L, (lua_Number)solver->target_count);
    lua_setfield(L, 3, "targets");
    lua_pushboolean(L, solver->in_world);
    lua_setfield(L, 3, "world");
    if (weight != solver->weight.value) {
        lua_pushnumber(L, (lua_Number)weight);
        lua_setfield(L, 3, "weight");
    }
    for (uint32_t i = 0; i <= solver->target_count; i++) {
        push_point(L, &node, i == 0 ? ANIM_POLE : i - 1);
        lua_rawseti(L, 3, (int)i);
    }
    return 1;
}

// graph, place, what read_points gave of a node like this one; joints are of the same skeleton
static int write_points(lua_State* L)
{
    const luax_node node = solver_of(L);
    anim_graph* graph = node.holder->graph;
    anim_solver_state* state = anim_state_of_solver(graph, node.place);
    const anim_solver* solver = luax_info(&node)->solver;
    uint32_t count = solver->target_count;
    lua_settop(L, 3);
    lua_getfield(L, 3, "weight");
    if (!lua_isnil(L, -1))
        state->weight = (float)lua_tonumber(L, -1);
    lua_getfield(L, 3, "targets");
    bool same = (uint32_t)lua_tonumber(L, -1) == count;
    lua_getfield(L, 3, "world"); // in another space the numbers are other places
    same = same && (lua_toboolean(L, -1) != 0) == solver->in_world;
    for (uint32_t i = 0; i <= count && same; i++) {
        uint32_t target = i == 0 ? ANIM_POLE : i - 1;
        lua_settop(L, 3);
        lua_rawgeti(L, 3, (int)i);
        if (lua_isnil(L, 4))
            continue;
        for (int k = 1; k <= point_fields + 2; k++)
            lua_rawgeti(L, 4, k);
        anim_point_state* p = i == 0 ? &state->pole : &anim_solver_points(state)[target];
        p->source = (int32_t)lua_tonumber(L, 5);
        for (int k = 0; k < 3; k++)
            p->at[k] = (float)lua_tonumber(L, 6 + k);
        if (!lua_isnil(L, 9))
            set_link(L, 1, &node, target, 9, (uint32_t)lua_tonumber(L, 10));
    }
    return 0;
}

// graph -> x, y, z, qx, qy, qz, qw of setTransform; nothing where it says what is so without it
static int read_place(lua_State* L)
{
    anim_rigid place;
    anim_graph_get_place(luax_graph_at(L, 1)->graph, &place);
    if (memcmp(&place, &ANIM_RIGID_IDENTITY, sizeof place) == 0)
        return 0;
    for (int i = 0; i < 3; i++)
        lua_pushnumber(L, (lua_Number)place.t[i]);
    for (int i = 0; i < 4; i++)
        lua_pushnumber(L, (lua_Number)place.q[i]);
    return 7;
}

const luaL_Reg luax_solver_functions[] = {
    {"readPlace", read_place},     {"readPoints", read_points},
    {"readTargets", read_targets}, {"showGraph", luax_graph_show},
    {"writePoints", write_points}, {"setSolver", set_solver},
    {"solverKeys", solver_keys},   {NULL, NULL},
};
