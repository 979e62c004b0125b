// SPDX-License-Identifier: MIT
// Files in the background: what is asked, given up, or cut off by the end. Meant for ThreadSanitizer, too
// (-DANIM_SANITIZE=thread).
#include "base/mem.h"
#include "import/loader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static anim_error error;

// Two buffers in other files.
static const char text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\",\"children\":[1]},{\"name\":\"b\"}"
    "],"
    "\"buffers\":[{\"uri\":\"t.bin\",\"byteLength\":8},{\"uri\":\"v.bin\",\"byteLength\":24}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":1,\"byteLength\":24}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
    "\"animations\":[{\"name\":\"walk\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
    "\"path\":\"translation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]}";

static const float times[] = {0, 1}, values[] = {0, 0, 0, 1, 2, 3};

static anim_code give(void* name, const char* uri, anim_blob* out, anim_error* err)
{
    (void)name;
    bool is_times = strcmp(uri, "t.bin") == 0;
    size_t size = is_times ? sizeof times : sizeof values;
    *out = (anim_blob){anim_mem_alloc(size), size};
    if (!out->bytes)
        return anim_fail_memory(err, uri);
    memcpy(out->bytes, is_times ? times : values, size);
    return ANIM_OK;
}

static anim_load_desc desc_of(bool asks)
{
    anim_load_desc desc = {.name = "n.gltf", .bytes = text, .size = sizeof text - 1};
    desc.read = asks ? NULL : give;
    return desc;
}

static anim_loading* add(anim_loader* loader, bool asks)
{
    anim_load_desc desc = desc_of(asks);
    anim_loading* loading;
    assert_int_equal(anim_loader_add(loader, &desc, &loading, &error), ANIM_OK);
    return loading;
}

static void answer(anim_loading* loading)
{
    const char* uri = anim_loading_asks(loading);
    if (!uri)
        return;
    anim_blob bytes;
    assert_int_equal(give(NULL, uri, &bytes, &error), ANIM_OK);
    anim_loading_answer(loading, ANIM_OK, &bytes, NULL);
}

static void finish(anim_loading* loading)
{
    while (!anim_loading_is_done(loading)) {
        answer(loading);
        anim_loading_wait(loading);
    }
    anim_model* model;
    assert_int_equal(anim_loading_take(loading, &model, &error), ANIM_OK);
    assert_int_equal(model->clip_count, 1);
    assert_true(anim_loading_progress(loading) == 1);
    anim_model_destroy(model);
    anim_loading_release(loading);
}

static void assert_nothing_left(void)
{
    anim_mem_counts counts = anim_mem_get_counts();
    assert_int_equal(counts.blocks, 0);
    assert_int_equal(counts.bytes, 0);
}

static void test_many(void** state)
{
    (void)state;
    enum { many = 60 };
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        anim_loader* loader = anim_loader_create(threads);
        anim_loading* list[many];
        for (int i = 0; i < many; i++)
            list[i] = add(loader, i % 2 == 0);
        for (int i = many - 1; i >= 0; i--)
            finish(list[i]);
        anim_loader_destroy(loader);
        assert_nothing_left();
    }
}

// At every stage, before and after the end of the loader.
static void test_giving_up(void** state)
{
    (void)state;
    enum { many = 40 };
    for (int round = 0; round < 20; round++) {
        anim_loader* loader = anim_loader_create(2);
        anim_loading* list[many];
        for (int i = 0; i < many; i++) {
            list[i] = add(loader, i % 2 == 0);
            if (i % 5 == round % 5)
                answer(list[i]);
        }
        for (int i = 0; i < many; i++)
            if (i % 3 == round % 3) {
                anim_loading_release(list[i]);
                list[i] = NULL;
            }
        anim_loader_destroy(loader);
        for (int i = 0; i < many; i++)
            anim_loading_release(list[i]);
        assert_nothing_left();
    }
}

static void test_answers(void** state)
{
    (void)state;
    anim_loader* loader = anim_loader_create(2);
    anim_loading* loading = add(loader, true);
    anim_loading_wait(loading);
    assert_string_equal(anim_loading_asks(loading), "t.bin");
    assert_false(anim_loading_is_done(loading));
    answer(loading);
    anim_loading_wait(loading);
    assert_string_equal(anim_loading_asks(loading), "v.bin");
    anim_error why;
    anim_fail(&why, ANIM_ERR_IO, "it rained");
    anim_loading_answer(loading, ANIM_ERR_IO, NULL, &why);
    while (!anim_loading_is_done(loading))
        anim_loading_wait(loading);
    anim_model* model;
    assert_int_equal(anim_loading_take(loading, &model, &error), ANIM_ERR_IO);
    assert_null(model);
    assert_non_null(strstr(error.message, "it rained"));
    anim_loading_release(loading);
    anim_loader_destroy(loader);
    anim_loader_destroy(NULL);
    anim_loading_release(NULL);
    assert_nothing_left();
}

static void test_without_memory(void** state)
{
    (void)state;
    bool whole = false;
    for (int64_t n = 1; n < 1000 && !whole; n++) {
        anim_mem_fail_nth(n);
        anim_loader* loader = anim_loader_create(1);
        anim_load_desc desc = desc_of(false);
        anim_loading* loading = NULL;
        anim_model* model = NULL;
        bool added = loader && !anim_loader_add(loader, &desc, &loading, &error);
        while (added && !anim_loading_is_done(loading))
            anim_loading_wait(loading);
        whole = added && !anim_loading_take(loading, &model, &error);
        anim_mem_fail_nth(0);
        anim_model_destroy(model);
        anim_loading_release(loading);
        anim_loader_destroy(loader);
        assert_nothing_left();
    }
    assert_true(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_giving_up),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
