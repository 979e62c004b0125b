// SPDX-License-Identifier: MIT
// What the files of the binding give to module.c: methods and constructors.
#pragma once

#include "lua/luax.h"

extern const luaL_Reg luax_skeleton_methods[]; // l_skeleton.c
extern const luaL_Reg luax_clip_methods[];     // l_clip.c
extern const luaL_Reg luax_mask_methods[];     // l_mask.c
extern const luaL_Reg luax_pose_methods[];     // l_pose.c
extern const luaL_Reg luax_skin_methods[];     // l_skin.c
extern const luaL_Reg luax_loading_methods[];  // l_loading.c

int luax_new_skeleton(lua_State* L);
int luax_new_clip(lua_State* L); // l_clip_desc.c
int luax_new_mask(lua_State* L);
int luax_new_pose(lua_State* L);
int luax_load(lua_State* L); // l_model.c
int luax_decode(lua_State* L);
int luax_load_async(lua_State* L); // l_loading.c
int luax_save(lua_State* L);       // l_save.c

void luax_drop_import(void* import);   // l_model.c
void luax_drop_loading(void* loading); // l_loading.c
void luax_drop_loader(void* loader);
