/* A CUDA runtime without a GPU for tests/tuned/calls.c. Device memory is host memory, and a
 * launch stores the results that the test expects. Every n-th launch stores wrong results, where
 * n is invented_plant. The runtime follows CUDA's rules for graphs: captured launches run when
 * the graph is launched, and user objects live as long as their graphs. A thread that is
 * capturing cannot allocate memory unless it has selected the relaxed mode. */
#ifndef REDSWEEP_TESTS_TUNED_INVENTED_RUNTIME_H
#define REDSWEEP_TESTS_TUNED_INVENTED_RUNTIME_H

#include "base/vec.h"

static uint64_t invented_plant; /* 0: no wrong results */
static atomic_ullong invented_launches;

/* the results that the next launch of this thread stores */
struct invented_store {
    char *to, *bytes;
    size_t count;
};
static _Thread_local struct invented_store expected;
static _Thread_local enum cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
static _Thread_local int captures; /* active captures of this thread */

struct CUuserObject_st {
    cudaHostFn_t destroy;
    void *pointer;
};

/* Both a graph and the executable graphs made from it. All of these own the user objects. */
struct CUgraph_st {
    VEC(struct invented_store) stores;
    VEC(struct CUuserObject_st *) objects;
    atomic_int owners; /* number of owners: the graph and the objects made from it */
};

struct CUstream_st {
    unsigned long long id;
    struct CUgraph_st *graph; /* the graph into which the stream is captured */
    bool origin;
};

static void stop(const char *why)
{
    fprintf(stderr, "invented runtime: %s\n", why);
    exit(2);
}

#ifdef INVENTED
/* Stores a reference as the bytes of a result. */
static void reference_bytes(const struct input *in, const struct reference *r, void *out)
{
    const enum element_type value = element_value_type(in->type);
    const float single[2] = {(float)r->value, (float)r->variance};
    const double twice[2] = {r->value, r->variance};
    size_t size = result_size(in->op, in->type);
    if (!element_is_float(in->type) || operation_accumulator(in->op) == ACCUMULATES_INDEXED)
        memcpy(out, &r->bits, size);
    else
        memcpy(out, value == TYPE_FLOAT32 ? (const void *)single : (const void *)twice, size);
}

static void expect(char *to, size_t count)
{
    free(expected.bytes);
    expected = (struct invented_store){to, xmalloc(count), count};
}

static void invented_expect(const struct worker *w, const struct call *c)
{
    const size_t size = w->family->result;
    const struct reference *r = w->references;
    for (const struct call *earlier = w->list; earlier < c; earlier++)
        r += results_of(earlier);
    expect(w->device + c->at, results_of(c) * size);
    for (uint64_t row = 0; row < results_of(c); row++)
        reference_bytes(&w->family->input, &r[row], expected.bytes + row * size);
}

static void invented_expect_fill(char *to, const char *result, size_t size, uint64_t rows)
{
    expect(to, rows * size);
    for (uint64_t row = 0; row < rows; row++)
        memcpy(expected.bytes + row * size, result, size);
}
#endif

/* Stores a launch's results. Planted errors alternate between the highest bit of a result and a
 * byte after the results. */
static void run_store(const struct invented_store *s)
{
    uint64_t number = atomic_fetch_add(&invented_launches, 1) + 1;
    memcpy(s->to, s->bytes, s->count);
    if (!invented_plant || number % invented_plant)
        return;
    if (number / invented_plant % 2)
        s->to[s->count - 1] = (char)(s->to[s->count - 1] ^ 0x80);
    else
        s->to[s->count] = 0;
}

enum { INVENTED_DECLARED = 2 * 1024 }; /* the kernel's own shared memory */
static int invented_shared;            /* shared memory that the kernel may use */

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments)
{
    struct CUstream_st *stream = config->stream;
    (void)kernel, (void)arguments;
    if (config->dynamicSmemBytes + INVENTED_DECLARED > 48 * 1024 &&
        (int)config->dynamicSmemBytes > invented_shared)
        stop("more shared memory than the kernel is allowed");
    if (!expected.bytes)
        stop("a launch that nobody expects");
    if (stream && stream->graph) {
        vec_push(&stream->graph->stores, expected);
    } else {
        run_store(&expected);
        free(expected.bytes);
    }
    expected = (struct invented_store){0};
    return cudaSuccess;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static struct CUuserObject_st *alive[1 << 16]; /* the user objects, each with another pointer */
static int alive_count;
static pthread_mutex_t alive_mutex = PTHREAD_MUTEX_INITIALIZER;

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags)
{
    (void)references, (void)flags;
    *object = xmalloc(sizeof **object);
    **object = (struct CUuserObject_st){destroy, pointer};
    pthread_mutex_lock(&alive_mutex);
    for (int i = 0; i < alive_count; i++)
        if (alive[i]->pointer == pointer)
            stop("two captured calls share their memory");
    if (alive_count == 1 << 16)
        stop("too many captured calls");
    alive[alive_count++] = *object;
    pthread_mutex_unlock(&alive_mutex);
    return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    (void)count;
    pthread_mutex_lock(&alive_mutex);
    int i = 0;
    while (alive[i] != object)
        i++;
    alive[i] = alive[--alive_count];
    pthread_mutex_unlock(&alive_mutex);
    object->destroy(object->pointer);
    free(object);
    return cudaSuccess;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags)
{
    (void)count;
    if (flags != cudaGraphUserObjectMove)
        stop("a user object that is not moved");
    vec_push(&graph->objects, object);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    stream->graph = xcalloc(1, sizeof *stream->graph);
    atomic_init(&stream->graph->owners, 1);
    stream->origin = true;
    captures++;
    return cudaSuccess;
}

/* A stream that waits for an event joins the graph of the stream that recorded it. */
struct CUevent_st {
    struct CUstream_st *recorded;
};

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->recorded = stream;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    if (event->recorded->graph && !stream->graph)
        stream->graph = event->recorded->graph; /* the stream forks */
    else if (stream->origin && !event->recorded->origin)
        event->recorded->graph = NULL; /* the streams join */
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = stream->graph;
    stream->graph = NULL;
    stream->origin = false;
    captures--;
    return cudaSuccess;
}

static void drop_graph(struct CUgraph_st *graph)
{
    if (atomic_fetch_sub(&graph->owners, 1) > 1)
        return;
    for (size_t i = 0; i < graph->stores.count; i++)
        free(graph->stores.items[i].bytes);
    for (size_t i = 0; i < graph->objects.count; i++)
        (void)cudaUserObjectRelease(graph->objects.items[i], 1);
    vec_free(&graph->stores);
    vec_free(&graph->objects);
    free(graph);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags)
{
    (void)flags;
    atomic_fetch_add(&graph->owners, 1);
    *executable = (cudaGraphExec_t)graph;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    drop_graph(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    drop_graph((struct CUgraph_st *)executable);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    const struct CUgraph_st *graph = (const struct CUgraph_st *)executable;
    (void)stream;
    for (size_t i = 0; i < graph->stores.count; i++)
        run_store(&graph->stores.items[i]);
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = stream && stream->graph ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
                                     size_t *count)
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **edges, size_t *count)
#endif
{
    (void)id, (void)edges, (void)count;
#if CUDART_VERSION >= 13000
    (void)nodes;
#endif
    *graph = stream->graph;
    return cudaStreamIsCapturing(stream, status);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    enum cudaStreamCaptureMode earlier = capture_mode;
    capture_mode = *mode;
    *mode = earlier;
    return cudaSuccess;
}

/* ---- Memory, streams, code ------------------------------------------------------------------- */

static cudaError_t unless_capturing(void)
{
    return captures && capture_mode != cudaStreamCaptureModeRelaxed
               ? cudaErrorStreamCaptureUnsupported
               : cudaSuccess;
}

#undef cudaMalloc
cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    size_t rounded = (bytes + 255) / 256 * 256;
    *memory = aligned_alloc(256, rounded ? rounded : 256);
    return *memory ? unless_capturing() : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *memory)
{
    free(memory);
    return unless_capturing();
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    memset(memory, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    if (stream && stream->graph)
        stop("memory is set in a graph");
    return cudaMemset(memory, value, bytes);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    static atomic_ullong ids;
    (void)flags;
    *stream = xcalloc(1, sizeof **stream);
    (*stream)->id = atomic_fetch_add(&ids, 1) + 2;
    return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    *id = stream ? stream->id : 1;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return stream && stream->graph ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = xcalloc(1, sizeof **event);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return device ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)device;
    *value = attribute == cudaDevAttrComputeCapabilityMajor   ? 9
             : attribute == cudaDevAttrComputeCapabilityMinor ? 0
                                                              : 132;
    return cudaSuccess;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *options, void **values, unsigned count,
                                enum cudaLibraryOption *more, void **more_values,
                                unsigned more_count)
{
    (void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
    *library = (cudaLibrary_t)(uintptr_t)code;
    return unless_capturing();
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    (void)name;
    *kernel = (cudaKernel_t)library;
    return cudaSuccess;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    (void)library;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    (void)function;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
        invented_shared = value;
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    static _Thread_local char text[32];
    snprintf(text, sizeof text, "error %d", (int)error);
    return text;
}

#endif
