// SPDX-License-Identifier: MIT
// A solve from the pose to the pose: loading, the choice of solver, writing back.
#include "pose/ik_chain_parts.h"

#include "base/layout.h"

#include <float.h>

static double bounded(double x)
{
    return x > ANIM_CHAIN_FAR ? ANIM_CHAIN_FAR : x < -ANIM_CHAIN_FAR ? -ANIM_CHAIN_FAR : x;
}

anim_dvec anim_chain_bounded(anim_dvec v)
{
    return (anim_dvec){bounded(v.x), bounded(v.y), bounded(v.z)};
}

// `indices`: where each node lies among the active joints.
static uint32_t* take_scratch(const anim_chain* chain, anim_chain_solve* s, anim_layout* layout)
{
    s->joints = anim_layout_take(layout, chain->node_count, sizeof *s->joints);
    s->tips = anim_layout_take(layout, chain->tip_count, sizeof *s->tips);
    s->sights = anim_layout_take(layout, chain->path_count, sizeof *s->sights);
    return anim_layout_take(layout, chain->node_count, sizeof(uint32_t));
}

size_t anim_chain_scratch_size(const anim_chain* chain)
{
    anim_chain_solve s;
    anim_layout layout = {0};
    take_scratch(chain, &s, &layout);
    return layout.size;
}

// ---- loading

static void load_tips(anim_chain_solve* s, const anim_chain_target* targets)
{
    const anim_chain* chain = s->chain;
    for (uint32_t i = 0; i < chain->tip_count; i++) {
        const anim_chain_target* target = &targets[chain->targets[i]];
        if (!(target->weight > 0))
            continue;
        anim_chain_tip* tip = &s->tips[s->tip_count++];
        tip->number = i;
        tip->weight = (double)target->weight;
        tip->target = anim_dvec_from(target->at); // of model space for now
    }
}

// True where a scale has the same size along all axes.
static bool is_even(anim_dvec scale)
{
    double x = fabs(scale.x), y = fabs(scale.y), z = fabs(scale.z);
    double most = x > y ? x : y;
    most = most > z ? most : z;
    return most - x <= 1e-6 * most && most - y <= 1e-6 * most && most - z <= 1e-6 * most;
}

static void load_joint(anim_chain_solve* s, const anim_chain_node* node, uint32_t parent,
                       const anim_pose_group* pose)
{
    const anim_chain* chain = s->chain;
    uint32_t index = s->joint_count++;
    anim_chain_joint* joint = &s->joints[index];
    anim_ik_local local = anim_ik_local_of(chain->skeleton, pose, node->joint);
    joint->offset = local.t;
    joint->scale = local.s;
    joint->before = anim_dquat_normalize(local.q);
    joint->limit = node->limit == ANIM_CHAIN_NONE ? NULL : &chain->limits[node->limit];
    joint->weight = node->weight;
    joint->joint = node->joint;
    joint->parent = parent;
    joint->child = joint->sibling = ANIM_CHAIN_NONE;
    joint->child_count = 0;
    if (parent == ANIM_CHAIN_NONE)
        return;
    joint->sibling = s->joints[parent].child;
    s->joints[parent].child = index;
    s->joints[parent].child_count++;
}

// The joints above tips that have weight, as the pose has them.
static void load_joints(anim_chain_solve* s, const anim_pose_group* pose, uint32_t* indices)
{
    const anim_chain* chain = s->chain;
    uint32_t first = 0, sights = 0;
    for (uint32_t i = 0; i < chain->node_count; i++) {
        const anim_chain_node* node = &chain->nodes[i];
        while (first < s->tip_count && s->tips[first].number < node->first_tip)
            first++;
        uint32_t end = first;
        double pull = 0, part = 0;
        for (; end < s->tip_count && s->tips[end].number < node->tip_end; end++) {
            double weight = s->tips[end].weight;
            pull += weight;
            part = weight > part ? weight : part;
        }
        if (end == first)
            continue;
        indices[i] = s->joint_count;
        bool is_root = node->parent == ANIM_CHAIN_NONE;
        load_joint(s, node, is_root ? ANIM_CHAIN_NONE : indices[node->parent], pose);
        anim_chain_joint* joint = &s->joints[indices[i]];
        joint->pull = pull;
        joint->part = part;
        joint->first_tip = first;
        joint->tip_end = end;
        joint->first_sight = sights;
        sights += end - first;
    }
    for (uint32_t i = 0; i < s->joint_count; i++) {
        anim_chain_joint* joint = &s->joints[i];
        if (joint->child_count == 0)
            s->tips[joint->first_tip].joint = i;
        else if (!is_even(joint->scale))
            s->is_even = false;
    }
}

static double sign(double x)
{
    return x < 0 ? -1 : 1;
}

// With parent's space = turn * size * signs, the signs can be moved through the child's rotation, which
// becomes signs * rotation * signs, down to the tips; the sizes go into the offsets.
static void load_even(anim_chain_solve* s)
{
    for (uint32_t i = 0; i < s->joint_count; i++) {
        anim_chain_joint* joint = &s->joints[i];
        const anim_chain_joint* parent = i ? &s->joints[joint->parent] : NULL;
        anim_dvec growth = {1, 1, 1};
        if (parent)
            growth = anim_chain_bounded(anim_dvec_mul(parent->growth, parent->scale));
        joint->growth = growth;
        joint->mirror = (anim_dvec){sign(growth.x), sign(growth.y), sign(growth.z)};
        joint->offset = anim_chain_bounded(anim_dvec_mul(growth, joint->offset));
        joint->length = anim_dvec_length(joint->offset);
        joint->before = anim_chain_mirrored(joint->before, joint->mirror);
    }
    for (uint32_t i = 0; i < s->joint_count; i++)
        s->joints[i].scale = s->joints[i].unscale = (anim_dvec){1, 1, 1};
}

static double inverse(double x)
{
    return x == 0 ? 0 : 1 / x;
}

static void load_uneven(anim_chain_solve* s)
{
    for (uint32_t i = 0; i < s->joint_count; i++) {
        anim_chain_joint* joint = &s->joints[i];
        anim_dvec scale = joint->scale;
        joint->mirror = (anim_dvec){1, 1, 1};
        joint->unscale = (anim_dvec){inverse(scale.x), inverse(scale.y), inverse(scale.z)};
        joint->length = anim_dvec_length(joint->offset);
    }
}

static void load(anim_chain_solve* s, const anim_pose_group* pose, uint32_t* indices)
{
    s->is_even = true;
    load_joints(s, pose, indices);
    if (s->is_even)
        load_even(s);
    else
        load_uneven(s);
    s->is_loose = s->is_even && s->tip_count == 1 && s->chain->is_loose;
    for (uint32_t i = 0; i < s->tip_count; i++)
        s->tips[i].target = anim_chain_bounded(
            anim_ik_point((const double(*)[4])s->space.from_model, s->tips[i].target));
    for (uint32_t i = 0; i < s->joint_count; i++) {
        anim_chain_joint* joint = &s->joints[i];
        joint->turn = joint->before;
        if (joint->limit) {
            anim_dquat q = anim_chain_mirrored(joint->turn, joint->mirror);
            joint->turn = anim_chain_mirrored(anim_limit_clamp(joint->limit, q), joint->mirror);
        }
    }
}

static void solve(anim_chain_solve* s)
{
    const anim_chain* chain = s->chain;
    anim_chain_place(s);
    double miss = s->is_even ? anim_chain_miss(s) : anim_chain_ccd(s, 0);
    if (!(miss > chain->tolerance) || (s->is_loose && anim_chain_strain(s)))
        return;
    if (chain->solver == ANIM_CHAIN_FABRIK && s->is_even) {
        anim_chain_fabrik(s, chain->iterations);
        return;
    }
    anim_chain_ccd(s, chain->iterations);
    if (s->is_loose) {
        anim_chain_place(s);
        anim_chain_settle(s);
    }
}

// ---- writing back

static bool is_same(anim_dquat a, anim_dquat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

static void write_back(const anim_chain_solve* s, anim_pose_group* pose, double weight)
{
    for (uint32_t i = 0; i < s->joint_count; i++) {
        const anim_chain_joint* joint = &s->joints[i];
        if (is_same(joint->before, joint->turn))
            continue;
        anim_dquat q = anim_chain_mirrored(joint->turn, joint->mirror);
        double part = weight * joint->part;
        if (joint->limit && part < 1) {
            anim_dquat before = anim_chain_mirrored(joint->before, joint->mirror);
            q = anim_limit_blend(joint->limit, before, q, part);
            part = 1;
        }
        anim_ik_turn(s->chain->skeleton, pose, joint->joint, q, part);
    }
}

static double tip_distance(const anim_chain_solve* s, const anim_pose_group* pose,
                           const anim_chain_tip* tip, anim_dvec target)
{
    const anim_chain* chain = s->chain;
    const anim_chain_node* node = &chain->nodes[chain->tips[tip->number]];
    anim_dvec at = anim_ik_local_of(chain->skeleton, pose, node->joint).t;
    while (node->parent != ANIM_CHAIN_NONE) {
        node = &chain->nodes[node->parent];
        anim_ik_local local = anim_ik_local_of(chain->skeleton, pose, node->joint);
        at = anim_chain_bounded(anim_ik_local_point(&local, at));
    }
    at = anim_ik_point((const double(*)[4])s->space.to_model, at);
    return anim_dvec_length(anim_dvec_sub(at, target));
}

static float residual(const anim_chain_solve* s, const anim_pose_group* pose,
                      const anim_chain_target* targets)
{
    double most = 0;
    for (uint32_t i = 0; i < s->tip_count; i++) {
        const anim_chain_target* target = &targets[s->chain->targets[s->tips[i].number]];
        double distance = tip_distance(s, pose, &s->tips[i], anim_dvec_from(target->at));
        most = distance > most ? distance : most;
    }
    return most < (double)FLT_MAX ? (float)most : FLT_MAX;
}

float anim_ik_chain(const anim_chain* chain, anim_pose_group* pose,
                    const anim_chain_target* targets, float weight, void* scratch)
{
    anim_chain_solve s = {.chain = chain};
    anim_layout layout = {.block = scratch};
    uint32_t* indices = take_scratch(chain, &s, &layout);
    load_tips(&s, targets);
    if (s.tip_count == 0)
        return 0;
    int32_t above = chain->skeleton->parents[chain->nodes[0].joint];
    if (!anim_ik_space_of(chain->skeleton, pose, above, &s.space) || !(weight > 0))
        return residual(&s, pose, targets);
    load(&s, pose, indices);
    solve(&s);
    write_back(&s, pose, (double)weight);
    return residual(&s, pose, targets);
}
