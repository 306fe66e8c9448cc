// kernel:    cub
// idea:      the baseline: cub::DeviceReduce as shipped with the toolkit
// source:    CUDA Core Compute Libraries (CCCL), cub/device/device_reduce.cuh
// role:      peer
// library:   libredsweep_cub.so
// result:    complete
// input:     untouched
// covers:    BLOCK
// grid:      1
// workspace: 65536 + SMS * 1024
// depth:     ceil_div(N, SMS * 1024) + 64
// blocks:    multiple of 32
// ops:       sum max min
// uniform:   no
/*
 * CUB picks and launches its kernels on the host, so nvcc compiles this file (`make cub`). CUB also picks the
 * block size and the grid, so list just one block size in configs. Counts below 2^31 are passed as `int`,
 * which is CUB's fastest path.
 */
#include <cub/device/device_reduce.cuh>

#include <cstddef>
#include <cstdint>

namespace
{

/* Numbered as in harness/base/element.h. */
enum { INT32, UINT32, INT64, FLOAT32, FLOAT64 };
enum { SUM, MAX, MIN };

struct call {
    const void *input;
    void *output;
    uint64_t n;
    void *temporary;
    size_t temporary_bytes;
    cudaStream_t stream;
};

template <typename element, typename count> cudaError_t reduce(int op, const call &c)
{
    const element *in = static_cast<const element *>(c.input);
    element *out = static_cast<element *>(c.output);
    size_t bytes = c.temporary_bytes;
    count n = static_cast<count>(c.n);
    switch (op) {
    case SUM:
        return cub::DeviceReduce::Sum(c.temporary, bytes, in, out, n, c.stream);
    case MAX:
        return cub::DeviceReduce::Max(c.temporary, bytes, in, out, n, c.stream);
    case MIN:
        return cub::DeviceReduce::Min(c.temporary, bytes, in, out, n, c.stream);
    default:
        return cudaErrorNotSupported;
    }
}

template <typename element> cudaError_t reduce_any(int op, const call &c)
{
    return c.n <= 0x7fffffffu ? reduce<element, int>(op, c) : reduce<element, long long>(op, c);
}

} // namespace

/*
 * Queues the reduction of n elements on `stream` and returns CUDA's status: cudaErrorInvalidValue
 * if CUB's temporary memory is too small.
 */
extern "C" int redsweep_cub(int type, int op, const void *input, void *output, uint64_t n,
                            void *temporary, size_t temporary_bytes, cudaStream_t stream)
{
    call c = {input, output, n, temporary, temporary_bytes, stream};
    switch (type) {
    case INT32:
        return reduce_any<int32_t>(op, c);
    case UINT32:
        return reduce_any<uint32_t>(op, c);
    case INT64:
        return reduce_any<int64_t>(op, c);
    case FLOAT32:
        return reduce_any<float>(op, c);
    case FLOAT64:
        return reduce_any<double>(op, c);
    default:
        return cudaErrorNotSupported;
    }
}

namespace
{

/* Returns the number of kernel nodes in a graph, or a negated CUDA status. */
int count_kernels(cudaGraph_t graph)
{
    cudaGraphNode_t nodes[64];
    size_t count = sizeof nodes / sizeof nodes[0];
    cudaError_t status = cudaGraphGetNodes(graph, nodes, &count);
    int kernels = 0;
    for (size_t i = 0; status == cudaSuccess && i < count; i++) {
        cudaGraphNodeType type;
        status = cudaGraphNodeGetType(nodes[i], &type);
        kernels += type == cudaGraphNodeTypeKernel;
    }
    return status == cudaSuccess ? kernels : -(int)status;
}

} // namespace

/*
 * Returns the number of kernels that redsweep_cub() launches for these arguments. Captures the launch without
 * running it.
 */
extern "C" int redsweep_cub_launches(int type, int op, const void *input, void *output, uint64_t n,
                                     void *temporary, size_t temporary_bytes, cudaStream_t stream)
{
    cudaGraph_t graph = nullptr;
    cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (status != cudaSuccess)
        return -(int)status;
    int queued = redsweep_cub(type, op, input, output, n, temporary, temporary_bytes, stream);
    status = cudaStreamEndCapture(stream, &graph);
    int kernels = queued != cudaSuccess   ? -queued
                  : status != cudaSuccess ? -(int)status
                                          : count_kernels(graph);
    if (graph)
        (void)cudaGraphDestroy(graph);
    return kernels;
}
