/*
 * A library of host code for the fake GPU (fake_cuda.h), in place of CUB's library: see kernels/peers/cub.cu for
 * the function's rule. It sums int32 and knows nothing else.
 */
#include "devices/device.h"
#include "fake_cuda.h"

int redsweep_cub(int type, int op, const void *input, void *output, uint64_t n, void *workspace,
                 size_t workspace_bytes, void *stream);

int redsweep_cub(int type, int op, const void *input, void *output, uint64_t n, void *workspace,
                 size_t workspace_bytes, void *stream)
{
    if (type != TYPE_INT32 || op != OP_SUM)
        return cudaErrorNotSupported;
    if (!workspace || !workspace_bytes)
        return cudaErrorInvalidValue;
    return fake_cuda_sum(input, output, n, stream);
}
