/*
 * What the simulator refuses: each error with its kind, and the thread, block, source line, PTX
 * line and address in its message.
 */
#include "fixture.h"

#include "devices/sim/races/races.h"

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 data)\n{\n"                                                     \
    ".reg .pred %p<9>;\n.reg .b32 %r<19>;\n.reg .b64 %d<19>;\n.shared .align 8 .b8 s[64];\n"       \
    ".loc 1 42 5\n"                                                                                \
    "ld.param.u64 %d1, [data];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n"                 \
    "add.s64 %d3, %d1, %d2;\n"
#define TAIL "ret;\n}\n.file 1 \"/somewhere/wrong.cu\"\n"

/* Launches 2 blocks of `block` threads on 256 bytes of data; the text of the error. */
static struct error e;
static void expect(struct fixture *f, const char *text, unsigned block, enum error_kind kind,
                   const char *const *parts)
{
    struct module *m;
    memset(&e, 0, sizeof e);
    struct buffer data = allocate(f, 256);
    if (load_text(f, text, "k", &m, &e)) {
        struct launch l = make_launch(m, 2, block);
        add_argument(&l, data.address, 8);
        assert_false(launch(f, &l, &e));
        sim_driver.unload(f->device, m);
    }
    sim_driver.free(f->device, data);
    if (e.kind != kind)
        fail_msg("%s: the error's kind is %s: %s", strstr(text, "%d3, %d1"),
                 error_kind_name(e.kind), e.text);
    for (; *parts; parts++)
        if (!strstr(e.text, *parts))
            fail_msg("'%s' is not in: %s", *parts, e.text);
}

#define EXPECT(text, block, kind, ...)                                                             \
    expect(*state, text, block, kind, (const char *const[]){__VA_ARGS__, NULL})

static void test_outside_of_memory(void **state)
{
    EXPECT(HEAD "ld.global.u32 %r2, [%d3];\n" TAIL, 96, ERROR_LAUNCH, "thread (64,0,0)",
           "block (0,0,0)", "wrong.cu:42", "PTX line 15", "ld.global.u32", "reads 4 bytes",
           "right behind the 256-byte allocation");
    EXPECT(HEAD "st.global.u32 [%d3+400], %r1;\n" TAIL, 1, ERROR_LAUNCH, "writes 4 bytes",
           "144 bytes past the end");
    EXPECT(HEAD "mov.u64 %d4, 0;\nld.global.u32 %r2, [%d4+4];\n" TAIL, 32, ERROR_LAUNCH,
           "near the null pointer", "0x4");
    EXPECT(HEAD "st.global.u32 [%d3-4], %r1;\n" TAIL, 1, ERROR_CONFIG, "expected ']'");
    EXPECT(HEAD "st.global.u32 [%d3+-4], %r1;\n" TAIL, 1, ERROR_LAUNCH, "in no allocation");
    EXPECT(HEAD "ld.global.v2.u32 {%r2, %r3}, [%d1+252];\n" TAIL, 1, ERROR_LAUNCH,
           "across the end of the 256-byte allocation");
    EXPECT(HEAD "atom.global.add.u32 %r2, [%d3+256], 1;\n" TAIL, 1, ERROR_LAUNCH,
           "atom.global.add.u32");
    EXPECT(HEAD "ld.shared.u32 %r2, [s+64];\n" TAIL, 1, ERROR_LAUNCH, "shared memory at offset 64",
           "the block has only 64");
    /* What another kernel of the file has of it is not this one's. */
    EXPECT(HEAD
           "ld.shared.u32 %r2, [s+64];\nret;\n}\n.visible .entry other()\n{\n.reg .b32 %r<3>;\n"
           ".shared .align 8 .b8 theirs[64];\nst.shared.u32 [theirs], 1;\n" TAIL,
           1, ERROR_LAUNCH, "shared memory at offset 64", "the block has only 64");
}

/* 16 bytes apart, lanes 0 to 15 are in the 256 bytes and lanes 16 to 31 are not. */
static void test_half_a_warp_outside_of_memory(void **state)
{
#define APART HEAD "shl.b64 %d4, %d2, 2;\nadd.s64 %d4, %d1, %d4;\n"
    EXPECT(APART "ld.global.u32 %r2, [%d4];\n" TAIL, 32, ERROR_LAUNCH, "thread (16,0,0)",
           "reads 4 bytes", "right behind the 256-byte allocation");
    EXPECT(APART "st.global.u32 [%d4], %r1;\n" TAIL, 32, ERROR_LAUNCH, "thread (16,0,0)",
           "writes 4 bytes", "right behind the 256-byte allocation");
    EXPECT(APART "ld.global.v2.u32 {%r2, %r3}, [%d4];\n" TAIL, 32, ERROR_LAUNCH, "thread (16,0,0)",
           "reads 8 bytes");
#undef APART
}

static void test_misaligned(void **state)
{
    EXPECT(HEAD "ld.global.u32 %r2, [%d3+2];\n" TAIL, 32, ERROR_LAUNCH, "thread (0,0,0)",
           "not a multiple of 4", "wrong.cu:42");
    EXPECT(HEAD "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d1+8];\n" TAIL, 1, ERROR_LAUNCH,
           "not a multiple of 16");
    EXPECT(HEAD "st.shared.u64 [s+4], %d1;\n" TAIL, 1, ERROR_LAUNCH, "not a multiple of 8");
}

static void test_unwritten_shared_memory(void **state)
{
    EXPECT(HEAD "st.shared.u32 [s], %r1;\nld.shared.u32 %r2, [s+4];\n" TAIL, 1, ERROR_LAUNCH,
           "offset 4, which no thread of the block has written", "ld.shared.u32");
    /* Lanes side by side: the fifth one is the first that reads what nobody wrote. */
    EXPECT(HEAD "setp.lt.u32 %p1, %r1, 5;\nmov.u32 %r3, s;\nshl.b32 %r4, %r1, 2;\n"
                "add.s32 %r3, %r3, %r4;\n@%p1 st.shared.u32 [%r3], %r1;\n"
                "ld.shared.u32 %r2, [%r3];\n" TAIL,
           16, ERROR_LAUNCH, "thread (5,0,0)", "offset 20");
    EXPECT(HEAD "atom.shared.add.u32 %r2, [s], 1;\n" TAIL, 1, ERROR_LAUNCH,
           "no thread of the block has written");
    EXPECT(HEAD "st.shared.v2.u32 [s], {%r1, %r1};\nst.shared.u32 [s+8], %r1;\n"
                "ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [s];\nst.global.u32 [%d1], %r5;\n" TAIL,
           1, ERROR_LAUNCH, "offset 12, which no thread of the block has written");
}

static void test_barriers_that_are_not_reached(void **state)
{
    EXPECT(HEAD "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra E;\nbar.sync 0;\nE:\nbar.sync 1;\n" TAIL, 64,
           ERROR_LAUNCH, "a barrier that some threads never reach", "32 of 64 threads", "bar.sync",
           "wrong.cu:42");
    EXPECT(HEAD
           "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra E;\nbar.sync 0;\nE:\nst.global.u32 [%d3], 1;\n" TAIL,
           32, ERROR_LAUNCH, "barrier that some threads never reach", "lanes 0xffffff80");
    EXPECT(HEAD "setp.lt.u32 %p1, %r1, 32;\n@%p1 exit;\nbar.sync 0, 64;\n" TAIL, 64, ERROR_LAUNCH,
           "barrier that some threads never reach", "32 of 64");
    EXPECT(HEAD "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra E;\nbar.warp.sync -1;\nE:\n" TAIL, 32,
           ERROR_LAUNCH, "a warp barrier that some threads never reach");
    EXPECT(HEAD "setp.lt.u32 %p1, %r1, 7;\n@%p1 bar.sync 0;\n" TAIL, 32, ERROR_UNSUPPORTED,
           "guarded barrier");
    EXPECT(HEAD "bar.warp.sync 1;\n" TAIL, 32, ERROR_LAUNCH, "does not name them");
    EXPECT(HEAD "mov.u32 %r2, 16;\nbar.sync %r2;\n" TAIL, 32, ERROR_LAUNCH, "barrier number 16");
    EXPECT(HEAD "bar.sync 0, 33;\n" TAIL, 64, ERROR_LAUNCH, "multiple of 32");
}

/* Whether a kernel runs to its end, and what the search for races says of it. */
static bool ends(struct fixture *f, const char *text, struct error *of_races)
{
    static struct race_report report;
    struct module *m;
    struct error no = {0};
    struct buffer data = allocate(f, 256);
    must(load_text(f, text, "k", &m, &no), &no);
    struct launch l = make_launch(m, 2, 64);
    add_argument(&l, data.address, 8);
    bool ok = launch(f, &l, &no);
    struct trial t = {.launches = &l, .launch_count = 1};
    (void)sim_check_races(f->device, &t, &report, of_races);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
    return ok;
}

/* A barrier does not wait for threads that have ended, whether before or after the others arrived. CUDA
 * does not promise that, so where races are looked for it is an error. */
static void test_barriers_after_an_end(void **state)
{
    static const char *const texts[] = {
        HEAD "bar.sync 0;\n" TAIL,
        HEAD "setp.lt.u32 %p1, %r1, 32;\n@%p1 exit;\nbar.sync 0;\nbar.sync 0;\n" TAIL,
        HEAD "setp.ge.u32 %p1, %r1, 32;\n@%p1 exit;\nbar.sync 0;\nbar.sync 0;\n" TAIL,
        HEAD "setp.lt.u32 %p1, %r1, 7;\n@%p1 exit;\nbar.sync 0;\nbar.sync 0;\n" TAIL,
        HEAD "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra E;\nbar.sync 0;\nE:\n" TAIL,
        HEAD "setp.lt.u32 %p1, %r1, 40;\n@%p1 bra E;\nbar.sync 0;\nbar.sync 0;\nE:\n" TAIL,
        HEAD "setp.lt.u32 %p1, %r1, 40;\n@%p1 bra E;\nsetp.lt.u32 %p2, %r1, 50;\n@%p2 bra E;\n"
             "bar.sync 0;\nE:\n" TAIL,
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct error of_races = {0};
        assert_true(ends(*state, texts[k], &of_races));
        if (k == 0)
            assert_string_equal(of_races.text, "");
        else
            assert_non_null(strstr(of_races.text, "barrier that some threads never reach"));
    }
}

static void test_lanes_that_are_not_there(void **state)
{
    EXPECT(HEAD "shfl.sync.down.b32 %r2, %r1, 16, 31, -1;\n" TAIL, 48, ERROR_LAUNCH,
           "reads from lane 16, which is not there", "thread (32,0,0)");
    EXPECT(HEAD
           "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra E;\nvote.sync.any.pred %p2, %p1, -1;\nE:\n" TAIL,
           32, ERROR_LAUNCH, "names lanes that never arrive", "for lanes 0x0000ffff");
    EXPECT(HEAD "redux.sync.add.s32 %r2, %r1, 1;\n" TAIL, 32, ERROR_LAUNCH, "does not name them");
}

static void test_endless(void **state)
{
    struct fixture *f = *state;
    sim_set_budget(f->device, 3000000);
    EXPECT(HEAD "L:\nadd.s32 %r2, %r2, 1;\nbra L;\n" TAIL, 64, ERROR_TIMEOUT, "has not ended",
           "REDSWEEP_SIM_BUDGET=3000000", "wrong.cu:42");
    EXPECT(HEAD "L:\nbar.sync 0;\nbra L;\n" TAIL, 64, ERROR_TIMEOUT, "has not ended");
    EXPECT(HEAD "L:\nld.volatile.global.u32 %r2, [%d1];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra L;\n"
                "bar.sync 0;\n" TAIL,
           64, ERROR_TIMEOUT, "has not ended");
}

/* The limit of work is of each warp: as many instructions as it executed before,
 * and not one less. */
static void test_instruction_limit(void **state)
{
    struct fixture *f = *state;
    static const char loop[] = HEAD "mov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 1;\n"
                                    "setp.lt.u32 %p1, %r2, 1000;\n@%p1 bra L;\n" TAIL;
    struct device_setup setup = {.instruction_limit = 3000};
    struct device *limited;
    struct error error = {0};
    sim_set_instruction_limit(f->device, 2000);
    EXPECT(loop, 64, ERROR_TIMEOUT, "has not ended", "2000 per warp");
    sim_set_instruction_limit(f->device, 4000); /* two warps of 3000 each */
    struct module *m;
    must(load_text(f, loop, "k", &m, &error), &error);
    struct buffer data = allocate(f, 4096);
    struct launch l = make_launch(m, 1, 64);
    add_argument(&l, data.address, 8);
    must(launch(f, &l, &error), &error);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
    must(sim_driver.open("", &setup, &limited, &error), &error);
    struct device *whole = f->device;
    f->device = limited;
    EXPECT(loop, 64, ERROR_TIMEOUT, "3000 per warp");
    f->device = whole;
    sim_driver.close(limited);
}

/* The lowest limit with which one warp of the text ends by itself: set(device, limit) sets it. */
static uint64_t lowest_limit(struct fixture *f, const char *text,
                             void set(struct device *d, uint64_t instructions))
{
    struct module *m;
    struct error error = {0};
    must(load_text(f, text, "k", &m, &error), &error);
    struct buffer data = allocate(f, 4096);
    struct launch l = make_launch(m, 1, 32);
    add_argument(&l, data.address, 8);
    uint64_t fails = 0, ends = 1 << 20;
    while (ends - fails > 1) {
        uint64_t limit = (fails + ends) / 2;
        struct error why = {0};
        set(f->device, limit);
        if (launch(f, &l, &why))
            ends = limit;
        else
            fails = limit;
        assert_true(why.kind == ERROR_NONE || why.kind == ERROR_TIMEOUT);
    }
    set(f->device, UINT64_MAX);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
    return ends;
}

#define HUNDRED(instruction)                                                                       \
    HEAD "setp.lt.u32 %p1, %r1, 7;\nmov.u32 %r2, 0;\nL:\n" instruction                             \
         "\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 100;\n@%p2 bra L;\n" TAIL

/* What is slow counts as many instructions, for the limit of a warp and for that of a launch. */
static void test_charges(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text;
        uint64_t charge; /* of a warp */
    } cases[] = {
        {HUNDRED("add.s32 %r3, %r3, 1;"), 0},
        {HUNDRED("ld.volatile.global.u32 %r3, [%d1];"), 0},
        {HUNDRED("bar.sync 0;"), 0},
        {HUNDRED("red.global.add.u32 [%d1], 1;"), 64},
        {HUNDRED("@%p1 red.global.add.u32 [%d1], 1;"), 14}, /* seven lanes */
        {HUNDRED("atom.global.cas.b32 %r3, [%d1], 1, 2;"), 64},
        {HUNDRED("match.any.sync.b32 %r3, %r1, -1;"), 64},
        {HUNDRED("cp.async.ca.shared.global [s], [%d1], 4;"), 64},
        {HUNDRED("nanosleep.u32 100;"), 32},
    };
    uint64_t plain[2] = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint64_t limit[2] = {lowest_limit(f, cases[k].text, sim_set_instruction_limit),
                             lowest_limit(f, cases[k].text, sim_set_budget)};
        for (int j = 0; j < 2; j++) {
            plain[j] = k == 0 ? limit[j] : plain[j];
            assert_int_equal(limit[j] - plain[j], 100 * cases[k].charge);
        }
    }
}

static void test_traps(void **state)
{
    EXPECT(HEAD "setp.eq.u32 %p1, %r1, 3;\n@%p1 trap;\n" TAIL, 32, ERROR_LAUNCH, "thread (3,0,0)",
           "the kernel executed a trap");
    EXPECT(HEAD "brkpt;\n" TAIL, 32, ERROR_LAUNCH, "the kernel executed a trap");
}

static void test_unknown(void **state)
{
    EXPECT(HEAD "wmma.load.a.sync.aligned.row.m16n16k16.f16 %r2, [%d1];\n" TAIL, 1,
           ERROR_UNSUPPORTED, "wmma.load", "PTX line 15", "run this kernel on a GPU");
    EXPECT(HEAD "mov.u32 %r2, %clock;\n" TAIL, 1, ERROR_UNSUPPORTED, "no clock");
    EXPECT(HEAD "add.odd.f32 %r2, %r1, %r1;\n" TAIL, 1, ERROR_UNSUPPORTED, "its part '.odd'");
    EXPECT(HEAD "cp.async.bulk.commit_group;\n" TAIL, 1, ERROR_UNSUPPORTED, "cp.async.bulk");
    EXPECT(HEAD "add.u32 %r2, %r1;\n" TAIL, 1, ERROR_UNSUPPORTED, "number of operands");
    EXPECT(HEAD "add.u32 %r2, %r1, %d1;\n" TAIL, 1, ERROR_UNSUPPORTED, "another width");
    EXPECT(HEAD "call.uni missing;\n" TAIL, 1, ERROR_UNSUPPORTED, "missing");
}

static void test_bad_text(void **state)
{
    EXPECT(HEAD "add.u32 %r2, %r1, %q1;\n" TAIL, 1, ERROR_UNSUPPORTED, "special register");
    EXPECT(HEAD "bra NOWHERE;\n" TAIL, 1, ERROR_CONFIG, "unknown label 'NOWHERE'", "line 15");
    EXPECT(HEAD "add.u32 %r2 %r1;\n" TAIL, 1, ERROR_CONFIG, "PTX line 15", "expected ';'");
    EXPECT(HEAD, 1, ERROR_CONFIG, "the text ends inside a function");
    EXPECT(".version 8.0\n.visible .entry other() { ret; }\n", 1, ERROR_CONFIG,
           "no kernel named k");
    EXPECT(HEAD ".reg .b32 %z<99999999>;\n" TAIL, 1, ERROR_UNSUPPORTED, "registers");
    EXPECT(HEAD ".local .b8 big[999999];\n" TAIL, 1, ERROR_UNSUPPORTED, "too large");
    EXPECT("#include <stdio.h>\n", 1, ERROR_UNSUPPORTED, "PTX line 1");
}

static void test_barriers_in_shared_memory(void **state)
{
    EXPECT(HEAD "mbarrier.init.shared::cta.b64 [s+4], 1;\n" TAIL, 1, ERROR_LAUNCH, "multiple of 8");
    EXPECT(HEAD "mbarrier.init.shared::cta.b64 [s], 0;\n" TAIL, 1, ERROR_LAUNCH,
           "a barrier for 0 arrivals");
    EXPECT(HEAD "mbarrier.init.shared::cta.b64 [s], 4;\n"
                "mbarrier.arrive.shared::cta.b64 _, [s], 5;\n" TAIL,
           1, ERROR_LAUNCH, "5 more arrivals", "waits for 4 of 4");
    EXPECT(HEAD "mov.u32 %r2, s;\nmbarrier.init.shared::cta.b64 [s], 1;\n"
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                "[%r2+16], [%d1], 512, [%r2];\n" TAIL,
           1, ERROR_LAUNCH, "the block has only 64");
    EXPECT(HEAD "mov.u32 %r2, s;\nmbarrier.init.shared::cta.b64 [s], 1;\nadd.s64 %d4, %d1, 248;\n"
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                "[%r2+16], [%d4], 16, [%r2];\n" TAIL,
           1, ERROR_LAUNCH, "copies 16 bytes", "across the end");
}

static void test_recursion(void **state)
{
    EXPECT(".version 8.0\n.func g();\n.func f()\n{\ncall.uni g;\nret;\n}\n"
           ".func g()\n{\ncall.uni f;\nret;\n}\n"
           ".visible .entry k(.param .u64 data)\n{\ncall.uni f;\nret;\n}\n",
           1, ERROR_UNSUPPORTED, "recursion");
}

static void test_launches(void **state)
{
    struct fixture *f = *state;
    struct module *m;
    struct error error = {0};
    must(load_text(f, HEAD TAIL, "k", &m, &error), &error);
    struct launch l = make_launch(m, 1, 32);
    assert_false(launch(f, &l, &error));
    assert_non_null(strstr(error.text, "has 1 parameters, but 0 arguments"));
    add_argument(&l, 5, 4);
    assert_false(launch(f, &l, &error));
    assert_non_null(strstr(error.text, "parameter 1 has 8 bytes, but the argument has 4"));
    l.arguments[0].size = 8;
    must(launch(f, &l, &error), &error);
    l.block[0] = 1025;
    assert_false(launch(f, &l, &error));
    assert_int_equal(error.kind, ERROR_LAUNCH);
    l.block[0] = 32;
    l.dynamic_smem = 300000;
    assert_false(launch(f, &l, &error));
    assert_non_null(strstr(error.text, "shared memory"));
    l.dynamic_smem = 0;
    l.kind = LAUNCH_COOPERATIVE;
    l.grid[0] = 5000;
    assert_false(launch(f, &l, &error));
    assert_non_null(strstr(error.text, "does not fit"));
    l.kind = LAUNCH_CLUSTER;
    l.cluster = 3;
    assert_false(launch(f, &l, &error));
    assert_int_equal(error.kind, ERROR_LAUNCH);
    assert_non_null(strstr(error.text, "clusters of 3 blocks in a grid of 5000"));
    sim_driver.unload(f->device, m);
}

/* What the words behind the colon do to what the device says of itself. */
static void check_opened(const char *argument, const char *chip, const char *slug, int sms)
{
    struct device *d;
    struct error error = {0};
    struct device_info info;
    must(sim_driver.open(argument, NULL, &d, &error), &error);
    sim_driver.describe(d, &info);
    assert_string_equal(info.chip, chip);
    assert_string_equal(info.slug, slug);
    assert_int_equal(info.limits.sms, sms);
    sim_driver.close(d);
}

static void test_options_of_devices(void **state)
{
    (void)state;
    check_opened("", "sim", "sim", 16);
    check_opened("kepler", "kepler", "sim-kepler", 16);
    check_opened("sms=132", "sim", "sim-132sms", 132);
    check_opened("kepler,sms=13", "kepler", "sim-kepler-13sms", 13);
    check_opened("sms=13,kepler", "kepler", "sim-kepler-13sms", 13);
    check_opened("sms=1024", "sim", "sim-1024sms", 1024);
    check_opened("sample=64", "sim", "sim", 16);
    check_opened("sms=13,sample=65536,kepler", "kepler", "sim-kepler-13sms", 13);
    static const char *const wrong[] = {"sms",
                                        "sms=",
                                        "sms=0",
                                        "sms=1025",
                                        "sms=-1",
                                        "sms=4x",
                                        "sms=4,",
                                        ",sms=4",
                                        "sms= 4",
                                        "smss=4",
                                        ",",
                                        "kepler,,",
                                        "sms=4 sms=5",
                                        "sms=4,sms=5",
                                        "kepler,kepler",
                                        "sample",
                                        "sample=",
                                        "sample=0",
                                        "sample=65537",
                                        "sample=2,sample=2",
                                        "sms=99999999999999999999"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct device *d;
        struct error error = {0};
        assert_false(sim_driver.open(wrong[k], NULL, &d, &error));
        assert_int_equal(error.kind, ERROR_USAGE);
        assert_non_null(strstr(error.text, wrong[k]));
    }
}

/* A cooperative grid has to be on the device at once: 64 warps a multiprocessor. */
static void test_cooperative_grid_fits(void **state)
{
    static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                               ".visible .entry k()\n{\nret;\n}";
    static const struct {
        const char *argument;
        unsigned fits; /* blocks of 1024 threads */
    } cases[] = {{"", 32}, {"sms=132", 264}, {"sms=1", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f = {0};
        struct error error = {0};
        struct module *m;
        must(sim_driver.open(cases[i].argument, NULL, &f.device, &error), &error);
        must(load_text(&f, text, "k", &m, &error), &error);
        struct launch l = make_launch(m, cases[i].fits, 1024);
        l.kind = LAUNCH_COOPERATIVE;
        must(launch(&f, &l, &error), &error);
        l.grid[0]++;
        assert_false(launch(&f, &l, &error));
        assert_non_null(strstr(error.text, "does not fit"));
        sim_driver.unload(f.device, m);
        sim_driver.close(f.device);
    }
}

static void test_names_of_devices(void **state)
{
    (void)state;
    struct device *d;
    struct error error = {0};
    assert_false(sim_driver.open("keppler", NULL, &d, &error));
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "sim:keppler: 'keppler' is not an option"));
    assert_non_null(strstr(error.text, "kepler (128-byte lines"));
    setenv("REDSWEEP_SIM_THREADS", "many", 1);
    assert_false(sim_driver.open("", NULL, &d, &error));
    assert_non_null(strstr(error.text, "REDSWEEP_SIM_THREADS=many"));
    unsetenv("REDSWEEP_SIM_THREADS");
    must(sim_driver.open("kepler", NULL, &d, &error), &error);
    struct device_info info;
    sim_driver.describe(d, &info);
    assert_string_equal(info.chip, "kepler");
    assert_false(info.can_time);
    assert_true(info.can_count && info.exact_counts);
    sim_driver.close(d);
}

/* The same of a launch: exact, however many threads of the host share its blocks. */
static void test_budget(void **state)
{
    struct fixture *f = *state;
    static const char text[] = HEAD "add.s32 %r2, %r2, 1;\n" TAIL;
    struct error error = {0};
    struct module *m;
    must(load_text(f, text, "k", &m, &error), &error);
    struct buffer data = allocate(f, 4096);
    struct launch l = make_launch(m, 1000, 64);
    add_argument(&l, data.address, 8);
    struct counts before, after;
    sim_counts(f->device, &before);
    must(launch(f, &l, &error), &error);
    sim_counts(f->device, &after);
    uint64_t work = after.instructions - before.instructions;
    assert_true(work > 2000);
    for (int threads = 1; threads <= 8; threads *= 2) {
        sim_set_threads(f->device, threads);
        sim_set_budget(f->device, work);
        must(launch(f, &l, &error), &error);
        sim_set_budget(f->device, work - 1);
        assert_false(launch(f, &l, &error));
        assert_int_equal(error.kind, ERROR_TIMEOUT);
        assert_non_null(strstr(error.text, "REDSWEEP_SIM_BUDGET="));
        error_clear(&error);
    }
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_outside_of_memory, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_half_a_warp_outside_of_memory, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_misaligned, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_unwritten_shared_memory, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_barriers_that_are_not_reached, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_barriers_after_an_end, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_lanes_that_are_not_there, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_endless, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_instruction_limit, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_charges, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_budget, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_traps, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_unknown, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_bad_text, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_barriers_in_shared_memory, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_recursion, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_launches, open_device, close_all),
        cmocka_unit_test(test_names_of_devices),
        cmocka_unit_test(test_options_of_devices),
        cmocka_unit_test(test_cooperative_grid_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
