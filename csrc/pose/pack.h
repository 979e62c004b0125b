// SPDX-License-Identifier: MIT
// Packed clips: the tracks of joints as frames at an even rate, within an error bound.
//
// A packed clip is an anim_clip like any other: curves, properties, events, markers and root motion
// stay as they are. Tracks that hold steps, and those that the bound can't be met for, stay keys.
#pragma once

#include "pose/clip.h"

typedef enum anim_pack_form {
    ANIM_PACK_SMALL, // few bytes: pose/pack_format.h
    ANIM_PACK_FAST   // a few times larger, decoded in a third of the time: pose/pack_fast.h
} anim_pack_form;

typedef struct anim_pack_desc {
    // Metres, > 0; 0: 1e-4. The largest distance in model space between the clip's joints and the packed
    // ones, of points on each joint's axes: 3 cm from it in its own units or, where the rest pose makes
    // these smaller, in model space.
    double error;
    anim_pack_form form;
    double rate; // frames a second; 0: that of the keys, or the lowest that serves them
} anim_pack_desc;

typedef struct anim_pack_report {
    size_t bytes;        // of the joints' tracks: packed, and those that stay keys
    size_t source_bytes; // of the same tracks before: keys and their times
    uint32_t frames;
    double rate;
    uint32_t exact_count; // tracks that stay keys
    // Measured with the decoder at frames, halves and eighths of them, over all joints.
    double max_error, mean_error; // metres
    uint32_t worst_joint;
    double worst_time; // seconds
    double seconds;    // of processor time that packing took
} anim_pack_report;

// The clip with its tracks packed. Where it is packed already it is unpacked first, and the error is
// counted against that. `report` may be NULL. Fails where memory does not suffice, or a number in `desc`
// is out of range. Any thread.
anim_code anim_clip_pack(const anim_clip* clip, const anim_pack_desc* desc, anim_clip** out,
                         anim_pack_report* report, anim_error* err);

// The clip with all tracks as keys: a packed one gets a linear key a frame. A clip that is not packed
// is returned itself, retained.
anim_code anim_clip_unpack(const anim_clip* clip, anim_clip** out, anim_error* err);

static inline bool anim_clip_is_packed(const anim_clip* clip)
{
    return clip->keys->pack != NULL;
}

anim_pack_form anim_clip_form(const anim_clip* clip); // of a packed clip

// How far the joints of `b` are from those of `a` (two clips of the same skeleton, either both additive
// or none), as above, at the times from `from` on, `step` apart. Fills the four fields of the report
// that are about it, and `per_joint` (a metre a joint; may be NULL). False: out of memory.
bool anim_clip_compare(const anim_clip* a, const anim_clip* b, double from, double step,
                       uint32_t count, anim_pack_report* report, double* per_joint);

// --- mixing while unpacking (pose/sampler.c) ---------------------------------------------------------

typedef struct anim_term {
    const anim_clip* clip;
    double time; // as in anim_clip_sample
    float weight;
} anim_term;

#define ANIM_MOST_TERMS 32u

// Whether all its tracks are packed in the fast form, for this very skeleton.
bool anim_clip_can_mix(const anim_clip* clip, const anim_skeleton* skeleton);

// The weighted sum (semantics 4) of such clips, all additive or none: from 1 to ANIM_MOST_TERMS, the heaviest
// first; the weights sum to 1. What sampling each and anim_pose_sum_* give, but for the last bits, without
// their poses in between. `wanted` as in anim_clip_sample_groups.
void anim_clip_mix(const anim_term* terms, uint32_t count, const uint8_t* wanted,
                   anim_pose_group* out);
