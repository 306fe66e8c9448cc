/*
 * Replaces a file as a whole. Readers find either the old file or the new one, even after the
 * writer was killed.
 */
#ifndef REDSWEEP_RECORD_REPLACE_H
#define REDSWEEP_RECORD_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* Writes a file's new content to `to`. file_replace() checks the stream for errors afterwards. */
typedef bool replace_writer(void *context, FILE *to, struct error *e);

/*
 * Calls `write` to fill FILE.part in an open folder, syncs it, renames it to FILE and syncs the
 * folder. If this fails, FILE stays unchanged and FILE.part is removed. Messages call the folder
 * `name`.
 */
bool file_replace(int folder, const char *name, const char *file, replace_writer *write,
                  void *context, struct error *e);

/* Reports that a file or its folder was deleted during writing. Returns false. */
bool fail_deleted(const char *folder, const char *file, struct error *e);

#endif
