/*
 * Hashes an image's code. Two images with the same instructions have the same hash.
 *
 * For a cubin, this covers the contents of sections with instructions, constants and initialized
 * variables, the sizes of sections with shared memory and zeroed variables, and where instructions
 * are relocated. It leaves out line tables and other debug information, notes (the compiler's
 * version and options), symbol tables, and names.
 *
 * For PTX, it covers the text without comments, white space, .file, .loc and sections. NVVM derives
 * some names (_INTERNAL_…) from the source's path and contents. Such names count as equal.
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
