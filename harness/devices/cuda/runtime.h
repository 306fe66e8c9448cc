/*
 * Provides the interface of CUDA 12.8's runtime for builds with any toolkit from 12.4 on.
 *
 * Before 12.8, the runtime could not load code (cudaLibraryLoadData), and its launches did not
 * accept the handle of loaded code. The driver has been able to do both since 12.0, so with an
 * older toolkit these calls go to the driver (runtime_older.c). This choice is made when the
 * program is compiled, because the program is linked with a runtime of the same version as the
 * headers.
 */
#ifndef REDSWEEP_DEVICES_CUDA_RUNTIME_H
#define REDSWEEP_DEVICES_CUDA_RUNTIME_H

#include <cuda_runtime_api.h>

#if CUDART_VERSION < 12080

typedef struct CUlib_st *cudaLibrary_t;
enum cudaJitOption { CUDA_JIT_NONE };         /* No option is used. */
enum cudaLibraryOption { CUDA_LIBRARY_NONE }; /* No option is used here, either. */
#define cudaErrorContained ((cudaError_t)226)
#define cudaErrorTensorMemoryLeak ((cudaError_t)721)

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *options, void **option_values,
                                unsigned option_count, enum cudaLibraryOption *more,
                                void **more_values, unsigned more_count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);

/* These functions accept only kernels of a library that cudaLibraryLoadData() has loaded. All
 * kernels of this driver come from such libraries. */
cudaError_t older_get_attributes(struct cudaFuncAttributes *a, const void *kernel);
cudaError_t older_set_attribute(const void *kernel, enum cudaFuncAttribute which, int value);
cudaError_t older_launch(const cudaLaunchConfig_t *c, const void *kernel, void **arguments);

#ifndef REDSWEEP_RUNTIME_ITSELF /* The files that replace the runtime define this macro. */
#define cudaFuncGetAttributes older_get_attributes
#define cudaFuncSetAttribute older_set_attribute
#define cudaLaunchKernelExC older_launch
#endif

#endif

#if CUDART_VERSION < 12050
/* Before CUDA 12.5, this function ignores `version` and uses the version of the runtime's headers.
 * No caller needs a version above 12.0. */
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found);
#endif

#endif
