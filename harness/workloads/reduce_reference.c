/*
 * The right result of a reduction, computed on the CPU from the input's formula.
 *
 *   integers     exact, wrapping at the type's width
 *   max, min     exact
 *   float sum    compensated (Neumaier 1974: the rounding error of each addition is kept and added
 *                at the end) in double, over pieces of 2^16 elements: within 2^-52 · Σ|x|
 *   float prod   exact: the factors are powers of two; in long double, whose exponent no share's
 *                product leaves
 *
 * Nothing is stored: every thread makes the elements of its share as it goes. The value does not
 * depend on the number of threads.
 */
#include "workloads/workloads.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/phase.h"
#include "support/input.h"

enum {
    PIECE =
        1 << 16, /* elements between two merges of a compensated sum, and two counts of the phase */
    MIN_SHARE = 1 << 16 /* elements that are worth a thread */
};

/* What one thread found out about its elements [first, last). */
struct share {
    const struct input *input;
    uint64_t first, last;
    uint64_t bits;       /* integers: see struct reference */
    double sum, lost;    /* float sums: the value is sum + lost */
    double magnitude;    /* float sums */
    double extreme;      /* float max and min */
    long double product; /* float products */
};

static uint64_t extend(enum element_type type, uint64_t bits)
{
    if (type == TYPE_INT32)
        return (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
    return type == TYPE_UINT32 ? (uint32_t)bits : bits;
}

uint64_t reduce_combine(enum element_type type, enum operation op, uint64_t a, uint64_t b)
{
    switch (op) {
    case OP_SUM:
        return extend(type, a + b);
    case OP_PROD:
        return extend(type, a * b);
    case OP_MAX: /* extended values compare as signed ones: a uint32 is never negative */
        return (int64_t)a > (int64_t)b ? a : b;
    case OP_MIN:
        return (int64_t)a < (int64_t)b ? a : b;
    case OP_COUNT:
        break;
    }
    return 0;
}

/* The cases of a switch over the operation that leave the extreme of [first, last) in `extreme`. */
#define EXTREME_CASES(type, generate)                                                              \
    case OP_MAX:                                                                                   \
        for (uint64_t i = first; i < last; i++) {                                                  \
            type x = generate(seed, i, INPUT_MAX, peak);                                           \
            extreme = x > extreme ? x : extreme;                                                   \
        }                                                                                          \
        break;                                                                                     \
    default:                                                                                       \
        for (uint64_t i = first; i < last; i++) {                                                  \
            type x = generate(seed, i, INPUT_MIN, peak);                                           \
            extreme = x < extreme ? x : extreme;                                                   \
        }                                                                                          \
        break;

/*
 * One loop for each operation, so that the compiler sees constants: `generate` is inlined and its
 * tests of the operation disappear.
 */
#define INTEGER_SHARE(name, type, wrapping, generate)                                              \
    static uint64_t name(const struct input *in, uint64_t first, uint64_t last)                    \
    {                                                                                              \
        const uint64_t seed = in->seed, peak = input_peak(seed, in->n);                            \
        wrapping total = in->op == OP_PROD ? 1 : 0;                                                \
        type extreme = generate(seed, first, (int)in->op, peak);                                   \
        switch (in->op) {                                                                          \
        case OP_SUM:                                                                               \
            for (uint64_t i = first; i < last; i++)                                                \
                total += (wrapping)generate(seed, i, INPUT_SUM, peak);                             \
            return (uint64_t)(type)total;                                                          \
        case OP_PROD:                                                                              \
            for (uint64_t i = first; i < last; i++)                                                \
                total *= (wrapping)generate(seed, i, INPUT_PROD, peak);                            \
            return (uint64_t)(type)total;                                                          \
            EXTREME_CASES(type, generate)                                                          \
        }                                                                                          \
        return (uint64_t)extreme;                                                                  \
    }

INTEGER_SHARE(int32_share, int32_t, uint32_t, input_int32)
INTEGER_SHARE(uint32_share, uint32_t, uint32_t, input_uint32)
INTEGER_SHARE(int64_share, int64_t, uint64_t, input_int64)

/* Adds a compensated sum to the share's. */
static void add_sum(struct share *s, double sum, double lost, double magnitude)
{
    double error;
    s->sum = two_sum(s->sum, sum, &error);
    s->lost += error + lost;
    s->magnitude += magnitude;
}

#define FLOAT_SHARE(name, type, generate)                                                          \
    static void name##_sum(struct share *s, uint64_t first, uint64_t last)                         \
    {                                                                                              \
        const uint64_t seed = s->input->seed;                                                      \
        double sum = 0, lost = 0, magnitude = 0;                                                   \
        for (uint64_t i = first; i < last; i++) {                                                  \
            double error, x = generate(seed, i, INPUT_SUM, 0);                                     \
            sum = two_sum(sum, x, &error);                                                         \
            lost += error;                                                                         \
            magnitude += fabs(x);                                                                  \
        }                                                                                          \
        add_sum(s, sum, lost, magnitude);                                                          \
    }                                                                                              \
    static void name##_piece(struct share *s, uint64_t first, uint64_t last)                       \
    {                                                                                              \
        const uint64_t seed = s->input->seed, peak = input_peak(seed, s->input->n);                \
        type extreme = (type)s->extreme;                                                           \
        switch (s->input->op) {                                                                    \
        case OP_SUM:                                                                               \
            name##_sum(s, first, last);                                                            \
            break;                                                                                 \
        case OP_PROD:                                                                              \
            for (uint64_t i = first; i < last; i++)                                                \
                s->product *= generate(seed, i, INPUT_PROD, peak);                                 \
            break;                                                                                 \
            EXTREME_CASES(type, generate)                                                          \
        }                                                                                          \
        s->extreme = extreme;                                                                      \
    }                                                                                              \
    static void name(struct share *s)                                                              \
    {                                                                                              \
        s->extreme = generate(s->input->seed, s->first, (int)s->input->op,                         \
                              input_peak(s->input->seed, s->input->n));                            \
        s->product = 1;                                                                            \
        for (uint64_t i = s->first, end; i < s->last; i = end) {                                   \
            end = s->last - i < PIECE ? s->last : i + PIECE;                                       \
            name##_piece(s, i, end);                                                               \
            if (end - i == PIECE) /* of short rows their reference counts many at once */          \
                phase_add(PIECE);                                                                  \
        }                                                                                          \
    }

FLOAT_SHARE(float32_share, float, input_float32)
FLOAT_SHARE(float64_share, double, input_float64)

static uint64_t integer_share(const struct input *in, uint64_t first, uint64_t last)
{
    return in->type == TYPE_INT32    ? int32_share(in, first, last)
           : in->type == TYPE_UINT32 ? uint32_share(in, first, last)
                                     : int64_share(in, first, last);
}

static void run_integer_share(struct share *s)
{
    for (uint64_t first = s->first, last; first < s->last; first = last) {
        last = s->last - first < PIECE ? s->last : first + PIECE;
        uint64_t bits = integer_share(s->input, first, last);
        s->bits =
            first == s->first ? bits : reduce_combine(s->input->type, s->input->op, s->bits, bits);
        if (last - first == PIECE)
            phase_add(PIECE);
    }
}

static void *run_share(void *argument)
{
    struct share *s = argument;
    switch (s->input->type) {
    case TYPE_INT32:
    case TYPE_UINT32:
    case TYPE_INT64:
        run_integer_share(s);
        break;
    case TYPE_FLOAT32:
        float32_share(s);
        break;
    case TYPE_FLOAT64:
        float64_share(s);
        break;
    case TYPE_COUNT:
        break;
    }
    return NULL;
}

/* Joins b, which follows a, to a. */
static void merge_shares(struct share *a, const struct share *b)
{
    enum operation op = a->input->op;
    if (!element_is_float(a->input->type)) {
        a->bits = reduce_combine(a->input->type, op, a->bits, b->bits);
        return;
    }
    if (op == OP_SUM)
        add_sum(a, b->sum, b->lost, b->magnitude);
    else if (op == OP_PROD)
        a->product *= b->product;
    else if (op == OP_MAX ? b->extreme > a->extreme : b->extreme < a->extreme)
        a->extreme = b->extreme;
}

static void finish(const struct share *s, struct reference *out)
{
    const struct input *in = s->input;
    *out = (struct reference){0};
    if (!element_is_float(in->type)) {
        out->bits = s->bits;
        out->value = (double)(int64_t)s->bits;
    } else if (in->op == OP_SUM)
        out->value = s->sum + s->lost;
    else if (in->op == OP_PROD)
        out->value = (double)s->product;
    else
        out->value = s->extreme;
    out->magnitude = fmax(fabs(out->value), in->op == OP_SUM ? s->magnitude : 0);
}

/*
 * Runs the shares, the last one on the calling thread. A thread that cannot be started is not an
 * error: its share is done here.
 */
static void run_shares(struct share *shares, pthread_t *threads, int count)
{
    int started = 0;
    while (started < count - 1 &&
           pthread_create(&threads[started], NULL, run_share, &shares[started]) == 0)
        started++;
    for (int i = started; i < count; i++)
        run_share(&shares[i]);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

void reduce_reference_range(const struct input *input, uint64_t start, uint64_t end, int threads,
                            struct reference *out)
{
    uint64_t most = (end - start - 1) / MIN_SHARE + 1;
    int count = threads < 1 ? 1 : (uint64_t)threads < most ? threads : (int)most;
    struct share *shares = xcalloc((size_t)count, sizeof *shares);
    pthread_t *handles = xcalloc((size_t)count, sizeof *handles);
    /* shares are whole pieces, so that a sum's pieces do not depend on the threads */
    uint64_t per_thread = (most + (uint64_t)count - 1) / (uint64_t)count * PIECE;
    int used = 0;
    for (uint64_t first = start; first < end; first += per_thread, used++) {
        uint64_t rest = end - first;
        shares[used] = (struct share){.input = input,
                                      .first = first,
                                      .last = first + (rest < per_thread ? rest : per_thread)};
    }
    run_shares(shares, handles, used);
    for (int i = 1; i < used; i++)
        merge_shares(&shares[0], &shares[i]);
    finish(&shares[0], out);
    free(shares);
    free(handles);
}

bool reduce_reference(const struct input *input, int threads, struct reference *out,
                      struct error *e)
{
    if (input->n == 0)
        return FAIL(e, ERROR_INTERNAL, "a reduction of no elements has no result");
    reduce_reference_range(input, 0, input->n, threads, out);
    return true;
}

void reduce_reference_of(const struct input *input, const struct element_range *ranges,
                         uint64_t count, struct reference *out)
{
    struct share all = {.input = input, .first = ranges[0].first, .last = ranges[0].end};
    run_share(&all);
    for (uint64_t i = 1; i < count; i++) {
        struct share next = {.input = input, .first = ranges[i].first, .last = ranges[i].end};
        run_share(&next);
        merge_shares(&all, &next);
    }
    finish(&all, out);
}
