// SPDX-License-Identifier: MIT
#include "bench/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const bench_clip_names[BENCH_CLIPS] = {"walk", "jog", "run", "atlas"};
const char* const bench_form_names[BENCH_FORMS] = {"exact", "small", "fast"};

void bench_check(anim_code code, const anim_error* err)
{
    if (!code)
        return;
    fprintf(stderr, "bench: %s\n", err->message);
    exit(1);
}

void* bench_alloc(size_t size)
{
    size = (size + 63) / 64 * 64;
    void* memory = aligned_alloc(64, size);
    if (!memory) {
        fputs("bench: out of memory\n", stderr);
        exit(1);
    }
    memset(memory, 0, size);
    return memory;
}

double bench_random(uint32_t* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

static void* read_file(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    void* bytes = bench_alloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size)
        *size = 0;
    fclose(file);
    return bytes;
}

anim_model* bench_load(const char* directory, const char* path)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", directory, path);
    size_t size = 0;
    void* bytes = read_file(full, &size);
    if (!bytes)
        return NULL;
    const anim_import_desc desc = {.name = path, .bytes = bytes, .size = size};
    anim_model* model;
    anim_error err;
    bench_check(anim_import(&desc, &model, &err), &err);
    free(bytes);
    return model;
}

static anim_model* need(const char* directory, const char* path)
{
    anim_model* model = bench_load(directory, path);
    if (model)
        return model;
    fprintf(stderr, "bench: no %s/%s; ANIM_DATA names the directory of the test data\n", directory,
            path);
    exit(1);
}

static anim_clip* find_clip(const anim_model* model, const char* name)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (!strcmp(model->clips[i]->name, name))
            return model->clips[i];
    fprintf(stderr, "bench: no clip '%s'\n", name);
    exit(1);
}

static anim_clip* loop_of(const anim_clip* clip)
{
    const anim_clip_variant variant = {.loop = ANIM_LOOP_REPEAT, .duration = -1};
    anim_clip* out;
    anim_error err;
    bench_check(anim_clip_derive(clip, &variant, &out, &err), &err);
    return out;
}

void bench_scene_load(bench_scene* scene, const char* directory)
{
    *scene = (bench_scene){0};
    scene->person = need(directory, "bench/pab_locomotion.glb");
    scene->atlas = need(directory, "bench/pab_atlas.glb");
    scene->skeleton = scene->person->skeleton;
    scene->skin = scene->person->skins[0];
    for (int clip = 0; clip < BENCH_CLIPS; clip++) {
        const anim_model* model = clip == BENCH_ATLAS ? scene->atlas : scene->person;
        scene->clips[BENCH_EXACT][clip] = loop_of(find_clip(model, bench_clip_names[clip]));
        for (int form = BENCH_SMALL; form < BENCH_FORMS; form++) {
            const anim_pack_desc desc = {.form = form == BENCH_FAST ? ANIM_PACK_FAST
                                                                    : ANIM_PACK_SMALL};
            anim_error err;
            bench_check(anim_clip_pack(scene->clips[BENCH_EXACT][clip], &desc,
                                       &scene->clips[form][clip], &scene->reports[form][clip],
                                       &err),
                        &err);
        }
    }
}
