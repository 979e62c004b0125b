// SPDX-License-Identifier: MIT
// What the files about clips share.
//
// Event data that are no boolean, number or string stay in Lua: the table that goes with a clip's
// userdata (its user value) lists them, and the C event holds the index (ANIM_VALUE_HOST). Clips
// made from a clip share its table; addEvent copies it first. So the data live as long as one of
// these clips, and a cycle through them can be collected. The table's `warnings` is what newClip
// repaired.
#pragma once

#include "lua/luax.h"
#include "pose/pack.h"

extern const char* const luax_channels[]; // by anim_channel
extern const char* const luax_interps[];  // by anim_interp

anim_loop luax_loop(lua_State* L, int index, const luax_place* at);

// The time itself, or `duration` where they are equal in single precision (as key times are); an
// error outside 0 to `duration`.
double luax_clip_time(lua_State* L, int index, const luax_place* at, double duration);

// A boolean, number or string at `index`; false for all else. Strings still belong to Lua.
bool luax_to_value(lua_State* L, int index, anim_value* out);

// Pushes a value of a clip or its event; `owner` is the index of that clip's userdata.
void luax_push_value(lua_State* L, const anim_value* value, int owner);

// Event data at the top of the stack, popped; what only Lua understands goes into the table at
// `user`.
anim_value luax_pop_event_data(lua_State* L, int user);

// Pushes a new clip with the keys of another one; raises where there is no memory.
anim_clip* luax_derive_clip(lua_State* L, const anim_clip* clip, const anim_clip_variant* variant);

// What the core made out of the clip at index 1 goes into the box at the top, with that clip's
// table; raises where it made nothing. Returns 1.
int luax_finish_clip(lua_State* L, luax_box* box, anim_code code, anim_clip* made,
                     const anim_error* err);

int luax_clip_add_event(lua_State* L); // l_clip_edit.c
int luax_clip_with_loop(lua_State* L);
int luax_clip_slice(lua_State* L);
int luax_clip_reverse(lua_State* L);
int luax_clip_mirror(lua_State* L); // l_mirror.c
int luax_clip_retarget(lua_State* L);
int luax_clip_to_additive(lua_State* L);
int luax_clip_with_root_motion(lua_State* L); // l_clip_motion.c
int luax_clip_pack(lua_State* L);             // l_pack.c, as all below
int luax_clip_get_form(lua_State* L);

// The table of options at `index`: error, form and, where the caller has it, rate.
anim_pack_desc luax_pack_options(lua_State* L, int index, const luax_place* at, bool with_rate);
double luax_pack_rate(lua_State* L, const luax_place* at); // of the value at the top

// Whether the environment variable ANIM_PACK asks for all loaded clips in a form, which it sets: tests run
// so. Raises where it says something else.
bool luax_pack_forced(lua_State* L, anim_pack_desc* desc);

// The clip itself, or where it is packed a new one with keys, which is pushed.
const anim_clip* luax_clip_keyed(lua_State* L, const anim_clip* clip);
