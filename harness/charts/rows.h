/*
 * Chooses the rows of a run that a chart shows. A run may have several types, operations and cache
 * states; a chart shows one combination of them, a slice. By default, it is the slice with the most
 * points among the requested rows.
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

/* The user's options. NULL, 0 and false stand for options that were not given. */
struct chart_options {
    const char *where;      /* an expression over a row's columns and its kernel's role */
    const char *kernels;    /* names and globs, separated by commas */
    const char *x, *y, *by; /* column names */
    /* one of chart_slices(), or NULL for the one with the most points among the requested rows */
    const char *slice;
    double size;             /* show only this n, or all if 0 */
    const char *relative_to; /* a kernel */
    /* swaps linear and logarithmic relative to the default */
    bool log_x, log_y;
    bool several; /* whether the run consists of several runs that runs_join() joined */
    const struct results *runs; /* these runs as they were read, or NULL for a single run */
    int width;                  /* one of CANVAS_… */
    bool no_title;
    const char *formats; /* separated by commas */
    const char *font;
    const char *suffix;          /* of the files' names */
    const char *data;            /* the folder with plots/ */
    const struct results *truth; /* the run of --truth for the chart `search`, or NULL */
    const struct peers *peers;   /* peers for the chart `shapes`, or NULL */
};

enum { CANVAS_SCREEN = 960, CANVAS_PAGE = 756, CANVAS_COLUMN = 413 };

struct chart_rows {
    const struct results *run;
    const struct chart_options *options;
    struct kernel_index ladder;
    /* columns of the run, or NULL if it lacks them */
    const struct column *kernel, *n, *block, *unroll, *time, *low, *high, *gbs, *card, *backend;
    /* the name of each row's run (runs.h), or NULL for a single run */
    const struct column *run_column;
    bool *asked_rows;    /* whether each row is right and was requested */
    VEC(uint32_t) shown; /* the rows of the slice */
    /* rows with the slice's type and axes whose kernels read the whole input */
    VEC(uint32_t) limits;
    char *slice; /* such as "int32 sum, cold, scope kernel" */
    /* the scope of most kernels in the slice; some may have only the other one */
    const char *scope;
    char *others; /* names of further slices, or "" */
    char *device, *timed_device;
    size_t asked; /* rows that are right and were requested */
    /* those of them without a time, because it is too short for the clock */
    size_t unresolved;
    bool clockless; /* a run of the simulator, whose times are those of the CPU */
    /* whether the shown rows are not reductions although the run also has reductions */
    bool are_others;
    /* whether the run has kernels that are not reductions and are not shown */
    bool has_others;
    double peak; /* in GB/s, or 0 if unknown */
};

/*
 * Chooses the rows. If the run has reductions and other kernels, `others` selects the others. The
 * result points into the run and the options. The caller must call chart_rows_free() on it. Fails
 * with ERROR_USAGE if an option is invalid.
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
 * Stores whether each row's result is right and --where and --kernels select it. The caller frees
 * the array.
 */
bool chart_rows_asked(const struct results *run, const struct chart_options *options, bool **out,
                      struct error *e);

/* Returns a row's median time in µs, or NaN if there is none to show. */
double chart_time(const struct chart_rows *r, uint32_t row);

/* Returns whether two rows are in the same slice, ignoring the cache state. */
bool chart_same_slice(const struct results *run, uint32_t a, uint32_t b);

/*
 * Computes the 95 % interval of the ratio of two rows' times. Combines the intervals of the two
 * medians on a log scale, as `redsweep diff` does. Both ends are NaN if a row has no interval.
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

/* Returns why there are no times to show. */
const char *chart_no_times(const struct chart_rows *r);

/*
 * Returns whether a row reads most of its input through bulk copies rather than loads: its loads
 * touch less than a hundredth of the input's sectors.
 */
bool chart_reads_in_bulk(const struct chart_rows *r, uint32_t row, double sectors);

#endif
