// SPDX-License-Identifier: MIT
// Included first by every header: what the whole core must agree on.
#pragma once

#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1 // %zu and %llu, whatever C library lies below
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The same input gives the same bits everywhere, so no compiler may fuse a multiply and an add.
// The build passes -ffp-contract=off too; the pragmas serve builds that can't (LuaRocks, which says ANIM_ROCK and
// compiles with -O2: without more than that samples of exact clips take 1.4 times as long).
// A host that includes anim.h keeps its own way.
#if defined(ANIM_HOST)
#elif defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(ANIM_ROCK) && defined(__GNUC__)
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "anim needs a little-endian machine: .anim files and glTF buffers are used as they lie"
#endif

#if defined(__MINGW32__) && !defined(__clang__)
#define ANIM_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define ANIM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ANIM_PRINTF(text, first)
#endif

#if defined(__GNUC__)
#define ANIM_LIKELY(x) __builtin_expect(!!(x), 1)
#else
#define ANIM_LIKELY(x) (x)
#endif

// Kernels for AVX2. gcc for Windows lays vectors of 32 bytes at 16-byte places of the stack and moves them
// as if they were aligned (GCC bug 54412): there, the build says that its moves are unaligned.
#if defined(__x86_64__) && defined(__GNUC__)
#if !defined(_WIN32) || defined(__clang__) || defined(ANIM_UNALIGNED_MOVES)
#define ANIM_HAS_AVX2 1
#endif
#endif

#if defined(__GNUC__)
#define ANIM_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ANIM_ALWAYS_INLINE inline
#endif

// Joints are handled eight at a time; every array of joints is padded to whole groups.
#define ANIM_LANES 8u
#define ANIM_MAX_JOINTS 32767u
#define ANIM_MAX_NAME 1024u

static inline uint32_t anim_group_count(uint32_t joint_count)
{
    return (joint_count + ANIM_LANES - 1) / ANIM_LANES;
}
