/* assert_near() checks that a number is within a tolerance of another one, which may be 0. It
 * replaces cmocka's assert_float_equal(), which converts its arguments to floats and accepts a
 * NaN in place of any number. */
#ifndef REDSWEEP_TESTS_NEAR_H
#define REDSWEEP_TESTS_NEAR_H

#include <math.h>

static inline void check_near(double value, double expected, double tolerance, const char *file,
                              int line)
{
    if (value == expected || fabs(value - expected) <= tolerance)
        return;
    print_error("%.17g is not within %g of %.17g\n", value, tolerance, expected);
    _fail(file, line);
}

#define assert_near(value, expected, tolerance)                                                    \
    check_near((value), (expected), (tolerance), __FILE__, __LINE__)

#endif
