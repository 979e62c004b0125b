// SPDX-License-Identifier: MIT
#include "graph/trace.h"

anim_trace_entry* anim_trace_push(anim_trace* trace, const anim_trace_entry* entry)
{
    if (!trace)
        return NULL;
    anim_trace_entry* to = &trace->entries[trace->count % ANIM_TRACE_LENGTH];
    *to = *entry;
    trace->count++;
    if (trace->count == 2 * ANIM_TRACE_LENGTH) // the same place in the ring, and it never wraps
        trace->count = ANIM_TRACE_LENGTH;
    return to;
}

uint32_t anim_trace_length(const anim_trace* trace)
{
    uint32_t count = trace ? trace->count : 0;
    return count < ANIM_TRACE_LENGTH ? count : ANIM_TRACE_LENGTH;
}

anim_trace_entry* anim_trace_get(anim_trace* trace, uint32_t n)
{
    return &trace->entries[(trace->count - 1 - n) % ANIM_TRACE_LENGTH];
}

void anim_trace_rewind(anim_trace* trace, uint32_t update)
{
    uint32_t left = anim_trace_length(trace), first = 0;
    while (first < left && anim_trace_get(trace, first)->update > update)
        first++;
    if (first == 0)
        return;
    anim_trace kept = {.count = 0};
    for (uint32_t n = left; n > first; n--)
        anim_trace_push(&kept, anim_trace_get(trace, n - 1));
    *trace = kept;
}
