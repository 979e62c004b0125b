// SPDX-License-Identifier: MIT
#include "import/unique.h"

#include "base/hash.h"

typedef struct anim_unique_slot {
    const char* name; // NULL: free
    uint64_t hash;
    uint32_t next; // number to try first for the next name of this kind
} slot;

// Where the name is, or the free slot where it would be.
static slot* find(const anim_unique* unique, const char* name, uint64_t hash)
{
    uint32_t mask = unique->capacity - 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & mask;; i = (i + 1) & mask) {
        slot* s = &unique->slots[i];
        if (!s->name || (s->hash == hash && strcmp(s->name, name) == 0))
            return s;
    }
}

static bool grow(anim_unique* unique)
{
    anim_unique old = *unique;
    unique->capacity = old.capacity ? old.capacity * 2 : 64;
    unique->slots = anim_arena_alloc(unique->arena, unique->capacity, sizeof(slot));
    if (!unique->slots) {
        *unique = old;
        return false;
    }
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].name)
            *find(unique, old.slots[i].name, old.slots[i].hash) = old.slots[i];
    return true;
}

static uint64_t hash_of(const char* name)
{
    return anim_hash(ANIM_HASH_START, name, strlen(name));
}

const char* anim_unique_add(anim_unique* unique, const char* name)
{
    if (unique->count >= unique->capacity / 2 && !grow(unique))
        return NULL;
    uint64_t hash = hash_of(name);
    slot* s = find(unique, name, hash);
    slot* first = s->name ? s : NULL;
    while (s->name) {
        name = anim_arena_format(unique->arena, "%s#%u", first->name, first->next++);
        if (!name)
            return NULL;
        hash = hash_of(name);
        s = find(unique, name, hash);
    }
    *s = (slot){name, hash, 2};
    unique->count++;
    return name;
}
