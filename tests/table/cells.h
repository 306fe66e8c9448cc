/* Looks up a cell by its column number, where −1 means no column. Tests name columns with
 * table_column(t, "name"). The harness looks up a column once and reads its cells with
 * column_text() and column_number(). */
#ifndef REDSWEEP_TESTS_TABLE_CELLS_H
#define REDSWEEP_TESTS_TABLE_CELLS_H

#include <math.h>
#include <stdlib.h>

#include "table/table.h"

/* Returns a cell, or "" for column −1. For a number, the returned string is valid until the 8th
 * call after this one. */
static inline const char *table_cell(const struct table *t, size_t row, int column)
{
    return column_cell(column < 0 ? NULL : t->columns.items[column], row);
}

/* Returns a cell as a number. A string becomes the number that it contains, or NaN. */
static inline double table_number(const struct table *t, size_t row, int column)
{
    const char *cell = table_cell(t, row, column);
    char *end;
    double number = strtod(cell, &end);
    if (column >= 0 && t->columns.items[column]->numbers)
        return column_number(t->columns.items[column], row);
    return end == cell || *end ? NAN : number;
}

/* Changes a cell in a column of strings, which need not have any values so far. */
static inline void table_set_cell(struct table *t, size_t row, int column, const char *text)
{
    struct column *c = t->columns.items[column];
    if (!c->codes && *text) {
        c->codes = calloc(t->row_count, sizeof *c->codes);
        c->texts = calloc(1, sizeof *c->texts);
        numbering_add(c->texts, ""); /* the number of a missing text */
    }
    if (c->codes)
        column_set_text(c, row, text);
}

#endif
