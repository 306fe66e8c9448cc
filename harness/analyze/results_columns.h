/*
 * Columns of a view that come from runs: what names a point, and what was recorded of it.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_COLUMNS_H
#define REDSWEEP_ANALYZE_RESULTS_COLUMNS_H

#include "analyze/results.h"
#include "table/numbering.h"
#include "table/table.h"

/*
 * Where the rows of a table come from, one entry each: a row of a run; and what that row leaves
 * empty, from a row of another run, unless `other` is NULL. All are borrowed.
 */
struct run_row {
    const struct results *run, *other;
    uint32_t row, other_row;
};

/* Adds a recorded column, under the name of `like`; missing where its run has no such column. */
void results_add(struct table *t, const struct run_row *rows, const char *column,
                 struct column like);

/*
 * Adds the axes of the problem, those that are `present` (results_axes()), for `audience`. By size:
 * n is for all, a power of two to people, and a page begins with it.
 */
enum problem_style { PROBLEM_PLAIN, PROBLEM_BY_SIZE };
void results_add_problem(struct table *t, const struct run_row *rows, unsigned present,
                         enum audience audience, enum problem_style style);

/*
 * Adds all present axes and the tunables of `tunables`, of which people read the kernel, the
 * problem's axes and, behind them, `setting`: the configuration in one column.
 */
void results_add_names(struct table *t, const struct run_row *rows, unsigned present,
                       const struct numbering *tunables);

/* Adds the names of the run's tunables, in the order of its columns. */
void results_tunables(const struct results *r, struct numbering *names);

#endif
