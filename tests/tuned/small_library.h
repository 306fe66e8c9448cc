/* Makes a small library with invented times, which tests write into the scratch folder. */
#ifndef SMALL_LIBRARY_H
#define SMALL_LIBRARY_H

#include "writing_fixture.h"

#include "../texts/expected.h"

static inline int set_up(void **state)
{
    if (make_scratch(state) != 0)
        return -1;
    texts_rename(scratch, "$work");
    return open_compiler();
}

static inline struct tuned_range make_range(const char *kernel, int loads, uint64_t first,
                                            uint64_t last)
{
    return (struct tuned_range){.kernel = catalogue_find(&kernels, kernel),
                                .variant = {.block = 64, .unroll = 1, .tunables = {loads}},
                                .first = first,
                                .last = last,
                                .sizes = {first, first + 1},
                                .us = {4.25, 8.5},
                                .reference_us = {5, NAN}};
}

/* Makes a library with a sum and a maximum. The sum's second range needs code for 32-bit and
 * 64-bit n. The maximum has the setting of the sum's first range. */
static inline struct tuned make_tuned(struct tuned_function functions[2],
                                      struct tuned_range ranges[3])
{
    ranges[0] = make_range("even", 2, 1, 8192);
    ranges[1] = make_range("odd", 4, 8193, (uint64_t)1 << TUNED_MOST_LOG2);
    ranges[2] = make_range("even", 2, 1, (uint64_t)1 << 31);
    ranges[2].variant.op = OP_MAX;
    functions[0] = (struct tuned_function){TYPE_INT32, OP_SUM, OVER_ARRAYS, .ranges = ranges,
                                           .range_count = 2};
    functions[1] = (struct tuned_function){TYPE_INT32, OP_MAX, OVER_ARRAYS, .ranges = &ranges[2],
                                           .range_count = 1};
    return (struct tuned){.catalogue = &kernels,
                          .functions = functions,
                          .function_count = 2,
                          .device = "Device D",
                          .started = "2026-01-02T03:04:05Z",
                          .run = "invented",
                          .cc = 90};
}

static inline const char *in_scratch(const char *name)
{
    static char path[2][256];
    static int next;
    char *at = path[next++ % 2];
    snprintf(at, sizeof path[0], "%s/%s", scratch, name);
    return at;
}

static const char *packer; /* compression program; NULL: code is stored uncompressed */

static inline bool written(const struct tuned *targets, size_t count, const char *prefix,
                           const char *folder, struct error *e)
{
    const struct tuned_output to = {.prefix = prefix, .folder = folder, .packer = packer};
    return tuned_write(targets, count, &to, compiler, e);
}

static inline void write_library(const char *folder)
{
    static struct error e;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    if (!written(&t, 1, "redsweep", in_scratch(folder), &e))
        fail_msg("%s", e.text);
}

#endif
