// SPDX-License-Identifier: MIT
// The decoders of packed tracks; pose/pack_format.h says what lies where. Compiled once for every machine
// and once for AVX2 (ANIM_WIDE): the same operations in the same order, so the same bits.
#pragma once

#include "math/simd.h"
#include "pose/pack_fast_kernel.h"
#include "pose/pack_small.h"

#include <stddef.h>

// --- small form ------------------------------------------------------------------------------------

// The records that a time needs, and how far they are read.
typedef struct moment {
    const unsigned char* keys[2]; // the one next to the frame of even number, and the other
    const unsigned char* residuals[ANIM_PACK_MOST_LEVEL];
    const uint32_t* widths; // of the residuals
#if defined(ANIM_WIDE)
    uint32_t recipe_count;     // for a group of lanes
    __m256i bit;               // of the residuals' next byte, where lanes begin; see plan_group
    const anim_pack_put* puts; // of the next lanes
#else
    uint32_t key_at, residual_at[ANIM_PACK_MOST_LEVEL]; // bits where the next lanes begin
#endif
    int32_t halfway; // all ones where the even frame is the middle of two keys
    bool swap;       // the odd frame weighs more
    float less;      // the other's weight
    float even, odd; // weights of the frames
} moment;

static void find_records(const struct anim_pack* p, double time, moment* m)
{
    anim_pack_place at = anim_pack_find(p, time);
    uint32_t frame = at.frame, level = p->head.level, key = frame >> level;
    *m = (moment){0};
#if defined(ANIM_WIDE)
    m->recipe_count = anim_pack_recipe_count(p);
    m->puts = p->puts;
#endif
    bool is_odd = level > 0 && (frame & 1);
    bool from_far = level == 2 ? (frame & 2) != 0 : is_odd;
    m->keys[0] = p->keys + (size_t)(key + from_far) * p->key_stride;
    m->keys[1] = p->keys + (size_t)(key + !from_far) * p->key_stride;
    m->even = is_odd ? at.u : 1 - at.u;
    m->odd = is_odd ? 1 - at.u : at.u;
    m->swap = m->even < m->odd;
    m->less = m->swap ? m->even : m->odd;
    if (level == 0)
        return;
    // Frames 1 and 2 of four: the even one is 2.
    m->halfway = level == 2 && (frame & 3) - 1 < 2 ? -1 : 0;
    uint32_t shift = p->head.segment_shift;
    uint32_t which = shift == ANIM_PACK_ONE_SEGMENT ? 0 : frame >> shift;
    const anim_pack_segment* s = &p->segments[which];
    frame -= shift == ANIM_PACK_ONE_SEGMENT ? 0 : which << shift;
    m->widths = s->widths;
    for (uint32_t l = 0; l < level; l++)
        m->residuals[l] = s->records[l] + (size_t)(frame >> (level - l)) * s->strides[l];
}

// Eight lanes of whole numbers: x, y, z.
typedef struct triple {
    anim_i8 v[3];
} triple;

#if defined(ANIM_WIDE)

// The same as anim_pack_recipe in registers.
typedef struct recipe {
    uint32_t at[ANIM_LANES / 2];
    __m256i bytes[3], left[3], right[3];
} recipe;

static inline __m256i load_bytes(const uint8_t* from)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)from));
}

static inline void load_recipe(const anim_pack_recipe* from, recipe* r)
{
    memcpy(r->at, from->at, sizeof r->at);
    for (int i = 0; i < 3; i++) {
        r->bytes[i] = _mm256_loadu_si256((const __m256i*)(const void*)from->bytes[i]);
        r->left[i] = load_bytes(from->left[i]);
        r->right[i] = load_bytes(from->right[i]);
    }
}

// Nibbles of two words as 16-bit lanes: lanes 0 to 3 of the first word and of the second, then their lanes 4 to 7.
static inline __m256i spread_widths(uint64_t words)
{
    const __m256i bytes = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5, 2, 3, 2,
                                           3, 2, 3, 2, 3, 6, 7, 6, 7, 6, 7, 6, 7);
    const __m256i to_top = _mm256_set1_epi64x(0x0001001001001000);
    __m256i v = _mm256_shuffle_epi8(_mm256_set1_epi64x((int64_t)words), bytes);
    return _mm256_srli_epi16(_mm256_mullo_epi16(v, to_top), 12);
}

// Sums of the lanes of each word up to each, that one too. `totals`: those of all, in every lane. `narrow`: the
// fields of four lanes lie within 16 bytes.
static inline __m256i sum_lanes(__m256i v, __m256i* totals, bool* narrow)
{
    const __m256i last = _mm256_setr_epi8(6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15, 6,
                                          7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15);
    v = _mm256_add_epi16(v, _mm256_slli_epi64(v, 16));
    v = _mm256_add_epi16(v, _mm256_slli_epi64(v, 32));
    __m256i half = _mm256_shuffle_epi8(v, last);
    __m256i wide = _mm256_cmpgt_epi16(half, _mm256_set1_epi16(ANIM_PACK_MOST_NARROW));
    *narrow = _mm256_testz_si256(wide, wide);
    v = _mm256_add_epi16(v, _mm256_permute2x128_si256(half, half, 0x08));
    *totals = _mm256_add_epi16(half, _mm256_permute2x128_si256(half, half, 0x01));
    return v;
}

// One component of both levels; `first`: the byte where bytes are counted from.
static inline void plan_field(recipe r[2], int i, __m256i width, __m256i start, __m256i first)
{
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6, 0, 0, 0,
                                            0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6);
    const __m256i upper = _mm256_set1_epi8(8), next = _mm256_set1_epi32(0x03020100);
    const __m256i zero = _mm256_setzero_si256();
    __m256i byte = _mm256_sub_epi16(_mm256_srli_epi16(start, 3), first);
    __m256i right = _mm256_sub_epi16(_mm256_set1_epi16(32), width);
    __m256i left = _mm256_sub_epi16(right, _mm256_and_si256(start, _mm256_set1_epi16(7)));
    left = _mm256_or_si256(left, _mm256_cmpeq_epi16(width, zero)); // then far more than 32
    r[0].bytes[i] = _mm256_add_epi8(_mm256_shuffle_epi8(byte, spread), next);
    r[1].bytes[i] = _mm256_add_epi8(_mm256_shuffle_epi8(byte, _mm256_or_si256(spread, upper)),
                                    next);
    r[0].left[i] = _mm256_unpacklo_epi16(left, zero);
    r[1].left[i] = _mm256_unpackhi_epi16(left, zero);
    r[0].right[i] = _mm256_unpacklo_epi16(right, zero);
    r[1].right[i] = _mm256_unpackhi_epi16(right, zero);
}

// What pose/pack_ready.c makes of widths that are the same all along, for both levels at once (where there is one,
// the second's words are 0); true: they are narrow. `at_bit`: of a byte, where the group begins, in all lanes of a
// level. `at` and `ends`: bytes from there to lanes and to the group's end. Lanes as in spread_widths.
static inline bool plan_group(const uint64_t words[3], __m256i* at_bit, uint16_t at[2 * ANIM_LANES],
                              uint16_t ends[2 * ANIM_LANES], recipe r[2])
{
    static const _Alignas(32) int8_t firsts[2][32] = {
        {0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13,
         0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13},
        {0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9,
         0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9},
    };
    __m256i x = spread_widths(words[0]), y = spread_widths(words[1]), z = spread_widths(words[2]);
    __m256i xy = _mm256_add_epi16(x, y), whole = _mm256_add_epi16(xy, z), totals;
    bool narrow;
    __m256i sums = sum_lanes(whole, &totals, &narrow), bit = *at_bit;
    __m256i start = _mm256_add_epi16(_mm256_sub_epi16(sums, whole), bit);
    __m256i first = _mm256_srli_epi16(start, 3), end = _mm256_add_epi16(totals, bit);
    _mm256_store_si256((__m256i*)(void*)at, first);
    _mm256_store_si256((__m256i*)(void*)ends, _mm256_srli_epi16(end, 3));
    *at_bit = _mm256_and_si256(end, _mm256_set1_epi16(7));
    first = _mm256_shuffle_epi8(first,
                                _mm256_load_si256((const __m256i*)(const void*)firsts[narrow]));
    plan_field(r, 0, x, start, first);
    plan_field(r, 1, y, _mm256_add_epi16(start, x), first);
    plan_field(r, 2, z, _mm256_add_epi16(start, xy), first);
    return narrow;
}

static inline __m256i load_halves(const unsigned char* low, const unsigned char* high)
{
    __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i*)(const void*)low));
    return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i*)(const void*)high), 1);
}

static ANIM_ALWAYS_INLINE void follow(const unsigned char* record, const recipe* r, bool narrow,
                                      triple* out)
{
    __m256i a = load_halves(record + r->at[0], record + r->at[2]), b = a;
    if (!narrow)
        b = load_halves(record + r->at[1], record + r->at[3]);
    for (int i = 0; i < 3; i++) {
        __m256i v = _mm256_shuffle_epi8(a, r->bytes[i]);
        if (!narrow)
            v = _mm256_blend_epi32(v, _mm256_shuffle_epi8(b, r->bytes[i]), 0xcc);
        v = _mm256_srav_epi32(_mm256_sllv_epi32(v, r->left[i]), r->right[i]);
        out->v[i] = (anim_i8)v;
    }
}

static ANIM_ALWAYS_INLINE void take_keys(const struct anim_pack* p, uint32_t group, moment* m,
                                         triple out[2])
{
    const anim_pack_recipe* from = p->recipes + (size_t)group * m->recipe_count;
    recipe r;
    load_recipe(from, &r);
    if (from->narrow) {
        follow(m->keys[0], &r, true, &out[0]);
        follow(m->keys[1], &r, true, &out[1]);
    } else {
        follow(m->keys[0], &r, false, &out[0]);
        follow(m->keys[1], &r, false, &out[1]);
    }
}

static ANIM_ALWAYS_INLINE void plan_residuals(uint32_t group, uint32_t level, moment* m,
                                              triple* out)
{
    _Alignas(32) uint16_t at[2 * ANIM_LANES], ends[2 * ANIM_LANES];
    recipe r[ANIM_PACK_MOST_LEVEL];
    uint64_t words[3] = {0};
    for (int i = 0; i < 3; i++)
        memcpy(&words[i], m->widths + (3 * (size_t)group + (size_t)i) * level, 4 * (size_t)level);
    bool narrow = plan_group(words, &m->bit, at, ends, r);
    for (uint32_t l = 0; l < level; l++) {
        for (uint32_t pair = 0; pair < ANIM_LANES / 2; pair++)
            r[l].at[pair] = at[pair / 2 * 8 + pair % 2 * 2 + 4 * l];
        if (narrow)
            follow(m->residuals[l], &r[l], true, &out[l]);
        else
            follow(m->residuals[l], &r[l], false, &out[l]);
        m->residuals[l] += ends[4 * l];
    }
}

static ANIM_ALWAYS_INLINE void take_residuals(const struct anim_pack* p, uint32_t group,
                                              uint32_t level, moment* m, triple* out)
{
    if (level > 0 && p->segment_count != 1) {
        plan_residuals(group, level, m, out);
        return;
    }
    const anim_pack_recipe* from = p->recipes + (size_t)group * (1 + level) + 1;
    for (uint32_t l = 0; l < level; l++, from++) {
        recipe r;
        load_recipe(from, &r);
        if (from->narrow)
            follow(m->residuals[l], &r, true, &out[l]);
        else
            follow(m->residuals[l], &r, false, &out[l]);
    }
}

#else

static inline int32_t take_field(uint64_t* bits, uint32_t width)
{
    int64_t top = (int64_t)1 << width >> 1;
    int64_t value = (int64_t)(*bits & (((uint64_t)1 << width) - 1));
    *bits >>= width;
    return (int32_t)((value ^ top) - top);
}

static inline void take_lane(const unsigned char* record, uint32_t at, const uint32_t width[3],
                             uint32_t lane, int32_t out[3][ANIM_LANES])
{
    uint64_t bits;
    memcpy(&bits, record + at / 8, sizeof bits);
    bits >>= at % 8;
    for (int i = 0; i < 3; i++)
        out[i][lane] = take_field(&bits, width[i]);
}

// Eight lanes of records whose widths are the same, at most two. Returns where the next lanes begin.
static ANIM_ALWAYS_INLINE uint32_t take_group(const unsigned char* const* records, uint32_t count,
                                              uint32_t at, const uint32_t* widths, uint32_t apart,
                                              uint32_t base, triple* out)
{
    int32_t values[2][3][ANIM_LANES];
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
        const uint32_t width[3] = {anim_pack_width(widths[0], lane, base),
                                   anim_pack_width(widths[apart], lane, base),
                                   anim_pack_width(widths[2 * apart], lane, base)};
        for (uint32_t i = 0; i < count; i++)
            take_lane(records[i], at, width, lane, values[i]);
        at += width[0] + width[1] + width[2];
    }
    memcpy(out, values, count * sizeof *out);
    return at;
}

static ANIM_ALWAYS_INLINE void take_keys(const struct anim_pack* p, uint32_t group, moment* m,
                                         triple out[2])
{
    m->key_at = take_group(m->keys, 2, m->key_at, p->key_widths + (size_t)group * 3, 1,
                           p->head.base_width, out);
}

static ANIM_ALWAYS_INLINE void take_residuals(const struct anim_pack* p, uint32_t group,
                                              uint32_t level, moment* m, triple* out)
{
    (void)p;
    for (uint32_t l = 0; l < level; l++)
        m->residual_at[l] = take_group(&m->residuals[l], 1, m->residual_at[l],
                                       m->widths + (size_t)group * 3 * level + l, level, 0,
                                       &out[l]);
}

#endif

// Two frames in units of step / 2^level: first the one that weighs more.
typedef struct frames {
    anim_i8 v[2][3];
} frames;

static ANIM_ALWAYS_INLINE void take_frames(const struct anim_pack* p, uint32_t group,
                                           uint32_t level, moment* m, frames* out)
{
    triple keys[2], r[ANIM_PACK_MOST_LEVEL];
    take_keys(p, group, m, keys);
    take_residuals(p, group, level, m, r);
    anim_i8 *even = out->v[m->swap], *odd = out->v[!m->swap];
    for (int i = 0; i < 3; i++) {
        anim_i8 a = keys[0].v[i], b = keys[1].v[i];
        if (level == 0) {
            even[i] = a;
            odd[i] = b;
        } else if (level == 1) {
            even[i] = a + a;
            odd[i] = (a + b) + (r[0].v[i] + r[0].v[i]);
        } else {
            anim_i8 across = (b - a) + (r[0].v[i] + r[0].v[i]), four = a << 2;
            even[i] = four + ((across + across) & m->halfway);
            odd[i] = (four + across) + (r[0].v[i] + (r[1].v[i] << 2));
        }
    }
}

static anim_f8 scaled(anim_i8 values, anim_f8 step)
{
    return anim_i8_to_f8(values) * step;
}

static anim_quat8 mix_along_arc(const anim_quat8* a, const anim_quat8* b, float u, const float k[4])
{
    anim_f8 x = b->x - a->x, y = b->y - a->y, z = b->z - a->z, w = b->w - a->w;
    anim_f8 square = ((x * x + y * y) + (z * z + w * w)) * 0.25f;
    anim_f8 v = u + square * (k[0] + square * (k[1] + square * (k[2] + square * k[3])));
    return (anim_quat8){a->x + x * v, a->y + y * v, a->z + z * v, a->w + w * v};
}

#if defined(ANIM_WIDE)

// Eight lanes to their places in `rows` rows of a pose's groups, `first` floats from their beginning.
static ANIM_ALWAYS_INLINE void put_lanes(const struct anim_pack* p, uint32_t group, uint32_t count,
                                         moment* m, const anim_f8* values, uint32_t rows,
                                         size_t first, anim_pose_group* out)
{
    (void)p;
    (void)group;
    (void)count;
    const anim_pack_put* put = m->puts;
    do {
        float* to = (float*)(void*)&out[put->group] + first;
        if (put->is_whole) {
            for (uint32_t r = 0; r < rows; r++)
                anim_f8_store(to + r * ANIM_LANES, values[r]);
            continue;
        }
        const __m128i* lanes = (const __m128i*)(const void*)put->from;
        __m256i from = _mm256_cvtepi8_epi32(_mm_loadl_epi64(lanes));
        for (uint32_t r = 0; r < rows; r++, to += ANIM_LANES) {
            __m256 v = _mm256_permutevar8x32_ps((__m256)values[r], from);
            v = _mm256_blendv_ps(v, _mm256_loadu_ps(to), _mm256_castsi256_ps(from));
            _mm256_storeu_ps(to, v);
        }
    } while (!put++->is_last);
    m->puts = put;
}

#else

static ANIM_ALWAYS_INLINE void put_lanes(const struct anim_pack* p, uint32_t group, uint32_t count,
                                         moment* m, const anim_f8* values, uint32_t rows,
                                         size_t first, anim_pose_group* out)
{
    (void)m;
    float from[4][ANIM_LANES];
    for (uint32_t r = 0; r < rows; r++)
        anim_f8_store(from[r], values[r]);
    const uint16_t* slots = p->lane_slots + (size_t)group * ANIM_LANES;
    for (uint32_t lane = 0; lane < count; lane++) {
        float* to = (float*)(void*)&out[slots[lane] / ANIM_LANES] + first +
                    slots[lane] % ANIM_LANES;
        for (uint32_t r = 0; r < rows; r++)
            to[r * ANIM_LANES] = from[r][lane];
    }
}

#endif

// So many groups of lanes are taken out of the records before they are worked with. What is done with each is a long
// chain of operations: the machine has several under way at once only where they come right after each other.
enum { TOGETHER = 6 };

static inline uint32_t groups_left(uint32_t count, uint32_t from)
{
    return count - from < TOGETHER ? count - from : TOGETHER;
}

static inline void mix_rotations(const anim_pack_turns* t, const frames* f, float u,
                                 const float arc[4], anim_f8 out[4])
{
    anim_f8 step = anim_f8_load(t->step);
    anim_quat8 a = anim_pack_open_quarter(scaled(f->v[0][0], step), scaled(f->v[0][1], step),
                                          scaled(f->v[0][2], step));
    anim_quat8 b = anim_pack_open_quarter(scaled(f->v[1][0], step), scaled(f->v[1][1], step),
                                          scaled(f->v[1][2], step));
    anim_quat8 d = mix_along_arc(&a, &b, u, arc);
    anim_quat8 ref = {anim_f8_load(t->ref[0]), anim_f8_load(t->ref[1]), anim_f8_load(t->ref[2]),
                      anim_f8_load(t->ref[3])};
    anim_quat8 q = anim_quat8_mul(&ref, &d);
    q = anim_quat8_normalize(&q);
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

static ANIM_ALWAYS_INLINE void sample_rotations(const struct anim_pack* p, uint32_t level,
                                                moment* m, anim_pose_group* out)
{
    const size_t first = offsetof(anim_pose_group, q) / sizeof(float);
    float arc[4];
    anim_pack_arc(m->less, arc);
    uint32_t moving = p->streams[ANIM_CHANNEL_ROTATION].moving, count = anim_group_count(moving);
    for (uint32_t g = 0; g < count; g += TOGETHER) {
        frames f[TOGETHER];
        uint32_t left = groups_left(count, g);
        for (uint32_t i = 0; i < left; i++)
            take_frames(p, g + i, level, m, &f[i]);
        for (uint32_t i = 0; i < left; i++) {
            anim_f8 rows[4];
            mix_rotations(&p->turns[g + i], &f[i], m->less, arc, rows);
            put_lanes(p, g + i, anim_pack_lanes_left(moving, (g + i) * ANIM_LANES), m, rows, 4,
                      first, out);
        }
    }
}

static ANIM_ALWAYS_INLINE void sample_vectors(const struct anim_pack* p, anim_channel channel,
                                              uint32_t level, moment* m, anim_pose_group* out)
{
    const size_t first = channel == ANIM_CHANNEL_SCALE
                             ? offsetof(anim_pose_group, s) / sizeof(float)
                             : 0;
    const anim_pack_stream* s = &p->streams[channel];
    uint32_t turns = anim_group_count(p->streams[ANIM_CHANNEL_ROTATION].moving);
    uint32_t start = s->lane / ANIM_LANES, end = start + anim_group_count(s->moving);
    for (uint32_t g = start; g < end; g++) {
        frames f;
        take_frames(p, g, level, m, &f);
        const anim_i8 *even = f.v[m->swap], *odd = f.v[!m->swap];
        const anim_pack_shifts* t = &p->shifts[g - turns];
        anim_f8 step = anim_f8_load(t->step), rows[3];
        for (int c = 0; c < 3; c++)
            rows[c] = ((scaled(even[c], step) * m->even + scaled(odd[c], step) * m->odd) +
                       anim_f8_load(t->centre[c])) +
                      anim_f8_load(t->rest[c]);
        put_lanes(p, g, anim_pack_lanes_left(s->moving, (g - start) * ANIM_LANES), m, rows, 3,
                  first, out);
    }
}

// Written out for each level, which spares what the others have.
static ANIM_ALWAYS_INLINE void sample_moving(const struct anim_pack* p, uint32_t level, moment* m,
                                             anim_pose_group* out)
{
    sample_rotations(p, level, m, out);
    sample_vectors(p, ANIM_CHANNEL_TRANSLATION, level, m, out);
    sample_vectors(p, ANIM_CHANNEL_SCALE, level, m, out);
}

// Row by row, as put_lanes soon reads some: a row that was not stored whole would have to reach the cache first.
static void copy_base(const struct anim_pack* p, anim_pose_group* out)
{
    const anim_pack_base* base = p->base;
    uint32_t count = p->skeleton->group_count;
    for (uint32_t g = 0; g < count; g++, base++, out++) {
        for (int r = 0; r < 3; r++)
            anim_f8_store(out->t[r], anim_f8_load(base->t + r * ANIM_LANES));
        for (int r = 0; r < 4; r++)
            anim_f8_store(out->q[r], anim_f8_load(base->q + r * ANIM_LANES));
        for (int r = 0; r < 3; r++)
            anim_f8_store(out->s[r], anim_f8_load(base->s + r * ANIM_LANES));
    }
}

static void sample_small(const struct anim_pack* pack, double time, bool keep, anim_pose_group* out)
{
    if (!keep)
        copy_base(pack, out);
    if (pack->track_count == 0)
        return;
    moment m;
    find_records(pack, time, &m);
    if (pack->head.level == 0)
        sample_moving(pack, 0, &m, out);
    else if (pack->head.level == 1)
        sample_moving(pack, 1, &m, out);
    else
        sample_moving(pack, 2, &m, out);
}

// --- both ------------------------------------------------------------------------------------------

static void sample_packed(const struct anim_pack* pack, double time, bool keep,
                          anim_pose_group* out)
{
    const anim_pack_term alone = {pack, time, 1};
    if (pack->head.form == ANIM_PACK_FAST)
        mix_fast(&alone, 1, keep ? out : NULL, pack->skeleton->group_count, NULL, out);
    else
        sample_small(pack, time, keep, out);
}
