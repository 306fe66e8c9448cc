/*
 * The possible contents of a cell: texts, or decimal numbers of a range.
 */
#ifndef REDSWEEP_TABLE_CELL_H
#define REDSWEEP_TABLE_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The values that readers accept in a cell that is not empty. Numbers are decimal: 12, -0.5,
 * 1e-3. */
enum cell_range {
    CELL_ANY,      /* any text */
    CELL_POSITIVE, /* a finite number, zero or more */
    CELL_SIGNED,   /* a finite number */
    CELL_REAL,     /* a number, infinite, or not a number: 3.5, -inf, nan */
    CELL_BITS      /* a hash of results: 0123456789abcdef, or varies */
};

/* The place of a cell, for messages. */
struct cell_place {
    const char *path, *column;
    size_t line; /* from 1 */
};

/* ERROR_CONFIG, with file, line, column and cell, for one that is outside of the range. */
bool cell_check(enum cell_range range, const char *cell, const struct cell_place *place,
                struct error *e);

#endif
