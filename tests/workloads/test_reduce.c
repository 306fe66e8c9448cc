/*
 * The reduce workload: its input, its parallel reference, compared with naive loops, and its check
 * on outputs that are right, nearly right, and wrong by one element.
 *
 * Longer than other files: the naive loops check both the references and the planted faults, for
 * every type and operation.
 */
#include "../fixture_kernels.h"
#include "../texts/expected.h"
#include "../half.h"

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

static struct input input_of(int type, int op, uint64_t n, uint64_t seed)
{
    struct input in = workload_input(reduce(), (enum element_type)type, (enum operation)op, n);
    in.seed = seed;
    return in;
}

static bool allowed(int type, int op)
{
    return operation_allows((enum operation)op, (enum element_type)type);
}

/* The vectors as arrays with room for one more element; y is empty unless there are two. */
struct vectors {
    char *x, *y;
};

static struct vectors make_vectors(const struct input *in)
{
    size_t size = element_size(in->type);
    uint64_t n = input_vector(in);
    struct vectors v = {calloc(n + 1, size), calloc(n + 1, size)};
    assert_true(v.x && v.y);
    input_generate(in, 0, n, v.x);
    if (in->second)
        input_generate(in, in->second, n, v.y);
    return v;
}

static void free_vectors(struct vectors v)
{
    free(v.x);
    free(v.y);
}

/* Returns an element as the compiler converts it. */
static double real_at(enum element_type type, const void *values, uint64_t i)
{
    uint32_t wide;
    float single;
    if (type == TYPE_FLOAT16)
        return half_value(((const uint16_t *)values)[i]);
    if (type == TYPE_BFLOAT16) {
        wide = (uint32_t)((const uint16_t *)values)[i] << 16;
        memcpy(&single, &wide, sizeof single);
        return single;
    }
    return type == TYPE_FLOAT32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static __int128 integer_at(enum element_type type, const void *values, uint64_t i)
{
    return type == TYPE_INT8     ? ((const int8_t *)values)[i]
           : type == TYPE_UINT8  ? ((const uint8_t *)values)[i]
           : type == TYPE_INT32  ? ((const int32_t *)values)[i]
           : type == TYPE_UINT32 ? ((const uint32_t *)values)[i]
           : type == TYPE_INT64  ? ((const int64_t *)values)[i]
                                 : (__int128)((const uint64_t *)values)[i];
}

/* Stores an integer, which wraps. */
static void integer_store(enum element_type type, void *values, uint64_t i, __int128 x)
{
    if (element_size(type) == 1)
        ((uint8_t *)values)[i] = (uint8_t)x;
    else if (element_size(type) == 4)
        ((uint32_t *)values)[i] = (uint32_t)x;
    else
        ((uint64_t *)values)[i] = (uint64_t)x;
}

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

/* Whether element i is the best so far, for max, min and their indices. */
static bool is_better(enum operation op, bool more, bool less)
{
    return op == OP_MAX || op == OP_ARGMAX ? more : less;
}

/* Reduces integers one after another, in 128 bits that are truncated at the end. */
static uint64_t naive_integer(const struct input *in, struct vectors v)
{
    unsigned __int128 sum = 0, product = 1, squares = 0, products = 0;
    __int128 best = 0;
    uint64_t index = 0;
    for (uint64_t i = 0; i < input_vector(in); i++) {
        __int128 x = integer_at(in->type, v.x, i), y = integer_at(in->type, v.y, i);
        sum += (unsigned __int128)x;
        product *= (unsigned __int128)x;
        squares += (unsigned __int128)x * (unsigned __int128)x; /* signed ones could overflow */
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

/* Reduces floats in quadruple precision: 113 bits, so that even sums of 2^18 doubles are exact. */
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
                        continue; /* quadruple precision is slow */
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

/*
 * The accumulator of some elements. Floats are doubles that are rounded to the value type after
 * each step: for sums and products of floats that is the same as float arithmetic.
 */
struct kept {
    double value, other; /* a sum, extreme or mean; m2, or the sum of exponentials */
    __int128 integer;
    uint64_t count; /* elements, or the index */
};

static double rounded(const struct input *in, double x)
{
    return element_value_type(in->type) == TYPE_FLOAT32 ? (double)(float)x : x;
}

static void keep_float(const struct input *in, struct kept *k, double x, double y, uint64_t i,
                       bool first)
{
    double away, max;
    switch (in->op) {
    case OP_SUM:
        k->value = first ? x : rounded(in, k->value + x);
        break;
    case OP_PROD:
        k->value = first ? x : rounded(in, k->value * x);
        break;
    case OP_MEAN_VAR:
        k->count++;
        away = rounded(in, x - k->value);
        k->value = rounded(in, k->value + rounded(in, away / (double)k->count));
        k->other = rounded(in, k->other + rounded(in, away * rounded(in, x - k->value)));
        break;
    case OP_LOGSUMEXP:
        max = first || x > k->value ? x : k->value;
        k->other = first ? 1
                         : rounded(in, rounded(in, k->other * rounded(in, exp(k->value - max))) +
                                           rounded(in, exp(x - max)));
        k->value = max;
        break;
    case OP_SUMSQ:
    case OP_NORM2:
    case OP_DOT:
        y = rounded(in, x * (in->op == OP_DOT ? y : x));
        k->value = first ? y : rounded(in, k->value + y);
        break;
    default:
        if (first || is_better(in->op, x > k->value, x < k->value)) {
            k->value = x;
            k->count = i;
        }
    }
}

static void keep_integer(const struct input *in, struct kept *k, __int128 x, __int128 y, uint64_t i,
                         bool first)
{
    uint64_t product = (uint64_t)x * (uint64_t)(in->op == OP_DOT ? y : x);
    if (in->op == OP_SUM)
        k->integer += x;
    else if (in->op == OP_SUMSQ || in->op == OP_DOT)
        k->integer = (__int128)((uint64_t)k->integer + product);
    else if (in->op == OP_PROD)
        k->integer = first ? x : (__int128)((uint64_t)k->integer * (uint64_t)x);
    else if (first || is_better(in->op, x > k->integer, x < k->integer)) {
        k->integer = x;
        k->count = i;
    }
}

static void store_kept(const struct input *in, const struct kept *k, char *out)
{
    enum element_type value = element_value_type(in->type);
    size_t size = accumulator_size(in->op, in->type);
    if (element_is_float(value)) {
        real_store(value, out, 0, k->value);
        if (in->op == OP_MEAN_VAR || in->op == OP_LOGSUMEXP)
            real_store(value, out, 1, k->other);
    } else
        integer_store(value, out, 0, k->integer);
    if (in->op == OP_MEAN_VAR || operation_accumulator(in->op) == ACCUMULATES_INDEXED)
        memcpy(out + size - sizeof k->count, &k->count, sizeof k->count);
}

/* Writes the output of a kernel that reduces `n` values (of any input): one partial per COVERS. */
static uint64_t make_partials(const struct input *in, struct vectors v, uint64_t n, char *out)
{
    for (uint64_t first = 0; first < n; first += COVERS) {
        struct kept k = {0};
        for (uint64_t i = first; i < n && i < first + COVERS; i++)
            if (element_is_float(in->type))
                keep_float(in, &k, real_at(in->type, v.x, i), real_at(in->type, v.y, i), i,
                           i == first);
            else
                keep_integer(in, &k, integer_at(in->type, v.x, i), integer_at(in->type, v.y, i), i,
                             i == first);
        store_kept(in, &k, out);
        out += accumulator_size(in->op, in->type);
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

/* Reduces the first `n` of these values and checks the result against the whole input. */
static struct verdict judge_values(const struct input *in, struct vectors values, uint64_t n)
{
    char *out = calloc(n / COVERS + 1, accumulator_size(in->op, in->type));
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

/* Puts an element behind the vectors that changes the result of a kernel which reads past n. */
static void plant_beyond(const struct input *in, struct vectors v)
{
    static const double far[OP_COUNT] = {0.75, 3.0,  -3.0, 1.5,  3.0, -3.0,
                                         0.75, 0.75, 0.75, 0.75, 12};
    bool low = in->op == OP_MIN || in->op == OP_ARGMIN;
    const int bits = 8 * (int)element_size(in->type) - element_is_signed(in->type);
    __int128 most = ((__int128)1 << bits) - 1, least = element_is_signed(in->type) ? -most - 1 : 0;
    char *const both[] = {v.x, v.y};
    for (int i = 0; i < 2; i++)
        if (element_is_float(in->type))
            real_store(in->type, both[i], input_vector(in), far[in->op]);
        else
            integer_store(in->type, both[i], input_vector(in), low ? least : most);
}

/*
 * Returns a place from `at` on whose element matters: no tiny term of a sum (a bound cannot tell it from
 * rounding), no factor 1 (one in eight of a float product), no 0 in a sum of bytes.
 */
static uint64_t sizeable(const struct input *in, struct vectors v, uint64_t at)
{
    const uint64_t n = input_vector(in);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t place = (at + i) % n;
        double x, y;
        if (element_is_float(in->type)) {
            x = real_at(in->type, v.x, place);
            y = real_at(in->type, v.y, place);
        } else {
            x = (double)integer_at(in->type, v.x, place);
            y = (double)integer_at(in->type, v.y, place);
        }
        bool matters = in->op == OP_PROD             ? x != 1
                       : !element_is_float(in->type) ? x != 0 && (in->op != OP_DOT || y != 0)
                       : in->op == OP_MEAN_VAR       ? fabs(x - 0.5) >= 0.25
                       : in->op == OP_LOGSUMEXP      ? x >= 6
                       : in->op == OP_DOT            ? x >= 0.5 && y >= 0.5
                                                     : x >= 0.5;
        if (matters)
            return place;
    }
    return at;
}

/* Copies element `from` of both vectors to `to`. */
static void copy_element(const struct input *in, struct vectors v, uint64_t from, uint64_t to)
{
    size_t size = element_size(in->type);
    memcpy(v.x + to * size, v.x + from * size, size);
    memcpy(v.y + to * size, v.y + from * size, size);
}

/* max and min cannot notice every element: only the peak counts, and doubling changes nothing. */
static void assert_faults_are_noticed(const struct input *in)
{
    const uint64_t n = input_vector(in), peak = input_peak(in->seed, in->n);
    struct vectors values = make_vectors(in);
    bool indexed = operation_accumulator(in->op) == ACCUMULATES_INDEXED;
    bool idempotent = indexed || in->op == OP_MAX || in->op == OP_MIN;
    struct verdict v = judge_values(in, values, n);
    if (!v.right)
        fail_msg("%s %s n=%llu: %s", element_type_name(in->type), operation_name(in->op),
                 (unsigned long long)n, v.why);
    plant_beyond(in, values);
    must_be_wrong(judge_values(in, values, n + 1), in, "an element past", n);
    const uint64_t places[] = {0, n / 2, n - 1};
    for (int i = 0; i < 3 && n > 1; i++) {
        uint64_t at = idempotent ? peak : sizeable(in, values, places[i]);
        copy_element(in, values, at, n); /* a copy behind the end */
        if (indexed) {                   /* an earlier one with the same value */
            copy_element(in, values, at, 0);
            if (at > 0)
                must_be_wrong(judge_values(in, values, n), in, "earlier peak than", at);
            continue;
        }
        copy_element(in, values, n - 1, at); /* the last one fills the gap: one is missing */
        must_be_wrong(judge_values(in, values, n - 1), in, "missing element", at);
        copy_element(in, values, n, at);
        if (!idempotent)
            must_be_wrong(judge_values(in, values, n + 1), in, "doubled element", at);
    }
    free_vectors(values);
}

static void one_wrong_element_is_noticed(void **state)
{
    (void)state;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++)
            for (int i = 0; i < AWKWARD && awkward[i] <= 5000 && allowed(type, op); i++)
                for (uint64_t seed = 10; seed < 14; seed++) {
                    struct input in = input_of(type, op, awkward[i], seed);
                    assert_faults_are_noticed(&in);
                }
}

/* Judges reference + off, given as two partials, so that the sum need not fit the element's type. */
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
            /* depth 20: the worst case. depth 10000: the probable error, 8·sqrt(10000)·u = 800 u */
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
            /* a block without elements leaves the identity of max or min: -inf or inf */
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
    int32_t below[] = {INT32_MIN, -1}; /* wraps */
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
