// SPDX-License-Identifier: MIT
// Life of a character: create, clone, edit, save, restore.
#include "graph/graph.h"

#include "base/hash.h"
#include "base/layout.h"
#include "base/mem.h"
#include "graph/crowd.h"
#include "graph/execute.h"
#include "graph/machine_internal.h"
#include "graph/shot.h"
#include "graph/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- state ------------------------------------------------------------------------------------------

static void init_machine(anim_graph* graph, uint32_t at, const anim_node* node)
{
    anim_machine_state* m = anim_state_of_machine(graph, at);
    m->current = node->initial;
    m->source = m->goal = m->pending = m->left = ANIM_SOURCE_NONE;
    m->transition = ANIM_NO_TRANSITION;
    m->motion = ANIM_RIGID_IDENTITY;
}

static float initial_share(const anim_node* node, uint32_t input)
{
    if (node->kind == ANIM_KIND_MACHINE)
        return input == node->initial ? 1 : 0;
    return anim_node_has_base(node) && input == 0 ? 1 : 0;
}

void anim_node_state_init(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_node_state* s = anim_state_of_node(graph, at);
    memset(s, 0, node->state_size);
    s->speed = node->speed.value;
    s->flags = ANIM_NODE_PLAYING | ANIM_NODE_FRESH | ANIM_NODE_STARTS;
    s->leader = s->target = s->current = ANIM_NO_NODE;
    if (node->kind == ANIM_KIND_CLIP) {
        anim_state_of_clip(graph, at)->motion = ANIM_RIGID_IDENTITY;
        return;
    }
    anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++) {
        inputs[i].share = initial_share(node, i);
        inputs[i].weight = inputs[i].goal = node->inputs[i].weight.value;
    }
    if (node->kind == ANIM_KIND_MACHINE)
        init_machine(graph, at, node);
    if (anim_node_is_player(node))
        anim_player_init(graph, at, anim_player_seed_of(graph, at));
    if (anim_node_is_solver(node))
        anim_solver_state_init(node->solver, anim_state_of_solver(graph, at));
}

static void init_graph_state(anim_graph* graph)
{
    anim_graph_state* s = anim_state_of_graph(graph);
    memset(s, 0, sizeof *s);
    s->speed = 1;
    s->motion = s->place = ANIM_RIGID_IDENTITY;
}

static void init_param(anim_graph* graph, uint32_t param)
{
    memset(anim_state_of_param(graph, param), 0, sizeof(anim_param_state));
    anim_graph_set_number(graph, param, graph->topology->params[param].initial);
    anim_param_state* s = anim_state_of_param(graph, param);
    s->velocity = 0;
}

static void init_all(anim_graph* graph)
{
    init_graph_state(graph);
    for (uint32_t i = 0; i < graph->topology->param_count; i++)
        init_param(graph, i);
    for (uint32_t i = 0; i < graph->topology->node_count; i++)
        if (graph->topology->nodes[i].uid)
            anim_node_state_init(graph, i);
    for (uint32_t i = 0; i < graph->topology->node_count; i++)
        if (graph->topology->nodes[i].uid && graph->topology->nodes[i].kind == ANIM_KIND_CLIP)
            anim_node_reset(graph, i);
    for (uint32_t i = 0; i < graph->topology->node_count; i++)
        if (graph->topology->nodes[i].uid && graph->topology->nodes[i].parent == ANIM_NO_NODE)
            anim_copy_init(graph, i);
}

void anim_graph_reset(anim_graph* graph)
{
    init_all(graph);
    anim_event_queue_clear(&graph->events);
    if (graph->trace)
        graph->trace->count = 0;
    anim_pose_to_rest(graph->topology->skeleton, anim_graph_pose_to_write(graph));
}

// --- life -------------------------------------------------------------------------------------------

// The graph and its outputs in one block, what crowds leave alone last; the state block is apart, since edits
// change its size.
static anim_graph* allocate(const anim_skeleton* skeleton)
{
    anim_layout layout = {0};
    anim_graph* graph = NULL;
    for (int pass = 0; pass < 2; pass++) {
        graph = anim_layout_take(&layout, 1, sizeof *graph);
        anim_recipe* recipe = anim_layout_take(&layout, 1, sizeof *recipe);
        anim_mat34* model = anim_layout_take(&layout, skeleton->joint_count, sizeof *model);
        anim_pose_group* pose = anim_layout_take(&layout, skeleton->group_count, sizeof *pose);
        if (pass == 0)
            layout = (anim_layout){anim_mem_alloc(layout.size), 0};
        if (!layout.block)
            return NULL;
        if (pass == 1) {
            graph->pose = pose;
            graph->model = model;
            graph->recipe = recipe;
        }
    }
    anim_pose_to_rest(skeleton, graph->pose);
    return graph;
}

anim_code anim_graph_create(anim_skeleton* skeleton, anim_graph** out, anim_error* err)
{
    anim_graph* graph = *out = allocate(skeleton);
    if (!graph)
        return anim_fail_memory(err, "a graph");
    anim_code code = anim_topology_create(skeleton, &graph->topology, err);
    if (!code)
        code = anim_topology_compile(graph->topology, err);
    if (!code)
        code = anim_workspace_create(skeleton, &graph->workspace, err);
    if (!code && !(graph->state = anim_mem_alloc(graph->topology->state_size)))
        code = anim_fail_memory(err, "a graph");
    if (!code)
        code = anim_workspace_fit(graph->workspace, graph->topology, err);
    if (code) {
        anim_graph_destroy(graph);
        *out = NULL;
        return code;
    }
    init_all(graph);
    return ANIM_OK;
}

// Only who has machines has a trace.
static bool fit_trace(anim_graph* graph, const anim_topology* topology)
{
    if (!graph->trace && topology->machine_count > 0)
        graph->trace = anim_mem_alloc(sizeof *graph->trace);
    return graph->trace || topology->machine_count == 0;
}

anim_code anim_graph_clone(const anim_graph* graph, anim_graph** out, anim_error* err)
{
    anim_graph* clone = *out = allocate(graph->topology->skeleton);
    if (!clone)
        return anim_fail_memory(err, "a graph");
    clone->topology = anim_topology_retain(graph->topology);
    clone->workspace = anim_workspace_retain(graph->workspace);
    clone->state = anim_mem_alloc(graph->topology->state_size);
    if (!clone->state || !fit_trace(clone, graph->topology)) {
        anim_graph_destroy(clone);
        *out = NULL;
        return anim_fail_memory(err, "a graph");
    }
    clone->seed = graph->seed;
    init_all(clone);
    return ANIM_OK;
}

void anim_graph_destroy(anim_graph* graph)
{
    if (!graph)
        return;
    anim_crowd_remove(graph);
    anim_event_queue_free(&graph->events);
    anim_mem_free(graph->trace);
    anim_mem_free(graph->cover);
    anim_workspace_release(graph->workspace);
    anim_mem_free(graph->state);
    anim_topology_release(graph->topology);
    anim_mem_free(graph);
}

// --- editing ----------------------------------------------------------------------------------------

anim_code anim_graph_edit_begin(anim_graph* graph, anim_error* err)
{
    if (graph->locked || anim_workspace_is_busy(graph->workspace))
        return anim_fail(err, ANIM_ERR_ARGUMENT, "a graph can't be changed while it is updated");
    anim_topology* copy;
    anim_graph_pose(graph); // its clips may go
    anim_code code = anim_topology_copy(graph->topology, &copy, err);
    if (code)
        return code;
    graph->edited_from = graph->topology;
    graph->topology = copy;
    return ANIM_OK;
}

void anim_graph_edit_cancel(anim_graph* graph)
{
    anim_topology_release(graph->topology);
    graph->topology = graph->edited_from;
    graph->edited_from = NULL;
}

// The input that a child is; ANIM_NO_NODE: it is none.
static uint32_t find_child(const anim_node* node, uint32_t child)
{
    for (uint32_t i = 0; i < node->input_count && child != ANIM_NO_NODE; i++)
        if (node->inputs[i].node == child)
            return i;
    return ANIM_NO_NODE;
}

// Where an input of before is now; another child at its place stands for it.
static uint32_t moved_input(const anim_node* before, const anim_node* node, uint32_t input)
{
    if (input >= before->input_count)
        return ANIM_NO_NODE;
    uint32_t now = find_child(node, before->inputs[input].node);
    bool swapped = now == ANIM_NO_NODE && before->input_count == node->input_count &&
                   find_child(before, node->inputs[input].node) == ANIM_NO_NODE;
    return swapped ? input : now;
}

// Input states follow their children; a new input starts as described.
static void carry_inputs(anim_graph* graph, uint32_t at, const anim_node* before,
                         const anim_input_state* old)
{
    const anim_node* node = &graph->topology->nodes[at];
    anim_input_state* inputs = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t from = find_child(before, node->inputs[i].node);
        bool swapped = from == ANIM_NO_NODE && before->input_count == node->input_count &&
                       find_child(node, before->inputs[i].node) == ANIM_NO_NODE;
        from = swapped ? i : from; // another child at the same place takes over its weight
        if (from != ANIM_NO_NODE)
            inputs[i] = old[from];
    }
    anim_node_state* s = anim_state_of_node(graph, at);
    s->target = moved_input(before, node, s->target);
    s->current = moved_input(before, node, s->current);
}

static bool has_same_inputs(const anim_node* a, const anim_node* b)
{
    bool same = a->input_count == b->input_count;
    for (uint32_t i = 0; i < a->input_count && same; i++)
        same = a->inputs[i].node == b->inputs[i].node;
    return same;
}

// What is new has a share at once: an evaluate before the next advance must not show rest in its place.
static void share_anew(anim_graph* graph, const anim_topology* before)
{
    const anim_topology* t = graph->topology;
    for (uint32_t i = 0; i < t->node_count && anim_state_of_graph(graph)->advanced; i++) {
        const anim_node* node = &t->nodes[i];
        bool known = anim_topology_has(before, i, node->uid);
        if (node->uid && node->kind != ANIM_KIND_CLIP && node->kind != ANIM_KIND_POSE &&
            !(known && has_same_inputs(node, &before->nodes[i])))
            anim_node_share(graph, i);
    }
}

// Whether an edit left a tree as it was, so that a second copy of it fits.
static bool is_same_tree(const anim_topology* a, const anim_topology* b, uint32_t at)
{
    if (at == ANIM_NO_NODE || !anim_topology_has(b, at, a->nodes[at].uid))
        return at == ANIM_NO_NODE;
    const anim_node *x = &a->nodes[at], *y = &b->nodes[at];
    bool same = x->copy_shift == y->copy_shift && x->state_size == y->state_size &&
                x->clip == y->clip && has_same_inputs(x, y);
    for (uint32_t i = 0; i < x->input_count && same; i++)
        same = is_same_tree(a, b, x->inputs[i].node);
    return same;
}

// `old`: the whole block.
static bool carry_copy(anim_graph* graph, const anim_topology* before, uint32_t at,
                       const unsigned char* old)
{
    if (at == ANIM_NO_NODE || !is_same_tree(before, graph->topology, at))
        return false;
    const anim_node *node = &graph->topology->nodes[at], *was = &before->nodes[at];
    memcpy(graph->state + node->state_offset + node->copy_shift,
           old + was->state_offset + was->copy_shift, node->copy_shift);
    return true;
}

// A machine goes on in its state and fade where they still exist; a second copy whose tree was edited ends at once.
static void carry_machine(anim_graph* graph, uint32_t at, const anim_topology* topology,
                          const unsigned char* block)
{
    const anim_node *node = &graph->topology->nodes[at], *before = &topology->nodes[at];
    const unsigned char* old = block + before->state_offset;
    anim_machine_state* m = anim_state_of_machine(graph, at);
    size_t inputs = before->input_count * sizeof(anim_input_state);
    memcpy(m, old + sizeof(anim_node_state) + inputs,
           before->state_size - sizeof(anim_node_state) - inputs);
    m->current = moved_input(before, node, m->current);
    if (m->source < before->input_count)
        m->source = moved_input(before, node, m->source);
    bool lost = m->source == ANIM_SOURCE_NONE ||
                (m->source == ANIM_SOURCE_COPY &&
                 !carry_copy(graph, topology, anim_machine_child(graph, at, m->current), block));
    if (m->current == ANIM_NO_NODE) {
        init_machine(graph, at, node);
        lost = true;
    }
    if (lost)
        m->source = ANIM_SOURCE_NONE;
    if (lost && m->mode != ANIM_FADE_INERTIAL) // what an inertial one comes from it has kept
        m->elapsed = m->duration = m->base = 0;
    if (m->transition >= node->transition_count)
        m->transition = ANIM_NO_TRANSITION;
    m->left = moved_input(before, node, m->left);
    m->pending = moved_input(before, node, m->pending);
    m->goal = moved_input(before, node, m->goal);
    m->origin = moved_input(before, node, m->origin);
    if (m->origin == ANIM_NO_NODE)
        m->goal = ANIM_SOURCE_NONE;
}

// What a player has behind its inputs; a shot's second copy is gone where its tree was edited.
static void carry_player(anim_graph* graph, uint32_t at, const anim_topology* topology,
                         const unsigned char* block)
{
    const anim_node *node = &graph->topology->nodes[at], *before = &topology->nodes[at];
    const unsigned char* old = block + before->state_offset;
    size_t was = sizeof(anim_node_state) + before->input_count * sizeof(anim_input_state);
    memcpy(anim_state_of_inputs(graph, at) + node->input_count, old + was,
           before->state_size - was);
    if (node->kind != ANIM_KIND_ONE_SHOT) {
        anim_player_state* p = anim_state_of_player(graph, at);
        p->pending = moved_input(before, node, p->pending);
        return;
    }
    anim_shot_state* s = anim_state_of_shot(graph, at);
    if (s->older == ANIM_SHOT_COPY &&
        !carry_copy(graph, topology, anim_shot_child(graph, at), block))
        s->older = ANIM_SHOT_ALONE;
    if (anim_shot_child(graph, at) == ANIM_NO_NODE)
        s->active = s->fired = s->stopping = s->lost = 0;
}

static void carry_over(anim_graph* graph, const anim_topology* before, const unsigned char* old)
{
    const anim_topology* t = graph->topology;
    size_t params = before->param_count < t->param_count ? before->param_count : t->param_count;
    memcpy(graph->state, old, sizeof(anim_graph_state) + params * sizeof(anim_param_state));
    for (uint32_t i = 0; i < t->node_count; i++) {
        const anim_node* node = &t->nodes[i];
        if (!node->uid || !anim_topology_has(before, i, node->uid))
            continue;
        const anim_node* was = &before->nodes[i];
        const unsigned char* from = old + was->state_offset;
        size_t common = node->kind == ANIM_KIND_CLIP ? node->state_size : sizeof(anim_node_state);
        memcpy(anim_state_of_node(graph, i), from, common);
        if (node->kind == ANIM_KIND_CLIP && node->clip != was->clip)
            anim_node_fit(graph, i);
        if (node->kind != ANIM_KIND_CLIP)
            carry_inputs(graph, i, was,
                         (const anim_input_state*)(const void*)(from + sizeof(anim_node_state)));
        if (node->kind == ANIM_KIND_MACHINE)
            carry_machine(graph, i, before, old);
        if (anim_node_is_shot_or_player(node))
            carry_player(graph, i, before, old);
        if (anim_node_is_solver(node))
            anim_solver_carry(node->solver, anim_state_of_solver(graph, i), was->solver,
                              (const void*)(from + sizeof(anim_node_state) +
                                            was->input_count * sizeof(anim_input_state)));
    }
}

// States that events and the trace speak of, where they are now.
static void carry_told(anim_graph* graph, const anim_topology* before)
{
    const anim_topology* t = graph->topology;
    for (uint32_t i = 0; i < graph->events.count; i++) {
        anim_happening* e = &graph->events.items[i];
        if ((e->kind == ANIM_EVENT_ENTER || e->kind == ANIM_EVENT_EXIT) &&
            anim_topology_has(t, e->node, e->uid) && anim_topology_has(before, e->node, e->uid))
            e->event = moved_input(&before->nodes[e->node], &t->nodes[e->node], e->event);
    }
    for (uint32_t i = 0; i < anim_trace_length(graph->trace); i++) {
        anim_trace_entry* e = anim_trace_get(graph->trace, i);
        if (!anim_topology_has(t, e->node, e->uid) || !anim_topology_has(before, e->node, e->uid))
            continue;
        e->from = moved_input(&before->nodes[e->node], &t->nodes[e->node], e->from);
        e->to = moved_input(&before->nodes[e->node], &t->nodes[e->node], e->to);
    }
}

// Shots whose node or clip an edit replaces go on as they were.
static void hold_shots(anim_graph* graph, anim_topology* before)
{
    anim_topology* t = graph->topology;
    graph->topology = before;
    for (uint32_t i = 0; i < before->node_count; i++) {
        const anim_node* was = &before->nodes[i];
        if (was->uid == 0 || was->kind != ANIM_KIND_ONE_SHOT || !anim_topology_has(t, i, was->uid))
            continue;
        uint32_t child = anim_shot_child(graph, i), after = t->nodes[i].inputs[1].node;
        if (child != ANIM_NO_NODE &&
            (after != child || t->nodes[after].uid != before->nodes[child].uid ||
             t->nodes[after].clip != before->nodes[child].clip))
            anim_shot_hold(graph, i);
    }
    graph->topology = t;
}

anim_code anim_graph_edit_end(anim_graph* graph, anim_error* err)
{
    anim_topology* before = graph->edited_from;
    unsigned char* old = graph->state;
    anim_code code = anim_topology_compile(graph->topology, err);
    if (!code)
        code = anim_workspace_fit(graph->workspace, graph->topology, err);
    if (!code)
        code = anim_crowd_fit(graph, err);
    unsigned char* state = code ? NULL : anim_mem_alloc(graph->topology->state_size);
    if (!code && (!state || !fit_trace(graph, graph->topology))) {
        anim_mem_free(state);
        code = anim_fail_memory(err, "a graph");
    }
    graph->failed = code ? graph->topology->failed : ANIM_NO_NODE;
    if (code) {
        anim_graph_edit_cancel(graph);
        return code;
    }
    hold_shots(graph, before);
    graph->state = state;
    init_all(graph);
    carry_over(graph, before, old);
    carry_told(graph, before);
    share_anew(graph, before);
    graph->edited_from = NULL;
    anim_topology_release(before);
    anim_mem_free(old);
    anim_crowd_note_edit(graph);
    return ANIM_OK;
}

void anim_graph_set_speed(anim_graph* graph, double speed)
{
    anim_state_of_graph(graph)->speed = speed;
}

double anim_graph_get_speed(const anim_graph* graph)
{
    return anim_state_of_graph(graph)->speed;
}

bool anim_graph_has_advanced(const anim_graph* graph)
{
    return anim_state_of_graph(graph)->advanced;
}

double anim_graph_get_clock(const anim_graph* graph)
{
    return anim_state_of_graph(graph)->clock;
}

void anim_graph_get_motion(const anim_graph* graph, anim_rigid* out)
{
    *out = anim_state_of_graph(graph)->motion;
}

void anim_graph_set_place(anim_graph* graph, const anim_rigid* place)
{
    anim_state_of_graph(graph)->place = *place;
}

void anim_graph_get_place(const anim_graph* graph, anim_rigid* out)
{
    *out = anim_state_of_graph(graph)->place;
}

// --- parameters -------------------------------------------------------------------------------------

static double curve_at(const anim_param* param, double x)
{
    const float* points = param->curve;
    uint32_t last = param->curve_count - 1;
    if (x <= points[0])
        return points[1];
    for (uint32_t i = 1; i <= last; i++)
        if (x <= points[2 * i]) {
            double from = points[2 * i - 2], u = (x - from) / (points[2 * i] - from);
            return points[2 * i - 1] * (1 - u) + points[2 * i + 1] * u;
        }
    return points[2 * last + 1];
}

// Dead zone, then mapping curve (semantics 5); what the smoothing runs after.
double anim_param_shape(const anim_param* param, double x)
{
    if (param->dead_zone > 0) {
        double size = x < 0 ? -x : x;
        double beyond = size <= param->dead_zone
                            ? 0
                            : (size - param->dead_zone) / (1 - param->dead_zone);
        x = x < 0 ? -beyond : beyond;
    }
    return param->curve_count > 0 ? curve_at(param, x) : x;
}

void anim_graph_set_number(anim_graph* graph, uint32_t param, double value)
{
    const anim_param* p = &graph->topology->params[param];
    anim_param_state* s = anim_state_of_param(graph, param);
    value = fmin(fmax(value, -FLT_MAX), FLT_MAX); // weights are floats
    s->target = value;
    s->age = 0;
    if (p->smooth <= 0 || !anim_state_of_graph(graph)->advanced)
        s->value = anim_param_shape(p, value);
}

double anim_graph_get_number(const anim_graph* graph, uint32_t param)
{
    return anim_state_of_param(graph, param)->value;
}

double anim_graph_get_target(const anim_graph* graph, uint32_t param)
{
    return anim_state_of_param(graph, param)->target;
}

// --- outputs and snapshots ----------------------------------------------------------------------------

const anim_pose_group* anim_graph_pose(const anim_graph* graph)
{
    anim_recipe* recipe = graph->recipe;
    if (recipe->count > 0)
        anim_clip_mix(recipe->terms, recipe->count, NULL, graph->pose);
    recipe->count = 0;
    return graph->pose;
}

anim_pose_group* anim_graph_pose_to_write(anim_graph* graph)
{
    graph->recipe->count = 0;
    graph->model_valid = false;
    return graph->pose;
}

static void make_model(anim_graph* graph)
{
    if (!graph->model_valid)
        anim_pose_to_model(graph->topology->skeleton, anim_graph_pose(graph), graph->model);
    graph->model_valid = true;
}

const anim_mat34* anim_graph_model(anim_graph* graph)
{
    make_model(graph);
    graph->model_wanted = true;
    return graph->model;
}

void anim_graph_expect_model(anim_graph* graph)
{
    if (graph->model_wanted)
        make_model(graph);
    graph->model_wanted = false;
}

void anim_graph_palette(anim_graph* graph, const anim_skin* skin, bool rows_3x4, float* out)
{
    bool needs_all = skin->group_count == graph->topology->skeleton->group_count;
    if (graph->model_valid || needs_all || graph->model_parted == graph->evaluated)
        anim_graph_model(graph);
    else
        anim_skin_to_model(skin, anim_graph_pose(graph), graph->model);
    graph->model_parted = graph->evaluated;
    (rows_3x4 ? anim_skin_palette_3x4 : anim_skin_palette_4x4)(skin, graph->model, out);
}

uint64_t anim_graph_hash(const anim_graph* graph, bool with_pose)
{
    uint64_t hash = anim_hash(ANIM_HASH_START, graph->state, graph->topology->state_size);
    if (with_pose)
        hash = anim_hash(hash, anim_graph_pose(graph),
                         graph->topology->skeleton->group_count * sizeof *graph->pose);
    return hash;
}
