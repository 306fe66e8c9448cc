/*
 * Reads a run as it was recorded: the rows of results.csv, the samples of samples.csv, and the
 * manifest (run.json), which states their origin. All code that reads results uses these functions,
 * and none of them needs a device.
 *
 * Only results.csv is required. Without a manifest, the origin is unknown except for the device's
 * name, and units are missing. Without samples.csv, there are only medians and their intervals.
 * Columns are found by name, so that files of other versions can be read. A column that this
 * version does not know is treated as a tunable if it comes before `grid`, and as a metric
 * otherwise. In older files, the names of tunables lack the prefix TUNABLE_PREFIX, so
 * results_read() adds it.
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
    enum column_role role; /* ROLE_AXIS if the column is an axis of base/axes.def */
    const char *missing;   /* why all cells are missing, or ""; the manifest owns the string */
};

struct process_times;
struct results_kernel;

struct results {
    char *path;                     /* the path as it was given, without a slash at its end */
    char *folder;                   /* the folder of results.csv */
    struct table rows;              /* results.csv */
    struct results_column *columns; /* an entry for each of rows.columns */
    struct results_kernel *kernels; /* the kernels, indexed by the codes of their column */
    unsigned *flags;                /* FLAG_… of each row */
    bool *varies;                   /* whether each row has FLAG_COUNTS_VARY */
    struct known_columns known;     /* the axes, and columns of `rows` that columns.def lists */
    bool has_manifest;              /* if false, `manifest` contains only the names of columns */
    struct manifest manifest;       /* its columns correspond to those of `rows`, in their order */
    double *samples; /* the samples in µs, ordered by row, or NULL without samples.csv */
    size_t
        /* an entry for each row and one more at the end, or NULL without samples.csv */
        *first_sample;
    struct process_times
        *pooled; /* an entry for each row of a pool of runs (pool.h), or NULL for one run */
    struct text pooled_words; /* the pool's runs as words of a command, or "" for one run */
    /*
     * the names of kernels that have changed since they were measured, if a command has checked
     * this (cli/changed.h); the manifest owns the strings
     */
    VEC(const char *) changed;
    /* the highest ceiling_pct for each cache state, but at least 100 */
    double highest_share[CACHE_COUNT];
};

/*
 * Reads a run. `path` is its folder or its results.csv. The error is ERROR_CONFIG if the folder is
 * not a run or if the run's version is too new. It is also ERROR_CONFIG if a cell is not allowed in
 * its column (table.h), a required column is missing, or a point has two rows. The same holds if
 * the number of a point's samples in samples.csv differs from the number that its row states.
 */
bool results_read(const char *path, struct results *out, struct error *e);
void results_free(struct results *r);

/* Returns whether the run is a published table, whose values were rounded for print. */
bool results_published(const struct results *r);

/* Returns a row's value of an axis as a string, even if it is a number. */
const char *results_axis(const struct results *r, size_t row, enum axis_index axis);

/*
 * Returns a row's bandwidth in % of the achievable bandwidth. The achievable bandwidth is that of
 * the streaming read that was measured at the run's start or, if rows with the same cache state
 * have higher bandwidths, the highest of these. Therefore no row that was sampled to the end
 * exceeds 100 %. The result is NaN if the row has no ceiling_pct.
 */
double results_achieved(const struct results *r, size_t row);

/*
 * Returns whether the run has a column for the axis. If it has none, results_axis() returns the
 * axis's fallback.
 */
bool results_has_axis(const struct results *r, enum axis_index axis);

/*
 * Writes the shape of a row's input in words (shape_text()). The function also works for older
 * runs. Returns `out`.
 */
const char *results_shape(const struct results *r, size_t row, char out[SHAPE_TEXT]);

/* Returns whether the text of the shape already states the axis's value. */
bool axis_in_shape(enum axis_index axis);

/* Returns the set of axes for which at least one run has a column. Bit i stands for axis i. */
unsigned results_axes(const struct results *runs, size_t count);

/*
 * Returns whether an axis is part of a configuration. A configuration determines how a result is
 * computed; its axes are kernel, block and unroll, and tunables are also part of it. All other axes
 * make up the problem: what is computed, and which part of the computation is timed.
 */
bool axis_is_configuration(enum axis_index axis);

/*
 * Returns a row's samples in the order in which they were taken, and stores their number. Without
 * samples, it returns NULL and stores 0.
 */
const double *results_samples(const struct results *r, size_t row, size_t *count);

/* Describes a row's kernel by its facts. The strings belong to the run or are constants. */
struct results_kernel {
    struct role role;
    const char *workload; /* reduce, matrix_sum …, or "" if the run does not record it */
    const char *racy;     /* why it may be wrong although it passed, or "" */
    bool counts_vary;     /* the counts vary from launch to launch */
};
const struct results_kernel *results_kernel(const struct results *r, size_t row);
/*
 * Fills `kernels` from the rows and the manifest. results_read() calls it; a program that builds a
 * run in memory must call it, too.
 */
void results_find_kernels(struct results *r);

/* Returns whether a row's counts differ from launch to launch (FLAG_COUNTS_VARY). */
bool results_counts_vary(const struct results *r, size_t row);

/* Returns a kernel's workload (reduce, matrix_sum …), or "" if the run does not record it. */
const char *results_workload(const struct results *r, const char *kernel);

/* Returns a kernel's role. The role's string `bounds` belongs to the run or is a constant. */
struct role results_role(const struct results *r, const char *kernel);

/*
 * These functions return the device's name and its backend, from the manifest or otherwise from the
 * first row. Each of them returns "" if the manifest does not state the value and there are no
 * rows.
 */
const char *results_device(const struct results *r);
const char *results_backend(const struct results *r);

/*
 * Appends the setting of a row, such as "block 128, unroll 4, loads 2". Tunables that the kernel
 * lacks are left out.
 */
void results_setting(const struct results *r, size_t row, struct text *out);
/*
 * Returns whether the setting of a row is larger than that of another row of the same kernel: in
 * the block or, if the blocks are equal, in the unroll factor. Without times, a kernel is shown at
 * its largest setting.
 */
bool results_larger_setting(const struct results *r, size_t row, size_t than);
/* Appends the kernel's name and the setting, such as "unroll, block 128, unroll 4". */
void results_configuration(const struct results *r, size_t row, struct text *out);

/* Returns whether a row's whole result was checked and was right. */
bool results_ok(const struct results *r, size_t row);
/* Returns whether a row's result was wrong, although the kernel ran to its end. */
bool results_wrong(const struct results *r, size_t row);
/*
 * Returns whether a row's counts are reliable. This is the case if results_ok() is true or if only
 * a sample of blocks was executed.
 */
bool results_good(const struct results *r, size_t row);

/*
 * Returns whether the row's time is too short for the clock to measure reliably (FLAG_UNRESOLVED).
 */
bool results_unresolved(const struct results *r, size_t row);

/* Returns whether any time of the run comes from another run (FLAG_RECALLED). */
bool results_recalled(const struct results *r);

/*
 * Returns whether the search dropped the point early (FLAG_RACED). The point's median then comes
 * from too few samples to judge the point.
 */
bool results_raced(const struct results *r, size_t row);

#endif
