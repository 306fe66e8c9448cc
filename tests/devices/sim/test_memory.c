/*
 * Runs loads, stores, atomics and address computations, and checks registers and memory afterwards.
 *
 * Each piece of PTX runs with one block. `data` holds 4096 known bytes (byte k is k mod 251), and
 * each thread stores 8 bytes to `out`.
 */
#include "fixture.h"

#include "devices/sim/sim_memory.h"

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".global .align 8 .b8 g[16] = {1, 2, 3, 4, 5, 6, 7, 8};\n.const .align 4 .u32 c[2] = {7, "     \
    "9};\n"                                                                                        \
    ".extern .shared .align 16 .b8 dynamic[];\n"                                                   \
    ".visible .entry k(.param .u64 data, .param .u64 out, .param .u32 n)\n{\n"                     \
    ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<19>;\n.reg .b64 %d<19>;\n"                  \
    ".shared .align 16 .b8 s[1024];\n.local .align 16 .b8 l[32];\n"                                \
    "ld.param.u64 %d1, [data];\nld.param.u64 %d2, [out];\nmov.u32 %r1, %tid.x;\n"                  \
    "mul.wide.u32 %d3, %r1, 8;\nadd.s64 %d2, %d2, %d3;\nmov.u64 %d0, 0;\nmov.u32 %r0, 0;\n"
#define TAIL_R "cvt.u64.u32 %d0, %r0;\nst.global.u64 [%d2], %d0;\nret;\n}\n"
#define TAIL_D "st.global.u64 [%d2], %d0;\nret;\n}\n"

static uint8_t after[4096]; /* the contents of data after the launch */
static uint64_t out[64];

static void run_text(struct fixture *f, const char *text, unsigned block)
{
    struct error e = {0};
    struct module *m;
    uint8_t bytes[4096];
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (uint8_t)(k % 251);
    must(load_text(f, text, "k", &m, &e), &e);
    struct buffer data = allocate(f, sizeof bytes), result = allocate(f, sizeof out);
    must(sim_write(f->device, data, 0, bytes, sizeof bytes, &e), &e);
    struct launch l = make_launch(m, 1, block);
    l.dynamic_smem = 256;
    add_argument(&l, data.address, 8);
    add_argument(&l, result.address, 8);
    add_argument(&l, 5, 4);
    must(launch(f, &l, &e), &e);
    must(sim_driver.read(f->device, data, 0, after, sizeof after, &e), &e);
    must(sim_driver.read(f->device, result, 0, out, block * 8, &e), &e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
    sim_driver.free(f->device, result);
}

static void test_widths(void **state)
{
    run_text(*state, HEAD "ld.global.u8 %r0, [%d1+200];\n" TAIL_R, 1);
    assert_int_equal(out[0], 200);
    run_text(*state, HEAD "ld.global.s8 %r0, [%d1+200];\n" TAIL_R, 1);
    assert_int_equal(out[0], 0xffffffc8);
    run_text(*state, HEAD "ld.global.u16 %h0, [%d1+200];\ncvt.u32.u16 %r0, %h0;\n" TAIL_R, 1);
    assert_int_equal(out[0], 0xc9c8);
    run_text(*state, HEAD "ld.global.s16 %d0, [%d1+200];\n" TAIL_D, 1);
    assert_true(out[0] == 0xffffffffffffc9c8);
    run_text(*state, HEAD "ld.global.u32 %d0, [%d1+200];\n" TAIL_D, 1);
    assert_true(out[0] == 0xcbcac9c8);
    run_text(*state, HEAD "ld.global.s32 %d0, [%d1+200];\n" TAIL_D, 1);
    assert_true(out[0] == 0xffffffffcbcac9c8);
    run_text(*state, HEAD "ld.global.f64 %d0, [%d1+8];\n" TAIL_D, 1);
    assert_true(out[0] == 0x0f0e0d0c0b0a0908);
    run_text(*state,
             HEAD "mov.u32 %r4, 0x12345678;\nst.global.u8 [%d1+1], %r4;\n"
                  "st.global.u16 [%d1+2], %r4;\nst.global.u8 [%d1+9], 66;\n" TAIL_R,
             1);
    assert_int_equal(after[0], 0);
    assert_int_equal(after[1], 0x78);
    assert_int_equal(after[2], 0x78);
    assert_int_equal(after[3], 0x56);
    assert_int_equal(after[4], 4);
    assert_int_equal(after[9], 66);
}

static void test_vectors_and_hints(void **state)
{
    run_text(*state, HEAD "ld.global.v4.u32 {%r4, %r5, %r6, %r0}, [%d1+16];\n" TAIL_R, 1);
    assert_int_equal(out[0], 0x1f1e1d1c);
    run_text(*state, HEAD "ld.global.nc.v2.u64 {%d4, %d0}, [%d1+16];\n" TAIL_D, 1);
    assert_true(out[0] == 0x1f1e1d1c1b1a1918);
    run_text(*state, HEAD "ld.global.v2.u32 {_, %r0}, [%d1];\n" TAIL_R, 1);
    assert_int_equal(out[0], 0x07060504);
    run_text(*state,
             HEAD "ld.global.nc.L1::no_allocate.L2::128B.u32 %r0, [%d1];\nprefetch.global.L2 "
                  "[%d1];\nprefetchu.L1 [%d1];\n" TAIL_R,
             1);
    assert_int_equal(out[0], 0x03020100);
    run_text(*state, HEAD "ldu.global.u32 %r0, [%d1+4];\n" TAIL_R, 1);
    assert_int_equal(out[0], 0x07060504);
    run_text(*state,
             HEAD "ld.volatile.global.u32 %r4, [%d1];\nld.acquire.gpu.u32 %r0, [%d1];\n"
                  "st.release.gpu.global.u32 [%d1+4], %r0;\nmembar.gl;\n"
                  "fence.acq_rel.gpu;\n" TAIL_R,
             1);
    assert_int_equal(out[0], 0x03020100);
    assert_int_equal(after[7], 3);
    run_text(*state, HEAD "st.global.v4.u32 [%d1], {1, 2, %r0, 4};\n" TAIL_R, 1);
    assert_int_equal(after[4], 2);
    assert_int_equal(after[8], 0);
    assert_int_equal(after[12], 4);
}

static void test_spaces(void **state)
{
    run_text(*state, HEAD "ld.global.u64 %d0, [g];\n" TAIL_D, 1);
    assert_true(out[0] == 0x0807060504030201);
    run_text(*state, HEAD "mov.u64 %d4, g;\nld.global.u8 %r0, [%d4+3];\n" TAIL_R, 1);
    assert_int_equal(out[0], 4);
    run_text(*state, HEAD "ld.const.u32 %r0, [c+4];\n" TAIL_R, 1);
    assert_int_equal(out[0], 9);
    run_text(*state, HEAD "ld.param.u32 %r0, [n];\n" TAIL_R, 1);
    assert_int_equal(out[0], 5);
    /* The parameter is read at a computed address, 16 bytes after the first parameter. */
    run_text(*state, HEAD "mov.u64 %d4, data;\nld.param.u32 %r0, [%d4+16];\n" TAIL_R, 1);
    assert_int_equal(out[0], 5);
    run_text(*state,
             HEAD "mov.u32 %r4, dynamic;\nst.shared.u32 [%r4+252], 77;\n"
                  "mov.u32 %r5, s;\nsub.s32 %r0, %r4, %r5;\n" TAIL_R,
             1);
    assert_int_equal(out[0], 1024); /* the dynamic array follows the static one */
    run_text(*state, HEAD "mov.u32 %r0, %dynamic_smem_size;\nmov.u32 %r4, dynamic;\n" TAIL_R, 1);
    assert_int_equal(out[0], 256);
}

/* Each thread has its own local memory, and generic addresses reach every space. */
static void test_local_and_generic(void **state)
{
    run_text(*state, HEAD "st.local.u32 [l+4], %r1;\nld.local.u32 %r0, [l+4];\n" TAIL_R, 64);
    for (unsigned k = 0; k < 64; k++)
        assert_int_equal(out[k], k);
    run_text(*state,
             HEAD "mov.u64 %d4, l;\ncvta.local.u64 %d5, %d4;\nst.u32 [%d5+8], %r1;\n"
                  "ld.local.u32 %r0, [l+8];\n" TAIL_R,
             33);
    assert_int_equal(out[32], 32);
    /*
     * Stores to the first byte of local memory, whose generic address is right after the
     * shared-memory window.
     */
    run_text(*state,
             HEAD "mov.u64 %d4, l;\ncvta.local.u64 %d5, %d4;\nst.u32 [%d5], %r1;\n"
                  "ld.local.u32 %r0, [l];\ncvt.u64.u32 %d0, %r0;\nshl.b64 %d5, %d5, 32;\n"
                  "add.s64 %d0, %d0, %d5;\n" TAIL_D,
             33);
    for (unsigned k = 0; k < 33; k++)
        assert_int_equal(out[k], (SHARED_WINDOW + WINDOW_BYTES) << 32 | k);
    run_text(*state,
             HEAD "mov.u64 %d4, s;\ncvta.shared.u64 %d5, %d4;\nst.u32 [%d5+8], 7;\n"
                  "ld.shared.u32 %r4, [s+8];\ncvta.to.shared.u64 %d6, %d5;\n"
                  "ld.shared.u32 %r5, [%d6+8];\nadd.s32 %r0, %r4, %r5;\n" TAIL_R,
             1);
    assert_int_equal(out[0], 14);
    run_text(*state,
             HEAD "cvta.to.global.u64 %d4, %d1;\ncvta.global.u64 %d5, %d4;\n"
                  "ld.u32 %r0, [%d5+4];\n" TAIL_R,
             1);
    assert_int_equal(out[0], 0x07060504);
    run_text(*state,
             HEAD "mov.u64 %d4, s;\ncvta.shared.u64 %d5, %d4;\n"
                  "isspacep.shared %p1, %d5;\nisspacep.shared %p2, %d1;\n"
                  "isspacep.global %p3, %d1;\nisspacep.local %p4, %d5;\n"
                  "selp.u32 %r4, 1, 0, %p1;\nselp.u32 %r5, 2, 0, %p2;\n"
                  "selp.u32 %r6, 4, 0, %p3;\nselp.u32 %r7, 8, 0, %p4;\n"
                  "or.b32 %r0, %r4, %r5;\nor.b32 %r0, %r0, %r6;\n"
                  "or.b32 %r0, %r0, %r7;\n" TAIL_R,
             1);
    assert_int_equal(out[0], 5);
    /* The lanes of one instruction may access different memory spaces. */
    run_text(*state,
             HEAD "st.shared.u32 [s], 11;\nmov.u64 %d4, s;\ncvta.shared.u64 %d5, %d4;\n"
                  "setp.eq.u32 %p1, %r1, 1;\nselp.b64 %d6, %d5, %d1, %p1;\n"
                  "ld.u32 %r0, [%d6];\n" TAIL_R,
             2);
    assert_int_equal(out[0], 0x03020100);
    assert_int_equal(out[1], 11);
}

struct atomic_case {
    const char *line; /* the line works on the 32 or 64 bits at data + 256, which hold `before` */
    uint64_t before, after, result;
    bool wide;
};

static const struct atomic_case atomics[] = {
    {"atom.global.add.u32 %r0, [%d4], 5;", 7, 12, 7, false},
    {"atom.global.add.u64 %d0, [%d4], 5;", 1ull << 40, (1ull << 40) + 5, 1ull << 40, true},
    {"atom.global.add.f32 %r0, [%d4], 0f3F800000;", 0x40000000, 0x40400000, 0x40000000, false},
    {"atom.global.add.f64 %d0, [%d4], 0d3FF0000000000000;", 0x4000000000000000, 0x4008000000000000,
     0x4000000000000000, true},
    {"atom.global.min.s32 %r0, [%d4], -1;", 7, 0xffffffff, 7, false},
    {"atom.global.min.u32 %r0, [%d4], -1;", 7, 7, 7, false},
    {"atom.global.max.s64 %d0, [%d4], -1;", 7, 7, 7, true},
    {"atom.global.max.u64 %d0, [%d4], -1;", 7, ~0ull, 7, true},
    {"atom.global.max.u32 %r0, [%d4], 9;", 7, 9, 7, false},
    {"atom.global.and.b32 %r0, [%d4], 12;", 10, 8, 10, false},
    {"atom.global.or.b64 %d0, [%d4], 12;", 10, 14, 10, true},
    {"atom.global.xor.b32 %r0, [%d4], 12;", 10, 6, 10, false},
    {"atom.global.exch.b32 %r0, [%d4], 12;", 10, 12, 10, false},
    {"atom.global.exch.b64 %d0, [%d4], 12;", 10, 12, 10, true},
    {"atom.global.cas.b32 %r0, [%d4], 10, 3;", 10, 3, 10, false},
    {"atom.global.cas.b32 %r0, [%d4], 11, 3;", 10, 10, 10, false},
    {"atom.global.cas.b64 %d0, [%d4], 10, 3;", 10, 3, 10, true},
    {"atom.global.inc.u32 %r0, [%d4], 10;", 10, 0, 10, false},
    {"atom.global.inc.u32 %r0, [%d4], 11;", 10, 11, 10, false},
    {"atom.global.dec.u32 %r0, [%d4], 5;", 0, 5, 0, false},
    {"atom.global.dec.u32 %r0, [%d4], 5;", 3, 2, 3, false},
    {"atom.acq_rel.gpu.global.add.u32 %r0, [%d4], 1;", 1, 2, 1, false},
    {"atom.add.u32 %r0, [%d4], 1;", 1, 2, 1, false},
    {"red.global.add.u32 [%d4], 5; mov.u32 %r0, 1;", 7, 12, 1, false},
    {"red.relaxed.gpu.global.max.s32 [%d4], 50; mov.u32 %r0, 1;", 7, 50, 1, false},
};

static void test_atomics(void **state)
{
    for (size_t k = 0; k < sizeof atomics / sizeof *atomics; k++) {
        const struct atomic_case *c = &atomics[k];
        char text[4096];
        snprintf(text, sizeof text,
                 "%sadd.s64 %%d4, %%d1, 256;\nmov.u64 %%d5, %llu;\nst.global.u64 [%%d4], %%d5;\n"
                 "%s\n%s",
                 HEAD, (unsigned long long)c->before, c->line, c->wide ? TAIL_D : TAIL_R);
        run_text(*state, text, 1);
        uint64_t found = 0;
        memcpy(&found, after + 256, c->wide ? 8 : 4);
        if (out[0] != c->result || found != c->after)
            fail_msg("%s: result %llx, memory %llx", c->line, (unsigned long long)out[0],
                     (unsigned long long)found);
    }
}

/* A warp's lanes add one after the other, and each gets the sum of the lanes before it. */
static void test_atomics_of_all_lanes(void **state)
{
    run_text(*state,
             HEAD "st.shared.u32 [s], 0;\nbar.sync 0;\natom.shared.add.u32 %r0, [s], 2;\n" TAIL_R,
             64);
    uint64_t seen = 0;
    for (int k = 0; k < 64; k++) {
        assert_true(out[k] % 2 == 0 && out[k] < 128);
        seen |= 1ull << out[k] / 2;
    }
    assert_true(seen == ~0ull);
}

/*
 * Thread 0 starts a 64-byte copy that all threads wait for. Then they all arrive at a second
 * barrier and wait for each other.
 */
static void test_bulk_copy(void **state)
{
    run_text(*state,
             HEAD "mov.u32 %r4, s;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra W;\n"
                  "mbarrier.init.shared::cta.b64 [%r4+512], 1;\n"
                  "mbarrier.init.shared::cta.b64 [%r4+520], 64;\n"
                  "fence.proxy.async.shared::cta;\n"
                  "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4+512], 64;\n"
                  "createpolicy.fractional.L2::evict_first.b64 %d9, 1.0;\n"
                  "add.s32 %r6, %r4, 512;\nadd.s64 %d8, %d1, 32;\n"
                  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                  "L2::cache_hint [%r4+64], [%d8], 64, [%r6], %d9;\nW:\nbar.sync 0;\n"
                  "L:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r4+512], 0;\n"
                  "@!%p2 bra L;\nmbarrier.test_wait.parity.shared::cta.b64 %p3, [%r4+512], 1;\n"
                  "mbarrier.arrive.shared::cta.b64 %d7, [%r4+520];\n"
                  "M:\nmbarrier.try_wait.shared::cta.b64 %p4, [%r4+520], %d7;\n@!%p4 bra M;\n"
                  "ld.shared.u8 %r0, [%r4+100];\n@%p3 mov.u32 %r0, 0;\n"
                  "ld.global.L2::cache_hint.u32 %r7, [%d1], %d9;\n" TAIL_R,
             64);
    for (unsigned k = 0; k < 64; k++)
        assert_int_equal(out[k], 32 + 100 - 64);
}

/*
 * In each case, one thread uses a barrier that expects `arrivals` arrivals. `result` is %r0 at the
 * end (PTX ISA, mbarrier).
 */
static const struct barrier_case {
    unsigned arrivals;
    const char *lines;
    uint32_t result;
} barriers[] = {
    /* An arrival returns the barrier's state before that arrival. */
    {3,
     "mbarrier.arrive.shared::cta.b64 %d7, [s];\nmbarrier.arrive.shared::cta.b64 %d8, [s];\n"
     "mbarrier.pending_count.b64 %r5, %d7;\nmbarrier.pending_count.b64 %r6, %d8;\n"
     "mad.lo.u32 %r0, %r5, 10, %r6;\n",
     32},
    {3,
     "mbarrier.arrive.noComplete.shared::cta.b64 %d7, [s], 2;\n"
     "mbarrier.arrive.shared::cta.b64 %d7, [s];\nmbarrier.pending_count.b64 %r0, %d7;\n",
     1},
    /*
     * A phase ends with the last expected arrival, and the next phase expects the same number of
     * arrivals.
     */
    {2,
     "mbarrier.arrive.shared::cta.b64 %d7, [s];\nmbarrier.test_wait.shared::cta.b64 %p1, [s], "
     "%d7;\n"
     "mbarrier.arrive.shared::cta.b64 %d8, [s];\nmbarrier.test_wait.shared::cta.b64 %p2, [s], "
     "%d7;\n"
     "mbarrier.arrive.shared::cta.b64 %d8, [s];\nmbarrier.pending_count.b64 %r5, %d8;\n"
     "selp.u32 %r6, 100, 0, %p1;\nselp.u32 %r7, 10, 0, %p2;\nadd.u32 %r0, %r5, %r6;\n"
     "add.u32 %r0, %r0, %r7;\n",
     12},
    /* The barrier no longer waits for a thread that has been dropped. */
    {2,
     "mbarrier.arrive_drop.shared::cta.b64 %d7, [s];\nmbarrier.arrive.shared::cta.b64 %d7, [s];\n"
     "mbarrier.arrive.shared::cta.b64 %d8, [s];\nmbarrier.pending_count.b64 %r5, %d8;\n"
     "mbarrier.test_wait.parity.shared::cta.b64 %p1, [s], 1;\nselp.u32 %r6, 10, 0, %p1;\n"
     "add.u32 %r0, %r5, %r6;\n",
     11},
    /* A phase does not end before all expected bytes have arrived. */
    {1,
     "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s], 16;\n"
     "mbarrier.arrive.shared::cta.b64 %d7, [s];\n"
     "mbarrier.test_wait.parity.shared::cta.b64 %p1, [s], 0;\n"
     "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s], 16;\n"
     "mbarrier.test_wait.parity.shared::cta.b64 %p2, [s], 0;\n"
     "selp.u32 %r6, 10, 0, %p1;\nselp.u32 %r7, 1, 0, %p2;\nadd.u32 %r0, %r6, %r7;\n",
     1},
    /* Another barrier is initialized in the same place. */
    {1,
     "mbarrier.arrive.shared::cta.b64 %d7, [s];\nmbarrier.inval.shared::cta.b64 [s];\n"
     "mbarrier.init.shared::cta.b64 [s], 5;\nmbarrier.arrive.shared::cta.b64 %d7, [s];\n"
     "mbarrier.pending_count.b64 %r0, %d7;\n",
     5},
    /* This arrival takes effect when the thread's copies are complete. */
    {1,
     "cp.async.ca.shared.global [s+16], [%d1], 4;\n"
     "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [s];\n"
     "mbarrier.test_wait.parity.shared::cta.b64 %p1, [s], 0;\nselp.u32 %r0, 7, 0, %p1;\n",
     7},
};

static void test_barriers(void **state)
{
    for (size_t k = 0; k < sizeof barriers / sizeof *barriers; k++) {
        char text[4096];
        snprintf(text, sizeof text, "%smbarrier.init.shared::cta.b64 [s], %u;\n%s%s", HEAD,
                 barriers[k].arrivals, barriers[k].lines, TAIL_R);
        run_text(*state, text, 1);
        if (out[0] != barriers[k].result)
            fail_msg("%s: %u instead of %u", barriers[k].lines, (unsigned)out[0],
                     barriers[k].result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_widths, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_vectors_and_hints, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_spaces, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_local_and_generic, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_atomics, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_bulk_copy, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_barriers, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_atomics_of_all_lanes, open_device, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
