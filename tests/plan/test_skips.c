/*
 * Checks which points cannot run, and why, and the shapes of launches. All of that follows from a
 * kernel's facts and a device's limits.
 */
#include "fixture.h"

static void absent_kernels_have_one_skipped_point(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(
        2,
        make_kernel("ints", "// result: partial\n// covers: BLOCK\n// blocks: multiple of 32\n"
                            "// types: int32 uint32\n// ops: sum\n"),
        make_kernel("unrolled", unroll_facts));
    struct config config = small_config();
    CHOOSE(config, block, 64, 128, 256);
    CHOOSE(config, unroll, 1, 16);
    CHOOSE(config, type, TYPE_INT32, TYPE_FLOAT64);
    CHOOSE(config, op, OP_SUM, OP_PROD);
    CHOOSE(config, scope, SCOPE_KERNEL, SCOPE_COMPLETE);
    struct plan *p = build(&config, &c, NULL);
    /* The group with int32 and sum has 3 × 2 scopes + 1 points, and the three other groups have
     * 1 + 1 points each. */
    assert_int_equal(p->point_count, 7 + 2 + 2 + 2);
    for (int i = 0; i < 13; i++)
        assert_int_equal(p->points[i].skip != 0, i >= 6);
    assert_int_equal(p->points[7].variant, UINT32_MAX);
    assert_ids_differ(p);
    plan_free(p);
    catalogue_free(&c);
}

/* Returns whether a kernel's single point is measured on a device. tests/texts/skips.txt has the
 * reasons. */
static bool measured_on(const char *facts, int block, const struct device_limits *limits)
{
    struct catalogue c = make_catalogue(1, make_kernel("one", facts));
    struct config config = small_config();
    CHOOSE(config, block, (uint64_t)block);
    struct plan *p = build(&config, &c, limits);
    assert_int_equal(p->point_count, 1);
    bool measured = p->points[0].skip == 0;
    plan_free(p);
    catalogue_free(&c);
    return measured;
}

/* If the device is unknown, none of its limits apply. */
static void unknown_devices_have_no_limits(void **state)
{
    (void)state;
    assert_true(measured_on(ONE "// min_arch: sm_100\n", 64, NULL));
    assert_true(measured_on(ONE "// launch: cluster(4)\n", 64, NULL));
    assert_false(measured_on(ONE, 100, NULL));
}

static void requirements_may_guard_the_other_facts(void **state)
{
    (void)state;
    /* Without the requirement, BLOCK / 96 would not be an integer, which is an error. */
    const char open[] = "// result: partial\n// covers: BLOCK / 96\n// blocks: multiple of 32\n";
    struct catalogue c = make_catalogue(1, make_kernel("one", open));
    struct config config = small_config();
    refused(&config, &c);
    catalogue_free(&c);
}

static void multiprocessors_are_judged_only_when_known(void **state)
{
    (void)state;
    const char facts[] = "// result: complete\n// covers: ceil_div(N, SMS)\n// grid: SMS\n"
                         "// blocks: multiple of 32\n// requires: SMS > 500\n"
                         "// requires: COVERS > 100\n";
    assert_true(measured_on(facts, 64, NULL));
    assert_false(measured_on(facts, 64, &h200));
    struct catalogue c = make_catalogue(1, make_kernel("one", facts));
    struct config config = small_config();
    struct plan *p = build(&config, &c, NULL);
    struct shape shape;
    struct error e = {0};
    assert_false(point_shape(plan_kernel(p, &p->points[0]), &p->points[0], 0, &shape, &e));
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    error_clear(&e);
    assert_true(point_shape(plan_kernel(p, &p->points[0]), &p->points[0], 100, &shape, &e));
    assert_int_equal(shape.grid, 100);
    assert_int_equal(shape.covers, 11);
    plan_free(p);
    catalogue_free(&c);
}

static void shapes_come_from_the_facts(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, n, 1000);
    struct plan *p = build(&config, &c, NULL);
    struct shape s;
    struct error e = {0};
    /* The kernel plain with 64 threads has 16 blocks and the depth log2(64) + 1. */
    assert_true(point_shape(plan_kernel(p, &p->points[0]), &p->points[0], 0, &s, &e));
    assert_int_equal(s.grid, 16);
    assert_int_equal(s.covers, 64);
    assert_int_equal(s.dynamic_smem, 0);
    assert_int_equal(s.workspace, 0);
    assert_true(s.depth == 7);
    assert_int_equal(s.cluster, 1);
    /* The kernel ticket with LOADS 4 has 4 blocks of 256 elements. */
    const struct point *ticket = &p->points[6];
    int loads = 0;
    assert_true(plan_tunable(p, ticket, "loads", &loads));
    assert_int_equal(loads, 4);
    assert_false(plan_tunable(p, ticket, "unknown", &loads));
    assert_false(plan_tunable(p, &p->points[0], "loads", &loads));
    assert_true(point_shape(plan_kernel(p, ticket), ticket, 0, &s, &e));
    assert_int_equal(s.covers, 256);
    assert_int_equal(s.grid, 4);
    assert_int_equal(s.dynamic_smem, 256);
    assert_int_equal(s.workspace, 32);
    assert_true(s.depth == 6 + 4 + 4);
    /* The kernel unrolled, with a factor of 4, has the depth log2(64) + 4. */
    assert_true(point_shape(plan_kernel(p, &p->points[7]), &p->points[7], 0, &s, &e));
    assert_int_equal(s.grid, 4);
    assert_true(s.depth == 10);
    plan_free(p);
    catalogue_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_kernels_have_one_skipped_point),
        cmocka_unit_test(unknown_devices_have_no_limits),
        cmocka_unit_test(requirements_may_guard_the_other_facts),
        cmocka_unit_test(multiprocessors_are_judged_only_when_known),
        cmocka_unit_test(shapes_come_from_the_facts),
    };
    return cmocka_run_group_tests_name("skips and shapes", tests, NULL, NULL);
}
