// SPDX-License-Identifier: MIT
// Reading tables that describe something. Access is raw: no user code runs while a table is read,
// so it cannot change under the reader.
#pragma once

#include "lua/luax.h"

// Raises unless there is a table at `index` whose keys are all in `keys` (NULL-terminated), or 1 to
// `items`.
void luax_record(lua_State* L, int index, const luax_place* at, const char* const* keys,
                 uint32_t items);

// Pushes a field; false where it is nil. `index` is absolute; `out` is the place of the field.
bool luax_field(lua_State* L, int index, const luax_place* at, const char* key, luax_place* out);

// Length of a list at `index`; a key outside 1 to that length is an error.
uint32_t luax_list(lua_State* L, int index, const luax_place* at);

// A list of finite numbers, copied into the arena.
float* luax_floats(lua_State* L, int index, const luax_place* at, anim_arena* arena,
                   uint32_t* count);

// A list of exactly `count` finite numbers.
void luax_vector(lua_State* L, int index, const luax_place* at, float* out, uint32_t count);

// Keys of a table in their order: positive integers, then names by bytes.
typedef struct luax_map_key {
    const char* name; // NULL: the integer `index`. Belongs to the table
    int index;
} luax_map_key;

// All keys must be names, or integers too where `items` says so.
luax_map_key* luax_map(lua_State* L, int index, const luax_place* at, bool items, anim_arena* arena,
                       uint32_t* count);

// Pushes the value of an entry; `out` is its place.
void luax_map_get(lua_State* L, int index, const luax_place* at, const luax_map_key* key,
                  luax_place* out);

// The joint, 0-based, that an entry's key means.
uint32_t luax_map_joint(lua_State* L, const luax_map_key* key, const luax_place* at,
                        const anim_skeleton* skeleton);

// A list of names to search in.
anim_names luax_index_names(lua_State* L, anim_arena* arena, const char* const* texts,
                            uint32_t count);
