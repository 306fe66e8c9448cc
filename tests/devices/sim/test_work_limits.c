/*
 * Checks the limit on how much work a kernel may do, how options change it, and which grids fit on
 * the device. Messages about PTX that is refused or fails are in tests/texts/simulator.txt.
 */
#include "fixture.h"

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 data)\n{\n"                                                     \
    ".reg .pred %p<9>;\n.reg .b32 %r<19>;\n.reg .b64 %d<19>;\n.shared .align 8 .b8 s[64];\n"       \
    ".loc 1 42 5\n"                                                                                \
    "ld.param.u64 %d1, [data];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n"                 \
    "add.s64 %d3, %d1, %d2;\n"
#define TAIL "ret;\n}\n.file 1 \"/somewhere/wrong.cu\"\n"

/* Launches 2 blocks of 64 threads, which must exceed the limit. The error must name the limit. */
static void does_not_end(struct fixture *f, const char *text, const char *limit)
{
    struct module *m;
    struct error e = {0};
    struct buffer data = allocate(f, 256);
    must(load_text(f, text, "k", &m, &e), &e);
    struct launch l = make_launch(m, 2, 64);
    add_argument(&l, data.address, 8);
    assert_false(launch(f, &l, &e));
    assert_int_equal(e.kind, ERROR_TIMEOUT);
    assert_non_null(strstr(e.text, limit));
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
    error_clear(&e);
}

/*
 * The limit applies per warp. A limit of exactly as many instructions as the warp executes is
 * enough; one less is not.
 */
static void test_instruction_limit(void **state)
{
    struct fixture *f = *state;
    static const char loop[] = HEAD "mov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 1;\n"
                                    "setp.lt.u32 %p1, %r2, 1000;\n@%p1 bra L;\n" TAIL;
    struct device_setup setup = {.instruction_limit = 3000};
    struct device *limited;
    struct error error = {0};
    sim_set_instruction_limit(f->device, 2000);
    does_not_end(f, loop, "2000");
    sim_set_instruction_limit(f->device, 4000); /* two warps execute 3000 instructions each */
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
    does_not_end(f, loop, "3000");
    f->device = whole;
    sim_driver.close(limited);
}

/*
 * Returns the lowest limit at which one warp runs the text to its end. set(device, limit) sets the
 * limit.
 */
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

/* Slow operations count as several instructions towards the limits of a warp and of a launch. */
static void test_charges(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text;
        uint64_t charge; /* instructions that one warp is charged */
    } cases[] = {
        {HUNDRED("add.s32 %r3, %r3, 1;"), 0},
        {HUNDRED("ld.volatile.global.u32 %r3, [%d1];"), 0},
        {HUNDRED("bar.sync 0;"), 0},
        {HUNDRED("red.global.add.u32 [%d1], 1;"), 64},
        {HUNDRED("@%p1 red.global.add.u32 [%d1], 1;"), 14}, /* with seven lanes */
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

/* The words after the colon in the device name change the device's description. */
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
    assert_false(info.can_time);
    assert_true(info.can_count && info.exact_counts);
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

/*
 * A cooperative grid's blocks must all fit on the device at once, with at most 64 warps per
 * multiprocessor.
 */
static void test_cooperative_grid_fits(void **state)
{
    static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                               ".visible .entry k()\n{\nret;\n}";
    static const struct {
        const char *argument;
        unsigned fits; /* how many blocks of 1024 threads fit */
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
        assert_int_equal(error.kind, ERROR_LAUNCH);
        sim_driver.unload(f.device, m);
        sim_driver.close(f.device);
    }
}

/* The limit for a whole launch is exact, and does not depend on the number of host threads. */
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
        cmocka_unit_test_setup_teardown(test_instruction_limit, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_charges, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_budget, open_device, close_all),
        cmocka_unit_test(test_options_of_devices),
        cmocka_unit_test(test_cooperative_grid_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
