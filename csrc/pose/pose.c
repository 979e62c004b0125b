// SPDX-License-Identifier: MIT
#include "pose/pose.h"

#include "base/layout.h"
#include "base/mem.h"

#include <string.h>

const anim_pose_group anim_pose_identity = {
    .q = {[3] = {1, 1, 1, 1, 1, 1, 1, 1}},
    .s = {{1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}}};

void anim_lane_get(const anim_pose_group* groups, uint32_t slot, anim_xform* out)
{
    const anim_pose_group* g = &groups[slot / ANIM_LANES];
    uint32_t lane = slot % ANIM_LANES;
    *out = (anim_xform){
        {g->t[0][lane], g->t[1][lane], g->t[2][lane]},
        {g->q[0][lane], g->q[1][lane], g->q[2][lane], g->q[3][lane]},
        {g->s[0][lane], g->s[1][lane], g->s[2][lane]},
    };
}

void anim_lane_set(anim_pose_group* groups, uint32_t slot, const anim_xform* x)
{
    anim_pose_group* g = &groups[slot / ANIM_LANES];
    uint32_t lane = slot % ANIM_LANES;
    g->t[0][lane] = x->t[0];
    g->t[1][lane] = x->t[1];
    g->t[2][lane] = x->t[2];
    g->q[0][lane] = x->q[0];
    g->q[1][lane] = x->q[1];
    g->q[2][lane] = x->q[2];
    g->q[3][lane] = x->q[3];
    g->s[0][lane] = x->s[0];
    g->s[1][lane] = x->s[1];
    g->s[2][lane] = x->s[2];
}

void anim_pose_to_rest(const anim_skeleton* skeleton, anim_pose_group* out)
{
    memcpy(out, skeleton->rest, skeleton->group_count * sizeof *out);
}

void anim_pose_to_identity(const anim_skeleton* skeleton, anim_pose_group* out)
{
    for (uint32_t g = 0; g < skeleton->group_count; g++)
        out[g] = anim_pose_identity;
}

// Within what all joints' matrices are held (pose/kernel_model.h).
static void hold(anim_mat34* m)
{
    for (int i = 0; i < 12; i++) {
        float* v = &m->m[i / 4][i % 4];
        *v = *v > ANIM_MODEL_MOST ? ANIM_MODEL_MOST : *v < -ANIM_MODEL_MOST ? -ANIM_MODEL_MOST : *v;
    }
}

void anim_pose_joint_to_model(const anim_skeleton* skeleton, const anim_pose_group* groups,
                              uint32_t joint, anim_mat34* out)
{
    anim_xform local;
    anim_pose_get(skeleton, groups, joint, &local);
    anim_mat34_from_xform(&local, out);
    hold(out);
    for (int32_t j = skeleton->parents[joint]; j >= 0; j = skeleton->parents[j]) {
        anim_mat34 parent;
        anim_pose_get(skeleton, groups, (uint32_t)j, &local);
        anim_mat34_from_xform(&local, &parent);
        hold(&parent);
        anim_mat34_mul(&parent, out, out);
        hold(out);
    }
}

bool anim_pose_joint_from_model(const anim_skeleton* skeleton, anim_pose_group* groups,
                                uint32_t joint, const anim_mat34* target)
{
    anim_mat34 local = *target;
    int32_t parent = skeleton->parents[joint];
    if (parent >= 0) {
        anim_mat34 above, inverse;
        anim_pose_joint_to_model(skeleton, groups, (uint32_t)parent, &above);
        if (!anim_mat34_invert(&above, &inverse))
            return false;
        anim_mat34_mul(&inverse, target, &local);
    }
    anim_xform x;
    anim_mat34_decompose(&local, &x);
    if (!anim_xform_is_finite(&x))
        return false;
    anim_pose_set(skeleton, groups, joint, &x);
    return true;
}

anim_pose* anim_pose_create(anim_skeleton* skeleton)
{
    anim_layout layout = {0};
    anim_layout_take(&layout, 1, sizeof(anim_pose));
    anim_layout_take(&layout, skeleton->group_count, sizeof(anim_pose_group));
    layout = (anim_layout){anim_mem_alloc(layout.size), 0};
    if (!layout.block)
        return NULL;
    anim_pose* pose = anim_layout_take(&layout, 1, sizeof *pose);
    pose->groups = anim_layout_take(&layout, skeleton->group_count, sizeof *pose->groups);
    pose->skeleton = anim_skeleton_retain(skeleton);
    anim_pose_to_rest(skeleton, pose->groups);
    return pose;
}

void anim_pose_destroy(anim_pose* pose)
{
    if (!pose)
        return;
    anim_skeleton_release(pose->skeleton);
    anim_mem_free(pose);
}
