/*
 * Compiles once with NVRTC in the current process, and returns the resulting bytes. All results
 * pass through the pipe of a limited compilation and into the cache as one array of bytes. The
 * image comes first. If PTX and a cubin were requested, the cubin of the same compilation and its
 * length follow the NUL of the PTX. The fact `entry` names the function that is the kernel. If a
 * kernel has this fact, the function's name in the image, and the length of this name, come last.
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

/* These functions move the last part of the image into a separate member, and reduce the length of
 * the image accordingly. */
bool program_take_cubin(struct image *image, struct error *e);
bool program_take_symbol(struct image *image, struct error *e);

#endif
