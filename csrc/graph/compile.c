// SPDX-License-Identifier: MIT
// A topology made ready: depth-first order, blend spaces, delta clips, offsets in the state block.
#include "base/hash.h"
#include "base/mem.h"
#include "graph/solver.h"
#include "graph/walk.h"
#include "pose/clip_edit.h"

#include <string.h>

// What a clip inside an additive layer is measured against.
typedef struct reference {
    anim_clip* clip; // NULL: the clip's own first key
    double time;
} reference;

static void visit(anim_topology* t, uint32_t at, uint32_t depth, bool additive)
{
    anim_node* node = &t->nodes[at];
    node->order = t->walk_count;
    node->in_additive = additive;
    t->walk[t->walk_count++] = at;
    t->depth = depth > t->depth ? depth : t->depth;
    t->has_script |= node->kind == ANIM_KIND_SCRIPT;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const anim_input* input = &node->inputs[i];
        bool is_layer = anim_node_has_base(node) && i > 0;
        t->has_sparse |= is_layer && input->sparse && input->mode == ANIM_LAYER_OVERRIDE;
        if (input->node != ANIM_NO_NODE)
            t->nodes[input->node].plays_once = node->kind == ANIM_KIND_QUEUE ||
                                               (node->kind == ANIM_KIND_ONE_SHOT && i == 1);
        if (input->node != ANIM_NO_NODE)
            visit(t, input->node, depth + 1,
                  additive || (is_layer && input->mode == ANIM_LAYER_ADDITIVE));
    }
}

static anim_code order_nodes(anim_topology* t, anim_error* err)
{
    anim_mem_free(t->walk);
    t->walk_count = t->depth = 0;
    t->has_script = t->has_sparse = t->has_motion = false;
    t->solver_room = 0;
    t->walk = anim_mem_alloc(t->node_count * sizeof *t->walk);
    if (!t->walk)
        return anim_fail_memory(err, "a graph");
    for (uint32_t i = 0; i < t->node_count; i++)
        t->nodes[i].order = UINT32_MAX;
    if (t->root != ANIM_NO_NODE)
        visit(t, t->root, 1, false);
    return ANIM_OK;
}

// The reference of the innermost additive layer above a node.
static reference find_reference(const anim_topology* t, uint32_t at)
{
    for (uint32_t above = t->nodes[at].parent; above != ANIM_NO_NODE;
         at = above, above = t->nodes[above].parent) {
        const anim_node* node = &t->nodes[above];
        for (uint32_t i = 1; i < node->input_count && anim_node_has_base(node); i++)
            if (node->inputs[i].node == at && node->inputs[i].mode == ANIM_LAYER_ADDITIVE)
                return (reference){node->inputs[i].reference, node->inputs[i].reference_time};
    }
    return (reference){NULL, 0};
}

static void sample_reference(const anim_topology* t, uint32_t at, anim_pose_group* out)
{
    reference ref = find_reference(t, at);
    anim_clip_sample_on(ref.clip ? ref.clip : t->nodes[at].clip, t->skeleton, ref.time, out);
}

// What samples of a packed clip become deltas against: exact keys of its deltas would be as large as it was before.
static anim_code make_against(anim_topology* t, uint32_t at, anim_error* err)
{
    anim_node* node = &t->nodes[at];
    const anim_skeleton* skeleton = t->skeleton;
    size_t lanes = skeleton->group_count * (size_t)ANIM_LANES;
    anim_pose_group* groups = anim_mem_alloc(skeleton->group_count * sizeof *groups + lanes);
    if (!groups)
        return anim_fail_memory(err, "a graph");
    uint8_t* channels = (uint8_t*)(groups + skeleton->group_count);
    memset(channels, 0, lanes);
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        channels[skeleton->slots[j]] = node->clip->keys->channels[j];
    sample_reference(t, at, groups);
    node->against = groups;
    node->against_channels = channels;
    return ANIM_OK;
}

static anim_code make_delta(anim_topology* t, uint32_t at, anim_error* err)
{
    anim_node* node = &t->nodes[at];
    anim_mem_free(node->against);
    node->against = NULL;
    if (node->clip->keys->additive) {
        if (!node->in_additive)
            return anim_fail(err, ANIM_ERR_ARGUMENT,
                             "clip '%s' holds deltas; it belongs into an additive layer",
                             node->clip->name);
        anim_clip_release(node->delta);
        node->delta = anim_clip_retain(node->clip);
        return ANIM_OK;
    }
    anim_clip_release(node->delta);
    node->delta = NULL;
    if (!node->in_additive)
        return ANIM_OK;
    if (node->clip->keys->pack)
        return make_against(t, at, err);
    anim_pose* pose = anim_pose_create(t->skeleton);
    if (!pose)
        return anim_fail_memory(err, "a graph");
    sample_reference(t, at, pose->groups);
    anim_code code = anim_clip_to_additive(node->clip, pose->groups, &node->delta, err);
    anim_pose_destroy(pose);
    return code;
}

static anim_code make_pose_delta(anim_topology* t, uint32_t at, anim_error* err)
{
    anim_node* node = &t->nodes[at];
    anim_mem_free(node->pose_delta);
    node->pose_delta = NULL;
    if (!node->in_additive || !node->pose)
        return ANIM_OK;
    size_t size = t->skeleton->group_count * sizeof *node->pose;
    reference ref = find_reference(t, at);
    anim_pose* against = anim_pose_create(t->skeleton); // at rest
    node->pose_delta = anim_mem_alloc(size);
    if (against && node->pose_delta) {
        if (ref.clip)
            anim_clip_sample(ref.clip, ref.time, against->groups);
        memcpy(node->pose_delta, node->pose, size);
        anim_pose_to_delta(t->skeleton, node->pose_delta, against->groups, NULL);
    }
    anim_pose_destroy(against);
    return against && node->pose_delta ? ANIM_OK : anim_fail_memory(err, "a graph");
}

static anim_code make_thresholds(anim_node* node, anim_error* err)
{
    anim_mem_free(node->thresholds);
    node->thresholds = anim_mem_alloc(node->input_count * sizeof *node->thresholds);
    if (!node->thresholds)
        return anim_fail_memory(err, "a blend space");
    for (uint32_t i = 0; i < node->input_count; i++)
        node->thresholds[i] = node->inputs[i].x;
    return anim_blend_1d_check(node->thresholds, node->input_count, err);
}

static anim_code make_space(anim_node* node, anim_error* err)
{
    anim_blend_space_release(node->space);
    node->space = NULL;
    float* points = anim_mem_alloc(2 * (size_t)node->input_count * sizeof *points);
    if (!points)
        return anim_fail_memory(err, "a blend space");
    float *x = points, *y = points + node->input_count;
    for (uint32_t i = 0; i < node->input_count; i++) {
        x[i] = node->inputs[i].x;
        y[i] = node->inputs[i].y;
    }
    anim_blend_space_desc desc = {.mode = node->mode,
                                  .count = node->input_count,
                                  .x = x,
                                  .y = y,
                                  .power = node->power,
                                  .manhattan = node->manhattan};
    anim_code code = anim_blend_space_create(&desc, &node->space, err);
    anim_mem_free(points);
    return code;
}

static anim_code check_solver(anim_topology* t, const anim_node* node, anim_error* err)
{
    if (!node->solver)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "nothing is described for the solver");
    if (node->in_additive && node->order != UINT32_MAX)
        return anim_fail(err, ANIM_ERR_ARGUMENT,
                         "it works on poses, not on the deltas of an additive layer");
    size_t room = anim_solver_room(node->solver);
    t->solver_room = room > t->solver_room ? room : t->solver_room;
    return ANIM_OK;
}

static anim_code prepare_node(anim_topology* t, uint32_t at, anim_error* err)
{
    anim_node* node = &t->nodes[at];
    anim_code code = ANIM_OK;
    if (node->kind == ANIM_KIND_CLIP && node->clip && node->order != UINT32_MAX)
        code = make_delta(t, at, err);
    else if (node->kind == ANIM_KIND_POSE && node->order != UINT32_MAX)
        code = make_pose_delta(t, at, err);
    else if (node->kind == ANIM_KIND_BLEND1D)
        code = make_thresholds(node, err);
    else if (node->kind == ANIM_KIND_BLEND2D)
        code = make_space(node, err);
    else if (anim_node_is_solver(node))
        code = check_solver(t, node, err);
    if (node->clip && node->clip->keys->motion)
        t->has_motion = true;
    return code;
}

// What follows of a synchronised node from what there is below it.
static anim_code prepare_group(anim_topology* t, uint32_t at, anim_error* err)
{
    anim_node* node = &t->nodes[at];
    for (uint32_t i = 0; i < node->input_count; i++)
        node->inputs[i].is_member = anim_sync_is_member_input(t, node, i);
    if (!node->sync)
        return ANIM_OK;
    node->group_loop = anim_sync_loop(t, at);
    return anim_sync_prepare(t, at, err);
}

// Two topologies with one signature have blocks that mean the same.
static uint64_t sign(const anim_topology* t)
{
    uint64_t hash = anim_hash(ANIM_HASH_START, &t->skeleton->signature, sizeof(uint64_t));
    for (uint32_t i = 0; i < t->node_count; i++) {
        const anim_node* n = &t->nodes[i];
        const uint32_t about[] = {n->uid,        n->uid ? (uint32_t)n->kind : 0,
                                  n->parent,     n->input_count,
                                  n->copy_shift, n->state_offset,
                                  n->state_size};
        hash = anim_hash(hash, about, sizeof about);
    }
    for (uint32_t i = 0; i < t->param_count; i++) {
        const uint32_t kind = (uint32_t)t->params[i].kind;
        hash = anim_hash(hash, &kind, sizeof kind);
        hash = anim_hash(hash, t->params[i].name, strlen(t->params[i].name));
    }
    return hash;
}

enum { most_nested_copies = 4 }; // each doubles what lies in it

// Marks the states that may fade into themselves, and shots.
static void mark_copies(anim_topology* t, const anim_node* node)
{
    for (uint32_t i = 0; i < node->transition_count; i++) {
        const anim_transition* transition = &node->transitions[i];
        uint32_t child = node->inputs[transition->to].node;
        bool into_itself = transition->self && (transition->from == ANIM_ANY_STATE ||
                                                transition->from == (int32_t)transition->to);
        if (into_itself && child != ANIM_NO_NODE)
            t->nodes[child].copy_shift = 1;
    }
    uint32_t shot = node->kind == ANIM_KIND_ONE_SHOT && node->input_count > 1 ? node->inputs[1].node
                                                                              : ANIM_NO_NODE;
    if (shot != ANIM_NO_NODE) // fired again while it is active
        t->nodes[shot].copy_shift = 1;
}

// Lays a tree out in one stretch of the state block, so that it can be copied and exchanged as one. A
// state inside too many copies does without its own: its fades into itself start from its momentum.
static bool place_tree(anim_topology* t, uint32_t at, uint32_t copies, size_t* size)
{
    anim_node* node = &t->nodes[at];
    node->state_offset = (uint32_t)*size;
    node->state_size = (uint32_t)anim_node_state_size(node, t->skeleton->group_count);
    *size += node->state_size;
    mark_copies(t, node);
    node->changes = node->kind == ANIM_KIND_MACHINE || anim_node_is_player(node);
    bool fits = *size <= UINT32_MAX / 4;
    for (uint32_t i = 0; i < node->input_count && fits; i++) {
        if (node->inputs[i].node == ANIM_NO_NODE)
            continue;
        anim_node* child = &t->nodes[node->inputs[i].node];
        bool twice = child->copy_shift > 0 && copies < most_nested_copies;
        size_t start = *size;
        fits = place_tree(t, node->inputs[i].node, copies + twice, size);
        node->changes |= child->changes;
        child->copy_shift = twice ? (uint32_t)(*size - start) : 0;
        *size += child->copy_shift;
    }
    return fits && *size <= UINT32_MAX / 4;
}

// A machine moves what plays in it in parts, and notes who comes and goes: in an update so many times.
enum { parts_of_update = 60, changes_of_update = 24, most_busy = 8192 };

// Number of nodes in a tree; adds up what its machines need.
static uint32_t count_notes(anim_topology* t, uint32_t at)
{
    const anim_node* node = &t->nodes[at];
    uint32_t all = 1, largest = 0;
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        uint32_t below = child == ANIM_NO_NODE ? 0 : count_notes(t, child);
        all += below;
        largest = below > largest ? below : largest;
    }
    if (node->kind == ANIM_KIND_MACHINE && t->busy < most_busy)
        t->busy += changes_of_update +
                   parts_of_update * (largest < most_busy ? largest : most_busy);
    return all;
}

static anim_code place_all(anim_topology* t, anim_error* err)
{
    size_t size = sizeof(anim_graph_state) + t->param_count * sizeof(anim_param_state);
    t->widest = t->machine_count = 0;
    for (uint32_t i = 0; i < t->node_count; i++)
        t->nodes[i].copy_shift = 0;
    for (uint32_t i = 0; i < t->node_count; i++) {
        const anim_node* node = &t->nodes[i];
        if (node->uid == 0)
            continue;
        t->machine_count += node->kind == ANIM_KIND_MACHINE || node->kind == ANIM_KIND_ONE_SHOT;
        if (node->input_count > t->widest)
            t->widest = node->input_count;
        if (node->parent == ANIM_NO_NODE && !place_tree(t, i, 0, &size))
            return anim_fail(err, ANIM_ERR_LIMIT, "the graph is too large");
    }
    t->state_size = size;
    t->busy = 0;
    if (t->root != ANIM_NO_NODE)
        count_notes(t, t->root);
    t->busy = t->busy < most_busy ? t->busy : most_busy;
    return ANIM_OK;
}

anim_code anim_topology_compile(anim_topology* topology, anim_error* err)
{
    topology->failed = ANIM_NO_NODE;
    anim_code code = order_nodes(topology, err);
    for (uint32_t i = 0; i < topology->node_count && !code; i++)
        if (topology->nodes[i].uid && (code = prepare_node(topology, i, err)))
            topology->failed = i;
    for (uint32_t i = 0; i < topology->node_count && !code; i++)
        if (topology->nodes[i].uid)
            code = prepare_group(topology, i, err);
    if (code)
        return code;
    code = place_all(topology, err);
    if (code)
        return code;
    topology->signature = sign(topology);
    return ANIM_OK;
}
