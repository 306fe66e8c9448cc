/* Shared by the tests of several folders. Makes kernels from a text, catalogues from kernels,
 * and configs without a file, so that one folder's tests do not depend on another's parser. */
#ifndef REDSWEEP_TESTS_FIXTURE_KERNELS_H
#define REDSWEEP_TESTS_FIXTURE_KERNELS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

#include "plan/plan.h"
#include "spec/kernel.h"

/* Makes a kernel called `name` with these additional facts. Each fact is a whole line that
 * begins with //. */
static inline struct kernel *make_kernel(const char *name, const char *facts)
{
    char path[128], code[4096];
    struct error e = {0};
    struct kernel *k;
    snprintf(path, sizeof path, "kernels/%s.cu", name);
    int length =
        snprintf(code, sizeof code,
                 "// kernel: %s\n// idea: none\n// source: a test\n// input: untouched\n"
                 "// uniform: yes\n%s"
                 "extern \"C\" __global__ void %s(element *input, element *output)\n{\n}\n",
                 name, facts, name);
    assert_in_range(length, 1, sizeof code - 1);
    if (!kernel_parse(path, code, (size_t)length, &k, &e))
        fail_msg("%s", e.text);
    return k;
}

/* Makes a catalogue from kernels in name order. The catalogue owns the kernels. */
static inline struct catalogue make_catalogue(int count, ...)
{
    struct catalogue c = {calloc((size_t)count, sizeof *c.kernels), count};
    assert_non_null(c.kernels);
    va_list kernels;
    va_start(kernels, count);
    for (int i = 0; i < count; i++)
        c.kernels[i] = va_arg(kernels, struct kernel *);
    va_end(kernels);
    return c;
}

/* Returns a config with one size, block, unroll factor, type, operation, cache state and scope. Its
 * arrays are static. */
static inline struct config small_config(void)
{
    static char path[] = "test.json";
    static uint64_t int32[] = {TYPE_INT32}, sum[] = {OP_SUM}, sizes[] = {1024}, blocks[] = {64},
                    unrolls[] = {4}, cold[] = {CACHE_COLD}, kernel[] = {SCOPE_KERNEL};
    return (struct config){.path = path,
                           .all_tunables = true,
                           .axis_values = {[AXIS_type] = {int32, 1},
                                           [AXIS_op] = {sum, 1},
                                           [AXIS_n] = {sizes, 1},
                                           [AXIS_block] = {blocks, 1},
                                           [AXIS_unroll] = {unrolls, 1},
                                           [AXIS_cache] = {cold, 1},
                                           [AXIS_scope] = {kernel, 1}},
                           .seed = 1};
}

/* Sets the values of an axis, in ascending order. The array of values lives until the enclosing
 * block ends. */
#define CHOOSE(config, axis, ...)                                                                  \
    ((config).axis_values[AXIS_##axis] = (struct config_values){                                   \
         (uint64_t[]){__VA_ARGS__}, (int)(sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))})

#endif
