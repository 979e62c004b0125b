// SPDX-License-Identifier: MIT
// anim.newMask and the methods of anim.Mask.
#include "lua/objects.h"
#include "lua/table.h"

#include "pose/mask.h"

static float read_weight(lua_State* L, int index, const luax_place* at)
{
    double weight = luax_number(L, index, at);
    if (weight < 0 || weight > 1)
        luax_expected(L, index, at, "weight from 0 to 1");
    return (float)weight;
}

// { weight, only = true } at the top.
static void read_record(lua_State* L, const luax_place* above, anim_mask_entry* out)
{
    static const char* const fields[] = {"only", NULL};
    int table = lua_gettop(L);
    luax_record(L, table, above, fields, 1);
    luax_place at = luax_item(above, 1);
    lua_rawgeti(L, table, 1);
    out->weight = read_weight(L, -1, &at);
    if (luax_field(L, table, above, "only", &at))
        out->only = luax_boolean(L, -1, &at);
    lua_pop(L, 2);
}

// An entry's value at the top: in the list a joint, else what the named joint has.
static void read_entry(lua_State* L, const anim_skeleton* skeleton, const luax_map_key* key,
                       const luax_place* at, anim_mask_entry* out)
{
    *out = (anim_mask_entry){.weight = 1};
    if (!key->name) {
        out->joint = luax_joint(L, -1, at, skeleton);
        return;
    }
    out->joint = luax_map_joint(L, key, at, skeleton);
    if (lua_istable(L, -1))
        read_record(L, at, out);
    else
        out->weight = read_weight(L, -1, at);
}

int luax_new_mask(lua_State* L)
{
    anim_skeleton* skeleton = luax_object(L, 1, LUAX_ARG(1), LUAX_SKELETON);
    luax_at_most(L, 2);
    lua_settop(L, 2);
    luax_scratch scratch = luax_new_scratch(L);
    uint32_t count;
    const luax_map_key* keys = luax_map(L, 2, LUAX_ARG(2), true, scratch.arena, &count);
    anim_mask_entry* entries = luax_alloc(L, scratch.arena, count, sizeof *entries);
    bool* seen = luax_alloc(L, scratch.arena, skeleton->joint_count, sizeof *seen);
    for (uint32_t i = 0; i < count; i++) {
        luax_place at;
        luax_map_get(L, 2, LUAX_ARG(2), &keys[i], &at);
        read_entry(L, skeleton, &keys[i], &at, &entries[i]);
        if (seen[entries[i].joint])
            luax_fail(L, &at, "'%.64s' stands twice",
                      anim_skeleton_name(skeleton, entries[i].joint));
        seen[entries[i].joint] = true;
        lua_pop(L, 1);
    }
    luax_box* box = luax_new(L, LUAX_MASK);
    anim_mask* mask;
    anim_error err;
    if (anim_mask_create(skeleton, entries, count, &mask, &err))
        luax_fail_core(L, LUAX_ARG(2), &err);
    luax_fill(L, LUAX_MASK, box, mask);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}

static int get_weight(lua_State* L)
{
    anim_mask* mask = luax_self(L, LUAX_MASK);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), mask->skeleton);
    lua_pushnumber(L, (lua_Number)anim_mask_weight(mask, joint));
    return 1;
}

static int get_skeleton(lua_State* L)
{
    anim_mask* mask = luax_self(L, LUAX_MASK);
    luax_push(L, LUAX_SKELETON, mask->skeleton);
    return 1;
}

static int to_string(lua_State* L)
{
    anim_mask* mask = luax_self_or_released(L, LUAX_MASK);
    if (!mask)
        return 1;
    uint32_t reached = 0;
    for (uint32_t j = 0; j < mask->skeleton->joint_count; j++)
        reached += anim_mask_weight(mask, j) > 0;
    lua_pushfstring(L, "anim.Mask: %d of %d joints", (int)reached,
                    (int)mask->skeleton->joint_count);
    return 1;
}

const luaL_Reg luax_mask_methods[] = {
    {"getWeight", get_weight},
    {"getSkeleton", get_skeleton},
    {"__tostring", to_string},
    {NULL, NULL},
};
