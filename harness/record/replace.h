/*
 * Replaces a file as a whole: readers, even after a kill, find either the old one or the new one.
 */
#ifndef REDSWEEP_RECORD_REPLACE_H
#define REDSWEEP_RECORD_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* Writes the new content. The caller need not check for errors of the stream itself. */
typedef bool replace_writer(void *context, FILE *to, struct error *e);

/*
 * Lets `write` fill FILE.part in an open folder, syncs it, renames it to FILE and syncs the folder.
 * When that fails, FILE stays as it was and FILE.part is gone. `name` is the folder's name for
 * messages.
 */
bool file_replace(int folder, const char *name, const char *file, replace_writer *write,
                  void *context, struct error *e);

/* The error if somebody deletes a file, or its folder, while it is being written; returns false. */
bool fail_deleted(const char *folder, const char *file, struct error *e);

#endif
