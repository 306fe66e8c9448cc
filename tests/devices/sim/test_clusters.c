/*
 * Checks thread-block clusters: the cluster barrier, access to other blocks' shared memory, and the
 * registers for a block's position in its cluster. Error messages for refused clusters are in
 * tests/texts/simulator.txt.
 */
#include "fixture.h"

#include "devices/sim/races/races.h"

#define BLOCKS 8
#define CLUSTER 4

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 out)\n{\n"                                                      \
    ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %d<9>;\n.shared .align 8 .b8 s[16];\n"        \
    "ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, s;\n"    \
    "mad.lo.s32 %r4, %r2, 16, 0;\nmul.wide.u32 %d2, %r2, 16;\nadd.s64 %d1, %d1, %d2;\n"            \
    "setp.ne.u32 %p1, %r1, 0;\n"
#define ARRIVE "barrier.cluster.arrive.release.aligned;\n"
#define WAIT "barrier.cluster.wait.acquire.aligned;\n"
/* Thread 0 of each block writes its block number to the next block's s[0]. */
#define WRITE_TO_NEXT                                                                              \
    "mov.u32 %r5, %cluster_ctarank;\nadd.s32 %r6, %r5, 1;\nand.b32 %r6, %r6, 3;\n"                 \
    "mapa.shared::cluster.u32 %r7, %r3, %r6;\n@!%p1 st.shared::cluster.u32 [%r7], %r2;\n"
#define READ_OWN "@!%p1 ld.shared.u32 %r8, [s];\n@!%p1 st.global.u32 [%d1], %r8;\n"

static bool run(struct fixture *f, const char *text, unsigned cluster, uint32_t out[BLOCKS * 4],
                struct counts *counts, struct error *e)
{
    struct module *m;
    struct buffer b = allocate(f, BLOCKS * 16);
    must(load_text(f, text, "k", &m, e), e);
    struct launch l = make_launch(m, BLOCKS, 64);
    l.kind = LAUNCH_CLUSTER;
    l.cluster = cluster;
    add_argument(&l, b.address, 8);
    struct counts before, after;
    sim_counts(f->device, &before);
    bool ok = launch(f, &l, e);
    sim_counts(f->device, &after);
    must(sim_driver.read(f->device, b, 0, out, BLOCKS * 16, &(struct error){0}), e);
    if (counts) {
        counts->shared[ACCESS_STORE].requests =
            after.shared[ACCESS_STORE].requests - before.shared[ACCESS_STORE].requests;
        counts->shared[ACCESS_STORE].wavefronts =
            after.shared[ACCESS_STORE].wavefronts - before.shared[ACCESS_STORE].wavefronts;
    }
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, b);
    return ok;
}

/* Each block gets the previous block's number in its cluster, with any number of host threads. */
static void test_neighbours_write(void **state)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct counts counts;
    uint32_t out[BLOCKS * 4];
    static const char text[] = HEAD WRITE_TO_NEXT ARRIVE WAIT READ_OWN "ret;\n}";
    for (int threads = 1; threads <= 3; threads++) {
        sim_set_threads(f->device, threads);
        must(run(f, text, CLUSTER, out, &counts, &e), &e);
        for (unsigned k = 0; k < BLOCKS; k++)
            assert_int_equal(out[k * 4], k / CLUSTER * CLUSTER + (k + CLUSTER - 1) % CLUSTER);
        assert_int_equal(counts.shared[ACCESS_STORE].requests, 0);
        assert_int_equal(counts.shared[ACCESS_STORE].wavefronts, 0);
    }
}

/*
 * Blocks exchange numbers through generic addresses. A store to a block's own shared memory counts
 * as one wavefront, and a store to another block's as none.
 */
static void test_generic_addresses(void **state)
{
    struct error e = {0};
    struct counts counts;
    uint32_t out[BLOCKS * 4];
    static const char text[] =
        HEAD "mov.u32 %r5, %cluster_ctaid.x;\nxor.b32 %r6, %r5, 1;\nmov.u64 %d3, s;\n"
             "cvta.shared.u64 %d3, %d3;\nmapa.u64 %d4, %d3, %r6;\n@!%p1 st.u32 [%d4+4], %r5;\n"
             "mapa.shared::cluster.u32 %r7, %r3, %r5;\n@!%p1 st.shared::cluster.u32 [%r7], %r2;\n"
             "@!%p1 atom.shared::cluster.add.u32 %r9, [%r7], 100;\n" ARRIVE WAIT READ_OWN
             "@!%p1 ld.shared.u32 %r8, [s+4];\n@!%p1 st.global.u32 [%d1+4], %r8;\nret;\n}";
    must(run(*state, text, CLUSTER, out, &counts, &e), &e);
    for (unsigned k = 0; k < BLOCKS; k++) {
        assert_int_equal(out[k * 4], k + 100);
        assert_int_equal(out[k * 4 + 1], (k % CLUSTER) ^ 1);
    }
    assert_int_equal(counts.shared[ACCESS_STORE].requests, 0);
    assert_int_equal(counts.shared[ACCESS_STORE].wavefronts, BLOCKS);
}

static void test_registers(void **state)
{
    struct error e = {0};
    uint32_t out[BLOCKS * 4];
    static const char text[] =
        HEAD "mov.u32 %r5, %cluster_ctarank;\nmov.u32 %r6, %cluster_nctarank;\n"
             "mov.u32 %r7, %clusterid.x;\nmov.u32 %r8, %nclusterid.x;\n"
             "@!%p1 st.global.v4.u32 [%d1], {%r5, %r6, %r7, %r8};\nret;\n}";
    must(run(*state, text, CLUSTER, out, NULL, &e), &e);
    for (unsigned k = 0; k < BLOCKS; k++) {
        assert_int_equal(out[k * 4], k % CLUSTER);
        assert_int_equal(out[k * 4 + 1], CLUSTER);
        assert_int_equal(out[k * 4 + 2], k / CLUSTER);
        assert_int_equal(out[k * 4 + 3], BLOCKS / CLUSTER);
    }
}

/* The barrier does not wait for threads that have ended, and can be reused. */
static void test_phases_and_ended_threads(void **state)
{
    struct error e = {0};
    uint32_t out[BLOCKS * 4];
    static const char text[] = HEAD "setp.ge.u32 %p2, %r1, 32;\n@%p2 ret;\n" ARRIVE WAIT ARRIVE WAIT
        WRITE_TO_NEXT ARRIVE WAIT READ_OWN "ret;\n}";
    must(run(*state, text, CLUSTER, out, NULL, &e), &e);
    for (unsigned k = 0; k < BLOCKS; k++)
        assert_int_equal(out[k * 4], k / CLUSTER * CLUSTER + (k + CLUSTER - 1) % CLUSTER);
}

/* Only the cluster barrier orders accesses of different blocks. */
static void test_races(void **state)
{
    struct fixture *f = *state;
    static struct race_report report;
    static const char *const texts[] = {
        HEAD WRITE_TO_NEXT ARRIVE WAIT READ_OWN "ret;\n}",
        HEAD "@!%p1 st.shared.u32 [s], %r2;\n" WRITE_TO_NEXT ARRIVE WAIT READ_OWN "ret;\n}",
    };
    for (int k = 0; k < 2; k++) {
        struct error e = {0};
        struct module *m;
        struct buffer b = allocate(f, BLOCKS * 16);
        must(load_text(f, texts[k], "k", &m, &e), &e);
        struct launch l = make_launch(m, BLOCKS, 64);
        l.kind = LAUNCH_CLUSTER;
        l.cluster = CLUSTER;
        add_argument(&l, b.address, 8);
        struct trial t = {.launches = &l, .launch_count = 1};
        must(sim_check_races(f->device, &t, &report, &e), &e);
        assert_int_equal(report.count, k);
        sim_driver.unload(f->device, m);
        sim_driver.free(f->device, b);
    }
    assert_true(report.races[0].shared);
    assert_int_equal(report.races[0].scope, RACE_GRID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_neighbours_write, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_generic_addresses, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_registers, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_phases_and_ended_threads, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_races, open_device, close_all),
    };
    return cmocka_run_group_tests_name("clusters", tests, NULL, NULL);
}
