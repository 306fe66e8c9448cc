/*
 * The plan contains every point of a sweep. It is built before anything runs.
 *
 *   point    One row of the result: kernel, type, op, n, block, unroll, tunables, cache, scope and
 *            the run-time axes of base/axes.def.
 *   variant  The unit of compilation. All points that differ only in values known at run time share
 *            a variant.
 *   group    The points of the same type, op, n, cache, run-time axes, workload and backend. They
 *            share an input and a device, and they are measured in interleaved rounds.
 *   side     In a gate, one of the two versions of the kernels. One catalogue contains both
 *            versions. The two versions of a point have the same id and are neighbors in their
 *            group.
 *
 * An axis that a kernel does not use has only one value for it, so nothing is measured twice. The
 * unroll factor is 1 for kernels without one. A complete kernel has only the scope `complete`,
 * because both scopes would give the same time. Row-wise kernels have points where row_length is
 * not 0, and other kernels where it is 0. If inner is not 1, only kernels that can reduce along any
 * axis have points.
 *
 * Points that cannot run, or that the config skips, stay in the plan with a reason and become rows
 * with the status `skipped`. For example, the algorithm may not allow the block size of a point, a
 * `requires` may fail, or the device may have too little memory. A search is meant for spaces in
 * which most combinations cannot run, so it only counts such points. Combinations that the config
 * excludes are not in the plan.
 *
 * A kernel that cannot take part in a group at all has one skipped point there. This is the case if
 * its facts lack the type, the operation, or all of the chosen unroll factors. A racy kernel is in
 * the plan only if the config gives its name, or a glob other than "*" that matches it.
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
    /* The hash of everything that identifies the point. It is the same in all runs and on all
     * GPUs. */
    uint64_t id;
    uint64_t n;          /* the number of elements */
    uint64_t row_length; /* the number of elements per row; 0 if the whole input is reduced */
    uint64_t inner;      /* the distance between the elements of a row, in elements */
    uint32_t kernel;     /* the index of the kernel in the catalogue */
    uint32_t variant; /* the index of the variant in the plan; UINT32_MAX if the point is skipped */
    uint32_t skip;    /* the index of the reason in the plan; 0 if the point is not skipped */
    uint16_t block;   /* the number of threads per block */
    uint16_t unroll;
    uint8_t type, op, cache, scope;        /* values of the enumerations in element.h */
    uint8_t offset;                        /* the offset of the input in elements */
    uint8_t inputs;                        /* a value of enum input_kind */
    int32_t tunables[KERNEL_MAX_TUNABLES]; /* the values in the order of the kernel's facts */
};

struct variant {
    /* The hash of the members below. The cache adds the hashes of the source and of the
     * compiler. */
    uint64_t id;
    uint32_t kernel;
    uint16_t block; /* the block size; 0 if it is not compiled in */
    uint16_t unroll;
    uint8_t type, op;
    bool wide; /* whether element counts need 64 bits (n > 2^31) */
    /* Only libraries set these members. `any_offset` allows the input to begin at any element, and
     * `without_lines` omits line tables. */
    bool any_offset, without_lines;
    int32_t tunables[KERNEL_MAX_TUNABLES];
};

struct group {
    uint32_t first, count; /* the group contains points[first] … points[first + count - 1] */
};

struct plan {
    /* The plan was built for this backend, such as "cuda" or "sim". It is "" if the backend is
     * unknown. */
    char device[16];
    const struct config *config;       /* borrowed by the plan */
    const struct catalogue *catalogue; /* borrowed by the plan */
    struct point *points;
    uint32_t point_count;
    struct variant *variants;
    uint32_t variant_count;
    struct group *groups;
    uint32_t group_count;
    char **reasons; /* the reasons for skipping points; reasons[0] is "" */
    uint32_t reason_count;
    uint64_t excluded;       /* the number of combinations that the config's excludes removed */
    uint64_t excluded_of[2]; /* the same number for each side */
    /* The number of combinations that a search left out because they cannot run. */
    uint64_t left_out;
    char *notes; /* the parts of the config that have no effect, one per line, or "" */
    /* The names of the tunables of all kernels in the plan, in lower case, sorted and without
     * duplicates. */
    char **tunable_names;
    int tunable_name_count;
};

enum { PLAN_MAX_POINTS = 20 * 1000 * 1000 };

/*
 * Builds the plan of a config with the kernels of a catalogue. `limits` is NULL if no device is
 * known; no point is then skipped because of the device. Fails with ERROR_CONFIG if there are more
 * than PLAN_MAX_POINTS points, or if the config names a kernel or a tunable that does not exist. In
 * the second case, the message suggests the most similar name.
 */
bool plan_build(const struct config *config, const struct catalogue *catalogue,
                const struct device_limits *limits, struct plan **out, struct error *e);

/* Selects points by the values of their axes. No other members are set when `takes` is called. */
struct plan_filter {
    /* If this is NULL, all points are selected. */
    bool (*takes)(const void *context, const struct plan *plan, const struct point *point);
    const void *context;
};

/* Does the same as plan_build(), but includes only the points that the filter selects instead of
 * those that the config lists. Rejected points take less than a microsecond each and no memory. */
bool plan_build_filtered(const struct config *config, const struct catalogue *catalogue,
                         const struct device_limits *limits, struct plan_filter filter,
                         struct plan **out, struct error *e);
void plan_free(struct plan *p);

/* Keeps only the points with these ids, and the groups that still contain a point. The ids must be
 * in ascending order. */
void plan_keep(struct plan *p, const uint64_t *ids, size_t count);

/* Makes a plan of one side's points, without groups, to describe and record them. The caller frees
 * only the points, with free(out->points). All other members are borrowed from `p`. */
void plan_side(const struct plan *p, int side, struct plan *out);

const struct kernel *plan_kernel(const struct plan *p, const struct point *point);

/* Returns, for each kernel of the catalogue, whether it has a point. The caller frees the array. */
bool *plan_used_kernels(const struct plan *p);

/* The launch shape of a point. It follows from the facts of the point's kernel. */
struct shape {
    uint64_t grid;         /* the number of blocks, at least 1 */
    uint64_t grid_size[3]; /* the number of blocks in x, y and z; their product is `grid` */
    /* The numbers of threads in x, y and z. Their product is the block size. */
    unsigned block_size[3];
    uint64_t covers;       /* the number of elements per block */
    uint64_t dynamic_smem; /* the number of bytes per block */
    uint64_t workspace;    /* the number of bytes */
    double depth;          /* the longest chain of operations inside the kernel */
    unsigned cluster;      /* the number of blocks per cluster; 1 if there are no clusters */
    /* The values of scalar parameters, in the order of the fact `parameters`. They are 0 for other
     * parameters. */
    double scalars[KERNEL_MAX_PARAMETERS];
};
bool point_shape(const struct kernel *k, const struct point *point, int sms, struct shape *out,
                 struct error *e);

/*
 * Returns whether the two variants have the same kernel and agree in everything else that affects
 * compilation.
 */
bool variant_same(const struct variant *a, const struct variant *b);

/* Returns the value of an axis (base/axes.def) at a point as a string or a number. */
struct expr_value plan_axis_value(const struct plan *plan, const struct point *p,
                                  enum axis_index axis);

/* These functions return or set the point's member for an axis. Words are stored as indices: see
 * struct config_values. */
uint64_t point_value(const struct point *p, enum axis_index axis);
void point_set(struct point *p, enum axis_index axis, uint64_t number);

/* Returns whether the points of the plan have the axis. They do not have a run-time axis whose only
 * value is its default. */
bool plan_has_axis(const struct plan *plan, enum axis_index axis);

/*
 * Finds the value of a tunable at a point. The name may be in upper or lower case. Returns false if
 * the point's kernel has no tunable with this name.
 */
bool plan_tunable(const struct plan *p, const struct point *point, const char *name, int *value);

/* Returns the input of a group's points, with the length that their workload needs. Its seed is
 * derived from the config's seed, the type, the operation and n. */
struct input plan_input(const struct plan *p, const struct point *point);

/* Writes a label for messages, such as "unroll int32 sum n=16384 block=512 unroll=8 cold kernel".
 * Returns `buffer`. */
const char *plan_point_label(const struct plan *p, const struct point *point, char *buffer,
                             size_t size);

#endif
