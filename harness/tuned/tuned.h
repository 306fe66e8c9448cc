/*
 * Makes a library from recorded runs: chooses a configuration (a kernel with its block size and
 * tunables) for each n or shape, and writes sources that contain these choices.
 *
 * These sources contain data and a few functions. tuned/redsweep_tuned.c, which is written by hand,
 * includes them and contains the rest of the library. Making a library needs only recorded data and
 * the compiler.
 *
 * Runs on several GPUs make one library with a table for each compute capability. A GPU uses the
 * table for the newest capability that is not newer than its own. Every kernel is included as
 * machine code for the measured GPU, and as PTX for GPUs of later major versions.
 *
 * There is a function for every type and operation that the runs measured with cold caches, in the
 * scope `complete`, on one GPU. For whole arrays, a function has ranges of n with one configuration
 * each (choose_ranges.c), from kernels with the fact `standalone: yes`. For rows, it has one
 * configuration for each measured shape (choose_rows.c), from any row-wise kernel. It also has a
 * model of each configuration's time, fitted to the configuration's measurements (model.h,
 * residuals.h). The library uses these models to choose configurations at other shapes. Functions
 * for any axis of an array are made like those for rows, from inputs in which a row's elements are
 * not adjacent (inner > 1). A function that was measured only along rows also reduces whole arrays,
 * each as a single row. For the shapes at which no measured configuration can run, each function
 * has fallbacks: configurations of kernels that run at every shape.
 */
#ifndef REDSWEEP_TUNED_TUNED_H
#define REDSWEEP_TUNED_TUNED_H

#include <stddef.h>

#include "analyze/best.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "spec/config.h"
#include "spec/kernel.h"
#include "table/view.h"

/* A configuration's time has the terms that all kernels share, and one term for each cost in its
 * kernel's facts. */
enum { MODEL_COMMON = 3, MODEL_TERMS = MODEL_COMMON + KERNEL_MAX_COSTS };

/*
 * The errors of fitted times (residuals.h) on a grid of numbers of rows and row lengths. The
 * numbers of rows are powers of two, and each configuration has its own row lengths. Errors are
 * logarithms of time ratios, in units of RESIDUAL_UNIT.
 */
enum { RESIDUAL_ROWS = 13, RESIDUAL_LENGTHS = 16, RESIDUAL_MOST = 127 };
#define RESIDUAL_ROWS_STEP 2.0 /* between two numbers of rows on the grid, as a power of two */
#define RESIDUAL_UNIT 0.002

struct residuals {
    /* Base-2 logarithms of the first row length and of the ratio of each length to the one before.
     * `step` is 0 if there are no residuals. */
    double first, step;
    /* The first index says whether rows are whole packs of 16 bytes. */
    signed char off[2][RESIDUAL_ROWS][RESIDUAL_LENGTHS];
};

struct tuned_range {
    const struct kernel *kernel;
    struct variant variant; /* `wide` and the members for libraries are set when it is compiled. */
    /*
     * The measured shape of rows or an axis for which the configuration was chosen, with sizes[0]
     * elements. Zeros if there is none.
     */
    struct config_shape at;
    /*
     * Whether this is a fallback, which is used only if no other configuration can run. Fallbacks
     * have no measured times.
     */
    bool fallback;
    double model[MODEL_TERMS];  /* microseconds per term, for rows and axes (model.h) */
    struct residuals residuals; /* errors of the fit, only for rows */
    /* For rows and axes: the shortest and the longest rows that were measured. */
    uint64_t shortest, longest;
    bool changed; /* the kernel has gained a tunable since it was measured */
    /* The configuration is used from `first` to `last` elements. A function's ranges follow one
     * another. `last` is 0 if the configuration is not the fastest at any measured shape. */
    uint64_t first, last;
    uint64_t sizes[2];      /* the smallest and the largest measured n */
    double us[2];           /* the configuration's time at these sizes */
    double reference_us[2]; /* CUB's time at these sizes, or NaN if it was not measured */
};

/* What a function reduces: all elements, each row, or an array (outer, length, inner) along its
 * middle dimension. */
enum tuned_over { OVER_ARRAYS, OVER_ROWS, OVER_AXES, OVERS };

/* Returns how a function's name begins: "", "rows_" or "axis_". */
const char *tuned_over_name(enum tuned_over over);

/* Returns whether the kernel is unchanged since the run measured it. If the run does not record the
 * kernel's source, the kernel counts as unchanged. */
bool tuned_is_current(const struct results *r, const struct kernel *k);

struct tuned_function {
    enum element_type type;
    enum operation op;
    enum tuned_over over;
    bool exact; /* only kernels with the fact `exact: yes` are used */
    /* Only the row length determines the configuration (see tuned_choose()). */
    bool invariant;
    struct tuned_range *ranges; /* fallbacks last */
    size_t range_count;
};

/* A function that the library omits, because one of its kernels has changed since it was
 * measured. */
struct tuned_left_out {
    struct tuned_function function; /* the function without its ranges */
    const struct kernel *kernel;
    const char *run; /* the run that measured it, borrowed */
};

struct tuned {
    const struct catalogue *catalogue; /* borrowed */
    struct tuned_function *functions;
    size_t function_count;
    /*
     * Number of rows of the runs that were excluded because their time is below the clock's
     * resolution.
     */
    size_t unresolved;
    /* These describe the last run, for the heading of the table. */
    char device[64], started[32], run[128];
    int sms;        /* the device's multiprocessors */
    int cc;         /* the measured GPU's compute capability, 90 for 9.0 */
    bool invariant; /* the argument of tuned_choose() */
    VEC(struct tuned_left_out) left_out;
};

/* An invariant library compares times at batches (all rows of a call) of these numbers of elements,
 * given as base-2 logarithms. */
enum { TUNED_BATCH_FIRST = 18, TUNED_BATCH_LAST = 28, TUNED_BATCH_STEP = 2 };

/*
 * At a row length, configurations are compared if they were measured at rows that are at most this
 * many times as long or as short. If there is no such configuration, all are compared.
 */
#define TUNED_NEAR 1.5
/* A configuration whose blocks do not share rows is not used for a few rows that are more than this
 * many times as long as the longest rows at which it was measured. */
#define TUNED_FAR 4.0

/* The base-2 logarithm of the largest number of elements that the functions accept. */
enum { TUNED_MOST_LOG2 = 40 };

/*
 * tuned_sort_runs() groups runs by compute capability, newest first, and keeps the order of the
 * runs within each group. tuned_alike() returns how many runs the first group has.
 */
void tuned_sort_runs(struct results *runs, size_t count);
size_t tuned_alike(const struct results *runs, size_t count);

/*
 * Chooses configurations from the runs of one compute capability. Kernels with the fact `exact:
 * yes` are used only in functions of their own, whose names end in "_exact".
 *
 * If `invariant` is true, a row's result has the same bits whatever the number of rows. This
 * matters for types and operations where the order of combining elements affects the bits. For
 * these, only kernels are used whose order depends on nothing but the configuration and the row
 * length. Each row length has one configuration for any number of rows, and whole arrays count as
 * one row.
 *
 * Fails with ERROR_CONFIG if the runs contain nothing to choose from, or come from several devices
 * or from none. Leaves a library function out if the source of one of its kernels has changed since
 * the kernel was measured. Also fails with ERROR_CONFIG if this leaves no function.
 */
bool tuned_choose(const struct results *runs, size_t count, const struct catalogue *catalogue,
                  bool invariant, struct tuned *out, struct error *e);
void tuned_free(struct tuned *t);

/*
 * Adds a table of what the library chooses at these shapes, for each function along rows (rows x
 * columns) or for any axis (outer x length x inner): the configuration, and its measured or
 * expected time. If the runs contain limits (kernels that only read the input), the table also has
 * the speed as a share of reading speed.
 */
void tuned_add_at(const struct tuned *t, const struct results *runs, size_t count,
                  const struct config_shape *shapes, int shape_count, struct view *v);

/*
 * What `redsweep run` needs to measure configurations at a program's own shapes: a config, and the
 * file for its option --points.
 */
struct tuned_race {
    struct text config, points;
};

/*
 * Makes the two texts from the file `path`. Each line contains a type, an operation, and rows x
 * columns or outer x length x inner, such as "float32 sum 4096x5120". # begins a comment. At each
 * shape, the points include the function's configurations that the runs measured for rows of about
 * that length. Fails with ERROR_CONFIG if a line has a different form, or needs a function that the
 * runs lack. The caller frees both texts, even after an error.
 */
bool tuned_race_at(const char *path, const struct results *runs, size_t count,
                   const struct catalogue *catalogue, struct tuned_race *out, struct error *e);

bool tuned_same_function(const struct tuned_function *a, const struct tuned_function *b);
/* Returns whether two ranges have the same kernel in the same configuration. */
bool tuned_same_code(const struct tuned_range *a, const struct tuned_range *b);

/*
 * Returns whether names of functions, types and files can begin with this prefix: a C identifier in
 * lower case of at most TUNED_PREFIX_MOST characters.
 */
enum { TUNED_PREFIX_MOST = 32 };
bool tuned_prefix_valid(const char *prefix);

/* Where to write the library. `progress` may be NULL. It is called like the `progress` of
 * compile_many(). */
struct tuned_output {
    const char *prefix, *folder;
    const char *packer; /* for pack.h; NULL or "" stores code uncompressed */
    void (*progress)(void *context, uint32_t done, uint32_t total);
    void *context;
};

/*
 * Makes the folder and writes three files to it: PREFIX_tuned.h (the functions),
 * redsweep_tuned_table.h (the code and the tables for tuned/redsweep_tuned.c) and table.csv (the
 * tables in human-readable form). `targets` has one entry for each compute capability, newest
 * first. The prefix must be valid. Compiles on all processors.
 */
bool tuned_write(const struct tuned *targets, size_t count, const struct tuned_output *to,
                 struct compiler *compiler, struct error *e);

#endif
