/*
 * Kernels over several runs: what `redsweep history` prints and exports.
 *
 * A series is a kernel on one device. The value of a kernel in a run is the geometric mean of its times, with the
 * fastest setting of each problem. Only problems that all runs with the kernel have are included, because the runs may
 * have different configs.
 */
#ifndef REDSWEEP_ANALYZE_HISTORY_H
#define REDSWEEP_ANALYZE_HISTORY_H

#include <stdio.h>

#include "analyze/results.h"
#include "analyze/run_list.h"
#include "base/text.h"
#include "table/numbering.h"

/* A kernel's fastest right row in one problem of one run. */
struct history_cell {
    uint32_t series, problem, run;
    double us, low, high; /* NaN: no interval */
};

struct history {
    const struct run_list *runs; /* ordered by their beginning */
    struct numbering series;     /* "device\nkernel" */
    struct numbering problems;   /* "int32 sum, n 1024, cold, scope kernel" */
    VEC(struct history_cell) cells;
};

/*
 * Reads the runs' results. ERROR_CONFIG for the first run that cannot be read; if `passed_over` is not NULL, such runs
 * are left out instead, and a line for each is appended to it.
 */
bool history_read(const struct run_list *runs, struct history *out, struct text *passed_over,
                  struct error *e);
void history_free(struct history *h);

/* Fills `values` with those of a series, as logarithms of µs, and `at` with their runs; both have room for all runs.
 * Returns the number of values; *problems becomes the number of problems. */
size_t history_values(const struct history *h, size_t series, double *values, size_t *at,
                      size_t *problems);

/* Write the last run's cells in the formats of github-action-benchmark (customSmallerIsBetter) and Bencher (BMF). */
void history_write_github(const struct history *h, FILE *to);
void history_write_bencher(const struct history *h, FILE *to);

#endif
