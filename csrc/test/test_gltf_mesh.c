// SPDX-License-Identifier: MIT
// What scripts can't see of meshes, materials and images of glTF files: memory and its limit. Values are checked by
// spec/mesh_import_spec.lua.
#include "base/mem.h"
#include "import/import.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Two triangles of a skin with a texture from another file and one morph target.
static const char text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2]}],\"nodes\":["
    "{\"name\":\"hip\"},{\"mesh\":0,\"skin\":0},{\"name\":\"prop\",\"mesh\":0,\"translation\":[1,2,"
    "3]}],"
    "\"skins\":[{\"joints\":[0]}],\"meshes\":[{\"name\":\"leaf\",\"primitives\":[{\"attributes\":"
    "{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":3,\"material\":0,"
    "\"targets\":[{\"POSITION\":0}]}]}],"
    "\"materials\":[{\"name\":\"green\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":"
    "0}}}],"
    "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"leaf.png\"}],\"accessors\":["
    "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"componentType\":5121,\"count\":4,\"type\":\"VEC4\"},"
    "{\"componentType\":5126,\"count\":4,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":6}],"
    "\"buffers\":[{\"uri\":\"data:,%00%01%02%00%02%03\",\"byteLength\":6}]}";

static anim_code read_image(void* user, const char* uri, anim_blob* out, anim_error* err)
{
    (void)user;
    if (strcmp(uri, "leaf.png") != 0)
        return anim_fail(err, ANIM_ERR_IO, "there is no %s", uri);
    out->bytes = anim_mem_alloc(100);
    if (!out->bytes)
        return anim_fail_memory(err, "leaf.png");
    out->size = 100;
    return ANIM_OK;
}

static anim_code load(bool geometry, size_t limit, anim_model** model, anim_error* err)
{
    const anim_import_desc desc = {.name = "leaf.gltf",
                                   .bytes = text,
                                   .size = sizeof text - 1,
                                   .geometry = geometry,
                                   .memory_limit = limit,
                                   .read = read_image};
    return anim_import(&desc, model, err);
}

static int nothing_leaks(void** state)
{
    (void)state;
    anim_mem_fail_nth(0);
    assert_int_equal(anim_mem_get_counts().blocks, 0);
    return 0;
}

static void is_there_if_asked_for(void** state)
{
    (void)state;
    anim_model* model;
    anim_error err = {ANIM_OK, ""};
    if (load(true, 0, &model, &err))
        fail_msg("%s", err.message);
    const anim_geometry* g = &model->geometry;
    assert_true(g->mesh_count == 1 && g->use_count == 2 && g->material_count == 1 &&
                g->image_count == 1);
    assert_int_equal(g->images[0].size, 100);
    assert_int_equal(g->meshes[0].parts[0].index_count, 6);
    assert_true(g->uses[0].skin == 0 && g->uses[0].morph >= 0);
    assert_true(g->uses[1].joint == -1 && g->uses[1].matrix.m[1][3] == 2);
    anim_model_destroy(model);
    assert_int_equal(load(false, 0, &model, &err), ANIM_OK);
    assert_int_equal(model->geometry.mesh_count, 0);
    anim_model_destroy(model);
}

// Every allocation in turn: either the import fails cleanly, or what could not be had was a warning's text.
static void survives_every_failed_allocation(void** state)
{
    (void)state;
    int n = 0;
    bool reached = true;
    while (reached) {
        anim_model* model;
        anim_error err = {ANIM_OK, ""};
        int64_t before = anim_mem_get_counts().total;
        anim_mem_fail_nth(++n);
        anim_code code = load(true, 0, &model, &err);
        anim_mem_fail_nth(0);
        reached = code || anim_mem_get_counts().total - before >= n;
        assert_true(code == ANIM_OK || code == ANIM_ERR_MEMORY);
        assert_true(code == ANIM_OK || strstr(err.message, "out of memory"));
        anim_model_destroy(model);
        assert_int_equal(anim_mem_get_counts().blocks, 0);
    }
    assert_true(n > 8);
}

static void keeps_to_its_limit(void** state)
{
    (void)state;
    bool enough = false;
    for (size_t limit = 1; limit < 60000; limit += 16) {
        anim_model* model;
        anim_error err = {ANIM_OK, ""};
        anim_code code = load(true, limit, &model, &err);
        assert_int_equal(code, code == ANIM_OK ? ANIM_OK : ANIM_ERR_LIMIT);
        assert_true(code == ANIM_OK || !enough);
        enough = code == ANIM_OK;
        anim_model_destroy(model);
    }
    assert_true(enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(is_there_if_asked_for, nothing_leaks),
        cmocka_unit_test_teardown(survives_every_failed_allocation, nothing_leaks),
        cmocka_unit_test_teardown(keeps_to_its_limit, nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
