// SPDX-License-Identifier: MIT
// Several Lua states in one process: side by side, one after the other, and each on its own thread.
#include "base/thread.h"
#include "lua/anim_lua.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <cmocka.h>

enum { thread_count = 4 };

static const char making[] =
    "local anim = require 'anim'\n"
    "local skeleton = anim.newSkeleton { { name = 'a' }, { name = 'b', parent = 'a' } }\n"
    "local track = { rotation = { times = { 0, 1 }, values = { 0, 0, 0, 1, 0, 1, 0, 0 } } }\n"
    "local clip = anim.newClip { name = 'c', skeleton = skeleton, tracks = { b = track },\n"
    "  events = { { time = .5, name = 'half' } } }\n"
    "graph = anim.newGraph(skeleton, { root = 'c' }, { clips = { c = clip } })\n"
    "count = 0\n"
    "graph:on('half', function() count = count + 1 end)\n";

static const char running[] = "for _ = 1, 400 do graph:update(1 / 50) end\n"
                              "collectgarbage()\n"
                              "assert(count % 8 == 0 and count > 0, count)\n";

static lua_State* open_state(void)
{
    lua_State* L = luaL_newstate();
    if (!L)
        return NULL;
    luaL_openlibs(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_anim_core);
    lua_setfield(L, -2, "anim.core");
    lua_getglobal(L, "package");
    lua_pushliteral(L, ANIM_LUA_DIR "/?.lua;" ANIM_LUA_DIR "/?/init.lua");
    lua_setfield(L, -2, "path");
    lua_settop(L, 0);
    return L;
}

static int run(lua_State* L, const char* script)
{
    int status = luaL_dostring(L, script);
    if (status)
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    return status;
}

static void test_side_by_side(void** state)
{
    (void)state;
    lua_State *a = open_state(), *b = open_state();
    assert_int_equal(run(a, making), 0);
    assert_int_equal(run(b, making), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run(a, running), 0);
        assert_int_equal(run(b, running), 0);
    }
    lua_close(a);
    assert_int_equal(run(b, running), 0);
    a = open_state();
    assert_int_equal(run(a, making), 0);
    lua_close(b);
    assert_int_equal(run(a, running), 0);
    lua_close(a);
}

static void live(void* out)
{
    lua_State* L = open_state();
    int* failed = out;
    *failed = !L || run(L, making) || run(L, running) || run(L, running);
    if (L)
        lua_close(L);
}

static void test_on_threads(void** state)
{
    (void)state;
    anim_thread* threads[thread_count];
    int failed[thread_count];
    for (int i = 0; i < thread_count; i++) {
        threads[i] = anim_thread_start(live, &failed[i]);
        assert_non_null(threads[i]);
    }
    for (int i = 0; i < thread_count; i++)
        anim_thread_join(threads[i]);
    for (int i = 0; i < thread_count; i++)
        assert_int_equal(failed[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
