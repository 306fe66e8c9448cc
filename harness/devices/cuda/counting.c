/*
 * Implements the driver's count(): runs each trial as one range (counters.h).
 */
#include "devices/cuda/cuda_device.h"

#include <stdio.h>

struct replay {
    struct device *device;
    const struct trial *trials;
};

/* Waits until the device has finished its work. Work that is still running when a range begins or
 * ends would be counted for the wrong range. */
static bool finished(struct device *d, struct error *e)
{
    return cuda_ok(cudaStreamSynchronize(d->stream), "running a counted kernel", e);
}

static bool prepare_range(void *context, int range, struct error *e)
{
    struct replay *r = context;
    return cuda_enqueue_prepare(r->device, &r->trials[range], e) && finished(r->device, e);
}

static bool launch_range(void *context, int range, struct error *e)
{
    struct replay *r = context;
    return cuda_enqueue_all(r->device, &r->trials[range], e) && finished(r->device, e);
}

bool cuda_count(struct device *d, const struct trial *trials, int count,
                const char *const *counters, int counter_count, double *values, struct error *e)
{
    if (!d->info.can_count)
        return FAIL_LINES(e, ERROR_UNSUPPORTED, "%s", d->info.counters_missing);
    d->slot.stale = true;
    struct replay replay = {d, trials};
    /* Compiles the kernels that flush the cache now, because nothing may be compiled while
     * counting. */
    if (count > 0 && !cuda_prepare_flush(d, e))
        return false;
    return counters_measure(d->counters, counters, counter_count, count, prepare_range,
                            launch_range, &replay, values, e);
}

bool cuda_has_counter(struct device *d, const char *counter, char why[256])
{
    if (d->info.can_count)
        return counters_has(d->counters, counter, why);
    snprintf(why, 256, "%.255s", d->info.counters_missing);
    return false;
}

int cuda_passes(struct device *d, const char *const *counters, int counter_count)
{
    return d->info.can_count ? counters_passes(d->counters, counters, counter_count) : 0;
}
