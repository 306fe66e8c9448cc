/*
 * Compiles a kernel with NVRTC in the current process. All results are in one array of bytes, so
 * that they can be sent to another process (limited.h) and stored in the cache. The array begins
 * with the image. If PTX and a cubin were requested, the image is the PTX, and its NUL is followed
 * by the cubin and the cubin's length. If the kernel has the fact `entry`, the array ends with the
 * name that this function has in the image, and the length of that name.
 */
#ifndef REDSWEEP_COMPILE_PROGRAM_H
#define REDSWEEP_COMPILE_PROGRAM_H

#include "compile/compile.h"
#include "compile/link.h"
#include "compile/nvrtc_library.h"

/* Compiles a request (request.h). The caller frees `bytes`. */
bool program_compile(const struct nvrtc *nvrtc, const struct nvjitlink *linker,
                     const char *device_runtime, char *request, char **bytes, size_t *length,
                     struct error *e);

/*
 * Remove the last part of an image's bytes: the cubin, to which `image->cubin` then points, or the
 * function's name, which becomes `image->entry`.
 */
bool program_take_cubin(struct image *image, struct error *e);
bool program_take_symbol(struct image *image, struct error *e);

#endif
