/*
 * A run's rows as a view: selected rows and columns, in the requested order.
 */
#ifndef REDSWEEP_ANALYZE_SHOW_H
#define REDSWEEP_ANALYZE_SHOW_H

#include "analyze/results.h"
#include "table/view.h"

struct show_options {
    const char *where;   /* an expression over the columns (base/expr.h); NULL: all rows */
    const char *columns; /* "kernel,time_us_*,ms = time_us_median / 1000"; NULL: a useful choice */
    const char *sort;    /* "n,-time_us_median"; NULL: as recorded */
    size_t max_rows;     /* 0: all */
    bool by_default;     /* max_rows is a default: say how to see more */
};

/* The rows that are shown: the table of the view is made from them. */
struct show {
    const struct results *r;
    row_list rows;
    size_t shown; /* number of rows shown */
};

/*
 * Adds the table `rows` to the view; both are the caller's, and the view needs `out`. ERROR_USAGE
 * for an unknown column (with the nearest one) or a malformed expression.
 */
bool show_rows(const struct results *r, const struct show_options *o, struct show *out,
               struct view *v, struct error *e);
void show_free(struct show *s);

#endif
