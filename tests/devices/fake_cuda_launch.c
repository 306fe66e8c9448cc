/*
 * Implements kernels and launches in the fake CUDA runtime (see fake_cuda.h).
 */
#include "fake_cuda_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns whether a kernel reads a timer. The simulator has none, so such kernels are not loaded
 * into it.
 */
static bool reads_timer(const char *name)
{
    return strcmp(name, "blocking") == 0 || strcmp(name, "spin") == 0;
}

static bool load_kernel(struct object *library, const char *name, struct module **module)
{
    struct image image = {.kind = IMAGE_PTX,
                          .bytes = library->text,
                          .length = strlen(library->text),
                          .device_runtime =
                              strstr(library->text, "__cudaCDP2LaunchDevice") != NULL};
    snprintf(image.entry, sizeof image.entry, "%s", name);
    struct error e = {0};
    *module = NULL;
    char entry[64];
    snprintf(entry, sizeof entry, ".entry %.50s(", name);
    if (reads_timer(name) && strstr(library->text, entry))
        return true;
    if (sim_driver.load(fake_simulator, &image, module, NULL, &e))
        return true;
    fake_misuse("%s", e.text);
    return false;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    CALL();
    struct object *from = fake_find(library, LIBRARY, __func__);
    struct module *module;
    if (!from)
        return fake_fail(cudaErrorInvalidResourceHandle);
    if (!load_kernel(from, name, &module))
        return fake_fail(cudaErrorSymbolNotFound);
    struct object *o = fake_make(KERNEL);
    o->library = from;
    o->module = module;
    snprintf(o->name, sizeof o->name, "%s", name);
    *kernel = (cudaKernel_t)o;
    return cudaSuccess;
}

static uint64_t most_threads(const struct object *k)
{
    int most = k->module ? k->module->program->max_threads : 0;
    return most ? (uint64_t)most : 1024;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *kernel)
{
    CALL();
    const struct object *o = fake_find(kernel, KERNEL, __func__);
    if (!o)
        return fake_fail(cudaErrorInvalidResourceHandle);
    memset(a, 0, sizeof *a);
    a->numRegs = 32;
    a->sharedSizeBytes = o->module ? o->module->program->shared_bytes : 0;
    a->localSizeBytes = o->module ? o->module->program->local_bytes : 0;
    a->maxThreadsPerBlock = (int)most_threads(o);
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute which, int value)
{
    CALL();
    struct object *o = fake_find(kernel, KERNEL, __func__);
    if (!o)
        return fake_fail(cudaErrorInvalidResourceHandle);
    if (which == cudaFuncAttributeMaxDynamicSharedMemorySize && value <= MAX_SHARED)
        o->dynamic_smem = (size_t)value;
    else if (which == cudaFuncAttributeNonPortableClusterSizeAllowed && (value == 0 || value == 1))
        o->large_cluster = value == 1;
    else
        return fake_fail(cudaErrorInvalidValue);
    return cudaSuccess;
}

static void take_attributes(const cudaLaunchConfig_t *c, struct launch *l)
{
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute *a = &c->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative && a->val.cooperative) {
            l->kind = LAUNCH_COOPERATIVE;
        } else if (a->id == cudaLaunchAttributeClusterDimension) {
            l->kind = LAUNCH_CLUSTER;
            l->cluster = a->val.clusterDim.x;
        } else if (a->id == cudaLaunchAttributeProgrammaticStreamSerialization) {
            l->kind = LAUNCH_DEPENDENT;
        } else {
            fake_misuse("cudaLaunchKernelExC: attribute %d", (int)a->id);
        }
    }
}

/* Returns an error if a GPU would refuse the launch. */
static cudaError_t check_launch(const struct object *k, const struct launch *l)
{
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (threads < 1 || threads > 1024 || blocks < 1 || l->grid[0] > 2147483647)
        return cudaErrorInvalidConfiguration;
    if (threads > most_threads(k))
        return cudaErrorLaunchOutOfResources;
    const size_t declared = k->module ? k->module->program->shared_bytes : 0;
    if (l->dynamic_smem + declared > 48 * 1024 && l->dynamic_smem > k->dynamic_smem)
        return cudaErrorInvalidValue;
    if (l->kind == LAUNCH_CLUSTER && (l->cluster > (k->large_cluster ? 16 : 8)))
        return cudaErrorInvalidConfiguration;
    if (l->kind == LAUNCH_COOPERATIVE && blocks * ((threads + 31) / 32) > FAKE_SMS * 64)
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

/* Copies the arguments to `l`. The kernel's parameters determine their number and sizes. */
static void take_arguments(const struct object *k, void **arguments, struct launch *l)
{
    const unsigned of_the_timers[] = {8, 8, strcmp(k->name, "spin") == 0 ? 8 : 4};
    int count = k->module ? k->module->program->parameter_count : 3;
    for (int i = 0; i < count && i < LAUNCH_MAX_ARGUMENTS; i++) {
        uint64_t bits = 0;
        unsigned size = k->module ? k->module->program->parameters[i].bytes : of_the_timers[i];
        memcpy(&bits, arguments[i], size);
        add_argument(l, bits, size);
    }
}

/*
 * Checks that the empty kernel's arguments are all 0, because this kernel must not access memory.
 */
static void check_empty(const struct object *k, const struct launch *l)
{
    for (int i = 0; strcmp(k->name, "empty") == 0 && i < l->argument_count; i++)
        if (l->arguments[i].bits)
            fake_misuse("an empty kernel was launched with 0x%llx as argument %d",
                        (unsigned long long)l->arguments[i].bits, i);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *kernel, void **arguments)
{
    CALL();
    struct object *k = fake_find(kernel, KERNEL, __func__);
    if (!k || !fake_find(c->stream, STREAM, __func__))
        return fake_fail(cudaErrorInvalidResourceHandle);
    struct task w = {.kind = TASK_LAUNCH, .object = k};
    struct launch *l = &w.launch;
    *l = (struct launch){.module = k->module,
                         .grid = {c->gridDim.x, c->gridDim.y, c->gridDim.z},
                         .block = {c->blockDim.x, c->blockDim.y, c->blockDim.z},
                         .dynamic_smem = c->dynamicSmemBytes,
                         .kind = LAUNCH_PLAIN,
                         .cluster = 1};
    take_attributes(c, l);
    cudaError_t refused = check_launch(k, l);
    if (refused)
        return fake_fail(refused);
    take_arguments(k, arguments, l);
    check_empty(k, l);
    /* Without CUDA_MODULE_LOADING=EAGER the first launch of a kernel waits for the device. */
    const char *loading = getenv("CUDA_MODULE_LOADING");
    bool lazy = !loading || strcmp(loading, "EAGER") != 0;
    if (lazy && !k->launched && fake_drain(NULL))
        return fake_lost;
    k->launched = true;
    return fake_enqueue(&w);
}
