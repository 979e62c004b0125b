// SPDX-License-Identifier: MIT
#include "graph/solver.h"

#include <string.h>

static anim_code prepare(anim_solver* solver, anim_skeleton* skeleton, anim_error* err)
{
    (void)err;
    solver->memory_size = anim_ik_spring_memory_size(skeleton, &solver->as.spring);
    solver->scratch_size = anim_ik_spring_scratch_size(skeleton, &solver->as.spring);
    return ANIM_OK;
}

static float run(const anim_solver_call* call)
{
    anim_spring d = call->solver->as.spring;
    memcpy(d.wind, call->values, sizeof d.wind);
    d.weight = call->weight;
    anim_spring_place place = {.reset = call->resets};
    for (int i = 0; i < 3; i++)
        place.position[i] = (double)call->place.t[i];
    memcpy(place.rotation, call->place.q, sizeof place.rotation);
    anim_ik_spring(call->skeleton, call->pose, &d, &place, call->before, call->after, call->dt,
                   call->scratch);
    return 0;
}

static bool is_fine(const anim_solver* solver, const void* memory)
{
    return anim_ik_spring_memory_is_fine(solver->skeleton, &solver->as.spring, memory);
}

// Colliders are at the end of the memory: the rest goes on when one is added.
static size_t carries(const anim_solver* solver, const anim_solver* before)
{
    if (solver->as.spring.root != before->as.spring.root)
        return 0;
    return solver->memory_size < before->memory_size ? solver->memory_size : before->memory_size;
}

const anim_solver_row anim_solve_spring = {prepare, NULL, run, NULL, is_fine, carries};
