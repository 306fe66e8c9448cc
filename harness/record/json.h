/*
 * results.json: the run's provenance, its columns explained, and all its rows.
 *
 * The file appears whole, by rename. Rows are copied from results.csv one by one, so that memory
 * does not grow with their number.
 */
#ifndef REDSWEEP_RECORD_JSON_H
#define REDSWEEP_RECORD_JSON_H

#include <stdbool.h>

#include "base/error.h"
#include "record/columns.h"
#include "record/record.h"

struct json_document {
    const char *status; /* "running", "complete", "stopped", "failed" */
    const char *ended;  /* ISO 8601, or NULL while the run goes on */
    bool rows;          /* take the rows from results.csv */
    const struct plan *plan;
    const struct provenance *provenance;
    const struct columns *columns;
};

/* Writes results.json into an open folder; `name` is the folder's name for messages. */
bool json_write(int folder, const char *name, const struct json_document *d, struct error *e);

#endif
