// SPDX-License-Identifier: MIT
// Foot placement: the animation's own ground, a level plane, is laid under each foot onto the ground
// that is really there. A foot keeps its height above it, so a foot that swings stays lifted; its sole
// turns to the ground's normal the more, the nearer it is; the pelvis goes down with the lower foot;
// toes that would be in the ground are bent up; a planted foot is held where it stands in the world.
//
// Heights are along the model's +Y, metres of the model. A foot stands on its heel, a point, and on its
// ball, a sphere around the toe joint that touches the ground when the foot stands flat: the foot rolls
// over it. (Without toes the sphere is around the ankle.) lift: of the lower of both above the ground; L:
// length of the leg.
//
// Place. The ball's joint at p, above the animation's ground at p0, and the ground's plane through p1,
// straight below or above p0, normal n: a point x of the foot goes to p1 + R (x - p0), R the least turn
// from +Y to n, no more than `tilt`. n is the ground's normal up to lift 0 and +Y from lift .2 L on. A
// foot whose lift is below 0 is lifted out of the ground by that, up to .05 L.
//
// Smoothing. What moves evenly is followed at once: slopes by their normals, a foot that stands still
// on ground that moves. What jumps (the edge of a step passed by a swinging foot) becomes an offset, that
// goes to 0 by the critically damped spring of math/spring.h with `smooth`, for heights and normals. It is
// multiplied by s = smoothstep from lift .006 L (and where a foot is locked) to .04 L, so a foot lands on
// the ground however late it came over an edge; what would make a foot jump that rises or has been
// standing for .2 s goes to 0 four times as fast instead. All this is in world space: a character that is
// set a step higher takes no foot along.
//
// Ahead. A foot that swings asks a second time for the ground where its speed takes it in `ahead` seconds
// (within L): over what is higher there it is lifted in time (times s), and the pelvis begins to go down to
// what is lower.
//
// Pelvis. It goes down with the foot that is moved down most (never up), by the spring with half of
// `smooth`, and up again with `smooth`. No foot is ever left out of reach for smoothness' sake: a leg is
// as long as in the animation or 99.9 % of its length, and the pelvis at least as low as that needs, down
// to -reach. Where the character is set up or down by more than 1.2 of its way in a step while its feet
// stand, seen from the world the pelvis stays, and goes after it by the spring. A swinging foot comes no
// nearer to its hip than in the animation or .4 of the leg: where it must, it stays lower.
//
// Lock. Above .5 the place of the foot in the world is remembered and held: the point that it stands on
// (heel, ball or between, by their heights: it rolls over without sliding) and where it points to. What its
// lift is then goes to 0 by the spring with a quarter of `smooth`; however the clip's foot rises and sinks
// it stays on the ground, which is asked for where it was when the lock began: what lies beyond an edge
// does not matter. It is let go at .5 and below, where it is more than `reach` away from its place in the
// animation or turned from it by more than 45 degrees, and where the ground is lost; then it goes back by
// the spring with `release`, at the speed it has. After such a loss it is not held again before the lock
// was at .5 or below.
#pragma once

#include "pose/ik_foot_leg.h"
#include "pose/ik_two_bone.h"
#include "pose/root_motion.h"

#define ANIM_FOOT_TILT 0.7853982f // a sensible limit: 45 degrees

// What does not change from frame to frame.
typedef struct anim_foot_leg {
    anim_ik_leg joints;
    int32_t toe, heel; // below the ankle; -1: none
    // From the rest pose, by anim_ik_foot_measure:
    float length;      // of the straight leg
    float ball_height; // of the toe joint, else of the ankle, when the foot stands flat
    float heel_at[3];  // where the heel touches the ground, ankle's space
    float toe_tip[3];  // where the toes end on the ground, toe's space
    float toe_axis[3]; // across the foot, of any length; space of the toe's parent
} anim_foot_leg;

// The foot is taken to stand flat on y = 0 at rest, or on its lowest joint where that is lower. The heel
// is below the heel joint; without one, behind the ankle by half of its height. The toes end below the
// toe's first child; without one, half as far before the toe as that is before the ankle.
void anim_ik_foot_measure(const anim_skeleton* skeleton, anim_foot_leg* leg);

// For one leg and this frame. All zero: nothing known, not locked.
typedef struct anim_foot_input {
    float lock; // 0 to 1, from a curve or a range event
    bool has_ground;
    float point[3], normal[3]; // any point of the ground's plane and its normal of any length
} anim_foot_input;

// The ground below or above `point` (of the ball of the foot, model space): any point of its plane, its
// normal of any length; 0 0 0: level. False: no ground there. Numbers must be finite, |x| <= 1e30.
// Normals more than 80 degrees from +Y count as level.
typedef bool anim_ground_fn(void* user, uint32_t leg, const float point[3], float out_point[3],
                            float out_normal[3]);

typedef struct anim_foot {
    const anim_foot_leg* legs;
    const anim_foot_input* inputs; // one a leg; NULL: all zero
    uint32_t leg_count;            // 1 to ANIM_IK_LEGS
    int32_t pelvis;                // all legs are below it; -1: stays
    float level;                   // height of the animation's ground, usually 0
    float reach;      // a foot is moved up or down by no more; beyond, it keeps its animated place
    float smooth;     // seconds of the springs; 0: at once
    float ahead;      // seconds that a swinging foot looks ahead; .1 is enough; 0: off
    float release;    // seconds of the spring of a lock let go; 0: as smooth
    float tilt;       // radians, below pi/2: ANIM_FOOT_TILT; 0: soles are not turned
    float weight;     // 0 to 1: feet and pelvis go a part of the way
    anim_rigid place; // of the character in the world. On something that moves: relative to that
    anim_ground_fn* ground; // asked where `inputs` have none, leg by leg in order; may be NULL
    void* user;
} anim_foot;

// Of a leg across frames. World space. All zero: fresh.
typedef struct anim_foot_leg_memory {
    double ground[3], normal[3]; // below the foot, as it was
    double found;                // 1: there was some
    double lift, stood;          // seconds that it has been standing, up to 1
    double own;                  // height that the foot is moved by
    double swing[4], swing_speed[4], plant[4], plant_speed[4]; // offsets of normal and height
    double clear, clear_speed;                                 // height over what is ahead
    double settled, settle, settle_speed; // 1: on the ground by its lock; what is missing
    double under[3];                      // where its ground was asked for
    double locked;                        // 1: held; 2: lost
    double share;                         // of the ball in what it stood on
    double heel[3], ball[3];              // where they were
    double facing[4];                     // rotation of the foot when it was locked
    double slide[3], slide_speed[3];      // of the foot from its place in the animation
    double spin, spin_speed;              // likewise, about the model's +Y
    anim_bend bend;
} anim_foot_leg_memory;

typedef struct anim_foot_memory {
    double begun; // 0: fresh
    double pelvis, pelvis_speed;
    double place[3]; // of the character
    anim_foot_leg_memory legs[];
} anim_foot_memory;

size_t anim_ik_foot_memory_size(uint32_t leg_count);
// Of memory from outside: false where a number in it could do harm.
bool anim_ik_foot_memory_is_fine(uint32_t leg_count, const anim_foot_memory* memory);

// dt >= 0: seconds since `before`. The memories may be NULL (fresh, not kept) or the same. The joints
// that change: pelvis (translation), hips, knees, ankles and toes (rotation). Returns the largest
// distance that an ankle is left from where it should be. At weight 0 every bit of the pose stays, no
// ground is asked for, and the memory is fresh. A leg whose space can't be inverted stays as it is.
float anim_ik_foot(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_foot* desc,
                   const anim_foot_memory* before, anim_foot_memory* after, double dt);
