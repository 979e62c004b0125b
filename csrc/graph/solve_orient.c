// SPDX-License-Identifier: MIT
#include "graph/solver.h"

static anim_code prepare(anim_solver* solver, anim_skeleton* skeleton, anim_error* err)
{
    const anim_orient* d = &solver->as.orient;
    uint32_t above = d->pelvis;
    for (uint32_t i = 0; i < d->spine_count; above = d->spine[i++])
        if (d->spine[i] == above || !anim_skeleton_is_below(skeleton, d->spine[i], above))
            return anim_fail(
                err, ANIM_ERR_ARGUMENT, "'%s' is not below '%s', which stands before it",
                anim_skeleton_name(skeleton, d->spine[i]), anim_skeleton_name(skeleton, above));
    return ANIM_OK;
}

static float run(const anim_solver_call* call)
{
    anim_orient d = call->solver->as.orient;
    d.angle = call->values[0];
    d.weight = call->weight;
    anim_ik_orient(call->skeleton, call->pose, &d);
    return 0;
}

const anim_solver_row anim_solve_orient = {prepare, NULL, run, NULL, NULL, NULL};
