// SPDX-License-Identifier: MIT
// Names of one kind, kept apart: the second "arm" becomes "arm#2". A hash table in an arena.
#pragma once

#include "base/arena.h"

typedef struct anim_unique {
    anim_arena* arena;
    struct anim_unique_slot* slots;
    uint32_t capacity, count; // of slots, a power of two; of names
} anim_unique;

// `name` itself where it is new (it must outlive the table), else the first of name#2, name#3 ...
// that is free. NULL: out of memory.
const char* anim_unique_add(anim_unique* unique, const char* name);
