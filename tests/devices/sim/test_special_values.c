/*
 * Checks what docs/kernels.md promises about NaN, infinities, ties, signed zeros and single
 * elements. Uses kernels that support every type and operation.
 */
#include "fixture.h"
#include "../../half.h"

#include <math.h>

#include "plan/arguments.h"

enum { MOST = 304, /* whole packs of 16 bytes, even of halves */ MOST_OFFSET = 7 };

/* All elements are `rest`, except `first` and `second` at indices `first_at` and `second_at`. */
struct values {
    int n, first_at, second_at;
    double rest, first, second;
};

struct special {
    enum operation op;
    struct values v;
    double expected, variance; /* `expected` is an index for argmax and argmin. */
};

/*
 * Blocks have 64 threads with one element each, which puts the two special elements in different
 * warps or blocks.
 */
static const struct special specials[] = {
    {OP_SUM, {304, 70, 7, 1, INFINITY, 2}, INFINITY, 0},
    {OP_SUM, {304, 70, 7, 1, INFINITY, -INFINITY}, NAN, 0},
    {OP_SUM, {304, 0, 7, 1, NAN, 2}, NAN, 0},
    {OP_PROD, {304, 250, 7, 1, INFINITY, -2}, -INFINITY, 0},
    {OP_PROD, {304, 250, 7, 1, INFINITY, 0}, NAN, 0},
    {OP_MAX, {304, 0, 7, 1, NAN, 2}, NAN, 0},
    {OP_MAX, {304, 299, 7, 1, NAN, INFINITY}, NAN, 0},
    {OP_MAX, {304, 130, 7, -INFINITY, -INFINITY, -INFINITY}, -INFINITY, 0},
    {OP_MIN, {304, 0, 7, 1, NAN, 2}, NAN, 0},
    {OP_MIN, {304, 130, 7, 1, NAN, -INFINITY}, NAN, 0},
    {OP_ARGMAX, {304, 0, 0, 1, 1, 1}, 0, 0},
    {OP_ARGMAX, {304, 250, 100, 1, 2, 2}, 100, 0},
    {OP_ARGMAX, {304, 200, 3, 1, NAN, INFINITY}, 200, 0},
    {OP_ARGMAX, {304, 200, 130, 1, NAN, NAN}, 130, 0},
    {OP_ARGMAX, {304, 200, 130, -0.0, 0, 0}, 0, 0},
    {OP_ARGMAX, {304, 0, 0, -INFINITY, -INFINITY, 0}, 0, 0},
    {OP_ARGMAX, {1, 0, 0, NAN, NAN, 0}, 0, 0},
    {OP_ARGMIN, {304, 250, 100, 1, -2, -2}, 100, 0},
    {OP_ARGMIN, {304, 200, 3, 1, NAN, -INFINITY}, 200, 0},
    {OP_ARGMIN, {304, 0, 0, INFINITY, INFINITY, 0}, 0, 0},
    {OP_ARGMIN, {304, 50, 60, 0, -0.0, -0.0}, 0, 0},
    {OP_SUMSQ, {304, 70, 7, 1, -INFINITY, 2}, INFINITY, 0},
    {OP_NORM2, {304, 70, 7, 0, -3, 4}, 5, 0},
    {OP_NORM2, {304, 70, 7, 1, -INFINITY, NAN}, NAN, 0},
    {OP_DOT, {304, 70, 7, 0, -3, 4}, 25, 0}, /* the second vector is equal to the first */
    {OP_DOT, {304, 70, 7, 1, -INFINITY, 2}, INFINITY, 0},
    {OP_DOT, {304, 70, 7, 1, -INFINITY, NAN}, NAN, 0},
    {OP_MEAN_VAR, {1, 0, 0, 2, 2, 0}, 2, NAN},
    {OP_MEAN_VAR, {2, 0, 1, 0, 1, 3}, 2, 2},
    {OP_MEAN_VAR, {304, 0, 0, 3, 3, 0}, 3, 0},
    {OP_MEAN_VAR, {304, 70, 7, 3, NAN, 3}, NAN, NAN},
    {OP_LOGSUMEXP, {1, 0, 0, 2, 2, 0}, 2, 0},
    {OP_LOGSUMEXP, {304, 70, 7, -INFINITY, 1000, -INFINITY}, 1000, 0},
    {OP_LOGSUMEXP, {304, 70, 7, -INFINITY, -INFINITY, -INFINITY}, -INFINITY, 0},
    {OP_LOGSUMEXP, {304, 70, 7, 1, INFINITY, -INFINITY}, INFINITY, 0},
    {OP_LOGSUMEXP, {304, 70, 7, 1, INFINITY, INFINITY}, INFINITY, 0},
    {OP_LOGSUMEXP, {304, 70, 7, 1, NAN, INFINITY}, NAN, 0},
};

/*
 * Launches the kernel once, on an input that begins at element `offset`, and copies the resulting
 * bytes to `result`.
 */
static void run_kernel(struct fixture *f, struct module *m, const struct combination *at,
                       const struct values *v, int offset, void *result)
{
    static char host[(MOST + MOST_OFFSET) * 8];
    struct error e = {0};
    struct shape shape;
    must(shape_evaluate(at, &shape, NULL, &e), &e);
    for (int i = 0; i < v->n; i++)
        real_store(at->type, host, (uint64_t)(offset + i),
                   i == v->first_at    ? v->first
                   : i == v->second_at ? v->second
                                       : v->rest);
    size_t ahead = (size_t)offset * element_size(at->type);
    size_t bytes = ahead + (size_t)v->n * element_size(at->type),
           size = result_size(at->op, at->type);
    struct buffer in = allocate(f, bytes), out = allocate(f, size),
                  workspace = allocate(f, shape.workspace);
    must(sim_write(f->device, in, 0, host, bytes, &e), &e);
    struct launch l = kernel_launch(m, at->kernel, &shape,
                                    &(struct kernel_arguments){.input = in.address + ahead,
                                                               .second = in.address + ahead,
                                                               .output = out.address,
                                                               .workspace = workspace.address,
                                                               .n = at->n,
                                                               .type = at->type});
    struct trial t = {.input = in, .zero = workspace, .launches = &l, .launch_count = 1};
    must(sim_driver.run(f->device, &t, &e), &e);
    must(sim_driver.read(f->device, out, 0, result, size, &e), &e);
    sim_driver.free(f->device, in);
    sim_driver.free(f->device, out);
    sim_driver.free(f->device, workspace);
}

static double real_at(enum element_type type, const void *values, int i)
{
    return element_size(element_value_type(type)) == 4 ? (double)((const float *)values)[i]
                                                       : ((const double *)values)[i];
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Checks one case. Returns false if the kernel's facts rule out so few elements. */
static bool check_special(struct fixture *f, struct module *m, struct combination *at,
                          const struct special *s, int offset)
{
    uint64_t room[2];
    int64_t index;
    struct error e = {0};
    struct text reason = {0};
    const struct point one_row = {.row_length = (uint64_t)s->v.n};
    at->n = (uint64_t)s->v.n;
    at->point = at->kernel->workload->by_rows ? &one_row : NULL;
    must(shape_skip_reason(at, NULL, &reason, &e), &e);
    bool skipped = reason.length > 0;
    text_free(&reason);
    if (skipped)
        return false;
    run_kernel(f, m, at, &s->v, offset, room);
    memcpy(&index, room, sizeof index);
    bool indexed = operation_accumulator(at->op) == ACCUMULATES_INDEXED;
    double value = indexed ? (double)index : real_at(at->type, room, 0);
    double variance = at->op == OP_MEAN_VAR ? real_at(at->type, room, 1) : 0;
    if (!same(value, s->expected) || !same(variance, s->variance))
        fail_msg("%s %s %s, case %d: %g %g instead of %g %g", at->kernel->name,
                 element_type_name(at->type), operation_name(at->op), (int)(s - specials), value,
                 variance, s->expected, s->variance);
    return true;
}

/*
 * Checks the kernel with the first value of each tunable. If `lanes` is not NULL, uses the last
 * value of this tunable. If `offset` is not 0, the kernel is compiled for inputs with any offset,
 * as in a library.
 */
static void check_tunables(struct fixture *f, const struct kernel *k, enum element_type type,
                           int offset, const struct tunable *lanes)
{
    const int count = (int)(sizeof specials / sizeof *specials);
    int checked = 0;
    for (int i = 0, next; i < count; i = next) {
        next = i + 1;
        if (!kernel_supports(k, type, specials[i].op))
            continue;
        struct variant v = {.block = k->block_constant ? 64 : 0,
                            .unroll = 1,
                            .any_offset = offset > 0,
                            .type = (uint8_t)type,
                            .op = (uint8_t)specials[i].op};
        for (int t = 0; t < k->tunable_count; t++) {
            const struct int_list *l = &k->tunables[t].allowed;
            v.tunables[t] = l->values[&k->tunables[t] == lanes ? l->count - 1 : 0];
        }
        struct combination at = {.kernel = k,
                                 .type = type,
                                 .op = specials[i].op,
                                 .block = 64,
                                 .unroll = 1,
                                 .tunables = v.tunables,
                                 .sms = 4};
        struct module *m = load_variant(f, k, &v, 90);
        for (next = i; next < count && specials[next].op == at.op; next++)
            checked += check_special(f, m, &at, &specials[next], offset);
        sim_driver.unload(f->device, m);
    }
    assert_true(checked >= count - 8);
}

/*
 * If the kernel has the tunable LANES, checks it with the first and the last value. With the last
 * value, a whole warp works on a row, and the kernel combines the results of its lanes differently.
 */
static void check_offset(struct fixture *f, const char *name, enum element_type type, int offset)
{
    const struct kernel *k = catalogue_find(&f->kernels, name);
    assert_non_null(k);
    check_tunables(f, k, type, offset, NULL);
    for (int t = 0; t < k->tunable_count; t++)
        if (strcmp(k->tunables[t].name, "LANES") == 0)
            check_tunables(f, k, type, offset, &k->tunables[t]);
}

static void check_kernel(struct fixture *f, const char *name, enum element_type type)
{
    check_offset(f, name, type, 0);
}

static void special_values_have_the_answers_that_are_documented(void **state)
{
    check_kernel(*state, "ticket", TYPE_FLOAT16);
    check_kernel(*state, "ticket", TYPE_BFLOAT16);
    check_kernel(*state, "ticket", TYPE_FLOAT32);
    check_kernel(*state, "cooperative", TYPE_FLOAT64);
    check_kernel(*state, "onepass_any", TYPE_BFLOAT16);
    /* There are two blocks, because a pack of this type has half as many elements. */
    check_kernel(*state, "onepass_any", TYPE_FLOAT32);
    check_kernel(*state, "onepass_any", TYPE_FLOAT64); /* three blocks */
    check_kernel(*state, "rows_persistent", TYPE_BFLOAT16);
    check_kernel(*state, "rows_bulk", TYPE_FLOAT16);
    check_kernel(*state, "rows_lanes", TYPE_BFLOAT16);
    check_kernel(*state, "rows_poll", TYPE_FLOAT16);
    check_kernel(*state, "rows_poll", TYPE_FLOAT32);
}

static void they_have_them_where_the_input_begins_anywhere(void **state)
{
    for (int offset = 1; offset <= MOST_OFFSET; offset += 3) {
        check_offset(*state, "onepass_any", TYPE_FLOAT16, offset);
        check_offset(*state, "onepass_any", TYPE_FLOAT32, offset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values_have_the_answers_that_are_documented),
        cmocka_unit_test(they_have_them_where_the_input_begins_anywhere),
    };
    return cmocka_run_group_tests_name("special values", tests, open_compiler, close_all);
}
