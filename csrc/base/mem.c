// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Sits before every block, in a whole alignment unit so that the block stays aligned.
typedef struct header {
    size_t size;
} header;

// malloc and room to align, instead of aligned_alloc: glibc's leaves holes that it does not use again,
// and a process that loads many files grows to several times what it holds.
static void* default_allocate(void* user, size_t size, size_t alignment)
{
    (void)user;
    unsigned char* raw = malloc(size + alignment + sizeof(void*));
    if (!raw)
        return NULL;
    uintptr_t start = (uintptr_t)(raw + sizeof(void*));
    unsigned char* memory = raw + sizeof(void*) + (alignment - start % alignment) % alignment;
    memcpy(memory - sizeof raw, &raw, sizeof raw);
    return memory;
}

static void default_release(void* user, void* memory)
{
    (void)user;
    void* raw;
    memcpy(&raw, (unsigned char*)memory - sizeof raw, sizeof raw);
    free(raw);
}

static const anim_allocator default_allocator = {default_allocate, default_release, NULL};
static anim_allocator current = {default_allocate, default_release, NULL};
static atomic_int_fast64_t live_blocks, live_bytes, total_blocks, countdown;

void anim_mem_set_allocator(const anim_allocator* allocator)
{
    current = allocator ? *allocator : default_allocator;
}

static bool failure_is_due(void)
{
    return atomic_load(&countdown) > 0 && atomic_fetch_sub(&countdown, 1) == 1;
}

void* anim_mem_alloc(size_t size)
{
    if (size > SIZE_MAX / 2 || failure_is_due())
        return NULL;
    size_t whole = (size + 2 * ANIM_ALIGN - 1) / ANIM_ALIGN * ANIM_ALIGN;
    unsigned char* memory = current.allocate(current.user, whole, ANIM_ALIGN);
    if (!memory)
        return NULL;
    memset(memory, 0, whole);
    ((header*)memory)->size = size;
    atomic_fetch_add(&live_blocks, 1);
    atomic_fetch_add(&live_bytes, (int64_t)size);
    atomic_fetch_add(&total_blocks, 1);
    return memory + ANIM_ALIGN;
}

void anim_mem_free(void* memory)
{
    if (!memory)
        return;
    unsigned char* block = (unsigned char*)memory - ANIM_ALIGN;
    atomic_fetch_sub(&live_blocks, 1);
    atomic_fetch_sub(&live_bytes, (int64_t)((header*)block)->size);
    current.release(current.user, block);
}

anim_mem_counts anim_mem_get_counts(void)
{
    return (anim_mem_counts){atomic_load(&live_blocks), atomic_load(&live_bytes),
                             atomic_load(&total_blocks)};
}

void anim_mem_fail_nth(int64_t n)
{
    atomic_store(&countdown, n);
}
