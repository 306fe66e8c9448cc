/*
 * Opens, describes and closes a GPU, and defines the CUDA driver of redsweep.
 *
 * The CUDA runtime is linked statically, and loads NVIDIA's driver when it is first used. The
 * program therefore starts even on machines without CUDA, and cuda_open() reports what is missing.
 */
#include "devices/cuda/cuda_device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int attribute(int ordinal, enum cudaDeviceAttr which)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, ordinal) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return value;
}

static void describe_limits(int ordinal, const struct cudaDeviceProp *p, struct device_limits *l)
{
    snprintf(l->backend, sizeof l->backend, "cuda");
    l->memory_bytes = p->totalGlobalMem;
    l->cc = p->major * 10 + p->minor;
    l->sms = p->multiProcessorCount;
    l->max_block = p->maxThreadsPerBlock;
    l->max_dynamic_smem = p->sharedMemPerBlockOptin;
    l->max_grid_x = (uint64_t)p->maxGridSize[0];
    l->device_runtime = true;
    l->host_launches = true;
    l->cooperative = attribute(ordinal, cudaDevAttrCooperativeLaunch) != 0;
    l->cluster = attribute(ordinal, cudaDevAttrClusterLaunch) != 0;
}

static void make_slug(const char *name, char *slug, size_t size)
{
    size_t used = 0;
    for (const char *c = name; *c && used + 1 < size; c++) {
        if (isalnum((unsigned char)*c))
            slug[used++] = (char)tolower((unsigned char)*c);
        else if (used && slug[used - 1] != '-')
            slug[used++] = '-';
    }
    while (used && slug[used - 1] == '-')
        used--;
    slug[used] = '\0';
}

static bool describe(struct device *d, struct error *e)
{
    struct device_info *info = &d->info;
    struct cudaDeviceProp p;
    if (!cuda_ok(cudaGetDeviceProperties(&p, d->ordinal), "reading the GPU's properties", e))
        return false;
    snprintf(info->backend, sizeof info->backend, "cuda");
    snprintf(info->name, sizeof info->name, "%.63s", p.name);
    make_slug(strncmp(p.name, "NVIDIA ", 7) == 0 ? p.name + 7 : p.name, info->slug,
              sizeof info->slug);
    cuda_uuid(&p, info->uuid);
    describe_limits(d->ordinal, &p, &info->limits);
    info->target = (struct compile_target){IMAGE_CUBIN, info->limits.cc};
    info->warp_size = p.warpSize;
    info->memory_bytes = p.totalGlobalMem;
    info->l2_bytes = (uint64_t)p.l2CacheSize;
    info->memory_clock_khz = attribute(d->ordinal, cudaDevAttrMemoryClockRate);
    info->sm_clock_khz = attribute(d->ordinal, cudaDevAttrClockRate);
    info->memory_bus_bits = p.memoryBusWidth;
    /* two transfers per clock cycle: GDDR3, HBM and all later memories have a double data rate */
    info->peak_gbs = 2.0 * info->memory_clock_khz * 1e3 * info->memory_bus_bits / 8.0 / 1e9;
    info->estimate_gbs = 0.5 * info->peak_gbs;
    (void)cudaDriverGetVersion(&info->driver_version);
    (void)cudaRuntimeGetVersion(&info->runtime_version);
    info->can_time = info->cheap_inputs = true;
    return true;
}

/* the lowest compute capability that CUPTI's range profiler has ever supported; 75 is 7.5 */
enum { COUNTERS_CC = 75 };

/* Opens CUPTI. If counters are not available, stores the reason. The GPU can be timed
 * nevertheless. */
static void open_counters(struct device *d)
{
    struct device_info *info = &d->info;
    if (info->limits.cc < COUNTERS_CC) {
        snprintf(info->counters_missing, sizeof info->counters_missing,
                 "CUPTI supports compute capability %d.%d and newer, but this GPU has %d.%d",
                 COUNTERS_CC / 10, COUNTERS_CC % 10, info->limits.cc / 10, info->limits.cc % 10);
        return;
    }
    d->counters = counters_open(d->ordinal, NULL);
    const char *missing = counters_missing(d->counters);
    snprintf(info->chip, sizeof info->chip, "%s", counters_chip(d->counters));
    snprintf(info->counter_library, sizeof info->counter_library, "%s",
             counters_library(d->counters));
    snprintf(info->counters_missing, sizeof info->counters_missing, "%.511s", missing);
    info->can_count = missing[0] == '\0';
}

/* Opens NVML. If it is not available, stores the reason. The GPU can be timed nevertheless. */
static void open_nvml(struct device *d)
{
    char address[32];
    if (cudaDeviceGetPCIBusId(address, sizeof address, d->ordinal) == cudaSuccess) {
        d->nvml = nvml_open(address, d->info.health_missing);
        return;
    }
    (void)cudaGetLastError();
    snprintf(d->info.health_missing, sizeof d->info.health_missing,
             "the GPU's PCI address is unknown");
}

static void cuda_close(struct device *d)
{
    if (!d)
        return;
    if (d->counters)
        counters_close(d->counters);
    nvml_close(d->nvml);
    cuda_context_close(d);
    free(d);
}

static bool open_on(struct device *d, struct error *e)
{
    int count = 0;
    struct error why = {0};
    if (!cuda_count_gpus(&count, &why)) {
        FAIL(e, why.kind, "%s%s", why.text, why.device_lost ? "" : CUDA_ADVICE);
        e->device_lost = why.device_lost;
        return false;
    }
    if (d->ordinal >= count)
        return FAIL(e, ERROR_DEVICE,
                    "--device cuda:%d: this machine has %d GPU%s; write a number of at most %d",
                    d->ordinal, count, count == 1 ? "" : "s", count - 1);
    if (!describe(d, e))
        return false;
    if (d->setup.limits)
        d->setup.limits(d->setup.limits_context, &d->info.limits);
    if (!cuda_context_open(d, e))
        return false;
    open_nvml(d);
    cuda_energy_open(d);
    open_counters(d);
    return true;
}

static bool cuda_open(const char *argument, const struct device_setup *setup, struct device **out,
                      struct error *e)
{
    struct device *d = xcalloc(1, sizeof *d);
    if (setup)
        d->setup = *setup;
    /*
     * Turns off lazy loading, even if the user has turned it on. With lazy loading, the first
     * launch of a kernel waits until the device is idle, but it is never idle while a blocking
     * kernel waits for the CPU (timing.c). On an H200, such a launch waited ten seconds, until the
     * blocking kernel gave up. The variable must be set before cuInit(), which reads it.
     */
    (void)setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    if (!cuda_choose(argument, &d->ordinal, e) || !open_on(d, e)) {
        cuda_close(d);
        return false;
    }
    *out = d;
    return true;
}

static void cuda_describe(struct device *d, struct device_info *out)
{
    *out = d->info;
}

extern const struct counter_tables cuda_counter_tables;

const struct device_driver cuda_driver = {
    .version = DEVICE_VERSION,
    .name = "cuda",
    .called = "gpu",
    .help = "an NVIDIA GPU, with times from CUDA events and counters from CUPTI (cuda:1, "
            "cuda:GPU-ab12…, cuda:MIG-…); several GPUs: cuda:all or cuda:0,2",
    .open = cuda_open,
    .close = cuda_close,
    .describe = cuda_describe,
    .find = cuda_find,
    .list = cuda_list,
    .card = cuda_card,
    .examine = cuda_examine,
    .load = cuda_load,
    .unload = cuda_unload,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .fill = cuda_fill,
    .read = cuda_read,
    .generate = cuda_generate,
    .run = cuda_run,
    .time = cuda_time,
    .repeat = cuda_repeat,
    .energy = cuda_energy,
    .busy_s = cuda_busy_s,
    .health = cuda_health,
    .count = cuda_count,
    .has_counter = cuda_has_counter,
    .passes = cuda_passes,
    .tables = &cuda_counter_tables,
};
