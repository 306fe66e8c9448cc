/* Evaluates the expressions in a kernel's facts for one combination of the axes' values. Private to
 * this folder. */
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
    const struct point *point; /* the point whose run-time axes apply; NULL: use the defaults */
    int sms;                   /* multiprocessors; 0 if unknown */
    bool brief;                /* a reason may omit the values for which a condition is false */
};

/* Returns a point's combination. `sms` is as in struct combination. */
struct combination combination_of(const struct kernel *k, const struct point *point, int sms);

/*
 * Evaluates the launch shape. If the shape depends on the number of multiprocessors, but that
 * number is unknown, sets *known to false and leaves `out` unset; if `known` is NULL, this is an
 * error. All other errors are mistakes in the facts: ERROR_CONFIG, with the file, the key and the
 * combination in the message.
 */
bool shape_evaluate(const struct combination *c, struct shape *out, bool *known, struct error *e);

/* Evaluates the facts `cost` and `overlap`. Returns the same errors as shape_evaluate(). */
bool shape_costs(const struct combination *c, double out[KERNEL_MAX_COSTS], struct error *e);

/* If this combination cannot run on a device with these limits, writes why to `reason`, which must
 * be empty. `limits` is NULL if no device is known. */
bool shape_skip_reason(const struct combination *c, const struct device_limits *limits,
                       struct text *reason, struct error *e);

#endif
