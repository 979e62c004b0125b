// SPDX-License-Identifier: MIT
// All memory of the core: a hook for engines, counters for tests, a failure that tests can order.
#pragma once

#include "base/config.h"

#define ANIM_ALIGN 64u

// A host's allocator. `allocate` returns memory aligned to ANIM_ALIGN or NULL; both may be called
// from any thread. Set it once, before the first other call.
typedef struct anim_allocator {
    void* (*allocate)(void* user, size_t size, size_t alignment);
    void (*release)(void* user, void* memory);
    void* user;
} anim_allocator;

void anim_mem_set_allocator(const anim_allocator* allocator); // NULL: back to the default

// Zeroed memory aligned to ANIM_ALIGN, or NULL. A size of 0 gives a block too.
void* anim_mem_alloc(size_t size);
void anim_mem_free(void* memory); // NULL is fine

typedef struct anim_mem_counts {
    int64_t blocks; // alive now
    int64_t bytes;  // alive now, without headers
    int64_t total;  // allocations ever made
} anim_mem_counts;

anim_mem_counts anim_mem_get_counts(void);

// The n-th allocation from now fails (1: the next), once; 0 orders none. For tests.
void anim_mem_fail_nth(int64_t n);
