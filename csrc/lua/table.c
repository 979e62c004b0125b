// SPDX-License-Identifier: MIT
#include "lua/table.h"

#include "base/layout.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect_table(lua_State* L, int index, const luax_place* at)
{
    if (!lua_istable(L, index))
        luax_expected_type(L, index, at, "table");
}

// Whether the key at the top is one of `keys`; a name with zero bytes in it is none.
static bool is_one_of(lua_State* L, const char* const* keys)
{
    if (lua_type(L, -1) != LUA_TSTRING)
        return false;
    const char* name = lua_tostring(L, -1);
    for (; *keys; keys++)
        if (strcmp(name, *keys) == 0)
            return lua_objlen(L, -1) == strlen(name);
    return false;
}

// The key at the top of the stack is not known to the reader of the table.
static _Noreturn void fail_unknown_key(lua_State* L, const luax_place* at, const char* const* keys)
{
    if (lua_type(L, -1) != LUA_TSTRING)
        luax_expected(L, -1, at, "name as key");
    const char* name = lua_tostring(L, -1);
    uint32_t count = 0;
    while (keys[count])
        count++;
    uint32_t block[512]; // some twenty short names
    anim_names names = {0};
    anim_layout layout = {0};
    anim_names_build(&names, &layout, keys, count);
    if (layout.size <= sizeof block) {
        layout = (anim_layout){(unsigned char*)block, 0};
        anim_names_build(&names, &layout, keys, count);
    }
    char hint[128];
    luax_fail(L, at, "unknown key '%.64s'%s", name, luax_did_you_mean(&names, name, hint));
}

// Whether the key at the top is one of the items 1 to count.
static bool is_item(lua_State* L, uint32_t count)
{
    if (lua_type(L, -1) != LUA_TNUMBER)
        return false;
    double x = lua_tonumber(L, -1);
    return x >= 1 && x <= count && x == floor(x);
}

void luax_record(lua_State* L, int index, const luax_place* at, const char* const* keys,
                 uint32_t items)
{
    expect_table(L, index, at);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (!is_one_of(L, keys) && !is_item(L, items))
            fail_unknown_key(L, at, keys);
    }
}

bool luax_field(lua_State* L, int index, const luax_place* at, const char* key, luax_place* out)
{
    *out = luax_key(at, key);
    lua_pushstring(L, key);
    lua_rawget(L, index);
    return !lua_isnil(L, -1);
}

uint32_t luax_list(lua_State* L, int index, const luax_place* at)
{
    expect_table(L, index, at);
    size_t length = lua_objlen(L, index);
    if (length > INT_MAX / 4)
        luax_fail(L, at, "list of at most %d items expected", INT_MAX / 4);
    uint32_t count = (uint32_t)length;
    // Traversal goes on after the last item, so for a plain list this ends at once.
    if (count > 0)
        lua_pushinteger(L, (lua_Integer)count);
    else
        lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (is_item(L, count))
            continue;
        if (lua_type(L, -1) == LUA_TSTRING)
            luax_fail(L, at, "list expected; it has the key '%.64s'", lua_tostring(L, -1));
        luax_fail(L, at, "list without gaps expected");
    }
    return count;
}

float* luax_floats(lua_State* L, int index, const luax_place* at, anim_arena* arena,
                   uint32_t* count)
{
    *count = luax_list(L, index, at);
    float* out = luax_alloc(L, arena, *count, sizeof *out);
    for (uint32_t i = 0; i < *count; i++) {
        luax_place item = luax_item(at, (int)i + 1);
        lua_rawgeti(L, index, (int)i + 1);
        out[i] = luax_float(L, -1, &item);
        lua_pop(L, 1);
    }
    return out;
}

void luax_vector(lua_State* L, int index, const luax_place* at, float* out, uint32_t count)
{
    uint32_t length = luax_list(L, index, at);
    if (length != count)
        luax_fail(L, at, "list of %u numbers expected, got %u", (unsigned)count, (unsigned)length);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(at, (int)i + 1);
        lua_rawgeti(L, index, (int)i + 1);
        out[i] = luax_float(L, -1, &item);
        lua_pop(L, 1);
    }
}

static int compare_keys(const void* a, const void* b)
{
    const luax_map_key *x = a, *y = b;
    if (x->name && y->name)
        return strcmp(x->name, y->name);
    if (x->name || y->name)
        return x->name ? 1 : -1;
    return x->index < y->index ? -1 : 1;
}

// The key at the top of the stack.
static luax_map_key read_key(lua_State* L, const luax_place* at, bool items)
{
    if (lua_type(L, -1) == LUA_TSTRING)
        return (luax_map_key){luax_name(L, -1, at), 0};
    if (!items || !is_item(L, INT_MAX))
        luax_expected(L, -1, at, items ? "index or name as key" : "name as key");
    return (luax_map_key){NULL, (int)lua_tonumber(L, -1)};
}

luax_map_key* luax_map(lua_State* L, int index, const luax_place* at, bool items, anim_arena* arena,
                       uint32_t* count)
{
    expect_table(L, index, at);
    *count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        (*count)++;
    luax_map_key* keys = luax_alloc(L, arena, *count, sizeof *keys);
    uint32_t i = 0;
    for (lua_pushnil(L); lua_next(L, index);) {
        lua_pop(L, 1);
        keys[i++] = read_key(L, at, items);
    }
    qsort(keys, *count, sizeof *keys, compare_keys);
    return keys;
}

void luax_map_get(lua_State* L, int index, const luax_place* at, const luax_map_key* key,
                  luax_place* out)
{
    *out = key->name ? luax_key(at, key->name) : luax_item(at, key->index);
    if (key->name) {
        lua_pushstring(L, key->name);
        lua_rawget(L, index);
    } else {
        lua_rawgeti(L, index, key->index);
    }
}

uint32_t luax_map_joint(lua_State* L, const luax_map_key* key, const luax_place* at,
                        const anim_skeleton* skeleton)
{
    if (key->name)
        lua_pushstring(L, key->name);
    else
        lua_pushinteger(L, key->index);
    uint32_t joint = luax_joint(L, -1, at, skeleton);
    lua_pop(L, 1);
    return joint;
}

anim_names luax_index_names(lua_State* L, anim_arena* arena, const char* const* texts,
                            uint32_t count)
{
    anim_names names = {0};
    anim_layout layout = {0};
    anim_names_build(&names, &layout, texts, count);
    layout = (anim_layout){luax_alloc(L, arena, layout.size, 1), 0};
    anim_names_build(&names, &layout, texts, count);
    return names;
}
