// SPDX-License-Identifier: MIT
#include "pose/ik_uneven.h"

#include "math/range.h"

// Bends are counted from 0, straight, to 1, the lower bone folded onto the upper: the tangent of a quarter of
// the angle, from which sine and cosine come without their functions.
static void turn_at(double z, double* cosine, double* sine)
{
    double k = 1 / (1 + z * z), c = (1 - z * z) * k, s = 2 * z * k;
    *cosine = c * c - s * s;
    *sine = 2 * c * s;
}

static double lower_length(const anim_uneven* u, double cosine, double sine)
{
    anim_dvec v = anim_dvec_add(anim_dvec_scale(u->ahead, cosine), anim_dvec_scale(u->side, sine));
    double length = anim_dvec_length(v);
    return length > 0 ? u->arm / length : 0;
}

// Square of the distance from root to tip.
static double reach2(const anim_uneven* u, double z)
{
    double cosine, sine;
    turn_at(z, &cosine, &sine);
    double lower = lower_length(u, cosine, sine);
    return u->upper * u->upper + lower * lower + 2 * u->upper * lower * cosine;
}

// Where between two places the reach is largest (sign 1) or smallest (-1).
static double peak(const anim_uneven* u, double from, double to, double sign)
{
    for (int round = 0; round < 30; round++) {
        double third = (to - from) * (1.0 / 3);
        if (sign * reach2(u, from + third) < sign * reach2(u, to - third))
            from += third;
        else
            to -= third;
    }
    return 0.5 * (from + to);
}

static double crossing(const anim_uneven* u, double from, double to, double goal2)
{
    bool is_above = reach2(u, from) >= goal2;
    for (int round = 0; round < 44; round++) {
        double middle = 0.5 * (from + to);
        if ((reach2(u, middle) >= goal2) == is_above)
            from = middle;
        else
            to = middle;
    }
    return 0.5 * (from + to);
}

// The place where the reach falls below the goal; else where it comes nearest. Folded up it is no larger than
// straight, so that where it rises to the goal it falls below it later on.
static double find_bend(const anim_uneven* u, double goal2)
{
    enum { steps = 8 };
    double values[steps + 1];
    int best = 0;
    for (int i = 0; i <= steps; i++) {
        values[i] = reach2(u, i * (1.0 / steps));
        if (i > 0 && values[i - 1] >= goal2 && values[i] < goal2)
            return crossing(u, (i - 1) * (1.0 / steps), i * (1.0 / steps), goal2);
        best = fabs(values[i] - goal2) < fabs(values[best] - goal2) ? i : best;
    }
    double from = anim_max(best - 1, 0) * (1.0 / steps);
    double to = anim_min(best + 1, steps) * (1.0 / steps);
    double sign = values[best] < goal2 ? 1 : -1;
    double z = peak(u, from, to, sign);
    if (sign * (reach2(u, z) - goal2) < 0)
        return z;
    return sign > 0 ? crossing(u, z, to, goal2) : crossing(u, from, z, goal2);
}

anim_uneven_bend anim_uneven_find(const anim_uneven* u, double distance)
{
    anim_uneven_bend b;
    turn_at(find_bend(u, distance * distance), &b.cosine, &b.sine);
    b.lower = lower_length(u, b.cosine, b.sine);
    return b;
}
