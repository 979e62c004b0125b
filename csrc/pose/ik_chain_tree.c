// SPDX-License-Identifier: MIT
// Building what a chain can know before it sees a pose: the tree of joints, its limits and weights.
#include "pose/ik_chain_parts.h"

#include "base/arena.h"
#include "base/layout.h"
#include "base/mem.h"

#include <float.h>

typedef struct builder {
    const anim_skeleton* skeleton;
    const anim_chain_desc* desc;
    anim_error* err;
    uint32_t* node_of;   // of each joint, or ANIM_CHAIN_NONE
    uint32_t* limit_of;  // of each node, or ANIM_CHAIN_NONE
    uint32_t* weight_of; // likewise
    uint32_t node_count;
} builder;

static const char* name_of(const builder* b, uint32_t joint)
{
    return anim_skeleton_name(b->skeleton, joint);
}

// ---- checks

static anim_code check_numbers(const builder* b)
{
    const anim_chain_desc* desc = b->desc;
    if (desc->root >= b->skeleton->joint_count)
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "root %u is not a joint", desc->root);
    if (desc->tip_count == 0)
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "a chain needs a tip");
    if (desc->tip_count > ANIM_CHAIN_MAX_TIPS)
        return anim_fail(b->err, ANIM_ERR_LIMIT, "%u tips are more than a chain takes (%u)",
                         desc->tip_count, ANIM_CHAIN_MAX_TIPS);
    if (desc->iterations > ANIM_CHAIN_MAX_ITERATIONS)
        return anim_fail(b->err, ANIM_ERR_LIMIT, "%u iterations are more than a chain takes (%u)",
                         desc->iterations, ANIM_CHAIN_MAX_ITERATIONS);
    if (!(desc->tolerance >= 0 && desc->tolerance <= FLT_MAX))
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "tolerance %g is not a distance",
                         (double)desc->tolerance);
    if (desc->solver != ANIM_CHAIN_FABRIK && desc->solver != ANIM_CHAIN_CCD)
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "unknown solver %d", (int)desc->solver);
    return ANIM_OK;
}

static anim_code check_tip(const builder* b, uint32_t index)
{
    uint32_t root = b->desc->root, tip = b->desc->tips[index];
    if (tip >= b->skeleton->joint_count)
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "tip %u: %u is not a joint", index + 1, tip);
    if (tip == root || !anim_skeleton_is_below(b->skeleton, tip, root))
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "tip \"%s\" is not below the root \"%s\"",
                         name_of(b, tip), name_of(b, root));
    for (uint32_t i = 0; i < index; i++) {
        uint32_t other = b->desc->tips[i];
        if (other == tip)
            return anim_fail(b->err, ANIM_ERR_ARGUMENT, "tip \"%s\" is there twice",
                             name_of(b, tip));
        bool is_upper = anim_skeleton_is_below(b->skeleton, other, tip);
        if (is_upper || anim_skeleton_is_below(b->skeleton, tip, other))
            return anim_fail(b->err, ANIM_ERR_ARGUMENT, "tip \"%s\" is below tip \"%s\"",
                             name_of(b, is_upper ? other : tip),
                             name_of(b, is_upper ? tip : other));
    }
    return ANIM_OK;
}

// Where `joint` of entry `index` of a list is in the tree; each joint may have one entry.
static anim_code place_entry(const builder* b, const char* list, uint32_t joint, uint32_t index,
                             uint32_t* entry_of)
{
    bool is_joint = joint < b->skeleton->joint_count;
    uint32_t node = is_joint ? b->node_of[joint] : ANIM_CHAIN_NONE;
    if (!is_joint)
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "%s %u: %u is not a joint", list, index + 1,
                         joint);
    if (node == ANIM_CHAIN_NONE)
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "%s %u: \"%s\" is not in the chain", list,
                         index + 1, name_of(b, joint));
    if (entry_of[node] != ANIM_CHAIN_NONE)
        return anim_fail(b->err, ANIM_ERR_ARGUMENT, "%s %u: \"%s\" has one", list, index + 1,
                         name_of(b, joint));
    entry_of[node] = index;
    return ANIM_OK;
}

static anim_code check_entries(const builder* b)
{
    const anim_chain_desc* desc = b->desc;
    for (uint32_t i = 0; i < desc->limit_count; i++) {
        const anim_joint_limit* limit = &desc->limits[i];
        anim_code code = place_entry(b, "limit", limit->joint, i, b->limit_of);
        if (code)
            return code;
        code = anim_joint_limit_check(limit, b->err);
        if (code) {
            anim_error_prefix(b->err, "limit of \"%s\": ", name_of(b, limit->joint));
            return code;
        }
    }
    for (uint32_t i = 0; i < desc->weight_count; i++) {
        const anim_chain_weight* weight = &desc->weights[i];
        anim_code code = place_entry(b, "weight", weight->joint, i, b->weight_of);
        if (code)
            return code;
        if (!(weight->weight >= 0 && weight->weight <= 1))
            return anim_fail(b->err, ANIM_ERR_ARGUMENT, "weight of \"%s\": %g is not within 0 to 1",
                             name_of(b, weight->joint), (double)weight->weight);
    }
    return ANIM_OK;
}

// ---- the tree

static anim_code no_memory(const builder* b)
{
    return anim_fail_memory(b->err, "chain");
}

// Numbers the joints from the tips up to the root, in joint order.
static anim_code number_nodes(builder* b, anim_arena* arena)
{
    uint32_t joint_count = b->skeleton->joint_count;
    b->node_of = anim_arena_alloc(arena, joint_count, sizeof *b->node_of);
    if (!b->node_of)
        return no_memory(b);
    for (uint32_t i = 0; i < b->desc->tip_count; i++) {
        int32_t joint = (int32_t)b->desc->tips[i];
        for (; joint >= (int32_t)b->desc->root && !b->node_of[joint];
             joint = b->skeleton->parents[joint])
            b->node_of[joint] = 1;
    }
    for (uint32_t joint = 0; joint < joint_count; joint++)
        b->node_of[joint] = b->node_of[joint] ? b->node_count++ : ANIM_CHAIN_NONE;
    b->limit_of = anim_arena_alloc(arena, b->node_count, sizeof *b->limit_of);
    b->weight_of = anim_arena_alloc(arena, b->node_count, sizeof *b->weight_of);
    if (!b->limit_of || !b->weight_of)
        return no_memory(b);
    for (uint32_t i = 0; i < b->node_count; i++)
        b->limit_of[i] = b->weight_of[i] = ANIM_CHAIN_NONE;
    return ANIM_OK;
}

static void take_parts(anim_chain* chain, const builder* b, anim_layout* layout)
{
    anim_layout_take(layout, 1, sizeof *chain);
    chain->nodes = anim_layout_take(layout, b->node_count, sizeof *chain->nodes);
    chain->tips = anim_layout_take(layout, b->desc->tip_count, sizeof *chain->tips);
    chain->targets = anim_layout_take(layout, b->desc->tip_count, sizeof *chain->targets);
    chain->limits = anim_layout_take(layout, b->desc->limit_count, sizeof *chain->limits);
}

static void fill_nodes(anim_chain* chain, const builder* b)
{
    const anim_chain_desc* desc = b->desc;
    for (uint32_t joint = 0; joint < b->skeleton->joint_count; joint++) {
        if (b->node_of[joint] == ANIM_CHAIN_NONE)
            continue;
        uint32_t i = b->node_of[joint];
        anim_chain_node* node = &chain->nodes[i];
        node->joint = joint;
        node->parent = joint == desc->root ? ANIM_CHAIN_NONE
                                           : b->node_of[b->skeleton->parents[joint]];
        node->limit = b->limit_of[i];
        node->weight = b->weight_of[i] == ANIM_CHAIN_NONE
                           ? 1
                           : (double)desc->weights[b->weight_of[i]].weight;
        if (node->weight < 1)
            chain->is_loose = false;
    }
    for (uint32_t i = 0; i < desc->limit_count; i++)
        anim_limit_init(&chain->limits[i], &desc->limits[i],
                        b->skeleton->rest_xforms[desc->limits[i].joint].q);
}

// Tips in joint order, and which are below each node: one run of them, since joints are in depth-first
// order.
static void fill_tips(anim_chain* chain, const builder* b)
{
    const anim_chain_desc* desc = b->desc;
    for (uint32_t i = 0; i < desc->tip_count; i++) {
        uint32_t at = i;
        for (; at > 0 && desc->tips[chain->targets[at - 1]] > desc->tips[i]; at--)
            chain->targets[at] = chain->targets[at - 1];
        chain->targets[at] = i;
    }
    for (uint32_t i = 0; i < desc->tip_count; i++) {
        uint32_t node = b->node_of[desc->tips[chain->targets[i]]];
        chain->tips[i] = node;
        for (; node != ANIM_CHAIN_NONE; node = chain->nodes[node].parent) {
            if (chain->nodes[node].tip_end == 0)
                chain->nodes[node].first_tip = i;
            chain->nodes[node].tip_end = i + 1;
            chain->path_count++;
        }
    }
}

// The longest way to a tip in model space, at rest; 0 where it is beyond what floats hold.
static anim_code measure(const anim_chain* chain, const builder* b, anim_arena* arena, double* out)
{
    anim_mat34* places = anim_arena_alloc(arena, chain->node_count, sizeof *places);
    double* lengths = anim_arena_alloc(arena, chain->node_count, sizeof *lengths);
    if (!places || !lengths)
        return no_memory(b);
    anim_pose_joint_to_model(b->skeleton, b->skeleton->rest, chain->nodes[0].joint, &places[0]);
    *out = 0;
    for (uint32_t i = 1; i < chain->node_count; i++) {
        const anim_chain_node* node = &chain->nodes[i];
        const anim_mat34* above = &places[node->parent];
        anim_mat34_from_xform(&b->skeleton->rest_xforms[node->joint], &places[i]);
        anim_mat34_mul(above, &places[i], &places[i]);
        double length2 = 0;
        for (int row = 0; row < 3; row++) {
            double d = (double)places[i].m[row][3] - (double)above->m[row][3];
            length2 += d * d;
        }
        lengths[i] = lengths[node->parent] + sqrt(length2);
        *out = lengths[i] > *out ? lengths[i] : *out;
    }
    if (!(*out <= FLT_MAX))
        *out = 0;
    return ANIM_OK;
}

static anim_code build(builder* b, anim_arena* arena, anim_chain** out)
{
    anim_chain parts = {0};
    anim_layout layout = {0};
    take_parts(&parts, b, &layout);
    anim_chain* chain = layout.size == SIZE_MAX ? NULL : anim_mem_alloc(layout.size);
    if (!chain)
        return no_memory(b);
    layout = (anim_layout){.block = (unsigned char*)chain};
    take_parts(chain, b, &layout);
    const anim_chain_desc* desc = b->desc;
    chain->solver = desc->solver;
    chain->iterations = desc->iterations                 ? desc->iterations
                        : desc->solver == ANIM_CHAIN_CCD ? ANIM_CHAIN_CCD_ITERATIONS
                                                         : ANIM_CHAIN_FABRIK_ITERATIONS;
    chain->node_count = b->node_count;
    chain->tip_count = desc->tip_count;
    chain->limit_count = desc->limit_count;
    chain->is_loose = desc->limit_count == 0;
    fill_nodes(chain, b);
    fill_tips(chain, b);
    double length = 0;
    anim_code code = measure(chain, b, arena, &length);
    if (code) {
        anim_mem_free(chain);
        return code;
    }
    // A little less, so that it still holds once the pose is rounded to floats.
    chain->tolerance = 0.999 * (desc->tolerance > 0 ? (double)desc->tolerance : 1e-4 * length);
    anim_ref_init(&chain->ref);
    *out = chain;
    return ANIM_OK;
}

anim_code anim_chain_create(anim_skeleton* skeleton, const anim_chain_desc* desc, anim_chain** out,
                            anim_error* err)
{
    builder b = {.skeleton = skeleton, .desc = desc, .err = err};
    anim_arena arena = {0};
    anim_code code = check_numbers(&b);
    for (uint32_t i = 0; !code && i < desc->tip_count; i++)
        code = check_tip(&b, i);
    if (!code)
        code = number_nodes(&b, &arena);
    if (!code)
        code = check_entries(&b);
    if (!code)
        code = build(&b, &arena, out);
    if (!code)
        (*out)->skeleton = anim_skeleton_retain(skeleton);
    anim_arena_free(&arena);
    return code;
}

anim_chain* anim_chain_retain(anim_chain* chain)
{
    anim_ref_retain(&chain->ref);
    return chain;
}

void anim_chain_release(anim_chain* chain)
{
    if (!chain || !anim_ref_drop(&chain->ref))
        return;
    anim_skeleton_release(chain->skeleton);
    anim_mem_free(chain);
}
