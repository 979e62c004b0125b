// SPDX-License-Identifier: MIT
// Inside the reading of solvers' descriptions: one table, and its values by their keys.
#pragma once

#include "lua/solver.h"

typedef struct luax_reader {
    lua_State* L;
    int table;            // stack index of the description
    const luax_place* at; // its place
    const anim_skeleton* skeleton;
    luax_graph* holder; // NULL: no parameters
    anim_arena* arena;
    anim_solver* out;
} luax_reader;

typedef struct luax_range {
    float least, most;
    const char* what;
} luax_range;

#define ANY_NUMBER ((luax_range){-1e15f, 1e15f, "number from -1e15 to 1e15"})
#define AT_LEAST_0 ((luax_range){0, 1e15f, "number of 0 or more"})
#define ABOVE_0 ((luax_range){1e-30f, 1e15f, "number above 0"})
#define AT_LEAST_1 ((luax_range){1, 1e15f, "number of 1 or more"})
#define FROM_0_TO_1 ((luax_range){0, 1, "number from 0 to 1"})

// A number, or a parameter where there are some; at the top, popped.
anim_source luax_solver_pop_source(const luax_reader* r, const luax_place* at);
anim_source luax_solver_read_source(const luax_reader* r, const char* key, float otherwise,
                                    luax_range in);
bool luax_solver_has(const luax_reader* r, const char* key);
// The number at the top, popped.
float luax_solver_pop_number(const luax_reader* r, const luax_place* at, luax_range in);
// The whole number from 1 to `most` at the top, which stays.
int luax_solver_whole(const luax_reader* r, const luax_place* at, int most);
float luax_solver_read_number(const luax_reader* r, const char* key, float otherwise,
                              luax_range in);
// Three numbers; false where they are not given.
bool luax_solver_read_vector(const luax_reader* r, const char* key, float out[3]);
// A direction: not all zero.
bool luax_solver_read_axis(const luax_reader* r, const char* key, float out[3]);
bool luax_solver_read_joint(const luax_reader* r, const char* key, uint32_t* out);
uint32_t luax_solver_need_joint(const luax_reader* r, const char* key);
// The given joint, else the parent of `below`, which must have one.
uint32_t luax_solver_read_joint_above(const luax_reader* r, const char* key, uint32_t below);
// Three numbers (or parameters), or a joint; at the top, popped.
anim_point luax_solver_pop_point(const luax_reader* r, const luax_place* at);
bool luax_solver_read_point(const luax_reader* r, const char* key, anim_point* out);
// One target; a node without one has it set later, and until then lets the pose be.
void luax_solver_read_target(const luax_reader* r);
// A reader of a table in the description.
luax_reader luax_solver_inside(const luax_reader* r, int table, const luax_place* at);
// A list of joints with shares under `key`; NULL: not given.
anim_aim_joint* luax_solver_read_shares(const luax_reader* r, const char* key, uint32_t* count);

// A kind's keys and reader (l_solver_desc.c, l_solver_body.c).
typedef struct luax_solver_kind {
    const char* const* keys;
    void (*read)(const luax_reader* r);
} luax_solver_kind;

extern const luax_solver_kind luax_foot, luax_spring, luax_stride, luax_orient;
