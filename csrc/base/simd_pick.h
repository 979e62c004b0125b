// SPDX-License-Identifier: MIT
// Which of the kernels run: the one place that asks the machine and the environment.
//
// Kernels are written once and compiled for each of the sets below (math/lanes.h); all give the same bits.
// A module keeps one entry per set and takes the chosen one at each call:
//
//     static const sampler samplers[ANIM_SIMD_COUNT] = {sample_scalar, sample_baseline, sample_avx2};
//     samplers[anim_simd_chosen](pack, time, out);
//
// Where a set is not compiled in (ANIM_HAS_AVX2 is not defined), its entry is never taken and may be NULL.
#pragma once

#include "base/config.h"

typedef enum anim_simd {
    ANIM_SIMD_SCALAR,   // plain C, one number at a time
    ANIM_SIMD_BASELINE, // 16-byte vectors: SSE2, NEON, or what the compiler makes of them
    ANIM_SIMD_AVX2,     // 32-byte vectors without fused multiply-add, which would change bits
    ANIM_SIMD_COUNT
} anim_simd;

// Set before main, or when the module is loaded: the best set of the machine, unless the environment
// variable ANIM_SIMD names a lesser one (scalar, baseline or avx2; anything else counts as not given).
// Read it, never write it.
extern anim_simd anim_simd_chosen;

anim_simd anim_simd_best(void); // of this machine, whatever ANIM_SIMD says
anim_simd
anim_simd_wanted(const char* name); // what is taken where ANIM_SIMD has this value; NULL: not given

// For tests: takes another set from now on; false, and no change, where the machine does not have it.
// No other thread may run kernels meanwhile.
bool anim_simd_force(anim_simd set);

const char* anim_simd_name(anim_simd set); // as ANIM_SIMD takes it
