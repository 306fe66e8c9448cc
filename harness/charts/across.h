/*
 * Shared by the charts best, costs and history: the winner of each of several runs at each n, and the
 * same configuration in other runs.
 */
#ifndef REDSWEEP_CHARTS_ACROSS_H
#define REDSWEEP_CHARTS_ACROSS_H

#include "charts/rows.h"

struct across {
    const struct chart_rows *rows;
    VEC(double) sizes; /* ascending */
    VEC(uint32_t)
    runs;                    /* codes in column `run` of the runs that have a winner, as given */
    VEC(const char *) names; /* theirs */
    uint32_t *best;          /* by run, then by size: its fastest row; ROW_NONE */
    uint32_t *keys;          /* for each row of the table: the number of its configuration and n */
    uint32_t *same;          /* by that number, then by run: a row; ROW_NONE */
};

/* False with `why` where fewer than two runs have times. across_free() in any case. */
bool across_find(const struct chart_rows *rows, struct across *out, char why[256]);
void across_free(struct across *a);

uint32_t across_best(const struct across *a, size_t run, size_t size);
/* The row of a row's configuration and n in another run; ROW_NONE: it was not measured there. */
uint32_t across_same(const struct across *a, uint32_t row, size_t run);

/* Pixels of the longest name. */
double across_widest(const struct across *a);

#endif
