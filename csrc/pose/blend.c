// SPDX-License-Identifier: MIT
// Layers on whole poses, eight joints at a time (semantics 4).
#include "math/simd.h"
#include "pose/pose.h"

enum { max_times = 1 << 20 }; // of one delta; far beyond any use, within an int

static anim_quat8 load_quat(const anim_pose_group* g)
{
    return (anim_quat8){anim_f8_load(g->q[0]), anim_f8_load(g->q[1]), anim_f8_load(g->q[2]),
                        anim_f8_load(g->q[3])};
}

// Stores v only in the lanes of `mask`; the others keep every bit.
static void store_where(float* to, anim_i8 mask, anim_f8 v)
{
    anim_f8_store(to, anim_f8_select(mask, v, anim_f8_load(to)));
}

static void store_quat_where(anim_pose_group* g, anim_i8 mask, const anim_quat8* q)
{
    store_where(g->q[0], mask, q->x);
    store_where(g->q[1], mask, q->y);
    store_where(g->q[2], mask, q->z);
    store_where(g->q[3], mask, q->w);
}

static anim_f8 lane_weights(float weight, const float* mask, uint32_t group)
{
    anim_f8 w = anim_f8_splat(weight);
    return mask ? w * anim_f8_load(mask + (size_t)group * ANIM_LANES) : w;
}

static void lerp_stream(float* to, const float* layer, anim_f8 w, anim_i8 where)
{
    anim_f8 a = anim_f8_load(to), b = anim_f8_load(layer);
    anim_f8 full = a * (anim_f8_splat(1) - w) + b * w; // exact at w = 1
    store_where(to, where, full);
}

// How much of a layer each lane takes, channel by channel.
typedef struct lane_shares {
    anim_f8 t, q, s;
} lane_shares;

static void blend_rotation(anim_pose_group* out, const anim_pose_group* layer, anim_f8 w)
{
    // The heavier of the two is the reference of the hemisphere; ties go to what is below.
    anim_quat8 a = load_quat(out), b = load_quat(layer);
    anim_f8 v = anim_f8_splat(1) - w;
    anim_i8 opposite = anim_f8_sign_bit(anim_quat8_dot(&a, &b));
    anim_i8 layer_leads = anim_f8_greater(w, v);
    anim_f8 wa = anim_f8_flip(v, opposite & layer_leads);
    anim_f8 wb = anim_f8_flip(w, opposite & ~layer_leads);
    anim_quat8 sum = {a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb,
                      a.w * wa + b.w * wb};
    anim_quat8 q = anim_quat8_normalize(&sum);
    anim_i8 whole = ~anim_f8_greater(anim_f8_splat(1), w); // normalising may move the last bit
    q = (anim_quat8){anim_f8_select(whole, b.x, q.x), anim_f8_select(whole, b.y, q.y),
                     anim_f8_select(whole, b.z, q.z), anim_f8_select(whole, b.w, q.w)};
    store_quat_where(out, anim_f8_greater(w, anim_f8_splat(0)), &q);
}

static void blend_group(anim_pose_group* out, const anim_pose_group* layer, lane_shares w)
{
    const anim_f8 zero = anim_f8_splat(0);
    anim_i8 where_t = anim_f8_greater(w.t, zero), where_s = anim_f8_greater(w.s, zero);
    if (anim_i8_any(where_t))
        for (uint32_t stream = 0; stream < 3; stream++)
            lerp_stream(out->t[stream], layer->t[stream], w.t, where_t);
    if (anim_i8_any(where_s))
        for (uint32_t stream = 0; stream < 3; stream++)
            lerp_stream(out->s[stream], layer->s[stream], w.s, where_s);
    if (anim_i8_any(anim_f8_greater(w.q, zero)))
        blend_rotation(out, layer, w.q);
}

void anim_pose_blend(const anim_skeleton* skeleton, anim_pose_group* out,
                     const anim_pose_group* layer, float weight, const float* mask)
{
    for (uint32_t g = 0; g < skeleton->group_count; g++) {
        anim_f8 w = lane_weights(weight, mask, g);
        blend_group(&out[g], &layer[g], (lane_shares){w, w, w});
    }
}

// w where the lane's channel is keyed, else 0.
static anim_f8 where_keyed(anim_f8 w, const uint8_t* channels, anim_channel channel)
{
    anim_i8 bits;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++)
        bits[lane] = -((channels[lane] >> channel) & 1);
    return anim_f8_select(bits, w, anim_f8_splat(0));
}

// The shares of the channels of `bits` that are keyed (`channels` NULL: all are).
static lane_shares keyed_shares(anim_f8 w, const uint8_t* channels, uint32_t group, uint32_t bits)
{
    static const uint8_t all[ANIM_LANES] = {7, 7, 7, 7, 7, 7, 7, 7};
    const uint8_t* keyed = channels ? channels + (size_t)group * ANIM_LANES : all;
    const anim_f8 zero = anim_f8_splat(0);
    return (lane_shares){
        bits & (1u << ANIM_CHANNEL_TRANSLATION) ? where_keyed(w, keyed, ANIM_CHANNEL_TRANSLATION)
                                                : zero,
        bits & (1u << ANIM_CHANNEL_ROTATION) ? where_keyed(w, keyed, ANIM_CHANNEL_ROTATION) : zero,
        bits & (1u << ANIM_CHANNEL_SCALE) ? where_keyed(w, keyed, ANIM_CHANNEL_SCALE) : zero,
    };
}

void anim_pose_blend_channels(const anim_skeleton* skeleton, anim_pose_group* out,
                              const anim_pose_group* layer, float weight, const float* mask,
                              const uint8_t* channels, uint32_t bits)
{
    for (uint32_t g = 0; g < skeleton->group_count; g++)
        blend_group(&out[g], &layer[g],
                    keyed_shares(lane_weights(weight, mask, g), channels, g, bits));
}

// The part u (0 to 1) of a delta rotation: nlerp from the identity on the side where w >= 0.
static anim_quat8 part_of_delta(const anim_quat8* d, anim_f8 u)
{
    anim_i8 side = anim_f8_sign_bit(d->w);
    anim_f8 us = anim_f8_flip(u, side);
    anim_quat8 q = {d->x * us, d->y * us, d->z * us, (anim_f8_splat(1) - u) + d->w * us};
    return anim_quat8_normalize(&q);
}

// q * d^times; all powers of one delta commute, so squaring gives them in a few steps.
static anim_quat8 apply_times(const anim_quat8* q, anim_quat8 d, anim_i8 times)
{
    anim_quat8 out = *q;
    for (anim_i8 left = times; anim_i8_any(left); left >>= 1) {
        anim_i8 odd = -(left & 1);
        anim_quat8 once = anim_quat8_mul(&out, &d);
        out = (anim_quat8){anim_f8_select(odd, once.x, out.x), anim_f8_select(odd, once.y, out.y),
                           anim_f8_select(odd, once.z, out.z), anim_f8_select(odd, once.w, out.w)};
        anim_quat8 square = anim_quat8_mul(&d, &d);
        d = anim_quat8_normalize(&square);
    }
    return out;
}

static void add_stream(float* to, const float* delta, anim_f8 w, anim_i8 where)
{
    store_where(to, where, anim_f8_load(to) + w * anim_f8_load(delta));
}

static void scale_stream(float* to, const float* delta, anim_f8 w, anim_i8 where)
{
    anim_f8 factor = (anim_f8_splat(1) - w) + w * anim_f8_load(delta);
    store_where(to, where, anim_f8_load(to) * factor);
}

static void add_group(anim_pose_group* out, const anim_pose_group* delta, anim_f8 w)
{
    const anim_f8 zero = anim_f8_splat(0), most = anim_f8_splat(max_times);
    anim_i8 where = anim_f8_greater(w, zero);
    if (!anim_i8_any(where))
        return;
    for (uint32_t stream = 0; stream < 3; stream++)
        add_stream(out->t[stream], delta->t[stream], w, where);
    for (uint32_t stream = 0; stream < 3; stream++)
        scale_stream(out->s[stream], delta->s[stream], w, where);

    anim_f8 turns = anim_f8_select(anim_f8_greater(most, w), w, most);
    anim_i8 times = anim_f8_truncate(turns);
    anim_quat8 d = load_quat(delta), q = load_quat(out);
    anim_quat8 part = part_of_delta(&d, turns - anim_i8_to_f8(times));
    anim_quat8 turned = anim_quat8_mul(&q, &part);
    turned = apply_times(&turned, d, times);
    anim_quat8 unit = anim_quat8_normalize(&turned);
    store_quat_where(out, where, &unit);
}

void anim_pose_add(const anim_skeleton* skeleton, anim_pose_group* out,
                   const anim_pose_group* delta, float weight, const float* mask)
{
    for (uint32_t g = 0; g < skeleton->group_count; g++)
        add_group(&out[g], &delta[g], lane_weights(weight, mask, g));
}
