/*
 * Checks a sampling simulator's memory: untouched memory takes no space, and reads return the same
 * bytes as in a simulator that stores everything. For every type, a launch with n = 2^30 needs at
 * most 1 GiB and 2 seconds of CPU time.
 */
#include "fixture.h"

#include <sys/resource.h>

#include "plan/arguments.h"
#include "plan/sample.h"

static void open_sampling(struct fixture *f)
{
    struct error e = {0};
    must(sim_driver.open("sample=4", NULL, &f->device, &e), &e);
    sim_set_threads(f->device, 2);
}

enum { BYTES = 3 << 20, SHIFT = 24, ELEMENTS = 200001 };

/* Fills the same part of memory in both simulators. */
static void fill_both(struct fixture both[2], struct buffer buffers[2], size_t at, size_t bytes,
                      uint8_t byte)
{
    struct error e = {0};
    for (int i = 0; i < 2; i++) {
        struct buffer part = {buffers[i].address + at, bytes};
        must(sim_driver.fill(both[i].device, part, byte, &e), &e);
    }
}

static void compare_both(struct fixture both[2], struct buffer buffers[2], size_t at, size_t bytes)
{
    static uint8_t contents[2][BYTES];
    struct error e = {0};
    for (int i = 0; i < 2; i++)
        must(sim_driver.read(both[i].device, buffers[i], at, contents[i], bytes, &e), &e);
    assert_memory_equal(contents[0], contents[1], bytes);
}

static void lazy_memory_holds_what_eager_memory_holds(void **state)
{
    struct fixture both[2] = {0};
    struct buffer buffers[2];
    struct error e = {0};
    (void)state;
    must(sim_driver.open("", NULL, &both[0].device, &e), &e);
    open_sampling(&both[1]);
    for (int i = 0; i < 2; i++)
        buffers[i] = allocate(&both[i], BYTES);
    fill_both(both, buffers, 0, BYTES, 0x7b);
    compare_both(both, buffers, BYTES - 4096, 4096);
    /* Each round generates the input again, with a margin before and behind it. */
    for (int round = 0; round < 3; round++) {
        struct input input = {.type = round == 1 ? TYPE_FLOAT64 : TYPE_INT32,
                              .op = OP_MAX,
                              .n = ELEMENTS,
                              .seed = (uint64_t)round};
        for (int i = 0; i < 2; i++) {
            struct buffer part = {buffers[i].address + SHIFT, BYTES - SHIFT};
            must(sim_driver.generate(both[i].device, part, &input, &e), &e);
        }
        compare_both(both, buffers, 70000 * (size_t)round, 100000);
        if (round > 0)
            compare_both(both, buffers, 0, SHIFT + 8);
        fill_both(both, buffers, 500000, 300000, (uint8_t)round);
        compare_both(both, buffers, 499990, 300020);
    }
    fill_both(both, buffers, 0, BYTES, 0x11);
    fill_both(both, buffers, 12345, BYTES - 2 * 12345, 0x11);
    fill_both(both, buffers, 1000000, 1, 0x12);
    compare_both(both, buffers, 0, BYTES);
    for (int i = 0; i < 2; i++)
        sim_driver.close(both[i].device);
}

/*
 * Makes one sampled launch as measure/ does, after filling the input and the output. Stores three
 * counts in `values`: the requests of loads, those of stores, and the blocks of the grid. Returns
 * the number of executed blocks.
 */
static uint64_t sample_large(struct fixture *f, const char *name, int block, enum element_type type,
                             uint64_t wanted, double values[3])
{
    const uint64_t n = 1ull << 30;
    const struct kernel *k = catalogue_find(&f->kernels, name);
    int unroll = k->unrolls.count ? 8 : 1;
    struct combination at = {.kernel = k, .type = type, .n = n, .block = block, .unroll = unroll};
    struct shape shape;
    struct error e = {0};
    struct block_sample sample;
    must(shape_evaluate(&at, &shape, NULL, &e), &e);
    assert_true(sample_choose(k, type, n, &shape, wanted, &sample));
    struct module *m = load_kernel(f, name, 90, (int)type, OP_SUM, block, unroll);
    struct input input = {.type = type, .op = OP_SUM, .n = n, .seed = 1};
    struct buffer in = allocate(f, n * element_size(type) + 4096);
    struct buffer out =
        allocate(f, (k->workload->reduces ? shape.grid : n) * element_size(type) + 4096);
    must(sim_driver.fill(f->device, in, 0x7b, &e) && sim_driver.fill(f->device, out, 0x7b, &e), &e);
    struct launch l =
        kernel_launch(m, k, &shape,
                      &(struct kernel_arguments){
                          .input = in.address, .output = out.address, .n = n, .type = type});
    l.sample = &sample;
    struct trial t = {.restore = &input, .input = in, .launches = &l, .launch_count = 1};
    static const char *const counters[] = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                           "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                           "sm__ctas_launched.sum"};
    must(sim_driver.count(f->device, &t, 1, counters, 3, values, &e), &e);
    assert_true(values[2] == (double)shape.grid);
    uint64_t executed = sample.count;
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, in);
    sim_driver.free(f->device, out);
    sample_free(&sample);
    return executed;
}

static void a_sample_of_2_to_the_30_takes_little(void **state)
{
    struct fixture *f = *state;
    sim_driver.close(f->device);
    open_sampling(f);
    const double n = 1 << 30;
    for (int type = 0; type < TYPE_COUNT; type++) {
        if (!operation_is_plain(OP_SUM, (enum element_type)type))
            continue;
        double values[3];
        assert_int_equal(sample_large(f, "unroll", 256, (enum element_type)type, 64, values), 66);
        assert_true(values[0] > n / 32 && values[0] < 2 * n / 32);
    }
    /* Each thread of this kernel stores 10 000 times, so only a few blocks are executed. */
    double values[3];
    uint64_t executed = sample_large(f, "divergence_thread", 1024, TYPE_FLOAT64, 64, values);
    assert_true(executed >= 4 && executed < 20);
    assert_true(values[1] == n / 32 * 20000);
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    /* ru_maxrss is in KiB. The whole input would take at least 4 GiB. */
    if (used.ru_maxrss > 1 << 20)
        fail_msg("%ld KiB were in memory", used.ru_maxrss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lazy_memory_holds_what_eager_memory_holds),
        cmocka_unit_test_setup_teardown(a_sample_of_2_to_the_30_takes_little, open_compiler,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
