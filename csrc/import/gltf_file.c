// SPDX-License-Identifier: MIT
// The container (.glb chunks or plain JSON), buffers and buffer views.
#include "import/gltf.h"

#include "base/mem.h"
#include "import/uri.h"

#include <string.h>

enum { glb_header = 12, chunk_header = 8 };
enum { chunk_json = 0x4e4f534a, chunk_bin = 0x004e4942 };

// --- the container ------------------------------------------------------------------------------

static uint32_t read_u32(const uint8_t* at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

typedef struct chunk {
    uint32_t type;
    size_t start, size; // of its data
} chunk;

static bool read_chunk(anim_gltf* g, size_t at, chunk* out)
{
    const uint8_t* bytes = g->desc->bytes;
    *out = (chunk){read_u32(bytes + at + 4), at + chunk_header, read_u32(bytes + at)};
    if (out->size > g->desc->size - out->start)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, 0,
                              "byte %zu: a chunk of %zu bytes, but the file ends after %zu", at,
                              out->size, g->desc->size - out->start);
    return true;
}

static bool read_first_chunk(anim_gltf* g, chunk* out)
{
    const uint8_t* bytes = g->desc->bytes;
    size_t size = g->desc->size;
    if (size >= glb_header && read_u32(bytes + 4) != 2)
        return anim_gltf_fail(g, ANIM_ERR_UNSUPPORTED, 0,
                              "byte 4: binary glTF version %u; only 2 can be read",
                              read_u32(bytes + 4));
    if (size < glb_header + chunk_header)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, 0, "binary glTF cut off after %zu bytes", size);
    if (!read_chunk(g, glb_header, out))
        return false;
    return out->type == chunk_json ||
           anim_gltf_fail(g, ANIM_ERR_FORMAT, 0,
                          "byte 16: the first chunk is of type 0x%08x; JSON (0x%08x) expected",
                          out->type, (unsigned)chunk_json);
}

// The length in the header is only advice: what counts is whether the chunks are there.
static bool read_glb(anim_gltf* g, chunk* json)
{
    if (!read_first_chunk(g, json))
        return false;
    const uint8_t* bytes = g->desc->bytes;
    size_t size = g->desc->size, length = read_u32(bytes + 8);
    if (length != size)
        anim_gltf_warn(g, 0, "the header says %zu bytes, the file has %zu", length, size);
    size_t end = length < size ? length : size;
    size_t at = json->start + json->size;
    while (at < end && end - at >= chunk_header) {
        chunk next;
        if (!read_chunk(g, at, &next))
            return false;
        bool repeated = next.type == chunk_json || (next.type == chunk_bin && g->bin);
        if (repeated)
            anim_gltf_warn(g, 0, "byte %zu: a second chunk of type 0x%08x, ignored", at, next.type);
        else if (next.type == chunk_bin) {
            g->bin = bytes + next.start;
            g->bin_size = next.size;
        }
        at = next.start + next.size;
    }
    return true;
}

bool anim_gltf_read_container(anim_gltf* g, const char** json, size_t* size)
{
    const char* bytes = g->desc->bytes;
    chunk text = {0, 0, g->desc->size};
    if (text.size >= 4 && memcmp(bytes, "glTF", 4) == 0 && !read_glb(g, &text))
        return false;
    if (text.size >= 3 && memcmp(bytes + text.start, "\xef\xbb\xbf", 3) == 0) {
        text.start += 3;
        text.size -= 3;
    }
    while (text.size > 0 && !bytes[text.start + text.size - 1]) // padding, though not as specified
        text.size--;
    *json = bytes + text.start;
    *size = text.size;
    return true;
}

// --- buffers ------------------------------------------------------------------------------------

bool anim_gltf_check_range(anim_gltf* g, anim_json_value at, size_t offset, size_t length,
                           size_t size, const char* what)
{
    if (offset <= size && length <= size - offset)
        return true;
    return anim_gltf_fail(g, ANIM_ERR_FORMAT, at,
                          "%zu bytes from byte %zu on are not within the %s of %zu bytes", length,
                          offset, what, size);
}

static bool decode_data_uri(anim_gltf* g, anim_json_value at, const anim_data_uri* uri,
                            anim_gltf_buffer* buffer)
{
    if (!uri->data)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "a data: URI without a comma");
    const char* text = uri->data;
    size_t size = uri->size;
    if (!uri->base64 || memchr(text, '%', size)) {
        char* plain = anim_gltf_alloc(g, size + 1, 1);
        if (!plain)
            return false;
        size = anim_uri_decode_percent(text, size, plain);
        text = plain;
    }
    buffer->bytes = (const uint8_t*)text;
    buffer->size = size;
    if (!uri->base64)
        return true;
    uint8_t* bytes = anim_gltf_alloc(g, size / 4 * 3 + 3, 1);
    size_t bad;
    if (!bytes)
        return false;
    buffer->bytes = bytes;
    return anim_uri_decode_base64(text, size, bytes, &buffer->size, &bad) ||
           anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "not base64 from letter %zu on", bad);
}

static bool fetch(anim_gltf* g, anim_json_value at, const char* what, const char* text, size_t size,
                  anim_gltf_buffer* buffer)
{
    char* uri = anim_gltf_alloc(g, size + 1, 1);
    if (!uri)
        return false;
    size = anim_uri_decode_percent(text, size, uri);
    if (memchr(uri, '\0', size))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "a URI with a character of code 0");
    if (!g->desc->read)
        return anim_gltf_fail(g, ANIM_ERR_IO, at,
                              "the file needs '%.80s', but nothing to read other files was given",
                              uri);
    g->code = g->desc->read(g->desc->user, uri, &buffer->blob, g->err);
    if (g->code) {
        anim_error_prefix(g->err, "%s '%.80s': ", what, uri);
        return false;
    }
    static const uint8_t nothing[1] = {0};
    buffer->bytes = buffer->blob.bytes ? buffer->blob.bytes : nothing;
    buffer->size = buffer->blob.bytes ? buffer->blob.size : 0;
    return anim_gltf_hold(g, buffer->size);
}

bool anim_gltf_load_uri(anim_gltf* g, anim_json_value at, const char* what,
                        anim_gltf_buffer* buffer)
{
    anim_data_uri data;
    if (anim_json_get_kind(&g->json, at) != ANIM_JSON_STRING)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "a string expected");
    anim_json_text text = anim_json_get_text(&g->json, at);
    if (text.escaped) {
        text.bytes = anim_json_copy_string(&g->json, at, &g->arena, &text.size);
        if (!text.bytes)
            return anim_gltf_fail_alloc(g, text.size);
    }
    return anim_uri_is_data(text.bytes, text.size, &data)
               ? decode_data_uri(g, at, &data, buffer)
               : fetch(g, at, what, text.bytes, text.size, buffer);
}

bool anim_gltf_open_buffer(anim_gltf* g, uint32_t index, const anim_gltf_buffer** out)
{
    static const char* const keys[] = {"uri", "byteLength"};
    anim_gltf_buffer* buffer = &g->buffers[index];
    *out = buffer;
    if (buffer->opened)
        return true;
    anim_json_value at = g->buffer_list.at[index], v[2];
    size_t length = 0;
    if (!anim_gltf_pick(g, at, keys, 2, v) || !anim_gltf_require(g, at, v[1], keys[1]) ||
        !anim_gltf_get_size(g, v[1], &length))
        return false;
    if (v[0]) {
        if (!anim_gltf_load_uri(g, v[0], "buffer", buffer))
            return false;
    } else if (index == 0 && g->bin) {
        buffer->bytes = g->bin;
        buffer->size = g->bin_size;
    } else {
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at,
                              "neither a URI nor a BIN chunk gives its data");
    }
    if (buffer->size < length)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at,
                              "byteLength is %zu, but there are only %zu bytes", length,
                              buffer->size);
    buffer->size = length;
    buffer->opened = true;
    return true;
}

void anim_gltf_free_buffers(anim_gltf* g)
{
    for (uint32_t i = 0; g->buffers && i < g->buffer_list.count; i++)
        anim_mem_free(g->buffers[i].blob.bytes);
}

// --- buffer views -------------------------------------------------------------------------------

#if !defined(ANIM_HAS_MESHOPT)
// Where nothing can be decompressed: are there plain data beside the compressed ones?
static bool has_data(anim_gltf* g, uint32_t index)
{
    static const char* const keys[] = {"uri"};
    anim_json_value uri;
    return (index == 0 && g->bin) ||
           (anim_json_pick(&g->json, g->buffer_list.at[index], keys, 1, &uri) && uri);
}
#endif

static bool use_meshopt(anim_gltf* g, anim_json_value extension, uint32_t buffer)
{
#if defined(ANIM_HAS_MESHOPT)
    (void)g, (void)buffer;
    return extension != 0;
#else
    return extension && !has_data(g, buffer);
#endif
}

bool anim_gltf_open_view(anim_gltf* g, uint32_t index, const anim_gltf_view** out)
{
    enum { buffer, offset, length, stride, extensions, count };
    static const char* const keys[count] = {"buffer", "byteOffset", "byteLength", "byteStride",
                                            "extensions"};
    anim_gltf_view* view = &g->views[index];
    *out = view;
    if (view->opened)
        return true;
    anim_json_value at = g->view_list.at[index], v[count], compressed = 0;
    size_t start = 0;
    int32_t source = 0;
    if (!anim_gltf_pick(g, at, keys, count, v) ||
        !anim_gltf_require(g, at, v[buffer], keys[buffer]) ||
        !anim_gltf_require(g, at, v[length], keys[length]) ||
        !anim_gltf_get_index(g, v[buffer], g->buffer_list.count, &source) ||
        !anim_gltf_get_size(g, v[offset], &start) ||
        !anim_gltf_get_size(g, v[length], &view->size) ||
        !anim_gltf_get_count(g, v[stride], &view->stride) ||
        !anim_gltf_find_meshopt(g, v[extensions], &compressed))
        return false;
    if (use_meshopt(g, compressed, (uint32_t)source)) {
        if (!anim_gltf_decode_meshopt(g, compressed, view))
            return false;
    } else {
        const anim_gltf_buffer* data;
        if (!anim_gltf_open_buffer(g, (uint32_t)source, &data) ||
            !anim_gltf_check_range(g, at, start, view->size, data->size, "buffer"))
            return false;
        view->bytes = data->bytes + start;
    }
    view->opened = true;
    return true;
}
