// SPDX-License-Identifier: MIT
#include "import/bvh_text.h"

#include "import/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// A word ends before these.
static bool is_end_of_word(const anim_bvh_text* text, const char* at)
{
    return at >= text->end || is_space(*at) || *at == '{' || *at == '}' || *at == ':';
}

anim_bvh_text anim_bvh_text_start(const void* bytes, size_t size, anim_error* err)
{
    const char* at = bytes;
    const char* end = size ? at + size : at;
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    return (anim_bvh_text){at, end, at, 1, err};
}

bool anim_bvh_skip_space(anim_bvh_text* text)
{
    const char* at = text->at;
    for (; at < text->end && is_space(*at); at++) {
        bool crlf = *at == '\r' && at + 1 < text->end && at[1] == '\n';
        if (*at == '\n' || (*at == '\r' && !crlf)) {
            text->line++;
            text->line_start = at + 1;
        }
    }
    text->at = at;
    return at < text->end;
}

bool anim_bvh_take(anim_bvh_text* text, const char* word)
{
    anim_bvh_skip_space(text);
    const char* at = text->at;
    for (; *word; word++, at++)
        if (at >= text->end || (*at | 0x20) != (*word | 0x20))
            return false;
    if (!is_end_of_word(text, at))
        return false;
    text->at = at;
    return true;
}

bool anim_bvh_take_char(anim_bvh_text* text, char c)
{
    if (!anim_bvh_skip_space(text) || *text->at != c)
        return false;
    text->at++;
    return true;
}

void anim_bvh_take_name(anim_bvh_text* text, const char** name, size_t* length)
{
    anim_bvh_skip_space(text);
    const char* at = text->at;
    while (at < text->end && *at != '\n' && *at != '\r' && *at != '{')
        at++;
    *name = text->at;
    text->at = at;
    while (at > *name && is_space(at[-1]))
        at--;
    *length = (size_t)(at - *name);
}

anim_code anim_bvh_take_number(anim_bvh_text* text, const char* what, double* out)
{
    anim_bvh_skip_space(text);
    const char* after = anim_number_parse(text->at, text->end, out);
    if (!after || !is_end_of_word(text, after) || !(fabs(*out) <= FLT_MAX))
        return anim_bvh_expected(text, what);
    text->at = after;
    return ANIM_OK;
}

anim_code anim_bvh_expected(anim_bvh_text* text, const char* what)
{
    enum { longest = 40 };
    if (!anim_bvh_skip_space(text))
        return anim_fail(text->err, ANIM_ERR_FORMAT, "line %u: expected %s, but the file ends here",
                         text->line, what);
    const char* at = text->at + 1; // a brace is a word of its own
    if (!is_end_of_word(text, text->at))
        while (at - text->at < longest && !is_end_of_word(text, at))
            at++;
    return anim_fail(text->err, ANIM_ERR_FORMAT, "line %u, column %u: expected %s, got '%.*s'",
                     text->line, (unsigned)(text->at - text->line_start + 1), what,
                     (int)(at - text->at), text->at);
}
