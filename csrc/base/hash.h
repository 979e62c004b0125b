// SPDX-License-Identifier: MIT
#pragma once

#include "base/config.h"

#include <string.h>

#define ANIM_HASH_START 0xcbf29ce484222325u

// FNV-1a over 64-bit words: the same on every machine, good enough to tell two states apart.
static inline uint64_t anim_hash(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* at = bytes;
    for (; size >= 8; size -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    for (; size > 0; size--, at++)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash;
}
