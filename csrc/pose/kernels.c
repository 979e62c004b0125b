// SPDX-License-Identifier: MIT
#include "pose/kernels.h"

const anim_kernels* const anim_kernel_sets[ANIM_SIMD_COUNT] = {
    &anim_kernels_scalar,
    &anim_kernels_baseline,
#if defined(ANIM_HAS_AVX2)
    &anim_kernels_avx2,
#endif
};
