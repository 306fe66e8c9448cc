/*
 * Chooses the rows of a run that a chart shows. A run may contain several types, operations and
 * cache states, and other axes such as row_length. A chart shows one combination of them, which is
 * called a slice. By default, it is the slice with the most points among the rows that --where and
 * --kernels select.
 */
#ifndef REDSWEEP_CHARTS_ROWS_H
#define REDSWEEP_CHARTS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/results.h"
#include "base/error.h"
#include "base/vec.h"
#include "charts/ladder.h"

/* The user's options. A member is NULL, 0 or false if its option was not given. */
struct chart_options {
    /* an expression in which a row's columns and `role`, its kernel's role, can be used */
    const char *where;
    const char *kernels;    /* names and globs, separated by commas */
    const char *x, *y, *by; /* column names */
    /* one of the slices that chart_slices() lists, or NULL for the default */
    const char *slice;
    double size;             /* show only this n, or all if 0 */
    const char *relative_to; /* the name of a kernel */
    /* true to make an axis logarithmic that is linear by default, or the other way round */
    bool log_x, log_y;
    bool several; /* whether the run consists of several runs that runs_join() joined */
    const struct results *runs; /* the runs before they were joined, or NULL for a single run */
    int width;                  /* one of CANVAS_… */
    bool no_title;
    const char *formats; /* separated by commas */
    const char *font;
    const char *suffix;          /* added to the files' names */
    const char *data;            /* the folder with plots/ */
    const struct results *truth; /* the run of --truth for the chart `search`, or NULL */
    const struct peers *peers;   /* what --peers names, for the chart `shapes`, or NULL */
};

enum { CANVAS_SCREEN = 960, CANVAS_PAGE = 756, CANVAS_COLUMN = 413 };

struct chart_rows {
    const struct results *run;
    const struct chart_options *options;
    struct kernel_index ladder;
    /* the run's columns; a pointer is NULL if the run lacks the column */
    const struct column *kernel, *n, *block, *unroll, *time, *low, *high, *gbs, *card, *backend;
    /* the name of each row's run (runs.h), or NULL for a single run */
    const struct column *run_column;
    /* for each row, whether its result is right and --where and --kernels select it */
    bool *asked_rows;
    VEC(uint32_t) shown; /* the rows of the slice */
    /*
     * rows that read the same bytes as those of the slice, so that their bandwidths limit the
     * slice's (write_limits() in lines_draw.c)
     */
    VEC(uint32_t) limits;
    char *slice; /* such as "int32 sum, cold, scope kernel" */
    /*
     * the scope of most kernels in the slice; rows of kernels that have only the other scope are
     * also shown
     */
    const char *scope;
    char *others; /* the names of slices that the chart does not show, or "" */
    char *device, *timed_device;
    size_t asked; /* the number of true elements in `asked_rows` */
    /* how many of these rows have no time, because it is too short for the clock */
    size_t unresolved;
    bool clockless; /* whether the run is of the simulator, where only CPU functions have times */
    /*
     * whether the shown rows are of kernels that are not reductions, while the run also has
     * reductions
     */
    bool are_others;
    /* whether the run has kernels that are not reductions and that the chart does not show */
    bool has_others;
    double peak; /* in GB/s, or 0 if unknown */
};

/*
 * Chooses the rows. If the run has both reductions and other kernels, `others` selects the other
 * kernels. The result points into the run and the options. The caller must call chart_rows_free()
 * on it. Fails with ERROR_USAGE if an option is invalid.
 */
bool chart_rows_choose(const struct results *run, const struct chart_options *options, bool others,
                       struct chart_rows *out, struct error *e);
void chart_rows_free(struct chart_rows *r);

/*
 * Lists the slices of the run's reductions, the one with the most points first. The caller frees
 * the list and its strings.
 */
typedef VEC(char *) slice_list;
void chart_slices(const struct chart_rows *rows, slice_list *out);

/*
 * Stores, for each row, whether its result is right and --where and --kernels select it. The caller
 * frees the array.
 */
bool chart_rows_asked(const struct results *run, const struct chart_options *options, bool **out,
                      struct error *e);

/* Returns a row's median time in µs, or NaN if there is none to show. */
double chart_time(const struct chart_rows *r, uint32_t row);

/* Returns whether two rows are in the same slice, apart from the cache state. */
bool chart_same_slice(const struct results *run, uint32_t a, uint32_t b);

/*
 * Computes the 95 % interval of the ratio of two rows' times. Combines the intervals of the two
 * medians on a log scale, as `redsweep diff` does. Both ends are NaN if one of the rows has no
 * interval.
 */
void chart_ratio_ends(const struct chart_rows *r, uint32_t slow, uint32_t fast, double *low,
                      double *high);

/*
 * Appends a row's setting, such as "128 × 8, loads 4" for block size 128 and unroll factor 8. An
 * unroll factor of 1 is left out.
 */
void chart_setting(const struct chart_rows *r, uint32_t row, struct text *out);
/* Adds the column "setting" to a table. `rows` has the run's row for each row of the table. */
void chart_add_settings(const struct chart_rows *r, const uint32_t *rows, struct table *t);

/* Returns the reason why the chart has no times to show. */
const char *chart_no_times(const struct chart_rows *r);

/*
 * Returns whether a row's kernel reads most of its input with bulk copies instead of loads. This is
 * the case if its loads touch less than a hundredth of the input's sectors; `sectors` is how many
 * they touch.
 */
bool chart_reads_in_bulk(const struct chart_rows *r, uint32_t row, double sectors);

#endif
