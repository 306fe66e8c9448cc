/*
 * Inputs: values that are never stored, because each is a function of its index and four numbers.
 */
#ifndef REDSWEEP_BASE_INPUT_H
#define REDSWEEP_BASE_INPUT_H

#include <stdint.h>

#include "base/element.h"

/* Value i is a function of these (kernels/support/input.h). */
struct input {
    enum element_type type;
    enum operation op;
    uint64_t n; /* elements in the input buffer: see workload_input() */
    uint64_t seed;
    uint64_t second; /* element at which the second of two vectors begins; 0: there is one */
};

/* Elements of the vector, or of each of the two. */
uint64_t input_vector(const struct input *input);

/*
 * The byte for what a kernel must neither read nor leave as it was: repeated, it is an element
 * that changes any result of this operation, because it is more extreme than every input, and
 * finite.
 */
uint8_t input_poison(enum element_type type, enum operation op);

/* Writes elements [first, first+count) of an input to `out` (host memory). */
void input_generate(const struct input *input, uint64_t first, uint64_t count, void *out);

#endif
