// SPDX-License-Identifier: MIT
// A clip: keys of joints, scalar curves, discrete properties, events and sync markers.
//
// The keys (anim_keys) are one immutable block that clips share: a clip with another loop mode or
// one more event is a new, small anim_clip over the same keys.
#pragma once

#include "base/notes.h"
#include "pose/pose.h"

typedef enum anim_interp { ANIM_INTERP_STEP, ANIM_INTERP_LINEAR, ANIM_INTERP_CUBIC } anim_interp;
typedef enum anim_loop { ANIM_LOOP_ONCE, ANIM_LOOP_REPEAT, ANIM_LOOP_PINGPONG } anim_loop;

// When keys are. Tracks with the same times share one table, so one search serves them all.
typedef struct anim_times {
    uint32_t count;     // >= 1
    const float* at;    // strictly rising; NULL: key i is at start + i * step
    double start, step; // of a uniform table; of another: first key and mean distance (a guess)
} anim_times;

typedef struct anim_track {
    uint16_t joint;
    uint8_t channel;     // anim_channel
    uint8_t interp;      // anim_interp
    uint32_t times;      // index of the table
    const float* values; // 3 or 4 floats a key; cubic: in-tangent, value, out-tangent a key
} anim_track;

typedef struct anim_curve {
    uint32_t times;
    uint8_t interp;
    const float* values; // 1 float a key; cubic: 3
} anim_curve;

// A discrete value: of a property's key, or what an event carries.
typedef enum anim_value_kind {
    ANIM_VALUE_NIL,
    ANIM_VALUE_BOOLEAN,
    ANIM_VALUE_NUMBER,
    ANIM_VALUE_STRING,
    ANIM_VALUE_HOST // something of the script's; `host` tells which (see lua/l_clip.c)
} anim_value_kind;

typedef struct anim_value {
    anim_value_kind kind;
    union {
        bool boolean;
        double number;
        struct {
            const char* bytes; // may hold zeros; not NUL-terminated
            size_t size;
        } string;
        uint64_t host;
    } as;
} anim_value;

typedef struct anim_property {
    uint32_t times;
    const anim_value* values;
} anim_property;

// What is common to all clips made from the same keys.
typedef struct anim_keys {
    anim_ref ref;
    anim_skeleton* skeleton; // retained
    bool additive;           // tracks are deltas; a joint without a track is the identity
    double last_key;         // time of the last key over everything, 0 without keys
    uint32_t times_count, track_count, curve_count, property_count;
    const anim_times* times;
    const anim_track* tracks; // by channel, then joint
    const anim_curve* curves;
    const anim_property* properties;
    anim_names curve_names, property_names;
    const struct anim_motion* motion; // root motion (pose/root_motion.h); NULL: none
    const uint8_t* channels;          // per joint: bit (1 << anim_channel) where a track exists
    const struct anim_pack* pack;     // more tracks, packed (pose/pack.h); NULL: none
    size_t size;
} anim_keys;

typedef struct anim_event {
    double time;
    double duration; // of a range event; < 0: a point
    uint32_t name;   // index into event_names
    anim_value data;
} anim_event;

typedef struct anim_marker {
    double time;
    uint32_t name; // index into marker_names
} anim_marker;

typedef struct anim_clip {
    anim_ref ref;
    uint64_t serial; // unique in this process
    anim_keys* keys; // retained
    const char* name;
    double duration;
    anim_loop loop;
    uint32_t event_count, marker_count;
    const anim_event* events;             // by time, then as given
    const anim_marker* markers;           // by time
    anim_names event_names, marker_names; // one entry an event / marker, in the same order
    size_t size;                          // of this block, without the keys
} anim_clip;

// --- building ---------------------------------------------------------------------------------

// Times of the keys of one description: `at` (count floats), or uniform where `at` is NULL.
typedef struct anim_times_desc {
    uint32_t count;
    const float* at;
    double start, step; // uniform; step > 0 where count > 1
} anim_times_desc;

typedef struct anim_track_desc {
    uint32_t joint;
    anim_channel channel;
    anim_interp interp;
    anim_times_desc times;
    const float* values;
} anim_track_desc;

typedef struct anim_curve_desc {
    const char* name;
    anim_interp interp;
    anim_times_desc times;
    const float* values;
} anim_curve_desc;

typedef struct anim_property_desc {
    const char* name;
    anim_times_desc times;
    const anim_value* values;
} anim_property_desc;

typedef struct anim_event_desc {
    double time, duration; // duration < 0: a point event
    const char* name;
    anim_value data;
} anim_event_desc;

typedef struct anim_marker_desc {
    double time;
    const char* name;
} anim_marker_desc;

typedef struct anim_clip_desc {
    const char* name;
    anim_skeleton* skeleton;
    double duration; // < 0: the time of the last key
    anim_loop loop;
    bool additive;
    bool exact; // the values are those of an existing clip: rotations are taken as they are
    const struct anim_motion* motion; // root motion (pose/root_motion.h); NULL: none
    const void* packed; // tracks besides `tracks`: see pose/pack_format.h; aligned to 8; NULL: none
    size_t packed_size;
    const anim_track_desc* tracks;
    const anim_curve_desc* curves;
    const anim_property_desc* properties;
    const anim_event_desc* events;
    const anim_marker_desc* markers;
    uint32_t track_count, curve_count, property_count, event_count, marker_count;
} anim_clip_desc;

// Copies and checks everything. Repaired, with a note: keys out of order or twice at one time (stable
// sort, the later wins), rotation keys that are not unit. Errors: a number that is not finite, a
// rotation of length zero, a joint out of range, two tracks for one channel of a joint, an event or
// marker outside [0, duration], a negative key time, a duration that is negative or not finite.
anim_code anim_clip_create(const anim_clip_desc* desc, anim_notes* notes, anim_clip** out,
                           anim_error* err);

// The same keys under another name, loop mode, length or list of events and markers. Where `events`
// or `markers` is NULL those of `clip` are taken over.
typedef struct anim_clip_variant {
    const char* name; // NULL: as before
    int loop;         // anim_loop, or -1: as before
    double duration;  // < 0: as before
    const anim_event_desc* events;
    uint32_t event_count;
    const anim_marker_desc* markers;
    uint32_t marker_count;
} anim_clip_variant;

anim_code anim_clip_derive(const anim_clip* clip, const anim_clip_variant* variant, anim_clip** out,
                           anim_error* err);

// The events and markers as descriptions in the arena (names and data still belong to the clip), to
// be edited and given to anim_clip_derive or anim_clip_create. NULL: out of memory.
anim_event_desc* anim_clip_describe_events(const anim_clip* clip, anim_arena* arena);
anim_marker_desc* anim_clip_describe_markers(const anim_clip* clip, anim_arena* arena);

anim_clip* anim_clip_retain(anim_clip* clip);
void anim_clip_release(anim_clip* clip);

static inline const char* anim_clip_event_name(const anim_clip* clip, uint32_t event)
{
    return anim_names_get(&clip->event_names, event);
}

static inline const char* anim_clip_marker_name(const anim_clip* clip, uint32_t marker)
{
    return anim_names_get(&clip->marker_names, marker);
}

// --- sampling (pose/sampler.c) -------------------------------------------------------------------

// The local pose at `time` (seconds, clamped to the keys; never wraps) in `out`. Joints without a
// track are at rest, or the identity in an additive clip. glTF 2.0, appendix C.
void anim_clip_sample(const anim_clip* clip, double time, anim_pose_group* out);

// The same on a skeleton of equal names and parents, whose rest pose fills what the clip leaves out.
void anim_clip_sample_on(const anim_clip* clip, const anim_skeleton* skeleton, double time,
                         anim_pose_group* out);

// The same, where groups whose `wanted` is 0 need not be made (NULL: all are): what is in them then is
// anything.
void anim_clip_sample_groups(const anim_clip* clip, const anim_skeleton* skeleton, double time,
                             const uint8_t* wanted, anim_pose_group* out);

// One channel of one track, `out` has 3 or 4 floats; and a curve's value.
void anim_track_sample(const anim_keys* keys, const anim_track* track, double time, float* out);
float anim_curve_sample(const anim_keys* keys, const anim_curve* curve, double time);
const anim_value* anim_property_sample(const anim_keys* keys, const anim_property* property,
                                       double time);

// Time of a key, and the place of a time between keys: `key` at or before `time` (the last but one
// at most), `u` from 0 to 1 the fraction to the next, `step` the distance in seconds.
typedef struct anim_place {
    uint32_t key;
    float u, step;
} anim_place;

static inline double anim_times_at(const anim_times* times, uint32_t key)
{
    return times->at ? (double)times->at[key] : times->start + times->step * key;
}

// A key's time as a float, never later than it is: what was keyed at 0.1 is reached at 0.1.
float anim_time_to_key(double time);

anim_place anim_times_find(const anim_times* times, double time);
