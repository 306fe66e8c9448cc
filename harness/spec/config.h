/*
 * A sweep's config: JSON in, a checked structure out.
 *
 * No code outside this header's files sees JSON. Every refusal (ERROR_CONFIG) names the file, the
 * key's path (`sizes.log2[1]`), the offending value, the allowed values and, for names, the nearest
 * known one. configs/README.md is the manual of the keys.
 *
 * Kernel names and metrics are only checked for their form here; plan_build() and metrics_resolve()
 * know which exist.
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

enum { PLACEMENTS_MAX = 16 }; /* of timing.placements */

struct config_tunable {
    char *name; /* as written; matched to a kernel's tunables without regard to case */
    bool all;   /* every value that a kernel declares; there are then none here */
    int *values;
    int count;
};

/* The values of an axis that a config chooses. A word is its number among the axis's words. */
struct config_values {
    uint64_t *values; /* ascending, no duplicates */
    int count;        /* 0, for a run-time axis: its fallback (base/axes.h) */
};

/* One input by rows: rows of `row_length` elements that are `inner` apart, n elements in all. */
struct config_shape {
    uint64_t n, row_length, inner; /* ≥ 1; n is a multiple of row_length * inner */
};

struct config_timing {
    int min_samples;        /* ≥ 1 */
    int max_samples;        /* ≥ min_samples; 0 turns timing off */
    double relative_width;  /* stop when the 95 % interval of the median is this narrow; 0: never */
    double budget_s;        /* device time per point after which no more samples are taken */
    double point_limit_s;   /* a point that takes longer is killed and marked timeout */
    double compile_limit_s; /* the same for one compilation: compile_error */
    int compile_memory_mib; /* memory of the process that compiles */
    uint64_t instruction_limit; /* per warp of the simulator, after which a launch has no end */
    double cpu_limit_s;   /* CPU time of a point where launches end by what they execute … */
    int memory_limit_mib; /* … and memory of the process that executes them */
    int warmup;           /* launches before the first sample */
    int contexts;         /* of the device, to choose one with short launches from */
    int placements;       /* sets of buffers that the samples of a point alternate between */
    double energy_s;      /* length of each block of launches whose energy is measured; 0: none */
};

/* How the points to measure are chosen: docs/search.md. */
enum search_strategy {
#define STRATEGY(name, word, source) SEARCH_##name,
#include "spec/strategies.def"
    SEARCH_STRATEGIES
};
extern const char *const search_strategy_names[SEARCH_STRATEGIES];

/* The keys of all strategies: strategies.def. */
struct config_search {
    enum search_strategy strategy;
#define SEARCH_KEY(type, key, otherwise, reader, min, max) type key;
#define SEARCH_INTS(key, number, otherwise, min, max)                                              \
    int *key;                                                                                      \
    int number;
#include "spec/strategies.def"
};
enum { SEARCH_RUNGS_MAX = 8 };

/* Points that become rows without being measured. */
struct config_skip {
    struct expr *where;
    char *reason;
};

/* Which points of the product of the axes are measured. */
struct config_points {
    bool asked;    /* points that another program requests, one after another: `run --points -` */
    uint64_t *ids; /* these, ascending */
    int count;     /* 0: all */
};

struct config {
    char *path;      /* the file that was read */
    char *text;      /* the file as read, or with the overrides: for provenance and resume */
    char *overrides; /* keys from the command line, as a JSON object; NULL: none */
    char *name; /* [A-Za-z0-9._-]+, not starting with a dot: part of the result folder's name */
    struct name_list kernels;                     /* names or globs, default all */
    struct config_values axis_values[AXIS_COUNT]; /* for all but AXIS_kernel */
    struct config_shape *shapes; /* inputs besides sizes x row_lengths x inners: ascending in n,
                                    row_length and inner, no duplicates */
    int shape_count;
    bool only_shapes;                /* there are no inputs but the shapes */
    struct config_tunable *tunables; /* a subset of each kernel's declared values */
    int tunable_count;
    bool all_tunables; /* tunables that are not named have all their values, not their default */
    struct name_list metrics;
    bool count_wrong; /* count points with wrong results as well, which costs launches on a GPU */
    struct config_timing timing;
    struct config_search search;
    struct config_points points;
    struct expr **excludes; /* true → the point is left out of the plan */
    int exclude_count;
    struct config_skip *skips; /* true of a point → it is skipped, for this reason */
    int skip_count;
    struct name_list kernel_folders; /* besides kernels/; relative ones are already prefixed with
                                        the config's folder */
    bool supported_types,
        supported_ops; /* "supported": no rows for combinations that a kernel does not support */
    uint64_t seed;
};

/* Reads and checks a file of at most JSON_MAX_BYTES (json.h). The config is the caller's:
 * config_free(). */
bool config_read(const char *path, struct config **out, struct error *e);

/* The same for a text; `path` is used in messages and to resolve kernel folders. */
bool config_parse(const char *path, const char *text, struct config **out, struct error *e);

/*
 * The same with the overrides of config_options.h (a JSON object); `path` NULL: there is no file,
 * and only the overrides are given.
 */
bool config_read_with(const char *path, const char *overrides, struct config **out,
                      struct error *e);

/* A config's text including overrides; the caller's. */
bool config_override(const char *path, const char *text, const char *overrides, char **out,
                     struct error *e);

void config_free(struct config *c);

#endif
