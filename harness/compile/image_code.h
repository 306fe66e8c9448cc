/*
 * Computes the hash of an image's code. Two images with the same instructions have the same hash.
 *
 * For a cubin, the hash covers the contents of the sections of instructions, constants and
 * initialized variables. It also covers the sizes of the sections of shared memory and of zeroed
 * variables, and the places at which instructions are relocated. It leaves out line tables and
 * other debug information, notes (the version and the options of the compiler), symbol tables, and
 * names.
 *
 * For PTX, the hash covers the text without comments, white space, .file, .loc and sections. NVVM
 * derives some names from the file and the text of the source (_INTERNAL_…). All these names are
 * treated as one.
 */
#ifndef REDSWEEP_COMPILE_IMAGE_CODE_H
#define REDSWEEP_COMPILE_IMAGE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/image.h"

/* Returns false if the image has no code of its own (IMAGE_NONE, a library), or if it is not an ELF
 * file. */
bool image_code(const struct image *image, uint64_t *hash);

#endif
