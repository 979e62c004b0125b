// SPDX-License-Identifier: MIT
// The bytes of a .anim file one after the other. The first failure stays: what is read after it is
// zero, empty or NULL, so a caller may read a few things and then look at `code` once.
#pragma once

#include "base/error.h"

typedef struct anim_archive_reader {
    const unsigned char *start, *at, *end; // `start` is aligned to 8 bytes
    anim_code code;
    anim_error* err;
} anim_archive_reader;

// "byte 120: ..."; `code` becomes ANIM_ERR_FORMAT unless something failed before.
anim_code anim_archive_fail(anim_archive_reader* r, const char* format, ...) ANIM_PRINTF(2, 3);

// `count` elements where they lie, at the next multiple of `alignment`.
const void* anim_archive_array(anim_archive_reader* r, size_t count, size_t element,
                               size_t alignment);
uint32_t anim_archive_u32(anim_archive_reader* r);
uint64_t anim_archive_u64(anim_archive_reader* r);
double anim_archive_f64(anim_archive_reader* r);

// A number from 0 to `most`; `what` names it in the message.
uint32_t anim_archive_choice(anim_archive_reader* r, uint32_t most, const char* what);

// How many things of at least `least` bytes follow: never more than there can be.
uint32_t anim_archive_count(anim_archive_reader* r, size_t least, const char* what);

// A NUL-terminated text without a zero byte inside.
const char* anim_archive_text(anim_archive_reader* r);
