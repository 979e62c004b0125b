// SPDX-License-Identifier: MIT
// In which order a hierarchy is walked.
#pragma once

#include "base/arena.h"
#include "base/layout.h"

typedef struct anim_model_step {
    uint16_t joint, parent;
} anim_model_step;

// So many groups' local matrices, then so many steps down the hierarchy.
typedef struct anim_model_run {
    uint16_t groups, steps;
} anim_model_run;

typedef struct anim_model_plan {
    uint32_t run_count, group_count, step_count;
    const anim_model_run* runs;
    const uint16_t* groups;       // groups of eight joints of which some are wanted, in order
    const anim_model_step* steps; // the wanted joints that have a parent, parents first
} anim_model_plan;

// The order for `count` joints (parents before children, -1: a root): joints with most levels below them
// come first, so that a joint seldom has to wait for its parent; where it would, groups that are still to
// be made stand between. `wanted` has a flag for each joint, and with a joint its parents must be wanted
// too; NULL: all. O(count). False: out of memory.
bool anim_model_plan_make(anim_arena* arena, const int16_t* parents, const bool* wanted,
                          uint32_t count, anim_model_plan* out);

// A copy in a block of memory; the layout is measured first, as layouts are.
anim_model_plan anim_model_plan_place(anim_layout* layout, const anim_model_plan* plan);
