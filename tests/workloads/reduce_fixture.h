/* Functions for the tests of the reduce workload. They make inputs and references, and return the
 * workload's verdict on an output. */
#ifndef REDUCE_FIXTURE_H
#define REDUCE_FIXTURE_H

#include "../fixture_kernels.h"
#include "../half.h"

#include <math.h>

#include "support/input.h"
#include "workloads/workload.h"

static const uint64_t awkward[] = {1,    2,    3,     31,    32,    33,    63,     64,
                                   65,   127,  128,   129,   1023,  1024,  1025,   4999,
                                   5000, 8191, 65535, 65536, 65537, 99991, 131073, 200003};
enum { AWKWARD = sizeof awkward / sizeof *awkward };

static const struct workload *reduce(void)
{
    return workload_find("reduce");
}

static struct reference reference_of(const struct input *in, int threads)
{
    struct reference r;
    struct error e = {0};
    if (!reduce()->reference(in, threads, &r, &e))
        fail_msg("%s", e.text);
    return r;
}

static struct input input_of(int type, int op, uint64_t n, uint64_t seed)
{
    struct input in = workload_input(reduce(), (enum element_type)type, (enum operation)op, n);
    in.seed = seed;
    return in;
}

static bool allowed(int type, int op)
{
    return operation_allows((enum operation)op, (enum element_type)type);
}

/* Input vectors with room for one more element. If the operation has just one input, y is all 0. */
struct vectors {
    char *x, *y;
};

static struct vectors make_vectors(const struct input *in)
{
    size_t size = element_size(in->type);
    uint64_t n = input_vector(in);
    struct vectors v = {calloc(n + 1, size), calloc(n + 1, size)};
    assert_true(v.x && v.y);
    input_generate(in, 0, n, v.x);
    if (in->second)
        input_generate(in, in->second, n, v.y);
    return v;
}

static void free_vectors(struct vectors v)
{
    free(v.x);
    free(v.y);
}

/* Returns a float element as a double, converted by the compiler and not by the harness. */
static double real_at(enum element_type type, const void *values, uint64_t i)
{
    uint32_t wide;
    float single;
    if (type == TYPE_FLOAT16)
        return half_value(((const uint16_t *)values)[i]);
    if (type == TYPE_BFLOAT16) {
        wide = (uint32_t)((const uint16_t *)values)[i] << 16;
        memcpy(&single, &wide, sizeof single);
        return single;
    }
    return type == TYPE_FLOAT32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static __int128 integer_at(enum element_type type, const void *values, uint64_t i)
{
    return type == TYPE_INT8     ? ((const int8_t *)values)[i]
           : type == TYPE_UINT8  ? ((const uint8_t *)values)[i]
           : type == TYPE_INT32  ? ((const int32_t *)values)[i]
           : type == TYPE_UINT32 ? ((const uint32_t *)values)[i]
           : type == TYPE_INT64  ? ((const int64_t *)values)[i]
                                 : (__int128)((const uint64_t *)values)[i];
}

/* For max, min and their indices, returns whether an element replaces the extreme so far. `more`
 * and `less` say whether the element is larger or smaller than this extreme. */
static bool is_better(enum operation op, bool more, bool less)
{
    return op == OP_MAX || op == OP_ARGMAX ? more : less;
}

struct verdict {
    bool right;
    char result[RESULT_TEXT], why[256];
    double rel_error;
};

static struct verdict judge(const struct input *in, const void *output, uint64_t count,
                            double depth)
{
    struct verdict v;
    struct reference r = reference_of(in, 2);
    struct work work = {.input = in, .n = in->n, .depth = depth};
    v.right = reduce()->check(&work, &r, output, count, v.result, &v.rel_error, v.why);
    assert_true(v.right == (v.why[0] == '\0'));
    return v;
}

#endif
