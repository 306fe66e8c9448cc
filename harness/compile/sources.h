/*
 * What a kernel's image depends on besides its own text: the files that it includes.
 *
 * The text is scanned for every `include` that names a file, in quotes or angle brackets, also in
 * comments and in branches that the preprocessor leaves out: one file too many costs a compilation,
 * one too few would serve a stale image. A name is looked for beside the file that includes it and
 * in the given folders; whatever is not found there belongs to the toolkit, whose version is part
 * of the key elsewhere, or does not exist, which is remembered too.
 */
#ifndef REDSWEEP_COMPILE_SOURCES_H
#define REDSWEEP_COMPILE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * SOURCES_EXACT: the texts as they are, with their paths, for what holds lines of them (an image).
 * SOURCES_FOLDED: without comments, white space and folders (base/code.h): equal for all texts that
 * say the same. An include in a comment is none then.
 */
enum sources_reading { SOURCES_EXACT, SOURCES_FOLDED };

/*
 * Chains the text of `code` (a file of `folder`) and of all that it includes
 * into `*hash`. `*scannable` becomes false when an include names no file that can be read off the
 * text (`#include MACRO`): such a kernel must be compiled each time.
 * ERROR_SYSTEM when a file that is there cannot be read.
 */
bool sources_hash(enum sources_reading reading, const char *code, size_t length, const char *folder,
                  const char *const *include_folders, int folder_count, uint64_t *hash,
                  bool *scannable, struct error *e);

#endif
