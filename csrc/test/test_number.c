// SPDX-License-Identifier: MIT
#include "import/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void reads_numbers_in_all_notations(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int length; // -1: no number
        double value;
    } cases[] = {
        {"0", 1, 0},
        {"-12.5 ", 5, -12.5},
        {"+.5", 3, 0.5},
        {"7.", 2, 7},
        {"1e3", 3, 1000},
        {"1E-2x", 4, 0.01},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1.2.3", 3, 1.2},
        {"0x1.8p3", 7, 12},
        {"-0X.8", 5, -0.5},
        {"0xg", 1, 0},
        {"0x1p-1074", 9, 0x1p-1074},
        {"0x1.00000000000008p0", 20, 1}, // a tie goes to even
        {"0x1.000000000000080000000000001p0", 33, 0x1.0000000000001p0},
        {"0.1", 3, 0.1},
        {"0.30000000000000004", 19, 0.30000000000000004},
        {"9007199254740993", 16, 9007199254740992.0}, // a tie, too
        {"9007199254740993.0000000000000000000001", 39, 9007199254740994.0},
        {"123456789012345678901234567890", 30, 123456789012345678901234567890.0},
        {"2.2250738585072011e-308", 23, 2.2250738585072011e-308},
        {"4.9406564584124654e-324", 23, 0x1p-1074},
        {"2.4703282292062327e-324", 23, 0},
        {"2.4703282292062328e-324", 23, 0x1p-1074},
        {"1.7976931348623157e308", 22, 1.7976931348623157e308},
        {"0e99999999999999999999", 22, 0},
        {"1e-99999999999999999999", 23, 0},
        {"1000000000000000000000000000000000000000e-39", 44, 1},
        {"", -1, 0},
        {"-", -1, 0},
        {".", -1, 0},
        {"e5", -1, 0},
        {"x", -1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 0;
        const char* end = cases[i].text + strlen(cases[i].text);
        const char* after = anim_number_parse(cases[i].text, end, &value);
        int length = after ? (int)(after - cases[i].text) : -1;
        if (length != cases[i].length || value != cases[i].value)
            fail_msg("'%s': %d bytes, %.17g", cases[i].text, length, value);
    }
    double value;
    const char* text = "-infinity";
    assert_ptr_equal(anim_number_parse(text, text + 9, &value), text + 9);
    assert_true(value < -1e308);
    text = "1e309nan";
    assert_ptr_equal(anim_number_parse(text, text + 8, &value), text + 5);
    assert_true(value > 1.7976931348623157e308);
    assert_ptr_equal(anim_number_parse(text + 5, text + 8, &value), text + 8);
    assert_true(value != value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_numbers_in_all_notations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
