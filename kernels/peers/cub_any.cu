// kernel:    cub_any
// idea:      the baseline for more types and operations: cub::DeviceReduce::TransformReduce, ArgMax
//            and ArgMin; mean_var and logsumexp reduce structures
// source:    CUDA Core Compute Libraries (CCCL), cub/device/device_reduce.cuh
// role:      peer
// library:   libredsweep_cub_any.so
// result:    complete
// input:     untouched
// covers:    BLOCK
// grid:      1
// workspace: 65536 + SMS * 4096
// depth:     ceil_div(N, SMS * 1024) + 64
// blocks:    multiple of 32
// types:     int32 float32 float16 bfloat16 int8
// ops:       all
// requires:  N < 2147483648
// uniform:   no
/*
 * CUB picks and launches its kernels on the host, so nvcc compiles this file (`make cub`). CUB also picks
 * the block size, so list just one in configs.
 */
#include <cub/device/device_reduce.cuh>

#include "cub_operations.cuh"

namespace
{

using cub_operations::call;

struct whole {
    template <typename iterator, typename transform, typename combine, typename initial,
              typename results>
    static cudaError_t reduce(const call &c, iterator in, transform each, combine both,
                              initial first, results out)
    {
        size_t bytes = c.temporary_bytes;
        return cub::DeviceReduce::TransformReduce(c.temporary, bytes, in, out,
                                                  static_cast<int>(c.n), both, each, first,
                                                  c.stream);
    }

    /*
     * Finds the index of the extreme. CUB also writes the extreme itself, to the start of the temporary
     * memory.
     */
    template <typename element, bool is_max> static cudaError_t extreme(const call &c)
    {
        enum { FRONT = 256 };
        if (c.temporary_bytes <= FRONT)
            return cudaErrorInvalidValue;
        const element *in = static_cast<const element *>(c.input);
        element *value = static_cast<element *>(c.temporary);
        int64_t *index = static_cast<int64_t *>(c.output), n = static_cast<int64_t>(c.n);
        void *rest = static_cast<char *>(c.temporary) + FRONT;
        size_t bytes = c.temporary_bytes - FRONT;
        return is_max ? cub::DeviceReduce::ArgMax(rest, bytes, in, value, index, n, c.stream)
                      : cub::DeviceReduce::ArgMin(rest, bytes, in, value, index, n, c.stream);
    }
};

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
 * Queues the reduction of n elements on `stream` and returns CUDA's status: cudaErrorInvalidValue
 * if CUB's temporary memory is too small.
 */
extern "C" int redsweep_cub_any(int type, int op, const void *input, void *output, uint64_t n,
                                void *temporary, size_t temporary_bytes, cudaStream_t stream)
{
    call c = {input, output, n, 0, temporary, temporary_bytes, stream};
    return cub_operations::reduce_typed<whole>(type, op, c);
}

/*
 * Returns the number of kernels that redsweep_cub_any() launches for these arguments. Captures the launch
 * without running it.
 */
extern "C" int redsweep_cub_any_launches(int type, int op, const void *input, void *output,
                                         uint64_t n, void *temporary, size_t temporary_bytes,
                                         cudaStream_t stream)
{
    cudaGraph_t graph = nullptr;
    cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (status != cudaSuccess)
        return -(int)status;
    int queued = redsweep_cub_any(type, op, input, output, n, temporary, temporary_bytes, stream);
    status = cudaStreamEndCapture(stream, &graph);
    int kernels = queued != cudaSuccess   ? -queued
                  : status != cudaSuccess ? -(int)status
                                          : count_kernels(graph);
    if (graph)
        (void)cudaGraphDestroy(graph);
    return kernels;
}
