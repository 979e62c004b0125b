// SPDX-License-Identifier: MIT
// Files to models: glTF 2.0, BVH, and our own .anim archives.
#pragma once

#include "base/arena.h"
#include "base/notes.h"
#include "import/geometry.h"
#include "pose/clip.h"
#include "pose/pack.h"
#include "pose/skin.h"

// Morph targets of one mesh; each drives the curve of the same place in `curves`.
typedef struct anim_morph {
    const char* name; // of the mesh (or its node, or "mesh<n>"), unique
    uint32_t target_count;
    const char* const* targets; // names of the targets ("1", "2", ... where the file has none)
    const char* const* curves;  // names of the clips' curves: "<name>.<target>"
    const float* weights;       // at rest
} anim_morph;

// What a file holds. Everything in it is owned by it (one reference each).
typedef struct anim_model {
    anim_arena arena; // small things: texts, lists
    anim_skeleton* skeleton;
    anim_clip** clips; // names unique within the model
    uint32_t clip_count;
    anim_skin** skins;
    uint32_t skin_count;
    const anim_morph* morphs;
    uint32_t morph_count;
    anim_geometry geometry; // empty unless it was asked for
    anim_notes notes;       // what was ignored or repaired
} anim_model;

// Bytes that the importer asked for. `bytes` come from anim_mem_alloc; the importer frees them.
typedef struct anim_blob {
    void* bytes;
    size_t size;
} anim_blob;

typedef struct anim_import_desc {
    const char* name; // what messages call the file; may be NULL
    const void* bytes;
    size_t size;
    bool all_nodes; // glTF: every node becomes a joint, not only what skins and clips need
    uint32_t scene; // glTF: counted from 1; 0: the file's default, else the first, else all nodes
    bool geometry;  // glTF: meshes, materials and images too
    bool trim;      // move the first key of each clip to 0
    bool bvh_relative;   // BVH: position channels add to OFFSET instead of replacing it
    double bvh_scale;    // BVH: lengths times this; 0 means 1
    size_t memory_limit; // bytes the import may hold at once; 0: 1 GiB
    // Fetches another file that this one names: its URI, percent-decoded, as the file has it (relative,
    // absolute, with a scheme). NULL: none can be had. Fails with a message of its own.
    anim_code (*read)(void* user, const char* uri, anim_blob* out, anim_error* err);
    // Called now and then with 0 to 1; returning false stops the import (ANIM_ERR_IO "cancelled").
    bool (*progress)(void* user, float done);
    void* user;
} anim_import_desc;

// By content: "glTF" or JSON is glTF, "HIERARCHY" BVH, "ANIM" an archive.
anim_code anim_import(const anim_import_desc* desc, anim_model** out, anim_error* err);
void anim_model_destroy(anim_model* model); // NULL is fine

// Packs all clips (pose/pack.h) but those that are in this form already; clips that share keys still do.
// On failure some are packed and some are not. `progress` as in anim_import_desc, after each clip, by their
// bytes; NULL: nobody asks.
anim_code anim_model_pack(anim_model* model, const anim_pack_desc* desc,
                          bool (*progress)(void* user, float done), void* user, anim_error* err);

// The formats one by one; they fill a zeroed model that anim_import destroys on failure.
anim_code anim_import_gltf(const anim_import_desc* desc, anim_model* model, anim_error* err);
anim_code anim_import_bvh(const anim_import_desc* desc, anim_model* model, anim_error* err);
anim_code anim_import_archive(const anim_import_desc* desc, anim_model* model, anim_error* err);

// The .anim file of these assets, all of one skeleton; event data of kind ANIM_VALUE_HOST are an error.
typedef struct anim_archive_desc {
    const anim_skeleton* skeleton;
    anim_clip* const* clips;
    uint32_t clip_count;
    anim_skin* const* skins;
    uint32_t skin_count;
    const anim_morph* morphs;
    uint32_t morph_count;
} anim_archive_desc;

anim_code anim_archive_write(const anim_archive_desc* desc, anim_blob* out, anim_error* err);
