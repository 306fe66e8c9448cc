/*
 * Compares kernels over several runs. `redsweep history` prints and exports the result.
 *
 * A series is a kernel on one device. The value of a kernel in a run is the geometric mean of its
 * times. Each problem contributes the time of its fastest setting. The runs may have different
 * configs, so the mean includes only the problems that all runs with the kernel contain.
 */
#ifndef REDSWEEP_ANALYZE_HISTORY_H
#define REDSWEEP_ANALYZE_HISTORY_H

#include <stdio.h>

#include "analyze/results.h"
#include "analyze/run_list.h"
#include "base/text.h"
#include "table/numbering.h"

/* This is a kernel's fastest right row in one problem of one run. */
struct history_cell {
    uint32_t series, problem, run;
    double us, low, high; /* the time and its interval; NaN without an interval */
};

struct history {
    const struct run_list *runs; /* the runs, ordered by when they began */
    struct numbering series;     /* "device\nkernel" */
    struct numbering problems;   /* "int32 sum, n 1024, cold, scope kernel" */
    VEC(struct history_cell) cells;
};

/*
 * Reads the results of the runs. If a run cannot be read and `passed_over` is NULL, the error is
 * ERROR_CONFIG. If `passed_over` is not NULL, the run is left out, and a line about it is appended
 * to `passed_over`.
 */
bool history_read(const struct run_list *runs, struct history *out, struct text *passed_over,
                  struct error *e);
void history_free(struct history *h);

/*
 * Fills `values` with the values of a series, as logarithms of µs, and `at` with their runs. Both
 * arrays must have an element for each run. The function returns the number of values and sets
 * *problems to the number of problems.
 */
size_t history_values(const struct history *h, size_t series, double *values, size_t *at,
                      size_t *problems);

/*
 * These functions write the last run's cells in the formats of github-action-benchmark
 * (customSmallerIsBetter) and Bencher (BMF).
 */
void history_write_github(const struct history *h, FILE *to);
void history_write_bencher(const struct history *h, FILE *to);

#endif
