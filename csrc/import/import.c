// SPDX-License-Identifier: MIT
#include "import/import.h"

#include "base/mem.h"

#include <string.h>

typedef anim_code (*importer)(const anim_import_desc* desc, anim_model* model, anim_error* err);

static bool starts_with(const char* at, const char* end, const char* word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

// Text may begin with a byte order mark and white space.
static const char* skip_space(const char* at, const char* end)
{
    if (starts_with(at, end, "\xef\xbb\xbf"))
        at += 3;
    while (at < end && strchr(" \t\r\n\v\f", *at) && *at)
        at++;
    return at;
}

static importer choose(const anim_import_desc* desc)
{
    const char *bytes = desc->bytes, *end = bytes + desc->size;
    if (starts_with(bytes, end, "glTF"))
        return anim_import_gltf;
    if (starts_with(bytes, end, "ANIM"))
        return anim_import_archive;
    const char* text = skip_space(bytes, end);
    if (starts_with(text, end, "{"))
        return anim_import_gltf;
    static const char bvh[] = "HIERARCHY"; // in any case, as exporters write it
    for (int i = 0; bvh[i]; i++)
        if (text + i >= end || (text[i] & ~0x20) != bvh[i])
            return NULL;
    return anim_import_bvh;
}

static anim_code import(const anim_import_desc* desc, anim_model* model, anim_error* err)
{
    if (!desc->bytes || desc->size == 0)
        return anim_fail(err, ANIM_ERR_FORMAT, "the file is empty");
    importer run = choose(desc);
    return run ? run(desc, model, err)
               : anim_fail(err, ANIM_ERR_FORMAT,
                           "not a file that can be read: it is neither glTF nor BVH nor .anim");
}

anim_code anim_import(const anim_import_desc* desc, anim_model** out, anim_error* err)
{
    *out = NULL;
    anim_model* model = anim_mem_alloc(sizeof *model);
    if (!model)
        return anim_fail_memory(err, "a model");
    model->notes.arena = &model->arena;
    model->geometry.is_wanted = desc->geometry;
    anim_code code = import(desc, model, err);
    if (code) {
        if (desc->name)
            anim_error_prefix(err, "%.200s: ", desc->name);
        anim_model_destroy(model);
        return code;
    }
    *out = model;
    return ANIM_OK;
}

void anim_model_destroy(anim_model* model)
{
    if (!model)
        return;
    for (uint32_t i = 0; i < model->clip_count; i++)
        anim_clip_release(model->clips[i]);
    for (uint32_t i = 0; i < model->skin_count; i++)
        anim_skin_release(model->skins[i]);
    anim_skeleton_release(model->skeleton);
    anim_arena_free(&model->arena);
    anim_mem_free(model);
}
