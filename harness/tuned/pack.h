/*
 * Code of a library in the container of the CUDA Toolkit ("fat binary"), which compresses it to about
 * a quarter and which the driver unpacks when it loads it. Only the toolkit's own program, fatbinary,
 * writes it: its format is not documented. Where there is none, code is stored as it is, which loads
 * the same way.
 */
#ifndef REDSWEEP_TUNED_PACK_H
#define REDSWEEP_TUNED_PACK_H

#include "base/error.h"
#include "base/image.h"
#include "base/text.h"

enum { PACKED_MOST_BYTES = 1 << 30 };

/* The toolkit's fatbinary, or $REDSWEEP_FATBINARY, into LIBRARY_PATH_SIZE bytes; false, and "": there is none. */
bool pack_find(char *program);

/*
 * Appends the container of one image of this compute capability. ERROR_SYSTEM where the program, or a
 * file in $TMPDIR, fails.
 */
bool pack_image(const char *program, const struct image *image, int cc, struct text *packed,
                struct error *e);

#endif
