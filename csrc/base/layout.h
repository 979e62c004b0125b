// SPDX-License-Identifier: MIT
// One block per asset: first add up what goes in, then allocate, then take the parts in the same
// order. The same code runs both passes (`block` is NULL in the first), so they can't differ.
#pragma once

#include "base/config.h"

typedef struct anim_layout {
    unsigned char* block; // NULL while measuring
    size_t size;          // SIZE_MAX once anything overflowed: the allocation then fails
} anim_layout;

// Room for `count` elements, aligned to 32 bytes. NULL while measuring.
static inline void* anim_layout_take(anim_layout* layout, size_t count, size_t element)
{
    size_t start = (layout->size + 31) & ~(size_t)31;
    if (layout->size > SIZE_MAX / 4 || count > SIZE_MAX / 4 / (element ? element : 1)) {
        layout->size = SIZE_MAX;
        return NULL;
    }
    layout->size = start + count * element;
    return layout->block ? layout->block + start : NULL;
}
