/*
 * Compares known results with measured ones.
 *
 *   read_sectors      kernels/support/sweep_read.cu reads each 32-byte sector once.
 *   inst_per_warp     The counter of instructions per warp equals the counted instructions divided
 *                     by the counted warps.
 *   event_time        Two events around a kernel measure the same time as the device's timer, which
 *                     the kernel reads.
 *
 * The first two checks are exact. For the third, kernels/support/spin.cu runs until the timer has
 * advanced by a given time, whatever the clock frequency, and records the elapsed time. Each launch
 * is enclosed in two events and runs without a profiler. Short and long launches alternate. The
 * difference between a long launch and the short one before it contains neither the launch overhead
 * nor the timer's phase. The median of these differences by the events is compared with the median
 * by the timer.
 *
 * The tolerance is the pairs' scatter plus two timer steps, but at least EVENT_TOLERANCE. The
 * scatter is half the width of a confidence interval for the median difference between events and
 * timer (see PAIR_RANK). This check detects a wrong unit, a wrong divisor, or a launch outside its
 * events.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/statistics.h"
#include "measure/ceilings.h"
#include "measure/buffer_pool.h"
#include "measure/streaming.h"

enum { COUNT_ONLY_BYTES = 1 << 20, THREADS = 256, SECTOR_BYTES = 32 };

enum { PAIRS = 32, SPIN_SHORT_NS = 50000, SPIN_LONG_NS = 250000 };
/* The interval from the 5th to the 28th of 32 sorted values misses the median in 2e-5 of cases. */
enum { PAIR_RANK = 5 };
#define EVENT_TOLERANCE 0.01
/* If the tolerance is larger than this, the check would find nothing, so it is skipped. */
#define EVENT_TOLERANCE_MAX 0.05

enum { SECTORS, INSTRUCTIONS, WARPS, PER_WARP, COUNTERS };
static const char *const counters[COUNTERS] = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "smsp__inst_executed.sum",
    "smsp__warps_launched.sum", "smsp__average_inst_executed_per_warp.ratio"};

/* What one read of a buffer counts. A count is NaN if the device lacks it. */
struct evidence {
    double counts[COUNTERS];
    uint64_t bytes;
};

/*
 * For the check event_time: the median difference between the long and the short launch of a pair.
 */
struct timer_evidence {
    double timer_us, events_us; /* in us; NaN if there is no clock */
    double tolerance;           /* the relative tolerance */
};

static bool count_read(struct bench *b, const struct trial *t, double found[COUNTERS],
                       struct error *e)
{
    const char *asked[COUNTERS];
    double values[COUNTERS];
    int at[COUNTERS], count = 0;
    char why[256];
    for (int i = 0; i < COUNTERS; i++) {
        found[i] = NAN;
        if (!b->driver->has_counter || !b->driver->has_counter(b->device, counters[i], why))
            continue;
        at[count] = i;
        asked[count++] = counters[i];
    }
    if (count == 0)
        return true;
    if (!b->driver->count(b->device, t, 1, asked, count, values, e))
        return false;
    for (int i = 0; i < count; i++)
        found[at[i]] = values[i];
    return true;
}

static bool gather(struct bench *b, struct evidence *v, struct error *e)
{
    struct module *read;
    struct buffer from, sink;
    struct input input = {.type = TYPE_INT32, .op = OP_SUM, .n = v->bytes / 4, .seed = 1};
    if (!stream_module(b, "sweep_read", &read, e) ||
        !pool_buffer(b, BUFFER_PRISTINE, v->bytes, &from, e) ||
        !pool_buffer(b, BUFFER_OUTPUT, 256, &sink, e) ||
        !b->driver->generate(b->device, from, &input, e))
        return false;
    uint64_t blocks = (uint64_t)b->info.limits.sms * 8;
    struct launch l = stream_launch(read, from, sink, THREADS, blocks, v->bytes);
    struct trial t = {.input = from, .cache = CACHE_COLD, .launches = &l, .launch_count = 1};
    return count_read(b, &t, v->counts, e);
}

/* Estimates the timer's step in ns: the smallest nonzero difference between two launches of equal
 * length. */
static double timer_step(const uint64_t *spent, int count)
{
    double step = 0;
    for (int i = 0; i < count; i++)
        for (int j = i % 2; j < i; j += 2) {
            double distance = fabs((double)spent[i] - (double)spent[j]);
            if (distance > 0 && (step == 0 || distance < step))
                step = distance;
        }
    return step;
}

static void compare_clocks(const double *us, const uint64_t *spent, struct timer_evidence *v)
{
    double events[PAIRS], timer[PAIRS], apart[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        events[i] = us[2 * i + 1] - us[2 * i];
        timer[i] = ((double)spent[2 * i + 1] - (double)spent[2 * i]) / 1e3;
        apart[i] = events[i] - timer[i];
    }
    v->events_us = median_in_place(events, PAIRS);
    v->timer_us = median_in_place(timer, PAIRS);
    sort_numbers(apart, PAIRS);
    double scatter = (apart[PAIRS - PAIR_RANK] - apart[PAIR_RANK - 1]) / 2;
    double step_us = timer_step(spent, 2 * PAIRS) / 1e3;
    v->tolerance = fmax(EVENT_TOLERANCE, (scatter + 2 * step_us) / fabs(v->timer_us));
}

/* Times the launches of spin.cu. Each timed launch has an output element of its own. Untimed
 * launches may write the same element, but before the timed launch does. */
static bool time_spins(struct bench *b, struct timer_evidence *v, struct error *e)
{
    struct module *spin;
    struct buffer out, from;
    struct launch launches[2 * PAIRS];
    struct trial trials[2 * PAIRS];
    double us[2 * PAIRS];
    uint64_t spent[2 * PAIRS];
    if (!stream_module(b, "spin", &spin, e) ||
        !pool_buffer(b, BUFFER_PRISTINE, SECTOR_BYTES * 32, &from, e) ||
        !pool_buffer(b, BUFFER_OUTPUT, sizeof spent, &out, e) ||
        !b->driver->fill(b->device, out, 0, e))
        return false;
    for (int i = 0; i < 2 * PAIRS; i++) {
        launches[i] =
            (struct launch){.module = spin, .grid = {1, 1, 1}, .block = {32, 1, 1}, .cluster = 1};
        add_argument(&launches[i], from.address, 8);
        add_argument(&launches[i], out.address + (uint64_t)i * sizeof *spent, 8);
        add_argument(&launches[i], i % 2 ? SPIN_LONG_NS : SPIN_SHORT_NS, 8);
        trials[i] = (struct trial){
            .input = from, .cache = CACHE_WARM, .launches = &launches[i], .launch_count = 1};
    }
    /* Not timed, because it may wait until the device is idle. */
    if (!b->driver->run(b->device, &trials[0], e) ||
        !b->driver->time(b->device, trials, 2 * PAIRS, us, e) ||
        !b->driver->read(b->device, out, 0, spent, sizeof spent, e))
        return false;
    compare_clocks(us, spent, v);
    return true;
}

static void add(struct self_check *checks, int *count, const char *name, const char *meaning,
                double expected, double found, double tolerance)
{
    if (isnan(expected) || isnan(found) || *count == SELF_CHECKS_MOST)
        return;
    struct self_check *c = &checks[(*count)++];
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->meaning, sizeof c->meaning, "%s", meaning);
    c->expected = expected;
    c->found = found;
    c->tolerance = tolerance;
    c->ok = fabs(found - expected) <= tolerance * fabs(expected);
}

static void check_counts(struct bench *b, const struct ceilings *ceilings,
                         struct self_check *checks, int *count, struct error *why)
{
    uint64_t streamed = ceilings->bytes > 0 ? (uint64_t)ceilings->bytes : 0;
    struct evidence v = {.bytes = b->info.can_time ? streamed : COUNT_ONLY_BYTES};
    if (!b->info.can_count || !b->driver->count || v.bytes == 0 || !gather(b, &v, why))
        return;
    const double *c = v.counts;
    add(checks, count, "read_sectors",
        "the number of sectors that a kernel loads if it reads each sector once",
        (double)(v.bytes / SECTOR_BYTES), c[SECTORS], 0);
    add(checks, count, "inst_per_warp",
        "the number of instructions per warp, computed from separate counts of instructions and "
        "warps,",
        c[INSTRUCTIONS] / c[WARPS], c[PER_WARP], 1e-6);
}

static void check_events(struct bench *b, struct self_check *checks, int *count, struct error *why)
{
    struct timer_evidence v;
    if (b->info.can_time && time_spins(b, &v, why) && v.tolerance <= EVENT_TOLERANCE_MAX)
        add(checks, count, "event_time",
            "the time (us) between two events around a kernel, expected from the device's timer,",
            v.timer_us, v.events_us, v.tolerance);
}

void self_check(struct bench *b, const struct ceilings *ceilings, struct self_check *checks,
                int *count, struct error *e)
{
    *count = 0;
    if (b->info.target.kind == IMAGE_NONE)
        return;
    struct error why = {0};
    check_counts(b, ceilings, checks, count, &why);
    if (!why.device_lost) {
        error_clear(&why);
        check_events(b, checks, count, &why);
    }
    pool_return(b, why.device_lost);
    if (why.device_lost)
        *e = why;
}
