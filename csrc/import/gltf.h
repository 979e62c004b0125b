// SPDX-License-Identifier: MIT
// Inside the glTF 2.0 importer: what its files share. The way of the data:
//
//   gltf_file.c      container, JSON, buffers, buffer views (gltf_meshopt.c: compressed ones)
//   gltf_accessor.c  accessors to floats
//   gltf_channel.c   which property of which node each animation channel drives
//   gltf_nodes.c     the tree of nodes, which of them become joints, the skeleton
//   gltf_skin.c      skins
//   gltf_morph.c     morph targets and the curves that drive them
//   gltf_clip.c      animations to clips
//   gltf_material.c  materials, their textures and images; gltf_mesh.c: triangles. Only if asked for
//   gltf_value.c     failing, memory, and reading JSON values with a place in the message
//   gltf.c           the order of all this
//
// Only what is asked for is looked at: without `geometry`, buffers that hold nothing but images or
// triangles are never fetched, broken materials never noticed.
#pragma once

#include "import/import.h"
#include "import/json.h"
#include "import/unique.h"

// The elements of one of the file's arrays.
typedef struct anim_gltf_list {
    uint32_t count;
    const anim_json_value* at;
} anim_gltf_list;

typedef struct anim_gltf_buffer {
    bool opened;
    const uint8_t* bytes;
    size_t size;
    anim_blob blob; // fetched; freed at the end
} anim_gltf_buffer;

typedef struct anim_gltf_view {
    bool opened;
    const uint8_t* bytes;
    size_t size;
    uint32_t stride; // 0: tight
} anim_gltf_view;

typedef struct anim_gltf_component {
    uint8_t size; // bytes
    bool is_float, is_signed, normalized;
} anim_gltf_component;

typedef struct anim_gltf_accessor {
    bool opened;
    uint8_t width; // numbers an element: 1 to 4, 16; 0: a type we have no use for
    anim_gltf_component component;
    uint32_t count;
    int32_t view; // -1: zeros
    size_t offset;
    anim_json_value sparse;
    const float* floats;  // NULL: not decoded yet
    const float* shifted; // key times minus `shift`, for one clip after the other
    float shift;
} anim_gltf_accessor;

typedef struct anim_gltf_node {
    anim_json_value at, name, children, weights;
    int32_t parent, first_child, last_child, next_sibling; // -1: none
    int32_t mesh, skin;                                    // -1: none
    int32_t joint;                                         // of the skeleton; -1: left out
    int32_t morph;                                         // of the model; -1: none
    uint64_t weight_hash;                                  // tells apart how weights are animated
    bool has_skin, has_matrix;
    bool in_scene, reached, is_joint, is_below_joint, is_animated, is_kept;
    anim_xform rest;
} anim_gltf_node;

typedef enum anim_gltf_path { // the first three are those of anim_channel
    ANIM_GLTF_TRANSLATION,
    ANIM_GLTF_ROTATION,
    ANIM_GLTF_SCALE,
    ANIM_GLTF_WEIGHTS,
    ANIM_GLTF_WEIGHT // one of them: KHR_animation_pointer
} anim_gltf_path;

typedef struct anim_gltf_channel {
    anim_json_value at;
    uint32_t node;
    anim_gltf_path path;
    uint32_t weight; // of ANIM_GLTF_WEIGHT
    anim_interp interp;
    uint32_t input, output; // accessors
} anim_gltf_channel;

typedef struct anim_gltf_animation {
    anim_json_value at, name;
    anim_gltf_channel* channels;
    uint32_t channel_count;
} anim_gltf_animation;

typedef struct anim_gltf_skin {
    anim_json_value at, name;
    uint32_t* nodes; // its joints
    uint32_t count;
    int32_t inverse_bind; // accessor; -1: identities
} anim_gltf_skin;

typedef struct anim_gltf {
    const anim_import_desc* desc;
    anim_model* model;
    anim_error* err;
    anim_code code;   // of the failure
    size_t limit;     // of memory
    anim_arena arena; // scratch; its limit is what is left of the import's
    anim_json json;
    const uint8_t* bin; // the BIN chunk, NULL: none
    size_t bin_size;
    anim_gltf_list buffer_list, view_list, accessor_list, node_list, mesh_list, skin_list,
        animation_list, scene_list;
    anim_json_value default_scene;
    anim_gltf_buffer* buffers;
    anim_gltf_view* views;
    anim_gltf_accessor* accessors;
    anim_gltf_node* nodes;
    uint32_t* order; // all nodes, depth first: the scene's roots in its order, then the others
    anim_gltf_skin* skins;
    anim_gltf_animation* animations;
    anim_material* materials; // the model's
    struct anim_gltf_texture* textures;
} anim_gltf;

// What a mesh has to know of its material's texture: which coordinates, and how they are moved (rows of a
// 2x3 matrix).
typedef struct anim_gltf_texture {
    uint32_t texcoord;
    float transform[6];
} anim_gltf_texture;

// --- gltf_value.c: failing, and reading values --------------------------------------------------
// All functions that can fail return false (or NULL) and leave code and message in `g`.

// `at` is the place that the message names; 0 names none.
bool anim_gltf_fail(anim_gltf* g, anim_code code, anim_json_value at, const char* format, ...)
    ANIM_PRINTF(4, 5);
void anim_gltf_warn(anim_gltf* g, anim_json_value at, const char* format, ...) ANIM_PRINTF(3, 4);

void* anim_gltf_alloc(anim_gltf* g, size_t count, size_t element);
// Says why the arena could not give `size` bytes (at most): over the limit, or out of memory.
bool anim_gltf_fail_alloc(anim_gltf* g, size_t size);
bool anim_gltf_hold(anim_gltf* g, size_t bytes); // outside of the arena, but under the same limit
void* anim_gltf_alloc_kept(anim_gltf* g, size_t count, size_t element); // in the model

// The values of an object's keys; fails where it is none.
bool anim_gltf_pick(anim_gltf* g, anim_json_value object, const char* const* keys, uint32_t count,
                    anim_json_value* values);
// The elements of an array; an absent one is empty.
bool anim_gltf_get_list(anim_gltf* g, anim_json_value array, anim_gltf_list* out);

// Of an absent value (0) *out stays as it is; anything else than what is asked for fails.
bool anim_gltf_get_size(anim_gltf* g, anim_json_value value, size_t* out); // whole, 0 to 2^53
bool anim_gltf_get_count(anim_gltf* g, anim_json_value value, uint32_t* out);
bool anim_gltf_get_index(anim_gltf* g, anim_json_value value, uint32_t count, int32_t* out);
bool anim_gltf_get_boolean(anim_gltf* g, anim_json_value value, bool* out);
bool anim_gltf_get_floats(anim_gltf* g, anim_json_value array, uint32_t count, float* out);

// A name without zeros, cut to a length that leaves room for "#2". Where it is absent or empty:
// `fallback` (may be NULL: "") and the number.
const char* anim_gltf_get_name(anim_gltf* g, anim_json_value value, const char* fallback,
                               uint32_t number);
const char* anim_gltf_keep_text(anim_gltf* g, const char* text); // a copy in the model
// The name, or with "#2" and so on (and a warning) where it is taken.
const char* anim_gltf_make_unique(anim_gltf* g, anim_unique* names, const char* name,
                                  anim_json_value at);

// Fails where a value that must be there is not.
bool anim_gltf_require(anim_gltf* g, anim_json_value object, anim_json_value value,
                       const char* key);

// --- the parts, each in the file of its name ----------------------------------------------------

bool anim_gltf_read_container(anim_gltf* g, const char** json, size_t* size);
bool anim_gltf_open_buffer(anim_gltf* g, uint32_t index, const anim_gltf_buffer** out);
bool anim_gltf_open_view(anim_gltf* g, uint32_t index, const anim_gltf_view** out);
// What a URI stands for; the blob in `buffer` is then the caller's. `what` is for messages.
bool anim_gltf_load_uri(anim_gltf* g, anim_json_value at, const char* what,
                        anim_gltf_buffer* buffer);
bool anim_gltf_check_range(anim_gltf* g, anim_json_value at, size_t offset, size_t length,
                           size_t size, const char* what);
void anim_gltf_free_buffers(anim_gltf* g);

// The extension object of a compressed buffer view, or 0. Decodes it into `view`.
bool anim_gltf_find_meshopt(anim_gltf* g, anim_json_value extensions, anim_json_value* out);
bool anim_gltf_decode_meshopt(anim_gltf* g, anim_json_value extension, anim_gltf_view* view);

// Type and count of an accessor; its numbers (count * width) as floats.
bool anim_gltf_open_accessor(anim_gltf* g, uint32_t index, anim_gltf_accessor** out);
bool anim_gltf_get_numbers(anim_gltf* g, uint32_t index, const float** out);

bool anim_gltf_read_nodes(anim_gltf* g);
bool anim_gltf_read_skins(anim_gltf* g);
bool anim_gltf_read_animations(anim_gltf* g);
bool anim_gltf_build_skeleton(anim_gltf* g);
bool anim_gltf_build_skins(anim_gltf* g);
bool anim_gltf_build_morphs(anim_gltf* g);
bool anim_gltf_build_clips(anim_gltf* g);
bool anim_gltf_build_materials(anim_gltf* g);
bool anim_gltf_build_meshes(anim_gltf* g); // after materials, skins and morphs
