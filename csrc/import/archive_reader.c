// SPDX-License-Identifier: MIT
#include "import/archive_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

anim_code anim_archive_fail(anim_archive_reader* r, const char* format, ...)
{
    if (r->code)
        return r->code;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->code = anim_fail(r->err, ANIM_ERR_FORMAT, "byte %zu: %s", (size_t)(r->at - r->start), text);
    return r->code;
}

const void* anim_archive_array(anim_archive_reader* r, size_t count, size_t element,
                               size_t alignment)
{
    size_t gap = (size_t)(r->start - r->at) & (alignment - 1);
    size_t left = (size_t)(r->end - r->at);
    if (!r->code && (gap > left || count > (left - gap) / element))
        anim_archive_fail(r, "the file ends inside %zu items of %zu bytes", count, element);
    if (r->code)
        return NULL;
    const void* array = r->at + gap;
    r->at += gap + count * element;
    return array;
}

static void take(anim_archive_reader* r, void* out, size_t size)
{
    const void* from = anim_archive_array(r, 1, size, size);
    if (from)
        memcpy(out, from, size);
}

uint32_t anim_archive_u32(anim_archive_reader* r)
{
    uint32_t value = 0;
    take(r, &value, sizeof value);
    return value;
}

uint64_t anim_archive_u64(anim_archive_reader* r)
{
    uint64_t value = 0;
    take(r, &value, sizeof value);
    return value;
}

double anim_archive_f64(anim_archive_reader* r)
{
    double value = 0;
    take(r, &value, sizeof value);
    return value;
}

uint32_t anim_archive_choice(anim_archive_reader* r, uint32_t most, const char* what)
{
    uint32_t value = anim_archive_u32(r);
    if (value <= most)
        return value;
    anim_archive_fail(r, "%s is %u; expected 0 to %u", what, value, most);
    return 0;
}

uint32_t anim_archive_count(anim_archive_reader* r, size_t least, const char* what)
{
    uint32_t count = anim_archive_u32(r);
    if (count <= (size_t)(r->end - r->at) / least)
        return count;
    anim_archive_fail(r, "%u %s are more than the file can hold", count, what);
    return 0;
}

const char* anim_archive_text(anim_archive_reader* r)
{
    size_t length = anim_archive_u32(r);
    const char* text = anim_archive_array(r, length, 1, 1);
    const char* end = anim_archive_array(r, 1, 1, 1);
    if (end && !*end && strlen(text) == length)
        return text;
    anim_archive_fail(r, "a text of %zu bytes does not end where it should", length);
    return "";
}
