/*
 * The hash of what an image computes: equal for two images that run the same instructions.
 *
 * A cubin: the contents of the sections of instructions, constants and initialized variables, the
 * sizes of those of shared memory and of variables that begin as zero, and where instructions are
 * relocated. Left out: lines and other information for debuggers, notes (the compiler's version and
 * options), tables of symbols, and names.
 * PTX: its text without comments, white space, .file, .loc and sections; the names that NVVM makes
 * of the source's file and text (_INTERNAL_…) are one name.
 */
#ifndef REDSWEEP_COMPILE_IMAGE_CODE_H
#define REDSWEEP_COMPILE_IMAGE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/image.h"

/* False when the image has no code of its own (IMAGE_NONE, a library), or is no ELF file. */
bool image_code(const struct image *image, uint64_t *hash);

#endif
