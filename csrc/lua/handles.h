// SPDX-License-Identifier: MIT
// The userdata of each shared object, found by the object's address, so that one object has one
// userdata. Weak: it keeps nothing alive.
#pragma once

#include "lua/luax.h"

// Makes the tables in the table of kinds, which is at the top.
void luax_open_handles(lua_State* L);

void luax_push_handle(lua_State* L, const void* object);   // nil where there is none
void luax_add_handle(lua_State* L, const void* object);    // the userdata at the top
void luax_remove_handle(lua_State* L, const void* object); // the userdata at index 1
