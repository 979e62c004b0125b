// SPDX-License-Identifier: MIT
// Warping of root motion: what a clip moves its character by is bent so that a window of time ends at a
// given place with a given facing.
//
// Seen from the target, e(t) is where the clip by itself would stand if it ended there, and z(t) where
// the character stands; both are 0 at the window's end. With d the direction of the clip's movement
// over the window and k its scale, the warped movement is
//     z(t) = e(t) + (k - 1) d (d . e(t)) + gap * (end - t) / (end - start)
// that is, the part along the movement is scaled by k (what a jump needs that has to be longer), and
// what is left goes linearly in time. k is what takes the character as near as it can, 0 to 2: beyond
// that, or where the clip moves nothing, the gap takes the rest. The facing that is missing goes
// linearly in time, about one axis, the shorter way.
//
// The gap is found again from where the character stands, so each step depends on the state at its
// start only: however the time is cut, the path is the same, a target that moves is followed, and what
// the prediction got wrong is made good until the end. Within the window speed is as continuous as the
// clip's; where it begins and ends the speed jumps by gap / (end - start) and the scale.
#pragma once

#include "pose/root_motion.h"

// What must not change within a window. All zero: no scale, everything in time.
typedef struct anim_warp {
    float axis[3]; // unit, seen from where the clip ends; 0 0 0 where the clip moves nothing
    float scale;
} anim_warp;

// To be called where the window begins. remaining: the clip's own motion from now to the window's end;
// target: where the character shall be then. Both in the character's frame now, |values| <= 1e30.
// (Place alone is warped with the rotation of `remaining` in the target, facing alone with its
// translation.)
void anim_warp_begin(const anim_rigid* remaining, const anim_rigid* target, anim_warp* out);

// The warped motion of a step of dt seconds, in the character's frame before it. `remaining` and
// `target` as above, from now on; `step`: the clip's own motion in dt, part of `remaining`; `left`:
// seconds to the window's end. dt >= left is the last step: it ends at the target exactly. Steps that go
// past the end are cut there by the caller.
void anim_warp_step(const anim_warp* warp, const anim_rigid* remaining, const anim_rigid* target,
                    const anim_rigid* step, double left, double dt, anim_rigid* out);
