/*
 * Runs kernels that launch other kernels, their children. Checks when a child runs and what memory
 * it sees, when tail launches run, how many launches may be pending, how deep launches may be
 * nested, and that the counts of a launch include those of its children.
 */
#include "fixture.h"
#include "../../texts/expected.h"

#include "devices/sim/races/races.h"
#include "compile/compile.h"

static int open_more(void **state)
{
    struct error e = {0};
    char folder[4096], cache[4096];
    const char *more = "tests/kernels";
    open_device(state);
    struct fixture *f = *state;
    must(find_kernel_folder(folder, sizeof folder, &e), &e);
    must(read_catalogues(folder, &more, 1, &f->kernels, &f->support, &e), &e);
    find_cache_folder(cache, sizeof cache);
    must(compiler_open(cache, folder, &f->compiler, &e), &e);
    return 0;
}

/* Reduces n ones, so the result is right if the outputs add up to n. */
static bool run(struct fixture *f, const char *name, int block, uint64_t n, unsigned grid,
                int64_t *sum, struct error *e)
{
    struct module *m = load_kernel(f, name, 90, TYPE_INT32, OP_SUM, block, 1);
    struct buffer input = allocate(f, n * 4), output = allocate(f, (n + grid + 2) * 4);
    int32_t *host = calloc(n + grid + 2, 4);
    assert_non_null(host);
    for (uint64_t i = 0; i < n; i++)
        host[i] = 1;
    must(sim_write(f->device, input, 0, host, n * 4, e), e);
    struct launch l = make_launch(m, grid, (unsigned)block);
    add_argument(&l, input.address, 8);
    add_argument(&l, output.address, 8);
    add_argument(&l, n, 4);
    bool ok = launch(f, &l, e);
    must(sim_driver.read(f->device, output, 0, host, (n + grid + 2) * 4, &(struct error){0}), e);
    *sum = 0;
    for (unsigned i = 0; i < grid; i++)
        *sum += host[i];
    free(host);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, input);
    sim_driver.free(f->device, output);
    return ok;
}

/* The child runs immediately, so its result is right only if a barrier precedes the launch. */
static void test_children_run_at_once(void **state)
{
    struct error e = {0};
    int64_t sum;
    must(run(*state, "nested", 256, 2048, 8, &sum, &e), &e);
    assert_int_equal(sum, 2048);
    must(run(*state, "nested_nosync", 256, 2048, 8, &sum, &e), &e);
    assert_int_not_equal(sum, 2048);
}

/* Tail launches wait for the whole grid, with any number of host threads. */
static void test_tails_run_at_the_end(void **state)
{
    struct fixture *f = *state;
    struct error e = {0};
    int64_t sum;
    for (int threads = 1; threads <= 4; threads += 3) {
        sim_set_threads(f->device, threads);
        must(run(f, "nested_wide", 64, 128 * 100, 100, &sum, &e), &e);
        assert_int_equal(sum, 128 * 100);
    }
}

static void test_a_full_pool_is_noticed(void **state)
{
    struct error e = {0};
    int64_t sum;
    /* The pool has room for exactly this many launches. */
    must(run(*state, "launches_many", 64, 1 << 14, 256, &sum, &e), &e);
    assert_false(run(*state, "launches_many", 64, (1 << 14) + 64, 257, &sum, &e));
    assert_int_equal(e.kind, ERROR_LAUNCH);
    texts_expect("a full pool of launches", without_ptx_line(&e));
}

/*
 * A thread that launches while the pool is full gets an error. Each thread has its own error, which
 * is cleared when the thread reads it. All accepted launches run.
 */
static void test_a_full_pool_can_be_met(void **state)
{
    struct fixture *f = *state;
    struct error e = {0};
    int32_t out[3];
    struct module *m = load_kernel(f, "launches_until_full", 90, TYPE_INT32, OP_SUM, 32, 1);
    struct buffer output = allocate(f, sizeof out);
    struct launch l = make_launch(m, 1, 32);
    add_argument(&l, output.address, 8);
    add_argument(&l, output.address, 8);
    add_argument(&l, 32, 4);
    must(launch(f, &l, &e), &e);
    must(sim_driver.read(f->device, output, 0, out, sizeof out, &e), &e);
    assert_int_equal(out[0], 1 << 14);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], 1 << 14);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, output);
}

/*
 * The first grid has 24 generations of descendants, the maximum depth. Each generation sees what
 * its children have written.
 */
static void test_depth_is_bounded(void **state)
{
    struct error e = {0};
    int64_t sum;
    must(run(*state, "launches_deep", 32, 25, 1, &sum, &e), &e);
    assert_int_equal(sum, 1);
    assert_false(run(*state, "launches_deep", 32, 26, 1, &sum, &e));
    texts_expect("launches that are 25 deep", e.text);
}

/*
 * A block of 64 threads has 2 warps. Its descendants of 32, 16, 8, 4 and 2 threads have one warp
 * each.
 */
static void test_counts_hold_the_children(void **state)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct counts before, after;
    int64_t sum;
    sim_counts(f->device, &before);
    must(run(f, "nested", 64, 64, 1, &sum, &e), &e);
    sim_counts(f->device, &after);
    assert_int_equal(sum, 64);
    assert_int_equal(after.warps - before.warps, 2 + 5);
}

static void find_races(struct fixture *f, const char *name, int block, uint64_t n, unsigned grid,
                       struct race_report *out)
{
    struct error e = {0};
    struct module *m = load_kernel(f, name, 90, TYPE_INT32, OP_SUM, block, 1);
    struct input values = {.type = TYPE_INT32, .op = OP_SUM, .n = n, .seed = 3};
    struct buffer input = allocate(f, n * 4), output = allocate(f, n * 4);
    struct launch l = make_launch(m, grid, (unsigned)block);
    add_argument(&l, input.address, 8);
    add_argument(&l, output.address, 8);
    add_argument(&l, n, 4);
    struct trial t = {.restore = &values, .input = input, .launches = &l, .launch_count = 1};
    must(sim_check_races(f->device, &t, out, &e), &e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, input);
    sim_driver.free(f->device, output);
}

/* Returns the example reported for the first race with this scope. */
static const char *example(const struct race_report *r, enum race_scope scope)
{
    for (int k = 0; k < r->count; k++)
        if (r->races[k].scope == scope)
            return r->races[k].example;
    fail_msg("none of the %d races has this scope", r->count);
    return "";
}

/*
 * A child's accesses race with those of its parent's other threads unless a barrier precedes the
 * launch.
 */
static void test_races_with_the_launching_grid(void **state)
{
    static struct race_report report;
    find_races(*state, "nested_nosync", 128, 1024, 8, &report);
    texts_expect("a race with a launched grid", example(&report, RACE_BLOCK));
    find_races(*state, "nested", 128, 1024, 8, &report);
    assert_int_equal(report.count, 0);
    find_races(*state, "nested_wide", 128, 1024, 4, &report);
    assert_int_equal(report.count, 0);
}

/* The threads of a launched grid race with each other. */
static void test_races_inside_a_launched_grid(void **state)
{
    static struct race_report report;
    find_races(*state, "launches_racy", 32, 32, 1, &report);
    assert_int_equal(report.count, 2);
    texts_expect("a race inside of a launched grid", example(&report, RACE_GRID));
    assert_non_null(strstr(report.races[0].first, "launches_racy.cu:"));
    assert_true(report.races[0].first_line != report.races[1].first_line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_children_run_at_once, open_more, close_all),
        cmocka_unit_test_setup_teardown(test_tails_run_at_the_end, open_more, close_all),
        cmocka_unit_test_setup_teardown(test_a_full_pool_is_noticed, open_more, close_all),
        cmocka_unit_test_setup_teardown(test_a_full_pool_can_be_met, open_more, close_all),
        cmocka_unit_test_setup_teardown(test_depth_is_bounded, open_more, close_all),
        cmocka_unit_test_setup_teardown(test_counts_hold_the_children, open_more, close_all),
        cmocka_unit_test_setup_teardown(test_races_with_the_launching_grid, open_more, close_all),
        cmocka_unit_test_setup_teardown(test_races_inside_a_launched_grid, open_more, close_all),
    };
    return cmocka_run_group_tests_name("device launch", tests, NULL, NULL);
}
