/*
 * A run as it was recorded: rows of results.csv, samples of samples.csv, and the manifest
 * (run.json), which states their origin. Every part that reads results begins here, and nothing
 * here needs a device.
 *
 * Only results.csv is required. Without a manifest only the device's name is known, and units are
 * missing; without samples.csv there are only medians and their intervals. Columns are found by
 * name, so files of other versions can be read: a column that this version does not know is a
 * tunable if it comes before `grid`, else a metric. Older files name tunables without their prefix;
 * reading adds it.
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

enum { RESULTS_DIGITS = 5 }; /* significant digits of a recorded number, for people */

enum column_role { ROLE_AXIS, ROLE_TUNABLE, ROLE_FACT, ROLE_METRIC };

struct results_column {
    enum column_role role; /* ROLE_AXIS: an axis of base/axes.def */
    const char *missing;   /* why all its cells are missing, else ""; of the manifest */
};

struct process_times;
struct results_kernel;

struct results {
    char *path;                     /* the path as it was given, without a slash at its end */
    char *folder;                   /* the folder of results.csv */
    struct table rows;              /* results.csv */
    struct results_column *columns; /* the role of each of rows.columns in a run */
    struct results_kernel *kernels; /* indexed by the codes of the column of kernels */
    unsigned *flags;                /* FLAG_… of each row */
    bool *varies;               /* FLAG_COUNTS_VARY of each row, for counts as people read them */
    struct known_columns known; /* the axes, and columns of `rows` that columns.def lists */
    bool has_manifest;          /* false: `manifest` has only the columns' names */
    struct manifest manifest;   /* its columns correspond to those of `rows`, in their order */
    double *samples;            /* the samples in µs, ordered by row; NULL without samples.csv */
    size_t
        *first_sample; /* an entry for each row and one more at the end; NULL without samples.csv */
    struct process_times
        *pooled; /* an entry for each row of a pool of runs (pool.h); NULL for one run */
    struct text pooled_words; /* the pool's runs as words of a command; empty: one run */
    VEC(const char *)
    changed; /* names of kernels that have changed since they were measured, if a command has
                                     checked (cli/changed.h); of the manifest */
    double highest_share[CACHE_COUNT]; /* highest ceiling_pct by cache state; at least 100 */
};

/*
 * Reads a run, given by its folder or its results.csv. It is ERROR_CONFIG if the folder is not a run, a cell
 * is not allowed in its column (table.h), a column that every run has is missing, the results are of a
 * newer version than this one reads, a point has two rows, or samples.csv does not have as many
 * samples of a point as its row says.
 */
bool results_read(const char *path, struct results *out, struct error *e);
void results_free(struct results *r);

/* Returns whether the run is a published table, whose cells were printed and are therefore rounded. */
bool results_published(const struct results *r);

/* Returns a row's value of an axis, as a text even if it is a number. */
const char *results_axis(const struct results *r, size_t row, enum axis_index axis);

/*
 * Returns a row's bandwidth in % of the achievable one: that of the streaming read measured at the run's
 * start, or that of the row of the same cache state with the highest bandwidth, if that is higher. So no row
 * that was sampled to the end exceeds 100. The result is NaN if the row has no ceiling_pct.
 */
double results_achieved(const struct results *r, size_t row);

/*
 * Returns whether the run has a column for the axis; without one, results_axis() returns the axis's fallback.
 */
bool results_has_axis(const struct results *r, enum axis_index axis);

/* Writes the shape of a row's input in words (shape_text()), also of older runs. Returns `out`. */
const char *results_shape(const struct results *r, size_t row, char out[SHAPE_TEXT]);

/* Returns whether the shape states the axis's value, so that people need not read both. */
bool axis_in_shape(enum axis_index axis);

/* Returns the set of axes for which some run has a column: bit i is axis i. */
unsigned results_axes(const struct results *runs, size_t count);

/*
 * Returns whether an axis, like the tunables, is part of a configuration (kernel, block, unroll: how a result
 * is computed). All other axes make up the problem: what is computed, and which part of the computation is
 * timed.
 */
bool axis_is_configuration(enum axis_index axis);

/* Returns a row's samples in the order taken, or NULL and 0 when there are none. */
const double *results_samples(const struct results *r, size_t row, size_t *count);

/* A row's kernel, described by its facts; texts belong to the run, or are constants. */
struct results_kernel {
    struct role role;
    const char *workload; /* reduce, matrix_sum …; "" if the run does not record it */
    const char *racy;     /* why it may be wrong although it passed; "" if it may not */
    bool counts_vary;     /* counts vary from launch to launch */
};
const struct results_kernel *results_kernel(const struct results *r, size_t row);
/* Fills `kernels` from the rows and the manifest; needed for a run that was made and not read. */
void results_find_kernels(struct results *r);

/* Returns whether a row's counts differ from launch to launch (FLAG_COUNTS_VARY). */
bool results_counts_vary(const struct results *r, size_t row);

/* Returns a kernel's workload (reduce, matrix_sum …), or "" if the run does not record it. */
const char *results_workload(const struct results *r, const char *kernel);

/* Returns a kernel's role; its text `bounds` belongs to the run, or is a constant. */
struct role results_role(const struct results *r, const char *kernel);

/* Returns the device's name and backend, from the manifest or from the rows, or "" in an empty run. */
const char *results_device(const struct results *r);
const char *results_backend(const struct results *r);

/* Appends "block 128, unroll 4, loads 2": the setting of a row's kernel, without tunables that it lacks. */
void results_setting(const struct results *r, size_t row, struct text *out);
/* Appends "unroll, block 128, unroll 4": the kernel's name and the setting. */
void results_configuration(const struct results *r, size_t row, struct text *out);

/* Returns whether a row's whole result was checked and right. */
bool results_ok(const struct results *r, size_t row);
/* Returns whether a row's result was wrong, although the kernel ran to its end. */
bool results_wrong(const struct results *r, size_t row);
/* Returns whether a row's counts are reliable: results_ok(), or only a sample of blocks ran. */
bool results_good(const struct results *r, size_t row);

/* Returns whether the clock hardly resolves the row's time (FLAG_UNRESOLVED). */
bool results_unresolved(const struct results *r, size_t row);

/* Returns whether any time of the run comes from another run (FLAG_RECALLED). */
bool results_recalled(const struct results *r);

/* Returns whether the point lost a race (FLAG_RACED), so that its median is not a verdict on it. */
bool results_raced(const struct results *r, size_t row);

#endif
