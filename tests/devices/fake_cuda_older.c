/*
 * For toolkits older than CUDA 12.8, devices/cuda/runtime.h replaces three runtime functions with
 * driver calls. In tests, these driver calls are forwarded to the fake runtime.
 */
#include "fake_cuda_queue.h"

#if CUDART_VERSION < 12080

cudaError_t older_get_attributes(struct cudaFuncAttributes *a, const void *kernel)
{
    return cudaFuncGetAttributes(a, kernel);
}

cudaError_t older_set_attribute(const void *kernel, enum cudaFuncAttribute which, int value)
{
    return cudaFuncSetAttribute(kernel, which, value);
}

cudaError_t older_launch(const cudaLaunchConfig_t *c, const void *kernel, void **arguments)
{
    return cudaLaunchKernelExC(c, kernel, arguments);
}

#endif
