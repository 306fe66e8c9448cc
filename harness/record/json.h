/*
 * Writes a run as one JSON document for other programs. It contains the manifest (manifest.h) and
 * all rows.
 *
 *   {"schema": 2, …, "columns": […], "rows": [{"id": "…", "n": 16384, …}, …]}
 *
 * The rows are written one at a time, so the memory use does not depend on their number. A missing
 * cell is null. Write errors are recorded in the stream, and ferror() reports them.
 */
#ifndef REDSWEEP_RECORD_JSON_H
#define REDSWEEP_RECORD_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "record/manifest.h"

#define JSON_FILE "results.json"

/*
 * json_begin() writes everything before the first row, json_row() writes one row, and json_end()
 * writes everything after the last row.
 */
void json_begin(FILE *out, const struct manifest *m);
/* `cells` contains one cell for each of the manifest's columns, in the form of results.csv. */
void json_row(FILE *out, const struct manifest *m, const char *const *cells, bool first);
void json_end(FILE *out);

/* Replaces results.json in an open folder with the rows of its results.csv. Messages call the
 * folder `name`. */
bool json_write(int folder, const char *name, const struct manifest *m, struct error *e);

#endif
