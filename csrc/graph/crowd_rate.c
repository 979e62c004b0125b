// SPDX-License-Identifier: MIT
// Graphs of a crowd that evaluate less often: when, and what is shown in between.
#include "graph/crowd_parts.h"

#include "base/layout.h"
#include "base/mem.h"

#include <string.h>

// So that 4 steps of 1/60 are 1/15, whatever their sum is rounded to.
static const double nearly = 1 - 1e-9;

// Steps of the golden ratio are spread evenly, however many there are.
static double share_of_turn(uint32_t turn)
{
    return (double)(turn * 2654435769u) / 4294967296.0;
}

static anim_crowd_rate* make_rate(const anim_skeleton* skeleton)
{
    anim_layout layout = {0};
    anim_crowd_rate* rate = NULL;
    for (int pass = 0; pass < 2; pass++) {
        rate = anim_layout_take(&layout, 1, sizeof *rate);
        anim_pose_group* poses = anim_layout_take(&layout, 2 * (size_t)skeleton->group_count,
                                                  sizeof *poses);
        if (pass == 0)
            layout = (anim_layout){anim_mem_alloc(layout.size), 0};
        if (!layout.block)
            return NULL;
        if (pass == 1) {
            rate->before = poses;
            rate->last = poses + skeleton->group_count;
        }
    }
    return rate;
}

static size_t pose_size(const anim_graph* graph)
{
    return graph->topology->skeleton->group_count * sizeof(anim_pose_group);
}

anim_code anim_crowd_set_rate(anim_graph* graph, double seconds, anim_error* err)
{
    if (!graph->crowd)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "the graph is in no crowd");
    anim_crowd_member* member = &graph->crowd->members[graph->crowd_place];
    if (!(seconds > 0)) {
        anim_mem_free(member->rate);
        member->rate = NULL;
        return ANIM_OK;
    }
    if (!member->rate) {
        member->rate = make_rate(graph->topology->skeleton);
        if (!member->rate)
            return anim_fail_memory(err, "a crowd");
        member->rate->fresh = true;
        member->rate->since = share_of_turn(graph->crowd->turns++) * seconds;
    }
    member->rate->seconds = seconds;
    return ANIM_OK;
}

double anim_crowd_get_rate(const anim_graph* graph)
{
    const anim_crowd_rate* rate = graph->crowd ? graph->crowd->members[graph->crowd_place].rate
                                               : NULL;
    return rate ? rate->seconds : 0;
}

bool anim_crowd_rate_is_due(anim_crowd_member* member, double seconds)
{
    anim_crowd_rate* rate = member->rate;
    if (!rate || rate->fresh)
        return true;
    rate->since += seconds;
    return rate->since >= rate->seconds * nearly;
}

void anim_crowd_rate_take(anim_crowd_member* member)
{
    anim_crowd_rate* rate = member->rate;
    if (!rate)
        return;
    anim_pose_group* older = rate->before;
    rate->before = rate->last;
    rate->last = older;
    memcpy(rate->last, anim_graph_pose(member->graph), pose_size(member->graph));
    if (rate->fresh) { // nothing to come from
        memcpy(rate->before, rate->last, pose_size(member->graph));
        rate->fresh = false;
        rate->gap = rate->seconds;
        return;
    }
    rate->gap = rate->since;
    rate->since = 0;
    anim_crowd_rate_show(member);
}

// `seconds` ago, seen from the older of the two poses, in parts of the way to the newer.
void anim_crowd_rate_show(const anim_crowd_member* member)
{
    const anim_crowd_rate* rate = member->rate;
    anim_graph* graph = member->graph;
    double part = (rate->since + rate->gap - rate->seconds) / rate->gap;
    float weight = part > 0 ? part < 1 ? (float)part : 1 : 0;
    anim_pose_group* pose = anim_graph_pose_to_write(graph);
    memcpy(pose, rate->before, pose_size(graph));
    anim_pose_blend(graph->topology->skeleton, pose, rate->last, weight, NULL);
    graph->evaluated = ((const anim_graph_state*)(const void*)graph->state)->advanced;
}
