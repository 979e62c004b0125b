// SPDX-License-Identifier: MIT
// What scripts can't see of the glTF importer: memory, containers, callbacks. Values are checked by
// the specs against reference files.
#include "base/mem.h"
#include "import/import.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ASSET "\"asset\":{\"version\":\"2.0\"}"

// One node, moved by two keys at 0 and 1 s; BUFFER gives the 32 bytes of times and values.
#define MOVED(buffer)                                                                              \
    "{" ASSET ",\"nodes\":[{\"name\":\"box\"}],"                                                   \
    "\"animations\":[{\"name\":\"move\",\"samplers\":[{\"input\":0,\"output\":1}],"                \
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}],"           \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"    \
    "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"   \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":32}],\"buffers\":[{\"byteLength\":32" buffer    \
    "}]}"

static const float moved_bytes[8] = {0, 1, 0, 0, 0, 4, 5, 6};

// A skin, morph targets that two nodes share, sparse and normalised accessors, names that need
// care.
static const char* const rich =
    "{" ASSET ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
    "{\"name\":\"hip\",\"children\":[1,2]},{\"name\":\"hip\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,1,"
    "2,3,1]},"
    "{\"mesh\":0,\"skin\":0},{\"mesh\":0,\"weights\":[1,0]}],"
    "\"meshes\":[{\"name\":\"face\",\"primitives\":[{\"targets\":[{},{}]}],"
    "\"extras\":{\"targetNames\":[\"smile\"]}}],"
    "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":4}],"
    "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1},{\"input\":0,\"output\":2},"
    "{\"input\":0,\"output\":3}],\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
    "{\"sampler\":2,\"target\":{\"node\":2,\"path\":\"weights\"}}]},{\"name\":\"clip0\"}],"
    "\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"componentType\":5126,\"count\":2,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
    "\"indices\":{\"bufferView\":1,\"componentType\":5121},\"values\":{\"bufferView\":2}}},"
    "{\"bufferView\":3,\"componentType\":5120,\"normalized\":true,\"count\":2,\"type\":\"VEC4\"},"
    "{\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\"},"
    "{\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":1,\"byteLength\":1},"
    "{\"buffer\":0,\"byteOffset\":20,\"byteLength\":12},{\"buffer\":2,\"byteLength\":8}],"
    "\"buffers\":[{\"uri\":\"moved%2Ebin\",\"byteLength\":32},"
    "{\"uri\":\"data:;base64,AQ==\",\"byteLength\":1},"
    "{\"uri\":\"data:,%00%00%00%7F%00%7F%00%00\",\"byteLength\":8}]}";

// --- helpers ------------------------------------------------------------------------------------

typedef struct fetcher {
    int calls;
    char last[64];
    size_t size; // of what is given
} fetcher;

static anim_code read_moved(void* user, const char* uri, anim_blob* out, anim_error* err)
{
    fetcher* f = user;
    f->calls++;
    snprintf(f->last, sizeof f->last, "%s", uri);
    if (strcmp(uri, "moved.bin") != 0)
        return anim_fail(err, ANIM_ERR_IO, "there is no %s", uri);
    out->bytes = anim_mem_alloc(f->size);
    if (!out->bytes)
        return anim_fail_memory(err, "moved.bin");
    out->size = f->size;
    memcpy(out->bytes, moved_bytes, f->size < sizeof moved_bytes ? f->size : sizeof moved_bytes);
    return ANIM_OK;
}

static anim_code import_text(const char* text, anim_import_desc desc, anim_model** model,
                             anim_error* err)
{
    desc.bytes = text;
    desc.size = strlen(text);
    return anim_import(&desc, model, err);
}

static anim_model* load(anim_import_desc desc)
{
    anim_model* model;
    anim_error err;
    if (anim_import(&desc, &model, &err) != ANIM_OK)
        fail_msg("%s", err.message);
    return model;
}

static anim_model* load_text(const char* text, anim_import_desc desc)
{
    desc.bytes = text;
    desc.size = strlen(text);
    return load(desc);
}

static void expect_failure(anim_import_desc desc, anim_code code, const char* part)
{
    anim_model* model;
    anim_error err = {ANIM_OK, ""};
    assert_int_equal(anim_import(&desc, &model, &err), code);
    assert_null(model);
    if (!strstr(err.message, part))
        fail_msg("'%s' is not in '%s'", part, err.message);
    assert_int_equal(anim_import(&desc, &model, NULL), code);
}

static void expect_text_failure(const char* text, anim_code code, const char* part)
{
    expect_failure((anim_import_desc){.bytes = text, .size = strlen(text)}, code, part);
}

static bool is_noted(const anim_model* model, const char* part)
{
    for (const anim_note* note = model->notes.first; note; note = note->next)
        if (strstr(note->text, part))
            return true;
    return false;
}

static void expect_moved(const anim_model* model)
{
    float at[3];
    const anim_clip* clip = model->clips[0];
    assert_string_equal(clip->name, "move");
    assert_string_equal(anim_skeleton_name(model->skeleton, 0), "box");
    anim_track_sample(clip->keys, &clip->keys->tracks[0], 0.5, at);
    assert_true(at[0] == 2 && at[1] == 2.5f && at[2] == 3);
    assert_int_equal(model->notes.count, 0);
}

static int nothing_leaks(void** state)
{
    (void)state;
    anim_mem_fail_nth(0);
    assert_int_equal(anim_mem_get_counts().blocks, 0);
    return 0;
}

// --- memory -------------------------------------------------------------------------------------

// Fails every allocation in turn, until there are no more. Either the import fails cleanly, or what
// could not be had was the text of a warning.
static void fail_all(const char* text, int least)
{
    int n = 0;
    bool reached = true;
    while (reached) {
        fetcher f = {.size = sizeof moved_bytes};
        anim_model* model;
        anim_error err = {ANIM_OK, ""};
        const anim_import_desc desc = {.read = read_moved, .user = &f};
        int64_t before = anim_mem_get_counts().total;
        anim_mem_fail_nth(++n);
        anim_code code = import_text(text, desc, &model, &err);
        anim_mem_fail_nth(0);
        reached = code || anim_mem_get_counts().total - before >= n;
        assert_true(code == ANIM_OK || code == ANIM_ERR_MEMORY);
        assert_true(code == ANIM_OK || strstr(err.message, "out of memory"));
        assert_int_equal(code == ANIM_OK, model != NULL);
        anim_model_destroy(model);
        assert_int_equal(anim_mem_get_counts().blocks, 0);
    }
    assert_true(n > least);
}

static void survives_every_failed_allocation(void** state)
{
    (void)state;
    fail_all(rich, 10);
    fail_all(MOVED(",\"uri\":\"moved.bin\""), 5);
}

static void keeps_to_its_limit(void** state)
{
    (void)state;
    static const char* const huge =
        "{" ASSET ",\"nodes\":[{}],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],"
        "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}]}],\"accessors\":"
        "["
        "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"},"
        "{\"componentType\":5126,\"count\":4294967295,\"type\":\"VEC3\"}]}";
    expect_text_failure(huge, ANIM_ERR_LIMIT, "limit");
    bool enough = false;
    for (size_t limit = 1; limit < 40000; limit += 16) {
        fetcher f = {.size = sizeof moved_bytes};
        anim_model* model;
        const anim_import_desc desc = {.read = read_moved, .user = &f, .memory_limit = limit};
        anim_code code = import_text(rich, desc, &model, NULL);
        assert_int_equal(code, code == ANIM_OK ? ANIM_OK : ANIM_ERR_LIMIT);
        assert_true(code == ANIM_OK || !enough);
        enough = code == ANIM_OK;
        anim_model_destroy(model);
    }
    assert_true(enough);
    fetcher f = {.size = 1 << 20};
    anim_model* model;
    const anim_import_desc desc = {.read = read_moved, .user = &f, .memory_limit = 1 << 19};
    assert_int_equal(import_text(rich, desc, &model, NULL), ANIM_ERR_LIMIT);
}

// Many channels of one accessor: what they become is far larger than the file.
static void counts_what_clips_hold(void** state)
{
    (void)state;
    enum { clips = 400 };
    static const char* const head =
        "{" ASSET ",\"nodes\":[{}],\"accessors\":["
        "{\"componentType\":5126,\"count\":100000,\"type\":\"SCALAR\"},"
        "{\"componentType\":5126,\"count\":100000,\"type\":\"VEC3\"}],\"animations\":[";
    static const char* const animation =
        "{\"samplers\":[{\"input\":0,\"output\":1}],"
        "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}]}";
    char* text = malloc(strlen(head) + clips * (strlen(animation) + 1) + 3);
    char* end = text + sprintf(text, "%s", head);
    for (int i = 0; i < clips; i++)
        end += sprintf(end, "%s%s", i ? "," : "", animation);
    sprintf(end, "]}");
    const anim_import_desc desc = {.bytes = text, .size = strlen(text), .memory_limit = 32 << 20};
    expect_failure(desc, ANIM_ERR_LIMIT, "limit");
    free(text);
}

// --- containers ---------------------------------------------------------------------------------

typedef struct glb {
    uint8_t bytes[4096];
    size_t size;
} glb;

static void put(glb* file, const void* bytes, size_t size)
{
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static void put_chunk(glb* file, uint32_t type, const void* bytes, uint32_t size)
{
    put(file, &size, 4);
    put(file, &type, 4);
    put(file, bytes, size);
}

static void begin(glb* file, const char* json)
{
    file->size = 0;
    put(file, "glTF\2\0\0\0\0\0\0\0", 12);
    put_chunk(file, 0x4e4f534a, json, (uint32_t)strlen(json));
}

static anim_import_desc end(glb* file)
{
    uint32_t size = (uint32_t)file->size;
    memcpy(file->bytes + 8, &size, 4);
    return (anim_import_desc){.bytes = file->bytes, .size = file->size};
}

static void reads_glb(void** state)
{
    (void)state;
    glb file;
    // Padding after the JSON shifts the chunk: floats at every alignment.
    const char* const pads[] = {"", " ", "  ", "   "};
    for (int i = 0; i < 4; i++) {
        char json[2048];
        snprintf(json, sizeof json, "%s%s", MOVED(""), pads[i]);
        begin(&file, json);
        put_chunk(&file, 0x004e4942, moved_bytes, sizeof moved_bytes);
        put_chunk(&file, 0x12345678, "what?", 5);
        anim_model* model = load(end(&file));
        expect_moved(model);
        anim_model_destroy(model);
    }
}

static void forgives_lengths_where_all_is_there(void** state)
{
    (void)state;
    glb file;
    begin(&file, MOVED(""));
    put_chunk(&file, 0x004e4942, moved_bytes, sizeof moved_bytes);
    anim_import_desc desc = end(&file);
    const uint32_t lengths[] = {13, (uint32_t)file.size - 1, 0xffffffff};
    for (int i = 0; i < 3; i++) {
        memcpy(file.bytes + 8, &lengths[i], 4);
        anim_model* model;
        anim_code code = anim_import(&desc, &model, NULL);
        assert_int_equal(code, i == 0 ? ANIM_ERR_FORMAT : ANIM_OK); // 13 hides the BIN chunk
        assert_true(code || is_noted(model, "the header says"));
        anim_model_destroy(model);
    }
}

static void refuses_broken_glb(void** state)
{
    (void)state;
    glb file;
    begin(&file, MOVED(""));
    expect_failure(end(&file), ANIM_ERR_FORMAT, "BIN chunk");
    put_chunk(&file, 0x004e4942, moved_bytes, 16);
    expect_failure(end(&file), ANIM_ERR_FORMAT, "byteLength is 32, but there are only 16");
    anim_import_desc whole = end(&file);
    for (size_t size = 1; size < whole.size; size++) {
        anim_import_desc cut = whole;
        anim_model* model;
        anim_error err = {ANIM_OK, ""};
        cut.bytes = memcpy(malloc(size), whole.bytes, size);
        cut.size = size;
        assert_int_not_equal(anim_import(&cut, &model, &err), ANIM_OK);
        assert_true(err.message[0] != 0);
        free((void*)cut.bytes);
    }
    file.bytes[4] = 1;
    expect_failure(whole, ANIM_ERR_UNSUPPORTED, "version 1");
    file.size = 12;
    put_chunk(&file, 0x004e4942, moved_bytes, 4);
    file.bytes[4] = 2;
    expect_failure(end(&file), ANIM_ERR_FORMAT, "the first chunk");
}

static void tells_formats_by_content(void** state)
{
    (void)state;
    anim_model* model = load_text("\xef\xbb\xbf\r\n {" ASSET ",\"nodes\":[{}]}",
                                  (anim_import_desc){0});
    assert_string_equal(anim_skeleton_name(model->skeleton, 0), "node0");
    anim_model_destroy(model);
    expect_text_failure("", ANIM_ERR_FORMAT, "empty");
    expect_text_failure("RIFF....", ANIM_ERR_FORMAT, "neither glTF");
    expect_text_failure("{\"asset\":{\"version\":\"1.0\"}}", ANIM_ERR_UNSUPPORTED,
                        "glTF version 1.0");
    expect_text_failure("{\"asset\":{\"version\":\"2.0\",\"minVersion\":\"2.1\"}}",
                        ANIM_ERR_UNSUPPORTED, "glTF 2.1");
    expect_text_failure("{" ASSET
                        ",\"extensionsRequired\":[\"KHR_lights_punctual\",\"ACME_bones\"]}",
                        ANIM_ERR_UNSUPPORTED, "'ACME_bones'");
    const anim_import_desc named = {.name = "hero.gltf", .bytes = "{", .size = 1};
    expect_failure(named, ANIM_ERR_FORMAT, "hero.gltf: not JSON");
}

// --- callbacks ----------------------------------------------------------------------------------

static void fetches_other_files(void** state)
{
    (void)state;
    fetcher f = {.size = sizeof moved_bytes};
    const anim_import_desc desc = {.read = read_moved, .user = &f};
    anim_model* model = load_text(MOVED(",\"uri\":\"moved%2ebin\""), desc);
    expect_moved(model);
    assert_int_equal(f.calls, 1);
    assert_string_equal(f.last, "moved.bin");
    anim_model_destroy(model);

    anim_error err;
    assert_int_equal(import_text(MOVED(",\"uri\":\"gone.bin\""), desc, &model, &err), ANIM_ERR_IO);
    assert_string_equal(err.message, "buffer 'gone.bin': there is no gone.bin");
    f.size = 31;
    assert_int_equal(import_text(MOVED(",\"uri\":\"moved.bin\""), desc, &model, &err),
                     ANIM_ERR_FORMAT);
    f.calls = 0;
    assert_int_equal(import_text(MOVED(",\"uri\":\"a%00b\""), desc, &model, &err), ANIM_ERR_FORMAT);
    assert_int_equal(f.calls, 0);
    assert_int_equal(import_text(MOVED(",\"uri\":\"http://a/gone.bin\""), desc, &model, &err),
                     ANIM_ERR_IO); // what a scheme means is the host's to say
    assert_int_equal(f.calls, 1);
    expect_text_failure(MOVED(",\"uri\":\"moved.bin\""), ANIM_ERR_IO, "needs 'moved.bin'");
    expect_text_failure(MOVED(",\"uri\":\"data:;base64,!\""), ANIM_ERR_FORMAT, "not base64");
}

static bool stop_at_half(void* user, float done)
{
    int* calls = user;
    (*calls)++;
    return done < 0.5f;
}

static void can_be_cancelled(void** state)
{
    (void)state;
    static const char* const text = "{" ASSET
                                    ",\"nodes\":[{}],\"animations\":[{},{},{},{},{},{},{},{}]}";
    int calls = 0;
    anim_model* model;
    anim_error err;
    anim_import_desc desc = {.progress = stop_at_half, .user = &calls};
    assert_int_equal(import_text(text, desc, &model, &err), ANIM_ERR_IO);
    assert_string_equal(err.message, "cancelled");
    assert_int_equal(calls, 4);
}

// --- what the model shares ----------------------------------------------------------------------

static void shares_times_and_morphs(void** state)
{
    (void)state;
    fetcher f = {.size = sizeof moved_bytes};
    const anim_import_desc desc = {.read = read_moved, .user = &f};
    anim_model* model = load_text(rich, desc);
    const anim_keys* keys = model->clips[0]->keys;
    assert_int_equal(f.calls, 1);
    assert_int_equal(keys->times_count, 1);
    assert_int_equal(keys->track_count, 2);
    assert_int_equal(keys->curve_count, 2);
    assert_int_equal(model->clip_count, 2);
    assert_string_equal(model->clips[1]->name, "clip0#2");
    assert_int_equal(model->clips[1]->keys->track_count, 0);
    assert_true(is_noted(model, "a second channel for the translation of node 0"));
    assert_int_equal(model->morph_count, 1); // node 3 is in no scene and not needed
    assert_string_equal(model->morphs[0].name, "face");
    assert_string_equal(model->morphs[0].curves[0], "face.smile");
    assert_string_equal(model->morphs[0].curves[1], "face.2");
    assert_int_equal(model->skeleton->joint_count, 3);
    assert_int_equal(anim_skeleton_find(model->skeleton, "hip#2"), 1);
    anim_model_destroy(model);
}

static void mends_names(void** state)
{
    (void)state;
    enum { letters = 700 };
    char text[2 * letters + 200];
    char* end = text + sprintf(text, "{%s,\"nodes\":[{\"name\":\"x", ASSET);
    for (int i = 0; i < letters; i++)
        end += sprintf(end, "\xc3\xa9");
    sprintf(end, "\"},{\"name\":\"a\\u0000b\"},{\"name\":\"\"},{\"name\":\"node2\"}]}");
    anim_model* model = load_text(text, (anim_import_desc){0});
    const anim_skeleton* skeleton = model->skeleton;
    const char* cut = anim_skeleton_name(skeleton, 0);
    assert_int_equal(strlen(cut) % 2, 1); // x and whole letters
    assert_in_range(strlen(cut), 1000, ANIM_MAX_NAME);
    assert_string_equal(anim_skeleton_name(skeleton, 1), "a_b");
    assert_string_equal(anim_skeleton_name(skeleton, 2), "node2");
    assert_string_equal(anim_skeleton_name(skeleton, 3), "node2#2");
    assert_int_equal(model->notes.count, 3);
    anim_model_destroy(model);
}

static void stops_listing_warnings(void** state)
{
    (void)state;
    enum { nodes = 5000 };
    char* text = malloc(nodes * 20 + 100);
    char* end = text + sprintf(text, "{%s,\"nodes\":[{}", ASSET);
    for (int i = 0; i < nodes; i++)
        end += sprintf(end, ",{\"name\":\"arm\"}");
    sprintf(end, "]}");
    anim_model* model = load_text(text, (anim_import_desc){0});
    assert_int_equal(model->notes.count, ANIM_MAX_NOTES);
    assert_int_equal(model->notes.left_out, nodes - 1 - ANIM_MAX_NOTES);
    assert_true(anim_skeleton_find(model->skeleton, "arm#5000") == nodes);
    anim_model_destroy(model);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(survives_every_failed_allocation, nothing_leaks),
        cmocka_unit_test_teardown(keeps_to_its_limit, nothing_leaks),
        cmocka_unit_test_teardown(counts_what_clips_hold, nothing_leaks),
        cmocka_unit_test_teardown(reads_glb, nothing_leaks),
        cmocka_unit_test_teardown(forgives_lengths_where_all_is_there, nothing_leaks),
        cmocka_unit_test_teardown(refuses_broken_glb, nothing_leaks),
        cmocka_unit_test_teardown(tells_formats_by_content, nothing_leaks),
        cmocka_unit_test_teardown(fetches_other_files, nothing_leaks),
        cmocka_unit_test_teardown(can_be_cancelled, nothing_leaks),
        cmocka_unit_test_teardown(shares_times_and_morphs, nothing_leaks),
        cmocka_unit_test_teardown(mends_names, nothing_leaks),
        cmocka_unit_test_teardown(stops_listing_warnings, nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
