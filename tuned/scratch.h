/*
 * Manages the kernels' scratch memory, which is zero when a kernel starts and which the kernel
 * leaves zeroed. Included by redsweep_tuned.c; its functions are called with the mutex held.
 *
 * Launches on the same stream run one after another and share memory. Each stream has its own,
 * found by the stream's id, which CUDA never reuses. Memory that has become too small is kept until
 * it is released, because it may be in use.
 *
 * Each call captured into a graph gets its own memory, because a graph's branches can run
 * concurrently. The graph owns this memory through a user object (cudaGraphRetainUserObject), which
 * is destroyed along with the graph and all executable graphs instantiated from it. That happens on
 * one of CUDA's own threads, which must not block or call CUDA. The thread therefore just marks the
 * memory as free with an atomic, and a later captured call reuses it.
 */
#ifndef REDSWEEP_TUNED_SCRATCH_H
#define REDSWEEP_TUNED_SCRATCH_H

enum { SCRATCH_LEAST = 4096 };

struct scratch {
    unsigned long long stream; /* stream id */
    bool for_graphs;           /* for graphs instead of a stream */
    int device;
    void *memory;
    size_t bytes;
    atomic_bool in_graph;
    struct scratch *next;
};

static struct scratch *scratches;

/*
 * Adds memory of at least `bytes`, zeroed on `stream`, for the stream `id`, or for graphs if `id`
 * is NULL.
 */
static int add_scratch(int device, const unsigned long long *id, size_t bytes, cudaStream_t stream,
                       struct scratch **out)
{
    struct scratch *s = calloc(1, sizeof *s);
    if (!s)
        return CODE(ERROR_MEMORY);
    s->stream = id ? *id : 0;
    s->for_graphs = !id;
    s->device = device;
    s->bytes = SCRATCH_LEAST;
    atomic_init(&s->in_graph, false);
    while (s->bytes < bytes)
        s->bytes *= 2;
    cudaError_t error = cudaMalloc(&s->memory, s->bytes);
    if (error != cudaSuccess) {
        free(s);
        return cuda_status(error);
    }
    error = cudaMemsetAsync(s->memory, 0, s->bytes, stream);
    if (error != cudaSuccess) {
        (void)cudaFree(s->memory);
        free(s);
        return cuda_status(error);
    }
    s->next = scratches;
    scratches = s;
    *out = s;
    return CODE(SUCCESS);
}

static int find_stream_scratch(int device, size_t bytes, cudaStream_t stream, void **memory)
{
    unsigned long long id;
    cudaError_t error = cudaStreamGetId(stream, &id);
    if (error != cudaSuccess)
        return cuda_status(error);
    struct scratch *s = scratches;
    while (s && (s->for_graphs || s->stream != id || s->device != device || s->bytes < bytes))
        s = s->next;
    int status = s ? CODE(SUCCESS) : add_scratch(device, &id, bytes, stream, &s);
    *memory = s ? s->memory : NULL;
    return status;
}

/*
 * Finds memory that no graph owns. New memory is zeroed on a separate stream, and the call waits
 * for it.
 */
static int find_graph_scratch(int device, size_t bytes, struct scratch **out)
{
    cudaStream_t zeroing;
    cudaError_t error;
    for (struct scratch *s = scratches; s; s = s->next)
        if (s->for_graphs && s->device == device && s->bytes >= bytes &&
            !atomic_load(&s->in_graph)) {
            *out = s;
            return CODE(SUCCESS);
        }
    if ((error = cudaStreamCreateWithFlags(&zeroing, cudaStreamNonBlocking)) != cudaSuccess)
        return cuda_status(error);
    int status = add_scratch(device, NULL, bytes, zeroing, out);
    if (status == CODE(SUCCESS))
        status = cuda_status(cudaStreamSynchronize(zeroing));
    error = cudaStreamDestroy(zeroing);
    return status == CODE(SUCCESS) ? cuda_status(error) : status;
}

static void CUDART_CB leave_graph(void *scratch)
{
    atomic_store(&((struct scratch *)scratch)->in_graph, false);
}

static cudaError_t captured_graph(cudaStream_t stream, cudaGraph_t *graph)
{
    enum cudaStreamCaptureStatus status;
#if CUDART_VERSION >= 13000
    return cudaStreamGetCaptureInfo(stream, &status, NULL, graph, NULL, NULL, NULL);
#else
    return cudaStreamGetCaptureInfo_v2(stream, &status, NULL, graph, NULL, NULL);
#endif
}

/* Gives memory to one call in a graph, which owns it from now on, even if the call needs none. */
static int find_captured_scratch(int device, size_t bytes, cudaStream_t stream, void **memory)
{
    struct scratch *s = NULL;
    cudaGraph_t graph = NULL;
    cudaUserObject_t object;
    int status = find_graph_scratch(device, bytes, &s);
    if (status != CODE(SUCCESS))
        return status;
    cudaError_t error = captured_graph(stream, &graph);
    if (error != cudaSuccess)
        return cuda_status(error);
    error = cudaUserObjectCreate(&object, s, leave_graph, 1, cudaUserObjectNoDestructorSync);
    if (error != cudaSuccess)
        return cuda_status(error);
    atomic_store(&s->in_graph, true);
    error = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    if (error != cudaSuccess) {
        /* runs leave_graph() */
        (void)cudaUserObjectRelease(object, 1);
        return cuda_status(error);
    }
    *memory = s->memory;
    return CODE(SUCCESS);
}

/* Finds a call's workspace: NULL if it needs none. */
static int find_scratch(int device, size_t bytes, cudaStream_t stream, void **memory)
{
    enum cudaStreamCaptureStatus capture;
    *memory = NULL;
    cudaError_t error = cudaStreamIsCapturing(stream, &capture);
    if (error != cudaSuccess)
        return cuda_status(error);
    if (capture != cudaStreamCaptureStatusNone)
        return find_captured_scratch(device, bytes, stream, memory);
    return bytes ? find_stream_scratch(device, bytes, stream, memory) : CODE(SUCCESS);
}

/* Frees all scratch memory, unless a graph owns some of it. May change the current device. */
static int release_scratch(void)
{
    int status = CODE(SUCCESS);
    for (const struct scratch *s = scratches; s; s = s->next)
        if (atomic_load(&s->in_graph))
            return CODE(ERROR_BUSY);
    while (scratches) {
        struct scratch *s = scratches;
        cudaError_t error;
        scratches = s->next;
        if ((error = cudaSetDevice(s->device)) != cudaSuccess ||
            (error = cudaDeviceSynchronize()) != cudaSuccess ||
            (error = cudaFree(s->memory)) != cudaSuccess)
            status = cuda_status(error);
        free(s);
    }
    return status;
}

#endif
