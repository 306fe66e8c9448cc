/*
 * The library that `make tuned` makes of a run: picks the configuration for n and launches it.
 *
 * This file is written by hand; redsweep_tuned_table.h, which `redsweep tuned` writes, holds the
 * table, the kernels' code and the functions that redsweep_tuned.h declares.
 *
 * Code is loaded when it is first needed, once for all devices. The kernels need a little scratch
 * memory that is zero when they start and that they leave zero, so launches of one stream can share
 * it and launches of different streams must not: each stream has its own, found by the stream's id,
 * which is never used again. All state is behind one mutex.
 */
#include "redsweep_tuned.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A launch, from the kernel's facts; whole numbers, as doubles. */
struct shape {
    double grid, shared, workspace, cluster;
};

struct entry {
    uint64_t last; /* n up to which it serves; entries ascend */
    const char *kernel;
    unsigned block;
    unsigned count_bytes; /* of the kernel's parameter n: 4 or 8 */
    void (*shape)(double N, double SMS, struct shape *shape);
    /* As machine code and as PTX, each for aligned input and for input that begins at any element.
     */
    size_t codes[2][2];
};

/* What was measured on GPUs of one compute capability. */
struct table {
    int capability; /* 90: 9.0; the tables of a function descend */
    const struct entry *entries;
    size_t count;
};

struct code {
    const uint64_t *image;
};

static inline double ceil_div(double a, double b)
{
    return ceil(a / b);
}

static inline double is_power_of_two(double a)
{
    double exponent = log2(a);
    return a >= 1 && exponent == floor(exponent);
}

static cudaError_t reduce_by(const struct table *tables, size_t count, const void *d_in, size_t n,
                             size_t size, void *d_out, cudaStream_t stream);

#define reduce(tables, d_in, n, size, d_out, stream)                                               \
    reduce_by(tables, sizeof tables / sizeof *tables, d_in, n, size, d_out, stream)

#include "redsweep_tuned_table.h"

enum {
    CODES = sizeof codes / sizeof *codes,
    DEVICES = 64,
    PACK_BYTES = 16,
    PORTABLE_CLUSTER = 8, /* blocks; for more a kernel must be allowed to */
    SHARED_WITHOUT_ASKING = 48 * 1024
};

struct loaded {
    cudaLibrary_t library; /* NULL: not yet */
    cudaKernel_t kernel;
    uint64_t allowed; /* a bit for each device on which its limits were raised */
};

struct scratch {
    unsigned long long stream;
    int device;
    void *memory;
    size_t bytes;
    struct scratch *next; /* outgrown memory stays until it is released: it may be in use */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct loaded loaded[CODES];
static struct scratch *scratches;
static int multiprocessors[DEVICES]; /* 0: not asked yet */
static int capabilities[DEVICES];    /* as in struct table; known where multiprocessors are */

static cudaError_t load(struct loaded *l, const struct code *code, const char *kernel)
{
    if (l->library)
        return cudaSuccess;
    cudaError_t status =
        cudaLibraryLoadData(&l->library, code->image, NULL, NULL, 0, NULL, NULL, 0);
    if (status != cudaSuccess) {
        l->library = NULL;
        return status;
    }
    status = cudaLibraryGetKernel(&l->kernel, l->library, kernel);
    if (status != cudaSuccess) {
        (void)cudaLibraryUnload(l->library);
        l->library = NULL;
    }
    return status;
}

/* Much shared memory and large clusters have to be asked for, once a device. */
static cudaError_t allow(struct loaded *l, const struct shape *shape, int device)
{
    uint64_t bit = (uint64_t)1 << device;
    bool much = shape->shared > SHARED_WITHOUT_ASKING, large = shape->cluster > PORTABLE_CLUSTER;
    if ((!much && !large) || (l->allowed & bit))
        return cudaSuccess;
    cudaError_t status = cudaSuccess;
    if (much)
        status =
            cudaFuncSetAttribute((const void *)l->kernel,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape->shared);
    if (status == cudaSuccess && large)
        status = cudaFuncSetAttribute((const void *)l->kernel,
                                      cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (status == cudaSuccess)
        l->allowed |= bit;
    return status;
}

/* Zeroed memory that only this stream uses; stays the library's. */
static cudaError_t find_scratch(unsigned long long id, int device, size_t bytes,
                                cudaStream_t stream, void **memory)
{
    *memory = NULL;
    if (bytes == 0)
        return cudaSuccess;
    size_t most = 4096;
    for (struct scratch *s = scratches; s; s = s->next) {
        if (s->stream != id || s->device != device)
            continue;
        if (s->bytes >= bytes) {
            *memory = s->memory;
            return cudaSuccess;
        }
        most = s->bytes > most ? s->bytes : most;
    }
    struct scratch *s = calloc(1, sizeof *s);
    if (!s)
        return cudaErrorMemoryAllocation;
    while (most < bytes)
        most *= 2;
    *s = (struct scratch){.stream = id, .device = device, .bytes = most, .next = scratches};
    cudaError_t status = cudaMalloc(&s->memory, s->bytes);
    if (status != cudaSuccess) {
        free(s);
        return status;
    }
    status = cudaMemsetAsync(s->memory, 0, s->bytes, stream);
    if (status != cudaSuccess) {
        (void)cudaFree(s->memory);
        free(s);
        return status;
    }
    scratches = s;
    *memory = s->memory;
    return cudaSuccess;
}

static cudaError_t current_device(int *device)
{
    cudaError_t status = cudaGetDevice(device);
    if (status != cudaSuccess)
        return status;
    if (*device >= DEVICES)
        return cudaErrorInvalidDevice;
    if (multiprocessors[*device])
        return cudaSuccess;
    int major, minor, count;
    if ((status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, *device)) !=
            cudaSuccess ||
        (status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, *device)) !=
            cudaSuccess ||
        (status = cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, *device)) !=
            cudaSuccess)
        return status;
    capabilities[*device] = 10 * major + minor;
    multiprocessors[*device] = count;
    return cudaSuccess;
}

/*
 * The table of the newest capability that is not newer than the device's; NULL: all are. Machine
 * code runs on its own major version only, from its minor version on.
 */
static const struct table *choose(const struct table *tables, size_t count, int device, bool *ptx)
{
    size_t i = 0;
    while (i < count && tables[i].capability > capabilities[device])
        i++;
    *ptx = i < count && tables[i].capability / 10 != capabilities[device] / 10;
    return i < count ? &tables[i] : NULL;
}

static cudaError_t launch(const struct entry *entry, const struct loaded *l,
                          const struct shape *shape, const void *d_in, uint64_t n, void *d_out,
                          void *workspace, cudaStream_t stream)
{
    cudaLaunchAttribute attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = (unsigned)shape->cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {.gridDim = {(unsigned)shape->grid, 1, 1},
                                 .blockDim = {entry->block, 1, 1},
                                 .dynamicSmemBytes = (size_t)shape->shared,
                                 .stream = stream,
                                 .attrs = &attribute,
                                 .numAttrs = shape->cluster > 1};
    uint32_t narrow = (uint32_t)n;
    void *count = entry->count_bytes == 4 ? (void *)&narrow : (void *)&n;
    void *arguments[] = {&d_in, &d_out, count, &workspace};
    return cudaLaunchKernelExC(&config, (const void *)l->kernel, arguments);
}

static cudaError_t reduce_locked(const struct table *tables, size_t count, bool aligned,
                                 const void *d_in, uint64_t n, void *d_out, cudaStream_t stream)
{
    int device;
    bool ptx;
    unsigned long long id;
    void *workspace;
    struct shape shape;
    cudaError_t status = current_device(&device);
    if (status != cudaSuccess)
        return status;
    const struct table *table = choose(tables, count, device, &ptx);
    if (!table)
        return cudaErrorNoKernelImageForDevice;
    const struct entry *entry = table->entries, *end = entry + table->count;
    while (entry < end && entry->last < n)
        entry++;
    if (entry == end)
        return cudaErrorInvalidValue;
    size_t code = entry->codes[ptx][!aligned];
    struct loaded *l = &loaded[code];
    entry->shape((double)n, multiprocessors[device], &shape);
    if ((status = load(l, &codes[code], entry->kernel)) != cudaSuccess ||
        (status = allow(l, &shape, device)) != cudaSuccess ||
        (status = cudaStreamGetId(stream, &id)) != cudaSuccess ||
        (status = find_scratch(id, device, (size_t)shape.workspace, stream, &workspace)) !=
            cudaSuccess)
        return status;
    return launch(entry, l, &shape, d_in, n, d_out, workspace, stream);
}

static cudaError_t reduce_by(const struct table *tables, size_t count, const void *d_in, size_t n,
                             size_t size, void *d_out, cudaStream_t stream)
{
    if (n == 0 || !d_in || !d_out || (uintptr_t)d_in % size)
        return cudaErrorInvalidValue;
    enum cudaStreamCaptureStatus capture;
    cudaError_t status = cudaStreamIsCapturing(stream, &capture);
    if (status != cudaSuccess)
        return status;
    if (capture != cudaStreamCaptureStatusNone)
        return cudaErrorStreamCaptureUnsupported;
    pthread_mutex_lock(&mutex);
    status =
        reduce_locked(tables, count, (uintptr_t)d_in % PACK_BYTES == 0, d_in, n, d_out, stream);
    pthread_mutex_unlock(&mutex);
    return status;
}

cudaError_t redsweep_tuned_release(void)
{
    int device, first_device;
    cudaError_t status = cudaGetDevice(&first_device), other;
    if (status != cudaSuccess)
        return status;
    pthread_mutex_lock(&mutex);
    while (scratches) {
        struct scratch *s = scratches;
        scratches = s->next;
        device = s->device;
        if ((other = cudaSetDevice(device)) != cudaSuccess ||
            (other = cudaDeviceSynchronize()) != cudaSuccess ||
            (other = cudaFree(s->memory)) != cudaSuccess)
            status = other;
        free(s);
    }
    if ((other = cudaSetDevice(first_device)) != cudaSuccess)
        status = other;
    for (int i = 0; i < CODES; i++)
        if (loaded[i].library) {
            if ((other = cudaLibraryUnload(loaded[i].library)) != cudaSuccess)
                status = other;
            memset(&loaded[i], 0, sizeof loaded[i]);
        }
    pthread_mutex_unlock(&mutex);
    return status;
}
