/* Makes three kinds of fault for every type and operation: an element is missing, is used twice,
 * or comes from past the end. The reduce workload's check must detect each of them. */
#include "reduce_fixture.h"

enum { COVERS = 256 };

/* Stores an integer in an array of this type, wrapping it around if it is too large. */
static void integer_store(enum element_type type, void *values, uint64_t i, __int128 x)
{
    if (element_size(type) == 1)
        ((uint8_t *)values)[i] = (uint8_t)x;
    else if (element_size(type) == 4)
        ((uint32_t *)values)[i] = (uint32_t)x;
    else
        ((uint64_t *)values)[i] = (uint64_t)x;
}

/* The result so far. Floats are computed as doubles and rounded to the value type after each
 * step, which gives sums and products the same results as float arithmetic. */
struct kept {
    /*
     * `value` is the sum, product, extreme or mean. `other` is the sum of squared deviations (m2)
     * or of exponentials.
     */
    double value, other;
    __int128 integer;
    uint64_t count; /* number of elements, or index */
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

/* Writes what a kernel would output for the first `n` elements of these vectors: one partial
 * result per COVERS elements. Returns how many there are. */
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

/* Reduces the first `n` elements of these vectors, and returns the verdict on the result as if
 * it covered the whole input. */
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

/* Puts an element past the end of each vector that would change the result of a kernel that used
 * it. */
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

/* Returns the first place from `at` on with an element whose absence the check can detect. It
 * cannot detect that a small term of a float sum is missing (the effect is within the bound),
 * nor a factor 1 (one in eight factors of a float product is 1), nor a 0 in a sum of bytes. */
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

/* Copies the element at `from` to the place `to` in both vectors. */
static void copy_element(const struct input *in, struct vectors v, uint64_t from, uint64_t to)
{
    size_t size = element_size(in->type);
    memcpy(v.x + to * size, v.x + from * size, size);
    memcpy(v.y + to * size, v.y + from * size, size);
}

/* Asserts that the check detects each kind of fault. For max, min and their indices, only a fault
 * in the peak can be detected, because no other element affects the result. That an element is used
 * twice cannot be detected for these operations. */
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
        copy_element(in, values, at, n); /* copies an element past the end */
        if (indexed) {                   /* an earlier element gets the same value */
            copy_element(in, values, at, 0);
            if (at > 0)
                must_be_wrong(judge_values(in, values, n), in, "earlier peak than", at);
            continue;
        }
        /* The last element replaces this one, and the vectors get one element shorter, so one is
         * missing. */
        copy_element(in, values, n - 1, at);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wrong_element_is_noticed),
    };
    return cmocka_run_group_tests_name("faults of reductions", tests, NULL, NULL);
}
