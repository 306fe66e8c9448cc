/*
 * Finds the rows of the slice that have a time, the values of an axis in these rows, and how much
 * of the variance of the times an axis explains. For the charts `heatmap`, `configs` and
 * `tunables`.
 */
#ifndef REDSWEEP_CHARTS_TUNING_H
#define REDSWEEP_CHARTS_TUNING_H

#include "charts/rows.h"

struct tuning {
    const struct chart_rows *rows;
    /* rows with a time, including those that the search dropped early, but no CPU rows */
    row_list timed;
    /* block, unroll, and the run's tunables */
    VEC(const struct column *) axes;
    /* the fastest time of each timed row's kernel at its n */
    double *best;
    double n; /* the n at which the most rows are timed, or NaN if none is */
};

void tuning_find(const struct chart_rows *rows, struct tuning *out);
void tuning_free(struct tuning *t);

/* Returns the axis that an option names, or NULL if the run lacks it. */
const struct column *tuning_axis(const struct tuning *t, const char *name);
/* Returns the name of an axis in charts: for a tunable, without the prefix. */
const char *tuning_name(const struct column *axis);

/*
 * Returns the n at which the most rows of a kernel (of all kernels if NULL) have a time, the
 * largest if there are several, or NaN if no row has a time.
 */
double tuning_size(const struct tuning *t, const char *kernel);

/* Appends the timed rows of a kernel at n to `out`. NULL selects all kernels, and NaN all sizes. */
void tuning_rows(const struct tuning *t, const char *kernel, double n, row_list *out);

/*
 * The values of an axis in some rows: numbers ascending, kernels in the order of the ladder, and
 * other strings alphabetically. The caller must call axis_values_free().
 */
struct axis_values {
    size_t count;
    char **names;
    bool numeric;
    /* the index of each row's value, or ROW_NONE */
    uint32_t *places;
};
void axis_values_find(const struct tuning *t, const struct column *axis, const row_list *rows,
                      struct axis_values *out);
void axis_values_free(struct axis_values *v);

/*
 * Returns which share of the variance of the log times an axis explains, from 0 to 1. Times are
 * relative to their kernel's fastest, unless the axis is the kernel. Rows without a value are left
 * out or, if `all` is true, count as one more value.
 */
double tuning_explained(const struct tuning *t, const struct column *axis, const row_list *rows,
                        const struct axis_values *values, bool all);

/*
 * Appends what the numbers of an axis mean according to kernels/index.txt, such as "; order: 0
 * striped, 1 …". Appends nothing for numbers that it does not explain, or if one of the rows'
 * kernels with this axis is not in the index.
 */
void tuning_append_words(const struct tuning *t, const struct column *axis, const row_list *rows,
                         const struct axis_values *values, struct text *out);

#endif
