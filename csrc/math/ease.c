// SPDX-License-Identifier: MIT
#include "math/ease.h"

#include "math/range.h"

#include <math.h>

// One coordinate of the curve at t: 0, a, b, 1 are the control points.
static double bezier_at(double a, double b, double t)
{
    double u = 1 - t;
    return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t;
}

static double bezier_slope_at(double a, double b, double t)
{
    double u = 1 - t;
    return 3 * u * u * a + 6 * u * t * (b - a) + 3 * t * t * (1 - b);
}

// The t whose x is s: Newton's method, and halving where that would leave what is known to hold it. x
// never falls for a, b in 0 to 1.
static double bezier_find(double a, double b, double s)
{
    double low = 0, high = 1, t = s;
    for (int i = 0; i < 200; i++) {
        double miss = bezier_at(a, b, t) - s;
        if (miss == 0)
            break;
        if (miss < 0)
            low = t;
        else
            high = t;
        double next = t - miss / bezier_slope_at(a, b, t);
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        double moved = fabs(next - t);
        t = next;
        if (moved <= 1e-15 * t)
            break;
    }
    return t;
}

double anim_ease_exactly(const anim_ease_curve* curve, double s)
{
    if (!(s > 0))
        return 0;
    if (s >= 1)
        return 1;
    switch (curve->kind) {
    case ANIM_EASE_LINEAR: return s;
    case ANIM_EASE_SMOOTH: return s * s * (3 - 2 * s);
    case ANIM_EASE_IN: return s * s;
    case ANIM_EASE_OUT: return s * (2 - s);
    case ANIM_EASE_BEZIER: break;
    }
    const float* p = curve->bezier;
    double t = bezier_find(anim_clamp(p[0], 0, 1), anim_clamp(p[2], 0, 1), s);
    return bezier_at(p[1], p[3], t);
}

float anim_ease(const anim_ease_curve* curve, float s)
{
    return (float)anim_ease_exactly(curve, (double)s);
}
