// SPDX-License-Identifier: MIT
// Materials as far as base colour and alpha go, their textures and the images of these (glTF 2.0, 3.8 and
// 3.9; KHR_materials_unlit, KHR_texture_transform).
#include "import/gltf.h"

#include "base/mem.h"
#include "math/trig.h"

#include <string.h>

typedef struct reader {
    anim_gltf* g;
    anim_gltf_list images, samplers, textures, materials;
} reader;

// --- images -------------------------------------------------------------------------------------

static bool copy_image(anim_gltf* g, const uint8_t* bytes, size_t size, anim_image* out)
{
    uint8_t* copy = anim_gltf_alloc_kept(g, size + 1, 1);
    if (!copy)
        return false;
    memcpy(copy, bytes, size);
    out->bytes = copy;
    out->size = size;
    return true;
}

static bool read_image(anim_gltf* g, anim_json_value at, uint32_t index, bool used, anim_image* out)
{
    enum { uri, view, mime, name, count };
    static const char* const keys[count] = {"uri", "bufferView", "mimeType", "name"};
    anim_json_value v[count];
    int32_t source = -1;
    if (!anim_gltf_pick(g, at, keys, count, v) ||
        !anim_gltf_get_index(g, v[view], g->view_list.count, &source))
        return false;
    const char* text = anim_gltf_get_name(g, v[name], "image", index);
    const char* kind = text ? anim_gltf_get_name(g, v[mime], NULL, 0) : NULL;
    out->name = kind ? anim_gltf_keep_text(g, text) : NULL;
    out->mime = out->name ? anim_gltf_keep_text(g, kind) : NULL;
    if (!out->mime || !used)
        return out->mime != NULL;
    if (source >= 0) {
        const anim_gltf_view* bytes;
        return anim_gltf_open_view(g, (uint32_t)source, &bytes) &&
               copy_image(g, bytes->bytes, bytes->size, out);
    }
    if (!v[uri])
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "neither a URI nor a buffer view");
    anim_gltf_buffer buffer = {0};
    bool done = anim_gltf_load_uri(g, v[uri], "image", &buffer) &&
                copy_image(g, buffer.bytes, buffer.size, out);
    anim_mem_free(buffer.blob.bytes);
    return done;
}

// --- textures -----------------------------------------------------------------------------------

static bool read_wrap(anim_gltf* g, anim_json_value at, anim_wrap* out)
{
    uint32_t mode = 10497;
    if (!anim_gltf_get_count(g, at, &mode))
        return false;
    *out = mode == 33071 ? ANIM_WRAP_CLAMP : mode == 33648 ? ANIM_WRAP_MIRRORED : ANIM_WRAP_REPEAT;
    return true;
}

static bool read_sampler(anim_gltf* g, anim_json_value at, anim_material* out)
{
    enum { magnify, s, t, count };
    static const char* const keys[count] = {"magFilter", "wrapS", "wrapT"};
    anim_json_value v[count];
    uint32_t filter = 9729;
    if (!anim_gltf_pick(g, at, keys, count, v) || !anim_gltf_get_count(g, v[magnify], &filter) ||
        !read_wrap(g, v[s], &out->wrap[0]) || !read_wrap(g, v[t], &out->wrap[1]))
        return false;
    out->nearest = filter == 9728;
    return true;
}

// Offset, rotation and scale of coordinates: rows of T R S, as the extension has it.
static bool read_transform(anim_gltf* g, anim_json_value extensions, anim_gltf_texture* out)
{
    enum { offset, rotation, scale, texcoord, count };
    static const char* const names[] = {"KHR_texture_transform"};
    static const char* const keys[count] = {"offset", "rotation", "scale", "texCoord"};
    anim_json_value found = 0, v[count];
    if (!extensions)
        return true;
    if (!anim_gltf_pick(g, extensions, names, 1, &found))
        return false;
    if (!found)
        return true;
    float by[2] = {0, 0}, size[2] = {1, 1};
    double angle = 0;
    float sin, cos;
    if (!anim_gltf_pick(g, found, keys, count, v) || !anim_gltf_get_floats(g, v[offset], 2, by) ||
        !anim_gltf_get_floats(g, v[scale], 2, size) ||
        !anim_gltf_get_count(g, v[texcoord], &out->texcoord))
        return false;
    if (v[rotation] && !anim_json_get_number(&g->json, v[rotation], &angle))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, v[rotation], "a number expected");
    anim_sincos((float)angle, &sin, &cos);
    const float rows[6] = {cos * size[0],  sin * size[1], by[0], //
                           -sin * size[0], cos * size[1], by[1]};
    memcpy(out->transform, rows, sizeof rows);
    return true;
}

static bool read_source(reader* r, uint32_t index, anim_material* out)
{
    enum { source, sampler, count };
    static const char* const keys[count] = {"source", "sampler"};
    anim_gltf* g = r->g;
    anim_json_value v[count];
    int32_t how = -1;
    if (!anim_gltf_pick(g, r->textures.at[index], keys, count, v) ||
        !anim_gltf_get_index(g, v[source], r->images.count, &out->image) ||
        !anim_gltf_get_index(g, v[sampler], r->samplers.count, &how) ||
        (how >= 0 && !read_sampler(g, r->samplers.at[how], out)))
        return false;
    if (out->image < 0)
        anim_gltf_warn(g, r->textures.at[index], "a texture without a PNG or JPEG; left out");
    return true;
}

static bool read_texture(reader* r, anim_json_value at, anim_material* out, anim_gltf_texture* how)
{
    enum { index, texcoord, extensions, count };
    static const char* const keys[count] = {"index", "texCoord", "extensions"};
    anim_gltf* g = r->g;
    anim_json_value v[count];
    int32_t texture = -1;
    if (!at)
        return true;
    return anim_gltf_pick(g, at, keys, count, v) &&
           anim_gltf_require(g, at, v[index], keys[index]) &&
           anim_gltf_get_index(g, v[index], r->textures.count, &texture) &&
           anim_gltf_get_count(g, v[texcoord], &how->texcoord) &&
           read_transform(g, v[extensions], how) && read_source(r, (uint32_t)texture, out);
}

// --- materials ----------------------------------------------------------------------------------

static bool read_alpha(anim_gltf* g, anim_json_value mode, anim_json_value cutoff,
                       anim_material* out)
{
    double least = .5;
    if (mode && anim_json_get_kind(&g->json, mode) != ANIM_JSON_STRING)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, mode, "a string expected");
    if (cutoff && !anim_json_get_number(&g->json, cutoff, &least))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, cutoff, "a number expected");
    if (anim_json_is_string(&g->json, mode, "MASK"))
        out->alpha_mode = ANIM_ALPHA_MASK;
    else if (anim_json_is_string(&g->json, mode, "BLEND"))
        out->alpha_mode = ANIM_ALPHA_BLEND;
    out->alpha_cutoff = least >= 0 && least <= 1 ? (float)least : least > 1 ? 1 : 0;
    return true;
}

static bool read_base_color(reader* r, anim_json_value at, anim_material* out,
                            anim_gltf_texture* how)
{
    static const char* const keys[] = {"baseColorFactor", "baseColorTexture"};
    anim_json_value v[2];
    return !at || (anim_gltf_pick(r->g, at, keys, 2, v) &&
                   anim_gltf_get_floats(r->g, v[0], 4, out->base_color) &&
                   read_texture(r, v[1], out, how));
}

static bool is_unlit(anim_gltf* g, anim_json_value extensions, bool* out)
{
    static const char* const keys[] = {"KHR_materials_unlit"};
    anim_json_value found = 0;
    if (extensions && !anim_gltf_pick(g, extensions, keys, 1, &found))
        return false;
    *out = found != 0;
    return true;
}

static bool read_material(reader* r, uint32_t index, anim_material* out, anim_gltf_texture* how)
{
    enum { name, metallic, emissive, mode, cutoff, sides, extensions, count };
    static const char* const keys[count] = {"name",      "pbrMetallicRoughness", "emissiveFactor",
                                            "alphaMode", "alphaCutoff",          "doubleSided",
                                            "extensions"};
    anim_gltf* g = r->g;
    anim_json_value at = r->materials.at[index], v[count];
    *out = (anim_material){.base_color = {1, 1, 1, 1}, .image = -1};
    *how = (anim_gltf_texture){.transform = {1, 0, 0, 0, 1, 0}};
    if (!anim_gltf_pick(g, at, keys, count, v))
        return false;
    const char* text = anim_gltf_get_name(g, v[name], "material", index);
    out->name = text ? anim_gltf_keep_text(g, text) : NULL;
    return out->name && read_base_color(r, v[metallic], out, how) &&
           anim_gltf_get_floats(g, v[emissive], 3, out->emissive) &&
           read_alpha(g, v[mode], v[cutoff], out) &&
           anim_gltf_get_boolean(g, v[sides], &out->double_sided) &&
           is_unlit(g, v[extensions], &out->unlit);
}

// Only those that a base colour needs; the others are named, without bytes.
static bool read_images(reader* r)
{
    anim_gltf* g = r->g;
    bool* used = anim_gltf_alloc(g, r->images.count, sizeof *used);
    anim_image* images = used ? anim_gltf_alloc_kept(g, r->images.count, sizeof *images) : NULL;
    if (!images)
        return false;
    for (uint32_t i = 0; i < r->materials.count; i++)
        if (g->materials[i].image >= 0)
            used[g->materials[i].image] = true;
    for (uint32_t i = 0; i < r->images.count; i++)
        if (!read_image(g, r->images.at[i], i, used[i], &images[i]))
            return false;
    g->model->geometry.images = images;
    g->model->geometry.image_count = r->images.count;
    return true;
}

bool anim_gltf_build_materials(anim_gltf* g)
{
    enum { lists = 4 };
    static const char* const keys[lists] = {"images", "samplers", "textures", "materials"};
    reader r = {.g = g};
    anim_gltf_list* const to[lists] = {&r.images, &r.samplers, &r.textures, &r.materials};
    anim_json_value v[lists];
    if (!anim_gltf_pick(g, 0, keys, lists, v))
        return false;
    for (int i = 0; i < lists; i++)
        if (!anim_gltf_get_list(g, v[i], to[i]))
            return false;
    uint32_t count = r.materials.count;
    g->materials = anim_gltf_alloc_kept(g, count, sizeof *g->materials);
    g->textures = g->materials ? anim_gltf_alloc(g, count, sizeof *g->textures) : NULL;
    if (!g->textures)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_material(&r, i, &g->materials[i], &g->textures[i]))
            return false;
    g->model->geometry.materials = g->materials;
    g->model->geometry.material_count = count;
    return read_images(&r);
}
