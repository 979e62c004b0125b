// SPDX-License-Identifier: MIT
// EXT_meshopt_compression and KHR_meshopt_compression: buffer views that meshoptimizer decodes.
// What the library's version can't decode (the newer codec of the KHR extension) is an error that
// says so.
#include "import/gltf.h"

#if defined(ANIM_HAS_MESHOPT)
#include <meshoptimizer.h>
#endif

bool anim_gltf_find_meshopt(anim_gltf* g, anim_json_value extensions, anim_json_value* out)
{
    static const char* const keys[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    anim_json_value v[2];
    *out = 0;
    if (!extensions)
        return true;
    if (!anim_gltf_pick(g, extensions, keys, 2, v))
        return false;
    *out = v[0] ? v[0] : v[1];
    return true;
}

#if defined(ANIM_HAS_MESHOPT)

typedef struct stream {
    anim_json_value at, mode, filter;
    const uint8_t* bytes; // compressed
    size_t size;
    uint32_t count, stride; // of the elements it becomes
} stream;

static bool read_stream(anim_gltf* g, anim_json_value at, stream* s)
{
    enum { buffer, offset, length, stride, elements, mode, filter, count };
    static const char* const keys[count] = {"buffer", "byteOffset", "byteLength", "byteStride",
                                            "count",  "mode",       "filter"};
    anim_json_value v[count];
    size_t start = 0;
    int32_t source = 0;
    const anim_gltf_buffer* data;
    if (!anim_gltf_pick(g, at, keys, count, v))
        return false;
    for (int i = 0; i < filter; i++)
        if (i != offset && !anim_gltf_require(g, at, v[i], keys[i]))
            return false;
    if (!anim_gltf_get_index(g, v[buffer], g->buffer_list.count, &source) ||
        !anim_gltf_get_size(g, v[offset], &start) || !anim_gltf_get_size(g, v[length], &s->size) ||
        !anim_gltf_get_count(g, v[stride], &s->stride) ||
        !anim_gltf_get_count(g, v[elements], &s->count) ||
        !anim_gltf_open_buffer(g, (uint32_t)source, &data) ||
        !anim_gltf_check_range(g, at, start, s->size, data->size, "buffer"))
        return false;
    s->at = at;
    s->mode = v[mode];
    s->filter = v[filter];
    s->bytes = data->bytes + start;
    return true;
}

// The library asserts what it expects; so everything is checked here.
static bool decode_elements(anim_gltf* g, const stream* s, void* to)
{
    int result;
    if (anim_json_is_string(&g->json, s->mode, "ATTRIBUTES")) {
        if (s->stride == 0 || s->stride % 4 != 0 || s->stride > 256)
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, s->at,
                                  "byteStride %u; a multiple of 4 up to 256 expected", s->stride);
        result = meshopt_decodeVertexBuffer(to, s->count, s->stride, s->bytes, s->size);
    } else {
        bool triangles = anim_json_is_string(&g->json, s->mode, "TRIANGLES");
        if (!triangles && !anim_json_is_string(&g->json, s->mode, "INDICES"))
            return anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, s->mode, "a mode that is not known");
        if ((s->stride != 2 && s->stride != 4) || (triangles && s->count % 3 != 0))
            return anim_gltf_fail(
                g, ANIM_ERR_FORMAT, s->at,
                "indices of %u bytes, %u of them: 2 or 4 bytes and whole triangles "
                "expected",
                s->stride, s->count);
        result = triangles
                     ? meshopt_decodeIndexBuffer(to, s->count, s->stride, s->bytes, s->size)
                     : meshopt_decodeIndexSequence(to, s->count, s->stride, s->bytes, s->size);
    }
    if (result == 0)
        return true;
    // The first byte names the codec, in its low half the version.
    if (result == -1 && s->size > 0)
        return anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, s->at,
                              "the data begin with 0x%02x (codec version %d), which meshoptimizer "
                              "%d.%d can't decode",
                              s->bytes[0], s->bytes[0] & 15, MESHOPTIMIZER_VERSION / 1000,
                              MESHOPTIMIZER_VERSION / 10 % 100);
    return anim_gltf_fail(g, ANIM_ERR_FORMAT, s->at, "the compressed data are damaged");
}

static bool apply_filter(anim_gltf* g, const stream* s, void* data)
{
    const anim_json* json = &g->json;
    if (!s->filter || anim_json_is_string(json, s->filter, "NONE"))
        return true;
    if (!anim_json_is_string(json, s->mode, "ATTRIBUTES"))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, s->filter, "only attributes can be filtered");
    bool octahedral = anim_json_is_string(json, s->filter, "OCTAHEDRAL");
    bool quaternion = anim_json_is_string(json, s->filter, "QUATERNION");
    if (!octahedral && !quaternion && !anim_json_is_string(json, s->filter, "EXPONENTIAL"))
        return anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, s->filter, "a filter that is not known");
    if ((octahedral && s->stride != 4 && s->stride != 8) || (quaternion && s->stride != 8))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, s->filter,
                              "a filter that does not fit byteStride %u", s->stride);
    if (octahedral)
        meshopt_decodeFilterOct(data, s->count, s->stride);
    else if (quaternion)
        meshopt_decodeFilterQuat(data, s->count, s->stride);
    else
        meshopt_decodeFilterExp(data, s->count, s->stride);
    return true;
}

bool anim_gltf_decode_meshopt(anim_gltf* g, anim_json_value extension, anim_gltf_view* view)
{
    stream s = {0};
    if (!read_stream(g, extension, &s))
        return false;
    uint8_t* bytes = anim_gltf_alloc(g, s.count, s.stride ? s.stride : 1);
    if (!bytes || !decode_elements(g, &s, bytes) || !apply_filter(g, &s, bytes))
        return false;
    view->bytes = bytes;
    view->size = (size_t)s.count * s.stride;
    return true;
}

#else

bool anim_gltf_decode_meshopt(anim_gltf* g, anim_json_value extension, anim_gltf_view* view)
{
    (void)view;
    return anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, extension,
                          "compressed data, and this build of anim lacks meshoptimizer");
}

#endif
