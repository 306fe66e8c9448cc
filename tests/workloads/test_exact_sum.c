/*
 * Compares exact sums with integers of 128 bits, and with cases calculated by hand: ties,
 * subnormals, overflow, signs of zero, and infinities.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "workloads/exact_sum.h"

static double sum_of(const double *x, int count, enum element_type type)
{
    struct exact_sum s = {.pending = 0};
    for (int i = 0; i < count; i++)
        exact_add(&s, x[i]);
    return exact_round(&s, type);
}

#define SUM(type, ...)                                                                             \
    sum_of((const double[]){__VA_ARGS__}, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), \
           type)

static void results_by_hand(void **state)
{
    (void)state;
    const double most = 0x1.fffffffffffffp1023, mostf = 0x1.fffffep127;
    assert_true(SUM(TYPE_FLOAT64, 1, 0x1p-53) == 1); /* a tie rounds to even */
    /* Slightly above the tie, so it rounds up. */
    assert_true(SUM(TYPE_FLOAT64, 1, 0x1p-53, 0x1p-1074) == 1 + 0x1p-52);
    assert_true(SUM(TYPE_FLOAT64, 1 + 0x1p-52, 0x1p-53) == 1 + 0x1p-51);
    assert_true(SUM(TYPE_FLOAT32, 1, 0x1p-24) == 1);
    assert_true(SUM(TYPE_FLOAT32, 1, 0x1p-24, 0x1p-149) == 1 + 0x1p-23);
    assert_true(SUM(TYPE_FLOAT32, -1, -0x1p-24, -0x1p-149) == -1 - 0x1p-23);
    assert_true(SUM(TYPE_FLOAT64, most, -most, 0x1p-1074) == 0x1p-1074);
    assert_true(SUM(TYPE_FLOAT64, most, most, -most) == most); /* partial sums do not overflow */
    /* Half a unit in the last place above the largest number, so it rounds to infinity. */
    assert_true(isinf(SUM(TYPE_FLOAT64, most, 0x1p970)));
    assert_true(SUM(TYPE_FLOAT64, most, 0x1p969) == most);
    assert_true(isinf(SUM(TYPE_FLOAT32, mostf, 0x1p103)) &&
                SUM(TYPE_FLOAT32, mostf, 0x1p102) == mostf);
    assert_true(SUM(TYPE_FLOAT32, 0x1p-149, 0x1p-149, -0x1p-126) == -0x1p-126 + 0x1p-148);
    assert_true(!signbit(SUM(TYPE_FLOAT64, 1, -1)) && signbit(SUM(TYPE_FLOAT64, -0.0, -0.0)));
    assert_true(!signbit(SUM(TYPE_FLOAT64, -0.0, 0.0)));
    assert_true(isnan(SUM(TYPE_FLOAT64, 1, NAN)) && isnan(SUM(TYPE_FLOAT32, INFINITY, -INFINITY)));
    assert_true(SUM(TYPE_FLOAT32, -INFINITY, 5, -INFINITY) == -INFINITY);
    struct exact_sum none = {.pending = 0};
    assert_true(exact_round(&none, TYPE_FLOAT64) == 0 &&
                !signbit(exact_round(&none, TYPE_FLOAT64)));
}

/*
 * Rounds an integer times 2^-60 to `significand` bits, counted from its leading 1 bit. Ties round
 * to even.
 */
static double nearest(__int128 value, int significand)
{
    unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    int drop = 0;
    while (size >> drop >> significand)
        drop++;
    unsigned __int128 kept = size >> drop, rest = size - (kept << drop);
    unsigned __int128 half = drop ? (unsigned __int128)1 << (drop - 1) : 0;
    if (drop && (rest > half || (rest == half && (kept & 1))))
        kept++;
    double result = ldexp((double)(uint64_t)kept, drop - 60);
    return value < 0 ? -result : result;
}

/* The terms are integers of up to 53 bits, shifted by up to 60 bits, so their sum fits into 128
 * bits. It is merged from two halves. */
static void sums_are_rounded_once(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) {
        struct exact_sum a = {.pending = 0}, b = {.pending = 0};
        __int128 whole = 0;
        const int count = 1 + (int)(random_next(&random) % 40), span = 1 + round % 60;
        const bool single = round % 2;
        for (int i = 0; i < count; i++) {
            int64_t significand = (int64_t)(random_next(&random) >> (single ? 40 : 11));
            int exponent = (int)(random_next(&random) % (uint64_t)span);
            if (random_next(&random) % 2)
                significand = -significand;
            if (random_next(&random) % 4 == 0)
                significand = significand < 0 ? -1 : 1;
            whole += (__int128)significand * ((__int128)1 << exponent);
            exact_add(i % 3 ? &a : &b, ldexp((double)significand, exponent - 60));
        }
        exact_merge(&a, &b);
        double expected = nearest(whole, single ? 24 : 53);
        assert_true(exact_round(&a, single ? TYPE_FLOAT32 : TYPE_FLOAT64) == expected);
    }
}

/* Merging two sums does not lose the lowest digit, which only the smallest numbers reach, nor
 * NaN and infinities. */
static void sums_of_parts_have_all_of_their_parts(void **state)
{
    (void)state;
    static const double parts[][3] = {{0x1p-1074, 0x1p-1074, 0x1p-1073},
                                      {0x1p-1074, -0x1p-1073, -0x1p-1074},
                                      {1, 0x1p-1074, 1},
                                      {0x1p1000, 0x1p-1000, 0x1p1000},
                                      {5, (double)INFINITY, (double)INFINITY},
                                      {-(double)INFINITY, 5, -(double)INFINITY}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct exact_sum a = {.pending = 0}, b = {.pending = 0};
        exact_add(&a, parts[i][0]);
        exact_add(&b, parts[i][1]);
        exact_merge(&a, &b);
        assert_true(exact_round(&a, TYPE_FLOAT64) == parts[i][2]);
    }
    struct exact_sum a = {.pending = 0}, b = {.pending = 0};
    exact_add(&a, (double)INFINITY);
    exact_add(&b, -(double)INFINITY);
    exact_merge(&a, &b);
    assert_true(isnan(exact_round(&a, TYPE_FLOAT64)));
    struct exact_sum c = {.pending = 0}, d = {.pending = 0};
    exact_add(&c, -0.0);
    exact_add(&d, -0.0);
    exact_merge(&c, &d);
    assert_true(signbit(exact_round(&c, TYPE_FLOAT64)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_by_hand),
                                       cmocka_unit_test(sums_of_parts_have_all_of_their_parts),
                                       cmocka_unit_test(sums_are_rounded_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
