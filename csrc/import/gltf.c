// SPDX-License-Identifier: MIT
// Specification: Khronos glTF 2.0.1; KHR_animation_pointer, KHR_mesh_quantization,
// EXT_meshopt_compression, KHR_meshopt_compression.
#include "import/gltf.h"

#include <stdio.h>
#include <string.h>

static const size_t default_limit = (size_t)1 << 30;

// "2.1" to 2 and 1.
static bool get_version(anim_gltf* g, anim_json_value value, unsigned* major, unsigned* minor)
{
    const char* text = anim_gltf_get_name(g, value, NULL, 0);
    if (!text)
        return false;
    return sscanf(text, "%4u.%4u", major, minor) == 2 ||
           anim_gltf_fail(g, ANIM_ERR_FORMAT, value, "version '%.20s'; one like 2.0 expected",
                          text);
}

static bool check_asset(anim_gltf* g, anim_json_value asset)
{
    static const char* const keys[] = {"version", "minVersion"};
    anim_json_value v[2];
    if (!anim_gltf_require(g, 0, asset, "asset") || !anim_gltf_pick(g, asset, keys, 2, v) ||
        !anim_gltf_require(g, asset, v[0], "version"))
        return false;
    unsigned major, minor;
    if (!get_version(g, v[0], &major, &minor))
        return false;
    if (major != 2)
        return anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, v[0],
                              "glTF version %u.%u; only 2.x can be read", major, minor);
    if (!v[1])
        return true;
    if (!get_version(g, v[1], &major, &minor))
        return false;
    return (major == 2 && minor == 0) ||
           anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, v[1],
                          "the file needs glTF %u.%u; this importer knows 2.0", major, minor);
}

// Extensions that a file may require of us: those we read, and those that say nothing of motion. A
// star stands for any ending.
static const char* const known_extensions[] = {
    "KHR_animation_pointer",
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    // geometry, drawing, metadata
    "KHR_draco_mesh_compression",
    "KHR_materials_*",
    "KHR_texture_*",
    "KHR_lights_*",
    "KHR_techniques_webgl",
    "KHR_xmp*",
    "KHR_node_visibility",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_gaussian_splatting*",
    "KHR_audio*",
    "EXT_texture_*",
    "EXT_lights_*",
    "EXT_mesh_*",
    "EXT_instance_features",
    "EXT_structural_metadata",
    "MSFT_texture_*",
    "MSFT_packing_*",
    "MSFT_lod",
    "ADOBE_materials_*",
    "AGI_*",
    "CESIUM_*",
    "GODOT_single_root",
    // bodies and springs beside the keys
    "KHR_implicit_shapes",
    "KHR_physics_rigid_bodies",
    "OMI_*",
    "VRM*",
};

static bool is_known_extension(const char* name)
{
    for (size_t i = 0; i < sizeof known_extensions / sizeof *known_extensions; i++) {
        const char* known = known_extensions[i];
        size_t length = strlen(known);
        if (known[length - 1] == '*' ? strncmp(name, known, length - 1) == 0
                                     : strcmp(name, known) == 0)
            return true;
    }
    return false;
}

static bool check_extensions(anim_gltf* g, anim_json_value required)
{
    anim_gltf_list list;
    if (!anim_gltf_get_list(g, required, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        const char* name = anim_gltf_get_name(g, list.at[i], NULL, 0);
        if (!name)
            return false;
        if (!is_known_extension(name))
            return anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, list.at[i],
                                  "the file requires the extension '%.64s', which is not supported",
                                  name);
    }
    return true;
}

static bool read_root(anim_gltf* g)
{
    enum {
        buffers,
        views,
        accessors,
        nodes,
        meshes,
        skins,
        animations,
        scenes,
        lists,
        asset = lists,
        required,
        scene,
        count
    };
    static const char* const keys[count] = {
        "buffers", "bufferViews", "accessors",          "nodes", "meshes", "skins", "animations",
        "scenes",  "asset",       "extensionsRequired", "scene"};
    anim_json_value v[count];
    anim_gltf_list* const to[lists] = {&g->buffer_list,    &g->view_list, &g->accessor_list,
                                       &g->node_list,      &g->mesh_list, &g->skin_list,
                                       &g->animation_list, &g->scene_list};
    if (!anim_gltf_pick(g, 0, keys, count, v) || !check_asset(g, v[asset]) ||
        !check_extensions(g, v[required]))
        return false;
    for (uint32_t i = 0; i < lists; i++)
        if (!anim_gltf_get_list(g, v[i], to[i]))
            return false;
    g->default_scene = v[scene];
    g->buffers = anim_gltf_alloc(g, g->buffer_list.count, sizeof *g->buffers);
    if (!g->buffers)
        return false;
    g->views = anim_gltf_alloc(g, g->view_list.count, sizeof *g->views);
    if (!g->views)
        return false;
    g->accessors = anim_gltf_alloc(g, g->accessor_list.count, sizeof *g->accessors);
    return g->accessors != NULL;
}

static bool import(anim_gltf* g)
{
    const char* text;
    size_t size;
    if (!anim_gltf_read_container(g, &text, &size))
        return false;
    g->code = anim_json_parse(&g->json, &g->arena, text, size,
                              (size_t)(text - (const char*)g->desc->bytes), g->err);
    return g->code == ANIM_OK && read_root(g) && anim_gltf_read_nodes(g) &&
           anim_gltf_read_skins(g) && anim_gltf_read_animations(g) && anim_gltf_build_skeleton(g) &&
           anim_gltf_build_skins(g) && anim_gltf_build_morphs(g) && anim_gltf_build_clips(g) &&
           (!g->desc->geometry || (anim_gltf_build_materials(g) && anim_gltf_build_meshes(g)));
}

anim_code anim_import_gltf(const anim_import_desc* desc, anim_model* model, anim_error* err)
{
    anim_gltf g = {.desc = desc, .model = model, .err = err};
    g.limit = desc->memory_limit ? desc->memory_limit : default_limit;
    g.arena.limit = g.limit;
    model->notes.arena = &model->arena;
    bool done = import(&g);
    anim_gltf_free_buffers(&g);
    anim_arena_free(&g.arena);
    return done ? ANIM_OK : g.code;
}
