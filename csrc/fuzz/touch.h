// SPDX-License-Identifier: MIT
// Uses everything an imported model holds, so that what an importer let through shows.
#pragma once

#include "base/mem.h"
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

static volatile size_t touched; // keeps the compiler from dropping the reads

static void touch_text(const char* text)
{
    touched += strlen(text);
}

static void touch_value(const anim_value* value)
{
    if (value->kind != ANIM_VALUE_STRING)
        return;
    for (size_t i = 0; i < value->as.string.size; i++)
        touched += (unsigned char)value->as.string.bytes[i];
}

static void touch_bytes(const void* bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        touched += ((const uint8_t*)bytes)[i];
}

static void touch_part(const anim_mesh_part* part, uint32_t target_count)
{
    touch_bytes(part->vertices, part->vertex_count * sizeof *part->vertices);
    for (uint32_t i = 0; i < part->index_count; i++)
        touched += part->vertices[part->indices[i]].color[0];
    if (part->targets)
        touch_bytes(part->targets,
                    (size_t)part->vertex_count * target_count * sizeof *part->targets);
}

static void touch_use(const anim_model* model, const anim_mesh_use* use)
{
    const anim_mesh* mesh = &model->geometry.meshes[use->mesh];
    touch_text(use->name);
    if (use->morph >= 0)
        touch_text(model->morphs[use->morph].name);
    for (uint32_t i = 0; use->skin >= 0 && i < mesh->part_count; i++) {
        const anim_mesh_part* part = &mesh->parts[i];
        for (uint32_t k = 0; k < part->vertex_count; k++)
            for (int j = 0; j < 4; j++)
                touched += model->skins[use->skin]->joints[part->vertices[k].joints[j]];
    }
}

static void touch_geometry(const anim_model* model)
{
    const anim_geometry* g = &model->geometry;
    for (uint32_t i = 0; i < g->mesh_count; i++) {
        touch_text(g->meshes[i].name);
        for (uint32_t k = 0; k < g->meshes[i].part_count; k++)
            touch_part(&g->meshes[i].parts[k], g->meshes[i].target_count);
    }
    for (uint32_t i = 0; i < g->use_count; i++)
        touch_use(model, &g->uses[i]);
    for (uint32_t i = 0; i < g->material_count; i++) {
        touch_text(g->materials[i].name);
        if (g->materials[i].image >= 0)
            touch_text(g->images[g->materials[i].image].name);
    }
    for (uint32_t i = 0; i < g->image_count; i++) {
        touch_text(g->images[i].mime);
        touch_bytes(g->images[i].bytes, g->images[i].size);
    }
}

static void touch_pose(const anim_model* model, const anim_pose* pose)
{
    anim_mat34* matrices = anim_mem_alloc(model->skeleton->joint_count * sizeof *matrices);
    if (!matrices)
        return;
    anim_pose_to_model(model->skeleton, pose->groups, matrices);
    for (uint32_t i = 0; i < model->skin_count; i++) {
        float* palette = anim_mem_alloc(model->skins[i]->joint_count * 12 * sizeof *palette);
        if (palette)
            anim_skin_palette_3x4(model->skins[i], matrices, palette);
        anim_mem_free(palette);
    }
    anim_mem_free(matrices);
}

static void touch_clip(const anim_model* model, const anim_clip* clip, anim_pose* pose)
{
    const anim_keys* keys = clip->keys;
    touch_text(clip->name);
    for (int step = 0; step <= 4; step++) {
        double time = clip->duration * step / 4;
        anim_clip_sample(clip, time, pose->groups);
        touch_pose(model, pose);
        for (uint32_t i = 0; i < keys->curve_count; i++)
            touched += anim_curve_sample(keys, &keys->curves[i], time) != 0;
        for (uint32_t i = 0; i < keys->property_count; i++)
            touch_value(anim_property_sample(keys, &keys->properties[i], time));
    }
    for (uint32_t i = 0; i < keys->curve_count; i++)
        touch_text(anim_names_get(&keys->curve_names, i));
    for (uint32_t i = 0; i < clip->event_count; i++) {
        touch_text(anim_clip_event_name(clip, i));
        touch_value(&clip->events[i].data);
    }
    for (uint32_t i = 0; i < clip->marker_count; i++)
        touch_text(anim_clip_marker_name(clip, i));
}

static void touch_model(const anim_model* model)
{
    anim_pose* pose = anim_pose_create(model->skeleton);
    for (uint32_t i = 0; pose && i < model->clip_count; i++)
        touch_clip(model, model->clips[i], pose);
    anim_pose_destroy(pose);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        const char* name = anim_skeleton_name(model->skeleton, j);
        if (anim_skeleton_find(model->skeleton, name) != (int32_t)j)
            abort(); // names are unique
    }
    for (uint32_t i = 0; i < model->morph_count; i++)
        for (uint32_t k = 0; k < model->morphs[i].target_count; k++) {
            touch_text(model->morphs[i].targets[k]);
            touch_text(model->morphs[i].curves[k]);
        }
    touch_geometry(model);
    for (const anim_note* note = model->notes.first; note; note = note->next)
        touch_text(note->text);
}

// Imports the bytes, uses the model, and stops the fuzzer on a failure without words or a leak.
static void touch_import(anim_import_desc desc)
{
    const int64_t before = anim_mem_get_counts().blocks;
    anim_model* model = NULL;
    anim_error err = {0};
    desc.memory_limit = (size_t)64 << 20;
    anim_code code = anim_import(&desc, &model, &err);
    if ((code == ANIM_OK) != (model != NULL) || (code != ANIM_OK && !err.message[0]))
        abort();
    if (model)
        touch_model(model);
    anim_model_destroy(model);
    if (anim_mem_get_counts().blocks != before)
        abort();
}
