/*
 * The driver of the CPU, which runs C functions on one core and times them with the monotonic
 * clock.
 *
 * The kernels of this device are C functions from kernels/cpu, and its addresses are pointers. A
 * launch calls the function with the launch's first three arguments (input, output, n), and ignores
 * its grid and block. The device has no counters.
 *
 * Cold means that no cache of this core contains a line of the input or output. On x86, clflush
 * writes each line back and evicts it. On other processors, writing more memory than the last-level
 * cache holds evicts all lines. Warm means that the input has just been read once, so the caches
 * contain as much of it as fits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/memory.h"
#include "devices/cpu/functions.h"
#include "devices/device.h"
#ifdef __x86_64__
#include <emmintrin.h>
#endif

enum { CACHE_LINE = 64 };

struct device {
    struct device_info info;
    /* On processors without clflush, a buffer twice the size of the last-level cache. Writing it
     * evicts all other data. */
    char *flush;
    size_t flush_bytes;
};

struct module {
    const struct host_function *function;
};

static void read_model(char *model, size_t size)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(model, size, "CPU");
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(model, size, "%.63s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (f)
        fclose(f);
}

static void describe(struct device_info *info)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    memset(info, 0, sizeof *info);
    snprintf(info->backend, sizeof info->backend, "cpu");
    read_model(info->name, sizeof info->name);
    snprintf(info->slug, sizeof info->slug, "cpu");
    info->target = (struct compile_target){IMAGE_NONE, 0};
    info->limits =
        (struct device_limits){.backend = "cpu", .max_block = 1, .sms = 1, .max_grid_x = 1};
    info->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    info->free_bytes = info->memory_bytes / 2; /* The other half is left to other programs. */
    info->estimate_gbs = 4;
    info->time_step_us = 0.001; /* the step of clock_gettime() */
    snprintf(info->counters_missing, sizeof info->counters_missing,
             "redsweep only times the CPU, and does not read its counters");
    info->can_time = true;
}

static bool cpu_open(const char *argument, const struct device_setup *setup, struct device **out,
                     struct error *e)
{
    (void)setup;
    if (*argument)
        return FAIL(e, ERROR_USAGE,
                    "--device cpu:%s: there is only one device cpu, which uses one core; write "
                    "--device cpu",
                    argument);
    struct device *d = xcalloc(1, sizeof *d);
    describe(&d->info);
    *out = d;
    return true;
}

static void cpu_close(struct device *d)
{
    if (!d)
        return;
    free(d->flush);
    free(d);
}

static void cpu_describe(struct device *d, struct device_info *out)
{
    *out = d->info;
}

static bool cpu_load(struct device *d, const struct image *image, struct module **out,
                     struct module_info *info, struct error *e)
{
    (void)d;
    const struct host_function *f =
        host_function_find(image->entry, (enum element_type)image->type, (enum operation)image->op);
    if (!f)
        return FAIL(
            e, ERROR_UNSUPPORTED,
            "the function %s is not part of this program; put it into kernels/cpu, and run make",
            image->entry);
    struct module *m = xcalloc(1, sizeof *m);
    m->function = f;
    if (info)
        *info = (struct module_info){-1, -1, -1, 1, 0, 0, ""};
    *out = m;
    return true;
}

static void cpu_unload(struct device *d, struct module *m)
{
    (void)d;
    free(m);
}

static void *pointer(struct buffer b)
{
    return (void *)(uintptr_t)b.address;
}

static bool cpu_alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e)
{
    (void)d;
    enum { ALIGNMENT = 256 }; /* as cudaMalloc() guarantees on a GPU */
    /* aligned_alloc() requires a size that is a multiple of the alignment */
    size_t whole = (bytes / ALIGNMENT + 1) * ALIGNMENT;
    void *p = aligned_alloc(ALIGNMENT, whole);
    if (!p)
        return FAIL(e, ERROR_MEMORY, "not enough memory for a buffer of %zu bytes", bytes);
    *out = (struct buffer){(uint64_t)(uintptr_t)p, bytes};
    return true;
}

static void cpu_free(struct device *d, struct buffer b)
{
    (void)d;
    free(pointer(b));
}

static bool cpu_fill(struct device *d, struct buffer b, uint8_t byte, struct error *e)
{
    (void)d;
    (void)e;
    memset(pointer(b), byte, b.bytes);
    return true;
}

static bool cpu_read(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                     struct error *e)
{
    (void)d;
    if (offset > b.bytes || bytes > b.bytes - offset)
        return FAIL(e, ERROR_INTERNAL,
                    "cannot read %zu bytes at offset %zu of a buffer of %zu bytes", bytes, offset,
                    b.bytes);
    memcpy(host, (const char *)pointer(b) + offset, bytes);
    return true;
}

static bool cpu_generate(struct device *d, struct buffer b, const struct input *input,
                         struct error *e)
{
    (void)d;
    (void)e;
    input_generate(input, 0, input->n, pointer(b));
    return true;
}

#ifdef __x86_64__
static void evict(struct device *d, const void *p, size_t bytes)
{
    (void)d;
    for (size_t at = 0; at < bytes; at += CACHE_LINE)
        _mm_clflush((const char *)p + at);
    _mm_mfence();
}
#else
static size_t last_cache_bytes(void)
{
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : 32u << 20;
}

static void evict(struct device *d, const void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
    if (!d->flush) {
        d->flush_bytes = 2 * last_cache_bytes();
        d->flush = xcalloc(1, d->flush_bytes);
    }
    for (size_t at = 0; at < d->flush_bytes; at += CACHE_LINE)
        ((volatile char *)d->flush)[at]++;
}
#endif

static void read_through(const void *p, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += CACHE_LINE)
        (void)((const volatile char *)p)[at];
}

static void prepare(struct device *d, const struct trial *t)
{
    if (t->restore)
        input_generate(t->restore, 0, t->restore->n, pointer(t->input));
    if (t->zero.bytes)
        memset(pointer(t->zero), 0, t->zero.bytes);
    if (t->zero_output.bytes)
        memset(pointer(t->zero_output), 0, t->zero_output.bytes);
    if (t->cache == CACHE_WARM) {
        read_through(pointer(t->input), t->input.bytes);
        return;
    }
    const struct launch *l = &t->launches[0];
    evict(d, pointer(t->input), t->input.bytes);
    evict(d, (const void *)(uintptr_t)l->arguments[1].bits, CACHE_LINE);
}

static void call(const struct trial *t)
{
    for (int i = 0; i < t->launch_count; i++) {
        const struct launch *l = &t->launches[i];
        host_function_call(l->module->function, (void *)(uintptr_t)l->arguments[0].bits,
                           (void *)(uintptr_t)l->arguments[1].bits, l->arguments[2].bits);
    }
}

static bool cpu_run(struct device *d, const struct trial *t, struct error *e)
{
    (void)e;
    prepare(d, t);
    call(t);
    return true;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool cpu_time(struct device *d, const struct trial *trials, int count, double *us,
                     struct error *e)
{
    (void)e;
    for (int i = 0; i < count; i++) {
        prepare(d, &trials[i]);
        int64_t begin = now_ns();
        call(&trials[i]);
        us[i] = (double)(now_ns() - begin) / 1e3;
        if (trials[i].bits)
            *trials[i].bits = result_bits(pointer(trials[i].result), trials[i].result.bytes);
    }
    return true;
}

const struct device_driver cpu_driver = {
    .version = DEVICE_VERSION,
    .name = "cpu",
    .help = "one core of this machine's CPU, which runs the functions in kernels/cpu as a baseline",
    .host_functions = true,
    .open = cpu_open,
    .close = cpu_close,
    .describe = cpu_describe,
    .load = cpu_load,
    .unload = cpu_unload,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .fill = cpu_fill,
    .read = cpu_read,
    .generate = cpu_generate,
    .run = cpu_run,
    .time = cpu_time,
};
