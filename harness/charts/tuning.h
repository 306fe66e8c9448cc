/*
 * For the charts `heatmap`, `configs` and `tunables`: finds the rows of the slice that have a time,
 * the values of an axis in these rows, and how much of the variance of the times an axis explains.
 */
#ifndef REDSWEEP_CHARTS_TUNING_H
#define REDSWEEP_CHARTS_TUNING_H

#include "charts/rows.h"

struct tuning {
    const struct chart_rows *rows;
    /*
     * the rows that have a time, including those that a search dropped after a few samples, but no
     * rows of CPU functions
     */
    row_list timed;
    /* block, unroll, and the run's tunables */
    VEC(const struct column *) axes;
    /* for each row, the fastest time of its kernel at its n */
    double *best;
    double n; /* the n at which the most rows have a time, or NaN if no row has one */
};

void tuning_find(const struct chart_rows *rows, struct tuning *out);
void tuning_free(struct tuning *t);

/*
 * Returns the axis or tunable with this name, which an option specifies, or NULL if the run lacks
 * it.
 */
const struct column *tuning_axis(const struct tuning *t, const char *name);
/*
 * Returns the name of an axis as charts show it: the name of a tunable is shown without its prefix.
 */
const char *tuning_name(const struct column *axis);

/*
 * Returns the n at which the most rows of a kernel have a time. If there are several, returns the
 * largest; if no row has a time, returns NaN. `kernel` may be NULL to count the rows of all
 * kernels.
 */
double tuning_size(const struct tuning *t, const char *kernel);

/*
 * Appends the timed rows of a kernel at n to `out`. All kernels are selected if `kernel` is NULL,
 * and all sizes if `n` is NaN.
 */
void tuning_rows(const struct tuning *t, const char *kernel, double n, row_list *out);

/*
 * The different values that an axis has in some rows. Numbers are in ascending order, kernels in
 * the order of the ladder, and other strings in alphabetical order. The caller must call
 * axis_values_free().
 */
struct axis_values {
    size_t count;
    char **names;
    bool numeric;
    /* for each row, the index of its value, or ROW_NONE */
    uint32_t *places;
};
void axis_values_find(const struct tuning *t, const struct column *axis, const row_list *rows,
                      struct axis_values *out);
void axis_values_free(struct axis_values *v);

/*
 * Returns which share of the variance of the times' logarithms an axis explains, from 0 to 1.
 * Unless the axis is the kernel, each time is first divided by its kernel's fastest time. Rows that
 * have no value of the axis are left out or, if `all` is true, are treated as if they had the same
 * additional value.
 */
double tuning_explained(const struct tuning *t, const struct column *axis, const row_list *rows,
                        const struct axis_values *values, bool all);

/*
 * Appends what the numbers of an axis mean according to kernels/index.txt, such as "; order: 0
 * striped, 1 …". Appends nothing for numbers that the index does not explain. Appends nothing at
 * all if one of the kernels that have this axis is not in the index.
 */
void tuning_append_words(const struct tuning *t, const struct column *axis, const row_list *rows,
                         const struct axis_values *values, struct text *out);

#endif
