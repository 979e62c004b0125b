// SPDX-License-Identifier: MIT
// clip:mirror: which joints, events, markers and curves change sides.
#include "lua/clip.h"
#include "lua/sides.h"
#include "lua/table.h"

#include "pose/clip_edit.h"

#include <string.h>

typedef struct mirror {
    lua_State* L;
    const anim_clip* clip;
    const anim_skeleton* skeleton;
    anim_arena* arena;
    uint16_t* pair;
    const char* (*names)[2]; // the caller's pairs
    uint32_t name_count;
    bool is_out_of_memory;
} mirror;

static bool has_name(const anim_clip* clip, const char* name)
{
    return anim_names_find(&clip->event_names, name) >= 0 ||
           anim_names_find(&clip->marker_names, name) >= 0 ||
           anim_names_find(&clip->keys->curve_names, name) >= 0 ||
           anim_names_find(&clip->keys->property_names, name) >= 0;
}

static void pair_joints(mirror* m, const luax_place* at, uint32_t a, uint32_t b)
{
    const uint32_t ends[2][2] = {{a, b}, {b, a}};
    for (int i = 0; i < 2; i++) {
        uint16_t* place = &m->pair[ends[i][0]];
        if (*place != ends[i][0] && *place != ends[i][1])
            luax_fail(m->L, at, "'%.64s' is in two pairs",
                      anim_skeleton_name(m->skeleton, ends[i][0]));
        *place = (uint16_t)ends[i][1];
    }
}

// A pair of the caller: two joints, or two names of events, markers, curves or properties.
static void add_pair(mirror* m, const luax_place* at, const char* a, const char* b)
{
    int32_t ja = anim_skeleton_find(m->skeleton, a), jb = anim_skeleton_find(m->skeleton, b);
    if (ja >= 0 && jb >= 0) {
        pair_joints(m, at, (uint32_t)ja, (uint32_t)jb);
    } else if (!has_name(m->clip, a) && !has_name(m->clip, b)) {
        const char* unknown = ja < 0 ? a : b;
        char hint[128];
        luax_fail(m->L, at, "no joint, event or curve '%.64s'%s", unknown,
                  luax_did_you_mean(&m->skeleton->names, unknown, hint));
    }
    m->names[m->name_count][0] = a;
    m->names[m->name_count++][1] = b;
}

// { ["arm.L"] = "arm.R" }, or { { "arm.L", "arm.R" } }; the names belong to the table.
static void read_pairs(mirror* m)
{
    lua_State* L = m->L;
    uint32_t count;
    const luax_map_key* keys = luax_map(L, 3, LUAX_ARG(3), true, m->arena, &count);
    m->names = luax_alloc(L, m->arena, count, sizeof *m->names);
    for (uint32_t i = 0; i < count; i++) {
        luax_place at;
        luax_map_get(L, 3, LUAX_ARG(3), &keys[i], &at);
        if (keys[i].name) {
            add_pair(m, &at, keys[i].name, luax_name(L, -1, &at));
            lua_pop(L, 1);
            continue;
        }
        int list = lua_gettop(L);
        uint32_t length = luax_list(L, list, &at);
        if (length != 2)
            luax_fail(L, &at, "two names expected, got %u", (unsigned)length);
        luax_place first = luax_item(&at, 1), second = luax_item(&at, 2);
        lua_rawgeti(L, list, 1);
        lua_rawgeti(L, list, 2);
        add_pair(m, &at, luax_name(L, -2, &first), luax_name(L, -1, &second));
        lua_pop(L, 3);
    }
}

static void guess_pairs(mirror* m)
{
    for (uint32_t j = 0; j < m->skeleton->joint_count; j++) {
        const char* name;
        if (!luax_other_side(m->arena, anim_skeleton_name(m->skeleton, j), &name))
            luaL_error(m->L, "not enough memory");
        int32_t other = name ? anim_skeleton_find(m->skeleton, name) : -1;
        if (other >= 0)
            m->pair[j] = (uint16_t)other;
    }
}

static const char* rename_event(void* user, const char* name)
{
    mirror* m = user;
    for (uint32_t i = 0; i < m->name_count; i++)
        for (int side = 0; side < 2; side++)
            if (strcmp(m->names[i][side], name) == 0)
                return m->names[i][1 - side];
    const char* other = NULL;
    if (!luax_other_side(m->arena, name, &other))
        m->is_out_of_memory = true;
    return other;
}

int luax_clip_mirror(lua_State* L)
{
    static const char* const axes[] = {"x", "y", "z", NULL};
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    int axis = luax_choice(L, 2, LUAX_ARG(2), axes);
    luax_at_most(L, 3);
    lua_settop(L, 3);
    luax_scratch scratch = luax_new_scratch(L);
    mirror m = {.L = L, .clip = clip, .skeleton = clip->keys->skeleton, .arena = scratch.arena};
    m.pair = luax_alloc(L, m.arena, m.skeleton->joint_count, sizeof *m.pair);
    for (uint32_t j = 0; j < m.skeleton->joint_count; j++)
        m.pair[j] = (uint16_t)j;
    if (luax_is_given(L, 3))
        read_pairs(&m);
    else
        guess_pairs(&m);
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    anim_code code = anim_clip_mirror(clip, axis, m.pair, rename_event, &m, &made, &err);
    luax_finish_clip(L, box, code, made, &err);
    if (m.is_out_of_memory)
        return luaL_error(L, "not enough memory");
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}
