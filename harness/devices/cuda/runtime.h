/*
 * Provides the CUDA runtime's functions as of CUDA 12.8, for toolkits from 12.4 on.
 *
 * Before 12.8, the runtime could not load code (cudaLibraryLoadData) or launch it by handle. The
 * driver has been able to do both since 12.0. With older toolkits, these functions therefore call
 * the driver (runtime_older.c). This is decided at compile time, because the linked runtime always
 * has the version of the headers.
 */
#ifndef REDSWEEP_DEVICES_CUDA_RUNTIME_H
#define REDSWEEP_DEVICES_CUDA_RUNTIME_H

#include <cuda_runtime_api.h>

#if CUDART_VERSION < 12080

typedef struct CUlib_st *cudaLibrary_t;
enum cudaJitOption { CUDA_JIT_NONE };         /* this driver uses no options */
enum cudaLibraryOption { CUDA_LIBRARY_NONE }; /* this driver uses no options */
#define cudaErrorContained ((cudaError_t)226)
#define cudaErrorTensorMemoryLeak ((cudaError_t)721)

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *options, void **option_values,
                                unsigned option_count, enum cudaLibraryOption *more,
                                void **more_values, unsigned more_count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);

/* These functions accept only kernels loaded with cudaLibraryLoadData(). This driver has no
 * others. */
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
/* Stands in for a function that the runtime has since CUDA 12.5. It ignores `version` and asks for
 * the version of the runtime's headers instead. That is enough, because no caller needs a version
 * above 12.0. */
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found);
#endif

#endif
