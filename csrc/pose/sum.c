// SPDX-License-Identifier: MIT
// Weighted sums of whole poses (semantics 4); pose/kernel_blend.h has the formulas. Clips that are packed for
// speed are summed in registers by pose/pack_fast_kernel.h.
#include "pose/kernels.h"

void anim_pose_sum_begin(const anim_skeleton* skeleton, anim_pose_group* sum,
                         const anim_pose_group* first, float weight)
{
    anim_kernels_now()->sum_begin(skeleton->group_count, sum, first, weight);
}

void anim_pose_sum_add(const anim_skeleton* skeleton, anim_pose_group* sum,
                       const anim_pose_group* first, const anim_pose_group* pose, float weight)
{
    anim_kernels_now()->sum_add(skeleton->group_count, sum, first, pose, weight);
}

void anim_pose_sum_end(const anim_skeleton* skeleton, anim_pose_group* sum)
{
    anim_kernels_now()->sum_end(skeleton->group_count, sum);
}
