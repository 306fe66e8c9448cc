/*
 * Measures how much energy the GPU uses: repeats one trial without pausing while the caller reads
 * NVML's energy counter.
 *
 * Trials are queued in chunks. The next chunk is queued before the CPU waits for the previous one,
 * so the GPU stays busy while the caller reads the counter. The number of trials in a chunk is
 * chosen so that a chunk takes a few milliseconds. If the stream's queue cannot hold so many
 * trials, a chunk takes less time. The GPU may then idle while the counter is read.
 */
#include "devices/cuda/cuda_device.h"

#include <stdio.h>

#define CHUNK_S 0.002

void cuda_energy_open(struct device *d)
{
    struct device_info *info = &d->info;
    uint64_t mj;
    if (d->nvml)
        info->can_meter = nvml_energy(d->nvml, &mj, info->energy_missing);
    else
        snprintf(info->energy_missing, sizeof info->energy_missing, "%s", info->health_missing);
}

bool cuda_energy(struct device *d, uint64_t *mj, struct error *e)
{
    char why[256];
    if (!d->info.can_meter)
        return FAIL(e, ERROR_UNSUPPORTED, "%s", d->info.energy_missing);
    return nvml_energy(d->nvml, mj, why) || FAIL(e, ERROR_DEVICE, "%s", why);
}

/* Queues the trial t `trials` times, and then the event `end`. */
static bool enqueue_chunk(struct device *d, const struct trial *t, unsigned trials, cudaEvent_t end,
                          struct error *e)
{
    for (unsigned i = 0; i < trials; i++)
        if (!cuda_enqueue_prepare(d, t, e) || !cuda_enqueue_all(d, t, e))
            return false;
    return cuda_ok(cudaEventRecord(end, d->stream), "recording an event", e);
}

static bool wait_chunk(cudaEvent_t begin, cudaEvent_t end, double *seconds, struct error *e)
{
    float ms = 0;
    if (!cuda_ok(cudaEventSynchronize(end), "running a kernel repeatedly", e) ||
        !cuda_ok(cudaEventElapsedTime(&ms, begin, end), "reading a time", e))
        return false;
    *seconds = (double)ms * 1e-3;
    return true;
}

/* Returns how many repetitions of t a chunk may contain, so that two chunks fit into the stream's
 * queue. Zeroing a buffer takes one launch, plus a memset if the size is not a multiple of 4. */
static unsigned most_trials(const struct trial *t)
{
    unsigned memsets = (t->zero.bytes % 4 > 0) + (t->zero_output.bytes % 4 > 0);
    unsigned pieces = cuda_prepare_launches(t) + memsets + cuda_trial_launches(t);
    /* `pieces` is not 0, because cuda_prepare_launches() never returns 0. */
    unsigned most = CUDA_QUEUE_MOST / 2 / pieces;
    return most > 0 ? most : 1;
}

static bool repeat(struct device *d, const struct trial *t, repeat_look *look, void *context,
                   struct error *e)
{
    cudaEvent_t begin = d->slots[0].begin, *ends = d->slots[0].stop;
    unsigned sizes[2] = {1, 1}, size = 1, most = most_trials(t);
    uint64_t done = 0;
    double seconds = 0, before;
    if (!cuda_ok(cudaEventRecord(begin, d->stream), "recording an event", e) ||
        !enqueue_chunk(d, t, size, ends[0], e))
        return false;
    for (unsigned turn = 0;; turn = 1 - turn) {
        sizes[1 - turn] = size;
        before = seconds;
        if (!enqueue_chunk(d, t, size, ends[1 - turn], e) ||
            !wait_chunk(begin, ends[turn], &seconds, e))
            return false;
        done += sizes[turn];
        if (!look(context, done, seconds))
            return true;
        if (seconds - before < CHUNK_S / 2 && 2 * size <= most)
            size *= 2;
    }
}

bool cuda_repeat(struct device *d, const struct trial *t, repeat_look *look, void *context,
                 struct error *e)
{
    if (!cuda_timing_open(d, e))
        return false;
    for (int i = 0; i < t->launch_count; i++)
        if (!cuda_count_host(d, &t->launches[i], e))
            return false;
    bool ok = repeat(d, t, look, context, e) &&
              cuda_ok(cudaStreamSynchronize(d->stream), "running a kernel repeatedly", e);
    if (!ok && (!e || !e->device_lost))
        (void)cudaStreamSynchronize(d->stream); /* wait until the queue is empty */
    return ok;
}
