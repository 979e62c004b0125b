// SPDX-License-Identifier: MIT
// Updates of a script's own graph without the script: what Lua costs is the difference.
#define _POSIX_C_SOURCE 200809L
#include "base/config.h"
#include "lua/graph.h"
#include "lua/objects.h"

#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// update(graph, count, dt) -> seconds of processor time
static int update(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    long count = (long)luaL_checknumber(L, 2);
    double dt = luaL_checknumber(L, 3), start = now();
    for (long i = 0; i < count; i++) {
        anim_graph_advance(graph, dt, false, NULL);
        anim_graph_evaluate(graph, NULL);
    }
    lua_pushnumber(L, now() - start);
    return 1;
}

// set(graph, count, index) -> seconds of processor time
static int set(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    long count = (long)luaL_checknumber(L, 2);
    uint32_t index = (uint32_t)luaL_checknumber(L, 3);
    double start = now();
    for (long i = 0; i < count; i++)
        anim_graph_set_number(graph, index, (double)(i & 3));
    lua_pushnumber(L, now() - start);
    return 1;
}

// crowd(crowd, count, dt) -> seconds of processor time
static int crowd(lua_State* L)
{
    luax_crowd* all = luax_object(L, 1, LUAX_ARG(1), LUAX_CROWD);
    long count = (long)luaL_checknumber(L, 2);
    double dt = luaL_checknumber(L, 3), start = now();
    for (long i = 0; i < count; i++)
        anim_crowd_update(all->crowd, dt, false, NULL, NULL);
    lua_pushnumber(L, now() - start);
    return 1;
}

static int clock_of_process(lua_State* L)
{
    lua_pushnumber(L, now());
    return 1;
}

__attribute__((visibility("default"))) int luaopen_anim_bench(lua_State* L);

int luaopen_anim_bench(lua_State* L)
{
    static const luaL_Reg functions[] = {{"update", update},
                                         {"set", set},
                                         {"crowd", crowd},
                                         {"clock", clock_of_process},
                                         {NULL, NULL}};
    luax_open_types(L);
    int types = lua_gettop(L);
    lua_newtable(L);
    luax_set_functions(L, types, functions);
    return 1;
}
