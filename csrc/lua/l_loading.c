// SPDX-License-Identifier: MIT
// anim.loadAsync. Files are read, parsed and packed on threads that never see Lua; what has to be asked of
// the script (`read`, `loop`) is asked by the methods of the Loading.
#include "import/loader.h"

#include "base/mem.h"
#include "base/thread.h"
#include "lua/clip.h"
#include "lua/files.h"
#include "lua/model.h"
#include "lua/objects.h"
#include "lua/table.h"

// In the user value of a Loading.
enum { user_loop = 1, user_read, user_model, user_name };

typedef struct luax_loading {
    anim_loading* loading; // NULL: what came of it was taken
    anim_model* model;     // until it is a table
    bool failed;
    bool asking; // `read` runs
    bool doomed; // released meanwhile
    anim_error err;
} luax_loading;

static void destroy(luax_loading* l)
{
    anim_loading_release(l->loading);
    anim_model_destroy(l->model);
    anim_mem_free(l);
}

void luax_drop_loading(void* object)
{
    luax_loading* l = object;
    l->doomed = true;
    if (!l->asking)
        destroy(l);
}

void luax_drop_loader(void* loader)
{
    anim_loader_destroy(loader);
}

// --- a new one --------------------------------------------------------------------------------------

// One for each Lua state, made when it is first needed, ended with the state.
static anim_loader* loader_of(lua_State* L)
{
    enum { most = 4 };
    lua_getfield(L, LUAX_TYPES, "loader");
    luax_box* box = lua_touserdata(L, -1);
    if (!box) {
        box = luax_new(L, LUAX_LOADER);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUAX_TYPES, "loader");
        lua_remove(L, -2);
    }
    uint32_t cores = anim_thread_cores();
    if (!box->object)
        box->object = anim_loader_create(cores > most ? most : cores);
    if (!box->object)
        luaL_error(L, "not enough memory, or no thread is to be had");
    lua_pop(L, 1);
    return box->object;
}

static anim_code open_file(const char* name, anim_blob* out, anim_error* err)
{
    return luax_read_file(name, luax_largest_file, out, err);
}

// What argument 1 says; `read` is left on the stack, its index or 0 is given.
static int read_source(lua_State* L, anim_load_desc* desc)
{
    static const char* const keys[] = {"bytes", "name", "read", NULL};
    luax_place at;
    if (!lua_istable(L, 1)) {
        if (lua_type(L, 1) != LUA_TSTRING)
            luax_expected_type(L, 1, LUAX_ARG(1), "path or table with bytes");
        desc->name = luax_text(L, 1, LUAX_ARG(1));
        desc->open = open_file;
        return 0;
    }
    luax_record(L, 1, LUAX_ARG(1), keys, 0);
    luax_field(L, 1, LUAX_ARG(1), "bytes", &at);
    if (lua_type(L, -1) != LUA_TSTRING)
        luax_expected_type(L, -1, &at, "string of bytes");
    desc->bytes = lua_tolstring(L, -1, &desc->size);
    desc->name = luax_field(L, 1, LUAX_ARG(1), "name", &at) ? luax_text(L, -1, &at) : "data";
    if (!luax_field(L, 1, LUAX_ARG(1), "read", &at))
        return 0;
    if (!lua_isfunction(L, -1))
        luax_expected_type(L, -1, &at, "function");
    return lua_gettop(L);
}

// A list of names may change before it is needed.
static void push_loop(lua_State* L, int loop)
{
    if (!loop || !lua_istable(L, loop)) {
        loop ? lua_pushvalue(L, loop) : lua_pushnil(L);
        return;
    }
    int count = (int)lua_objlen(L, loop);
    lua_createtable(L, count, 0);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, loop, i);
        lua_rawseti(L, -2, i);
    }
}

// Into the user value of the Loading at the top.
static void keep(lua_State* L, const luax_load_options* o, const char* name)
{
    luax_get_user(L, -1);
    push_loop(L, o->loop);
    lua_rawseti(L, -2, user_loop);
    if (o->read)
        lua_pushvalue(L, o->read);
    else
        lua_pushnil(L);
    lua_rawseti(L, -2, user_read);
    lua_pushstring(L, name);
    lua_rawseti(L, -2, user_name);
    lua_pop(L, 1);
}

int luax_load_async(lua_State* L)
{
    luax_at_most(L, 2);
    lua_settop(L, 2);
    anim_load_desc desc = {.name = NULL};
    int read = read_source(L, &desc);
    luax_load_options o = luax_read_load_options(L, 2);
    if (o.read && read)
        luax_fail(L, LUAX_ARG(2), "read: it is given twice");
    o.read = o.read ? o.read : read;
    if (!o.read)
        desc.read = desc.bytes ? luax_read_nothing : luax_read_beside;
    desc.import = o.desc;
    desc.pack = o.pack;
    desc.packs = luax_pack_forced(L, &desc.pack) || o.packs;
    luax_box* box = luax_new(L, LUAX_LOADING);
    keep(L, &o, desc.name);
    anim_loader* loader = loader_of(L);
    luax_loading* l = anim_mem_alloc(sizeof *l);
    if (!l)
        return luaL_error(L, "not enough memory");
    luax_fill(L, LUAX_LOADING, box, l);
    anim_error err;
    if (anim_loader_add(loader, &desc, &l->loading, &err))
        luax_fail_core(L, NULL, &err);
    return 1;
}

// --- methods ----------------------------------------------------------------------------------------

static luax_loading* self(lua_State* L)
{
    luax_at_most(L, 1);
    return luax_self(L, LUAX_LOADING);
}

static void push_user(lua_State* L, int which)
{
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, which);
    lua_remove(L, -2);
}

// Another file is asked for: `read` is called. False: the Loading was released there.
static bool answer(lua_State* L, luax_loading* l)
{
    const char* uri = l->loading && !l->asking ? anim_loading_asks(l->loading) : NULL;
    if (!uri)
        return true;
    int top = lua_gettop(L);
    push_user(L, user_read);
    luax_load_options o = {.read = top + 1};
    luax_read_with_script(L, &o);
    anim_blob bytes;
    anim_error err;
    l->asking = true; // nothing raises until it is over
    anim_code code = o.desc.read(o.desc.user, uri, &bytes, &err);
    anim_loading_answer(l->loading, code, &bytes, &err);
    l->asking = false;
    lua_settop(L, top);
    if (l->doomed)
        destroy(l);
    else
        return true;
    return false;
}

static bool is_done(const luax_loading* l)
{
    return !l->loading || anim_loading_is_done(l->loading);
}

static int get_done(lua_State* L)
{
    luax_loading* l = self(L);
    bool there = answer(L, l);
    lua_pushboolean(L, there && is_done(l));
    return 1;
}

static int get_progress(lua_State* L)
{
    luax_loading* l = self(L);
    if (!answer(L, l))
        return luaL_error(L, "attempt to use a released anim.Loading");
    lua_pushnumber(L, l->loading ? (lua_Number)anim_loading_progress(l->loading) : 1);
    return 1;
}

// What came of it, when it is done; nothing more is on its way then.
static void take(luax_loading* l)
{
    l->failed = anim_loading_take(l->loading, &l->model, &l->err) != ANIM_OK;
    anim_loading_release(l->loading);
    l->loading = NULL;
}

// Stack: the Loading. The table, once it is made, is the same each time.
static int push_result(lua_State* L, luax_loading* l)
{
    if (l->failed)
        return luax_return_error(L, &l->err);
    push_user(L, user_model);
    if (!lua_isnil(L, -1))
        return 1;
    lua_pop(L, 1);
    push_user(L, user_loop);
    push_user(L, user_name);
    luax_push_model(L, l->model, lua_tostring(L, 3), 2, lua_isnil(L, 2) ? 0 : 2);
    luax_get_user(L, 1);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, user_model);
    lua_pop(L, 1);
    anim_model_destroy(l->model);
    l->model = NULL;
    return 1;
}

static int get(lua_State* L)
{
    luax_loading* l = self(L);
    if (l->asking)
        return luaL_error(L, "the file waits for what `read` gives");
    while (!is_done(l)) {
        if (!answer(L, l))
            return luaL_error(L, "attempt to use a released anim.Loading");
        anim_loading_wait(l->loading);
    }
    if (l->loading)
        take(l);
    return push_result(L, l);
}

static int to_string(lua_State* L)
{
    const luax_loading* l = luax_self_or_released(L, LUAX_LOADING);
    if (!l)
        return 1;
    push_user(L, user_name);
    float progress = l->loading ? anim_loading_progress(l->loading) : 1;
    lua_pushfstring(L, "anim.Loading: %s, %d%%", luax_base_name(lua_tostring(L, -1)),
                    (int)(progress * 100));
    return 1;
}

const luaL_Reg luax_loading_methods[] = {
    {"isDone", get_done}, {"getProgress", get_progress}, {"get", get}, {"__tostring", to_string},
    {NULL, NULL},
};
