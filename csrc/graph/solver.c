// SPDX-License-Identifier: MIT
#include "graph/solver.h"

#include "base/mem.h"
#include "math/range.h"

#include <math.h>
#include <string.h>

const anim_solver_row* anim_solver_row_of(anim_kind kind)
{
    switch (kind) {
    case ANIM_KIND_TWO_BONE: return &anim_solve_two_bone;
    case ANIM_KIND_CHAIN: return &anim_solve_chain;
    case ANIM_KIND_AIM: return &anim_solve_aim;
    case ANIM_KIND_FOOT: return &anim_solve_foot;
    case ANIM_KIND_SPRING: return &anim_solve_spring;
    case ANIM_KIND_STRIDE: return &anim_solve_stride;
    case ANIM_KIND_ORIENT: return &anim_solve_orient;
    default: return NULL;
    }
}

// --- life ---------------------------------------------------------------------------------------------

anim_code anim_solver_create(const anim_solver* desc, anim_arena* arena, anim_skeleton* skeleton,
                             anim_solver** out, anim_error* err)
{
    anim_solver* solver = *out = anim_mem_alloc(sizeof *solver);
    if (!solver) {
        anim_arena_free(arena);
        return anim_fail_memory(err, "a solver");
    }
    *solver = *desc;
    solver->arena = *arena;
    *arena = (anim_arena){0};
    anim_ref_init(&solver->ref);
    solver->skeleton = anim_skeleton_retain(skeleton);
    if (solver->mask)
        anim_mask_retain(solver->mask);
    solver->pose_size = solver->mask ? skeleton->group_count * sizeof(anim_pose_group) : 0;
    anim_code code = anim_solver_row_of(solver->kind)->prepare(solver, skeleton, err);
    if (code) {
        anim_solver_release(solver);
        *out = NULL;
        return code;
    }
    solver->memory_size = (solver->memory_size + 7) / 8 * 8;
    solver->scratch_size = (solver->scratch_size + 31) / 32 * 32;
    return ANIM_OK;
}

anim_code anim_solver_check_legs(const anim_skeleton* skeleton, const anim_ik_leg* legs,
                                 uint32_t count, int32_t pelvis, anim_error* err)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t chain[] = {legs[i].root, legs[i].mid, legs[i].tip};
        for (int k = 0; k < 2; k++)
            if (chain[k + 1] == chain[k] ||
                !anim_skeleton_is_below(skeleton, chain[k + 1], chain[k]))
                return anim_fail(err, ANIM_ERR_ARGUMENT, "leg %u: '%s' is not below '%s'", i + 1,
                                 anim_skeleton_name(skeleton, chain[k + 1]),
                                 anim_skeleton_name(skeleton, chain[k]));
        if (pelvis >= 0 && (chain[0] == (uint32_t)pelvis ||
                            !anim_skeleton_is_below(skeleton, chain[0], (uint32_t)pelvis)))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "leg %u: '%s' is not below the pelvis '%s'",
                             i + 1, anim_skeleton_name(skeleton, chain[0]),
                             anim_skeleton_name(skeleton, (uint32_t)pelvis));
    }
    return ANIM_OK;
}

static size_t targets_size(const anim_solver* solver)
{
    return (solver->target_count * (3 * sizeof(float) + sizeof(bool)) + 31) / 32 * 32;
}

// What a look at another time writes.
static size_t aside_size(const anim_solver* solver)
{
    return (solver->memory_size + 31) / 32 * 32;
}

// That, the pose as it comes in, the targets, and what the solver itself needs.
size_t anim_solver_room(const anim_solver* solver)
{
    return aside_size(solver) + solver->pose_size + targets_size(solver) + solver->scratch_size;
}

anim_solver* anim_solver_retain(anim_solver* solver)
{
    anim_ref_retain(&solver->ref);
    return solver;
}

void anim_solver_release(anim_solver* solver)
{
    if (!solver || !anim_ref_drop(&solver->ref))
        return;
    const anim_solver_row* row = anim_solver_row_of(solver->kind);
    if (row->free)
        row->free(solver);
    anim_mask_release(solver->mask);
    anim_skeleton_release(solver->skeleton);
    anim_arena_free(&solver->arena);
    anim_mem_free(solver);
}

// --- state --------------------------------------------------------------------------------------------

size_t anim_solver_state_size(const anim_solver* solver)
{
    return sizeof(anim_solver_state) + solver->target_count * sizeof(anim_point_state) +
           2 * solver->memory_size;
}

void anim_solver_state_init(const anim_solver* solver, anim_solver_state* state)
{
    memset(state, 0, anim_solver_state_size(solver));
    state->weight = solver->weight.value;
    state->pole.source = ANIM_POINT_AS_DESCRIBED;
    for (uint32_t i = 0; i < solver->target_count; i++)
        anim_solver_points(state)[i].source = ANIM_POINT_AS_DESCRIBED;
}

void anim_solver_forget(const anim_solver* solver, anim_solver_state* state)
{
    memset(anim_solver_memory(solver, state), 0, 2 * solver->memory_size);
    state->run = 0;
    state->before = state->last = state->clock;
}

void anim_solver_carry(const anim_solver* solver, anim_solver_state* state,
                       const anim_solver* before, const anim_solver_state* old)
{
    if (solver->target_count != before->target_count)
        return;
    memcpy(state, old, sizeof *state + solver->target_count * sizeof(anim_point_state));
    const anim_solver_row* row = anim_solver_row_of(solver->kind);
    size_t size = solver == before ? solver->memory_size
                  : row->carries   ? row->carries(solver, before)
                                   : 0;
    if (size == 0) {
        anim_solver_forget(solver, state);
        return;
    }
    for (size_t i = 0; i < 2; i++)
        memcpy(anim_solver_memory(solver, state) + i * solver->memory_size,
               anim_solver_memory(before, old) + i * before->memory_size, size);
}

static bool is_fine_point(const anim_point_state* p, uint32_t joint_count)
{
    return anim_floats_are_finite(p->at, 3) && p->source >= ANIM_POINT_DIRECTION &&
           p->source < (int32_t)joint_count;
}

bool anim_solver_state_is_fine(const anim_solver* solver, const anim_solver_state* state,
                               uint32_t joint_count)
{
    bool fine = state->before >= 0 && state->before <= state->last && state->last <= state->clock &&
                state->clock <= 1e300 && state->residual >= 0 && isfinite(state->weight) &&
                isfinite(state->residual) && state->reset <= 2 &&
                is_fine_point(&state->pole, joint_count);
    for (uint32_t i = 0; i < solver->target_count && fine; i++)
        fine = is_fine_point(&anim_solver_points(state)[i], joint_count);
    const anim_solver_row* row = anim_solver_row_of(solver->kind);
    for (size_t i = 0; i < 2 && row->is_fine && fine; i++)
        fine = row->is_fine(solver, anim_solver_memory(solver, state) + i * solver->memory_size);
    return fine;
}

// --- running ------------------------------------------------------------------------------------------

// A point of the pose pass: where it is taken from, and by whom it may have been set.
typedef struct points {
    const anim_solver* solver;
    const anim_skeleton* skeleton;
    const anim_pose_group* pose;
    const anim_graph* graph; // NULL: a pose by itself
    const anim_rigid* place; // of the character in the world
} points;

static float source_of(const points* p, const anim_source* source)
{
    return p->graph ? anim_source_value(p->graph, source, source->value) : source->value;
}

static float bounded(double x)
{
    return (float)anim_clamp(x, -1e30, 1e30);
}

// From world space to the model space of a character at `place`.
static void to_model(const anim_rigid* place, bool is_direction, float point[3])
{
    anim_dvec v = anim_dvec_from(point);
    if (!is_direction)
        v = anim_dvec_sub(v, anim_dvec_from(place->t));
    v = anim_dquat_rotate(anim_dquat_conjugate(anim_dquat_from(place->q)), v);
    point[0] = bounded(v.x);
    point[1] = bounded(v.y);
    point[2] = bounded(v.z);
}

static void place_of_joint(const points* p, uint32_t joint, float out[3])
{
    anim_mat34 m;
    anim_pose_joint_to_model(p->skeleton, p->pose, joint, &m);
    for (int i = 0; i < 3; i++)
        out[i] = m.m[i][3];
}

// In model space. `set`: NULL where nobody can have set one.
static void find_point(const points* p, const anim_point* described, const anim_point_state* set,
                       float out[3])
{
    int32_t source = set ? set->source : ANIM_POINT_AS_DESCRIBED;
    bool in_world = source <= ANIM_POINT_SET_IN_WORLD || p->solver->in_world;
    if (source >= 0) {
        place_of_joint(p, (uint32_t)source, out);
        return;
    }
    if (source == ANIM_POINT_AS_DESCRIBED && described->kind == ANIM_POINT_JOINT) {
        place_of_joint(p, described->joint, out);
        return;
    }
    for (int i = 0; i < 3; i++)
        out[i] = bounded((double)(source == ANIM_POINT_AS_DESCRIBED
                                      ? source_of(p, &described->at[i])
                                      : set->at[i]));
    if (in_world && p->graph)
        to_model(p->place, source == ANIM_POINT_DIRECTION, out);
}

// Whether a point was described or set.
static bool is_given(const anim_point* described, const anim_point_state* set)
{
    return described->kind != ANIM_POINT_NONE || (set && set->source != ANIM_POINT_AS_DESCRIBED);
}

// Finds the targets; how many there are. Where there are none the pose is let be.
static uint32_t find_targets(const points* p, const anim_solver_state* state, float (*out)[3],
                             bool* given)
{
    const anim_solver* solver = p->solver;
    uint32_t count = 0;
    for (uint32_t i = 0; i < solver->target_count; i++) {
        const anim_point_state* set = state ? &anim_solver_points(state)[i] : NULL;
        given[i] = is_given(&solver->targets[i], set);
        if (given[i])
            find_point(p, &solver->targets[i], set, out[i]);
        count += given[i];
    }
    return count;
}

float anim_solver_gap(const anim_solver_call* call, uint32_t joint, const float target[3])
{
    anim_mat34 m;
    anim_pose_joint_to_model(call->skeleton, call->pose, joint, &m);
    anim_dvec at = {(double)m.m[0][3], (double)m.m[1][3], (double)m.m[2][3]};
    return (float)anim_dvec_length(anim_dvec_sub(anim_dvec_from(target), at));
}

// Fills in all points and values, and runs. The targets come first in the scratch.
static float run(anim_solver_call* call, anim_solver_state* state, void* scratch)
{
    const anim_solver* solver = call->solver;
    points p = {solver, call->skeleton, call->pose, call->graph, &call->place};
    float(*targets)[3] = scratch;
    bool* given = (bool*)(targets + solver->target_count);
    if (find_targets(&p, state, targets, given) == 0 && solver->waits)
        return 0;
    float pole[3], values[ANIM_SOLVER_VALUES];
    bool has_pole = is_given(&solver->pole, state ? &state->pole : NULL);
    if (has_pole)
        find_point(&p, &solver->pole, state ? &state->pole : NULL, pole);
    for (int i = 0; i < ANIM_SOLVER_VALUES; i++)
        values[i] = source_of(&p, &solver->values[i]);
    call->targets = (const float(*)[3])targets;
    call->given = given;
    call->pole = has_pole ? pole : NULL;
    call->values = values;
    call->scratch = (unsigned char*)scratch + targets_size(solver);
    return anim_solver_row_of(solver->kind)->run(call);
}

// `scratch`: the pose as it comes in, where there is a mask; then what `run` needs.
static float run_masked(anim_solver_call* call, anim_solver_state* state, void* scratch)
{
    const anim_solver* solver = call->solver;
    if (!solver->mask)
        return run(call, state, scratch);
    anim_pose_group* blended = scratch;
    memcpy(blended, call->pose, solver->pose_size);
    float residual = run(call, state, (unsigned char*)scratch + solver->pose_size);
    anim_pose_blend(call->skeleton, blended, call->pose, 1, solver->mask->weights);
    memcpy(call->pose, blended, solver->pose_size);
    const anim_solver_row* row = anim_solver_row_of(solver->kind);
    return row->miss && call->targets ? row->miss(call) : residual;
}

static float clamped(float weight)
{
    return weight > 0 ? weight < 1 ? weight : 1 : 0;
}

// The present memory becomes the one before, once in each advance.
static void turn_page(const anim_graph* graph, const anim_solver* solver, anim_solver_state* s)
{
    uint32_t now = anim_state_of_graph(graph)->advanced + 1;
    if (s->run == now)
        return;
    unsigned char* memory = anim_solver_memory(solver, s);
    memcpy(memory, memory + solver->memory_size, solver->memory_size);
    s->before = s->run ? s->last : s->clock;
    s->last = s->clock;
    s->run = now;
    s->reset = s->reset == 1 ? 2 : 0;
}

void anim_graph_solve(anim_graph* graph, uint32_t node, uint32_t shift, anim_pose_group* pose,
                      void* scratch, bool keep)
{
    const anim_solver* solver = graph->topology->nodes[node].solver;
    unsigned char* at = (unsigned char*)anim_state_of_solver(graph, node) + shift;
    anim_solver_state* s = (anim_solver_state*)(void*)at;
    float weight = clamped(anim_source_value(graph, &solver->weight, s->weight));
    if (weight <= 0) { // when it has weight again it starts afresh
        if (keep && s->run)
            anim_solver_forget(solver, s);
        if (keep)
            s->residual = 0;
        return;
    }
    if (keep)
        turn_page(graph, solver, s);
    unsigned char* before = anim_solver_memory(solver, s);
    unsigned char* after = before + solver->memory_size;
    unsigned char* aside = (unsigned char*)scratch; // a look: from what is, to nowhere
    anim_solver_call call = {.solver = solver,
                             .skeleton = graph->topology->skeleton,
                             .pose = pose,
                             .graph = graph,
                             .node = node,
                             .weight = weight,
                             .place = anim_state_of_graph(graph)->place,
                             .before = keep ? before : after,
                             .after = keep ? after : aside,
                             .dt = keep ? s->last - s->before : 0,
                             .resets = keep && s->reset,
                             .looks = !keep};
    float residual = run_masked(&call, s, aside + aside_size(solver));
    if (keep)
        s->residual = residual;
}

float anim_pose_solve(const anim_solver* solver, const anim_skeleton* skeleton,
                      anim_pose_group* pose, void* scratch)
{
    float weight = clamped(solver->weight.value);
    anim_solver_call call = {.solver = solver,
                             .skeleton = skeleton,
                             .pose = pose,
                             .weight = weight,
                             .place = ANIM_RIGID_IDENTITY};
    return run_masked(&call, NULL, scratch);
}

// --- from outside -------------------------------------------------------------------------------------

static anim_point_state* point_at(anim_graph* graph, uint32_t node, uint32_t target)
{
    anim_solver_state* s = anim_state_of_solver(graph, node);
    return target == ANIM_POLE ? &s->pole : &anim_solver_points(s)[target];
}

void anim_solver_set_target(anim_graph* graph, uint32_t node, uint32_t target, const float at[3],
                            bool in_world)
{
    *point_at(graph, node, target) = (anim_point_state){
        {at[0], at[1], at[2]}, in_world ? ANIM_POINT_SET_IN_WORLD : ANIM_POINT_SET};
}

void anim_solver_set_joint(anim_graph* graph, uint32_t node, uint32_t target, uint32_t joint)
{
    *point_at(graph, node, target) = (anim_point_state){{0, 0, 0}, (int32_t)joint};
}

void anim_solver_set_ground(anim_graph* graph, uint32_t node, uint32_t leg, const float point[3],
                            const float normal[3])
{
    anim_point_state* at = point_at(graph, node, 2 * leg);
    at[0] = at[1] = (anim_point_state){.source = ANIM_POINT_AS_DESCRIBED};
    if (!point)
        return;
    anim_solver_set_target(graph, node, 2 * leg, point, true);
    at[1] = (anim_point_state){{normal[0], normal[1], normal[2]}, ANIM_POINT_DIRECTION};
}

void anim_solver_teleport(anim_graph* graph, uint32_t node)
{
    anim_state_of_solver(graph, node)->reset = 1;
}

void anim_solver_set_weight(anim_graph* graph, uint32_t node, float weight)
{
    anim_state_of_solver(graph, node)->weight = weight;
}

float anim_solver_get_weight(const anim_graph* graph, uint32_t node)
{
    const anim_solver* solver = graph->topology->nodes[node].solver;
    return anim_source_value(graph, &solver->weight, anim_state_of_solver(graph, node)->weight);
}

float anim_solver_get_residual(const anim_graph* graph, uint32_t node)
{
    return anim_state_of_solver(graph, node)->residual;
}

bool anim_solver_get_target(const anim_graph* graph, uint32_t node, uint32_t target, float out[3])
{
    const anim_solver* solver = graph->topology->nodes[node].solver;
    const anim_solver_state* s = anim_state_of_solver(graph, node);
    points p = {solver, graph->topology->skeleton, anim_graph_pose(graph), graph,
                &anim_state_of_graph(graph)->place};
    const anim_point* described = target == ANIM_POLE ? &solver->pole : &solver->targets[target];
    const anim_point_state* set = target == ANIM_POLE ? &s->pole : &anim_solver_points(s)[target];
    if (!is_given(described, set))
        return false;
    find_point(&p, described, set, out);
    return true;
}
