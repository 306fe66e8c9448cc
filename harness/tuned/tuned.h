/*
 * From runs to a library: chooses a configuration for each n, and writes the sources that contain
 * the choices.
 *
 * It writes data and a few functions; tuned/redsweep_tuned.c, which is written by hand, includes
 * them and does the rest. It uses only recorded data and the compiler.
 *
 * Runs of several GPUs make one library, with a table for each compute capability: a GPU takes that
 * of the newest capability that is not newer than its own. Every kernel is included as machine code
 * of the measured GPU and as PTX for GPUs of later major versions.
 *
 * For every (type, op) that the runs have with cold caches, complete, on one GPU: ranges of n, and a configuration for
 * each of them (choose_ranges.c). Only kernels whose facts say `standalone: yes` are considered. For rows: a
 * configuration for each measured shape (choose_rows.c), of any kernel by rows; and a model of the time of each
 * configuration at any shape, fitted to its measurements (model.h, residuals.h), by which the library chooses at other
 * shapes. The choice for any axis of an array is made as for rows, from inputs whose elements of a row lie apart (inner > 1). A
 * function that was measured only along rows is also called for whole arrays, as one row. Each function also has
 * configurations without a measurement, from kernels that run at every shape.
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

/* Terms of a configuration's time: those of every kernel, and those of its facts `cost`. */
enum { MODEL_COMMON = 3, MODEL_TERMS = MODEL_COMMON + KERNEL_MAX_COSTS };

/*
 * How far fitted times are off (residuals.h), over the plane of rows and row lengths: at powers of two of rows, and
 * at lengths of its own. As logarithms, in units.
 */
enum { RESIDUAL_ROWS = 13, RESIDUAL_LENGTHS = 16, RESIDUAL_MOST = 127 };
#define RESIDUAL_ROWS_STEP 2.0 /* powers of two from one number of rows to the next */
#define RESIDUAL_UNIT 0.002

struct residuals {
    double first,
        step; /* logarithms to base 2: the first length, and from one to the next; 0: there are none */
    signed char off[2][RESIDUAL_ROWS][RESIDUAL_LENGTHS]; /* [rows are whole packs] */
};

struct tuned_range {
    const struct kernel *kernel;
    struct variant variant; /* .wide and the members for libraries are set when it is compiled */
    struct config_shape at; /* of rows and axes: the one shape, of sizes[0] elements; else zeros */
    bool fallback;          /* for cases where the others do not run; nothing was measured */
    double model[MODEL_TERMS];  /* of rows and axes: microseconds of each term (model.h) */
    struct residuals residuals; /* of rows */
    uint64_t shortest, longest; /* for rows and axes: the lengths at which it was measured */
    bool changed;               /* the kernel has gained a tunable since it was measured */
    uint64_t first,
        last; /* elements; the ranges of a function are consecutive; 0: it is the fastest nowhere */
    uint64_t sizes[2];      /* smallest and largest n at which it was measured */
    double us[2];           /* the configuration's time at these */
    double reference_us[2]; /* CUB's time there; NaN if it was not measured */
};

/* The kind of a function: it reduces all elements, each row, or an array (outer, length, inner) over its middle
 * dimension. */
enum tuned_over { OVER_ARRAYS, OVER_ROWS, OVER_AXES, OVERS };

/* The beginning of a function's name: "", "rows_" or "axis_". */
const char *tuned_over_name(enum tuned_over over);

/* Whether the kernel is unchanged since the run measured it, as far as the run records. */
bool tuned_is_current(const struct results *r, const struct kernel *k);

struct tuned_function {
    enum element_type type;
    enum operation op;
    enum tuned_over over;
    bool exact;                 /* only of kernels whose facts say `exact: yes` */
    bool invariant;             /* chosen by row length alone: see tuned_choose() */
    struct tuned_range *ranges; /* fallbacks are the last */
    size_t range_count;
};

/* A function that the library omits, because a kernel chosen for it has changed since it was measured. */
struct tuned_left_out {
    struct tuned_function function; /* without its ranges */
    const struct kernel *kernel;
    const char *run; /* path of the run that measured it, borrowed */
};

struct tuned {
    const struct catalogue *catalogue; /* borrowed */
    struct tuned_function *functions;
    size_t function_count;
    size_t unresolved; /* rows excluded: their time is below the clock's resolution */
    char device[64], started[32], run[128]; /* of the last run: for the table's heading */
    int sms;                                /* its multiprocessors */
    int cc;                                 /* 90: compute capability of the measured GPU */
    bool invariant;                         /* as tuned_choose() was called */
    VEC(struct tuned_left_out) left_out;
};

/* The batches at which an invariant library evaluates times: logarithms of their elements. */
enum { TUNED_BATCH_FIRST = 18, TUNED_BATCH_LAST = 28, TUNED_BATCH_STEP = 2 };

/* A configuration is compared at rows up to this many times as long or short as those at which it was measured; if
 * there is none, all are. */
#define TUNED_NEAR 1.5
/* If blocks do not share a row, a configuration is not used for few rows that are more than this many
 * times as long. */
#define TUNED_FAR 4.0

enum { TUNED_MOST_LOG2 = 40 }; /* the longest input that the functions take: 2^40 elements */

/*
 * Groups runs by compute capability, the newest first; otherwise the order stays. Returns how many
 * of the first ones have one capability.
 */
void tuned_sort_runs(struct results *runs, size_t count);
size_t tuned_alike(const struct results *runs, size_t count);

/*
 * Chooses from runs of one capability. Kernels whose facts say `exact: yes` make separate functions. `invariant`: if
 * the order of combining affects the bits of a result, only kernels are used whose order depends on the configuration
 * and the row length, with one configuration for each row length, whatever the number of rows; whole arrays are treated
 * as one row. ERROR_CONFIG if they have nothing to choose from, or are of several devices, or of none. A function is
 * left out if the source of a kernel chosen for it has changed since it was measured; ERROR_CONFIG if none is left.
 */
bool tuned_choose(const struct results *runs, size_t count, const struct catalogue *catalogue,
                  bool invariant, struct tuned *out, struct error *e);
void tuned_free(struct tuned *t);

/*
 * A table of the library's choices at these shapes for each of its functions by rows (rows x columns) or of any axis
 * (outer x length x inner): the configuration, its time there, measured or expected, and, if the runs have limits, its
 * share of the speed of reading.
 */
void tuned_add_at(const struct tuned *t, const struct results *runs, size_t count,
                  const struct config_shape *shapes, int shape_count, struct view *v);

/* A race at a program's own shapes: a config, and the file for `run --points`. */
struct tuned_race {
    struct text config, points;
};

/*
 * `path` has lines of a type, an operation and rows x columns or outer x length x inner, such as "float32 sum
 * 4096x5120"; # begins a comment. The configurations of that function that the runs have for rows of about that length
 * race at each. ERROR_CONFIG for a line of another form, or of a function that the runs lack. The texts are the
 * caller's to free, also after an error.
 */
bool tuned_race_at(const char *path, const struct results *runs, size_t count,
                   const struct catalogue *catalogue, struct tuned_race *out, struct error *e);

bool tuned_same_function(const struct tuned_function *a, const struct tuned_function *b);
/* Whether two ranges are one kernel in one configuration. */
bool tuned_same_code(const struct tuned_range *a, const struct tuned_range *b);

/*
 * Whether the names of functions, types and files can begin with this: a C identifier in lower
 * case, short enough (TUNED_PREFIX_MOST).
 */
enum { TUNED_PREFIX_MOST = 32 };
bool tuned_prefix_valid(const char *prefix);

/* The destination and the progress: `progress` (may be NULL) is called as by compile_many(). */
struct tuned_output {
    const char *prefix, *folder;
    const char *packer; /* pack.h; NULL or "": code is stored uncompressed */
    void (*progress)(void *context, uint32_t done, uint32_t total);
    void *context;
};

/*
 * Writes PREFIX_tuned.h (the functions), redsweep_tuned_table.h (code and tables for
 * tuned/redsweep_tuned.c) and table.csv (the tables for people) to the folder, which it makes.
 * `targets` are of different capabilities, the newest first; the prefix is valid. Compiles on all
 * processors.
 */
bool tuned_write(const struct tuned *targets, size_t count, const struct tuned_output *to,
                 struct compiler *compiler, struct error *e);

#endif
