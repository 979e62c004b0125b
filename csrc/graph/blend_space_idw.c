// SPDX-License-Identifier: MIT
// Mode `idw`: inverse distance weighting (D. Shepard, 1968).
#include "graph/blend_space_parts.h"

#include "math/trig.h"

#include <math.h>

static double distance(const anim_blend_space* space, uint32_t site, double x, double y)
{
    double dx = fabs(x - space->sites[site].x), dy = fabs(y - space->sites[site].y);
    return space->manhattan ? dx + dy : sqrt(dx * dx + dy * dy);
}

// Distances count in terms of the least one, so that no power of them is too large for a float.
void anim_blend_weigh_idw(const anim_blend_space* space, double x, double y, float* weights)
{
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < space->site_count; i++) {
        double d = distance(space, i, x, y);
        if (d < least) {
            least = d;
            nearest = i;
        }
    }
    for (uint32_t i = 0; i < space->site_count && least >= 1e-5; i++)
        *anim_blend_weight(space, i, weights) = anim_pow((float)(least / distance(space, i, x, y)),
                                                         space->power);
    *anim_blend_weight(space, nearest, weights) = 1;
}
