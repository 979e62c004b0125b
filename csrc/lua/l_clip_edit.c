// SPDX-License-Identifier: MIT
// The methods of anim.Clip that give a new clip.
#include "lua/clip.h"
#include "lua/table.h"

#include "pose/clip_edit.h"

#include <string.h>

int luax_finish_clip(lua_State* L, luax_box* box, anim_code code, anim_clip* made,
                     const anim_error* err)
{
    if (code)
        luax_fail_core(L, NULL, err);
    luax_fill(L, LUAX_CLIP, box, made);
    luax_get_user(L, 1);
    luax_set_user(L, -2);
    return 1;
}

anim_clip* luax_derive_clip(lua_State* L, const anim_clip* clip, const anim_clip_variant* variant)
{
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    if (anim_clip_derive(clip, variant, &made, &err))
        luax_fail_core(L, NULL, &err);
    luax_fill(L, LUAX_CLIP, box, made);
    return made;
}

// Pushes a copy of the table that goes with the clip at index 1.
static void push_user_copy(lua_State* L)
{
    lua_newtable(L);
    luax_get_user(L, 1);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -6);
    }
    lua_pop(L, 1);
}

int luax_clip_add_event(lua_State* L)
{
    enum { data = 4, user = 5 };
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    luax_at_most(L, data);
    lua_settop(L, data);
    double time = luax_clip_time(L, 2, LUAX_ARG(2), clip->duration);
    const char* name = luax_name(L, 3, LUAX_ARG(3));
    push_user_copy(L);
    lua_pushvalue(L, data);
    anim_value value = luax_pop_event_data(L, user);

    luax_scratch scratch = luax_new_scratch(L);
    uint32_t count = clip->event_count;
    anim_event_desc* events = luax_alloc(L, scratch.arena, count + 1, sizeof *events);
    const anim_event_desc* old = anim_clip_describe_events(clip, scratch.arena);
    if (!old)
        return luaL_error(L, "not enough memory");
    memcpy(events, old, count * sizeof *events);
    events[count] = (anim_event_desc){time, -1, name, value};
    const anim_clip_variant variant = {
        .loop = -1, .duration = -1, .events = events, .event_count = count + 1};

    luax_derive_clip(L, clip, &variant);
    lua_pushvalue(L, user);
    luax_set_user(L, -2);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}

int luax_clip_with_loop(lua_State* L)
{
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    const anim_clip_variant variant = {.loop = (int)luax_loop(L, 2, LUAX_ARG(2)), .duration = -1};
    luax_derive_clip(L, clip, &variant);
    luax_get_user(L, 1);
    luax_set_user(L, -2);
    return 1;
}

int luax_clip_slice(lua_State* L)
{
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    double from = luax_clip_time(L, 2, LUAX_ARG(2), clip->duration);
    double to = luax_clip_time(L, 3, LUAX_ARG(3), clip->duration);
    if (to <= from)
        luax_fail(L, LUAX_ARG(3), "time above %.9g expected, got %.9g", from, to);
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    anim_code code = anim_clip_slice(clip, from, to, &made, &err);
    return luax_finish_clip(L, box, code, made, &err);
}

int luax_clip_reverse(lua_State* L)
{
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    anim_code code = anim_clip_reverse(clip, &made, &err);
    return luax_finish_clip(L, box, code, made, &err);
}

// --- retarget -----------------------------------------------------------------------------------

typedef struct binding {
    const anim_skeleton *from, *to;
    int32_t* map;  // joint of `from` -> joint of `to`
    bool* is_told; // joints of `from` that the caller's map names
    bool* is_used; // joints of `to` that something drives
} binding;

// The caller's map: name or index of the clip's joint -> the target's, or false for none.
static void bind_by_map(lua_State* L, anim_arena* arena, binding* b)
{
    uint32_t count;
    const luax_map_key* keys = luax_map(L, 3, LUAX_ARG(3), true, arena, &count);
    for (uint32_t i = 0; i < count; i++) {
        luax_place at;
        luax_map_get(L, 3, LUAX_ARG(3), &keys[i], &at);
        uint32_t joint = luax_map_joint(L, &keys[i], &at, b->from);
        if (b->is_told[joint])
            luax_fail(L, &at, "the joint stands twice, by name and by index");
        b->is_told[joint] = true;
        if (!lua_isboolean(L, -1) || lua_toboolean(L, -1)) {
            uint32_t target = luax_joint(L, -1, &at, b->to);
            if (b->is_used[target])
                luax_fail(L, &at, "two joints drive '%.64s'", anim_skeleton_name(b->to, target));
            b->is_used[target] = true;
            b->map[joint] = (int32_t)target;
        }
        lua_pop(L, 1);
    }
}

static void bind_by_name(binding* b)
{
    for (uint32_t joint = 0; joint < b->from->joint_count; joint++) {
        int32_t target = anim_skeleton_find(b->to, anim_skeleton_name(b->from, joint));
        if (!b->is_told[joint] && target >= 0 && !b->is_used[target]) {
            b->is_used[target] = true;
            b->map[joint] = target;
        }
    }
}

// Names of the joints that the clip moves but nothing is bound to; what the caller left out on
// purpose is not among them.
static void push_unbound(lua_State* L, const anim_clip* clip, const binding* b)
{
    lua_newtable(L);
    int n = 0;
    for (uint32_t joint = 0; joint < b->from->joint_count; joint++)
        if (clip->keys->channels[joint] && b->map[joint] < 0 && !b->is_told[joint]) {
            lua_pushstring(L, anim_skeleton_name(b->from, joint));
            lua_rawseti(L, -2, ++n);
        }
}

// A joint that `name` gives, of the skeleton; it must be bound.
static int32_t bound_joint(lua_State* L, const luax_place* at, const anim_skeleton* skeleton,
                           const bool* is_bound)
{
    uint32_t joint = luax_joint(L, -1, at, skeleton);
    if (!is_bound[joint])
        luax_fail(L, at, "'%.64s' is not in the map", anim_skeleton_name(skeleton, joint));
    return (int32_t)joint;
}

static void read_root(lua_State* L, const luax_place* at, const binding* b, anim_arena* arena,
                      anim_retarget_desc* desc)
{
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) {
        desc->root = -2;
        return;
    }
    bool* is_bound = luax_alloc(L, arena, b->from->joint_count, sizeof *is_bound);
    for (uint32_t joint = 0; joint < b->from->joint_count; joint++)
        is_bound[joint] = b->map[joint] >= 0;
    desc->root = bound_joint(L, at, b->from, is_bound);
}

static void read_feet(lua_State* L, const luax_place* at, const binding* b,
                      anim_retarget_desc* desc)
{
    if (!lua_istable(L, -1)) {
        desc->feet = luax_boolean(L, -1, at);
        return;
    }
    int index = lua_gettop(L);
    uint32_t count = luax_list(L, index, at);
    if (count != 2)
        luax_fail(L, at, "true or two joints expected, got %u", (unsigned)count);
    for (int i = 0; i < 2; i++) {
        luax_place item = luax_item(at, i + 1);
        lua_rawgeti(L, index, i + 1);
        desc->foot[i] = bound_joint(L, &item, b->to, b->is_used);
        lua_pop(L, 1);
    }
    if (desc->foot[0] == desc->foot[1])
        luax_fail(L, at, "two joints expected, got one twice");
    desc->feet = true;
}

static const anim_pose_group* read_pose(lua_State* L, const luax_place* at,
                                        const anim_skeleton* skeleton)
{
    const anim_pose* pose = luax_object(L, -1, at, LUAX_POSE);
    if (!anim_skeleton_same(pose->skeleton, skeleton))
        luax_fail(L, at, "the pose belongs to another skeleton");
    if (pose->additive)
        luax_fail(L, at, "the pose holds deltas");
    return pose->groups;
}

// The fourth argument; false where keys are to be copied as they are.
static bool read_options(lua_State* L, anim_arena* arena, const binding* b,
                         anim_retarget_desc* desc)
{
    enum { options = 4 };
    static const char* const keys[] = {"copy", "feet", "pose", "root", "targetPose", NULL};
    luax_place at;
    luax_record(L, options, LUAX_ARG(options), keys, 0);
    if (luax_field(L, options, LUAX_ARG(options), "root", &at))
        read_root(L, &at, b, arena, desc);
    if (luax_field(L, options, LUAX_ARG(options), "feet", &at))
        read_feet(L, &at, b, desc);
    if (luax_field(L, options, LUAX_ARG(options), "pose", &at))
        desc->source = read_pose(L, &at, b->from);
    if (luax_field(L, options, LUAX_ARG(options), "targetPose", &at))
        desc->target = read_pose(L, &at, b->to);
    bool copy = luax_field(L, options, LUAX_ARG(options), "copy", &at) && luax_boolean(L, -1, &at);
    bool is_plain = desc->root == -1 && !desc->feet && !desc->source && !desc->target;
    if (copy && !is_plain)
        luax_fail(L, &at, "copied keys go with no other option");
    return !copy;
}

int luax_clip_retarget(lua_State* L)
{
    enum { map = 3, options = 4 };
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    anim_skeleton* target = luax_object(L, 2, LUAX_ARG(2), LUAX_SKELETON);
    luax_at_most(L, options);
    lua_settop(L, options);
    luax_scratch scratch = luax_new_scratch(L);
    binding b = {.from = clip->keys->skeleton, .to = target};
    b.map = luax_alloc(L, scratch.arena, b.from->joint_count, sizeof *b.map);
    b.is_told = luax_alloc(L, scratch.arena, b.from->joint_count, sizeof *b.is_told);
    b.is_used = luax_alloc(L, scratch.arena, b.to->joint_count, sizeof *b.is_used);
    memset(b.map, 0xff, b.from->joint_count * sizeof *b.map); // all -1
    bool is_fitted = luax_is_given(L, map) || luax_is_given(L, options);
    if (luax_is_given(L, map))
        bind_by_map(L, scratch.arena, &b);
    bind_by_name(&b);
    anim_retarget_desc desc = {.map = b.map, .root = -1, .foot = {-1, -1}};
    if (luax_is_given(L, options))
        is_fitted = read_options(L, scratch.arena, &b, &desc);
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    anim_code code = is_fitted ? anim_clip_retarget_map(clip, target, &desc, &made, &err)
                               : anim_clip_retarget(clip, target, b.map, &made, &err);
    if (code && is_fitted)
        luax_fail_core(L, clip->keys->additive ? LUAX_ARG(1) : LUAX_ARG(options), &err);
    luax_finish_clip(L, box, code, made, &err);
    push_unbound(L, clip, &b);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 2;
}

// --- toAdditive ---------------------------------------------------------------------------------

static void check_reference(lua_State* L, const anim_clip* clip, const anim_skeleton* skeleton,
                            bool additive)
{
    if (!anim_skeleton_same(clip->keys->skeleton, skeleton))
        luax_fail(L, LUAX_ARG(2), "reference of the clip's skeleton expected, got one of another");
    if (additive)
        luax_fail(L, LUAX_ARG(2), "reference expected, got an additive one");
}

int luax_clip_to_additive(lua_State* L)
{
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    luax_at_most(L, 3);
    lua_settop(L, 3);
    if (clip->keys->additive)
        luax_fail(L, LUAX_ARG(1), "the clip is additive already");
    anim_clip* from = clip; // its own first key
    const anim_pose_group* reference = NULL;
    double time = 0;
    if (luax_is_kind(L, 2, LUAX_POSE)) {
        const anim_pose* pose = luax_object(L, 2, LUAX_ARG(2), LUAX_POSE);
        luax_at_most(L, lua_isnil(L, 3) ? 3 : 2);
        check_reference(L, clip, pose->skeleton, pose->additive);
        reference = pose->groups;
    } else if (luax_is_given(L, 2)) {
        if (!luax_is_kind(L, 2, LUAX_CLIP))
            luax_expected_type(L, 2, LUAX_ARG(2), "anim.Clip or anim.Pose");
        from = luax_object(L, 2, LUAX_ARG(2), LUAX_CLIP);
        check_reference(L, clip, from->keys->skeleton, from->keys->additive);
        time = luax_is_given(L, 3) ? luax_number(L, 3, LUAX_ARG(3)) : 0;
    } else if (luax_is_given(L, 3)) {
        time = luax_number(L, 3, LUAX_ARG(3));
    }
    if (!reference) {
        luax_box* box = luax_new(L, LUAX_POSE);
        anim_pose* pose = box->object = anim_pose_create(from->keys->skeleton);
        if (!pose)
            return luaL_error(L, "not enough memory");
        anim_clip_sample(from, time, pose->groups);
        reference = pose->groups;
    }
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    anim_code code = anim_clip_to_additive(clip, reference, &made, &err);
    return luax_finish_clip(L, box, code, made, &err);
}
