/*
 * Chooses the CUDA context in which a run is measured.
 *
 * How long a launch takes depends on where CUDA has allocated the context's own memory. On an H200,
 * a tiny kernel takes between 3.77 and 3.96 us. Its time is constant within a context but differs
 * between contexts, and neither the kernel nor the addresses of its code and data matter. If every
 * run used the first context that it opened, the times of two runs could differ by as much. This
 * file therefore opens several contexts, times a tiny launch in each of them, and keeps the one
 * with the fastest launches. d->info records how many contexts were opened, and the launch times in
 * the fastest and in the slowest one.
 *
 * All contexts stay open until one is chosen. If each were closed before the next is opened, they
 * could all get the same memory.
 */
#include "devices/cuda/cuda_device.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/phase.h"
#include "base/statistics.h"

enum {
    TINY_SAMPLES = 320,
    /* how many of the shortest and how many of the longest times are ignored */
    LEFT_OUT = TINY_SAMPLES / 10
};

/* Driver functions, looked up through the runtime. This file uses their versions of CUDA 11, which
 * every later driver has. */
enum { DRIVER_VERSION = 11000 };
typedef int context_create(void **context, unsigned flags, int device);
typedef int context_destroy(void *context);
typedef int context_set(void *context);

struct driver_calls {
    context_create *create;
    context_destroy *destroy;
    context_set *set;
};

static void *driver_call(const char *name)
{
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    if (cudaGetDriverEntryPointByVersion(name, &function, DRIVER_VERSION, cudaEnableDefault,
                                         &found) == cudaSuccess &&
        found == cudaDriverEntryPointSuccess)
        return function;
    (void)cudaGetLastError();
    return NULL;
}

static bool find_calls(struct driver_calls *out)
{
    out->create = (context_create *)driver_call("cuCtxCreate");
    out->destroy = (context_destroy *)driver_call("cuCtxDestroy");
    out->set = (context_set *)driver_call("cuCtxSetCurrent");
    return out->create && out->destroy && out->set;
}

/* Creates a stream whose work never waits for other streams. The legacy default stream would. */
static bool make_stream(struct device *d, struct error *e)
{
    return cuda_ok(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking), "making a stream",
                   e);
}

/* Opens the device's primary context, which everything in this process that uses the runtime
 * shares. */
static bool open_primary(struct device *d, struct error *e)
{
    d->info.contexts = 1;
    return cuda_ok(cudaSetDevice(d->ordinal), "choosing the GPU", e) &&
           cuda_ok(cudaFree(NULL), "starting the GPU's context", e) && make_stream(d, e);
}

/* Sets d->info.launch_us to the trimmed mean of the times of many tiny launches. A mean has a finer
 * resolution than the time of a single launch. */
static bool time_launches(struct device *d, struct error *e)
{
    struct timed_job jobs[TINY_SAMPLES];
    double us[TINY_SAMPLES], sum = 0;
    struct launch launch;
    struct trial trial = {.cache = CACHE_WARM, .launches = &launch, .launch_count = 1};
    if (!cuda_tiny_launch(d, &launch, &trial.input, e))
        return false;
    for (int i = 0; i < TINY_SAMPLES; i++)
        jobs[i] = (struct timed_job){&trial, 1, 0, 0};
    if (!cuda_timing_open(d, e) || !cuda_time_jobs(d, jobs, TINY_SAMPLES, us, e))
        return false;
    sort_numbers(us, TINY_SAMPLES);
    for (int i = LEFT_OUT; i < TINY_SAMPLES - LEFT_OUT; i++)
        sum += us[i];
    d->info.launch_us = sum / (TINY_SAMPLES - 2 * LEFT_OUT);
    d->info.time_step_us = smallest_step(us, TINY_SAMPLES);
    return true;
}

/* Frees everything that d has created in the current context. */
static void release(struct device *d)
{
    if (d->staging)
        (void)cudaFreeHost(d->staging);
    cuda_timing_close(d);
    for (int t = 0; t < TYPE_COUNT; t++)
        for (int w = 0; w < 2; w++)
            cuda_unload(d, d->generators[t][w]);
    cuda_unload(d, d->streaming_read);
    cuda_unload(d, d->streaming_write);
    cuda_unload(d, d->zero);
    cuda_unload(d, d->blocking);
    cuda_unload(d, d->empty);
    cuda_unload(d, d->spin);
    cuda_bits_close(d);
    cuda_free(d, d->flush_dirty);
    cuda_free(d, d->flush_clean);
    cuda_free(d, d->sink);
    if (d->stream)
        (void)cudaStreamDestroy(d->stream);
}

void cuda_context_close(struct device *d)
{
    struct driver_calls calls;
    bool own = d->context && find_calls(&calls) && calls.set(d->context) == 0;
    release(d);
    if (own)
        (void)calls.destroy(d->context);
    d->context = NULL;
}

/* Opens a context for c and times launches in it. Returns false if a call fails, or if too little
 * memory would be left. */
static bool open_candidate(const struct driver_calls *calls, struct device *c)
{
    size_t free_bytes = 0, total_bytes = 0;
    struct error ignored = {0};
    if (calls->create(&c->context, 0, c->ordinal) != 0) {
        c->context = NULL;
        return false;
    }
    /* Together, the open contexts may use at most half of the memory, although all but one are
     * closed afterwards. */
    if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess && 2 * free_bytes > total_bytes &&
        make_stream(c, &ignored) && time_launches(c, &ignored))
        return true;
    cuda_context_close(c);
    return false;
}

/* Opens up to `count` contexts and gives d the best one. Returns false if none could be opened. */
static bool choose(const struct driver_calls *calls, struct device *d, int count)
{
    struct device *candidates = xcalloc((size_t)count, sizeof *candidates);
    int opened = 0, best = 0;
    double slowest = 0;
    phase_begin(PHASE_CONTEXTS, (uint64_t)count);
    for (; opened < count; opened++) {
        struct device *c = &candidates[opened];
        *c = *d;
        if (!open_candidate(calls, c))
            break;
        if (c->info.launch_us < candidates[best].info.launch_us)
            best = opened;
        if (c->info.launch_us > slowest)
            slowest = c->info.launch_us;
        phase_add(1);
    }
    phase_end();
    for (int i = 0; i < opened; i++)
        if (i != best)
            cuda_context_close(&candidates[i]);
    if (opened > 0) {
        *d = candidates[best];
        d->info.contexts = opened;
        d->info.launch_max_us = slowest;
        (void)calls->set(d->context);
    }
    free(candidates);
    return opened > 0;
}

bool cuda_context_open(struct device *d, struct error *e)
{
    struct driver_calls calls;
    size_t free_bytes = 0, total_bytes = 0;
    bool chosen =
        d->setup.contexts > 1 && find_calls(&calls) && choose(&calls, d, d->setup.contexts);
    if (!chosen && !open_primary(d, e))
        return false;
    if (!cuda_ok(cudaMemGetInfo(&free_bytes, &total_bytes), "reading the GPU's free memory", e))
        return false;
    d->info.memory_bytes = total_bytes;
    d->info.free_bytes = free_bytes;
    return true;
}
