// SPDX-License-Identifier: MIT
// Kernels in one source for three widths: a file that defines ANIM_WIDTH as 1, 4 or 8 and then includes a
// kernel gets it for plain floats, for vectors of 16 bytes, or for AVX2. Lanes never look at each other here,
// and each operation rounds once, so all three give the same bits.
#pragma once

#include "math/simd.h"

#if !defined(ANIM_WIDTH)
#define ANIM_WIDTH 4
#endif

#if ANIM_WIDTH == 8
#if !defined(ANIM_WIDE)
#error "8 lanes are for files that are compiled for AVX2"
#endif
typedef anim_f8 lanes;
typedef anim_i8 lane_bits; // all ones or all zeros in a lane, or its sign bit
#elif ANIM_WIDTH == 4
typedef anim_f4 lanes;
typedef anim_i4 lane_bits;
#elif ANIM_WIDTH == 1
typedef float lanes;
typedef int32_t lane_bits;
#else
#error "define ANIM_WIDTH as 1, 4 or 8"
#endif

static inline lanes lanes_load(const float* from) // any alignment
{
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void lanes_store(float* to, lanes v)
{
    memcpy(to, &v, sizeof v);
}

static inline lanes lanes_splat(float x)
{
#if ANIM_WIDTH == 8
    return anim_f8_splat(x);
#elif ANIM_WIDTH == 4
    return (anim_f4){x, x, x, x};
#else
    return x;
#endif
}

static inline lane_bits lanes_greater(lanes a, lanes b)
{
#if ANIM_WIDTH == 1
    return a > b ? -1 : 0;
#else
    return (lane_bits)(a > b);
#endif
}

static inline lane_bits lanes_to_bits(lanes v)
{
    lane_bits bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline lanes lanes_of_bits(lane_bits bits)
{
    lanes v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

// mask ? a : b, lane by lane.
static inline lanes lanes_select(lane_bits mask, lanes a, lanes b)
{
#if ANIM_WIDTH == 1
    return mask ? a : b;
#elif ANIM_WIDTH == 8
    return (lanes)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
#else
    return lanes_of_bits((mask & lanes_to_bits(a)) | (~mask & lanes_to_bits(b)));
#endif
}

static inline bool lanes_any(lane_bits mask) // of a mask, not of numbers
{
#if ANIM_WIDTH == 8
    return _mm256_movemask_ps((__m256)mask) != 0;
#elif ANIM_WIDTH == 4 && defined(__SSE2__)
    return _mm_movemask_ps((__m128)mask) != 0;
#elif ANIM_WIDTH == 4
    uint64_t words[2];
    memcpy(words, &mask, sizeof words);
    return (words[0] | words[1]) != 0;
#else
    return mask != 0;
#endif
}

static inline bool lanes_all(lane_bits mask)
{
#if ANIM_WIDTH == 8
    return _mm256_movemask_ps((__m256)mask) == 0xff;
#else
    return !lanes_any(~mask);
#endif
}

static inline lane_bits lanes_sign_bit(lanes v)
{
    return lanes_to_bits(v) & lanes_to_bits(lanes_splat(-0.0f));
}

static inline lanes lanes_flip(lanes v, lane_bits sign_bits)
{
    return lanes_of_bits(lanes_to_bits(v) ^ sign_bits);
}

static inline lanes lanes_size(lanes v)
{
    return lanes_of_bits(lanes_to_bits(v) & ~lanes_to_bits(lanes_splat(-0.0f)));
}

static inline lanes lanes_max(lanes a, lanes b)
{
#if ANIM_WIDTH == 8
    return (lanes)_mm256_max_ps((__m256)a, (__m256)b);
#elif ANIM_WIDTH == 4 && defined(__SSE2__)
    return (lanes)_mm_max_ps((__m128)a, (__m128)b);
#else
    return lanes_select(lanes_greater(a, b), a, b);
#endif
}

// From -most to most; what is not a number becomes -most.
static inline lanes lanes_clamp(lanes v, float most)
{
    lanes high = lanes_splat(most), low = lanes_splat(-most);
#if ANIM_WIDTH == 8
    return (lanes)_mm256_min_ps(_mm256_max_ps((__m256)v, (__m256)low), (__m256)high);
#elif ANIM_WIDTH == 4 && defined(__SSE2__)
    return (lanes)_mm_min_ps(_mm_max_ps((__m128)v, (__m128)low), (__m128)high);
#else
    v = lanes_select(lanes_greater(v, low), v, low);
    return lanes_select(lanes_greater(high, v), v, high);
#endif
}

static inline lanes lanes_sqrt(lanes v)
{
#if ANIM_WIDTH == 8
    return (lanes)_mm256_sqrt_ps((__m256)v);
#elif ANIM_WIDTH == 4 && defined(__SSE2__)
    return (lanes)_mm_sqrt_ps((__m128)v);
#elif ANIM_WIDTH == 4 && defined(__aarch64__)
    return (lanes)vsqrtq_f32((float32x4_t)v);
#elif ANIM_WIDTH == 4
    return (lanes){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#else
    return sqrtf(v);
#endif
}

static inline lane_bits lanes_truncate(lanes v) // |v| below 2^31
{
#if ANIM_WIDTH == 1
    return (int32_t)v;
#else
    return __builtin_convertvector(v, lane_bits);
#endif
}

static inline lanes lanes_of_whole(lane_bits v)
{
#if ANIM_WIDTH == 1
    return (float)v;
#else
    return __builtin_convertvector(v, lanes);
#endif
}

static inline lane_bits lanes_of_bytes(const uint8_t* from)
{
#if ANIM_WIDTH == 8
    return (lane_bits)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)from));
#elif ANIM_WIDTH == 4
    return (lane_bits){from[0], from[1], from[2], from[3]};
#else
    return *from;
#endif
}

// At the end of a kernel: while the upper halves of AVX's registers are in use, code for SSE is slow. Compilers
// see to it, but gcc forgets it where it makes a function of its own of a part that takes vectors.
static inline void lanes_leave(void)
{
#if ANIM_WIDTH == 8
    _mm256_zeroupper();
#endif
}

// Quaternions, one a lane.
typedef struct quats {
    lanes x, y, z, w;
} quats;

static inline lanes quats_dot(const quats* a, const quats* b)
{
    return (a->x * b->x + a->y * b->y) + (a->z * b->z + a->w * b->w);
}

static inline quats quats_mul(const quats* a, const quats* b)
{
    return (quats){
        (a->w * b->x + a->x * b->w) + (a->y * b->z - a->z * b->y),
        (a->w * b->y - a->x * b->z) + (a->y * b->w + a->z * b->x),
        (a->w * b->z + a->x * b->y) + (a->z * b->w - a->y * b->x),
        (a->w * b->w - a->x * b->x) - (a->y * b->y + a->z * b->z),
    };
}

static inline quats quats_select(lane_bits mask, const quats* a, const quats* b)
{
    return (quats){lanes_select(mask, a->x, b->x), lanes_select(mask, a->y, b->y),
                   lanes_select(mask, a->z, b->z), lanes_select(mask, a->w, b->w)};
}

// Unit length; a lane too short to have a direction becomes the identity.
static inline quats quats_normalize(const quats* q)
{
    lanes length2 = quats_dot(q, q), one = lanes_splat(1.0f), zero = lanes_splat(0.0f);
    lane_bits fine = lanes_greater(length2, lanes_splat(1e-30f));
    lanes scale = one / lanes_sqrt(lanes_select(fine, length2, one));
    const quats unit = {q->x * scale, q->y * scale, q->z * scale, q->w * scale};
    const quats identity = {zero, zero, zero, one};
    return quats_select(fine, &unit, &identity);
}
