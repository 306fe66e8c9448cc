/*
 * Cells by the number of the column (−1: none); tests name columns with table_column(t, "name").
 * The harness looks a column up once, and takes its cells by column_text() and column_number().
 */
#ifndef REDSWEEP_TESTS_TABLE_CELLS_H
#define REDSWEEP_TESTS_TABLE_CELLS_H

#include <math.h>
#include <stdlib.h>

#include "table/table.h"

/* Returns "" for column −1. The text of a number lives until the 8th call from now. */
static inline const char *table_cell(const struct table *t, size_t row, int column)
{
    return column_cell(column < 0 ? NULL : t->columns.items[column], row);
}

/* Accepts a text that is a number, too; returns NaN for any other. */
static inline double table_number(const struct table *t, size_t row, int column)
{
    const char *cell = table_cell(t, row, column);
    char *end;
    double number = strtod(cell, &end);
    if (column >= 0 && t->columns.items[column]->numbers)
        return column_number(t->columns.items[column], row);
    return end == cell || *end ? NAN : number;
}

/* Returns a cell of a column of texts, which may be changed; a cell that was read without a value is empty. */
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
