/*
 * Computes a hash of the code in an image. Two images with the same instructions have the same
 * hash, even if their debugging information differs.
 *
 * The hash of a cubin includes the contents of sections with instructions, constants and
 * initialized variables, the sizes of sections with shared memory and zeroed variables, and the
 * relocations of instructions. It does not include line tables and other debugging information,
 * notes (the compiler's version and options), symbol tables, and names.
 *
 * The hash of PTX includes its text without comments, white space, and the directives .file, .loc
 * and .section. The compiler derives some names (_INTERNAL_…) from the path and the contents of the
 * source; all such names are treated as equal.
 */
#ifndef REDSWEEP_COMPILE_IMAGE_CODE_H
#define REDSWEEP_COMPILE_IMAGE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/image.h"

/*
 * Returns false if the image has no code of its own (IMAGE_NONE, a library), or if a cubin is not a
 * valid ELF file.
 */
bool image_code(const struct image *image, uint64_t *hash);

#endif
