// SPDX-License-Identifier: MIT
#include "pose/timeline.h"

#include <math.h>
#include <stdlib.h>

// Ping-pong: distance moved within the pass, counted from the end it was entered by.
static double moved_in_pass(anim_playhead at, double length, anim_loop loop)
{
    return loop == ANIM_LOOP_PINGPONG && (at.pass & 1) ? length - at.time : at.time;
}

static double place_of(double moved, int64_t pass, double length, anim_loop loop)
{
    return loop == ANIM_LOOP_PINGPONG && (pass & 1) ? length - moved : moved;
}

static void move_once(anim_step* s, double seconds)
{
    double target = s->from.time + seconds;
    s->to = s->from;
    s->to.time = target < 0 ? 0 : target > s->length ? s->length : target;
    bool past = s->backward ? target <= 0 : target >= s->length;
    // Standing at the end without moving is an end only where the clip has no length to play.
    s->ended = past && (seconds != 0 || s->length == 0);
    s->left = s->ended ? fabs(target - s->to.time) : 0;
    s->count = 1;
}

static void move_loop(anim_step* s, double seconds)
{
    double moved = moved_in_pass(s->from, s->length, s->loop) + seconds;
    double passes = floor(moved / s->length);
    double rest = moved - passes * s->length;
    if (rest >= s->length) { // rounding
        rest -= s->length;
        passes += 1;
    }
    if (!(rest >= 0 && rest < s->length))
        rest = 0;
    s->to.pass = anim_pass_after(s->from.pass, passes);
    s->to.time = place_of(rest, s->to.pass, s->length, s->loop);
    s->count = llabs((long long)(s->to.pass - s->from.pass)) + 1;
}

anim_step anim_step_by(anim_playhead from, double length, anim_loop loop, double seconds,
                       bool closed_start)
{
    seconds = anim_bounded_seconds(seconds);
    anim_step s = {.length = length,
                   .loop = loop,
                   .backward = seconds < 0,
                   .closed_start = closed_start,
                   .from = from};
    if (loop == ANIM_LOOP_ONCE)
        move_once(&s, seconds);
    else if (length > 0)
        move_loop(&s, seconds);
    else
        s.to = from, s.count = 1;
    return s;
}

anim_step anim_step_to(anim_playhead from, anim_playhead to, double length, anim_loop loop,
                       bool backward, bool closed_start)
{
    anim_step s = {.length = length,
                   .loop = loop,
                   .backward = backward,
                   .closed_start = closed_start,
                   .from = from,
                   .to = to};
    s.count = llabs((long long)(to.pass - from.pass)) + 1;
    return s;
}

// The stretch of pass number `index` (0: the first) of the step, as distance within the pass.
static void cut_pass(const anim_step* s, int64_t index, double* from, double* to)
{
    double enter = s->backward ? s->length : 0, leave = s->backward ? 0 : s->length;
    *from = index == 0 ? moved_in_pass(s->from, s->length, s->loop) : enter;
    *to = index == s->count - 1 ? moved_in_pass(s->to, s->length, s->loop) : leave;
}

double anim_step_distance(const anim_step* s)
{
    double from = moved_in_pass(s->from, s->length, s->loop);
    double to = moved_in_pass(s->to, s->length, s->loop);
    return fabs(to - from + (double)(s->to.pass - s->from.pass) * s->length);
}

bool anim_step_next(anim_step* s, anim_span* out)
{
    const int64_t half = ANIM_MAX_SPANS / 2;
    if (s->index == half && s->count > ANIM_MAX_SPANS) {
        s->skipped = s->count - ANIM_MAX_SPANS;
        s->index += s->skipped;
    }
    if (s->index >= s->count)
        return false;
    int64_t i = s->index++;
    int64_t pass = s->from.pass + (s->backward ? -i : i);
    double from, to;
    cut_pass(s, i, &from, &to);
    double first = fabs((s->backward ? 0 : s->length) - moved_in_pass(s->from, s->length, s->loop));
    *out = (anim_span){
        .from = place_of(from, pass, s->length, s->loop),
        .to = place_of(to, pass, s->length, s->loop),
        .before = i == 0 ? 0 : first + (double)(i - 1) * s->length,
        .closed_from = i > 0 || s->closed_start,
        .closed_to = true,
        .ends_pass = i < s->count - 1,
        .pass = pass,
    };
    // A step that doesn't move has been seen already, unless it starts closed.
    if (i == 0 && s->count == 1 && from == to && !s->closed_start)
        return false;
    return true;
}
