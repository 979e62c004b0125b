// SPDX-License-Identifier: MIT
#include "base/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static anim_note* find(const anim_notes* notes, const char* text)
{
    for (anim_note* note = notes->first; note; note = note->next)
        if (strcmp(note->text, text) == 0)
            return note;
    return NULL;
}

void anim_notes_add(anim_notes* notes, const char* format, ...)
{
    if (!notes)
        return;
    char text[512];
    int prefix = 0;
    if (notes->context)
        prefix = snprintf(text, sizeof text / 2, "%s: ", notes->context);
    if (prefix < 0 || prefix >= (int)(sizeof text / 2))
        prefix = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(text + prefix, sizeof text - (size_t)prefix, format, args);
    va_end(args);

    anim_note* same = find(notes, text);
    if (same) {
        same->times++;
        return;
    }
    if (notes->count == ANIM_MAX_NOTES) {
        notes->left_out++;
        return;
    }
    anim_note* note = anim_arena_alloc(notes->arena, 1, sizeof *note);
    char* copy = note ? anim_arena_copy_text(notes->arena, text, strlen(text)) : NULL;
    if (!copy)
        return;
    *note = (anim_note){NULL, copy, 1};
    if (notes->last)
        notes->last->next = note;
    else
        notes->first = note;
    notes->last = note;
    notes->count++;
}
