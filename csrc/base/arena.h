// SPDX-License-Identifier: MIT
// Scratch memory of builders and importers: many small things, freed at once, under a limit.
#pragma once

#include "base/config.h"

typedef struct anim_arena {
    struct anim_arena_chunk* chunks;
    size_t used;    // bytes given out
    size_t limit;   // more than this fails; 0: no limit
    bool hit_limit; // it was the limit that made an allocation fail
} anim_arena;

// Zeroed, aligned to 32 bytes; NULL when memory or the limit is exhausted. An arena that is all
// zero is ready for use.
void* anim_arena_alloc(anim_arena* arena, size_t count, size_t element);
char* anim_arena_copy_text(anim_arena* arena, const char* text, size_t length);
char* anim_arena_format(anim_arena* arena, const char* format, ...) ANIM_PRINTF(2, 3);
void anim_arena_free(anim_arena* arena); // leaves it empty and usable
