/*
 * Shared by the charts of tuning (heatmap, configs, tunables): the rows of the slice that have a
 * time, the values that an axis has among them, and how much of the times' variance an axis
 * explains.
 */
#ifndef REDSWEEP_CHARTS_TUNING_H
#define REDSWEEP_CHARTS_TUNING_H

#include "charts/rows.h"

struct tuning {
    const struct chart_rows *rows;
    row_list timed; /* without those of the CPU; with configurations that lost a race */
    VEC(const struct column *) axes; /* block, unroll and the run's tunables */
    double *best; /* for each of the run's rows that is timed: its kernel's fastest time at its n */
    double n;     /* the n at which most rows are timed; NaN: none is */
};

void tuning_find(const struct chart_rows *rows, struct tuning *out);
void tuning_free(struct tuning *t);

/* An axis by the name of an option; NULL if the run has none of the name. */
const struct column *tuning_axis(const struct tuning *t, const char *name);
/* Its name in charts: a tunable without its prefix. */
const char *tuning_name(const struct column *axis);

/* The n at which most rows of a kernel (NULL: of all) are timed, the largest of several; NaN if
 * none is. */
double tuning_size(const struct tuning *t, const char *kernel);

/* The timed rows of a kernel (NULL: of all) at n (NaN: at any); appended to `out`. */
void tuning_rows(const struct tuning *t, const char *kernel, double n, row_list *out);

/*
 * The values of an axis among some rows: numbers ascending, kernels in the ladder's order, other
 * texts alphabetically. The caller's: axis_values_free().
 */
struct axis_values {
    size_t count;
    char **names;
    bool numeric;
    uint32_t *places; /* for each of the rows, from 0; ROW_NONE: it has no value */
};
void axis_values_find(const struct tuning *t, const struct column *axis, const row_list *rows,
                      struct axis_values *out);
void axis_values_free(struct axis_values *v);

/*
 * The share of the variance of the times' logarithms that the values explain (0 … 1); each time is
 * relative to its kernel's fastest unless the axis is the kernel. Rows without a value are left
 * out, or with `all` have one more value.
 */
double tuning_explained(const struct tuning *t, const struct column *axis, const row_list *rows,
                        const struct axis_values *values, bool all);

/* Appends "; order: 0 striped, 1 …", the words of kernels/index.txt for the axis' numbers, if all kernels of the rows
 * that have the axis are in the index, for which the words hold; nothing for numbers without words. */
void tuning_append_words(const struct tuning *t, const struct column *axis, const row_list *rows,
                         const struct axis_values *values, struct text *out);

#endif
