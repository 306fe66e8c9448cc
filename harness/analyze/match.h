/*
 * Matches rows of two runs that belong to the same point: their axes and tunables are equal, but
 * their devices may differ. A row with no value for a tunable also matches rows of a run that has
 * no column for this tunable.
 *
 * Published tables do not always state the cache, the scope of a time, or a tunable. An axis for
 * which no row of a run has a value is left out of the comparison and listed in `ignored`. Tunables
 * that a published table lacks are left out as well.
 *
 * Every row of both runs is accounted for: it is in a pair, in the list of rows that only one run
 * has, or counted as a duplicate. If several rows of one run belong to the same point, the first ok
 * row is used or, if none is ok, the first row. The others are duplicates.
 */
#ifndef REDSWEEP_ANALYZE_MATCH_H
#define REDSWEEP_ANALYZE_MATCH_H

#include "analyze/results.h"
#include "base/vec.h"

/* The parts of a row's key, as a bit set. Bit i stands for axis i. */
#define KEY_AXIS(axis) (1u << (axis))
#define KEY_TUNABLES (1u << AXIS_COUNT)
#define KEY_POINT (2 * KEY_TUNABLES - 1)
unsigned key_configuration(void); /* the axes of the configuration, and the tunables */
unsigned key_problem(void);       /* all other axes */

struct pair {
    uint32_t a, b; /* the two rows */
};

struct match {
    VEC(struct pair) pairs; /* the pairs, in the order of a */
    VEC(size_t) only_a, only_b;
    unsigned ignored;                  /* the set of axes for which one of the runs has no values */
    size_t duplicates_a, duplicates_b; /* the numbers of rows that were left out */
};

/* Matches the rows. Finding no pairs is not an error. */
void match_runs(const struct results *a, const struct results *b, struct match *out);
void match_free(struct match *m);

/*
 * Appends the columns for the given parts (KEY_…) of a row's key, for row_keys_number(). If rows of
 * several runs are numbered together, the lists of all runs must have the same columns in the same
 * order. These are the axes and, if `parts` includes KEY_TUNABLES, the `tunables` (names from
 * results_tunables()). A run may lack some of these columns.
 */
void match_columns(const struct results *r, unsigned parts, const struct numbering *tunables,
                   key_columns *out);

#endif
