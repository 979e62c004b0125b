// SPDX-License-Identifier: MIT
#include "graph/condition.h"

#include "base/layout.h"
#include "base/mem.h"

#include <string.h>

// How many values an operation takes from the stack; each leaves one.
static uint32_t taken_by(uint32_t op)
{
    if (op < ANIM_COND_LESS)
        return 0;
    return op == ANIM_COND_NOT ? 1 : 2;
}

anim_code anim_condition_check(const anim_condition* c, uint32_t param_count, anim_error* err)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < c->step_count; i++) {
        const anim_condition_step* s = &c->steps[i];
        uint32_t taken = taken_by(s->op);
        bool named = s->op == ANIM_COND_EVENT || s->op == ANIM_COND_DURING;
        if (s->op > ANIM_COND_NOT || taken > depth || (named && s->index >= c->name_count) ||
            (s->op == ANIM_COND_PARAM && s->index >= param_count) || !(s->value * 0 == 0))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "condition: step %u is not right", i + 1);
        depth += 1 - taken;
        if (depth > ANIM_CONDITION_DEPTH)
            return anim_fail(err, ANIM_ERR_LIMIT, "condition: nested too deep");
    }
    if (c->step_count > 0 && depth != 1)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "condition: %u values are left", depth);
    return ANIM_OK;
}

static anim_condition* lay_out(anim_layout* layout, const anim_condition* from)
{
    anim_condition* to = anim_layout_take(layout, 1, sizeof *to);
    anim_condition_step* steps = anim_layout_take(layout, from->step_count, sizeof *steps);
    const char** names = anim_layout_take(layout, from->name_count, sizeof *names);
    const char* text = from->text ? from->text : "";
    char* text_copy = anim_layout_take(layout, strlen(text) + 1, 1);
    for (uint32_t i = 0; i < from->name_count; i++) {
        size_t size = strlen(from->names[i]) + 1;
        char* name = anim_layout_take(layout, size, 1);
        if (layout->block) {
            memcpy(name, from->names[i], size);
            names[i] = name;
        }
    }
    if (!layout->block)
        return NULL;
    *to = *from;
    if (from->step_count > 0)
        memcpy(steps, from->steps, from->step_count * sizeof *steps);
    memcpy(text_copy, text, strlen(text) + 1);
    to->steps = steps;
    to->names = names;
    to->text = text_copy;
    return to;
}

anim_condition* anim_condition_copy(const anim_condition* condition)
{
    anim_layout layout = {0};
    lay_out(&layout, condition);
    layout = (anim_layout){anim_mem_alloc(layout.size), 0};
    return layout.block ? lay_out(&layout, condition) : NULL;
}

void anim_condition_free(anim_condition* condition)
{
    anim_mem_free(condition);
}

static double compare(uint32_t op, double a, double b)
{
    switch (op) {
    case ANIM_COND_LESS: return a < b;
    case ANIM_COND_LESS_EQUAL: return a <= b;
    case ANIM_COND_GREATER: return a > b;
    case ANIM_COND_GREATER_EQUAL: return a >= b;
    case ANIM_COND_EQUAL: return a == b;
    case ANIM_COND_NOT_EQUAL: return a != b;
    case ANIM_COND_AND: return a != 0 && b != 0;
    default: return a != 0 || b != 0;
    }
}

static double look_up(const anim_condition* c, const anim_condition_step* s,
                      double (*param)(const void* graph, uint32_t index), const void* graph,
                      const anim_condition_view* view)
{
    switch (s->op) {
    case ANIM_COND_NUMBER: return s->value;
    case ANIM_COND_PARAM: return param(graph, s->index);
    case ANIM_COND_TIME: return view->time;
    case ANIM_COND_PHASE: return view->phase;
    case ANIM_COND_REMAINING: return view->remaining;
    case ANIM_COND_DONE: return view->done;
    case ANIM_COND_EVENT: return view->event(view->user, c->names[s->index]);
    default: return view->during(view->user, c->names[s->index]);
    }
}

double anim_condition_run(const anim_condition* c,
                          double (*param)(const void* graph, uint32_t index), const void* graph,
                          const anim_condition_view* view)
{
    double stack[ANIM_CONDITION_DEPTH + 1];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < c->step_count; i++) {
        const anim_condition_step* s = &c->steps[i];
        uint32_t taken = taken_by(s->op);
        if (taken == 0)
            stack[depth++] = look_up(c, s, param, graph, view);
        else if (taken == 1)
            stack[depth - 1] = stack[depth - 1] == 0;
        else {
            stack[depth - 2] = compare(s->op, stack[depth - 2], stack[depth - 1]);
            depth--;
        }
    }
    return c->step_count > 0 ? stack[0] : 1;
}
