/* Input values are not stored. Each is computed from its index and a seed. */
#ifndef REDSWEEP_BASE_INPUT_H
#define REDSWEEP_BASE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/element.h"

/* The values of the axis `inputs`: see kernels/support/input_kinds.h. */
enum input_kind {
    INPUT_KIND_UNIFORM,
    INPUT_KIND_NORMAL,
    INPUT_KIND_SPAN60,
    INPUT_KIND_WIDE,
    INPUT_KIND_CANCELLING,
    INPUT_KIND_SORTED,
    INPUT_KIND_SPECIAL,
    INPUT_KIND_SUBNORMAL,
    INPUT_KINDS
};
extern const char *const input_kind_names[];
/*
 * Returns whether the reference and the error bound are valid for inputs of this kind, type and
 * operation.
 */
bool input_kind_allows(enum input_kind kind, enum element_type type, enum operation op);

/*
 * Returns which values (INPUT_TERMS, INPUT_PEAK …; see kernels/support/input.h) an operation
 * reduces.
 */
int input_values(enum operation op);

/* What the elements of an input depend on, apart from their index (see kernels/support/input.h). */
struct input {
    enum element_type type;
    enum operation op;
    uint64_t n; /* elements in the input buffer: see workload_input() */
    uint64_t seed;
    enum input_kind kind;
    /* The index at which the second of two vectors begins, or 0 if there is only one vector. */
    uint64_t second;
};

/* Returns how many elements each vector of the input has. */
uint64_t input_vector(const struct input *input);

/*
 * Returns the byte with which memory is filled that a kernel must not read, or must overwrite. An
 * element of such bytes would change the result of this operation: for max and min, it is beyond
 * every input, and for sums and products, it is a large odd number or a large float.
 */
uint8_t input_poison(enum element_type type, enum operation op);

/* Writes the elements [first, first+count) of an input to `out` in host memory. */
void input_generate(const struct input *input, uint64_t first, uint64_t count, void *out);

#endif
