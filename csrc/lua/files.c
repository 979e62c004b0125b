// SPDX-License-Identifier: MIT
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700 // mkstemp, realpath, fdopen
#endif

#include "lua/files.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <unistd.h>
#endif

enum { name_room = 64 }; // for the name of a file that is being written

static anim_code fail_errno(anim_error* err, const char* path)
{
    return anim_fail(err, ANIM_ERR_IO, "%s: %s", path, strerror(errno));
}

static anim_code check_kind(const char* path, uint64_t limit, size_t* size, anim_error* err)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return fail_errno(err, path);
    if (S_ISDIR(info.st_mode))
        return anim_fail(err, ANIM_ERR_IO, "%s: is a directory", path);
    if (!S_ISREG(info.st_mode))
        return anim_fail(err, ANIM_ERR_IO, "%s: is not a regular file", path);
    if ((uint64_t)info.st_size > limit)
        return anim_fail(err, ANIM_ERR_LIMIT, "%s: has %llu bytes; at most %llu are read", path,
                         (unsigned long long)info.st_size, (unsigned long long)limit);
    *size = (size_t)info.st_size;
    return ANIM_OK;
}

anim_code luax_read_file(const char* path, uint64_t limit, anim_blob* out, anim_error* err)
{
    size_t size = 0;
    *out = (anim_blob){0};
    anim_code code = check_kind(path, limit, &size, err);
    if (code)
        return code;
    FILE* file = fopen(path, "rb");
    if (!file)
        return fail_errno(err, path);
    void* bytes = anim_mem_alloc(size);
    if (!bytes) {
        code = anim_fail_memory(err, path);
    } else if (fread(bytes, 1, size, file) != size) {
        code = anim_fail(err, ANIM_ERR_IO, "%s: could not be read to its end", path);
    } else {
        *out = (anim_blob){bytes, size};
        bytes = NULL;
    }
    anim_mem_free(bytes);
    fclose(file);
    return code;
}

// --- writing ------------------------------------------------------------------------------------

#if defined(_WIN32)

static anim_code open_beside(const char* path, char* beside, FILE** file, anim_error* err)
{
    size_t directory = (size_t)(luax_base_name(path) - path);
    char* name = beside + directory;
    memcpy(beside, path, directory);
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        snprintf(name, name_room, ".anim-%lx-%x", (unsigned long)GetCurrentProcessId(), attempt);
        *file = fopen(beside, "wbx"); // x: never one that is there
        if (*file)
            return ANIM_OK;
    }
    return fail_errno(err, path);
}

static bool replace(const char* from, const char* to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
}

#else

// A new file of a name of its own in the same directory, with the mode of the one it will replace.
static anim_code open_beside(const char* path, char* beside, FILE** file, anim_error* err)
{
    size_t directory = (size_t)(luax_base_name(path) - path);
    memcpy(beside, path, directory);
    memcpy(beside + directory, ".anim-XXXXXX", sizeof ".anim-XXXXXX");
    int handle = mkstemp(beside);
    if (handle < 0)
        return fail_errno(err, path);
    struct stat info;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(handle, stat(path, &info) == 0 ? info.st_mode & 07777 : 0666 & ~mask);
    *file = fdopen(handle, "wb");
    if (*file)
        return ANIM_OK;
    close(handle);
    remove(beside);
    return fail_errno(err, path);
}

static bool replace(const char* from, const char* to)
{
    return rename(from, to) == 0;
}

#endif

// What is there already must be a file that may be written: a link leads to it, a device is none.
static anim_code find_target(const char* path, char** out, anim_error* err)
{
    struct stat info;
    *out = NULL;
    if (stat(path, &info) != 0) {
        if (errno != ENOENT)
            return fail_errno(err, path);
        return ANIM_OK;
    }
    if (!S_ISREG(info.st_mode))
        return anim_fail(err, ANIM_ERR_IO, "%s: is not a regular file", path);
#if !defined(_WIN32)
    if (access(path, W_OK) != 0)
        return fail_errno(err, path);
    *out = realpath(path, NULL);
    if (!*out)
        return fail_errno(err, path);
#endif
    return ANIM_OK;
}

static anim_code write_and_replace(const char* path, const anim_blob* blob, anim_error* err)
{
    char* beside = anim_mem_alloc(strlen(path) + name_room);
    if (!beside)
        return anim_fail_memory(err, path);
    FILE* file = NULL;
    anim_code code = open_beside(path, beside, &file, err);
    if (!code) {
        bool written = fwrite(blob->bytes, 1, blob->size, file) == blob->size;
        written = fclose(file) == 0 && written;
        if (!written || !replace(beside, path)) {
            code = fail_errno(err, path);
            remove(beside);
        }
    }
    anim_mem_free(beside);
    return code;
}

anim_code luax_write_file(const char* path, const anim_blob* blob, anim_error* err)
{
    char* target;
    anim_code code = find_target(path, &target, err);
    if (!code)
        code = write_and_replace(target ? target : path, blob, err);
    free(target); // from realpath
    return code;
}

const char* luax_base_name(const char* path)
{
    const char* name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
#if defined(_WIN32)
        else if (*path == '\\' || *path == ':')
            name = path + 1;
#endif
    return name;
}
