/*
 * Columns of a view that come from runs: those that identify a point, and those that were recorded
 * for it.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_COLUMNS_H
#define REDSWEEP_ANALYZE_RESULTS_COLUMNS_H

#include "analyze/results.h"
#include "table/numbering.h"
#include "table/table.h"

/*
 * The source of one row of a table: a row of a run. Cells that it leaves empty come from a row of
 * another run, unless `other` is NULL. Both runs are borrowed.
 */
struct run_row {
    const struct results *run, *other;
    uint32_t row, other_row;
};

/* Adds a recorded column, under the name of `like`; its cells are missing if their run has no such
 * column. */
void results_add(struct table *t, const struct run_row *rows, const char *column,
                 struct column like);

/*
 * Adds those axes of the problem that are `present` (results_axes()), for `audience`. With
 * PROBLEM_BY_SIZE, n is for every audience, is a power of two for people, and comes first on a page.
 */
enum problem_style { PROBLEM_PLAIN, PROBLEM_BY_SIZE };
void results_add_problem(struct table *t, const struct run_row *rows, unsigned present,
                         enum audience audience, enum problem_style style);

/*
 * Adds all present axes and the tunables of `tunables`. People read the kernel, the problem's axes
 * and, after them, `setting`: the configuration in one column.
 */
void results_add_names(struct table *t, const struct run_row *rows, unsigned present,
                       const struct numbering *tunables);

/* Adds the names of the run's tunables, in the order of its columns. */
void results_tunables(const struct results *r, struct numbering *names);

#endif
