/*
 * Makes a library from runs: chooses a configuration for each n, and writes the sources that
 * contain the choices.
 *
 * These sources contain data and a few functions. tuned/redsweep_tuned.c, which is written by hand,
 * includes them and contains all other code of the library. Making a library needs only recorded
 * data and the compiler.
 *
 * Runs of several GPUs make one library, which contains a table for each compute capability. A GPU
 * uses the table of the newest capability that is not newer than its own. Every kernel is included
 * as machine code for the measured GPU, and as PTX for GPUs of later major versions.
 *
 * Functions are made for every type and operation that the runs have measured with cold caches, in
 * the scope `complete`, on one GPU. For whole arrays, a function has ranges of n with one
 * configuration each (choose_ranges.c). Only kernels with the fact `standalone: yes` are
 * considered. For rows, a function has one configuration for each measured shape (choose_rows.c),
 * of any row-wise kernel. For each configuration, it also has a model of the time at any shape. The
 * model is fitted to the configuration's measurements (model.h, residuals.h). The library uses the
 * models to choose at other shapes. Functions for any axis of an array are made in the same way as
 * those for rows, from inputs in which the elements of a row are not adjacent (inner > 1). A
 * function that was measured only along rows is also used for whole arrays, each of which it
 * reduces as one row. Each function also has configurations without measurements, from kernels that
 * run at every shape.
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

/* A configuration's time has the terms that all kernels have in common, and one term for each cost
 * in its kernel's facts. */
enum { MODEL_COMMON = 3, MODEL_TERMS = MODEL_COMMON + KERNEL_MAX_COSTS };

/*
 * The errors of fitted times (residuals.h) on a grid over the plane of rows and row lengths. The
 * numbers of rows on the grid are powers of two, and its row lengths differ between configurations.
 * The errors are logarithms, in units of RESIDUAL_UNIT.
 */
enum { RESIDUAL_ROWS = 13, RESIDUAL_LENGTHS = 16, RESIDUAL_MOST = 127 };
#define RESIDUAL_ROWS_STEP 2.0 /* the distance between two numbers of rows, in powers of two */
#define RESIDUAL_UNIT 0.002

struct residuals {
    /* These are logarithms to base 2: the first length, and the distance to the next one. `step` is
     * 0 if there are no residuals. */
    double first, step;
    /* The first index states whether rows are whole packs. */
    signed char off[2][RESIDUAL_ROWS][RESIDUAL_LENGTHS];
};

struct tuned_range {
    const struct kernel *kernel;
    struct variant variant; /* `wide` and the members for libraries are set when it is compiled. */
    /* For rows and axes, this is the only shape, of sizes[0] elements. Otherwise it contains
     * zeros. */
    struct config_shape at;
    /* This is true for a configuration that is used if no other configuration can run. Nothing was
     * measured for it. */
    bool fallback;
    double model[MODEL_TERMS];  /* the microseconds of each term, for rows and axes (model.h) */
    struct residuals residuals; /* the errors of the fit, only for rows */
    /* For rows and axes, these are the lengths of the shortest and the longest rows that were
     * measured. */
    uint64_t shortest, longest;
    bool changed; /* This is true if the kernel has gained a tunable since it was measured. */
    /* These are numbers of elements. The ranges of a function follow one another. `last` is 0 if
     * the configuration is not the fastest at any shape. */
    uint64_t first, last;
    uint64_t sizes[2];      /* the smallest and the largest n at which it was measured */
    double us[2];           /* the time of the configuration at these sizes */
    double reference_us[2]; /* the time of CUB at these sizes, or NaN if it was not measured */
};

/* The kind of a function: it reduces all elements, each row, or an array (outer, length, inner)
 * along its middle dimension. */
enum tuned_over { OVER_ARRAYS, OVER_ROWS, OVER_AXES, OVERS };

/* Returns the beginning of a function's name: "", "rows_" or "axis_". */
const char *tuned_over_name(enum tuned_over over);

/* Returns whether the kernel is unchanged since the run measured it. A run without a record of the
 * source cannot show a change. */
bool tuned_is_current(const struct results *r, const struct kernel *k);

struct tuned_function {
    enum element_type type;
    enum operation op;
    enum tuned_over over;
    bool exact; /* This is true if only kernels with the fact `exact: yes` are used. */
    /* This is true if only the row length determines the configuration (see tuned_choose()). */
    bool invariant;
    struct tuned_range *ranges; /* Fallbacks are the last ones. */
    size_t range_count;
};

/* A function that the library omits, because a kernel chosen for it has changed since it was
 * measured. */
struct tuned_left_out {
    struct tuned_function function; /* the function without its ranges */
    const struct kernel *kernel;
    const char *run; /* the path of the run that measured it, borrowed */
};

struct tuned {
    const struct catalogue *catalogue; /* The catalogue is borrowed. */
    struct tuned_function *functions;
    size_t function_count;
    /* The number of rows that are excluded because their time is below the clock's resolution. */
    size_t unresolved;
    /* These are facts of the last run, for the heading of the table. */
    char device[64], started[32], run[128];
    int sms;        /* the number of its multiprocessors */
    int cc;         /* the compute capability of the measured GPU, which is 90 for 9.0 */
    bool invariant; /* the argument of tuned_choose() */
    VEC(struct tuned_left_out) left_out;
};

/* An invariant library evaluates times at these batches. The values are base-2 logarithms of
 * numbers of elements. */
enum { TUNED_BATCH_FIRST = 18, TUNED_BATCH_LAST = 28, TUNED_BATCH_STEP = 2 };

/*
 * A configuration is compared if the row length differs by at most this factor from the row lengths
 * at which it was measured. If no configuration meets this condition, all configurations are
 * compared.
 */
#define TUNED_NEAR 1.5
/* If a configuration's blocks do not share rows, it is not used for a few rows that are more than
 * this many times as long as the rows at which it was measured. */
#define TUNED_FAR 4.0

/* The base-2 logarithm of the largest number of elements that the functions accept. */
enum { TUNED_MOST_LOG2 = 40 };

/*
 * tuned_sort_runs() groups runs by compute capability, with the newest first. It keeps the order of
 * runs with the same capability. tuned_alike() returns how many of the first runs have the same
 * capability.
 */
void tuned_sort_runs(struct results *runs, size_t count);
size_t tuned_alike(const struct results *runs, size_t count);

/*
 * Chooses configurations from the runs of one capability. Kernels with the fact `exact: yes` belong
 * to separate functions.
 *
 * `invariant` has an effect if the order of combining affects the bits of a result. In this case, a
 * kernel is used only if its order depends on nothing but the configuration and the row length.
 * There is one configuration for each row length, whatever the number of rows, and whole arrays are
 * treated as one row.
 *
 * The function fails with ERROR_CONFIG if the runs contain nothing to choose from, or if they come
 * from several devices or from no device. A library function is left out if the source of a kernel
 * chosen for it has changed since it was measured. If no function is left, the error is also
 * ERROR_CONFIG.
 */
bool tuned_choose(const struct results *runs, size_t count, const struct catalogue *catalogue,
                  bool invariant, struct tuned *out, struct error *e);
void tuned_free(struct tuned *t);

/*
 * Adds a table of the library's choices at these shapes. The table contains the choices for each
 * function along rows (rows x columns) or for any axis (outer x length x inner). Each row of the
 * table contains the configuration and its measured or expected time at the shape. If the runs
 * contain limits, the row also contains the speed as a share of the speed of reading.
 */
void tuned_add_at(const struct tuned *t, const struct results *runs, size_t count,
                  const struct config_shape *shapes, int shape_count, struct view *v);

/* A race at a program's own shapes. It consists of a config and of the file for `run --points`. */
struct tuned_race {
    struct text config, points;
};

/*
 * Makes a race from the file `path`. Each line contains a type, an operation, and rows x columns or
 * outer x length x inner, such as "float32 sum 4096x5120". # begins a comment. At each shape,
 * several configurations of that function race: those that the runs measured for rows of about that
 * length. The function fails with ERROR_CONFIG if a line has a different form, or if a line needs a
 * function that the runs lack. The caller frees both texts, even after an error.
 */
bool tuned_race_at(const char *path, const struct results *runs, size_t count,
                   const struct catalogue *catalogue, struct tuned_race *out, struct error *e);

bool tuned_same_function(const struct tuned_function *a, const struct tuned_function *b);
/* Returns whether two ranges have the same kernel in the same configuration. */
bool tuned_same_code(const struct tuned_range *a, const struct tuned_range *b);

/*
 * Returns whether the names of functions, types and files can begin with this prefix. It must be a
 * C identifier in lower case that has at most TUNED_PREFIX_MOST characters.
 */
enum { TUNED_PREFIX_MOST = 32 };
bool tuned_prefix_valid(const char *prefix);

/* The destination of the library. `progress` may be NULL. It is called as compile_many() calls its
 * own argument `progress`. */
struct tuned_output {
    const char *prefix, *folder;
    const char *packer; /* The program of pack.h. NULL or "" stores code uncompressed. */
    void (*progress)(void *context, uint32_t done, uint32_t total);
    void *context;
};

/*
 * Makes the folder and writes three files to it: PREFIX_tuned.h (the functions),
 * redsweep_tuned_table.h (the code and the tables for tuned/redsweep_tuned.c) and table.csv (the
 * tables for people). `targets` have different capabilities, with the newest first. The prefix must
 * be valid. All processors are used for compiling.
 */
bool tuned_write(const struct tuned *targets, size_t count, const struct tuned_output *to,
                 struct compiler *compiler, struct error *e);

#endif
