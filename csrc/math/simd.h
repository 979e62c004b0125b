// SPDX-License-Identifier: MIT
// Eight floats side by side. Compiler vectors: the same operations in the same order on every
// machine, so the same bits; only the square root needs the machine's own instruction. A file that defines
// ANIM_PLAIN names no instruction of any machine.
#pragma once

#include "base/config.h"

#include <math.h>
#include <string.h>

#if defined(ANIM_WIDE)
#include <immintrin.h>
#elif defined(__SSE2__) && !defined(ANIM_PLAIN)
#include <emmintrin.h>
#elif defined(__aarch64__) && !defined(ANIM_PLAIN)
#include <arm_neon.h>
#endif

typedef float anim_f8 __attribute__((vector_size(32)));
typedef int32_t anim_i8 __attribute__((vector_size(32)));

// Four of the eight numbers of two vectors of four.
#if defined(__clang__)
#define ANIM_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define ANIM_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (anim_i4){i, j, k, l})
#endif

static inline anim_f8 anim_f8_load(const float* from) // any alignment
{
    anim_f8 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void anim_f8_store(float* to, anim_f8 v)
{
    memcpy(to, &v, sizeof v);
}

static inline anim_f8 anim_f8_splat(float x)
{
    return (anim_f8){x, x, x, x, x, x, x, x};
}

typedef float anim_f4 __attribute__((vector_size(16)));
typedef int32_t anim_i4 __attribute__((vector_size(16)));

#if defined(ANIM_WIDE) // the file is compiled for AVX2: halves would go through memory

static inline anim_i8 anim_f8_greater(anim_f8 a, anim_f8 b)
{
    return (anim_i8)(a > b);
}

static inline anim_f8 anim_i8_to_f8(anim_i8 v)
{
    return __builtin_convertvector(v, anim_f8);
}

#else

// Comparisons by halves: gcc for SSE2 takes one of 32 bytes apart into single floats.

static inline anim_i8 anim_f8_greater(anim_f8 a, anim_f8 b)
{
    anim_f4 a4[2], b4[2];
    memcpy(a4, &a, sizeof a);
    memcpy(b4, &b, sizeof b);
    anim_i4 halves[2] = {a4[0] > b4[0], a4[1] > b4[1]};
    anim_i8 mask;
    memcpy(&mask, halves, sizeof mask);
    return mask;
}

static inline anim_f8 anim_i8_to_f8(anim_i8 v)
{
    anim_i4 v4[2];
    memcpy(v4, &v, sizeof v);
    anim_f4 halves[2] = {__builtin_convertvector(v4[0], anim_f4),
                         __builtin_convertvector(v4[1], anim_f4)};
    anim_f8 out;
    memcpy(&out, halves, sizeof out);
    return out;
}

#endif

static inline bool anim_i8_any(anim_i8 mask)
{
#if defined(ANIM_WIDE)
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
    uint64_t words[4];
    memcpy(words, &mask, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
#endif
}

// mask ? a : b, lane by lane; a mask lane is all ones or all zeros (what a comparison gives).
static inline anim_f8 anim_f8_select(anim_i8 mask, anim_f8 a, anim_f8 b)
{
#if defined(ANIM_WIDE)
    return (anim_f8)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
#else
    return (anim_f8)((mask & (anim_i8)a) | (~mask & (anim_i8)b));
#endif
}

static inline anim_i8 anim_f8_sign_bit(anim_f8 v)
{
    return (anim_i8)v & (anim_i8)anim_f8_splat(-0.0f);
}

static inline anim_f8 anim_f8_flip(anim_f8 v, anim_i8 sign_bits)
{
    return (anim_f8)((anim_i8)v ^ sign_bits);
}

static inline anim_f8 anim_f8_sqrt(anim_f8 v)
{
#if defined(ANIM_WIDE)
    v = (anim_f8)_mm256_sqrt_ps((__m256)v);
#elif defined(__SSE2__) && !defined(ANIM_PLAIN)
    __m128 low, high;
    memcpy(&low, &v, sizeof low);
    memcpy(&high, (const char*)&v + sizeof low, sizeof high);
    low = _mm_sqrt_ps(low);
    high = _mm_sqrt_ps(high);
    memcpy(&v, &low, sizeof low);
    memcpy((char*)&v + sizeof low, &high, sizeof high);
#elif defined(__aarch64__) && !defined(ANIM_PLAIN)
    float32x4_t low, high;
    memcpy(&low, &v, sizeof low);
    memcpy(&high, (const char*)&v + sizeof low, sizeof high);
    low = vsqrtq_f32(low);
    high = vsqrtq_f32(high);
    memcpy(&v, &low, sizeof low);
    memcpy((char*)&v + sizeof low, &high, sizeof high);
#else
    for (int i = 0; i < 8; i++)
        v[i] = sqrtf(v[i]);
#endif
    return v;
}

// Eight rows of four numbers as four vectors of eight: element i of row l becomes lane l of out[i].
static inline void anim_f8_transpose(float rows[8][4], anim_f8 out[4])
{
    anim_f4 r[8];
    memcpy(r, rows, sizeof r);
    for (int half = 0; half < 2; half++) {
        const anim_f4* row = r + 4 * half;
        anim_f4 a = ANIM_SHUFFLE(row[0], row[1], 0, 4, 1, 5),
                b = ANIM_SHUFFLE(row[2], row[3], 0, 4, 1, 5);
        anim_f4 c = ANIM_SHUFFLE(row[0], row[1], 2, 6, 3, 7),
                d = ANIM_SHUFFLE(row[2], row[3], 2, 6, 3, 7);
        const anim_f4 columns[4] = {ANIM_SHUFFLE(a, b, 0, 1, 4, 5), ANIM_SHUFFLE(a, b, 2, 3, 6, 7),
                                    ANIM_SHUFFLE(c, d, 0, 1, 4, 5), ANIM_SHUFFLE(c, d, 2, 3, 6, 7)};
        for (int i = 0; i < 4; i++)
            memcpy((char*)&out[i] + 16 * half, &columns[i], 16);
    }
}

// Four quaternion components of eight joints.
typedef struct anim_quat8 {
    anim_f8 x, y, z, w;
} anim_quat8;

static inline anim_f8 anim_quat8_dot(const anim_quat8* a, const anim_quat8* b)
{
    return (a->x * b->x + a->y * b->y) + (a->z * b->z + a->w * b->w);
}

static inline anim_quat8 anim_quat8_mul(const anim_quat8* a, const anim_quat8* b)
{
    return (anim_quat8){
        (a->w * b->x + a->x * b->w) + (a->y * b->z - a->z * b->y),
        (a->w * b->y - a->x * b->z) + (a->y * b->w + a->z * b->x),
        (a->w * b->z + a->x * b->y) + (a->z * b->w - a->y * b->x),
        (a->w * b->w - a->x * b->x) - (a->y * b->y + a->z * b->z),
    };
}

// 1 / sqrt(length2) where that is fine; elsewhere 1.
static inline anim_f8 anim_f8_unit_scale(anim_f8 length2, anim_i8* fine)
{
    *fine = anim_f8_greater(length2, anim_f8_splat(1e-30f));
    return anim_f8_splat(1.0f) / anim_f8_sqrt(anim_f8_select(*fine, length2, anim_f8_splat(1.0f)));
}

// Unit length; a lane too short to have a direction becomes the identity.
static inline anim_quat8 anim_quat8_normalize(const anim_quat8* q)
{
    anim_i8 fine;
    anim_f8 scale = anim_f8_unit_scale(anim_quat8_dot(q, q), &fine), zero = anim_f8_splat(0.0f);
    return (anim_quat8){
        anim_f8_select(fine, q->x * scale, zero),
        anim_f8_select(fine, q->y * scale, zero),
        anim_f8_select(fine, q->z * scale, zero),
        anim_f8_select(fine, q->w * scale, anim_f8_splat(1.0f)),
    };
}
