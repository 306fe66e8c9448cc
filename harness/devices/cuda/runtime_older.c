/*
 * Implements functions that the runtime does not have before CUDA 12.8, by calling the driver; see
 * runtime.h. With newer toolkits, nothing in this file is compiled.
 *
 * Since CUDA 10.1, the driver and the runtime use the same result codes, so no conversion is
 * needed. See the CUDA Driver API, Library Management and Execution Control.
 */
#include "devices/cuda/runtime.h"

#if CUDART_VERSION < 12080

#include <cuda.h>
#include <string.h>

/* Looks up a driver function at run time, because the program is not linked to the driver. Does
 * nothing if *function is already set. */
static cudaError_t find_driver(const char *name, void **function)
{
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    if (*function)
        return cudaSuccess;
    cudaError_t status = cudaGetDriverEntryPoint(name, function, cudaEnableDefault, &found);
    if (status == cudaSuccess && found != cudaDriverEntryPointSuccess)
        status = cudaErrorInsufficientDriver;
    if (status != cudaSuccess)
        *function = NULL;
    return status;
}

/* Declares `call`, a pointer to the driver function `name`. If there is no such function, the macro
 * returns the error from the function in which it is used. */
#define DRIVER_CALL(name)                                                                          \
    static void *name##_found;                                                                     \
    cudaError_t name##_status = find_driver(#name, &name##_found);                                 \
    if (name##_status != cudaSuccess)                                                              \
        return name##_status;                                                                      \
    __typeof__(name) *call = (__typeof__(name) *)name##_found

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *options, void **option_values,
                                unsigned option_count, enum cudaLibraryOption *more,
                                void **more_values, unsigned more_count)
{
    (void)options, (void)option_values, (void)more, (void)more_values;
    if (option_count || more_count)
        return cudaErrorNotSupported;
    DRIVER_CALL(cuLibraryLoadData);
    return (cudaError_t)call((CUlibrary *)library, code, NULL, NULL, 0, NULL, NULL, 0);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    DRIVER_CALL(cuLibraryUnload);
    return (cudaError_t)call((CUlibrary)library);
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    DRIVER_CALL(cuLibraryGetKernel);
    return (cudaError_t)call((CUkernel *)kernel, (CUlibrary)library, name);
}

static cudaError_t read_attribute(CUfunction_attribute which, CUkernel kernel, int *value)
{
    int device = 0;
    cudaError_t status = cudaGetDevice(&device); /* a CUdevice is the device's ordinal */
    if (status != cudaSuccess)
        return status;
    DRIVER_CALL(cuKernelGetAttribute);
    return (cudaError_t)call(value, which, kernel, device);
}

cudaError_t older_get_attributes(struct cudaFuncAttributes *a, const void *kernel)
{
    CUkernel k = (CUkernel)(uintptr_t)kernel;
    int shared = 0, local = 0;
    memset(a, 0, sizeof *a);
    cudaError_t status = read_attribute(CU_FUNC_ATTRIBUTE_NUM_REGS, k, &a->numRegs);
    if (status == cudaSuccess)
        status = read_attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k, &shared);
    if (status == cudaSuccess)
        status = read_attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, k, &local);
    if (status == cudaSuccess)
        status = read_attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, &a->maxThreadsPerBlock);
    a->sharedSizeBytes = (size_t)shared;
    a->localSizeBytes = (size_t)local;
    return status;
}

cudaError_t older_set_attribute(const void *kernel, enum cudaFuncAttribute which, int value)
{
    int device = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status != cudaSuccess)
        return status;
    DRIVER_CALL(cuKernelSetAttribute);
    /* The runtime and the driver number attributes alike. */
    return (cudaError_t)call((CUfunction_attribute)which, value, (CUkernel)(uintptr_t)kernel,
                             device);
}

_Static_assert((int)cudaFuncAttributeMaxDynamicSharedMemorySize ==
                       (int)CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
                   (int)cudaFuncAttributeNonPortableClusterSizeAllowed ==
                       (int)CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
               "the driver and the runtime number the attributes of functions differently");
_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute) &&
                   (int)cudaLaunchAttributeCooperative == (int)CU_LAUNCH_ATTRIBUTE_COOPERATIVE &&
                   (int)cudaLaunchAttributeClusterDimension ==
                       (int)CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
                   (int)cudaLaunchAttributeProgrammaticStreamSerialization ==
                       (int)CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
               "the driver and the runtime lay out the attributes of launches differently");

cudaError_t older_launch(const cudaLaunchConfig_t *c, const void *kernel, void **arguments)
{
    CUlaunchConfig config = {
        .gridDimX = c->gridDim.x,
        .gridDimY = c->gridDim.y,
        .gridDimZ = c->gridDim.z,
        .blockDimX = c->blockDim.x,
        .blockDimY = c->blockDim.y,
        .blockDimZ = c->blockDim.z,
        .sharedMemBytes = (unsigned)c->dynamicSmemBytes,
        .hStream = c->stream,
        .attrs = (CUlaunchAttribute *)c->attrs,
        .numAttrs = c->numAttrs,
    };
    DRIVER_CALL(cuLaunchKernelEx);
    return (cudaError_t)call(&config, (CUfunction)(uintptr_t)kernel, arguments, NULL);
}

#if CUDART_VERSION < 12050
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found)
{
    (void)version;
    return cudaGetDriverEntryPoint(name, function, flags, found);
}
#endif

#endif
