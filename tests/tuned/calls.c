/*
 * Many calls of the tuned library, each with a random n and a random first element: is every result
 * right? Two threads, each with streams of its own, so that calls overlap.
 *
 *   calls [CALLS]     100000 calls in all by default; exit code 1 when a result is wrong
 *
 * Right results come from prefix sums and from extremes of pieces, made once. Floats hold small
 * whole numbers, so that every order of additions gives the same, exact sum.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "redsweep_tuned.h"

enum {
    ELEMENTS = 1 << 24,
    FLOAT32_MOST = 1 << 20, /* elements of at most 16 whose sum float32 holds exactly */
    PIECE = 64,
    BATCH = 1024, /* calls before results are looked at */
    STREAMS = 3,
    THREADS = 2,
    MOST_WRONG = 20
};

enum kind { I32, U32, I64, F32, F64, KINDS };
enum op { OP_sum, OP_max, OP_min };
enum { KIND_i32 = I32, KIND_u32 = U32, KIND_i64 = I64, KIND_f32 = F32, KIND_f64 = F64 };

struct data {
    void *device;
    int64_t *values;   /* as 64-bit numbers, whatever the type */
    uint64_t *sums;    /* of the first i values, wrapping */
    int64_t *extremes; /* greatest and least of each piece */
};
static struct data data[KINDS];

typedef cudaError_t reduction(const void *d_in, size_t n, void *d_out, cudaStream_t stream);

#define WRAP(op, suffix, type)                                                                     \
    static cudaError_t call_##op##_##suffix(const void *d_in, size_t n, void *d_out,               \
                                            cudaStream_t stream)                                   \
    {                                                                                              \
        return reduce_##op##_##suffix((const type *)d_in, n, (type *)d_out, stream);               \
    }
REDSWEEP_TUNED_FUNCTIONS(WRAP)

static const struct {
    const char *name;
    enum op op;
    enum kind kind;
    reduction *call;
} functions[] = {
#define ROW(op, suffix, type)                                                                      \
    {"reduce_" #op "_" #suffix, OP_##op, (enum kind)KIND_##suffix, call_##op##_##suffix},
    REDSWEEP_TUNED_FUNCTIONS(ROW)};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const size_t sizes[KINDS] = {4, 4, 8, 4, 8};

static void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(2);
}

/* xorshift64* (Vigna, 2016). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dull;
}

static void store(enum kind kind, void *out, size_t i, int64_t value)
{
    switch (kind) {
    case I32:
        ((int32_t *)out)[i] = (int32_t)value;
        break;
    case U32:
        ((uint32_t *)out)[i] = (uint32_t)value;
        break;
    case I64:
        ((int64_t *)out)[i] = value;
        break;
    case F32:
        ((float *)out)[i] = (float)value;
        break;
    default:
        ((double *)out)[i] = (double)value;
        break;
    }
}

static int64_t random_value(enum kind kind, uint64_t *state)
{
    uint64_t bits = next_random(state);
    if (kind == I32)
        return (int32_t)(bits >> 32);
    if (kind == U32)
        return (uint32_t)(bits >> 32);
    if (kind == I64)
        return (int64_t)bits;
    return (int64_t)(bits % 33) - 16;
}

static bool prepare(enum kind kind)
{
    struct data *d = &data[kind];
    uint64_t state = 88172645463325252ull + kind;
    void *host = malloc(ELEMENTS * sizes[kind]);
    d->values = malloc(ELEMENTS * sizeof *d->values);
    d->sums = malloc((ELEMENTS + 1) * sizeof *d->sums);
    d->extremes = malloc(2 * (ELEMENTS / PIECE) * sizeof *d->extremes);
    if (!host || !d->values || !d->sums || !d->extremes)
        return false;
    d->sums[0] = 0;
    for (size_t i = 0; i < ELEMENTS; i++) {
        int64_t value = d->values[i] = random_value(kind, &state);
        int64_t *extremes = &d->extremes[2 * (i / PIECE)];
        d->sums[i + 1] = d->sums[i] + (uint64_t)value;
        if (i % PIECE == 0 || value > extremes[0])
            extremes[0] = value;
        if (i % PIECE == 0 || value < extremes[1])
            extremes[1] = value;
        store(kind, host, i, value);
    }
    must(cudaMalloc(&d->device, ELEMENTS * sizes[kind]), "memory for the input");
    must(cudaMemcpy(d->device, host, ELEMENTS * sizes[kind], cudaMemcpyHostToDevice), "input");
    free(host);
    return true;
}

/* The greatest or least of [first, first + n): whole pieces by what is known of them. */
static int64_t extreme(const struct data *d, size_t first, size_t n, bool greatest)
{
    int64_t result = d->values[first];
    for (size_t i = first; i < first + n;) {
        bool whole = i % PIECE == 0 && first + n - i >= PIECE;
        int64_t value = whole ? d->extremes[2 * (i / PIECE) + !greatest] : d->values[i];
        if (greatest ? value > result : value < result)
            result = value;
        i += whole ? PIECE : 1;
    }
    return result;
}

struct call {
    int function;
    size_t first, n;
};

static struct call random_call(uint64_t *state)
{
    struct call c;
    c.function = (int)(next_random(state) % FUNCTIONS);
    size_t most = functions[c.function].kind == F32 ? FLOAT32_MOST : ELEMENTS;
    unsigned bits = (unsigned)(next_random(state) % 25);
    c.n = (size_t)1 << bits; /* a power of two and a bit, or anything of that length */
    if (next_random(state) % 4 == 0)
        c.n += next_random(state) % 9;
    else
        c.n += next_random(state) % c.n;
    if (c.n > most)
        c.n = most - next_random(state) % 64;
    size_t room = ELEMENTS - c.n;
    c.first = room ? next_random(state) % (next_random(state) % 2 && room > 64 ? 64 : room + 1) : 0;
    return c;
}

static bool check(const struct call *c, const void *found)
{
    enum kind kind = functions[c->function].kind;
    const struct data *d = &data[kind];
    int64_t right = functions[c->function].op == OP_sum
                        ? (int64_t)(d->sums[c->first + c->n] - d->sums[c->first])
                        : extreme(d, c->first, c->n, functions[c->function].op == OP_max);
    uint64_t bits = 0;
    store(kind, &bits, 0, right);
    if (memcmp(&bits, found, sizes[kind]) == 0)
        return true;
    fprintf(stderr, "WRONG: %s of %zu elements from element %zu on\n", functions[c->function].name,
            c->n, c->first);
    return false;
}

struct worker {
    pthread_t thread;
    uint64_t state;
    size_t calls, wrong;
};

/* Calls a batch into all streams, waits, and looks at the results. */
static void run_batch(struct worker *w, size_t count, cudaStream_t streams[STREAMS], char *device,
                      char *host)
{
    struct call calls[BATCH];
    memset(host, 0x5a, 8 * BATCH);
    must(cudaMemcpy(device, host, 8 * BATCH, cudaMemcpyHostToDevice), "clearing results");
    for (size_t i = 0; i < count; i++) {
        calls[i] = random_call(&w->state);
        enum kind kind = functions[calls[i].function].kind;
        const char *in = (const char *)data[kind].device + calls[i].first * sizes[kind];
        must(
            functions[calls[i].function].call(in, calls[i].n, device + 8 * i, streams[i % STREAMS]),
            functions[calls[i].function].name);
    }
    for (int s = 0; s < STREAMS; s++)
        must(cudaStreamSynchronize(streams[s]), "running");
    must(cudaMemcpy(host, device, 8 * BATCH, cudaMemcpyDeviceToHost), "results");
    for (size_t i = 0; i < count; i++)
        w->wrong += !check(&calls[i], host + 8 * i);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    cudaStream_t streams[STREAMS];
    void *device;
    char *host = malloc(8 * BATCH);
    if (!host)
        exit(2);
    must(cudaMalloc(&device, 8 * BATCH), "memory for results");
    for (int s = 0; s < STREAMS; s++)
        must(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking), "a stream");
    for (size_t done = 0; done < w->calls && w->wrong < MOST_WRONG;) {
        size_t count = w->calls - done < BATCH ? w->calls - done : BATCH;
        run_batch(w, count, streams, device, host);
        done += count;
    }
    for (int s = 0; s < STREAMS; s++)
        must(cudaStreamDestroy(streams[s]), "a stream");
    must(cudaFree(device), "results");
    free(host);
    return NULL;
}

/* What must be refused is refused. */
static size_t refusals(void)
{
    size_t wrong = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        char *in = data[functions[i].kind].device;
        wrong += functions[i].call(in, 0, in, NULL) != cudaErrorInvalidValue;
        wrong += functions[i].call(NULL, 1, in, NULL) != cudaErrorInvalidValue;
        wrong += functions[i].call(in + 1, 1, in, NULL) != cudaErrorInvalidValue;
        wrong += functions[i].call(in, ((size_t)1 << 40) + 1, in, NULL) != cudaErrorInvalidValue;
    }
    if (wrong)
        fprintf(stderr, "WRONG: %zu calls that must be refused were not\n", wrong);
    return wrong;
}

int main(int count, char **arguments)
{
    size_t calls = count > 1 ? strtoull(arguments[1], NULL, 10) : 100000;
    bool needed[KINDS] = {false};
    for (int i = 0; i < FUNCTIONS; i++)
        needed[functions[i].kind] = true;
    for (int k = 0; k < KINDS; k++)
        if (needed[k] && !prepare((enum kind)k)) {
            fprintf(stderr, "out of memory\n");
            return 2;
        }
    size_t wrong = refusals();
    struct worker workers[THREADS] = {0};
    for (int t = 0; t < THREADS; t++) {
        workers[t].state = 0x9e3779b97f4a7c15ull * (uint64_t)(t + 1);
        workers[t].calls = calls / THREADS + (t == 0 ? calls % THREADS : 0);
        if (pthread_create(&workers[t].thread, NULL, work, &workers[t]) != 0)
            return 2;
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(workers[t].thread, NULL);
        wrong += workers[t].wrong;
    }
    must(redsweep_tuned_release(), "giving memory back");
    printf("%zu calls of %d functions, %zu wrong\n", calls, (int)FUNCTIONS, wrong);
    return wrong != 0;
}
