/*
 * Checks the race detector: it must report every racy kernel and nothing else. Its rules are
 * checked with small kernels that have one race each.
 */
#include "fixture.h"

#include "measure/race_check.h"

#include "devices/sim/races/races.h"
#include "plan/arguments.h"

/* Checks one of the catalogue's kernels on n elements. */
static void check_kernel(struct fixture *f, const struct kernel *k, int block, uint64_t n,
                         struct race_report *out)
{
    struct error e = {0};
    int unroll = k->unrolls.count ? k->unrolls.values[0] : 1;
    int32_t tunables[KERNEL_MAX_TUNABLES];
    for (int i = 0; i < k->tunable_count; i++)
        tunables[i] = k->tunables[i].allowed.values[0];
    enum element_type type;
    enum operation op;
    race_check_elements(k, &type, &op);
    /* For every type that is checked, `inner` elements are a whole number of packs of 16 bytes. */
    uint64_t inner = k->workload->any_axis ? 8 : 1;
    struct point rows = {.row_length = k->workload->by_rows ? n / inner / 2 : 0, .inner = inner};
    struct combination at = {.kernel = k,
                             .type = type,
                             .op = op,
                             .n = n,
                             .point = &rows,
                             .block = block,
                             .unroll = unroll,
                             .tunables = tunables,
                             .sms = 4};
    struct text reason = {0};
    must(shape_skip_reason(&at, NULL, &reason, &e), &e);
    if (k->workload->by_rows && reason.length > 0)
        rows.row_length = 100; /* the row length for kernels of short rows */
    text_free(&reason);
    struct shape shape;
    must(shape_evaluate(&at, &shape, NULL, &e), &e);
    struct module *m = load_kernel(f, k->name, 90, (int)type, (int)op, block, unroll);
    struct input values = workload_input(k->workload, type, op, n);
    values.seed = 11;
    struct buffer input = allocate(f, values.n * element_size(type)),
                  output = allocate(f, n * 8 + 4096);
    struct buffer workspace = allocate(f, shape.workspace + 16);
    struct launch l = kernel_launch(
        m, k, &shape,
        &(struct kernel_arguments){.input = input.address,
                                   .second = input.address + values.second * element_size(type),
                                   .output = output.address,
                                   .workspace = workspace.address,
                                   .n = n,
                                   .type = type});
    struct trial t = {.restore = values.n ? &values : NULL,
                      .input = input,
                      .zero = workspace,
                      .launches = &l,
                      .launch_count = 1};
    must(sim_check_races(f->device, &t, out, &e), &e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, input);
    sim_driver.free(f->device, output);
    sim_driver.free(f->device, workspace);
}

static void test_catalogue(void **state)
{
    struct fixture *f = *state;
    static struct race_report report;
    int silent = 0, racy = 0;
    for (int i = 0; i < f->kernels.count; i++) {
        const struct kernel *k = f->kernels.kernels[i];
        if (!runs_here(k))
            continue;
        check_kernel(f, k, 256,
                     k->workload->reduces   ? 5000
                     : k->workload->by_rows ? 10000
                                            : 70,
                     &report);
        if (!k->racy && report.count)
            fail_msg("%s is right, but: %s | %s | %s", k->name, report.races[0].first,
                     report.races[0].second, report.races[0].example);
        if (k->racy && !report.count)
            fail_msg("%s is racy, but nothing was found", k->name);
        /*
         * All races are within a warp, except in the kernel that launches another one before its
         * own block is done.
         */
        for (int j = 0; j < report.count; j++)
            assert_true(report.races[j].scope == RACE_WARP ||
                        (k->device_runtime && report.races[j].scope == RACE_BLOCK));
        silent += !k->racy;
        racy += k->racy != NULL;
    }
    assert_true(silent >= 20);
    assert_true(racy >= 4);
}

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 out, .param .u64 flag)\n{\n"                                    \
    ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.shared .align 4 .b8 s[4096];\n"       \
    "ld.param.u64 %d1, [out];\nld.param.u64 %d2, [flag];\nmov.u32 %r1, %tid.x;\n"                  \
    "mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %d3, %r1, 4;\nmov.u64 %d4, s;\n"                         \
    "add.s64 %d5, %d4, %d3;\nadd.s64 %d6, %d1, %d3;\n"

static void check_text(struct fixture *f, const char *text, unsigned grid, unsigned block,
                       struct race_report *out)
{
    struct error e = {0};
    struct module *m;
    must(load_text(f, text, "k", &m, &e), &e);
    struct buffer data = allocate(f, 8192), flag = allocate(f, 64);
    struct launch l = make_launch(m, grid, block);
    add_argument(&l, data.address, 8);
    add_argument(&l, flag.address, 8);
    struct trial t = {.zero = flag, .launches = &l, .launch_count = 1};
    must(sim_check_races(f->device, &t, out, &e), &e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
    sim_driver.free(f->device, flag);
}

static struct race_report report;

/* Each thread writes its element, then reads the element of its neighbor in the other warp. */
static void test_missing_block_barrier(void **state)
{
    static const char without[] = HEAD "st.shared.u32 [%d5], %r1;\n"
                                       "xor.b32 %r3, %r1, 32;\nmul.wide.u32 %d7, %r3, 4;\n"
                                       "add.s64 %d7, %d4, %d7;\nst.shared.u32 [%d7], %r1;\nret;\n}";
    static const char with[] = HEAD "st.shared.u32 [%d5], %r1;\nbar.sync 0;\n"
                                    "xor.b32 %r3, %r1, 32;\nmul.wide.u32 %d7, %r3, 4;\n"
                                    "add.s64 %d7, %d4, %d7;\nst.shared.u32 [%d7], %r1;\nret;\n}";
    check_text(*state, without, 1, 64, &report);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.races[0].scope, RACE_BLOCK);
    assert_true(report.races[0].shared);
    assert_true(report.races[0].first_writes && report.races[0].second_writes);
    check_text(*state, with, 1, 64, &report);
    assert_int_equal(report.count, 0);
}

static void test_missing_warp_barrier(void **state)
{
    static const char without[] = HEAD "st.shared.u32 [%d5], %r1;\nxor.b32 %r3, %r1, 1;\n"
                                       "mul.wide.u32 %d7, %r3, 4;\nadd.s64 %d7, %d4, %d7;\n"
                                       "ld.shared.u32 %r4, [%d7];\nret;\n}";
    static const char with[] = HEAD "st.shared.u32 [%d5], %r1;\nxor.b32 %r3, %r1, 1;\n"
                                    "mul.wide.u32 %d7, %r3, 4;\nadd.s64 %d7, %d4, %d7;\n"
                                    "bar.warp.sync -1;\nld.shared.u32 %r4, [%d7];\nret;\n}";
    check_text(*state, without, 1, 32, &report);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.races[0].scope, RACE_WARP);
    assert_true(report.races[0].first_writes && !report.races[0].second_writes);
    assert_non_null(strstr(report.races[0].first, "st.shared.u32"));
    assert_non_null(strstr(report.races[0].second, "ld.shared.u32"));
    check_text(*state, with, 1, 32, &report);
    assert_int_equal(report.count, 0);
}

/* Both blocks write the same elements. If the writes are atomic, they do not race. */
static void test_between_blocks(void **state)
{
    static const char plain[] = HEAD "st.global.u32 [%d6], %r2;\nret;\n}";
    static const char atomic[] = HEAD "red.global.add.u32 [%d6], %r2;\nret;\n}";
    static const char mixed[] = HEAD "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra A;\n"
                                     "red.global.add.u32 [%d6], %r2;\nret;\n"
                                     "A:\nst.global.u32 [%d6], %r2;\nret;\n}";
    check_text(*state, plain, 2, 32, &report);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.races[0].scope, RACE_GRID);
    assert_false(report.races[0].shared);
    check_text(*state, atomic, 2, 32, &report);
    assert_int_equal(report.count, 0);
    check_text(*state, mixed, 2, 32, &report);
    assert_int_equal(report.count, 1);
}

/*
 * Block 0 writes and raises a flag. Block 1 sees the flag and reads. Without the fence, this read
 * is a race.
 */
static void test_fence(void **state)
{
#define BEFORE                                                                                     \
    HEAD "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\nsetp.eq.u32 %p2, %r2, 1;\n@%p2 bra READ;\n"     \
         "st.global.u32 [%d1], %r2;\n"
#define AFTER                                                                                      \
    "atom.global.exch.b32 %r5, [%d2], 1;\nbra.uni END;\n"                                          \
    "READ:\nld.volatile.global.u32 %r6, [%d2];\nsetp.eq.u32 %p3, %r6, 0;\n@%p3 bra READ;\n"        \
    "ld.global.u32 %r7, [%d1];\nEND:\nret;\n}"
    check_text(*state, BEFORE "membar.gl;\n" AFTER, 2, 32, &report);
    assert_int_equal(report.count, 0);
    check_text(*state, BEFORE AFTER, 2, 32, &report);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.races[0].scope, RACE_GRID);
}

/* Accesses to different bytes of one word do not conflict. */
static void test_bytes_of_a_word(void **state)
{
    static const char bytes[] = HEAD "cvt.u64.u32 %d7, %r1;\nadd.s64 %d7, %d4, %d7;\n"
                                     "st.shared.u8 [%d7], %r1;\nret;\n}";
    check_text(*state, bytes, 1, 64, &report);
    assert_int_equal(report.count, 0);
}

/*
 * All lanes store to one address in one instruction. PTX says that one of the stores takes effect.
 */
static void test_one_instruction(void **state)
{
    static const char same[] = HEAD "st.shared.u32 [s], %r1;\nret;\n}";
    check_text(*state, same, 1, 32, &report);
    assert_int_equal(report.count, 0);
    check_text(*state, same, 1, 64, &report); /* two warps execute the instruction twice */
    assert_int_equal(report.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_catalogue, open_compiler, close_all),
        cmocka_unit_test_setup_teardown(test_missing_block_barrier, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_missing_warp_barrier, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_between_blocks, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_fence, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_bytes_of_a_word, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_one_instruction, open_device, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
