// SPDX-License-Identifier: MIT
#include "lua/sides.h"

#include <string.h>

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_letter(char c)
{
    return is_upper(c) || is_lower(c);
}

static char lower(char c)
{
    return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

// Length of the word that begins with the letter at `text`: "Left" of "LeftArm", "L" of "LHand".
static size_t word_length(const char* text)
{
    size_t n = 1;
    while (is_letter(text[n])) {
        bool next_begins = is_upper(text[n]) && (is_lower(text[n - 1]) || is_lower(text[n + 1]));
        if (next_begins)
            break;
        n++;
    }
    return n;
}

static bool is_word(const char* text, size_t length, const char* word)
{
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != word[i])
            return false;
    return true;
}

static const char* opposite(const char* text, size_t length)
{
    static const char* const words[][2] = {
        {"left", "right"}, {"right", "left"}, {"l", "r"}, {"r", "l"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(text, length, words[i][0]))
            return words[i][1];
    return NULL;
}

// Writes `word` in the case of the letters it replaces: left, Left or LEFT.
static char* write_word(char* to, const char* word, const char* pattern, size_t length)
{
    bool capitals = is_upper(pattern[length - 1]);
    for (size_t i = 0; word[i]; i++) {
        bool is_capital = i == 0 ? is_upper(pattern[0]) : capitals;
        *to++ = is_capital ? (char)(word[i] - 'a' + 'A') : word[i];
    }
    return to;
}

bool luax_other_side(anim_arena* arena, const char* name, const char** out)
{
    // "left" gains a letter, nothing gains more.
    char* text = anim_arena_alloc(arena, strlen(name) * 2 + 1, 1);
    char* to = text;
    bool has_side = false;
    for (const char* at = name; *at && text;) {
        size_t n = is_letter(*at) ? word_length(at) : 1;
        const char* word = is_letter(*at) ? opposite(at, n) : NULL;
        if (word) {
            to = write_word(to, word, at, n);
            has_side = true;
        } else {
            memcpy(to, at, n);
            to += n;
        }
        at += n;
    }
    *out = has_side ? text : NULL;
    return text != NULL;
}
