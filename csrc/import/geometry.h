// SPDX-License-Identifier: MIT
// What a file holds to be drawn, for hosts that ask for it (anim_import_desc.geometry): triangles with what
// skinning needs, morph targets, materials, images as they are in the file. Everything lives in the model's
// arena. Colours and factors are linear, as in glTF 2.0.
#pragma once

#include "math/xform.h"

// One vertex: 60 bytes without gaps.
typedef struct anim_vertex {
    float position[3];
    float normal[3];    // unit, or zero: the file gives none and wants flat faces
    float texcoord[2];  // of the material's texture, v downwards; KHR_texture_transform is in it
    uint8_t color[4];   // r g b a, 255: 1
    uint16_t joints[4]; // of the skin, from 0
    float weights[4];   // sum 1
} anim_vertex;

// Position and normal of a morph target, to be added with its weight.
typedef struct anim_vertex_offset {
    float position[3], normal[3];
} anim_vertex_offset;

// Triangles of one material.
typedef struct anim_mesh_part {
    int32_t material; // -1: none
    uint32_t vertex_count, index_count;
    const anim_vertex* vertices;
    const uint32_t* indices; // three a triangle, counter-clockwise in front, below vertex_count
    const anim_vertex_offset* targets; // vertex_count times the mesh's target_count; NULL: none
    bool has_normals, has_joints;
} anim_mesh_part;

typedef struct anim_mesh {
    const char* name; // "mesh<n>" where the file has none; not unique
    uint32_t part_count, target_count;
    const anim_mesh_part* parts;
} anim_mesh;

// A mesh at its place. With a skin the palette places it; else the joint, else `matrix`.
typedef struct anim_mesh_use {
    const char* name; // of the node, "node<n>" where the file has none; not unique
    uint32_t mesh;
    int32_t skin, joint, morph; // of the model; -1: none
    anim_mat34 matrix;          // model space; of the node, at rest
} anim_mesh_use;

typedef enum anim_alpha_mode {
    ANIM_ALPHA_OPAQUE,
    ANIM_ALPHA_MASK,
    ANIM_ALPHA_BLEND
} anim_alpha_mode;
typedef enum anim_wrap { ANIM_WRAP_REPEAT, ANIM_WRAP_MIRRORED, ANIM_WRAP_CLAMP } anim_wrap;

typedef struct anim_material {
    const char* name;
    float base_color[4], emissive[3];
    int32_t image; // of the base colour; -1: none
    anim_wrap wrap[2];
    bool nearest; // the texture is to be seen with hard pixels
    bool double_sided, unlit;
    anim_alpha_mode alpha_mode;
    float alpha_cutoff; // of ANIM_ALPHA_MASK
} anim_material;

typedef struct anim_image {
    const char *name, *mime; // "" where the file says nothing
    const uint8_t* bytes;    // PNG, JPEG, ..., as in the file; NULL: no base colour needs it
    size_t size;
} anim_image;

typedef struct anim_geometry {
    bool is_wanted; // by the one who loads the model
    const anim_mesh* meshes;
    uint32_t mesh_count;
    const anim_mesh_use* uses; // of the scene, in the order of the nodes
    uint32_t use_count;
    const anim_material* materials;
    uint32_t material_count;
    const anim_image* images;
    uint32_t image_count;
} anim_geometry;
