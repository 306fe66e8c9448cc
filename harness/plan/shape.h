/*
 * Evaluates a kernel's expressions at one combination of the axes. This header is private to the
 * folder.
 */
#ifndef REDSWEEP_PLAN_SHAPE_H
#define REDSWEEP_PLAN_SHAPE_H

#include "base/text.h"
#include "plan/plan.h"

/* A kernel's launch shape depends on these values. */
struct combination {
    const struct kernel *kernel;
    enum element_type type;
    enum operation op;
    uint64_t n;
    int block, unroll;
    const int32_t *tunables;   /* the values in the order of the kernel's facts */
    const struct point *point; /* the point whose run-time axes apply; NULL for their defaults */
    int sms;                   /* the number of multiprocessors; 0 if it is unknown */
    bool brief; /* whether a reason may omit the values for which a fact does not hold */
};

/* Returns the combination of a point. `sms` has the same meaning as in struct combination. */
struct combination combination_of(const struct kernel *k, const struct point *point, int sms);

/*
 * Evaluates the launch shape. If it needs the number of multiprocessors and this number is unknown,
 * *known becomes false and `out` is not set. If `known` is NULL, this is an error. Other failures
 * are mistakes in the facts. For these, the error is ERROR_CONFIG, and its message names the file,
 * the key and the combination.
 */
bool shape_evaluate(const struct combination *c, struct shape *out, bool *known, struct error *e);

/* Evaluates the facts `cost` and `overlap`. The errors are those of shape_evaluate(). */
bool shape_costs(const struct combination *c, double out[KERNEL_MAX_COSTS], struct error *e);

/* Writes to `reason`, which must be empty, why this combination cannot run on a device with these
 * limits. Writes nothing if it can run. `limits` is NULL if no device is known. */
bool shape_skip_reason(const struct combination *c, const struct device_limits *limits,
                       struct text *reason, struct error *e);

#endif
