// SPDX-License-Identifier: MIT
// Accessors: the numbers of a file as floats (glTF 2.0, 3.6.2 and 3.11 for the normalised
// integers).
#include "import/gltf.h"

#include <string.h>

// --- what an accessor says of itself ------------------------------------------------------------

static bool get_component(anim_gltf* g, anim_json_value value, anim_gltf_component* out)
{
    uint32_t type = 0;
    if (!anim_gltf_get_count(g, value, &type))
        return false;
    switch (type) {
    case 5120: *out = (anim_gltf_component){.size = 1, .is_signed = true}; return true;
    case 5121: *out = (anim_gltf_component){.size = 1}; return true;
    case 5122: *out = (anim_gltf_component){.size = 2, .is_signed = true}; return true;
    case 5123: *out = (anim_gltf_component){.size = 2}; return true;
    case 5125: *out = (anim_gltf_component){.size = 4}; return true;
    case 5126: *out = (anim_gltf_component){.size = 4, .is_float = true}; return true;
    default:
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, value, "component type %u is not known", type);
    }
}

static uint8_t get_width(const anim_json* json, anim_json_value type)
{
    static const struct {
        const char* name;
        uint8_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (anim_json_is_string(json, type, types[i].name))
            return types[i].width;
    return 0;
}

bool anim_gltf_open_accessor(anim_gltf* g, uint32_t index, anim_gltf_accessor** out)
{
    enum { view, offset, component, normalized, elements, type, sparse, count };
    static const char* const keys[count] = {
        "bufferView", "byteOffset", "componentType", "normalized", "count", "type", "sparse"};
    anim_gltf_accessor* a = &g->accessors[index];
    *out = a;
    if (a->opened)
        return true;
    anim_json_value at = g->accessor_list.at[index], v[count];
    a->view = -1;
    if (!anim_gltf_pick(g, at, keys, count, v) ||
        !anim_gltf_require(g, at, v[component], keys[component]) ||
        !anim_gltf_require(g, at, v[elements], keys[elements]) ||
        !anim_gltf_require(g, at, v[type], keys[type]) ||
        !get_component(g, v[component], &a->component) ||
        !anim_gltf_get_boolean(g, v[normalized], &a->component.normalized) ||
        !anim_gltf_get_index(g, v[view], g->view_list.count, &a->view) ||
        !anim_gltf_get_size(g, v[offset], &a->offset) ||
        !anim_gltf_get_count(g, v[elements], &a->count))
        return false;
    a->width = get_width(&g->json, v[type]);
    a->sparse = v[sparse];
    a->opened = true;
    return true;
}

// --- the numbers --------------------------------------------------------------------------------

static float read_integer(const uint8_t* from, anim_gltf_component c)
{
    if (c.size == 1)
        return c.is_signed ? (float)(int8_t)*from : (float)*from;
    if (c.size == 2) {
        uint16_t value;
        memcpy(&value, from, sizeof value);
        return c.is_signed ? (float)(int16_t)value : (float)value;
    }
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return (float)value;
}

static float normalize(float value, anim_gltf_component c)
{
    static const float largest[2][5] = {{1, 255, 65535, 1, 4294967295.0f}, {1, 127, 32767, 1, 1}};
    value /= largest[c.is_signed][c.size];
    return value < -1 ? -1 : value;
}

static void read_elements(const anim_gltf_accessor* a, const uint8_t* from, size_t stride,
                          uint32_t count, float* out)
{
    anim_gltf_component c = a->component;
    for (uint32_t i = 0; i < count; i++, from += stride, out += a->width) {
        if (c.is_float) {
            memcpy(out, from, a->width * sizeof *out);
            continue;
        }
        for (uint32_t k = 0; k < a->width; k++) {
            float value = read_integer(from + k * c.size, c);
            out[k] = c.normalized ? normalize(value, c) : value;
        }
    }
}

static size_t element_size(const anim_gltf_accessor* a)
{
    return (size_t)a->width * a->component.size;
}

// The bytes of `count` elements of `size` bytes in a view, checked.
static bool locate(anim_gltf* g, anim_json_value at, uint32_t view_index, size_t offset,
                   size_t size, uint32_t count, const uint8_t** bytes, size_t* stride)
{
    const anim_gltf_view* view;
    if (!anim_gltf_open_view(g, view_index, &view))
        return false;
    *stride = view->stride ? view->stride : size;
    if (*stride < size)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at,
                              "elements of %zu bytes, but byteStride is %zu", size, *stride);
    if (count > 1 && *stride > (SIZE_MAX / 2 - size) / (count - 1))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "more elements than memory can hold");
    size_t length = count ? (count - 1) * *stride + size : 0;
    if (!anim_gltf_check_range(g, at, offset, length, view->size, "buffer view"))
        return false;
    *bytes = view->bytes + offset;
    return true;
}

// --- sparse accessors: a few elements are given anew --------------------------------------------

typedef struct part {
    int32_t view;
    size_t offset;
    anim_gltf_component component; // of the indices
} part;

static bool read_part(anim_gltf* g, anim_json_value at, bool indices, part* out)
{
    static const char* const keys[] = {"bufferView", "byteOffset", "componentType"};
    anim_json_value v[3];
    *out = (part){0};
    if (!anim_gltf_pick(g, at, keys, 3, v) || !anim_gltf_require(g, at, v[0], keys[0]) ||
        !anim_gltf_get_index(g, v[0], g->view_list.count, &out->view) ||
        !anim_gltf_get_size(g, v[1], &out->offset))
        return false;
    if (!indices)
        return true;
    if (!anim_gltf_require(g, at, v[2], keys[2]) || !get_component(g, v[2], &out->component))
        return false;
    return (!out->component.is_float && !out->component.is_signed) ||
           anim_gltf_fail(g, ANIM_ERR_FORMAT, v[2], "indices must be unsigned integers");
}

static uint32_t read_index(const uint8_t* from, anim_gltf_component c)
{
    uint32_t index = 0;
    memcpy(&index, from, c.size); // little-endian, as config.h demands
    return index;
}

static bool apply_sparse(anim_gltf* g, const anim_gltf_accessor* a, float* floats)
{
    static const char* const keys[] = {"count", "indices", "values"};
    anim_json_value at = a->sparse, v[3];
    part indices, values;
    uint32_t count = 0;
    if (!anim_gltf_pick(g, at, keys, 3, v))
        return false;
    for (int i = 0; i < 3; i++)
        if (!anim_gltf_require(g, at, v[i], keys[i]))
            return false;
    if (!anim_gltf_get_count(g, v[0], &count) || !read_part(g, v[1], true, &indices) ||
        !read_part(g, v[2], false, &values))
        return false;
    if (count > a->count)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, v[0],
                              "%u elements are given anew, but there are %u", count, a->count);
    const uint8_t *index_bytes, *value_bytes;
    size_t index_stride, value_stride;
    if (!locate(g, v[1], (uint32_t)indices.view, indices.offset, indices.component.size, count,
                &index_bytes, &index_stride) ||
        !locate(g, v[2], (uint32_t)values.view, values.offset, element_size(a), count, &value_bytes,
                &value_stride))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = read_index(index_bytes + i * index_stride, indices.component);
        if (index >= a->count)
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, v[1],
                                  "index %u is out of range: there are %u elements", index,
                                  a->count);
        read_elements(a, value_bytes + i * value_stride, value_stride, 1,
                      floats + (size_t)index * a->width);
    }
    return true;
}

// --- all together -------------------------------------------------------------------------------

static bool is_aligned(const uint8_t* bytes)
{
    return (uintptr_t)bytes % _Alignof(float) == 0;
}

static bool decode(anim_gltf* g, anim_json_value at, anim_gltf_accessor* a)
{
    const uint8_t* bytes = NULL;
    size_t stride = 0;
    if (a->view >= 0 &&
        !locate(g, at, (uint32_t)a->view, a->offset, element_size(a), a->count, &bytes, &stride))
        return false;
    if (bytes && !a->sparse && a->component.is_float && stride == element_size(a) &&
        is_aligned(bytes)) {
        a->floats = (const float*)(const void*)bytes; // as they lie in the file
        return true;
    }
    float* floats = anim_gltf_alloc(g, a->count, a->width * sizeof *floats);
    if (!floats)
        return false;
    if (bytes)
        read_elements(a, bytes, stride, a->count, floats);
    if (a->sparse && !apply_sparse(g, a, floats))
        return false;
    a->floats = floats;
    return true;
}

bool anim_gltf_get_numbers(anim_gltf* g, uint32_t index, const float** out)
{
    anim_gltf_accessor* a;
    if (!anim_gltf_open_accessor(g, index, &a))
        return false;
    if (!a->floats) {
        anim_json_value at = g->accessor_list.at[index];
        if (!decode(g, at, a))
            return false;
        if (!anim_floats_are_finite(a->floats, (size_t)a->count * a->width))
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "holds numbers that are not finite");
    }
    *out = a->floats;
    return true;
}
