/*
 * Runs onepass_fixed, which derives the scale of its fixed-point numbers from a sample of the
 * input. In these inputs, the sample differs much from the other elements: they contain zeros,
 * outliers, infinities, NaN and numbers of all magnitudes. The sum must be right, and the workspace
 * must be zero afterwards.
 */
#include "fixture.h"

#include <math.h>

#define N 5000
#define BLOCK 128
#define POKES 4

struct place {
    unsigned index;
    double value;
};

struct input_case {
    const char *name;
    uint8_t fill; /* the value of every byte of the input */
    struct place places[POKES];
    double expected; /* the sum of the elements at the places */
    bool filled;     /* whether the filled elements count, too */
};

/* The tunable SAMPLE is 0 here, so the kernel samples elements 0, 625, 1250 and so on. */
static const struct input_case cases[] = {
    {"zeros", 0, {{0, 0}}, 0, false},
    {"a sample of zeros", 0, {{1, 3}, {700, -1.5}, {4999, 0.25}}, 1.75, false},
    {"one block too large", 0x3f, {{601, 0x1p60}}, 0x1p60, false},
    {"one block odd, the others not", 0x3f, {{601, 0x1p20}}, 0x1p20, true},
    {"infinite", 0x3f, {{4000, INFINITY}}, INFINITY, false},
    {"infinite in the sample", 0x3f, {{625, -INFINITY}}, -INFINITY, false},
    {"both infinities", 0x3f, {{100, INFINITY}, {4000, -INFINITY}}, NAN, false},
    {"not a number", 0x3f, {{4000, NAN}}, NAN, false},
    {"not a number in the sample", 0x3f, {{0, NAN}}, NAN, false},
    {"subnormal", 0, {{5, 0x1p-140}, {3000, 0x1p-141}}, 0x1p-140 + 0x1p-141, false},
    {"a large sample", 0, {{0, 0x1p100}, {1, 0x1p90}, {4999, 1}}, 0x1p100 + 0x1p90, false},
    {"near the largest", 0, {{0, 0x1p127}, {1, -0x1p127}, {4999, 0x1p126}}, 0x1p126, false},
};

static void poke(struct fixture *f, struct module *store, uint64_t address, int type, double value)
{
    struct error e = {0};
    float narrow = (float)value;
    uint64_t bits = 0;
    memcpy(&bits, type == TYPE_FLOAT64 ? (const void *)&value : &narrow, element_size(type));
    struct launch l = make_launch(store, 1, 1);
    add_argument(&l, address, 8);
    add_argument(&l, bits, 8);
    must(launch(f, &l, &e), &e);
}

#define STORE(bits)                                                                                \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 at, .param .u64 value)\n{\n.reg .b64 %d<3>;\n.reg .b32 "        \
    "%r<2>;\n"                                                                                     \
    "ld.param.u64 %d1, [at];\nld.param.u64 %d2, [value];\ncvt.u32.u64 %r1, %d2;\n"                 \
    "st.global.u" bits ";\nret;\n}\n"

static double element_value(int type, const void *bytes)
{
    float narrow;
    double wide;
    memcpy(&narrow, bytes, sizeof narrow);
    if (type == TYPE_FLOAT32)
        return narrow;
    memcpy(&wide, bytes, sizeof wide);
    return wide;
}

static void check_case(struct fixture *f, const struct input_case *c, const struct kernel *k,
                       struct module *m, struct module *store, int type, int32_t *tunables)
{
    struct error e = {0};
    struct shape shape;
    struct combination at = {.kernel = k,
                             .type = (enum element_type)type,
                             .n = N,
                             .block = BLOCK,
                             .unroll = 1,
                             .tunables = tunables,
                             .sms = 4};
    must(shape_evaluate(&at, &shape, NULL, &e), &e);
    size_t size = element_size(type);
    struct buffer in = allocate(f, N * size), out = allocate(f, 8);
    struct buffer workspace = allocate(f, shape.workspace);
    must(sim_driver.fill(f->device, in, c->fill, &e), &e);
    must(sim_driver.fill(f->device, workspace, 0, &e), &e);
    int poked = 0;
    for (; poked < POKES && (poked == 0 || c->places[poked].index); poked++)
        poke(f, store, in.address + c->places[poked].index * size, type, c->places[poked].value);
    struct launch l = shaped_launch(m, k, &shape);
    add_argument(&l, in.address, 8);
    add_argument(&l, out.address, 8);
    add_argument(&l, N, 4);
    add_argument(&l, workspace.address, 8);
    uint64_t fill_bits, result_bits;
    memset(&fill_bits, c->fill, sizeof fill_bits);
    double filled = c->filled ? (N - poked) * element_value(type, &fill_bits) : 0;
    double expected = c->expected + filled;
    /* The second round starts with the workspace that the first round left behind. */
    for (int round = 0; round < 2; round++) {
        must(launch(f, &l, &e), &e);
        must(sim_driver.read(f->device, out, 0, &result_bits, 8, &e), &e);
        double result = element_value(type, &result_bits);
        bool right = isfinite(expected) ? fabs(result - expected) <= fabs(expected) * 1e-6
                                        : result == expected || (isnan(result) && isnan(expected));
        if (!right)
            fail_msg("%s, %s, limbs %d, level %d, launch %d: %g instead of %g", c->name,
                     element_type_name((enum element_type)type), tunables[4], tunables[5],
                     round + 1, result, expected);
    }
    uint8_t *left = malloc(shape.workspace);
    assert_non_null(left);
    must(sim_driver.read(f->device, workspace, 0, left, shape.workspace, &e), &e);
    for (size_t i = 0; i < shape.workspace; i++)
        if (left[i])
            fail_msg("%s: byte %zu of the workspace is not zero again", c->name, i);
    free(left);
    sim_driver.free(f->device, in);
    sim_driver.free(f->device, out);
    sim_driver.free(f->device, workspace);
}

static void check_cases(struct fixture *f, int type, int limbs, int level)
{
    struct error e = {0};
    const struct kernel *k = catalogue_find(&f->kernels, "onepass_fixed");
    assert_non_null(k);
    assert_string_equal(k->tunables[4].name, "LIMBS");
    assert_string_equal(k->tunables[5].name, "LEVEL");
    int32_t tunables[KERNEL_MAX_TUNABLES];
    struct variant v = {.block = BLOCK, .unroll = 1, .type = (uint8_t)type, .op = OP_SUM};
    for (int i = 0; i < k->tunable_count; i++)
        tunables[i] = k->tunables[i].allowed.values[0];
    tunables[4] = limbs;
    tunables[5] = level;
    memcpy(v.tunables, tunables, sizeof v.tunables);
    struct module *store, *m = load_variant(f, k, &v, 90);
    const char *text = type == TYPE_FLOAT64 ? STORE("64 [%d1], %d2") : STORE("32 [%d1], %r1");
    must(load_text(f, text, "k", &store, &e), &e);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(f, &cases[i], k, m, store, type, tunables);
    sim_driver.unload(f->device, m);
    sim_driver.unload(f->device, store);
}

static void any_input_is_summed_and_the_workspace_left_zero(void **state)
{
    for (int level = 0; level <= 1; level++) {
        check_cases(*state, TYPE_FLOAT32, 1, level);
        check_cases(*state, TYPE_FLOAT32, 2, level);
        check_cases(*state, TYPE_FLOAT64, 2, level);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_input_is_summed_and_the_workspace_left_zero,
                                        open_compiler, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
