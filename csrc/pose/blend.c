// SPDX-License-Identifier: MIT
// Layers on whole poses (semantics 4); pose/kernel_blend.h has the formulas.
#include "pose/kernels.h"

void anim_pose_blend(const anim_skeleton* skeleton, anim_pose_group* out,
                     const anim_pose_group* layer, float weight, const float* mask)
{
    anim_kernels_now()->blend(skeleton->group_count, out, layer, weight, mask, NULL,
                              ANIM_CHANNELS_ALL);
}

void anim_pose_blend_channels(const anim_skeleton* skeleton, anim_pose_group* out,
                              const anim_pose_group* layer, float weight, const float* mask,
                              const uint8_t* channels, uint32_t bits)
{
    anim_kernels_now()->blend(skeleton->group_count, out, layer, weight, mask, channels, bits);
}

void anim_pose_add(const anim_skeleton* skeleton, anim_pose_group* out,
                   const anim_pose_group* delta, float weight, const float* mask)
{
    anim_kernels_now()->add(skeleton->group_count, out, delta, weight, mask);
}

void anim_pose_to_delta(const anim_skeleton* skeleton, anim_pose_group* pose,
                        const anim_pose_group* reference, const uint8_t* channels)
{
    anim_kernels_now()->to_delta(skeleton->group_count, pose, reference, channels);
}
