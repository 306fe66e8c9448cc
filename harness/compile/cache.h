/*
 * Keeps compiled images on disk, shared by all runs and processes that use the same folder.
 *
 * An entry is one file, named after its key. It contains a header (magic, format version, key,
 * lengths, checksum), the recipe in plain text, and the image. The recipe states what the image was
 * made from: kernel, options and compiler. It is compared byte for byte, so two images with the
 * same key cannot be confused. An entry that is truncated or corrupt, or has another version or
 * recipe, is ignored, and the next compilation replaces it.
 *
 * Files are written under a temporary name and then renamed, so they appear complete. If several
 * processes write the same entry, each writes the whole entry, and the last one wins. If a cache
 * cannot be written (full disk, read-only folder), images are compiled again without an error.
 *
 * A cache belongs to one user, because images are code that will run. A folder or an entry is not
 * used if it belongs to another user, if other users may write to it, or if it is a symbolic link.
 */
#ifndef REDSWEEP_COMPILE_CACHE_H
#define REDSWEEP_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Makes the folder, private to its user, and its missing parents. Removes unfinished files that a
 * killed process left there more than an hour ago. Fails with ERROR_SYSTEM if the folder cannot be
 * made or must not be used.
 */
bool cache_prepare(const char *folder, struct error *e);

/*
 * Returns whether the cache contains the entry. The caller frees the bytes with free().
 * `compile_ms`, which may be NULL, receives how long compiling the image took.
 */
bool cache_read(const char *folder, uint64_t key, const char *recipe, char **bytes, size_t *length,
                double *compile_ms);

/* Returns whether the entry was written. */
bool cache_write(const char *folder, uint64_t key, const char *recipe, const char *bytes,
                 size_t length, double compile_ms);

#endif
