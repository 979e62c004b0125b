// SPDX-License-Identifier: MIT
// Inside the pose layer: building the keys of a clip (pose/keys.c) for pose/clip.c.
#pragma once

#include "pose/clip.h"

// The tracks, curves and properties of a description, checked and repaired; see anim_clip_create.
anim_code anim_keys_create(const anim_clip_desc* desc, anim_notes* notes, anim_keys** out,
                           anim_error* err);
anim_keys* anim_keys_retain(anim_keys* keys);
void anim_keys_release(anim_keys* keys);

static inline uint32_t anim_channel_width(anim_channel channel)
{
    return channel == ANIM_CHANNEL_ROTATION ? 4 : 3;
}

// Floats a key takes: three times as many with tangents.
static inline uint32_t anim_key_stride(anim_interp interp, uint32_t width)
{
    return interp == ANIM_INTERP_CUBIC ? 3 * width : width;
}

static inline const char* anim_channel_name(anim_channel channel)
{
    static const char* const names[] = {"translation", "rotation", "scale"};
    return names[channel];
}

// A cubic segment between two keys of (in-tangent, value, out-tangent): the value at `place`, not
// normalised, or its change per second. `sign` -1 takes the second key the other way round.
void anim_hermite(const float* from, const float* to, uint32_t width, anim_place place, float sign,
                  float* out);
void anim_hermite_slope(const float* from, const float* to, uint32_t width, anim_place place,
                        float sign, float* out);

// -1 where the two rotations of a cubic segment clearly lie on opposite sides (one key's signs were
// turned: dot below -1/3, keys up to 141 degrees apart), else 1. Between unlike keys the file's signs
// stand: tangents belong to them, and glTF knows no shorter way for cubic keys.
float anim_segment_sign(const float* from, const float* to, uint32_t width);

// Room for a value's string in the layout, and its copy there.
anim_value anim_value_copy(const anim_value* value, anim_layout* layout);
