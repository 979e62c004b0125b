// SPDX-License-Identifier: MIT
// Override layers whose rotations hold in model space (semantics 4).
#include "math/glm.h"
#include "pose/pose.h"

static void rotation_of(const anim_pose_group* groups, uint32_t slot, versor out)
{
    const anim_pose_group* g = &groups[slot / ANIM_LANES];
    uint32_t lane = slot % ANIM_LANES;
    out[0] = g->q[0][lane], out[1] = g->q[1][lane], out[2] = g->q[2][lane], out[3] = g->q[3][lane];
}

static void set_rotation(anim_pose_group* groups, uint32_t slot, const versor q)
{
    anim_pose_group* g = &groups[slot / ANIM_LANES];
    uint32_t lane = slot % ANIM_LANES;
    g->q[0][lane] = q[0], g->q[1][lane] = q[1], g->q[2][lane] = q[2], g->q[3][lane] = q[3];
}

// A joint of the layer, and then of the result: each after its parent.
typedef struct mixing {
    const anim_skeleton* skeleton;
    anim_pose_group* out;
    const anim_pose_group* layer;
    float weight;
    const float* mask;
    const uint8_t* channels;
    float (*above)[4]; // rotations in model space: the layer's own
    float (*made)[4];  // and the result's
} mixing;

// nlerp the shorter way; exactly b at w = 1.
static void mix(const float a[4], const float b[4], float w, versor out)
{
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    float wb = dot < 0 ? -w : w;
    for (int i = 0; i < 4; i++)
        out[i] = w >= 1 ? b[i] : a[i] * (1 - w) + b[i] * wb;
    anim_quat_normalize(out, out);
}

static inline void mix_joint(const mixing* m, uint32_t j)
{
    int32_t parent = m->skeleton->parents[j];
    uint32_t slot = m->skeleton->slots[j];
    float w = m->mask ? m->weight * m->mask[slot] : m->weight;
    bool keyed = !m->channels || (m->channels[slot] & (1u << ANIM_CHANNEL_ROTATION));
    versor local, own, wanted, parent_inverse;
    rotation_of(m->out, slot, local);
    rotation_of(m->layer, slot, own);
    if (parent < 0)
        memcpy(m->above[j], own, sizeof own);
    else
        glm_quat_mul(m->above[parent], own, m->above[j]);
    if (w > 0 && keyed) {
        // Below the new parent, so that a weight near 0 is next to none.
        memcpy(wanted, m->above[j], sizeof wanted);
        if (parent >= 0) {
            glm_quat_conjugate(m->made[parent], parent_inverse);
            glm_quat_mul(parent_inverse, m->above[j], wanted);
        }
        mix(local, wanted, w, local);
        set_rotation(m->out, slot, local);
    }
    if (parent >= 0)
        glm_quat_mul(m->made[parent], local, m->made[j]);
    else
        memcpy(m->made[j], local, sizeof local);
}

void anim_pose_blend_model(const anim_skeleton* skeleton, anim_pose_group* out,
                           const anim_pose_group* layer, float weight, const float* mask,
                           const uint8_t* channels, float (*scratch)[4])
{
    const mixing m = {skeleton, out,      layer,   weight,
                      mask,     channels, scratch, scratch + skeleton->joint_count};
    // Breadth first: few have to wait for their parent.
    for (uint32_t i = 0; i < skeleton->joint_count; i++)
        mix_joint(&m, skeleton->pairs[i / 2].joints[i % 2]);
    anim_pose_blend_channels(skeleton, out, layer, weight, mask, channels,
                             ANIM_CHANNELS_ALL & ~(1u << ANIM_CHANNEL_ROTATION));
}
