/*
 * Replaces CUB's library on the fake GPU (fake_cuda.h): defines the function that
 * kernels/peers/cub.cu declares, for sums of int32 only.
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
