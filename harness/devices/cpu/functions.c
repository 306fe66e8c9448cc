/*
 * The table of the functions from kernels/cpu.
 *
 * The Makefile lists the files of kernels/cpu in build/cpu_kernels.def, as one CPU_KERNEL(name) per
 * file. It compiles each file 24 times, once for each type and operation, with function names such
 * as name_INT32_SUM.
 */
#include "devices/cpu/functions.h"

#include <stddef.h>
#include <string.h>

#define OPERATIONS(name, TYPE, type, field)                                                        \
    DO(name, TYPE, type, field, SUM)                                                               \
    DO(name, TYPE, type, field, MAX)                                                               \
    DO(name, TYPE, type, field, MIN)                                                               \
    DO(name, TYPE, type, field, PROD)
#define CPU_KERNEL(name)                                                                           \
    OPERATIONS(name, INT32, int32_t, of_int32)                                                     \
    OPERATIONS(name, UINT32, uint32_t, of_uint32)                                                  \
    OPERATIONS(name, INT64, int64_t, of_int64)                                                     \
    OPERATIONS(name, UINT64, uint64_t, of_uint64)                                                  \
    OPERATIONS(name, FLOAT32, float, of_float32)                                                   \
    OPERATIONS(name, FLOAT64, double, of_float64)

#define DO(name, TYPE, type, field, OP)                                                            \
    void name##_##TYPE##_##OP(type *input, type *output, uint64_t n);
#include "cpu_kernels.def"
#undef DO

#define DO(name, TYPE, type, field, OP)                                                            \
    {#name, TYPE_##TYPE, OP_##OP, {.field = name##_##TYPE##_##OP}},
static const struct host_function functions[] = {
#include "cpu_kernels.def"
};
#undef DO

const struct host_function *host_function_find(const char *name, enum element_type type,
                                               enum operation op)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].type == type && functions[i].op == op &&
            strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

void host_function_call(const struct host_function *f, void *input, void *output, uint64_t n)
{
    switch (f->type) {
    case TYPE_INT32:
        f->of_int32(input, output, n);
        break;
    case TYPE_UINT32:
        f->of_uint32(input, output, n);
        break;
    case TYPE_INT64:
        f->of_int64(input, output, n);
        break;
    case TYPE_UINT64:
        f->of_uint64(input, output, n);
        break;
    case TYPE_FLOAT32:
        f->of_float32(input, output, n);
        break;
    case TYPE_FLOAT64:
        f->of_float64(input, output, n);
        break;
    default: /* the table has no functions for other types */
        break;
    }
}
