/*
 * Implements the functions of the fake CUDA runtime; see fake_cuda.h.
 */
#include "fake_cuda_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_cuda fake_cuda;
struct device *fake_simulator;
struct object *fake_objects;

/* ---- Objects ------------------------------------------------------------------------------- */

struct object *fake_make(enum object_kind kind)
{
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        abort();
    o->kind = kind;
    o->next = fake_objects;
    fake_objects = o;
    fake_cuda.live += kind != KERNEL; /* kernels are freed with their library */
    return o;
}

/*
 * For each kind, the object that fake_find() returned last. Most calls use the same stream and
 * kernel as the call before.
 */
static struct object *latest[DEVICE_MEMORY + 1];

struct object *fake_find(const void *handle, enum object_kind kind, const char *function)
{
    if (handle && handle == latest[kind])
        return latest[kind];
    for (struct object *o = fake_objects; o; o = o->next)
        if (o == handle && o->kind == kind)
            return latest[kind] = o;
    fake_misuse("%s: the handle refers to no object", function);
    return NULL;
}

/*
 * Finds memory by its host address if `kind` is HOST_MEMORY, or by its device address otherwise.
 */
static struct object *find_memory(const void *pointer, enum object_kind kind)
{
    for (struct object *o = fake_objects; o; o = o->next)
        if (o->kind == kind &&
            (kind == HOST_MEMORY ? o->host == pointer : o->address == (uint64_t)(uintptr_t)pointer))
            return o;
    return NULL;
}

static void forget(struct object *o);

static void forget_kernels_of(const struct object *library)
{
    for (struct object *o = fake_objects, *next; o; o = next) {
        next = o->next;
        if (o->kind == KERNEL && o->library == library)
            forget(o);
    }
}

static void forget(struct object *o)
{
    struct object **at = &fake_objects;
    latest[o->kind] = NULL;
    if (o->kind == LIBRARY)
        forget_kernels_of(o);
    while (*at != o)
        at = &(*at)->next;
    *at = o->next;
    fake_cuda.live -= o->kind != KERNEL;
    if (o->kind == HOST_MEMORY || o->kind == DEVICE_MEMORY)
        memory_free(&fake_simulator->memory, o->address);
    if (o->module)
        sim_driver.unload(fake_simulator, o->module);
    free(o->text);
    free(o);
}

/*
 * Frees an object. The call may return the error of earlier work, but the object is freed anyway.
 */
static cudaError_t give_back(const char *function, const void *handle, enum object_kind kind)
{
    INSIDE();
    cudaError_t status = fake_begin(function, true);
    struct object *o = fake_find(handle, kind, function);
    if (fake_lost)
        return status;
    cudaError_t drained = kind == EVENT ? cudaSuccess : fake_drain(NULL);
    if (o && o->kind == EVENT && o->queued && !o->done)
        drained = fake_drain(o);
    if (!o)
        return cudaErrorInvalidResourceHandle;
    forget(o);
    return status ? status : drained;
}

void fake_cuda_reset(void)
{
    fake_queue_reset();
    fake_contexts_reset();
    while (fake_objects)
        forget(fake_objects);
    if (fake_simulator)
        sim_driver.close(fake_simulator);
    fake_simulator = NULL;
    struct error e = {0};
    char argument[16];
    snprintf(argument, sizeof argument, "sms=%d", FAKE_SMS);
    if (!sim_driver.open(argument, NULL, &fake_simulator, &e)) {
        fprintf(stderr, "the fake GPU: %s\n", e.text);
        abort();
    }
    sim_set_threads(fake_simulator, 1);
    fake_cuda = (struct fake_cuda){0};
    fake_read_settings();
}

/* ---- The device ---------------------------------------------------------------------------- */

enum { FAKE_MIG = 100 }; /* the number of a MIG instance */

/*
 * Lists the GPUs in CUDA_VISIBLE_DEVICES, up to its first invalid number, and returns how many
 * there are.
 */
static int visible_devices(int numbers[64])
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    int count = 0;
    for (int i = 0; !visible && i < fake_settings.devices && i < 64; i++)
        numbers[count++] = i;
    if (visible && strncmp(visible, "MIG-f0f1", 8) == 0)
        numbers[count++] = FAKE_MIG;
    for (const char *p = visible; p && *p >= '0' && *p <= '9' && count < 64; p++) {
        char *end;
        numbers[count] = (int)strtol(p, &end, 10);
        if (numbers[count] >= fake_settings.devices)
            break;
        count++;
        p = end;
        if (*p != ',')
            break;
    }
    return count;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    CALL();
    int numbers[64];
    *count = visible_devices(numbers);
    return *count ? cudaSuccess : fake_fail(cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device)
{
    CALL();
    int numbers[64];
    if (device >= fake_settings.devices)
        return fake_fail(cudaErrorInvalidDevice);
    fake_settings.device = device < visible_devices(numbers) ? numbers[device] : 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    CALL();
    memset(p, 0, sizeof *p);
    int numbers[64];
    if (device >= visible_devices(numbers))
        return fake_fail(cudaErrorInvalidDevice);
    if (numbers[device] == FAKE_MIG)
        snprintf(p->name, sizeof p->name, "NVIDIA Fake MIG 1g.5gb (no GPU)");
    else
        snprintf(p->name, sizeof p->name, "NVIDIA Fake %d (no GPU)",
                 getenv("FAKE_CUDA_ALIKE") ? 0 : numbers[device]);
    for (int i = 0; i < 16; i++)
        p->uuid.bytes[i] = (char)(0xf0 + i);
    p->uuid.bytes[15] = (char)(p->uuid.bytes[15] - numbers[device] % FAKE_MIG);
    p->totalGlobalMem = fake_settings.memory;
    p->major = fake_settings.cc / 10;
    p->minor = fake_settings.cc % 10;
    p->multiProcessorCount = FAKE_SMS;
    p->maxThreadsPerBlock = 1024;
    p->sharedMemPerBlockOptin = MAX_SHARED;
    p->maxGridSize[0] = 2147483647;
    p->warpSize = LANES;
    p->l2CacheSize = FAKE_L2_BYTES;
    p->memoryBusWidth = 4000;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int device)
{
    CALL();
    (void)device;
    /*
     * Clock rates are in kHz. The 4000-bit bus makes the peak bandwidth 1000 GB/s.
     */
    *value = which == cudaDevAttrMemoryClockRate ? 1000000
             : which == cudaDevAttrClockRate     ? 1500000
             : which == cudaDevAttrClusterLaunch ? fake_settings.cc >= 90
                                                 : 1; /* all other attributes are supported */
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    CALL();
    (void)device;
    snprintf(text, (size_t)size, "0000:3b:00.0");
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    CALL();
    if (limit != cudaLimitDevRuntimePendingLaunchCount || value < 2048)
        fake_misuse("cudaDeviceSetLimit: limit %d, value %zu", (int)limit, value);
    return fake_drain(NULL);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    CALL();
    *version = fake_settings.driver;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    CALL();
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* ---- Memory -------------------------------------------------------------------------------- */

static uint64_t memory_used(void)
{
    uint64_t used = 0;
    for (const struct object *o = fake_objects; o; o = o->next)
        used += o->kind == DEVICE_MEMORY ? o->bytes : 0;
    return used;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    CALL();
    *total = fake_settings.memory;
    *free_bytes = fake_settings.memory - memory_used();
    return cudaSuccess;
}

static cudaError_t allocate(enum object_kind kind, size_t bytes, struct object **out)
{
    uint64_t address;
    if (bytes == 0)
        return fake_fail(cudaErrorInvalidValue);
    if ((kind == DEVICE_MEMORY && bytes > fake_settings.memory - memory_used()) ||
        !memory_alloc(&fake_simulator->memory, bytes, &address, NULL))
        return fake_fail(cudaErrorMemoryAllocation);
    struct object *o = fake_make(kind);
    o->address = address;
    o->bytes = bytes;
    o->host = memory_host(&fake_simulator->memory, address, bytes);
    *out = o;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **address, size_t bytes)
{
    struct object *o;
    CALL();
    cudaError_t status = fake_drain(NULL);
    if (status == cudaSuccess)
        status = allocate(DEVICE_MEMORY, bytes, &o);
    if (status == cudaSuccess)
        *address = (void *)(uintptr_t)o->address;
    return status;
}

cudaError_t cudaFree(void *address)
{
    if (!address) {
        CALL();
        return cudaSuccess;
    }
    return give_back(__func__, find_memory(address, DEVICE_MEMORY), DEVICE_MEMORY);
}

cudaError_t cudaHostAlloc(void **host, size_t bytes, unsigned flags)
{
    struct object *o;
    CALL();
    (void)flags;
    cudaError_t status = fake_drain(NULL);
    if (status == cudaSuccess)
        status = allocate(HOST_MEMORY, bytes, &o);
    if (status == cudaSuccess)
        *host = o->host;
    return status;
}

cudaError_t cudaHostGetDevicePointer(void **address, void *host, unsigned flags)
{
    CALL();
    (void)flags;
    const struct object *o = find_memory(host, HOST_MEMORY);
    if (!o)
        return fake_fail(cudaErrorInvalidValue);
    *address = (void *)(uintptr_t)o->address;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *host)
{
    return give_back(__func__, find_memory(host, HOST_MEMORY), HOST_MEMORY);
}

cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes, cudaStream_t stream)
{
    CALL();
    if (!fake_find(stream, STREAM, __func__))
        return fake_fail(cudaErrorInvalidResourceHandle);
    struct task w = {.kind = TASK_SET,
                     .address = (uint64_t)(uintptr_t)address,
                     .bytes = bytes,
                     .byte = (uint8_t)value};
    return memory_find(&fake_simulator->memory, w.address, bytes)
               ? fake_enqueue(&w)
               : fake_fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    CALL();
    if (!fake_find(stream, STREAM, __func__))
        return fake_fail(cudaErrorInvalidResourceHandle);
    struct task w = {
        .kind = TASK_COPY, .address = (uint64_t)(uintptr_t)from, .host = to, .bytes = bytes};
    if (kind != cudaMemcpyDeviceToHost || !memory_find(&fake_simulator->memory, w.address, bytes))
        return fake_fail(cudaErrorInvalidValue);
    return fake_enqueue(&w);
}

/* ---- Streams and events -------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    CALL();
    if (flags != cudaStreamNonBlocking)
        fake_misuse("cudaStreamCreateWithFlags: flags %u", flags);
    *stream = (cudaStream_t)fake_make(STREAM);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return give_back(__func__, stream, STREAM);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    CALL();
    return fake_find(stream, STREAM, __func__) ? fake_drain(NULL)
                                               : fake_fail(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    CALL();
    *event = (cudaEvent_t)fake_make(EVENT);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return give_back(__func__, event, EVENT);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    CALL();
    struct object *o = fake_find(event, EVENT, __func__);
    if (!o || !fake_find(stream, STREAM, __func__))
        return fake_fail(cudaErrorInvalidResourceHandle);
    if (o->queued && !o->done)
        fake_misuse("cudaEventRecord: an event that is still waited for");
    o->queued = true;
    o->done = false;
    return fake_enqueue(&(struct task){.kind = TASK_EVENT, .object = o});
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    CALL();
    const struct object *o = fake_find(event, EVENT, __func__);
    if (!o)
        return fake_fail(cudaErrorInvalidResourceHandle);
    if (!o->queued)
        fake_misuse("cudaEventSynchronize: an event that was never recorded");
    return o->queued ? fake_drain(o) : cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    CALL();
    const struct object *a = fake_find(from, EVENT, __func__), *b = fake_find(to, EVENT, __func__);
    if (!a || !b || !a->queued || !b->queued)
        return fake_fail(cudaErrorInvalidResourceHandle);
    if (!a->done || !b->done)
        return fake_fail(cudaErrorNotReady);
    uint64_t step = fake_settings.step_ns, steps = b->when_ns / step - a->when_ns / step;
    *ms = (float)((double)(steps * step) / 1e6);
    if (fake_cuda_model.event_scale > 0)
        *ms *= (float)fake_cuda_model.event_scale;
    return cudaSuccess;
}

/* ---- Code ---------------------------------------------------------------------------------- */

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *options, void **values, unsigned count,
                                enum cudaLibraryOption *more, void **more_values,
                                unsigned more_count)
{
    CALL();
    (void)options, (void)values, (void)more, (void)more_values;
    if (count || more_count)
        fake_misuse("cudaLibraryLoadData: options");
    cudaError_t status = fake_drain(NULL);
    if (status)
        return status;
    if (!strstr(code, ".version")) /* fake_compiler.c outputs PTX */
        return fake_fail(cudaErrorInvalidKernelImage);
    struct object *o = fake_make(LIBRARY);
    o->text = strdup(code);
    *library = (cudaLibrary_t)o;
    return o->text ? cudaSuccess : fake_fail(cudaErrorMemoryAllocation);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    return give_back(__func__, library, LIBRARY);
}

/* ---- Host code ----------------------------------------------------------------------------- */

int fake_cuda_sum(const void *input, void *output, uint64_t n, void *stream)
{
    CALL();
    if (!fake_find(stream, STREAM, __func__))
        return fake_fail(cudaErrorInvalidResourceHandle);
    return fake_enqueue(&(struct task){.kind = TASK_SUM,
                                       .from = (uint64_t)(uintptr_t)input,
                                       .address = (uint64_t)(uintptr_t)output,
                                       .bytes = n});
}
