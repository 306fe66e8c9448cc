/*
 * Measures ceilings. ceilings.h explains the method. A launch shape is a block size and a number of
 * blocks. The kernels divide the buffer into tiles, and distribute the tiles among the blocks. So
 * any number of blocks gives the correct result, and the fastest number depends on the device.
 */
#include "measure/ceilings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "measure/buffer_pool.h"
#include "measure/streaming.h"

enum {
    L2_TIMES = 16, /* the buffer is this many times as large as the L2 cache */
    /* the buffer takes at most 1/MEMORY_SHARE of the free memory */
    MEMORY_SHARE = 8,
    SAMPLES = 15,
    PROBES = 5, /* the number of samples per shape to find the fastest shape */
    SHAPES = 9,
    TRIALS_MOST = SHAPES * PROBES
};

uint64_t stream_bytes(const struct bench *b)
{
    const uint64_t min = 8u << 20, max = 1u << 30;
    uint64_t bytes = L2_TIMES * b->info.l2_bytes;
    uint64_t share = b->info.free_bytes / MEMORY_SHARE;
    bytes = bytes < 32 * min ? 32 * min : bytes > max ? max : bytes;
    bytes = bytes > share ? share : bytes;
    bytes &= ~(uint64_t)0xfffff;
    return bytes < min || bytes < 4 * b->info.l2_bytes ? 0 : bytes;
}

struct launch stream_launch(struct module *module, struct buffer input, struct buffer output,
                            unsigned threads, uint64_t blocks, uint64_t bytes)
{
    struct launch l = {.module = module, .grid = {1, 1, 1}, .block = {threads, 1, 1}, .cluster = 1};
    l.grid[0] = (unsigned)(blocks < 1 ? 1 : blocks > 0x7fffffff ? 0x7fffffff : blocks);
    add_argument(&l, input.address, 8);
    add_argument(&l, output.address, 8);
    add_argument(&l, bytes / 4, 8);
    return l;
}

/* Computes launch shape i for a buffer of `bytes` bytes. The blocks fill the device once or twice,
 * or there is one block per tile. */
static void shape(const struct bench *b, int i, uint64_t bytes, unsigned *threads, uint64_t *blocks)
{
    static const unsigned block_sizes[] = {256, 512, 1024};
    *threads = block_sizes[i / 3];
    uint64_t tiles = (bytes + *threads * 128 - 1) / (*threads * 128);
    uint64_t resident = (uint64_t)b->info.limits.sms * 2048 / *threads;
    *blocks = i % 3 == 2 ? tiles : resident * (uint64_t)(i % 3 + 1);
    if (*blocks > tiles)
        *blocks = tiles;
}

static bool median_time(struct bench *b, const struct trial *trials, int count, double *us,
                        double *median, struct error *e)
{
    if (!b->driver->time(b->device, trials, count, us, e))
        return false;
    *median = median_in_place(us, (size_t)count);
    return true;
}

bool stream_time(struct bench *b, const struct launch *launch, struct buffer input, double *us,
                 struct error *e)
{
    struct trial trials[SAMPLES];
    double samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        trials[i] = (struct trial){
            .input = input, .cache = CACHE_COLD, .launches = launch, .launch_count = 1};
    return median_time(b, trials, SAMPLES, samples, us, e);
}

/* Measures how long the fastest shape takes. */
static bool best_time(struct bench *b, struct module *module, struct buffer input,
                      struct buffer output, double *us, struct error *e)
{
    struct launch launches[SHAPES];
    struct trial trials[TRIALS_MOST];
    double samples[TRIALS_MOST];
    for (int i = 0; i < SHAPES; i++) {
        unsigned threads;
        uint64_t blocks;
        shape(b, i, input.bytes, &threads, &blocks);
        launches[i] = stream_launch(module, input, output, threads, blocks, input.bytes);
        for (int k = 0; k < PROBES; k++)
            trials[k * SHAPES + i] = (struct trial){
                .input = input, .cache = CACHE_COLD, .launches = &launches[i], .launch_count = 1};
    }
    if (!b->driver->time(b->device, trials, TRIALS_MOST, samples, e))
        return false;
    int best = 0;
    double fastest = INFINITY;
    for (int i = 0; i < SHAPES; i++) {
        double of_shape[PROBES];
        for (int k = 0; k < PROBES; k++)
            of_shape[k] = samples[k * SHAPES + i];
        double median = median_in_place(of_shape, PROBES);
        if (median < fastest) {
            fastest = median;
            best = i;
        }
    }
    return stream_time(b, &launches[best], input, us, e);
}

bool stream_module(struct bench *b, const char *name, struct module **out, struct error *e)
{
    const struct kernel *k = b->support ? catalogue_find(b->support, name) : NULL;
    if (!k)
        return FAIL(e, ERROR_SYSTEM,
                    "kernels/support/%s.cu is missing, although it is part of redsweep; restore it",
                    name);
    return pool_support(b, k, TYPE_INT32, OP_SUM, out, e);
}

/* Returns why this device has no ceilings, or NULL if it can have them. */
static const char *no_ceilings(const struct bench *b)
{
    if (!b->info.can_time)
        return "this device has no clock";
    if (b->info.target.kind == IMAGE_NONE)
        return "this device cannot run the streaming kernels";
    if (stream_bytes(b) == 0)
        return "too little device memory is free for a buffer that is far larger than the cache";
    return NULL;
}

/* Launches a kernel once without timing it. A first launch may wait until the device is idle, so it
 * would wait forever behind the blocking kernel of a timing. */
static bool launch_once(struct bench *b, struct module *module, struct buffer from,
                        struct buffer to, struct error *e)
{
    struct launch l = stream_launch(module, from, to, 32, 1, 1 << 20);
    struct trial t = {.input = from, .cache = CACHE_WARM, .launches = &l, .launch_count = 1};
    t.input.bytes = 1 << 20;
    return b->driver->run(b->device, &t, e);
}

static bool measure(struct bench *b, struct ceilings *out, struct error *e)
{
    struct module *empty, *read, *copy, *write;
    struct buffer from, to;
    out->bytes = (int64_t)stream_bytes(b);
    struct input input = {
        .type = TYPE_INT32, .op = OP_SUM, .n = (uint64_t)out->bytes / 4, .seed = 1};
    double us;
    if (!stream_module(b, "empty", &empty, e) || !stream_module(b, "sweep_read", &read, e) ||
        !stream_module(b, "sweep_copy", &copy, e) || !stream_module(b, "sweep_write", &write, e) ||
        !pool_buffer(b, BUFFER_PRISTINE, input.n * 4, &from, e) ||
        !pool_buffer(b, BUFFER_SCRATCH, input.n * 4, &to, e) ||
        !b->driver->generate(b->device, from, &input, e) || !launch_once(b, empty, from, to, e) ||
        !launch_once(b, read, from, to, e) || !launch_once(b, copy, from, to, e) ||
        !launch_once(b, write, from, to, e))
        return false;
    struct launch nothing = stream_launch(empty, from, to, 32, 1, input.n * 4);
    /* This first result for reading is not used, because the clock frequency of an idle device
     * still rises during the first launches. */
    if (!best_time(b, read, from, to, &us, e) || !stream_time(b, &nothing, from, &us, e))
        return false;
    out->empty_us = us;
    if (!best_time(b, read, from, to, &us, e))
        return false;
    out->read_gbs = (double)out->bytes / us / 1e3; /* one byte per µs is 10^6 bytes per second */
    if (!best_time(b, copy, from, to, &us, e))
        return false;
    out->copy_gbs = 2 * (double)out->bytes / us / 1e3;
    if (!best_time(b, write, from, to, &us, e))
        return false;
    out->write_gbs = (double)out->bytes / us / 1e3;
    return true;
}

void ceilings_measure(struct bench *b, struct ceilings *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    out->empty_us = out->read_gbs = out->copy_gbs = out->write_gbs = NAN;
    out->bytes = -1;
    const char *why_not = no_ceilings(b);
    if (why_not) {
        snprintf(out->missing, sizeof out->missing, "%s", why_not);
        return;
    }
    struct error why = {0};
    if (!measure(b, out, &why)) {
        snprintf(out->missing, sizeof out->missing, "%.255s", why.text);
        if (why.device_lost)
            *e = why;
    }
    pool_return(b, why.device_lost);
}
