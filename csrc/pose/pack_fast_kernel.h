// SPDX-License-Identifier: MIT
// Clips of the fast form at their times, mixed group by group in registers; a sample is a mix of one. Included
// by pose/pack_kernel.h. What comes out is what pose/sum.c makes of the samples one by one, but for the
// last bits of rotations: weights and lengths are multiplied at once.
#pragma once

#include "pose/pack_quads.h"

// --- mixing ----------------------------------------------------------------------------------------

// One clip of a mix.
typedef struct source {
    const unsigned char *a, *b; // frames
    uint32_t frames;            // their weights
    float weight;
    const anim_pack_group* const* places; // by channel and group
} source;

static inline void open_source(const anim_pack_term* term, source* s)
{
    const struct anim_pack* p = term->pack;
    anim_pack_place at = anim_pack_find(p, term->time);
    s->a = p->frames + (size_t)at.frame * p->frame_stride;
    s->b = s->a + p->frame_stride;
    s->frames = weigh(at.u);
    s->weight = term->weight;
    s->places = p->places;
}

// The rotations of a smooth group that moves, not yet unit.
static ANIM_ALWAYS_INLINE quads unpack_moving(const source* s, const anim_pack_group* g)
{
    quads q = load_table(g->table + 4 * ANIM_LANES), scale = load_table(g->table), mixed;
    mix_pieces((const int16_t*)(const void*)(s->a + g->at),
               (const int16_t*)(const void*)(s->b + g->at), s->frames, &mixed);
    add_product(&q, &mixed, &scale);
    return q;
}

static ANIM_ALWAYS_INLINE quads unpack_smooth(const source* s, const anim_pack_group* g, bool moves)
{
    return moves || g->scale ? unpack_moving(s, g) : load_table(g->table + 4 * ANIM_LANES);
}

// 1 / sqrt(1 - e), its series off by 4e-8; 1 for joints without keys, which are what they are.
static inline anim_f8 unit_of(const quads* q, const anim_pack_group* g)
{
    anim_i8 mask;
    memcpy(&mask, g->mask, sizeof mask);
    anim_f8 e = 1.0f - dot_quads(q, q), more = e * (0.5f + e * (0.375f + e * 0.3125f));
    return 1.0f + (anim_f8)((anim_i8)more & mask);
}

// The same off by 3e-6: so much the weights of a sum may be off, which is made unit in the end.
static ANIM_ALWAYS_INLINE anim_f8 unit_in_sum(const quads* q, const anim_pack_group* g, bool moves)
{
    if (!moves && !g->scale) // the table's are unit
        return anim_f8_splat(1);
    anim_f8 length2 = dot_quads(q, q);
    return 1.875f - length2 * (1.25f - length2 * 0.375f);
}

// Of any group, on any rest pose: unit.
static quads unpack_any(const source* s, const anim_pack_group* g, const quads* rest)
{
    if (!g)
        return *rest;
    quads q = load_quads(g->bias);
    if (g->scale) {
        quads mixed, scale = load_quads(g->scale);
        mix_pieces((const int16_t*)(const void*)(s->a + g->at),
                   (const int16_t*)(const void*)(s->b + g->at), s->frames, &mixed);
        scale = weighted_quads(&scale, 1.0f / ANIM_PACK_CENTRE);
        add_product(&q, &mixed, &scale);
    }
    q = normalize(&q);
    anim_f8 keyed = anim_f8_load((const float*)(const void*)g->mask);
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < PIECES; i++)
            q.v[part][i] = anim_f8_select((anim_i8)spread(keyed, part), q.v[part][i],
                                          rest->v[part][i]);
    return q;
}

// The sum of groups that are all there and smooth. moves: all of them do; near: all are, so that no sign need be
// asked for.
static ANIM_ALWAYS_INLINE quads mix_smooth(const source* sources, uint32_t count, uint32_t place,
                                           bool moves, bool near)
{
    const anim_pack_group* g = sources[0].places[place];
    quads first = unpack_smooth(&sources[0], g, moves);
    if (count == 1)
        return scaled_quads(&first, unit_of(&first, g));
    quads sum = scaled_quads(&first,
                             unit_in_sum(&first, g, moves) * anim_f8_splat(sources[0].weight));
    for (const source *s = sources + 1, *end = sources + count; s < end; s++) {
        g = s->places[place];
        quads q = unpack_smooth(s, g, moves);
        anim_f8 weight = unit_in_sum(&q, g, moves) * anim_f8_splat(s->weight);
        if (!near)
            weight = anim_f8_flip(weight, anim_f8_sign_bit(dot_quads(&q, &first)));
        add_scaled(&sum, &q, weight);
    }
    return normalize(&sum);
}

// The same where nothing moves: tables are unit.
static ANIM_ALWAYS_INLINE quads mix_still(const source* sources, uint32_t count, uint32_t place,
                                          bool near)
{
    quads first = load_table(sources[0].places[place]->table + 4 * ANIM_LANES);
    if (count == 1)
        return first;
    quads sum = weighted_quads(&first, sources[0].weight);
    for (const source *s = sources + 1, *end = sources + count; s < end; s++) {
        quads q = load_table(s->places[place]->table + 4 * ANIM_LANES);
        if (near)
            add_weighted(&sum, &q, s->weight);
        else
            add_turned(&sum, &q, s->weight, &first);
    }
    return normalize(&sum);
}

static quads mix_any(const source* sources, uint32_t count, uint32_t place, const quads* rest)
{
    quads first = unpack_any(&sources[0], sources[0].places[place], rest);
    if (count == 1)
        return first;
    quads sum = weighted_quads(&first, sources[0].weight);
    for (uint32_t i = 1; i < count; i++) {
        quads q = unpack_any(&sources[i], sources[i].places[place], rest);
        add_turned(&sum, &q, sources[i].weight, &first);
    }
    return normalize(&sum);
}

// Three rows of a translation or a scale.
typedef struct vectors {
    anim_f8 v[3];
} vectors;

static ANIM_ALWAYS_INLINE vectors mix_rows(const source* s, const anim_pack_group* g,
                                           const float* bias, const float* scale, float unit)
{
    vectors out;
    const int16_t* a = (const int16_t*)(const void*)(s->a + g->at);
    const int16_t* b = (const int16_t*)(const void*)(s->b + g->at);
    for (uint32_t r = 0; r < 3; r++) {
        out.v[r] = anim_f8_load(bias + r * ANIM_LANES);
        if (g->scale)
            out.v[r] += mix_row(a + r * ANIM_LANES, b + r * ANIM_LANES, s->frames) *
                        (anim_f8_load(scale + r * ANIM_LANES) * unit);
    }
    return out;
}

static vectors unpack_any_vectors(const source* s, const anim_pack_group* g, const vectors* rest)
{
    vectors out = mix_rows(s, g, g->bias, g->scale, 1.0f / ANIM_PACK_CENTRE);
    anim_i8 mask;
    memcpy(&mask, g->mask, sizeof mask);
    for (int r = 0; r < 3; r++)
        out.v[r] = anim_f8_select(mask, out.v[r], rest->v[r]);
    return out;
}

// is_own: the rest pose is that of the clip's skeleton, which the tables hold.
static ANIM_ALWAYS_INLINE vectors unpack_vectors(const source* s, uint32_t place, bool is_own,
                                                 const vectors* rest)
{
    const anim_pack_group* g = s->places[place];
    if (!g)
        return *rest;
    if (!is_own)
        return unpack_any_vectors(s, g, rest);
    return mix_rows(s, g, g->table + 4 * ANIM_LANES, g->table, 1);
}

// What differs from the first is added, as in pose/sum.c.
static ANIM_ALWAYS_INLINE void mix_vectors(const source* sources, uint32_t count, uint32_t place,
                                           bool is_own, const float (*rest)[ANIM_LANES],
                                           float (*out)[ANIM_LANES])
{
    vectors still = {{anim_f8_load(rest[0]), anim_f8_load(rest[1]), anim_f8_load(rest[2])}};
    vectors first = unpack_vectors(&sources[0], place, is_own, &still), sum = first;
    for (const source *s = sources + 1, *end = sources + count; s < end; s++) {
        vectors v = unpack_vectors(s, place, is_own, &still);
        anim_f8 w = anim_f8_splat(s->weight);
        for (int r = 0; r < 3; r++)
            sum.v[r] += v.v[r] * w - first.v[r] * w;
    }
    for (int r = 0; r < 3; r++)
        anim_f8_store(out[r], sum.v[r]);
}

static ANIM_ALWAYS_INLINE void copy_rows(const float (*from)[ANIM_LANES], float (*to)[ANIM_LANES])
{
    for (int r = 0; r < 3; r++)
        anim_f8_store(to[r], anim_f8_load(from[r]));
}

// A mix, and where it goes. Groups are taken kind by kind, not in order: so branches are foreseen.
typedef struct mix {
    source sources[ANIM_MOST_TERMS];
    uint32_t count, group_count;
    bool is_own;                 // the rest pose is that of the clips' skeleton
    const anim_pose_group* rest; // that of group g: rest[g * rest_step]
    uint32_t rest_step;
    anim_pose_group* out;
} mix;

// A bit for each of 64 groups: what holds in all clips of a mix, and what in any.
typedef struct joined_bits {
    uint64_t smooth, near, moving;
    uint64_t moved, turned, translated, scaled;
} joined_bits;

static joined_bits join_bits(const anim_pack_term* terms, uint32_t count, uint32_t word)
{
    joined_bits all = {~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), 0, 0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const anim_pack_bits* own = &terms[i].pack->bits[word];
        all.smooth &= own->smooth;
        all.near &= own->near;
        all.moving &= own->moving;
        all.moved |= own->moving;
        all.turned |= own->turned;
        all.translated |= own->translated;
        all.scaled |= own->scaled;
    }
    return all;
}

// Takes the lowest of the groups that are left.
static inline uint32_t take_group_of(uint64_t* bits, uint32_t first)
{
    uint32_t g = first + (uint32_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return g;
}

static ANIM_ALWAYS_INLINE void mix_smooth_groups(const mix* m, uint64_t bits, uint32_t first,
                                                 bool moves, bool near)
{
    while (bits) {
        uint32_t g = take_group_of(&bits, first);
        quads sum = mix_smooth(m->sources, m->count, ANIM_CHANNEL_ROTATION * m->group_count + g,
                               moves, near);
        store_quads(m->out[g].q[0], &sum);
    }
}

static ANIM_ALWAYS_INLINE void mix_still_groups(const mix* m, uint64_t bits, uint32_t first,
                                                bool near)
{
    while (bits) {
        uint32_t g = take_group_of(&bits, first);
        quads sum = mix_still(m->sources, m->count, ANIM_CHANNEL_ROTATION * m->group_count + g,
                              near);
        store_quads(m->out[g].q[0], &sum);
    }
}

static void mix_other_groups(const mix* m, uint64_t bits, uint32_t first)
{
    while (bits) {
        uint32_t g = take_group_of(&bits, first);
        quads still = load_quads(m->rest[g * m->rest_step].q[0]);
        quads sum = mix_any(m->sources, m->count, ANIM_CHANNEL_ROTATION * m->group_count + g,
                            &still);
        store_quads(m->out[g].q[0], &sum);
    }
}

static ANIM_ALWAYS_INLINE void mix_vector_groups(const mix* m, uint64_t bits, uint32_t first,
                                                 anim_channel channel)
{
    while (bits) {
        uint32_t g = take_group_of(&bits, first);
        const anim_pose_group* rest = &m->rest[g * m->rest_step];
        bool scale = channel == ANIM_CHANNEL_SCALE;
        mix_vectors(m->sources, m->count, channel * m->group_count + g, m->is_own,
                    scale ? rest->s : rest->t, scale ? m->out[g].s : m->out[g].t);
    }
}

// Translations and scales of all groups, keyed or not: most are not.
static void copy_rest(const mix* m, const uint8_t* wanted)
{
    const anim_pose_group* rest = m->rest;
    for (uint32_t g = 0; g < m->group_count; g++, rest += m->rest_step) {
        if (wanted && !wanted[g])
            continue;
        copy_rows(rest->t, m->out[g].t);
        copy_rows(rest->s, m->out[g].s);
    }
}

// Of the groups that no clip turns.
static void copy_rotations(const mix* m, uint64_t bits, uint32_t first)
{
    while (bits) {
        uint32_t g = take_group_of(&bits, first);
        quads still = load_quads(m->rest[g * m->rest_step].q[0]);
        store_quads(m->out[g].q[0], &still);
    }
}

static uint64_t wanted_bits(const uint8_t* wanted, uint32_t first, uint32_t group_count)
{
    uint32_t count = group_count - first < 64 ? group_count - first : 64;
    uint64_t bits = ~UINT64_C(0) >> (64 - count);
    for (uint32_t i = 0; i < count && wanted; i++)
        bits &= wanted[first + i] ? ~UINT64_C(0) : ~(UINT64_C(1) << i);
    return bits;
}

static void mix_fast(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                     uint32_t group_count, const uint8_t* wanted, anim_pose_group* out)
{
    const struct anim_pack* pack = terms[0].pack;
    mix m;
    for (uint32_t i = 0; i < count; i++)
        open_source(&terms[i], &m.sources[i]);
    m.count = count;
    m.group_count = group_count;
    m.is_own = !rest;
    m.rest = rest ? rest : pack->additive ? &anim_pose_identity : pack->skeleton->rest;
    m.rest_step = m.rest == &anim_pose_identity ? 0 : 1;
    m.out = out;
    if (m.rest != out)
        copy_rest(&m, wanted);
    for (uint32_t first = 0; first < group_count; first += 64) {
        joined_bits bits = join_bits(terms, count, first / 64);
        uint64_t all = wanted_bits(wanted, first, group_count);
        uint64_t smooth = rest ? 0 : bits.smooth & all; // tables hold the clips' own rest pose
        mix_smooth_groups(&m, smooth & bits.moving & bits.near, first, true, true);
        mix_smooth_groups(&m, smooth & bits.moving & ~bits.near, first, true, false);
        uint64_t still = smooth & ~bits.moved;
        mix_still_groups(&m, still & bits.near, first, true);
        mix_still_groups(&m, still & ~bits.near, first, false);
        mix_smooth_groups(&m, smooth & bits.moved & ~bits.moving, first, false, false);
        mix_other_groups(&m, all & bits.turned & ~smooth, first);
        if (m.rest != out)
            copy_rotations(&m, all & ~bits.turned, first);
        mix_vector_groups(&m, all & bits.translated, first, ANIM_CHANNEL_TRANSLATION);
        mix_vector_groups(&m, all & bits.scaled, first, ANIM_CHANNEL_SCALE);
    }
}
