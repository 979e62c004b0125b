// SPDX-License-Identifier: MIT
#include "base/mem.h"
#include "import/json.h"
#include "import/uri.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static anim_arena arena;
static anim_error err;

static anim_code parse(anim_json* json, const char* text)
{
    return anim_json_parse(json, &arena, text, strlen(text), 0, &err);
}

static void parse_well(anim_json* json, const char* text)
{
    if (parse(json, text) != ANIM_OK)
        fail_msg("%s: %s", text, err.message);
}

static int free_arena(void** state)
{
    (void)state;
    anim_arena_free(&arena);
    assert_int_equal(anim_mem_get_counts().blocks, 0);
    return 0;
}

static anim_json_value find(const anim_json* json, anim_json_value object, const char* key)
{
    anim_json_value value;
    assert_true(anim_json_pick(json, object, &key, 1, &value));
    return value;
}

static void takes_what_is_json(void** state)
{
    (void)state;
    static const char* const good[] = {
        "{}",
        "[]",
        " [ ] ",
        "0",
        "-0",
        "1.5e+3",
        "-12E-2",
        "true",
        "null",
        "\"\"",
        "{\"a\":[1,2,{\"b\":null}]}",
        "\t\r\n{ \"a\" : 1 , \"b\" : 2 }\n",
        "[[],[[]],{}]",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
        "\"\xc3\xa9\"",
        "[1,\"a\",true]",
    };
    anim_json json;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        parse_well(&json, good[i]);
}

static void refuses_what_is_not(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        size_t byte;
    } bad[] = {
        {"", 0},         {" ", 1},         {"{", 1},          {"[", 1},
        {"}", 0},        {"[1,]", 3},      {"[1 2]", 3},      {"[,1]", 1},
        {"{\"a\"}", 4},  {"{\"a\":}", 5},  {"{\"a\":1,}", 7}, {"{a:1}", 1},
        {"{1:2}", 1},    {"{\"a\" 1}", 5}, {"[1}", 2},        {"{\"a\":1]", 6},
        {"[1]]", 3},     {"{}{}", 2},      {"1 2", 2},        {"01", 1},
        {"+1", 0},       {".5", 0},        {"1.", 2},         {"1.e3", 2},
        {"1e", 2},       {"--1", 1},       {"0x10", 1},       {"NaN", 0},
        {"Infinity", 0}, {"tru", 0},       {"truely", 4},     {"nul", 0},
        {"'a'", 0},      {"\"a", 2},       {"\"\\x\"", 3},    {"\"\\u12g4\"", 5},
        {"\"a\nb\"", 2}, {"\"\\", 2},      {"[1]//c", 3},     {"\x01", 0},
    };
    anim_json json;
    char place[32];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(parse(&json, bad[i].text), ANIM_ERR_FORMAT);
        snprintf(place, sizeof place, "at byte %zu", bad[i].byte);
        const char* found = strstr(err.message, place);
        if (!found || found[strlen(place)])
            fail_msg("%s: '%s', not '%s'", bad[i].text, err.message, place);
    }
    assert_int_equal(anim_json_parse(&json, &arena, "[\0]", 3, 7, &err), ANIM_ERR_FORMAT);
    assert_non_null(strstr(err.message, "byte 8"));
}

static void refuses_deep_nesting_fast(void** state)
{
    (void)state;
    enum { size = 4000000 };
    anim_json json;
    char* text = malloc(size);
    memset(text, '[', size / 2);
    memset(text + size / 2, ']', size / 2);
    assert_int_equal(anim_json_parse(&json, &arena, text, size, 0, &err), ANIM_ERR_FORMAT);
    assert_int_equal(anim_json_parse(&json, &arena, text + size / 2 - 200, 400, 0, &err), ANIM_OK);
    free(text);
}

static void walks_the_tree(void** state)
{
    (void)state;
    anim_json json;
    parse_well(&json,
               "{\"skip\":{\"b\":[1,[2,3],{\"b\":4}]},\"list\":[10,[11,12],{\"x\":13},\"s\"],"
               "\"b\":true,\"b\":false}");
    anim_json_value list = find(&json, 0, "list");
    assert_int_equal(anim_json_get_count(&json, list), 4);
    anim_json_value first = anim_json_first(list), second = anim_json_next(&json, first),
                    third = anim_json_next(&json, second), fourth = anim_json_next(&json, third);
    double number;
    assert_true(anim_json_get_number(&json, first, &number));
    assert_true(number == 10);
    assert_int_equal(anim_json_get_kind(&json, second), ANIM_JSON_ARRAY);
    assert_true(anim_json_get_number(&json, find(&json, third, "x"), &number));
    assert_true(number == 13);
    assert_true(anim_json_is_string(&json, fourth, "s"));
    assert_false(anim_json_is_string(&json, fourth, "st"));
    bool boolean;
    assert_true(anim_json_get_boolean(&json, find(&json, 0, "b"), &boolean));
    assert_true(boolean);
    assert_int_equal(find(&json, 0, "c"), 0);
    assert_false(anim_json_get_number(&json, fourth, &number));
    assert_int_equal(anim_json_get_count(&json, 0), 0);
    anim_json_value none = 1;
    assert_false(anim_json_pick(&json, list, (const char*[]){"x"}, 1, &none));
    assert_int_equal(none, 0);
}

static void tells_places(void** state)
{
    (void)state;
    anim_json json;
    char path[64], small[12];
    const char* text = "{\"accessors\":[{},{\"count\":[5,-1]}]}";
    assert_int_equal(anim_json_parse(&json, &arena, text, strlen(text), 100, &err), ANIM_OK);
    anim_json_value list = find(&json, 0, "accessors");
    anim_json_value element = anim_json_next(&json, anim_json_first(list));
    anim_json_value last = anim_json_next(&json, anim_json_first(find(&json, element, "count")));
    anim_json_get_path(&json, last, path, sizeof path);
    assert_string_equal(path, "/accessors/1/count/1");
    assert_int_equal(anim_json_get_byte(&json, last), 100 + (size_t)(strstr(text, "-1") - text));
    anim_json_get_path(&json, last, small, sizeof small);
    assert_string_equal(small, "/accessors/");
    anim_json_get_path(&json, 0, path, sizeof path);
    assert_string_equal(path, "");
}

static void resolves_escapes(void** state)
{
    (void)state;
    anim_json json;
    size_t size;
    parse_well(&json,
               "[\"a\\u00e9\\uD83D\\ude00\\ud800\\udc00\\/\\n\",\"\\ud800x\\udc00\\ud800\\u0041\","
               "\"\\u0000\",{\"\\u006ekey\":1}]");
    anim_json_value at = anim_json_first(0);
    assert_string_equal(anim_json_copy_string(&json, at, &arena, &size),
                        "a\xc3\xa9\xf0\x9f\x98\x80\xf0\x90\x80\x80/\n");
    at = anim_json_next(&json, at);
    assert_string_equal(anim_json_copy_string(&json, at, &arena, &size),
                        "\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd"
                        "A");
    at = anim_json_next(&json, at);
    assert_string_equal(anim_json_copy_string(&json, at, &arena, &size), "");
    assert_int_equal(size, 1);
    at = anim_json_next(&json, at);
    assert_int_not_equal(find(&json, at, "nkey"), 0);
    assert_int_equal(find(&json, at, "nke"), 0);
}

static void reports_memory(void** state)
{
    (void)state;
    anim_json json;
    anim_arena small = {.limit = 64};
    assert_int_equal(anim_json_parse(&json, &small, "[1,2,3,4,5]", 11, 0, &err), ANIM_ERR_LIMIT);
    anim_mem_fail_nth(1);
    assert_int_equal(parse(&json, "[1]"), ANIM_ERR_MEMORY);
}

static void decodes_base64(void** state)
{
    (void)state;
    static const struct {
        const char *text, *plain;
    } good[] = {
        {"", ""},           {"TQ==", "M"},           {"TQ", "M"}, {"TWE=", "Ma"}, {"TWFu", "Man"},
        {"TWFuTQ", "ManM"}, {"+/+/", "\xfb\xff\xbf"}};
    uint8_t out[16];
    size_t size, bad;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(anim_uri_decode_base64(good[i].text, strlen(good[i].text), out, &size, &bad));
        assert_int_equal(size, strlen(good[i].plain));
        assert_memory_equal(out, good[i].plain, size);
    }
    static const char* const wrong[] = {"T", "TWFu*", "TW=u", "TWF\n", "====", "TWFuT"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(anim_uri_decode_base64(wrong[i], strlen(wrong[i]), out, &size, &bad));
}

static void reads_uris(void** state)
{
    (void)state;
    char out[32];
    anim_data_uri data;
    size_t size = anim_uri_decode_percent("a%20b%2e%C3%a9%zz%4", 19, out);
    assert_int_equal(size, 11);
    assert_memory_equal(out, "a b.\xc3\xa9%zz%4", size);
    assert_false(anim_uri_is_data("dat", 3, &data));
    assert_true(anim_uri_is_data("data:;BASE64,QQ", 15, &data));
    assert_true(data.base64 && data.size == 2);
    assert_true(anim_uri_is_data("data:text/plain,;base64", 23, &data));
    assert_false(data.base64);
    assert_true(anim_uri_is_data("DATA:no comma", 13, &data));
    assert_null(data.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(takes_what_is_json, free_arena),
        cmocka_unit_test_teardown(refuses_what_is_not, free_arena),
        cmocka_unit_test_teardown(refuses_deep_nesting_fast, free_arena),
        cmocka_unit_test_teardown(walks_the_tree, free_arena),
        cmocka_unit_test_teardown(tells_places, free_arena),
        cmocka_unit_test_teardown(resolves_escapes, free_arena),
        cmocka_unit_test_teardown(reports_memory, free_arena),
        cmocka_unit_test(decodes_base64),
        cmocka_unit_test(reads_uris),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
