/*
 * Finds the fastest setting of each kernel at each n among the rows that a chart shows.
 */
#ifndef REDSWEEP_CHARTS_FASTEST_H
#define REDSWEEP_CHARTS_FASTEST_H

#include "charts/rows.h"

struct fastest_kernel {
    const char *name;
    /* The label contains the scope if this is not the most common one. fastest_free() frees it. */
    char *label;
    uint32_t *rows; /* the fastest row at each size, or ROW_NONE where the kernel was not timed */
};

struct fastest {
    VEC(double) sizes;                  /* the values of n, ascending */
    VEC(struct fastest_kernel) kernels; /* The kernels are in the order of the ladder. */
};

/* Ignores rows that lost a race. The caller must call fastest_free() on the result. */
void fastest_find(const struct chart_rows *rows, struct fastest *out);
void fastest_free(struct fastest *f);

/* Returns NULL if no time of this kernel is shown. */
const struct fastest_kernel *fastest_kernel(const struct fastest *f, const char *name);

/* Returns whether a row belongs to a function that runs on the CPU. */
bool fastest_is_cpu(const struct chart_rows *rows, uint32_t row);

#endif
