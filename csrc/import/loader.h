// SPDX-License-Identifier: MIT
// Files to models in the background: read, parsed and packed on threads of the loader's own.
#pragma once

#include "import/import.h"

typedef struct anim_loader anim_loader;
typedef struct anim_loading anim_loading; // one file on its way

// All calls but those in anim_load_desc are for one thread at a time. `threads`: so many files at a time at
// most. NULL: out of memory, or no thread is to be had.
anim_loader* anim_loader_create(uint32_t threads);
// Stops what is on its way and waits for that; what has not begun is cancelled. Loadings are still to be
// released, before or after. NULL is fine.
void anim_loader_destroy(anim_loader* loader);

typedef struct anim_load_desc {
    const char* name; // what messages call it; copied
    // The file: these bytes, which are copied, or, where they are NULL, what `open` gives, called with the
    // copied name on a thread of the loader.
    const void* bytes;
    size_t size;
    anim_code (*open)(const char* name, anim_blob* out, anim_error* err);
    // Another file that this one names (see anim_import_desc), called there too; NULL: the owner is asked.
    anim_code (*read)(void* name, const char* uri, anim_blob* out, anim_error* err);
    anim_import_desc import; // its options; the other fields are the loader's
    bool packs;              // all clips, like this
    anim_pack_desc pack;
} anim_load_desc;

anim_code anim_loader_add(anim_loader* loader, const anim_load_desc* desc, anim_loading** out,
                          anim_error* err);
void anim_loading_release(anim_loading* loading); // stops it, without waiting; NULL is fine

bool anim_loading_is_done(const anim_loading* loading);
float anim_loading_progress(const anim_loading* loading); // 0 to 1, never less than before; 1: done

// The file that the owner is asked for; NULL: none. Valid until it is answered; nothing runs meanwhile. With
// a code other than ANIM_OK `err` says why there is none; else the loader frees the bytes.
const char* anim_loading_asks(const anim_loading* loading);
void anim_loading_answer(anim_loading* loading, anim_code code, const anim_blob* bytes,
                         const anim_error* err);

// Until it is done, or asks. What waits for a thread is done by the caller.
void anim_loading_wait(anim_loading* loading);

// When it is done: the model, which is the caller's from then on; or why there is none.
anim_code anim_loading_take(anim_loading* loading, anim_model** out, anim_error* err);
