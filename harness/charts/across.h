/*
 * Compares several runs, for the charts `best`, `costs` and `history`: finds the winner (the
 * fastest row) of each run at each n, and the rows of other runs that have the same configuration.
 */
#ifndef REDSWEEP_CHARTS_ACROSS_H
#define REDSWEEP_CHARTS_ACROSS_H

#include "charts/rows.h"

struct across {
    const struct chart_rows *rows;
    VEC(double) sizes; /* the values of n, ascending */
    /*
     * the runs that have a winner, in the order in which the user named them, as codes of the
     * column `run`
     */
    VEC(uint32_t) runs;
    VEC(const char *) names; /* the names of these runs */
    /* best[run * sizes.count + size] is the fastest row of the run at this size, or ROW_NONE */
    uint32_t *best;
    /* for each row, a number that identifies its configuration and n */
    uint32_t *keys;
    /*
     * for each of these numbers and each run, the run's row with this configuration and n, or
     * ROW_NONE
     */
    uint32_t *same;
};

/*
 * Finds the winners of the runs. Returns false with a reason in `why` if fewer than two runs have
 * times. The caller must call across_free() in both cases.
 */
bool across_find(const struct chart_rows *rows, struct across *out, char why[256]);
void across_free(struct across *a);

uint32_t across_best(const struct across *a, size_t run, size_t size);
/* Returns the given run's row with the same configuration and n as `row`, or ROW_NONE. */
uint32_t across_same(const struct across *a, uint32_t row, size_t run);

/* Returns the width of the longest name in pixels. */
double across_widest(const struct across *a);

#endif
