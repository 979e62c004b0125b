// SPDX-License-Identifier: MIT
#include "graph/solver.h"

#include <string.h>

static anim_code prepare(anim_solver* solver, anim_skeleton* skeleton, anim_error* err)
{
    const anim_stride* d = &solver->as.stride;
    anim_code code = anim_solver_check_legs(skeleton, d->legs, d->leg_count, (int32_t)d->pelvis,
                                            err);
    solver->memory_size = anim_ik_stride_memory_size(d);
    return code;
}

static float run(const anim_solver_call* call)
{
    anim_stride d = call->solver->as.stride;
    d.factor = call->values[0] > 0 ? call->values[0] : 0;
    memcpy(d.direction, call->values + 1, sizeof d.direction);
    d.weight = call->weight;
    return anim_ik_stride(call->skeleton, call->pose, &d, call->before, call->after);
}

static bool is_fine(const anim_solver* solver, const void* memory)
{
    bool fine = true;
    for (uint32_t i = 0; i < solver->as.stride.leg_count && fine; i++)
        fine = anim_bend_is_fine((const anim_bend*)memory + i);
    return fine;
}

const anim_solver_row anim_solve_stride = {prepare, NULL, run, NULL, is_fine, NULL};
