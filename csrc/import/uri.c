// SPDX-License-Identifier: MIT
#include "import/uri.h"

#include <string.h>

static bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool starts_with(const char* text, size_t size, const char* lower)
{
    for (size_t i = 0; lower[i]; i++)
        if (i >= size || (is_letter(text[i]) ? text[i] | 0x20 : text[i]) != lower[i])
            return false;
    return true;
}

bool anim_uri_is_data(const char* uri, size_t size, anim_data_uri* out)
{
    static const char mark[] = ";base64";
    const size_t length = sizeof mark - 1;
    if (!starts_with(uri, size, "data:"))
        return false;
    *out = (anim_data_uri){NULL, 0, false};
    const char* comma = memchr(uri, ',', size);
    if (comma) {
        size_t head = (size_t)(comma - uri);
        *out = (anim_data_uri){comma + 1, size - head - 1, false};
        out->base64 = head >= length && starts_with(comma - length, length, mark);
    }
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t anim_uri_decode_percent(const char* text, size_t size, char* out)
{
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        bool coded = text[i] == '%' && size - i > 2 && hex_digit(text[i + 1]) >= 0 &&
                     hex_digit(text[i + 2]) >= 0;
        out[used++] = coded ? (char)(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]))
                            : text[i];
        i += coded ? 2 : 0;
    }
    return used;
}

// Six bits of a letter, or 64 where it is none.
static uint8_t six_bits(char c)
{
    if (is_letter(c))
        return (uint8_t)(c >= 'a' ? c - 'a' + 26 : c - 'A');
    if (c >= '0' && c <= '9')
        return (uint8_t)(c - '0' + 52);
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

bool anim_uri_decode_base64(const char* text, size_t size, uint8_t* out, size_t* out_size,
                            size_t* bad)
{
    uint8_t value[256];
    for (int c = 0; c < 256; c++)
        value[c] = six_bits((char)c);
    const unsigned char* in = (const unsigned char*)text;
    for (int i = 0; i < 2 && size > 0 && text[size - 1] == '='; i++)
        size--;
    uint8_t* to = out;
    size_t at = 0;
    for (; size - at >= 4; at += 4, to += 3) {
        uint32_t a = value[in[at]], b = value[in[at + 1]], c = value[in[at + 2]],
                 d = value[in[at + 3]];
        if ((a | b | c | d) & 64)
            break;
        uint32_t bits = a << 18 | b << 12 | c << 6 | d;
        to[0] = (uint8_t)(bits >> 16);
        to[1] = (uint8_t)(bits >> 8);
        to[2] = (uint8_t)bits;
    }
    uint32_t bits = 0;
    size_t rest = 0; // letters after the last whole group of four
    for (; at < size && !(value[in[at]] & 64); at++, rest++)
        bits = bits << 6 | value[in[at]];
    *bad = at;
    if (at < size || rest == 1)
        return false;
    if (rest > 1)
        *to++ = (uint8_t)(rest == 2 ? bits >> 4 : bits >> 10);
    if (rest > 2)
        *to++ = (uint8_t)(bits >> 2);
    *out_size = (size_t)(to - out);
    return true;
}
