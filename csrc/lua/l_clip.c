// SPDX-License-Identifier: MIT
// The methods of anim.Clip that read.
#include "lua/clip.h"
#include "lua/objects.h"

#include "pose/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char* const luax_channels[] = {"translation", "rotation", "scale", NULL};
const char* const luax_interps[] = {"step", "linear", "cubic", NULL};

anim_loop luax_loop(lua_State* L, int index, const luax_place* at)
{
    if (lua_isboolean(L, index))
        return lua_toboolean(L, index) ? ANIM_LOOP_REPEAT : ANIM_LOOP_ONCE;
    if (lua_type(L, index) != LUA_TSTRING || strcmp(luax_text(L, index, at), "pingpong") != 0)
        luax_expected(L, index, at, "true, false or \"pingpong\"");
    return ANIM_LOOP_PINGPONG;
}

double luax_clip_time(lua_State* L, int index, const luax_place* at, double duration)
{
    double time = luax_number(L, index, at);
    if (time > duration && (float)time == (float)duration)
        return duration;
    if (time < 0 || time > duration)
        luax_fail(L, at, "time from 0 to %.9g expected, got %.9g", duration, time);
    return time;
}

// --- values -------------------------------------------------------------------------------------

enum { exact_bits = 53 }; // of a double

static bool is_exact(lua_State* L, int index)
{
#if LUA_VERSION_NUM >= 503
    const lua_Integer most = (lua_Integer)1 << exact_bits;
    return !lua_isinteger(L, index) ||
           (lua_tointeger(L, index) <= most && lua_tointeger(L, index) >= -most);
#else
    (void)L;
    (void)index;
    return true;
#endif
}

bool luax_to_value(lua_State* L, int index, anim_value* out)
{
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        out->kind = ANIM_VALUE_BOOLEAN;
        out->as.boolean = lua_toboolean(L, index);
        return true;
    case LUA_TNUMBER:
        out->kind = ANIM_VALUE_NUMBER;
        out->as.number = lua_tonumber(L, index);
        return is_exact(L, index);
    case LUA_TSTRING:
        out->kind = ANIM_VALUE_STRING;
        out->as.string.bytes = lua_tolstring(L, index, &out->as.string.size);
        return true;
    default: return false;
    }
}

static void push_number(lua_State* L, double x)
{
#if LUA_VERSION_NUM >= 503
    double most = (double)((lua_Integer)1 << exact_bits);
    if (x == floor(x) && fabs(x) <= most && !(x == 0 && signbit(x))) {
        lua_pushinteger(L, (lua_Integer)x);
        return;
    }
#endif
    lua_pushnumber(L, x);
}

// `owner` is the index of the clip whose value it is.
void luax_push_value(lua_State* L, const anim_value* value, int owner)
{
    switch (value->kind) {
    case ANIM_VALUE_BOOLEAN: lua_pushboolean(L, value->as.boolean); break;
    case ANIM_VALUE_NUMBER: push_number(L, value->as.number); break;
    case ANIM_VALUE_STRING:
        lua_pushlstring(L, value->as.string.bytes ? value->as.string.bytes : "",
                        value->as.string.size);
        break;
    case ANIM_VALUE_HOST:
        luax_get_user(L, owner);
        lua_rawgeti(L, -1, (int)value->as.host);
        lua_remove(L, -2);
        break;
    default: lua_pushnil(L);
    }
}

anim_value luax_pop_event_data(lua_State* L, int user)
{
    anim_value value = {.kind = ANIM_VALUE_NIL};
    if (lua_isnil(L, -1) || luax_to_value(L, -1, &value)) {
        lua_pop(L, 1);
        return value;
    }
    int place = (int)lua_objlen(L, user) + 1;
    lua_rawseti(L, user, place);
    return (anim_value){.kind = ANIM_VALUE_HOST, .as.host = (uint64_t)place};
}

// --- getters ------------------------------------------------------------------------------------

static anim_clip* self(lua_State* L)
{
    return luax_self(L, LUAX_CLIP);
}

static int get_name(lua_State* L)
{
    lua_pushstring(L, self(L)->name);
    return 1;
}

static int get_duration(lua_State* L)
{
    lua_pushnumber(L, self(L)->duration);
    return 1;
}

static int get_last_key(lua_State* L)
{
    lua_pushnumber(L, self(L)->keys->last_key);
    return 1;
}

static int get_loop(lua_State* L)
{
    anim_loop loop = self(L)->loop;
    if (loop == ANIM_LOOP_PINGPONG)
        lua_pushliteral(L, "pingpong");
    else
        lua_pushboolean(L, loop == ANIM_LOOP_REPEAT);
    return 1;
}

static int get_skeleton(lua_State* L)
{
    luax_push(L, LUAX_SKELETON, self(L)->keys->skeleton);
    return 1;
}

static int get_size(lua_State* L)
{
    anim_clip* clip = self(L);
    lua_pushinteger(L, (lua_Integer)(clip->size + clip->keys->size));
    return 1;
}

static int is_additive(lua_State* L)
{
    lua_pushboolean(L, self(L)->keys->additive);
    return 1;
}

static int get_events(lua_State* L)
{
    anim_clip* clip = self(L);
    lua_createtable(L, (int)clip->event_count, 0);
    for (uint32_t i = 0; i < clip->event_count; i++) {
        const anim_event* event = &clip->events[i];
        lua_createtable(L, 0, 4);
        luax_put_number(L, "time", event->time);
        luax_put_string(L, "name", anim_clip_event_name(clip, i));
        if (event->duration >= 0)
            luax_put_number(L, "duration", event->duration);
        luax_push_value(L, &event->data, 1);
        lua_setfield(L, -2, "data");
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int get_markers(lua_State* L)
{
    anim_clip* clip = self(L);
    lua_createtable(L, (int)clip->marker_count, 0);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        lua_createtable(L, 0, 2);
        luax_put_number(L, "time", clip->markers[i].time);
        luax_put_string(L, "name", anim_clip_marker_name(clip, i));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// A new list, since the clip's own must not change.
static int get_warnings(lua_State* L)
{
    self(L);
    lua_settop(L, 1);
    luax_get_user(L, 1);
    lua_getfield(L, 2, "warnings");
    int count = lua_istable(L, 3) ? (int)lua_objlen(L, 3) : 0;
    lua_createtable(L, count, 0);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, 3, i);
        lua_rawseti(L, 4, i);
    }
    return 1;
}

// --- keys ---------------------------------------------------------------------------------------

static int get_channels(lua_State* L)
{
    anim_clip* clip = self(L);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), clip->keys->skeleton);
    int count = 0;
    for (int channel = 0; luax_channels[channel]; channel++)
        if (clip->keys->channels[joint] & (1u << channel)) {
            lua_pushstring(L, luax_channels[channel]);
            count++;
        }
    return count;
}

static void push_floats(lua_State* L, const float* values, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushnumber(L, (lua_Number)values[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static const anim_track* find_track(const anim_keys* keys, uint32_t joint, int channel)
{
    for (uint32_t i = 0; i < keys->track_count; i++)
        if (keys->tracks[i].joint == joint && keys->tracks[i].channel == channel)
            return &keys->tracks[i];
    return NULL;
}

static int get_track(lua_State* L)
{
    const anim_clip* clip = self(L);
    uint32_t joint = luax_joint(L, 2, LUAX_ARG(2), clip->keys->skeleton);
    int channel = luax_choice(L, 3, LUAX_ARG(3), luax_channels);
    const anim_keys* keys = luax_clip_keyed(L, clip)->keys;
    const anim_track* track = find_track(keys, joint, channel);
    if (!track) {
        lua_pushnil(L);
        return 1;
    }
    const anim_times* times = &keys->times[track->times];
    lua_createtable(L, 0, 3);
    lua_createtable(L, (int)times->count, 0);
    for (uint32_t i = 0; i < times->count; i++) {
        lua_pushnumber(L, anim_times_at(times, i));
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "times");
    size_t stride = anim_key_stride((anim_interp)track->interp,
                                    anim_channel_width((anim_channel)channel));
    push_floats(L, track->values, times->count * stride);
    lua_setfield(L, -2, "values");
    luax_put_string(L, "mode", luax_interps[track->interp]);
    return 1;
}

static int push_names(lua_State* L, const anim_names* names)
{
    lua_createtable(L, (int)names->count, 0);
    for (uint32_t i = 0; i < names->count; i++) {
        lua_pushstring(L, anim_names_get(names, i));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int get_curves(lua_State* L)
{
    return push_names(L, &self(L)->keys->curve_names);
}

static int get_properties(lua_State* L)
{
    return push_names(L, &self(L)->keys->property_names);
}

static int get_curve(lua_State* L)
{
    const anim_keys* keys = self(L)->keys;
    int32_t curve = anim_names_find(&keys->curve_names, luax_name(L, 2, LUAX_ARG(2)));
    double time = luax_number(L, 3, LUAX_ARG(3));
    if (curve < 0)
        lua_pushnil(L);
    else
        lua_pushnumber(L, (lua_Number)anim_curve_sample(keys, &keys->curves[curve], time));
    return 1;
}

static int get_property(lua_State* L)
{
    const anim_keys* keys = self(L)->keys;
    int32_t property = anim_names_find(&keys->property_names, luax_name(L, 2, LUAX_ARG(2)));
    double time = luax_number(L, 3, LUAX_ARG(3));
    if (property < 0)
        lua_pushnil(L);
    else
        luax_push_value(L, anim_property_sample(keys, &keys->properties[property], time), 1);
    return 1;
}

static int sample(lua_State* L)
{
    anim_clip* clip = self(L);
    double time = luax_number(L, 2, LUAX_ARG(2));
    anim_pose* pose = luax_object(L, 3, LUAX_ARG(3), LUAX_POSE);
    if (!anim_skeleton_same(clip->keys->skeleton, pose->skeleton))
        luax_fail(L, LUAX_ARG(3), "pose of the clip's skeleton expected, got one of another");
    anim_clip_sample_on(clip, pose->skeleton, time, pose->groups);
    pose->additive = clip->keys->additive;
    return 0;
}

static int to_string(lua_State* L)
{
    anim_clip* clip = luax_self_or_released(L, LUAX_CLIP);
    if (!clip)
        return 1;
    char text[ANIM_MAX_NAME + 128];
    snprintf(text, sizeof text, "anim.Clip: %.*s (%.3g s, %u joints%s)", (int)ANIM_MAX_NAME,
             clip->name, clip->duration, (unsigned)clip->keys->skeleton->joint_count,
             clip->keys->additive ? ", additive" : "");
    lua_pushstring(L, text);
    return 1;
}

const luaL_Reg luax_clip_methods[] = {
    {"getName", get_name},
    {"getDuration", get_duration},
    {"getLastKey", get_last_key},
    {"getLoop", get_loop},
    {"getSkeleton", get_skeleton},
    {"getSize", get_size},
    {"isAdditive", is_additive},
    {"getEvents", get_events},
    {"getMarkers", get_markers},
    {"getWarnings", get_warnings},
    {"getChannels", get_channels},
    {"getTrack", get_track},
    {"getCurves", get_curves},
    {"getCurve", get_curve},
    {"getProperties", get_properties},
    {"getProperty", get_property},
    {"sample", sample},
    {"addEvent", luax_clip_add_event},
    {"withLoop", luax_clip_with_loop},
    {"slice", luax_clip_slice},
    {"reverse", luax_clip_reverse},
    {"mirror", luax_clip_mirror},
    {"retarget", luax_clip_retarget},
    {"toAdditive", luax_clip_to_additive},
    {"withRootMotion", luax_clip_with_root_motion},
    {"pack", luax_clip_pack},
    {"getForm", luax_clip_get_form},
    {"__tostring", to_string},
    {NULL, NULL},
};
