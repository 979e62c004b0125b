// SPDX-License-Identifier: MIT
// anim.load and anim.decode: files to model tables.
#include "lua/clip.h"
#include "lua/files.h"
#include "lua/model.h"
#include "lua/objects.h"
#include "lua/table.h"

#include "base/mem.h"

#include <limits.h>
#include <string.h>

// What lives while a file becomes a table. In a box, so that an error in between loses nothing.
typedef struct loading {
    anim_blob file;
    anim_model* model;
} loading;

void luax_drop_import(void* object)
{
    loading* load = object;
    anim_mem_free(load->file.bytes);
    anim_model_destroy(load->model);
    anim_mem_free(load);
}

// --- options ------------------------------------------------------------------------------------

const uint64_t luax_largest_file = (uint64_t)1 << 30;

static bool is_choice(lua_State* L, int table, const luax_place* arg, const char* key,
                      const char* const* choices)
{
    luax_place at;
    bool second = luax_field(L, table, arg, key, &at) && luax_choice(L, -1, &at, choices) == 1;
    lua_pop(L, 1);
    return second;
}

static void read_numbers(lua_State* L, int table, const luax_place* arg, anim_import_desc* desc)
{
    luax_place at;
    if (luax_field(L, table, arg, "scene", &at))
        desc->scene = (uint32_t)luax_index(L, -1, &at, INT32_MAX);
    if (luax_field(L, table, arg, "scale", &at)) {
        desc->bvh_scale = luax_number(L, -1, &at);
        if (desc->bvh_scale <= 0)
            luax_expected(L, -1, &at, "number above 0");
    }
    if (luax_field(L, table, arg, "trim", &at))
        desc->trim = luax_boolean(L, -1, &at);
    if (luax_field(L, table, arg, "meshes", &at))
        desc->geometry = luax_boolean(L, -1, &at);
    lua_pop(L, 4);
}

static void check_loop(lua_State* L, const luax_place* at)
{
    int loop = lua_gettop(L);
    if (lua_isfunction(L, loop))
        return;
    if (!lua_istable(L, loop)) {
        if (!lua_isboolean(L, loop) && lua_type(L, loop) != LUA_TSTRING)
            luax_expected(L, loop, at, "true, false, \"pingpong\", list of names or function");
        luax_loop(L, loop, at);
        return;
    }
    uint32_t count = luax_list(L, loop, at);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(at, (int)i + 1);
        lua_rawgeti(L, loop, (int)i + 1);
        luax_name(L, -1, &item);
        lua_pop(L, 1);
    }
}

static void read_pack(lua_State* L, int table, const luax_place* arg, luax_load_options* o)
{
    luax_place at;
    if (luax_field(L, table, arg, "pack", &at)) {
        o->packs = lua_istable(L, -1) || luax_boolean(L, -1, &at);
        if (lua_istable(L, -1))
            o->pack = luax_pack_options(L, lua_gettop(L), &at, false);
    }
    if (luax_field(L, table, arg, "rate", &at))
        o->pack.rate = luax_pack_rate(L, &at);
    lua_pop(L, 2);
}

// Options at stack index `table`; what is needed later stays on the stack.
luax_load_options luax_read_load_options(lua_State* L, int table)
{
    static const char* const keys[] = {"nodes", "scene", "loop", "scale",  "trim", "positions",
                                       "read",  "pack",  "rate", "meshes", NULL};
    static const char* const nodes[] = {"skin", "all", NULL};
    static const char* const positions[] = {"absolute", "relative", NULL};
    luax_load_options o = {.desc = {.memory_limit = luax_largest_file}};
    if (!luax_is_given(L, table))
        return o;
    const luax_place* arg = LUAX_ARG(table);
    luax_place at;
    luax_record(L, table, arg, keys, 0);
    o.desc.all_nodes = is_choice(L, table, arg, "nodes", nodes);
    o.desc.bvh_relative = is_choice(L, table, arg, "positions", positions);
    read_numbers(L, table, arg, &o.desc);
    read_pack(L, table, arg, &o);
    if (luax_field(L, table, arg, "loop", &at)) {
        check_loop(L, &at);
        o.loop = lua_gettop(L);
    }
    if (luax_field(L, table, arg, "read", &at)) {
        if (!lua_isfunction(L, -1))
            luax_expected_type(L, -1, &at, "function");
        o.read = lua_gettop(L);
    }
    return o;
}

// --- other files --------------------------------------------------------------------------------

// One call of the script's `read`. In a userdata, since light userdata is not safe everywhere; L is
// the caller's and not kept beyond the import.
typedef struct reading {
    lua_State* L;
    int call, self, function; // stack indices
    const char* uri;
    anim_blob bytes;
    anim_code code;
    anim_error* err;
} reading;

// Arguments: the reading, the function. Runs protected, so it may raise.
static int call_read(lua_State* L)
{
    reading* r = lua_touserdata(L, 1);
    lua_pushstring(L, r->uri);
    lua_call(L, 1, 2);
    if (lua_isnil(L, 2)) {
        const char* why = lua_tostring(L, 3);
        r->code = anim_fail(r->err, ANIM_ERR_IO, "%s", why ? why : "`read` found nothing");
        return 0;
    }
    if (lua_type(L, 2) != LUA_TSTRING) {
        r->code = anim_fail(r->err, ANIM_ERR_IO, "`read` gave a %s, not a string",
                            luaL_typename(L, 2));
        return 0;
    }
    const char* bytes = lua_tolstring(L, 2, &r->bytes.size);
    r->bytes.bytes = anim_mem_alloc(r->bytes.size);
    if (r->bytes.bytes)
        memcpy(r->bytes.bytes, bytes, r->bytes.size);
    else
        r->code = anim_fail_memory(r->err, "what `read` gave");
    return 0;
}

// The importer's memory is open while this runs: nothing here may raise. Pushing copies does not,
// as the room for them was made before.
static anim_code read_by_script(void* user, const char* uri, anim_blob* out, anim_error* err)
{
    reading* r = user;
    lua_State* L = r->L;
    r->uri = uri;
    r->bytes = (anim_blob){0};
    r->code = ANIM_OK;
    r->err = err;
    lua_pushvalue(L, r->call);
    lua_pushvalue(L, r->self);
    lua_pushvalue(L, r->function);
    if (lua_pcall(L, 2, 0, 0) != 0) {
        const char* message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        if (message)
            r->code = anim_fail(err, ANIM_ERR_IO, "`read` failed: %s", message);
        else
            r->code = anim_fail(err, ANIM_ERR_IO, "`read` failed (error object is a %s value)",
                                luaL_typename(L, -1));
        lua_pop(L, 1);
    }
    *out = r->bytes;
    return r->code;
}

void luax_read_with_script(lua_State* L, luax_load_options* o)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_pushcfunction(L, call_read);
    reading* r = lua_newuserdata(L, sizeof *r);
    int top = lua_gettop(L);
    *r = (reading){.L = L, .call = top - 1, .self = top, .function = o->read};
    o->desc.read = read_by_script;
    o->desc.user = r;
}

// Neither a root nor a drive nor a scheme.
static bool is_relative(const char* uri)
{
    size_t first = strcspn(uri, ":/\\");
    return uri[0] != '/' && uri[0] != '\\' && uri[first] != ':';
}

// `user` is the path of the file that names the other one.
anim_code luax_read_beside(void* user, const char* uri, anim_blob* out, anim_error* err)
{
    const char* path = user;
    if (!is_relative(uri))
        return anim_fail(err, ANIM_ERR_IO,
                         "'%.200s' is not beside the file; the option `read` can fetch it", uri);
    const char* name = luax_base_name(path);
    size_t directory = (size_t)(name - path), length = strlen(uri);
    char* whole = anim_mem_alloc(directory + length + 1);
    if (!whole)
        return anim_fail_memory(err, "a path");
    memcpy(whole, path, directory);
    memcpy(whole + directory, uri, length + 1);
    anim_code code = luax_read_file(whole, luax_largest_file, out, err);
    anim_mem_free(whole);
    return code;
}

anim_code luax_read_nothing(void* user, const char* uri, anim_blob* out, anim_error* err)
{
    (void)user;
    (void)out;
    return anim_fail(
        err, ANIM_ERR_IO,
        "'%.200s' is another file: give the option read = function(uri) return bytes end", uri);
}

// --- model tables -------------------------------------------------------------------------------

static void push_strings(lua_State* L, const char* const* texts, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushstring(L, texts[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_morphs(lua_State* L, const anim_model* model)
{
    lua_createtable(L, (int)model->morph_count, 0);
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const anim_morph* morph = &model->morphs[i];
        lua_createtable(L, 0, 4);
        lua_pushstring(L, morph->name);
        lua_setfield(L, -2, "name");
        push_strings(L, morph->targets, morph->target_count);
        lua_setfield(L, -2, "targets");
        push_strings(L, morph->curves, morph->target_count);
        lua_setfield(L, -2, "curves");
        lua_createtable(L, (int)morph->target_count, 0);
        for (uint32_t k = 0; k < morph->target_count; k++) {
            lua_pushnumber(L, (lua_Number)morph->weights[k]);
            lua_rawseti(L, -2, (int)k + 1);
        }
        lua_setfield(L, -2, "weights");
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static bool is_listed(lua_State* L, int list, const char* name)
{
    bool found = false;
    for (int i = 1, count = (int)lua_objlen(L, list); i <= count && !found; i++) {
        lua_rawgeti(L, list, i);
        found = strcmp(lua_tostring(L, -1), name) == 0;
        lua_pop(L, 1);
    }
    return found;
}

// What the option `loop` says of a clip.
static anim_loop choose_loop(lua_State* L, int loop, const luax_place* at, const anim_clip* clip)
{
    if (lua_istable(L, loop))
        return is_listed(L, loop, clip->name) ? ANIM_LOOP_REPEAT : ANIM_LOOP_ONCE;
    if (!lua_isfunction(L, loop))
        return luax_loop(L, loop, at);
    lua_pushvalue(L, loop);
    lua_pushstring(L, clip->name);
    lua_call(L, 1, 1);
    anim_loop mode = lua_isnil(L, -1) ? ANIM_LOOP_ONCE : luax_loop(L, -1, at);
    lua_pop(L, 1);
    return mode;
}

static void push_clip(lua_State* L, anim_clip* clip, anim_loop loop)
{
    if (loop == clip->loop) {
        luax_push(L, LUAX_CLIP, clip);
        return;
    }
    const anim_clip_variant variant = {.loop = (int)loop, .duration = -1};
    luax_derive_clip(L, clip, &variant);
}

static void push_clips(lua_State* L, const anim_model* model, int options, int loop)
{
    luax_place at = luax_key(LUAX_ARG(options), "loop");
    lua_createtable(L, (int)model->clip_count, (int)model->clip_count);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        anim_clip* clip = model->clips[i];
        push_clip(L, clip, loop ? choose_loop(L, loop, &at, clip) : clip->loop);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, (int)i + 1);
        lua_setfield(L, -2, clip->name);
    }
}

// Names in the option `loop` that no clip has, as warnings in the list at the top.
static void warn_of_unknown_loops(lua_State* L, const anim_model* model, int loop)
{
    int n = (int)lua_objlen(L, -1);
    for (int i = 1, count = (int)lua_objlen(L, loop); i <= count; i++) {
        lua_rawgeti(L, loop, i);
        const char* name = lua_tostring(L, -1);
        uint32_t c = 0;
        while (c < model->clip_count && strcmp(model->clips[c]->name, name) != 0)
            c++;
        if (c == model->clip_count)
            lua_pushfstring(L, "option loop: there is no clip '%s'", name);
        else
            lua_pushnil(L);
        lua_remove(L, -2);
        if (lua_isnil(L, -1))
            lua_pop(L, 1);
        else
            lua_rawseti(L, -2, ++n);
    }
}

static void push_warnings(lua_State* L, const anim_model* model, int loop)
{
    luax_push_notes(L, &model->notes);
    if (loop && lua_istable(L, loop))
        warn_of_unknown_loops(L, model, loop);
}

// The collector sees a few small userdata, not the megabytes behind them: models that are loaded and
// dropped would pile up. A large one is worth as much collecting as that much Lua.
static void charge_collector(lua_State* L, const anim_model* model)
{
    enum { large = 1 << 20 };
    size_t size = model->skeleton->size;
    for (uint32_t i = 0; i < model->clip_count; i++)
        size += model->clips[i]->size + model->clips[i]->keys->size;
    for (uint32_t i = 0; i < model->skin_count; i++)
        size += model->skins[i]->size;
#if LUA_VERSION_NUM > 501
    if (!lua_gc(L, LUA_GCISRUNNING, 0))
        return; // stopped by the script, who knows why
#endif
    if (size >= large && size / 1024 < INT_MAX)
        lua_gc(L, LUA_GCSTEP, (int)(size / 1024));
}

void luax_push_model(lua_State* L, const anim_model* model, const char* name, int options, int loop)
{
    lua_createtable(L, 0, 6);
    lua_pushstring(L, luax_base_name(name));
    lua_setfield(L, -2, "name");
    luax_push(L, LUAX_SKELETON, model->skeleton);
    lua_setfield(L, -2, "skeleton");
    push_clips(L, model, options, loop);
    lua_setfield(L, -2, "clips");
    lua_createtable(L, (int)model->skin_count, 0);
    for (uint32_t i = 0; i < model->skin_count; i++) {
        luax_push(L, LUAX_SKIN, model->skins[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "skins");
    push_morphs(L, model);
    lua_setfield(L, -2, "morphs");
    if (model->geometry.is_wanted)
        luax_put_geometry(L, &model->geometry);
    push_warnings(L, model, loop);
    lua_setfield(L, -2, "warnings");
    charge_collector(L, model);
}

// --- functions ----------------------------------------------------------------------------------

static luax_box* new_loading(lua_State* L)
{
    luax_box* box = luax_new(L, LUAX_IMPORT);
    box->object = anim_mem_alloc(sizeof(loading));
    if (!box->object)
        luaL_error(L, "not enough memory");
    return box;
}

static anim_code import_and_pack(const luax_load_options* o, bool packs, const anim_pack_desc* pack,
                                 anim_model** model, anim_error* err)
{
    anim_code code = anim_import(&o->desc, model, err);
    if (code || !packs)
        return code;
    code = anim_model_pack(*model, pack, NULL, NULL, err);
    if (code)
        anim_error_prefix(err, "%.200s: ", o->desc.name);
    return code;
}

static int import(lua_State* L, luax_box* box, const luax_load_options* o, int options_index)
{
    loading* load = box->object;
    anim_error err;
    anim_pack_desc pack = o->pack;
    bool packs = luax_pack_forced(L, &pack) || o->packs;
    if (import_and_pack(o, packs, &pack, &load->model, &err)) {
        luax_empty(LUAX_IMPORT, box);
        return luax_return_error(L, &err);
    }
    luax_push_model(L, load->model, o->desc.name, options_index, o->loop);
    luax_empty(LUAX_IMPORT, box);
    return 1;
}

int luax_load(lua_State* L)
{
    const char* path = luax_text(L, 1, LUAX_ARG(1));
    luax_at_most(L, 2);
    lua_settop(L, 2);
    luax_load_options o = luax_read_load_options(L, 2);
    if (o.read) {
        luax_read_with_script(L, &o);
    } else {
        o.desc.read = luax_read_beside;
        o.desc.user = (void*)path;
    }
    luax_box* box = new_loading(L);
    loading* load = box->object;
    anim_error err;
    if (luax_read_file(path, luax_largest_file, &load->file, &err))
        return luax_return_error(L, &err);
    o.desc.name = path;
    o.desc.bytes = load->file.bytes;
    o.desc.size = load->file.size;
    return import(L, box, &o, 2);
}

int luax_decode(lua_State* L)
{
    if (lua_type(L, 1) != LUA_TSTRING)
        luax_expected_type(L, 1, LUAX_ARG(1), "string of bytes");
    const char* name = luax_is_given(L, 2) ? luax_text(L, 2, LUAX_ARG(2)) : "data";
    luax_at_most(L, 3);
    lua_settop(L, 3);
    luax_load_options o = luax_read_load_options(L, 3);
    if (o.read)
        luax_read_with_script(L, &o);
    else
        o.desc.read = luax_read_nothing;
    luax_box* box = new_loading(L);
    o.desc.name = name;
    o.desc.bytes = lua_tolstring(L, 1, &o.desc.size);
    return import(L, box, &o, 3);
}
