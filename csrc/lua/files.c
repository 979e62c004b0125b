// SPDX-License-Identifier: MIT
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
#endif

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

static bool replace(const char* from, const char* to)
{
#if defined(_WIN32)
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
#else
    return rename(from, to) == 0;
#endif
}

anim_code luax_write_file(const char* path, const anim_blob* blob, anim_error* err)
{
    size_t length = strlen(path);
    char* beside = anim_mem_alloc(length + sizeof ".tmp");
    if (!beside)
        return anim_fail_memory(err, path);
    memcpy(beside, path, length);
    memcpy(beside + length, ".tmp", sizeof ".tmp");

    anim_code code = ANIM_OK;
    FILE* file = fopen(beside, "wb");
    if (!file) {
        code = fail_errno(err, beside);
    } else {
        bool written = fwrite(blob->bytes, 1, blob->size, file) == blob->size;
        written = fclose(file) == 0 && written;
        if (!written)
            code = fail_errno(err, beside);
        else if (!replace(beside, path))
            code = fail_errno(err, path);
        if (code)
            remove(beside);
    }
    anim_mem_free(beside);
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
