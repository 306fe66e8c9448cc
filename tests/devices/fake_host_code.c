/*
 * This library of host code for the fake GPU (fake_cuda.h) replaces CUB's library. It defines the
 * function that kernels/peers/cub.cu declares. The function sums int32 and refuses every other type
 * and operation.
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
