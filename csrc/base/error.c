// SPDX-License-Identifier: MIT
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

anim_code anim_fail(anim_error* err, anim_code code, const char* format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->code = code;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return code;
}

anim_code anim_fail_memory(anim_error* err, const char* what)
{
    return anim_fail(err, ANIM_ERR_MEMORY, "out of memory for %s", what);
}

void anim_error_prefix(anim_error* err, const char* format, ...)
{
    if (!err)
        return;
    char prefix[sizeof err->message];
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    memcpy(message, err->message, sizeof message);
    size_t used = strlen(prefix);
    size_t room = sizeof message - 1 - used;
    size_t length = strlen(message) < room ? strlen(message) : room;
    memcpy(err->message, prefix, used);
    memcpy(err->message + used, message, length);
    err->message[used + length] = '\0';
}
