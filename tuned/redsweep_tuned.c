/*
 * The library that `make tuned` builds from a run: chooses the configuration for a shape and
 * launches it.
 *
 * This file is written by hand. `redsweep tuned` generates redsweep_tuned_table.h with the tables,
 * the kernels' code and the functions declared in PREFIX_tuned.h. find.h chooses the configuration
 * for each shape.
 *
 * Code is loaded when first needed, once for all devices. Some kernels need a little scratch memory
 * that is zero when they start and that they leave zeroed (scratch.h). One mutex protects all
 * state. A thread that holds it can allocate memory even while a stream is being captured
 * (cudaStreamCaptureModeRelaxed), which is safe because these allocations never go through a stream
 * that can be captured.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

/* SCALARS: maximum number of kernel parameters; NONE: no code */
enum { SCALARS = 12, NONE = -1 };

/* The quantities that a launch shape depends on: whole numbers, stored as doubles. */
struct place {
    double n, row_length, inner, offset, multiprocessors;
};

/* A launch computed from the kernel's facts. */
struct shape {
    double grid, shared, workspace, cluster, depth;
    double us; /* expected time for shapes, or 0 if nothing was fitted */
    double scalars[SCALARS];
};

struct entry {
    const char *kernel;
    unsigned block;
    /*
     * The kernel's parameters, a letter each: i input, o output, s second vector, n elements (32 or
     * 64 bits), w workspace, b its bytes. Those in the facts are d int, u unsigned, l long, z
     * size_t, f float and g double.
     */
    const char *parameters;
    /* Returns false if the kernel cannot run at this place. */
    bool (*shape)(const struct place *at, struct shape *shape);
    /* A fallback also handles 0 elements; `at` is then the place of 1 element. */
    bool fallback;
    double shortest, longest; /* range of lengths it was measured at, for shapes */
    /*
     * For rows: the errors of `us` at OFF_ROWS row counts and OFF_LENGTHS row lengths, first for
     * rows that are not whole packs, then for rows of whole packs. NULL if not known. `off_first`
     * and `off_step` are base-2 logarithms of the first length and of the step.
     */
    const signed char *off;
    double off_first, off_step;
    /* [more than 2^31 elements][as PTX][unaligned input] */
    int codes[2][2][2];
};

/* The entry for arrays of up to n elements, or for this shape. */
struct site {
    uint64_t n, row_length, inner;
    unsigned entry;
};

/* Measurements on GPUs of one compute capability. */
struct table {
    int capability; /* such as 90 for 9.0; a function's tables are in descending order */
    const struct entry *entries;
    size_t entry_count; /* fallbacks come last */
    const struct site *sites;
    size_t site_count;
    bool by_shape; /* true for functions along rows or an axis */
    /* If true, fallbacks, which are not exact, are used only for empty inputs. */
    bool exact;
    /*
     * 0 if the table is not invariant. Otherwise only the row length matters, with times for this
     * number of multiprocessors.
     */
    int invariant;
};
#define TABLE(name)                                                                                \
    name, sizeof name / sizeof *name, name##_sites, sizeof name##_sites / sizeof *name##_sites

struct code {
    const uint64_t *image;
};

struct request {
    const void *input, *second;
    void *output;
    cudaStream_t stream;
    uint64_t outer, length, inner; /* `inner` is 1 for rows; an array is one row */
    int vectors;                   /* number of vectors read, 1 or 2 */
    /* Bytes per element, bytes per part of a result, and parts per result. */
    size_t element, result, results;
};

/*
 * Works for numbers up to 2^53. Avoids libm, because a choice evaluates dozens of such quotients.
 */
static inline double ceil_div(double a, double b)
{
    double quotient = a / b, whole = (double)(int64_t)quotient;
    return whole < quotient ? whole + 1 : whole;
}

static inline double rest_of(double a, double b)
{
    return b >= 1 ? (double)((int64_t)a % (int64_t)b) : NAN;
}

static inline double is_power_of_two(double a)
{
    double exponent = log2(a);
    return a >= 1 && exponent == floor(exponent);
}

/*
 * Returns the time for reading and the work that overlaps with it: roughly the longer of the two.
 */
static inline double together(double reading, double overlapping)
{
    double a = reading * reading, b = overlapping * overlapping;
    return sqrt(sqrt(a * a + b * b));
}

static int reduce(const struct table *tables, size_t count, const struct request *request);

#include "redsweep_tuned_table.h"

enum {
    CODES = sizeof codes / sizeof *codes,
    DEVICES = 64,
    PACK_BYTES = 16,
    ALIGNED_BYTES = 256, /* offsets are relative to its multiples */
    PORTABLE_CLUSTER = 8 /* larger clusters need an opt-in */
};
static const uint64_t NARROW_MOST = (uint64_t)1 << 31, ELEMENTS_MOST = (uint64_t)1 << 40;
static const double GRID_MOST = 2147483647;

struct loaded {
    cudaLibrary_t library; /* NULL until loaded */
    cudaKernel_t kernel;
    /*
     * Bytes of shared memory that the kernel may use so far: the most that an entry with this code
     * has needed.
     */
    int shared;
    bool large;       /* whether large clusters were allowed, too */
    uint64_t allowed; /* a bit per device whose limits have been raised */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct loaded loaded[CODES];
static int multiprocessors[DEVICES]; /* 0 until queried */
/*
 * Capabilities in the same form as in struct table. Valid for a device if its `multiprocessors` is
 * not 0.
 */
static int capabilities[DEVICES];
static _Thread_local cudaError_t last_error;

/* Translates a CUDA status to one of the library's. */
static int cuda_status(cudaError_t status)
{
    if (status == cudaSuccess)
        return CODE(SUCCESS);
    last_error = status;
    return CODE(ERROR_CUDA);
}

#include "tuned/scratch.h"

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

/*
 * Opts a kernel in to large clusters, or to more than 48 KiB of shared memory including its static
 * part. Does so for smaller amounts, too. Happens once per device, and again when more memory is
 * needed.
 */
static cudaError_t allow(struct loaded *l, const struct shape *shape, int device)
{
    uint64_t bit = (uint64_t)1 << device;
    bool much = shape->shared > 0, large = shape->cluster > PORTABLE_CLUSTER;
    if ((much && shape->shared > l->shared) || (large && !l->large)) {
        l->shared = much && shape->shared > l->shared ? (int)shape->shared : l->shared;
        l->large = l->large || large;
        l->allowed = 0;
    }
    if ((!much && !large) || (l->allowed & bit))
        return cudaSuccess;
    cudaError_t status = cudaSuccess;
    if (l->shared)
        status = cudaFuncSetAttribute((const void *)l->kernel,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, l->shared);
    if (status == cudaSuccess && l->large)
        status = cudaFuncSetAttribute((const void *)l->kernel,
                                      cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (status == cudaSuccess)
        l->allowed |= bit;
    return status;
}

static int current_device(int *device)
{
    int major, minor, count;
    cudaError_t status = cudaGetDevice(device);
    if (status != cudaSuccess)
        return cuda_status(status);
    if (*device >= DEVICES)
        return CODE(ERROR_DEVICE);
    if (multiprocessors[*device])
        return CODE(SUCCESS);
    if ((status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, *device)) !=
            cudaSuccess ||
        (status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, *device)) !=
            cudaSuccess ||
        (status = cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, *device)) !=
            cudaSuccess)
        return cuda_status(status);
    capabilities[*device] = 10 * major + minor;
    multiprocessors[*device] = count;
    return CODE(SUCCESS);
}

/*
 * Returns the table with the newest capability that the device supports, or NULL if all are newer.
 * Machine code runs only on its own major version, from its minor version on.
 */
static const struct table *choose_table(const struct table *tables, size_t count, int device,
                                        bool *ptx)
{
    size_t i = 0;
    while (i < count && tables[i].capability > capabilities[device])
        i++;
    *ptx = i < count && tables[i].capability / 10 != capabilities[device] / 10;
    return i < count ? &tables[i] : NULL;
}

#include "tuned/find.h"

static uint64_t argument_of(char letter, double scalar, const struct request *r, bool wide,
                            const struct shape *shape, void *workspace)
{
    uint64_t n = r->outer * r->inner * r->length, word = 0;
    float single = (float)scalar;
    switch (letter) {
    case 'i':
        return (uintptr_t)r->input;
    case 's':
        return (uintptr_t)r->second;
    case 'o':
        return (uintptr_t)r->output;
    case 'w':
        return (uintptr_t)workspace;
    case 'b':
        return (uint64_t)shape->workspace;
    case 'n':
        return wide ? n : (uint32_t)n;
    case 'f':
        memcpy(&word, &single, sizeof single);
        return word;
    case 'g':
        memcpy(&word, &scalar, sizeof scalar);
        return word;
    default:
        /* The first bytes also hold the value as a smaller integer. */
        return (uint64_t)(int64_t)scalar;
    }
}

static cudaError_t launch(const struct entry *entry, const struct loaded *l,
                          const struct shape *shape, const struct request *r, bool wide,
                          void *workspace)
{
    cudaLaunchAttribute attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = (unsigned)shape->cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {.gridDim = {(unsigned)shape->grid, 1, 1},
                                 .blockDim = {entry->block, 1, 1},
                                 .dynamicSmemBytes = (size_t)shape->shared,
                                 .stream = r->stream,
                                 .attrs = &attribute,
                                 .numAttrs = shape->cluster > 1};
    uint64_t words[SCALARS];
    void *arguments[SCALARS];
    for (int i = 0; entry->parameters[i]; i++) {
        words[i] = argument_of(entry->parameters[i], shape->scalars[i], r, wide, shape, workspace);
        arguments[i] = &words[i];
    }
    return cudaLaunchKernelExC(&config, (const void *)l->kernel, arguments);
}

/*
 * Returns the place at which a call's launch shape is evaluated. Empty rows use the shape of rows
 * with one element. The offset of two vectors is a multiple of a power of two if both offsets are.
 */
static struct place place_of(const struct request *r, int device)
{
    const double length = r->length ? (double)r->length : 1;
    const uintptr_t address = (uintptr_t)r->input | (uintptr_t)r->second;
    return (struct place){.n = (double)(r->outer * r->inner) * length,
                          .row_length = length,
                          .inner = (double)r->inner,
                          .offset = (double)(address % ALIGNED_BYTES / r->element),
                          .multiprocessors = multiprocessors[device]};
}

static int reduce_locked(const struct table *tables, size_t count, const struct request *r)
{
    int device, code = NONE, status = current_device(&device);
    bool ptx;
    void *workspace;
    struct shape shape = {0};
    if (status != CODE(SUCCESS))
        return status;
    const struct table *table = choose_table(tables, count, device, &ptx);
    if (!table)
        return CODE(ERROR_DEVICE);
    const struct place at = place_of(r, device);
    const bool aligned = ((uintptr_t)r->input | (uintptr_t)r->second) % PACK_BYTES == 0;
    const struct search search = {.table = table,
                                  .at = &at,
                                  .empty = r->length == 0,
                                  .wide = r->outer * r->inner * r->length > NARROW_MOST,
                                  .ptx = ptx,
                                  .aligned = aligned,
                                  .packs = aligned && r->length * r->element % PACK_BYTES == 0};
    const struct entry *entry = find_entry(&search, &shape, &code);
    if (!entry)
        return CODE(ERROR_SHAPE);
    struct loaded *l = &loaded[code];
    cudaError_t error;
    if ((error = load(l, &codes[code], entry->kernel)) != cudaSuccess ||
        (error = allow(l, &shape, device)) != cudaSuccess)
        return cuda_status(error);
    status = find_scratch(device, (size_t)shape.workspace, r->stream, &workspace);
    if (status != CODE(SUCCESS))
        return status;
    return cuda_status(launch(entry, l, &shape, r, search.wide, workspace));
}

/* Returns the error for a call with invalid arguments. */
static int check_request(const struct request *r)
{
    uint64_t n, results;
    if (__builtin_mul_overflow(r->outer, r->inner, &results) || (double)results > GRID_MOST ||
        __builtin_mul_overflow(results, r->length, &n) || n > ELEMENTS_MOST)
        return CODE(ERROR_SIZE);
    if (!r->output || (n && (!r->input || (r->vectors == 2 && !r->second))))
        return CODE(ERROR_POINTER);
    if ((uintptr_t)r->input % r->element || (uintptr_t)r->second % r->element ||
        (uintptr_t)r->output % r->result)
        return CODE(ERROR_ALIGNMENT);
    return CODE(SUCCESS);
}

static int reduce(const struct table *tables, size_t count, const struct request *request)
{
    if (request->outer == 0 || request->inner == 0)
        return CODE(SUCCESS);
    int status = check_request(request);
    if (status != CODE(SUCCESS))
        return status;
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaError_t error = cudaThreadExchangeStreamCaptureMode(&mode), restored;
    if (error != cudaSuccess)
        return cuda_status(error);
    pthread_mutex_lock(&mutex);
    status = reduce_locked(tables, count, request);
    pthread_mutex_unlock(&mutex);
    restored = cudaThreadExchangeStreamCaptureMode(&mode);
    return status == CODE(SUCCESS) ? cuda_status(restored) : status;
}

NAME(status) NAME(release)(void)
{
    int first_device, status;
    cudaError_t error = cudaGetDevice(&first_device);
    if (error != cudaSuccess)
        return (NAME(status))cuda_status(error);
    pthread_mutex_lock(&mutex);
    status = release_scratch();
    if ((error = cudaSetDevice(first_device)) != cudaSuccess && status == CODE(SUCCESS))
        status = cuda_status(error);
    for (int i = 0; i < CODES && status != CODE(ERROR_BUSY); i++)
        if (loaded[i].library) {
            if ((error = cudaLibraryUnload(loaded[i].library)) != cudaSuccess)
                status = cuda_status(error);
            memset(&loaded[i], 0, sizeof loaded[i]);
        }
    pthread_mutex_unlock(&mutex);
    return (NAME(status))status;
}

cudaError_t NAME(cuda_error)(void)
{
    return last_error;
}

const char *NAME(error_text)(NAME(status) status)
{
    static const char *const texts[] = {
        [CODE(SUCCESS)] = "no error",
        [CODE(ERROR_POINTER)] = "a pointer to input or output is NULL",
        [CODE(ERROR_ALIGNMENT)] = "a pointer is not a multiple of the size of its elements",
        [CODE(ERROR_SIZE)] = "more than 2^40 elements, or more than 2^31 - 1 results",
        [CODE(ERROR_DEVICE)] = "the library was made for GPUs of a newer compute capability",
        [CODE(ERROR_SHAPE)] = "no configuration runs at this shape and alignment",
        [CODE(ERROR_MEMORY)] = "out of host memory",
        [CODE(ERROR_BUSY)] = "a graph still contains calls to this library",
        [CODE(ERROR_CUDA)] = "a CUDA call failed"};
    unsigned at = (unsigned)status;
    return at < sizeof texts / sizeof *texts ? texts[at] : "unknown status";
}
