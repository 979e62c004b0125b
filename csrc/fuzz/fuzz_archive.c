// SPDX-License-Identifier: MIT
#include "fuzz/touch.h"

#include "import/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Saves what was loaded, loads that and saves again: the two files must be the same.
static anim_blob save(const anim_model* m)
{
    const anim_archive_desc desc = {m->skeleton,   m->clips,  m->clip_count, m->skins,
                                    m->skin_count, m->morphs, m->morph_count};
    anim_blob blob;
    if (anim_archive_write(&desc, &blob, NULL) != ANIM_OK)
        abort();
    return blob;
}

static void check_round_trip(const uint8_t* bytes, size_t size)
{
    const anim_import_desc desc = {.bytes = bytes, .size = size, .memory_limit = (size_t)64 << 20};
    anim_model* model;
    if (anim_import(&desc, &model, NULL) != ANIM_OK)
        return;
    anim_blob first = save(model);
    anim_model_destroy(model);
    const anim_import_desc again = {.bytes = first.bytes, .size = first.size};
    if (anim_import(&again, &model, NULL) != ANIM_OK)
        abort();
    anim_blob second = save(model);
    if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0)
        abort();
    anim_model_destroy(model);
    anim_mem_free(first.bytes);
    anim_mem_free(second.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    touch_import((anim_import_desc){.name = "fuzz.anim", .bytes = data, .size = size});
    anim_archive_header header;
    if (size < sizeof header)
        return 0;
    // No fuzzer guesses the checksum: make it right, to get behind it.
    uint8_t* sealed = malloc(size);
    if (!sealed)
        return 0;
    memcpy(sealed, data, size);
    memcpy(&header, sealed, sizeof header);
    header.size = size;
    header.hash = anim_archive_hash(sealed, size);
    memcpy(sealed, &header, sizeof header);
    touch_import((anim_import_desc){.bytes = sealed, .size = size});
    check_round_trip(sealed, size);
    free(sealed);
    return 0;
}
