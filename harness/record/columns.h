/*
 * The columns that every run has, from columns.def and base/axes.def. Code that reads results needs
 * only this file; row.h makes the cells when results are written.
 */
#ifndef REDSWEEP_RECORD_COLUMNS_H
#define REDSWEEP_RECORD_COLUMNS_H

#include <stdbool.h>

#include "base/axes.h"
#include "table/table.h"

/* The kind and range of the column for an axis of kind AXIS_TEXT or AXIS_NUMBER. */
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
 * Points to the columns of columns.def in a table, for example known.time_us_median or
 * known.axes[AXIS_n]. A pointer is NULL if the table lacks the column; column_text() and
 * column_number() then treat every cell as missing. A misspelled name does not compile.
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

/* Finds all known columns of a table by name. Call this after the table has its columns. */
void known_columns_find(const struct table *t, struct known_columns *out);

/* Returns a unit as it is displayed, such as "µs" for "us". Files contain only the ASCII form. */
const char *unit_for_people(const char *unit);

/* Returns the rank of an axis's column, by which HTML pages sort columns. */
enum column_rank axis_rank(enum axis_index axis);

/* Returns the column with this name, or NULL for tunables, metrics and columns of other
 * versions. */
const struct known_column *known_column(const char *name);

/* Returns the i-th column that every run has, axes first, or NULL after the last one. */
const struct known_column *known_column_at(int i);

/*
 * Sets the kinds of a table's columns, and the values that their cells may have, from columns.def.
 * For table_read_as(). `run` is the run's struct manifest, or NULL. The columns that columns.def
 * lacks are tunables and metrics if there is a manifest. They must then be finite numbers, unless
 * the manifest says that they are text. Without a manifest, they may contain any text.
 */
bool columns_describe_table(void *run, struct table *t, struct error *e);

#endif
