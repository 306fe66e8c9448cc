/*
 * Reproduces the published table of a Tesla K80 (int32, n = 2^14, block 1024) to the last digit.
 * The table has 128-byte transactions and efficiencies, which follow from sectors and useful bytes.
 *
 * For neighbored_unroll_warp, only the efficiencies are transcribed (results/published/k80-reduce).
 * Its transactions are derived by hand, as follows. A line has 32 elements, and a 32-byte sector
 * has 8. In each of the 16 blocks, every pair of elements needs three accesses: a load of the first
 * element, a load of the second, and a store. Over all pairs, each of these accesses touches:
 *
 *                                                 elements         lines     sectors
 *   strides 1, 2, 4, 8: lanes 2, 4, 8, 16         512 + 256        4 x 32    128 + 128
 *     elements apart cover the block's 32 lines   + 128 + 64                 + 128 + 64
 *   six steps of one warp: 32 lanes, 16           6 x 32           6 x 16    6 x 32
 *     elements apart, cover 16 lines
 *   sum                                           1152             224       640
 *
 * In the last step, each lane's second element is 16 elements after its first, so lane 31 accesses
 * element 512, in a 17th line, which makes 225 lines. The block's result takes one more load and
 * one more store. A block therefore loads 224 + 225 + 1 = 450 lines and stores 224 + 1 = 225 lines.
 * The grid makes 16 x 450 = 7200 load transactions and 16 x 225 = 3600 store transactions. A block
 * loads 2 x 1152 + 1 = 2305 elements in 2 x 640 + 1 = 1281 sectors, with an efficiency of 2305 x 4
 * / (1281 x 32) = 22.49 %. It stores 1153 elements in 641 sectors, with an efficiency of 1153 x 4 /
 * (641 x 32) = 22.48 %.
 */
#include <math.h>

#include "fixture.h"

struct row {
    const char *kernel;
    int unroll;
    double gld, gst, gld_efficiency, gst_efficiency; /* the efficiencies in %, with two decimals */
};

static const struct row published[] = {
    {"neighbored", 1, 6128, 3072, 25.01, 25.00},
    {"neighbored_less", 1, 6128, 3072, 25.01, 25.00},
    {"neighbored_unroll_warp", 1, 7200, 3600, 22.49, 22.48},
    {"neighbored_unroll_warp_volatile", 1, 7200, 3600, 22.49, 22.48},
    {"interleaved", 1, 1168, 592, 98.04, 97.71},
    {"unroll", 2, 1096, 552, 99.01, 98.84},
    {"unroll", 4, 804, 276, 99.34, 98.84},
    {"unroll", 8, 658, 138, 99.60, 98.84},
};

static const char *const counters[] = {
    "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_set_accesses_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
};

static double two_decimals(double x)
{
    return floor(x * 100 + 0.5) / 100;
}

static void check_row(struct fixture *f, const struct row *r, int cc)
{
    enum { N = 1 << 14, BLOCK = 1024 };
    struct error e = {0};
    struct module *m = load_kernel(f, r->kernel, cc, TYPE_INT32, OP_SUM, BLOCK, r->unroll);
    struct buffer input = allocate(f, N * 4), output = allocate(f, N * 4);
    struct input values = {.type = TYPE_INT32, .op = OP_SUM, .n = N, .seed = 7};
    struct launch l = make_launch(m, (unsigned)(N / BLOCK / r->unroll), BLOCK);
    add_argument(&l, input.address, 8);
    add_argument(&l, output.address, 8);
    add_argument(&l, N, 4);
    struct trial t = {.restore = &values, .input = input, .launches = &l, .launch_count = 1};
    double v[4];
    must(sim_driver.count(f->device, &t, 1, counters, 4, v, &e), &e);
    printf("%-31s %d  gld %5.0f  gst %5.0f  %6.2f %%  %6.2f %%\n", r->kernel, r->unroll, v[0], v[1],
           v[2], v[3]);
    assert_true(v[0] == r->gld);
    assert_true(v[1] == r->gst);
    assert_true(two_decimals(v[2]) == r->gld_efficiency);
    assert_true(two_decimals(v[3]) == r->gst_efficiency);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, input);
    sim_driver.free(f->device, output);
}

static void test_compute_90(void **state)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        check_row(*state, &published[i], 90);
}

/*
 * The table must be the same with PTX for compute_100, in which operands may be literals and
 * parameters have attributes.
 */
static void test_compute_100(void **state)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        check_row(*state, &published[i], 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_compute_90, open_compiler, close_all),
        cmocka_unit_test_setup_teardown(test_compute_100, open_compiler, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
