/* An invented library's table for test_calls.c, in the form that harness/tuned/write.c writes.
 * `packs` accepts at most 1000 rows, which must consist of whole 16-byte packs and begin at an
 * aligned element. `few` runs only on devices with fewer multiprocessors than this one. `any`
 * runs for every shape. Among the row-wise configurations, `loose` has the shortest fixed time,
 * `short` the second shortest, and `packs` the shortest time per element. */
#include "redsweep_tuned.h"

#define NAME(name) redsweep_##name
#define CODE(name) REDSWEEP_##name
#define FOR_ARRAYS REDSWEEP_TUNED_ARRAYS
#define FOR_PAIRS REDSWEEP_TUNED_PAIRS
#define FOR_ROWS REDSWEEP_TUNED_ROWS
#define FOR_ROW_PAIRS REDSWEEP_TUNED_ROW_PAIRS
#define FOR_AXES REDSWEEP_TUNED_AXES
#define FOR_AXIS_PAIRS REDSWEEP_TUNED_AXIS_PAIRS
#define NEAR 1.5
#define FAR 4
#define OFF_ROWS 3
#define OFF_ROWS_STEP 2
#define OFF_LENGTHS 2
#define OFF_UNIT 0.01
#define BATCH_FIRST 18
#define BATCH_LAST 28
#define BATCH_STEP 2

static const uint64_t image_0[1] = {0x464c457f};
static const struct code codes[] = {{image_0}};

static unsigned evaluated; /* how often the shape of `packs` was evaluated */

static bool shape_packs(const struct place *at, struct shape *shape)
{
    evaluated++;
    if (rest_of(at->row_length * 2, 16) != 0 || rest_of(at->offset * 2, 16) != 0 ||
        at->n / at->row_length > 1000)
        return false;
    shape->grid = at->n / at->row_length;
    shape->workspace = 8 * shape->grid;
    /* With the kernel's own shared memory, this exceeds 48 KiB. */
    shape->shared = 47 * 1024;
    shape->cluster = 16;
    shape->depth = at->row_length;
    shape->scalars[3] = at->row_length * 2 / 16;
    shape->scalars[4] = 0.5;
    shape->us = 10 + at->n * 1e-3;
    return true;
}

/* The same code with more shared memory. */
static bool shape_packs_more(const struct place *at, struct shape *shape)
{
    bool ok = shape_packs(at, shape);
    shape->shared = 96 * 1024;
    return ok;
}

static bool shape_any(const struct place *at, struct shape *shape)
{
    shape->grid = ceil_div(at->n, 256);
    shape->workspace = 0;
    shape->shared = 0;
    shape->cluster = 1;
    shape->depth = at->row_length;
    return true;
}

static bool shape_short(const struct place *at, struct shape *shape)
{
    shape->us = 5 + at->n * 2e-3;
    return shape_any(at, shape);
}

static bool shape_loose(const struct place *at, struct shape *shape)
{
    shape->us = 2 + at->n * 3e-3;
    return shape_any(at, shape);
}

static bool shape_few(const struct place *at, struct shape *shape)
{
    return at->multiprocessors < 100 && shape_any(at, shape);
}

#define AND_WIDE                                                                                   \
    {                                                                                              \
        {{0, 0}, {0, 0}},                                                                          \
        {                                                                                          \
            {0, 0},                                                                                \
            {                                                                                      \
                0, 0                                                                               \
            }                                                                                      \
        }                                                                                          \
    }
#define NARROW                                                                                     \
    {                                                                                              \
        {{0, 0}, {0, 0}},                                                                          \
        {                                                                                          \
            {NONE, NONE},                                                                          \
            {                                                                                      \
                NONE, NONE                                                                         \
            }                                                                                      \
        }                                                                                          \
    }

/* The ranges end at 100, 1000, 10000 and 2^40. */
static const struct entry arrays[] = {
    {"small", 32, "ionw", shape_any, false, 0, 0, NULL, 0, 0, NARROW},
    {"few", 64, "ionw", shape_few, false, 0, 0, NULL, 0, 0, NARROW},
    {"large", 128, "ionw", shape_any, false, 0, 0, NULL, 0, 0, NARROW},
    {"any", 256, "ionws", shape_any, true, 0, 0, NULL, 0, 0, AND_WIDE},
};
static const struct site arrays_sites[] = {
    {100, 0, 0, 0},
    {1000, 0, 0, 1},
    {10000, 0, 0, 2},
    {UINT64_C(1) << 40, 0, 0, 1},
};

static const struct entry by_rows[] = {
    {"packs", 32, "iowzg", shape_packs, false, 4096, 4096, NULL, 0, 0, NARROW},
    {"packs", 64, "iowzg", shape_packs_more, false, 4096, 4096, NULL, 0, 0, AND_WIDE},
    {"short", 128, "io", shape_short, false, 16, 16, NULL, 0, 0, NARROW},
    {"loose", 96, "io", shape_loose, false, 4096, 4096, NULL, 0, 0, NARROW},
    {"any", 256, "ionw", shape_any, true, 0, 0, NULL, 0, 0, AND_WIDE},
};
static const struct site by_rows_sites[] = {
    {16384, 4096, 1, 0},
    {16384, 4096, 1, 3},
    {1 << 20, 4096, 1, 1},
    {1 << 20, 16, 1, 2},
};

/* `short` and `loose` along an axis. From an inner length of 3 on, `short` is the fastest
 * configuration for the shapes that its loads support. */
static bool shape_apart(const struct place *at, struct shape *shape)
{
    shape->us = 20 + at->n / at->inner * 1e-3;
    return at->inner > 2 && rest_of(at->offset, 2) == 0 && shape_any(at, shape);
}

static const struct entry by_axes[] = {
    {"short", 128, "io", shape_apart, false, 16, 16, NULL, 0, 0, AND_WIDE},
    {"loose", 96, "io", shape_loose, false, 16, 4096, NULL, 0, 0, AND_WIDE},
    {"any", 256, "ions", shape_any, true, 0, 0, NULL, 0, 0, AND_WIDE},
};
static const struct site by_axes_sites[] = {
    {16384, 16, 64, 1},
};

static const struct table sum_i8[] = {{90, TABLE(arrays), false, false, 0}};
static const struct table dot_f32[] = {{100, TABLE(arrays), false, false, 0},
                                       {80, TABLE(arrays), false, false, 0}};
static const struct table mean_var_f64[] = {{90, TABLE(by_rows), true, false, 0}};
static const struct table rows_mean_var_f64[] = {{90, TABLE(by_rows), true, false, 0}};
static const struct table rows_argmax_bf16[] = {{90, TABLE(by_rows), true, false, 0}};
static const struct table rows_dot_i32[] = {{90, TABLE(by_rows), true, false, 0}};
static const struct table rows_max_u64[] = {{90, TABLE(by_rows), true, false, 0}};
static const struct table axis_max_u64[] = {{90, TABLE(by_axes), true, false, 0}};
static const struct table axis_dot_i32[] = {{90, TABLE(by_axes), true, false, 0}};

#define REQUEST(second_vector, row_count, row_length, apart, reads, values)                        \
    {                                                                                              \
        .input = input, .second = second_vector, .output = output, .stream = stream,               \
        .outer = row_count, .length = row_length, .inner = apart, .vectors = reads,                \
        .element = sizeof *input, .result = sizeof *output, .results = values                      \
    }
#define CALL(tables) (redsweep_status) reduce(tables, sizeof tables / sizeof *tables, &request)

redsweep_status redsweep_sum_i8(const int8_t *input, size_t n, int32_t *output, cudaStream_t stream)
{
    const struct request request = REQUEST(NULL, 1, n, 1, 1, 1);
    return CALL(sum_i8);
}

redsweep_status redsweep_mean_var_f64(const double *input, size_t n, double *output,
                                      cudaStream_t stream)
{
    const struct request request = REQUEST(NULL, 1, n, 1, 1, 2);
    return CALL(mean_var_f64);
}

redsweep_status redsweep_dot_f32(const float *input, const float *second, size_t n, float *output,
                                 cudaStream_t stream)
{
    const struct request request = REQUEST(second, 1, n, 1, 2, 1);
    return CALL(dot_f32);
}

redsweep_status redsweep_rows_mean_var_f64(const double *input, size_t rows, size_t row_length,
                                           double *output, cudaStream_t stream)
{
    const struct request request = REQUEST(NULL, rows, row_length, 1, 1, 2);
    return CALL(rows_mean_var_f64);
}

redsweep_status redsweep_rows_argmax_bf16(const uint16_t *input, size_t rows, size_t row_length,
                                          int64_t *output, cudaStream_t stream)
{
    const struct request request = REQUEST(NULL, rows, row_length, 1, 1, 1);
    return CALL(rows_argmax_bf16);
}

redsweep_status redsweep_rows_max_u64(const uint64_t *input, size_t rows, size_t row_length,
                                      uint64_t *output, cudaStream_t stream)
{
    const struct request request = REQUEST(NULL, rows, row_length, 1, 1, 1);
    return CALL(rows_max_u64);
}

redsweep_status redsweep_rows_dot_i32(const int32_t *input, const int32_t *second, size_t rows,
                                      size_t row_length, int32_t *output, cudaStream_t stream)
{
    const struct request request = REQUEST(second, rows, row_length, 1, 2, 1);
    return CALL(rows_dot_i32);
}

redsweep_status redsweep_axis_max_u64(const uint64_t *input, size_t outer, size_t length,
                                      size_t inner, uint64_t *output, cudaStream_t stream)
{
    if (inner == 1)
        return redsweep_rows_max_u64(input, outer, length, output, stream);
    const struct request request = REQUEST(NULL, outer, length, inner, 1, 1);
    return CALL(axis_max_u64);
}

redsweep_status redsweep_axis_dot_i32(const int32_t *input, const int32_t *second, size_t outer,
                                      size_t length, size_t inner, int32_t *output,
                                      cudaStream_t stream)
{
    if (inner == 1)
        return redsweep_rows_dot_i32(input, second, outer, length, output, stream);
    const struct request request = REQUEST(second, outer, length, inner, 2, 1);
    return CALL(axis_dot_i32);
}
