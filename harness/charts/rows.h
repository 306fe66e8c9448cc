/*
 * Chooses the rows of a run that a chart shows. A run may contain several types, operations and
 * cache states. A chart shows one combination of these, which is called a slice. By default, this
 * is the slice with the most points among the rows that were asked for.
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

/* These are the user's options. NULL, 0 and false mean that an option was not given. */
struct chart_options {
    const char *where;      /* an expression over the columns of a row and the role of its kernel */
    const char *kernels;    /* a list of names and globs, separated by commas */
    const char *x, *y, *by; /* These are names of columns. */
    /*
     * This is one of the slices that chart_slices() lists. NULL selects the slice with the most
     * points among the rows that were asked for.
     */
    const char *slice;
    double size;             /* Only rows with this n are shown. 0 shows all. */
    const char *relative_to; /* the name of a kernel */
    /* If true, the axis is logarithmic where it is linear by default, and linear where it is
     * logarithmic. */
    bool log_x, log_y;
    bool several; /* This is true if the run consists of several runs that runs_join() joined. */
    const struct results *runs; /* the same runs, each as it was read, or NULL for a single run */
    int width;                  /* one of CANVAS_… */
    bool no_title;
    const char *formats; /* the formats, separated by commas */
    const char *font;
    const char *suffix;          /* the suffix of the files' names */
    const char *data;            /* the folder that contains plots/ */
    const struct results *truth; /* the run of --truth for the chart `search`, or NULL */
    const struct peers *peers;   /* the peers that the chart `shapes` shows, or NULL */
};

enum { CANVAS_SCREEN = 960, CANVAS_PAGE = 756, CANVAS_COLUMN = 413 };

struct chart_rows {
    const struct results *run;
    const struct chart_options *options;
    struct kernel_index ladder;
    /* These are columns of the run. If the run lacks a column, its pointer is NULL. */
    const struct column *kernel, *n, *block, *unroll, *time, *low, *high, *gbs, *card, *backend;
    /* This column contains the name of each row's run (runs.h). It is NULL for a single run. */
    const struct column *run_column;
    bool *asked_rows;    /* This states for each row whether it is right and was asked for. */
    VEC(uint32_t) shown; /* the rows of the slice */
    /* These rows have the type and the axes of the slice, and their kernels read the whole
     * input. */
    VEC(uint32_t) limits;
    char *slice; /* the name of the slice, such as "int32 sum, cold, scope kernel" */
    /*
     * This is the scope that most kernels of the slice have. Some kernels have only the other
     * scope.
     */
    const char *scope;
    char *others; /* the names of further slices, or "" */
    char *device, *timed_device;
    size_t asked; /* the number of rows that are right and were asked for */
    /* This is the number of these rows that have no time because it is too short for the clock. */
    size_t unresolved;
    bool clockless; /* This is true for a run of the simulator, whose times are those of the CPU. */
    /* This is true if the shown rows are not reductions although the run also has reductions. */
    bool are_others;
    /* This is true if the run has kernels that are not reductions and are not shown. */
    bool has_others;
    double peak; /* The unit is GB/s. This is 0 if it is not known. */
};

/*
 * Chooses the rows. If the run has reductions and other kernels, `others` selects the other
 * kernels. The result points into the run and the options. The caller must call chart_rows_free()
 * on it. If an option is invalid, the error is ERROR_USAGE.
 */
bool chart_rows_choose(const struct results *run, const struct chart_options *options, bool others,
                       struct chart_rows *out, struct error *e);
void chart_rows_free(struct chart_rows *r);

/*
 * Lists the slices of the run's reductions, beginning with the one that has the most points. The
 * caller frees the list and its strings.
 */
typedef VEC(char *) slice_list;
void chart_slices(const struct chart_rows *rows, slice_list *out);

/*
 * Stores for each row whether its result is right and the row is selected by --where and --kernels.
 * The caller frees the array.
 */
bool chart_rows_asked(const struct results *run, const struct chart_options *options, bool **out,
                      struct error *e);

/* Returns the median time of a row in µs, or NaN if the row has no time that can be shown. */
double chart_time(const struct chart_rows *r, uint32_t row);

/* Returns whether two rows belong to the same slice, or to slices that differ only in the cache
 * state. */
bool chart_same_slice(const struct results *run, uint32_t a, uint32_t b);

/*
 * Computes the 95 % interval of the ratio of two rows' times. It combines the intervals of the two
 * medians as intervals of logarithms, as `redsweep diff` does. Both ends are NaN if a row has no
 * interval.
 */
void chart_ratio_ends(const struct chart_rows *r, uint32_t slow, uint32_t fast, double *low,
                      double *high);

/*
 * Appends the setting of a row, such as "128 × 8, loads 4". Here 128 is the block size and 8 is the
 * unroll factor. An unroll factor of 1 is left out.
 */
void chart_setting(const struct chart_rows *r, uint32_t row, struct text *out);
/*
 * Adds the column "setting" to a table. For each row of the table, `rows` contains the
 * corresponding row of the run.
 */
void chart_add_settings(const struct chart_rows *r, const uint32_t *rows, struct table *t);

/* Returns the words that state why there are no times to show. */
const char *chart_no_times(const struct chart_rows *r);

/*
 * Returns whether a row reads most of its input through bulk copies, which are not loads. This is
 * the case if its loads touch less than a hundredth of the input's sectors.
 */
bool chart_reads_in_bulk(const struct chart_rows *r, uint32_t row, double sectors);

#endif
