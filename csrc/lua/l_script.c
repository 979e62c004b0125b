// SPDX-License-Identifier: MIT
// Script nodes. The core calls in the middle of a pass, so nothing here may raise: what a script raises is
// kept until the core has returned (l_graph.c).
#include "lua/graph.h"
#include "lua/objects.h"

#include "base/mem.h"

enum { entry_update = 1, entry_pose, entry_ground };

// Stack: graph, place of the node, dt, whether its `pose` is to run. Called under pcall.
int luax_graph_script(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    uint32_t place = (uint32_t)lua_tonumber(L, 2);
    bool poses = lua_toboolean(L, 4);
    const anim_node* node = &holder->graph->topology->nodes[place];
    luax_graph_user(L, 1, LUAX_USER_SCRIPTS);
    lua_pushnumber(L, (lua_Number)node->uid);
    lua_rawget(L, -2);
    lua_rawgeti(L, -1, poses ? entry_pose : entry_update);
    luax_push_node(L, 1, holder, place);
    if (poses) {
        luax_get_user(L, 1);
        lua_rawgeti(L, -1, LUAX_USER_POSE);
        lua_remove(L, -2);
    }
    lua_pushvalue(L, 3);
    lua_call(L, poses ? 3 : 2, 0);
    return 0;
}

void luax_keep_error(luax_graph* holder)
{
    lua_State* L = holder->running;
    holder->failed = true;
    luax_get_user(L, 1);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, LUAX_USER_ERROR); // the place is there, nothing is allocated
    lua_pop(L, 2);
}

static void call(luax_graph* holder, uint32_t place, double dt, bool poses)
{
    lua_State* L = holder->running;
    if (holder->failed || holder->doomed)
        return;
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        holder->failed = true;
        return;
    }
    luaL_getmetafield(L, 1, "__script");
    lua_pushvalue(L, 1);
    lua_pushnumber(L, (lua_Number)place);
    lua_pushnumber(L, dt);
    lua_pushboolean(L, poses);
    if (lua_pcall(L, 4, 0, 0) != 0)
        luax_keep_error(holder);
}

static void check_ground(lua_State* L, int index)
{
    lua_Number x = lua_tonumber(L, index);
    if (lua_type(L, index) != LUA_TNUMBER)
        luaL_error(L, "ground must give a height and a normal as numbers, or nil; got %s",
                   luaL_typename(L, index));
    if (!(x >= -1e30 && x <= 1e30))
        luaL_error(L, "ground must give numbers from -1e30 to 1e30, got %f", x);
}

// Stack: graph, node's uid, x, y, z. Called under pcall. -> height, nx, ny, nz
int luax_graph_ground(lua_State* L)
{
    luax_graph_user(L, 1, LUAX_USER_SCRIPTS);
    lua_pushvalue(L, 2);
    lua_rawget(L, -2);
    lua_rawgeti(L, -1, entry_ground);
    for (int i = 3; i <= 5; i++)
        lua_pushvalue(L, i);
    lua_call(L, 3, 4);
    if (lua_isnil(L, -4))
        return 0; // no ground here
    for (int i = -4; i < 0; i++)
        if (i == -4 || !lua_isnil(L, i))
            check_ground(L, i);
    return 4;
}

bool luax_ground(void* user, anim_graph* graph, uint32_t node, const float at[3], float* height,
                 float normal[3])
{
    luax_graph* holder = user;
    lua_State* L = holder->running;
    if (holder->failed || holder->doomed || !lua_checkstack(L, LUA_MINSTACK))
        return false;
    int top = lua_gettop(L);
    luaL_getmetafield(L, 1, "__ground");
    lua_pushvalue(L, 1);
    lua_pushnumber(L, (lua_Number)graph->topology->nodes[node].uid);
    for (int i = 0; i < 3; i++)
        lua_pushnumber(L, (lua_Number)at[i]);
    if (lua_pcall(L, 5, LUA_MULTRET, 0) != 0) {
        luax_keep_error(holder);
        lua_settop(L, top);
        return false;
    }
    bool found = lua_gettop(L) == top + 4;
    if (found) {
        *height = (float)lua_tonumber(L, top + 1);
        for (int i = 0; i < 3; i++)
            normal[i] = (float)lua_tonumber(L, top + 2 + i);
    }
    lua_settop(L, top);
    return found;
}

void luax_script_update(void* user, anim_graph* graph, uint32_t node, double dt)
{
    (void)graph;
    call(user, node, dt, false);
}

// A Pose over the core's own memory: it must not be found there after the call.
static luax_box* lend_view(luax_graph* holder, anim_pose_group* pose, bool additive)
{
    lua_State* L = holder->running;
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, LUAX_USER_POSE);
    luax_box* box = lua_touserdata(L, -1);
    lua_pop(L, 2);
    anim_pose* view = holder->view;
    if (!view && (view = anim_mem_alloc(sizeof *view)))
        view->skeleton = anim_skeleton_retain(holder->graph->topology->skeleton);
    if (!box || !view)
        return NULL;
    view->groups = pose;
    view->additive = additive;
    holder->view = NULL;
    box->object = view;
    return box;
}

void luax_script_pose(void* user, anim_graph* graph, uint32_t node, anim_pose_group* pose,
                      double dt)
{
    luax_graph* holder = user;
    if (holder->failed || holder->doomed)
        return;
    luax_box* box = lend_view(holder, pose, graph->topology->nodes[node].in_additive);
    if (!box) {
        holder->failed = true;
        return;
    }
    call(holder, node, dt, true);
    holder->view = box->object; // NULL where the script released it
    box->object = NULL;
}
