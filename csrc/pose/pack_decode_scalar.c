// SPDX-License-Identifier: MIT
// The decoders in plain C, as they are on machines whose vectors nobody has written down.
#define ANIM_PLAIN 1
#include "pose/pack_kernel.h"

void anim_pack_sample_scalar(const struct anim_pack* pack, double time, bool keep,
                             anim_pose_group* out)
{
    sample_packed(pack, time, keep, out);
}

void anim_pack_mix_scalar(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                          uint32_t group_count, const uint8_t* wanted, anim_pose_group* out)
{
    mix_fast(terms, count, rest, group_count, wanted, out);
}
