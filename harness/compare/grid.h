/*
 * Text in aligned columns, for the terminal: numbers to the right, words to the left, widths
 * counted in characters of UTF-8.
 */
#ifndef REDSWEEP_COMPARE_GRID_H
#define REDSWEEP_COMPARE_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct grid { /* starts zeroed but for `columns` */
    size_t columns;
    char **cells; /* row-major, owned */
    size_t count, capacity;
    bool failed; /* memory ran out */
};

/* Adds the next cell, row by row. */
void grid_add(struct grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A number with `digits` significant ones, without an exponent where it can be read without; an
 * empty cell for NaN.
 */
void grid_number(struct grid *g, double number, int digits);

/* Prints the rows, each behind `indent` blanks; the first row is a heading with a line below. */
void grid_print(const struct grid *g, int indent, FILE *to);
void grid_free(struct grid *g);

/* The number as grid_number() writes it. */
void number_format(double number, int digits, char out[40]);

#endif
