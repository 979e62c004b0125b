// SPDX-License-Identifier: MIT
// Weighted sums of whole poses (semantics 4).
#include "math/simd.h"
#include "pose/pose.h"

void anim_pose_sum_begin(const anim_skeleton* skeleton, anim_pose_group* sum)
{
    memset(sum, 0, skeleton->group_count * sizeof *sum);
}

static void add_streams(float (*sum)[ANIM_LANES], const float (*pose)[ANIM_LANES], anim_f8 w)
{
    for (uint32_t i = 0; i < 3; i++) {
        anim_f8_store(sum[i], anim_f8_load(sum[i]) + w * anim_f8_load(pose[i]));
    }
}

void anim_pose_sum_add(const anim_skeleton* skeleton, anim_pose_group* sum, anim_pose_group* first,
                       const anim_pose_group* pose, float weight, bool is_first)
{
    if (is_first)
        memcpy(first, pose, skeleton->group_count * sizeof *pose);
    anim_f8 w = anim_f8_splat(weight);
    for (uint32_t g = 0; g < skeleton->group_count; g++) {
        add_streams(sum[g].t, pose[g].t, w);
        add_streams(sum[g].s, pose[g].s, w);
        anim_f8 dot = anim_f8_splat(0), q[4];
        for (uint32_t i = 0; i < 4; i++) {
            q[i] = anim_f8_load(pose[g].q[i]);
            dot += q[i] * anim_f8_load(first[g].q[i]);
        }
        anim_f8 signed_w = anim_f8_flip(w, anim_f8_sign_bit(dot));
        for (uint32_t i = 0; i < 4; i++) {
            float* to = sum[g].q[i];
            anim_f8_store(to, anim_f8_load(to) + signed_w * q[i]);
        }
    }
}

void anim_pose_sum_end(const anim_skeleton* skeleton, anim_pose_group* sum)
{
    for (uint32_t g = 0; g < skeleton->group_count; g++) {
        anim_quat8 q = {anim_f8_load(sum[g].q[0]), anim_f8_load(sum[g].q[1]),
                        anim_f8_load(sum[g].q[2]), anim_f8_load(sum[g].q[3])};
        q = anim_quat8_normalize(&q);
        anim_f8_store(sum[g].q[0], q.x);
        anim_f8_store(sum[g].q[1], q.y);
        anim_f8_store(sum[g].q[2], q.z);
        anim_f8_store(sum[g].q[3], q.w);
    }
}
