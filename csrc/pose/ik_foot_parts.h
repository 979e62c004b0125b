// SPDX-License-Identifier: MIT
// What the files of the foot solver share (pose/ik_foot.h has the formulas).
#pragma once

#include "pose/ik_foot.h"

#define ANIM_FOOT_STANDS 0.006 // lift / length of the leg: below, a foot stands

// A critically damped spring toward 0 for the dt of an update.
typedef struct anim_foot_spring {
    double rate, decay; // decay 0: at once
} anim_foot_spring;

// What is the same for all legs in an update.
typedef struct anim_foot_frame {
    double dt;
    anim_foot_spring smooth, soon, quick, release; // soon, quick: a half, a quarter of smooth
    anim_dvec at;                                  // of the character in the world
    anim_dquat turn;
    anim_dvec up;
    double most_sine, least_cosine; // of the tilt
} anim_foot_frame;

typedef struct anim_foot_work {
    const anim_foot_leg* leg;
    bool solvable;
    anim_ik_limb limb;
    double knee[3][4]; // of the ankle's parent
    anim_dquat ankle;  // local
    double length;
    anim_dvec heel, ball; // joints as animated
    double ball_share;    // of the ball in what the foot stands on
    double lift;
    double high; // 0: stands, 1: swings
    anim_foot_leg_memory memory;
    // where the foot goes
    anim_dvec ground; // p1
    anim_dvec normal; // of the ground there
    anim_dquat turn;  // R, after the turn about +Y
    anim_dvec target; // of the ankle
    double later;     // how much higher it will be without the offsets, or on what is ahead
} anim_foot_work;

static inline double anim_foot_step(double x) // 0 to 1, smooth at both ends
{
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

void anim_foot_relax(const anim_foot_spring* spring, double dt, double* x, double* v);

// Sets ground, normal, turn, target and the memory.
void anim_foot_place(const anim_foot* desc, const anim_foot_frame* frame, uint32_t leg,
                     anim_foot_work* work);

// The lock. release: before the ground is asked for, true where the foot is let go; below: where to ask;
// place: once it is known how the foot is tilted, sets turn and memory.slide; keep: once it stands.
bool anim_foot_lock_release(const anim_foot_frame* frame, double lock, anim_foot_work* work);
anim_dvec anim_foot_lock_below(const anim_foot_frame* frame, const anim_foot_work* work);
void anim_foot_lock_place(const anim_foot* desc, const anim_foot_frame* frame, bool found,
                          anim_dquat tilt, anim_foot_work* work);
void anim_foot_lock_keep(const anim_foot* desc, const anim_foot_frame* frame, double lock,
                         anim_foot_work* work);

// Straight below the ball, on the animation's ground.
static inline anim_dvec anim_foot_origin(const anim_foot* desc, const anim_foot_work* work)
{
    return (anim_dvec){work->ball.x, (double)desc->level, work->ball.z};
}

static inline anim_dvec anim_foot_to_world(const anim_foot_frame* frame, anim_dvec point)
{
    return anim_dvec_add(frame->at, anim_dquat_rotate(frame->turn, point));
}

static inline anim_dvec anim_foot_to_model(const anim_foot_frame* frame, anim_dvec direction)
{
    return anim_dquat_rotate(anim_dquat_conjugate(frame->turn), direction);
}
