// SPDX-License-Identifier: MIT
// Inside the pose layer: a clip under change. Taken apart into a description, changed, built again.
#pragma once

#include "pose/clip.h"
#include "pose/root_motion.h"

// The lists of `desc`, in the arena, open for writing. Values still belong to the clip.
typedef struct anim_draft {
    const anim_clip* clip;
    anim_arena arena;
    anim_clip_desc desc;
    anim_track_desc* tracks;
    anim_curve_desc* curves;
    anim_property_desc* properties;
    anim_event_desc* events;
    anim_marker_desc* markers;
} anim_draft;

// False: out of memory; anim_draft_finish must follow all the same.
bool anim_draft_init(anim_draft* draft, const anim_clip* clip);

// Builds the clip, or fails with "out of memory" where `whole` is false; frees the draft.
anim_code anim_draft_finish(anim_draft* draft, bool whole, anim_clip** out, anim_error* err);

// Makes the values of a track its own, to be written; NULL: out of memory.
float* anim_draft_own_values(anim_draft* draft, anim_track_desc* track);

// Root motion for the draft: keys at the given times (rising, in the arena) and the values that `made`
// gives for each. False: out of memory.
bool anim_draft_set_motion(anim_draft* draft, uint32_t joint, const float* at, uint32_t count,
                           void (*made)(const void* user, double time, anim_rigid* out),
                           const void* user);

anim_times_desc anim_times_describe(const anim_keys* keys, uint32_t table);

static inline double anim_times_desc_at(const anim_times_desc* times, uint32_t key)
{
    return times->at ? (double)times->at[key] : times->start + times->step * key;
}
