/*
 * Checks the bytes that a kernel receives as arguments, which follow from the fact `parameters`.
 */
#include <inttypes.h>

#include "fixture.h"

#include "plan/arguments.h"
#include "plan/shape.h"

struct expected {
    const char *parameter;
    enum element_type type;
    uint64_t bits;
    unsigned size;
};

static const struct expected scalars[] = {
    {"int(0 - 3)", TYPE_INT32, 0xfffffffdu, 4},
    {"unsigned(N)", TYPE_INT32, 1000, 4},
    {"long(0 - 2)", TYPE_INT32, UINT64_MAX - 1, 8},
    {"size_t(N * 2^24)", TYPE_INT32, 1000ull << 24, 8},
    {"float(1 / 2)", TYPE_INT32, 0x3f000000, 4},
    {"double(0 - 2)", TYPE_INT32, 0xc000000000000000, 8},
    {"element(0 - 1)", TYPE_INT8, 0xff, 1},
    {"element(0 - 1)", TYPE_INT64, UINT64_MAX, 8},
    {"element(3)", TYPE_FLOAT32, 0x40400000, 4},
    {"element(3)", TYPE_FLOAT64, 0x4008000000000000, 8},
    {"input", TYPE_INT32, 0x1000, 8},
    {"output", TYPE_INT32, 0x2000, 8},
    {"workspace", TYPE_INT32, 0x3000, 8},
    {"workspace_bytes", TYPE_INT32, 64, 8},
    {"second", TYPE_INT32, 0x4000, 8},
    {"n", TYPE_INT32, 1000, 4},
};

/* Returns the launch of a kernel with these facts, for 1000 elements and blocks of 64. */
static struct launch launch_of(const char *facts, enum element_type type, bool wide)
{
    struct kernel *k = make_kernel("one", facts);
    struct combination at = {
        .kernel = k, .type = type, .op = OP_SUM, .n = 1000, .block = 64, .unroll = 1, .sms = 1};
    struct shape shape;
    struct error e = {0};
    if (!shape_evaluate(&at, &shape, NULL, &e))
        fail_msg("%s", e.text);
    struct launch l = kernel_launch(NULL, k, &shape,
                                    &(struct kernel_arguments){.input = 0x1000,
                                                               .output = 0x2000,
                                                               .workspace = 0x3000,
                                                               .second = 0x4000,
                                                               .n = 1000,
                                                               .wide = wide,
                                                               .type = type});
    kernel_free(k);
    return l;
}

static uint64_t bytes_of(const struct launch *l, int i)
{
    unsigned size = l->arguments[i].size;
    return size == 8 ? l->arguments[i].bits : l->arguments[i].bits & ((1ull << 8 * size) - 1);
}

static void scalars_have_the_bytes_of_their_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        char facts[256];
        snprintf(facts, sizeof facts, "%s// workspace: 64\n// types: all\n// parameters: n %s\n",
                 ONE, scalars[i].parameter);
        if (scalars[i].parameter[0] == 'e')
            snprintf(facts, sizeof facts,
                     "%s// types: int8 int64 float32 float64\n// parameters: n %s\n", ONE,
                     scalars[i].parameter);
        struct launch l = launch_of(facts, scalars[i].type, false);
        assert_int_equal(l.argument_count, 2);
        if (l.arguments[1].size != scalars[i].size || bytes_of(&l, 1) != scalars[i].bits)
            fail_msg("%s: %u bytes, %" PRIx64, scalars[i].parameter, l.arguments[1].size,
                     bytes_of(&l, 1));
    }
}

static void a_kernel_without_the_fact_has_the_usual_five(void **state)
{
    (void)state;
    const uint64_t expected[] = {0x1000, 0x2000, 1000, 0x3000, 64};
    for (int wide = 0; wide < 2; wide++) {
        struct launch l = launch_of(ONE "// workspace: 64\n", TYPE_INT32, wide);
        assert_int_equal(l.argument_count, 5);
        for (int i = 0; i < 5; i++)
            assert_int_equal(bytes_of(&l, i), expected[i]);
        assert_int_equal(l.arguments[2].size, wide ? 8 : 4);
        assert_int_equal(l.grid[0], 16);
        assert_int_equal(l.block[0], 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_have_the_bytes_of_their_types),
        cmocka_unit_test(a_kernel_without_the_fact_has_the_usual_five),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
