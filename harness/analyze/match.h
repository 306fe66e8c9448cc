/*
 * Finds which rows of two runs are the same point: they have equal axes and tunables. Devices may
 * differ. A tunable that a row leaves empty equals one that its run has no column for, so runs with
 * different axes still match.
 *
 * Published tables do not always state the cache, the scope of a time, or a tunable. An axis that
 * no row of a run knows is left out of the comparison, and `ignored` lists it; tunables that a
 * published table does not have are left out as well.
 *
 * Nothing is dropped silently: every row of both runs is in a pair, in a list of rows that only one
 * run has, or among the duplicates (a point that its run already had: the first ok row counts, or
 * the first row if none is ok).
 */
#ifndef REDSWEEP_ANALYZE_MATCH_H
#define REDSWEEP_ANALYZE_MATCH_H

#include "analyze/results.h"
#include "base/vec.h"

/* Parts of a row's key, added up: bit i is axis i. */
#define KEY_AXIS(axis) (1u << (axis))
#define KEY_TUNABLES (1u << AXIS_COUNT)
#define KEY_POINT (2 * KEY_TUNABLES - 1)
unsigned key_configuration(void); /* axes of the configuration, and tunables */
unsigned key_problem(void);       /* all other axes */

struct pair {
    uint32_t a, b; /* rows */
};

struct match {
    VEC(struct pair) pairs; /* the pairs, in the order of a */
    VEC(size_t) only_a, only_b;
    unsigned ignored;                  /* axes that one of the runs does not know */
    size_t duplicates_a, duplicates_b; /* rows left out */
};

/* Matches the rows; it is no error if there is no pair. */
void match_runs(const struct results *a, const struct results *b, struct match *out);
void match_free(struct match *m);

/*
 * Appends the columns of the parts (KEY_…) by which row_keys_number() tells a row's point from others. All
 * runs that are numbered together need lists of one length and order: the axes, and then `tunables`
 * (results_tunables(); not read without KEY_TUNABLES), which a run may lack.
 */
void match_columns(const struct results *r, unsigned parts, const struct numbering *tunables,
                   key_columns *out);

#endif
