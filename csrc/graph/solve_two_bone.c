// SPDX-License-Identifier: MIT
#include "graph/solver.h"

#include <string.h>

static anim_code prepare(anim_solver* solver, anim_skeleton* skeleton, anim_error* err)
{
    const anim_two_bone* d = &solver->as.two_bone;
    if (d->mid == d->tip || d->root == d->mid ||
        !anim_skeleton_is_below(skeleton, d->tip, d->mid) ||
        !anim_skeleton_is_below(skeleton, d->mid, d->root))
        return anim_fail(
            err, ANIM_ERR_ARGUMENT, "'%s', '%s' and '%s' are not above one another in the skeleton",
            anim_skeleton_name(skeleton, d->root), anim_skeleton_name(skeleton, d->mid),
            anim_skeleton_name(skeleton, d->tip));
    solver->memory_size = sizeof(anim_bend);
    return ANIM_OK;
}

static float run(const anim_solver_call* call)
{
    anim_two_bone d = call->solver->as.two_bone;
    memcpy(d.target, call->targets[0], sizeof d.target);
    d.has_pole = call->pole != NULL;
    if (d.has_pole)
        memcpy(d.pole, call->pole, sizeof d.pole);
    d.weight = call->weight;
    return anim_ik_two_bone(call->skeleton, call->pose, &d, call->before, call->after);
}

static float miss(const anim_solver_call* call)
{
    return anim_solver_gap(call, call->solver->as.two_bone.tip, call->targets[0]);
}

static bool is_fine(const anim_solver* solver, const void* memory)
{
    (void)solver;
    return anim_bend_is_fine(memory);
}

const anim_solver_row anim_solve_two_bone = {prepare, NULL, run, miss, is_fine, NULL};
