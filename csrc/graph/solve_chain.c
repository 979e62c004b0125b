// SPDX-License-Identifier: MIT
#include "graph/solver.h"

#include <string.h>

static size_t targets_size(const anim_solver* solver)
{
    return (solver->target_count * sizeof(anim_chain_target) + 31) / 32 * 32;
}

static anim_code prepare(anim_solver* solver, anim_skeleton* skeleton, anim_error* err)
{
    anim_solver_chain* c = &solver->as.chain;
    anim_code code = anim_chain_create(skeleton, &c->desc, &c->chain, err);
    if (!code)
        solver->scratch_size = targets_size(solver) + anim_chain_scratch_size(c->chain);
    return code;
}

static void release(anim_solver* solver)
{
    anim_chain_release(solver->as.chain.chain);
}

static float run(const anim_solver_call* call)
{
    const anim_solver_chain* c = &call->solver->as.chain;
    anim_chain_target* targets = call->scratch;
    for (uint32_t i = 0; i < call->solver->target_count; i++) {
        targets[i].weight = call->given[i] ? c->pulls[i] : 0;
        memcpy(targets[i].at, call->targets[i], sizeof targets[i].at);
    }
    return anim_ik_chain(c->chain, call->pose, targets, call->weight,
                         (unsigned char*)call->scratch + targets_size(call->solver));
}

static float miss(const anim_solver_call* call)
{
    const anim_solver_chain* c = &call->solver->as.chain;
    float most = 0;
    for (uint32_t i = 0; i < call->solver->target_count; i++) {
        bool counts = call->given[i] && c->pulls[i] > 0;
        float gap = counts ? anim_solver_gap(call, c->desc.tips[i], call->targets[i]) : 0;
        most = gap > most ? gap : most;
    }
    return most;
}

const anim_solver_row anim_solve_chain = {prepare, release, run, miss, NULL, NULL};
