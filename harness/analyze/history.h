/*
 * Compares kernels across runs, for `redsweep history`.
 *
 * A series is a kernel on one device. Its value in a run is the geometric mean of the kernel's
 * fastest times over the problems. Runs may have different configs, so the mean covers only the
 * problems that occur in every run with this kernel.
 */
#ifndef REDSWEEP_ANALYZE_HISTORY_H
#define REDSWEEP_ANALYZE_HISTORY_H

#include <stdio.h>

#include "analyze/results.h"
#include "analyze/run_list.h"
#include "base/text.h"
#include "table/numbering.h"

/* A kernel's fastest row for one problem in one run, among the rows with a right result. */
struct history_cell {
    uint32_t series, problem, run;
    double us, low, high; /* the time and its interval; NaN without an interval */
};

struct history {
    const struct run_list *runs; /* oldest first */
    struct numbering series;     /* "device\nkernel" */
    struct numbering problems;   /* "int32 sum, n 1024, cold, scope kernel" */
    VEC(struct history_cell) cells;
};

/*
 * Reads the results of the runs. A run that cannot be read is left out, with a line about it in
 * `passed_over`. If `passed_over` is NULL, such a run makes the function fail with ERROR_CONFIG.
 */
bool history_read(const struct run_list *runs, struct history *out, struct text *passed_over,
                  struct error *e);
void history_free(struct history *h);

/*
 * Fills `values` with the values of a series, as logarithms of µs, and `at` with the indexes of the
 * values' runs. Both arrays need an element for each run. Returns the number of values, and sets
 * *problems to the number of problems that each value covers.
 */
size_t history_values(const struct history *h, size_t series, double *values, size_t *at,
                      size_t *problems);

/*
 * Write the cells of the last run in the formats of github-action-benchmark (customSmallerIsBetter)
 * and Bencher (BMF).
 */
void history_write_github(const struct history *h, FILE *to);
void history_write_bencher(const struct history *h, FILE *to);

#endif
