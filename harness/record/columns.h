/*
 * The columns that every run has, as data, from columns.def and base/axes.def. What reads results
 * needs their names and kinds only; how a cell gets its value is row.h's.
 */
#ifndef REDSWEEP_RECORD_COLUMNS_H
#define REDSWEEP_RECORD_COLUMNS_H

#include <stdbool.h>

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_COUNT };

/* An axis's column, by the axis's kind. */
#define CELL_OF_AXIS_TEXT CELL_TEXT
#define CELL_OF_AXIS_NUMBER CELL_COUNT

extern const char *const cell_kind_names[]; /* "text", "number", "count" */

struct known_column {
    const char *name; /* unique, snake_case */
    enum cell_kind kind;
    const char *unit;    /* "" for none */
    const char *meaning; /* one sentence */
};

/* The column of this name; NULL for tunables, metrics, and what other versions wrote. */
const struct known_column *known_column(const char *name);

/* The columns of every run, in their order, each axis first; NULL past the last. */
const struct known_column *known_column_at(int i);

#endif
