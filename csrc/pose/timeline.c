// SPDX-License-Identifier: MIT
#include "pose/timeline.h"

#include <math.h>

static double place_of(double moved, int64_t pass, double length, anim_loop loop)
{
    return loop == ANIM_LOOP_PINGPONG && (pass & 1) ? length - moved : moved;
}

// Where a movement leads, and what is left of it at an end.
typedef struct arrival {
    anim_playhead to;
    double left;
    bool ended;
} arrival;

static arrival move_once(anim_playhead from, double length, double seconds)
{
    double target = from.time + seconds;
    double to = target < 0 ? 0 : target > length ? length : target;
    bool past = seconds < 0 ? target <= 0 : target >= length;
    // Standing at the end without moving is an end only where the clip has no length to play.
    bool ended = past && (seconds != 0 || length == 0);
    return (arrival){{to, from.pass}, ended ? fabs(target - to) : 0, ended};
}

static arrival move_loop(anim_playhead from, double length, anim_loop loop, double seconds)
{
    double moved = anim_moved_in_pass(from, length, loop) + seconds;
    double passes = floor(moved / length);
    double rest = moved - passes * length;
    if (rest >= length) { // rounding
        rest -= length;
        passes += 1;
    }
    if (!(rest >= 0 && rest < length))
        rest = 0;
    int64_t pass = anim_pass_after(from.pass, passes);
    return (arrival){{place_of(rest, pass, length, loop), pass}, 0, false};
}

void anim_step_by(anim_playhead from, double length, anim_loop loop, double seconds,
                  bool closed_start, anim_step* out)
{
    seconds = anim_bounded_seconds(seconds);
    arrival a = {from, 0, false};
    if (loop == ANIM_LOOP_ONCE)
        a = move_once(from, length, seconds);
    else if (length > 0)
        a = move_loop(from, length, loop, seconds);
    anim_step_to(from, a.to, length, loop, seconds < 0, closed_start, out);
    out->ended = a.ended;
    out->left = a.left;
}

// The stretch of pass number `index` (0: the first) of the step, as distance within the pass.
static void cut_pass(const anim_step* s, int64_t index, double* from, double* to)
{
    double enter = s->backward ? s->length : 0, leave = s->backward ? 0 : s->length;
    *from = index == 0 ? anim_moved_in_pass(s->from, s->length, s->loop) : enter;
    *to = index == s->count - 1 ? anim_moved_in_pass(s->to, s->length, s->loop) : leave;
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
    double first = fabs((s->backward ? 0 : s->length) -
                        anim_moved_in_pass(s->from, s->length, s->loop));
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
