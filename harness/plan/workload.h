/*
 * Workloads: what a kernel's input is, what its output means and how it is checked.
 *
 * Most kernels reduce; a few of the sources' kernels do other work. Each kind of work is one row
 * of the table in workload.c, so that the harness carries them all alike.
 * A kernel's parameters are a prefix of (input, output, n, workspace).
 */
#ifndef REDSWEEP_PLAN_WORKLOAD_H
#define REDSWEEP_PLAN_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "plan/element.h"

/* An input is never stored: value i is a function of these five (kernels/support/input.h). */
struct input {
    enum element_type type;
    enum operation op;
    uint64_t n;
    uint64_t seed;
};

/* What a right result is: exact for integers, an interval for floats. */
struct reference {
    uint64_t bits;    /* integers: the wrapped result, zero- or sign-extended to 64 bits */
    double value;     /* floats: compensated or extended-precision result; integers: as double */
    double magnitude; /* floats: the sum of |x| for sums, |result| otherwise; ≥ |value| */
};

struct workload {
    const char *name;
    const char *meaning; /* one sentence, for help and docs */
    bool reduces;        /* combines its input into one value: the facts say how */
    /* Bytes that the best possible kernel must move through memory once. */
    uint64_t (*least_bytes)(const struct input *input);
    /* Elements of the output buffer for a grid of `grid` blocks. */
    uint64_t (*output_elements)(const struct input *input, uint64_t grid, bool complete);
    /* Computes the reference on `threads` threads; nothing is shared with other calls. */
    bool (*reference)(const struct input *input, int threads, struct reference *out,
                      struct error *e);
    /*
     * Judges `count` output elements against the reference. `depth` is the longest chain of
     * operations, which bounds a float's error. Writes the result as text (shortest that reads
     * back equal) and the relative error. Returns whether it is right; when not, `why` says so.
     */
    bool (*check)(const struct input *input, const struct reference *reference, const void *output,
                  uint64_t count, double depth, char result[40], double *rel_error, char why[256]);
};

/* NULL when there is no such workload. */
const struct workload *workload_find(const char *name);
const struct workload *workload_table(int *count);

/* Writes elements [first, first+count) of an input to `out` (host memory). */
void input_generate(const struct input *input, uint64_t first, uint64_t count, void *out);

#endif
