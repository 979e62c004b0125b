// SPDX-License-Identifier: MIT
// Elementary functions that give the same bits on every machine, compiler and optimisation level;
// those of the C library differ. Computed in double from series that can be checked by hand, so the
// float results are rounded correctly but for one in some million (at most .51 ulp).
//
// Angles are radians. Arguments are finite; every result is finite too: what is too large for a float
// becomes FLT_MAX. No function here allocates or keeps state.
#pragma once

#include "base/config.h"

float anim_sin(float x); // reduced exactly: right for the largest floats, too
float anim_cos(float x);
void anim_sincos(float x, float* sine, float* cosine);

float anim_atan2(float y, float x); // -pi to pi; signs of zero as in C, so (0, 0) gives 0
float anim_acos(float x);           // 0 to pi; x is clamped to -1 to 1

float anim_exp(float x);
float anim_pow(float x, float y); // x >= 0, below counts as 0; 0 to a negative power is FLT_MAX

// For what accumulates or squares floats. |y|, |x| <= 1e300; 2 ulp.
double anim_atan2_d(double y, double x);
double anim_exp_d(double x); // 1 ulp; DBL_MAX where it is too large
