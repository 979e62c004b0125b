// SPDX-License-Identifier: MIT
#include "base/simd_pick.h"
#include "pose/pack_kernel.h"

typedef void (*sampler)(const struct anim_pack* pack, double time, bool keep, anim_pose_group* out);
typedef void (*mixer)(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                      uint32_t group_count, const uint8_t* wanted, anim_pose_group* out);

static const sampler samplers[ANIM_SIMD_COUNT] = {
    anim_pack_sample_scalar,
    sample_packed,
#if defined(ANIM_HAS_AVX2)
    anim_pack_sample_avx2,
#endif
};

static const mixer mixers[ANIM_SIMD_COUNT] = {
    anim_pack_mix_scalar,
    mix_fast,
#if defined(ANIM_HAS_AVX2)
    anim_pack_mix_avx2,
#endif
};

void anim_pack_sample(const struct anim_pack* pack, double time, bool keep, anim_pose_group* out)
{
    samplers[anim_simd_chosen](pack, time, keep, out);
}

void anim_pack_mix(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                   uint32_t group_count, const uint8_t* wanted, anim_pose_group* out)
{
    mixers[anim_simd_chosen](terms, count, rest, group_count, wanted, out);
}
