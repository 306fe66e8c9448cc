/*
 * Puts a library's code into a container of the CUDA Toolkit ("fat binary"). The container holds
 * the code compressed to about a quarter of its size, and the driver decompresses the code when it
 * loads it. The format is not documented, so only the toolkit's own program `fatbinary` can write
 * it. If that program is not found, code is stored uncompressed, which the driver can load as well.
 */
#ifndef REDSWEEP_TUNED_PACK_H
#define REDSWEEP_TUNED_PACK_H

#include "base/error.h"
#include "base/image.h"
#include "base/text.h"

enum { PACKED_MOST_BYTES = 1 << 30 };

/* Writes the path of $REDSWEEP_FATBINARY or the toolkit's fatbinary, in at most LIBRARY_PATH_SIZE
 * bytes. Writes "" and returns false if neither exists. */
bool pack_find(char *program);

/*
 * Appends a container with one image for this compute capability to `packed`. Fails with
 * ERROR_SYSTEM if the program or a file in $TMPDIR fails.
 */
bool pack_image(const char *program, const struct image *image, int cc, struct text *packed,
                struct error *e);

#endif
