// SPDX-License-Identifier: MIT
// clip:pack, and the options of anim.load that pack.
#include "lua/clip.h"
#include "lua/table.h"

#include "pose/pack_format.h"

#include <stdlib.h>
#include <string.h>

static const char* const forms[] = {"small", "fast", NULL}; // by anim_pack_form

static double above_zero(lua_State* L, const luax_place* at)
{
    double x = luax_number(L, -1, at);
    if (!(x > 0))
        luax_expected(L, -1, at, "number above 0");
    return x;
}

double luax_pack_rate(lua_State* L, const luax_place* at)
{
    const double most = 1e6;
    double rate = above_zero(L, at);
    if (rate > most)
        luax_expected(L, -1, at, "at most 1e6 frames a second");
    return rate;
}

anim_pack_desc luax_pack_options(lua_State* L, int index, const luax_place* at, bool with_rate)
{
    static const char* const keys[] = {"error", "form", "rate", NULL};
    static const char* const two_keys[] = {"error", "form", NULL};
    anim_pack_desc desc = {0};
    luax_place field;
    luax_record(L, index, at, with_rate ? keys : two_keys, 0);
    if (luax_field(L, index, at, "error", &field))
        desc.error = above_zero(L, &field);
    if (luax_field(L, index, at, "form", &field))
        desc.form = (anim_pack_form)luax_choice(L, -1, &field, forms);
    if (luax_field(L, index, at, "rate", &field))
        desc.rate = luax_pack_rate(L, &field);
    lua_pop(L, 3);
    if (desc.error > 1e9)
        luax_fail(L, at, "an error of at most 1e9 expected");
    return desc;
}

bool luax_pack_forced(lua_State* L, anim_pack_desc* desc)
{
    const char* form = getenv("ANIM_PACK");
    if (!form || !form[0])
        return false;
    for (int i = 0; forms[i]; i++)
        if (strcmp(forms[i], form) == 0) {
            desc->form = (anim_pack_form)i;
            return true;
        }
    return luaL_error(L, "the environment variable ANIM_PACK is '%s', not small or fast", form);
}

// The tracks that stayed keys, as a list of {joint=, channel=}.
static void push_exact(lua_State* L, const anim_keys* keys)
{
    lua_createtable(L, (int)keys->track_count, 0);
    for (uint32_t i = 0; i < keys->track_count; i++) {
        lua_createtable(L, 0, 2);
        luax_put_string(L, "joint", anim_skeleton_name(keys->skeleton, keys->tracks[i].joint));
        luax_put_string(L, "channel", luax_channels[keys->tracks[i].channel]);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void put_count(lua_State* L, const char* key, size_t count)
{
    lua_pushinteger(L, (lua_Integer)count);
    lua_setfield(L, -2, key);
}

static void push_report(lua_State* L, const anim_clip* packed, const anim_pack_report* r)
{
    lua_createtable(L, 0, 11);
    luax_put_string(L, "form", forms[anim_clip_form(packed)]);
    put_count(L, "bytes", r->bytes);
    luax_put_number(L, "ratio", r->bytes > 0 ? (double)r->source_bytes / (double)r->bytes : 1);
    luax_put_number(L, "maxError", r->max_error);
    luax_put_number(L, "meanError", r->mean_error);
    luax_put_string(L, "worstJoint", anim_skeleton_name(packed->keys->skeleton, r->worst_joint));
    luax_put_number(L, "worstTime", r->worst_time);
    luax_put_number(L, "seconds", r->seconds);
    put_count(L, "frames", r->frames);
    luax_put_number(L, "rate", r->rate);
    push_exact(L, packed->keys);
    lua_setfield(L, -2, "exact");
}

int luax_clip_pack(lua_State* L)
{
    anim_clip* clip = luax_self(L, LUAX_CLIP);
    luax_at_most(L, 2);
    lua_settop(L, 2);
    anim_pack_desc desc = {0};
    if (luax_is_given(L, 2))
        desc = luax_pack_options(L, 2, LUAX_ARG(2), true);
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    anim_pack_report report;
    anim_code code = anim_clip_pack(clip, &desc, &made, &report, &err);
    luax_finish_clip(L, box, code, made, &err);
    push_report(L, made, &report);
    return 2;
}

int luax_clip_get_form(lua_State* L)
{
    const anim_clip* clip = luax_self(L, LUAX_CLIP);
    if (anim_clip_is_packed(clip))
        lua_pushstring(L, forms[anim_clip_form(clip)]);
    else
        lua_pushnil(L);
    return 1;
}

const anim_clip* luax_clip_keyed(lua_State* L, const anim_clip* clip)
{
    if (!anim_clip_is_packed(clip))
        return clip;
    luax_box* box = luax_new(L, LUAX_CLIP);
    anim_clip* made;
    anim_error err;
    if (anim_clip_unpack(clip, &made, &err))
        luax_fail_core(L, NULL, &err);
    luax_fill(L, LUAX_CLIP, box, made);
    return made;
}
