/*
 * Adds columns of runs to a view's table: columns that identify a point, and columns that were
 * recorded for the point.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_COLUMNS_H
#define REDSWEEP_ANALYZE_RESULTS_COLUMNS_H

#include "analyze/results.h"
#include "table/numbering.h"
#include "table/table.h"

/*
 * The source of one row of a table: row `row` of the run `run`. Cells that are empty there are
 * taken from row `other_row` of the run `other`, unless `other` is NULL. Neither run is owned.
 */
struct run_row {
    const struct results *run, *other;
    uint32_t row, other_row;
};

/*
 * Adds the recorded column `column`, with the name and properties of `like`. Cells from runs that
 * lack the column are missing.
 */
void results_add(struct table *t, const struct run_row *rows, const char *column,
                 struct column like);

/*
 * Adds a column for each axis of the problem that is in the set `present` (see results_axes()).
 * `audience` sees these columns. With PROBLEM_BY_SIZE, every audience sees n, people see it as a
 * power of two, and a page shows it among its first columns.
 */
enum problem_style { PROBLEM_PLAIN, PROBLEM_BY_SIZE };
void results_add_problem(struct table *t, const struct run_row *rows, unsigned present,
                         enum audience audience, enum problem_style style);

/*
 * Adds a column for each axis in the set `present` and for each of `tunables`. People see the
 * kernel and the problem's axes; for the other axes and the tunables, they see a single column
 * `setting`.
 */
void results_add_names(struct table *t, const struct run_row *rows, unsigned present,
                       const struct numbering *tunables);

/* Adds the names of the run's tunables, in column order. */
void results_tunables(const struct results *r, struct numbering *names);

#endif
