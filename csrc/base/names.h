// SPDX-License-Identifier: MIT
// A list of names inside an asset's block: by index, and found by name in O(log n).
#pragma once

#include "base/error.h"
#include "base/layout.h"

typedef struct anim_names {
    uint32_t count;
    const uint32_t* offsets; // of each name in `text`
    const uint32_t* sorted;  // indices in byte order of the names
    const char* text;        // NUL-terminated names, one after the other
    size_t text_size;
} anim_names;

// Copies `count` names (NULL counts as "") into the layout; in the measuring pass it only adds up.
void anim_names_build(anim_names* names, anim_layout* layout, const char* const* texts,
                      uint32_t count);

static inline const char* anim_names_get(const anim_names* names, uint32_t index)
{
    return names->text + names->offsets[index];
}

int32_t anim_names_find(const anim_names* names, const char* name); // -1: not there

// Index of a name that stands twice (the later one), or -1.
int32_t anim_names_duplicate(const anim_names* names);

// The name nearest to `name` (edit distance, at most a third of its letters), or NULL: "did you mean".
const char* anim_names_nearest(const anim_names* names, const char* name);
