// SPDX-License-Identifier: MIT
// The decoders for machines that have AVX2 (and no fused multiply-add: bits would differ).
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
#include "pose/pack_kernel.h"

void anim_pack_sample_avx2(const struct anim_pack* pack, double time, bool keep,
                           anim_pose_group* out)
{
    sample_packed(pack, time, keep, out);
}

void anim_pack_mix_avx2(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                        uint32_t group_count, const uint8_t* wanted, anim_pose_group* out)
{
    mix_fast(terms, count, rest, group_count, wanted, out);
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
