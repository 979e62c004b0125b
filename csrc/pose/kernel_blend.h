// SPDX-License-Identifier: MIT
// Layers and sums of whole poses (semantics 4). Compiled for each width: math/lanes.h.
#pragma once

#include "math/lanes.h"
#include "pose/kernels.h"

enum { max_times = 1 << 20 }; // of one delta; far beyond any use, within an int

#define FARTHEST 1e27f // no sum of deltas leads beyond: as much as a file may hold

static inline quats load_quats(const anim_pose_group* g, uint32_t lane)
{
    return (quats){lanes_load(g->q[0] + lane), lanes_load(g->q[1] + lane),
                   lanes_load(g->q[2] + lane), lanes_load(g->q[3] + lane)};
}

static inline void store_quats(anim_pose_group* g, uint32_t lane, const quats* q)
{
    lanes_store(g->q[0] + lane, q->x);
    lanes_store(g->q[1] + lane, q->y);
    lanes_store(g->q[2] + lane, q->z);
    lanes_store(g->q[3] + lane, q->w);
}

// Stores v only in the lanes of `mask`; the others keep every bit.
static inline void store_where(float* to, lane_bits mask, lanes v)
{
    lanes_store(to, lanes_select(mask, v, lanes_load(to)));
}

static inline lanes lane_weights(float weight, const float* mask, size_t first)
{
    lanes w = lanes_splat(weight);
    return mask ? w * lanes_load(mask + first) : w;
}

// --- override layers -----------------------------------------------------------------------------------

// How much of a layer each lane takes, channel by channel.
typedef struct lane_shares {
    lanes t, q, s;
} lane_shares;

// The lanes whose bit of a channel is set.
static inline lane_bits in_channel(lane_bits channels, uint32_t channel)
{
    return -((channels >> channel) & 1);
}

// w where the lane's channel is keyed, else 0.
static inline lanes where_keyed(lanes w, const uint8_t* channels, uint32_t channel)
{
    return lanes_select(in_channel(lanes_of_bytes(channels), channel), w, lanes_splat(0));
}

static inline lane_shares shares_of(lanes w, const uint8_t* channels, uint32_t bits)
{
    lane_shares out = {lanes_splat(0), lanes_splat(0), lanes_splat(0)};
    if (bits & (1u << ANIM_CHANNEL_TRANSLATION))
        out.t = channels ? where_keyed(w, channels, ANIM_CHANNEL_TRANSLATION) : w;
    if (bits & (1u << ANIM_CHANNEL_ROTATION))
        out.q = channels ? where_keyed(w, channels, ANIM_CHANNEL_ROTATION) : w;
    if (bits & (1u << ANIM_CHANNEL_SCALE))
        out.s = channels ? where_keyed(w, channels, ANIM_CHANNEL_SCALE) : w;
    return out;
}

static inline void lerp_streams(float (*to)[ANIM_LANES], const float (*layer)[ANIM_LANES],
                                uint32_t lane, lanes w)
{
    lane_bits where = lanes_greater(w, lanes_splat(0));
    if (!lanes_any(where))
        return;
    lanes v = lanes_splat(1) - w;
    for (int i = 0; i < 3; i++) // exact at w = 1
        store_where(to[i] + lane, where,
                    lanes_load(to[i] + lane) * v + lanes_load(layer[i] + lane) * w);
}

static inline void blend_rotations(anim_pose_group* out, const anim_pose_group* layer,
                                   uint32_t lane, lanes w)
{
    lane_bits where = lanes_greater(w, lanes_splat(0));
    if (!lanes_any(where))
        return;
    // The heavier of the two is the reference of the hemisphere; ties go to what is below.
    quats a = load_quats(out, lane), b = load_quats(layer, lane);
    lanes v = lanes_splat(1) - w;
    lane_bits opposite = lanes_sign_bit(quats_dot(&a, &b)), layer_leads = lanes_greater(w, v);
    lanes wa = lanes_flip(v, opposite & layer_leads), wb = lanes_flip(w, opposite & ~layer_leads);
    quats sum = {a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb,
                 a.w * wa + b.w * wb};
    quats q = quats_normalize(&sum);
    lane_bits part = lanes_greater(lanes_splat(1), w); // normalising b may move its last bit
    q = quats_select(part, &q, &b);
    q = quats_select(where, &q, &a);
    store_quats(out, lane, &q);
}

static void blend(uint32_t group_count, anim_pose_group* out, const anim_pose_group* layer,
                  float weight, const float* mask, const uint8_t* channels, uint32_t bits)
{
    for (uint32_t g = 0; g < group_count; g++)
        for (uint32_t lane = 0; lane < ANIM_LANES; lane += ANIM_WIDTH) {
            size_t first = g * (size_t)ANIM_LANES + lane;
            lane_shares w = shares_of(lane_weights(weight, mask, first),
                                      channels ? channels + first : NULL, bits);
            lerp_streams(out[g].t, layer[g].t, lane, w.t);
            lerp_streams(out[g].s, layer[g].s, lane, w.s);
            blend_rotations(&out[g], &layer[g], lane, w.q);
        }
    lanes_leave();
}

// --- additive layers -----------------------------------------------------------------------------------

// The part u (0 to 1) of a delta rotation: nlerp from the identity on the side where w >= 0.
static inline quats part_of_delta(const quats* d, lanes u)
{
    lanes us = lanes_flip(u, lanes_sign_bit(d->w));
    quats q = {d->x * us, d->y * us, d->z * us, (lanes_splat(1) - u) + d->w * us};
    return quats_normalize(&q);
}

// q * d^times; all powers of one delta commute, so squaring gives them in a few steps.
static inline quats apply_times(quats q, quats d, lane_bits times)
{
    for (lane_bits left = times; lanes_any(left > 0); left >>= 1) {
        lane_bits odd = -(left & 1);
        quats once = quats_mul(&q, &d), square = quats_mul(&d, &d);
        q = quats_select(odd, &once, &q);
        d = quats_normalize(&square);
    }
    return q;
}

static inline void add_lanes(anim_pose_group* out, const anim_pose_group* delta, uint32_t lane,
                             lanes w)
{
    const lanes most = lanes_splat(max_times);
    lane_bits where = lanes_greater(w, lanes_splat(0));
    if (!lanes_any(where))
        return;
    lanes v = lanes_splat(1) - w;
    for (int i = 0; i < 3; i++) {
        float *t = out->t[i] + lane, *s = out->s[i] + lane;
        lanes moved = lanes_load(t) + w * lanes_load(delta->t[i] + lane);
        lanes factor = lanes_clamp(v + w * lanes_load(delta->s[i] + lane), FARTHEST);
        store_where(t, where, lanes_clamp(moved, FARTHEST));
        store_where(s, where, lanes_clamp(lanes_load(s) * factor, FARTHEST));
    }
    lanes turns = lanes_select(lanes_greater(most, w), w, most);
    lane_bits times = lanes_truncate(turns);
    quats d = load_quats(delta, lane), q = load_quats(out, lane);
    quats part = part_of_delta(&d, turns - lanes_of_whole(times));
    quats turned = quats_mul(&q, &part);
    turned = apply_times(turned, d, times);
    turned = quats_normalize(&turned);
    turned = quats_select(where, &turned, &q);
    store_quats(out, lane, &turned);
}

static void add(uint32_t group_count, anim_pose_group* out, const anim_pose_group* delta,
                float weight, const float* mask)
{
    for (uint32_t g = 0; g < group_count; g++)
        for (uint32_t lane = 0; lane < ANIM_LANES; lane += ANIM_WIDTH)
            add_lanes(&out[g], &delta[g], lane,
                      lane_weights(weight, mask, g * (size_t)ANIM_LANES + lane));
    lanes_leave();
}

// A scale of zero (or as good as) has no ratio: its delta is 1.
static inline lanes ratio_of(lanes scale, lanes reference)
{
    const lanes one = lanes_splat(1);
    lane_bits fine = lanes_greater(lanes_size(reference), lanes_splat(1e-12f));
    return lanes_select(fine, scale / lanes_select(fine, reference, one), one);
}

static inline void lanes_to_delta(anim_pose_group* pose, const anim_pose_group* reference,
                                  uint32_t lane, lane_bits keyed)
{
    const lanes zero = lanes_splat(0), one = lanes_splat(1);
    const quats identity = {zero, zero, zero, one};
    lane_bits t_keyed = in_channel(keyed, ANIM_CHANNEL_TRANSLATION);
    lane_bits s_keyed = in_channel(keyed, ANIM_CHANNEL_SCALE);
    for (int i = 0; i < 3; i++) {
        float *t = pose->t[i] + lane, *s = pose->s[i] + lane;
        lanes moved = lanes_load(t) - lanes_load(reference->t[i] + lane);
        lanes ratio = ratio_of(lanes_load(s), lanes_load(reference->s[i] + lane));
        lanes_store(t, lanes_select(t_keyed, moved, zero));
        lanes_store(s, lanes_select(s_keyed, ratio, one));
    }
    quats r = load_quats(reference, lane), q = load_quats(pose, lane);
    const quats inverse = {-r.x, -r.y, -r.z, r.w};
    q = quats_mul(&inverse, &q);
    q = quats_select(in_channel(keyed, ANIM_CHANNEL_ROTATION), &q, &identity);
    store_quats(pose, lane, &q);
}

static void to_delta(uint32_t group_count, anim_pose_group* pose, const anim_pose_group* reference,
                     const uint8_t* channels)
{
    lane_bits keyed = lanes_greater(lanes_splat(1), lanes_splat(0));
    for (uint32_t g = 0; g < group_count; g++)
        for (uint32_t lane = 0; lane < ANIM_LANES; lane += ANIM_WIDTH) {
            if (channels)
                keyed = lanes_of_bytes(channels + g * (size_t)ANIM_LANES + lane);
            lanes_to_delta(&pose[g], &reference[g], lane, keyed);
        }
    lanes_leave();
}

// --- sums ----------------------------------------------------------------------------------------------

static void sum_begin(uint32_t group_count, anim_pose_group* sum, const anim_pose_group* first,
                      float weight)
{
    lanes w = lanes_splat(weight);
    for (uint32_t g = 0; g < group_count; g++) {
        memcpy(sum[g].t, first[g].t, sizeof sum[g].t);
        memcpy(sum[g].s, first[g].s, sizeof sum[g].s);
        for (int i = 0; i < 4; i++)
            for (uint32_t lane = 0; lane < ANIM_LANES; lane += ANIM_WIDTH)
                lanes_store(sum[g].q[i] + lane, lanes_load(first[g].q[i] + lane) * w);
    }
    lanes_leave();
}

// Adds what differs from the first one: where all agree the sum is that to the bit.
static inline void add_streams(float (*sum)[ANIM_LANES], const float (*first)[ANIM_LANES],
                               const float (*pose)[ANIM_LANES], uint32_t lane, lanes w)
{
    for (int i = 0; i < 3; i++) {
        lanes more = lanes_load(pose[i] + lane) * w - lanes_load(first[i] + lane) * w;
        lanes_store(sum[i] + lane, lanes_load(sum[i] + lane) + more);
    }
}

static inline void add_rotations(anim_pose_group* sum, const anim_pose_group* first,
                                 const anim_pose_group* pose, uint32_t lane, lanes w)
{
    quats q = load_quats(pose, lane), reference = load_quats(first, lane);
    quats total = load_quats(sum, lane);
    w = lanes_flip(w, lanes_sign_bit(quats_dot(&q, &reference)));
    total = (quats){total.x + q.x * w, total.y + q.y * w, total.z + q.z * w, total.w + q.w * w};
    store_quats(sum, lane, &total);
}

static void sum_add(uint32_t group_count, anim_pose_group* sum, const anim_pose_group* first,
                    const anim_pose_group* pose, float weight)
{
    lanes w = lanes_splat(weight);
    for (uint32_t g = 0; g < group_count; g++)
        for (uint32_t lane = 0; lane < ANIM_LANES; lane += ANIM_WIDTH) {
            add_streams(sum[g].t, first[g].t, pose[g].t, lane, w);
            add_streams(sum[g].s, first[g].s, pose[g].s, lane, w);
            add_rotations(&sum[g], &first[g], &pose[g], lane, w);
        }
    lanes_leave();
}

static void sum_end(uint32_t group_count, anim_pose_group* sum)
{
    for (uint32_t g = 0; g < group_count; g++)
        for (uint32_t lane = 0; lane < ANIM_LANES; lane += ANIM_WIDTH) {
            quats q = load_quats(&sum[g], lane);
            q = quats_normalize(&q);
            store_quats(&sum[g], lane, &q);
        }
    lanes_leave();
}
