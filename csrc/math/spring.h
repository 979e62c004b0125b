// SPDX-License-Identifier: MIT
// A value that follows its target: the critically damped spring, solved exactly, so that one long step
// and many short ones end at the same place.
#pragma once

#include "math/trig.h"

// Moves *x (with the velocity *v, per second) toward the target for dt >= 0 seconds. smooth_time: about
// the seconds until the target is reached; at or below 1e-9 *x is there at once. All are finite, of
// the size of floats.
static inline void anim_spring_step(double* x, double* v, double target, double smooth_time,
                                    double dt)
{
    double decay = 0, k = 0, w = 0, c = *x - target;
    if (smooth_time > 1e-9) {
        w = 2 / smooth_time;
        k = *v + w * c;
        decay = anim_exp_d(-w * dt);
    }
    if (decay == 0) { // dt may be so long that k dt is no number any more
        *x = target;
        *v = 0;
        return;
    }
    *x = target + (c + k * dt) * decay;
    *v = (*v - w * k * dt) * decay;
}
