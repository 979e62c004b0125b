// SPDX-License-Identifier: MIT
// anim.core: the functions and kinds of userdata that lua/anim/init.lua makes into the library.
#include "lua/graph.h"
#include "lua/objects.h"

#include "base/mem.h"
#include "pose/clip.h"
#include "pose/mask.h"
#include "pose/skin.h"

// The core's functions take their own types; a call through a pointer needs the exact one.
#define COUNTED(type)                                                                              \
    static void retain_##type(void* object)                                                        \
    {                                                                                              \
        anim_##type##_retain(object);                                                              \
    }                                                                                              \
    static void drop_##type(void* object)                                                          \
    {                                                                                              \
        anim_##type##_release(object);                                                             \
    }

COUNTED(skeleton)
COUNTED(clip)
COUNTED(mask)
COUNTED(skin)

static void drop_pose(void* pose)
{
    anim_pose_destroy(pose);
}

static void drop_scratch(void* arena)
{
    anim_arena_free(arena);
    anim_mem_free(arena);
}

const luax_type luax_types[LUAX_KINDS] = {
    [LUAX_SKELETON] = {"anim.Skeleton", luax_skeleton_methods, retain_skeleton, drop_skeleton,
                       false},
    [LUAX_CLIP] = {"anim.Clip", luax_clip_methods, retain_clip, drop_clip, true},
    [LUAX_MASK] = {"anim.Mask", luax_mask_methods, retain_mask, drop_mask, false},
    [LUAX_POSE] = {"anim.Pose", luax_pose_methods, NULL, drop_pose, false},
    [LUAX_SKIN] = {"anim.Skin", luax_skin_methods, retain_skin, drop_skin, false},
    [LUAX_SCRATCH] = {"anim.Scratch", NULL, NULL, drop_scratch, false},
    [LUAX_IMPORT] = {"anim.Import", NULL, NULL, luax_drop_import, false},
    [LUAX_LOADING] = {"anim.Loading", luax_loading_methods, NULL, luax_drop_loading, true},
    [LUAX_LOADER] = {"anim.Loader", NULL, NULL, luax_drop_loader, false},
    [LUAX_GRAPH] = {"anim.Graph", luax_graph_methods, NULL, luax_drop_graph, true},
    [LUAX_NODE] = {"anim.Node", luax_node_methods, NULL, luax_drop_node, true},
    [LUAX_PARAM] = {"anim.Param", luax_param_methods, NULL, luax_drop_param, true},
    [LUAX_SUBSCRIPTION] = {"anim.Subscription", luax_subscription_methods, NULL,
                           luax_drop_subscription, true},
    [LUAX_BUFFER] = {"anim.Buffer", luax_buffer_methods, NULL, luax_drop_buffer, false},
    [LUAX_CROWD] = {"anim.Crowd", luax_crowd_methods, NULL, luax_drop_crowd, true},
};

// Live blocks, live bytes and allocations ever made by the core, in the whole process.
static int memory(lua_State* L)
{
    anim_mem_counts counts = anim_mem_get_counts();
    lua_pushnumber(L, (lua_Number)counts.blocks);
    lua_pushnumber(L, (lua_Number)counts.bytes);
    lua_pushnumber(L, (lua_Number)counts.total);
    return 3;
}

// Tests: the n-th allocation of the core from now fails; 0 takes that back.
static int fail_allocation(lua_State* L)
{
    anim_mem_fail_nth((int64_t)luax_number(L, 1, LUAX_ARG(1)));
    return 0;
}

static const luaL_Reg functions[] = {
    {"newSkeleton", luax_new_skeleton},
    {"newClip", luax_new_clip},
    {"newMask", luax_new_mask},
    {"newPose", luax_new_pose},
    {"newBuffer", luax_new_buffer},
    {"newCrowd", luax_new_crowd},
    {"load", luax_load},
    {"decode", luax_decode},
    {"loadAsync", luax_load_async},
    {"save", luax_save},
    {"memory", memory},
    {"failAllocation", fail_allocation},
    {NULL, NULL},
};

#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    int luaopen_anim_core(lua_State* L);

int luaopen_anim_core(lua_State* L)
{
    luax_open_types(L);
    int types = lua_gettop(L);
    lua_newtable(L);
    luax_set_functions(L, types, functions);
    lua_newtable(L);
    luax_set_functions(L, types, luax_edit_functions);
    luax_set_functions(L, types, luax_read_functions);
    luax_set_functions(L, types, luax_record_functions);
    luax_set_functions(L, types, luax_machine_functions);
    luax_set_functions(L, types, luax_player_functions);
    luax_set_functions(L, types, luax_solver_functions);
    lua_setfield(L, -2, "graph");
    return 1;
}
