/*
 * Finds the inputs of a kernel's image besides the kernel's own text: the files that the kernel
 * includes.
 *
 * The text is scanned for every `include` that names a file in quotes or angle brackets. Comments
 * and branches that the preprocessor skips are scanned, too: a superfluous file only costs a
 * compilation, but a missing one would leave an outdated image in use. A name is looked up in the
 * folder of the file that includes it and in the given folders. If a name is not found in these
 * folders, the file belongs to the toolkit, whose version is part of the key, or does not exist.
 * The name is part of the hash in both cases.
 */
#ifndef REDSWEEP_COMPILE_SOURCES_H
#define REDSWEEP_COMPILE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * SOURCES_EXACT hashes the unchanged texts with their paths, for results that contain line tables,
 * such as images. SOURCES_FOLDED hashes the texts without comments, white space and folders
 * (base/code.h), so that all texts with the same tokens have the same hash. It ignores an include
 * inside a comment.
 */
enum sources_reading { SOURCES_EXACT, SOURCES_FOLDED };

/*
 * Updates `*hash` with the text of `code`, which is a file of `folder`, and with the texts of all
 * files that this file includes. If the text does not show which file an include names (`#include
 * MACRO`), `*scannable` becomes false, and the kernel must be compiled each time. The function
 * fails with ERROR_SYSTEM if an existing file cannot be read.
 */
bool sources_hash(enum sources_reading reading, const char *code, size_t length, const char *folder,
                  const char *const *include_folders, int folder_count, uint64_t *hash,
                  bool *scannable, struct error *e);

#endif
