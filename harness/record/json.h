/*
 * Writes a run as one JSON document for other programs: the manifest (manifest.h) and all rows.
 *
 *   {"schema": 2, …, "columns": […], "rows": [{"id": "…", "n": 16384, …}, …]}
 *
 * Rows are written one at a time, so memory use does not depend on the number of rows. A missing
 * cell is null. Callers check for write errors with ferror().
 */
#ifndef REDSWEEP_RECORD_JSON_H
#define REDSWEEP_RECORD_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "record/manifest.h"

#define JSON_FILE "results.json"

/*
 * json_begin() writes everything before the first row, json_row() one row, and json_end()
 * everything after the last row.
 */
void json_begin(FILE *out, const struct manifest *m);
/* `cells` has one cell for each column in the manifest, with the text that results.csv contains. */
void json_row(FILE *out, const struct manifest *m, const char *const *cells, bool first);
void json_end(FILE *out);

/* Replaces results.json in an open folder with a new one, made from the manifest and the rows in
 * the folder's results.csv. Messages call the folder `name`. */
bool json_write(int folder, const char *name, const struct manifest *m, struct error *e);

#endif
