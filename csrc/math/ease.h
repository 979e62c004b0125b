// SPDX-License-Identifier: MIT
// How a fade goes from 0 to 1: the shapes of transitions and of parameter curves.
#pragma once

#include "base/config.h"

typedef enum anim_ease_kind {
    ANIM_EASE_LINEAR,
    ANIM_EASE_SMOOTH, // s^2 (3 - 2 s)
    ANIM_EASE_IN,     // s^2
    ANIM_EASE_OUT,    // 1 - (1 - s)^2
    ANIM_EASE_BEZIER
} anim_ease_kind;

// All zero is linear.
typedef struct anim_ease_curve {
    anim_ease_kind kind;
    // x1, y1, x2, y2: the inner points of a cubic Bezier curve from (0, 0) to (1, 1), as in CSS (Easing
    // Functions Level 1). Finite; x1 and x2 are clamped to 0 to 1.
    float bezier[4];
} anim_ease_curve;

// s is clamped to 0 to 1, the ends are exactly 0 and 1. Between them only a Bezier curve with y1 or y2
// outside 0 to 1 may leave that range or turn back.
float anim_ease(const anim_ease_curve* curve, float s);
double anim_ease_exactly(const anim_ease_curve* curve, double s);
