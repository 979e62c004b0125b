// SPDX-License-Identifier: MIT
// The words of a BVH file, with the line they stand on. Lines end with LF, CR or both.
#pragma once

#include "base/error.h"

typedef struct anim_bvh_text {
    const char *at, *end;
    const char* line_start;
    uint32_t line; // from 1
    anim_error* err;
} anim_bvh_text;

anim_bvh_text anim_bvh_text_start(const void* bytes, size_t size, anim_error* err);

// Past blanks and line ends. False at the end of the file.
bool anim_bvh_skip_space(anim_bvh_text* text);

// Past the word, in any case, where it comes next as a whole; else nothing is read.
bool anim_bvh_take(anim_bvh_text* text, const char* word);
bool anim_bvh_take_char(anim_bvh_text* text, char c);

// The rest of the line up to "{", without blanks at its ends; or of the next line that has something.
void anim_bvh_take_name(anim_bvh_text* text, const char** name, size_t* length);

// A finite number that a float can hold; `what` names it in the message. A file that ends here is
// an error too.
anim_code anim_bvh_take_number(anim_bvh_text* text, const char* what, double* out);

// "line 3, column 5: expected <what>, got 'word'" about what comes next.
anim_code anim_bvh_expected(anim_bvh_text* text, const char* what);
