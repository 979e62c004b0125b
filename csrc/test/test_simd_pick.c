// SPDX-License-Identifier: MIT
// Which kernels run.
#include "base/simd_pick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_chosen_at_load(void** state)
{
    (void)state;
    assert_int_equal(anim_simd_chosen, anim_simd_wanted(getenv("ANIM_SIMD")));
}

static void test_names(void** state)
{
    (void)state;
    for (int set = 0; set < (int)ANIM_SIMD_COUNT; set++) {
        int best = (int)anim_simd_best();
        int taken = (int)anim_simd_wanted(anim_simd_name((anim_simd)set));
        assert_int_equal(taken, set < best ? set : best);
    }
    assert_string_equal(anim_simd_name(ANIM_SIMD_SCALAR), "scalar");
    assert_string_equal(anim_simd_name(ANIM_SIMD_BASELINE), "baseline");
    assert_string_equal(anim_simd_name(ANIM_SIMD_AVX2), "avx2");
}

static void test_what_is_no_name(void** state)
{
    (void)state;
    assert_int_equal(anim_simd_wanted(NULL), anim_simd_best());
    assert_int_equal(anim_simd_wanted(""), anim_simd_best());
    assert_int_equal(anim_simd_wanted("Scalar"), anim_simd_best());
    assert_int_equal(anim_simd_wanted("sse"), anim_simd_best());
}

static void test_forced(void** state)
{
    (void)state;
    anim_simd before = anim_simd_chosen;
    assert_true(anim_simd_force(ANIM_SIMD_SCALAR));
    assert_int_equal(anim_simd_chosen, ANIM_SIMD_SCALAR);
    assert_int_equal(anim_simd_force(ANIM_SIMD_AVX2), anim_simd_best() == ANIM_SIMD_AVX2);
    assert_int_equal(anim_simd_chosen,
                     anim_simd_best() == ANIM_SIMD_AVX2 ? ANIM_SIMD_AVX2 : ANIM_SIMD_SCALAR);
    assert_false(anim_simd_force(ANIM_SIMD_COUNT));
    assert_true(anim_simd_force(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_at_load),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_what_is_no_name),
        cmocka_unit_test(test_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
