// SPDX-License-Identifier: MIT
#include "pose/model_plan.h"

#include <string.h>

// Rough costs in cycles; only their ratios matter.
enum { group_cost = 30, step_cost = 6, step_latency = 22 };

typedef struct maker {
    const int16_t* parents;
    const bool* wanted;
    uint32_t count;
    uint16_t* height; // levels below a joint
    uint32_t* first;  // of each height: where its joints begin among the steps
    uint32_t* done;   // when a joint is
    anim_model_step* steps;
    uint16_t* groups;
    anim_model_run* runs;
} maker;

static bool is_wanted(const maker* m, uint32_t joint)
{
    return !m->wanted || m->wanted[joint];
}

static uint32_t list_groups(maker* m)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < m->count; j++)
        if (is_wanted(m, j) && (count == 0 || m->groups[count - 1] != j / ANIM_LANES))
            m->groups[count++] = (uint16_t)(j / ANIM_LANES);
    return count;
}

// Sorted by falling height, of equals the first joint first.
static uint32_t list_steps(maker* m)
{
    uint32_t count = 0;
    for (uint32_t j = m->count; j-- > 0;) {
        int16_t parent = m->parents[j];
        if (parent < 0 || !is_wanted(m, j))
            continue;
        count++;
        m->first[m->height[j]]++;
        if (m->height[parent] <= m->height[j])
            m->height[parent] = (uint16_t)(m->height[j] + 1);
    }
    uint32_t at = count;
    for (uint32_t h = 0; h < m->count; h++) {
        at -= m->first[h];
        m->first[h] = at;
    }
    for (uint32_t j = 0; j < m->count; j++)
        if (m->parents[j] >= 0 && is_wanted(m, j))
            m->steps[m->first[m->height[j]]++] = (anim_model_step){(uint16_t)j,
                                                                   (uint16_t)m->parents[j]};
    return count;
}

// Goes through the steps with a clock. Returns the number of runs.
static uint32_t share_out(maker* m, uint32_t group_count, uint32_t step_count)
{
    uint32_t now = 0, groups = 0, count = 0;
    anim_model_run run = {0};
    for (uint32_t i = 0; i < step_count; i++) {
        anim_model_step step = m->steps[i];
        while (groups < group_count &&
               (m->groups[groups] <= step.joint / ANIM_LANES ||
                m->groups[groups] <= step.parent / ANIM_LANES || m->done[step.parent] > now)) {
            if (run.steps > 0) {
                m->runs[count++] = run;
                run = (anim_model_run){0};
            }
            run.groups++;
            groups++;
            now += group_cost;
        }
        now = (m->done[step.parent] > now ? m->done[step.parent] : now) + step_cost;
        m->done[step.joint] = now + step_latency - step_cost;
        run.steps++;
    }
    run.groups = (uint16_t)(run.groups + group_count - groups);
    m->runs[count++] = run;
    return count;
}

static bool take_memory(maker* m, anim_arena* arena)
{
    uint32_t groups = anim_group_count(m->count);
    m->height = anim_arena_alloc(arena, m->count, sizeof *m->height);
    m->first = anim_arena_alloc(arena, m->count, sizeof *m->first);
    m->done = anim_arena_alloc(arena, m->count, sizeof *m->done);
    m->steps = anim_arena_alloc(arena, m->count, sizeof *m->steps);
    m->groups = anim_arena_alloc(arena, groups, sizeof *m->groups);
    m->runs = anim_arena_alloc(arena, groups + 1, sizeof *m->runs);
    return m->height && m->first && m->done && m->steps && m->groups && m->runs;
}

bool anim_model_plan_make(anim_arena* arena, const int16_t* parents, const bool* wanted,
                          uint32_t count, anim_model_plan* out)
{
    maker m = {.parents = parents, .wanted = wanted, .count = count};
    if (!take_memory(&m, arena))
        return false;
    uint32_t groups = list_groups(&m), steps = list_steps(&m);
    *out = (anim_model_plan){
        share_out(&m, groups, steps), groups, steps, m.runs, m.groups, m.steps,
    };
    return true;
}

static const void* place(anim_layout* layout, const void* list, size_t count, size_t element)
{
    void* to = anim_layout_take(layout, count, element);
    if (to && count > 0)
        memcpy(to, list, count * element);
    return to;
}

anim_model_plan anim_model_plan_place(anim_layout* layout, const anim_model_plan* plan)
{
    anim_model_plan out = *plan;
    out.runs = place(layout, plan->runs, plan->run_count, sizeof *plan->runs);
    out.groups = place(layout, plan->groups, plan->group_count, sizeof *plan->groups);
    out.steps = place(layout, plan->steps, plan->step_count, sizeof *plan->steps);
    return out;
}
