/* Finds the fastest setting of each kernel at each n among the rows that a chart shows. */
#ifndef REDSWEEP_CHARTS_FASTEST_H
#define REDSWEEP_CHARTS_FASTEST_H

#include "charts/rows.h"

struct fastest_kernel {
    const char *name;
    /*
     * the name in the chart, with the kernel's scope if that differs from most kernels' scope;
     * owned
     */
    char *label;
    uint32_t *rows; /* the fastest row at each size, or ROW_NONE if not timed */
};

struct fastest {
    VEC(double) sizes;                  /* the values of n, ascending */
    VEC(struct fastest_kernel) kernels; /* in the order of the ladder (kernels/index.txt) */
};

/*
 * Finds the fastest settings. Ignores rows that a search dropped after a few samples. The caller
 * must call fastest_free() on the result.
 */
void fastest_find(const struct chart_rows *rows, struct fastest *out);
void fastest_free(struct fastest *f);

/* Returns the kernel with this name, or NULL if the chart shows no time of it. */
const struct fastest_kernel *fastest_kernel(const struct fastest *f, const char *name);

/* Returns whether a row belongs to a CPU function. */
bool fastest_is_cpu(const struct chart_rows *rows, uint32_t row);

#endif
