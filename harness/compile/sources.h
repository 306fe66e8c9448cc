/*
 * The inputs of a kernel's image besides its own text: the files that it includes.
 *
 * The text is scanned for every `include` that names a file, in quotes or angle brackets, also in
 * comments and in branches that the preprocessor skips: a superfluous file costs a compilation, a
 * missing one would leave an outdated image in use. A name is looked for beside the file that
 * includes it and in the given folders; a name that is not found there belongs to the toolkit,
 * whose version is part of the key elsewhere, or does not exist, which is remembered as well.
 */
#ifndef REDSWEEP_COMPILE_SOURCES_H
#define REDSWEEP_COMPILE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * SOURCES_EXACT: the unchanged texts, with their paths, for results that contain their lines (an
 * image). SOURCES_FOLDED: without comments, white space and folders (base/code.h): equal for all
 * texts with the same tokens. An include inside a comment then does not count.
 */
enum sources_reading { SOURCES_EXACT, SOURCES_FOLDED };

/*
 * Chains the text of `code` (a file of `folder`) and of all that it includes into `*hash`.
 * `*scannable` becomes false if the text does not show which file an include names (`#include
 * MACRO`): such a kernel must be compiled each time. ERROR_SYSTEM if an existing file cannot be
 * read.
 */
bool sources_hash(enum sources_reading reading, const char *code, size_t length, const char *folder,
                  const char *const *include_folders, int folder_count, uint64_t *hash,
                  bool *scannable, struct error *e);

#endif
