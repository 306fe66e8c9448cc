/*
 * Compiles once with NVRTC in the current process, and returns the resulting bytes. All results
 * pass through the pipe of a limited compilation and into the cache as one array of bytes, with the
 * image first. If PTX and a cubin were requested, the cubin of the same compilation and its length
 * follow the PTX's NUL. If the kernel has the fact `entry`, that function's name in the image, and
 * the length of this name, come last.
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

/* Moves the last part of the image into a member of its own, and shortens the image accordingly. */
bool program_take_cubin(struct image *image, struct error *e);
bool program_take_symbol(struct image *image, struct error *e);

#endif
