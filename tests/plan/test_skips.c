/*
 * Points that cannot run, with their reasons, and launch shapes: what a kernel's facts and a
 * device's limits say.
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
    /* int32 sum: 3 × 2 scopes + 1; the three other groups: 1 + 1 */
    assert_int_equal(p->point_count, 7 + 2 + 2 + 2);
    assert_string_equal(p->reasons[p->points[6].skip],
                        "the kernel supports none of the chosen unroll factors");
    assert_string_equal(p->reasons[p->points[7].skip], "the kernel does not support prod");
    assert_string_equal(p->reasons[p->points[9].skip], "the kernel does not support float64");
    assert_int_equal(p->points[7].variant, UINT32_MAX);
    assert_ids_differ(p);
    plan_free(p);
    catalogue_free(&c);
}

/* The one point of one kernel on a device; returns its reason in a static buffer. */
static const char *reason_on(const char *facts, int block, const struct device_limits *limits)
{
    static char reason[256];
    struct catalogue c = make_catalogue(1, make_kernel("one", facts));
    struct config config = small_config();
    CHOOSE(config, block, (uint64_t)block);
    struct plan *p = build(&config, &c, limits);
    assert_int_equal(p->point_count, 1);
    snprintf(reason, sizeof reason, "%s", p->reasons[p->points[0].skip]);
    assert_int_equal(p->points[0].variant == UINT32_MAX, reason[0] != '\0');
    plan_free(p);
    catalogue_free(&c);
    return reason;
}

/* 2^20 elements of 4 bytes: 4 MiB, and as much again for a kernel that overwrites them. */
static void an_input_has_to_fit_into_the_memory(void **state)
{
    (void)state;
    static const struct {
        uint64_t mib;
        bool in_place;
        const char *reason;
    } cases[] = {
        {0, true, ""}, /* not known */
        {8, true, ""},
        {7, true, "the input and a copy of it take 8 MiB; this device has 7 MiB of memory"},
        {4, false, ""},
        {3, false, "the input takes 4 MiB; this device has 3 MiB of memory"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct device_limits d = h200;
        struct catalogue c = make_catalogue(1, make_kernel("one", ONE));
        struct config config = small_config();
        CHOOSE(config, n, 1 << 20);
        c.kernels[0]->in_place = cases[i].in_place;
        d.memory_bytes = cases[i].mib << 20;
        struct plan *p = build(&config, &c, &d);
        assert_string_equal(p->reasons[p->points[0].skip], cases[i].reason);
        plan_free(p);
        catalogue_free(&c);
    }
}

static void skips_say_why(void **state)
{
    (void)state;
    struct device_limits d = h200;
    assert_string_equal(reason_on(ONE, 64, &d), "");
    assert_string_equal(reason_on(ONE, 100, &d),
                        "the kernel needs a block size that is a multiple of 32, not 100");
    const char listed[] = "// result: partial\n// covers: BLOCK\n// blocks: 128 256\n";
    assert_string_equal(reason_on(listed, 256, &d), "");
    assert_string_equal(reason_on(listed, 64, &d),
                        "the kernel needs a block size of 128 256, not 64");
    assert_string_equal(reason_on(ONE "// min_arch: sm_100\n", 64, &d),
                        "the kernel needs compute capability 10.0; this device has 9.0");
    assert_string_equal(reason_on(ONE "// min_arch: sm_100\n", 64, NULL), "");
    d.cooperative = d.cluster = d.device_runtime = false;
    assert_string_equal(reason_on(ONE "// launch: cooperative\n", 64, &d),
                        "this device does not support cooperative launches");
    assert_string_equal(reason_on(ONE "// launch: cluster(4)\n", 64, &d),
                        "this device does not support thread-block clusters");
    assert_string_equal(reason_on(ONE "// link: device runtime\n", 64, &d),
                        "this device does not support kernels that launch kernels");
    d.max_block = 512;
    assert_string_equal(reason_on(ONE, 1024, &d),
                        "this device allows blocks of at most 512 threads, not 1024");
    d.max_dynamic_smem = 1023;
    assert_string_equal(reason_on(ONE "// shared: BLOCK * SIZEOF\n", 256, &d),
                        "the kernel needs 1024 bytes of dynamic shared memory per block; this "
                        "device has 1023");
    d.max_dynamic_smem = 1024;
    assert_string_equal(reason_on(ONE "// shared: BLOCK * SIZEOF\n", 256, &d), "");
    d.max_grid_x = 15;
    assert_string_equal(reason_on(ONE, 64, &d),
                        "the kernel needs a grid of 16 blocks; this device allows 15");
}

static void requirements_may_guard_the_other_facts(void **state)
{
    (void)state;
    /* without the requirement BLOCK / 96 would be no whole number, an error */
    const char guarded[] = "// result: partial\n// covers: BLOCK / 96\n// blocks: multiple of 32\n"
                           "// requires: BLOCK % 96 = 0\n";
    assert_string_equal(reason_on(guarded, 64, &h200),
                        "the kernel requires BLOCK % 96 = 0, but BLOCK = 64");
    assert_string_equal(reason_on(guarded, 192, &h200), "");
    const char open[] = "// result: partial\n// covers: BLOCK / 96\n// blocks: multiple of 32\n";
    struct catalogue c = make_catalogue(1, make_kernel("one", open));
    struct config config = small_config();
    refused(&config, &c, "kernels/one.cu: covers", "BLOCK = 64", "requires", NULL);
    catalogue_free(&c);
}

static void multiprocessors_are_judged_only_when_known(void **state)
{
    (void)state;
    const char facts[] = "// result: complete\n// covers: ceil_div(N, SMS)\n// grid: SMS\n"
                         "// blocks: multiple of 32\n// requires: SMS > 500\n"
                         "// requires: COVERS > 100\n";
    assert_string_equal(reason_on(facts, 64, NULL), "");
    assert_string_equal(reason_on(facts, 64, &h200),
                        "the kernel requires SMS > 500, but SMS = 132");
    struct device_limits many = h200;
    many.sms = 512;
    assert_string_equal(reason_on(facts, 64, &many),
                        "the kernel requires COVERS > 100, but COVERS = 2");
    struct catalogue c = make_catalogue(1, make_kernel("one", facts));
    struct config config = small_config();
    struct plan *p = build(&config, &c, NULL);
    struct shape shape;
    struct error e = {0};
    assert_false(point_shape(plan_kernel(p, &p->points[0]), &p->points[0], 0, &shape, &e));
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(e.text, "SMS"));
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
    /* plain, 64 threads: 16 blocks; depth log2(64) + 1 */
    assert_true(point_shape(plan_kernel(p, &p->points[0]), &p->points[0], 0, &s, &e));
    assert_int_equal(s.grid, 16);
    assert_int_equal(s.covers, 64);
    assert_int_equal(s.dynamic_smem, 0);
    assert_int_equal(s.workspace, 0);
    assert_true(s.depth == 7);
    assert_int_equal(s.cluster, 1);
    /* ticket with LOADS 4: 4 blocks of 256 elements */
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
    /* unrolled by 4: depth log2(64) + 4 */
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
        cmocka_unit_test(skips_say_why),
        cmocka_unit_test(an_input_has_to_fit_into_the_memory),
        cmocka_unit_test(requirements_may_guard_the_other_facts),
        cmocka_unit_test(multiprocessors_are_judged_only_when_known),
        cmocka_unit_test(shapes_come_from_the_facts),
    };
    return cmocka_run_group_tests_name("skips and shapes", tests, NULL, NULL);
}
