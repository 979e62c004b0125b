// SPDX-License-Identifier: MIT
// JSON text as a tree. The text is checked to be JSON (RFC 8259), jsmn cuts it into tokens, and
// links make every subtree skippable in one step. Nothing is copied: values are places in the text.
#pragma once

#include "base/arena.h"
#include "base/error.h"

// A value of the tree. The root is 0; since nothing contains the root, 0 also says "not there".
typedef uint32_t anim_json_value;

typedef enum anim_json_kind {
    ANIM_JSON_NULL,
    ANIM_JSON_BOOLEAN,
    ANIM_JSON_NUMBER,
    ANIM_JSON_STRING,
    ANIM_JSON_ARRAY,
    ANIM_JSON_OBJECT
} anim_json_kind;

typedef struct anim_json {
    const char* text;
    size_t size;
    size_t origin;        // byte of the file where the text starts, for messages
    const void* tokens;   // jsmn's
    const uint32_t* next; // the token after the value's whole subtree
} anim_json;

// `text` must stay where it is. Fails on what is not JSON (with the byte), on nesting deeper than
// 200, above 2 GiB, and when the arena is exhausted. Takes time and memory linear in the size.
anim_code anim_json_parse(anim_json* json, anim_arena* arena, const char* text, size_t size,
                          size_t origin, anim_error* err);

anim_json_kind anim_json_get_kind(const anim_json* json, anim_json_value value);
const char* anim_json_kind_name(anim_json_kind kind);                    // "a number"
size_t anim_json_get_byte(const anim_json* json, anim_json_value value); // in the file

// Elements of an array (0 of anything else); the first one and the one after. `next` of the last
// element is not an element any more: count.
uint32_t anim_json_get_count(const anim_json* json, anim_json_value array);
static inline anim_json_value anim_json_first(anim_json_value array)
{
    return array + 1;
}
static inline anim_json_value anim_json_next(const anim_json* json, anim_json_value element)
{
    return json->next[element];
}

// Looks up `count` keys of an object in one pass: values[i] is that of keys[i], or 0. Of a key that
// stands twice the first counts. False where `object` is no object; all values are then 0.
bool anim_json_pick(const anim_json* json, anim_json_value object, const char* const* keys,
                    uint32_t count, anim_json_value* values);

// False where the value is of another kind.
bool anim_json_get_number(const anim_json* json, anim_json_value value, double* out);
bool anim_json_get_boolean(const anim_json* json, anim_json_value value, bool* out);

// True where the value is this string.
bool anim_json_is_string(const anim_json* json, anim_json_value value, const char* text);

// What stands between the quotes; `escaped` where it holds backslashes. The value must be a string.
typedef struct anim_json_text {
    const char* bytes;
    size_t size;
    bool escaped;
} anim_json_text;

anim_json_text anim_json_get_text(const anim_json* json, anim_json_value string);

// A NUL-terminated copy of a string with its escapes resolved; it may hold zeros, `size` counts
// them. A surrogate without its other half becomes U+FFFD. NULL: the arena is exhausted.
char* anim_json_copy_string(const anim_json* json, anim_json_value string, anim_arena* arena,
                            size_t* size);

// "/accessors/12/count" into `out`; cut in the middle where it is too long.
void anim_json_get_path(const anim_json* json, anim_json_value value, char* out, size_t size);
