/*
 * Puts a library's code into the CUDA Toolkit's container ("fat binary"), which holds it compressed
 * to about a quarter of its size; the driver decompresses it on loading. The format is not
 * documented, so only the toolkit's own program, fatbinary, can write it. Without that program,
 * code is stored uncompressed and loads in the same way.
 */
#ifndef REDSWEEP_TUNED_PACK_H
#define REDSWEEP_TUNED_PACK_H

#include "base/error.h"
#include "base/image.h"
#include "base/text.h"

enum { PACKED_MOST_BYTES = 1 << 30 };

/* Writes the path of $REDSWEEP_FATBINARY or the toolkit's fatbinary, in at most LIBRARY_PATH_SIZE
 * bytes. Writes "" and returns false if there is none. */
bool pack_find(char *program);

/*
 * Appends the container for one image of this compute capability. Fails with ERROR_SYSTEM if the
 * program or a file in $TMPDIR fails.
 */
bool pack_image(const char *program, const struct image *image, int cc, struct text *packed,
                struct error *e);

#endif
