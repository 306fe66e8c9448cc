/*
 * Declares the functions from kernels/cpu, which are compiled into this program. Used only in this
 * folder.
 */
#ifndef REDSWEEP_DEVICES_CPU_FUNCTIONS_H
#define REDSWEEP_DEVICES_CPU_FUNCTIONS_H

#include <stdint.h>

#include "base/element.h"

/* a function for one element type and one operation */
struct host_function {
    const char *name;
    enum element_type type;
    enum operation op;
    union {
        void (*of_int32)(int32_t *input, int32_t *output, uint64_t n);
        void (*of_uint32)(uint32_t *input, uint32_t *output, uint64_t n);
        void (*of_int64)(int64_t *input, int64_t *output, uint64_t n);
        void (*of_uint64)(uint64_t *input, uint64_t *output, uint64_t n);
        void (*of_float32)(float *input, float *output, uint64_t n);
        void (*of_float64)(double *input, double *output, uint64_t n);
    };
};

/* Returns the function called `name` for this type and operation, or NULL if the program has
 * none. */
const struct host_function *host_function_find(const char *name, enum element_type type,
                                               enum operation op);

void host_function_call(const struct host_function *f, void *input, void *output, uint64_t n);

#endif
