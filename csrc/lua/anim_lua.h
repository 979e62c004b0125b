// SPDX-License-Identifier: MIT
// For programs that have Lua inside and link anim into themselves: in package.preload, under "anim.core",
//
//     lua_pushcfunction(L, luaopen_anim_core);
//     lua_setfield(L, preload, "anim.core");
//
// after which `require "anim"` needs only the Lua files on package.path.
#pragma once

#if defined(__cplusplus)
extern "C" {
#endif

struct lua_State;
int luaopen_anim_core(struct lua_State* L);

#if defined(__cplusplus)
}
#endif
