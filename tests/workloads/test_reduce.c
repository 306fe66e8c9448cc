/*
 * The reduce workload: its input, its parallel reference against naive loops, and its check
 * against outputs that are right, nearly right, and wrong by one element.
 */
#include "../fixture_kernels.h"

#include <math.h>

#include "base/phase.h"
#include "support/input.h"
#include "workloads/workload.h"

static const uint64_t awkward[] = {1,    2,    3,     31,    32,    33,    63,     64,
                                   65,   127,  128,   129,   1023,  1024,  1025,   4999,
                                   5000, 8191, 65535, 65536, 65537, 99991, 131073, 200003};
enum { AWKWARD = sizeof awkward / sizeof *awkward, COVERS = 256 };

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

/* The input as an array with room for one more element. */
static void *make_input(const struct input *in)
{
    void *values = malloc((in->n + 1) * element_size(in->type));
    assert_non_null(values);
    input_generate(in, 0, in->n, values);
    return values;
}

static void pieces_of_an_input_are_those_of_the_whole(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
            struct input in = {
                .type = (enum element_type)type, .op = (enum operation)op, .n = 1000, .seed = 77};
            size_t size = element_size(in.type);
            char *whole = make_input(&in), piece[13 * 8];
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
            struct input in = {
                .type = (enum element_type)type, .op = (enum operation)op, .n = 200003, .seed = 77};
            uint64_t done = 0;
            phase_begin(PHASE_REFERENCE, in.n);
            phase_watch(note_phase, &done);
            (void)reference_of(&in, 1);
            phase_watch(NULL, NULL);
            phase_end();
            assert_int_equal(done, in.n);
        }
}

/* Integers one after another, in 64 bits that are cut at the end; __int128 keeps sums exact. */
static uint64_t naive_integer(const struct input *in, const void *values)
{
    unsigned __int128 sum = 0, product = 1;
    int64_t most = INT64_MIN, least = INT64_MAX;
    for (uint64_t i = 0; i < in->n; i++) {
        int64_t x = in->type == TYPE_INT32    ? ((const int32_t *)values)[i]
                    : in->type == TYPE_UINT32 ? (int64_t)((const uint32_t *)values)[i]
                                              : ((const int64_t *)values)[i];
        sum += (unsigned __int128)x;
        product *= (unsigned __int128)x;
        most = x > most ? x : most;
        least = x < least ? x : least;
    }
    if (in->op == OP_MAX)
        return (uint64_t)most;
    if (in->op == OP_MIN)
        return (uint64_t)least;
    unsigned __int128 wide = in->op == OP_SUM ? sum : product;
    return in->type == TYPE_INT32    ? (uint64_t)(int64_t)(int32_t)(uint32_t)wide
           : in->type == TYPE_UINT32 ? (uint32_t)wide
                                     : (uint64_t)wide;
}

/* In quadruple precision: 113 bits, so that even sums of 2^18 doubles are exact. */
static double naive_float(const struct input *in, const void *values)
{
    __float128 sum = 0, product = 1, most = -INFINITY, least = INFINITY;
    for (uint64_t i = 0; i < in->n; i++) {
        __float128 x = in->type == TYPE_FLOAT32 ? (double)((const float *)values)[i]
                                                : ((const double *)values)[i];
        sum += x;
        product *= x;
        most = x > most ? x : most;
        least = x < least ? x : least;
    }
    return (double)(in->op == OP_SUM    ? sum
                    : in->op == OP_PROD ? product
                    : in->op == OP_MAX  ? most
                                        : least);
}

static void assert_reference(const struct input *in, int threads)
{
    struct reference r = reference_of(in, threads);
    void *values = make_input(in);
    assert_true(r.magnitude >= fabs(r.value));
    if (!element_is_float(in->type)) {
        assert_true(r.bits == naive_integer(in, values));
        assert_true(r.value == (double)(int64_t)r.bits);
    } else {
        double right = naive_float(in, values);
        double off = fabs(r.value - right) / fabs(right);
        if (off > (in->op == OP_SUM ? ldexp(1, -52) : 0))
            fail_msg("%s %s n=%llu: %.17g instead of %.17g", element_type_name(in->type),
                     operation_name(in->op), (unsigned long long)in->n, r.value, right);
        if (in->op == OP_SUM) /* all inputs are positive */
            assert_true(fabs(r.magnitude - right) <= 1e-10 * right);
    }
    free(values);
}

static void references_are_those_of_naive_loops(void **state)
{
    (void)state;
    static const int threads[] = {1, 3, 16};
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++)
            for (int i = 0; i < AWKWARD; i++)
                for (uint64_t seed = 4; seed < 6; seed++) {
                    struct input in = {.type = (enum element_type)type,
                                       .op = (enum operation)op,
                                       .n = awkward[i],
                                       .seed = seed};
                    assert_reference(&in, threads[i % 3]);
                }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
            struct input in = {
                .type = (enum element_type)type, .op = (enum operation)op, .n = 1000003, .seed = 9};
            struct reference one = reference_of(&in, 1), many = reference_of(&in, 7);
            assert_true(one.bits == many.bits);
            assert_true(one.value == many.value);
        }
    struct input none = {.type = TYPE_INT32, .op = OP_SUM, .n = 0, .seed = 1};
    struct reference r;
    struct error e = {0};
    assert_false(reduce()->reference(&none, 1, &r, &e));
    assert_int_equal(e.kind, ERROR_INTERNAL);
}

/* Stores the combination of two elements in the element's type, as a kernel does. */
#define COMBINE(type, wrapping, op, a, b)                                                          \
    ((op) == OP_SUM    ? (type)((wrapping)(a) + (wrapping)(b))                                     \
     : (op) == OP_PROD ? (type)((wrapping)(a) * (wrapping)(b))                                     \
     : (op) == OP_MAX  ? ((a) > (b) ? (a) : (b))                                                   \
                       : ((a) < (b) ? (a) : (b)))

#define PARTIALS(name, type, wrapping)                                                             \
    static void name(enum operation op, const type *x, uint64_t n, type *out)                      \
    {                                                                                              \
        for (uint64_t first = 0; first < n; first += COVERS, out++) {                              \
            *out = x[first];                                                                       \
            for (uint64_t i = first + 1; i < n && i < first + COVERS; i++)                         \
                *out = COMBINE(type, wrapping, op, *out, x[i]);                                    \
        }                                                                                          \
    }
PARTIALS(partials_int32, int32_t, uint32_t)
PARTIALS(partials_uint32, uint32_t, uint32_t)
PARTIALS(partials_int64, int64_t, uint64_t)
PARTIALS(partials_float32, float, float)
PARTIALS(partials_float64, double, double)

/* What a kernel that reduces `n` values (of whatever input) writes: one partial per COVERS. */
static uint64_t make_partials(const struct input *in, const void *values, uint64_t n, void *out)
{
    switch (in->type) {
    case TYPE_INT32:
        partials_int32(in->op, values, n, out);
        break;
    case TYPE_UINT32:
        partials_uint32(in->op, values, n, out);
        break;
    case TYPE_INT64:
        partials_int64(in->op, values, n, out);
        break;
    case TYPE_FLOAT32:
        partials_float32(in->op, values, n, out);
        break;
    default:
        partials_float64(in->op, values, n, out);
    }
    return (n + COVERS - 1) / COVERS;
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

/* What reducing the first `n` of these values gives, judged against the whole input. */
static struct verdict judge_values(const struct input *in, const void *values, uint64_t n)
{
    char *out = malloc((n / COVERS + 1) * 8);
    assert_non_null(out);
    uint64_t count = make_partials(in, values, n, out);
    struct verdict v = judge(in, out, count, COVERS - 1);
    free(out);
    return v;
}

static void must_be_wrong(struct verdict v, const struct input *in, const char *what, uint64_t at)
{
    if (v.right)
        fail_msg("%s %s n=%llu seed=%llu: %s %llu was not noticed", element_type_name(in->type),
                 operation_name(in->op), (unsigned long long)in->n, (unsigned long long)in->seed,
                 what, (unsigned long long)at);
}

/* Puts into values[n] something that a kernel which reads past n would find and be changed by. */
static void plant_beyond(const struct input *in, void *values)
{
    static const double far[OP_COUNT] = {0.75, 3.0, -3.0, 1.5};
    bool low = in->op == OP_MIN;
    if (in->type == TYPE_FLOAT32)
        ((float *)values)[in->n] = (float)far[in->op];
    else if (in->type == TYPE_FLOAT64)
        ((double *)values)[in->n] = far[in->op];
    else if (in->type == TYPE_INT32)
        ((int32_t *)values)[in->n] = low ? INT32_MIN : INT32_MAX;
    else if (in->type == TYPE_UINT32)
        ((uint32_t *)values)[in->n] = low ? 0 : UINT32_MAX;
    else
        ((int64_t *)values)[in->n] = low ? INT64_MIN : INT64_MAX;
}

/*
 * A place from `at` on whose element is no speck of a sum (a bound cannot tell a tiny one from
 * rounding) and no factor 1 (one in eight of a float product).
 */
static uint64_t sizeable(const struct input *in, const void *values, uint64_t at)
{
    for (uint64_t i = 0; i < in->n && in->op == OP_PROD && element_is_float(in->type); i++) {
        uint64_t place = (at + i) % in->n;
        if ((in->type == TYPE_FLOAT32 ? (double)((const float *)values)[place]
                                      : ((const double *)values)[place]) != 1)
            return place;
    }
    if (in->type != TYPE_FLOAT32 || in->op != OP_SUM)
        return at;
    for (uint64_t i = 0; i < in->n; i++)
        if (((const float *)values)[(at + i) % in->n] >= 0.125f)
            return (at + i) % in->n;
    return at;
}

/* max and min cannot notice every element: only the peak counts, and doubling changes nothing. */
static void assert_faults_are_noticed(const struct input *in)
{
    size_t size = element_size(in->type);
    uint64_t n = in->n;
    char *values = make_input(in), kept[8];
    bool idempotent = in->op == OP_MAX || in->op == OP_MIN;
    uint64_t peak = input_peak(in->seed, n);
    struct verdict v = judge_values(in, values, n);
    if (!v.right)
        fail_msg("%s %s n=%llu: %s", element_type_name(in->type), operation_name(in->op),
                 (unsigned long long)n, v.why);
    plant_beyond(in, values);
    must_be_wrong(judge_values(in, values, n + 1), in, "an element past", n);
    const uint64_t places[] = {idempotent ? peak : 0, idempotent ? peak : n / 2,
                               idempotent ? peak : n - 1};
    for (int i = 0; i < 3 && n > 1; i++) {
        uint64_t at = sizeable(in, values, places[i]);
        char *place = values + at * size, *last = values + (n - 1) * size;
        memcpy(kept, place, size);
        memcpy(place, last, size); /* the last one moves into the gap: one is missing */
        must_be_wrong(judge_values(in, values, n - 1), in, "missing element", at);
        memcpy(place, kept, size);
        memcpy(values + n * size, kept, size);
        if (!idempotent)
            must_be_wrong(judge_values(in, values, n + 1), in, "doubled element", at);
    }
    free(values);
}

static void one_wrong_element_is_noticed(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++)
            for (int i = 0; i < AWKWARD && awkward[i] <= 5000; i++)
                for (uint64_t seed = 10; seed < 14; seed++) {
                    struct input in = {.type = (enum element_type)type,
                                       .op = (enum operation)op,
                                       .n = awkward[i],
                                       .seed = seed};
                    assert_faults_are_noticed(&in);
                }
}

/* Judges reference + off, given as two partials, so that it need not fit the element's type. */
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
            /* depth 20: worst case. depth 10000: 8·sqrt(10000)·u = 800 u, the probable one */
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
    for (int op = 0; op < OP_COUNT; op++) {
        struct input in = {.type = TYPE_FLOAT32, .op = (enum operation)op, .n = 100, .seed = 3};
        const float outputs[][2] = {{NAN, 1}, {1, -NAN}, {INFINITY, 1}, {1, -INFINITY}};
        static const char *const texts[] = {"nan", "nan", "inf", "-inf"};
        for (int i = 0; i < 4; i++) {
            /* a block without elements leaves the identity of max or min: -inf or inf */
            if ((op == OP_MAX && i == 3) || (op == OP_MIN && i == 2))
                continue;
            struct verdict v = judge(&in, outputs[i], 2, 1e300);
            assert_false(v.right);
            assert_string_equal(v.result, texts[i]);
        }
        struct verdict v = judge(&in, outputs[0], 0, 10);
        assert_false(v.right);
        assert_string_equal(v.why, "the kernel has no output");
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
    int32_t below[] = {INT32_MIN, -1}; /* wraps */
    assert_string_equal(judge(&in, below, 2, 5).result, "2147483647");
    in.type = TYPE_INT64;
    int64_t least = INT64_MIN;
    v = judge(&in, &least, 1, 5);
    assert_string_equal(v.result, "-9223372036854775808");
    assert_non_null(strstr(v.why, "the sum is -9223372036854775808, but must be "));
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
        cmocka_unit_test(one_wrong_element_is_noticed),
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
