/*
 * One compilation by NVRTC in the process at hand, and the bytes that come of it. They pass through the pipe of a limited
 * compilation and into the cache as one piece: the image; behind the NUL of PTX, where both were wanted, the cubin of the same
 * compilation and its length; and the name in the image of a function that the fact `entry` names, with its length.
 */
#ifndef REDSWEEP_COMPILE_PROGRAM_H
#define REDSWEEP_COMPILE_PROGRAM_H

#include "compile/compile.h"
#include "compile/link.h"
#include "compile/nvrtc_library.h"

/* What a request (request.h) asks for; `bytes` are the caller's. */
bool program_compile(const struct nvrtc *nvrtc, const struct nvjitlink *linker,
                     const char *device_runtime, char *request, char **bytes, size_t *length,
                     struct error *e);

/* The last part of the image at hand becomes a member of its own, and no part of its length. */
bool program_take_cubin(struct image *image, struct error *e);
bool program_take_symbol(struct image *image, struct error *e);

#endif
