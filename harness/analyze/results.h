/*
 * A run as it was recorded: rows of results.csv, samples of samples.csv, and the manifest
 * (run.json) that says where they come from. Everything that looks at results begins here, and
 * nothing here needs a device.
 *
 * Only results.csv has to be there. Without a manifest nothing is known of the device but its
 * name, and units are missing; without samples.csv there are only medians and their intervals.
 * Columns are found by name, so files of other versions can be read: a column that this version
 * does not know is a tunable when it comes before `grid`, else a metric. Older files name tunables
 * without their prefix; read, their names have it.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_H
#define REDSWEEP_ANALYZE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/axes.h"
#include "base/element.h"
#include "base/error.h"
#include "base/role.h"
#include "base/text.h"
#include "record/columns.h"
#include "record/flags.h"
#include "record/manifest.h"
#include "record/outcome.h"
#include "table/table.h"

enum { RESULTS_DIGITS = 5 }; /* significant ones of a recorded number, for people */

enum column_role { ROLE_AXIS, ROLE_TUNABLE, ROLE_FACT, ROLE_METRIC };

struct results_column {
    enum column_role role; /* ROLE_AXIS: those of base/axes.def */
    const char *missing;   /* why all its cells are; "" when they are not; the manifest's */
};

struct process_times;
struct results_kernel;

struct results {
    char *path;                     /* as given, without a slash at its end */
    char *folder;                   /* of results.csv */
    struct table rows;              /* results.csv */
    struct results_column *columns; /* what each of rows.columns is in a run */
    struct results_kernel *kernels; /* by the codes of the column of kernels */
    unsigned *flags;                /* FLAG_… of each row */
    bool *varies;                 /* FLAG_COUNTS_VARY of each row, for counts as people read them */
    struct known_columns known;   /* those of `rows` that columns.def has, and the axes */
    bool has_manifest;            /* false: all of `manifest` is missing but its columns' names */
    struct manifest manifest;     /* its columns are those of `rows`, in their order */
    double *samples;              /* µs, those of a row side by side; NULL without samples.csv */
    size_t *first_sample;         /* of row i, i = 0 … row_count; NULL without samples.csv */
    struct process_times *pooled; /* of each row of a pool of runs (pool.h); NULL: one run */
    struct text pooled_words;     /* the pool's runs as words of a command; empty: one run */
    VEC(const char *)
    changed; /* names of kernels that are no longer what was measured, where a
                                     command has looked (cli/changed.h); of the manifest */
    double highest_share[CACHE_COUNT]; /* by cache state: of ceiling_pct, over right rows; ≥ 100 */
};

/*
 * Reads a run: its folder, or its results.csv. ERROR_CONFIG for what is not a run, for a cell that
 * its column does not allow (table.h), for columns that every run has and this file lacks, for
 * results of a newer version than this one reads, for two rows of one point, and for a samples.csv
 * that has not as many samples of a point as its row says.
 */
bool results_read(const char *path, struct results *out, struct error *e);
void results_free(struct results *r);

/* Whether the run is a published table: its cells were printed, so they are rounded. */
bool results_published(const struct results *r);

/* A row's value of an axis, of a text or of a number as a text. */
const char *results_axis(const struct results *r, size_t row, enum axis_index axis);

/*
 * A row's bandwidth in % of what is achievable: of the streaming read measured at the run's start,
 * or of the row of the same cache state with the highest bandwidth where that is faster still. So
 * no row that was sampled to the end exceeds 100. NaN when the row has no ceiling_pct.
 */
double results_achieved(const struct results *r, size_t row);

/* Whether the run has a column for the axis; without one results_axis() is the axis's fallback. */
bool results_has_axis(const struct results *r, enum axis_index axis);

/* The shape of a row's input in words (shape_text()); older runs have no column for it. Returns `out`. */
const char *results_shape(const struct results *r, size_t row, char out[SHAPE_TEXT]);

/* Whether the shape says what the axis does, so that people need not read both. */
bool axis_in_shape(enum axis_index axis);

/* The axes that any of the runs has a column for, as a set: bit i is axis i. */
unsigned results_axes(const struct results *runs, size_t count);

/*
 * Whether an axis is part of a configuration (kernel, block, unroll: how it is computed), like the
 * tunables; the others make up the problem (what is computed, and from where to where it is timed).
 */
bool axis_is_configuration(enum axis_index axis);

/* A row's samples in the order taken; NULL and 0 when there are none. */
const double *results_samples(const struct results *r, size_t row, size_t *count);

/* What a row's kernel is, by its facts; texts are the run's, or constants. */
struct results_kernel {
    struct role role;
    const char *workload; /* reduce, matrix_sum …; "" where the run does not tell */
    const char *racy;     /* why it may give wrong results although it passed; "" when it may not */
    bool counts_vary;     /* from launch to launch */
};
const struct results_kernel *results_kernel(const struct results *r, size_t row);
/* Of a run that was not read but made: from its rows and its manifest. */
void results_find_kernels(struct results *r);

/* Whether a row's counts differ from launch to launch (FLAG_COUNTS_VARY). */
bool results_counts_vary(const struct results *r, size_t row);

/* What kind of work a kernel does (reduce, matrix_sum …); "" when the run does not tell. */
const char *results_workload(const struct results *r, const char *kernel);

/* What a kernel is for; `bounds` is the run's, or a constant. */
struct role results_role(const struct results *r, const char *kernel);

/* The device's name and backend, from the manifest or from the rows; "" in an empty run. */
const char *results_device(const struct results *r);
const char *results_backend(const struct results *r);

/* "block 128, unroll 4, loads 2": what a row's kernel was set to, tunables it lacks left out. */
void results_setting(const struct results *r, size_t row, struct text *out);
/* "unroll, block 128, unroll 4": with the kernel's name. */
void results_configuration(const struct results *r, size_t row, struct text *out);

/* Whether a row's result was right, all of it. */
bool results_ok(const struct results *r, size_t row);
/* Whether it was wrong: the kernel has run to its end all the same. */
bool results_wrong(const struct results *r, size_t row);
/* The same as results_ok(), or sampled: its counts can be relied on. */
bool results_good(const struct results *r, size_t row);

/* Whether the clock hardly resolves the row's time (FLAG_UNRESOLVED). */
bool results_unresolved(const struct results *r, size_t row);

/* Whether any of the run's times comes from another run (FLAG_RECALLED). */
bool results_recalled(const struct results *r);

/* Whether the point lost a race (FLAG_RACED): its median is no verdict on it. */
bool results_raced(const struct results *r, size_t row);

#endif
