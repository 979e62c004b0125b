// SPDX-License-Identifier: MIT
// What all files of the binding share: boxes, checked values, errors that name a place.
//
// Only PUC Lua 5.1's API is used, with the few lines below for later versions: a module built for
// 5.1 runs in Lua 5.1, LuaJIT and LÖVE.
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "base/notes.h"
#include "pose/skeleton.h"

#if LUA_VERSION_NUM > 501
#define lua_objlen lua_rawlen
#endif
#if LUA_VERSION_NUM == 501
#define luax_get_user(L, index) lua_getfenv(L, index) // pushes the value that goes with a userdata
#define luax_set_user(L, index) lua_setfenv(L, index) // pops it
#elif LUA_VERSION_NUM < 504
#define luax_get_user(L, index) lua_getuservalue(L, index)
#define luax_set_user(L, index) lua_setuservalue(L, index)
#else
#define luax_get_user(L, index) lua_getiuservalue(L, index, 1)
#define luax_set_user(L, index) lua_setiuservalue(L, index, 1)
#endif

// --- boxes --------------------------------------------------------------------------------------

// Kinds of userdata, one row of luax_types (module.c) each.
typedef enum luax_kind {
    LUAX_SKELETON = 1,
    LUAX_CLIP,
    LUAX_MASK,
    LUAX_POSE,
    LUAX_SKIN,
    LUAX_SCRATCH, // an arena that the collector frees should the function raise
    LUAX_IMPORT,  // a file that becomes a model (l_model.c)
    LUAX_LOADING, // one that does so in the background (l_loading.c), ...
    LUAX_LOADER,  // ... by this
    LUAX_GRAPH,
    LUAX_NODE,
    LUAX_PARAM,
    LUAX_SUBSCRIPTION,
    LUAX_BUFFER,
    LUAX_CROWD,
    LUAX_KINDS
} luax_kind;

typedef struct luax_type {
    const char* name;             // "anim.Clip"
    const luaL_Reg* methods;      // those that begin with "__" go into the metatable
    void (*retain)(void* object); // NULL where a box is the only owner
    void (*drop)(void* object);
    bool has_user; // a table of its own as its user value, for what only Lua can hold
} luax_type;

extern const luax_type luax_types[LUAX_KINDS];

// Every function of the module holds three upvalues: the table of metatables by kind (with the
// handles of shared objects below them, see handles.h), its own name, and its kind.
#define LUAX_TYPES lua_upvalueindex(1)
#define LUAX_NAME lua_upvalueindex(2)
#define LUAX_KIND lua_upvalueindex(3)

// The userdata of all kinds. Box first: push it empty, then create what goes in; whatever raises in
// between leaves nothing behind.
typedef struct luax_box {
    void* object; // NULL: not filled yet, or released
} luax_box;

luax_box* luax_new(lua_State* L, luax_kind kind);

// Fills the box at the top of the stack; from then on luax_push finds it.
void luax_fill(lua_State* L, luax_kind kind, luax_box* box, void* object);

// Pushes the userdata of an object that lives elsewhere: the one there is, else a new one.
void luax_push(lua_State* L, luax_kind kind, void* object);

// Drops what the box holds now instead of when it is collected.
void luax_empty(luax_kind kind, luax_box* box);

// Whether the value at `index` is a userdata of this kind, released or not.
bool luax_is_kind(lua_State* L, int index, luax_kind kind);

// Pushes a box that holds an empty arena, emptied early by luax_empty or by the collector.
typedef struct luax_scratch {
    luax_box* box;
    anim_arena* arena;
} luax_scratch;

luax_scratch luax_new_scratch(lua_State* L);
void* luax_alloc(lua_State* L, anim_arena* arena, size_t count, size_t element); // raises

// Pushes the table of metatables by kind: the same one again when the module is loaded again.
void luax_open_types(lua_State* L);

// Sets functions into the table at the top; `types` is the index of the table of kinds.
void luax_set_functions(lua_State* L, int types, const luaL_Reg* functions);

// Into the table at the top.
void luax_put_number(lua_State* L, const char* key, double x);
void luax_put_boolean(lua_State* L, const char* key, bool x);
void luax_put_string(lua_State* L, const char* key, const char* text);

// --- places -------------------------------------------------------------------------------------

// Where a value came from: an argument, or a key in a table in ... in an argument. Lives on the C
// stack while the table is read.
typedef struct luax_place {
    const struct luax_place* above; // NULL: argument number `index`
    const char* key;                // NULL: the list's item `index`
    int index;
} luax_place;

#define LUAX_ARG(number) (&(const luax_place){NULL, NULL, (number)})

static inline luax_place luax_key(const luax_place* above, const char* key)
{
    return (luax_place){above, key, 0};
}

static inline luax_place luax_item(const luax_place* above, int index)
{
    return (luax_place){above, NULL, index};
}

// bad argument #1 to 'newClip' (tracks.hand.rotation.times[3]: MESSAGE)
_Noreturn void luax_fail(lua_State* L, const luax_place* at, const char* format, ...)
    ANIM_PRINTF(3, 4);

// "WHAT expected, got ..." with what is at `index`.
_Noreturn void luax_expected(lua_State* L, int index, const luax_place* at, const char* what);

// The same with the type alone.
_Noreturn void luax_expected_type(lua_State* L, int index, const luax_place* at, const char* what);

// What the core refused. `at` may be NULL; out of memory is nobody's argument anyway.
_Noreturn void luax_fail_core(lua_State* L, const luax_place* at, const anim_error* err);

// nil and the core's message, for faults of files.
int luax_return_error(lua_State* L, const anim_error* err);

// --- values -------------------------------------------------------------------------------------

// Each of them raises unless the value at `index` is one. `at` says where it came from.
void* luax_object(lua_State* L, int index, const luax_place* at, luax_kind kind);
double luax_number(lua_State* L, int index, const luax_place* at); // finite
float luax_float(lua_State* L, int index, const luax_place* at);   // finite as a float too
bool luax_boolean(lua_State* L, int index, const luax_place* at);
int luax_index(lua_State* L, int index, const luax_place* at, uint32_t count); // 1 to count
const char* luax_text(lua_State* L, int index, const luax_place* at);          // no zero bytes
const char* luax_name(lua_State* L, int index, const luax_place* at); // 1 to ANIM_MAX_NAME bytes
int luax_choice(lua_State* L, int index, const luax_place* at, const char* const* choices);

// A joint by index or name, 0-based.
uint32_t luax_joint(lua_State* L, int index, const luax_place* at, const anim_skeleton* skeleton);

// What to add to "no such name" messages: "; did you mean 'x'?", or nothing.
const char* luax_did_you_mean(const anim_names* names, const char* name, char out[128]);

// Raises where there are more than `most` arguments.
void luax_at_most(lua_State* L, int most);

static inline void* luax_self(lua_State* L, luax_kind kind)
{
    return luax_object(L, 1, LUAX_ARG(1), kind);
}

// For __tostring: NULL where the object is released, and "anim.Clip: released" is pushed.
void* luax_self_or_released(lua_State* L, luax_kind kind);

// Pushes translation, rotation and scale: ten numbers.
int luax_push_xform(lua_State* L, const anim_xform* x);

// Pushes a list of strings.
void luax_push_notes(lua_State* L, const anim_notes* notes);

static inline bool luax_is_given(lua_State* L, int index)
{
    return !lua_isnoneornil(L, index);
}
