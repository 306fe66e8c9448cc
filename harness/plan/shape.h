/* Evaluates a kernel's expressions for one combination of the axes. Private to this folder. */
#ifndef REDSWEEP_PLAN_SHAPE_H
#define REDSWEEP_PLAN_SHAPE_H

#include "base/text.h"
#include "plan/plan.h"

/* What a kernel's launch shape depends on. */
struct combination {
    const struct kernel *kernel;
    enum element_type type;
    enum operation op;
    uint64_t n;
    int block, unroll;
    const int32_t *tunables;   /* in the order of the kernel's facts */
    const struct point *point; /* its run-time axes apply; NULL: their defaults */
    int sms;                   /* multiprocessors; 0 if unknown */
    bool brief;                /* a reason may omit the values for which a fact does not hold */
};

/* Returns a point's combination. `sms` is as in struct combination. */
struct combination combination_of(const struct kernel *k, const struct point *point, int sms);

/*
 * Evaluates the launch shape. If it needs the number of multiprocessors, and that is unknown,
 * *known becomes false and `out` is not set; without `known` (NULL), this is an error. All other
 * errors are mistakes in the facts: ERROR_CONFIG, with the file, the key and the combination in its
 * message.
 */
bool shape_evaluate(const struct combination *c, struct shape *out, bool *known, struct error *e);

/* Evaluates the facts `cost` and `overlap`. The errors are those of shape_evaluate(). */
bool shape_costs(const struct combination *c, double out[KERNEL_MAX_COSTS], struct error *e);

/* Writes why this combination cannot run on a device with these limits to `reason`, which must be
 * empty, or nothing if it can run. `limits` is NULL if no device is known. */
bool shape_skip_reason(const struct combination *c, const struct device_limits *limits,
                       struct text *reason, struct error *e);

#endif
