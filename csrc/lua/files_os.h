// SPDX-License-Identifier: MIT
// What files.c needs of the operating system. Names are UTF-8 on all of them.
#pragma once

#include "base/error.h"

#include <stdio.h>

typedef enum luax_file_kind {
    LUAX_FILE_NONE, // errno says why
    LUAX_FILE_REGULAR,
    LUAX_FILE_DIRECTORY,
    LUAX_FILE_OTHER
} luax_file_kind;

enum { luax_file_name_room = 64 }; // for the name that luax_os_open_beside makes

// Links are followed. `size` may be NULL.
luax_file_kind luax_os_look(const char* path, uint64_t* size);
FILE* luax_os_open(const char* path); // for reading; NULL: errno says why

// A new file of a name of its own, which goes to `beside`, in the directory of a path; `directory` is
// the length of what stands before the path's last name. It has the mode of the file at `path`, if there
// is one. NULL: errno says why.
FILE* luax_os_open_beside(const char* path, size_t directory, char* beside);
bool luax_os_replace(const char* from, const char* to); // false: errno says why
void luax_os_remove(const char* path);

// The file itself where `path` is a link to one that may be written; to be freed with `free`. NULL: errno
// says why.
char* luax_os_resolve(const char* path);
