/*
 * One compilation by NVRTC in the current process, and the resulting bytes. They pass through the pipe of a limited
 * compilation and into the cache as one piece: the image; after the NUL of PTX, if both were requested, the cubin of
 * the same compilation and its length; and the image's name for the function that the fact `entry` names, with its
 * length.
 */
#ifndef REDSWEEP_COMPILE_PROGRAM_H
#define REDSWEEP_COMPILE_PROGRAM_H

#include "compile/compile.h"
#include "compile/link.h"
#include "compile/nvrtc_library.h"

/* The result of a request (request.h); `bytes` are the caller's. */
bool program_compile(const struct nvrtc *nvrtc, const struct nvjitlink *linker,
                     const char *device_runtime, char *request, char **bytes, size_t *length,
                     struct error *e);

/* Moves the last part of the image into a member of its own, and subtracts it from its length. */
bool program_take_cubin(struct image *image, struct error *e);
bool program_take_symbol(struct image *image, struct error *e);

#endif
