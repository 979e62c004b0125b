// SPDX-License-Identifier: MIT
// Blend spaces: from one or two numbers to the weights of samples that lie along a line or in a plane.
// Pure functions of an immutable space, safe from any thread; nothing is allocated but at creation.
//
// For every finite input the weights are finite, >= 0 and sum to 1; exactly on a sample they are exactly
// that sample. Weights below 1e-7 are cut to 0, so that nobody samples a clip or hears its events for
// what can't be seen. No samples: no weights.
//
// Where the samples of `directional` rule each other out (three can, in polar coordinates), the nearest
// has all weight; between two in opposite directions both ways round count alike. Where several Delaunay
// triangulations are right (corners of a square), the first point by x, then y, has the edges.
#pragma once

#include "base/error.h"

typedef enum anim_blend_mode {
    ANIM_BLEND_SIMPLE,       // one sample in each direction from the origin, and perhaps one there
    ANIM_BLEND_DIRECTIONAL,  // gradient band over length and angle (R. S. Johansen 2009, 6.3.2)
    ANIM_BLEND_CARTESIAN,    // gradient band (6.3.1)
    ANIM_BLEND_TRIANGULATED, // barycentric in Delaunay triangles; outside as at the nearest point
    ANIM_BLEND_GRID,         // bilinear in a full grid; outside as at the nearest point
    ANIM_BLEND_IDW,          // inverse distances
    ANIM_BLEND_MODE_COUNT
} anim_blend_mode;

#define ANIM_BLEND_MAX_SAMPLES 1024u

typedef struct anim_blend_space_desc {
    anim_blend_mode mode;
    uint32_t count; // samples, at most ANIM_BLEND_MAX_SAMPLES
    const float* x;
    const float* y;
    float power;    // idw: of the distance, > 0; 0 means 2
    bool manhattan; // idw: distance |dx| + |dy|
} anim_blend_space_desc;

typedef struct anim_blend_space anim_blend_space;

// Samples that are equal within 1e-6 of the extent act as one and share its weight evenly. Fails where
// a number is not finite, where two samples of `simple` lie in one direction and where the grid has a
// hole; messages count samples from 1.
anim_code anim_blend_space_create(const anim_blend_space_desc* desc, anim_blend_space** out,
                                  anim_error* err);
anim_blend_space* anim_blend_space_retain(anim_blend_space* space);
void anim_blend_space_release(anim_blend_space* space); // NULL is fine

// `weights` has room for one a sample. x and y are finite.
void anim_blend_space_weights(const anim_blend_space* space, float x, float y, float* weights);

// The longer side of the samples' bounding box. Inputs that moved by less than 1e-6 of it need no new
// weights.
double anim_blend_space_extent(const anim_blend_space* space);

// True where the samples of `simple` or `directional` leave half the directions or more empty:
// opposite to the samples the weights may then jump.
bool anim_blend_space_has_gap(const anim_blend_space* space);

// One dimension: piecewise linear between thresholds that rise strictly, clamped at both ends. The
// check's message names both entries, counted from 1.
anim_code anim_blend_1d_check(const float* thresholds, uint32_t count, anim_error* err);
void anim_blend_1d_weights(const float* thresholds, uint32_t count, float x, float* weights);
