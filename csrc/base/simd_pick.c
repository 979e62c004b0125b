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

anim_simd anim_simd_wanted(const char* name)
{
    anim_simd best = anim_simd_best();
    for (int set = 0; name && set < (int)best; set++)
        if (strcmp(name, names[set]) == 0)
            return (anim_simd)set;
    return best;
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
    anim_simd_chosen = anim_simd_wanted(getenv("ANIM_SIMD"));
}
