// SPDX-License-Identifier: MIT
// What is on its way into the caches before it is needed, and what goes past them.
#pragma once

#include "base/config.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Inlined in any case: gcc takes a function that only fetches for one that does nothing, and drops calls.
#if defined(__GNUC__)
#define ANIM_FETCH(address) __builtin_prefetch(address, 1)
#else
#define ANIM_FETCH(address) ((void)(address))
#endif

// Memory that is about to be written. Of much only the beginning.
static ANIM_ALWAYS_INLINE void anim_fetch(const void* memory, size_t size)
{
    enum { line = 64, most = 64 * line };
    const char* end = (const char*)memory + (size < most ? size : most);
    for (const char* at = memory; at < end; at += line)
        ANIM_FETCH(at);
}

// A copy past the caches, for what is written once and read much later: what lies there is not fetched first, and
// nothing that is needed sooner is driven out. `bytes` and both addresses are multiples of 16.
static inline void anim_stream_copy(void* to, const void* from, size_t bytes)
{
#if defined(__SSE2__)
    for (size_t i = 0; i < bytes; i += 16)
        _mm_stream_si128((__m128i*)(void*)((char*)to + i),
                         _mm_load_si128((const __m128i*)(const void*)((const char*)from + i)));
#else
    memcpy(to, from, bytes);
#endif
}

// Before another thread may read what was copied so.
static inline void anim_stream_end(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}
