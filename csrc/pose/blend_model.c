// SPDX-License-Identifier: MIT
// Override layers whose rotations hold in model space (semantics 4).
#include "math/glm.h"
#include "pose/pose.h"

static void rotation_of(const anim_pose_group* groups, uint32_t joint, versor out)
{
    const anim_pose_group* g = &groups[joint / ANIM_LANES];
    uint32_t lane = joint % ANIM_LANES;
    out[0] = g->q[0][lane], out[1] = g->q[1][lane], out[2] = g->q[2][lane], out[3] = g->q[3][lane];
}

static void set_rotation(anim_pose_group* groups, uint32_t joint, const versor q)
{
    anim_pose_group* g = &groups[joint / ANIM_LANES];
    uint32_t lane = joint % ANIM_LANES;
    g->q[0][lane] = q[0], g->q[1][lane] = q[1], g->q[2][lane] = q[2], g->q[3][lane] = q[3];
}

static void rotations_in_model(const anim_skeleton* s, const anim_pose_group* groups,
                               float (*out)[4])
{
    for (uint32_t j = 0; j < s->joint_count; j++) {
        versor local;
        rotation_of(groups, j, local);
        if (s->parents[j] < 0)
            memcpy(out[j], local, sizeof local);
        else
            glm_quat_mul(out[s->parents[j]], local, out[j]);
    }
}

// nlerp the shorter way; exactly b at w = 1.
static void mix(const float a[4], const float b[4], float w, versor out)
{
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    float wb = dot < 0 ? -w : w;
    for (int i = 0; i < 4; i++)
        out[i] = w >= 1 ? b[i] : a[i] * (1 - w) + b[i] * wb;
    anim_quat_normalize(out, out);
}

void anim_pose_blend_model(const anim_skeleton* skeleton, anim_pose_group* out,
                           const anim_pose_group* layer, float weight, const float* mask,
                           const uint8_t* channels, float (*scratch)[4])
{
    uint32_t count = skeleton->joint_count;
    float(*above)[4] = scratch, (*made)[4] = scratch + count;
    rotations_in_model(skeleton, layer, above);
    for (uint32_t j = 0; j < count; j++) {
        float w = mask ? weight * mask[j] : weight;
        bool keyed = !channels || (channels[j] & (1u << ANIM_CHANNEL_ROTATION));
        int16_t parent = skeleton->parents[j];
        versor local, wanted, parent_inverse;
        rotation_of(out, j, local);
        if (w > 0 && keyed) {
            // Below the new parent, so that a weight near 0 is next to none.
            memcpy(wanted, above[j], sizeof wanted);
            if (parent >= 0) {
                glm_quat_conjugate(made[parent], parent_inverse);
                glm_quat_mul(parent_inverse, above[j], wanted);
            }
            mix(local, wanted, w, local);
            set_rotation(out, j, local);
        }
        if (parent >= 0)
            glm_quat_mul(made[parent], local, made[j]);
        else
            memcpy(made[j], local, sizeof local);
    }
    anim_pose_blend_channels(skeleton, out, layer, weight, mask, channels,
                             ANIM_CHANNELS_ALL & ~(1u << ANIM_CHANNEL_ROTATION));
}
