/*
 * A run as it was recorded: rows of results.csv, samples of samples.csv, what results.json tells
 * of where they come from. Everything that looks at results begins here, and nothing here needs a
 * device.
 *
 * Only results.csv has to be there. Without results.json nothing is known of the device but its
 * name, and units are missing; without samples.csv there are only medians and their intervals.
 * Columns are found by name, so files of other versions can be read: a column that this version
 * does not know is a tunable when it stands before `grid`, else a metric.
 */
#ifndef REDSWEEP_COMPARE_RESULTS_H
#define REDSWEEP_COMPARE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compare/lookup.h"
#include "record/columns.h"
#include "record/table.h"

enum column_role { ROLE_AXIS, ROLE_TUNABLE, ROLE_FACT, ROLE_METRIC };

struct results_column {
    enum column_role role; /* ROLE_AXIS: kernel, type, op, n, block, unroll, cache, scope */
    enum cell_kind kind;
    char *unit, *meaning, *missing; /* "" when unknown; owned */
};

struct results {
    char *path;                     /* as given, without a slash at its end */
    char *folder;                   /* that results.csv lies in */
    struct table rows;              /* results.csv */
    struct results_column *columns; /* one for each of rows.columns */
    struct cJSON *document;         /* results.json without its rows; NULL when there is none */
    double *samples;                /* µs, those of a row side by side; NULL without samples.csv */
    size_t *first_sample;           /* of row i, i = 0 … row_count; NULL without samples.csv */
};

/*
 * Reads a run: its folder, or its results.csv. ERROR_CONFIG for what is no run, for columns that
 * every run has and this file lacks, and for results of a newer version than this one reads.
 */
bool results_read(const char *path, struct results *out, struct error *e);
void results_free(struct results *r);

/* A row's cell by the column's name: "" or NaN when the cell is empty or there is no column. */
const char *results_text(const struct results *r, size_t row, const char *column);
double results_number(const struct results *r, size_t row, const char *column);

/* A row's samples in the order taken; NULL and 0 when there are none. */
const double *results_samples(const struct results *r, size_t row, size_t *count);

/* A value of results.json by its path ("provenance.device.name") as text; "" when unknown. */
const char *results_told(const struct results *r, const char *path, char *out, size_t size);
double results_told_number(const struct results *r, const char *path);

/* Why a kernel may give wrong results although it passed (its fact `racy`); "" when it may not. */
const char *results_racy(const struct results *r, const char *kernel);

/* What kind of work a kernel does (reduce, matrix_sum …); "" when the run does not tell. */
const char *results_workload(const struct results *r, const char *kernel);

/* The device's name and backend, from results.json or from the rows; "" in an empty run. */
const char *results_device(const struct results *r);
const char *results_backend(const struct results *r);

/* "block 128, unroll 4, loads 2": what a row's kernel was set to, tunables it lacks left out. */
void results_setting(const struct results *r, size_t row, struct text *out);

/* The ok rows, times and the like. */
bool results_ok(const struct results *r, size_t row);

#endif
