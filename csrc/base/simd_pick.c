// SPDX-License-Identifier: MIT
#include "base/simd_pick.h"

#include <stdlib.h>
#include <string.h>

static const char* const names[ANIM_SIMD_COUNT] = {"scalar", "baseline", "avx2"};

anim_simd anim_simd_chosen = ANIM_SIMD_BASELINE;

anim_simd anim_simd_best(void)
{
#if defined(ANIM_HAS_AVX2)
    __builtin_cpu_init(); // constructors may run before the compiler's own
    if (__builtin_cpu_supports("avx2"))
        return ANIM_SIMD_AVX2;
#endif
    return ANIM_SIMD_BASELINE;
}

bool anim_simd_force(anim_simd set)
{
    if (set > anim_simd_best())
        return false;
    anim_simd_chosen = set;
    return true;
}

const char* anim_simd_name(anim_simd set)
{
    return names[set];
}

__attribute__((constructor)) static void choose(void)
{
    const char* wanted = getenv("ANIM_SIMD");
    anim_simd_chosen = anim_simd_best();
    for (int set = 0; wanted && set < (int)ANIM_SIMD_COUNT; set++)
        if (strcmp(wanted, names[set]) == 0)
            anim_simd_force((anim_simd)set);
}
