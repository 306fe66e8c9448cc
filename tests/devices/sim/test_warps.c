/*
 * Checks control flow and communication between lanes: divergence, reconvergence, calls, barriers,
 * shuffles and votes. `out` gets 4 bytes per thread.
 */
#include "fixture.h"

#define HEAD                                                                                       \
    ".visible .entry k(.param .u64 out, .param .u64 flag)\n{\n"                                    \
    ".reg .pred %p<9>;\n.reg .b32 %r<19>;\n.reg .b64 %d<19>;\n.shared .align 4 .b8 s[1024];\n"     \
    "ld.param.u64 %d1, [out];\nld.param.u64 %d2, [flag];\nmov.u32 %r1, %tid.x;\n"                  \
    "mov.u32 %r10, %ctaid.x;\nmov.u32 %r11, %ntid.x;\nmad.lo.s32 %r12, %r10, %r11, %r1;\n"         \
    "mul.wide.u32 %d3, %r12, 4;\nadd.s64 %d1, %d1, %d3;\nmov.u32 %r0, 1000;\n"
#define VERSION ".version 8.0\n.target sm_90\n.address_size 64\n"
#define TAIL "st.global.u32 [%d1], %r0;\nret;\n}\n"

static uint32_t out[4096];

static void run_shape(struct fixture *f, const char *text, const unsigned grid[3],
                      const unsigned block[3], enum launch_kind kind)
{
    struct error e = {0};
    struct module *m;
    must(load_text(f, text, "k", &m, &e), &e);
    struct buffer result = allocate(f, sizeof out), flag = allocate(f, 256);
    struct launch l = {.module = m,
                       .grid = {grid[0], grid[1], grid[2]},
                       .block = {block[0], block[1], block[2]},
                       .kind = kind};
    add_argument(&l, result.address, 8);
    add_argument(&l, flag.address, 8);
    must(launch(f, &l, &e), &e);
    must(sim_driver.read(f->device, result, 0, out, sizeof out, &e), &e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, result);
    sim_driver.free(f->device, flag);
}

static void run_text(struct fixture *f, const char *text, unsigned grid, unsigned block)
{
    run_shape(f, text, (unsigned[]){grid, 1, 1}, (unsigned[]){block, 1, 1}, LAUNCH_PLAIN);
}

/* Each lane iterates as often as its number, counting in %r0. */
static void test_loop_of_different_lengths(void **state)
{
    run_text(*state,
             VERSION HEAD "mov.u32 %r0, 0;\nL:\nadd.s32 %r0, %r0, 1;\n"
                          "setp.le.u32 %p1, %r0, %r1;\n@%p1 bra L;\n"
                          "add.s32 %r0, %r0, 100;\n" TAIL,
             2, 50);
    for (unsigned k = 0; k < 100; k++)
        assert_int_equal(out[k], k % 50 + 101);
}

static void test_nested_branches(void **state)
{
    run_text(*state,
             VERSION HEAD
             "and.b32 %r2, %r1, 1;\nand.b32 %r3, %r1, 2;\nsetp.ne.u32 %p1, %r2, 0;\n"
             "setp.ne.u32 %p2, %r3, 0;\nmov.u32 %r0, 0;\n@%p1 bra A;\n@%p2 bra B;\n"
             "add.s32 %r0, %r0, 1;\nbra.uni C;\nB:\nadd.s32 %r0, %r0, 2;\nC:\n"
             "add.s32 %r0, %r0, 10;\nbra.uni END;\nA:\n@!%p2 bra D;\nadd.s32 %r0, %r0, 3;\n"
             "D:\nadd.s32 %r0, %r0, 20;\nEND:\nadd.s32 %r0, %r0, 100;\nactivemask.b32 %r5;\n"
             "setp.ne.u32 %p3, %r5, -1;\n@%p3 mov.u32 %r0, 0;\n" TAIL,
             1, 32);
    static const uint32_t expected[4] = {111, 120, 112, 123};
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], expected[k % 4]);
}

static void test_early_ends(void **state)
{
    run_text(*state,
             VERSION HEAD "setp.lt.u32 %p1, %r1, 5;\n@%p1 exit;\n"
                          "setp.gt.u32 %p2, %r1, 9;\n@%p2 ret;\n"
                          "activemask.b32 %r0;\n" TAIL,
             1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], k >= 5 && k <= 9 ? 0x3e0 : 0);
}

static void test_branch_table(void **state)
{
    run_text(*state,
             VERSION HEAD "rem.u32 %r2, %r1, 3;\nT: .branchtargets A, B, C;\n"
                          "brx.idx %r2, T;\nA:\nmov.u32 %r0, 5;\nbra.uni END;\n"
                          "B:\nmov.u32 %r0, 6;\nbra.uni END;\nC:\nmov.u32 %r0, 7;\nEND:\n"
                          "activemask.b32 %r5;\nsetp.ne.u32 %p3, %r5, -1;\n"
                          "@%p3 mov.u32 %r0, 0;\n" TAIL,
             1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], 5 + k % 3);
}

/* f(x) returns early for small x, and g calls f. Only odd threads call g. */
static void test_calls(void **state)
{
    static const char text[] = VERSION
        ".func (.param .b32 r) f(.param .b32 x)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n"
        "ld.param.u32 %r1, [x];\nsetp.lt.u32 %p1, %r1, 10;\n@!%p1 bra L;\n"
        "st.param.b32 [r], 7;\nret;\nL:\nadd.s32 %r2, %r1, 1000;\nst.param.b32 [r], %r2;\nret;\n}\n"
        ".func (.param .b32 r) g(.param .b32 x)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [x];\n"
        "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r1;\ncall.uni (b), f, (a);\n"
        "ld.param.b32 %r2, [b];\n}\nadd.s32 %r3, %r2, %r1;\nst.param.b32 [r], %r3;\nret;\n}\n" HEAD
        "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra END;\n"
        "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r1;\ncall (b), g, (a);\n"
        "ld.param.b32 %r0, [b];\n}\nEND:\n" TAIL;
    run_text(*state, text, 1, 40);
    for (unsigned k = 0; k < 40; k++)
        assert_int_equal(out[k], k % 2 == 0 ? 1000 : k < 10 ? 7 + k : 1000 + 2 * k);
}

static void test_grid_shapes(void **state)
{
    struct fixture *f = *state;
    run_shape(f,
              VERSION HEAD
              "mov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\nmov.u32 %r4, %ntid.y;\n"
              "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %nctaid.x;\nmad.lo.s32 %r7, %r3, %r4, %r2;\n"
              "mad.lo.s32 %r7, %r7, %r11, %r1;\nmul.lo.s32 %r8, %r11, %r4;\n"
              "shl.b32 %r8, %r8, 1;\nmad.lo.s32 %r9, %r5, %r6, %r10;\n"
              "mad.lo.s32 %r0, %r9, %r8, %r7;\nld.param.u64 %d1, [out];\n"
              "mul.wide.u32 %d4, %r0, 4;\nadd.s64 %d1, %d1, %d4;\n" TAIL,
              (unsigned[]){2, 3, 1}, (unsigned[]){5, 4, 2}, LAUNCH_PLAIN);
    for (unsigned k = 0; k < 2 * 3 * 40; k++)
        assert_int_equal(out[k], k);
}

static void test_shuffles(void **state)
{
    run_text(*state,
             VERSION HEAD "shfl.sync.down.b32 %r0|%p1, %r1, 4, 31, -1;\n"
                          "@!%p1 add.s32 %r0, %r0, 100;\n" TAIL,
             1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], k < 28 ? k + 4 : k + 100);
    run_text(*state,
             VERSION HEAD "shfl.sync.up.b32 %r0|%p1, %r1, 3, 0, -1;\n"
                          "@!%p1 add.s32 %r0, %r0, 100;\n" TAIL,
             1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], k >= 3 ? k - 3 : k + 100);
    run_text(*state, VERSION HEAD "shfl.sync.bfly.b32 %r0, %r1, 5, 31, -1;\n" TAIL, 1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], k ^ 5);
    /* For segments of eight lanes, c is (32 - 8) << 8 | 31. */
    run_text(*state, VERSION HEAD "shfl.sync.idx.b32 %r0, %r1, 3, 0x181f, -1;\n" TAIL, 1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], k / 8 * 8 + 3);
    run_text(*state,
             VERSION HEAD "setp.lt.u32 %p1, %r1, 8;\n@!%p1 bra END;\n"
                          "shfl.sync.bfly.b32 %r0, %r1, 1, 31, 255;\nEND:\n" TAIL,
             1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], k < 8 ? k ^ 1 : 1000);
}

static void expect_one(struct fixture *f, const char *text, uint32_t expected)
{
    run_text(f, text, 1, 32);
    if (out[3] != expected)
        fail_msg("%u, but must be %u: %s", out[3], expected, strstr(text, "1000;"));
}

static void test_votes_matches_reductions(void **state)
{
#define PREDICATE "setp.lt.u32 %p1, %r1, 8;\n"
#define GIVE "selp.u32 %r0, 1, 0, %p2;\n"
    expect_one(*state, VERSION HEAD PREDICATE "vote.sync.ballot.b32 %r0, %p1, -1;\n" TAIL, 255);
    expect_one(*state, VERSION HEAD PREDICATE "vote.sync.ballot.b32 %r0, !%p1, -1;\n" TAIL, ~255u);
    expect_one(*state, VERSION HEAD PREDICATE "vote.sync.any.pred %p2, %p1, -1;\n" GIVE TAIL, 1);
    expect_one(*state, VERSION HEAD PREDICATE "vote.sync.all.pred %p2, %p1, -1;\n" GIVE TAIL, 0);
    expect_one(*state, VERSION HEAD PREDICATE "vote.sync.uni.pred %p2, %p1, -1;\n" GIVE TAIL, 0);
    expect_one(*state, VERSION HEAD "and.b32 %r2, %r1, 3;\nmatch.any.sync.b32 %r0, %r2, -1;\n" TAIL,
               0x88888888);
    expect_one(*state,
               VERSION HEAD "match.all.sync.b32 %r0|%p2, %r11, -1;\n@!%p2 bra E;\nE:\n" TAIL,
               0xffffffff);
    expect_one(*state, VERSION HEAD "match.all.sync.b32 %r3|%p2, %r1, -1;\n" GIVE TAIL, 0);
    expect_one(*state,
               VERSION HEAD "cvt.u64.u32 %d4, %r1;\nmatch.any.sync.b64 %r0, %d4, -1;\n" TAIL, 8);
    expect_one(*state, VERSION HEAD "redux.sync.add.s32 %r0, %r1, -1;\n" TAIL, 496);
    expect_one(*state, VERSION HEAD "redux.sync.max.u32 %r0, %r1, -1;\n" TAIL, 31);
    expect_one(*state, VERSION HEAD "neg.s32 %r2, %r1;\nredux.sync.min.s32 %r0, %r2, -1;\n" TAIL,
               (uint32_t)-31);
    expect_one(*state, VERSION HEAD "redux.sync.xor.b32 %r0, %r1, -1;\n" TAIL, 0);
    expect_one(*state, VERSION HEAD "redux.sync.or.b32 %r0, %r1, -1;\n" TAIL, 31);
    expect_one(*state, VERSION HEAD "redux.sync.and.b32 %r0, %r1, -1;\n" TAIL, 0);
    expect_one(*state, VERSION HEAD "elect.sync %r0|%p2, -1;\n" TAIL, 0);
    expect_one(*state, VERSION HEAD "mov.u32 %r0, %lanemask_lt;\n" TAIL, 7);
    expect_one(*state, VERSION HEAD "mov.u32 %r0, %lanemask_ge;\n" TAIL, ~7u);
}

static void test_block_barriers(void **state)
{
    /* Thread t writes, then reads the word that a thread of another warp wrote. */
    run_text(*state,
             VERSION HEAD
             "mul.wide.u32 %d4, %r1, 4;\nmov.u64 %d5, s;\nadd.s64 %d6, %d5, %d4;\n"
             "st.shared.u32 [%d6], %r1;\nbar.sync 0;\nxor.b32 %r2, %r1, 96;\n"
             "mul.wide.u32 %d4, %r2, 4;\nadd.s64 %d6, %d5, %d4;\nld.shared.u32 %r0, [%d6];\n" TAIL,
             2, 128);
    for (unsigned k = 0; k < 256; k++)
        assert_int_equal(out[k], (k % 128) ^ 96);
    /*
     * The first barrier is for two of four warps. The second barrier counts the threads whose
     * predicate is true.
     */
    run_text(*state,
             VERSION HEAD "setp.ge.u32 %p1, %r1, 64;\n@%p1 bra L;\nbarrier.cta.sync 1, 64;\nL:\n"
                          "setp.lt.u32 %p2, %r1, 50;\nbar.red.popc.u32 %r0, 0, %p2;\n" TAIL,
             1, 128);
    for (unsigned k = 0; k < 128; k++)
        assert_int_equal(out[k], 50);
    run_text(*state,
             VERSION HEAD "setp.lt.u32 %p2, %r1, 50;\nbar.red.and.pred %p3, 0, %p2;\n"
                          "bar.red.or.pred %p4, 0, !%p2;\nselp.u32 %r2, 1, 0, %p3;\n"
                          "selp.u32 %r0, 2, %r2, %p4;\n" TAIL,
             1, 128);
    assert_int_equal(out[77], 2);
    /* Warp 1 arrives without waiting, and warp 0 waits for it. */
    run_text(*state,
             VERSION HEAD "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra A;\nbar.sync 2, 64;\n"
                          "bra.uni E;\nA:\nst.shared.u32 [s], 5;\nbar.arrive 2, 64;\n"
                          "bra.uni F;\nE:\nld.shared.u32 %r0, [s];\nF:\n" TAIL,
             1, 64);
    assert_int_equal(out[0], 5);
}

/* The lanes on the two sides of a branch wait for each other at warp barriers. */
static void test_warp_barrier_in_both_ways(void **state)
{
    run_text(*state,
             VERSION HEAD
             "mul.wide.u32 %d4, %r1, 4;\nmov.u64 %d5, s;\nadd.s64 %d6, %d5, %d4;\n"
             "xor.b32 %r2, %r1, 16;\nmul.wide.u32 %d7, %r2, 4;\nadd.s64 %d7, %d5, %d7;\n"
             "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra A;\nst.shared.u32 [%d6], 1;\n"
             "bar.warp.sync -1;\nld.shared.u32 %r0, [%d7];\nbra.uni E;\n"
             "A:\nst.shared.u32 [%d6], 2;\nbar.warp.sync -1;\nld.shared.u32 %r0, [%d7];\nE:\n" TAIL,
             1, 32);
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(out[k], k < 16 ? 1 : 2);
}

/* With one host thread, block 0 waits for a flag that only the last block raises. */
static void test_blocks_that_wait_for_later_ones(void **state)
{
    run_text(*state,
             VERSION HEAD
             "setp.eq.u32 %p1, %r10, 9;\n@%p1 bra LAST;\nL:\nld.volatile.global.u32 %r0, [%d2];\n"
             "setp.eq.u32 %p2, %r0, 0;\n@%p2 bra L;\nbra.uni E;\n"
             "LAST:\nmov.u32 %r0, 77;\nst.volatile.global.u32 [%d2], %r0;\nE:\n" TAIL,
             10, 64);
    for (unsigned k = 0; k < 640; k++)
        assert_int_equal(out[k], 77);
    run_text(
        *state,
        VERSION HEAD
        "setp.eq.u32 %p1, %r10, 9;\n@%p1 bra LAST;\nL:\ngriddepcontrol.wait;\nnanosleep.u32 100;\n"
        "ld.global.u32 %r0, [%d2];\nsetp.eq.u32 %p2, %r0, 0;\n@%p2 bra L;\nbra.uni E;\n"
        "LAST:\nmov.u32 %r0, 77;\nst.global.u32 [%d2], %r0;\nE:\n" TAIL,
        10, 64);
    assert_int_equal(out[0], 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_loop_of_different_lengths, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_nested_branches, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_early_ends, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_branch_table, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_calls, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_grid_shapes, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_shuffles, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_votes_matches_reductions, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_block_barriers, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_warp_barrier_in_both_ways, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_blocks_that_wait_for_later_ones, open_device,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
