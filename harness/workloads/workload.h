/*
 * A workload defines a kernel's input, what its output means, and how the output is checked.
 *
 * Most kernels reduce an array, but a few do other work, such as copying it. Each kind of work is a
 * row of the table in workload.c, so the harness treats all kinds alike. plan/arguments.h describes
 * the parameters of a kernel.
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

/* The correct result. For integers, it is exact. For floats, it is the middle of the interval of
 * acceptable results. */
struct reference {
    /* For integers: the result, which may have wrapped around, zero- or sign-extended to 64 bits.
     * For operations that return an index: the index. */
    uint64_t bits;
    /* For floats: the compensated or extended-precision result. For integers: the result as a
     * double. */
    double value;
    double variance; /* for mean_var, whose `value` is the mean */
    /* For floats: the scale of the error bound. This is the sum of |x| for sums, the root mean
     * square for mean_var, and |result| for other operations. At least |value|. */
    double magnitude;
    /* For work on rows: one reference per row, freed by the caller. Otherwise NULL. */
    struct reference *rows;
};

/* What the result of a point's launch depends on. */
struct work {
    const struct input *input;
    uint64_t n;          /* elements of the point */
    uint64_t row_length; /* elements per row; 0 for work without rows */
    uint64_t inner;      /* the distance between a row's consecutive elements, in elements */
    uint64_t first;      /* the index of the first output element passed to check() */
    uint64_t grid;       /* blocks */
    int block;           /* threads per block */
    bool complete;       /* there is one result instead of one accumulator per block */
    double depth;        /* the length of the longest chain of operations, for error bounds */
    int threads;         /* the number of CPU threads for a check; 0 means one */
    const struct kernel *kernel; /* needed for its tunables, or NULL */
    const int32_t *tunables;     /* in the order of the kernel's facts */
};

/* The elements [first, end) of an input. */
struct element_range {
    uint64_t first, end;
};

struct workload {
    const char *name;
    const char *meaning; /* one sentence for the help and the docs */
    /* Whether the work combines its input into one value. The kernel's facts then say whether the
     * kernel computes this value or one partial result per block. */
    bool reduces;
    /*
     * The input consists of n / row_length rows (row-major), and there is one output element per
     * row. Such a workload has points only where the axis row_length is not 0. Other workloads have
     * points only where it is 0.
     */
    bool by_rows;
    bool any_axis; /* neighboring elements of a row may be `inner` elements apart, not only 1 */
    /* Returns how many elements one input vector has for a point of n elements, or 0 if there is no
     * input. */
    uint64_t (*input_elements)(uint64_t n);
    /*
     * Returns how many bytes even the best possible kernel must read from or write to memory, or 0
     * if the work does not depend on memory. If `by_rows` is true, the caller adds the size of the
     * results.
     */
    uint64_t (*min_bytes)(const struct input *input);
    /* Returns how many elements the output buffer has. The kernel writes all of them. */
    uint64_t (*output_elements)(const struct work *work);
    /* Returns the size of an output element in bytes. NULL: the size of an input element. */
    size_t (*output_size)(const struct work *work);
    /*
     * Computes the reference on `threads` threads. May be called by several threads at once. NULL
     * if check() computes the correct values itself.
     */
    bool (*reference)(const struct input *input, int threads, struct reference *out,
                      struct error *e);
    /*
     * Computes the reference of each row, whose neighboring elements are `inner` elements apart.
     * Stores the references in out->rows, which the caller frees. NULL if check() computes the
     * correct values itself.
     */
    bool (*rows_reference)(const struct input *input, uint64_t row_length, uint64_t inner,
                           int threads, struct reference *out, struct error *e);
    /*
     * Computes the reference of only the elements in `count` ranges. Used if only some blocks were
     * executed, in workloads that reduce. `count` is at least 1, and no range is empty.
     */
    void (*reference_of)(const struct input *input, const struct element_range *ranges,
                         uint64_t count, struct reference *out);
    /* Returns how many elements a row of the output has. A block writes a part of one row. Used if
     * only some blocks were executed, in workloads that do not reduce. */
    uint64_t (*row_elements)(const struct work *work);
    /*
     * Compares `count` output elements with the reference. Sets *rel_error, and writes the result
     * as the shortest text that reads back as the same value. Returns whether the result is
     * correct. If it is not, writes what is wrong to `why`.
     */
    bool (*check)(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);
};

/*
 * Returns the input for a point of n elements, without its seed. For an operation of two vectors,
 * one buffer contains both, and the second begins at a multiple of 256 bytes.
 */
struct input workload_input(const struct workload *w, enum element_type type, enum operation op,
                            uint64_t n);

/* Returns the size of an output element in bytes. */
size_t workload_output_size(const struct workload *w, const struct work *work);

/* Returns the workload with this name, or NULL if there is none. */
const struct workload *workload_find(const char *name);
/* Returns an array of all workloads. */
const struct workload *workload_table(int *count);

/* Returns the value of a tunable in work->tunables, or `otherwise` if the kernel has no such
 * tunable. */
int work_tunable(const struct work *work, const char *name, int otherwise);

#endif
