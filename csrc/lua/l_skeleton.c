// SPDX-License-Identifier: MIT
// anim.newSkeleton and the methods of anim.Skeleton.
#include "lua/objects.h"
#include "lua/table.h"

#include "base/layout.h"

#include <string.h>

// The parent of a description: the index or name of another one in the same list.
static int32_t find_parent(lua_State* L, const luax_place* at, const anim_names* names)
{
    if (lua_type(L, -1) == LUA_TNUMBER)
        return luax_index(L, -1, at, names->count) - 1;
    if (lua_type(L, -1) != LUA_TSTRING)
        luax_expected(L, -1, at, "name of a joint");
    const char* name = luax_text(L, -1, at);
    int32_t parent = anim_names_find(names, name);
    char hint[128];
    if (parent < 0)
        luax_fail(L, at, "no joint '%.64s'%s", name, luax_did_you_mean(names, name, hint));
    return parent;
}

static const char* read_name(lua_State* L, int list, int i)
{
    static const char* const keys[] = {"name", "parent", "translation", "rotation", "scale", NULL};
    luax_place joint = luax_item(LUAX_ARG(1), i), at;
    lua_rawgeti(L, list, i);
    luax_record(L, lua_gettop(L), &joint, keys, 0);
    luax_field(L, lua_gettop(L), &joint, "name", &at);
    const char* name = luax_name(L, -1, &at);
    lua_pop(L, 2); // it stays in the table
    return name;
}

static void read_vector(lua_State* L, int table, const luax_place* joint, const char* key,
                        float* out, uint32_t count)
{
    luax_place at;
    if (luax_field(L, table, joint, key, &at))
        luax_vector(L, lua_gettop(L), &at, out, count);
    lua_pop(L, 1);
}

static void read_joint(lua_State* L, int list, int i, const anim_names* names, anim_joint_desc* out)
{
    luax_place joint = luax_item(LUAX_ARG(1), i), at;
    float unit[4];
    lua_rawgeti(L, list, i);
    int table = lua_gettop(L);
    out->parent = -1;
    if (luax_field(L, table, &joint, "parent", &at))
        out->parent = find_parent(L, &at, names);
    lua_pop(L, 1);
    out->rest = ANIM_XFORM_IDENTITY;
    read_vector(L, table, &joint, "translation", out->rest.t, 3);
    read_vector(L, table, &joint, "rotation", out->rest.q, 4);
    read_vector(L, table, &joint, "scale", out->rest.s, 3);
    if (!anim_quat_normalize(out->rest.q, unit)) {
        at = luax_key(&joint, "rotation");
        luax_fail(L, &at, "a rotation of length zero");
    }
    lua_pop(L, 1);
}

int luax_new_skeleton(lua_State* L)
{
    luax_at_most(L, 1);
    uint32_t count = luax_list(L, 1, LUAX_ARG(1));
    if (count == 0)
        luax_fail(L, LUAX_ARG(1), "at least one joint expected");
    luax_scratch scratch = luax_new_scratch(L);
    const char** texts = luax_alloc(L, scratch.arena, count, sizeof *texts);
    anim_joint_desc* joints = luax_alloc(L, scratch.arena, count, sizeof *joints);
    for (uint32_t i = 0; i < count; i++)
        joints[i].name = texts[i] = read_name(L, 1, (int)i + 1);
    anim_names names = luax_index_names(L, scratch.arena, texts, count);
    int32_t twice = anim_names_duplicate(&names);
    if (twice >= 0) {
        luax_place joint = luax_item(LUAX_ARG(1), twice + 1), at = luax_key(&joint, "name");
        luax_fail(L, &at, "two joints are named '%.64s'", texts[twice]);
    }
    for (uint32_t i = 0; i < count; i++)
        read_joint(L, 1, (int)i + 1, &names, &joints[i]);

    luax_box* box = luax_new(L, LUAX_SKELETON);
    anim_skeleton* skeleton;
    anim_error err;
    if (anim_skeleton_create(joints, count, NULL, &skeleton, &err))
        luax_fail_core(L, LUAX_ARG(1), &err);
    luax_fill(L, LUAX_SKELETON, box, skeleton);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}

static int find(lua_State* L)
{
    anim_skeleton* skeleton = luax_self(L, LUAX_SKELETON);
    if (lua_type(L, 2) != LUA_TSTRING)
        luax_expected_type(L, 2, LUAX_ARG(2), "string");
    size_t size;
    const char* name = lua_tolstring(L, 2, &size);
    int32_t joint = strlen(name) == size ? anim_skeleton_find(skeleton, name) : -1;
    if (joint < 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, joint + 1);
    return 1;
}

static int get_name(lua_State* L)
{
    anim_skeleton* skeleton = luax_self(L, LUAX_SKELETON);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), skeleton);
    lua_pushstring(L, anim_skeleton_name(skeleton, joint));
    return 1;
}

static int get_parent(lua_State* L)
{
    anim_skeleton* skeleton = luax_self(L, LUAX_SKELETON);
    int32_t parent = skeleton->parents[luax_joint(L, 2, LUAX_ARG(2), skeleton)];
    if (parent < 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, parent + 1);
    return 1;
}

static int get_children(lua_State* L)
{
    anim_skeleton* skeleton = luax_self(L, LUAX_SKELETON);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), skeleton);
    uint32_t left = skeleton->child_counts[joint];
    lua_createtable(L, (int)left, 0);
    int n = 0;
    for (uint32_t j = joint + 1; left > 0; j++) // children come after their parent
        if (skeleton->parents[j] == (int32_t)joint) {
            lua_pushinteger(L, (lua_Integer)j + 1);
            lua_rawseti(L, -2, ++n);
            left--;
        }
    return 1;
}

static int get_rest(lua_State* L)
{
    anim_skeleton* skeleton = luax_self(L, LUAX_SKELETON);
    return luax_push_xform(L, &skeleton->rest_xforms[luax_joint(L, 2, LUAX_ARG(2), skeleton)]);
}

static int get_size(lua_State* L)
{
    anim_skeleton* skeleton = luax_self(L, LUAX_SKELETON);
    lua_pushinteger(L, (lua_Integer)skeleton->size);
    return 1;
}

static int get_length(lua_State* L)
{
    anim_skeleton* skeleton = luax_self(L, LUAX_SKELETON);
    lua_pushinteger(L, (lua_Integer)skeleton->joint_count);
    return 1;
}

static int to_string(lua_State* L)
{
    anim_skeleton* skeleton = luax_self_or_released(L, LUAX_SKELETON);
    if (skeleton)
        lua_pushfstring(L, "anim.Skeleton: %d joints", (int)skeleton->joint_count);
    return 1;
}

const luaL_Reg luax_skeleton_methods[] = {
    {"find", find},        {"getName", get_name},         {"getParent", get_parent},
    {"getRest", get_rest}, {"getChildren", get_children}, {"getSize", get_size},
    {"__len", get_length}, {"__tostring", to_string},     {NULL, NULL},
};
