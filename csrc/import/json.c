// SPDX-License-Identifier: MIT
#include "import/json.h"

#include "import/number.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define JSMN_STATIC
#define JSMN_PARENT_LINKS
#include <jsmn.h>

enum { deepest = 200 };

// --- is it JSON? --------------------------------------------------------------------------------
// jsmn takes much that isn't JSON, and deep nesting makes it slow; so this comes first. It also
// counts the tokens, which gives their array its exact size.

typedef struct checker {
    const char *at, *end;
    uint32_t tokens, depth;
    const char* expected; // at the first fault
} checker;

static bool check_value(checker* c);

static bool fault(checker* c, const char* expected)
{
    if (!c->expected)
        c->expected = expected;
    return false;
}

static void skip_space(checker* c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\r' || *c->at == '\t'))
        c->at++;
}

static bool take(checker* c, char wanted)
{
    if (c->at >= c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool is_digit(char ch)
{
    return (unsigned char)(ch - '0') < 10;
}

static bool is_hex(char ch)
{
    return is_digit(ch) || (unsigned char)((ch | 0x20) - 'a') < 6;
}

static bool check_escape(checker* c)
{
    if (c->at >= c->end)
        return fault(c, "the end of a string");
    char kind = *c->at++;
    if (kind != 'u')
        return strchr("\"\\/bfnrt", kind) && kind ? true : fault(c, "an escape JSON knows");
    for (int i = 0; i < 4; i++, c->at++)
        if (c->at >= c->end || !is_hex(*c->at))
            return fault(c, "four hexadecimal digits");
    return true;
}

static bool check_string(checker* c)
{
    if (!take(c, '"'))
        return fault(c, "a string");
    c->tokens++;
    for (;;) {
        while (c->at < c->end && *c->at != '"' && *c->at != '\\' && (unsigned char)*c->at >= ' ')
            c->at++;
        if (take(c, '"'))
            return true;
        if (!take(c, '\\'))
            return fault(c, c->at < c->end ? "no control character in a string"
                                           : "the end of a string");
        if (!check_escape(c))
            return false;
    }
}

static bool check_digits(checker* c)
{
    if (c->at >= c->end || !is_digit(*c->at))
        return fault(c, "a digit");
    while (c->at < c->end && is_digit(*c->at))
        c->at++;
    return true;
}

static bool check_number(checker* c)
{
    c->tokens++;
    take(c, '-');
    if (!take(c, '0') && !check_digits(c))
        return false;
    if (take(c, '.') && !check_digits(c))
        return false;
    if (take(c, 'e') || take(c, 'E')) {
        if (!take(c, '+'))
            take(c, '-');
        return check_digits(c);
    }
    return true;
}

static bool check_word(checker* c, const char* word)
{
    size_t length = strlen(word);
    c->tokens++;
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return fault(c, "a value");
    c->at += length;
    return true;
}

static bool check_member(checker* c)
{
    skip_space(c);
    if (!check_string(c))
        return false;
    skip_space(c);
    return take(c, ':') ? check_value(c) : fault(c, "':'");
}

static bool check_items(checker* c, char close, bool (*check)(checker* c))
{
    c->at++;
    c->tokens++;
    if (++c->depth > deepest)
        return fault(c, "less deep nesting");
    skip_space(c);
    if (!take(c, close)) {
        do {
            if (!check(c))
                return false;
            skip_space(c);
        } while (take(c, ','));
        if (!take(c, close))
            return fault(c, close == '}' ? "',' or '}'" : "',' or ']'");
    }
    c->depth--;
    return true;
}

static bool check_value(checker* c)
{
    skip_space(c);
    switch (c->at < c->end ? *c->at : '\0') {
    case '{': return check_items(c, '}', check_member);
    case '[': return check_items(c, ']', check_value);
    case '"': return check_string(c);
    case 't': return check_word(c, "true");
    case 'f': return check_word(c, "false");
    case 'n': return check_word(c, "null");
    default: break;
    }
    if (c->at < c->end && (*c->at == '-' || is_digit(*c->at)))
        return check_number(c);
    return fault(c, "a value");
}

static bool check_text(checker* c)
{
    if (!check_value(c))
        return false;
    skip_space(c);
    return c->at == c->end || fault(c, "the end of the text");
}

// --- the tree -----------------------------------------------------------------------------------

static const jsmntok_t* token(const anim_json* json, anim_json_value value)
{
    return (const jsmntok_t*)json->tokens + value;
}

// A token's subtree ends where that of its last child ends. Children stand after their parent, so
// one pass from the back knows all of them in time.
static void link_tokens(const jsmntok_t* tokens, uint32_t* next, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;) {
        if (next[i] < i + 1)
            next[i] = i + 1;
        int parent = tokens[i].parent;
        if (parent >= 0 && next[parent] < next[i])
            next[parent] = next[i];
    }
}

anim_code anim_json_parse(anim_json* json, anim_arena* arena, const char* text, size_t size,
                          size_t origin, anim_error* err)
{
    if (size > INT_MAX)
        return anim_fail(err, ANIM_ERR_LIMIT, "JSON of more than 2 GiB");
    checker c = {text, text + size, 0, 0, NULL};
    if (!check_text(&c))
        return anim_fail(err, ANIM_ERR_FORMAT, "not JSON: %s expected at byte %zu", c.expected,
                         origin + (size_t)(c.at - text));
    // Tokens, and behind them the links.
    const size_t each = sizeof(jsmntok_t) + sizeof(uint32_t);
    jsmntok_t* tokens = anim_arena_alloc(arena, c.tokens, each);
    if (!tokens && arena->limit && c.tokens + 2 > (arena->limit - arena->used) / each)
        return anim_fail(err, ANIM_ERR_LIMIT,
                         "JSON of %u values takes more than the limit of memory", c.tokens);
    if (!tokens)
        return anim_fail_memory(err, "the JSON tree");
    uint32_t* next = (uint32_t*)(tokens + c.tokens);
    jsmn_parser parser;
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, size, tokens, c.tokens);
    if (count < 0 || (uint32_t)count != c.tokens)
        return anim_fail(err, ANIM_ERR_FORMAT, "not JSON that can be read, at byte %zu",
                         origin + parser.pos);
    link_tokens(tokens, next, c.tokens);
    *json = (anim_json){text, size, origin, tokens, next};
    return ANIM_OK;
}

anim_json_kind anim_json_get_kind(const anim_json* json, anim_json_value value)
{
    const jsmntok_t* t = token(json, value);
    switch (t->type) {
    case JSMN_OBJECT: return ANIM_JSON_OBJECT;
    case JSMN_ARRAY: return ANIM_JSON_ARRAY;
    case JSMN_STRING: return ANIM_JSON_STRING;
    default: break;
    }
    switch (json->text[t->start]) {
    case 'n': return ANIM_JSON_NULL;
    case 't':
    case 'f': return ANIM_JSON_BOOLEAN;
    default: return ANIM_JSON_NUMBER;
    }
}

const char* anim_json_kind_name(anim_json_kind kind)
{
    static const char* const names[] = {"null",     "a boolean", "a number",
                                        "a string", "an array",  "an object"};
    return names[kind];
}

size_t anim_json_get_byte(const anim_json* json, anim_json_value value)
{
    return json->origin + (size_t)token(json, value)->start;
}

uint32_t anim_json_get_count(const anim_json* json, anim_json_value array)
{
    const jsmntok_t* t = token(json, array);
    return t->type == JSMN_ARRAY ? (uint32_t)t->size : 0;
}

// --- strings ------------------------------------------------------------------------------------

static uint32_t read_hex4(const char* at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value = value << 4 | (uint32_t)(is_digit(at[i]) ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
    return value;
}

static char* put_utf8(char* out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    *out++ = (char)(lead[more] | code >> 6 * more);
    while (more-- > 0)
        *out++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    return out;
}

// At the "u" of an escape; returns what follows it.
static const char* read_code(const char* at, const char* end, uint32_t* code)
{
    *code = read_hex4(at + 1);
    at += 5;
    if ((*code & 0xf800) != 0xd800)
        return at;
    if (*code < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        uint32_t low = read_hex4(at + 2);
        if ((low & 0xfc00) == 0xdc00) {
            *code = 0x10000 + ((*code & 0x3ff) << 10 | (low & 0x3ff));
            return at + 6;
        }
    }
    *code = 0xfffd;
    return at;
}

// Resolves the escapes of a checked string; never longer than the text. Returns the size.
static size_t unescape(const char* at, const char* end, char* out)
{
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    char* to = out;
    while (at < end) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        at++;
        if (*at == 'u') {
            uint32_t code;
            at = read_code(at, end, &code);
            to = put_utf8(to, code);
        } else {
            const char* letter = strchr(letters, *at);
            *to++ = letter ? meanings[letter - letters] : *at;
            at++;
        }
    }
    return (size_t)(to - out);
}

anim_json_text anim_json_get_text(const anim_json* json, anim_json_value string)
{
    const jsmntok_t* t = token(json, string);
    const char* bytes = json->text + t->start;
    size_t size = (size_t)(t->end - t->start);
    return (anim_json_text){bytes, size, memchr(bytes, '\\', size) != NULL};
}

char* anim_json_copy_string(const anim_json* json, anim_json_value string, anim_arena* arena,
                            size_t* size)
{
    anim_json_text text = anim_json_get_text(json, string);
    char* copy = anim_arena_copy_text(arena, text.bytes, text.size);
    *size = text.size;
    if (copy && text.escaped) {
        *size = unescape(text.bytes, text.bytes + text.size, copy);
        copy[*size] = '\0';
    }
    return copy;
}

static bool same(const char* bytes, size_t size, const char* wanted)
{
    return size == strlen(wanted) && memcmp(bytes, wanted, size) == 0;
}

// Which of the strings it is, or `count`.
static uint32_t find_text(const anim_json* json, anim_json_value string, const char* const* texts,
                          uint32_t count)
{
    enum { longest = 6 * 64 }; // "\u0041" is six bytes for one
    char plain[longest];
    const jsmntok_t* t = token(json, string);
    const char* bytes = json->text + t->start;
    size_t size = (size_t)(t->end - t->start);
    for (uint32_t i = 0; i < count; i++)
        if (same(bytes, size, texts[i]))
            return i;
    if (size > longest || !memchr(bytes, '\\', size))
        return count;
    size = unescape(bytes, bytes + size, plain);
    for (uint32_t i = 0; i < count; i++)
        if (same(plain, size, texts[i]))
            return i;
    return count;
}

bool anim_json_is_string(const anim_json* json, anim_json_value value, const char* text)
{
    return token(json, value)->type == JSMN_STRING && find_text(json, value, &text, 1) == 0;
}

// --- the rest -----------------------------------------------------------------------------------

bool anim_json_pick(const anim_json* json, anim_json_value object, const char* const* keys,
                    uint32_t count, anim_json_value* values)
{
    memset(values, 0, count * sizeof *values);
    const jsmntok_t* t = token(json, object);
    if (t->type != JSMN_OBJECT)
        return false;
    anim_json_value key = object + 1;
    for (int i = 0; i < t->size; i++, key = json->next[key]) {
        uint32_t which = find_text(json, key, keys, count);
        if (which < count && !values[which])
            values[which] = key + 1;
    }
    return true;
}

bool anim_json_get_number(const anim_json* json, anim_json_value value, double* out)
{
    if (anim_json_get_kind(json, value) != ANIM_JSON_NUMBER)
        return false;
    const jsmntok_t* t = token(json, value);
    return anim_number_parse(json->text + t->start, json->text + t->end, out) != NULL;
}

bool anim_json_get_boolean(const anim_json* json, anim_json_value value, bool* out)
{
    if (anim_json_get_kind(json, value) != ANIM_JSON_BOOLEAN)
        return false;
    *out = json->text[token(json, value)->start] == 't';
    return true;
}

static uint32_t index_in_array(const anim_json* json, anim_json_value array, anim_json_value value)
{
    uint32_t index = 0;
    for (anim_json_value at = array + 1; at < value; at = json->next[at])
        index++;
    return index;
}

void anim_json_get_path(const anim_json* json, anim_json_value value, char* out, size_t size)
{
    anim_json_value chain[2 * deepest + 1]; // an object gives two steps: key and value
    uint32_t count = 0;
    for (int at = (int)value; at > 0; at = token(json, (anim_json_value)at)->parent)
        chain[count++] = (anim_json_value)at;
    size_t used = 0;
    out[0] = '\0';
    while (count-- > 0 && used < size) {
        const jsmntok_t* t = token(json, chain[count]);
        const jsmntok_t* parent = token(json, (anim_json_value)t->parent);
        int length = 0;
        if (parent->type == JSMN_ARRAY)
            length = snprintf(out + used, size - used, "/%u",
                              index_in_array(json, (anim_json_value)t->parent, chain[count]));
        else if (parent->type == JSMN_OBJECT)
            length = snprintf(out + used, size - used, "/%.*s", t->end - t->start,
                              json->text + t->start);
        used += length > 0 ? (size_t)length : 0;
    }
}
