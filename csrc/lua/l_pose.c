// SPDX-License-Identifier: MIT
// anim.newPose and the methods of anim.Pose. None of them allocates but toString and
// getPaletteString.
#include "lua/objects.h"
#include "lua/solver.h"

#include "base/mem.h"
#include "pose/mask.h"
#include "pose/pose.h"
#include "pose/skin.h"

#include <math.h>
#include <string.h>

int luax_new_pose(lua_State* L)
{
    anim_skeleton* skeleton = luax_object(L, 1, LUAX_ARG(1), LUAX_SKELETON);
    luax_at_most(L, 1);
    luax_box* box = luax_new(L, LUAX_POSE);
    anim_pose* pose = anim_pose_create(skeleton);
    if (!pose)
        return luaL_error(L, "not enough memory");
    luax_fill(L, LUAX_POSE, box, pose);
    return 1;
}

static anim_pose* self(lua_State* L)
{
    return luax_self(L, LUAX_POSE);
}

// Deltas have no place in model space.
static anim_pose* self_with_transforms(lua_State* L)
{
    anim_pose* pose = self(L);
    if (pose->additive)
        luax_fail(L, LUAX_ARG(1), "pose of transforms expected, got one of additive deltas");
    return pose;
}

static anim_pose* other_pose(lua_State* L, int index, const anim_pose* pose)
{
    anim_pose* other = luax_object(L, index, LUAX_ARG(index), LUAX_POSE);
    if (!anim_skeleton_same(pose->skeleton, other->skeleton))
        luax_fail(L, LUAX_ARG(index), "pose of the same skeleton expected, got one of another");
    return other;
}

static float weight_at_least_0(lua_State* L, int index)
{
    float weight = luax_float(L, index, LUAX_ARG(index));
    return weight > 0 ? weight : 0;
}

static const float* optional_mask(lua_State* L, int index, const anim_pose* pose)
{
    if (!luax_is_given(L, index))
        return NULL;
    const anim_mask* mask = luax_object(L, index, LUAX_ARG(index), LUAX_MASK);
    if (!anim_skeleton_same(pose->skeleton, mask->skeleton))
        luax_fail(L, LUAX_ARG(index), "mask of the same skeleton expected, got one of another");
    return mask->weights;
}

// --- local space --------------------------------------------------------------------------------

static int get(lua_State* L)
{
    anim_pose* pose = self(L);
    anim_xform x;
    anim_pose_get(pose->skeleton, pose->groups, luax_joint(L, 2, LUAX_ARG(2), pose->skeleton), &x);
    return luax_push_xform(L, &x);
}

static int set(lua_State* L)
{
    anim_pose* pose = self(L);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), pose->skeleton);
    luax_at_most(L, 12);
    anim_xform x;
    float q[4];
    for (int i = 0; i < 3; i++) {
        x.t[i] = luax_float(L, 3 + i, LUAX_ARG(3 + i));
        x.s[i] = luax_float(L, 10 + i, LUAX_ARG(10 + i));
    }
    for (int i = 0; i < 4; i++)
        q[i] = luax_float(L, 6 + i, LUAX_ARG(6 + i));
    if (!anim_quat_normalize(q, x.q))
        luax_fail(L, LUAX_ARG(6), "rotation expected, got one of length zero");
    anim_pose_set(pose->skeleton, pose->groups, joint, &x);
    return 0;
}

static int to_rest(lua_State* L)
{
    anim_pose* pose = self(L);
    anim_pose_to_rest(pose->skeleton, pose->groups);
    pose->additive = false;
    return 0;
}

static int copy(lua_State* L)
{
    anim_pose* pose = self(L);
    const anim_pose* from = other_pose(L, 2, pose);
    memmove(pose->groups, from->groups, pose->skeleton->group_count * sizeof *pose->groups);
    pose->additive = from->additive;
    return 0;
}

static int blend(lua_State* L)
{
    anim_pose* pose = self_with_transforms(L);
    const anim_pose* layer = other_pose(L, 2, pose);
    if (layer->additive)
        luax_fail(L, LUAX_ARG(2),
                  "pose of transforms expected, got one of additive deltas: use add");
    float weight = weight_at_least_0(L, 3);
    const float* mask = optional_mask(L, 4, pose);
    anim_pose_blend(pose->skeleton, pose->groups, layer->groups, weight < 1 ? weight : 1, mask);
    return 0;
}

static int add(lua_State* L)
{
    anim_pose* pose = self_with_transforms(L);
    const anim_pose* delta = other_pose(L, 2, pose);
    if (!delta->additive)
        luax_fail(
            L, LUAX_ARG(2),
            "pose of additive deltas expected, got one of transforms: sample clip:toAdditive()");
    float weight = weight_at_least_0(L, 3);
    anim_pose_add(pose->skeleton, pose->groups, delta->groups, weight, optional_mask(L, 4, pose));
    return 0;
}

// --- model space --------------------------------------------------------------------------------

static void joint_to_model(lua_State* L, anim_mat34* out)
{
    anim_pose* pose = self_with_transforms(L);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), pose->skeleton);
    anim_pose_joint_to_model(pose->skeleton, pose->groups, joint, out);
}

static int get_matrix(lua_State* L)
{
    anim_mat34 m;
    float columns[16];
    joint_to_model(L, &m);
    anim_mat34_to_columns(&m, columns);
    for (int i = 0; i < 16; i++)
        lua_pushnumber(L, (lua_Number)columns[i]);
    return 16;
}

static int get_position(lua_State* L)
{
    anim_mat34 m;
    joint_to_model(L, &m);
    for (int row = 0; row < 3; row++)
        lua_pushnumber(L, (lua_Number)m.m[row][3]);
    return 3;
}

static int set_matrix(lua_State* L)
{
    anim_pose* pose = self_with_transforms(L);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), pose->skeleton);
    luax_at_most(L, 18);
    float columns[16];
    for (int i = 0; i < 16; i++)
        columns[i] = luax_float(L, 3 + i, LUAX_ARG(3 + i));
    for (int i = 3; i < 16; i += 4)
        if (fabsf(columns[i] - (i == 15)) > 1e-4f)
            luax_fail(L, LUAX_ARG(3 + i), "last row 0 0 0 1 expected, got %g", (double)columns[i]);
    anim_mat34 m;
    anim_mat34_from_columns(columns, &m);
    if (!anim_pose_joint_from_model(pose->skeleton, pose->groups, joint, &m))
        luax_fail(L, LUAX_ARG(2), "'%.64s' can't be placed: above it is a scale of zero",
                  anim_skeleton_name(pose->skeleton, joint));
    return 0;
}

// The palette of a skin as bytes, for a mesh that is drawn from a pose without a graph.
static int get_palette_string(lua_State* L)
{
    static const char* const layouts[] = {"3x4", "4x4", NULL};
    anim_pose* pose = self_with_transforms(L);
    const anim_skin* skin = luax_object(L, 2, LUAX_ARG(2), LUAX_SKIN);
    if (!anim_skeleton_same(pose->skeleton, skin->skeleton))
        luax_fail(L, LUAX_ARG(2), "skin of the same skeleton expected, got one of another");
    bool is_4x4 = luax_is_given(L, 3) && luax_choice(L, 3, LUAX_ARG(3), layouts) == 1;
    size_t count = (size_t)skin->joint_count * (is_4x4 ? 16 : 12);

    luax_scratch scratch = luax_new_scratch(L);
    anim_mat34* model = luax_alloc(L, scratch.arena, pose->skeleton->joint_count, sizeof *model);
    float* palette = luax_alloc(L, scratch.arena, count, sizeof *palette);
    anim_skin_to_model(skin, pose->groups, model);
    (is_4x4 ? anim_skin_palette_4x4 : anim_skin_palette_3x4)(skin, model, palette);
    lua_pushlstring(L, (const char*)palette, count * sizeof *palette);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}

// --- the rest -----------------------------------------------------------------------------------

static int get_skeleton(lua_State* L)
{
    luax_push(L, LUAX_SKELETON, self(L)->skeleton);
    return 1;
}

static int is_additive(lua_State* L)
{
    lua_pushboolean(L, self(L)->additive);
    return 1;
}

static int to_string(lua_State* L)
{
    anim_pose* pose = luax_self_or_released(L, LUAX_POSE);
    if (pose)
        lua_pushfstring(L, "anim.Pose: %d joints%s", (int)pose->skeleton->joint_count,
                        pose->additive ? ", additive" : "");
    return 1;
}

const luaL_Reg luax_pose_methods[] = {
    {"get", get},
    {"set", set},
    {"toRest", to_rest},
    {"copy", copy},
    {"blend", blend},
    {"add", add},
    {"getMatrix", get_matrix},
    {"getPosition", get_position},
    {"setMatrix", set_matrix},
    {"getPaletteString", get_palette_string},
    {"twoBone", luax_pose_two_bone},
    {"chain", luax_pose_chain},
    {"aim", luax_pose_aim},
    {"stride", luax_pose_stride},
    {"orient", luax_pose_orient},
    {"getSkeleton", get_skeleton},
    {"isAdditive", is_additive},
    {"__tostring", to_string},
    {NULL, NULL},
};
