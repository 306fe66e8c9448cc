/* A library computes expected times from three kernel facts (`where`, `cost`, `overlap`). Tests
 * that these facts have values for each configuration and each shape that it can run. Without such
 * values, a configuration is selected only for measured shapes. For kernels with many
 * configurations, only some of them are tried, evenly spaced. */
#include "choosing_fixture.h"
#include "tuned/choosing.h"

enum { SMS = 132, MOST_TRIED = 4000, SHAPES = 6, INNER = 32 };
static const struct config_shape shapes[SHAPES] = {{1 << 12, 8, 1},        {7 << 14, 7, 1},
                                                   {1 << 16, 96, 1},       {1 << 20, 1 << 9, 1},
                                                   {3001 * 1024, 3001, 1}, {1 << 24, 1 << 18, 1}};
static const int blocks[] = {32, 128, 256, 512, 1024};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static struct catalogue real;

static int read_kernels(void **state)
{
    static const char *folder = "kernels";
    static struct error e;
    (void)state;
    if (!catalogue_read(&folder, 1, &real, &e))
        fail_msg("%s", e.text);
    return 0;
}

static int free_kernels(void **state)
{
    (void)state;
    catalogue_free(&real);
    return 0;
}

/* Sets the block and the tunables to those of configuration `number`. Returns how many
 * configurations there are. */
static size_t configuration(const struct kernel *k, size_t number, struct tuned_range *out)
{
    size_t count = BLOCKS;
    out->variant.block = (uint16_t)blocks[number % BLOCKS];
    for (int i = 0; i < k->tunable_count; i++) {
        const size_t values = (size_t)k->tunables[i].allowed.count;
        out->variant.tunables[i] = k->tunables[i].allowed.values[number / count % values];
        count *= values;
    }
    return count;
}

/* Tries a kernel's configurations for all shapes. Returns how many pairs of configuration and
 * shape can run. */
static size_t try_costs(const struct kernel *k, enum element_type type, enum operation op)
{
    static const struct choosing c = {.sms = SMS};
    static struct error e;
    struct tuned_range range = {.kernel = k,
                                .variant = {.unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op}};
    const size_t count = configuration(k, 0, &range), step = count / MOST_TRIED + 1;
    size_t runs = 0;
    for (size_t i = 0; i < count; i += step)
        for (int s = 0; s < SHAPES; s++) {
            double costs[KERNEL_MAX_COSTS];
            struct config_shape at = shapes[s];
            if (k->workload->any_axis)
                at.n *= at.inner = INNER;
            (void)configuration(k, i, &range);
            if (!range_runs_at(&c, &range, &at))
                continue;
            const struct point point = shape_point(&at);
            const struct combination here = range_combination(&range, &point, SMS, at.n);
            if (!shape_costs(&here, costs, &e))
                fail_msg("%s", e.text);
            runs++;
        }
    return runs;
}

static void each_configuration_has_an_expected_time(void **state)
{
    (void)state;
    int tried = 0;
    for (int i = 0; i < real.count; i++) {
        const struct kernel *k = real.kernels[i];
        if (k->cost_count == 0)
            continue;
        for (int type = TYPE_FLOAT32; type <= TYPE_BFLOAT16; type += TYPE_BFLOAT16 - TYPE_FLOAT32)
            if (kernel_supports(k, (enum element_type)type, OP_SUM) &&
                try_costs(k, (enum element_type)type, OP_SUM) == 0)
                fail_msg("%s: no configuration runs at these shapes", k->name);
        tried++;
    }
    assert_true(tried >= 8);
}

/* Returns the last cost fact of rows_brief for rows that fill two of a thread's vectors. */
static double vectors_of_brief(int loads)
{
    static struct error e;
    const struct config_shape at = {(1 << 16) * 96, 96, 1};
    struct tuned_range range = {.kernel = catalogue_find(&real, "rows_brief"),
                                .variant = {.block = 128, .unroll = 1, .type = TYPE_BFLOAT16}};
    const struct kernel *k = range.kernel;
    for (int i = 0; i < k->tunable_count; i++)
        range.variant.tunables[i] = strcmp(k->tunables[i].name, "LOADS") == 0    ? loads
                                    : strcmp(k->tunables[i].name, "VECTOR") == 0 ? 16
                                                                                 : 8;
    const struct point point = shape_point(&at);
    const struct combination here = range_combination(&range, &point, SMS, at.n);
    double costs[KERNEL_MAX_COSTS];
    if (!shape_costs(&here, costs, &e))
        fail_msg("%s", e.text);
    return costs[k->cost_count - 1];
}

/* A thread of rows_brief converts and folds all of its vectors, even those past the end of the
 * row, so these must be part of its cost. */
static void vectors_beyond_the_row_take_time(void **state)
{
    (void)state;
    assert_true(vectors_of_brief(2) > 0);
    assert_float_equal(vectors_of_brief(4), 2 * vectors_of_brief(2), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_configuration_has_an_expected_time),
                                       cmocka_unit_test(vectors_beyond_the_row_take_time)};
    return cmocka_run_group_tests_name("costs of the kernels", tests, read_kernels, free_kernels);
}
