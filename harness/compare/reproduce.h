/*
 * Published figures against a run of the same points, cell by cell.
 *
 * A published table is a run whose cells were printed by somebody else (results/published). A row
 * matches the first ok row of the run that is equal in every axis and tunable that was printed.
 *
 *   counts   what the instructions' addresses alone decide: metrics that are the same in every
 *            launch and come from counters of memory accesses. They must be equal, to the digits
 *            that were printed.
 *   orders   everything else: times, throughputs, instructions, which depend on the GPU and the
 *            compiler. A cell is in the same order when it lies above and below the same other
 *            rows of its column as in print.
 *
 * Where GPUs count a thing under one name but in other units (a Kepler's transactions are lines of
 * 128 bytes, later ones' sectors of 32), the metrics' table says which column of the run counts
 * what was printed.
 */
#ifndef REDSWEEP_COMPARE_REPRODUCE_H
#define REDSWEEP_COMPARE_REPRODUCE_H

#include <stdio.h>

#include "compare/results.h"

enum verdict {
    VERDICT_EQUAL,      /* a count, equal */
    VERDICT_SAME_ORDER, /* an order, kept */
    VERDICT_DIFFERS,
    VERDICT_MISSING, /* the run has no value, or nothing to order it by */
    VERDICT_COUNT
};

struct reproduction {
    int orders[VERDICT_COUNT]; /* cells that are compared as orders, by their verdict */
    int counts[VERDICT_COUNT]; /* cells that are counts */
};

/*
 * Prints the comparison to `out` and adds it up. ERROR_CONFIG when the published run has no cell
 * to compare.
 */
bool reproduce(const struct results *published, const struct results *run, FILE *out,
               struct reproduction *total, struct error *e);

#endif
