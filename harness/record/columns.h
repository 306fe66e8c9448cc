/*
 * The columns that every run has, as data, from columns.def and base/axes.def. Code that reads
 * results needs only their names and kinds; row.h fills the cells.
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
 * The columns of columns.def in a table, by position: known.time_us_median, known.axes[AXIS_n]. A
 * column that the table lacks is NULL; column_text() and column_number() treat it as missing in
 * every row. A name that columns.def lacks does not compile.
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

/* Looks them up by their names, once the table has its columns. */
void known_columns_find(const struct table *t, struct known_columns *out);

/* A unit for people: "µs" for "us", which is ASCII for files. */
const char *unit_for_people(const char *unit);

/* The place of the column of an axis on a page. */
enum column_rank axis_rank(enum axis_index axis);

/* The column of this name; NULL for tunables, metrics, and columns of other versions. */
const struct known_column *known_column(const char *name);

/* The columns of every run, in their order, each axis first; NULL after the last. */
const struct known_column *known_column_at(int i);

/*
 * The kinds of a table's columns and the values that readers accept in them, for table_read_as(),
 * from columns.def. `run` is the struct manifest of a run: its other columns are tunables and
 * metrics, and therefore finite numbers unless it declares one as text; NULL: other columns are any
 * text.
 */
bool columns_describe_table(void *run, struct table *t, struct error *e);

#endif
