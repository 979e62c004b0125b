// SPDX-License-Identifier: MIT
#include "lua/files.h"

#include "base/mem.h"
#include "lua/files_os.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static anim_code fail_errno(anim_error* err, const char* path)
{
    return anim_fail(err, ANIM_ERR_IO, "%s: %s", path, strerror(errno));
}

static anim_code check_kind(const char* path, uint64_t limit, size_t* size, anim_error* err)
{
    uint64_t bytes = 0;
    luax_file_kind kind = luax_os_look(path, &bytes);
    if (kind == LUAX_FILE_NONE)
        return fail_errno(err, path);
    if (kind == LUAX_FILE_DIRECTORY)
        return anim_fail(err, ANIM_ERR_IO, "%s: is a directory", path);
    if (kind != LUAX_FILE_REGULAR)
        return anim_fail(err, ANIM_ERR_IO, "%s: is not a regular file", path);
    if (bytes > limit || bytes > SIZE_MAX)
        return anim_fail(err, ANIM_ERR_LIMIT, "%s: has %llu bytes; at most %llu are read", path,
                         (unsigned long long)bytes, (unsigned long long)limit);
    *size = (size_t)bytes;
    return ANIM_OK;
}

anim_code luax_read_file(const char* path, uint64_t limit, anim_blob* out, anim_error* err)
{
    size_t size = 0;
    *out = (anim_blob){0};
    anim_code code = check_kind(path, limit, &size, err);
    if (code)
        return code;
    FILE* file = luax_os_open(path);
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

// What is there already must be a file that may be written: a link leads to it, a device is none.
static anim_code find_target(const char* path, char** out, anim_error* err)
{
    *out = NULL;
    luax_file_kind kind = luax_os_look(path, NULL);
    if (kind == LUAX_FILE_NONE)
        return errno == ENOENT ? ANIM_OK : fail_errno(err, path);
    if (kind != LUAX_FILE_REGULAR)
        return anim_fail(err, ANIM_ERR_IO, "%s: is not a regular file", path);
    *out = luax_os_resolve(path);
    return *out ? ANIM_OK : fail_errno(err, path);
}

static anim_code write_and_replace(const char* path, const anim_blob* blob, anim_error* err)
{
    char* beside = anim_mem_alloc(strlen(path) + luax_file_name_room);
    if (!beside)
        return anim_fail_memory(err, path);
    anim_code code = ANIM_OK;
    FILE* file = luax_os_open_beside(path, (size_t)(luax_base_name(path) - path), beside);
    if (!file) {
        code = fail_errno(err, path);
    } else {
        bool written = fwrite(blob->bytes, 1, blob->size, file) == blob->size;
        written = fclose(file) == 0 && written;
        if (!written || !luax_os_replace(beside, path)) {
            code = fail_errno(err, path);
            luax_os_remove(beside);
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
    free(target);
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
