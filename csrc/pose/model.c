// SPDX-License-Identifier: MIT
#include "pose/kernels.h"

void anim_pose_to_model(const anim_skeleton* skeleton, const anim_pose_group* groups,
                        anim_mat34* out)
{
    anim_kernels_now()->to_model(skeleton->pairs, skeleton->joint_count, skeleton->groups,
                                 skeleton->group_count, groups, out);
}
