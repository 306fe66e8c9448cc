/*
 * A cache of compiled images on disk, which all runs and processes share that use the same folder.
 *
 * An entry is one file, named after its key. It contains a header (magic, format version, key,
 * lengths, checksum), the recipe in plain text, and the image. The recipe states from what the
 * image was made: kernel, options and compiler. A reader compares it byte for byte with the recipe
 * that it needs, so two images with the same key cannot be confused. If an entry is truncated or
 * corrupt, or has another version or recipe, it is ignored, and the next compilation replaces it.
 *
 * An entry is written under a temporary name and then renamed, so readers never see an incomplete
 * one. If several processes write the same entry, each writes a whole file, and the last file
 * remains. If a cache cannot be written (full disk, read-only folder), images are compiled again
 * without an error.
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
 * Makes the cache folder, which only its user can access, and its missing parents. Removes
 * unfinished files that killed processes left there more than an hour ago. Fails with ERROR_SYSTEM
 * if the folder cannot be made or must not be used.
 */
bool cache_prepare(const char *folder, struct error *e);

/*
 * Reads the image from the entry with this key and recipe. Returns false if there is no such entry.
 * The caller frees the bytes with free(). `compile_ms`, which may be NULL, receives how long the
 * compilation of the image took.
 */
bool cache_read(const char *folder, uint64_t key, const char *recipe, char **bytes, size_t *length,
                double *compile_ms);

/* Writes an entry. Returns whether it was written. */
bool cache_write(const char *folder, uint64_t key, const char *recipe, const char *bytes,
                 size_t length, double compile_ms);

#endif
