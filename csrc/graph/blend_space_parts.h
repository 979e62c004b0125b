// SPDX-License-Identifier: MIT
// Inside a blend space: shared by blend_space.c and the files of the modes.
#pragma once

#include "base/arena.h"
#include "base/ref.h"
#include "graph/blend_space.h"

// Samples that are equal, as one. Sites lie in rising order of x, then y, so that the order of the
// samples can't matter.
typedef struct anim_blend_site {
    double x, y;
    double length, angle;  // from the origin; length 0: the site at the origin
    uint32_t first, count; // its samples: members[first], ...
} anim_blend_site;

struct anim_blend_space {
    anim_ref ref;
    anim_blend_mode mode;
    uint32_t count; // samples
    uint32_t site_count;
    float power;
    bool manhattan;
    bool gap;
    double extent;
    const float *x, *y;
    const uint32_t* members;
    const anim_blend_site* sites;

    // simple, directional: sites but that at the origin, in rising order of their angles.
    uint32_t around_count;
    const uint32_t* around;

    // grid: where its lines cross the axes, and the site of cells[column * row_count + row].
    uint32_t column_count, row_count;
    const double *columns, *rows;
    const uint32_t* cells;

    // triangulated: sites in units of 2^-25 to 2^-24 of the extent, where they are integers and
    // predicates therefore exact; triangles, three sites each; the hull counter-clockwise as straight
    // sides: side s goes from rim[sides[s]] to rim[sides[s + 1]] over what lies on it between them, at
    // knots from 0 to 1. Sites on a line have no triangles and one side.
    double scale; // units per unit of length, a power of two
    const double *unit_x, *unit_y;
    uint32_t triangle_count, rim_count, side_count;
    const uint32_t *triangles, *rim, *sides;
    const double* knots;
};

// Half a turn, as far as angles of floats can tell.
#define ANIM_BLEND_HALF_TURN (3.14159265358979 - 1e-6)
#define ANIM_BLEND_FULL_TURN 6.2831853071795865

// The number by which messages call a site.
static inline uint32_t anim_blend_sample_number(const anim_blend_space* space, uint32_t site)
{
    return space->members[space->sites[site].first] + 1;
}

// Where the weight of a site is kept until it is shared between the site's samples.
static inline float* anim_blend_weight(const anim_blend_space* space, uint32_t site, float* weights)
{
    return &weights[space->members[space->sites[site].first]];
}

// Modes fill in their part of a draft that has its sites, at least two, out of the arena, and later
// weigh the sites: any finite numbers >= 0, to be divided by their sum. All sites are 0 before.
anim_code anim_blend_prepare_around(anim_blend_space* draft, anim_arena* arena, anim_error* err);
anim_code anim_blend_prepare_grid(anim_blend_space* draft, anim_arena* arena, anim_error* err);
anim_code anim_blend_prepare_triangles(anim_blend_space* draft, anim_arena* arena, anim_error* err);

void anim_blend_weigh_simple(const anim_blend_space* space, double x, double y, float* weights);
void anim_blend_weigh_directional(const anim_blend_space* space, double x, double y,
                                  float* weights);
void anim_blend_weigh_cartesian(const anim_blend_space* space, double x, double y, float* weights);
void anim_blend_weigh_triangles(const anim_blend_space* space, double x, double y, float* weights);
void anim_blend_weigh_grid(const anim_blend_space* space, double x, double y, float* weights);
void anim_blend_weigh_idw(const anim_blend_space* space, double x, double y, float* weights);
