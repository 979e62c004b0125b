// SPDX-License-Identifier: MIT
// Eight floats side by side. Compiler vectors: the same operations in the same order on every
// machine, so the same bits; only the square root needs the machine's own instruction.
#pragma once

#include "base/config.h"

#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef float anim_f8 __attribute__((vector_size(32)));
typedef int32_t anim_i8 __attribute__((vector_size(32)));

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

// mask ? a : b, lane by lane; a mask lane is all ones or all zeros (what a comparison gives).
static inline anim_f8 anim_f8_select(anim_i8 mask, anim_f8 a, anim_f8 b)
{
    return (anim_f8)((mask & (anim_i8)a) | (~mask & (anim_i8)b));
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
#if defined(__SSE2__)
    __m128 low, high;
    memcpy(&low, &v, sizeof low);
    memcpy(&high, (const char*)&v + sizeof low, sizeof high);
    low = _mm_sqrt_ps(low);
    high = _mm_sqrt_ps(high);
    memcpy(&v, &low, sizeof low);
    memcpy((char*)&v + sizeof low, &high, sizeof high);
#elif defined(__aarch64__)
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

// Unit length; a lane too short to have a direction becomes the identity.
static inline anim_quat8 anim_quat8_normalize(const anim_quat8* q)
{
    anim_f8 length2 = anim_quat8_dot(q, q);
    anim_i8 fine = length2 > anim_f8_splat(1e-30f);
    anim_f8 scale = anim_f8_splat(1.0f) /
                    anim_f8_sqrt(anim_f8_select(fine, length2, anim_f8_splat(1.0f)));
    anim_f8 zero = anim_f8_splat(0.0f);
    return (anim_quat8){
        anim_f8_select(fine, q->x * scale, zero),
        anim_f8_select(fine, q->y * scale, zero),
        anim_f8_select(fine, q->z * scale, zero),
        anim_f8_select(fine, q->w * scale, anim_f8_splat(1.0f)),
    };
}
