// SPDX-License-Identifier: MIT
#include "fuzz/touch.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Another file: a few bytes that depend on its name, or none.
static anim_code read_other(void* user, const char* uri, anim_blob* out, anim_error* err)
{
    (void)user;
    size_t length = strlen(uri);
    if (length == 0 || uri[0] == '!')
        return anim_fail(err, ANIM_ERR_IO, "there is no '%.80s'", uri);
    out->size = length < 16 ? length * 16 : 256;
    out->bytes = anim_mem_alloc(out->size);
    if (!out->bytes)
        return anim_fail_memory(err, "a buffer");
    for (size_t i = 0; i < out->size; i++)
        ((uint8_t*)out->bytes)[i] = (uint8_t)(uri[i % length] + i / 4);
    return ANIM_OK;
}

// The last byte (white space or padding in a real file) picks the options.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    uint8_t options = size > 0 ? data[size - 1] : 0;
    touch_import((anim_import_desc){.name = "fuzz.gltf",
                                    .bytes = data,
                                    .size = size,
                                    .all_nodes = options & 1,
                                    .trim = options & 2,
                                    .geometry = !(options & 16),
                                    .scene = options & 4 ? 1 : 0,
                                    .read = read_other});
    return 0;
}
