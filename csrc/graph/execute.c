// SPDX-License-Identifier: MIT
#include "graph/execute.h"

#include "base/cache.h"
#include "base/mem.h"
#include "graph/cover.h"
#include "graph/solver.h"
#include "graph/walk.h"
#include "pose/pack.h"

#include <string.h>

// Where one level of the tree keeps its pose, and, while it is a sum, the first pose added.
typedef struct slot {
    anim_pose_group* pose;
    anim_pose_group* first;
    uint8_t* channels; // keyed channels of each joint, padded; kept only where a layer asks
    bool is_empty;     // nothing was added to the sum yet
} slot;

struct anim_workspace {
    anim_ref ref;
    uint32_t group_count, joint_count;
    size_t slot_size; // bytes
    slot* slots;
    uint32_t slot_count;
    void* buffers;
    float (*rotations)[4]; // scratch of model-space layers
    anim_op* ops;
    uint32_t op_room;
    float* floats;
    uint32_t float_room;
    anim_move* moves;
    uint32_t move_count, move_room;
    unsigned char* state; // machines only, like the next two
    uint32_t state_room;
    anim_pose_group* poses;
    uint32_t pose_room;
    float* profiles;
    uint32_t profile_room, profile_count;
    unsigned char* room; // of the solvers
    uint32_t room_size;
    bool busy; // a script's `pose` may not run a clone of its own graph
};

anim_code anim_workspace_create(const anim_skeleton* skeleton, anim_workspace** out,
                                anim_error* err)
{
    *out = anim_mem_alloc(sizeof **out);
    if (!*out)
        return anim_fail_memory(err, "a graph");
    anim_ref_init(&(*out)->ref);
    (*out)->group_count = skeleton->group_count;
    (*out)->joint_count = skeleton->joint_count;
    return ANIM_OK;
}

anim_workspace* anim_workspace_retain(anim_workspace* workspace)
{
    anim_ref_retain(&workspace->ref);
    return workspace;
}

void anim_workspace_release(anim_workspace* workspace)
{
    if (!workspace || !anim_ref_drop(&workspace->ref))
        return;
    anim_mem_free(workspace->slots);
    anim_mem_free(workspace->buffers);
    anim_mem_free(workspace->rotations);
    anim_mem_free(workspace->ops);
    anim_mem_free(workspace->floats);
    anim_mem_free(workspace->moves);
    anim_mem_free(workspace->state);
    anim_mem_free(workspace->poses);
    anim_mem_free(workspace->profiles);
    anim_mem_free(workspace->room);
    anim_mem_free(workspace);
}

static anim_code fit_slots(anim_workspace* w, uint32_t count, anim_error* err)
{
    if (count <= w->slot_count)
        return ANIM_OK;
    size_t pose = w->group_count * sizeof(anim_pose_group);
    size_t channels = w->group_count * ANIM_LANES;
    size_t stride = 2 * pose + (channels + 63) / 64 * 64;
    slot* slots = anim_mem_alloc(count * sizeof *slots);
    unsigned char* buffers = anim_mem_alloc(count * stride);
    float(*rotations)[4] = w->rotations ? w->rotations
                                        : anim_mem_alloc(2 * w->joint_count * sizeof *rotations);
    if (!slots || !buffers || !rotations) {
        anim_mem_free(slots);
        anim_mem_free(buffers);
        if (!w->rotations)
            anim_mem_free(rotations);
        return anim_fail_memory(err, "a graph");
    }
    for (uint32_t i = 0; i < count; i++) {
        unsigned char* at = buffers + i * stride;
        slots[i] = (slot){(anim_pose_group*)(void*)at, (anim_pose_group*)(void*)(at + pose),
                          at + 2 * pose, true};
    }
    anim_mem_free(w->slots);
    anim_mem_free(w->buffers);
    w->slots = slots;
    w->slot_count = count;
    w->slot_size = stride;
    w->buffers = buffers;
    w->rotations = rotations;
    return ANIM_OK;
}

// The most that a list can hold.
typedef struct list_size {
    size_t ops, profiles;
} list_size;

// What a tree can ever ask for; one with a second copy is listed twice, and so is what lies in it.
static list_size measure_tree(const anim_topology* t, uint32_t at)
{
    const anim_node* node = &t->nodes[at];
    list_size all = {6 + 3 * (size_t)node->input_count, node->kind == ANIM_KIND_MACHINE};
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        if (child == ANIM_NO_NODE)
            continue;
        list_size below = measure_tree(t, child);
        size_t times = t->nodes[child].copy_shift > 0 ? 2 : 1;
        all.ops += times * below.ops;
        all.profiles += times * below.profiles;
    }
    return all;
}

static list_size measure_list(const anim_topology* t)
{
    list_size all = {0, 0};
    if (t->root != ANIM_NO_NODE)
        all = measure_tree(t, t->root);
    all.ops += 2; // the end, and what stands for no root
    return all;
}

// A larger list in place of `old` (whose content is not kept), where it has less room than `count`.
static bool fit_list(void** old, uint32_t* room, size_t count, size_t element)
{
    if (*old && count <= *room)
        return true;
    void* larger = count < UINT32_MAX ? anim_mem_alloc(count * element) : NULL;
    if (!larger)
        return false;
    anim_mem_free(*old);
    *old = larger;
    *room = (uint32_t)count;
    return true;
}

static size_t most_moves(const anim_topology* topology)
{
    return (topology->machine_count > 0 ? 2 : 1) * (size_t)topology->walk_count + topology->busy;
}

static bool fit_machines(anim_workspace* w, const anim_topology* topology, size_t profile_count)
{
    if (topology->machine_count == 0)
        return true;
    void *state = w->state, *poses = w->poses, *profiles = w->profiles;
    bool whole = fit_list(&state, &w->state_room, topology->state_size, 1) &&
                 fit_list(&poses, &w->pose_room, 2 * (size_t)w->group_count, sizeof *w->poses) &&
                 fit_list(&profiles, &w->profile_room, profile_count * w->group_count * ANIM_LANES,
                          sizeof *w->profiles);
    w->state = state;
    w->poses = poses;
    w->profiles = profiles;
    return whole;
}

anim_code anim_workspace_fit(anim_workspace* workspace, const anim_topology* topology,
                             anim_error* err)
{
    anim_workspace* w = workspace;
    list_size most = measure_list(topology);
    void *ops = w->ops, *floats = w->floats, *moves = w->moves, *room = w->room;
    bool whole = fit_list(&ops, &w->op_room, most.ops, sizeof *w->ops) &&
                 fit_list(&floats, &w->float_room, 3 * (size_t)topology->widest,
                          sizeof *w->floats) &&
                 fit_list(&moves, &w->move_room, most_moves(topology), sizeof *w->moves) &&
                 fit_list(&room, &w->room_size, topology->solver_room, 1);
    w->ops = ops;
    w->floats = floats;
    w->moves = moves;
    w->room = room;
    whole = whole && fit_machines(w, topology, most.profiles);
    return whole ? fit_slots(w, topology->depth + 2, err) : anim_fail_memory(err, "a graph");
}

// Queues play as many inputs in an update as the step is long.
static bool grow_moves(anim_workspace* w)
{
    enum { most_noted = 1 << 15 };
    size_t room = 2 * ((size_t)w->move_room + 1);
    anim_move* moves = w->move_room < most_noted ? anim_mem_alloc(room * sizeof *moves) : NULL;
    if (!moves)
        return false;
    if (w->move_count > 0)
        memcpy(moves, w->moves, w->move_count * sizeof *moves);
    anim_mem_free(w->moves);
    w->moves = moves;
    w->move_room = (uint32_t)room;
    return true;
}

anim_move* anim_workspace_push_move(anim_workspace* workspace)
{
    bool fits = workspace->move_count < workspace->move_room || grow_moves(workspace);
    return fits ? &workspace->moves[workspace->move_count++] : NULL;
}

uint32_t* anim_workspace_counts(anim_workspace* workspace)
{
    return (uint32_t*)(void*)workspace->floats;
}

unsigned char* anim_workspace_state(anim_workspace* workspace)
{
    return workspace->state;
}

anim_pose_group* anim_workspace_poses(anim_workspace* workspace)
{
    return workspace->poses;
}

// Where slot 1 keeps its poses: there always is one.
anim_mat34* anim_workspace_matrices(anim_workspace* workspace)
{
    _Static_assert(2 * sizeof(anim_pose_group) >= ANIM_LANES * sizeof(anim_mat34),
                   "what a slot has for two poses holds a matrix for each joint");
    return (anim_mat34*)(void*)((unsigned char*)workspace->buffers + workspace->slot_size);
}

float* anim_workspace_profile(anim_workspace* workspace)
{
    uint32_t lanes = workspace->group_count * ANIM_LANES;
    return workspace->profiles + (size_t)(workspace->profile_count++) * lanes;
}

anim_move* anim_workspace_moves(anim_workspace* workspace, uint32_t* count)
{
    *count = workspace->move_count;
    return workspace->moves;
}

void anim_workspace_clear_moves(anim_workspace* workspace)
{
    workspace->move_count = 0;
}

bool anim_workspace_is_busy(const anim_workspace* workspace)
{
    return workspace->busy;
}

float* anim_workspace_floats(anim_workspace* workspace)
{
    return workspace->floats;
}

anim_op* anim_workspace_ops(anim_workspace* workspace)
{
    return workspace->ops;
}

// --- running ----------------------------------------------------------------------------------------

typedef struct runner {
    anim_graph* graph;
    anim_workspace* work;
    const anim_skeleton* skeleton;
    bool keyed;   // channels are kept
    bool scripts; // script nodes are run, and solvers keep what they remember
} runner;

static void set_channels(runner* r, slot* s, const uint8_t* channels, uint8_t otherwise)
{
    if (!r->keyed)
        return;
    memset(s->channels, channels ? 0 : otherwise, r->work->group_count * ANIM_LANES);
    for (uint32_t j = 0; channels && j < r->skeleton->joint_count; j++)
        s->channels[r->skeleton->slots[j]] = channels[j];
}

// What `from` keys is keyed in `to`, where the mask lets it through.
static void add_channels(runner* r, slot* to, const slot* from, const float* mask)
{
    for (uint32_t i = 0; r->keyed && i < r->work->group_count * ANIM_LANES; i++)
        if (!mask || mask[i] > 0)
            to->channels[i] |= from->channels[i];
}

static void run_rest(runner* r, slot* s, const anim_op* op)
{
    if (op->delta)
        anim_pose_to_identity(r->skeleton, s->pose);
    else
        anim_pose_to_rest(r->skeleton, s->pose);
    set_channels(r, s, NULL, 0);
}

static void run_layer(runner* r, slot* s, const anim_op* op)
{
    slot* above = s + 1;
    const uint8_t* channels = op->sparse && r->keyed ? above->channels : NULL;
    if (op->kind == ANIM_OP_ADD)
        anim_pose_add(r->skeleton, s->pose, above->pose, op->weight, op->mask);
    else if (op->kind == ANIM_OP_LAYER_MODEL)
        anim_pose_blend_model(r->skeleton, s->pose, above->pose, op->weight, op->mask, channels,
                              r->work->rotations);
    else
        anim_pose_blend_channels(r->skeleton, s->pose, above->pose, op->weight, op->mask, channels,
                                 ANIM_CHANNELS_ALL);
    add_channels(r, s, above, op->mask);
}

static void run_script(runner* r, slot* s, const anim_op* op)
{
    const anim_host* host = &r->graph->host;
    if (r->scripts && host->script_pose)
        host->script_pose(host->user, r->graph, op->node, s->pose, r->graph->last_dt);
}

// What a script or a solver wrote counts as keyed: the joints whose transform it changed.
static void run_on_pose(runner* r, slot* s, const anim_op* op)
{
    if (r->keyed)
        memcpy(s->first, s->pose, r->work->group_count * sizeof *s->pose);
    if (op->kind == ANIM_OP_SCRIPT)
        run_script(r, s, op);
    else
        anim_graph_solve(r->graph, op->node, op->shift, s->pose, r->work->room, r->scripts);
    for (uint32_t j = 0; r->keyed && j < r->skeleton->joint_count; j++) {
        anim_xform before, after;
        anim_pose_get(r->skeleton, s->first, j, &before);
        anim_pose_get(r->skeleton, s->pose, j, &after);
        if (memcmp(&before, &after, sizeof before) != 0)
            s->channels[r->skeleton->slots[j]] = ANIM_CHANNELS_ALL;
    }
}

static void run_term(runner* r, slot* s, const anim_op* op)
{
    slot* above = s + 1;
    if (s->is_empty) { // kept as the reference; the pose above has other memory now
        anim_pose_group* first = above->pose;
        above->pose = s->first;
        s->first = first;
        anim_pose_sum_begin(r->skeleton, s->pose, first, op->weight);
    } else {
        anim_pose_sum_add(r->skeleton, s->pose, s->first, above->pose, op->weight);
    }
    add_channels(r, s, above, NULL);
    s->is_empty = false;
}

// How many operations from `op` on are a clip, or one sum of nothing but clips, that can be mixed as they are
// unpacked; 0: they are not.
static uint32_t take_mix(const runner* r, const anim_op* op, anim_term* terms, uint32_t* count)
{
    uint32_t at = 0;
    *count = 0;
    if (op->kind == ANIM_OP_SAMPLE && anim_clip_can_mix(op->clip, r->skeleton)) {
        terms[(*count)++] = (anim_term){op->clip, op->time, 1};
        return 1;
    }
    if (op[at++].kind != ANIM_OP_MIX_BEGIN)
        return 0;
    for (; op[at].kind == ANIM_OP_SAMPLE; at += 2) {
        const anim_op *sample = &op[at], *add = &op[at + 1];
        if (*count == ANIM_MOST_TERMS || add->kind != ANIM_OP_MIX_ADD ||
            !anim_clip_can_mix(sample->clip, r->skeleton))
            return 0;
        terms[(*count)++] = (anim_term){sample->clip, sample->time, add->weight};
    }
    return *count > 0 && op[at].kind == ANIM_OP_MIX_END ? at + 1 : 0;
}

// What the next operation takes of the slot that is made before it: a layer leaves out what its mask does.
static const uint8_t* wanted_by(const anim_op* next, uint32_t made)
{
    next += next->kind == ANIM_OP_DELTA; // it goes lane by lane
    bool is_layer = next->kind == ANIM_OP_LAYER || next->kind == ANIM_OP_ADD;
    return is_layer && next->slot + 1 == made ? next->groups : NULL;
}

static void run_mix(runner* r, slot* s, const anim_term* terms, uint32_t count,
                    const uint8_t* wanted)
{
    set_channels(r, s, NULL, 0);
    for (uint32_t i = 0; i < count && r->keyed; i++)
        for (uint32_t j = 0; j < r->skeleton->joint_count; j++)
            s->channels[r->skeleton->slots[j]] |= terms[i].clip->keys->channels[j];
    anim_clip_mix(terms, count, wanted, s->pose);
}

static void run(runner* r, const anim_op* op)
{
    slot* s = &r->work->slots[op->slot];
    switch (op->kind) {
    case ANIM_OP_REST: run_rest(r, s, op); break;
    case ANIM_OP_SAMPLE:
        anim_clip_sample_groups(op->clip, r->skeleton, op->time, wanted_by(op + 1, op->slot),
                                s->pose);
        set_channels(r, s, op->clip->keys->channels, 0);
        break;
    case ANIM_OP_DELTA: anim_pose_to_delta(r->skeleton, s->pose, op->pose, op->channels); break;
    case ANIM_OP_POSE:
        memcpy(s->pose, op->pose, r->work->group_count * sizeof *s->pose);
        set_channels(r, s, NULL, ANIM_CHANNELS_ALL);
        break;
    case ANIM_OP_MIX_BEGIN:
        set_channels(r, s, NULL, 0);
        s->is_empty = true;
        break;
    case ANIM_OP_MIX_ADD: run_term(r, s, op); break;
    case ANIM_OP_MIX_END: anim_pose_sum_end(r->skeleton, s->pose); break;
    case ANIM_OP_MOMENTUM:
        anim_momentum_pose(r->skeleton, &op->momentum, (float)op->time, op->duration, s->pose);
        set_channels(r, s, NULL, ANIM_CHANNELS_ALL);
        break;
    case ANIM_OP_OFFSETS:
        anim_offsets_apply(r->skeleton, &op->momentum, (float)op->time, op->duration, op->mask,
                           s->pose);
        set_channels(r, s, NULL, ANIM_CHANNELS_ALL);
        break;
    case ANIM_OP_SCRIPT:
    case ANIM_OP_SOLVE: run_on_pose(r, s, op); break;
    default: run_layer(r, s, op);
    }
}

// Runs what is listed; slot 0 lies in `out`.
static void run_list(runner* r, anim_pose_group* out)
{
    anim_workspace* w = r->work;
    anim_pose_group* own = w->slots[0].pose;
    w->slots[0].pose = out;
    for (const anim_op* op = w->ops; op->kind != ANIM_OP_END;) {
        anim_term terms[ANIM_MOST_TERMS];
        uint32_t count, taken = take_mix(r, op, terms, &count);
        if (taken > 0)
            run_mix(r, &w->slots[op->slot], terms, count, wanted_by(op + taken, op->slot));
        else
            run(r, op);
        op += taken > 0 ? taken : 1;
    }
    w->slots[0].pose = own;
}

static runner begin(anim_graph* graph, bool scripts)
{
    graph->workspace->profile_count = 0;
    return (runner){graph, graph->workspace, graph->topology->skeleton, graph->topology->has_sparse,
                    scripts};
}

void anim_graph_pose_of_shot(anim_graph* graph, uint32_t node, anim_pose_group* out)
{
    runner r = begin(graph, false);
    anim_graph_emit_shot(graph, r.work, node);
    run_list(&r, out);
}

void anim_graph_pose_of(anim_graph* graph, uint32_t node, anim_pose_group* out)
{
    runner r = begin(graph, false);
    anim_graph_emit(graph, r.work, node);
    run_list(&r, out);
}

// Where the list is clips alone, few of them: to model space by way of a pose that is not kept.
static bool run_to_model(const runner* r, bool far)
{
    anim_term terms[ANIM_MOST_TERMS];
    anim_graph* graph = r->graph;
    anim_recipe* recipe = graph->recipe;
    uint32_t count, taken = take_mix(r, r->work->ops, terms, &count);
    if (taken == 0 || r->work->ops[taken].kind != ANIM_OP_END || count > ANIM_MOST_KEPT ||
        anim_cover_is_active(graph))
        return false;
    anim_pose_group* pose = r->work->slots[0].pose;
    anim_clip_mix(terms, count, NULL, pose);
    anim_mat34* model = far ? anim_workspace_matrices(r->work) : graph->model;
    anim_pose_to_model(r->skeleton, pose, model);
    if (far)
        anim_stream_copy(graph->model, model, r->skeleton->joint_count * sizeof *model);
    graph->model_valid = true;
    memcpy(recipe->terms, terms, count * sizeof *terms);
    recipe->count = count;
    return true;
}

static anim_code evaluate(anim_graph* graph, bool to_model, bool far, anim_error* err)
{
    if (graph->locked || graph->workspace->busy)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "the graph, or a clone of it, is being updated");
    graph->locked = graph->workspace->busy = true;
    runner r = begin(graph, true);
    if (to_model && !far) // on its way while the pose is made
        anim_fetch(graph->model, r.skeleton->joint_count * sizeof *graph->model);
    anim_graph_emit(graph, r.work, graph->topology->root);
    if (!to_model || !run_to_model(&r, far)) {
        run_list(&r, anim_graph_pose_to_write(graph));
        anim_cover_apply(graph);
    }
    graph->evaluated = anim_state_of_graph(graph)->advanced;
    graph->locked = graph->workspace->busy = false;
    return ANIM_OK;
}

anim_code anim_graph_evaluate(anim_graph* graph, anim_error* err)
{
    return evaluate(graph, false, false, err);
}

anim_code anim_graph_evaluate_to_model(anim_graph* graph, bool far, anim_error* err)
{
    return evaluate(graph, true, far, err);
}
