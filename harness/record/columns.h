/*
 * The columns that every run has, as data, from columns.def and base/axes.def. What reads results
 * needs their names and kinds only; how a cell gets its value is row.h's.
 */
#ifndef REDSWEEP_RECORD_COLUMNS_H
#define REDSWEEP_RECORD_COLUMNS_H

#include <stdbool.h>

#include "base/axes.h"
#include "table/table.h"

/* An axis's column, by the axis's kind. */
#define CELL_OF_AXIS_TEXT COLUMN_TEXT
#define CELL_OF_AXIS_NUMBER COLUMN_COUNT
#define CELL_RANGE_OF_AXIS_TEXT CELL_ANY
#define CELL_RANGE_OF_AXIS_NUMBER CELL_POSITIVE

extern const char *const column_kind_names[]; /* "text", "number", "count" */

struct known_column {
    const char *name; /* unique, snake_case */
    enum column_kind kind;
    enum cell_range range;
    enum audience audience;
    enum column_rank rank;
    const char *unit;    /* "" for none */
    const char *meaning; /* one sentence */
};

/*
 * Those columns of a table, by position: known.time_us_median, known.axes[AXIS_n]. NULL is what the
 * table does not have, and is missing in every row to column_text() and column_number(). A name that
 * columns.def does not have does not compile.
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

/* Looks them up by their names, once: as soon as the table has its columns. */
void known_columns_find(const struct table *t, struct known_columns *out);

/* A unit as people read it: "µs" for "us", as files have it in ASCII. */
const char *unit_for_people(const char *unit);

/* Where a page has the column of an axis. */
enum column_rank axis_rank(enum axis_index axis);

/* The column of this name; NULL for tunables, metrics, and what other versions wrote. */
const struct known_column *known_column(const char *name);

/* The columns of every run, in their order, each axis first; NULL past the last. */
const struct known_column *known_column_at(int i);

/*
 * What the columns of a table hold and what readers accept in them, as table_read_as() asks: what
 * columns.def says. `run` is the struct manifest of a run, whose other columns are tunables and
 * metrics, and so finite numbers unless it calls one text; NULL: other columns are any text.
 */
bool columns_describe_table(void *run, struct table *t, struct error *e);

#endif
