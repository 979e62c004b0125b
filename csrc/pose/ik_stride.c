// SPDX-License-Identifier: MIT
#include "pose/ik_stride.h"

#include "math/range.h"

#include <string.h>

static const double easy = 0.98;    // of the length of a leg: as far as it may be straightened
static const double deepest = -0.3; // of the length: as far as the pelvis is lowered

static void keep_memory(const anim_stride* desc, const anim_bend* before, anim_bend* after)
{
    if (after && before)
        memmove(after, before, anim_ik_stride_memory_size(desc));
    else if (after)
        memset(after, 0, anim_ik_stride_memory_size(desc));
}

size_t anim_ik_stride_memory_size(const anim_stride* desc)
{
    return desc->leg_count * sizeof(anim_bend);
}

typedef struct stride {
    anim_dvec pelvis, direction;
    double more; // factor - 1
    bool solvable[ANIM_IK_LEGS];
    anim_dvec targets[ANIM_IK_LEGS];
} stride;

static bool begin(const anim_skeleton* skeleton, const anim_pose_group* pose,
                  const anim_stride* desc, stride* out)
{
    const anim_dvec none = {0, 0, 0};
    anim_ik_space space;
    out->more = ((double)desc->factor - 1) * (double)desc->weight;
    out->direction = anim_dvec_normalize(anim_dvec_from(desc->direction), none);
    if (out->more == 0 || anim_dvec_dot(out->direction, out->direction) == 0)
        return false;
    if (!anim_ik_space_of(skeleton, pose, (int32_t)desc->pelvis, &space))
        return false;
    out->pelvis = anim_ik_point((const double(*)[4])space.to_model, none);
    return true;
}

// Sets the targets; returns how far the pelvis must go down for them, <= 0.
static double aim_at(const anim_skeleton* skeleton, const anim_pose_group* pose,
                     const anim_stride* desc, stride* s)
{
    double lift = 0, length = 0;
    anim_ik_limb limb, last = {.parent = -2}; // no joint's parent
    for (uint32_t i = 0; i < desc->leg_count; i++) {
        s->solvable[i] = anim_ik_limb_of(skeleton, pose, &desc->legs[i], &last, &limb);
        if (!s->solvable[i])
            continue;
        double along = anim_dvec_dot(anim_dvec_sub(limb.tip, s->pelvis), s->direction);
        anim_dvec by = anim_dvec_scale(s->direction, along * s->more);
        s->targets[i] = anim_dvec_add(limb.tip, by);
        double now = anim_dvec_length(anim_dvec_sub(limb.tip, limb.root));
        double most = anim_max(now, easy * limb.length);
        lift = anim_min(lift, anim_ik_limb_lift(&limb, s->targets[i], most));
        length = anim_max(length, limb.length);
        last = limb;
    }
    return anim_max(lift, deepest * length);
}

float anim_ik_stride(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_stride* desc,
                     const anim_bend* before, anim_bend* after)
{
    stride s;
    keep_memory(desc, before, after);
    if (!begin(skeleton, pose, desc, &s))
        return 0;
    double lift = aim_at(skeleton, pose, desc, &s);
    if (lift < 0)
        anim_ik_lift(skeleton, pose, desc->pelvis, lift);
    float residual = 0;
    for (uint32_t i = 0; i < desc->leg_count; i++) {
        if (!s.solvable[i])
            continue;
        const anim_ik_leg* leg = &desc->legs[i];
        anim_two_bone bones = {.root = leg->root,
                               .mid = leg->mid,
                               .tip = leg->tip,
                               .weight = 1,
                               .soft = 1,
                               .stretch = 1,
                               .rotation = ANIM_IK_ROTATION_MODEL};
        anim_ik_to_floats(s.targets[i], bones.target);
        float left = anim_ik_two_bone(skeleton, pose, &bones, before ? before + i : NULL,
                                      after ? after + i : NULL);
        residual = left > residual ? left : residual;
    }
    return residual;
}
