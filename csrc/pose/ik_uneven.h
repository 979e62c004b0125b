// SPDX-License-Identifier: MIT
// Two bones with uneven scale between them: the length of the lower one depends on where it points, so that
// the law of cosines does not hold. The bend is found by bounded search: some 2 microseconds at most.
#pragma once

#include "math/dvec.h"

// The lower bone, `arm` long, turns in a space from which a matrix leads to that of the upper one. The inverse
// of that matrix makes `ahead` of the upper bone's direction and `side` of the direction square to it to which
// the chain bends; neither is unit, neither is zero.
typedef struct anim_uneven {
    anim_dvec ahead, side;
    double arm, upper; // lengths
} anim_uneven;

typedef struct anim_uneven_bend {
    double cosine, sine; // of the angle from the upper bone on to the lower, 0 to pi
    double lower;        // length of the lower bone there
} anim_uneven_bend;

// For a tip at `distance` from the root: coming from the straight chain where the reach falls below it, else
// where it comes nearest. Right to 1e-12 of the angle where there is such a place.
anim_uneven_bend anim_uneven_find(const anim_uneven* uneven, double distance);
