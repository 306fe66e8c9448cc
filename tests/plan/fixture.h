/* Kernels, a device, and functions that build plans, for the tests of the plan. */
#ifndef REDSWEEP_TESTS_PLAN_FIXTURE_H
#define REDSWEEP_TESTS_PLAN_FIXTURE_H

#include "../fixture_kernels.h"

/* the facts of a kernel without special properties */
#define ONE "// result: partial\n// covers: BLOCK\n// blocks: multiple of 32\n"

static const char plain_facts[] = ONE;
static const char unroll_facts[] = "// result: partial\n// covers: BLOCK * UNROLL\n"
                                   "// blocks: power of two\n// unroll: 2 4 8\n";
static const char ticket_facts[] =
    "// result: complete\n// covers: BLOCK * LOADS\n// blocks: multiple of 32\n"
    "// constant: BLOCK\n// tunable: LOADS 4 1 2\n// tunable: POLICY 0 1\n"
    "// requires: BLOCK * LOADS <= 1024\n// workspace: 8 * GRID\n// shared: BLOCK * SIZEOF\n"
    "// depth: log2(BLOCK) + LOADS + GRID\n";

static inline struct plan *build(const struct config *config, const struct catalogue *c,
                                 const struct device_limits *limits)
{
    struct plan *p;
    struct error e = {0};
    if (!plan_build(config, c, limits, &p, &e))
        fail_msg("%s", e.text);
    return p;
}

/* Expects that the config is refused. The message is in tests/texts/plan.txt. */
static inline void refused(const struct config *config, const struct catalogue *c)
{
    struct plan *p;
    struct error e = {0};
    assert_false(plan_build(config, c, NULL, &p, &e));
    assert_null(p);
    assert_int_equal(e.kind, ERROR_CONFIG);
    error_clear(&e);
}

static inline struct catalogue three_kernels(void)
{
    return make_catalogue(3, make_kernel("plain", plain_facts), make_kernel("ticket", ticket_facts),
                          make_kernel("unrolled", unroll_facts));
}

static const struct device_limits h200 = {.cc = 90,
                                          .sms = 132,
                                          .max_block = 1024,
                                          .max_dynamic_smem = 232448,
                                          .max_grid_x = 2147483647,
                                          .device_runtime = true,
                                          .cooperative = true,
                                          .cluster = true};

static inline int by_id(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline void assert_ids_differ(const struct plan *p)
{
    uint64_t *ids = calloc(p->point_count, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t i = 0; i < p->point_count; i++)
        ids[i] = p->points[i].id;
    qsort(ids, p->point_count, sizeof *ids, by_id);
    for (uint32_t i = 1; i < p->point_count; i++)
        assert_true(ids[i - 1] != ids[i]);
    free(ids);
}

#endif
