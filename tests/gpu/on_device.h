/* Launches the catalogue's kernels on a test's own inputs, for programs that check a GPU as well
 * as the simulator. Any failure ends the program with exit code 2. */
#ifndef REDSWEEP_TESTS_GPU_ON_DEVICE_H
#define REDSWEEP_TESTS_GPU_ON_DEVICE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compile/compile.h"
#include "devices/cuda/runtime.h"
#include "devices/device.h"
#include "devices/sim/sim_device.h"
#include "plan/arguments.h"
#include "plan/plan.h"
#include "plan/shape.h"
#include "spec/folders.h"

struct on_device {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct compiler *compiler;
    struct catalogue kernels, support;
    struct buffer input, output, workspace;
};

/* One configuration of a kernel. */
struct loaded {
    const struct kernel *kernel;
    struct variant variant;
    struct module *module;
};

static inline void must(bool ok, const struct error *e)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", e->text);
    exit(2);
}

/* Opens a device by name, and allocates buffers of these sizes and a zeroed workspace. */
static inline void device_begin(struct on_device *d, const char *name, size_t input, size_t output,
                                size_t workspace)
{
    struct error e = {0};
    char folder[4096], cache[4096];
    must(find_kernel_folder(folder, sizeof folder, &e) &&
             read_catalogues(folder, NULL, 0, &d->kernels, &d->support, &e),
         &e);
    find_cache_folder(cache, sizeof cache);
    must(compiler_open(cache, folder, &d->compiler, &e), &e);
    struct device_setup setup = {.compiler = d->compiler, .support = &d->support};
    must(device_open(name, &setup, &d->driver, &d->device, NULL, &e), &e);
    d->driver->describe(d->device, &d->info);
    must(d->driver->alloc(d->device, input, &d->input, &e) &&
             d->driver->alloc(d->device, output, &d->output, &e) &&
             d->driver->alloc(d->device, workspace, &d->workspace, &e) &&
             d->driver->fill(d->device, d->workspace, 0, &e),
         &e);
}

static inline void device_end(struct on_device *d)
{
    d->driver->close(d->device);
    compiler_close(d->compiler);
    catalogue_free(&d->kernels);
    catalogue_free(&d->support);
}

/* Copies an array from the host to the input. Drivers have no function for that, because a
 * sweep's inputs are generated on the device. */
static inline void device_upload(struct on_device *d, size_t at, const void *host, size_t bytes)
{
    if (strcmp(d->driver->name, "sim") == 0)
        memcpy(memory_host(&d->device->memory, d->input.address + at, bytes), host, bytes);
    else if (cudaMemcpy((void *)(uintptr_t)(d->input.address + at), host, bytes,
                        cudaMemcpyDefault) ||
             cudaDeviceSynchronize()) /* a copy from pageable memory may not be finished */
        must(false, &(struct error){.text = "cudaMemcpy fails"});
}

/* Compiles and loads the variant of `out`. */
static inline void device_load(struct on_device *d, struct loaded *out)
{
    struct error e = {0};
    struct image image;
    must(compile_variant(d->compiler, out->kernel, &out->variant, &d->info.target, &image, &e), &e);
    must(d->driver->load(d->device, &image, &out->module, NULL, &e), &e);
    image_free(&image);
}

static inline struct combination device_combination(const struct on_device *d,
                                                    const struct loaded *l, uint64_t n,
                                                    const struct point *point)
{
    return (struct combination){.kernel = l->kernel,
                                .type = (enum element_type)l->variant.type,
                                .op = (enum operation)l->variant.op,
                                .n = n,
                                .point = point,
                                .block = l->variant.block,
                                .unroll = l->variant.unroll,
                                .tunables = l->variant.tunables,
                                .sms = d->info.limits.sms};
}

/* Launches a kernel on the input from byte `at` on, for rows of `row_length` elements (0: one
 * array). */
static inline void device_launch(struct on_device *d, const struct loaded *l, size_t at,
                                 uint64_t length, uint64_t rows, void *results, size_t bytes)
{
    struct error e = {0};
    const enum element_type type = (enum element_type)l->variant.type;
    const struct point point = {.row_length = rows ? length : 0, .inner = 1};
    const uint64_t n = length * (rows ? rows : 1);
    struct combination combination = device_combination(d, l, n, &point);
    struct shape shape;
    must(shape_evaluate(&combination, &shape, NULL, &e), &e);
    struct launch launch =
        kernel_launch(l->module, l->kernel, &shape,
                      &(struct kernel_arguments){.input = d->input.address + at,
                                                 .output = d->output.address,
                                                 .workspace = d->workspace.address,
                                                 .n = n,
                                                 .type = type});
    struct trial t = {.input = {d->input.address, at + n * element_size(type)},
                      .cache = CACHE_WARM,
                      .launches = &launch,
                      .launch_count = 1};
    must(d->driver->run(d->device, &t, &e), &e);
    must(d->driver->read(d->device, d->output, 0, results, bytes, &e), &e);
}

#endif
