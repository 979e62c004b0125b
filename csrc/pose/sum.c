// SPDX-License-Identifier: MIT
// Weighted sums of whole poses (semantics 4).
#include "math/simd.h"
#include "pose/pose.h"

void anim_pose_sum_begin(const anim_skeleton* skeleton, anim_pose_group* sum)
{
    memset(sum, 0, skeleton->group_count * sizeof *sum);
}

static void add_streams(float* sum, const float* pose, anim_f8 w)
{
    for (uint32_t i = 0; i < 3; i++) {
        float* to = sum + i * ANIM_LANES;
        anim_f8_store(to, anim_f8_load(to) + w * anim_f8_load(pose + i * ANIM_LANES));
    }
}

void anim_pose_sum_add(const anim_skeleton* skeleton, anim_pose_group* sum, anim_pose_group* first,
                       const anim_pose_group* pose, float weight, bool is_first)
{
    if (is_first)
        memcpy(first, pose, skeleton->group_count * sizeof *pose);
    anim_f8 w = anim_f8_splat(weight);
    for (uint32_t g = 0; g < skeleton->group_count; g++) {
        add_streams(sum[g].tx, pose[g].tx, w);
        add_streams(sum[g].sx, pose[g].sx, w);
        anim_f8 dot = anim_f8_splat(0), q[4];
        for (uint32_t i = 0; i < 4; i++) {
            q[i] = anim_f8_load(pose[g].qx + i * ANIM_LANES);
            dot += q[i] * anim_f8_load(first[g].qx + i * ANIM_LANES);
        }
        anim_f8 signed_w = anim_f8_flip(w, anim_f8_sign_bit(dot));
        for (uint32_t i = 0; i < 4; i++) {
            float* to = sum[g].qx + i * ANIM_LANES;
            anim_f8_store(to, anim_f8_load(to) + signed_w * q[i]);
        }
    }
}

void anim_pose_sum_end(const anim_skeleton* skeleton, anim_pose_group* sum)
{
    for (uint32_t g = 0; g < skeleton->group_count; g++) {
        anim_quat8 q = {anim_f8_load(sum[g].qx), anim_f8_load(sum[g].qy), anim_f8_load(sum[g].qz),
                        anim_f8_load(sum[g].qw)};
        q = anim_quat8_normalize(&q);
        anim_f8_store(sum[g].qx, q.x);
        anim_f8_store(sum[g].qy, q.y);
        anim_f8_store(sum[g].qz, q.z);
        anim_f8_store(sum[g].qw, q.w);
    }
}
