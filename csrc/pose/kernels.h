// SPDX-License-Identifier: MIT
// What is compiled once for each set of base/simd_pick.h: all sets give the same bits.
#pragma once

#include "base/simd_pick.h"
#include "pose/pose.h"

typedef struct anim_kernels {
    // Model-space matrices, one for each of `joint_count`, of the joints in some groups of a pose (`listed`,
    // in order); with a group those of the parents of its joints must be listed.
    void (*to_model)(const anim_joint_pair* pairs, uint32_t joint_count, const uint16_t* listed,
                     uint32_t listed_count, const anim_pose_group* groups, anim_mat34* out);
    // model[joints[i]] * inverse_bind[i] as three rows, or as four columns, of four.
    void (*palette)(const anim_mat34* model, const uint16_t* joints, const anim_mat34* inverse_bind,
                    uint32_t count, bool rows_3x4, float* out);

    // pose/pose.h has what these do; `channels` of blend may be NULL: all are keyed.
    void (*blend)(uint32_t group_count, anim_pose_group* out, const anim_pose_group* layer,
                  float weight, const float* mask, const uint8_t* channels, uint32_t bits);
    void (*add)(uint32_t group_count, anim_pose_group* out, const anim_pose_group* delta,
                float weight, const float* mask);
    // pose/pose.h: anim_pose_to_delta.
    void (*to_delta)(uint32_t group_count, anim_pose_group* pose, const anim_pose_group* reference,
                     const uint8_t* channels);
    void (*sum_begin)(uint32_t group_count, anim_pose_group* sum, const anim_pose_group* first,
                      float weight);
    void (*sum_add)(uint32_t group_count, anim_pose_group* sum, const anim_pose_group* first,
                    const anim_pose_group* pose, float weight);
    void (*sum_end)(uint32_t group_count, anim_pose_group* sum);
} anim_kernels;

// What a file of kernels ends with.
#define ANIM_KERNELS                                                                               \
    {                                                                                              \
        to_model, palette, blend, add, to_delta, sum_begin, sum_add, sum_end                       \
    }

extern const anim_kernels anim_kernels_scalar, anim_kernels_baseline;
#if defined(ANIM_HAS_AVX2)
extern const anim_kernels anim_kernels_avx2;
#endif

extern const anim_kernels* const anim_kernel_sets[ANIM_SIMD_COUNT];

// Those of the chosen set.
static inline const anim_kernels* anim_kernels_now(void)
{
    return anim_kernel_sets[anim_simd_chosen];
}
