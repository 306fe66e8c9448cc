/*
 * Finds the rows of the slice that have a time, the values that an axis has among them, and the
 * share of the variance of the times that an axis explains. The charts heatmap, configs and
 * tunables use these functions.
 */
#ifndef REDSWEEP_CHARTS_TUNING_H
#define REDSWEEP_CHARTS_TUNING_H

#include "charts/rows.h"

struct tuning {
    const struct chart_rows *rows;
    /* These rows have a time. They include configurations that lost a race, but no row of the
     * CPU. */
    row_list timed;
    /* These are the columns block and unroll, and those of the run's tunables. */
    VEC(const struct column *) axes;
    /* For each timed row of the run, this is the fastest time of its kernel at its n. */
    double *best;
    double n; /* the n at which the most rows are timed, or NaN if no row is timed */
};

void tuning_find(const struct chart_rows *rows, struct tuning *out);
void tuning_free(struct tuning *t);

/* Returns the axis that an option names, or NULL if the run does not have it. */
const struct column *tuning_axis(const struct tuning *t, const char *name);
/* Returns the name of an axis in charts, which for a tunable lacks the prefix. */
const char *tuning_name(const struct column *axis);

/* Returns the n at which the most rows of a kernel are timed, and the largest such n if there are
 * several. NULL stands for all kernels. The result is NaN if no row is timed. */
double tuning_size(const struct tuning *t, const char *kernel);

/* Appends the timed rows of a kernel at n to `out`. NULL selects all kernels, and NaN selects all
 * n. */
void tuning_rows(const struct tuning *t, const char *kernel, double n, row_list *out);

/*
 * These are the values of an axis among some rows. Numbers are in ascending order, kernels in the
 * order of the ladder, and other texts in alphabetical order. The caller must call
 * axis_values_free().
 */
struct axis_values {
    size_t count;
    char **names;
    bool numeric;
    /* These are the indices of the rows' values. A row without a value has ROW_NONE. */
    uint32_t *places;
};
void axis_values_find(const struct tuning *t, const struct column *axis, const row_list *rows,
                      struct axis_values *out);
void axis_values_free(struct axis_values *v);

/*
 * Returns the share, from 0 to 1, of the variance of the times' logarithms that the values explain.
 * Each time is relative to the fastest time of its kernel, unless the axis is the kernel. Rows
 * without a value are left out. If `all` is true, they are instead treated as rows with one further
 * value.
 */
double tuning_explained(const struct tuning *t, const struct column *axis, const row_list *rows,
                        const struct axis_values *values, bool all);

/* Appends the words that kernels/index.txt gives for the numbers of an axis, such as "; order: 0
 * striped, 1 …". It appends them only if all kernels of the rows that have this axis are in the
 * index, because the words hold only for these. It appends nothing for numbers without words. */
void tuning_append_words(const struct tuning *t, const struct column *axis, const row_list *rows,
                         const struct axis_values *values, struct text *out);

#endif
