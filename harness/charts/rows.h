/*
 * Which rows of a run a chart shows. A run may have several types, operations and cache states: a
 * chart shows one slice of them, that with most points among the rows that were asked for.
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
        *slice;  /* of chart_slices(); NULL: the one with most points among the rows asked for */
    double size; /* rows of this n alone; 0: of all */
    const char *relative_to;    /* a kernel */
    bool log_x, log_y;          /* the axis is the other way than by default: logarithmic or not */
    bool several;               /* the run is several, as runs_join() makes it */
    const struct results *runs; /* these, each as it was read; NULL of one */
    int width;                  /* CANVAS_… */
    bool no_title;
    const char *formats; /* with commas between them */
    const char *font;
    const char *suffix;          /* of the files' names */
    const char *data;            /* the folder that holds plots/ */
    const struct results *truth; /* what the chart search compares with; NULL */
    const struct peers *peers;   /* what the chart shapes shows beside the run (peers.h); NULL */
};

enum { CANVAS_SCREEN = 960, CANVAS_PAGE = 756, CANVAS_COLUMN = 413 };

struct chart_rows {
    const struct results *run;
    const struct chart_options *options;
    struct kernel_index ladder;
    /* The run's columns; NULL where it has none of the name. */
    const struct column *kernel, *n, *block, *unroll, *time, *low, *high, *gbs, *card, *backend;
    const struct column *run_column; /* of several runs (runs.h): which; NULL: of one */
    bool *asked_rows;                /* of each row, whether it is right and asked for */
    VEC(uint32_t) shown;             /* rows of the slice */
    VEC(uint32_t) limits; /* rows of the slice's type and axes whose kernels read the whole input */
    char *slice;          /* "int32 sum, cold, scope kernel" */
    const char *scope;    /* of the slice; some kernels have the other one only */
    char *others;         /* further slices; "" */
    char *device, *timed_device;
    size_t asked;      /* rows that are right and asked for */
    size_t unresolved; /* of them without a time, since the clock hardly resolves it */
    bool clockless;    /* a simulator's run: times in it are the CPU's */
    bool are_others;   /* those that are shown are no reductions, and the run has reductions, too */
    bool has_others;   /* there are kernels that are no reductions, which are not shown */
    double peak;       /* GB/s; 0: not known */
};

/*
 * `others` shows the kernels that are no reductions, where the run has both. The result borrows the
 * run and the options, and is the caller's: chart_rows_free(). ERROR_USAGE for what was asked.
 */
bool chart_rows_choose(const struct results *run, const struct chart_options *options, bool others,
                       struct chart_rows *out, struct error *e);
void chart_rows_free(struct chart_rows *r);

/* The slices of the reductions of a run, from the one with most points; texts, the caller's. */
typedef VEC(char *) slice_list;
void chart_slices(const struct chart_rows *rows, slice_list *out);

/* Which rows are right and asked for (--where, --kernels): one bool a row, the caller's. */
bool chart_rows_asked(const struct results *run, const struct chart_options *options, bool **out,
                      struct error *e);

/* A row's median, µs; NaN: it has none that can be shown. */
double chart_time(const struct chart_rows *r, uint32_t row);

/* Whether two rows differ in nothing that a slice has but the state of the cache. */
bool chart_same_slice(const struct results *run, uint32_t a, uint32_t b);

/*
 * The 95 % interval of one row's time over another's, from those of both medians, on logarithms (as
 * `redsweep diff` does). NaN: one has none.
 */
void chart_ratio_ends(const struct chart_rows *r, uint32_t slow, uint32_t fast, double *low,
                      double *high);

/* A row's setting: "128 × 8, loads 4", a block size of 1 and an unroll factor of 1 left out. */
void chart_setting(const struct chart_rows *r, uint32_t row, struct text *out);
/* Adds the column "setting" of these rows, one for each row of the table. */
void chart_add_settings(const struct chart_rows *r, const uint32_t *rows, struct table *t);

/* Why there are no times to show. */
const char *chart_no_times(const struct chart_rows *r);

/*
 * Whether most of a row's input came as bulk copies, which are no loads: its loads touched less than a hundredth of
 * the input's sectors.
 */
bool chart_reads_in_bulk(const struct chart_rows *r, uint32_t row, double sectors);

#endif
