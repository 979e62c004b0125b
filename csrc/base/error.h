// SPDX-License-Identifier: MIT
// One way to fail: every failure of data or memory goes through anim_fail.
#pragma once

#include "base/config.h"

typedef enum anim_code {
    ANIM_OK = 0,
    ANIM_ERR_ARGUMENT, // the caller asked for what can't be (a name twice, an index out of range)
    ANIM_ERR_MEMORY,
    ANIM_ERR_FORMAT,      // the data are not what they claim to be
    ANIM_ERR_UNSUPPORTED, // right data that need what this build can't do
    ANIM_ERR_LIMIT,       // larger than what we are willing to hold
    ANIM_ERR_IO
} anim_code;

// Caller-owned. `message` says what is wrong, where (byte, line, JSON path, joint) and what was
// expected. Valid only after a call returned something else than ANIM_OK.
typedef struct anim_error {
    anim_code code;
    char message[480];
} anim_error;

// Writes code and message (truncated where too long) and returns `code`. `err` may be NULL.
anim_code anim_fail(anim_error* err, anim_code code, const char* format, ...) ANIM_PRINTF(3, 4);

// The message every failed allocation has; `what` names the thing that could not be built.
anim_code anim_fail_memory(anim_error* err, const char* what);

// Puts "text: " before the message: a caller that knows the place adds it to what it was told.
void anim_error_prefix(anim_error* err, const char* format, ...) ANIM_PRINTF(2, 3);
