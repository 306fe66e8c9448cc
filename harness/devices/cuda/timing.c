/*
 * Measures times with CUDA events. Between two events of a trial, the device never waits for the
 * CPU.
 *
 * A batch of trials is queued behind a blocking kernel (as in nvbench), which waits for a flag in
 * host memory until the whole batch is queued. While a batch runs, the next batch is queued behind
 * its own blocking kernel, so the GPU never runs out of work. The first batches of a call are
 * small, so that the GPU can begin early.
 */
#include "devices/cuda/cuda_device.h"
#include "base/clock.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#define LOOK_EVERY_S 0.05 /* NVML does not update the power more often than this */

enum { PHASE_NS = 50000 }; /* the longest pause before a trial (enqueue_pause()) */
enum { TAIL_LAUNCHES = 8 };
/* the number of trials in the first batch; each batch has twice as many as the one before it, up to
 * TIMING_TRIALS */
enum { FIRST_BATCH = 2 };

double cuda_busy_s(struct device *d)
{
    return d->busy_s;
}

static bool make_event(cudaEvent_t *event, struct error *e)
{
    return *event || cuda_ok(cudaEventCreate(event), "making an event", e);
}

static bool make_flag(struct device *d, struct error *e)
{
    void *flag = NULL, *on_device = NULL;
    if (d->release_flag)
        return true;
    if (!cuda_ok(cudaHostAlloc(&flag, sizeof *d->release_flag, cudaHostAllocMapped),
                 "allocating the blocking kernel's flag", e))
        return false;
    if (!cuda_ok(cudaHostGetDevicePointer(&on_device, flag, 0),
                 "mapping the blocking kernel's flag", e)) {
        (void)cudaFreeHost(flag);
        return false;
    }
    d->release_flag = flag;
    *d->release_flag = 0;
    d->release_flag_device = (uint64_t)(uintptr_t)on_device;
    return true;
}

/*
 * Creates the events and loads the kernels that timing needs, except those that an earlier call
 * created before it failed.
 */
static bool open_events(struct device *d, struct error *e)
{
    if (d->timing_ready)
        return true;
    d->phase_random = 0x9e3779b97f4a7c15ull;
    if (!d->blocking &&
        !cuda_load_support(d, "blocking", TYPE_INT32, OP_SUM, false, &d->blocking, e))
        return false;
    if (!d->empty && !cuda_load_support(d, "empty", TYPE_INT32, OP_SUM, false, &d->empty, e))
        return false;
    if (!d->spin && !cuda_load_support(d, "spin", TYPE_INT32, OP_SUM, false, &d->spin, e))
        return false;
    if (!make_flag(d, e))
        return false;
    for (int s = 0; s < 2; s++) {
        if (!make_event(&d->slots[s].begin, e) || !make_event(&d->slots[s].end, e))
            return false;
        for (int i = 0; i < TIMING_TRIALS; i++)
            if (!make_event(&d->slots[s].start[i], e) || !make_event(&d->slots[s].stop[i], e))
                return false;
    }
    d->timing_ready = true;
    return true;
}

void cuda_timing_close(struct device *d)
{
    for (int s = 0; s < 2; s++) {
        if (d->slots[s].begin)
            (void)cudaEventDestroy(d->slots[s].begin);
        if (d->slots[s].end)
            (void)cudaEventDestroy(d->slots[s].end);
        for (int i = 0; i < TIMING_TRIALS; i++) {
            if (d->slots[s].start[i])
                (void)cudaEventDestroy(d->slots[s].start[i]);
            if (d->slots[s].stop[i])
                (void)cudaEventDestroy(d->slots[s].stop[i]);
        }
    }
    if (d->release_flag)
        (void)cudaFreeHost(d->release_flag);
    d->release_flag = NULL;
}

static bool enqueue_blocking(struct device *d, unsigned ticket, struct error *e)
{
    struct launch l = cuda_support_launch(d->blocking, 1, 1);
    add_argument(&l, d->release_flag_device, 8);
    add_argument(&l, 0, 8);
    add_argument(&l, ticket, 4);
    return cuda_enqueue(d, &l, e);
}

static void release_batch(struct device *d, unsigned ticket)
{
    __atomic_store_n(d->release_flag, ticket, __ATOMIC_RELEASE);
}

/*
 * Queues a trial's launches once without timing them, so that their code is in the caches as if
 * they had been called repeatedly. Otherwise a kernel's time would depend on which kernel ran
 * before it. On an H200, a sum of 2^16 elements takes 5.6 us instead of 3.9 us if another kernel
 * ran before it.
 */
static bool enqueue_warm_up(struct device *d, const struct trial *t, struct error *e)
{
    return cuda_enqueue_zero(d, t, e) && cuda_enqueue_all(d, t, e);
}

struct launch cuda_empty_launch(struct device *d)
{
    struct launch l = cuda_support_launch(d->empty, 1, 32);
    add_argument(&l, 0, 8); /* reads and writes nothing */
    add_argument(&l, 0, 8);
    add_argument(&l, 0, 4);
    return l;
}

unsigned cuda_trial_launches(const struct trial *t)
{
    unsigned launches = 0;
    for (int i = 0; i < t->launch_count; i++)
        launches += cuda_launches(&t->launches[i]);
    return launches;
}

/*
 * Adds empty launches so that the trial's last launch is in the slot that the job requires. They
 * must come before the cache flush, because after it they would change what is in the cache.
 */
static bool enqueue_padding(struct device *d, const struct timed_job *job, struct error *e)
{
    struct launch nothing = cuda_empty_launch(d);
    uint64_t launches = cuda_prepare_launches(job->trial) + cuda_trial_launches(job->trial);
    while ((job->period > 1 && (d->launches + launches - 1) % job->period != job->slot) ||
           d->launches + launches < d->last_timed + job->spacing)
        if (!cuda_enqueue(d, &nothing, e))
            return false;
    return true;
}

/*
 * Pauses for a random time before each trial. Device memory stalls periodically (for 0.8 us every
 * 100.15 us on an H100 and an H200: docs/measuring.md). Evenly spaced launches could coincide with
 * every stall or with none. Because the pauses add up, launches come at random times relative to
 * anything periodic.
 */
static bool enqueue_pause(struct device *d, struct error *e)
{
    struct launch l = cuda_support_launch(d->spin, 1, 32);
    add_argument(&l, d->sink.address, 8);
    add_argument(&l, d->sink.address, 8);
    add_argument(&l, random_next(&d->phase_random) % PHASE_NS, 8);
    return cuda_enqueue(d, &l, e);
}

static bool enqueue_trial(struct device *d, struct timing_slot *slot, int i,
                          const struct timed_job *job, struct error *e)
{
    const struct trial *t = job->trial;
    if (!enqueue_warm_up(d, t, e) || !enqueue_pause(d, e) || !enqueue_padding(d, job, e) ||
        !cuda_enqueue_prepare(d, t, e) ||
        !cuda_ok(cudaEventRecord(slot->start[i], d->stream), "recording an event", e) ||
        !cuda_enqueue_all(d, t, e))
        return false;
    d->last_timed = d->launches;
    return cuda_ok(cudaEventRecord(slot->stop[i], d->stream), "recording an event", e) &&
           cuda_enqueue_bits(d, slot, i, t, e);
}

/*
 * Queues launches behind the last timed one, because a launch is faster if nothing is queued behind
 * it. On an H200, an empty kernel then takes 2.69 to 2.91 us, depending on its queue slot, instead
 * of 3.17 to 4.26 us.
 */
static bool enqueue_tail(struct device *d, struct error *e)
{
    struct launch nothing = cuda_empty_launch(d);
    for (int i = 0; i < TAIL_LAUNCHES; i++)
        if (!cuda_enqueue(d, &nothing, e))
            return false;
    return true;
}

static bool enqueue_batch(struct device *d, struct timing_slot *slot, const struct timed_job *jobs,
                          int count, struct error *e)
{
    unsigned ticket = ++d->ticket;
    bool ok = enqueue_blocking(d, ticket, e) &&
              cuda_ok(cudaEventRecord(slot->begin, d->stream), "recording an event", e);
    for (int i = 0; ok && i < count; i++)
        ok = enqueue_trial(d, slot, i, &jobs[i], e);
    ok = ok && cuda_ok(cudaEventRecord(slot->end, d->stream), "recording an event", e) &&
         enqueue_tail(d, e);
    /* Releases the batch even after a failure, because its blocking kernel would otherwise keep
     * waiting. */
    release_batch(d, ticket);
    slot->trials = ok ? count : 0;
    return ok;
}

static bool elapsed(double *ms, cudaEvent_t from, cudaEvent_t to, struct error *e)
{
    float read = 0;
    bool ok = cuda_ok(cudaEventElapsedTime(&read, from, to), "reading a time", e);
    *ms = (double)read;
    return ok;
}

static bool collect(struct device *d, struct timing_slot *slot, double *us, struct error *e)
{
    if (slot->trials == 0)
        return true;
    if (!cuda_ok(cudaEventSynchronize(slot->end), "running a timed kernel", e))
        return false;
    cuda_bits_collect(slot);
    double ms;
    for (int i = 0; i < slot->trials; i++) {
        if (!elapsed(&ms, slot->start[i], slot->stop[i], e))
            return false;
        /* The time is a float in milliseconds, whose digits below a nanosecond are rounding
         * errors. */
        us[i] = round(ms * 1e6) / 1e3;
    }
    if (!elapsed(&ms, slot->begin, slot->stop[slot->trials - 1], e))
        return false;
    d->busy_s += ms * 1e-3;
    slot->trials = 0;
    return true;
}

/*
 * Reads the GPU's state with NVML, unless it was read less than LOOK_EVERY_S ago, and adds it to
 * d->health. Reading takes about a millisecond, and the GPU must be busy in the meantime. The
 * function is therefore called after a full batch has been queued, or when nothing is left to
 * queue.
 */
static void look(struct device *d)
{
    double now = clock_now_s();
    if (!d->nvml)
        return;
    if (now - d->looked_s > LOOK_EVERY_S) {
        nvml_read(d->nvml, &d->seen);
        d->looked_s = now;
    }
    health_merge(&d->health, &d->seen);
}

void cuda_health(struct device *d, struct device_health *out)
{
    *out = d->health;
    memset(&d->health, 0, sizeof d->health);
    /* If the GPU was throttled, its trials will be timed again. The state must then be read
     * again. */
    if (d->seen.throttle & THROTTLE_SLOWED)
        d->looked_s = 0;
}

/* Returns how many of the `count` jobs fit into the stream's queue behind one blocking kernel. If
 * more were queued, the CPU would wait for the blocking kernel, and the blocking kernel for the
 * CPU. */
static int fitting(const struct timed_job *jobs, int count)
{
    unsigned work = TAIL_LAUNCHES;
    int i = 0;
    for (; i < count; i++) {
        work += CUDA_PREPARE_MOST + jobs[i].period + jobs[i].spacing +
                /* the trial's launches, and the same launches for warming up */
                2 * cuda_trial_launches(jobs[i].trial) +
                2; /* a pause, and the hash of the result */
        if (work > CUDA_QUEUE_MOST && i > 0)
            break;
    }
    return i;
}

/* Waits for the queued work to finish, unless the device is lost. Drops the times that have not
 * been collected, which the next call would mistake for its own. */
static bool give_up(struct device *d, const struct error *e)
{
    if (!e || !e->device_lost)
        (void)cudaStreamSynchronize(d->stream);
    d->slots[0].trials = d->slots[1].trials = 0;
    return false;
}

/* Creates everything that timing needs before the first batch. Behind a blocking kernel, memory
 * must not be allocated and code must not be loaded, because both may wait for the GPU to become
 * idle. */
bool cuda_timing_open(struct device *d, struct error *e)
{
    return open_events(d, e) && cuda_prepare_flush(d, e);
}

bool cuda_time_jobs(struct device *d, const struct timed_job *jobs, int count, double *us,
                    struct error *e)
{
    int queued = 0, collected = 0, turn = 0, most = FIRST_BATCH;
    while (collected < count) {
        struct timing_slot *next = &d->slots[turn], *running = &d->slots[1 - turn];
        int left = count - queued, batch = fitting(jobs + queued, left < most ? left : most);
        if (batch > 0 && !enqueue_batch(d, next, jobs + queued, batch, e))
            return give_up(d, e);
        queued += batch;
        most = 2 * most < TIMING_TRIALS ? 2 * most : TIMING_TRIALS;
        if (batch == 0 || most == TIMING_TRIALS)
            look(d);
        int done = running->trials;
        if (!collect(d, running, us + collected, e))
            return give_up(d, e);
        collected += done;
        turn = 1 - turn;
    }
    return true;
}
