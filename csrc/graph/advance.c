// SPDX-License-Identifier: MIT
// The logic pass: parameters, weights, time, events, root motion. Writes the state block only.
#include "base/cache.h"
#include "graph/cover.h"
#include "graph/execute.h"
#include "graph/walk.h"
#include "math/spring.h"

#include <math.h>

static void advance_params(anim_graph* graph, double dt)
{
    for (uint32_t i = 0; i < graph->topology->param_count; i++) {
        const anim_param* p = &graph->topology->params[i];
        anim_param_state* s = anim_state_of_param(graph, i);
        if (p->kind == ANIM_PARAM_NUMBER && p->smooth > 0)
            anim_spring_step(&s->value, &s->velocity, anim_param_shape(p, s->target), p->smooth,
                             dt);
    }
}

// A trigger is gone when a transition took it, and forgotten when its life is over.
static void age_triggers(anim_graph* graph, double dt)
{
    for (uint32_t i = 0; i < graph->topology->param_count; i++) {
        const anim_param* p = &graph->topology->params[i];
        anim_param_state* s = anim_state_of_param(graph, i);
        if (p->kind != ANIM_PARAM_TRIGGER || s->target == 0)
            continue;
        s->age += dt;
        if (s->velocity != 0 || (p->life >= 0 && s->age >= p->life))
            s->target = s->value = s->velocity = 0;
    }
}

void anim_graph_settle(anim_graph* graph)
{
    if (graph->locked)
        return;
    anim_walk walk = {.graph = graph, .topology = graph->topology, .pace = 1, .direction = 1};
    graph->locked = true;
    anim_walk_weigh(&walk);
    graph->locked = false;
}

// The state is on its way as a whole: otherwise each node would wait for its own, where a game has needed the caches
// since the last update. Large ones hold poses that are seldom looked at.
static void fetch_state(const anim_graph* graph)
{
    const size_t most = 1024;
    anim_fetch(graph->state,
               graph->topology->state_size < most ? graph->topology->state_size : most);
}

anim_code anim_graph_advance(anim_graph* graph, double dt, bool mute, anim_error* err)
{
    if (graph->locked || graph->delivering)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "the graph is being updated");
    fetch_state(graph);
    graph->locked = true;
    graph->last_dt = dt;
    anim_graph_state* s = anim_state_of_graph(graph);
    anim_event_queue_begin_step(&graph->events);
    dt = anim_bounded_seconds(dt);
    anim_walk walk = {.graph = graph,
                      .topology = graph->topology,
                      .dt = anim_bounded_seconds(dt * s->speed),
                      .mute = mute,
                      .covers = dt * fabs(s->speed),
                      .pace = 1,
                      .direction = 1};
    if (++s->advanced == 0) // a number of the update, and whether there was one
        s->advanced = 1;
    uint32_t faded = graph->faded;
    advance_params(graph, dt);
    anim_walk_weigh(&walk);
    anim_workspace_clear_moves(graph->workspace); // a script may have advanced a clone meanwhile
    if (graph->topology->root != ANIM_NO_NODE)
        anim_walk_step(&walk, graph->topology->root, walk.dt);
    anim_walk_tell_moves(&walk);
    anim_walk_motion(&walk);
    anim_walk_warp(&walk);
    if (graph->faded != faded)
        anim_graph_finish_fades(graph);
    age_triggers(graph, dt);
    s->clock += walk.dt;
    anim_cover_step(graph, walk.dt);
    anim_event_queue_sort(&graph->events);
    graph->locked = false;
    return ANIM_OK;
}
