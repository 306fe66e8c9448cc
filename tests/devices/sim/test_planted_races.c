/*
 * Finds the race that was planted in tests/kernels/planted_races.cu, a tree without barriers. With
 * barriers, the kernel would be the same as smem_interleaved, for which the detector reports
 * nothing.
 */
#include "fixture.h"

#include "devices/sim/races/races.h"
#include "compile/compile.h"
#include "spec/kernel.h"

static int open_planted(void **state)
{
    struct error e = {0};
    char folder[4096], cache[4096];
    const char *planted = "tests/kernels";
    open_device(state);
    struct fixture *f = *state;
    must(find_kernel_folder(folder, sizeof folder, &e), &e);
    must(read_catalogues(folder, &planted, 1, &f->kernels, &f->support, &e), &e);
    find_cache_folder(cache, sizeof cache);
    must(compiler_open(cache, folder, &f->compiler, &e), &e);
    return 0;
}

static void find_races(struct fixture *f, const char *name, struct race_report *report)
{
    enum { N = 1000, BLOCK = 128 };
    struct error e = {0};
    const struct kernel *k = catalogue_find(&f->kernels, name);
    assert_non_null(k);
    struct combination at = {
        .kernel = k, .type = TYPE_INT32, .n = N, .block = BLOCK, .unroll = 1, .sms = 4};
    struct shape shape;
    must(shape_evaluate(&at, &shape, NULL, &e), &e);
    struct module *m = load_kernel(f, name, 90, TYPE_INT32, OP_SUM, BLOCK, 1);
    struct input values = {.type = TYPE_INT32, .op = OP_SUM, .n = N, .seed = 5};
    struct buffer input = allocate(f, N * 4), output = allocate(f, N * 4);
    struct launch l = shaped_launch(m, k, &shape);
    add_argument(&l, input.address, 8);
    add_argument(&l, output.address, 8);
    add_argument(&l, N, 4);
    struct trial t = {.restore = &values, .input = input, .launches = &l, .launch_count = 1};
    must(sim_check_races(f->device, &t, report, &e), &e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, input);
    sim_driver.free(f->device, output);
}

static void test_planted_race_is_found(void **state)
{
    static struct race_report report;
    find_races(*state, "planted_races", &report);
    assert_true(report.count > 0);
    bool in_block = false;
    for (int i = 0; i < report.count; i++) {
        assert_true(report.races[i].shared);
        assert_non_null(strstr(report.races[i].first, "planted_races.cu:"));
        in_block = in_block || report.races[i].scope == RACE_BLOCK;
    }
    assert_true(in_block);
    find_races(*state, "smem_interleaved", &report);
    assert_int_equal(report.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_planted_race_is_found, open_planted, close_all),
    };
    return cmocka_run_group_tests_name("planted races", tests, NULL, NULL);
}
