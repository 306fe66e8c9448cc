/*
 * Checks the reduce workload: how it divides its input into pieces, the reference that it computes
 * in parallel, and the bounds of its check. Compares the reference with the results of simple
 * loops.
 */
#include "reduce_fixture.h"
#include "../texts/expected.h"
#include "base/phase.h"

static void pieces_of_an_input_are_those_of_the_whole(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
            struct input in = input_of(type, op, 1000, 77);
            size_t size = element_size(in.type);
            char *whole = malloc(in.n * size), piece[13 * 8];
            assert_non_null(whole);
            input_generate(&in, 0, in.n, whole);
            for (uint64_t first = 0; first < in.n; first += 13) {
                uint64_t count = in.n - first < 13 ? in.n - first : 13;
                input_generate(&in, first, count, piece);
                assert_memory_equal(piece, whole + first * size, count * size);
            }
            free(whole);
        }
}

static void note_phase(void *context, const struct phase *phase)
{
    *(uint64_t *)context = phase->done;
}

static void a_reference_counts_its_elements(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
            struct input in = input_of(type, op, 70003, 77);
            uint64_t done = 0;
            if (!allowed(type, op))
                continue;
            phase_begin(PHASE_REFERENCE, 70003);
            phase_watch(note_phase, &done);
            (void)reference_of(&in, 1);
            phase_watch(NULL, NULL);
            phase_end();
            assert_int_equal(done, 70003);
        }
}

/* Reduces integers one by one in 128 bits, and truncates the result to the type at the end. */
static uint64_t naive_integer(const struct input *in, struct vectors v)
{
    unsigned __int128 sum = 0, product = 1, squares = 0, products = 0;
    __int128 best = 0;
    uint64_t index = 0;
    for (uint64_t i = 0; i < input_vector(in); i++) {
        __int128 x = integer_at(in->type, v.x, i), y = integer_at(in->type, v.y, i);
        sum += (unsigned __int128)x;
        product *= (unsigned __int128)x;
        squares += (unsigned __int128)x * (unsigned __int128)x; /* signed products could overflow */
        products += (unsigned __int128)x * (unsigned __int128)y;
        if (i == 0 || is_better(in->op, x > best, x < best)) {
            best = x;
            index = i;
        }
    }
    if (in->op == OP_ARGMAX || in->op == OP_ARGMIN)
        return index;
    unsigned __int128 wide = in->op == OP_SUM     ? sum
                             : in->op == OP_PROD  ? product
                             : in->op == OP_SUMSQ ? squares
                             : in->op == OP_DOT   ? products
                                                  : (unsigned __int128)best;
    if (element_size(in->type) == 8)
        return (uint64_t)wide;
    return element_is_signed(in->type) ? (uint64_t)(int64_t)(int32_t)(uint32_t)wide
                                       : (uint32_t)wide;
}

struct naive {
    double value, variance;
    uint64_t index;
};

/* Reduces floats in quadruple precision. With 113 bits, even sums of 2^18 doubles are exact. */
static struct naive naive_float(const struct input *in, struct vectors v)
{
    const uint64_t n = input_vector(in);
    __float128 sum = 0, product = 1, squares = 0, products = 0, deviations = 0;
    long double exponentials = 0;
    struct naive out = {0};
    double best = 0;
    for (uint64_t i = 0; i < n; i++) {
        __float128 x = real_at(in->type, v.x, i);
        sum += x;
        product *= x;
        squares += x * x;
        products += x * (in->second ? real_at(in->type, v.y, i) : 0);
        exponentials += in->op == OP_LOGSUMEXP ? expl((long double)x) : 0;
        if (i == 0 || is_better(in->op, x > best, x < best)) {
            best = (double)x;
            out.index = i;
        }
    }
    for (uint64_t i = 0; i < n; i++) {
        __float128 away = real_at(in->type, v.x, i) - sum / n;
        deviations += away * away;
    }
    out.variance = n > 1 ? (double)(deviations / (n - 1)) : (double)NAN;
    out.value = in->op == OP_SUM         ? (double)sum
                : in->op == OP_PROD      ? (double)product
                : in->op == OP_SUMSQ     ? (double)squares
                : in->op == OP_NORM2     ? (double)sqrtl((long double)squares)
                : in->op == OP_DOT       ? (double)products
                : in->op == OP_MEAN_VAR  ? (double)(sum / n)
                : in->op == OP_LOGSUMEXP ? (double)logl(exponentials)
                                         : best;
    return out;
}

static void assert_close(const struct input *in, const char *what, double value, double right,
                         double bound)
{
    if (!(fabs(value - right) <= bound) && !(isnan(value) && isnan(right)))
        fail_msg("%s %s n=%llu: %s %.17g instead of %.17g", element_type_name(in->type),
                 operation_name(in->op), (unsigned long long)input_vector(in), what, value, right);
}

static void assert_reference(const struct input *in, int threads)
{
    struct reference r = reference_of(in, threads);
    struct vectors v = make_vectors(in);
    bool indexed = operation_accumulator(in->op) == ACCUMULATES_INDEXED;
    assert_true(r.magnitude >= fabs(r.value) || in->op == OP_MEAN_VAR);
    if (!element_is_float(in->type)) {
        assert_true(r.bits == naive_integer(in, v));
        assert_true(r.value ==
                    (in->type == TYPE_UINT64 ? (double)r.bits : (double)(int64_t)r.bits));
    } else {
        struct naive right = naive_float(in, v);
        bool exact = in->op == OP_MAX || in->op == OP_MIN || in->op == OP_PROD;
        if (indexed)
            assert_int_equal(r.bits, right.index);
        else
            assert_close(in, "value", r.value, right.value,
                         exact ? 0 : ldexp(2, -52) * fabs(right.value));
        if (in->op == OP_MEAN_VAR)
            assert_close(in, "variance", r.variance, right.variance,
                         ldexp(1, -50) * (right.variance + right.value * right.value));
        if (in->op == OP_SUM || in->op == OP_DOT) /* all inputs are positive */
            assert_true(fabs(r.magnitude - right.value) <= 1e-10 * right.value);
    }
    free_vectors(v);
}

static void references_are_those_of_naive_loops(void **state)
{
    (void)state;
    static const int threads[] = {1, 3, 16};
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++)
            for (int i = 0; i < AWKWARD && allowed(type, op); i++)
                for (uint64_t seed = 4; seed < 6; seed++) {
                    struct input in = input_of(type, op, awkward[i], seed);
                    if (awkward[i] > 9000 && (seed > 4 || (type + op + i) % 5 != 0))
                        continue; /* Quadruple precision is slow. */
                    assert_reference(&in, threads[i % 3]);
                }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
            struct input in = input_of(type, op, 140003, 9);
            if (!allowed(type, op))
                continue;
            struct reference one = reference_of(&in, 1), many = reference_of(&in, 7);
            assert_true(one.bits == many.bits);
            assert_true(one.value == many.value);
            assert_true(one.variance == many.variance);
        }
    struct input none = input_of(TYPE_INT32, OP_SUM, 0, 1);
    struct reference r;
    struct error e = {0};
    assert_false(reduce()->reference(&none, 1, &r, &e));
    assert_int_equal(e.kind, ERROR_INTERNAL);
}

/* Returns whether the check accepts the value reference + off. The value is passed as several
 * partial results, because the element's type may not be able to represent it exactly. */
static bool right_when_off_by(const struct input *in, double off, double depth)
{
    struct reference r = reference_of(in, 2);
    double doubles[2] = {r.value, off};
    float floats[3] = {(float)r.value, (float)(r.value - (double)(float)r.value), (float)off};
    if (in->type == TYPE_FLOAT32)
        return judge(in, floats, 3, depth).right;
    return judge(in, doubles, 2, depth).right;
}

static void sums_may_be_off_by_the_bound_and_no_more(void **state)
{
    (void)state;
    for (int type = TYPE_FLOAT32; type <= TYPE_FLOAT64; type++)
        for (int i = 12; i < AWKWARD; i++) {
            struct input in = {
                .type = (enum element_type)type, .op = OP_SUM, .n = awkward[i], .seed = 5};
            const double u = ldexp(1, type == TYPE_FLOAT32 ? -24 : -53);
            double magnitude = reference_of(&in, 1).magnitude;
            /* With depth 20, the bound is the largest possible error. With depth 10000, it is
             * the probable error, 8·sqrt(10000)·u = 800 u. */
            double first = (20 * u / (1 - 20 * u) + ldexp(1, -51)) * magnitude;
            double second = (expm1(800 * u + 10000 * u * u) + ldexp(1, -51)) * magnitude;
            for (int sign = -1; sign <= 1; sign += 2) {
                assert_true(right_when_off_by(&in, sign * 0.95 * first, 20));
                assert_false(right_when_off_by(&in, sign * 1.05 * first, 20));
                assert_true(right_when_off_by(&in, sign * 0.99 * second, 10000));
                assert_false(right_when_off_by(&in, sign * 1.01 * second, 10000));
            }
        }
}

static void float_products_are_exact(void **state)
{
    (void)state;
    for (int type = TYPE_FLOAT32; type <= TYPE_FLOAT64; type++) {
        struct input in = {.type = (enum element_type)type, .op = OP_PROD, .n = 5000, .seed = 5};
        struct reference r = reference_of(&in, 1);
        bool single = type == TYPE_FLOAT32;
        double wrong[] = {-r.value, 2 * r.value, r.value / 2, nextafter(r.value, 9)};
        float right = (float)r.value;
        assert_true(judge(&in, single ? (void *)&right : &r.value, 1, 1).right);
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            float near = i == 3 ? nextafterf(right, 9) : (float)wrong[i];
            assert_false(judge(&in, single ? (void *)&near : &wrong[i], 1, 1e6).right);
        }
    }
}

static void no_bound_lets_everything_pass(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_FLOAT32, .op = OP_SUM, .n = 100000, .seed = 3};
    float zero = 0;
    assert_false(judge(&in, &zero, 1, 1e6).right);
    assert_false(judge(&in, &zero, 1, 1e8).right);
}

static void what_is_no_number_is_wrong(void **state)
{
    (void)state;
    for (int op = 0; op <= OP_PROD; op++) {
        struct input in = {.type = TYPE_FLOAT32, .op = (enum operation)op, .n = 100, .seed = 3};
        const float outputs[][2] = {{NAN, 1}, {1, -NAN}, {INFINITY, 1}, {1, -INFINITY}};
        static const char *const texts[] = {"nan", "nan", "inf", "-inf"};
        for (int i = 0; i < 4; i++) {
            /* -inf for max and inf for min are right: they are the results of a block without
             * elements. */
            if ((op == OP_MAX && i == 3) || (op == OP_MIN && i == 2))
                continue;
            struct verdict v = judge(&in, outputs[i], 2, 1e300);
            assert_false(v.right);
            assert_string_equal(v.result, texts[i]);
        }
        struct verdict v = judge(&in, outputs[0], 0, 10);
        assert_false(v.right);
        texts_expect("no output", v.why);
    }
}

static void blocks_without_elements_change_nothing(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_FLOAT32, .op = OP_MAX, .n = 100, .seed = 3};
    const float most[] = {-INFINITY, (float)reference_of(&in, 1).value, -INFINITY};
    assert_true(judge(&in, most, 3, 1).right);
    in.op = OP_MIN;
    const float least[] = {INFINITY, (float)reference_of(&in, 1).value, INFINITY};
    assert_true(judge(&in, least, 3, 1).right);
}

static void results_read_back(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_FLOAT32, .op = OP_SUM, .n = 5, .seed = 3};
    float tenth = 0.1f;
    assert_string_equal(judge(&in, &tenth, 1, 5).result, "0.1");
    float third = 1.0f / 3;
    struct verdict v = judge(&in, &third, 1, 5);
    assert_true(strtof(v.result, NULL) == third);
    assert_true(strlen(v.result) <= 11);
    in.type = TYPE_FLOAT64;
    double exact = 1.0 / 3;
    v = judge(&in, &exact, 1, 5);
    assert_true(strtod(v.result, NULL) == exact);
    in.type = TYPE_UINT32;
    uint32_t most = UINT32_MAX;
    assert_string_equal(judge(&in, &most, 1, 5).result, "4294967295");
    in.type = TYPE_INT32;
    int32_t below[] = {INT32_MIN, -1}; /* this sum wraps */
    assert_string_equal(judge(&in, below, 2, 5).result, "2147483647");
    in.type = TYPE_INT64;
    int64_t least = INT64_MIN;
    v = judge(&in, &least, 1, 5);
    assert_string_equal(v.result, "-9223372036854775808");
    texts_expect("the least of int64", v.why);
}

static void errors_are_relative(void **state)
{
    (void)state;
    struct input in = {.type = TYPE_FLOAT64, .op = OP_SUM, .n = 1000, .seed = 3};
    struct reference r = reference_of(&in, 1);
    double off = r.value * 1.25;
    struct verdict v = judge(&in, &off, 1, 10);
    assert_false(v.right);
    assert_true(fabs(v.rel_error - 0.25) < 1e-12);
    v = judge(&in, &r.value, 1, 10);
    assert_true(v.right && v.rel_error == 0);
}

static void the_table_is_complete(void **state)
{
    (void)state;
    int count;
    const struct workload *table = workload_table(&count);
    assert_true(count >= 1);
    for (int i = 0; i < count; i++) {
        assert_ptr_equal(workload_find(table[i].name), &table[i]);
        assert_true(table[i].meaning && table[i].input_elements && table[i].min_bytes &&
                    table[i].output_elements && table[i].check);
        assert_true(!table[i].reduces || table[i].reference);
    }
    assert_null(workload_find("sort"));
    struct input in = {.type = TYPE_FLOAT64, .op = OP_SUM, .n = 1000, .seed = 3};
    assert_true(reduce()->min_bytes(&in) == 8000);
    assert_true(reduce()->input_elements(1000) == 1000);
    struct work work = {.input = &in, .n = 1000, .grid = 17};
    assert_true(reduce()->output_elements(&work) == 17);
    work.complete = true;
    assert_true(reduce()->output_elements(&work) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reference_counts_its_elements),
        cmocka_unit_test(pieces_of_an_input_are_those_of_the_whole),
        cmocka_unit_test(references_are_those_of_naive_loops),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(sums_may_be_off_by_the_bound_and_no_more),
        cmocka_unit_test(float_products_are_exact),
        cmocka_unit_test(no_bound_lets_everything_pass),
        cmocka_unit_test(what_is_no_number_is_wrong),
        cmocka_unit_test(blocks_without_elements_change_nothing),
        cmocka_unit_test(results_read_back),
        cmocka_unit_test(errors_are_relative),
        cmocka_unit_test(the_table_is_complete),
    };
    return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
