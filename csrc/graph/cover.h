// SPDX-License-Identifier: MIT
// A fade over a graph that was described anew, from the pose it had.
#pragma once

#include "graph/graph.h"
#include "pose/inertia.h"

typedef struct anim_cover {
    double elapsed, duration; // of the graph's time; duration 0: it has not begun
    anim_momentum offsets;
} anim_cover;

static inline bool anim_cover_is_active(const anim_graph* graph)
{
    return graph->cover && graph->cover->duration > 0;
}

anim_code anim_cover_begin(anim_graph* graph, anim_error* err); // keeps the pose as it is
void anim_cover_fade(anim_graph* graph, double seconds);        // from there to the present one
void anim_cover_step(anim_graph* graph, double dt);
void anim_cover_apply(anim_graph* graph); // to what was evaluated
