/*
 * Describes the columns that every run has, with data from columns.def and base/axes.def. Code that
 * reads results needs only their names and kinds. row.h defines how their cells are filled.
 */
#ifndef REDSWEEP_RECORD_COLUMNS_H
#define REDSWEEP_RECORD_COLUMNS_H

#include <stdbool.h>

#include "base/axes.h"
#include "table/table.h"

/* For each kind of axis, these macros define the kind and the range of the axis's column. */
#define CELL_OF_AXIS_TEXT COLUMN_TEXT
#define CELL_OF_AXIS_NUMBER COLUMN_COUNT
#define CELL_RANGE_OF_AXIS_TEXT CELL_ANY
#define CELL_RANGE_OF_AXIS_NUMBER CELL_POSITIVE

extern const char *const column_kind_names[]; /* the names "text", "number" and "count" */

struct known_column {
    const char *name; /* a unique name in snake case */
    enum column_kind kind;
    enum cell_range range;
    enum audience audience;
    enum column_rank rank;
    const char *unit;    /* the unit, or "" if there is none */
    const char *meaning; /* the meaning in one sentence */
};

/*
 * This struct points to the columns of columns.def in a table, for example known.time_us_median or
 * known.axes[AXIS_n]. A pointer is NULL if the table does not have the column; column_text() and
 * column_number() treat every cell of such a column as missing. A misspelled name does not compile.
 */
struct known_columns {
    const struct column *axes[AXIS_COUNT];
#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#define AXIS_COLUMNS(first, end)
#define COLUMN(name, kind, range, audience, rank, unit, meaning, value) const struct column *name;
#include "record/columns.def"
#undef COLUMN
#undef TUNABLE_COLUMNS
#undef METRIC_COLUMNS
#undef AXIS_COLUMNS
};

/* Finds all known columns of a table by name. The table must already have its columns. */
void known_columns_find(const struct table *t, struct known_columns *out);

/*
 * Returns a unit in the form that people see, such as "µs" for "us". Files contain the ASCII form.
 */
const char *unit_for_people(const char *unit);

/* Returns the rank of an axis's column on a page. */
enum column_rank axis_rank(enum axis_index axis);

/* Returns the column of this name, or NULL for a tunable, a metric or a column of a different
 * version. */
const struct known_column *known_column(const char *name);

/* Returns the i-th column that every run has, axes first, or NULL after the last column. */
const struct known_column *known_column_at(int i);

/*
 * Sets, from columns.def, the kinds of a table's columns and the values that readers accept in the
 * cells. This function is passed to table_read_as(). `run` is the struct manifest of a run, or
 * NULL. In a run, all other columns are tunables and metrics: they contain finite numbers, unless
 * the manifest says that they contain text. Without a run, other columns may contain any text.
 */
bool columns_describe_table(void *run, struct table *t, struct error *e);

#endif
