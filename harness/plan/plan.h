/*
 * The plan contains every point of a sweep, and is built before anything runs.
 *
 *   point    One row of the result: kernel, type, op, n, block, unroll, tunables, cache, scope and
 *            the run-time axes of base/axes.def.
 *   variant  The unit of compilation. Points that differ only in values known at run time share a
 *            variant.
 *   group    Points of the same type, op, n, cache, run-time axes, workload and backend. They
 *            share an input and a device, and they are measured in interleaved rounds.
 *   side     In a gate, one of the two versions of the kernels. One catalogue contains both
 *            versions. The two versions of a point have the same id and are neighbors in their
 *            group.
 *
 * For a kernel that does not use an axis, this axis has a single value, so that nothing is measured
 * twice. For example, the unroll factor is 1 for kernels without one. A complete kernel has only
 * the scope `complete`, because its time is the same in both scopes. Row-wise kernels have points
 * where row_length is not 0, and other kernels where row_length is 0. Where inner is not 1, only
 * kernels that can reduce along any axis have points.
 *
 * Points that cannot run, or that the config skips, stay in the plan with a reason and become rows
 * with the status `skipped`. For example, the algorithm may rule out the block size, a condition
 * (`requires`) may be false, or the device may have too little memory. A search, which is for
 * spaces where most combinations cannot run, leaves such points out and only counts them.
 * Combinations that the config excludes are not in the plan.
 *
 * If a kernel's facts lack the type or the operation of a group, or all of the chosen unroll
 * factors, the kernel has one skipped point in that group. A racy kernel is in the plan only if the
 * config names it, or has a glob other than "*" that matches it.
 */
#ifndef REDSWEEP_PLAN_PLAN_H
#define REDSWEEP_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/axes.h"
#include "base/error.h"
#include "base/expr.h"
#include "devices/device.h"
#include "spec/config.h"
#include "spec/kernel.h"
#include "workloads/workload.h"

struct point {
    /* A hash of everything that identifies the point. The same in all runs and on all GPUs. */
    uint64_t id;
    uint64_t n;          /* the number of elements */
    uint64_t row_length; /* elements per row; 0 if the whole input is reduced */
    uint64_t inner;      /* how far apart neighboring elements of a row are, in elements */
    uint32_t kernel;     /* the kernel's index in the catalogue */
    uint32_t variant;    /* the variant's index in the plan; UINT32_MAX if the point is skipped */
    uint32_t skip;       /* the reason's index in the plan; 0 if the point is not skipped */
    uint16_t block;      /* threads per block */
    uint16_t unroll;
    uint8_t type, op, cache, scope;        /* values of the enums in element.h */
    uint8_t offset;                        /* the input's offset in elements */
    uint8_t inputs;                        /* a value of enum input_kind */
    int32_t tunables[KERNEL_MAX_TUNABLES]; /* in the order of the kernel's facts */
};

struct variant {
    /* A hash of the members below. The key in the compile cache also depends on source and
     * compiler. */
    uint64_t id;
    uint32_t kernel;
    uint16_t block; /* the block size; 0 if it is not a compile-time constant */
    uint16_t unroll;
    uint8_t type, op;
    bool wide; /* element counts need 64 bits (n > 2^31) */
    /* Set only in variants for a library (`redsweep tuned`). `any_offset`: the input may begin at
     * any element. `without_lines`: the code has no line tables. */
    bool any_offset, without_lines;
    int32_t tunables[KERNEL_MAX_TUNABLES];
};

struct group {
    uint32_t first, count; /* the group contains points[first] … points[first + count - 1] */
};

struct plan {
    /* The backend that the plan was built for, such as "cuda" or "sim". "" if unknown. */
    char device[16];
    const struct config *config;       /* borrowed by the plan */
    const struct catalogue *catalogue; /* borrowed by the plan */
    struct point *points;
    uint32_t point_count;
    struct variant *variants;
    uint32_t variant_count;
    struct group *groups;
    uint32_t group_count;
    char **reasons; /* why points are skipped; reasons[0] is "" */
    uint32_t reason_count;
    uint64_t excluded;       /* how many combinations the config's excludes removed */
    uint64_t excluded_of[2]; /* the same number for each side of a gate */
    /* How many combinations a search left out because they cannot run. */
    uint64_t left_out;
    char *notes; /* which parts of the config have no effect, one per line, or "" */
    /* All tunables of the plan's kernels in lower case, sorted and without duplicates. */
    char **tunable_names;
    int tunable_name_count;
};

enum { PLAN_MAX_POINTS = 20 * 1000 * 1000 };

/*
 * Builds a config's plan with the kernels in a catalogue. If no device is known, `limits` is NULL,
 * and no point is skipped because of the device. Fails with ERROR_CONFIG if there are more than
 * PLAN_MAX_POINTS points, or if the config names a kernel or a tunable that does not exist; the
 * message suggests the most similar name.
 */
bool plan_build(const struct config *config, const struct catalogue *catalogue,
                const struct device_limits *limits, struct plan **out, struct error *e);

/* Selects points by the values of their axes. When `takes` is called, the other members of the
 * point are not set yet. */
struct plan_filter {
    /* NULL selects all points. */
    bool (*takes)(const void *context, const struct plan *plan, const struct point *point);
    const void *context;
};

/* Like plan_build(), but includes the points that the filter selects instead of those that the
 * config lists. Rejected points take less than a microsecond each and no memory. */
bool plan_build_filtered(const struct config *config, const struct catalogue *catalogue,
                         const struct device_limits *limits, struct plan_filter filter,
                         struct plan **out, struct error *e);
void plan_free(struct plan *p);

/* Removes all points whose ids are not in `ids`, which must be in ascending order, and all groups
 * that no longer contain a point. */
void plan_keep(struct plan *p, const uint64_t *ids, size_t count);

/*
 * Makes a plan that contains only one side's points, and no groups. It serves to describe and
 * record these points. The caller frees only out->points, with free(). All other members are
 * borrowed from `p`.
 */
void plan_side(const struct plan *p, int side, struct plan *out);

const struct kernel *plan_kernel(const struct plan *p, const struct point *point);

/* Returns an array that says for each of the catalogue's kernels whether it has a point. The caller
 * frees the array. */
bool *plan_used_kernels(const struct plan *p);

/* A point's launch shape, computed from its kernel's facts. */
struct shape {
    uint64_t grid;         /* blocks, at least 1 */
    uint64_t grid_size[3]; /* blocks in x, y and z; their product is `grid` */
    /* Threads in x, y and z; their product is the block size. */
    unsigned block_size[3];
    uint64_t covers;       /* elements per block */
    uint64_t dynamic_smem; /* bytes per block */
    uint64_t workspace;    /* bytes */
    double depth;          /* the length of the longest chain of operations in the kernel */
    unsigned cluster;      /* blocks per cluster; 1 without clusters */
    /* The value of each parameter in the fact `parameters`, in order. 0 for parameters that are not
     * scalars. */
    double scalars[KERNEL_MAX_PARAMETERS];
};
bool point_shape(const struct kernel *k, const struct point *point, int sms, struct shape *out,
                 struct error *e);

/*
 * Returns whether two variants have the same kernel and agree in everything else that affects
 * compilation.
 */
bool variant_same(const struct variant *a, const struct variant *b);

/* Returns a point's value on an axis (base/axes.def), a string or a number. */
struct expr_value plan_axis_value(const struct plan *plan, const struct point *p,
                                  enum axis_index axis);

/* Returns or sets the value of a point's member for an axis. A word is stored as an index: see
 * struct config_values. */
uint64_t point_value(const struct point *p, enum axis_index axis);
void point_set(struct point *p, enum axis_index axis, uint64_t number);

/* Returns whether the plan's points have the axis. A run-time axis whose only value is its default
 * does not count. */
bool plan_has_axis(const struct plan *plan, enum axis_index axis);

/*
 * Finds a tunable's value at a point. The name may be in upper or lower case. Returns false if the
 * point's kernel has no such tunable.
 */
bool plan_tunable(const struct plan *p, const struct point *point, const char *name, int *value);

/* Returns the input for the points of a group. It is as long as their workload needs. Its seed is
 * derived from the config's seed, the type, the operation and n. */
struct input plan_input(const struct plan *p, const struct point *point);

/* Writes a label for messages, such as "unroll int32 sum n=16384 block=512 unroll=8 cold kernel".
 * Returns `buffer`. */
const char *plan_point_label(const struct plan *p, const struct point *point, char *buffer,
                             size_t size);

#endif
