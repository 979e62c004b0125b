// SPDX-License-Identifier: MIT
#include "base/order.h"

uint32_t* anim_order_by(anim_arena* arena, double (*key)(const void* list, uint32_t index),
                        const void* list, uint32_t count)
{
    uint32_t* order = anim_arena_alloc(arena, count, sizeof *order);
    uint32_t* spare = anim_arena_alloc(arena, count, sizeof *spare);
    if (!order || !spare)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t width = 1; width < count; width *= 2) { // bottom-up merge sort
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = low + 2 * width < count ? low + 2 * width : count;
            for (size_t i = low, j = middle, to = low; to < high; to++)
                spare[to] = i < middle && (j == high || key(list, order[i]) <= key(list, order[j]))
                                ? order[i++]
                                : order[j++];
        }
        uint32_t* swap = order;
        order = spare;
        spare = swap;
    }
    return order;
}
