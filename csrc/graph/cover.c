// SPDX-License-Identifier: MIT
// After a graph was described anew: what its pose jumped by dies away. This is for whoever is at work on
// a character, so it is no part of the state that is saved.
#include "graph/cover.h"

#include "base/layout.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

anim_code anim_cover_begin(anim_graph* graph, anim_error* err)
{
    uint32_t groups = graph->topology->skeleton->group_count;
    anim_cover* cover = NULL;
    if (graph->evaluated == 0) // there is no pose to go on from
        return ANIM_OK;
    anim_layout layout = {0};
    for (int pass = 0; pass < 2; pass++) {
        cover = anim_layout_take(&layout, 1, sizeof *cover);
        anim_pose_group* poses = anim_layout_take(&layout, 2 * (size_t)groups, sizeof *poses);
        if (pass == 0)
            layout = (anim_layout){anim_mem_alloc(layout.size), 0};
        if (!layout.block)
            return anim_fail_memory(err, "a graph");
        if (pass == 1)
            cover->offsets = (anim_momentum){poses, poses + groups};
    }
    memcpy(cover->offsets.at, anim_graph_pose(graph), groups * sizeof *graph->pose);
    anim_mem_free(graph->cover);
    graph->cover = cover;
    return ANIM_OK;
}

void anim_cover_fade(anim_graph* graph, double seconds)
{
    const anim_skeleton* skeleton = graph->topology->skeleton;
    anim_cover* cover = graph->cover;
    if (!cover)
        return;
    // It stands still: the same pose now and a moment ago.
    anim_momentum_capture(skeleton, cover->offsets.at, cover->offsets.at, 1, &cover->offsets);
    anim_momentum_to_offsets(skeleton, &cover->offsets, anim_graph_pose(graph));
    cover->duration = seconds;
    cover->elapsed = 0;
    anim_cover_apply(graph);
}

void anim_cover_step(anim_graph* graph, double dt)
{
    anim_cover* cover = graph->cover;
    if (!cover || !(cover->duration > 0))
        return;
    cover->elapsed += fabs(dt);
    if (cover->elapsed < cover->duration)
        return;
    anim_mem_free(cover);
    graph->cover = NULL;
}

void anim_cover_apply(anim_graph* graph)
{
    const anim_cover* cover = graph->cover;
    if (!anim_cover_is_active(graph))
        return;
    anim_graph_pose(graph);
    anim_offsets_apply(graph->topology->skeleton, &cover->offsets, (float)cover->elapsed,
                       (float)cover->duration, NULL, anim_graph_pose_to_write(graph));
}
