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
 * This is the source of one row of a table, which is a row of a run. If a cell of this row is
 * empty, `other_row` of the run `other` supplies it, unless `other` is NULL. Neither run belongs to
 * this struct.
 */
struct run_row {
    const struct results *run, *other;
    uint32_t row, other_row;
};

/*
 * Adds the recorded column `column`, with the name and the other properties of `like`. If a row's
 * run has no such column, the row's cell is missing.
 */
void results_add(struct table *t, const struct run_row *rows, const char *column,
                 struct column like);

/*
 * Adds those axes of the problem that are `present` (results_axes()), for `audience`. With
 * PROBLEM_BY_SIZE, every audience gets n, people see it as a power of two, and pages show it first.
 */
enum problem_style { PROBLEM_PLAIN, PROBLEM_BY_SIZE };
void results_add_problem(struct table *t, const struct run_row *rows, unsigned present,
                         enum audience audience, enum problem_style style);

/*
 * Adds all axes that are `present`, and the tunables whose names are in `tunables`. Tables for
 * people contain the kernel, the problem's axes and then the column `setting`, which contains the
 * whole setting.
 */
void results_add_names(struct table *t, const struct run_row *rows, unsigned present,
                       const struct numbering *tunables);

/* Adds the names of the run's tunables, in the order of its columns. */
void results_tunables(const struct results *r, struct numbering *names);

#endif
