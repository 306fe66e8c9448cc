/*
 * Links a kernel that launches kernels: its relocatable cubin and NVIDIA's device runtime.
 *
 * libcudadevrt.a is looked for in $REDSWEEP_CUDADEVRT, beside the program and in the toolkit. It
 * has no code for Tegra's chips (sm_62, sm_72, sm_87, sm_88), for which such kernels cannot be
 * linked.
 */
#ifndef REDSWEEP_COMPILE_LINK_H
#define REDSWEEP_COMPILE_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compile/nvrtc_library.h"

/*
 * Links `object` (bytes of a relocatable cubin for sm_<cc>) with the library `device_runtime`.
 * ERROR_COMPILE carries the linker's log. The image is the caller's, to be freed with free().
 */
bool link_device_runtime(const struct nvjitlink *linker, const char *device_runtime, int cc,
                         const char *object, size_t object_length, char **image, size_t *length,
                         struct error *e);

#endif
