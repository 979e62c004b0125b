// SPDX-License-Identifier: MIT
// How much memory an import may hold at once, and what it says when that is not enough.
#pragma once

#include "import/import.h"

static inline size_t anim_import_limit(const anim_import_desc* desc)
{
    return desc->memory_limit ? desc->memory_limit : (size_t)1 << 30;
}

static inline anim_code anim_import_fail_limit(size_t limit, anim_error* err)
{
    return anim_fail(err, ANIM_ERR_LIMIT,
                     "it needs more than the %zu bytes that an import may hold", limit);
}

// After an arena, whose limit is the import's, could not give memory.
static inline anim_code anim_import_fail_memory(const anim_arena* arena, anim_error* err)
{
    return arena->hit_limit ? anim_import_fail_limit(arena->limit, err)
                            : anim_fail_memory(err, "a model");
}
