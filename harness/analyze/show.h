/* Makes a view of selected rows and columns of a run, in the requested order. */
#ifndef REDSWEEP_ANALYZE_SHOW_H
#define REDSWEEP_ANALYZE_SHOW_H

#include "analyze/results.h"
#include "table/view.h"

struct show_options {
    const char *where; /* an expression over the columns (base/expr.h), or NULL for all rows */
    /* such as "kernel,time_us_*,ms = time_us_median / 1000", or NULL for the default */
    const char *columns;
    const char *sort; /* such as "n,-time_us_median", or NULL for the order of recording */
    size_t max_rows;  /* 0 for all */
    bool by_default;  /* max_rows is the default, so the output says how to see more */
};

/* The shown rows, which the view's table refers to. */
struct show {
    const struct results *r;
    row_list rows;
    size_t shown; /* how many rows are in the table, at most max_rows */
};

/*
 * Adds the table `rows` to the view, which refers to `out`, so `out` must outlive it. Fails with
 * ERROR_USAGE if a column is unknown or an expression is malformed. For an unknown column, the
 * message suggests the most similar name.
 */
bool show_rows(const struct results *r, const struct show_options *o, struct show *out,
               struct view *v, struct error *e);
void show_free(struct show *s);

#endif
