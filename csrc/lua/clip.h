// SPDX-License-Identifier: MIT
// What the files about clips share.
//
// Event data that are no boolean, number or string stay in Lua: the clip's userdata has a list of them
// as its user value, and the C event holds the index into it (ANIM_VALUE_HOST). Clips made from a clip
// share its list; addEvent copies it first. So the data live as long as one of these clips, and a cycle
// through them can be collected.
#pragma once

#include "lua/luax.h"
#include "pose/clip.h"

extern const char* const luax_channels[]; // by anim_channel
extern const char* const luax_interps[];  // by anim_interp

anim_loop luax_loop(lua_State* L, int index, const luax_place* at);

// The time itself, or `duration` where they are equal in single precision (as key times are); an error
// outside 0 to `duration`.
double luax_clip_time(lua_State* L, int index, const luax_place* at, double duration);

// A boolean, number or string at `index`; false for all else. Strings still belong to Lua.
bool luax_to_value(lua_State* L, int index, anim_value* out);

// Event data at the top of the stack, popped. `hosts` is the stack index of the list for what only
// Lua understands; nil there becomes a list when it is needed.
anim_value luax_pop_event_data(lua_State* L, int hosts);

// Like luax_fill, for a clip; `hosts` is the index of its list, or of nil.
void luax_fill_clip(lua_State* L, luax_box* box, anim_clip* clip, int hosts);

// What the core made out of the clip at index 1 goes into the box at the top, with its list of event
// data; raises where it made nothing. Returns 1.
int luax_finish_clip(lua_State* L, luax_box* box, anim_code code, anim_clip* made,
                     const anim_error* err);

int luax_clip_add_event(lua_State* L); // l_clip_edit.c
int luax_clip_with_loop(lua_State* L);
int luax_clip_slice(lua_State* L);
int luax_clip_reverse(lua_State* L);
int luax_clip_mirror(lua_State* L); // l_mirror.c
int luax_clip_retarget(lua_State* L);
int luax_clip_to_additive(lua_State* L);
