/* Pairs the rows of two runs for the same point, for the charts `versus` and `counts`. */
#ifndef REDSWEEP_CHARTS_PAIRS_H
#define REDSWEEP_CHARTS_PAIRS_H

#include "charts/rows.h"

struct run_pair {
    uint32_t a, b; /* rows of the joined runs */
};

struct run_pairs {
    const char *names[2]; /* of the two runs */
    VEC(struct run_pair) list;
};

/*
 * Pairs the requested rows with right results, of all types, operations and cache states. Returns
 * false with a reason in `why` if there are not exactly two runs, or if they have no point in
 * common. The caller must call pairs_free() in any case.
 */
bool pairs_find(const struct chart_rows *rows, struct run_pairs *out, char why[256]);
void pairs_free(struct run_pairs *p);

#endif
