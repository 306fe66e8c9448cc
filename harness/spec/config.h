/*
 * These functions read the config of a sweep, which is JSON, and return a checked structure.
 *
 * Other code never handles a config as JSON. Every refusal (ERROR_CONFIG) names the file, the key's
 * path (`sizes.log2[1]`), the offending value and the allowed values. If a name is unknown, the
 * message suggests the most similar known name. configs/README.md documents the keys.
 *
 * These functions check only the form of kernel names and metrics. plan_build() and
 * metrics_resolve() check that the kernels and metrics exist.
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
    /*
     * the name as the config writes it; comparisons with the names of a kernel's tunables ignore
     * case
     */
    char *name;
    bool all; /* all values that a kernel declares are chosen; `count` is then 0 */
    int *values;
    int count;
};

/* This struct contains the values that a config chooses for one axis. For an axis whose values are
 * words, each value is the index of a word. */
struct config_values {
    uint64_t *values; /* the values in ascending order, without duplicates */
    int count;        /* the number of values; 0: a run-time axis keeps its default (base/axes.h) */
};

/* This is one input that is reduced along rows. Each row has `row_length` elements, which are
 * `inner` elements apart, and the input has n elements in total. */
struct config_shape {
    uint64_t n, row_length, inner; /* all at least 1; n is a multiple of row_length * inner */
};

struct config_timing {
    int min_samples; /* the minimum number of samples, at least 1 */
    int max_samples; /* the maximum number of samples, at least min_samples; 0 turns timing off */
    /* Sampling stops when the 95 % interval of the median is narrower than this share of the
     * median. The value 0 disables this rule. */
    double relative_width;
    /* No more samples of a point are taken after this many seconds of device time. */
    double budget_s;
    /* A point that takes longer than this is killed and gets the status timeout. */
    double point_limit_s;
    /* A compilation that takes longer than this is killed, and its points get the status
     * compile_error. */
    double compile_limit_s;
    int compile_memory_mib; /* the memory limit of the process that compiles */
    /* The simulator aborts a launch in which a warp executes more instructions than this. */
    uint64_t instruction_limit;
    /*
     * These limits apply if the device limits the number of instructions of a launch. They limit a
     * point's CPU time, and the memory of the process that executes its launches.
     */
    double cpu_limit_s;
    int memory_limit_mib;
    int warmup;     /* the number of launches before the first sample */
    int contexts;   /* the number of contexts to try; the one with the fastest launches is used */
    int placements; /* the number of sets of buffers between which a point's samples alternate */
    /* Energy is measured over blocks of launches that each take this many seconds. If the value is
     * 0, no energy is measured. */
    double energy_s;
};

/* These strategies choose the points to measure (docs/search.md). */
enum search_strategy {
#define STRATEGY(name, word, source) SEARCH_##name,
#include "spec/strategies.def"
    SEARCH_STRATEGIES
};
extern const char *const search_strategy_names[SEARCH_STRATEGIES];

/* This struct contains the strategy and the keys of all strategies (strategies.def). */
struct config_search {
    enum search_strategy strategy;
#define SEARCH_KEY(type, key, otherwise, reader, min, max) type key;
#define SEARCH_INTS(key, number, otherwise, min, max)                                              \
    int *key;                                                                                      \
    int number;
#include "spec/strategies.def"
};
enum { SEARCH_RUNGS_MAX = 8 };

/* Points that satisfy the condition `where` are not measured and get rows with this reason. */
struct config_skip {
    struct expr *where;
    char *reason;
};

/* This struct selects points from the product of the axes. */
struct config_points {
    /* Another program requests the points one after another (`run --points -`). */
    bool asked;
    uint64_t *ids; /* the ids of the points to measure, in ascending order */
    int count;     /* the number of ids; 0 selects all points */
};

struct config {
    char *path; /* the path of the file that was read */
    /* The text of the file, with the overrides merged into it. Runs record it, and resuming needs
     * it. */
    char *text;
    char *overrides; /* the keys from the command line, as a JSON object; NULL if there are none */
    /* The name is a part of the result folder's name. It matches [A-Za-z0-9._-]+ and does not begin
     * with a dot. */
    char *name;
    struct name_list kernels;                     /* names or globs; all kernels by default */
    struct config_values axis_values[AXIS_COUNT]; /* the values of every axis except AXIS_kernel */
    /* These inputs are measured in addition to the product of sizes, row_lengths and inners. They
     * are sorted by n, row_length and inner, without duplicates. */
    struct config_shape *shapes;
    int shape_count;
    bool only_shapes;                /* the shapes are the only inputs */
    struct config_tunable *tunables; /* a subset of the values that each kernel declares */
    int tunable_count;
    /* Tunables that the config does not name get all their values instead of their default. */
    bool all_tunables;
    struct name_list metrics;
    /* Counters are also read for points with wrong results, which costs extra launches on a GPU. */
    bool count_wrong;
    struct config_timing timing;
    struct config_search search;
    struct config_points points;
    struct expr **excludes; /* a point is left out of the plan if one of these is true */
    int exclude_count;
    struct config_skip *skips; /* a point is skipped if one of these conditions is true */
    int skip_count;
    /* These folders are read in addition to kernels/. Relative paths have already been joined to
     * the config's folder. */
    struct name_list kernel_folders;
    /* The config requests "supported" types or operations: combinations that a kernel does not
     * support get no rows. */
    bool supported_types, supported_ops;
    uint64_t seed;
};

/* Reads and checks a file of at most JSON_MAX_BYTES (json.h). The caller frees the config with
 * config_free(). */
bool config_read(const char *path, struct config **out, struct error *e);

/* Checks a config that is given as text. `path` is used in messages and to resolve kernel
 * folders. */
bool config_parse(const char *path, const char *text, struct config **out, struct error *e);

/* Reads a config as config_read() does, and applies `overrides`, a JSON object (see
 * config_options.h). If `path` is NULL, the overrides are the whole config.
 */
bool config_read_with(const char *path, const char *overrides, struct config **out,
                      struct error *e);

/* Returns in *out the text of a config with the overrides applied. The caller frees it. */
bool config_override(const char *path, const char *text, const char *overrides, char **out,
                     struct error *e);

void config_free(struct config *c);

#endif
