// SPDX-License-Identifier: MIT
// What glTF needs of URIs (RFC 3986) and of data: URIs (RFC 2397).
#pragma once

#include "base/config.h"

// True where the URI starts with "data:"; `data` is then what follows the comma.
typedef struct anim_data_uri {
    const char* data; // NULL: no comma
    size_t size;
    bool base64;
} anim_data_uri;

bool anim_uri_is_data(const char* uri, size_t size, anim_data_uri* out);

// Into `out`, which has room for `size` bytes; a % without two digits stays. Returns the size.
size_t anim_uri_decode_percent(const char* text, size_t size, char* out);

// Into `out`, which has room for size / 4 * 3 + 3 bytes. False, with the place in *bad, at what is
// not base64; the padding may be absent.
bool anim_uri_decode_base64(const char* text, size_t size, uint8_t* out, size_t* out_size,
                            size_t* bad);
