// SPDX-License-Identifier: MIT
// Palettes of a graph's pose: into memory of others, into a Buffer, as a string.
#include "lua/graph.h"
#include "lua/objects.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

// --- Buffer -----------------------------------------------------------------------------------------

void luax_drop_buffer(void* object)
{
    luax_buffer* buffer = object;
    anim_mem_free(buffer->bytes);
    anim_mem_free(buffer);
}

luax_buffer* luax_push_buffer(lua_State* L, size_t size)
{
    luax_box* box = luax_new(L, LUAX_BUFFER);
    luax_buffer* buffer = anim_mem_alloc(sizeof *buffer);
    if (!buffer)
        luaL_error(L, "not enough memory");
    luax_fill(L, LUAX_BUFFER, box, buffer);
    buffer->bytes = anim_mem_alloc(size);
    if (!buffer->bytes)
        luaL_error(L, "not enough memory");
    buffer->size = buffer->room = size;
    return buffer;
}

void luax_resize_buffer(lua_State* L, luax_buffer* buffer, size_t size)
{
    if (size > buffer->room) {
        size_t room = size + size / 4;
        unsigned char* bytes = anim_mem_alloc(room);
        if (!bytes)
            luaL_error(L, "not enough memory");
        anim_mem_free(buffer->bytes);
        buffer->bytes = bytes;
        buffer->room = room;
    }
    buffer->size = size;
}

int luax_new_buffer(lua_State* L)
{
    luax_push_buffer(L, (size_t)luax_index(L, 1, LUAX_ARG(1), INT32_MAX));
    return 1;
}

static luax_buffer* buffer_at_1(lua_State* L)
{
    return luax_self(L, LUAX_BUFFER);
}

static int get_size(lua_State* L)
{
    lua_pushinteger(L, (lua_Integer)buffer_at_1(L)->size);
    return 1;
}

static int get_pointer(lua_State* L)
{
    lua_pushlightuserdata(L, buffer_at_1(L)->bytes);
    return 1;
}

static int get_string(lua_State* L)
{
    const luax_buffer* buffer = buffer_at_1(L);
    lua_pushlstring(L, (const char*)buffer->bytes, buffer->size);
    return 1;
}

static int buffer_to_string(lua_State* L)
{
    const luax_buffer* buffer = luax_self_or_released(L, LUAX_BUFFER);
    if (buffer)
        lua_pushfstring(L, "anim.Buffer: %d bytes", (int)buffer->size);
    return 1;
}

const luaL_Reg luax_buffer_methods[] = {
    {"getSize", get_size},
    {"getPointer", get_pointer},
    {"getString", get_string},
    {"__tostring", buffer_to_string},
    {NULL, NULL},
};

// --- memory of others -------------------------------------------------------------------------------

typedef struct target {
    unsigned char* bytes;
    double size;
} target;

enum { type_cdata = 10 }; // of LuaJIT, which has no name for it in its API

// Arrays and structures of LuaJIT's FFI, which knows their size. A bare pointer has none: it is as large
// as itself, and so too small for any palette.
static target cdata_at(lua_State* L, int index)
{
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "loaded");
    lua_getfield(L, -1, "ffi");
    lua_getfield(L, -1, "sizeof");
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    target out = {(unsigned char*)(uintptr_t)lua_topointer(L, index), lua_tonumber(L, -1)};
    lua_pop(L, 4);
    return out;
}

// Pushes what a method without arguments gives; false where there is no such method.
static bool call_method(lua_State* L, int index, const char* name)
{
    if (luaL_getmetafield(L, index, "__index") == 0)
        return false;
    lua_pop(L, 1);
    lua_getfield(L, index, name);
    if (!lua_isfunction(L, -1)) {
        lua_pop(L, 1);
        return false;
    }
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    return true;
}

static target target_at(lua_State* L, int index)
{
    if (luax_is_kind(L, index, LUAX_BUFFER)) {
        luax_buffer* buffer = luax_object(L, index, LUAX_ARG(index), LUAX_BUFFER);
        return (target){buffer->bytes, (double)buffer->size};
    }
    if (lua_type(L, index) == type_cdata)
        return cdata_at(L, index);
    target out = {NULL, 0};
    if (lua_type(L, index) == LUA_TUSERDATA && call_method(L, index, "getSize")) {
        out.size = lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (call_method(L, index, "getPointer")) {
            out.bytes = lua_touserdata(L, -1);
            lua_pop(L, 1);
        }
    }
    if (!out.bytes)
        luax_expected_type(L, index, LUAX_ARG(index), "LÖVE Data, FFI array or anim.Buffer");
    return out;
}

// --- palettes ---------------------------------------------------------------------------------------

static const anim_skin* skin_at_2(lua_State* L, const anim_graph* graph)
{
    const anim_skin* skin = luax_object(L, 2, LUAX_ARG(2), LUAX_SKIN);
    if (!anim_skeleton_same(graph->topology->skeleton, skin->skeleton))
        luax_fail(L, LUAX_ARG(2), "skin of the same skeleton expected, got one of another");
    return skin;
}

bool luax_is_3x4(lua_State* L, int index)
{
    static const char* const layouts[] = {"4x4", "3x4", NULL};
    return luax_is_given(L, index) && luax_choice(L, index, LUAX_ARG(index), layouts) == 1;
}

static size_t palette_size(const anim_skin* skin, bool small)
{
    return (size_t)skin->joint_count * (small ? 12 : 16) * sizeof(float);
}

int luax_graph_write_palette(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    const anim_skin* skin = skin_at_2(L, graph);
    luax_at_most(L, 5);
    lua_settop(L, 5);
    target to = target_at(L, 3);
    double offset = luax_is_given(L, 4) ? luax_number(L, 4, LUAX_ARG(4)) : 0;
    if (!(offset >= 0) || fmod(offset, sizeof(float)) != 0)
        luax_expected(L, 4, LUAX_ARG(4), "multiple of 4 (bytes)");
    bool small = luax_is_3x4(L, 5);
    double size = (double)palette_size(skin, small);
    if (offset + size > to.size)
        luax_fail(L, LUAX_ARG(3), "%.0f bytes expected behind offset %.0f, got %.0f", size, offset,
                  to.size > offset ? to.size - offset : 0);
    if ((uintptr_t)to.bytes % sizeof(float) != 0)
        luax_fail(L, LUAX_ARG(3), "memory aligned to 4 bytes expected");
    anim_graph_palette(graph, skin, small, (float*)(void*)(to.bytes + (size_t)offset));
    return 0;
}

int luax_graph_get_palette(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    const anim_skin* skin = skin_at_2(L, graph);
    bool small = luax_is_3x4(L, 3);
    lua_settop(L, 2);
    luax_graph_user(L, 1, small ? LUAX_USER_PALETTES_3X4 : LUAX_USER_PALETTES);
    lua_pushvalue(L, 2);
    lua_rawget(L, 3);
    luax_box* box = lua_isnil(L, 4) ? NULL : lua_touserdata(L, 4);
    luax_buffer* buffer = box ? box->object : NULL;
    if (!buffer) {
        buffer = luax_push_buffer(L, palette_size(skin, small));
        lua_pushvalue(L, 2);
        lua_pushvalue(L, -2);
        lua_rawset(L, 3);
    }
    anim_graph_palette(graph, skin, small, (float*)(void*)buffer->bytes);
    return 1;
}

int luax_graph_get_palette_string(lua_State* L)
{
    anim_graph* graph = luax_graph_at(L, 1)->graph;
    const anim_skin* skin = skin_at_2(L, graph);
    bool small = luax_is_3x4(L, 3);
    size_t size = palette_size(skin, small);
    luax_scratch scratch = luax_new_scratch(L);
    void* bytes = luax_alloc(L, scratch.arena, size, 1);
    anim_graph_palette(graph, skin, small, bytes);
    lua_pushlstring(L, bytes, size);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}
