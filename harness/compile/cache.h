/*
 * Compiled images on disk, shared by every run and every process that names the same folder.
 *
 * An entry is one file, named after its key: a header (magic, format version, key, lengths,
 * checksum), the recipe in plain text, and the image. The recipe is what the image was made from
 * (kernel, options, compiler); it is compared byte for byte, so two images with one key can never
 * be confused. An entry that is truncated, corrupt, or has another version or another recipe is
 * ignored, and the next compilation replaces it.
 *
 * Files appear whole: they are written under a temporary name and renamed. Writers may race; each
 * leaves a whole entry and the last one stays. A cache that cannot be written (full disk, read-only
 * folder) costs compilations, never an error.
 *
 * A cache belongs to one user, because an image is code that will run. A folder or an entry is not
 * used if it belongs to another user, if others may write it, or if it is a symbolic link.
 */
#ifndef REDSWEEP_COMPILE_CACHE_H
#define REDSWEEP_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Makes the folder (for its user only, and its parents) if it is missing, and removes unfinished
 * files that a killed process left there more than an hour ago. ERROR_SYSTEM when it cannot be made
 * or must not be used.
 */
bool cache_prepare(const char *folder, struct error *e);

/*
 * True if the cache has it; the bytes are the caller's, to be freed with free(). `compile_ms` (may
 * be NULL): how long making the image took.
 */
bool cache_read(const char *folder, uint64_t key, const char *recipe, char **bytes, size_t *length,
                double *compile_ms);

/* True when the entry was written. */
bool cache_write(const char *folder, uint64_t key, const char *recipe, const char *bytes,
                 size_t length, double compile_ms);

#endif
