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
 * Chains the text of `code` (a file of `folder`) and of all that it includes
 * into `*hash`. `*scannable` becomes false when an include names no file that can be read off the
 * text (`#include MACRO`): such a kernel must be compiled each time.
 * ERROR_SYSTEM when a file that is there cannot be read.
 */
bool sources_hash(const char *code, size_t length, const char *folder,
                  const char *const *include_folders, int folder_count, uint64_t *hash,
                  bool *scannable, struct error *e);

#endif
