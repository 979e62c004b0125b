// SPDX-License-Identifier: MIT
// anim.newClip: the table of a clip, read into the core's description.
#include "lua/clip.h"
#include "lua/objects.h"
#include "lua/table.h"

#include "pose/keys.h"

#include <math.h>

typedef struct reader {
    lua_State* L;
    anim_arena* arena;
    int user; // stack index of the table that goes with the clip
    double last_key;
    double duration;
    anim_clip_desc desc;
} reader;

// --- keys ---------------------------------------------------------------------------------------

static const char* const key_fields[] = {"times", "values", "mode", NULL};

// Reads "times" of the table at the top.
static anim_times_desc read_times(reader* r, const luax_place* above)
{
    lua_State* L = r->L;
    luax_place at;
    luax_field(L, lua_gettop(L), above, "times", &at);
    int table = lua_gettop(L);
    uint32_t count = luax_list(L, table, &at);
    if (count == 0)
        luax_fail(L, &at, "at least one key expected");
    float* list = luax_alloc(L, r->arena, count, sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(&at, (int)i + 1);
        lua_rawgeti(L, table, (int)i + 1);
        double time = luax_number(L, -1, &item);
        if (time < 0)
            luax_fail(L, &item, "time of 0 or more expected, got %g", time);
        list[i] = anim_time_to_key(time);
        r->last_key = fmax(r->last_key, time);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return (anim_times_desc){.count = count, .at = list};
}

typedef struct channel {
    anim_times_desc times;
    anim_interp interp;
    const float* values;
} channel;

// Reads the table of keys at the top, `width` numbers a value.
static channel read_channel(reader* r, const luax_place* above, uint32_t width)
{
    lua_State* L = r->L;
    int table = lua_gettop(L);
    luax_place at;
    channel c = {.interp = ANIM_INTERP_LINEAR};
    luax_record(L, table, above, key_fields, 0);
    c.times = read_times(r, above);
    if (luax_field(L, table, above, "mode", &at))
        c.interp = (anim_interp)luax_choice(L, -1, &at, luax_interps);
    luax_field(L, table, above, "values", &at);
    uint32_t count;
    c.values = luax_floats(L, lua_gettop(L), &at, r->arena, &count);
    uint32_t stride = anim_key_stride(c.interp, width);
    if (count != (uint64_t)stride * c.times.count)
        luax_fail(L, &at, "%u numbers expected (%u keys of %u), got %u",
                  (unsigned)(stride * c.times.count), (unsigned)c.times.count, (unsigned)stride,
                  (unsigned)count);
    lua_settop(L, table);
    return c;
}

// The table of one joint's channels at the top.
static void read_joint_tracks(reader* r, const luax_place* above, uint32_t joint,
                              anim_track_desc* tracks)
{
    lua_State* L = r->L;
    int table = lua_gettop(L);
    luax_record(L, table, above, luax_channels, 0);
    for (int i = 0; luax_channels[i]; i++) {
        luax_place at;
        if (luax_field(L, table, above, luax_channels[i], &at)) {
            channel c = read_channel(r, &at, anim_channel_width((anim_channel)i));
            tracks[r->desc.track_count++] = (anim_track_desc){joint, (anim_channel)i, c.interp,
                                                              c.times, c.values};
        }
        lua_pop(L, 1);
    }
}

// The tables under "tracks", "curves" and "properties" are at the top for the next three.
static void read_tracks(reader* r, const luax_place* above)
{
    lua_State* L = r->L;
    int table = lua_gettop(L);
    uint32_t count;
    const luax_map_key* keys = luax_map(L, table, above, true, r->arena, &count);
    anim_track_desc* tracks = luax_alloc(L, r->arena, (size_t)count * 3, sizeof *tracks);
    bool* seen = luax_alloc(L, r->arena, r->desc.skeleton->joint_count, sizeof *seen);
    for (uint32_t i = 0; i < count; i++) {
        luax_place at;
        luax_map_get(L, table, above, &keys[i], &at);
        uint32_t joint = luax_map_joint(L, &keys[i], &at, r->desc.skeleton);
        if (seen[joint])
            luax_fail(L, &at, "the joint stands twice, by name and by index");
        seen[joint] = true;
        read_joint_tracks(r, &at, joint, tracks);
        lua_pop(L, 1);
    }
    r->desc.tracks = tracks;
}

static void read_curves(reader* r, const luax_place* above)
{
    lua_State* L = r->L;
    int table = lua_gettop(L);
    uint32_t count;
    const luax_map_key* keys = luax_map(L, table, above, false, r->arena, &count);
    anim_curve_desc* curves = luax_alloc(L, r->arena, count, sizeof *curves);
    for (uint32_t i = 0; i < count; i++) {
        luax_place at;
        luax_map_get(L, table, above, &keys[i], &at);
        channel c = read_channel(r, &at, 1);
        curves[i] = (anim_curve_desc){keys[i].name, c.interp, c.times, c.values};
        lua_pop(L, 1);
    }
    r->desc.curves = curves;
    r->desc.curve_count = count;
}

static const anim_value* read_property_values(reader* r, const luax_place* above, uint32_t expected)
{
    lua_State* L = r->L;
    luax_place at;
    luax_field(L, lua_gettop(L), above, "values", &at);
    int list = lua_gettop(L);
    uint32_t count = luax_list(L, list, &at);
    if (count != expected)
        luax_fail(L, &at, "%u values expected, one a key, got %u", (unsigned)expected,
                  (unsigned)count);
    anim_value* values = luax_alloc(L, r->arena, count, sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(&at, (int)i + 1);
        lua_rawgeti(L, list, (int)i + 1);
        if (!luax_to_value(L, -1, &values[i]) ||
            (values[i].kind == ANIM_VALUE_NUMBER && !isfinite(values[i].as.number)))
            luax_expected(L, -1, &item, "boolean, finite number or string");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return values;
}

static void read_properties(reader* r, const luax_place* above)
{
    static const char* const fields[] = {"times", "values", NULL};
    lua_State* L = r->L;
    int table = lua_gettop(L);
    uint32_t count;
    const luax_map_key* keys = luax_map(L, table, above, false, r->arena, &count);
    anim_property_desc* properties = luax_alloc(L, r->arena, count, sizeof *properties);
    for (uint32_t i = 0; i < count; i++) {
        luax_place at;
        luax_map_get(L, table, above, &keys[i], &at);
        luax_record(L, lua_gettop(L), &at, fields, 0);
        properties[i].name = keys[i].name;
        properties[i].times = read_times(r, &at);
        properties[i].values = read_property_values(r, &at, properties[i].times.count);
        lua_pop(L, 1);
    }
    r->desc.properties = properties;
    r->desc.property_count = count;
}

// --- events and markers -------------------------------------------------------------------------

// Time and name of the table at the top.
static const char* read_instant(reader* r, const luax_place* above, double* time)
{
    lua_State* L = r->L;
    int table = lua_gettop(L);
    luax_place at;
    luax_field(L, table, above, "time", &at);
    *time = luax_clip_time(L, -1, &at, r->duration);
    luax_field(L, table, above, "name", &at);
    const char* name = luax_name(L, -1, &at);
    lua_pop(L, 2);
    return name;
}

static double read_event_length(reader* r, const luax_place* above, double time)
{
    lua_State* L = r->L;
    luax_place at;
    double length = -1;
    if (luax_field(L, lua_gettop(L), above, "duration", &at)) {
        length = luax_number(L, -1, &at);
        if (length < 0)
            luax_fail(L, &at, "duration of 0 or more expected, got %.9g", length);
        if ((float)(time + length) > (float)r->duration)
            luax_fail(L, &at, "the event ends at %.9g, after the clip's end at %.9g", time + length,
                      r->duration);
        length = fmin(length, r->duration - time);
    }
    lua_pop(L, 1);
    return length;
}

static void read_events(reader* r, const luax_place* above)
{
    static const char* const fields[] = {"time", "name", "data", "duration", NULL};
    lua_State* L = r->L;
    int list = lua_gettop(L);
    uint32_t count = luax_list(L, list, above);
    anim_event_desc* events = luax_alloc(L, r->arena, count, sizeof *events);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(above, (int)i + 1), at;
        lua_rawgeti(L, list, (int)i + 1);
        luax_record(L, lua_gettop(L), &item, fields, 0);
        events[i].name = read_instant(r, &item, &events[i].time);
        events[i].duration = read_event_length(r, &item, events[i].time);
        luax_field(L, lua_gettop(L), &item, "data", &at);
        events[i].data = luax_pop_event_data(L, r->user);
        lua_pop(L, 1);
    }
    r->desc.events = events;
    r->desc.event_count = count;
}

static void read_markers(reader* r, const luax_place* above)
{
    static const char* const fields[] = {"time", "name", NULL};
    lua_State* L = r->L;
    int list = lua_gettop(L);
    uint32_t count = luax_list(L, list, above);
    anim_marker_desc* markers = luax_alloc(L, r->arena, count, sizeof *markers);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(above, (int)i + 1);
        lua_rawgeti(L, list, (int)i + 1);
        luax_record(L, lua_gettop(L), &item, fields, 0);
        markers[i].name = read_instant(r, &item, &markers[i].time);
        lua_pop(L, 1);
    }
    r->desc.markers = markers;
    r->desc.marker_count = count;
}

// --- the whole ----------------------------------------------------------------------------------

static void read_part(reader* r, const char* key, void (*read)(reader*, const luax_place*))
{
    luax_place at;
    if (luax_field(r->L, 1, LUAX_ARG(1), key, &at))
        read(r, &at);
    lua_pop(r->L, 1);
}

static void read_duration(reader* r, const luax_place* at)
{
    r->desc.duration = luax_number(r->L, -1, at);
    if (r->desc.duration < 0)
        luax_expected(r->L, -1, at, "duration of 0 or more");
}

static void read_loop(reader* r, const luax_place* at)
{
    r->desc.loop = luax_loop(r->L, -1, at);
}

static void read_name(reader* r, const luax_place* at)
{
    r->desc.name = luax_name(r->L, -1, at);
}

static void read_clip(reader* r)
{
    static const char* const fields[] = {"name",   "skeleton",   "duration", "loop",    "tracks",
                                         "curves", "properties", "events",   "markers", NULL};
    lua_State* L = r->L;
    luax_place at;
    luax_record(L, 1, LUAX_ARG(1), fields, 0);
    luax_field(L, 1, LUAX_ARG(1), "skeleton", &at);
    r->desc.skeleton = luax_object(L, -1, &at, LUAX_SKELETON);
    lua_pop(L, 1); // the description keeps it
    read_part(r, "name", read_name);
    read_part(r, "loop", read_loop);
    read_part(r, "duration", read_duration);
    read_part(r, "tracks", read_tracks);
    read_part(r, "curves", read_curves);
    read_part(r, "properties", read_properties);
    if (r->desc.duration < 0)
        r->desc.duration = r->last_key;
    r->duration = r->desc.duration;
    read_part(r, "events", read_events);
    read_part(r, "markers", read_markers);
}

int luax_new_clip(lua_State* L)
{
    enum { box_index = 2, user = 3 };
    luax_at_most(L, 1);
    luaL_checkstack(L, 40, NULL);
    lua_settop(L, 1);
    luax_box* box = luax_new(L, LUAX_CLIP);
    luax_get_user(L, box_index);
    luax_scratch scratch = luax_new_scratch(L);
    reader r = {
        .L = L,
        .arena = scratch.arena,
        .user = user,
        .desc = {.name = "clip", .duration = -1, .loop = ANIM_LOOP_REPEAT},
    };
    read_clip(&r);

    anim_notes notes = {.arena = scratch.arena};
    anim_clip* clip;
    anim_error err;
    lua_pushvalue(L, box_index);
    if (anim_clip_create(&r.desc, &notes, &clip, &err))
        luax_fail_core(L, LUAX_ARG(1), &err);
    luax_fill(L, LUAX_CLIP, box, clip);
    if (notes.count > 0) {
        luax_push_notes(L, &notes);
        lua_setfield(L, user, "warnings");
    }
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}
