// SPDX-License-Identifier: MIT
// How a clip's time moves (semantics 1 and 2): the one place that knows about loops, ends and
// half-open windows. Events, sync groups and root motion all walk the spans made here.
#pragma once

#include "pose/clip.h"

#include <math.h>

// Where a clip stands. Lies in a character's state block: no padding, no pointers.
typedef struct anim_playhead {
    double time;  // place in the clip: [0, D) in loops, [0, D] otherwise
    int64_t pass; // ping-pong: odd passes run backwards
} anim_playhead;

// A movement of a playhead: from where it is to `to`, `passes` ends of the clip further (negative:
// backwards). Made by anim_step_by (seconds) or anim_step_to (a place that is known exactly).
typedef struct anim_step {
    double length; // D
    anim_loop loop;
    bool backward;     // of the movement; a backward movement on an odd ping-pong pass runs forward
    bool closed_start; // the window holds its start: first step after a start or a seek
    anim_playhead from, to;
    int64_t skipped; // passes in the middle without spans (events of them don't fire)
    double left;     // seconds left over when a clip that plays once came to its end, >= 0
    bool ended;      // came to its end in this step (or stands there)
    // the iteration
    int64_t index, count;
} anim_step;

// A stretch of the movement within one pass, in clip time; `from` > `to` where it runs backwards.
typedef struct anim_span {
    double from, to;
    double before; // clip seconds moved in this step before the span
    bool closed_from, closed_to;
    bool ends_pass; // a pass ends after this span: `loop` is told then
    int64_t pass;   // the pass the span lies in
} anim_span;

enum { ANIM_MAX_SPANS = 64 }; // a step of more passes has its first and last 32

// Steps and speeds may be any finite numbers; what they come to is held within what sums and products
// bear: thirty million years, and 2^52 passes.
static inline double anim_bounded_seconds(double seconds)
{
    const double most = 1e15;
    return seconds > most ? most : seconds < -most ? -most : seconds == seconds ? seconds : 0;
}

static inline int64_t anim_pass_after(int64_t pass, double passes)
{
    const double most = 4503599627370496.0;
    double sum = (double)pass + passes;
    return (int64_t)(sum > most ? most : sum < -most ? -most : sum == sum ? sum : 0);
}

// `seconds` of clip time, signed. `length` >= 0. Every update makes a step for every clip, so its fields are
// written where they belong: to copy them as a whole right after that would have to wait for each of them.
void anim_step_by(anim_playhead from, double length, anim_loop loop, double seconds,
                  bool closed_start, anim_step* out);

// To a known place (a member of a sync group follows its group).
static inline void anim_step_to(anim_playhead from, anim_playhead to, double length, anim_loop loop,
                                bool backward, bool closed_start, anim_step* out)
{
    int64_t passes = to.pass - from.pass;
    out->length = length;
    out->loop = loop;
    out->backward = backward;
    out->closed_start = closed_start;
    out->from.time = from.time;
    out->from.pass = from.pass;
    out->to.time = to.time;
    out->to.pass = to.pass;
    out->skipped = 0;
    out->left = 0;
    out->ended = false;
    out->index = 0;
    out->count = (passes < 0 ? -passes : passes) + 1;
}

// Ping-pong: distance moved within the pass, counted from the end it was entered by.
static inline double anim_moved_in_pass(anim_playhead at, double length, anim_loop loop)
{
    return loop == ANIM_LOOP_PINGPONG && (at.pass & 1) ? length - at.time : at.time;
}

// Clip seconds that a movement goes over, all passes counted.
static inline double anim_step_distance(const anim_step* s)
{
    double from = anim_moved_in_pass(s->from, s->length, s->loop);
    double to = anim_moved_in_pass(s->to, s->length, s->loop);
    return fabs(to - from + (double)(s->to.pass - s->from.pass) * s->length);
}

bool anim_step_next(anim_step* step, anim_span* out); // spans in the order they are passed

static inline bool anim_span_holds(const anim_span* span, double time)
{
    double low = span->from < span->to ? span->from : span->to;
    double high = span->from < span->to ? span->to : span->from;
    if (time < low || time > high)
        return false;
    if (time == span->from)
        return span->closed_from;
    return time != span->to || span->closed_to;
}
