// SPDX-License-Identifier: MIT
// Joints in model space, pairs of joints and their tree.
#include "pose/retarget.h"

#include <string.h>

// --- joints in model space ------------------------------------------------------------------------

static double bounded(double x) // like the matrices of poses (pose/model.c)
{
    const double most = 1e18;
    return x > most ? most : x < -most ? -most : x;
}

static double sign_of(double x)
{
    return x < 0 ? -1 : 1;
}

anim_dquat anim_dquat_flip(anim_dquat q, anim_dvec flip)
{
    return (anim_dquat){q.x * flip.y * flip.z, q.y * flip.x * flip.z, q.z * flip.x * flip.y, q.w};
}

void anim_placed_below(const anim_placed* parent, const anim_ik_local* local, anim_placed* out)
{
    anim_dvec columns[4] = {
        anim_dquat_rotate(local->q, (anim_dvec){local->s.x, 0, 0}),
        anim_dquat_rotate(local->q, (anim_dvec){0, local->s.y, 0}),
        anim_dquat_rotate(local->q, (anim_dvec){0, 0, local->s.z}),
        local->t,
    };
    anim_placed placed = {.q = anim_dquat_normalize(
                              anim_dquat_mul(parent->q, anim_dquat_flip(local->q, parent->flip)))};
    placed.flip = anim_dvec_mul(
        parent->flip, (anim_dvec){sign_of(local->s.x), sign_of(local->s.y), sign_of(local->s.z)});
    for (int i = 0; i < 4; i++) {
        anim_dvec v = i < 3 ? anim_ik_direction(parent->m, columns[i])
                            : anim_ik_point(parent->m, columns[i]);
        placed.m[0][i] = bounded(v.x);
        placed.m[1][i] = bounded(v.y);
        placed.m[2][i] = bounded(v.z);
    }
    *out = placed;
}

void anim_placed_all(const anim_skeleton* skeleton, const anim_pose_group* pose, anim_placed* out)
{
    const anim_placed origin = ANIM_PLACED_ORIGIN;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        anim_ik_local local = anim_ik_local_of(skeleton, pose, j);
        int32_t parent = skeleton->parents[j];
        anim_placed_below(parent < 0 ? &origin : &out[parent], &local, &out[j]);
    }
}

bool anim_placed_inside(const anim_placed* placed, anim_dvec point, anim_dvec* out)
{
    const double(*m)[4] = placed->m;
    anim_dvec x = {m[0][0], m[1][0], m[2][0]}, y = {m[0][1], m[1][1], m[2][1]},
              z = {m[0][2], m[1][2], m[2][2]};
    anim_dvec yz = anim_dvec_cross(y, z), zx = anim_dvec_cross(z, x), xy = anim_dvec_cross(x, y);
    double volume = anim_dvec_dot(x, yz);
    double edges = anim_dvec_length(x) * anim_dvec_length(y) * anim_dvec_length(z);
    if (!(fabs(volume) > 1e-12 * edges) || !(fabs(volume) > 1e-60))
        return false;
    anim_dvec d = anim_dvec_scale(anim_dvec_sub(point, anim_placed_at(placed)), 1 / volume);
    *out = (anim_dvec){anim_dvec_dot(yz, d), anim_dvec_dot(zx, d), anim_dvec_dot(xy, d)};
    return true;
}

// --- pairs ----------------------------------------------------------------------------------------

static bool prepare_rig(anim_retarget* r, int side)
{
    anim_rig* rig = &r->rig[side];
    uint32_t count = rig->skeleton->joint_count;
    rig->reference = anim_arena_alloc(r->arena, count, sizeof *rig->reference);
    rig->pair_of = anim_arena_alloc(r->arena, count, sizeof *rig->pair_of);
    rig->pair_above = anim_arena_alloc(r->arena, count, sizeof *rig->pair_above);
    rig->is_low = anim_arena_alloc(r->arena, count, sizeof *rig->is_low);
    if (!rig->reference || !rig->pair_of || !rig->pair_above || !rig->is_low)
        return false;
    memset(rig->pair_of, 0xff, count * sizeof *rig->pair_of); // all -1
    anim_placed_all(rig->skeleton, rig->pose, rig->reference);
    return true;
}

static void look_up(anim_rig* rig)
{
    for (uint32_t j = 0; j < rig->skeleton->joint_count; j++) {
        int32_t parent = rig->skeleton->parents[j];
        rig->pair_above[j] = parent < 0                  ? -1
                             : rig->pair_of[parent] >= 0 ? rig->pair_of[parent]
                                                         : rig->pair_above[parent];
    }
}

// Whether `pair` is `above` or hangs below it, in the tree as far as it is made.
static bool hangs_below(const anim_retarget* r, int32_t pair, int32_t above)
{
    while (pair >= 0 && pair != above)
        pair = r->pairs[pair].parent;
    return pair >= 0;
}

// Where the skeletons disagree, the pair that is farther from the root; never one that hangs below.
static int32_t choose_parent(const anim_retarget* r, const anim_pair* pair)
{
    int32_t own = r->rig[0].pair_above[pair->joint[0]],
            other = r->rig[1].pair_above[pair->joint[1]];
    bool is_farther = own >= 0 && other >= 0 &&
                      anim_skeleton_is_below(r->rig[0].skeleton, r->pairs[other].joint[0],
                                             r->pairs[own].joint[0]);
    int32_t first = own < 0 || is_farther ? other : own, second = first == own ? other : own;
    int32_t index = (int32_t)(pair - r->pairs);
    return !hangs_below(r, first, index) ? first : hangs_below(r, second, index) ? -1 : second;
}

static void measure(anim_retarget* r, uint32_t index)
{
    const anim_pair* p = &r->pairs[index];
    if (p->parent < 0)
        return;
    anim_pair* parent = &r->pairs[p->parent];
    parent->count += p->count;
    for (int side = 0; side < 2; side++) {
        const anim_placed* placed = r->rig[side].reference;
        double bone = anim_dvec_length(anim_dvec_sub(anim_pair_at(r, (int32_t)index, side, placed),
                                                     anim_pair_at(r, p->parent, side, placed)));
        if (bone + p->length[side] > parent->length[side])
            parent->length[side] = bone + p->length[side];
    }
}

// Pairs above each pair; every pair is walked over twice.
static void find_depths(anim_retarget* r)
{
    for (uint32_t i = 0; i < r->pair_count; i++)
        r->pairs[i].depth = UINT32_MAX;
    for (uint32_t i = 0; i < r->pair_count; i++) {
        uint32_t depth = 0;
        int32_t at = (int32_t)i;
        for (; at >= 0 && r->pairs[at].depth == UINT32_MAX; at = r->pairs[at].parent)
            depth++;
        if (at >= 0)
            depth += r->pairs[at].depth + 1;
        for (at = (int32_t)i; at >= 0 && r->pairs[at].depth == UINT32_MAX; at = r->pairs[at].parent)
            r->pairs[at].depth = --depth;
    }
}

bool anim_retarget_link(anim_retarget* r)
{
    uint32_t n = r->pair_count;
    uint32_t* starts = anim_arena_alloc(r->arena, n + 2, sizeof *starts);
    if (!starts)
        return false;
    find_depths(r);
    for (uint32_t i = 0; i < n; i++) {
        anim_pair* p = &r->pairs[i];
        p->child = p->next = -1;
        p->count = 1;
        p->length[0] = p->length[1] = 0;
        starts[p->depth + 1]++;
    }
    for (uint32_t depth = 1; depth <= n; depth++)
        starts[depth] += starts[depth - 1];
    for (uint32_t i = 0; i < n; i++)
        r->order[starts[r->pairs[i].depth]++] = i;
    r->whole[0] = r->whole[1] = 0;
    for (uint32_t i = n; i-- > 0;) {
        uint32_t index = r->order[i];
        measure(r, index);
        for (int side = 0; side < 2; side++)
            if (r->pairs[index].length[side] > r->whole[side])
                r->whole[side] = r->pairs[index].length[side];
        if (r->pairs[index].parent < 0)
            continue;
        anim_pair* parent = &r->pairs[r->pairs[index].parent];
        r->pairs[index].next = parent->child;
        parent->child = (int32_t)index;
    }
    return true;
}

bool anim_retarget_pair(anim_retarget* r, const int32_t* map)
{
    if (!prepare_rig(r, 0) || !prepare_rig(r, 1))
        return false;
    uint32_t joints = r->rig[0].skeleton->joint_count;
    r->pairs = anim_arena_alloc(r->arena, joints, sizeof *r->pairs);
    r->order = anim_arena_alloc(r->arena, joints, sizeof *r->order);
    if (!r->pairs || !r->order)
        return false;
    for (uint32_t j = 0; j < joints; j++) {
        if (map[j] < 0)
            continue;
        r->rig[0].pair_of[j] = r->rig[1].pair_of[map[j]] = (int32_t)r->pair_count;
        r->pairs[r->pair_count++] = (anim_pair){
            .joint = {(uint16_t)j, (uint16_t)map[j]}, .parent = -1, .along = -1, .limb = -1};
    }
    look_up(&r->rig[0]);
    look_up(&r->rig[1]);
    for (uint32_t i = 0; i < r->pair_count; i++)
        r->pairs[i].parent = choose_parent(r, &r->pairs[i]);
    return anim_retarget_link(r);
}
