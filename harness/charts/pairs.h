/* Finds the points that two runs have in common, for the charts `versus` and `counts`. */
#ifndef REDSWEEP_CHARTS_PAIRS_H
#define REDSWEEP_CHARTS_PAIRS_H

#include "charts/rows.h"

struct run_pair {
    /* the rows of the first and the second run, as rows of the joined runs (runs.h) */
    uint32_t a, b;
};

struct run_pairs {
    const char *names[2]; /* the names of the two runs */
    VEC(struct run_pair) list;
};

/*
 * Pairs the requested rows whose results are right, whatever their type, operation and cache state.
 * Returns false with a reason in `why` if there are not exactly two runs, or if they have no point
 * in common. The caller must call pairs_free() in both cases.
 */
bool pairs_find(const struct chart_rows *rows, struct run_pairs *out, char why[256]);
void pairs_free(struct run_pairs *p);

#endif
