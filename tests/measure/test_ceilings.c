/*
 * Checks ceilings and self-checks on a made-up device with known speeds that can report wrong times
 * and counts.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "measure/ceilings.h"
#include "measure/buffer_pool.h"
#include "measure/streaming.h"
#include "compile/compile.h"

#define GIB ((uint64_t)1 << 30)

struct module {
    char name[64];
};

enum { LATEST = 8 };
static struct module *latest[LATEST]; /* the test frees a lost device's modules */

/* On this device, launches with blocks of 512 threads are the fastest, in particular the one
 * with all tiles at once. */
static struct device {
    bool fails, lost;   /* whether time() fails, and whether the device is lost then */
    bool not_generated; /* whether generate() was never called */
    int allocated, loaded;
    uint64_t bytes; /* bytes of the last sweep */
    double sectors_off, event_factor, event_noise_us;
    uint64_t spent[256]; /* the output of the kernel `spin`: how long each launch ran, in ns */
    uint64_t spins, random;
    const char *lacks; /* the counter that the device lacks */
} device;

static bool load(struct device *d, const struct image *image, struct module **out,
                 struct module_info *info, struct error *e)
{
    (void)info;
    (void)e;
    d->loaded++;
    *out = calloc(1, sizeof **out);
    snprintf((*out)->name, sizeof(*out)->name, "%.63s", image->entry);
    latest[d->loaded % LATEST] = *out;
    return true;
}

static void unload(struct device *d, struct module *m)
{
    d->loaded--;
    free(m);
}

static bool alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e)
{
    (void)e;
    d->allocated++;
    *out = (struct buffer){0x10000 * (uint64_t)d->allocated, bytes};
    return true;
}

static void free_buffer(struct device *d, struct buffer b)
{
    (void)b;
    d->allocated--;
}

static bool generate(struct device *d, struct buffer b, const struct input *input, struct error *e)
{
    (void)e;
    assert_true(input->n * 4 == b.bytes);
    d->not_generated = false;
    return true;
}

static bool run(struct device *d, const struct trial *t, struct error *e)
{
    (void)d;
    (void)t;
    (void)e;
    return true;
}

/* Returns noise in (-1, 1) from Park and Miller's generator. */
static double noise(struct device *d)
{
    d->random = (d->random + 1) * 48271 % 2147483647;
    return (double)d->random / 1073741823.5 - 1;
}

/* Returns the time of the kernel `spin`. The timer that it reads advances in steps of 32 ns.
 * Times from events are 3 us longer; they scatter, and are sometimes much longer. */
static double spin_us(struct device *d, const struct launch *l)
{
    uint64_t entry = l->arguments[1].bits % 0x10000 / 8, ns = l->arguments[2].bits;
    double late = d->random % 40 == 0 ? 9 : 0;
    assert_true(entry < 256);
    d->spent[entry] = (ns / 32 + 2) * 32;
    d->spins++;
    return d->event_factor * ((double)d->spent[entry] / 1e3 + 3 + late) +
           d->event_noise_us * noise(d);
}

static bool fill(struct device *d, struct buffer b, uint8_t byte, struct error *e)
{
    (void)e;
    assert_true(b.bytes <= sizeof d->spent);
    memset(d->spent, byte, b.bytes);
    return true;
}

static bool read_buffer(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                        struct error *e)
{
    (void)e;
    assert_true(offset == 0 && bytes <= b.bytes && bytes <= sizeof d->spent);
    memcpy(host, d->spent, bytes);
    return true;
}

static double sweep_us(struct device *d, const struct launch *l)
{
    const char *name = l->module->name;
    if (strcmp(name, "spin") == 0)
        return spin_us(d, l);
    d->bytes = l->arguments[2].bits * 4;
    uint64_t tiles = d->bytes / (l->block[0] * 128);
    double gbs = (l->block[0] == 512 ? 4000 : 3000) - (l->grid[0] < tiles ? 500 : 0);
    if (strcmp(name, "empty") == 0)
        return 2.9;
    if (strcmp(name, "sweep_copy") == 0)
        return 2 * (double)d->bytes / (gbs * 0.9) / 1e3;
    if (strcmp(name, "sweep_write") == 0)
        return (double)d->bytes / (gbs * 0.8) / 1e3;
    assert_string_equal(name, "sweep_read");
    return (double)d->bytes / gbs / 1e3;
}

static bool time_trials(struct device *d, const struct trial *trials, int count, double *us,
                        struct error *e)
{
    assert_false(d->not_generated);
    if (d->fails) {
        FAIL(e, ERROR_LAUNCH, "the fake refused");
        e->device_lost = d->lost;
        return false;
    }
    for (int i = 0; i < count; i++) {
        assert_true(trials[i].cache == CACHE_COLD ||
                    strcmp(trials[i].launches[0].module->name, "spin") == 0);
        us[i] = sweep_us(d, &trials[i].launches[0]);
    }
    us[count / 2] *= 3; /* does not change the median */
    return true;
}

static bool has_counter(struct device *d, const char *counter, char why[256])
{
    why[0] = '\0';
    return !d->lacks || strcmp(counter, d->lacks) != 0;
}

static bool count_trials(struct device *d, const struct trial *trials, int count,
                         const char *const *counters, int counter_count, double *values,
                         struct error *e)
{
    (void)e;
    assert_int_equal(count, 1);
    (void)sweep_us(d, &trials[0].launches[0]);
    for (int i = 0; i < counter_count; i++) {
        const char *c = counters[i];
        values[i] = strstr(c, "sectors")             ? (double)d->bytes / 32 + d->sectors_off
                    : strstr(c, "inst_executed.sum") ? 5800
                    : strstr(c, "warps_launched")    ? 100
                                                     : 58;
    }
    return true;
}

static const struct device_driver driver = {.version = DEVICE_VERSION,
                                            .name = "fake",
                                            .load = load,
                                            .unload = unload,
                                            .alloc = alloc,
                                            .free = free_buffer,
                                            .fill = fill,
                                            .read = read_buffer,
                                            .generate = generate,
                                            .run = run,
                                            .time = time_trials,
                                            .count = count_trials,
                                            .has_counter = has_counter};

static struct catalogue support;
static struct compiler *compiler;
static struct bench bench;
static struct ceilings ceilings;
static struct error e;

static int set_up(void **state)
{
    (void)state;
    memset(&e, 0, sizeof e);
    device = (struct device){.not_generated = true, .event_factor = 1};
    bench = (struct bench){.driver = &driver,
                           .device = &device,
                           .compiler = compiler,
                           .support = &support,
                           .threads = 1};
    bench.info = (struct device_info){.target = {IMAGE_CUBIN, 90},
                                      .limits = {.cc = 90, .sms = 132},
                                      .memory_bytes = 141 * GIB,
                                      .free_bytes = 140 * GIB,
                                      .l2_bytes = 60 << 20,
                                      .can_time = true,
                                      .can_count = true};
    return 0;
}

/* Checks that closing the bench leaves no memory allocated. */
static int tear_down(void **state)
{
    (void)state;
    pool_free(&bench, device.lost);
    for (int i = 1; device.lost && i <= device.loaded; i++)
        free(latest[i % LATEST]);
    return device.lost || (device.allocated == 0 && device.loaded == 0) ? 0 : 1;
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g should be %.12g", found, expected);
}

static void the_fastest_shape_counts(void **state)
{
    (void)state;
    ceilings_measure(&bench, &ceilings, &e);
    assert_string_equal(ceilings.missing, "");
    near(ceilings.empty_us, 2.9);
    near(ceilings.read_gbs, 4000);
    near(ceilings.copy_gbs, 3600); /* reads and writes both count */
    near(ceilings.write_gbs, 3200);
    assert_true(ceilings.bytes == 16ull * (60 << 20));
}

static void the_buffer_is_large_and_no_larger(void **state)
{
    (void)state;
    const struct {
        uint64_t l2, available, bytes;
    } cases[] = {
        {60ull << 20, 140 * GIB, 960ull << 20}, /* 16 times the cache */
        {126ull << 20, 180 * GIB, GIB},         /* at most a GiB */
        {2ull << 20, 8 * GIB, 256ull << 20},    /* at least 256 MiB */
        /* At most an eighth of the free memory. */
        {2ull << 20, GIB, 128ull << 20},
        {0, 140 * GIB, 256ull << 20}, /* a cache of unknown size */
        /* An eighth of the memory is not much larger than the cache. */
        {60ull << 20, GIB, 0},
        {0, 32ull << 20, 0},
        {0, 0, 0}, /* the device does not report its memory */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench.info.l2_bytes = cases[i].l2;
        bench.info.free_bytes = cases[i].available;
        assert_true(stream_bytes(&bench) == cases[i].bytes);
    }
}

static void expect_missing(const char *name)
{
    ceilings_measure(&bench, &ceilings, &e);
    assert_true(isnan(ceilings.empty_us) && isnan(ceilings.read_gbs));
    texts_expect(name, ceilings.missing);
}

static void what_is_missing_has_a_reason(void **state)
{
    (void)state;
    bench.info.can_time = false;
    expect_missing("a device without a clock");
    bench.info.can_time = true;
    bench.info.target.kind = IMAGE_NONE;
    expect_missing("a device without kernels");
    bench.info.target.kind = IMAGE_CUBIN;
    bench.info.free_bytes = 1 << 20;
    expect_missing("1 MiB of memory");
    bench.info.free_bytes = 140 * GIB;
    device.fails = true;
    expect_missing("a launch that fails");
    assert_int_equal(e.kind, ERROR_NONE); /* the run goes on without the result */
    struct catalogue none = {0};
    bench.support = &none;
    expect_missing("no kernels/support/empty.cu");
}

static void a_lost_device_is_passed_on(void **state)
{
    (void)state;
    device.fails = device.lost = true;
    expect_missing("a device that is lost");
    assert_true(e.device_lost);
}

static struct self_check checks[SELF_CHECKS_MOST];
static int check_count;

static void check_now(int expected_count)
{
    ceilings_measure(&bench, &ceilings, &e);
    self_check(&bench, &ceilings, checks, &check_count, &e);
    assert_int_equal(check_count, expected_count);
}

static void the_truth_passes(void **state)
{
    (void)state;
    check_now(3);
    assert_string_equal(checks[0].name, "read_sectors");
    near(checks[0].expected, 960.0 * (1 << 20) / 32);
    assert_string_equal(checks[1].name, "inst_per_warp");
    near(checks[1].expected, 58);
    assert_string_equal(checks[2].name, "event_time");
    assert_true(checks[0].ok && checks[1].ok && checks[2].ok);
}

static void one_sector_too_many_fails(void **state)
{
    (void)state;
    device.sectors_off = 1;
    check_now(3);
    assert_false(checks[0].ok);
    assert_true(checks[1].ok && checks[2].ok);
}

/* The self-check must accept events whose times scatter and have outliers, and must always
 * detect a scale that is off by 10 %. */
static void another_clock_fails(void **state)
{
    static const double factors[] = {1, 1.1, 0.9, 1.05, 0.95, 1e-3};
    (void)state;
    for (size_t f = 0; f < sizeof factors / sizeof factors[0]; f++)
        for (int seed = 0; seed < 400; seed++) {
            device.event_factor = factors[f];
            device.event_noise_us = 0.5;
            device.random = (uint64_t)seed * 7919;
            self_check(&bench, &ceilings, checks, &check_count, &e);
            const struct self_check *c = &checks[check_count - 1];
            assert_string_equal(c->name, "event_time");
            near(c->expected, 200);
            if (c->ok != (factors[f] == 1))
                fail_msg("scale %g, seed %d: expected %g, found %g, tolerance %g", factors[f], seed,
                         c->expected, c->found, c->tolerance);
        }
}

/* If times scatter too much to detect a wrong scale, the self-check reports no result. */
static void a_check_that_says_nothing_is_left_out(void **state)
{
    (void)state;
    device.event_noise_us = 100;
    check_now(2);
    assert_string_equal(checks[1].name, "inst_per_warp");
}

static void what_is_not_counted_is_not_checked(void **state)
{
    (void)state;
    device.lacks = "smsp__warps_launched.sum";
    check_now(2);
    assert_string_equal(checks[1].name, "event_time");
    bench.info.can_count = false; /* times can be checked without counters */
    check_now(1);
    assert_string_equal(checks[0].name, "event_time");
    bench.info.can_time = false;
    check_now(0);
}

/* A simulator only counts and measures no times, so 1 MiB is enough. */
static void without_a_clock_counts_are_checked(void **state)
{
    (void)state;
    bench.info.can_time = false;
    check_now(2);
    near(checks[0].expected, (1 << 20) / 32);
    assert_true(checks[0].ok && checks[1].ok);
    assert_true(device.spins == 0);
}

int main(void)
{
    const char *folder = "kernels/support";
    if (!catalogue_read(&folder, 1, &support, &e) ||
        !compiler_open(NULL, "kernels", &compiler, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(the_fastest_shape_counts),
        TEST(the_buffer_is_large_and_no_larger),
        TEST(what_is_missing_has_a_reason),
        TEST(a_lost_device_is_passed_on),
        TEST(the_truth_passes),
        TEST(one_sector_too_many_fails),
        TEST(another_clock_fails),
        TEST(a_check_that_says_nothing_is_left_out),
        TEST(what_is_not_counted_is_not_checked),
        TEST(without_a_clock_counts_are_checked),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    compiler_close(compiler);
    catalogue_free(&support);
    return failed;
}
