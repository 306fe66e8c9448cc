/*
 * A kernel's expressions evaluated at one combination of the axes. Private to this room.
 */
#ifndef REDSWEEP_PLAN_SHAPE_H
#define REDSWEEP_PLAN_SHAPE_H

#include "base/text.h"
#include "plan/plan.h"

/* The inputs of a kernel's shape. */
struct combination {
    const struct kernel *kernel;
    enum element_type type;
    enum operation op;
    uint64_t n;
    int block, unroll;
    const int32_t *tunables;   /* by position in the kernel's facts */
    const struct point *point; /* for run-time axes; NULL: their fallbacks */
    int sms;                   /* 0: not known */
    bool brief;                /* a reason may leave out with which values a fact does not hold */
};

/* That of a point; `sms` as above. */
struct combination combination_of(const struct kernel *k, const struct point *point, int sms);

/*
 * The launch shape. If it needs the number of multiprocessors and that is not known, `*known` (may
 * be NULL: then it is an error) becomes false and `out` is not filled. Other failures are mistakes
 * in the facts: ERROR_CONFIG with the file, the key and the combination.
 */
bool shape_evaluate(const struct combination *c, struct shape *out, bool *known, struct error *e);

/* The values of the kernel's facts `cost` and `overlap`. Fails as shape_evaluate() does. */
bool shape_costs(const struct combination *c, double out[KERNEL_MAX_COSTS], struct error *e);

/*
 * Appends to the empty `reason` why this combination cannot run on a device with these limits
 * (NULL: none is known); appends nothing if it can.
 */
bool shape_skip_reason(const struct combination *c, const struct device_limits *limits,
                       struct text *reason, struct error *e);

#endif
