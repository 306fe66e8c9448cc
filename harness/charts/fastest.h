/*
 * The fastest setting of each kernel at each n, of the rows that a chart shows.
 */
#ifndef REDSWEEP_CHARTS_FASTEST_H
#define REDSWEEP_CHARTS_FASTEST_H

#include "charts/rows.h"

struct fastest_kernel {
    const char *name;
    char *label;    /* with the scope, if it is not the most common one; owned */
    uint32_t *rows; /* one for each size; ROW_NONE: not timed there */
};

struct fastest {
    VEC(double) sizes;                  /* ascending */
    VEC(struct fastest_kernel) kernels; /* in the ladder's order */
};

/* Rows that lost a race take no part. The result is the caller's: fastest_free(). */
void fastest_find(const struct chart_rows *rows, struct fastest *out);
void fastest_free(struct fastest *f);

/* NULL if no time of this kernel is shown. */
const struct fastest_kernel *fastest_kernel(const struct fastest *f, const char *name);

/* Whether a row is a function of the CPU's. */
bool fastest_is_cpu(const struct chart_rows *rows, uint32_t row);

#endif
