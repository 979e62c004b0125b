// SPDX-License-Identifier: MIT
// fmin and fmax are calls into the C library on most machines; these are not.
#pragma once

static inline double anim_min(double a, double b)
{
    return b < a ? b : a;
}

static inline double anim_max(double a, double b)
{
    return b > a ? b : a;
}

static inline double anim_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}
