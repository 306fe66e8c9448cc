/*
 * A run as one JSON document for other programs: its manifest (manifest.h), and all rows.
 *
 *   {"schema": 2, …, "columns": […], "rows": [{"id": "…", "n": 16384, …}, …]}
 *
 * It is written row by row, so memory does not grow with their number. A missing cell is null.
 * Errors are recorded in the stream: ferror().
 */
#ifndef REDSWEEP_RECORD_JSON_H
#define REDSWEEP_RECORD_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "record/manifest.h"

#define JSON_FILE "results.json"

/* Everything before the first row, one row, and the end. */
void json_begin(FILE *out, const struct manifest *m);
/* One cell for each of the manifest's columns, as in results.csv. */
void json_row(FILE *out, const struct manifest *m, const char *const *cells, bool first);
void json_end(FILE *out);

/*
 * Replaces results.json in an open folder; its rows are those of results.csv there. `name` is the
 * folder's name for messages.
 */
bool json_write(int folder, const char *name, const struct manifest *m, struct error *e);

#endif
