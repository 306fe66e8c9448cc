/*
 * Reads the config of a sweep, which is JSON, and returns a checked struct.
 *
 * No other code handles a config as JSON. Every error (ERROR_CONFIG) names the file, the key's path
 * (`sizes.log2[1]`), the offending value and the allowed values. For an unknown name, it suggests
 * the most similar known name. configs/README.md documents the keys.
 *
 * Only the form of the names of kernels and metrics is checked here. plan_build() checks that the
 * kernels exist, and metrics_resolve() that the metrics do.
 */
#ifndef REDSWEEP_SPEC_CONFIG_H
#define REDSWEEP_SPEC_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/axes.h"
#include "base/element.h"
#include "base/error.h"
#include "base/expr.h"

struct name_list {
    char **names;
    int count;
};

enum { PLACEMENTS_MAX = 16 }; /* the maximum of timing.placements */

struct config_tunable {
    /* the name as the config spells it; matches a kernel's tunable regardless of case */
    char *name;
    bool all; /* all values that the kernel declares; `count` is then 0 */
    int *values;
    int count;
};

/* The values that a config chooses for one axis. A word, such as a type's name, is stored as its
 * index in the list of words that the axis allows. */
struct config_values {
    uint64_t *values; /* in ascending order, without duplicates */
    int count;        /* how many values; 0: a run-time axis keeps its default (base/axes.h) */
};

/* An input that is reduced along rows. It has `n` elements in total. Each row has `row_length`
 * elements. In memory, a row's next element is `inner` elements further on. */
struct config_shape {
    uint64_t n, row_length, inner; /* all at least 1; n is a multiple of row_length * inner */
};

struct config_timing {
    int min_samples; /* the minimum number of samples, at least 1 */
    int max_samples; /* the maximum number of samples, at least min_samples; 0 turns timing off */
    /* Sampling stops when the median's 95 % confidence interval is narrower than this share of the
     * median. 0 disables this rule. */
    double relative_width;
    /* Sampling of a point stops after this many seconds of device time. */
    double budget_s;
    /* After this many seconds, the process that measures a point is killed, and the point gets the
     * status timeout. */
    double point_limit_s;
    /* After this many seconds, a compilation is killed, and the points that need it get the status
     * compile_error. */
    double compile_limit_s;
    int compile_memory_mib; /* the compiling process's memory limit */
    /* The simulator aborts launches in which a warp executes more instructions than this. */
    uint64_t instruction_limit;
    /*
     * The maximum CPU time of a point, and the maximum memory of the process that executes its
     * launches. Both apply only to devices that limit the instructions per launch.
     */
    double cpu_limit_s;
    int memory_limit_mib;
    int warmup;   /* launches before the first sample */
    int contexts; /* how many CUDA contexts to try; the one with the fastest launches is used */
    /* How many sets of buffers there are, each at other addresses. The samples of a point use the
     * sets in turn. */
    int placements;
    /*
     * Energy is measured over series of launches that take this many seconds. 0 measures no energy.
     */
    double energy_s;
};

/* How the points to measure are chosen (docs/search.md). */
enum search_strategy {
#define STRATEGY(name, word, source) SEARCH_##name,
#include "spec/strategies.def"
    SEARCH_STRATEGIES
};
extern const char *const search_strategy_names[SEARCH_STRATEGIES];

/* The chosen strategy, and the values of the keys of all strategies (strategies.def). */
struct config_search {
    enum search_strategy strategy;
#define SEARCH_KEY(type, key, otherwise, reader, min, max) type key;
#define SEARCH_INTS(key, number, otherwise, min, max)                                              \
    int *key;                                                                                      \
    int number;
#include "spec/strategies.def"
};
enum { SEARCH_RUNGS_MAX = 8 };

/* Points for which `where` is true are not measured. Their rows have the status skipped and this
 * reason. */
struct config_skip {
    struct expr *where;
    char *reason;
};

/* Selects which combinations of the axes' values are measured. */
struct config_points {
    /* Another program asks for one point after another (`run --points -`). */
    bool asked;
    uint64_t *ids; /* the points to measure, in ascending order */
    int count;     /* the number of ids; 0 selects all points */
};

struct config {
    char *path; /* the path of the file that was read */
    /* The file's text with the overrides merged into it. Runs record it, and resuming needs it. */
    char *text;
    char *overrides; /* the keys from the command line, as a JSON object; NULL if there are none */
    /* Becomes part of the result folder's name. Matches [A-Za-z0-9._-]+ and does not begin with a
     * dot. */
    char *name;
    struct name_list kernels;                     /* names or globs; all kernels by default */
    struct config_values axis_values[AXIS_COUNT]; /* the values of all axes except AXIS_kernel */
    /* Inputs in addition to the product of sizes, row_lengths and inners, sorted by n, row_length
     * and inner, without duplicates. */
    struct config_shape *shapes;
    int shape_count;
    bool only_shapes;                /* there are no inputs other than the shapes */
    struct config_tunable *tunables; /* a subset of the values that each kernel declares */
    int tunable_count;
    /* Tunables that the config does not name get all their values rather than their default. */
    bool all_tunables;
    struct name_list metrics;
    /* Also read counters for points with wrong results, which costs extra launches on a GPU. */
    bool count_wrong;
    struct config_timing timing;
    struct config_search search;
    struct config_points points;
    struct expr **excludes; /* points for which one of these conditions is true get no row */
    int exclude_count;
    struct config_skip *skips; /* which points are not measured, but get a row with the reason */
    int skip_count;
    /* Folders whose kernels are read in addition to those in kernels/. Relative paths have been
     * joined to the config's folder. */
    struct name_list kernel_folders;
    /* Whether the config says "supported" instead of listing types or operations. Combinations that
     * a kernel does not support then get no rows. */
    bool supported_types, supported_ops;
    uint64_t seed;
};

/* Reads and checks a file of at most JSON_MAX_BYTES (json.h). The caller frees the config with
 * config_free(). */
bool config_read(const char *path, struct config **out, struct error *e);

/* Like config_read() for a config's text. `path` is used in messages and to resolve kernel
 * folders. */
bool config_parse(const char *path, const char *text, struct config **out, struct error *e);

/* Like config_read(), but applies `overrides`, a JSON object (see config_options.h). If `path` is
 * NULL, the overrides are the whole config. */
bool config_read_with(const char *path, const char *overrides, struct config **out,
                      struct error *e);

/* Sets *out to a config's text with the overrides applied. The caller frees it. */
bool config_override(const char *path, const char *text, const char *overrides, char **out,
                     struct error *e);

void config_free(struct config *c);

#endif
