// SPDX-License-Identifier: MIT
// Conditions of transitions: small postfix programs over parameters and the state that is left.
#pragma once

#include "base/error.h"

typedef enum anim_condition_op {
    ANIM_COND_NUMBER, // pushes `value`
    ANIM_COND_PARAM,  // pushes parameter `index`
    ANIM_COND_TIME,   // of the state that the transition leaves, in seconds
    ANIM_COND_PHASE,
    ANIM_COND_REMAINING,
    ANIM_COND_DONE,
    ANIM_COND_EVENT,  // its event `index` (of the program's names) fires at this instant
    ANIM_COND_DURING, // it is inside range event `index`
    ANIM_COND_LESS,
    ANIM_COND_LESS_EQUAL,
    ANIM_COND_GREATER,
    ANIM_COND_GREATER_EQUAL,
    ANIM_COND_EQUAL,
    ANIM_COND_NOT_EQUAL,
    ANIM_COND_AND,
    ANIM_COND_OR,
    ANIM_COND_NOT
} anim_condition_op;

typedef struct anim_condition_step {
    uint32_t op; // anim_condition_op
    uint32_t index;
    double value;
} anim_condition_step;

#define ANIM_CONDITION_DEPTH 32u // of the stack

// A program in one block; immutable.
typedef struct anim_condition {
    const anim_condition_step* steps; // none: always true
    uint32_t step_count;
    const char* const* names; // of events
    uint32_t name_count;
    const char* text;  // as written, for traces; "" where it is a function
    uint32_t function; // > 0: the host decides (anim_host.condition)
    bool timed;        // looks at the state that is left
} anim_condition;

// Checks that the program leaves one value and stays within the stack and its names. ARGUMENT otherwise.
anim_code anim_condition_check(const anim_condition* condition, uint32_t param_count,
                               anim_error* err);
anim_condition* anim_condition_copy(const anim_condition* condition); // NULL: out of memory
void anim_condition_free(anim_condition* condition);

// What a program can ask of the state that is left, at one instant.
typedef struct anim_condition_view {
    double time, phase, remaining;
    bool done;
    bool (*event)(const void* user, const char* name);
    bool (*during)(const void* user, const char* name);
    const void* user;
} anim_condition_view;

// `params`: the value of each parameter, read by index through `param`.
double anim_condition_run(const anim_condition* condition,
                          double (*param)(const void* graph, uint32_t index), const void* graph,
                          const anim_condition_view* view);
