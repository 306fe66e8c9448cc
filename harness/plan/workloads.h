/*
 * What the rows of the table in workload.c are made of: one set of functions a workload.
 * Their contract is struct workload's (workload.h). Private to this room.
 */
#ifndef REDSWEEP_PLAN_WORKLOADS_H
#define REDSWEEP_PLAN_WORKLOADS_H

#include "plan/workload.h"

/* reduce: reduce_reference.c and reduce_check.c */
uint64_t reduce_least_bytes(const struct input *input);
uint64_t reduce_output_elements(const struct input *input, uint64_t grid, bool complete);
bool reduce_reference(const struct input *input, int threads, struct reference *out,
                      struct error *e);
bool reduce_check(const struct input *input, const struct reference *reference, const void *output,
                  uint64_t count, double depth, char result[40], double *rel_error, char why[256]);

/*
 * One step of an integer reduction on values that are extended to 64 bits the way struct reference
 * says: sums and products wrap at the type's width.
 */
uint64_t reduce_combine(enum element_type type, enum operation op, uint64_t a, uint64_t b);

/* a + b as s + *error, exactly (Knuth's TwoSum: TAOCP vol. 2, §4.2.2). */
static inline double two_sum(double a, double b, double *error)
{
    double s = a + b;
    double b_part = s - a;
    *error = (a - (s - b_part)) + (b - b_part);
    return s;
}

#endif
