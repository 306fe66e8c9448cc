/*
 * A run's rows as an aligned table: some of its rows, some of its columns, in some order.
 */
#ifndef REDSWEEP_COMPARE_SHOW_H
#define REDSWEEP_COMPARE_SHOW_H

#include <stdio.h>

#include "compare/results.h"

struct show_options {
    const char *where;   /* base/expr.h over the columns; NULL: all rows */
    const char *columns; /* "kernel,n,time_us_median", globs allowed; NULL: a useful choice */
    const char *sort;    /* "n,-time_us_median"; NULL: as recorded */
    size_t most;         /* rows; 0: all */
};

/*
 * Prints to `to`. ERROR_USAGE for an unknown column (with the nearest one) or a malformed
 * expression.
 */
bool show_rows(const struct results *r, const struct show_options *o, FILE *to, struct error *e);

#endif
