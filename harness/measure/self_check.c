/*
 * Self-checks: one read of a buffer, of which all is known beforehand.
 *
 *   read_sectors      kernels/support/sweep_read.cu reads each 32-byte sector once
 *   inst_per_warp     the ratio that the device gives is that of the two counts it is made of
 *   event_time        events and the device's own counter tell the same time
 *
 * The first two are exact. Times differ by what a launch costs (a few µs of some hundred) and by
 * the clock, which may change between a timed and a counted launch: 10 % tells a wrong unit, a
 * wrong divisor or a launch outside of its events, and nothing finer.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/ceilings.h"
#include "measure/kept.h"
#include "measure/sweeps.h"

enum { COUNT_ONLY_BYTES = 1 << 20, THREADS = 256, SECTOR_BYTES = 32 };

enum { SECTORS, INSTRUCTIONS, WARPS, PER_WARP, DURATION_NS, COUNTERS };
static const char *const counters[COUNTERS] = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "smsp__inst_executed.sum",
    "smsp__warps_launched.sum", "smsp__average_inst_executed_per_warp.ratio",
    "gpu__time_duration.sum"};

/* The counts of one read, NaN where the device has none, and its time in µs (NaN: no clock). */
struct evidence {
    double counts[COUNTERS];
    double us;
    uint64_t bytes;
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
    if (!sweep_module(b, "sweep_read", &read, e) ||
        !kept_buffer(b, BUFFER_PRISTINE, v->bytes, &from, e) ||
        !kept_buffer(b, BUFFER_OUTPUT, 256, &sink, e) ||
        !b->driver->generate(b->device, from, &input, e))
        return false;
    uint64_t blocks = (uint64_t)b->info.limits.sms * 8;
    struct launch l = sweep_launch(read, from, sink, THREADS, blocks, v->bytes);
    struct trial t = {
        .input = from, .cache = CACHE_COLD, .launches = &l, .launch_count = 1, .repeat = 1};
    if (b->info.can_time && !sweep_time(b, &l, from, &v->us, e))
        return false;
    return count_read(b, &t, v->counts, e);
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

void self_check(struct bench *b, const struct ceilings *ceilings, struct self_check *checks,
                int *count, struct error *e)
{
    *count = 0;
    if (!b->info.can_count || !b->driver->count || b->info.target.kind == IMAGE_NONE)
        return;
    struct evidence v = {.us = NAN};
    v.bytes = b->info.can_time ? ceilings->bytes : COUNT_ONLY_BYTES;
    struct error why = {0};
    bool ok = v.bytes > 0 && gather(b, &v, &why);
    kept_return(b, why.device_lost);
    if (why.device_lost)
        *e = why;
    if (!ok)
        return;
    const double *c = v.counts;
    add(checks, count, "read_sectors", "sectors that a kernel loads which reads each of them once",
        (double)(v.bytes / SECTOR_BYTES), c[SECTORS], 0);
    add(checks, count, "inst_per_warp", "instructions per warp, from instructions and warps",
        c[INSTRUCTIONS] / c[WARPS], c[PER_WARP], 1e-6);
    add(checks, count, "event_time", "us between two events around a kernel, by the device's count",
        c[DURATION_NS] / 1e3, v.us, 0.1);
}
