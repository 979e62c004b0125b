// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { chunk_size = 64 * 1024, alignment = 32 };

typedef struct anim_arena_chunk {
    struct anim_arena_chunk* next;
    size_t used, size;
    _Alignas(32) unsigned char bytes[];
} chunk;

void* anim_arena_alloc(anim_arena* arena, size_t count, size_t element)
{
    if (element && count > SIZE_MAX / 4 / element)
        return NULL;
    size_t size = (count * element + alignment - 1) / alignment * alignment;
    if (arena->limit && size > arena->limit - arena->used) {
        arena->hit_limit = true;
        return NULL;
    }
    chunk* top = arena->chunks;
    if (!top || top->size - top->used < size) {
        size_t room = size > chunk_size ? size : chunk_size;
        top = anim_mem_alloc(sizeof(chunk) + room);
        if (!top)
            return NULL;
        *top = (chunk){arena->chunks, 0, room};
        arena->chunks = top;
    }
    void* memory = top->bytes + top->used;
    top->used += size;
    arena->used += size;
    return memory;
}

char* anim_arena_copy_text(anim_arena* arena, const char* text, size_t length)
{
    char* copy = anim_arena_alloc(arena, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char* anim_arena_format(anim_arena* arena, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return NULL;
    char* text = anim_arena_alloc(arena, (size_t)length + 1, 1);
    if (text) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    return text;
}

void anim_arena_free(anim_arena* arena)
{
    while (arena->chunks) {
        chunk* top = arena->chunks;
        arena->chunks = top->next;
        anim_mem_free(top);
    }
    arena->used = 0;
}
