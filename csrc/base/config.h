// SPDX-License-Identifier: MIT
// Included first by every header: what the whole core must agree on.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The same input gives the same bits everywhere, so no compiler may fuse a multiply and an add.
// The build passes -ffp-contract=off too; the pragmas serve builds that can't (LuaRocks).
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "anim needs a little-endian machine: .anim files and glTF buffers are used as they lie"
#endif

#if defined(__GNUC__)
#define ANIM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define ANIM_LIKELY(x) __builtin_expect(!!(x), 1)
#else
#define ANIM_PRINTF(text, first)
#define ANIM_LIKELY(x) (x)
#endif

// Joints are handled eight at a time; every array of joints is padded to whole groups.
#define ANIM_LANES 8u
#define ANIM_MAX_JOINTS 32767u
#define ANIM_MAX_NAME 1024u

static inline uint32_t anim_group_count(uint32_t joint_count)
{
    return (joint_count + ANIM_LANES - 1) / ANIM_LANES;
}
