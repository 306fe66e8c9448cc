/* Input values are never stored: each is a function of its index and four numbers. */
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

/* Returns the kind of values in kernels/support/input.h that an operation reduces. */
int input_values(enum operation op);

/* What value i depends on (kernels/support/input.h). */
struct input {
    enum element_type type;
    enum operation op;
    uint64_t n; /* elements in the input buffer: see workload_input() */
    uint64_t seed;
    enum input_kind kind;
    /* Where the second of two vectors begins, or 0 if there is only one. */
    uint64_t second;
};

/* Returns how many elements the vector has, or each of the two. */
uint64_t input_vector(const struct input *input);

/*
 * Returns the byte that fills memory that a kernel must not read, or must overwrite. Repeated, it
 * is an element that changes any result of this operation, because it is finite and more extreme
 * than every input.
 */
uint8_t input_poison(enum element_type type, enum operation op);

/* Writes the elements [first, first+count) of an input to `out` in host memory. */
void input_generate(const struct input *input, uint64_t first, uint64_t count, void *out);

#endif
