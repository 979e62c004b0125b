// SPDX-License-Identifier: MIT
// Exact keys to poses: glTF 2.0 appendix C (step, linear, slerp, cubic spline).
#include "math/simd.h"
#include "math/slerp.h"
#include "pose/clip.h"
#include "pose/keys.h"
#include "pose/pack_format.h"

float anim_time_to_key(double time)
{
    float key = (float)time;
    return (double)key > time ? nextafterf(key, -INFINITY) : key;
}

// The key at or before `time`, from a guess that is right for evenly spaced keys.
static uint32_t find_key(const anim_times* times, double time)
{
    uint32_t last = times->count - 2;
    double guess = (time - times->start) / times->step;
    uint32_t key = guess < 0 ? 0 : guess > last ? last : (uint32_t)guess;
    const float* at = times->at;
    if (!at)
        return key;
    if ((double)at[key] <= time && (key == last || time < (double)at[key + 1]))
        return key;
    uint32_t low = 0, high = last; // at[low] <= time (clamped before), the answer is in [low, high]
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if ((double)at[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

anim_place anim_times_find(const anim_times* times, double time)
{
    uint32_t last = times->count - 1;
    if (times->count == 1 || !(time > anim_times_at(times, 0)))
        return (anim_place){0, 0, 0};
    if (time >= anim_times_at(times, last))
        return (anim_place){last - 1, 1,
                            (float)(anim_times_at(times, last) - anim_times_at(times, last - 1))};
    uint32_t key = find_key(times, time);
    double from = anim_times_at(times, key), to = anim_times_at(times, key + 1);
    float u = (float)((time - from) / (to - from));
    return (anim_place){key, u < 0 ? 0 : u > 1 ? 1 : u, (float)(to - from)};
}

// Step holds a key up to, not including, the next one.
static uint32_t step_key(anim_place place)
{
    return place.u < 1 ? place.key : place.key + 1;
}

// glTF 2.0 appendix C.5.
static void hermite_mix(const float* from, const float* to, uint32_t width, const float weights[4],
                        float sign, float* out)
{
    for (uint32_t i = 0; i < width; i++)
        out[i] = (weights[0] * from[width + i] + weights[1] * from[2 * width + i]) +
                 sign * (weights[2] * to[width + i] + weights[3] * to[i]);
}

void anim_hermite(const float* from, const float* to, uint32_t width, anim_place place, float sign,
                  float* out)
{
    float u = place.u, u2 = u * u, u3 = u2 * u;
    const float weights[4] = {2 * u3 - 3 * u2 + 1, (u3 - 2 * u2 + u) * place.step, -2 * u3 + 3 * u2,
                              (u3 - u2) * place.step};
    hermite_mix(from, to, width, weights, sign, out);
}

void anim_hermite_slope(const float* from, const float* to, uint32_t width, anim_place place,
                        float sign, float* out)
{
    float u = place.u, u2 = u * u;
    const float weights[4] = {6 * (u2 - u) / place.step, 3 * u2 - 4 * u + 1,
                              6 * (u - u2) / place.step, 3 * u2 - 2 * u};
    hermite_mix(from, to, width, weights, sign, out);
}

float anim_segment_sign(const float* from, const float* to, uint32_t width)
{
    const float opposite = -1.0f / 3;
    if (width != 4)
        return 1;
    float dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
    return dot < opposite ? -1.0f : 1.0f;
}

static void sample_cubic(const float* values, uint32_t width, uint32_t count, anim_place place,
                         float* out)
{
    const float* from = values + (size_t)place.key * 3 * width;
    const float* to = count > 1 ? from + 3 * width : from;
    const float *a = from + width, *b = to + width;
    if (place.u <= 0 || place.u >= 1)
        memcpy(out, place.u <= 0 ? a : b, width * sizeof *out);
    else
        anim_hermite(from, to, width, place, anim_segment_sign(a, b, width), out);
    if (width == 4)
        anim_quat_normalize(out, out);
}

// The two values to mix, and how far: cubic tracks are evaluated here and leave nothing to mix.
static ANIM_ALWAYS_INLINE float find_ends(const anim_keys* keys, const anim_track* track,
                                          size_t width, anim_place place, float* a, float* b)
{
    size_t size = width * sizeof *a;
    uint32_t count = keys->times[track->times].count;
    const float* key = track->values + place.key * width;
    if (track->interp == ANIM_INTERP_LINEAR && count > 1) {
        memcpy(a, key, size);
        memcpy(b, key + width, size);
        return place.u;
    }
    if (track->interp == ANIM_INTERP_CUBIC)
        sample_cubic(track->values, (uint32_t)width, count, place, a);
    else
        memcpy(a, count > 1 ? track->values + step_key(place) * width : key, size);
    memcpy(b, a, size);
    return 0;
}

void anim_track_sample(const anim_keys* keys, const anim_track* track, double time, float* out)
{
    float a[4], b[4];
    float u = find_ends(keys, track, anim_channel_width(track->channel),
                        anim_times_find(&keys->times[track->times], time), a, b);
    if (track->channel == ANIM_CHANNEL_ROTATION) {
        anim_quat_slerp(a, b, u, out);
        return;
    }
    for (int i = 0; i < 3; i++)
        out[i] = a[i] * (1 - u) + b[i] * u;
}

float anim_curve_sample(const anim_keys* keys, const anim_curve* curve, double time)
{
    const anim_times* times = &keys->times[curve->times];
    anim_place place = anim_times_find(times, time);
    if (curve->interp == ANIM_INTERP_STEP || times->count == 1) {
        uint32_t key = times->count == 1 ? 0 : step_key(place);
        return curve->values[curve->interp == ANIM_INTERP_CUBIC ? 3 * key + 1 : key];
    }
    if (curve->interp == ANIM_INTERP_LINEAR)
        return curve->values[place.key] * (1 - place.u) + curve->values[place.key + 1] * place.u;
    float out;
    sample_cubic(curve->values, 1, times->count, place, &out);
    return out;
}

const anim_value* anim_property_sample(const anim_keys* keys, const anim_property* property,
                                       double time)
{
    const anim_times* times = &keys->times[property->times];
    anim_place place = anim_times_find(times, time);
    return &property->values[times->count == 1 ? 0 : step_key(place)];
}

// Up to eight tracks of one channel, a row each.
typedef struct rows {
    _Alignas(32) float a[ANIM_LANES][4], b[ANIM_LANES][4], u[ANIM_LANES];
} rows;

static void slerp_rows(rows* r, anim_f8 out[4])
{
    anim_f8 a[4], b[4], u = anim_f8_load(r->u);
    anim_f8_transpose(r->a, a);
    anim_f8_transpose(r->b, b);
    anim_f8 dot = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    anim_i8 opposite = anim_f8_greater(anim_f8_splat(0), dot) & (anim_i8)anim_f8_splat(-0.0f);
    anim_f8 c2 = anim_f8_splat(0);
    for (int i = 0; i < 4; i++) {
        b[i] = anim_f8_flip(b[i], opposite);
        anim_f8 d = a[i] - b[i];
        c2 += d * d * 0.25f;
    }
    anim_f8 angle2 = 4.0f * c2 * ANIM_SLERP_ARC(c2);
    anim_f8 v = 1.0f - u;
    anim_f8 whole = ANIM_SLERP_SINC(angle2);
    anim_f8 wa = v * (ANIM_SLERP_SINC(v * v * angle2) / whole);
    anim_f8 wb = u * (ANIM_SLERP_SINC(u * u * angle2) / whole);
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * wa + b[i] * wb;
}

static void lerp_rows(rows* r, anim_f8 out[4])
{
    anim_f8 a[4], b[4], u = anim_f8_load(r->u), v = 1.0f - u;
    anim_f8_transpose(r->a, a);
    anim_f8_transpose(r->b, b);
    for (int i = 0; i < 3; i++)
        out[i] = a[i] * v + b[i] * u;
}

// Where the times of the last few tables are, so that tracks with common times search once.
enum { remembered = 64 };
typedef struct memory {
    double time;
    uint32_t table[remembered];
    anim_place place[remembered];
} memory;

static anim_place recall(memory* m, const anim_keys* keys, uint32_t table)
{
    uint32_t slot = table % remembered;
    if (m->table[slot] != table) {
        m->table[slot] = table;
        m->place[slot] = anim_times_find(&keys->times[table], m->time);
    }
    return m->place[slot];
}

static ANIM_ALWAYS_INLINE void gather_row(const anim_keys* keys, const anim_track* tracks,
                                          uint32_t count, size_t width, memory* m, rows* r)
{
    for (uint32_t i = 0; i < count; i++)
        r->u[i] = find_ends(keys, &tracks[i], width, recall(m, keys, tracks[i].times), r->a[i],
                            r->b[i]);
}

// By widths that the compiler knows.
static void gather(const anim_keys* keys, const anim_track* tracks, uint32_t count, memory* m,
                   rows* r)
{
    if (tracks[0].channel == ANIM_CHANNEL_ROTATION)
        gather_row(keys, tracks, count, 4, m, r);
    else
        gather_row(keys, tracks, count, 3, m, r);
}

// Where eight tracks are those of one group of joints they lie as they are stored.
static bool is_whole_group(const uint16_t* slots, const anim_track* tracks, uint32_t count)
{
    return count == ANIM_LANES && slots[tracks[0].joint] % ANIM_LANES == 0 &&
           slots[tracks[ANIM_LANES - 1].joint] == slots[tracks[0].joint] + ANIM_LANES - 1;
}

static void scatter(const uint16_t* slots, const anim_track* tracks, uint32_t count,
                    const anim_f8 values[4], anim_pose_group* groups)
{
    anim_channel channel = (anim_channel)tracks[0].channel;
    uint32_t width = anim_channel_width(channel);
    bool whole = is_whole_group(slots, tracks, count);
    for (uint32_t lane = 0; lane < (whole ? 1 : count); lane++) {
        uint32_t slot = slots[tracks[lane].joint];
        anim_pose_group* group = &groups[slot / ANIM_LANES];
        float(*to)[ANIM_LANES] = channel == ANIM_CHANNEL_TRANSLATION ? group->t
                                 : channel == ANIM_CHANNEL_ROTATION  ? group->q
                                                                     : group->s;
        for (uint32_t i = 0; i < width && whole; i++)
            anim_f8_store(to[i], values[i]);
        for (uint32_t i = 0; i < width && !whole; i++)
            to[i][slot % ANIM_LANES] = values[i][lane];
    }
}

void anim_clip_sample(const anim_clip* clip, double time, anim_pose_group* out)
{
    anim_clip_sample_on(clip, clip->keys->skeleton, time, out);
}

// What a joint has where no track moves it: packed tracks are differences from the rest pose of the clip's own
// skeleton.
static void own_rest(const anim_keys* keys, uint32_t joint, anim_xform* out)
{
    if (!keys->pack->base) {
        *out = keys->skeleton->rest_xforms[joint];
        return;
    }
    uint32_t slot = keys->skeleton->slots[joint], lane = slot % ANIM_LANES;
    const anim_pack_base* base = &keys->pack->base[slot / ANIM_LANES];
    for (uint32_t i = 0; i < 3; i++) {
        out->t[i] = base->t[i * ANIM_LANES + lane];
        out->s[i] = base->s[i * ANIM_LANES + lane];
    }
    for (uint32_t i = 0; i < 4; i++)
        out->q[i] = base->q[i * ANIM_LANES + lane];
}

// Keyed channels only, as others are at rest on whatever skeleton it is.
static void packed_to_own_rest(const anim_keys* keys, anim_pose_group* out)
{
    for (uint32_t j = 0; j < keys->skeleton->joint_count; j++) {
        anim_xform x, rest;
        own_rest(keys, j, &rest);
        anim_pose_get(keys->skeleton, out, j, &x);
        if (anim_pack_class(keys->pack, ANIM_CHANNEL_TRANSLATION, j) != ANIM_PACK_UNKEYED)
            memcpy(x.t, rest.t, sizeof x.t);
        if (anim_pack_class(keys->pack, ANIM_CHANNEL_ROTATION, j) != ANIM_PACK_UNKEYED)
            memcpy(x.q, rest.q, sizeof x.q);
        if (anim_pack_class(keys->pack, ANIM_CHANNEL_SCALE, j) != ANIM_PACK_UNKEYED)
            memcpy(x.s, rest.s, sizeof x.s);
        anim_pose_set(keys->skeleton, out, j, &x);
    }
}

bool anim_clip_can_mix(const anim_clip* clip, const anim_skeleton* skeleton)
{
    const anim_keys* keys = clip->keys;
    return keys->pack && keys->pack->head.form == ANIM_PACK_FAST && keys->track_count == 0 &&
           keys->skeleton == skeleton;
}

void anim_clip_mix(const anim_term* terms, uint32_t count, const uint8_t* wanted,
                   anim_pose_group* out)
{
    const anim_keys* keys = terms[0].clip->keys;
    anim_pack_term packs[ANIM_MOST_TERMS];
    for (uint32_t i = 0; i < count; i++)
        packs[i] = (anim_pack_term){terms[i].clip->keys->pack, terms[i].time, terms[i].weight};
    anim_pack_mix(packs, count, NULL, keys->skeleton->group_count, wanted, out);
}

static void begin_pose(const anim_keys* keys, const anim_skeleton* skeleton, double time,
                       anim_pose_group* out)
{
    if (keys->pack && keys->pack->base && skeleton == keys->skeleton) {
        anim_pack_sample(keys->pack, time, false, out);
        return;
    }
    if (keys->additive)
        anim_pose_to_identity(skeleton, out);
    else
        anim_pose_to_rest(skeleton, out);
    if (!keys->pack)
        return;
    if (!keys->additive || keys->pack->base)
        packed_to_own_rest(keys, out);
    anim_pack_sample(keys->pack, time, true, out);
}

void anim_clip_sample_on(const anim_clip* clip, const anim_skeleton* skeleton, double time,
                         anim_pose_group* out)
{
    anim_clip_sample_groups(clip, skeleton, time, NULL, out);
}

// Of the tracks from `first` on up to eight of one channel.
static uint32_t count_row(const anim_keys* keys, uint32_t first)
{
    uint32_t count = 1;
    while (count < ANIM_LANES && first + count < keys->track_count &&
           keys->tracks[first + count].channel == keys->tracks[first].channel)
        count++;
    return count;
}

static bool are_wanted(const uint16_t* slots, const anim_track* tracks, uint32_t count,
                       const uint8_t* wanted)
{
    for (uint32_t i = 0; i < count && wanted; i++)
        if (wanted[slots[tracks[i].joint] / ANIM_LANES])
            return true;
    return !wanted;
}

void anim_clip_sample_groups(const anim_clip* clip, const anim_skeleton* skeleton, double time,
                             const uint8_t* wanted, anim_pose_group* out)
{
    const anim_keys* keys = clip->keys;
    if (anim_clip_can_mix(clip, skeleton)) {
        anim_clip_mix(&(anim_term){clip, time, 1}, 1, wanted, out);
        return;
    }
    begin_pose(keys, skeleton, time, out);
    if (keys->track_count == 0)
        return;
    memory m;
    m.time = time;
    memset(m.table, 0xff, sizeof m.table);
    rows r;
    memset(&r, 0, sizeof r); // rows without a track still go through the mill
    for (uint32_t first = 0, count; first < keys->track_count; first += count) {
        const anim_track* tracks = &keys->tracks[first];
        count = count_row(keys, first);
        if (!are_wanted(skeleton->slots, tracks, count, wanted))
            continue;
        gather(keys, tracks, count, &m, &r);
        anim_f8 values[4];
        if (tracks[0].channel == ANIM_CHANNEL_ROTATION)
            slerp_rows(&r, values);
        else
            lerp_rows(&r, values);
        scatter(skeleton->slots, tracks, count, values, out);
    }
}
