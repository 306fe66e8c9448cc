/*
 * Provides CUDA 12.8's runtime interface for toolkits from 12.4 on.
 *
 * Before 12.8, the runtime could not load code (cudaLibraryLoadData) or launch it by handle. The
 * driver has done both since 12.0, so with older toolkits these calls go to the driver
 * (runtime_older.c). The choice is made at compile time, because the runtime that is linked has the
 * headers' version.
 */
#ifndef REDSWEEP_DEVICES_CUDA_RUNTIME_H
#define REDSWEEP_DEVICES_CUDA_RUNTIME_H

#include <cuda_runtime_api.h>

#if CUDART_VERSION < 12080

typedef struct CUlib_st *cudaLibrary_t;
enum cudaJitOption { CUDA_JIT_NONE };         /* no options are used */
enum cudaLibraryOption { CUDA_LIBRARY_NONE }; /* nor here */
#define cudaErrorContained ((cudaError_t)226)
#define cudaErrorTensorMemoryLeak ((cudaError_t)721)

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *options, void **option_values,
                                unsigned option_count, enum cudaLibraryOption *more,
                                void **more_values, unsigned more_count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);

/* These accept only kernels from cudaLibraryLoadData(), which all of this driver's kernels are. */
cudaError_t older_get_attributes(struct cudaFuncAttributes *a, const void *kernel);
cudaError_t older_set_attribute(const void *kernel, enum cudaFuncAttribute which, int value);
cudaError_t older_launch(const cudaLaunchConfig_t *c, const void *kernel, void **arguments);

#ifndef REDSWEEP_RUNTIME_ITSELF /* defined by the files that replace the runtime */
#define cudaFuncGetAttributes older_get_attributes
#define cudaFuncSetAttribute older_set_attribute
#define cudaLaunchKernelExC older_launch
#endif

#endif

#if CUDART_VERSION < 12050
/* Before CUDA 12.5, ignores `version` and uses that of the runtime's headers. No caller needs one
 * above 12.0. */
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found);
#endif

#endif
