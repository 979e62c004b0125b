// SPDX-License-Identifier: MIT
// Values in the descriptions of solvers: numbers, points, joints, each by its key.
#include "lua/objects.h"
#include "lua/solver_desc.h"
#include "lua/table.h"

#include <string.h>

// --- values -------------------------------------------------------------------------------------------

// Index of the parameter that a string or Param at the top means.
static int32_t param_of(const luax_reader* r, const luax_place* at)
{
    lua_State* L = r->L;
    const anim_topology* t = r->holder->graph->topology;
    if (lua_type(L, -1) != LUA_TSTRING) {
        const luax_param* param = luax_object(L, lua_gettop(L), at, LUAX_PARAM);
        if (param->holder != r->holder)
            luax_fail(L, at, "parameter of this graph expected, got one of another");
        return (int32_t)param->index;
    }
    const char* name = luax_text(L, lua_gettop(L), at);
    int32_t param = anim_topology_find_param(t, name);
    if (param >= 0)
        return param;
    const char** texts = luax_alloc(L, r->arena, t->param_count, sizeof *texts);
    for (uint32_t i = 0; i < t->param_count; i++)
        texts[i] = t->params[i].name;
    anim_names names = luax_index_names(L, r->arena, texts, t->param_count);
    char hint[128];
    luax_fail(L, at, "no parameter '%.64s'%s", name, luax_did_you_mean(&names, name, hint));
}

anim_source luax_solver_pop_source(const luax_reader* r, const luax_place* at)
{
    anim_source source = {0, ANIM_NO_PARAM};
    int type = lua_type(r->L, -1);
    if (r->holder && (type == LUA_TSTRING || type == LUA_TUSERDATA))
        source.param = param_of(r, at);
    else if (r->holder && type != LUA_TNUMBER)
        luax_expected(r->L, lua_gettop(r->L), at, "finite number or parameter");
    else
        source.value = luax_float(r->L, lua_gettop(r->L), at);
    lua_pop(r->L, 1);
    return source;
}

bool luax_solver_has(const luax_reader* r, const char* key)
{
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, key, &at);
    lua_pop(r->L, 1);
    return given;
}

// A fixed number must be in the range; a parameter is cut to it when it counts.
anim_source luax_solver_read_source(const luax_reader* r, const char* key, float otherwise,
                                    luax_range in)
{
    luax_place at;
    if (luax_field(r->L, r->table, r->at, key, &at)) {
        if (lua_type(r->L, -1) == LUA_TNUMBER)
            return (anim_source){luax_solver_pop_number(r, &at, in), ANIM_NO_PARAM};
        return luax_solver_pop_source(r, &at);
    }
    lua_pop(r->L, 1);
    return (anim_source){otherwise, ANIM_NO_PARAM};
}

float luax_solver_pop_number(const luax_reader* r, const luax_place* at, luax_range in)
{
    float x = luax_float(r->L, lua_gettop(r->L), at);
    if (x < in.least || x > in.most)
        luax_expected(r->L, lua_gettop(r->L), at, in.what);
    lua_pop(r->L, 1);
    return x;
}

int luax_solver_whole(const luax_reader* r, const luax_place* at, int most)
{
    lua_Number x = lua_tonumber(r->L, -1);
    if (lua_type(r->L, -1) != LUA_TNUMBER || !(x >= 1 && x <= most) || x != (int)x)
        luax_fail(r->L, at, "whole number from 1 to %d expected", most);
    return (int)x;
}

float luax_solver_read_number(const luax_reader* r, const char* key, float otherwise, luax_range in)
{
    luax_place at;
    if (luax_field(r->L, r->table, r->at, key, &at))
        return luax_solver_pop_number(r, &at, in);
    lua_pop(r->L, 1);
    return otherwise;
}

bool luax_solver_read_vector(const luax_reader* r, const char* key, float out[3])
{
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, key, &at);
    if (given)
        luax_vector(r->L, lua_gettop(r->L), &at, out, 3);
    for (int i = 0; i < 3 && given; i++) {
        luax_place item = luax_item(&at, i + 1);
        if (out[i] < -1e15f || out[i] > 1e15f)
            luax_fail(r->L, &item, "number from -1e15 to 1e15 expected, got %g", (double)out[i]);
    }
    lua_pop(r->L, 1);
    return given;
}

bool luax_solver_read_axis(const luax_reader* r, const char* key, float out[3])
{
    bool given = luax_solver_read_vector(r, key, out);
    luax_place at = luax_key(r->at, key);
    if (given && out[0] == 0 && out[1] == 0 && out[2] == 0)
        luax_fail(r->L, &at, "direction expected, got three zeros");
    return given;
}

bool luax_solver_read_joint(const luax_reader* r, const char* key, uint32_t* out)
{
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, key, &at);
    if (given)
        *out = luax_joint(r->L, lua_gettop(r->L), &at, r->skeleton);
    lua_pop(r->L, 1);
    return given;
}

uint32_t luax_solver_need_joint(const luax_reader* r, const char* key)
{
    uint32_t joint = 0;
    if (!luax_solver_read_joint(r, key, &joint))
        luax_fail(r->L, r->at, "%s (a joint) expected", key);
    return joint;
}

uint32_t luax_solver_read_joint_above(const luax_reader* r, const char* key, uint32_t below)
{
    uint32_t joint;
    if (luax_solver_read_joint(r, key, &joint))
        return joint;
    if (r->skeleton->parents[below] < 0)
        luax_fail(r->L, r->at, "%s (a joint) expected: '%.64s' has no parent", key,
                  anim_skeleton_name(r->skeleton, below));
    return (uint32_t)r->skeleton->parents[below];
}

anim_point luax_solver_pop_point(const luax_reader* r, const luax_place* at)
{
    lua_State* L = r->L;
    int index = lua_gettop(L);
    anim_point point = {.kind = ANIM_POINT_JOINT};
    if (!lua_istable(L, index)) {
        if (lua_type(L, index) != LUA_TSTRING && lua_type(L, index) != LUA_TNUMBER)
            luax_expected(L, index, at, "point {x, y, z} or joint");
        point.joint = luax_joint(L, index, at, r->skeleton);
        lua_pop(L, 1);
        return point;
    }
    if (luax_list(L, index, at) != 3)
        luax_fail(L, at, "point {x, y, z} expected");
    point.kind = ANIM_POINT_FIXED;
    for (int i = 0; i < 3; i++) {
        luax_place item = luax_item(at, i + 1);
        lua_rawgeti(L, index, i + 1);
        point.at[i] = luax_solver_pop_source(r, &item);
    }
    lua_pop(L, 1);
    return point;
}

bool luax_solver_read_point(const luax_reader* r, const char* key, anim_point* out)
{
    luax_place at;
    if (luax_field(r->L, r->table, r->at, key, &at)) {
        *out = luax_solver_pop_point(r, &at);
        return true;
    }
    lua_pop(r->L, 1);
    return false;
}

void luax_solver_read_target(const luax_reader* r)
{
    r->out->targets = luax_alloc(r->L, r->arena, 1, sizeof *r->out->targets);
    r->out->target_count = 1;
    r->out->waits = true;
    if (!luax_solver_read_point(r, "target", r->out->targets) && !r->holder)
        luax_fail(r->L, r->at, "target (a point or a joint) expected");
}

luax_reader luax_solver_inside(const luax_reader* r, int table, const luax_place* at)
{
    luax_reader inner = *r;
    inner.table = table;
    inner.at = at;
    return inner;
}

// { name, share } or a joint alone; at the top, popped.
static anim_aim_joint pop_share(const luax_reader* r, const luax_place* at)
{
    lua_State* L = r->L;
    int index = lua_gettop(L);
    anim_aim_joint out = {.share = 1};
    if (lua_istable(L, index)) {
        luax_place first = luax_item(at, 1), second = luax_item(at, 2);
        uint32_t count = luax_list(L, index, at);
        if (count < 1 || count > 2)
            luax_fail(L, at, "{joint, share} expected");
        lua_rawgeti(L, index, 1);
        out.joint = luax_joint(L, index + 1, &first, r->skeleton);
        lua_rawgeti(L, index, 2);
        if (count == 2)
            out.share = luax_solver_pop_number(r, &second, AT_LEAST_0);
    } else {
        out.joint = luax_joint(L, index, at, r->skeleton);
    }
    lua_settop(L, index - 1);
    return out;
}

anim_aim_joint* luax_solver_read_shares(const luax_reader* r, const char* key, uint32_t* count)
{
    luax_place at;
    anim_aim_joint* list = NULL;
    if (luax_field(r->L, r->table, r->at, key, &at)) {
        int index = lua_gettop(r->L);
        *count = luax_list(r->L, index, &at);
        if (*count == 0)
            luax_fail(r->L, &at, "at least one joint expected");
        list = luax_alloc(r->L, r->arena, *count, sizeof *list);
        for (uint32_t i = 0; i < *count; i++) {
            luax_place item = luax_item(&at, (int)i + 1);
            lua_rawgeti(r->L, index, (int)i + 1);
            list[i] = pop_share(r, &item);
        }
    }
    lua_pop(r->L, 1);
    return list;
}
