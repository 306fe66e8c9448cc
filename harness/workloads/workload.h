/*
 * Workloads: a kernel's input, the meaning of its output, and how that is checked.
 *
 * Most kernels reduce; a few kernels from the sources do other work. Each kind of work is one row
 * of the table in workload.c, so that the harness carries them all alike. A kernel's parameters are
 * a prefix of (input, output, n, workspace).
 */
#ifndef REDSWEEP_WORKLOADS_WORKLOAD_H
#define REDSWEEP_WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/element.h"
#include "base/error.h"
#include "base/input.h"

struct kernel;

/* The right result: exact for integers, an interval for floats. */
struct reference {
    uint64_t bits;   /* integers: the wrapped result, zero- or sign-extended to 64 bits; an index */
    double value;    /* floats: compensated or extended-precision result; integers: as double */
    double variance; /* mean_var: `value` is the mean */
    double magnitude; /* floats: the sum of |x| for sums, the root of the mean square for mean_var,
                         |result| otherwise; ≥ |value| */
    struct reference *rows; /* for work by rows: that of each row, to be freed; NULL otherwise */
};

/* One point's launch, as far as its result depends on it. */
struct work {
    const struct input *input;
    uint64_t n;                  /* the point's elements */
    uint64_t row_length;         /* elements per row; 0: not by rows */
    uint64_t inner;              /* distance in elements between elements of a row */
    uint64_t first;              /* index of the first output element that check() gets */
    uint64_t grid;               /* blocks */
    int block;                   /* threads */
    bool complete;               /* one result rather than one accumulator per block */
    double depth;                /* longest chain of operations, which bounds a float's error */
    int threads;                 /* threads of the CPU for a check; 0: one */
    const struct kernel *kernel; /* for its tunables; may be NULL */
    const int32_t *tunables;     /* by position in the kernel's facts */
};

/* Elements [first, end) of an input. */
struct element_range {
    uint64_t first, end;
};

struct workload {
    const char *name;
    const char *meaning; /* one sentence, for help and docs */
    bool reduces;        /* combines its input into one value: the facts define how */
    /*
     * Its input is rows, n / row_length of them (row-major), with one output element each. It has
     * points only where the axis row_length is not 0; other workloads only where it is 0.
     */
    bool by_rows;
    bool any_axis; /* by rows: also of elements that are `inner` apart */
    /* Elements of one input vector for a point of n elements; 0: no input. */
    uint64_t (*input_elements)(uint64_t n);
    /*
     * Bytes that the best possible kernel must move through memory once; 0: the work does not
     * depend on memory. The results of rows are added to them.
     */
    uint64_t (*min_bytes)(const struct input *input);
    /* Elements of the output buffer; the kernel writes all of them. */
    uint64_t (*output_elements)(const struct work *work);
    /* Bytes of each of them; NULL: those of an element of the input. */
    size_t (*output_size)(const struct work *work);
    /*
     * Computes the reference on `threads` threads; nothing is shared with other calls. NULL if the
     * check computes the right values itself.
     */
    bool (*reference)(const struct input *input, int threads, struct reference *out,
                      struct error *e);
    /*
     * The same for each row, whose elements are `inner` apart: out->rows, the caller's, to be freed.
     * NULL like `reference`.
     */
    bool (*rows_reference)(const struct input *input, uint64_t row_length, uint64_t inner,
                           int threads, struct reference *out, struct error *e);
    /*
     * For samples of a grid's blocks, for workloads that reduce: the same for some elements only.
     * `count` is at least 1, no range is empty.
     */
    void (*reference_of)(const struct input *input, const struct element_range *ranges,
                         uint64_t count, struct reference *out);
    /* The same for other workloads: elements in a row of the output, of which a block writes a
     * part. */
    uint64_t (*row_elements)(const struct work *work);
    /*
     * Judges `count` output elements against the reference. Writes the result as text (shortest
     * that reads back equal) and the relative error. Returns whether it is right; if not, `why`
     * explains it.
     */
    bool (*check)(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);
};

/*
 * The input of a point of n elements, without its seed. An operation of two vectors has both in one
 * buffer; the second begins at a multiple of 256 bytes.
 */
struct input workload_input(const struct workload *w, enum element_type type, enum operation op,
                            uint64_t n);

/* Bytes of one output element. */
size_t workload_output_size(const struct workload *w, const struct work *work);

/* NULL if there is no such workload. */
const struct workload *workload_find(const char *name);
const struct workload *workload_table(int *count);

/* The value of a kernel's tunable at this point; `otherwise` if it has none of that name. */
int work_tunable(const struct work *work, const char *name, int otherwise);

#endif
