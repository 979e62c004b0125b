// SPDX-License-Identifier: MIT
// Warnings: what a builder or importer ignored or repaired, in the order it was met.
#pragma once

#include "base/arena.h"

typedef struct anim_note {
    struct anim_note* next;
    const char* text;
    uint32_t times; // the same text again only counts up
} anim_note;

typedef struct anim_notes {
    anim_arena* arena; // where the texts live
    anim_note *first, *last;
    uint32_t count; // different texts; after ANIM_MAX_NOTES the rest is only counted
    uint32_t left_out;
    const char* context; // put before each text ("clip 'walk'"); NULL: nothing
} anim_notes;

#define ANIM_MAX_NOTES 200u

// Never fails: out of memory loses the warning. `notes` may be NULL.
void anim_notes_add(anim_notes* notes, const char* format, ...) ANIM_PRINTF(2, 3);
