// SPDX-License-Identifier: MIT
// Whole files in and out.
#pragma once

#include "import/import.h"

// Reads a regular file of at most `limit` bytes into memory of anim_mem_alloc.
anim_code luax_read_file(const char* path, uint64_t limit, anim_blob* out, anim_error* err);

// Writes beside the file and renames: what stood there before stays until all is written.
anim_code luax_write_file(const char* path, const anim_blob* blob, anim_error* err);

// What follows the last separator of a path.
const char* luax_base_name(const char* path);
