/*
 * Adds columns of runs to a view's table: those that identify a point, and those that were recorded
 * for it.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_COLUMNS_H
#define REDSWEEP_ANALYZE_RESULTS_COLUMNS_H

#include "analyze/results.h"
#include "table/numbering.h"
#include "table/table.h"

/*
 * Where a row of a table comes from: a row of a run. Empty cells are taken from `other_row` of the
 * run `other`, unless `other` is NULL. Neither run is owned.
 */
struct run_row {
    const struct results *run, *other;
    uint32_t row, other_row;
};

/*
 * Adds the recorded column `column`, with the name and properties of `like`. The cells of runs that
 * lack the column are missing.
 */
void results_add(struct table *t, const struct run_row *rows, const char *column,
                 struct column like);

/*
 * Adds the axes of the problem that are `present` (results_axes()), for `audience`. With
 * PROBLEM_BY_SIZE, every audience gets n: people see a power of two, and pages show it first.
 */
enum problem_style { PROBLEM_PLAIN, PROBLEM_BY_SIZE };
void results_add_problem(struct table *t, const struct run_row *rows, unsigned present,
                         enum audience audience, enum problem_style style);

/*
 * Adds all axes that are `present`, and the `tunables`. People see the kernel, the problem's axes,
 * and a column `setting` with everything else.
 */
void results_add_names(struct table *t, const struct run_row *rows, unsigned present,
                       const struct numbering *tunables);

/* Adds the names of the run's tunables, in column order. */
void results_tunables(const struct results *r, struct numbering *names);

#endif
