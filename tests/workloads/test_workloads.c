/*
 * Checks the workloads other than `reduce`. Uses results calculated by hand, which a workload must
 * accept or refuse, and launch shapes of more than one dimension. Also checks that poison is more
 * extreme than any input.
 */
#include "../fixture_kernels.h"
#include "../texts/expected.h"

#include <math.h>

#include "plan/shape.h"
#include "support/input.h"
#include "workloads/workload.h"
#include "workloads/workloads.h"

struct verdict {
    bool right;
    char result[RESULT_TEXT], why[256];
    double rel_error;
};

static struct verdict judge(const char *workload, const struct work *work, const void *output)
{
    struct verdict v = {.why = "what was there before", .rel_error = 7};
    struct reference none = {0};
    const struct workload *w = workload_find(workload);
    assert_non_null(w);
    uint64_t count = w->output_elements(work);
    v.right = w->check(work, &none, output, count, v.result, &v.rel_error, v.why);
    assert_true(v.right == (v.why[0] == '\0'));
    return v;
}

static void matrices_add_up_element_by_element(void **state)
{
    (void)state;
    enum { N = 2500 }; /* more than two pieces of the check */
    const struct workload *w = workload_find("matrix_sum");
    struct input in = {.type = TYPE_INT32, .op = OP_SUM, .n = w->input_elements(N), .seed = 42};
    struct work work = {.input = &in, .n = N, .grid = 10, .block = 256};
    assert_int_equal(in.n, 2 * N);
    assert_int_equal(w->output_elements(&work), N);
    assert_int_equal(w->min_bytes(&in), 3 * N * 4);
    static uint32_t a[2 * N], c[N];
    input_generate(&in, 0, in.n, a);
    for (int i = 0; i < N; i++)
        c[i] = a[i] + a[N + i];
    struct verdict v = judge("matrix_sum", &work, c);
    assert_true(v.right && v.rel_error == 0);
    char last[40];
    snprintf(last, sizeof last, "%d", (int32_t)c[N - 1]);
    assert_string_equal(v.result, last);
    for (int i = 0; i < N; i += N - 1) {
        c[i]++;
        v = judge("matrix_sum", &work, c);
        assert_false(v.right);
        char element[32];
        snprintf(element, sizeof element, "element %d ", i);
        assert_non_null(strstr(v.why, element));
        c[i]--;
    }
}

static void float_matrices_are_exact(void **state)
{
    (void)state;
    enum { N = 100 };
    struct input in = {.type = TYPE_FLOAT32, .op = OP_SUM, .n = 2 * N, .seed = 7};
    struct work work = {.input = &in, .n = N};
    float a[2 * N], c[N];
    input_generate(&in, 0, in.n, a);
    for (int i = 0; i < N; i++)
        c[i] = a[i] + a[N + i];
    assert_true(judge("matrix_sum", &work, c).right);
    c[50] = __builtin_nextafterf(c[50], 9);
    assert_false(judge("matrix_sum", &work, c).right);
}

static void double_matrices_are_exact(void **state)
{
    (void)state;
    enum { N = 100 };
    struct input in = {.type = TYPE_FLOAT64, .op = OP_SUM, .n = 2 * N, .seed = 7};
    struct work work = {.input = &in, .n = N};
    double a[2 * N], c[N];
    input_generate(&in, 0, in.n, a);
    for (int i = 0; i < N; i++)
        c[i] = a[i] + a[N + i];
    assert_true(judge("matrix_sum", &work, c).right);
    c[50] = __builtin_nextafter(c[50], 9);
    assert_false(judge("matrix_sum", &work, c).right);
}

/* In the workload rows_limit, each word of a row's result must be the row's number. The message
 * about a wrong result names the wrong word. */
static void a_limit_of_rows_writes_their_numbers(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_INT64, .op = OP_SUM, .n = 64, .seed = 3};
    struct work work = {.input = &in, .n = 64, .row_length = 16};
    uint32_t words[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    struct verdict v = judge("rows_limit", &work, words);
    assert_true(v.right && v.rel_error == 0);
    assert_string_equal(v.result, "ran");
    words[5] = 7;
    v = judge("rows_limit", &work, words);
    assert_true(!v.right && __builtin_isnan(v.rel_error));
    texts_expect("a wrong word of a row", v.why);
}

/* These workloads just measure a limit. `read` and `launch` write no result, `copy` copies the
 * input, and `write` fills each 16-byte pack with the pack's number. They ignore elements after
 * the last whole pack. */
static void limits_move_whole_packs(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_INT32, .op = OP_SUM, .n = 11, .seed = 42},
                 wide = {.type = TYPE_INT64, .op = OP_SUM, .n = 5, .seed = 42};
    struct work work = {.input = &in, .n = 11}, wide_work = {.input = &wide, .n = 5};
    assert_int_equal(workload_find("read")->input_elements(11), 11);
    assert_int_equal(workload_find("read")->min_bytes(&in), 11 * 4);
    assert_int_equal(workload_find("read")->output_elements(&work), 1);
    assert_int_equal(workload_find("copy")->min_bytes(&in), 2 * 11 * 4);
    /* 11 elements make two whole packs of four. */
    assert_int_equal(workload_find("copy")->output_elements(&work), 8);
    /* 5 elements make two whole packs of two. */
    assert_int_equal(workload_find("write")->output_elements(&wide_work), 4);
    int32_t copied[11], written[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    input_generate(&in, 0, 11, copied);
    struct verdict v = judge("read", &work, copied);
    assert_true(v.right);
    assert_string_equal(v.result, "ran");
    assert_true(judge("launch", &work, copied).right);
    assert_true(judge("copy", &work, copied).right);
    assert_true(judge("write", &work, written).right);
    copied[7]++;
    written[4] = 0;
    texts_expect("copy", judge("copy", &work, copied).why);
    texts_expect("write", judge("write", &work, written).why);
    int64_t wide_written[4] = {0, 0, 1 + (1ll << 32), 1 + (1ll << 32)};
    assert_true(judge("write", &wide_work, wide_written).right);
    wide_written[3] = 1;
    texts_expect("write of int64", judge("write", &wide_work, wide_written).why);
    work.n = 3; /* less than a pack, so nothing is written and nothing can be wrong */
    assert_int_equal(workload_find("copy")->output_elements(&work), 1);
    assert_true(judge("copy", &work, copied + 7).right);
    assert_true(judge("write", &work, written + 4).right);
}

static void branches_alternate(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_FLOAT32, .op = OP_SUM, .n = 0, .seed = 1};
    struct work work = {.input = &in, .n = 70, .block = 64};
    float threads[70], warps[70];
    for (int i = 0; i < 70; i++) {
        threads[i] = i % 2 ? 200 : 100;
        warps[i] = i >= 32 && i < 64 ? 200 : 100;
    }
    assert_int_equal(workload_find("alternate_warps")->input_elements(70), 0);
    assert_true(judge("alternate_threads", &work, threads).right);
    assert_true(judge("alternate_warps", &work, warps).right);
    assert_false(judge("alternate_warps", &work, threads).right);
    assert_false(judge("alternate_threads", &work, warps).right);
    warps[69] = 200;
    struct verdict v = judge("alternate_warps", &work, warps);
    texts_expect("alternate_warps", v.why);
}

#define AT(depth, number) ((depth) << 24 | (number))

/* In hello_halving, each block launches a block of half as many threads (the next generation), and
 * each thread writes a report. With blocks of 4 threads and 6 elements, the generations of the
 * first block write 4, 2 and 1 reports. Those of the second block write 2 and 1. */
static void halving_generations_report(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_INT32, .op = OP_SUM, .n = 0, .seed = 1};
    struct work work = {.input = &in, .n = 6, .grid = 2, .block = 4};
    int32_t right[] = {0, 1, 2, 3, AT(1, 0), AT(1, 1), AT(2, 0), 0, 1, AT(1, 0)};
    assert_int_equal(workload_find("hello_halving")->output_elements(&work), 10);
    assert_true(judge("hello_halving", &work, right).right);
    right[9] = 0x7b7b7b7b; /* the result if the last launch never happened */
    assert_false(judge("hello_halving", &work, right).right);

    struct kernel *k = make_kernel("limited", "// covers: BLOCK\n// blocks: multiple of 32\n"
                                              "// result: complete\n// tunable: DEPTH 1 2\n");
    int32_t tunables[] = {1};
    int32_t limited[] = {0, 1, 2, 3, AT(1, 0), AT(1, 1), 0, 1, AT(1, 0)};
    work.kernel = k;
    work.tunables = tunables;
    assert_int_equal(workload_find("hello_halving")->output_elements(&work), 9);
    assert_true(judge("hello_halving", &work, limited).right);
    kernel_free(k);
}

/* With blocks of 2 threads and a limit of 7 threads, the grids of the three generations have 1,
 * 2 and 4 blocks. In the last one, 7 of the 8 threads write a report. */
static void doubling_generations_report(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_INT64, .op = OP_SUM, .n = 0, .seed = 1};
    struct work work = {.input = &in, .n = 7, .grid = 1, .block = 2};
    int64_t right[] = {0,        1,        AT(1, 0), AT(1, 1), AT(1, 2), AT(1, 3), AT(2, 0),
                       AT(2, 1), AT(2, 2), AT(2, 3), AT(2, 4), AT(2, 5), AT(2, 6)};
    assert_int_equal(workload_find("hello_doubling")->output_elements(&work), 13);
    assert_true(judge("hello_doubling", &work, right).right);
    work.n = 1; /* fewer threads than a block has */
    assert_int_equal(workload_find("hello_doubling")->output_elements(&work), 1);
    assert_true(judge("hello_doubling", &work, right).right);
    right[0] = 1;
    assert_false(judge("hello_doubling", &work, right).right);
}

static const char matrix_facts[] = "// result: complete\n// covers: BLOCK\n"
                                   "// blocks: multiple of 32\n// tunable: BLOCK_X 16 32 48\n"
                                   "// grid: ceil_div(min(N, 1000), BLOCK_X) by\n"
                                   "//       ceil_div(N, 1000 * (BLOCK / BLOCK_X))\n"
                                   "// threads: BLOCK_X by BLOCK / BLOCK_X\n";

static void launches_have_dimensions(void **state)
{
    (void)state;
    struct kernel *k = make_kernel("matrix", matrix_facts);
    int32_t tunables[] = {16};
    struct combination c = {.kernel = k,
                            .type = TYPE_INT32,
                            .n = 10000,
                            .block = 128,
                            .unroll = 1,
                            .tunables = tunables};
    struct shape s;
    struct error e = {0};
    assert_true(shape_evaluate(&c, &s, NULL, &e));
    assert_int_equal(s.grid_size[0], 63);
    assert_int_equal(s.grid_size[1], 2);
    assert_int_equal(s.grid_size[2], 1);
    assert_int_equal(s.grid, 126);
    assert_int_equal(s.block_size[0], 16);
    assert_int_equal(s.block_size[1], 8);
    assert_int_equal(s.block_size[2], 1);
    tunables[0] = 48; /* 128 / 48 is not a whole number */
    assert_false(shape_evaluate(&c, &s, NULL, &e));
    texts_expect("BLOCK = 128 in rows of BLOCK_X = 48", e.text);
    kernel_free(k);

    k = make_kernel("skewed", "// result: complete\n// covers: BLOCK\n// blocks: power of two\n"
                              "// threads: 8 by 8\n");
    c.kernel = k;
    assert_false(shape_evaluate(&c, &s, NULL, &e));
    texts_expect("8 by 8 threads for BLOCK = 128", e.text);
    c.block = 64;
    assert_true(shape_evaluate(&c, &s, NULL, &e));
    assert_int_equal(s.grid_size[0], 157);
    kernel_free(k);
}

static void tall_grids_are_skipped(void **state)
{
    (void)state;
    struct kernel *k = make_kernel("tall", "// result: complete\n// covers: BLOCK\n"
                                           "// blocks: power of two\n// grid: 1 by N\n");
    struct combination c = {.kernel = k, .n = 65535, .block = 64, .unroll = 1};
    struct device_limits limits = {
        .cc = 90, .max_block = 1024, .max_dynamic_smem = 1 << 16, .max_grid_x = 1 << 30};
    struct text reason = {0};
    struct error e = {0};
    assert_true(shape_skip_reason(&c, &limits, &reason, &e));
    assert_int_equal(reason.length, 0);
    c.n = 65536;
    assert_true(shape_skip_reason(&c, &limits, &reason, &e));
    texts_expect("a grid of 1 by 65536", reason.bytes);
    text_free(&reason);
    kernel_free(k);
}

/* A group's points share their input, whose length depends on the workload, so a group has
 * points of only one workload. */
static void groups_are_of_one_workload(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(
        3, make_kernel("a_matrix", "// workload: matrix_sum\n// covers: BLOCK\n// blocks: 64\n"),
        make_kernel("b_sum", "// result: partial\n// covers: BLOCK\n// blocks: 64\n"),
        make_kernel("c_sum", "// result: partial\n// covers: BLOCK\n// blocks: 64\n"));
    struct config config = small_config();
    struct plan *p;
    struct error e = {0};
    assert_true(plan_build(&config, &c, NULL, &p, &e));
    assert_int_equal(p->group_count, 2);
    assert_int_equal(p->groups[0].count, 2);
    assert_string_equal(plan_kernel(p, &p->points[0])->name, "b_sum");
    assert_int_equal(plan_input(p, &p->points[0]).n, 1024);
    assert_int_equal(plan_input(p, &p->points[2]).n, 2048);
    plan_free(p);
    catalogue_free(&c);
}

/* Returns a row's correct result, computed by adding the elements one by one. */
static int64_t row_sum(const int32_t *values, uint64_t row, uint64_t length)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < length; i++)
        sum += (uint32_t)values[row * length + i];
    return (int32_t)sum;
}

/* The check uses several threads. However many there are, it must examine every row, and its
 * message must name the wrong one. */
static void every_row_is_checked(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    static const uint64_t lengths[] = {1, 7 * 16, 1 << 10, 1 << 19, N};
    static int32_t values[N], output[N];
    const struct workload *w = workload_find("rows");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        uint64_t length = lengths[i], rows = N / length;
        struct input in = {.type = TYPE_INT32, .op = OP_SUM, .n = rows * length, .seed = 5};
        struct work work = {.input = &in, .n = in.n, .row_length = length, .depth = 20};
        input_generate(&in, 0, in.n, values);
        assert_int_equal(w->output_elements(&work), rows);
        for (uint64_t row = 0; row < rows; row++)
            output[row] = (int32_t)row_sum(values, row, length);
        for (int threads = 1; threads <= 3; threads += 2) {
            struct reference r = {0};
            struct error e = {0};
            char result[RESULT_TEXT], last[40], why[256];
            double rel_error;
            work.threads = threads;
            assert_true(w->rows_reference(&in, length, 1, threads, &r, &e));
            snprintf(why, sizeof why, "what was there before");
            assert_true(w->check(&work, &r, output, rows, result, &rel_error, why));
            assert_string_equal(why, "");
            snprintf(last, sizeof last, "%d", output[rows - 1]);
            assert_string_equal(result, last);
            uint64_t wrong = rows * 2 / 3;
            output[wrong]++;
            assert_false(w->check(&work, &r, output, rows, result, &rel_error, why));
            output[wrong]--;
            snprintf(last, sizeof last, "row %d: ", (int)wrong);
            assert_ptr_equal(strstr(why, last), why);
            free(r.rows);
        }
    }
    struct input in = {.type = TYPE_INT32, .op = OP_SUM, .n = 100, .seed = 5};
    struct reference none;
    struct error e = {0};
    assert_false(w->rows_reference(&in, 33, 1, 1, &none, &e));
}

/* When an axis is reduced, result number o * inner + i combines the elements (o, k, i) for all
 * k, and the same elements of a second vector. */
static void each_result_of_an_axis_has_its_own_reference(void **state)
{
    (void)state;
    enum { OUTER = 3, LENGTH = 37, INNER = 600, RESULTS = OUTER * INNER, N = LENGTH * RESULTS };
    static int32_t values[2 * N + 64], output[RESULTS];
    const struct workload *w = workload_find("axis");
    struct input in = workload_input(w, TYPE_INT32, OP_DOT, N);
    struct work work = {.input = &in, .n = N, .row_length = LENGTH, .inner = INNER, .depth = 20};
    in.seed = 5;
    input_generate(&in, 0, in.n, values);
    for (int r = 0; r < RESULTS; r++) {
        uint32_t sum = 0;
        for (int k = 0; k < LENGTH; k++) {
            size_t at = ((size_t)(r / INNER) * LENGTH + (size_t)k) * INNER + (size_t)(r % INNER);
            sum += (uint32_t)values[at] * (uint32_t)values[in.second + at];
        }
        output[r] = (int32_t)sum;
    }
    for (int threads = 1; threads <= 3; threads += 2) {
        struct reference r = {0};
        struct error e = {0};
        char result[RESULT_TEXT], why[256];
        double rel_error;
        assert_true(w->rows_reference(&in, LENGTH, INNER, threads, &r, &e));
        assert_true(w->check(&work, &r, output, RESULTS, result, &rel_error, why));
        output[700]++;
        assert_false(w->check(&work, &r, output, RESULTS, result, &rel_error, why));
        texts_expect("a wrong dot of an axis", why);
        output[700]--;
        free(r.rows);
    }
    struct reference none;
    struct error e = {0};
    assert_false(w->rows_reference(&in, LENGTH, 7, 1, &none, &e));
}

/* The references of columns must equal those of the same elements as rows. The index of an
 * extreme counts along the axis. */
static void columns_have_the_references_of_rows(void **state)
{
    (void)state;
    enum { LENGTH = 300, INNER = 5 };
    static const enum operation ops[] = {OP_ARGMAX, OP_MEAN_VAR, OP_LOGSUMEXP, OP_SUM};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct input in = {.type = TYPE_FLOAT64, .op = ops[i], .n = LENGTH * INNER, .seed = 9};
        struct element_range column[LENGTH];
        struct reference all = {0}, one;
        struct error e = {0};
        assert_true(workload_find("axis")->rows_reference(&in, LENGTH, INNER, 1, &all, &e));
        for (uint64_t c = 0; c < INNER; c++) {
            for (uint64_t k = 0; k < LENGTH; k++)
                column[k] = (struct element_range){k * INNER + c, k * INNER + c + 1};
            reduce_reference_of(&in, column, LENGTH, &one);
            if (ops[i] == OP_ARGMAX) {
                assert_int_equal(all.rows[c].bits, (one.bits - c) / INNER);
            } else {
                assert_true(fabs(all.rows[c].value - one.value) <= 1e-12 * fabs(one.value));
                assert_true(fabs(all.rows[c].variance - one.variance) <= 1e-12 * one.variance);
            }
        }
        free(all.rows);
    }
}

/* In rows of floats, a result may be off by the bound of its row, but not by the bound of the whole
 * input. A maximum or minimum must be exact. */
static void float_rows_have_their_own_bounds(void **state)
{
    (void)state;
    enum { N = 1 << 16, LENGTH = 16, ROWS = N / LENGTH };
    static float values[N], output[ROWS];
    const struct workload *w = workload_find("rows");
    for (int op = OP_SUM; op <= OP_MAX; op++) {
        struct input in = {.type = TYPE_FLOAT32, .op = (enum operation)op, .n = N, .seed = 3};
        struct work work = {.input = &in, .n = N, .row_length = LENGTH, .depth = 16};
        struct reference r = {0};
        struct error e = {0};
        char result[RESULT_TEXT], why[256];
        double rel_error;
        input_generate(&in, 0, N, values);
        for (int row = 0; row < ROWS; row++) {
            output[row] = values[row * LENGTH];
            for (int i = 1; i < LENGTH; i++)
                output[row] = op == OP_SUM ? output[row] + values[row * LENGTH + i]
                                           : __builtin_fmaxf(output[row], values[row * LENGTH + i]);
        }
        assert_true(w->rows_reference(&in, LENGTH, 1, 2, &r, &e));
        assert_true(w->check(&work, &r, output, ROWS, result, &rel_error, why));
        assert_true(op == OP_SUM ? rel_error > 0 && rel_error < 1e-6 : rel_error == 0);
        float right = output[1000];
        output[1000] = right * 1.0001f;
        assert_false(w->check(&work, &r, output, ROWS, result, &rel_error, why));
        texts_expect(op == OP_SUM ? "a wrong sum of a row" : "a wrong maximum of a row", why);
        output[1000] = __builtin_nanf("");
        assert_false(w->check(&work, &r, output, ROWS, result, &rel_error, why));
        free(r.rows);
    }
}

/* Poison is finite, but reading it as an element changes the maximum or minimum of any input. */
static void poison_is_extreme(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = OP_MAX; op <= OP_MIN; op++)
            for (uint64_t seed = 1; seed < 9; seed++) {
                struct input in = {.type = (enum element_type)type,
                                   .op = (enum operation)op,
                                   .n = 64,
                                   .seed = seed};
                struct reference r;
                struct error e = {0};
                const struct workload *w = workload_find("reduce");
                assert_true(w->reference(&in, 1, &r, &e));
                uint64_t bits;
                memset(&bits, input_poison(in.type, in.op), sizeof bits);
                struct work work = {.input = &in, .n = 64, .complete = true};
                char result[RESULT_TEXT], why[256];
                double rel_error;
                assert_false(w->check(&work, &r, &bits, 1, result, &rel_error, why));
                double poison = strtod(result, NULL);
                assert_true(op == OP_MAX ? poison > r.value : poison < r.value);
                assert_true(__builtin_isfinite(poison));
            }
}

/* If a sum is too large by a small multiple of the fill pattern, the message says which
 * multiple. For any other wrong sum, it does not mention patterns. */
static void fill_patterns_in_a_sum_are_counted(void **state)
{
    (void)state;
    static const struct {
        enum element_type type;
        size_t size;
    } types[] = {{TYPE_INT32, 4}, {TYPE_UINT32, 4}, {TYPE_INT64, 8}, {TYPE_UINT64, 8}};
    static const uint64_t times[] = {1, 2, 3, 255, 4096, 4097};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 6; k++) {
            struct input in = {.type = types[t].type, .op = OP_SUM, .n = 1000, .seed = 5};
            struct work work = {.input = &in, .n = 1000, .complete = true, .depth = 10};
            struct reference r;
            struct error e = {0};
            const struct workload *w = workload_find("reduce");
            assert_true(w->reference(&in, 1, &r, &e));
            uint64_t fill = 0, sum = 0;
            memset(&fill, input_poison(in.type, in.op), types[t].size);
            memcpy(&sum, &r.bits, types[t].size);
            sum += times[k] * fill;
            char result[RESULT_TEXT], why[256], name[64];
            double rel_error;
            assert_false(w->check(&work, &r, &sum, 1, result, &rel_error, why));
            snprintf(name, sizeof name, "%llu patterns in a sum of %s",
                     (unsigned long long)times[k], element_type_name(in.type));
            texts_expect(name, why);
            sum += 1;
            assert_false(w->check(&work, &r, &sum, 1, result, &rel_error, why));
            assert_null(strstr(why, "pattern"));
        }
}

/* Checks the message about fill patterns for sums of floats, in which a fill pattern is far larger
 * than the sum of the input. The message about a wrong maximum does not mention patterns. */
static void float_sums_count_fill_patterns_too(void **state)
{
    (void)state;
    for (int op = OP_SUM; op <= OP_MAX; op++)
        /* A sum with one pattern would just equal the pattern. */
        for (int times = 2; times <= 4; times++) {
            struct input in = {
                .type = TYPE_FLOAT32, .op = (enum operation)op, .n = 1000, .seed = 5};
            struct work work = {.input = &in, .n = 1000, .complete = true, .depth = 10};
            struct reference r;
            struct error e = {0};
            const struct workload *w = workload_find("reduce");
            float fill;
            memset(&fill, input_poison(in.type, OP_SUM), sizeof fill);
            assert_true(w->reference(&in, 1, &r, &e));
            float found = (float)r.value + (float)times * fill;
            char result[RESULT_TEXT], why[256], name[64];
            double rel_error;
            assert_false(w->check(&work, &r, &found, 1, result, &rel_error, why));
            snprintf(name, sizeof name, "%d patterns in a %s of float32", times,
                     operation_name(in.op));
            texts_expect(name, why);
            found = (float)r.value + 1000;
            assert_false(w->check(&work, &r, &found, 1, result, &rel_error, why));
            assert_null(strstr(why, "pattern"));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_add_up_element_by_element),
        cmocka_unit_test(float_matrices_are_exact),
        cmocka_unit_test(double_matrices_are_exact),
        cmocka_unit_test(a_limit_of_rows_writes_their_numbers),
        cmocka_unit_test(float_sums_count_fill_patterns_too),
        cmocka_unit_test(limits_move_whole_packs),
        cmocka_unit_test(branches_alternate),
        cmocka_unit_test(halving_generations_report),
        cmocka_unit_test(doubling_generations_report),
        cmocka_unit_test(launches_have_dimensions),
        cmocka_unit_test(tall_grids_are_skipped),
        cmocka_unit_test(groups_are_of_one_workload),
        cmocka_unit_test(every_row_is_checked),
        cmocka_unit_test(each_result_of_an_axis_has_its_own_reference),
        cmocka_unit_test(columns_have_the_references_of_rows),
        cmocka_unit_test(float_rows_have_their_own_bounds),
        cmocka_unit_test(poison_is_extreme),
        cmocka_unit_test(fill_patterns_in_a_sum_are_counted),
    };
    return cmocka_run_group_tests_name("workloads", tests, NULL, NULL);
}
