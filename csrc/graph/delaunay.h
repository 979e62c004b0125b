// SPDX-License-Identifier: MIT
// Delaunay triangulation of points in the plane with integer coordinates.
#pragma once

#include "base/arena.h"

#define ANIM_NO_EDGE UINT32_MAX

// Half-edges, three to a triangle, counter-clockwise: edge e of triangle e / 3 leaves point from[e];
// twin[e] goes the other way in the neighbouring triangle, ANIM_NO_EDGE on the rim.
typedef struct anim_delaunay {
    uint32_t* from;
    uint32_t* twin;
    uint32_t edge_count;
} anim_delaunay;

static inline uint32_t anim_delaunay_next(uint32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static inline uint32_t anim_delaunay_before(uint32_t edge)
{
    return edge % 3 == 0 ? edge + 2 : edge - 1;
}

// Twice the area of a triangle, positive counter-clockwise; exact for the points of anim_delaunay_build.
static inline double anim_delaunay_area(double ax, double ay, double bx, double by, double cx,
                                        double cy)
{
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

// The points are different integers that span at most 2^25 in x and y and 2^49 from 0. Points within
// `slack` (at least 1) of a circle count as on it; where more than three are on one with none inside,
// the first of them by x, then y, is joined to all others: the outcome depends on the places of the
// points alone. No triangles where all lie on a line. False: out of memory.
bool anim_delaunay_build(const double* x, const double* y, uint32_t count, double slack,
                         anim_arena* arena, anim_delaunay* out);
