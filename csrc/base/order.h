// SPDX-License-Identifier: MIT
#pragma once

#include "base/arena.h"

// Indices 0 to count - 1 in rising order of key(list, index); equal keys keep their order. O(n log n)
// on any data. NULL: out of memory.
uint32_t* anim_order_by(anim_arena* arena, double (*key)(const void* list, uint32_t index),
                        const void* list, uint32_t count);
