/*
 * Which row of one run is the same point as which row of another: equal kernel, type, op, n,
 * block, unroll, cache, scope and tunables. Devices may differ. A tunable that a row leaves empty
 * is as good as one that its run has no column for, so runs with different axes still match.
 *
 * Nothing is dropped in silence: every row of both runs is in a pair, in a list of rows that only
 * one run has, or among the repeated ones (a point that its run already had).
 */
#ifndef REDSWEEP_COMPARE_MATCH_H
#define REDSWEEP_COMPARE_MATCH_H

#include "compare/results.h"

struct pair {
    size_t a, b; /* rows */
};

struct match {
    struct pair *pairs; /* in a's order */
    size_t pair_count;
    size_t *only_a, *only_b;
    size_t only_a_count, only_b_count;
    size_t repeated_a, repeated_b; /* rows left aside: the first of each point counts */
};

/* False (ERROR_MEMORY) only when memory ran out; no pair at all is not an error here. */
bool match_runs(const struct results *a, const struct results *b, struct match *out,
                struct error *e);
void match_free(struct match *m);

/*
 * The text that makes a row that point and no other. Leaves out what is not in `parts`; the
 * caller frees it. NULL when memory ran out.
 */
enum key_parts { KEY_CONFIGURATION = 1, KEY_PROBLEM = 2, KEY_POINT = 3 };
char *match_key(const struct results *r, size_t row, enum key_parts parts);

#endif
