/* Runs batches.c, which looks for rows whose bits depend on the batch, on an invented runtime
 * that sums rows. It must find none if each sum begins with the row's first element, and some if
 * the first element of a sum depends on the row's address. */
#define INVENTED_BATCHES
#include "batches.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool by_place; /* whether the sum begins at the first multiple of 64 bytes */

/* Stores a sum as each row's result, even where the function should compute the mean and the
 * variance. Only bits are compared, so the values do not matter. */
static void invented_rows(const void *input, size_t rows, size_t row_length, void *output)
{
    double *sums = xcalloc(2 * rows, sizeof *sums);
    for (size_t row = 0; row < rows; row++) {
        const double *x = (const double *)input + row * row_length;
        size_t begin = by_place ? (uintptr_t)x % 64 / sizeof *x % row_length : 0;
        for (size_t i = 0; i < row_length; i++)
            sums[2 * row] += sqrt(x[(begin + i) % row_length]);
        sums[2 * row + 1] = (double)row_length;
    }
    free(expected.bytes);
    expected = (struct invented_store){output, (char *)sums, 2 * rows * sizeof *sums};
}

static int run_program(const char *batches)
{
    char *arguments[] = {(char[]){"batches"}, (char *)batches, (char[]){"32768"}};
    return run_batches(3, arguments);
}

static void equal_bits_pass(void **state)
{
    (void)state;
    by_place = false;
    assert_int_equal(run_program("640"), 0);
}

static void bits_that_depend_on_the_place_are_found(void **state)
{
    (void)state;
    by_place = true;
    assert_int_equal(run_program("640"), 1);
    assert_int_equal(run_program("0"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bits_pass),
        cmocka_unit_test(bits_that_depend_on_the_place_are_found),
    };
    return cmocka_run_group_tests_name("sub-batches", tests, NULL, NULL);
}
