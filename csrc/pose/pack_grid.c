// SPDX-License-Identifier: MIT
// Where frames are put: the lowest rate that follows the keys.
#include "pose/pack_encode.h"

#include <math.h>
#include <stdlib.h>

static bool is_smooth(const anim_packing* p, const anim_track* t)
{
    return t->interp != ANIM_INTERP_STEP && p->keys->times[t->times].count > 1;
}

// As the decoders do; the fast form's follows no arc.
static void mix(anim_pack_form form, const anim_track* t, const float* a, const float* b, float u,
                float* out)
{
    float k[4], square = 0, dot = 0, v = u;
    for (int i = 0; i < 4; i++)
        dot += a[i] * b[i];
    float sign = t->channel == ANIM_CHANNEL_ROTATION && dot < 0 ? -1.0f : 1.0f;
    if (t->channel == ANIM_CHANNEL_ROTATION && form == ANIM_PACK_SMALL) {
        anim_pack_arc(u, k);
        for (int i = 0; i < 4; i++)
            square += (sign * b[i] - a[i]) * (sign * b[i] - a[i]) * 0.25f;
        v = u + square * (k[0] + square * (k[1] + square * (k[2] + square * k[3])));
    }
    for (int i = 0; i < 4; i++)
        out[i] = a[i] + (sign * b[i] - a[i]) * v;
    if (t->channel == ANIM_CHANNEL_ROTATION)
        anim_quat_normalize(out, out);
}

// Between two values; of rotations the angle (or a little less).
static double difference(const anim_track* t, const float a[4], const float b[4])
{
    double square = 0, other = 0;
    for (int i = 0; i < 4; i++) {
        double d = (double)a[i] - (double)b[i], s = (double)a[i] + (double)b[i];
        square += d * d;
        other += s * s;
    }
    return t->channel == ANIM_CHANNEL_ROTATION ? 2 * sqrt(fmin(square, other)) : sqrt(square);
}

// How far straight frames are from what the keys say at a time.
static double error_at(const anim_packing* p, anim_pack_form form, const anim_track* t, double step,
                       uint32_t count, double time)
{
    double x = (time - p->start) / step;
    uint32_t frame = x > 0 ? x < count ? (uint32_t)x : count - 1 : 0;
    float a[4] = {0}, b[4] = {0}, is[4] = {0}, should[4] = {0};
    anim_track_sample(p->keys, t, p->start + step * frame, a);
    anim_track_sample(p->keys, t, p->start + step * (frame + 1), b);
    anim_track_sample(p->keys, t, time, should);
    double u = fmax(0, fmin(1, x - frame));
    mix(form, t, a, b, (float)u, is);
    return difference(t, is, should);
}

// The farthest that a point is off which the track moves.
static double track_error(const anim_packing* p, anim_pack_form form, const anim_track* t,
                          double step, uint32_t count)
{
    enum { most_probes = 512 };
    const anim_times* times = &p->keys->times[t->times];
    double most = 0;
    for (uint32_t f = 0; f < count; f += count / most_probes + 1)
        for (int k = 1; k < 4; k++)
            most = fmax(most, error_at(p, form, t, step, count, p->start + step * (f + 0.25 * k)));
    for (uint32_t k = 0; k + 1 < times->count; k += times->count / most_probes + 1) {
        double key = anim_times_at(times, k), next = anim_times_at(times, k + 1);
        most = fmax(most, error_at(p, form, t, step, count, key));
        most = fmax(most, error_at(p, form, t, step, count, 0.5 * (key + next)));
    }
    return most * anim_packing_reach(p, t);
}

static const double share_of_frames = 0.25; // of the error, for what lies between frames

// In the fast form that is nearly all, and frames can be halved.
static bool is_followed(const anim_packing* p, anim_pack_form form, const anim_track* t,
                        double step, uint32_t count)
{
    double share = form == ANIM_PACK_FAST ? 1 : share_of_frames;
    return count > 0 && track_error(p, form, t, step, count) <= share * p->error;
}

static uint32_t count_failures(const anim_packing* p, uint32_t count, double duration)
{
    uint32_t failures = 0;
    for (uint32_t i = 0; i < p->keys->track_count; i++) {
        const anim_track* t = &p->keys->tracks[i];
        if (is_smooth(p, t) && !is_followed(p, ANIM_PACK_SMALL, t, duration / count, count))
            failures++;
    }
    return failures;
}

static int compare_counts(const void* a, const void* b)
{
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

enum { most_counts = 64 };

static uint32_t add_count(uint32_t* counts, uint32_t used, double count)
{
    const double most = 1 << 22;
    count = floor(count + 0.5);
    if (!(count <= most))
        return used;
    uint32_t whole = count < 1 ? 1 : (uint32_t)count;
    for (uint32_t i = 0; i < used; i++)
        if (counts[i] == whole)
            return used;
    if (used < most_counts)
        counts[used++] = whole;
    return used;
}

// Numbers of steps worth trying, rising.
static uint32_t list_counts(const anim_packing* p, double duration, uint32_t* counts)
{
    static const double common[] = {24, 25, 30, 60, 120};
    uint32_t used = 0, most_keys = 2;
    for (uint32_t i = 0; i < p->keys->track_count; i++) {
        const anim_times* times = &p->keys->times[p->keys->tracks[i].times];
        if (!is_smooth(p, &p->keys->tracks[i]))
            continue;
        double span = anim_times_at(times, times->count - 1) - anim_times_at(times, 0);
        // Keys that lie close together in one place don't ask for frames as close all along.
        double wanted_count = duration * (times->count - 1) / span;
        if (used < most_counts / 2 && wanted_count <= 16.0 * times->count + 64)
            used = add_count(counts, used, wanted_count);
        most_keys = times->count > most_keys ? times->count : most_keys;
    }
    for (uint32_t i = 0; i < sizeof common / sizeof *common; i++)
        if (duration * common[i] <= 16.0 * most_keys + 64)
            used = add_count(counts, used, duration * common[i]);
    used = add_count(counts, used, 2.0 * (most_keys - 1));
    used = add_count(counts, used, 4.0 * (most_keys - 1));
    qsort(counts, used, sizeof *counts, compare_counts);
    return used;
}

static uint32_t choose_count(const anim_packing* p, double duration)
{
    uint32_t counts[most_counts], used = list_counts(p, duration, counts);
    uint32_t best = counts[0], least = UINT32_MAX;
    for (uint32_t i = 0; i < used && least > 0; i++) {
        uint32_t failures = count_failures(p, counts[i], duration);
        if (failures < least) {
            least = failures;
            best = counts[i];
        }
    }
    return best;
}

bool anim_packing_choose_frames(anim_packing* p, double rate, uint32_t parts)
{
    const double most = 1 << 22, least_step = 1e-6;
    double duration = anim_packing_duration(p, &p->start);
    bool moves = false;
    for (uint32_t i = 0; i < p->keys->track_count; i++)
        moves = moves || is_smooth(p, &p->keys->tracks[i]);
    uint32_t count = 0;
    if (moves && duration > 0) {
        double asked = floor(duration * rate + 0.5);
        count = !(rate > 0) ? choose_count(p, duration)
                : asked < 1 ? 1
                            : (uint32_t)fmin(asked, most);
        count *= parts;
    }
    if (count > duration / least_step)
        count = 0;
    p->frames = count + 1;
    p->step = count > 0 ? duration / count : 1;
    bool all = true;
    for (uint32_t i = 0; i < p->keys->track_count; i++) {
        const anim_track* t = &p->keys->tracks[i];
        bool followed = !is_smooth(p, t) || is_followed(p, p->form, t, p->step, count);
        p->kinds[i] = followed ? ANIM_PACK_UNKEYED : ANIM_PACK_EXACT;
        all = all && followed;
    }
    return all;
}
