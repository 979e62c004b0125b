// SPDX-License-Identifier: MIT
// A program with Lua and anim inside: nothing is loaded at run time but Lua files, from ANIM_LUA, the
// directory that holds anim/init.lua.
//
//     host SCRIPT [ARGS]
#include <anim_lua.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdio.h>

// require "anim.core" then calls luaopen_anim_core instead of looking for a file.
static void preload(lua_State* L)
{
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, luaopen_anim_core);
    lua_setfield(L, -2, "anim.core");
    lua_pop(L, 1);
    lua_pushfstring(L, "%s/?.lua;%s/?/init.lua", ANIM_LUA, ANIM_LUA);
    lua_setfield(L, -2, "path");
    lua_pushliteral(L, ""); // and no module from outside
    lua_setfield(L, -2, "cpath");
    lua_pop(L, 1);
}

static void set_arguments(lua_State* L, int argc, char** argv)
{
    lua_newtable(L);
    for (int i = 1; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - 1);
    }
    lua_setglobal(L, "arg");
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: host SCRIPT [ARGS]\n");
        return 2;
    }
    lua_State* L = luaL_newstate();
    if (!L)
        return 1;
    luaL_openlibs(L);
    preload(L);
    set_arguments(L, argc, argv);
    int failed = luaL_loadfile(L, argv[1]);
    if (!failed)
        failed = lua_pcall(L, 0, 0, 0);
    if (failed)
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    lua_close(L);
    return failed ? 1 : 0;
}
