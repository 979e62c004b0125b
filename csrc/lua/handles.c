// SPDX-License-Identifier: MIT
#include "lua/handles.h"

#include "base/mem.h"

// Places in the table of kinds, below those of the kinds.
enum { handles_place = 0, counts_place = -1 };

// Lua never shrinks a table by itself, and one that held many dead handles would stay large.
typedef struct counts {
    size_t live;
    size_t filled; // handles added since the table was made
} counts;

// Addresses as numbers: light userdata breaks on LuaJIT for ARM64, and a double holds every address
// of an aligned block exactly.
static void push_key(lua_State* L, const void* object)
{
    lua_pushnumber(L, (lua_Number)((uintptr_t)object / ANIM_ALIGN));
}

static counts* get_counts(lua_State* L)
{
    lua_rawgeti(L, LUAX_TYPES, counts_place);
    counts* c = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return c;
}

static void push_weak_table(lua_State* L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
}

void luax_open_handles(lua_State* L)
{
    push_weak_table(L);
    lua_rawseti(L, -2, handles_place);
    counts* c = lua_newuserdata(L, sizeof *c);
    *c = (counts){0};
    lua_rawseti(L, -2, counts_place);
}

void luax_push_handle(lua_State* L, const void* object)
{
    lua_rawgeti(L, LUAX_TYPES, handles_place);
    push_key(L, object);
    lua_rawget(L, -2);
    lua_remove(L, -2);
}

void luax_add_handle(lua_State* L, const void* object)
{
    counts* c = get_counts(L);
    c->live++; // counted even if the table has no memory: the userdata is there
    c->filled++;
    lua_rawgeti(L, LUAX_TYPES, handles_place);
    push_key(L, object);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

// The table at the top, without its empty places.
static void renew(lua_State* L, counts* c)
{
    push_weak_table(L);
    for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -5);
    }
    lua_rawseti(L, LUAX_TYPES, handles_place);
    c->filled = c->live;
}

void luax_remove_handle(lua_State* L, const void* object)
{
    enum { slack = 256 };
    counts* c = get_counts(L);
    c->live--;
    lua_rawgeti(L, LUAX_TYPES, handles_place);
    push_key(L, object);
    lua_rawget(L, -2);
    bool is_there = lua_rawequal(L, -1, 1); // by the time of __gc there may be a newer one
    lua_pop(L, 1);
    if (is_there) {
        push_key(L, object);
        lua_pushnil(L);
        lua_rawset(L, -3);
    }
    if (c->filled > 2 * c->live + slack)
        renew(L, c);
    lua_pop(L, 1);
}
