/*
 * Checks whether the result of a row has the same bits in every batch. Calls a library from
 * `redsweep tuned --invariant` on random sub-batches of rows that begin at random elements.
 *
 *   batches [BATCHES [ELEMENTS]]
 *
 * It checks each row-wise function whose result depends on the order of its operations, with
 * BATCHES sub-batches (100000 by default) of arrays of ELEMENTS elements (2^22 by default). It
 * reduces a batch of random shape, and then sub-batches of it, each moved to a random element. If
 * the library has the function for whole arrays, it also reduces each sub-batch's first row as an
 * array. For each function, it prints how many rows had different bits than in the batch, and a
 * hash of all bits, which is the same on every GPU. The exit code is 1 if a row had different bits,
 * and 2 if the program cannot run.
 *
 * With INVENTED_BATCHES, test_batches.c includes this file and needs no GPU.
 */
#include "tuned/redsweep_tuned.c"

#include <stdio.h>

#include "base/bits.h"
#include "base/element.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/random.h"
#include "workloads/workloads.h"

enum {
    PARTS = 64, /* sub-batches per batch */
    MOST_ROWS = 4096,
    SHIFTS = 64, /* how far a sub-batch is moved at most, in elements */
    SHORT = 1 << 14,
    LONG_PER = 32, /* One batch in this many has any size; the others are short. */
    MOST_SHOWN = 5
};

typedef int rows_call(const void *input, const void *second, size_t rows, size_t row_length,
                      void *output, cudaStream_t stream);

#ifdef INVENTED_BATCHES
static void invented_rows(const void *input, size_t rows, size_t row_length, void *output);
#define EXPECT(rows, row_length) invented_rows(input, rows, row_length, output)
#else
#define EXPECT(rows, row_length) (void)0
#endif

#define WRAP_ARRAY(name, function, type, op, in, out)                                              \
    static int call_##name(const void *input, const void *second, size_t rows, size_t n,           \
                           void *output, cudaStream_t stream)                                      \
    {                                                                                              \
        (void)second, (void)rows;                                                                  \
        EXPECT(1, n);                                                                              \
        return function((const in *)input, n, (out *)output, stream);                              \
    }
#define WRAP_PAIR(name, function, type, op, in, out)                                               \
    static int call_##name(const void *input, const void *second, size_t rows, size_t n,           \
                           void *output, cudaStream_t stream)                                      \
    {                                                                                              \
        (void)rows;                                                                                \
        EXPECT(1, n);                                                                              \
        return function((const in *)input, (const in *)second, n, (out *)output, stream);          \
    }
#define WRAP_ROWS(name, function, type, op, in, out)                                               \
    static int call_##name(const void *input, const void *second, size_t rows, size_t length,      \
                           void *output, cudaStream_t stream)                                      \
    {                                                                                              \
        (void)second;                                                                              \
        EXPECT(rows, length);                                                                      \
        return function((const in *)input, rows, length, (out *)output, stream);                   \
    }
#define WRAP_ROW_PAIRS(name, function, type, op, in, out)                                          \
    static int call_##name(const void *input, const void *second, size_t rows, size_t length,      \
                           void *output, cudaStream_t stream)                                      \
    {                                                                                              \
        EXPECT(rows, length);                                                                      \
        return function((const in *)input, (const in *)second, rows, length, (out *)output,        \
                        stream);                                                                   \
    }
/* clang-format off */
FOR_ARRAYS(WRAP_ARRAY)
FOR_PAIRS(WRAP_PAIR)
FOR_ROWS(WRAP_ROWS)
FOR_ROW_PAIRS(WRAP_ROW_PAIRS)
/* clang-format on */

struct function {
    const char *name, *type, *op;
    bool rows;
    rows_call *call;
};
#define ARRAY_ROW(name, function, type, op, in, out) {#function, #type, #op, false, call_##name},
#define ROWS_ROW(name, function, type, op, in, out) {#function, #type, #op, true, call_##name},
/* clang-format off */
static const struct function functions[] = {
    FOR_ARRAYS(ARRAY_ROW)
    FOR_PAIRS(ARRAY_ROW)
    FOR_ROWS(ROWS_ROW)
    FOR_ROW_PAIRS(ROWS_ROW)
};
/* clang-format on */
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* What it takes to check one function. */
struct checking {
    /* The function for a whole array, or NULL. */
    const struct function *function, *array;
    struct input input;
    size_t element, result; /* sizes in bytes */
    char *device, *moved;   /* the input, and room for sub-batches */
    char *results, *host;   /* results of a batch, its sub-batches, and arrays */
    uint64_t elements, random, rows, other, hash;
};

struct batch {
    uint64_t first, rows, length;
};

struct part {
    uint64_t first, rows; /* the batch's rows */
    /* Where the sub-batch's results go, and the first row's result as an array, in bytes.
     * `as_array` is 0 if no row is reduced as an array. */
    size_t at, as_array;
};

#ifdef INVENTED_BATCHES
#include "invented_runtime.h"
#endif
#include "must.h"

static uint64_t below(struct checking *c, uint64_t most)
{
    return random_next(&c->random) % most;
}

/* Returns a random number up to `most`, of random magnitude. */
static uint64_t magnitude(struct checking *c, uint64_t most)
{
    unsigned bits = 0;
    while (bits < 63 && most >> (bits + 1))
        bits++;
    uint64_t value = ((uint64_t)1 << below(c, bits + 1)) + below(c, 9);
    value += below(c, 2) ? below(c, value) : 0;
    return value > most ? most : value;
}

static struct batch random_batch(struct checking *c)
{
    const uint64_t most = below(c, LONG_PER) ? SHORT : c->elements - SHIFTS;
    struct batch b = {.length = magnitude(c, most)};
    b.rows = magnitude(c, most / b.length < MOST_ROWS ? most / b.length : MOST_ROWS);
    b.first = below(c, c->elements - b.rows * b.length + 1);
    return b;
}

/* Moves a sub-batch and calls the function. A second vector moves by a different number of
 * elements. */
static void call_part(struct checking *c, const struct batch *b, struct part *p, size_t *used)
{
    const size_t bytes = p->rows * b->length * c->element,
                 from = (b->first + p->first * b->length) * c->element;
    char *to[2] = {c->moved, c->moved + (c->elements + SHIFTS) * c->element};
    for (int v = 0; v < operation_inputs(c->input.op); v++) {
        to[v] += below(c, SHIFTS) * c->element;
        must(cudaMemcpyAsync(to[v], c->device + from + (v ? c->input.second * c->element : 0),
                             bytes, cudaMemcpyDeviceToDevice, NULL),
             "moving rows");
    }
    p->at = *used;
    *used += p->rows * c->result;
    must_call(c->function->call(to[0], to[1], p->rows, b->length, c->results + p->at, NULL),
              c->function->name);
    if (!c->array)
        return;
    p->as_array = *used;
    *used += c->result;
    must_call(c->array->call(to[0], to[1], 1, b->length, c->results + p->as_array, NULL),
              c->array->name);
}

static void compare_row(struct checking *c, const struct batch *b, uint64_t row, const char *bits,
                        const char *how)
{
    c->rows++;
    if (memcmp(bits, c->host + row * c->result, c->result) == 0)
        return;
    if (c->other++ < MOST_SHOWN)
        fprintf(stderr, "OTHER BITS: %s, %s: row %llu of %llu rows of %llu\n", c->function->name,
                how, (unsigned long long)row, (unsigned long long)b->rows,
                (unsigned long long)b->length);
}

/* Runs a batch and `count` of its sub-batches. */
static void check_batch(struct checking *c, uint64_t count)
{
    const struct batch b = random_batch(c);
    struct part parts[PARTS] = {0};
    size_t used = b.rows * c->result;
    const char *input = c->device + b.first * c->element;
    must_call(c->function->call(input, input + c->input.second * c->element, b.rows, b.length,
                                c->results, NULL),
              c->function->name);
    for (uint64_t i = 0; i < count; i++) {
        parts[i].first = below(c, b.rows);
        parts[i].rows = 1 + below(c, b.rows - parts[i].first);
        call_part(c, &b, &parts[i], &used);
    }
    must(cudaMemcpy(c->host, c->results, used, cudaMemcpyDeviceToHost), "results");
    c->hash = 31 * c->hash + result_bits(c->host, b.rows * c->result);
    for (uint64_t i = 0; i < count; i++) {
        for (uint64_t row = 0; row < parts[i].rows; row++)
            compare_row(c, &b, parts[i].first + row, c->host + parts[i].at + row * c->result,
                        "in a sub-batch");
        if (c->array)
            compare_row(c, &b, parts[i].first, c->host + parts[i].as_array, "as a whole array");
    }
}

static void upload(struct checking *c)
{
    char *values = xmalloc(c->input.n * c->element);
    input_generate(&c->input, 0, c->input.n, values);
    must(cudaMemcpy(c->device, values, c->input.n * c->element, cudaMemcpyHostToDevice), "input");
    free(values);
}

static uint64_t check_function(const struct function *f, const struct function *array,
                               enum element_type type, enum operation op, uint64_t batches,
                               uint64_t elements)
{
    struct checking c = {.function = f,
                         .array = array,
                         .element = element_size(type),
                         .result = result_size(op, type),
                         .elements = elements,
                         .random = 0x9e3779b97f4a7c15u};
    const size_t room = (size_t)MOST_ROWS * (PARTS + 1) * (c.result + 1);
    c.input = workload_input(workload_find("reduce"), type, op, elements);
    c.input.seed = 20261124;
    c.input.kind = op == OP_SUM ? INPUT_KIND_NORMAL : c.input.kind;
    must(cudaMalloc((void **)&c.device, c.input.n * c.element), "memory for the input");
    must(cudaMalloc((void **)&c.moved, 2 * (elements + SHIFTS) * c.element), "memory");
    must(cudaMalloc((void **)&c.results, room), "memory for results");
    c.host = xmalloc(room);
    upload(&c);
    for (uint64_t done = 0; done < batches; done += PARTS)
        check_batch(&c, batches - done < PARTS ? batches - done : PARTS);
    must(cudaFree(c.device), "input");
    must(cudaFree(c.moved), "memory");
    must(cudaFree(c.results), "results");
    free(c.host);
    printf("%s: %llu sub-batches, %llu rows%s, %llu with other bits, results %016llx\n", f->name,
           (unsigned long long)batches, (unsigned long long)c.rows,
           array ? " and whole arrays" : "", (unsigned long long)c.other,
           (unsigned long long)c.hash);
    fflush(stdout);
    return c.other;
}

static int run_batches(int count, char **arguments)
{
    uint64_t batches = count > 1 ? strtoull(arguments[1], NULL, 10) : 100000;
    uint64_t elements = count > 2 ? strtoull(arguments[2], NULL, 10) : 1 << 22;
    uint64_t other = 0, checked = 0;
    if (batches == 0 || elements < 2 * SHORT) {
        fprintf(stderr, "usage: batches [BATCHES [ELEMENTS, at least %d]]\n", 2 * SHORT);
        return 2;
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        const struct function *array = NULL;
        enum element_type type;
        enum operation op;
        if (!functions[i].rows || !element_type_find(functions[i].type, &type) ||
            !operation_find(functions[i].op, &op) || !element_is_float(type) ||
            operation_accumulator(op) == ACCUMULATES_INDEXED)
            continue;
        for (int k = 0; k < FUNCTIONS; k++)
            if (!functions[k].rows && strcmp(functions[k].type, functions[i].type) == 0 &&
                strcmp(functions[k].op, functions[i].op) == 0)
                array = &functions[k];
        other += check_function(&functions[i], array, type, op, batches, elements);
        checked++;
    }
    must_call(NAME(release)(), "giving memory back");
    printf("%llu functions, %llu sub-batches each, %llu rows with other bits\n",
           (unsigned long long)checked, (unsigned long long)batches, (unsigned long long)other);
    return other ? 1 : checked ? 0 : 2;
}

#ifndef INVENTED_BATCHES
int main(int count, char **arguments)
{
    return run_batches(count, arguments);
}
#endif
