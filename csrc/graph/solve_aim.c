// SPDX-License-Identifier: MIT
#include "graph/solver.h"

#include <string.h>

static anim_code prepare(anim_solver* solver, anim_skeleton* skeleton, anim_error* err)
{
    const anim_aim* d = &solver->as.aim;
    for (uint32_t i = 1; i < d->joint_count; i++) {
        uint32_t above = d->joints[i - 1].joint, joint = d->joints[i].joint;
        if (joint == above || !anim_skeleton_is_below(skeleton, joint, above))
            return anim_fail(
                err, ANIM_ERR_ARGUMENT, "'%s' is not below '%s', which stands before it",
                anim_skeleton_name(skeleton, joint), anim_skeleton_name(skeleton, above));
    }
    solver->memory_size = sizeof(anim_aim_memory);
    return ANIM_OK;
}

static float run(const anim_solver_call* call)
{
    anim_aim d = call->solver->as.aim;
    memcpy(d.target, call->targets[0], sizeof d.target);
    d.has_pole = call->pole != NULL;
    if (d.has_pole)
        memcpy(d.pole, call->pole, sizeof d.pole);
    d.weight = call->weight;
    return anim_ik_aim(call->skeleton, call->pose, &d, call->before, call->after, call->dt);
}

// How far the target is from the ray; behind its start: from that.
static float miss(const anim_solver_call* call)
{
    const anim_aim* d = &call->solver->as.aim;
    anim_mat34 f;
    double m[3][4];
    anim_pose_joint_to_model(call->skeleton, call->pose, d->joints[d->joint_count - 1].joint, &f);
    for (int i = 0; i < 12; i++)
        m[i / 4][i % 4] = (double)f.m[i / 4][i % 4];
    anim_dvec start = anim_ik_point((const double(*)[4])m, anim_dvec_from(d->offset));
    anim_dvec axis = anim_ik_direction((const double(*)[4])m, anim_dvec_from(d->axis));
    anim_dvec way = anim_dvec_sub(anim_dvec_from(call->targets[0]), start);
    axis = anim_dvec_normalize(axis, (anim_dvec){0, 0, 0});
    double along = anim_dvec_dot(way, axis);
    anim_dvec aside = along > 0 ? anim_dvec_sub(way, anim_dvec_scale(axis, along)) : way;
    return (float)anim_dvec_length(aside);
}

static bool is_fine(const anim_solver* solver, const void* memory)
{
    (void)solver;
    return anim_aim_memory_is_fine(memory);
}

const anim_solver_row anim_solve_aim = {prepare, NULL, run, miss, is_fine, NULL};
