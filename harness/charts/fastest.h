/*
 * Finds the fastest setting of each kernel at each n among the rows that a chart shows.
 */
#ifndef REDSWEEP_CHARTS_FASTEST_H
#define REDSWEEP_CHARTS_FASTEST_H

#include "charts/rows.h"

struct fastest_kernel {
    const char *name;
    /*
     * This is the kernel's label. It contains the scope only if this differs from the scope of most
     * kernels. fastest_free() frees the label.
     */
    char *label;
    uint32_t *rows; /* the fastest row at each size, or ROW_NONE where the kernel was not timed */
};

struct fastest {
    VEC(double) sizes;                  /* the values of n, ascending */
    VEC(struct fastest_kernel) kernels; /* The kernels are in the order of the ladder. */
};

/*
 * Finds the fastest settings. It ignores rows that lost a race. The caller must call fastest_free()
 * on the result.
 */
void fastest_find(const struct chart_rows *rows, struct fastest *out);
void fastest_free(struct fastest *f);

/* Returns the kernel with this name, or NULL if no time of it is shown. */
const struct fastest_kernel *fastest_kernel(const struct fastest *f, const char *name);

/* Returns whether a row belongs to a function that runs on the CPU. */
bool fastest_is_cpu(const struct chart_rows *rows, uint32_t row);

#endif
