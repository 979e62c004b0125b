// SPDX-License-Identifier: MIT
// The methods of anim.Skin.
#include "lua/objects.h"

#include "pose/skin.h"

static anim_skin* self(lua_State* L)
{
    return luax_self(L, LUAX_SKIN);
}

static int get_name(lua_State* L)
{
    lua_pushstring(L, self(L)->name);
    return 1;
}

static int get_skeleton(lua_State* L)
{
    luax_push(L, LUAX_SKELETON, self(L)->skeleton);
    return 1;
}

static int get_joint(lua_State* L)
{
    anim_skin* skin = self(L);
    int i = luax_index(L, 2, LUAX_ARG(2), skin->joint_count);
    lua_pushinteger(L, skin->joints[i - 1] + 1);
    return 1;
}

static int get_inverse_bind(lua_State* L)
{
    anim_skin* skin = self(L);
    int i = luax_index(L, 2, LUAX_ARG(2), skin->joint_count);
    float columns[16];
    anim_mat34_to_columns(&skin->inverse_bind[i - 1], columns);
    for (int k = 0; k < 16; k++)
        lua_pushnumber(L, (lua_Number)columns[k]);
    return 16;
}

static int get_size(lua_State* L)
{
    lua_pushinteger(L, (lua_Integer)self(L)->size);
    return 1;
}

static int get_length(lua_State* L)
{
    lua_pushinteger(L, (lua_Integer)self(L)->joint_count);
    return 1;
}

static int to_string(lua_State* L)
{
    anim_skin* skin = luax_self_or_released(L, LUAX_SKIN);
    if (skin)
        lua_pushfstring(L, "anim.Skin: %s (%d joints)", skin->name, (int)skin->joint_count);
    return 1;
}

const luaL_Reg luax_skin_methods[] = {
    {"getName", get_name},     {"getSkeleton", get_skeleton},
    {"getJoint", get_joint},   {"getInverseBind", get_inverse_bind},
    {"getSize", get_size},     {"__len", get_length},
    {"__tostring", to_string}, {NULL, NULL},
};
