/* A CUDA runtime without a GPU for tests/tuned/test_wheel.sh. Device memory is host memory. A
 * launch records its stream and copies the input's first byte to the output's, which tells the
 * Python test what memory was passed. Streams are numbers. */
#include <cuda_runtime_api.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int device;
static uint64_t launches, stream_of_launch, waits, allocated;
__attribute__((visibility("default"))) uint64_t noted(int what);
uint64_t noted(int what)
{
    const uint64_t all[] = {launches, stream_of_launch, waits, allocated, (uint64_t)device};
    return all[what];
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments)
{
    (void)kernel;
    launches++;
    stream_of_launch = (uintptr_t)config->stream;
    memcpy(*(void **)arguments[1], *(void **)arguments[0], 1);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *out)
{
    *out = device;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int to)
{
    device = to;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int of)
{
    (void)of;
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9
             : attribute == cudaDevAttrMultiProcessorCount  ? 132
                                                            : 0;
    return cudaSuccess;
}
cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    allocated++;
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void *memory)
{
    free(memory);
    allocated--;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *address)
{
    (void)address;
    *out = (struct cudaPointerAttributes){.type = cudaMemoryTypeDevice, .device = 1};
    return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    *id = (uintptr_t)stream;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    (void)stream;
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    (void)library, (void)name;
    *kernel = (cudaKernel_t)kernel;
    return cudaSuccess;
}
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *a,
                                void **b, unsigned c, enum cudaLibraryOption *d, void **e,
                                unsigned f)
{
    (void)code, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    *library = (cudaLibrary_t)library;
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = NULL;
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)stream, (void)event, (void)flags;
    waits++;
    return cudaSuccess;
}
const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "an error";
}

/* All other functions do nothing and succeed. */
#define NOTHING(name, parameters)                                                                  \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        return cudaSuccess;                                                                        \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
NOTHING(cudaMemsetAsync, (void *memory, int value, size_t bytes, cudaStream_t stream))
NOTHING(cudaFuncSetAttribute, (const void *kernel, enum cudaFuncAttribute attribute, int value))
NOTHING(cudaThreadExchangeStreamCaptureMode, (enum cudaStreamCaptureMode * mode))
NOTHING(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags))
NOTHING(cudaStreamSynchronize, (cudaStream_t stream))
NOTHING(cudaStreamDestroy, (cudaStream_t stream))
NOTHING(cudaUserObjectCreate,
        (cudaUserObject_t * object, void *of, cudaHostFn_t destroy, unsigned count, unsigned flags))
NOTHING(cudaUserObjectRelease, (cudaUserObject_t object, unsigned count))
NOTHING(cudaGraphRetainUserObject,
        (cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags))
NOTHING(cudaDeviceSynchronize, (void))
NOTHING(cudaGetLastError, (void))
NOTHING(cudaLibraryUnload, (cudaLibrary_t library))
NOTHING(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream))
NOTHING(cudaEventDestroy, (cudaEvent_t event))
#if CUDART_VERSION >= 13000
NOTHING(cudaStreamGetCaptureInfo,
        (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
         cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
         size_t *count))
#else
NOTHING(cudaStreamGetCaptureInfo_v2,
        (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
         cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count))
#endif
