/*
 * Puts the code of a library into the container of the CUDA Toolkit ("fat binary"), which compresses
 * it to about a quarter; the driver unpacks it when it loads it. Only the toolkit's own program,
 * fatbinary, writes it, because its format is not documented. Without that program, code is stored
 * uncompressed, and loads in the same way.
 */
#ifndef REDSWEEP_TUNED_PACK_H
#define REDSWEEP_TUNED_PACK_H

#include "base/error.h"
#include "base/image.h"
#include "base/text.h"

enum { PACKED_MOST_BYTES = 1 << 30 };

/* Writes the path of the toolkit's fatbinary, or $REDSWEEP_FATBINARY, of at most LIBRARY_PATH_SIZE bytes; false,
 * and "", if there is none. */
bool pack_find(char *program);

/*
 * Appends the container of one image of this compute capability. ERROR_SYSTEM if the program, or a
 * file in $TMPDIR, fails.
 */
bool pack_image(const char *program, const struct image *image, int cc, struct text *packed,
                struct error *e);

#endif
