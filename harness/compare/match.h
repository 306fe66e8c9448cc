/*
 * Which row of one run is the same point as which row of another: equal kernel, type, op, n,
 * block, unroll, cache, scope and tunables. Devices may differ. A tunable that a row leaves empty
 * is as good as one that its run has no column for, so runs with different axes still match.
 *
 * Published tables do not always tell the state of the cache or what a time spans. Where no row of
 * a run knows one of these two, it is left out of the comparison, and `ignored` says so.
 *
 * Nothing is dropped in silence: every row of both runs is in a pair, in a list of rows that only
 * one run has, or among the repeated ones (a point that its run already had).
 */
#ifndef REDSWEEP_COMPARE_MATCH_H
#define REDSWEEP_COMPARE_MATCH_H

#include "compare/results.h"

enum key_part {
    KEY_CONFIGURATION = 1, /* kernel, block, unroll, tunables */
    KEY_INPUT = 2,         /* type, op, n */
    KEY_CACHE = 4,
    KEY_SCOPE = 8,
    KEY_PROBLEM = KEY_INPUT | KEY_CACHE | KEY_SCOPE,
    KEY_POINT = KEY_CONFIGURATION | KEY_PROBLEM
};

struct pair {
    size_t a, b; /* rows */
};

struct match {
    struct pair *pairs; /* in a's order */
    size_t pair_count;
    size_t *only_a, *only_b;
    size_t only_a_count, only_b_count;
    unsigned ignored;              /* KEY_CACHE, KEY_SCOPE: one run does not know them */
    size_t repeated_a, repeated_b; /* rows left aside: the first of each point counts */
};

/* False (ERROR_MEMORY) only when memory ran out; no pair at all is not an error here. */
bool match_runs(const struct results *a, const struct results *b, struct match *out,
                struct error *e);
void match_free(struct match *m);

/*
 * The text that makes a row that point and no other: of the parts in `parts` (KEY_… added up). The
 * caller frees it. NULL when memory ran out.
 */
char *match_key(const struct results *r, size_t row, unsigned parts);

#endif
