/*
 * Links a kernel that launches kernels: combines its relocatable cubin with NVIDIA's device
 * runtime.
 *
 * libcudadevrt.a is looked up in $REDSWEEP_CUDADEVRT, in the program's folder and in the toolkit.
 * It has no code for Tegra chips (sm_62, sm_72, sm_87, sm_88), so kernels that launch kernels
 * cannot be linked for these chips.
 */
#ifndef REDSWEEP_COMPILE_LINK_H
#define REDSWEEP_COMPILE_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compile/nvrtc_library.h"

/*
 * Links `object`, the bytes of a relocatable cubin for sm_<cc>, with the library `device_runtime`.
 * If the linker fails, fails with ERROR_COMPILE and the linker's log. The caller frees the image
 * with free().
 */
bool link_device_runtime(const struct nvjitlink *linker, const char *device_runtime, int cc,
                         const char *object, size_t object_length, char **image, size_t *length,
                         struct error *e);

#endif
