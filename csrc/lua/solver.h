// SPDX-License-Identifier: MIT
// What the files about solvers (twoBone, chain, aim, foot, spring, stride, orient) share.
#pragma once

#include "graph/solver.h"
#include "lua/graph.h"

// Keys of a kind's description beside type, name, speed and input; NULL-terminated.
const char* const* luax_solver_keys(anim_kind kind);

// Reads the table at `index` (absolute) into `out`, whose lists lie in the arena. Numbers may be
// parameters of `holder`'s graph; NULL: a pose by itself. `at`: place of the table.
void luax_read_solver(lua_State* L, int index, const luax_place* at, anim_kind kind,
                      const anim_skeleton* skeleton, luax_graph* holder, anim_arena* arena,
                      anim_solver* out);

// Methods of nodes (l_solver.c).
int luax_solver_set_target(lua_State* L);
int luax_solver_set_pole(lua_State* L);
int luax_solver_set_weight(lua_State* L, luax_node* node);
int luax_solver_get_residual(lua_State* L);
int luax_solver_set_ground(lua_State* L);
int luax_solver_teleport(lua_State* L);
// Methods of poses.
int luax_pose_two_bone(lua_State* L);
int luax_pose_chain(lua_State* L);
int luax_pose_aim(lua_State* L);
int luax_pose_stride(lua_State* L);
int luax_pose_orient(lua_State* L);
// Graph methods.
int luax_graph_set_transform(lua_State* L);
int luax_graph_warp(lua_State* L);
int luax_graph_is_warping(lua_State* L);
