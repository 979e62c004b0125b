// SPDX-License-Identifier: MIT
// For machines that have AVX2 (and no fused multiply-add: bits would differ).
#include "base/config.h"

#if defined(ANIM_HAS_AVX2)

#include <immintrin.h>
#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define ANIM_WIDE 1
#define ANIM_WIDTH 8
#include "pose/kernel_blend.h"
#include "pose/kernel_model.h"

const anim_kernels anim_kernels_avx2 = ANIM_KERNELS;

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
