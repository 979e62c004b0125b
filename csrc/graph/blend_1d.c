// SPDX-License-Identifier: MIT
#include "graph/blend_space.h"

#include <math.h>

anim_code anim_blend_1d_check(const float* thresholds, uint32_t count, anim_error* err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(thresholds[i]))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "threshold %g of entry %u is not finite",
                             (double)thresholds[i], i + 1);
        if (i > 0 && thresholds[i] <= thresholds[i - 1])
            return anim_fail(err, ANIM_ERR_ARGUMENT,
                             "threshold %g of entry %u is not above %g of entry %u",
                             (double)thresholds[i], i + 1, (double)thresholds[i - 1], i);
    }
    return ANIM_OK;
}

void anim_blend_1d_weights(const float* thresholds, uint32_t count, float x, float* weights)
{
    for (uint32_t i = 0; i < count; i++)
        weights[i] = 0;
    if (count == 0)
        return;
    uint32_t above = 0; // the first entry above x
    while (above < count && thresholds[above] <= x)
        above++;
    if (above == 0 || above == count) {
        weights[above ? count - 1 : 0] = 1;
        return;
    }
    double low = thresholds[above - 1], high = thresholds[above];
    double t = (x - low) / (high - low);
    if (t < 1e-7)
        t = 0;
    if (t > 1 - 1e-7)
        t = 1;
    weights[above - 1] = (float)(1 - t);
    weights[above] = (float)t;
}
