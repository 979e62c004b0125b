// SPDX-License-Identifier: MIT
#include "lua/handles.h"

#include "base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// --- boxes --------------------------------------------------------------------------------------

luax_box* luax_new(lua_State* L, luax_kind kind)
{
    luax_box* box = lua_newuserdata(L, sizeof *box);
    box->object = NULL;
    lua_rawgeti(L, LUAX_TYPES, kind);
    lua_setmetatable(L, -2);
    if (luax_types[kind].has_user) {
        lua_newtable(L);
        luax_set_user(L, -2);
    }
    return box;
}

void luax_fill(lua_State* L, luax_kind kind, luax_box* box, void* object)
{
    box->object = object;
    if (luax_types[kind].retain)
        luax_add_handle(L, object);
}

void luax_push(lua_State* L, luax_kind kind, void* object)
{
    luax_push_handle(L, object);
    if (!lua_isnil(L, -1))
        return;
    lua_pop(L, 1);
    luax_box* box = luax_new(L, kind);
    luax_types[kind].retain(object);
    luax_fill(L, kind, box, object);
}

void luax_empty(luax_kind kind, luax_box* box)
{
    void* object = box->object;
    box->object = NULL;
    if (object)
        luax_types[kind].drop(object);
}

static luax_box* to_box(lua_State* L, int index, luax_kind kind)
{
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    lua_rawgeti(L, LUAX_TYPES, kind);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? lua_touserdata(L, index) : NULL;
}

bool luax_is_kind(lua_State* L, int index, luax_kind kind)
{
    return to_box(L, index, kind) != NULL;
}

// release, __gc and __close of all kinds.
static int release(lua_State* L)
{
    luax_kind kind = (luax_kind)lua_tointeger(L, LUAX_KIND);
    luax_box* box = to_box(L, 1, kind);
    if (!box)
        luax_expected_type(L, 1, LUAX_ARG(1), luax_types[kind].name);
    const void* object = box->object;
    luax_empty(kind, box);
    if (object && luax_types[kind].retain)
        luax_remove_handle(L, object);
    return 0;
}

luax_scratch luax_new_scratch(lua_State* L)
{
    luax_scratch scratch = {.box = luax_new(L, LUAX_SCRATCH)};
    scratch.arena = scratch.box->object = anim_mem_alloc(sizeof(anim_arena));
    if (!scratch.arena)
        luaL_error(L, "not enough memory");
    return scratch;
}

void* luax_alloc(lua_State* L, anim_arena* arena, size_t count, size_t element)
{
    void* memory = anim_arena_alloc(arena, count, element);
    if (!memory)
        luaL_error(L, "not enough memory");
    return memory;
}

// --- functions and metatables -------------------------------------------------------------------

static void set_function(lua_State* L, int types, luax_kind kind, const char* name,
                         lua_CFunction function)
{
    lua_pushstring(L, name);
    lua_pushvalue(L, types);
    lua_pushvalue(L, -2);
    lua_pushinteger(L, kind);
    lua_pushcclosure(L, function, 3);
    lua_rawset(L, -3);
}

void luax_put_number(lua_State* L, const char* key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

void luax_put_boolean(lua_State* L, const char* key, bool x)
{
    lua_pushboolean(L, x);
    lua_setfield(L, -2, key);
}

void luax_put_string(lua_State* L, const char* key, const char* text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

void luax_set_functions(lua_State* L, int types, const luaL_Reg* functions)
{
    for (; functions->name; functions++)
        set_function(L, types, (luax_kind)0, functions->name, functions->func);
}

static void set_methods(lua_State* L, int types, luax_kind kind, bool meta)
{
    for (const luaL_Reg* f = luax_types[kind].methods; f && f->name; f++)
        if ((strncmp(f->name, "__", 2) == 0) == meta)
            set_function(L, types, kind, f->name, f->func);
}

static void push_metatable(lua_State* L, int types, luax_kind kind)
{
    lua_newtable(L);
    lua_pushstring(L, luax_types[kind].name);
    lua_setfield(L, -2, "__name");
    set_methods(L, types, kind, true);
    set_function(L, types, kind, "__gc", release);
    set_function(L, types, kind, "__close", release);
    lua_newtable(L);
    set_methods(L, types, kind, false);
    set_function(L, types, kind, "release", release);
    lua_setfield(L, -2, "__index");
}

void luax_open_types(lua_State* L)
{
    // The key holds an address, so that another copy of this module has metatables of its own.
    const char* key = lua_pushfstring(L, "anim.core %p", (const void*)luax_types);
    lua_getfield(L, LUA_REGISTRYINDEX, key);
    if (lua_istable(L, -1)) {
        lua_remove(L, -2);
        return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    int types = lua_gettop(L);
    luax_open_handles(L);
    for (int kind = 1; kind < LUAX_KINDS; kind++) {
        push_metatable(L, types, (luax_kind)kind);
        lua_rawseti(L, types, kind);
    }
    lua_pushvalue(L, types);
    lua_setfield(L, LUA_REGISTRYINDEX, key);
    lua_remove(L, -2);
}

// --- errors -------------------------------------------------------------------------------------

static bool is_identifier(const char* text)
{
    if (*text >= '0' && *text <= '9')
        return false;
    const char* at = text;
    while (*at == '_' || (*at >= '0' && *at <= '9') || ((*at | 32) >= 'a' && (*at | 32) <= 'z'))
        at++;
    return at > text && !*at;
}

static size_t write_place(const luax_place* at, char* out, size_t size)
{
    if (!at->above)
        return 0;
    size_t used = write_place(at->above, out, size);
    if (used + 1 >= size)
        return used;
    int length;
    if (!at->key)
        length = snprintf(out + used, size - used, "[%d]", at->index);
    else if (is_identifier(at->key))
        length = snprintf(out + used, size - used, "%s%s", used ? "." : "", at->key);
    else
        length = snprintf(out + used, size - used, "[\"%s\"]", at->key);
    used += length > 0 ? (size_t)length : 0;
    return used < size ? used : size - 1;
}

// Like luaL_argerror, but the name is known under pcall too.
static void raise_argument(lua_State* L, int argument, const char* text)
{
    lua_Debug call;
    const char* name = lua_tostring(L, LUAX_NAME);
    bool is_method = false;
    if (lua_getstack(L, 0, &call) && lua_getinfo(L, "n", &call))
        is_method = call.namewhat && strcmp(call.namewhat, "method") == 0;
    if (is_method && argument == 1)
        luaL_error(L, "calling '%s' on bad self (%s)", name, text);
    luaL_error(L, "bad argument #%d to '%s' (%s)", argument - is_method, name, text);
}

void luax_fail(lua_State* L, const luax_place* at, const char* format, ...)
{
    char text[1024] = "";
    size_t used = write_place(at, text, 512);
    if (used)
        used += (size_t)snprintf(text + used, sizeof text - used, ": ");
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
    while (at->above)
        at = at->above;
    for (;;) // does not return
        raise_argument(L, at->index, text);
}

enum { description_size = 64 };

static const char* describe_type(lua_State* L, int index, char out[description_size])
{
    if (lua_type(L, index) != LUA_TUSERDATA || !luaL_getmetafield(L, index, "__name"))
        return luaL_typename(L, index);
    bool is_named = lua_type(L, -1) == LUA_TSTRING;
    snprintf(out, description_size, "%s", is_named ? lua_tostring(L, -1) : "userdata");
    lua_pop(L, 1);
    return out;
}

static const char* describe(lua_State* L, int index, char out[description_size])
{
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        if (isnan(lua_tonumber(L, index)))
            return "nan"; // printf may give it a sign
        snprintf(out, description_size, "%.14g", lua_tonumber(L, index));
        return out;
    case LUA_TSTRING: {
        const char* text = lua_tostring(L, index);
        const char* form = strlen(text) > 40 ? "string '%.40s...'" : "string '%s'";
        snprintf(out, description_size, form, text);
        return out;
    }
    case LUA_TBOOLEAN: return lua_toboolean(L, index) ? "true" : "false";
    default: return describe_type(L, index, out);
    }
}

void luax_expected(lua_State* L, int index, const luax_place* at, const char* what)
{
    char got[description_size];
    luax_fail(L, at, "%s expected, got %s", what, describe(L, index, got));
}

void luax_expected_type(lua_State* L, int index, const luax_place* at, const char* what)
{
    char got[description_size];
    luax_fail(L, at, "%s expected, got %s", what, describe_type(L, index, got));
}

void luax_fail_core(lua_State* L, const luax_place* at, const anim_error* err)
{
    if (at && err->code != ANIM_ERR_MEMORY)
        luax_fail(L, at, "%s", err->message);
    for (;;) // does not return
        luaL_error(L, "%s", err->message);
}

int luax_return_error(lua_State* L, const anim_error* err)
{
    lua_pushnil(L);
    lua_pushstring(L, err->message);
    return 2;
}

void luax_at_most(lua_State* L, int most)
{
    if (lua_gettop(L) > most)
        luax_expected(L, most + 1, LUAX_ARG(most + 1), "no further argument");
}

// --- values -------------------------------------------------------------------------------------

void* luax_object(lua_State* L, int index, const luax_place* at, luax_kind kind)
{
    luax_box* box = to_box(L, index, kind);
    if (!box)
        luax_expected_type(L, index, at, luax_types[kind].name);
    if (!box->object)
        luaL_error(L, "attempt to use a released %s", luax_types[kind].name);
    return box->object;
}

double luax_number(lua_State* L, int index, const luax_place* at)
{
    double x = lua_tonumber(L, index);
    if (lua_type(L, index) != LUA_TNUMBER || !isfinite(x))
        luax_expected(L, index, at, "finite number");
    return x;
}

float luax_float(lua_State* L, int index, const luax_place* at)
{
    float x = (float)luax_number(L, index, at);
    if (!isfinite(x))
        luax_expected(L, index, at, "number of single precision");
    return x;
}

bool luax_boolean(lua_State* L, int index, const luax_place* at)
{
    if (!lua_isboolean(L, index))
        luax_expected(L, index, at, "true or false");
    return lua_toboolean(L, index);
}

static bool to_index(lua_State* L, int index, uint32_t count, int* out)
{
    double x = lua_tonumber(L, index);
    if (lua_type(L, index) != LUA_TNUMBER || !(x >= 1 && x <= count) || x != floor(x))
        return false;
    *out = (int)x;
    return true;
}

int luax_index(lua_State* L, int index, const luax_place* at, uint32_t count)
{
    int i;
    if (!to_index(L, index, count, &i)) {
        char what[64];
        snprintf(what, sizeof what, "index from 1 to %u", (unsigned)count);
        luax_expected(L, index, at, what);
    }
    return i;
}

const char* luax_text(lua_State* L, int index, const luax_place* at)
{
    if (lua_type(L, index) != LUA_TSTRING)
        luax_expected_type(L, index, at, "string");
    size_t size;
    const char* text = lua_tolstring(L, index, &size);
    if (strlen(text) != size)
        luax_fail(L, at, "string without zero bytes expected");
    return text;
}

const char* luax_name(lua_State* L, int index, const luax_place* at)
{
    const char* name = luax_text(L, index, at);
    size_t size = strlen(name);
    if (size == 0 || size > ANIM_MAX_NAME)
        luax_fail(L, at, "name of 1 to %u bytes expected, got %u", ANIM_MAX_NAME, (unsigned)size);
    return name;
}

int luax_choice(lua_State* L, int index, const luax_place* at, const char* const* choices)
{
    char what[512] = "";
    size_t used = 0;
    for (int i = 0; choices[i]; i++) {
        if (lua_type(L, index) == LUA_TSTRING && lua_objlen(L, index) == strlen(choices[i]) &&
            strcmp(lua_tostring(L, index), choices[i]) == 0)
            return i;
        const char* between = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        if (used < sizeof what) // a longer list is cut
            used += (size_t)snprintf(what + used, sizeof what - used, "%s\"%s\"", between,
                                     choices[i]);
    }
    luax_expected(L, index, at, what);
}

const char* luax_did_you_mean(const anim_names* names, const char* name, char out[128])
{
    const char* nearest = anim_names_nearest(names, name);
    out[0] = '\0';
    if (nearest)
        snprintf(out, 128, "; did you mean '%s'?", nearest);
    return out;
}

uint32_t luax_joint(lua_State* L, int index, const luax_place* at, const anim_skeleton* skeleton)
{
    int type = lua_type(L, index), i;
    if (type == LUA_TSTRING) {
        const char* name = luax_text(L, index, at);
        int32_t joint = anim_skeleton_find(skeleton, name);
        char hint[128];
        if (joint < 0)
            luax_fail(L, at, "no joint '%.64s'%s", name,
                      luax_did_you_mean(&skeleton->names, name, hint));
        return (uint32_t)joint;
    }
    if (type != LUA_TNUMBER)
        luax_expected(L, index, at, "joint index or name");
    if (!to_index(L, index, skeleton->joint_count, &i)) {
        char what[64];
        snprintf(what, sizeof what, "joint index from 1 to %u", (unsigned)skeleton->joint_count);
        luax_expected(L, index, at, what);
    }
    return (uint32_t)i - 1;
}

void* luax_self_or_released(lua_State* L, luax_kind kind)
{
    luax_box* box = to_box(L, 1, kind);
    if (!box)
        luax_expected_type(L, 1, LUAX_ARG(1), luax_types[kind].name);
    if (!box->object)
        lua_pushfstring(L, "%s: released", luax_types[kind].name);
    return box->object;
}

int luax_push_xform(lua_State* L, const anim_xform* x)
{
    for (int i = 0; i < 3; i++)
        lua_pushnumber(L, (lua_Number)x->t[i]);
    for (int i = 0; i < 4; i++)
        lua_pushnumber(L, (lua_Number)x->q[i]);
    for (int i = 0; i < 3; i++)
        lua_pushnumber(L, (lua_Number)x->s[i]);
    return 10;
}

void luax_push_notes(lua_State* L, const anim_notes* notes)
{
    lua_createtable(L, (int)notes->count, 0);
    int i = 0;
    for (const anim_note* note = notes->first; note; note = note->next) {
        if (note->times > 1)
            lua_pushfstring(L, "%s (%d times)", note->text, (int)note->times);
        else
            lua_pushstring(L, note->text);
        lua_rawseti(L, -2, ++i);
    }
    if (notes->left_out > 0) {
        lua_pushfstring(L, "%d more warnings of other kinds", (int)notes->left_out);
        lua_rawseti(L, -2, ++i);
    }
}
