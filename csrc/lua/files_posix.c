// SPDX-License-Identifier: MIT
#if !defined(_WIN32)

#define _XOPEN_SOURCE 700 // mkstemp, realpath, fdopen

#include "lua/files_os.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

luax_file_kind luax_os_look(const char* path, uint64_t* size)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return LUAX_FILE_NONE;
    if (size)
        *size = (uint64_t)info.st_size;
    return S_ISREG(info.st_mode)   ? LUAX_FILE_REGULAR
           : S_ISDIR(info.st_mode) ? LUAX_FILE_DIRECTORY
                                   : LUAX_FILE_OTHER;
}

FILE* luax_os_open(const char* path)
{
    return fopen(path, "rb");
}

FILE* luax_os_open_beside(const char* path, size_t directory, char* beside)
{
    memcpy(beside, path, directory);
    memcpy(beside + directory, ".anim-XXXXXX", sizeof ".anim-XXXXXX");
    int handle = mkstemp(beside);
    if (handle < 0)
        return NULL;
    struct stat info;
#if defined(__EMSCRIPTEN__)
    mode_t mask = 022; // its umask says 0777
#else
    mode_t mask = umask(0);
    umask(mask);
#endif
    fchmod(handle, stat(path, &info) == 0 ? info.st_mode & 07777 : 0666 & ~mask);
    FILE* file = fdopen(handle, "wb");
    if (file)
        return file;
    close(handle);
    remove(beside);
    return NULL;
}

bool luax_os_replace(const char* from, const char* to)
{
    return rename(from, to) == 0;
}

void luax_os_remove(const char* path)
{
    remove(path);
}

char* luax_os_resolve(const char* path)
{
    return access(path, W_OK) == 0 ? realpath(path, NULL) : NULL;
}

#endif
