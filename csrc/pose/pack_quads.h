// SPDX-License-Identifier: MIT
// Frames of the fast form, and the rotations of eight joints in the order that is quickest to unpack. Included by
// pose/pack_fast_kernel.h.
#pragma once

#include "math/simd.h"
#include "pose/pack_format.h"

// --- frames ----------------------------------------------------------------------------------------

// Weights of two frames, which sum to ANIM_PACK_CENTRE, in the halves of a number.
static inline uint32_t weigh(float u)
{
    uint32_t next = (uint32_t)(int32_t)(u * ANIM_PACK_CENTRE + 0.5f);
    return (ANIM_PACK_CENTRE - next) | next << 16;
}

// a * w0 + b * w1 of eight numbers: whole, and at most 2^30.
#if defined(ANIM_WIDE)
static inline anim_f8 mix_row(const int16_t* a, const int16_t* b, uint32_t w)
{
    __m128i x = _mm_loadu_si128((const __m128i*)(const void*)a);
    __m128i y = _mm_loadu_si128((const __m128i*)(const void*)b);
    __m128i both = _mm_set1_epi32((int32_t)w);
    __m256i low = _mm256_castsi128_si256(_mm_madd_epi16(_mm_unpacklo_epi16(x, y), both));
    __m128i high = _mm_madd_epi16(_mm_unpackhi_epi16(x, y), both);
    return (anim_f8)_mm256_cvtepi32_ps(_mm256_inserti128_si256(low, high, 1));
}
#elif defined(__SSE2__) && !defined(ANIM_PLAIN)
static inline anim_f8 mix_row(const int16_t* a, const int16_t* b, uint32_t w)
{
    __m128i x = _mm_loadu_si128((const __m128i*)(const void*)a);
    __m128i y = _mm_loadu_si128((const __m128i*)(const void*)b);
    __m128i both = _mm_set1_epi32((int32_t)w);
    __m128 low = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpacklo_epi16(x, y), both));
    __m128 high = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpackhi_epi16(x, y), both));
    anim_f8 out;
    memcpy(&out, &low, sizeof low);
    memcpy((char*)&out + sizeof low, &high, sizeof high);
    return out;
}
#else
static inline anim_f8 mix_row(const int16_t* a, const int16_t* b, uint32_t w)
{
    anim_f8 out;
    for (uint32_t i = 0; i < ANIM_LANES; i++)
        out[i] = (float)((int32_t)a[i] * (int32_t)(w & 0xffff) +
                         (int32_t)b[i] * (int32_t)(w >> 16));
    return out;
}
#endif

// --- rotations of eight joints ---------------------------------------------------------------------

#if defined(ANIM_WIDE)

enum { PARTS = 2, PIECES = 2 }; // joints 0-3, 4-7; of each (x | z), (y | w)

#else

enum { PARTS = 1, PIECES = 4 }; // x, y, z, w

#endif

typedef struct quads {
    anim_f8 v[PARTS][PIECES];
} quads;

#if defined(ANIM_WIDE)

static inline anim_f8 join(const float* low, const float* high)
{
    return (anim_f8)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)),
                                         _mm_loadu_ps(high), 1);
}

static inline quads load_quads(const float* rows)
{
    const float *x = rows, *y = x + ANIM_LANES, *z = y + ANIM_LANES, *w = z + ANIM_LANES;
    return (quads){{{join(x, z), join(y, w)}, {join(x + 4, z + 4), join(y + 4, w + 4)}}};
}

static inline void store_quads(float* rows, const quads* q)
{
    for (int piece = 0; piece < PIECES; piece++) {
        __m256 a = (__m256)q->v[0][piece], b = (__m256)q->v[1][piece];
        float* row = rows + (uint32_t)piece * ANIM_LANES;
        _mm256_storeu_ps(row, _mm256_permute2f128_ps(a, b, 0x20));
        _mm256_storeu_ps(row + 2 * ANIM_LANES, _mm256_permute2f128_ps(a, b, 0x31));
    }
}

// One number a joint: (x x + y y) + (z z + w w).
static inline anim_f8 dot_quads(const quads* a, const quads* b)
{
    __m256 half[PARTS];
    for (int part = 0; part < PARTS; part++)
        half[part] = (__m256)(a->v[part][0] * b->v[part][0] + a->v[part][1] * b->v[part][1]);
    return (anim_f8)_mm256_add_ps(_mm256_permute2f128_ps(half[0], half[1], 0x20),
                                  _mm256_permute2f128_ps(half[0], half[1], 0x31));
}

// Each joint's number for all of its components.
static inline anim_f8 spread(anim_f8 v, int part)
{
    return part == 0 ? (anim_f8)_mm256_permute2f128_ps((__m256)v, (__m256)v, 0x00)
                     : (anim_f8)_mm256_permute2f128_ps((__m256)v, (__m256)v, 0x11);
}

static inline void set_identity(quads* q, anim_i8 where)
{
    const anim_f8 zero = {0}, end = {0, 0, 0, 0, 1, 1, 1, 1};
    for (int part = 0; part < PARTS; part++) {
        anim_i8 mask = (anim_i8)spread((anim_f8)where, part);
        q->v[part][0] = anim_f8_select(mask, zero, q->v[part][0]);
        q->v[part][1] = anim_f8_select(mask, end, q->v[part][1]);
    }
}

static inline quads load_table(const float* table)
{
    quads out;
    for (int part = 0; part < PARTS; part++)
        for (int piece = 0; piece < PIECES; piece++)
            out.v[part][piece] = anim_f8_load(table + (part * PIECES + piece) * 8);
    return out;
}

static inline void mix_pieces(const int16_t* a, const int16_t* b, uint32_t w, quads* out)
{
    __m256i both = _mm256_set1_epi32((int32_t)w);
    for (int piece = 0; piece < PIECES; piece++) {
        __m256i x = _mm256_loadu_si256((const __m256i*)(const void*)(a + piece * 16));
        __m256i y = _mm256_loadu_si256((const __m256i*)(const void*)(b + piece * 16));
        __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), both);
        __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), both);
        out->v[0][piece] = (anim_f8)_mm256_cvtepi32_ps(low);
        out->v[1][piece] = (anim_f8)_mm256_cvtepi32_ps(high);
    }
}

#else

static inline quads load_quads(const float* rows)
{
    quads out;
    for (uint32_t i = 0; i < PIECES; i++)
        out.v[0][i] = anim_f8_load(rows + i * ANIM_LANES);
    return out;
}

static inline void store_quads(float* rows, const quads* q)
{
    for (uint32_t i = 0; i < PIECES; i++)
        anim_f8_store(rows + i * ANIM_LANES, q->v[0][i]);
}

static inline anim_f8 dot_quads(const quads* a, const quads* b)
{
    const anim_f8 *p = a->v[0], *q = b->v[0];
    return (p[0] * q[0] + p[1] * q[1]) + (p[2] * q[2] + p[3] * q[3]);
}

static inline anim_f8 spread(anim_f8 v, int part)
{
    (void)part;
    return v;
}

static inline void set_identity(quads* q, anim_i8 where)
{
    for (int i = 0; i < PIECES; i++)
        q->v[0][i] = anim_f8_select(where, anim_f8_splat(i == 3), q->v[0][i]);
}

// Two stretches of four numbers.
static inline anim_f8 join(const float* low, const float* high)
{
    anim_f8 out;
    memcpy(&out, low, 16);
    memcpy((char*)&out + 16, high, 16);
    return out;
}

static inline quads load_table(const float* table)
{
    quads out;
    for (uint32_t i = 0; i < PIECES; i++) {
        const float* from = table + i % 2 * ANIM_LANES + i / 2 * 4;
        out.v[0][i] = join(from, from + 2 * ANIM_LANES);
    }
    return out;
}

static inline void mix_pieces(const int16_t* a, const int16_t* b, uint32_t w, quads* out)
{
    for (uint32_t i = 0; i < PIECES; i++) {
        uint32_t row = anim_pack_row(4, i) * ANIM_LANES;
        out->v[0][i] = mix_row(a + row, b + row, w);
    }
}

#endif

static inline quads scaled_quads(const quads* q, anim_f8 by)
{
    quads out;
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < PIECES; i++)
            out.v[part][i] = q->v[part][i] * spread(by, part);
    return out;
}

static inline void add_scaled(quads* sum, const quads* q, anim_f8 by)
{
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < PIECES; i++)
            sum->v[part][i] += q->v[part][i] * spread(by, part);
}

// The same by one number for all, which compilers would spread at every use.
static inline quads weighted_quads(const quads* q, float by)
{
    quads out;
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < PIECES; i++)
            out.v[part][i] = q->v[part][i] * by;
    return out;
}

static inline void add_weighted(quads* sum, const quads* q, float by)
{
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < PIECES; i++)
            sum->v[part][i] += q->v[part][i] * by;
}

static inline void add_product(quads* sum, const quads* a, const quads* b)
{
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < PIECES; i++)
            sum->v[part][i] += a->v[part][i] * b->v[part][i];
}

// Each rotation turned to the hemisphere of the first one's.
static inline void add_turned(quads* sum, const quads* q, float by, const quads* first)
{
    add_scaled(sum, q, anim_f8_flip(anim_f8_splat(by), anim_f8_sign_bit(dot_quads(q, first))));
}

// The same as anim_quat8_normalize.
static inline quads normalize(const quads* q)
{
    anim_i8 fine;
    quads out = scaled_quads(q, anim_f8_unit_scale(dot_quads(q, q), &fine));
    if (anim_i8_any(~fine))
        set_identity(&out, ~fine);
    return out;
}
