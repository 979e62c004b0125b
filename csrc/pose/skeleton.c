// SPDX-License-Identifier: MIT
#include "pose/skeleton.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "pose/pose.h"

#include <string.h>

// The tree of the descriptions as linked lists; index `count` stands for "above all roots".
typedef struct tree {
    uint32_t count;
    int32_t *first_child, *last_child, *next_sibling;
} tree;

static bool tree_init(tree* t, anim_arena* arena, const anim_joint_desc* joints, uint32_t count)
{
    t->count = count;
    t->first_child = anim_arena_alloc(arena, count + 1, sizeof(int32_t));
    t->last_child = anim_arena_alloc(arena, count + 1, sizeof(int32_t));
    t->next_sibling = anim_arena_alloc(arena, count + 1, sizeof(int32_t));
    if (!t->first_child || !t->last_child || !t->next_sibling)
        return false;
    for (uint32_t i = 0; i <= count; i++)
        t->first_child[i] = t->last_child[i] = t->next_sibling[i] = -1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = joints[i].parent < 0 ? count : (uint32_t)joints[i].parent;
        if (t->last_child[parent] < 0)
            t->first_child[parent] = (int32_t)i;
        else
            t->next_sibling[t->last_child[parent]] = (int32_t)i;
        t->last_child[parent] = (int32_t)i;
    }
    return true;
}

// Depth first: sorted[k] is the description that becomes joint k. Fewer than all were reached where
// the parents run in a circle.
static uint32_t tree_sort(const tree* t, const anim_joint_desc* joints, uint32_t* sorted)
{
    uint32_t reached = 0;
    int32_t at = t->first_child[t->count];
    while (at >= 0) {
        sorted[reached++] = (uint32_t)at;
        int32_t next = t->first_child[at];
        while (next < 0 && at >= 0) {
            next = t->next_sibling[at];
            at = joints[at].parent;
        }
        at = next;
    }
    return reached;
}

static anim_code check_joint(const anim_joint_desc* joints, uint32_t count, uint32_t i,
                             anim_error* err)
{
    const anim_joint_desc* joint = &joints[i];
    float unit[4];
    if (!joint->name || !joint->name[0])
        return anim_fail(err, ANIM_ERR_ARGUMENT, "joint %u has no name", i + 1);
    if (strlen(joint->name) > ANIM_MAX_NAME)
        return anim_fail(err, ANIM_ERR_LIMIT, "joint %u: a name of more than %u bytes", i + 1,
                         ANIM_MAX_NAME);
    if (joint->parent < -1 || joint->parent >= (int32_t)count)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "joint '%s': parent %d is out of range",
                         joint->name, (int)joint->parent + 1);
    if (!anim_floats_are_within(joint->rest.t, 3, 1e15f) ||
        !anim_floats_are_finite(joint->rest.q, 4) ||
        !anim_floats_are_within(joint->rest.s, 3, 1e15f))
        return anim_fail(
            err, ANIM_ERR_ARGUMENT,
            "joint '%s': the rest transform has a number that is not finite, or beyond "
            "1e15",
            joint->name);
    if (!anim_quat_normalize(joint->rest.q, unit))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "joint '%s': the rest rotation has length zero",
                         joint->name);
    return ANIM_OK;
}

typedef struct parts {
    anim_skeleton* skeleton;
    int16_t* parents;
    anim_pose_group* rest;
    anim_xform* rest_xforms;
    uint16_t* child_counts;
    anim_names names;
    uint16_t *slots, *joints, *groups;
    anim_joint_pair* pairs;
} parts;

static parts lay_out(anim_layout* layout, const char* const* names, uint32_t count)
{
    parts p = {0};
    p.skeleton = anim_layout_take(layout, 1, sizeof *p.skeleton);
    p.parents = anim_layout_take(layout, count, sizeof *p.parents);
    p.child_counts = anim_layout_take(layout, count, sizeof *p.child_counts);
    p.rest_xforms = anim_layout_take(layout, count, sizeof *p.rest_xforms);
    p.rest = anim_layout_take(layout, anim_group_count(count), sizeof *p.rest);
    anim_names_build(&p.names, layout, names, count);
    p.slots = anim_layout_take(layout, count, sizeof *p.slots);
    p.joints = anim_layout_take(layout, anim_group_count(count) * ANIM_LANES, sizeof *p.joints);
    p.groups = anim_layout_take(layout, anim_group_count(count), sizeof *p.groups);
    p.pairs = anim_layout_take(layout, anim_pair_count(count), sizeof *p.pairs);
    return p;
}

// Sums never end in -0; so that a rest pose is to the bit what a sum of it gives, it holds none either.
static void clear_signs_of_zero(anim_xform* x)
{
    anim_quat_clear_tiny(x->q);
    for (int i = 0; i < 3; i++) {
        x->t[i] += 0.0f;
        x->s[i] += 0.0f;
    }
}

static int16_t parent_of(const anim_joint_desc* joint, const uint32_t* order)
{
    return joint->parent < 0 ? -1 : (int16_t)order[joint->parent];
}

// Lanes without a joint hold the identity.
static void fill_rest(const parts* p, uint32_t count)
{
    const anim_xform identity = ANIM_XFORM_IDENTITY;
    for (uint32_t slot = 0; slot < anim_group_count(count) * ANIM_LANES; slot++) {
        p->joints[slot] = ANIM_NO_JOINT;
        anim_lane_set(p->rest, slot, &identity);
    }
    for (uint32_t j = 0; j < count; j++) {
        p->joints[p->slots[j]] = (uint16_t)j;
        anim_lane_set(p->rest, p->slots[j], &p->rest_xforms[j]);
    }
}

static void fill(const parts* p, const anim_joint_desc* joints, const uint32_t* sorted,
                 const uint32_t* order, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++) {
        const anim_joint_desc* joint = &joints[sorted[j]];
        anim_xform rest = joint->rest;
        anim_quat_normalize(joint->rest.q, rest.q);
        clear_signs_of_zero(&rest);
        p->parents[j] = parent_of(joint, order);
        p->rest_xforms[j] = rest;
        if (joint->parent >= 0)
            p->child_counts[p->parents[j]]++;
    }
    for (uint32_t g = 0; g < anim_group_count(count); g++)
        p->groups[g] = (uint16_t)g;
}

static anim_skeleton* build(const anim_joint_desc* joints, const char* const* names,
                            const uint32_t* sorted, const uint32_t* order, uint32_t count,
                            anim_arena* arena)
{
    anim_layout layout = {0};
    lay_out(&layout, names, count);
    size_t size = layout.size;
    layout = (anim_layout){anim_mem_alloc(size), 0};
    if (!layout.block)
        return NULL;
    parts p = lay_out(&layout, names, count);
    fill(&p, joints, sorted, order, count);
    if (!anim_pairs_make(arena, p.parents, count, p.slots, p.pairs)) {
        anim_mem_free(layout.block);
        return NULL;
    }
    fill_rest(&p, count);
    anim_skeleton* s = p.skeleton;
    anim_ref_init(&s->ref);
    s->joint_count = count;
    s->group_count = anim_group_count(count);
    s->size = size;
    s->names = p.names;
    s->parents = p.parents;
    s->rest = p.rest;
    s->rest_xforms = p.rest_xforms;
    s->child_counts = p.child_counts;
    s->slots = p.slots;
    s->joints = p.joints;
    s->groups = p.groups;
    s->pairs = p.pairs;
    s->signature = anim_hash(ANIM_HASH_START, p.parents, count * sizeof *p.parents);
    s->signature = anim_hash(s->signature, p.names.text, p.names.text_size);
    return s;
}

static anim_code create(anim_arena* arena, const anim_joint_desc* joints, uint32_t count,
                        uint32_t* order, anim_skeleton** out, anim_error* err)
{
    for (uint32_t i = 0; i < count; i++) {
        anim_code code = check_joint(joints, count, i, err);
        if (code)
            return code;
    }
    tree t;
    uint32_t* sorted = anim_arena_alloc(arena, count, sizeof *sorted);
    uint32_t* inverse = anim_arena_alloc(arena, count, sizeof *inverse);
    const char** names = anim_arena_alloc(arena, count, sizeof *names);
    if (!sorted || !inverse || !names || !tree_init(&t, arena, joints, count))
        return anim_fail_memory(err, "a skeleton");
    uint32_t reached = tree_sort(&t, joints, sorted);
    if (reached < count) {
        bool* seen = anim_arena_alloc(arena, count, sizeof *seen);
        uint32_t lost = 0;
        for (uint32_t k = 0; seen && k < reached; k++)
            seen[sorted[k]] = true;
        while (seen && seen[lost])
            lost++;
        return anim_fail(err, ANIM_ERR_ARGUMENT, "joint '%s': its parents run in a circle",
                         joints[lost].name);
    }
    for (uint32_t k = 0; k < count; k++) {
        inverse[sorted[k]] = k;
        names[k] = joints[sorted[k]].name;
    }
    anim_skeleton* skeleton = build(joints, names, sorted, inverse, count, arena);
    if (!skeleton)
        return anim_fail_memory(err, "a skeleton");
    int32_t twice = anim_names_duplicate(&skeleton->names);
    if (twice >= 0) {
        anim_fail(err, ANIM_ERR_ARGUMENT, "two joints are named '%s'",
                  anim_skeleton_name(skeleton, (uint32_t)twice));
        anim_skeleton_release(skeleton);
        return ANIM_ERR_ARGUMENT;
    }
    if (order)
        memcpy(order, inverse, count * sizeof *order);
    *out = skeleton;
    return ANIM_OK;
}

anim_code anim_skeleton_create(const anim_joint_desc* joints, uint32_t count, uint32_t* order,
                               anim_skeleton** out, anim_error* err)
{
    *out = NULL;
    if (count == 0)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "a skeleton needs at least one joint");
    if (count > ANIM_MAX_JOINTS)
        return anim_fail(err, ANIM_ERR_LIMIT, "%u joints; at most %u are supported", count,
                         ANIM_MAX_JOINTS);
    anim_arena arena = {0};
    anim_code code = create(&arena, joints, count, order, out, err);
    anim_arena_free(&arena);
    return code;
}

anim_skeleton* anim_skeleton_retain(anim_skeleton* skeleton)
{
    anim_ref_retain(&skeleton->ref);
    return skeleton;
}

void anim_skeleton_release(anim_skeleton* skeleton)
{
    if (skeleton && anim_ref_drop(&skeleton->ref))
        anim_mem_free(skeleton);
}

bool anim_skeleton_same(const anim_skeleton* a, const anim_skeleton* b)
{
    if (a == b)
        return true;
    return a->signature == b->signature && a->joint_count == b->joint_count &&
           a->names.text_size == b->names.text_size &&
           memcmp(a->parents, b->parents, a->joint_count * sizeof *a->parents) == 0 &&
           memcmp(a->names.text, b->names.text, a->names.text_size) == 0;
}

bool anim_skeleton_is_below(const anim_skeleton* skeleton, uint32_t joint, uint32_t ancestor)
{
    // Parents come first, so the walk up ends as soon as it passes the ancestor.
    int32_t at = (int32_t)joint;
    while (at > (int32_t)ancestor)
        at = skeleton->parents[at];
    return at == (int32_t)ancestor;
}
