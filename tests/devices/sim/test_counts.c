/*
 * Compares counts with values derived by hand: sectors, lines and wavefronts of single
 * instructions, branches, and lanes. Also checks that counts do not depend on the number of host
 * threads.
 */
#include <math.h>

#include "fixture.h"

#include "devices/sim/counts/coalesce.h"

static void fill(uint64_t address[32], uint64_t first, uint64_t step)
{
    for (int lane = 0; lane < 32; lane++)
        address[lane] = first + (uint64_t)lane * step;
}

static void check_pieces(uint64_t first, uint64_t step, uint32_t exec, unsigned bytes,
                         unsigned sectors, unsigned lines)
{
    uint64_t address[32];
    fill(address, first, step);
    assert_int_equal(coalesce_pieces(address, exec, bytes, 5), sectors);
    assert_int_equal(coalesce_pieces(address, exec, bytes, 7), lines);
}

static void test_pieces(void **state)
{
    (void)state;
    check_pieces(4096, 4, ~0u, 4, 4, 1);     /* the lanes access 32 neighboring elements */
    check_pieces(4096 + 4, 4, ~0u, 4, 5, 2); /* the same elements, shifted by 4 bytes */
    check_pieces(4096, 8, ~0u, 4, 8, 2);     /* every second element */
    check_pieces(4096, 128, ~0u, 4, 32, 32); /* each lane has its own line */
    check_pieces(4096, 0, ~0u, 4, 1, 1);     /* all lanes read the same element */
    check_pieces(4096, 8, ~0u, 8, 8, 2);     /* each lane reads 8 bytes */
    check_pieces(4096, 16, ~0u, 16, 16, 4);  /* each lane reads 16 bytes */
    check_pieces(4096, 32, ~0u, 32, 32, 8);  /* each lane reads 32 bytes */
    check_pieces(4096, 4, 0xffff, 4, 2, 1);  /* half of the lanes */
    check_pieces(4096, 4, 1, 4, 1, 1);       /* one lane */
    check_pieces(4096, 4, 0x80000001, 4, 2, 1);
    check_pieces(4096, 4, 0x55555555, 4, 4, 1); /* every second lane */
    /* The addresses descend from 4096 to 4096 - 124. */
    check_pieces(4096, -4ull, ~0u, 4, 5, 2);
}

static void test_pieces_in_any_order(void **state)
{
    (void)state;
    uint64_t address[32];
    for (int lane = 0; lane < 32; lane++) /* a permutation of 32 neighboring elements */
        address[lane] = 4096 + (uint64_t)(lane * 13 % 32) * 4;
    assert_int_equal(coalesce_pieces(address, ~0u, 4, 5), 4);
    assert_int_equal(coalesce_pieces(address, ~0u, 4, 7), 1);
    for (int lane = 0; lane < 32; lane++) /* The lanes read two elements alternately. */
        address[lane] = lane % 2 ? 4096 : 81920;
    assert_int_equal(coalesce_pieces(address, ~0u, 4, 5), 2);
}

static void check_wavefronts(uint64_t step, uint32_t exec, unsigned bytes, unsigned expected)
{
    uint64_t address[32];
    fill(address, 0, step);
    assert_int_equal(coalesce_wavefronts(address, exec, bytes, false), expected);
    assert_int_equal(coalesce_wavefronts(address, exec, bytes, true), expected);
}

/*
 * Checks the wavefronts of a store and of a load in which lane i accesses address index(i) · bytes.
 * For loads, the hardware serves two groups of lanes at once if neighboring lanes access the same
 * address.
 */
static void check_equal_addresses(unsigned (*index)(unsigned lane), uint32_t exec, unsigned bytes,
                                  unsigned store, unsigned load)
{
    uint64_t address[32];
    for (unsigned lane = 0; lane < 32; lane++)
        address[lane] = (uint64_t)index(lane) * bytes;
    assert_int_equal(coalesce_wavefronts(address, exec, bytes, false), store);
    assert_int_equal(coalesce_wavefronts(address, exec, bytes, true), load);
}

static unsigned all_one(unsigned lane)
{
    (void)lane;
    return 0;
}

static unsigned pairs(unsigned lane)
{
    return lane / 2;
}

static unsigned by_two(unsigned lane) /* returns 0 1 0 1 2 3 2 3 … */
{
    return lane / 4 * 2 + lane % 2;
}

static unsigned by_four(unsigned lane)
{
    return lane / 8 * 4 + lane % 4;
}

static unsigned first_pairs(unsigned lane)
{
    return lane < 16 ? lane / 2 : lane;
}

static unsigned apart(unsigned lane)
{
    return lane;
}

static void test_wide_loads_of_equal_addresses(void **state)
{
    (void)state;
    check_equal_addresses(all_one, ~0u, 8, 2, 1);
    check_equal_addresses(all_one, ~0u, 16, 4, 2);
    check_equal_addresses(pairs, ~0u, 8, 2, 1);
    check_equal_addresses(pairs, ~0u, 16, 4, 2);
    check_equal_addresses(by_two, ~0u, 8, 2, 1);
    check_equal_addresses(by_two, ~0u, 16, 4, 2);
    check_equal_addresses(by_four, ~0u, 8, 2, 2); /* no lane agrees with a neighbor */
    check_equal_addresses(by_four, ~0u, 16, 4, 4);
    check_equal_addresses(first_pairs, ~0u, 8, 2, 2); /* some neighbors do not agree */
    check_equal_addresses(first_pairs, ~0u, 16, 4, 3);
    check_equal_addresses(pairs, 0x55555555, 8, 2, 1); /* the neighbors do not execute */
    /*
     * The two groups are served together but access two words in each bank, so they take two
     * wavefronts.
     */
    check_equal_addresses(apart, 0x55555555, 8, 2, 2);
    check_equal_addresses(apart, ~0u, 4, 1, 1);
}

/*
 * Compares a load's wavefronts with an H100's. Addresses rise by 16 bytes from one executing lane
 * to the next.
 */
static void check_dense_load(uint32_t exec, unsigned expected)
{
    uint64_t address[32];
    for (unsigned lane = 0; lane < 32; lane++)
        address[lane] = 16u * (unsigned)__builtin_popcount(exec & ((1u << lane) - 1));
    assert_int_equal(coalesce_wavefronts(address, exec, 16, true), expected);
}

static void test_wide_loads_of_some_lanes(void **state)
{
    (void)state;
    check_dense_load(0x01010101, 2);
    /* Lane 31 executes, but the neighboring lanes in the first half do not. */
    check_dense_load(0x80808080, 3);
    /* Lane 31 does not execute, so its neighbors need not access the same address. */
    check_dense_load(0x0f0f0f0f, 3);
    check_dense_load(0x88888888, 3);
    check_dense_load(0x96969696, 3);
    check_dense_load(0x04f704f7, 3);
    check_dense_load(0x0f0f, 1);
    check_dense_load(0x0f0f0000, 2);
    check_dense_load(~0u, 4);
}

static void check_least(uint32_t exec, unsigned bytes, unsigned store, unsigned load)
{
    assert_int_equal(coalesce_min_wavefronts(exec, bytes, false), store);
    assert_int_equal(coalesce_min_wavefronts(exec, bytes, true), load);
}

static void test_least_wavefronts(void **state)
{
    (void)state;
    check_least(~0u, 1, 1, 1);
    check_least(~0u, 4, 1, 1);
    check_least(0x80000000, 4, 1, 1);
    check_least(~0u, 8, 2, 2);    /* two half-warps */
    check_least(0xffff, 8, 1, 1); /* the first half-warp */
    /* Only 16 lanes execute, spread over both half-warps. */
    check_least(0x55555555, 8, 2, 1);
    check_least(0x8001ffff, 8, 2, 2);
    check_least(~0u, 16, 4, 4); /* four quarter-warps */
    check_least(0x01000100, 16, 2, 1);
    check_least(0, 16, 0, 0);
}

static void test_wavefronts(void **state)
{
    (void)state;
    check_wavefronts(4, ~0u, 4, 1);    /* each lane has its own bank */
    check_wavefronts(8, ~0u, 4, 2);    /* lanes 0 and 16 share a bank */
    check_wavefronts(16, ~0u, 4, 4);   /* a stride of four words */
    check_wavefronts(128, ~0u, 4, 32); /* all lanes in one bank */
    check_wavefronts(132, ~0u, 4, 1);  /* rows padded by one word */
    check_wavefronts(0, ~0u, 4, 1);    /* all lanes read one word */
    check_wavefronts(1, ~0u, 1, 1);    /* four lanes read bytes of one word */
    check_wavefronts(2, ~0u, 2, 1);
    check_wavefronts(8, ~0u, 8, 2);    /* two half-warps */
    check_wavefronts(8, 0xffff, 8, 1); /* one half-warp */
    check_wavefronts(16, ~0u, 8, 4);   /* two lanes share a bank in each half */
    check_wavefronts(16, ~0u, 16, 4);  /* four quarter-warps */
    check_wavefronts(16, 0xff, 16, 1);
    check_wavefronts(32, ~0u, 16, 8); /* lanes 0 and 4 share banks */
    check_wavefronts(128, 0x3, 4, 2);
    check_wavefronts(128, 0x1, 4, 1);
}

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 data)\n{\n"                                                     \
    ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.shared .align 16 .b8 s[16384];\n"     \
    ".local .align 16 .b8 l[64];\n"                                                                \
    "ld.param.u64 %d1, [data];\nmov.u32 %r1, %tid.x;\n"

static struct counts count_text(struct fixture *f, const char *text, unsigned block)
{
    struct error e = {0};
    struct module *m;
    must(load_text(f, text, "k", &m, &e), &e);
    struct buffer data = allocate(f, 65536);
    struct launch l = make_launch(m, 1, block);
    add_argument(&l, data.address, 8);
    struct counts c = count_launch(f, &l);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
    return c;
}

static void test_global_instructions(void **state)
{
    static const char text[] = HEAD "mul.wide.u32 %d2, %r1, 16;\nadd.s64 %d2, %d1, %d2;\n"
                                    "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d2];\n"
                                    "st.global.v2.u32 [%d2], {%r2, %r3};\n"
                                    "red.global.add.u32 [%d1], %r2;\n"
                                    "atom.global.add.u32 %r6, [%d1], 1;\n"
                                    "atom.global.add.u32 %r7, [%d1+128], 1;\n"
                                    "st.global.u32 [%d1+256], %r7;\nret;\n}";
    struct counts c = count_text(*state, text, 48); /* a full warp and half of another */
    assert_int_equal(c.warps, 2);
    assert_int_equal(c.threads, 48);
    assert_int_equal(c.global[ACCESS_LOAD].requests, 2);
    assert_int_equal(c.global[ACCESS_LOAD].sectors, 16 + 8);
    assert_int_equal(c.global[ACCESS_LOAD].lines, 4 + 2);
    assert_int_equal(c.global[ACCESS_LOAD].bytes, 48 * 16);
    assert_int_equal(c.global[ACCESS_STORE].requests, 4);
    assert_int_equal(c.global[ACCESS_STORE].sectors, 16 + 8 + 2);
    /* All lanes of a warp store to one address, whose bytes count once. */
    assert_int_equal(c.global[ACCESS_STORE].bytes, 48 * 8 + 2 * 4);
    /* %r6 is never read, so ptxas turns the atomic that writes it into a reduction. */
    assert_int_equal(c.global[ACCESS_REDUCTION].requests, 4);
    assert_int_equal(c.global[ACCESS_ATOMIC].requests, 2);
    assert_int_equal(c.global[ACCESS_ATOMIC].sectors, 2);
}

static void test_shared_and_local_instructions(void **state)
{
    static const char text[] =
        HEAD "shl.b32 %r2, %r1, 3;\nmov.u32 %r3, s;\nadd.s32 %r3, %r3, %r2;\n"
             "st.shared.u32 [%r3], %r1;\nld.shared.u32 %r4, [%r3];\n"
             "st.shared.u64 [%r3], %d1;\n"
             "st.local.u32 [l], %r1;\nst.local.u64 [l+8], %d1;\n"
             "ld.local.u32 %r5, [l];\nret;\n}";
    struct counts c = count_text(*state, text, 32);
    assert_int_equal(c.shared[ACCESS_STORE].requests, 2);
    assert_int_equal(c.shared[ACCESS_STORE].wavefronts, 2 + 2);
    assert_int_equal(c.shared[ACCESS_LOAD].wavefronts, 2);
    assert_int_equal(c.shared[ACCESS_LOAD].bytes, 128);
    /* In local memory, the same word of neighboring lanes is at neighboring addresses. */
    /* As on GPUs, an access takes one request per 32-bit word. */
    assert_int_equal(c.local[ACCESS_STORE].requests, 1 + 2);
    assert_int_equal(c.local[ACCESS_STORE].sectors, 4 + 8);
    assert_int_equal(c.local[ACCESS_LOAD].sectors, 4);
    assert_int_equal(c.global[ACCESS_LOAD].requests, 0);
}

#define ROWS_OF(BYTES)                                                                             \
    HEAD "setp.eq.u32 %p1, %r1, 99;\nmul.lo.s32 %r2, %r1, " BYTES ";\nmov.u32 %r3, s;\n"           \
         "add.s32 %r3, %r3, %r2;\nadd.s32 %r4, %r3, %r1;\n"
#define STORE(WHERE) "st.shared.u32 [" WHERE "], %r1;\n"
#define LOAD(WHAT, WHERE) "ld.shared.u32 " WHAT ", [" WHERE "];\n"
#define END "ret;\n}"

/* Accesses to neighboring words count as one if ptxas may combine them (combine.h). */
static void test_combined_accesses(void **state)
{
    static const struct {
        const char *text;
        unsigned stores, store_wavefronts, loads, load_wavefronts;
    } cases[] = {
        {ROWS_OF("8") STORE("%r3") STORE("%r3+4") LOAD("%r5", "%r3+4") LOAD("%r6", "%r3") END, 1, 2,
         1, 2},
        {ROWS_OF("8") STORE("%r3+4") STORE("%r3") END, 1, 2, 0, 0},
        {ROWS_OF("16") STORE("%r3") STORE("%r3+4") STORE("%r3+8") STORE("%r3+12") END, 1, 4, 0, 0},
        {ROWS_OF("8") STORE("%r3") STORE("%r3+4") STORE("%r3+8") STORE("%r3+12") END, 2, 4, 0, 0},
        {ROWS_OF("8") STORE("s") STORE("s+4") END, 1, 2, 0, 0},
        /* The pair is not aligned in every lane. */
        {ROWS_OF("12") STORE("%r3") STORE("%r3+4") END, 2, 2, 0, 0},
        /* This pair is not aligned, either. */
        {ROWS_OF("8") STORE("%r3+4") STORE("%r3+8") END, 2, 4, 0, 0},
        /* The words are not neighbors. */
        {ROWS_OF("8") STORE("%r3") STORE("%r3+8") END, 2, 4, 0, 0},
        {ROWS_OF("8") STORE("%r3") "add.s32 %r5, %r1, 1;\n" STORE("%r3+4") END, 1, 2, 0, 0},
        {ROWS_OF("16") STORE("%r3") STORE("%r3+8") STORE("%r3+4") STORE("%r3+12") END, 1, 4, 0, 0},
        {ROWS_OF("16") STORE("%r3") STORE("%r3+8") STORE("%r3+4") END, 3, 12, 0,
         0}, /* no two consecutive stores are neighbors */
        {ROWS_OF("16") STORE("%r3") STORE("s+2048") STORE("%r3+4") END, 3, 9, 0,
         0}, /* the store between them may change the same word */
        {ROWS_OF("16") STORE("%r3") "st.global.u32 [%d1], %r1;\n" STORE("%r3+4") END, 1, 4, 0, 0},
        {ROWS_OF("16") STORE("%r3") STORE("%r3+4") STORE("%r3+8") STORE("%r3+12")
             LOAD("%r5", "%r3+8") LOAD("%r6", "%r3") LOAD("%r7", "%r3+12") END,
         1, 4, 2, 8},
        {ROWS_OF("8") STORE("%r3") STORE("%r3+4")
             LOAD("%r5", "%r3") "bar.warp.sync -1;\n" LOAD("%r6", "%r3+4") END,
         1, 2, 2, 4},
        {ROWS_OF("8") "@!%p1 " STORE("%r3") "@!%p1 " STORE("%r3+4") END, 2, 4, 0,
         0}, /* both stores have the same guard */
        {ROWS_OF("4") "st.shared.u16 [%r3], 1;\nst.shared.u16 [%r3+2], 2;\n" END, 1, 1, 0, 0},
        {ROWS_OF("4") "st.shared.u8 [%r3], 1;\nst.shared.u8 [%r3+1], 2;\n" END, 2, 2, 0, 0},
        {ROWS_OF("16") "st.shared.v2.u32 [%r3], {%r1, %r1};\nst.shared.v2.u32 [%r3+8], {%r1, "
                       "%r1};\n" END,
         1, 4, 0, 0},
        {ROWS_OF("16") "st.shared.v2.u32 [%r3], {%r1, %r1};\nst.shared.u64 [%r3+8], %d1;\n" END, 2,
         8, 0, 0},
        {ROWS_OF("8") STORE("%r3") "st.shared.v4.u8 [%r3+4], {1, 2, 3, 4};\n" END, 1, 2, 0, 0},
        {ROWS_OF("8") STORE("%r3") "@!%p1 " STORE("%r3+4") END, 2, 4, 0, 0},
        {ROWS_OF(
             "8") "st.volatile.shared.u32 [%r3], %r1;\nst.volatile.shared.u32 [%r3+4], %r1;\n" END,
         2, 4, 0, 0},
        /*
         * In the first case, the address is not fully known. In the second case, the first load
         * overwrites the address.
         */
        {ROWS_OF("8") "@%p1 add.s32 %r3, %r3, 4;\n" STORE("%r3") STORE("%r3+4") END, 2, 4, 0, 0},
        {ROWS_OF("8") "mov.u32 %r1, 0;\n" STORE("%r3") STORE("%r3+4") LOAD("%r3", "%r3")
             LOAD("%r5", "%r3+4") END,
         2, 4, 2, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct counts c = count_text(*state, cases[k].text, 32);
        const struct access_counts *store = &c.shared[ACCESS_STORE], *load = &c.shared[ACCESS_LOAD];
        if (store->requests != cases[k].stores || store->wavefronts != cases[k].store_wavefronts ||
            load->requests != cases[k].loads || load->wavefronts != cases[k].load_wavefronts)
            fail_msg("case %zu: stores %llu, %llu, loads %llu, %llu", k,
                     (unsigned long long)store->requests, (unsigned long long)store->wavefronts,
                     (unsigned long long)load->requests, (unsigned long long)load->wavefronts);
    }
}

/*
 * The number of wavefronts minus the number of conflicts is one for each 4-byte request and two for
 * each 8-byte request.
 */
static void test_bank_conflicts(void **state)
{
    static const char text[] =
        HEAD "shl.b32 %r2, %r1, 3;\nmov.u32 %r3, s;\nadd.s32 %r3, %r3, %r2;\n"
             "st.shared.u32 [%r3], %r1;\n" /* a stride of two words: 2 wavefronts */
             "ld.shared.u32 %r4, [%r3];\n" /* the same stride */
             "shl.b32 %r5, %r1, 7;\nmov.u32 %r6, s;\nadd.s32 %r6, %r6, %r5;\n"
             "st.shared.u32 [%r6], %r1;\n" /* all lanes in one bank: 32 wavefronts */
             "shl.b32 %r7, %r1, 4;\nadd.s32 %r7, %r3, %r2;\n"
             /* A stride of 16 bytes takes 4 wavefronts instead of 2. */
             "st.shared.u64 [%r7], %d1;\nret;\n}";
    struct counts c = count_text(*state, text, 32);
    const struct {
        const char *name;
        double value;
    } expected[] = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 2},
                    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 1},
                    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 2 + 32 + 4},
                    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 1 + 31 + 2},
                    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 2},
                    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 2 + 32 + 4},
                    /*
                     * The accesses move (3 · 128 + 256) bytes in 2 + 38 wavefronts of up to 128
                     * bytes.
                     */
                    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.ratio", 16},
                    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", 12.5}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char why[256];
        assert_true(counts_known(expected[k].name, why));
        assert_true(counts_value(&c, expected[k].name) == expected[k].value);
    }
}

static void test_instructions_and_branches(void **state)
{
    static const char text[] = HEAD "setp.lt.u32 %p1, %r1, 8;\n" /* this is the 3rd instruction */
                                    /* The 4th instruction is a branch that only some lanes take. */
                                    "@%p1 bra A;\n"
                                    "add.s32 %r2, %r1, 1;\n"     /* 24 lanes execute this */
                                    "bra.uni B;\n"               /* 24 lanes execute this */
                                    "A:\nadd.s32 %r2, %r1, 2;\n" /* 8 lanes execute this */
                                    "B:\n@%p1 add.s32 %r3, %r1, 3;\n"
                                    "@%p1 st.global.u32 [%d1], %r3;\nret;\n}";
    struct counts c = count_text(*state, text, 32);
    assert_int_equal(c.instructions, 4 + 3 + 3);
    assert_int_equal(c.thread_instructions, 4 * 32 + 24 + 24 + 8 + 3 * 32);
    assert_int_equal(c.thread_on, 3 * 32 + 8 + 24 + 24 + 8 + 8 + 8 + 32);
    assert_int_equal(c.branches, 2);
    assert_int_equal(c.divergent_branches, 1);
    assert_int_equal(c.global[ACCESS_STORE].requests, 1);
    assert_int_equal(c.global[ACCESS_STORE].bytes, 4); /* 8 lanes store to one address */
}

/* An instruction whose guard is false in all lanes executes but makes no request. */
static void test_no_lane(void **state)
{
    static const char text[] =
        HEAD "setp.gt.u32 %p1, %r1, 99;\n@%p1 ld.global.u32 %r2, [%d1];\nret;\n}";
    struct counts c = count_text(*state, text, 32);
    assert_int_equal(c.instructions, 5);
    assert_int_equal(c.global[ACCESS_LOAD].requests, 0);
}

static void test_names(void **state)
{
    (void)state;
    struct counts c = {.instructions = 10,
                       .thread_instructions = 160,
                       .warps = 4,
                       .branches = 4,
                       .divergent_branches = 1};
    c.global[ACCESS_LOAD] =
        (struct access_counts){.requests = 2, .sectors = 8, .lines = 2, .bytes = 192};
    counts_finish(&c);
    assert_true(counts_value(&c, "smsp__inst_executed.sum") == 10);
    assert_true(counts_value(&c, "smsp__average_inst_executed_per_warp.ratio") == 2.5);
    assert_true(counts_value(&c, "smsp__average_thread_inst_executed_per_inst_executed.pct") == 50);
    assert_true(counts_value(&c, "smsp__sass_average_branch_targets_threads_uniform.pct") == 75);
    assert_true(counts_value(&c, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct") ==
                75);
    /* Nothing was stored, so there is no store efficiency. */
    assert_true(
        isnan(counts_value(&c, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct")));
    assert_true(isnan(counts_value(&c, "gpu__time_duration.sum")));
    char why[256];
    assert_true(counts_known("sm__ctas_launched.sum", why));
    assert_false(counts_known("gpu__time_duration.sum", why));
    assert_non_null(strstr(why, "time"));
    assert_false(counts_known("dram__bytes_read.sum", why));
    assert_non_null(strstr(why, "caches"));
    for (int i = 0; counts_name(i); i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(counts_name(i), counts_name(j));
}

/* Counts do not depend on the number of host threads, even if blocks wait for each other. */
static void test_threads(void **state)
{
    static const char *const names[] = {"neighbored", "smem_unroll", "shuffle"};
    struct fixture *f = *state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct module *m = load_kernel(f, names[k], 90, TYPE_INT32, OP_SUM, 128, 2);
        struct buffer input = allocate(f, 1 << 18), output = allocate(f, 1 << 18);
        struct launch l = make_launch(m, 250, 128);
        add_argument(&l, input.address, 8);
        add_argument(&l, output.address, 8);
        add_argument(&l, 250 * 256 - 3, 4);
        add_argument(&l, 0, 8); /* there is no second vector */
        sim_set_threads(f->device, 1);
        struct counts one = count_launch(f, &l);
        for (int threads = 2; threads < 6; threads++) {
            sim_set_threads(f->device, threads);
            struct counts more = count_launch(f, &l);
            assert_memory_equal(&one, &more, sizeof one);
        }
        sim_driver.unload(f->device, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_pieces_in_any_order),
        cmocka_unit_test(test_wavefronts),
        cmocka_unit_test(test_wide_loads_of_equal_addresses),
        cmocka_unit_test(test_wide_loads_of_some_lanes),
        cmocka_unit_test(test_least_wavefronts),
        cmocka_unit_test_setup_teardown(test_global_instructions, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_shared_and_local_instructions, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_combined_accesses, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_bank_conflicts, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_instructions_and_branches, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_no_lane, open_device, close_all),
        cmocka_unit_test(test_names),
        cmocka_unit_test_setup_teardown(test_threads, open_compiler, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
