// SPDX-License-Identifier: MIT
// Failing with a place, memory under the limit, and JSON values checked as they are read.
#include "import/gltf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double largest_number = 1e18; // its square is still a float

// --- failing ------------------------------------------------------------------------------------

enum { longest_message = 480 };

// What is said, after the place: "/nodes/3 (byte 812): ...".
static void write_message(const anim_gltf* g, anim_json_value at, const char* format, va_list args,
                          char out[longest_message])
{
    char path[160];
    int used = 0;
    if (at) {
        anim_json_get_path(&g->json, at, path, sizeof path);
        used = snprintf(out, longest_message, "%s (byte %zu): ", path,
                        anim_json_get_byte(&g->json, at));
    }
    vsnprintf(out + used, (size_t)(longest_message - used), format, args);
}

bool anim_gltf_fail(anim_gltf* g, anim_code code, anim_json_value at, const char* format, ...)
{
    char message[longest_message];
    va_list args;
    va_start(args, format);
    write_message(g, at, format, args, message);
    va_end(args);
    g->code = anim_fail(g->err, code, "%s", message);
    return false;
}

void anim_gltf_warn(anim_gltf* g, anim_json_value at, const char* format, ...)
{
    anim_notes* notes = &g->model->notes;
    if (notes->count >= ANIM_MAX_NOTES) { // a path costs time, and broken files have many faults
        notes->left_out++;
        return;
    }
    char message[longest_message];
    va_list args;
    va_start(args, format);
    write_message(g, at, format, args, message);
    va_end(args);
    anim_notes_add(notes, "%s", message);
}

static bool fail_limit(anim_gltf* g)
{
    return anim_gltf_fail(g, ANIM_ERR_LIMIT, 0, "more than the %zu bytes of the limit are needed",
                          g->limit);
}

bool anim_gltf_fail_alloc(anim_gltf* g, size_t size)
{
    enum { grain = 32 }; // arenas round up to it
    size_t left = g->arena.limit - g->arena.used;
    if (size > left || left - size < grain)
        return fail_limit(g);
    return anim_gltf_fail(g, ANIM_ERR_MEMORY, 0, "out of memory for a glTF file");
}

void* anim_gltf_alloc(anim_gltf* g, size_t count, size_t element)
{
    void* memory = anim_arena_alloc(&g->arena, count, element);
    if (!memory)
        anim_gltf_fail_alloc(g, count > g->limit / element ? g->limit : count * element);
    return memory;
}

bool anim_gltf_hold(anim_gltf* g, size_t bytes)
{
    if (bytes >= g->arena.limit - g->arena.used)
        return fail_limit(g);
    g->arena.limit -= bytes;
    return true;
}

void* anim_gltf_alloc_kept(anim_gltf* g, size_t count, size_t element)
{
    enum { grain = 32 }; // of arenas: many short texts take more than they hold
    if (count > g->limit / element || !anim_gltf_hold(g, count * element / grain * grain + grain)) {
        fail_limit(g);
        return NULL;
    }
    void* memory = anim_arena_alloc(&g->model->arena, count, element);
    if (!memory)
        anim_gltf_fail(g, ANIM_ERR_MEMORY, 0, "out of memory for a model");
    return memory;
}

// --- values -------------------------------------------------------------------------------------

static bool fail_kind(anim_gltf* g, anim_json_value value, anim_json_kind wanted)
{
    return anim_gltf_fail(g, ANIM_ERR_FORMAT, value, "%s expected, got %s",
                          anim_json_kind_name(wanted),
                          anim_json_kind_name(anim_json_get_kind(&g->json, value)));
}

bool anim_gltf_pick(anim_gltf* g, anim_json_value object, const char* const* keys, uint32_t count,
                    anim_json_value* values)
{
    return anim_json_pick(&g->json, object, keys, count, values) ||
           fail_kind(g, object, ANIM_JSON_OBJECT);
}

bool anim_gltf_get_list(anim_gltf* g, anim_json_value array, anim_gltf_list* out)
{
    *out = (anim_gltf_list){0, NULL};
    if (!array)
        return true;
    if (anim_json_get_kind(&g->json, array) != ANIM_JSON_ARRAY)
        return fail_kind(g, array, ANIM_JSON_ARRAY);
    uint32_t count = anim_json_get_count(&g->json, array);
    anim_json_value* values = anim_gltf_alloc(g, count, sizeof *values);
    if (!values)
        return false;
    anim_json_value at = anim_json_first(array);
    for (uint32_t i = 0; i < count; i++, at = anim_json_next(&g->json, at))
        values[i] = at;
    *out = (anim_gltf_list){count, values};
    return true;
}

// A whole number from 0 to `most`.
static bool get_whole(anim_gltf* g, anim_json_value value, double most, double* out)
{
    double number;
    if (!anim_json_get_number(&g->json, value, &number))
        return fail_kind(g, value, ANIM_JSON_NUMBER);
    if (!(number >= 0 && number <= most) || number != (double)(uint64_t)number)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, value,
                              "whole number from 0 to %.0f expected, got %.9g", most, number);
    *out = number;
    return true;
}

bool anim_gltf_get_size(anim_gltf* g, anim_json_value value, size_t* out)
{
    double number = 0;
    if (!value)
        return true;
    if (!get_whole(g, value, sizeof(size_t) < 8 ? 4294967295.0 : 9007199254740992.0, &number))
        return false;
    *out = (size_t)number;
    return true;
}

bool anim_gltf_get_count(anim_gltf* g, anim_json_value value, uint32_t* out)
{
    double number = 0;
    if (!value)
        return true;
    if (!get_whole(g, value, 4294967295.0, &number))
        return false;
    *out = (uint32_t)number;
    return true;
}

bool anim_gltf_get_index(anim_gltf* g, anim_json_value value, uint32_t count, int32_t* out)
{
    uint32_t index = 0;
    if (!value)
        return true;
    if (!anim_gltf_get_count(g, value, &index))
        return false;
    if (index >= count || index > INT32_MAX)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, value, "index %u is out of range: there are %u",
                              index, count);
    *out = (int32_t)index;
    return true;
}

bool anim_gltf_get_boolean(anim_gltf* g, anim_json_value value, bool* out)
{
    return !value || anim_json_get_boolean(&g->json, value, out) ||
           fail_kind(g, value, ANIM_JSON_BOOLEAN);
}

bool anim_gltf_get_floats(anim_gltf* g, anim_json_value array, uint32_t count, float* out)
{
    if (!array)
        return true;
    if (anim_json_get_kind(&g->json, array) != ANIM_JSON_ARRAY)
        return fail_kind(g, array, ANIM_JSON_ARRAY);
    uint32_t found = anim_json_get_count(&g->json, array);
    if (found != count)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, array, "%u numbers expected, got %u", count,
                              found);
    anim_json_value at = anim_json_first(array);
    for (uint32_t i = 0; i < count; i++, at = anim_json_next(&g->json, at)) {
        double number;
        if (!anim_json_get_number(&g->json, at, &number))
            return fail_kind(g, at, ANIM_JSON_NUMBER);
        if (!(fabs(number) <= largest_number))
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "the number is too large");
        out[i] = (float)number;
    }
    return true;
}

enum { longest_name = ANIM_MAX_NAME - 12 };

static void clean_name(anim_gltf* g, anim_json_value value, char* name, size_t size)
{
    if (size > longest_name) {
        size = longest_name;
        while ((name[size] & 0xc0) == 0x80) // not in the middle of a letter
            size--;
        name[size] = '\0';
        anim_gltf_warn(g, value, "cut to %zu bytes", size);
    }
    if (memchr(name, '\0', size)) {
        for (size_t i = 0; i < size; i++)
            name[i] = name[i] ? name[i] : '_';
        anim_gltf_warn(g, value, "holds characters of code 0, now '_'");
    }
}

const char* anim_gltf_get_name(anim_gltf* g, anim_json_value value, const char* fallback,
                               uint32_t number)
{
    size_t size = 0;
    char* name = NULL;
    if (value && anim_json_get_kind(&g->json, value) != ANIM_JSON_STRING) {
        fail_kind(g, value, ANIM_JSON_STRING);
        return NULL;
    }
    if (value) {
        name = anim_json_copy_string(&g->json, value, &g->arena, &size);
        if (name)
            clean_name(g, value, name, size);
    }
    if (size == 0 && fallback)
        name = anim_arena_format(&g->arena, "%s%u", fallback, number);
    if (!name && (value || fallback))
        anim_gltf_fail_alloc(g, size + (fallback ? strlen(fallback) : 0) + 12);
    return name || value || fallback ? name : "";
}

const char* anim_gltf_keep_text(anim_gltf* g, const char* text)
{
    char* copy = anim_gltf_alloc_kept(g, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

const char* anim_gltf_make_unique(anim_gltf* g, anim_unique* names, const char* name,
                                  anim_json_value at)
{
    const char* own = anim_unique_add(names, name);
    size_t largest_table = 64 * ((size_t)names->capacity + 64);
    if (!own)
        anim_gltf_fail_alloc(g, largest_table + strlen(name));
    else if (own != name)
        anim_gltf_warn(g, at, "the name '%.64s' stands twice; this one is now '%.80s'", name, own);
    return own;
}

bool anim_gltf_require(anim_gltf* g, anim_json_value object, anim_json_value value, const char* key)
{
    return value || anim_gltf_fail(g, ANIM_ERR_FORMAT, object, "'%s' is missing", key);
}
