// SPDX-License-Identifier: MIT
#include "pose/pack_kernel.h"

#include <stdlib.h>

typedef void (*sampler)(const struct anim_pack* pack, double time, anim_pose_group* out);

#if defined(__x86_64__) && defined(__GNUC__)

// Chosen before main; the environment variable ANIM_SIMD can forbid what the machine could.
static sampler chosen = sample_packed;

__attribute__((constructor)) static void choose(void)
{
    const char* wanted = getenv("ANIM_SIMD");
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && (!wanted || !wanted[0] || strcmp(wanted, "avx2") == 0))
        chosen = anim_pack_sample_avx2;
}

#else

static const sampler chosen = sample_packed;

#endif

void anim_pack_sample(const struct anim_pack* pack, double time, anim_pose_group* out)
{
    chosen(pack, time, out);
}
