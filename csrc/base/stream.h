// SPDX-License-Identifier: MIT
// Copies past the caches, for what is written once and read much later: what lies there is not fetched first,
// and nothing that is needed sooner is driven out.
#pragma once

#include "base/config.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// `bytes` and both addresses are multiples of 16.
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
