/*
 * A run's own columns in a view: their cells, units and meanings; and what names a point.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_COLUMNS_H
#define REDSWEEP_ANALYZE_RESULTS_COLUMNS_H

#include "table/numbering.h"
#include "analyze/results.h"
#include "table/view.h"

/* Puts a row's cell; an empty one where there is no such column (−1). */
void results_put(struct view_row *out, const struct results *r, size_t row, int column);
void results_put_named(struct view_row *out, const struct results *r, size_t row,
                       const char *column);

/* The view's column of a run's column. */
struct column results_view_column(const struct results *r, size_t column, enum audience readers);

/*
 * The axes of the problem, those that are `present` (results_axes()), for people too or not. What a
 * row leaves empty is taken from a row of `other`, unless that is NULL.
 */
enum view_axes { AXES_FOR_PROGRAMS, AXES_FOR_ALL };
void results_problem_columns(struct view_table *t, enum view_axes axes, unsigned present);
void results_put_problem(struct view_row *out, const struct results *r, size_t row,
                         const struct results *other, size_t other_row, unsigned present);

/*
 * All `present` axes and the tunables of `names`; people read the kernel, the problem's axes (or
 * none of all these, where the table says so) and, behind them, `setting`: the configuration in one
 * column.
 */
void results_name_columns(struct view_table *t, enum view_axes axes,
                          const struct numbering *tunables, unsigned present);
void results_put_names(struct view_row *out, const struct results *r, size_t row,
                       const struct results *other, size_t other_row,
                       const struct numbering *tunables, unsigned present);

/* Adds the names of the run's tunables, in the order of its columns. */
void results_tunables(const struct results *r, struct numbering *names);

#endif
