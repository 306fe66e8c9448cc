/* Pairs the rows of two runs that measured the same point, for the charts `versus` and `counts`. */
#ifndef REDSWEEP_CHARTS_PAIRS_H
#define REDSWEEP_CHARTS_PAIRS_H

#include "charts/rows.h"

struct run_pair {
    uint32_t a, b; /* These are rows of the joined runs. */
};

struct run_pairs {
    const char *names[2]; /* the names of the two runs */
    VEC(struct run_pair) list;
};

/*
 * Pairs the rows that have right results and that were asked for. It does so for all types,
 * operations and cache states. Returns false and writes the reason to `why` if the number of runs
 * is not two, or if the runs have no point in common. The caller must call pairs_free() in any
 * case.
 */
bool pairs_find(const struct chart_rows *rows, struct run_pairs *out, char why[256]);
void pairs_free(struct run_pairs *p);

#endif
