/*
 * Checks the plan: numbers of points (calculated by hand), their order and ids, points that are
 * left out or refused, and a large sweep.
 */
#include "base/vec.h"
#include "fixture.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

#include "../allocated.h"
#include "base/phase.h"

static void counts_are_those_worked_by_hand(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, n, 1000, 4096);
    CHOOSE(config, block, 96, 256, 512);
    CHOOSE(config, unroll, 1, 2, 8);
    CHOOSE(config, type, TYPE_INT32, TYPE_FLOAT32);
    CHOOSE(config, op, OP_SUM, OP_MAX);
    CHOOSE(config, cache, CACHE_COLD, CACHE_WARM);
    CHOOSE(config, scope, SCOPE_KERNEL, SCOPE_COMPLETE);
    struct plan *p = build(&config, &c, &h200);
    /* There is a group for each of 2 types × 2 ops × 2 sizes × 2 cache states. In each group, plain
     * has 3 blocks × 2 scopes, ticket has 3 blocks × 3 LOADS × 2 POLICY (with the scope `complete`
     * only), and unrolled has 3 blocks × 2 factors (2 and 8) × 2 scopes. */
    assert_int_equal(p->group_count, 16);
    assert_int_equal(p->point_count, 16 * (6 + 18 + 12));
    assert_int_equal(p->excluded, 0);
    /* In each group, 2 points of ticket are skipped (512 threads with LOADS 4, for 2 values of
     * POLICY), and 4 points of unrolled (96 threads, for 2 factors × 2 scopes). */
    uint32_t skipped = 0;
    for (uint32_t i = 0; i < p->point_count; i++)
        skipped += p->points[i].skip != 0;
    assert_int_equal(skipped, 16 * (2 + 4));
    /* For each type and op, plain has 1 variant (its block size is not compiled in), ticket has 3 ×
     * 3 × 2 − 2, and unrolled has 2. */
    assert_int_equal(p->variant_count, 4 * (1 + 16 + 2));
    assert_int_equal(p->reason_count, 3);
    assert_string_equal(p->reasons[0], "");
    assert_int_equal(p->tunable_name_count, 2);
    assert_string_equal(p->tunable_names[0], "loads");
    assert_string_equal(p->tunable_names[1], "policy");
    plan_free(p);
    catalogue_free(&c);
}

static void order_is_that_of_the_header(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, block, 64, 128);
    CHOOSE(config, unroll, 2, 4);
    CHOOSE(config, scope, SCOPE_KERNEL, SCOPE_COMPLETE);
    struct plan *p = build(&config, &c, NULL);
    static const char *const expected[] = {
        "plain int32 sum n=1024 block=64 cold kernel",
        "plain int32 sum n=1024 block=64 cold complete",
        "plain int32 sum n=1024 block=128 cold kernel",
        "plain int32 sum n=1024 block=128 cold complete",
        "ticket int32 sum n=1024 block=64 loads=1 policy=0 cold complete",
        "ticket int32 sum n=1024 block=64 loads=1 policy=1 cold complete",
        "ticket int32 sum n=1024 block=64 loads=2 policy=0 cold complete",
        "ticket int32 sum n=1024 block=64 loads=2 policy=1 cold complete",
        "ticket int32 sum n=1024 block=64 loads=4 policy=0 cold complete",
        "ticket int32 sum n=1024 block=64 loads=4 policy=1 cold complete",
        "ticket int32 sum n=1024 block=128 loads=1 policy=0 cold complete",
    };
    char label[128];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(plan_point_label(p, &p->points[i], label, sizeof label), expected[i]);
    assert_int_equal(p->point_count, 4 + 12 + 8);
    assert_string_equal(plan_point_label(p, &p->points[19], label, sizeof label),
                        "unrolled int32 sum n=1024 block=64 unroll=4 cold complete");
    assert_ids_differ(p);
    /* A label that does not fit is truncated, and nothing is written past the end of the buffer. */
    char small[8];
    assert_string_equal(plan_point_label(p, &p->points[4], small, sizeof small), "ticket ");
    plan_free(p);
    catalogue_free(&c);
}

/* An axis that does not affect the compiled code adds groups and ids. If the config has just the
 * axis's usual value, the groups and ids are the same as without the axis. */
static void run_time_axes_multiply_groups(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(
        2, make_kernel("plain", plain_facts),
        make_kernel("wide", "// result: partial\n// covers: BLOCK\n// blocks: multiple of 32\n"
                            "// requires: OFFSET % 4 = 0\n"));
    struct config without = small_config(), config = small_config(), same = small_config();
    struct plan *before = build(&without, &c, &h200);
    uint64_t offsets[] = {0, 1, 8};
    config.axis_values[AXIS_offset] = (struct config_values){offsets, 3};
    struct plan *p = build(&config, &c, &h200);
    assert_false(plan_has_axis(before, AXIS_offset));
    assert_true(plan_has_axis(p, AXIS_offset));
    assert_int_equal(p->group_count, 3 * before->group_count);
    assert_int_equal(p->point_count, 3 * before->point_count);
    assert_int_equal(p->variant_count, before->variant_count);
    /*
     * This plan has only one type, op, n and cache state, so all of its points form one group.
     */
    uint32_t count = before->point_count;
    for (uint32_t i = 0; i < p->point_count; i++) {
        char label[200];
        const struct point *at = &p->points[i];
        const struct kernel *k = plan_kernel(p, at);
        assert_int_equal(at->offset, offsets[i / count]);
        plan_point_label(p, at, label, sizeof label);
        assert_int_equal(strstr(label, "offset") != NULL, at->offset != 0);
        assert_true((at->id == before->points[i % count].id) == (at->offset == 0));
        assert_int_equal(at->skip != 0, strcmp(k->name, "wide") == 0 && at->offset == 1);
    }
    assert_ids_differ(p);
    same.axis_values[AXIS_offset] = (struct config_values){offsets, 1};
    /* only the axis's usual value */
    struct plan *usual = build(&same, &c, &h200);
    assert_false(plan_has_axis(usual, AXIS_offset));
    plan_free(before);
    plan_free(p);
    plan_free(usual);
    catalogue_free(&c);
}

/* If a row's elements are not adjacent (inner > 1), only kernels that can reduce over any axis
 * have points. Sizes that are not a multiple of row_length · inner are skipped. With inner = 1,
 * points have the same ids as without this axis. */
static void inner_sizes_are_for_kernels_of_any_axis(void **state)
{
    (void)state;
    struct catalogue c =
        make_catalogue(2,
                       make_kernel("tall", "// workload: rows\n// covers: BLOCK * ROW_LENGTH\n"
                                           "// blocks: multiple of 32\n"),
                       make_kernel("wide", "// workload: axis\n// covers: BLOCK * ROW_LENGTH\n"
                                           "// requires: INNER < 16\n// blocks: multiple of 32\n"));
    struct config without = small_config(), config = small_config(), none = small_config();
    struct error e = {0};
    CHOOSE(without, row_length, 64);
    CHOOSE(without, n, 1024);
    CHOOSE(config, row_length, 64);
    CHOOSE(config, n, 1024);
    CHOOSE(config, inner, 1, 8, 16, 32);
    struct plan *before = build(&without, &c, &h200), *p = build(&config, &c, &h200), *refused;
    assert_int_equal(before->point_count, 2);
    assert_int_equal(p->point_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const struct point *at = &p->points[i];
        bool any_axis = strcmp(plan_kernel(p, at)->name, "wide") == 0;
        assert_true(any_axis || at->inner == 1);
        assert_int_equal(at->skip != 0, at->inner > 8);
        if (at->inner == 1)
            assert_true(at->id == before->points[any_axis ? 1 : 0].id);
    }
    assert_ids_differ(p);
    none.kernels = (struct name_list){(char *[]){"tall"}, 1};
    CHOOSE(none, row_length, 64);
    CHOOSE(none, n, 1024);
    CHOOSE(none, inner, 8);
    assert_false(plan_build(&none, &c, &h200, &refused, &e));
    error_clear(&e);
    plan_free(before);
    plan_free(p);
    catalogue_free(&c);
}

/* Row-wise kernels have points with the config's row lengths. All other kernels have points with
 * the row length 0. Sizes that do not consist of whole rows are skipped. */
static void row_lengths_are_for_kernels_by_rows(void **state)
{
    (void)state;
    struct catalogue c =
        make_catalogue(2, make_kernel("plain", plain_facts),
                       make_kernel("tall", "// workload: rows\n// covers: BLOCK * ROW_LENGTH\n"
                                           "// blocks: multiple of 32\n"));
    struct config without = small_config(), config = small_config();
    const uint64_t lengths[] = {0, 16, 24, 2048};
    CHOOSE(config, row_length, 0, 16, 24, 2048);
    CHOOSE(config, n, 1024);
    CHOOSE(without, n, 1024);
    struct plan *before = build(&without, &c, &h200), *p = build(&config, &c, &h200);
    assert_int_equal(before->point_count, 1);
    assert_int_equal(p->point_count, 4);
    assert_int_equal(p->group_count, 4);
    assert_true(p->points[0].id == before->points[0].id);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(plan_kernel(p, &p->points[i])->name, i ? "tall" : "plain");
        assert_int_equal(p->points[i].row_length, lengths[i]);
        assert_int_equal(p->points[i].skip != 0, i >= 2);
        assert_true(plan_input(p, &p->points[i]).seed == plan_input(p, &p->points[0]).seed);
    }
    struct shape shape;
    struct error e = {0};
    assert_true(point_shape(plan_kernel(p, &p->points[1]), &p->points[1], 132, &shape, &e));
    assert_int_equal(shape.grid, 1); /* 64 rows with a thread each */
    plan_free(before);
    plan_free(p);
    catalogue_free(&c);
}

/* Each shape is a separate input: its row length is not combined with other shapes' sizes. A
 * point has the same id as if the config listed its size and row length on separate axes. */
static void shapes_pair_sizes_with_row_lengths(void **state)
{
    (void)state;
    struct catalogue c =
        make_catalogue(3, make_kernel("plain", plain_facts),
                       make_kernel("tall", "// workload: rows\n// covers: BLOCK * ROW_LENGTH\n"
                                           "// blocks: multiple of 32\n"),
                       make_kernel("wide", "// workload: axis\n// covers: BLOCK\n"
                                           "// blocks: multiple of 32\n"));
    struct config pairs = small_config(), product = small_config();
    struct config_shape shapes[] = {{96, 16, 2}, {1024, 16, 1}, {2000, 1000, 1}};
    CHOOSE(product, n, 1024, 4096);
    CHOOSE(product, row_length, 0, 16);
    pairs.shapes = shapes;
    pairs.shape_count = 3;
    pairs.only_shapes = true;
    struct plan *p = build(&pairs, &c, &h200), *q = build(&product, &c, &h200);
    /* tall can run two of the shapes, and wide can run three. */
    assert_int_equal(p->point_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(p->points[i].skip, 0);
    assert_true(p->points[0].n == 96 && p->points[0].inner == 2);
    assert_true(p->points[1].n == 1024 && p->points[4].row_length == 1000);
    assert_true(plan_has_axis(p, AXIS_row_length) && plan_has_axis(p, AXIS_inner));
    assert_false(plan_has_axis(q, AXIS_inner));
    assert_ids_differ(p);
    assert_int_equal(q->point_count, 6);
    assert_string_equal(plan_kernel(q, &q->points[1])->name, "tall");
    assert_true(q->points[1].n == 1024 && q->points[1].id == p->points[1].id);
    plan_free(p);
    /* Adds these shapes to the combinations of sizes and row lengths. The sizes 96 and 2000 are
     * new, and 1024 x 16 must not appear twice. */
    product.shapes = shapes;
    product.shape_count = 3;
    p = build(&product, &c, &h200);
    assert_int_equal(p->point_count, 6 + 3);
    assert_ids_differ(p);
    for (uint32_t i = 1; i < p->point_count; i++)
        assert_true(p->points[i - 1].n <= p->points[i].n);
    plan_free(p);
    plan_free(q);
    struct error e = {0};
    pairs.kernels = (struct name_list){(char *[]){"plain"}, 1};
    assert_false(plan_build(&pairs, &c, &h200, &p, &e));
    error_clear(&e);
    pairs.kernels = (struct name_list){(char *[]){"tall"}, 1};
    pairs.shape_count = 1;
    assert_false(plan_build(&pairs, &c, &h200, &p, &e));
    error_clear(&e);
    catalogue_free(&c);
}

/* A config is refused if an entry of `kernels` cannot have any point. The message says what to
 * change. */
static void kernels_need_row_lengths_that_suit_them(void **state)
{
    (void)state;
    struct catalogue c =
        make_catalogue(2, make_kernel("plain", plain_facts),
                       make_kernel("tall", "// workload: rows\n// covers: BLOCK * ROW_LENGTH\n"
                                           "// blocks: multiple of 32\n"));
    char *tall[] = {"tall"}, *plain[] = {"plain"}, *all[] = {"*"};
    struct config config = small_config();
    struct plan *p;
    struct error e = {0};
    config.kernels = (struct name_list){tall, 1};
    assert_false(plan_build(&config, &c, &h200, &p, &e));
    CHOOSE(config, row_length, 16);
    plan_free(build(&config, &c, &h200));
    config.kernels = (struct name_list){plain, 1};
    error_clear(&e);
    assert_false(plan_build(&config, &c, &h200, &p, &e));
    config.kernels = (struct name_list){all, 1};
    plan_free(build(&config, &c, &h200));
    error_clear(&e);
    catalogue_free(&c);
}

static void ids_are_stable(void **state)
{
    (void)state;
    struct catalogue all = three_kernels(),
                     one = make_catalogue(1, make_kernel("unrolled", unroll_facts));
    struct config config = small_config();
    struct plan *a = build(&config, &all, NULL), *b = build(&config, &one, &h200);
    /* A point's id does not depend on the catalogue or the device. Its value is part of the
     * format and must not change. */
    assert_true(a->points[a->point_count - 1].id == b->points[0].id);
    assert_true(b->points[0].id == 0xaabe32d511e3d9b4u);
    assert_true(a->variants[a->points[a->point_count - 1].variant].id ==
                b->variants[b->points[0].variant].id);
    plan_free(a);
    plan_free(b);
    catalogue_free(&all);
    catalogue_free(&one);
}

static void unused_axes_give_no_second_point(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(1, make_kernel("plain", plain_facts));
    struct config config = small_config();
    CHOOSE(config, unroll, 1, 2, 4, 8);
    struct plan *p = build(&config, &c, NULL);
    assert_int_equal(p->point_count, 1);
    assert_int_equal(p->points[0].unroll, 1);
    plan_free(p);
    catalogue_free(&c);
}

static void wide_indices_begin_above_2_31(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(1, make_kernel("plain", plain_facts));
    struct config config = small_config();
    CHOOSE(config, n, 1, 2147483648u, 2147483649u, 4294967296u);
    struct plan *p = build(&config, &c, NULL);
    assert_int_equal(p->variant_count, 2);
    assert_false(p->variants[p->points[1].variant].wide);
    assert_true(p->variants[p->points[2].variant].wide);
    assert_int_equal(p->points[2].variant, p->points[3].variant);
    plan_free(p);
    catalogue_free(&c);
}

static uint32_t points_for(const struct catalogue *c, int count, const char *first,
                           const char *second)
{
    char *names[] = {(char *)first, (char *)second};
    struct config config = small_config();
    config.kernels = (struct name_list){names, count};
    struct plan *p = build(&config, c, NULL);
    uint32_t points = p->point_count;
    plan_free(p);
    return points;
}

static void racy_kernels_must_be_asked_for(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(
        2, make_kernel("smem", plain_facts),
        make_kernel("smem_volatile", ONE "// racy: the last warp relies on lanes in step\n"));
    assert_int_equal(points_for(&c, 0, NULL, NULL), 1);
    assert_int_equal(points_for(&c, 1, "*", NULL), 1);
    assert_int_equal(points_for(&c, 1, "smem_volatile", NULL), 1);
    assert_int_equal(points_for(&c, 1, "smem*", NULL), 2);
    assert_int_equal(points_for(&c, 2, "*", "*_volatile"), 2);
    assert_int_equal(points_for(&c, 2, "smem", "smem"), 1); /* named twice, but measured once */
    catalogue_free(&c);
}

/* A config may select kernels by their name in the source, which several kernels may share. */
static void names_of_the_book_choose_kernels(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(3, make_kernel("gmem", ONE), make_kernel("gmem_two", ONE),
                                        make_kernel("other", ONE));
    for (int i = 0; i < 2; i++) {
        array_push(c.kernels[i]->aliases, c.kernels[i]->alias_count, xstrdup("reduceGmem"));
    }
    assert_int_equal(points_for(&c, 1, "reduceGmem", NULL), 2);
    assert_int_equal(points_for(&c, 1, "reduce*", NULL), 2);
    assert_int_equal(points_for(&c, 2, "reduceGmem", "gmem"), 2);
    struct config config = small_config();
    char *names[] = {"reduceGmm"};
    config.kernels = (struct name_list){names, 1};
    refused(&config, &c);
    catalogue_free(&c);
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    char *names[] = {"plain", "tiket"};
    config.kernels = (struct name_list){names, 2};
    refused(&config, &c);
    names[1] = "smem_*";
    refused(&config, &c);
    config.kernels.count = 0;
    int values[] = {2, 3};
    struct config_tunable tunable = {"load", false, values, 2};
    config.tunables = &tunable, config.tunable_count = 1;
    refused(&config, &c);
    tunable.name = "Loads";
    /* The value 3 is not allowed, so no point has it. */
    struct plan *p = build(&config, &c, NULL);
    assert_int_equal(p->point_count, 1 + 2 + 1);
    plan_free(p);
    values[0] = 7;
    refused(&config, &c);
    config.kernels.count = 1; /* The kernel plain alone has no tunable. */
    values[0] = 2;
    refused(&config, &c);
    catalogue_free(&c);
}

static void a_tunable_has_its_default_unless_the_config_asks(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    char *names[] = {"ticket"};
    char label[200];
    config.kernels = (struct name_list){names, 1};
    config.all_tunables = false;
    struct plan *p = build(&config, &c, NULL);
    assert_int_equal(p->point_count, 1);
    plan_point_label(p, &p->points[0], label, sizeof label);
    assert_non_null(strstr(label, "loads=4 policy=0"));
    plan_free(p);
    struct config_tunable tunable = {"LOADS", true, NULL, 0};
    config.tunables = &tunable, config.tunable_count = 1;
    p = build(&config, &c, NULL);
    assert_int_equal(p->point_count, 3);
    plan_free(p);
    catalogue_free(&c);
}

static void inputs_differ_and_seeds_are_odd_and_even(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(1, make_kernel("plain", plain_facts));
    struct config config = small_config();
    uint64_t sizes[17];
    for (int i = 0; i < 17; i++)
        sizes[i] = 1ull << (14 + i);
    config.axis_values[AXIS_n] = (struct config_values){sizes, 17};
    CHOOSE(config, type, TYPE_INT32, TYPE_UINT32, TYPE_INT64, TYPE_FLOAT32, TYPE_FLOAT64);
    struct plan *p = build(&config, &c, NULL);
    int odd = 0;
    uint64_t *seeds = calloc(p->point_count, sizeof *seeds);
    for (uint32_t i = 0; i < p->point_count; i++) {
        struct input in = plan_input(p, &p->points[i]);
        assert_true(in.n == p->points[i].n);
        assert_int_equal(in.type, p->points[i].type);
        odd += (int)(in.seed & 1);
        seeds[i] = in.seed;
    }
    assert_int_equal(p->point_count, 85);
    assert_in_range(odd, 25, 60);
    qsort(seeds, 85, sizeof *seeds, by_id);
    for (int i = 1; i < 85; i++)
        assert_true(seeds[i - 1] != seeds[i]);
    uint64_t before = plan_input(p, &p->points[0]).seed;
    config.seed = 2;
    assert_true(plan_input(p, &p->points[0]).seed != before);
    free(seeds);
    plan_free(p);
    catalogue_free(&c);
}

/* A sweep that is too large is refused before its points take memory. The message says which
 * axes make it large. */
static void too_many_points_are_refused(void **state)
{
    (void)state;
    static uint64_t sizes[65536], blocks[993];
    struct catalogue c = three_kernels();
    struct config config = small_config();
    for (int i = 0; i < 65536; i++)
        sizes[i] = 1 + (uint64_t)i;
    for (int i = 0; i < 993; i++)
        blocks[i] = 32 + (uint64_t)i;
    config.axis_values[AXIS_n] = (struct config_values){sizes, 65536};
    config.axis_values[AXIS_block] = (struct config_values){blocks, 993};
    CHOOSE(config, cache, CACHE_COLD, CACHE_WARM);
    CHOOSE(config, scope, SCOPE_KERNEL, SCOPE_COMPLETE);
    refused(&config, &c);
    config.axis_values[AXIS_n].count = 1;
    config.axis_values[AXIS_block].count = 32;
    plan_free(build(&config, &c, &h200));
    catalogue_free(&c);
}

/* Records the numbers that the planner reports for the progress line. */
static void note_phase(void *context, const struct phase *phase)
{
    struct phase *seen = context;
    seen->done = phase->done;
    seen->total = phase->total;
}

static void a_million_points_fit(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    uint64_t sizes[1400], blocks[32];
    for (int i = 0; i < 1400; i++)
        sizes[i] = 1000 + 999 * (uint64_t)i;
    for (int i = 0; i < 32; i++)
        blocks[i] = 32 * ((uint64_t)i + 1);
    config.axis_values[AXIS_n] = (struct config_values){sizes, 1400};
    config.axis_values[AXIS_block] = (struct config_values){blocks, 32};
    CHOOSE(config, unroll, 2, 4, 8);
    CHOOSE(config, cache, CACHE_COLD, CACHE_WARM);
    CHOOSE(config, scope, SCOPE_KERNEL, SCOPE_COMPLETE);
    /* There are 1400 × 2 groups, one per size and cache state. In each, plain has 64 points,
     * ticket 192 and unrolled 192. */
    struct rusage before, after;
    struct timespec begin, end;
    getrusage(RUSAGE_SELF, &before);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    struct phase planned = {0};
    phase_watch(note_phase, &planned);
    struct plan *p = build(&config, &c, &h200);
    phase_watch(NULL, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    getrusage(RUSAGE_SELF, &after);
    /* The product is sizes × cache states × kernels. */
    assert_int_equal(planned.done, 1400 * 2 * 3);
    assert_int_equal(planned.total, planned.done);
    assert_int_equal(p->point_count, 2800 * (64 + 192 + 192));
    assert_ids_differ(p);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    double megabytes = (double)(after.ru_maxrss - before.ru_maxrss) / 1024;
    print_message("%u points: %.2f s, %.0f MB\n", p->point_count, seconds, megabytes);
#ifndef __SANITIZE_ADDRESS__
    assert_true(megabytes < 120 * (double)p->point_count / 1e6);
#endif
    plan_free(p);
    catalogue_free(&c);
}

/* Nothing stays allocated, not even what excludes use while points are enumerated. */
static void a_plan_gives_back_all_its_memory(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    struct expr *excludes[2];
    assert_true(expr_parse("n > 2000", &excludes[0], NULL));
    assert_true(expr_parse("kernel = ticket and block = 512", &excludes[1], NULL));
    config.excludes = excludes, config.exclude_count = 2;
    CHOOSE(config, n, 1000, 4096);
    CHOOSE(config, block, 256, 512);
    size_t before = 0;
    for (int i = 0; i < 40; i++) {
        plan_free(build(&config, &c, &h200));
        /* The first plans, and the first call that counts memory, fill glibc's caches. */
        if (i >= 20 && i <= 30)
            before = allocated_bytes();
    }
    assert_int_equal(allocated_bytes(), before);
    expr_free(excludes[0]);
    expr_free(excludes[1]);
    catalogue_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_worked_by_hand),
        cmocka_unit_test(order_is_that_of_the_header),
        cmocka_unit_test(run_time_axes_multiply_groups),
        cmocka_unit_test(row_lengths_are_for_kernels_by_rows),
        cmocka_unit_test(inner_sizes_are_for_kernels_of_any_axis),
        cmocka_unit_test(shapes_pair_sizes_with_row_lengths),
        cmocka_unit_test(kernels_need_row_lengths_that_suit_them),
        cmocka_unit_test(ids_are_stable),
        cmocka_unit_test(unused_axes_give_no_second_point),
        cmocka_unit_test(wide_indices_begin_above_2_31),
        cmocka_unit_test(racy_kernels_must_be_asked_for),
        cmocka_unit_test(names_of_the_book_choose_kernels),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(a_tunable_has_its_default_unless_the_config_asks),
        cmocka_unit_test(inputs_differ_and_seeds_are_odd_and_even),
        cmocka_unit_test(too_many_points_are_refused),
        cmocka_unit_test(a_million_points_fit),
        cmocka_unit_test(a_plan_gives_back_all_its_memory),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
