/*
 * The plan: every point of a sweep, decided before anything runs.
 *
 *   point    one row of the result: kernel, type, op, n, block, unroll, tunables, cache, scope
 *            and the run-time axes of base/axes.def
 *   variant  what is compiled: shared by all points that differ only in what is known at run time
 *   group    points of the same type, op, n, cache, run-time axes, workload and backend: they share
 *            an input and a device, and are measured in interleaved rounds
 *   side     of a gate, whose catalogue holds two versions of each kernel: the version. The two
 *            versions of a point have one id and are neighbors in their group
 *
 * An axis that a kernel does not use is collapsed to one value for it, so nothing is measured twice: unroll is
 * 1 for kernels without an unroll factor, and a complete kernel has only the scope `complete`, because its two
 * scopes would be the same. Kernels by rows have points where row_length is not 0, all others where it is 0;
 * where inner is not 1, only kernels with a workload of any axis have points. Points that cannot run (a block
 * size that the algorithm does not allow, too small a compute capability, too much memory, a failed `requires`)
 * or that the config skips stay in the plan with a reason and become rows with the status `skipped`. A search,
 * which is for spaces where most combinations cannot run, only counts them. Combinations that the config
 * excludes are not in it. A kernel that cannot take part in a group at all (its facts lack the type, the
 * operation, or all of the chosen unroll factors) has one skipped point there. A racy kernel is in the plan
 * only if the config names it, or by a glob other than "*".
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
    uint64_t id; /* hash of everything that identifies the point, stable across runs and GPUs */
    uint64_t n;  /* elements */
    uint64_t row_length; /* elements per row; 0: the whole input is reduced */
    uint64_t inner;      /* distance in elements between elements of a row */
    uint32_t kernel;     /* index into the catalogue */
    uint32_t variant;    /* index into the plan's variants; UINT32_MAX if skipped */
    uint32_t skip;       /* index into the plan's reasons; 0: not skipped */
    uint16_t block;      /* threads */
    uint16_t unroll;
    uint8_t type, op, cache, scope;        /* the enumerations of element.h */
    uint8_t offset;                        /* of the input, in elements */
    uint8_t inputs;                        /* enum input_kind */
    int32_t tunables[KERNEL_MAX_TUNABLES]; /* by position in the kernel's facts */
};

struct variant {
    uint64_t id; /* hash of the members below, without source and compiler, which the cache adds */
    uint32_t kernel;
    uint16_t block; /* 0: not compiled in */
    uint16_t unroll;
    uint8_t type, op;
    bool wide; /* element counts need 64 bits (n > 2^31) */
    /* For a library, false in a plan: the input may begin at any element; no line tables. */
    bool any_offset, without_lines;
    int32_t tunables[KERNEL_MAX_TUNABLES];
};

struct group {
    uint32_t first, count; /* points[first] … points[first + count - 1] */
};

struct plan {
    char device[16]; /* the backend that it is made for: "cuda", "sim" …; "": unknown */
    const struct config *config;       /* borrowed */
    const struct catalogue *catalogue; /* borrowed */
    struct point *points;
    uint32_t point_count;
    struct variant *variants;
    uint32_t variant_count;
    struct group *groups;
    uint32_t group_count;
    char **reasons; /* [0] is "" */
    uint32_t reason_count;
    uint64_t excluded;       /* combinations that the config's excludes removed … */
    uint64_t excluded_of[2]; /* … of each side */
    uint64_t left_out;       /* combinations that cannot run, of which a search makes no points */
    char *notes;             /* parts of the config that have no effect, a line each; "" for none */
    char **tunable_names;    /* of all kernels in the plan, lower case, sorted, each once */
    int tunable_name_count;
};

enum { PLAN_MAX_POINTS = 20 * 1000 * 1000 };

/*
 * Expands the config over the catalogue. More than PLAN_MAX_POINTS combinations are ERROR_CONFIG.
 * `limits` NULL: no device is known, and nothing is skipped because of it. A kernel name or tunable
 * that no kernel has is ERROR_CONFIG with the nearest name.
 */
bool plan_build(const struct config *config, const struct catalogue *catalogue,
                const struct device_limits *limits, struct plan **out, struct error *e);
void plan_free(struct plan *p);

/* Keeps only the points with these ids (ascending), and the groups that still have one. */
void plan_keep(struct plan *p, const uint64_t *ids, size_t count);

/*
 * One side's points as a plan without groups, to describe and record them. All but the points,
 * which the caller frees with free(out->points), is borrowed from `p`.
 */
void plan_side(const struct plan *p, int side, struct plan *out);

const struct kernel *plan_kernel(const struct plan *p, const struct point *point);

/* For each kernel of the catalogue, whether it has a point; the caller's, to be freed. */
bool *plan_used_kernels(const struct plan *p);

/* A point's launch shape, from its kernel's facts. */
struct shape {
    uint64_t grid;                         /* blocks; ≥ 1 */
    uint64_t grid_size[3];                 /* x, y, z; their product is `grid` */
    unsigned block_size[3];                /* threads; their product is the point's block */
    uint64_t covers;                       /* elements per block */
    uint64_t dynamic_smem;                 /* bytes per block */
    uint64_t workspace;                    /* bytes */
    double depth;                          /* longest chain of operations inside the kernel */
    unsigned cluster;                      /* blocks per cluster; 1 for none */
    double scalars[KERNEL_MAX_PARAMETERS]; /* by position in the fact `parameters`; 0: no scalar */
};
bool point_shape(const struct kernel *k, const struct point *point, int sms, struct shape *out,
                 struct error *e);

/* Whether both are compiled from the same kernel with the same choices. */
bool variant_same(const struct variant *a, const struct variant *b);

/* An axis (base/axes.def) at a point: its text, or its number. */
struct expr_value plan_axis_value(const struct plan *plan, const struct point *p,
                                  enum axis_index axis);

/* A point's member for the axis: words are numbers, see struct config_values. */
uint64_t point_value(const struct point *p, enum axis_index axis);
void point_set(struct point *p, enum axis_index axis, uint64_t number);

/* Whether the plan's points have the axis: a run-time axis that has only its fallback is left
 * out. */
bool plan_has_axis(const struct plan *plan, enum axis_index axis);

/* The value of a tunable (its name in upper or lower case) at a point; false if its kernel has no
 * tunable of that name. */
bool plan_tunable(const struct plan *p, const struct point *point, const char *name, int *value);

/*
 * The input of a group's points, with the length that their workload needs; its seed is derived
 * from the config's seed, type, op and n.
 */
struct input plan_input(const struct plan *p, const struct point *point);

/* "unroll int32 sum n=16384 block=512 unroll=8 cold kernel": for messages; returns `buffer`. */
const char *plan_point_label(const struct plan *p, const struct point *point, char *buffer,
                             size_t size);

#endif
