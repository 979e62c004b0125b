// SPDX-License-Identifier: MIT
// clip:withRootMotion.
#include "lua/clip.h"
#include "lua/table.h"

#include "pose/root_motion.h"

#include <string.h>

static const char axes[] = "xyz";

// "xz": each axis once, at least one.
static void read_axes(lua_State* L, const luax_place* at, anim_motion_desc* desc)
{
    const char* text = luax_text(L, -1, at);
    bool taken[3] = {false, false, false};
    for (const char* c = text; *c; c++) {
        const char* axis = strchr(axes, *c);
        if (!axis || taken[axis - axes])
            luax_expected(L, -1, at, "axes (such as \"xz\")");
        taken[axis - axes] = true;
    }
    if (!*text)
        luax_expected(L, -1, at, "axes (such as \"xz\")");
    desc->x = taken[0];
    desc->y = taken[1];
    desc->z = taken[2];
}

static anim_motion_desc read_description(lua_State* L, const anim_skeleton* skeleton)
{
    static const char* const keys[] = {"joint", "translation", "rotation", NULL};
    static const char* const axis_names[] = {"x", "y", "z", NULL};
    anim_motion_desc desc = {.turn = -1};
    luax_place at;
    luax_record(L, 2, LUAX_ARG(2), keys, 0);
    luax_field(L, 2, LUAX_ARG(2), "joint", &at);
    desc.joint = luax_joint(L, -1, &at, skeleton);
    bool moves = luax_field(L, 2, LUAX_ARG(2), "translation", &at);
    if (moves)
        read_axes(L, &at, &desc);
    bool turns = luax_field(L, 2, LUAX_ARG(2), "rotation", &at);
    if (turns)
        desc.turn = luax_choice(L, -1, &at, axis_names);
    if (!moves && !turns)
        luax_fail(L, LUAX_ARG(2), "translation or rotation expected");
    return desc;
}

int luax_clip_with_root_motion(lua_State* L)
{
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    luax_at_most(L, 2);
    lua_settop(L, 2);
    const anim_motion_desc desc = read_description(L, clip->keys->skeleton);
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    anim_code code = anim_clip_with_root_motion(clip, &desc, &made, &err);
    return luax_finish_clip(L, box, code, made, &err);
}
