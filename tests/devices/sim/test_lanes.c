/*
 * The simulator's lane operations are compiled twice, for any CPU and for AVX2. Both versions must
 * return the same bits, no matter how many lanes are active. Every operation is tried with random
 * operands and with special ones (zeros, ones, extremes, NaN).
 */
#include "fixture.h"

#include "devices/sim/program/lanes.h"

enum { AREA = 16 * 256 };

static uint64_t random_state = 99;

static uint64_t random_bits(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545f4914f6cdd1dull;
}

static void fill_area(uint64_t *area)
{
    static const uint64_t awkward[] = {0,
                                       1,
                                       ~0ull,
                                       0x8000000000000000,
                                       0x7fffffffffffffff,
                                       0x7ff0000000000000,
                                       0x7fc000007fc00000,
                                       0x3f8000003f800000,
                                       0x3ff0000000000000,
                                       0x0000002000000020};
    for (int i = 0; i < AREA / 8; i++) {
        uint64_t bits = random_bits();
        area[i] = bits % 3 == 0 ? awkward[(bits >> 8) % (sizeof awkward / sizeof *awkward)]
                                : random_bits() >> (bits >> 16 & 31);
    }
}

/*
 * Returns whether two results are equal. NaNs all count as equal, because their payload depends on
 * the CPU.
 */
static bool equal(const struct lane_operation *op, const uint8_t *a, const uint8_t *b)
{
    if (memcmp(a, b, AREA) == 0)
        return true;
    bool wide = strstr(op->name, "f64") != NULL, narrow = strstr(op->name, "f32") != NULL;
    for (size_t i = 0; i < AREA / 4; i++) {
        float x, y;
        memcpy(&x, a + i * 4, 4);
        memcpy(&y, b + i * 4, 4);
        if (memcmp(&x, &y, 4) == 0 || (narrow && x != x && y != y))
            continue;
        double u, v;
        memcpy(&u, a + i / 2 * 8, 8);
        memcpy(&v, b + i / 2 * 8, 8);
        if (!(wide && u != u && v != v))
            return false;
    }
    return true;
}

static void test_rows(void **state)
{
    (void)state;
    if (lanes_best() == lanes_generic)
        skip(); /* this CPU runs only one of the two versions */
    static uint64_t launch[AREA / 8], one[AREA / 8], two[AREA / 8];
    static const uint32_t masks[] = {0xffffffff, 0x55555555, 1, 0x80000000, 0x0000ffff, 0};
    int rows = 0;
    for (const struct lane_operation *op = lanes_generic; op->name; op++, rows++) {
        const struct lane_operation *other = &lanes_avx2[rows];
        assert_string_equal(op->name, other->name);
        for (int round = 0; round < 60; round++) {
            fill_area(launch);
            fill_area(one);
            memcpy(two, one, sizeof one);
            struct lane_operands o = {.d = 0,
                                      .d2 = 256,
                                      .a = 512,
                                      .b = 768 | AREA_LAUNCH,
                                      .c = 1024,
                                      .combine = (uint8_t)(round % 4),
                                      .has_d2 = round % 2 == 1,
                                      .negate_c = round % 3 == 1,
                                      .mode = (uint8_t)random_bits()};
            uint8_t *const base_one[] = {(uint8_t *)one, (uint8_t *)launch};
            uint8_t *const base_two[] = {(uint8_t *)two, (uint8_t *)launch};
            uint32_t exec = masks[round % 6];
            op->run(base_one, &o, exec);
            other->run(base_two, &o, exec);
            if (!equal(op, (uint8_t *)one, (uint8_t *)two))
                fail_msg("%s differs between the two builds (round %d)", op->name, round);
        }
    }
    assert_null(lanes_avx2[rows].name);
    assert_true(rows > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
