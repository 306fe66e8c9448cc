/*
 * Hashes a kernel's text and the files that it includes, because the kernel's image depends on all
 * of them.
 *
 * The text is searched for every `include` with a file name in quotes or angle brackets, even in
 * comments and in branches that the preprocessor skips. A file that is hashed without need may
 * cause an unnecessary compilation, but if a file were missed, an outdated image could be used. A
 * file is looked up in the folder of the file that includes it and in the given folders. If it is
 * not found there, its name is hashed instead. Such a file does not exist or belongs to the toolkit,
 * whose version is part of the image's key.
 */
#ifndef REDSWEEP_COMPILE_SOURCES_H
#define REDSWEEP_COMPILE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * How texts are hashed. SOURCES_EXACT: unchanged and with their paths, for images, whose line
 * tables depend on both. SOURCES_FOLDED: without comments, white space and folders (base/code.h),
 * so that all texts with the same tokens have the same hash; includes in comments are ignored.
 */
enum sources_reading { SOURCES_EXACT, SOURCES_FOLDED };

/*
 * Updates `*hash` with `code`, the text of a file in `folder`, and with the texts of all files that
 * it includes. Sets `*scannable` to false if the text does not show which file is included
 * (`#include MACRO`); the kernel must then be compiled each time. Fails with ERROR_SYSTEM if a file
 * exists but cannot be read.
 */
bool sources_hash(enum sources_reading reading, const char *code, size_t length, const char *folder,
                  const char *const *include_folders, int folder_count, uint64_t *hash,
                  bool *scannable, struct error *e);

#endif
