/*
 * Lists all functions of a library, with uniform parameters, for programs that call whatever
 * functions the library has. Includes the library itself.
 */
#ifndef REDSWEEP_TUNED_FUNCTIONS_H
#define REDSWEEP_TUNED_FUNCTIONS_H

#include "tuned/redsweep_tuned.c"

typedef int function_call(const void *input, const void *second, size_t rows, size_t row_length,
                          size_t inner, void *output, cudaStream_t stream);

#define WRAP_ARRAY(name, function, type, op, in, out)                                              \
    static int call_##name(const void *input, const void *second, size_t rows, size_t n,           \
                           size_t inner, void *output, cudaStream_t stream)                        \
    {                                                                                              \
        (void)second, (void)rows, (void)inner;                                                     \
        return function((const in *)input, n, (out *)output, stream);                              \
    }
#define WRAP_PAIR(name, function, type, op, in, out)                                               \
    static int call_##name(const void *input, const void *second, size_t rows, size_t n,           \
                           size_t inner, void *output, cudaStream_t stream)                        \
    {                                                                                              \
        (void)rows, (void)inner;                                                                   \
        return function((const in *)input, (const in *)second, n, (out *)output, stream);          \
    }
#define WRAP_ROWS(name, function, type, op, in, out)                                               \
    static int call_##name(const void *input, const void *second, size_t rows, size_t length,      \
                           size_t inner, void *output, cudaStream_t stream)                        \
    {                                                                                              \
        (void)second, (void)inner;                                                                 \
        return function((const in *)input, rows, length, (out *)output, stream);                   \
    }
#define WRAP_ROW_PAIRS(name, function, type, op, in, out)                                          \
    static int call_##name(const void *input, const void *second, size_t rows, size_t length,      \
                           size_t inner, void *output, cudaStream_t stream)                        \
    {                                                                                              \
        (void)inner;                                                                               \
        return function((const in *)input, (const in *)second, rows, length, (out *)output,        \
                        stream);                                                                   \
    }
#define WRAP_AXES(name, function, type, op, in, out)                                               \
    static int call_##name(const void *input, const void *second, size_t outer, size_t length,     \
                           size_t inner, void *output, cudaStream_t stream)                        \
    {                                                                                              \
        (void)second;                                                                              \
        return function((const in *)input, outer, length, inner, (out *)output, stream);           \
    }
#define WRAP_AXIS_PAIRS(name, function, type, op, in, out)                                         \
    static int call_##name(const void *input, const void *second, size_t outer, size_t length,     \
                           size_t inner, void *output, cudaStream_t stream)                        \
    {                                                                                              \
        return function((const in *)input, (const in *)second, outer, length, inner,               \
                        (out *)output, stream);                                                    \
    }
/* clang-format off */
FOR_ARRAYS(WRAP_ARRAY)
FOR_PAIRS(WRAP_PAIR)
FOR_ROWS(WRAP_ROWS)
FOR_ROW_PAIRS(WRAP_ROW_PAIRS)
FOR_AXES(WRAP_AXES)
FOR_AXIS_PAIRS(WRAP_AXIS_PAIRS)
/* clang-format on */

struct function {
    const char *name, *type, *op;
    const char *result_type; /* C type of each part of a result */
    size_t result_bytes;
    enum { ARRAY, ROWS, AXIS } over;
    bool pair;
    const struct table *tables;
    size_t table_count;
    function_call *call;
};

#define ROW(name, function, type, op, out, over, pair)                                             \
    {#function,  #type, #op, #out, sizeof(out), over, pair, name, sizeof name / sizeof *name,      \
     call_##name},
#define ARRAY_ROW(name, function, type, op, in, out)                                               \
    ROW(name, function, type, op, out, ARRAY, false)
#define ROWS_ROW(name, function, type, op, in, out) ROW(name, function, type, op, out, ROWS, false)
#define AXES_ROW(name, function, type, op, in, out) ROW(name, function, type, op, out, AXIS, false)
#define PAIR_ROW(name, function, type, op, in, out) ROW(name, function, type, op, out, ARRAY, true)
#define ROW_PAIRS_ROW(name, function, type, op, in, out)                                           \
    ROW(name, function, type, op, out, ROWS, true)
#define AXIS_PAIRS_ROW(name, function, type, op, in, out)                                          \
    ROW(name, function, type, op, out, AXIS, true)
/* clang-format off */
static const struct function functions[] = {
    FOR_ARRAYS(ARRAY_ROW)
    FOR_PAIRS(PAIR_ROW)
    FOR_ROWS(ROWS_ROW)
    FOR_ROW_PAIRS(ROW_PAIRS_ROW)
    FOR_AXES(AXES_ROW)
    FOR_AXIS_PAIRS(AXIS_PAIRS_ROW)
};
/* clang-format on */
enum { FUNCTIONS = sizeof functions / sizeof *functions };

#endif
