// SPDX-License-Identifier: MIT
// When the keys of a retargeted clip are: at all keys of the source that matter, so that it is exact there,
// and between them where they lie far apart, since turns of several joints do not interpolate as one.
#include "pose/keys.h"
#include "pose/retarget.h"

#include <stdlib.h>
#include <string.h>

static const double linear_gap = 1.0 / 20, bent_gap = 1.0 / 60; // seconds
enum { most_in_gap = 512, most_added = 1 << 17 };

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return x < y ? -1 : x > y;
}

static float float_before(float x) // x > 0
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits--;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Joints of the source whose keys can move a joint of a pair.
static bool* mark_needed(const anim_retarget* r)
{
    const anim_rig* rig = &r->rig[0];
    bool* needed = anim_arena_alloc(r->arena, rig->skeleton->joint_count, sizeof *needed);
    for (uint32_t j = rig->skeleton->joint_count; j-- > 0 && needed;) {
        if (rig->pair_of[j] >= 0)
            needed[j] = true;
        if (needed[j] && rig->skeleton->parents[j] >= 0)
            needed[rig->skeleton->parents[j]] = true;
    }
    return needed;
}

static bool is_constant(const anim_track* track, uint32_t count)
{
    size_t stride = anim_key_stride((anim_interp)track->interp, anim_channel_width(track->channel));
    for (size_t i = stride; i < count * stride; i++)
        if (track->values[i] != track->values[i - stride])
            return false;
    return true;
}

// 0: not needed, 1: the first key only, 2: all keys, 3: also just before each.
static uint8_t* mark_tables(const anim_retarget* r, const bool* needed, bool* is_cubic)
{
    const anim_keys* keys = r->clip->keys;
    uint8_t* use = anim_arena_alloc(r->arena, keys->times_count, 1);
    for (uint32_t i = 0; i < keys->track_count && use; i++) {
        const anim_track* track = &keys->tracks[i];
        if (!needed[track->joint] || track->channel == ANIM_CHANNEL_SCALE)
            continue;
        uint8_t how = track->interp == ANIM_INTERP_STEP ? 3 : 2;
        if (is_constant(track, keys->times[track->times].count))
            how = 1;
        else if (track->interp == ANIM_INTERP_CUBIC)
            *is_cubic = true;
        use[track->times] = how > use[track->times] ? how : use[track->times];
    }
    return use;
}

static size_t count_times(const anim_keys* keys, const uint8_t* use)
{
    size_t count = 1;
    for (uint32_t i = 0; i < keys->times_count; i++)
        count += use[i] == 0 ? 0 : use[i] == 1 ? 1 : (size_t)keys->times[i].count * (use[i] - 1);
    return count;
}

static size_t list_times(const anim_keys* keys, const uint8_t* use, float* out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < keys->times_count; i++) {
        uint32_t all = use[i] == 0 ? 0 : use[i] == 1 ? 1 : keys->times[i].count;
        for (uint32_t k = 0; k < all; k++) {
            float time = anim_time_to_key(anim_times_at(&keys->times[i], k));
            out[count++] = time;
            if (use[i] == 3 && time > 0)
                out[count++] = float_before(time);
        }
    }
    if (count == 0)
        out[count++] = 0;
    qsort(out, count, sizeof *out, compare_floats);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (out[i] != out[kept - 1])
            out[kept++] = out[i];
    return kept;
}

static uint32_t parts_of_gap(float from, float to, double gap)
{
    double parts = ((double)to - (double)from) / gap;
    return parts > most_in_gap ? most_in_gap : parts > 1.01 ? (uint32_t)(parts + .99) : 1;
}

bool anim_retarget_find_times(anim_retarget* r)
{
    const anim_keys* keys = r->clip->keys;
    bool is_cubic = false;
    bool* needed = mark_needed(r);
    uint8_t* use = needed ? mark_tables(r, needed, &is_cubic) : NULL;
    float* own = use ? anim_arena_alloc(r->arena, count_times(keys, use), sizeof *own) : NULL;
    if (!own)
        return false;
    size_t count = list_times(keys, use, own), added = 0, made = 0;
    double gap = is_cubic || r->desc->feet ? bent_gap : linear_gap;
    for (size_t i = 1; i < count && added < most_added; i++)
        added += parts_of_gap(own[i - 1], own[i], gap) - 1;
    if (count + added > UINT32_MAX / 2)
        return false;
    r->times = anim_arena_alloc(r->arena, count + added, sizeof *r->times);
    if (!r->times)
        return false;
    r->times[r->time_count++] = own[0];
    for (size_t i = 1; i < count; i++) {
        uint32_t parts = made < most_added ? parts_of_gap(own[i - 1], own[i], gap) : 1;
        made += parts - 1;
        for (uint32_t k = 1; k < parts; k++) {
            double at = own[i - 1] + ((double)own[i] - (double)own[i - 1]) * k / parts;
            if ((float)at > r->times[r->time_count - 1] && (float)at < own[i])
                r->times[r->time_count++] = (float)at;
        }
        r->times[r->time_count++] = own[i];
    }
    return true;
}
