/* Checks the content of a cell, a string or a decimal number within a certain range. */
#ifndef REDSWEEP_TABLE_CELL_H
#define REDSWEEP_TABLE_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What a reader accepts in a nonempty cell. Numbers are decimal, such as 12, -0.5 or 1e-3. */
enum cell_range {
    CELL_ANY,      /* any text */
    CELL_POSITIVE, /* a finite number, zero or more */
    CELL_SIGNED,   /* a finite number */
    CELL_REAL,     /* a number, infinity, or not a number: 3.5, -inf, nan */
    CELL_BITS      /* a hash of results, such as 0123456789abcdef, or "varies" */
};

/* Where a cell is, for messages. */
struct cell_place {
    const char *path, *column;
    size_t line; /* from 1 */
};

/*
 * Checks a cell. If the cell is outside the range, fails with ERROR_CONFIG and a message that names
 * the file, the line, the column and the cell.
 */
bool cell_check(enum cell_range range, const char *cell, const struct cell_place *place,
                struct error *e);

#endif
