/*
 * Reads a run as it was recorded: the rows in results.csv, the samples in samples.csv, and the
 * manifest (run.json), which states how the rows were measured. All code that reads results uses
 * these functions. None of them needs a device.
 *
 * Only results.csv is required. Without a manifest, only the device's name is known, and units are
 * missing. Without samples.csv, there are only medians and their intervals. Columns are looked up
 * by name, so files of other versions can be read. An unknown column counts as a tunable if it
 * comes before `grid`, and as a metric otherwise. Tunables in older files lack the prefix
 * TUNABLE_PREFIX, so results_read() adds it.
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

enum { RESULTS_DIGITS = 5 }; /* significant digits shown to people */

enum column_role { ROLE_AXIS, ROLE_TUNABLE, ROLE_FACT, ROLE_METRIC };

struct results_column {
    enum column_role role; /* ROLE_AXIS if the column is an axis of base/axes.def */
    const char *missing;   /* why all cells are missing, or ""; owned by the manifest */
};

struct process_times;
struct results_kernel;

struct results {
    char *path;                     /* as given, without a trailing slash */
    char *folder;                   /* of results.csv */
    struct table rows;              /* results.csv */
    struct results_column *columns; /* an entry for each of rows.columns */
    struct results_kernel *kernels; /* indexed by the codes of their column */
    unsigned *flags;                /* FLAG_… of each row */
    bool *varies;                   /* whether each row has FLAG_COUNTS_VARY */
    struct known_columns known;     /* axes, and columns of `rows` in columns.def */
    bool has_manifest;              /* if false, `manifest` has only the names of the columns */
    struct manifest manifest;       /* its columns match those of `rows`, in order */
    double *samples; /* the samples in µs, ordered by row, or NULL without samples.csv */
    size_t
        /* an entry for each row and one more at the end, or NULL without samples.csv */
        *first_sample;
    struct process_times
        *pooled; /* an entry for each row of a pool of runs (pool.h), or NULL for one run */
    /* the paths of the pool's runs as words for a command line, or "" for one run */
    struct text pooled_words;
    /*
     * kernels that have changed since they were measured, if a command has checked (cli/changed.h);
     * the manifest owns the names
     */
    VEC(const char *) changed;
    /* the highest ceiling_pct of any row for each cache state, but at least 100 */
    double highest_share[CACHE_COUNT];
};

/*
 * Reads a run. `path` is its folder or its results.csv. Fails with ERROR_CONFIG if the folder is
 * not a run, the run's version is too new, a cell is not allowed in its column (table.h), a
 * required column is missing, a point has two rows, or samples.csv has more or fewer samples of a
 * point than its row states.
 */
bool results_read(const char *path, struct results *out, struct error *e);
void results_free(struct results *r);

/* Returns whether the run is a published table, whose values were rounded for print. */
bool results_published(const struct results *r);

/* Returns a row's value of an axis as a string, even if the axis has numbers. */
const char *results_axis(const struct results *r, size_t row, enum axis_index axis);

/*
 * Returns a row's bandwidth in % of the achievable bandwidth, or NaN if the row has no ceiling_pct.
 * The achievable bandwidth is that of the streaming read measured at the run's start or, if rows
 * with the same cache state are faster, that of the fastest row.
 */
double results_achieved(const struct results *r, size_t row);

/*
 * Returns whether the run has a column for the axis. If not, results_axis() returns the axis's
 * fallback.
 */
bool results_has_axis(const struct results *r, enum axis_index axis);

/* Writes the shape of a row's input in words (shape_text()) to `out`, and returns `out`. */
const char *results_shape(const struct results *r, size_t row, char out[SHAPE_TEXT]);

/* Returns whether the text that results_shape() writes includes the axis. */
bool axis_in_shape(enum axis_index axis);

/* Returns the set of axes that any run has a column for. Bit i stands for axis i. */
unsigned results_axes(const struct results *runs, size_t count);

/*
 * Returns whether an axis is part of the configuration, which determines how a result is computed:
 * kernel, block, unroll, and the tunables. All other axes make up the problem: what is computed,
 * and which part of it is timed.
 */
bool axis_is_configuration(enum axis_index axis);

/*
 * Returns a row's samples in the order they were taken, and stores how many. Without samples,
 * returns NULL and stores 0.
 */
const double *results_samples(const struct results *r, size_t row, size_t *count);

/* The facts of a row's kernel. The strings belong to the run or are constants. */
struct results_kernel {
    struct role role;
    const char *workload; /* reduce, matrix_sum …, or "" if the run does not record it */
    const char *racy;     /* why the kernel may be wrong although its results were right, or "" */
    bool counts_vary;     /* The kernel's counts vary from launch to launch. */
};
const struct results_kernel *results_kernel(const struct results *r, size_t row);
/*
 * Fills `kernels` from the rows and the manifest. results_read() does this; code that builds a run
 * in memory must call it itself.
 */
void results_find_kernels(struct results *r);

/* Returns whether a row's counts differ from launch to launch (FLAG_COUNTS_VARY). */
bool results_counts_vary(const struct results *r, size_t row);

/* Returns a kernel's workload (reduce, matrix_sum …), or "" if the run does not record it. */
const char *results_workload(const struct results *r, const char *kernel);

/* Returns a kernel's role. The role's string `bounds` belongs to the run or is a constant. */
struct role results_role(const struct results *r, const char *kernel);

/*
 * Return the device's name and backend from the manifest or, failing that, from the first row.
 * Without either, they return "".
 */
const char *results_device(const struct results *r);
const char *results_backend(const struct results *r);

/*
 * Appends the setting of a row, such as "block 128, unroll 4, loads 2". Tunables that the kernel
 * lacks are left out.
 */
void results_setting(const struct results *r, size_t row, struct text *out);
/*
 * Returns whether row `row` has a larger block than row `than` of the same kernel or, if the blocks
 * are equal, a larger unroll factor. A kernel without times is shown at its largest setting.
 */
bool results_larger_setting(const struct results *r, size_t row, size_t than);
/* Appends the kernel's name and the setting, such as "unroll, block 128, unroll 4". */
void results_configuration(const struct results *r, size_t row, struct text *out);

/* Returns whether all blocks of a row's launch were executed and the result was right. */
bool results_ok(const struct results *r, size_t row);
/* Returns whether a row's result was wrong although the kernel ran to completion. */
bool results_wrong(const struct results *r, size_t row);
/*
 * Returns whether a row's counts are reliable: results_ok() is true, or only a sample of blocks was
 * executed.
 */
bool results_good(const struct results *r, size_t row);

/* Returns whether the row's time is too short for the clock (FLAG_UNRESOLVED). */
bool results_unresolved(const struct results *r, size_t row);

/* Returns whether any of the run's times come from another run (FLAG_RECALLED). */
bool results_recalled(const struct results *r);

/*
 * Returns whether the search dropped the point early (FLAG_RACED). Such a point has too few samples
 * to be judged.
 */
bool results_raced(const struct results *r, size_t row);

#endif
