/*
 * Finds the winner of each of several runs at each n, and the rows with the same configuration in
 * the other runs. The charts `best`, `costs` and `history` use these functions.
 */
#ifndef REDSWEEP_CHARTS_ACROSS_H
#define REDSWEEP_CHARTS_ACROSS_H

#include "charts/rows.h"

struct across {
    const struct chart_rows *rows;
    VEC(double) sizes; /* the values of n, ascending */
    /*
     * These are the runs that have a winner, in the order in which they were given. Each is stored
     * as its code in the column `run`.
     */
    VEC(uint32_t) runs;
    VEC(const char *) names; /* the names of these runs */
    /* The element [run * sizes.count + size] is the run's fastest row at this size, or ROW_NONE. */
    uint32_t *best;
    /* For each row of the table, this number identifies the row's configuration and n. */
    uint32_t *keys;
    /*
     * For each of these numbers and each run's code, this is the run's row with that number, or
     * ROW_NONE.
     */
    uint32_t *same;
};

/*
 * Finds the winners of the runs. If fewer than two runs have times, returns false and writes the
 * reason to `why`. The caller must call across_free() in any case.
 */
bool across_find(const struct chart_rows *rows, struct across *out, char why[256]);
void across_free(struct across *a);

uint32_t across_best(const struct across *a, size_t run, size_t size);
/*
 * Returns the row of the given run that has the same configuration and n as `row`, or ROW_NONE if
 * that run has no such row.
 */
uint32_t across_same(const struct across *a, uint32_t row, size_t run);

/* Returns the width, in pixels, of the longest name. */
double across_widest(const struct across *a);

#endif
