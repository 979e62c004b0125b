// SPDX-License-Identifier: MIT
// The small form of packed tracks: what is made when a pack is opened, besides the rows of its base. It takes about
// 300 to 700 bytes for each eight moving tracks, and saves more than half of the time of a sample.
#pragma once

#include "math/simd.h"
#include "pose/pack_format.h"

// Where the fields of eight lanes are in a record, as AVX2 wants it. Those of two lanes lie within 16 bytes, mostly
// those of four do; a field lies within four.
typedef struct anim_pack_recipe {
    uint32_t at[ANIM_LANES / 2];     // bytes from the start of the record to each two lanes
    uint32_t narrow;                 // four lanes lie within 16 bytes, `at` is 0, 0, 1, 1
    uint8_t bytes[3][ANIM_LANES][4]; // which hold the field of x, y, z, from there
    uint8_t left[3][ANIM_LANES];     // shift to the top of 32 bits; 32: there is no field
    uint8_t right[3][ANIM_LANES];    // shift back to the bottom
} anim_pack_recipe;

// Eight moving rotations.
typedef struct anim_pack_turns {
    _Alignas(32) float step[ANIM_LANES]; // of the finest level
    float ref[4][ANIM_LANES];            // not normalised
} anim_pack_turns;

// Eight moving translations or scales.
typedef struct anim_pack_shifts {
    _Alignas(32) float step[ANIM_LANES];
    float centre[3][ANIM_LANES], rest[3][ANIM_LANES];
} anim_pack_shifts;

// Where lanes go: to one group of the pose.
typedef struct anim_pack_put {
    uint16_t group;
    bool is_last;            // of these eight lanes
    bool is_whole;           // they are all there and in order
    int8_t from[ANIM_LANES]; // the lane of each place; -1: none goes there
} anim_pack_put;

// Of each group of lanes: that of the keys, then those of the residuals where they are the same all along.
static inline uint32_t anim_pack_recipe_count(const struct anim_pack* p)
{
    return p->segment_count == 1 ? 1 + p->head.level : 1;
}

// (2 u sqrt(1 - |u|^2), 1 - 2 |u|^2): of axis sin(angle / 4) the whole quaternion; unit for every u.
static inline anim_quat8 anim_pack_open_quarter(anim_f8 x, anim_f8 y, anim_f8 z)
{
    anim_f8 square = (x * x + y * y) + z * z, one = anim_f8_splat(1);
#if defined(ANIM_WIDE)
    square = (anim_f8)_mm256_min_ps((__m256)square, (__m256)one); // hostile files have more
#else
    square = anim_f8_select(anim_f8_greater(one, square), square, one);
#endif
    anim_f8 w = anim_f8_sqrt(1.0f - square);
    w += w;
    return (anim_quat8){x * w, y * w, z * w, 1.0f - (square + square)};
}
