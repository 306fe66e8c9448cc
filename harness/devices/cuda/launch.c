/*
 * Loads kernels from cubins, and queues launches in the device's stream.
 */
#include "devices/cuda/cuda_device.h"
#include "compile/compile.h"
#include "spec/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The number of device-side launches that may be pending: one for each block that a kernel needs
 * for 2^28 elements with 1024 threads per block. */
enum { PENDING_LAUNCHES = 1 << 18 };

void cuda_unload(struct device *d, struct module *m)
{
    (void)d;
    if (!m)
        return;
    if (m->library)
        (void)cudaLibraryUnload(m->library);
    free(m);
}

static bool read_attributes(struct module *m, struct module_info *info, struct error *e)
{
    struct cudaFuncAttributes a;
    if (!cuda_ok(cudaFuncGetAttributes(&a, (const void *)m->kernel),
                 "reading a kernel's attributes", e))
        return false;
    *info = (struct module_info){
        .registers = a.numRegs,
        .static_smem_bytes = (int)a.sharedSizeBytes,
        .local_bytes = (int)a.localSizeBytes,
        .max_block = a.maxThreadsPerBlock,
    };
    return true;
}

/*
 * Enlarges the pool in which CUDA keeps pending device-side launches. By default, it has room for
 * 2048 of them. If a launch does not fit, CUDA drops it, and the kernel that made it traps. The
 * pool must be enlarged before the cubin is loaded.
 */
static bool open_launch_pool(struct device *d, struct error *e)
{
    if (d->launch_pool_open)
        return true;
    if (!cuda_ok(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, PENDING_LAUNCHES),
                 "raising the limit of pending device-side launches", e))
        return false;
    d->launch_pool_open = true;
    return true;
}

bool cuda_load(struct device *d, const struct image *image, struct module **out,
               struct module_info *info, struct error *e)
{
    if (image->kind != IMAGE_CUBIN && !image->library[0])
        return FAIL(e, ERROR_INTERNAL, "image '%s' is not a cubin", image->entry);
    d->slot.stale = true; /* Loading the module may have used the GPU. */
    struct module *m = xcalloc(1, sizeof *m);
    struct module_info ignored;
    if (image->library[0]) {
        if (cuda_load_host(image, m, info ? info : &ignored, e)) {
            *out = m;
            return true;
        }
        cuda_unload(d, m);
        return false;
    }
    if ((image->device_runtime && !open_launch_pool(d, e)) ||
        !cuda_ok(cudaLibraryLoadData(&m->library, image->bytes, NULL, NULL, 0, NULL, NULL, 0),
                 "loading a kernel's cubin", e) ||
        !cuda_ok(cudaLibraryGetKernel(&m->kernel, m->library, image->entry),
                 "finding the kernel in its cubin", e) ||
        !read_attributes(m, info ? info : &ignored, e)) {
        cuda_unload(d, m);
        return error_prefix(e, "%s", image->entry);
    }
    *out = m;
    return true;
}

bool cuda_load_support(struct device *d, const char *name, enum element_type type,
                       enum operation op, bool wide, struct module **out, struct error *e)
{
    if (!d->setup.compiler || !d->setup.support)
        return FAIL(e, ERROR_INTERNAL, "the GPU was opened without a compiler for '%s'", name);
    const struct kernel *k = catalogue_find(d->setup.support, name);
    if (!k)
        return FAIL(e, ERROR_SYSTEM,
                    "kernels/support/%s.cu is missing, although it is part of redsweep; restore it",
                    name);
    struct variant v = {.unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op, .wide = wide};
    for (int i = 0; i < k->tunable_count; i++)
        v.tunables[i] = k->tunables[i].allowed.values[0];
    struct image image = {0};
    bool ok = compile_variant(d->setup.compiler, k, &v, &d->info.target, &image, e) &&
              cuda_load(d, &image, out, NULL, e);
    image_free(&image);
    return ok || error_prefix(e, "kernels/support/%s.cu", name);
}

struct launch cuda_support_launch(struct module *m, unsigned grid, unsigned block)
{
    return (struct launch){.module = m,
                           .grid = {grid ? grid : 1, 1, 1},
                           .block = {block, 1, 1},
                           .kind = LAUNCH_PLAIN,
                           .cluster = 1};
}

/* Allows a kernel to use `bytes` of dynamic shared memory per block. CUDA requires this if a block
 * uses more than 48 KiB of static and dynamic shared memory, and ignores it otherwise. */
static bool allow_dynamic_smem(struct module *m, size_t bytes, struct error *e)
{
    if (bytes <= m->dynamic_smem_limit)
        return true;
    if (!cuda_ok(cudaFuncSetAttribute((const void *)m->kernel,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
                 "raising the limit of dynamic shared memory", e))
        return false;
    m->dynamic_smem_limit = bytes;
    return true;
}

enum { PORTABLE_CLUSTER = 8 };

/* If l has clusters of more than 8 blocks, the portable maximum, sets the attribute that allows the
 * kernel to have such clusters. */
static bool allow_cluster(struct module *m, const struct launch *l, struct error *e)
{
    if (l->kind != LAUNCH_CLUSTER || l->cluster <= PORTABLE_CLUSTER || m->large_cluster)
        return true;
    if (!cuda_ok(cudaFuncSetAttribute((const void *)m->kernel,
                                      cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                 "allowing clusters of more than 8 blocks", e))
        return false;
    m->large_cluster = true;
    return true;
}

static unsigned launch_attributes(const struct launch *l, cudaLaunchAttribute attributes[2])
{
    unsigned count = 0;
    if (l->kind == LAUNCH_COOPERATIVE) {
        attributes[count].id = cudaLaunchAttributeCooperative;
        attributes[count++].val.cooperative = 1;
    }
    if (l->kind == LAUNCH_CLUSTER && l->cluster > 1) {
        attributes[count].id = cudaLaunchAttributeClusterDimension;
        attributes[count].val.clusterDim.x = l->cluster;
        attributes[count].val.clusterDim.y = 1;
        attributes[count++].val.clusterDim.z = 1;
    }
    if (l->kind == LAUNCH_DEPENDENT) {
        attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    return count;
}

bool cuda_enqueue(struct device *d, const struct launch *l, struct error *e)
{
    if (l->module->host)
        return cuda_enqueue_host(d, l, e);
    if (!allow_dynamic_smem(l->module, l->dynamic_smem, e) || !allow_cluster(l->module, l, e))
        return false;
    cudaLaunchAttribute attributes[2];
    memset(attributes, 0, sizeof attributes);
    cudaLaunchConfig_t config = {
        .gridDim = {l->grid[0], l->grid[1], l->grid[2]},
        .blockDim = {l->block[0], l->block[1], l->block[2]},
        .dynamicSmemBytes = l->dynamic_smem,
        .stream = d->stream,
        .attrs = attributes,
        .numAttrs = launch_attributes(l, attributes),
    };
    uint64_t values[LAUNCH_MAX_ARGUMENTS];
    void *arguments[LAUNCH_MAX_ARGUMENTS];
    for (int i = 0; i < l->argument_count; i++) {
        values[i] = l->arguments[i].bits;
        arguments[i] = &values[i];
    }
    d->launches++;
    return cuda_ok(cudaLaunchKernelExC(&config, (const void *)l->module->kernel, arguments),
                   "launching a kernel", e);
}
