// SPDX-License-Identifier: MIT
// Feet: the ground comes from the host's callback or was set for a foot, locks from curves and range events of
// what is below the node.
// Targets 2i and 2i + 1 are what was set for leg i: a point of the ground, and its normal there.
#include "graph/solver.h"

#include <string.h>

static anim_code prepare(anim_solver* solver, anim_skeleton* skeleton, anim_error* err)
{
    anim_solver_foot* f = &solver->as.foot;
    anim_foot* d = &f->desc;
    anim_ik_leg legs[ANIM_IK_LEGS];
    for (uint32_t i = 0; i < d->leg_count; i++)
        legs[i] = f->legs[i].joints;
    anim_code code = anim_solver_check_legs(skeleton, legs, d->leg_count, d->pelvis, err);
    if (code)
        return code;
    for (uint32_t i = 0; i < d->leg_count; i++)
        anim_ik_foot_measure(skeleton, &f->legs[i]);
    if (d->reach < 0)
        d->reach = 0.5f * f->legs[0].length;
    d->legs = f->legs;
    solver->memory_size = anim_ik_foot_memory_size(d->leg_count);
    solver->scratch_size = d->leg_count * sizeof(anim_foot_input);
    return ANIM_OK;
}

static void to_world(const anim_solver_call* call, const float point[3], float out[3])
{
    anim_rigid in_model = {{point[0], point[1], point[2]}, {0, 0, 0, 1}}, in_world;
    anim_rigid_mul(&call->place, &in_model, &in_world);
    memcpy(out, in_world.t, sizeof in_world.t);
}

static void to_model(const anim_solver_call* call, const float point[3], const float normal[3],
                     float out_point[3], float out_normal[3])
{
    anim_rigid inverse, at = {{point[0], point[1], point[2]}, {0, 0, 0, 1}}, moved;
    anim_rigid_inverse(&call->place, &inverse);
    anim_rigid_mul(&inverse, &at, &moved);
    memcpy(out_point, moved.t, sizeof moved.t);
    anim_dvec n = anim_dquat_rotate(anim_dquat_from(inverse.q), anim_dvec_from(normal));
    anim_ik_to_floats(n, out_normal);
    for (int i = 0; i < 3; i++)
        out_point[i] = fminf(fmaxf(out_point[i], -1e30f), 1e30f);
}

// What the host says, in world space.
static bool ask(void* user, uint32_t leg, const float point[3], float out_point[3],
                float out_normal[3])
{
    const anim_solver_call* call = user;
    const anim_host* host = &call->graph->host;
    float at[3], height, normal[3] = {0, 0, 0};
    (void)leg;
    to_world(call, point, at);
    if (!host->ground || !host->ground(host->user, call->graph, call->node, at, &height, normal))
        return false;
    at[1] = height;
    to_model(call, at, normal, out_point, out_normal);
    return true;
}

// A look at another time asks nobody: the ground is where it was.
static bool recall(void* user, uint32_t leg, const float point[3], float out_point[3],
                   float out_normal[3])
{
    const anim_solver_call* call = user;
    const anim_foot_memory* memory = call->before;
    const anim_foot_leg_memory* m = &memory->legs[leg];
    float at[3], normal[3];
    (void)point;
    if (m->found < 0.5)
        return false;
    for (int i = 0; i < 3; i++) {
        at[i] = (float)m->ground[i];
        normal[i] = (float)m->normal[i];
    }
    to_model(call, at, normal, out_point, out_normal);
    return true;
}

static float lock_of(const anim_solver_call* call, const char* name)
{
    if (!call->graph || !name)
        return 0;
    uint32_t input = call->graph->topology->nodes[call->node].inputs[0].node;
    if (input == ANIM_NO_NODE)
        return 0;
    float value = anim_node_get_curve(call->graph, input, name, 0);
    if (anim_node_is_during(call->graph, input, name))
        return 1;
    return value > 0 ? value < 1 ? value : 1 : 0;
}

static void fill_input(const anim_solver_call* call, uint32_t leg, anim_foot_input* out)
{
    const char* const* locks = call->solver->as.foot.locks;
    *out = (anim_foot_input){.lock = lock_of(call, locks ? locks[leg] : NULL),
                             .has_ground = call->given[2 * leg]};
    if (!out->has_ground)
        return;
    memcpy(out->point, call->targets[2 * leg], sizeof out->point);
    if (call->given[2 * leg + 1])
        memcpy(out->normal, call->targets[2 * leg + 1], sizeof out->normal);
}

static float run(const anim_solver_call* call)
{
    anim_foot d = call->solver->as.foot.desc;
    anim_foot_input* inputs = call->scratch;
    for (uint32_t i = 0; i < d.leg_count; i++)
        fill_input(call, i, &inputs[i]);
    d.inputs = inputs;
    d.weight = call->weight;
    d.place = call->place;
    d.user = (void*)(uintptr_t)call;
    if (call->graph && call->solver->as.foot.asks)
        d.ground = call->looks ? recall : ask;
    return anim_ik_foot(call->skeleton, call->pose, &d, call->before, call->after, call->dt);
}

static bool is_fine(const anim_solver* solver, const void* memory)
{
    return anim_ik_foot_memory_is_fine(solver->as.foot.desc.leg_count, memory);
}

const anim_solver_row anim_solve_foot = {prepare, NULL, run, NULL, is_fine, NULL};
