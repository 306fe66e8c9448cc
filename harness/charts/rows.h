/*
 * Which rows of a run a chart shows. A run may have several types, operations and cache states: a
 * chart shows one slice of them, the one with most points among the rows that were asked for.
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

/* What the user asked for; NULL and false: nothing. */
struct chart_options {
    const char *where;      /* an expression over a row's columns and its kernel's role */
    const char *kernels;    /* names and globs, with commas between them */
    const char *x, *y, *by; /* columns */
    const char
        *slice;  /* from chart_slices(); NULL: the one with most points among the rows asked for */
    double size; /* only rows with this n; 0: all */
    const char *relative_to;    /* a kernel */
    bool log_x, log_y;          /* the axis is the opposite of the default: logarithmic or not */
    bool several;               /* the run consists of several, as runs_join() makes it */
    const struct results *runs; /* these runs, each as it was read; NULL for one */
    int width;                  /* CANVAS_… */
    bool no_title;
    const char *formats; /* with commas between them */
    const char *font;
    const char *suffix;          /* suffix of the files' names */
    const char *data;            /* the folder that holds plots/ */
    const struct results *truth; /* the run that the chart search compares with; NULL */
    const struct peers *peers;   /* peers that the chart shapes shows beside the run; NULL */
};

enum { CANVAS_SCREEN = 960, CANVAS_PAGE = 756, CANVAS_COLUMN = 413 };

struct chart_rows {
    const struct results *run;
    const struct chart_options *options;
    struct kernel_index ladder;
    /* The run's columns; NULL if it has none of the name. */
    const struct column *kernel, *n, *block, *unroll, *time, *low, *high, *gbs, *card, *backend;
    const struct column *run_column; /* which of several runs (runs.h); NULL: one run */
    bool *asked_rows;                /* for each row, whether it is right and asked for */
    VEC(uint32_t) shown;             /* rows of the slice */
    VEC(uint32_t) limits; /* rows of the slice's type and axes whose kernels read the whole input */
    char *slice;          /* "int32 sum, cold, scope kernel" */
    const char *scope;    /* that of the slice; some kernels have only the other one */
    char *others;         /* further slices; "" */
    char *device, *timed_device;
    size_t asked;      /* rows that are right and asked for */
    size_t unresolved; /* number of them without a time, because the clock hardly resolves it */
    bool clockless;    /* a simulator's run: its times are those of the CPU */
    bool are_others;   /* the rows shown are not reductions, and the run also has reductions */
    bool has_others;   /* there are kernels that are not reductions, and they are not shown */
    double peak;       /* GB/s; 0: not known */
};

/*
 * `others` shows the kernels that are not reductions, if the run has both. The result borrows the
 * run and the options, and is the caller's: chart_rows_free(). ERROR_USAGE for mistakes in the
 * request.
 */
bool chart_rows_choose(const struct results *run, const struct chart_options *options, bool others,
                       struct chart_rows *out, struct error *e);
void chart_rows_free(struct chart_rows *r);

/* The slices of a run's reductions, beginning with the one with most points; texts, the
 * caller's. */
typedef VEC(char *) slice_list;
void chart_slices(const struct chart_rows *rows, slice_list *out);

/* For each row whether it is right and asked for (--where, --kernels); an array of bool, the
 * caller's. */
bool chart_rows_asked(const struct results *run, const struct chart_options *options, bool **out,
                      struct error *e);

/* A row's median in µs; NaN if it has none that can be shown. */
double chart_time(const struct chart_rows *r, uint32_t row);

/* Whether two rows differ, among the axes of a slice, at most in the cache state. */
bool chart_same_slice(const struct results *run, uint32_t a, uint32_t b);

/*
 * The 95 % interval of one row's time over another's, from those of both medians, on logarithms (as
 * `redsweep diff` does). NaN if one has none.
 */
void chart_ratio_ends(const struct chart_rows *r, uint32_t slow, uint32_t fast, double *low,
                      double *high);

/* A row's setting: "128 × 8, loads 4", without a block size of 1 and an unroll factor of 1. */
void chart_setting(const struct chart_rows *r, uint32_t row, struct text *out);
/* Adds the column "setting" of these rows, one for each row of the table. */
void chart_add_settings(const struct chart_rows *r, const uint32_t *rows, struct table *t);

/* The reason why there are no times to show. */
const char *chart_no_times(const struct chart_rows *r);

/*
 * Whether most of a row's input came as bulk copies, which are not loads: its loads touched less than a hundredth
 * of the input's sectors.
 */
bool chart_reads_in_bulk(const struct chart_rows *r, uint32_t row, double sectors);

#endif
