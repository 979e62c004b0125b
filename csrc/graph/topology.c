// SPDX-License-Identifier: MIT
#include "graph/topology.h"

#include "base/mem.h"
#include "graph/solver.h"
#include "pose/pose.h"

#include <string.h>

// --- life -------------------------------------------------------------------------------------------

anim_code anim_topology_create(anim_skeleton* skeleton, anim_topology** out, anim_error* err)
{
    *out = anim_mem_alloc(sizeof **out);
    if (!*out)
        return anim_fail_memory(err, "a graph");
    anim_ref_init(&(*out)->ref);
    (*out)->skeleton = anim_skeleton_retain(skeleton);
    (*out)->root = ANIM_NO_NODE;
    (*out)->next_uid = 1;
    return ANIM_OK;
}

static void release_input(anim_input* input)
{
    anim_mask_release(input->mask);
    anim_clip_release(input->reference);
    anim_mem_free((void*)input->name);
}

static void free_transitions(anim_transition* list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        anim_condition_free(list[i].condition);
        anim_mask_release(list[i].profile);
    }
    anim_mem_free(list);
}

static void free_node(anim_node* node)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        release_input(&node->inputs[i]);
    anim_mem_free(node->inputs);
    free_transitions(node->transitions, node->transition_count);
    anim_mem_free((void*)node->name);
    anim_blend_space_release(node->space);
    anim_mem_free(node->thresholds);
    anim_mem_free(node->marker_times);
    anim_clip_release(node->clip);
    anim_clip_release(node->delta);
    anim_mem_free(node->pose);
    anim_mem_free(node->pose_delta);
    anim_mem_free(node->against);
    anim_solver_release(node->solver);
    *node = (anim_node){0};
}

static void free_param(anim_param* param)
{
    anim_mem_free((void*)param->name);
    anim_mem_free((void*)param->curve);
}

anim_topology* anim_topology_retain(anim_topology* topology)
{
    anim_ref_retain(&topology->ref);
    return topology;
}

void anim_topology_release(anim_topology* topology)
{
    if (!topology || !anim_ref_drop(&topology->ref))
        return;
    for (uint32_t i = 0; i < topology->node_count; i++)
        free_node(&topology->nodes[i]);
    for (uint32_t i = 0; i < topology->param_count; i++)
        free_param(&topology->params[i]);
    anim_mem_free(topology->nodes);
    anim_mem_free(topology->params);
    anim_mem_free(topology->walk);
    anim_skeleton_release(topology->skeleton);
    anim_mem_free(topology);
}

// --- copies -----------------------------------------------------------------------------------------

static void* copy_bytes(const void* from, size_t size)
{
    void* copy = anim_mem_alloc(size);
    if (copy)
        memcpy(copy, from, size);
    return copy;
}

static size_t pose_size(const anim_topology* t)
{
    return t->skeleton->group_count * sizeof(anim_pose_group);
}

static char* copy_name(const char* name)
{
    return copy_bytes(name ? name : "", strlen(name ? name : "") + 1);
}

// Conditions copied, profiles retained; NULL where there is no memory (or nothing to copy).
static anim_transition* copy_transitions(const anim_transition* from, uint32_t count)
{
    anim_transition* to = anim_mem_alloc(count * sizeof *to);
    for (uint32_t i = 0; i < count && to; i++) {
        to[i] = from[i];
        to[i].condition = anim_condition_copy(from[i].condition);
        if (to[i].profile)
            anim_mask_retain(to[i].profile);
        if (!to[i].condition) {
            free_transitions(to, i + 1);
            return NULL;
        }
    }
    return to;
}

// Every owned thing of the copy is either its own or NULL, so that a half-made one can be freed.
static bool copy_node(const anim_topology* t, const anim_node* from, anim_node* to)
{
    *to = *from;
    to->inputs = NULL;
    to->input_count = 0;
    to->pose = NULL;
    to->pose_delta = NULL;
    to->against = NULL; // made by compile
    to->transitions = NULL;
    to->transition_count = 0;
    to->thresholds = NULL; // made by compile
    to->marker_times = NULL;
    to->marker_count = 0;
    to->name = copy_bytes(from->name ? from->name : "", strlen(from->name ? from->name : "") + 1);
    if (to->clip)
        anim_clip_retain(to->clip);
    if (to->delta)
        anim_clip_retain(to->delta);
    if (to->space)
        anim_blend_space_retain(to->space);
    if (to->solver)
        anim_solver_retain(to->solver);
    if (!to->name)
        return false;
    if (from->input_count > 0) {
        to->inputs = copy_bytes(from->inputs, from->input_count * sizeof *from->inputs);
        if (!to->inputs)
            return false;
        to->input_count = from->input_count;
        for (uint32_t i = 0; i < to->input_count; i++)
            to->inputs[i].name = from->inputs[i].name ? copy_name(from->inputs[i].name) : NULL;
        for (uint32_t i = 0; i < to->input_count; i++) {
            if (to->inputs[i].mask)
                anim_mask_retain(to->inputs[i].mask);
            if (to->inputs[i].reference)
                anim_clip_retain(to->inputs[i].reference);
        }
    }
    for (uint32_t i = 0; i < to->input_count; i++)
        if (from->inputs[i].name && !to->inputs[i].name)
            return false;
    if (from->transition_count > 0) {
        to->transitions = copy_transitions(from->transitions, from->transition_count);
        if (!to->transitions)
            return false;
        to->transition_count = from->transition_count;
    }
    if (from->pose)
        to->pose = copy_bytes(from->pose, pose_size(t));
    return !from->pose || to->pose;
}

static bool copy_param(const anim_param* from, anim_param* to)
{
    *to = *from;
    to->curve = NULL;
    to->name = copy_bytes(from->name, strlen(from->name) + 1);
    if (from->curve_count > 0)
        to->curve = copy_bytes(from->curve, from->curve_count * 2 * sizeof *from->curve);
    return to->name && (to->curve || from->curve_count == 0);
}

static bool copy_into(const anim_topology* from, anim_topology* to)
{
    to->nodes = anim_mem_alloc(from->node_count * sizeof *to->nodes);
    to->params = anim_mem_alloc(from->param_count * sizeof *to->params);
    if (!to->nodes || !to->params)
        return false;
    to->node_room = from->node_count;
    to->param_room = from->param_count;
    bool whole = true;
    for (uint32_t i = 0; i < from->node_count; i++, to->node_count++)
        if (from->nodes[i].uid)
            whole = copy_node(from, &from->nodes[i], &to->nodes[i]) && whole;
    for (uint32_t i = 0; i < from->param_count; i++, to->param_count++)
        whole = copy_param(&from->params[i], &to->params[i]) && whole;
    return whole;
}

anim_code anim_topology_copy(const anim_topology* topology, anim_topology** out, anim_error* err)
{
    anim_code code = anim_topology_create(topology->skeleton, out, err);
    if (code)
        return code;
    (*out)->root = topology->root;
    (*out)->next_uid = topology->next_uid;
    if (copy_into(topology, *out))
        return ANIM_OK;
    anim_topology_release(*out);
    *out = NULL;
    return anim_fail_memory(err, "a graph");
}

// --- nodes ------------------------------------------------------------------------------------------

// Makes room for one more element at `at` (at the end of `count`); NULL: out of memory, unchanged.
static void* grow(void* list, uint32_t count, uint32_t* room, size_t element)
{
    if (list && count < *room)
        return list;
    uint32_t wanted = *room < 8 ? 8 : *room * 2;
    void* larger = anim_mem_alloc(wanted * element);
    if (!larger)
        return NULL;
    if (list)
        memcpy(larger, list, count * element);
    anim_mem_free(list);
    *room = wanted;
    return larger;
}

static uint32_t free_place(anim_topology* t)
{
    for (uint32_t i = 0; i < t->node_count; i++)
        if (t->nodes[i].uid == 0)
            return i;
    void* nodes = grow(t->nodes, t->node_count, &t->node_room, sizeof *t->nodes);
    if (!nodes)
        return ANIM_NO_NODE;
    t->nodes = nodes;
    return t->node_count++;
}

anim_code anim_topology_add_node(anim_topology* topology, anim_kind kind, const char* name,
                                 uint32_t* out, anim_error* err)
{
    if (name && name[0] && anim_topology_find(topology, name) != ANIM_NO_NODE)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "two nodes are named '%s'", name);
    char* copy = copy_bytes(name ? name : "", strlen(name ? name : "") + 1);
    uint32_t place = copy ? free_place(topology) : ANIM_NO_NODE;
    if (place == ANIM_NO_NODE) {
        anim_mem_free(copy);
        return anim_fail_memory(err, "a node");
    }
    topology->nodes[place] = (anim_node){
        .uid = topology->next_uid++,
        .kind = kind,
        .parent = ANIM_NO_NODE,
        .name = copy,
        .speed = {1, ANIM_NO_PARAM},
        .sync = kind == ANIM_KIND_BLEND1D || kind == ANIM_KIND_BLEND2D,
        .normalize = kind != ANIM_KIND_DIRECT,
        .fallback = kind == ANIM_KIND_DIRECT ? ANIM_FALLBACK_REST : ANIM_FALLBACK_FIRST,
        .x = ANIM_NO_PARAM,
        .y = ANIM_NO_PARAM,
        .fade = kind == ANIM_KIND_ONE_SHOT ? 0.2f : 0,
        .fade_out = kind == ANIM_KIND_ONE_SHOT ? 0.2f : 0,
        .power = 2,
        .loop = -1,
        .start = -1,
        .order = UINT32_MAX,
    };
    *out = place;
    return ANIM_OK;
}

static void unlink_child(anim_topology* t, uint32_t child)
{
    if (child != ANIM_NO_NODE)
        t->nodes[child].parent = ANIM_NO_NODE;
}

void anim_topology_remove_node(anim_topology* topology, uint32_t node)
{
    anim_node* gone = &topology->nodes[node];
    for (uint32_t i = 0; i < gone->input_count; i++)
        unlink_child(topology, gone->inputs[i].node);
    if (gone->parent != ANIM_NO_NODE) {
        anim_node* parent = &topology->nodes[gone->parent];
        for (uint32_t i = 0; i < parent->input_count; i++)
            if (parent->inputs[i].node == node)
                parent->inputs[i].node = ANIM_NO_NODE;
    }
    if (topology->root == node)
        topology->root = ANIM_NO_NODE;
    free_node(gone);
}

static uint32_t height(const anim_topology* t, uint32_t node)
{
    uint32_t tallest = 0;
    for (uint32_t i = 0; i < t->nodes[node].input_count; i++)
        if (t->nodes[node].inputs[i].node != ANIM_NO_NODE) {
            uint32_t below = height(t, t->nodes[node].inputs[i].node);
            tallest = below > tallest ? below : tallest;
        }
    return tallest + 1;
}

static anim_code check_child(const anim_topology* t, uint32_t node, uint32_t child, anim_error* err)
{
    if (t->nodes[child].parent != ANIM_NO_NODE || t->root == child)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "the node %s%s%shas a parent already",
                         t->nodes[child].name[0] ? "'" : "", t->nodes[child].name,
                         t->nodes[child].name[0] ? "' " : "");
    uint32_t above = 1;
    for (uint32_t at = node; at != ANIM_NO_NODE; at = t->nodes[at].parent, above++)
        if (at == child)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "a node can't be its own ancestor");
    if (above + height(t, child) > ANIM_MAX_DEPTH)
        return anim_fail(err, ANIM_ERR_LIMIT, "nodes nested more than %u deep", ANIM_MAX_DEPTH);
    return ANIM_OK;
}

// A machine's transitions go on meaning the same states when one comes or goes before them.
static void shift_states(anim_node* node, uint32_t first, int32_t by)
{
    if (node->initial >= first)
        node->initial += (uint32_t)by;
    for (uint32_t i = 0; i < node->transition_count; i++) {
        anim_transition* t = &node->transitions[i];
        if (t->from >= (int32_t)first)
            t->from += by;
        if (t->to >= first)
            t->to += (uint32_t)by;
    }
}

anim_code anim_topology_insert_input(anim_topology* topology, uint32_t node, uint32_t at,
                                     const anim_input* input, anim_error* err)
{
    if (input->node != ANIM_NO_NODE) {
        anim_code code = check_child(topology, node, input->node, err);
        if (code)
            return code;
    }
    anim_node* n = &topology->nodes[node];
    anim_input* inputs = anim_mem_alloc((n->input_count + 1) * sizeof *inputs);
    if (!inputs)
        return anim_fail_memory(err, "an input");
    for (uint32_t i = 0; i < n->input_count; i++)
        inputs[i < at ? i : i + 1] = n->inputs[i];
    inputs[at] = *input;
    if (input->mask)
        anim_mask_retain(input->mask);
    if (input->reference)
        anim_clip_retain(input->reference);
    anim_mem_free(n->inputs);
    n->inputs = inputs;
    if (n->kind == ANIM_KIND_MACHINE && n->input_count > 0)
        shift_states(n, at, 1);
    n->input_count++;
    if (input->node != ANIM_NO_NODE)
        topology->nodes[input->node].parent = node;
    return ANIM_OK;
}

anim_code anim_topology_set_child(anim_topology* topology, uint32_t node, uint32_t at,
                                  uint32_t child, anim_error* err)
{
    anim_input* input = &topology->nodes[node].inputs[at];
    if (input->node == child)
        return ANIM_OK;
    if (child != ANIM_NO_NODE) {
        anim_code code = check_child(topology, node, child, err);
        if (code)
            return code;
        topology->nodes[child].parent = node;
    }
    unlink_child(topology, input->node);
    input->node = child;
    return ANIM_OK;
}

void anim_topology_remove_input(anim_topology* topology, uint32_t node, uint32_t at)
{
    anim_node* n = &topology->nodes[node];
    unlink_child(topology, n->inputs[at].node);
    release_input(&n->inputs[at]);
    if (n->kind == ANIM_KIND_MACHINE)
        shift_states(n, at + 1, -1);
    n->input_count--;
    memmove(n->inputs + at, n->inputs + at + 1, (n->input_count - at) * sizeof *n->inputs);
}

void anim_topology_set_solver(anim_topology* topology, uint32_t node, anim_solver* solver)
{
    anim_node* n = &topology->nodes[node];
    anim_solver_retain(solver);
    anim_solver_release(n->solver);
    n->solver = solver;
}

void anim_topology_set_clip(anim_topology* topology, uint32_t node, anim_clip* clip)
{
    anim_node* n = &topology->nodes[node];
    anim_clip_retain(clip);
    anim_clip_release(n->clip);
    anim_clip_release(n->delta);
    anim_mem_free(n->against);
    n->clip = clip;
    n->delta = NULL;
    n->against = NULL;
}

void anim_topology_set_mask(anim_topology* topology, uint32_t node, uint32_t at, anim_mask* mask)
{
    anim_input* input = &topology->nodes[node].inputs[at];
    if (mask)
        anim_mask_retain(mask);
    anim_mask_release(input->mask);
    input->mask = mask;
}

void anim_topology_set_reference(anim_topology* topology, uint32_t node, uint32_t at,
                                 anim_clip* reference, float time)
{
    anim_input* input = &topology->nodes[node].inputs[at];
    if (reference)
        anim_clip_retain(reference);
    anim_clip_release(input->reference);
    input->reference = reference;
    input->reference_time = time;
}

anim_code anim_topology_set_state_name(anim_topology* topology, uint32_t node, uint32_t state,
                                       const char* name, anim_error* err)
{
    anim_input* input = &topology->nodes[node].inputs[state];
    char* copy = copy_name(name);
    if (!copy)
        return anim_fail_memory(err, "a state");
    anim_mem_free((void*)input->name);
    input->name = copy;
    return ANIM_OK;
}

anim_code anim_topology_set_transitions(anim_topology* topology, uint32_t node,
                                        const anim_transition* transitions, uint32_t count,
                                        anim_error* err)
{
    anim_node* n = &topology->nodes[node];
    for (uint32_t i = 0; i < count; i++) {
        anim_code code = anim_condition_check(transitions[i].condition, topology->param_count, err);
        if (code)
            return code;
        if (transitions[i].to >= n->input_count || transitions[i].from >= (int32_t)n->input_count)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "transition %u: no such state", i + 1);
    }
    anim_transition* copy = copy_transitions(transitions, count);
    if (!copy)
        return anim_fail_memory(err, "transitions");
    free_transitions(n->transitions, n->transition_count);
    n->transitions = copy;
    n->transition_count = count;
    return ANIM_OK;
}

anim_code anim_topology_set_pose(anim_topology* topology, uint32_t node,
                                 const anim_pose_group* groups, anim_error* err)
{
    anim_node* n = &topology->nodes[node];
    if (!n->pose)
        n->pose = anim_mem_alloc(pose_size(topology));
    if (!n->pose)
        return anim_fail_memory(err, "a pose");
    memcpy(n->pose, groups, pose_size(topology));
    return ANIM_OK;
}

anim_code anim_topology_set_name(anim_topology* topology, uint32_t node, const char* name,
                                 anim_error* err)
{
    uint32_t other = name[0] ? anim_topology_find(topology, name) : ANIM_NO_NODE;
    if (other != ANIM_NO_NODE && other != node)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "two nodes are named '%s'", name);
    char* copy = copy_bytes(name, strlen(name) + 1);
    if (!copy)
        return anim_fail_memory(err, "a name");
    anim_mem_free((void*)topology->nodes[node].name);
    topology->nodes[node].name = copy;
    return ANIM_OK;
}

anim_code anim_topology_add_param(anim_topology* topology, const anim_param* param, uint32_t* out,
                                  anim_error* err)
{
    void* params = grow(topology->params, topology->param_count, &topology->param_room,
                        sizeof *topology->params);
    if (!params)
        return anim_fail_memory(err, "a parameter");
    topology->params = params;
    anim_param* to = &topology->params[topology->param_count];
    if (!copy_param(param, to)) {
        free_param(to);
        return anim_fail_memory(err, "a parameter");
    }
    *out = topology->param_count++;
    return ANIM_OK;
}

anim_code anim_param_set_curve(anim_param* param, const float* points, uint32_t count,
                               anim_error* err)
{
    float* curve = copy_bytes(points, count * 2 * sizeof *curve);
    if (!curve)
        return anim_fail_memory(err, "a parameter");
    anim_mem_free((void*)param->curve);
    param->curve = curve;
    param->curve_count = count;
    return ANIM_OK;
}

uint32_t anim_topology_find(const anim_topology* topology, const char* name)
{
    for (uint32_t i = 0; i < topology->node_count; i++)
        if (topology->nodes[i].uid && strcmp(topology->nodes[i].name, name) == 0)
            return i;
    return ANIM_NO_NODE;
}

int32_t anim_topology_find_param(const anim_topology* topology, const char* name)
{
    for (uint32_t i = 0; i < topology->param_count; i++)
        if (strcmp(topology->params[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}
