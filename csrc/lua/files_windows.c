// SPDX-License-Identifier: MIT
#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0600

#include "lua/files_os.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

static int errno_of(DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_INVALID_DRIVE: return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT: return EACCES;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return ENOSPC;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return ENOMEM;
    default: return EIO;
    }
}

// Names that are no UTF-8 are in the code page of the system: a script may have them from `arg`.
static wchar_t* widen(const char* path)
{
    UINT page = CP_UTF8;
    DWORD flags = MB_ERR_INVALID_CHARS;
    int length = MultiByteToWideChar(page, flags, path, -1, NULL, 0);
    if (length == 0) {
        page = CP_ACP;
        flags = 0;
        length = MultiByteToWideChar(page, flags, path, -1, NULL, 0);
    }
    wchar_t* wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(page, flags, path, -1, wide, length);
    return wide;
}

// To be freed; NULL: errno is set. Long paths go past the old limit of 260 characters in the form
// \\?\C:\... or \\?\UNC\server\..., which has to be absolute, with back slashes and without dots.
static wchar_t* system_path(const char* path)
{
    static const wchar_t local[] = L"\\\\?\\", remote[] = L"\\\\?\\UNC";
    enum { long_path = 240, prefix_room = 8 };
    wchar_t *wide = widen(path), *whole = NULL;
    if (!wide)
        goto fail;
    DWORD room = GetFullPathNameW(wide, 0, NULL, NULL);
    if (room < long_path || wcsncmp(wide, local, 4) == 0)
        return wide;
    whole = malloc((room + prefix_room) * sizeof *whole);
    if (!whole)
        goto fail;
    // The prefix of a share takes the place of the first of its two back slashes.
    bool is_remote = (wide[0] == L'\\' || wide[0] == L'/') && (wide[1] == L'\\' || wide[1] == L'/');
    size_t at = is_remote ? wcslen(remote) - 1 : wcslen(local);
    DWORD used = GetFullPathNameW(wide, room, whole + at, NULL);
    if (used == 0 || used >= room)
        goto fail;
    memcpy(whole, is_remote ? remote : local, (is_remote ? wcslen(remote) : at) * sizeof *whole);
    free(wide);
    return whole;
fail:
    errno = wide && whole ? ENOENT : ENOMEM;
    free(whole);
    free(wide);
    return NULL;
}

// NULL: errno is set.
static HANDLE open_handle(const char* path, DWORD access, DWORD disposition, DWORD flags)
{
    wchar_t* wide = system_path(path);
    if (!wide)
        return NULL;
    HANDLE handle = CreateFileW(wide, access,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                disposition, flags, NULL);
    DWORD error = GetLastError();
    free(wide);
    if (handle != INVALID_HANDLE_VALUE)
        return handle;
    errno = errno_of(error);
    return NULL;
}

static FILE* open_file(const char* path, DWORD access, DWORD disposition, const char* mode)
{
    HANDLE handle = open_handle(path, access, disposition, FILE_ATTRIBUTE_NORMAL);
    if (!handle)
        return NULL;
    int number = _open_osfhandle((intptr_t)handle, _O_BINARY);
    if (number < 0) {
        CloseHandle(handle);
        return NULL;
    }
    FILE* file = _fdopen(number, mode);
    if (!file)
        _close(number);
    return file;
}

luax_file_kind luax_os_look(const char* path, uint64_t* size)
{
    HANDLE handle = open_handle(path, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (!handle)
        return LUAX_FILE_NONE;
    BY_HANDLE_FILE_INFORMATION info;
    luax_file_kind kind = LUAX_FILE_OTHER; // NUL, COM1, a pipe
    if (GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &info)) {
        kind = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? LUAX_FILE_DIRECTORY
                                                                : LUAX_FILE_REGULAR;
        if (size)
            *size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    }
    CloseHandle(handle);
    return kind;
}

FILE* luax_os_open(const char* path)
{
    return open_file(path, GENERIC_READ, OPEN_EXISTING, "rb");
}

FILE* luax_os_open_beside(const char* path, size_t directory, char* beside)
{
    FILE* file = NULL;
    memcpy(beside, path, directory);
    for (unsigned attempt = 0; !file && attempt < 100; attempt++) {
        snprintf(beside + directory, luax_file_name_room, ".anim-%lx-%x",
                 (unsigned long)GetCurrentProcessId(), attempt);
        file = open_file(beside, GENERIC_WRITE, CREATE_NEW, "wb"); // never one that is there
        if (!file && errno != EEXIST)
            break;
    }
    return file;
}

bool luax_os_replace(const char* from, const char* to)
{
    wchar_t *wide_from = system_path(from), *wide_to = system_path(to);
    bool replaced = wide_from && wide_to &&
                    MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING) != 0;
    if (!replaced && wide_from && wide_to)
        errno = errno_of(GetLastError());
    free(wide_from);
    free(wide_to);
    return replaced;
}

void luax_os_remove(const char* path)
{
    wchar_t* wide = system_path(path);
    if (wide)
        DeleteFileW(wide);
    free(wide);
}

// Links to files are rare here, and need a privilege to make: one is replaced by what is written.
char* luax_os_resolve(const char* path)
{
    HANDLE handle = open_handle(path, GENERIC_WRITE, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
    if (!handle)
        return NULL;
    CloseHandle(handle);
    char* copy = malloc(strlen(path) + 1);
    if (!copy)
        errno = ENOMEM;
    else
        memcpy(copy, path, strlen(path) + 1);
    return copy;
}

#endif
