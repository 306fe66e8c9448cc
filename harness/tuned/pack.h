/*
 * Puts the code of a library into the container of the CUDA Toolkit ("fat binary"). The container
 * holds the code compressed to about a quarter of its size, and the driver decompresses the code
 * when it loads it. Only the toolkit's own program, fatbinary, writes such a container, because the
 * format is not documented. Without that program, code is stored uncompressed, and it is loaded in
 * the same way.
 */
#ifndef REDSWEEP_TUNED_PACK_H
#define REDSWEEP_TUNED_PACK_H

#include "base/error.h"
#include "base/image.h"
#include "base/text.h"

enum { PACKED_MOST_BYTES = 1 << 30 };

/* Writes the path of the toolkit's fatbinary, or of $REDSWEEP_FATBINARY, in at most
 * LIBRARY_PATH_SIZE bytes. If there is none, it writes "" and returns false. */
bool pack_find(char *program);

/*
 * Appends the container of one image of this compute capability. Fails with ERROR_SYSTEM if the
 * program or a file in $TMPDIR fails.
 */
bool pack_image(const char *program, const struct image *image, int cc, struct text *packed,
                struct error *e);

#endif
