/*
 * Finds the winner at each n in each of several runs, and the rows with the same configuration in
 * the other runs. For the charts `best`, `costs` and `history`.
 */
#ifndef REDSWEEP_CHARTS_ACROSS_H
#define REDSWEEP_CHARTS_ACROSS_H

#include "charts/rows.h"

struct across {
    const struct chart_rows *rows;
    VEC(double) sizes; /* the values of n, ascending */
    /* the runs that have a winner, in the order given, as codes of the column `run` */
    VEC(uint32_t) runs;
    VEC(const char *) names; /* the names of these runs */
    /* [run * sizes.count + size] is the run's fastest row at this size, or ROW_NONE */
    uint32_t *best;
    /* identifies each row's configuration and n */
    uint32_t *keys;
    /* the row for each of these numbers and each run's code, or ROW_NONE */
    uint32_t *same;
};

/*
 * Finds the winners of the runs. Returns false with a reason in `why` if fewer than two runs have
 * times. The caller must call across_free() in any case.
 */
bool across_find(const struct chart_rows *rows, struct across *out, char why[256]);
void across_free(struct across *a);

uint32_t across_best(const struct across *a, size_t run, size_t size);
/* Returns the given run's row with the same configuration and n as `row`, or ROW_NONE. */
uint32_t across_same(const struct across *a, uint32_t row, size_t run);

/* Returns the width of the longest name in pixels. */
double across_widest(const struct across *a);

#endif
