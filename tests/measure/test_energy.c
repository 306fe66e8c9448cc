/*
 * Measures the energy of trials on a made-up device with known power. Its energy counter advances
 * in steps, and can be reset, wrap around, stop or fail.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../texts/reasons.h"
#include "base/clock.h"
#include "base/phase.h"
#include "base/random.h"
#include "base/statistics.h"
#include "measure/energy.h"

enum { KERNELS = 4, ORDER_MOST = 256 };

/* On this device, a launch of kernel k takes us[k] microseconds at watts[k], and the preparation
 * before it takes prepare_us at prepare_w. The counter shows the energy used up to its latest
 * step. Steps are step_s seconds apart, give or take the jitter. */
static struct device {
    double us[KERNELS], watts[KERNELS], prepare_us, prepare_w;
    double step_s, jitter; /* jitter as a share of a step */
    double drift;          /* growth of all powers per second */
    double noise;          /* scatter of a block's power, as a share */
    double now_s, joules, next_step_s;
    uint64_t shown_mj, random;
    int readings;
    int fails_at, resets_at, stops_at; /* numbers of the readings that do so; 0: none */
    uint64_t wraps_mj;                 /* the counter's range; 0: it does not wrap */
    int broken;                        /* the kernel that faults, or −1 */
    bool loses;                        /* whether the device is lost then */
    int order[ORDER_MOST], blocks;     /* the kernels of the blocks; −1: a preparation */
} device;

static struct launch launches[KERNELS];

static double uniform(void)
{
    return (double)(random_next(&device.random) >> 11) / 9007199254740992.0;
}

/* Lets time pass at this power. At each step, the counter shows the energy used so far. */
static void work(double us, double watts)
{
    double end_s = device.now_s + us * 1e-6;
    while (device.next_step_s <= end_s) {
        double part = device.next_step_s - device.now_s;
        device.joules += part * watts;
        device.now_s = device.next_step_s;
        device.shown_mj = (uint64_t)(device.joules * 1e3);
        device.next_step_s += device.step_s * (1 + device.jitter * (uniform() - 0.5));
    }
    device.joules += (end_s - device.now_s) * watts;
    device.now_s = end_s;
}

static void run_trial(int kernel, double factor)
{
    factor *= 1 + device.drift * device.now_s;
    work(device.prepare_us, device.prepare_w * factor);
    if (kernel >= 0)
        work(device.us[kernel], device.watts[kernel] * factor);
}

static bool repeat(struct device *d, const struct trial *t, repeat_look *look, void *context,
                   struct error *e)
{
    int kernel = t->launch_count ? (int)(t->launches - launches) : -1;
    double began_s = d->now_s, factor = 1 + d->noise * (uniform() - 0.5);
    uint64_t trials = 0;
    assert_true(d->blocks < ORDER_MOST);
    d->order[d->blocks++] = kernel;
    if (kernel >= 0 && kernel == d->broken) {
        FAIL(e, ERROR_LAUNCH, "kernel %d faults", kernel);
        e->device_lost = d->loses;
        return false;
    }
    do {
        double until_s = d->now_s + 0.002;
        for (; d->now_s < until_s; trials++)
            run_trial(kernel, factor);
    } while (look(context, trials, d->now_s - began_s));
    run_trial(kernel, factor); /* work that was queued before the last callback still runs */
    return true;
}

static bool read_energy(struct device *d, uint64_t *mj, struct error *e)
{
    d->readings++;
    if (d->readings == d->fails_at)
        return FAIL(e, ERROR_DEVICE, "the reading failed");
    if (d->readings == d->resets_at)
        d->joules = 0, d->shown_mj = 0;
    if (d->readings == d->stops_at)
        d->next_step_s = INFINITY;
    *mj = d->wraps_mj ? d->shown_mj % d->wraps_mj : d->shown_mj;
    return true;
}

static const struct device_driver driver = {.repeat = repeat, .energy = read_energy};

static void reset_device(uint64_t seed)
{
    device = (struct device){.us = {20, 25, 20, 30},
                             .watts = {400, 300, 404, 500},
                             .prepare_us = 40,
                             .prepare_w = 500,
                             .step_s = 0.05,
                             .jitter = 0.2,
                             .joules = 5000,
                             .random = seed,
                             .broken = -1};
    device.next_step_s = device.step_s * uniform();
    device.shown_mj = 5000000 - 1000;
}

struct watch {
    int told, refuse_at;
};

static bool tell(void *context, uint32_t trial, struct error *e)
{
    struct watch *w = context;
    (void)trial;
    return ++w->told != w->refuse_at || FAIL(e, ERROR_SYSTEM, "nobody listens");
}

/* the measured energies of the first `count` kernels */
struct found {
    struct energy energy[KERNELS];
    struct summary summary[KERNELS];
    struct error e;
    bool ok, counter_failed;
};

static volatile sig_atomic_t stop;

static struct found measure(uint32_t count, struct watch *w)
{
    struct trial trials[KERNELS];
    struct found f = {.ok = false};
    struct watch nothing = {0};
    struct bench bench = {.driver = &driver, .device = &device, .stop = &stop};
    for (uint32_t i = 0; i < count; i++)
        trials[i] =
            (struct trial){.cache = CACHE_COLD, .launches = &launches[i], .launch_count = 1};
    f.ok = energy_measure(&bench, trials, count, 1, tell, w ? w : &nothing, f.energy,
                          &f.counter_failed, &f.e);
    for (uint32_t i = 0; f.ok && i < count; i++)
        assert_true(summarize(f.energy[i].uj, ENERGY_PASSES, &f.summary[i]));
    return f;
}

static double truth_uj(int kernel)
{
    return device.us[kernel] * device.watts[kernel];
}

/* Steps of up to 100 ms make the energy uncertain. The intervals allow for that, and contain the
 * true energy at least as often as they promise. */
static void known_energies_are_in_their_intervals(void **state)
{
    (void)state;
    const double steps[] = {0.02, 0.05, 0.1};
    int inside = 0, all = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        reset_device(seed);
        device.step_s = steps[seed % 3];
        device.noise = 0.002;
        struct found f = measure(3, NULL);
        assert_true(f.ok);
        for (int k = 0; k < 3; k++, all++) {
            inside += f.summary[k].ci95_lo <= truth_uj(k) && truth_uj(k) <= f.summary[k].ci95_hi;
            /* The error has two causes. One is an uncertainty of 5 ms at each end of a 1 s
             * block, multiplied by the ratio of the whole trial's work to the launch's. The
             * other is noise. */
            assert_true(fabs(f.summary[k].median / truth_uj(k) - 1) < 0.05);
        }
    }
    /* If each interval contains the true energy with a probability of 95 %, the probability that
     * fewer than 81 of 90 intervals contain it is about 1 %. */
    assert_true(inside >= all * 0.9);
    assert_true(inside < all || all < 60);
}

/* The powers of the two kernels, 404 W and 400 W, differ by 1 %, and the launches are only a third
 * of a trial's work. The measurement cannot resolve this difference. */
static void a_difference_that_is_not_resolved_is_no_difference(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        reset_device(seed);
        device.noise = 0.01;
        struct found f = measure(3, NULL);
        assert_true(f.ok);
        assert_true(f.summary[0].ci95_hi > f.summary[2].ci95_lo);
        assert_true(f.summary[0].ci95_lo < f.summary[2].ci95_hi);
        /* With little noise, 7500 and 8000 uJ can be told apart. */
        reset_device(seed);
        f = measure(2, NULL);
        assert_true(f.summary[1].ci95_hi < f.summary[0].ci95_lo);
    }
}

static void blocks_are_in_opposite_orders(void **state)
{
    (void)state;
    reset_device(3);
    struct found f = measure(3, NULL);
    assert_true(f.ok);
    assert_int_equal(device.blocks, 4 * ENERGY_PASSES); /* all trials share one preparation */
    for (int pass = 0; pass < ENERGY_PASSES; pass++)
        for (int i = 0; i < 4; i++)
            assert_int_equal(device.order[4 * pass + i], (pass % 2 ? 3 - i : i) - 1);
    assert_true(device.now_s < energy_estimate_s(3, 1, 1) * 1.2);
    assert_true(device.now_s > energy_estimate_s(3, 1, 1) * 0.8);
}

/* The callback is called when a block begins, and then every 50 ms of wall time while it runs. */
static void it_tells_at_intervals(void **state)
{
    (void)state;
    reset_device(6);
    struct watch w = {0};
    double began_s = clock_now_s();
    assert_true(measure(2, &w).ok);
    assert_true(w.told > 0);
    assert_true(w.told <= device.blocks + (clock_now_s() - began_s) / 0.05 + 1);
}

/* Each block counts once, even if it is left out because its trial failed. */
static void blocks_are_counted(void **state)
{
    (void)state;
    struct phase phase = {0};
    phase_share(&phase);
    reset_device(6);
    device.broken = 1;
    phase_begin(PHASE_ENERGY, 0);
    assert_true(measure(3, NULL).ok);
    assert_int_equal(phase.done, 4 * ENERGY_PASSES);
    phase_share(NULL);
}

/* Two kernels take the same energy, but the device warms up and uses 0.1 % more power each
 * second. */
static void drift_makes_no_difference(void **state)
{
    (void)state;
    reset_device(5);
    device.drift = 0.001;
    for (int k = 0; k < KERNELS; k++)
        device.us[k] = 400, device.watts[k] = 400;
    struct found f = measure(KERNELS, NULL);
    assert_true(f.ok);
    for (int k = 1; k < KERNELS; k++)
        assert_true(fabs(f.summary[k].mean / f.summary[0].mean - 1) < 0.004);
}

/* Each kind of preparation has its own blocks, whose trials have this preparation. */
static void each_trial_has_its_own_preparation(void **state)
{
    (void)state;
    reset_device(7);
    struct bench bench = {.driver = &driver, .device = &device};
    struct trial trials[2] = {
        {.cache = CACHE_COLD, .launches = &launches[0], .launch_count = 1},
        {.cache = CACHE_COLD, .zero = {4096, 64}, .launches = &launches[1], .launch_count = 1}};
    struct energy found[2];
    struct watch w = {0};
    struct error e = {0};
    bool counter_failed;
    assert_true(energy_measure(&bench, trials, 2, 1, tell, &w, found, &counter_failed, &e));
    assert_int_equal(device.blocks, 4 * ENERGY_PASSES);
    assert_int_equal(device.order[0], -1);
    assert_int_equal(device.order[1], -1);
    assert_int_equal(device.order[2], 0);
}

/* Expects the same message whichever reading fails, except for the energies in it. */
static void expect_counter_failure(const char *name)
{
    struct found f = measure(2, NULL);
    assert_false(f.ok);
    assert_true(f.counter_failed);
    hide_number("decreased from ", f.e.text);
    hide_number(" to ", f.e.text);
    hide_number("stayed at ", f.e.text);
    texts_expect(name, f.e.text);
}

/* Makes a different reading fail in each try, in the middle of a block or between two. */
static void a_counter_that_fails_gives_no_numbers(void **state)
{
    (void)state;
    reset_device(1);
    assert_true(measure(2, NULL).ok);
    int all = device.readings;
    assert_true(all > 100);
    for (int at = 2; at < all; at += 17) {
        reset_device(1);
        device.fails_at = at;
        expect_counter_failure("a reading that fails");
        reset_device(1);
        device.resets_at = at;
        expect_counter_failure("a counter that is reset");
        reset_device(1);
        device.stops_at = at;
        expect_counter_failure("a counter that stops");
    }
    reset_device(1);
    device.wraps_mj = 5500000;
    expect_counter_failure("a counter that wraps");
}

static void a_trial_that_fails_costs_itself(void **state)
{
    (void)state;
    reset_device(2);
    device.broken = 1;
    struct found f = measure(3, NULL);
    assert_true(f.ok);
    assert_true(f.energy[1].failed);
    texts_expect("a kernel that faults", f.energy[1].why.text);
    assert_int_equal(device.blocks, 3 * ENERGY_PASSES + 1);
    for (int k = 0; k < 3; k += 2) {
        assert_false(f.energy[k].failed);
        assert_true(fabs(f.summary[k].median / truth_uj(k) - 1) < 0.05);
    }
    reset_device(2);
    device.broken = 1;
    device.loses = true;
    f = measure(3, NULL);
    assert_false(f.ok);
    assert_true(f.e.device_lost);
    assert_false(f.counter_failed);
}

static void it_ends_when_it_is_asked_to(void **state)
{
    (void)state;
    reset_device(4);
    struct watch w = {.refuse_at = 5};
    struct found f = measure(2, &w);
    assert_false(f.ok);
    assert_false(f.counter_failed);
    texts_expect("a listener that refuses", f.e.text);
    reset_device(4);
    stop = SIGTERM;
    f = measure(2, NULL);
    stop = 0;
    assert_false(f.ok);
    assert_false(f.counter_failed);
    assert_int_equal(device.blocks, 1);
    texts_expect("a signal", f.e.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_energies_are_in_their_intervals),
        cmocka_unit_test(a_difference_that_is_not_resolved_is_no_difference),
        cmocka_unit_test(it_tells_at_intervals),
        cmocka_unit_test(blocks_are_counted),
        cmocka_unit_test(blocks_are_in_opposite_orders),
        cmocka_unit_test(drift_makes_no_difference),
        cmocka_unit_test(each_trial_has_its_own_preparation),
        cmocka_unit_test(a_counter_that_fails_gives_no_numbers),
        cmocka_unit_test(a_trial_that_fails_costs_itself),
        cmocka_unit_test(it_ends_when_it_is_asked_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
