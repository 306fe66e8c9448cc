/*
 * Checks the combinations that a config excludes or skips. Also checks which properties of a point
 * and of the device an exclude can use, and the reason why each point is skipped.
 */
#include "../texts/expected.h"
#include "base/vec.h"
#include "fixture.h"

#include <math.h>

static bool wants_all_known(void *context, const char *name, struct expr_value *value)
{
    const struct plan *p = ((const void **)context)[0];
    const struct point *point = ((const void **)context)[1];
    int tunable;
    enum axis_index axis = axis_find(name);
    *value =
        axis != AXIS_COUNT ? plan_axis_value(p, point, axis) : (struct expr_value){.number = NAN};
    if (axis == AXIS_COUNT && plan_tunable(p, point, name, &tunable))
        value->number = tunable;
    return true;
}

/* The planner excludes whole branches of combinations at once. The points that are left must be the
 * same as if the planner had checked each point. */
static void excludes_are_those_of_each_point(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "loads = 4 and policy = 1",
        "not (loads = 4) and block = 64",
        "loads != 4 or policy > 0",
        "unroll > 2 and (block = 128 or loads = 1)",
        "not (block = 64 or loads > 1)",
        "scope = complete and kernel != ticket",
        "scope = kernel or loads = 2",
        "block * loads >= 256",
        "if(loads > 1, policy = 0, block = 64)",
        "min(loads, policy) = 0 and kernel = \"tick*\"",
        "(loads + policy) % 2 = 1 or unroll = 8",
        "n / loads > 300 and not (policy = 1)",
        "-loads < -1",
    };
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, block, 64, 128);
    CHOOSE(config, unroll, 2, 4, 8);
    CHOOSE(config, scope, SCOPE_KERNEL, SCOPE_COMPLETE);
    struct plan *all = build(&config, &c, NULL);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct expr *x;
        struct error e = {0};
        if (!expr_parse(sources[i], &x, &e))
            fail_msg("%s", e.text);
        config.excludes = &x, config.exclude_count = 1;
        struct plan *p = build(&config, &c, NULL);
        uint32_t left = 0;
        for (uint32_t j = 0; j < all->point_count; j++) {
            const void *context[] = {all, &all->points[j]};
            double value;
            assert_true(expr_number(x, wants_all_known, context, &value, &e));
            if (value != 0 && !isnan(value))
                continue;
            if (left >= p->point_count || p->points[left++].id != all->points[j].id)
                fail_msg("%s: point %u", sources[i], j);
        }
        assert_int_equal(left, p->point_count);
        assert_int_equal(p->excluded, all->point_count - left);
        assert_true(left < all->point_count && p->notes[0] == '\0');
        plan_free(p);
        expr_free(x);
    }
    plan_free(all);
    catalogue_free(&c);
}

static void what_has_no_effect_is_noted(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    struct expr *excludes[2];
    assert_true(expr_parse("kernel = unrol", &excludes[0], NULL));
    assert_true(expr_parse("kernel = plain", &excludes[1], NULL));
    config.excludes = excludes, config.exclude_count = 2;
    CHOOSE(config, unroll, 1, 3, 4);
    struct plan *p = build(&config, &c, NULL);
    texts_expect("an exclude and an unroll factor of no kernel", p->notes);
    plan_free(p);
    expr_free(excludes[0]);
    expr_free(excludes[1]);
    catalogue_free(&c);
}

/* One config may have different sizes for different devices. If no device is known, conditions
 * on the device are false. */
static void expressions_know_the_device(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, n, 256, 1024, 4096);
    struct expr *excludes[2];
    assert_true(expr_parse("device = sim and n > 256", &excludes[0], NULL));
    assert_true(expr_parse("device != sim and n < 1024", &excludes[1], NULL));
    config.excludes = excludes, config.exclude_count = 2;
    struct device_limits sim = h200, cuda = h200;
    strcpy(sim.backend, "sim");
    strcpy(cuda.backend, "cuda");
    const struct device_limits *devices[] = {&sim, &cuda, NULL};
    static const uint64_t expected[3][2] = {{256, 256}, {1024, 4096}, {256, 4096}};
    for (int d = 0; d < 3; d++) {
        struct plan *p = build(&config, &c, devices[d]);
        uint64_t low = UINT64_MAX, high = 0;
        for (uint32_t i = 0; i < p->point_count; i++) {
            low = p->points[i].n < low ? p->points[i].n : low;
            high = p->points[i].n > high ? p->points[i].n : high;
        }
        assert_int_equal(low, expected[d][0]);
        assert_int_equal(high, expected[d][1]);
        assert_string_equal(p->notes,
                            ""); /* conditions that name another device exclude nothing here */
        plan_free(p);
    }
    expr_free(excludes[0]);
    expr_free(excludes[1]);
    catalogue_free(&c);
}

/* Points that the config skips stay in the plan with the config's reason. Their ids do not
 * change. */
static void what_the_config_skips_says_why(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, n, 256, 1024);
    CHOOSE(config, scope, SCOPE_KERNEL, SCOPE_COMPLETE);
    struct plan *all = build(&config, &c, &h200);
    struct config_skip skip = {.reason = (char *)"too slow"};
    assert_true(expr_parse("kernel = plain and n > 256 and scope = kernel", &skip.where, NULL));
    config.skips = &skip, config.skip_count = 1;
    struct plan *p = build(&config, &c, &h200);
    assert_int_equal(p->point_count, all->point_count);
    uint32_t skipped = 0;
    for (uint32_t i = 0; i < p->point_count; i++) {
        const struct point *at = &p->points[i];
        bool is = strcmp(plan_kernel(p, at)->name, "plain") == 0 && at->n > 256 &&
                  at->scope == SCOPE_KERNEL;
        assert_int_equal(at->id, all->points[i].id);
        assert_string_equal(p->reasons[at->skip],
                            is ? "too slow" : all->reasons[all->points[i].skip]);
        skipped += is;
    }
    assert_true(skipped > 0);
    plan_free(p);
    plan_free(all);
    expr_free(skip.where);
    assert_true(expr_parse("devise = sim", &skip.where, NULL));
    refused(&config, &c);
    expr_free(skip.where);
    catalogue_free(&c);
}

static void excludes_leave_points_out(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, block, 64, 128);
    CHOOSE(config, unroll, 2, 4, 8);
    struct expr *excludes[2];
    struct error e = {0};
    assert_true(expr_parse("kernel = \"unr*\" and block = 128 and unroll > 2", &excludes[0], &e));
    assert_true(expr_parse("t_loads = 4 or kernel = plain", &excludes[1], &e));
    config.excludes = excludes, config.exclude_count = 2;
    struct plan *p = build(&config, &c, NULL);
    /* The excludes remove 2 points of plain, 4 of ticket's 12, and 2 of unrolled's 6. */
    assert_int_equal(p->point_count, 8 + 4);
    assert_int_equal(p->excluded, 2 + 4 + 2);
    plan_free(p);
    expr_free(excludes[1]);
    assert_true(expr_parse("blok = 4", &excludes[1], &e));
    refused(&config, &c);
    expr_free(excludes[1]);
    assert_true(expr_parse("lods = 4", &excludes[1], &e));
    refused(&config, &c);
    expr_free(excludes[0]);
    expr_free(excludes[1]);
    catalogue_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excludes_are_those_of_each_point),
        cmocka_unit_test(what_has_no_effect_is_noted),
        cmocka_unit_test(expressions_know_the_device),
        cmocka_unit_test(what_the_config_skips_says_why),
        cmocka_unit_test(excludes_leave_points_out),
    };
    return cmocka_run_group_tests_name("exclude", tests, NULL, NULL);
}
