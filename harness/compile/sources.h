/*
 * Finds what a kernel's image depends on besides the kernel's own text: the files that it includes.
 *
 * The text is scanned for every `include` with a file name in quotes or angle brackets, even in
 * comments and in branches that the preprocessor skips: a superfluous file only costs a
 * compilation, but a missing one would leave an outdated image in use. A name is looked up in the
 * folder of the file that includes it and in the given folders. If it is not there, the file
 * belongs to the toolkit, whose version is part of the key, or does not exist. The name is part of
 * the hash in both cases.
 */
#ifndef REDSWEEP_COMPILE_SOURCES_H
#define REDSWEEP_COMPILE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * SOURCES_EXACT hashes unchanged texts with their paths, for results with line tables, such as
 * images. SOURCES_FOLDED hashes texts without comments, white space and folders (base/code.h), so
 * that all texts with the same tokens have the same hash. It ignores includes in comments.
 */
enum sources_reading { SOURCES_EXACT, SOURCES_FOLDED };

/*
 * Updates `*hash` with `code`, the text of a file in `folder`, and with the texts of all files that
 * it includes. If the text does not show which file an include names (`#include MACRO`),
 * `*scannable` becomes false, and the kernel must be compiled each time. Fails with ERROR_SYSTEM if
 * an existing file cannot be read.
 */
bool sources_hash(enum sources_reading reading, const char *code, size_t length, const char *folder,
                  const char *const *include_folders, int folder_count, uint64_t *hash,
                  bool *scannable, struct error *e);

#endif
