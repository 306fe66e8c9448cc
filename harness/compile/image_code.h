/*
 * The hash of an image's code: equal for two images that run the same instructions.
 *
 * For a cubin it covers the contents of the sections of instructions, constants and initialized
 * variables, the sizes of those of shared memory and of zeroed variables, and the places where
 * instructions are relocated. Left out: lines and other information for debuggers, notes (the
 * compiler's version and options), tables of symbols, and names. For PTX it covers the text without
 * comments, white space, .file, .loc and sections; the names that NVVM derives from the source's
 * file and text (_INTERNAL_…) count as one name.
 */
#ifndef REDSWEEP_COMPILE_IMAGE_CODE_H
#define REDSWEEP_COMPILE_IMAGE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/image.h"

/* Returns false if the image has no code of its own (IMAGE_NONE, a library), or is not an ELF
 * file. */
bool image_code(const struct image *image, uint64_t *hash);

#endif
