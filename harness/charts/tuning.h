/*
 * Finds the rows of the slice that have a time, and the values of an axis in these rows. It also
 * computes how much of the variance of the times an axis explains. The charts `heatmap`, `configs`
 * and `tunables` use these functions.
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
    /*
     * For each timed row of the run, this is the fastest time of the row's kernel at the row's n.
     */
    double *best;
    double n; /* the n at which the most rows are timed, or NaN if no row is timed */
};

void tuning_find(const struct chart_rows *rows, struct tuning *out);
void tuning_free(struct tuning *t);

/* Returns the axis that an option names, or NULL if the run does not have it. */
const struct column *tuning_axis(const struct tuning *t, const char *name);
/* Returns the name of an axis in charts. For a tunable, this is the name without the prefix. */
const char *tuning_name(const struct column *axis);

/*
 * Returns the n at which the most rows of a kernel have a time. If there are several, it returns
 * the largest one. If `kernel` is NULL, it uses the rows of all kernels. If no row has a time, it
 * returns NaN.
 */
double tuning_size(const struct tuning *t, const char *kernel);

/*
 * Appends the timed rows of a kernel at n to `out`. If `kernel` is NULL, it selects all kernels,
 * and if `n` is NaN, all sizes.
 */
void tuning_rows(const struct tuning *t, const char *kernel, double n, row_list *out);

/*
 * These are the values of an axis in some rows. Numbers are in ascending order, kernels are in the
 * order of the ladder, and other strings are in alphabetical order. The caller must call
 * axis_values_free().
 */
struct axis_values {
    size_t count;
    char **names;
    bool numeric;
    /* For each row, this is the index of its value, or ROW_NONE if it has no value. */
    uint32_t *places;
};
void axis_values_find(const struct tuning *t, const struct column *axis, const row_list *rows,
                      struct axis_values *out);
void axis_values_free(struct axis_values *v);

/*
 * Returns how much of the variance of the log times an axis explains, as a share from 0 to 1. Each
 * time is relative to the fastest time of its kernel, unless the axis is the kernel. Rows without a
 * value are left out or, if `all` is true, treated as rows with one additional value.
 */
double tuning_explained(const struct tuning *t, const struct column *axis, const row_list *rows,
                        const struct axis_values *values, bool all);

/*
 * Appends the words with which kernels/index.txt explains the numbers of an axis, such as "; order:
 * 0 striped, 1 …". It appends them only if the index contains all of the rows' kernels that have
 * this axis, because the words apply only to kernels in the index. It appends nothing for numbers
 * without words.
 */
void tuning_append_words(const struct tuning *t, const struct column *axis, const row_list *rows,
                         const struct axis_values *values, struct text *out);

#endif
