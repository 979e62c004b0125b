// SPDX-License-Identifier: MIT
// Who is in a crowd. How it is moved: graph/crowd_update.c.
#include "graph/crowd_parts.h"

#include "base/mem.h"
#include "graph/solver.h"

#include <string.h>

// --- shapes -------------------------------------------------------------------------------------------

static void free_lanes(anim_crowd* crowd, anim_crowd_shape* shape)
{
    for (uint32_t i = 0; i < crowd->lanes && shape->lanes; i++)
        anim_workspace_release(shape->lanes[i]);
    anim_mem_free(shape->lanes);
    anim_skeleton_release(shape->skeleton);
    *shape = (anim_crowd_shape){0};
}

static anim_code make_lanes(anim_crowd* crowd, anim_crowd_shape* shape, anim_skeleton* skeleton,
                            anim_error* err)
{
    shape->skeleton = anim_skeleton_retain(skeleton);
    shape->lanes = anim_mem_alloc(crowd->lanes * sizeof(anim_workspace*));
    anim_code code = shape->lanes ? ANIM_OK : anim_fail_memory(err, "a crowd");
    for (uint32_t i = 0; i < crowd->lanes && !code; i++)
        code = anim_workspace_create(skeleton, &shape->lanes[i], err);
    if (code)
        free_lanes(crowd, shape);
    return code;
}

uint32_t anim_crowd_find_shape(const anim_crowd* crowd, const anim_skeleton* skeleton)
{
    for (uint32_t i = 0; i < crowd->shape_count; i++)
        if (crowd->shapes[i].skeleton && anim_skeleton_same(crowd->shapes[i].skeleton, skeleton))
            return i;
    return UINT32_MAX;
}

// The place of a free shape; UINT32_MAX: out of memory.
static uint32_t free_place(anim_crowd* crowd)
{
    for (uint32_t i = 0; i < crowd->shape_count; i++)
        if (!crowd->shapes[i].skeleton)
            return i;
    anim_crowd_shape* more = anim_mem_alloc((crowd->shape_count + 1) * sizeof *more);
    if (!more)
        return UINT32_MAX;
    if (crowd->shape_count > 0)
        memcpy(more, crowd->shapes, crowd->shape_count * sizeof *more);
    anim_mem_free(crowd->shapes);
    crowd->shapes = more;
    return crowd->shape_count++;
}

static anim_code fit_lanes(anim_crowd* crowd, anim_crowd_shape* shape,
                           const anim_topology* topology, anim_error* err)
{
    anim_code code = ANIM_OK;
    for (uint32_t i = 0; i < crowd->lanes && !code; i++)
        code = anim_workspace_fit(shape->lanes[i], topology, err);
    return code;
}

// A shape for the graph, with room for it.
static anim_code find_or_make_shape(anim_crowd* crowd, const anim_graph* graph, uint32_t* out,
                                    anim_error* err)
{
    anim_skeleton* skeleton = graph->topology->skeleton;
    *out = anim_crowd_find_shape(crowd, skeleton);
    if (*out == UINT32_MAX) {
        *out = free_place(crowd);
        anim_code code = *out == UINT32_MAX
                             ? anim_fail_memory(err, "a crowd")
                             : make_lanes(crowd, &crowd->shapes[*out], skeleton, err);
        if (code)
            return code;
    }
    anim_crowd_shape* shape = &crowd->shapes[*out];
    anim_code code = fit_lanes(crowd, shape, graph->topology, err);
    if (code && shape->members == 0)
        free_lanes(crowd, shape);
    return code;
}

// --- life ---------------------------------------------------------------------------------------------

anim_code anim_crowd_create(uint32_t threads, anim_crowd** out, anim_error* err)
{
    anim_crowd* crowd = *out = anim_mem_alloc(sizeof *crowd);
    if (crowd && (crowd->jobs = anim_jobs_create(threads))) {
        crowd->lanes = anim_jobs_workers(crowd->jobs);
        return ANIM_OK;
    }
    anim_mem_free(crowd);
    *out = NULL;
    return anim_fail_memory(err, "a crowd");
}

void anim_crowd_destroy(anim_crowd* crowd)
{
    if (!crowd)
        return;
    for (uint32_t i = 0; i < crowd->count; i++)
        if (crowd->members[i].graph)
            anim_crowd_remove(crowd->members[i].graph);
    anim_jobs_destroy(crowd->jobs);
    anim_mem_free(crowd->members);
    anim_mem_free(crowd->shapes);
    anim_mem_free(crowd);
}

uint32_t anim_crowd_threads(const anim_crowd* crowd)
{
    return crowd->lanes;
}

uint32_t anim_crowd_count(const anim_crowd* crowd)
{
    return crowd->present;
}

bool anim_crowd_is_updating(const anim_crowd* crowd)
{
    return crowd->updating;
}

// --- members ------------------------------------------------------------------------------------------

static bool asks_host(const anim_node* node)
{
    if (node->kind == ANIM_KIND_SCRIPT)
        return node->has_update || node->has_pose;
    if (node->kind == ANIM_KIND_FOOT)
        return node->solver->as.foot.asks;
    for (uint32_t i = 0; i < node->transition_count; i++)
        if (node->transitions[i].condition->function > 0)
            return true;
    return false;
}

static bool topology_asks_host(const anim_topology* topology)
{
    bool asks = false;
    for (uint32_t i = 0; i < topology->walk_count && !asks; i++)
        asks = asks_host(&topology->nodes[topology->walk[i]]);
    return asks;
}

// Places of those who left are used again between updates.
static void close_gaps(anim_crowd* crowd)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < crowd->count; i++) {
        if (!crowd->members[i].graph)
            continue;
        crowd->members[kept] = crowd->members[i];
        crowd->members[kept].graph->crowd_place = kept;
        kept++;
    }
    crowd->count = kept;
}

void anim_crowd_rank(anim_crowd* crowd)
{
    if (!crowd->unranked)
        return;
    if (!crowd->updating)
        close_gaps(crowd);
    for (uint32_t i = 0; i < crowd->shape_count; i++)
        crowd->shapes[i].members = 0;
    for (uint32_t i = 0; i < crowd->count; i++)
        if (crowd->members[i].graph)
            crowd->members[i].rank = crowd->shapes[crowd->members[i].shape].members++;
    crowd->unranked = crowd->updating;
}

static bool grow(anim_crowd* crowd)
{
    if (crowd->count == crowd->room && crowd->present <= crowd->room / 2 && !crowd->updating)
        close_gaps(crowd);
    if (crowd->count < crowd->room)
        return true;
    uint32_t room = crowd->room == 0 ? 16 : crowd->room * 2;
    anim_crowd_member* members = anim_mem_alloc(room * sizeof *members);
    if (!members)
        return false;
    if (crowd->count > 0)
        memcpy(members, crowd->members, crowd->count * sizeof *members);
    anim_mem_free(crowd->members);
    crowd->members = members;
    crowd->room = room;
    return true;
}

anim_code anim_crowd_add(anim_crowd* crowd, anim_graph* graph, anim_error* err)
{
    if (graph->crowd)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "the graph is in %s crowd already",
                         graph->crowd == crowd ? "this" : "another");
    if (!grow(crowd))
        return anim_fail_memory(err, "a crowd");
    uint32_t shape;
    anim_code code = find_or_make_shape(crowd, graph, &shape, err);
    if (code)
        return code;
    crowd->members[crowd->count] = (anim_crowd_member){.graph = graph,
                                                       .shape = shape,
                                                       .rank = crowd->shapes[shape].members++,
                                                       .faded = graph->faded,
                                                       .asks = topology_asks_host(graph->topology)};
    graph->crowd = crowd;
    graph->crowd_place = crowd->count++;
    crowd->present++;
    return ANIM_OK;
}

void anim_crowd_remove(anim_graph* graph)
{
    anim_crowd* crowd = graph->crowd;
    if (!crowd)
        return;
    anim_crowd_member* member = &crowd->members[graph->crowd_place];
    uint32_t shape = member->shape;
    graph->crowd = NULL;
    anim_mem_free(member->rate);
    *member = (anim_crowd_member){0};
    crowd->present--;
    crowd->unranked = true;
    if (--crowd->shapes[shape].members == 0)
        free_lanes(crowd, &crowd->shapes[shape]);
}

static anim_crowd_member* member_of(const anim_graph* graph)
{
    return graph->crowd ? &graph->crowd->members[graph->crowd_place] : NULL;
}

void anim_crowd_set_flags(anim_graph* graph, unsigned flags)
{
    anim_crowd_member* member = member_of(graph);
    if (member)
        member->flags = (uint8_t)flags;
}

void anim_crowd_set_listens(anim_crowd* crowd, bool listens)
{
    crowd->listens = listens;
}

anim_code anim_crowd_fit(anim_graph* graph, anim_error* err)
{
    const anim_crowd_member* member = member_of(graph);
    return member
               ? fit_lanes(graph->crowd, &graph->crowd->shapes[member->shape], graph->topology, err)
               : ANIM_OK;
}

void anim_crowd_note_edit(anim_graph* graph)
{
    anim_crowd_member* member = member_of(graph);
    if (member)
        member->asks = topology_asks_host(graph->topology);
}
