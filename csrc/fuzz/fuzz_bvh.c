// SPDX-License-Identifier: MIT
#include "fuzz/touch.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    touch_import((anim_import_desc){.name = "fuzz.bvh", .bytes = data, .size = size});
    touch_import(
        (anim_import_desc){.bytes = data, .size = size, .bvh_relative = true, .bvh_scale = 0.01});
    return 0;
}
