/*
 * A workload defines the input of a kernel, the meaning of its output, and how the output is
 * checked.
 *
 * Most kernels reduce, but a few kernels do other work. Each kind of work is one row of the table
 * in workload.c, so that the harness handles all of them alike. plan/arguments.h describes the
 * parameters of a kernel.
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

/* The right result. It is exact for integers, and the middle of an interval for floats. */
struct reference {
    /* For integers, this is the wrapped result, zero- or sign-extended to 64 bits, or an index. */
    uint64_t bits;
    /* For floats, this is the compensated or extended-precision result. For integers, it is the
     * result as a double. */
    double value;
    double variance; /* the variance for mean_var, whose `value` is the mean */
    /* For floats, this is the sum of |x| for sums, the root of the mean square for mean_var, and
     * |result| otherwise. It is at least |value|. */
    double magnitude;
    /* For work on rows, this contains the reference of each row, and the caller frees it. Otherwise
     * it is NULL. */
    struct reference *rows;
};

/* This contains those parts of a point's launch on which the result depends. */
struct work {
    const struct input *input;
    uint64_t n;          /* the number of elements of the point */
    uint64_t row_length; /* the number of elements per row, or 0 for work without rows */
    uint64_t inner;      /* the distance between consecutive elements of a row, in elements */
    uint64_t first;      /* the index of the first output element that check() gets */
    uint64_t grid;       /* the number of blocks */
    int block;           /* the number of threads per block */
    bool complete; /* This is true if there is one result instead of one accumulator per block. */
    double depth;  /* the longest chain of operations, which bounds the error of a float */
    int threads;   /* The number of CPU threads for a check. 0 means one thread. */
    const struct kernel *kernel; /* the kernel, whose tunables are needed, or NULL */
    const int32_t *tunables; /* the values of the tunables, in the order of the kernel's facts */
};

/* The elements [first, end) of an input. */
struct element_range {
    uint64_t first, end;
};

struct workload {
    const char *name;
    const char *meaning; /* one sentence for the help and the docs */
    /* This is true if the work combines its input into one value. The facts of a kernel then define
     * how it does so. */
    bool reduces;
    /*
     * This is true if the input consists of n / row_length rows (row-major) with one output element
     * each. Such a workload has points only where the axis row_length is not 0. Other workloads
     * have points only where it is 0.
     */
    bool by_rows;
    bool any_axis; /* This is true if the elements of a row may also be `inner` apart. */
    /* Returns the number of elements of one input vector for a point of n elements, or 0 if there
     * is no input. */
    uint64_t (*input_elements)(uint64_t n);
    /*
     * Returns the number of bytes that even the best possible kernel must read from memory or write
     * to memory, or 0 if the work does not depend on memory. For rows, the caller adds the size of
     * the results.
     */
    uint64_t (*min_bytes)(const struct input *input);
    /* Returns the number of elements of the output buffer. The kernel writes all of them. */
    uint64_t (*output_elements)(const struct work *work);
    /* Returns the size of an output element in bytes. NULL means that it is the size of an input
     * element. */
    size_t (*output_size)(const struct work *work);
    /*
     * Computes the reference on `threads` threads. The function shares nothing with other calls.
     * The pointer is NULL if the check computes the right values itself.
     */
    bool (*reference)(const struct input *input, int threads, struct reference *out,
                      struct error *e);
    /*
     * Computes the reference of each row, whose elements are `inner` apart. The references are
     * stored in out->rows, which the caller frees. The pointer is NULL if the check computes the
     * right values itself.
     */
    bool (*rows_reference)(const struct input *input, uint64_t row_length, uint64_t inner,
                           int threads, struct reference *out, struct error *e);
    /*
     * Computes the reference of some elements only. It is used to check samples of a grid's blocks,
     * for workloads that reduce. `count` is at least 1, and no range is empty.
     */
    void (*reference_of)(const struct input *input, const struct element_range *ranges,
                         uint64_t count, struct reference *out);
    /* Returns the number of elements in a row of the output. A block writes a part of such a row.
     * It is used to check samples of a grid's blocks, for workloads that do not reduce. */
    uint64_t (*row_elements)(const struct work *work);
    /*
     * Compares `count` output elements with the reference. The function writes the relative error,
     * and the result as the shortest text that reads back as the same value. It returns whether the
     * result is right. If it is not, `why` contains an explanation.
     */
    bool (*check)(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);
};

/*
 * Returns the input of a point of n elements, without its seed. For an operation of two vectors,
 * one buffer contains both, and the second begins at a multiple of 256 bytes.
 */
struct input workload_input(const struct workload *w, enum element_type type, enum operation op,
                            uint64_t n);

/* Returns the size of an output element in bytes. */
size_t workload_output_size(const struct workload *w, const struct work *work);

/* Returns NULL if there is no such workload. */
const struct workload *workload_find(const char *name);
const struct workload *workload_table(int *count);

/* Returns the value of a kernel's tunable at this point, or `otherwise` if the kernel has no
 * tunable of this name. */
int work_tunable(const struct work *work, const char *name, int otherwise);

#endif
