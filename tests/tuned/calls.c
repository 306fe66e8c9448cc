/*
 * Checks the results of many random calls to each function of the tuned library.
 *
 *   calls [CALLS [ELEMENTS]]
 *
 * Calls each function CALLS times (default 100000) on arrays of up to ELEMENTS elements (default
 * 2^24). Lengths, first elements, shapes and streams are random. Every eighth batch of calls is
 * captured into two graphs, each with a fork, which are launched concurrently, twice each. The
 * correct results, and the error that the chosen configuration may have, are computed by the code
 * that also checks the kernels of sweeps (harness/workloads). For exact functions, the exponents of
 * the inputs span a range of 60, and no error is allowed. The bytes after each result and the input
 * must not change. Prints how many calls to each function were wrong. Exits with 1 if a check
 * fails, and with 2 if it cannot run.
 *
 * With INVENTED, test_calls.c includes this file and tests the program without a GPU. Launches
 * then store the reference result (invented_runtime.h), except that every n-th one stores a
 * wrong result, where n is a third argument. */
#include "tuned/functions.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "base/element.h"
#include "base/memory.h"
#include "workloads/workloads.h"

enum {
    BATCH = 512, /* calls before the results are checked */
    STREAMS = 2,
    MOST_THREADS = 16,
    MOST_ROWS = 1 << 12,
    SHORT = 1 << 12,  /* most elements of a short call */
    LONG_PER = 64,    /* one call in this many may be longer */
    GRAPH_PER = 8,    /* one batch in this many is captured */
    GUARD_BYTES = 16, /* bytes checked after each result */
    ROOM = 1 << 22,   /* bytes for the results of a batch */
    POISON = 0x5a,
    MOST_SHOWN = 5 /* wrong results described per function */
};

/* What all calls of one function share. */
struct family {
    const struct function *function;
    struct input input;
    size_t element, result; /* sizes in bytes */
    bool exact;             /* whether its results are the exact sum, rounded once */
    char *device;           /* the input on the device */
    uint64_t elements;      /* elements per vector */
};

struct call {
    uint64_t first, rows, row_length, inner; /* for an axis, `rows` is the outer length */
    size_t at;                               /* byte offset of the output */
};

static uint64_t results_of(const struct call *c)
{
    return c->rows * c->inner;
}

struct worker {
    pthread_t thread;
    const struct family *family;
    uint64_t random;
    uint64_t calls, wrong;
    cudaStream_t streams[STREAMS];
    cudaEvent_t forked, joined;
    char *device, *host; /* the results */
    uint64_t batches;
    struct call list[BATCH];
    size_t count;
    struct reference *references; /* the references of all of the batch's results, in order */
    size_t reference_count;
};

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

#ifdef INVENTED
#include "invented_runtime.h"
#endif
#include "must.h"

/* Returns the next random number of the generator xorshift64* (Vigna, 2016). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dull;
}

/* Returns a random length up to `most`, of random magnitude: a power of two, close to one, or
 * any number. */
static uint64_t random_length(uint64_t *state, uint64_t most)
{
    unsigned bits = 0;
    while (most >> (bits + 1))
        bits++;
    uint64_t length = (uint64_t)1 << next_random(state) % (bits + 1);
    switch (next_random(state) % 4) {
    case 0:
        length += next_random(state) % 9;
        break;
    case 1:
        length -= length > 16 ? next_random(state) % 9 : 0;
        break;
    case 2:
        length += next_random(state) % length;
        break;
    default:
        break; /* keeps the length a power of two */
    }
    return length > most ? most : length;
}

static uint64_t elements_of(const struct call *c)
{
    return results_of(c) * c->row_length;
}

/* Chooses how many rows of the call's length there are, or an axis with elements that are not
 * adjacent. The total is at most `most` elements. */
static void random_shape(uint64_t *state, uint64_t most, bool axis, struct call *c)
{
    uint64_t rows = most / c->row_length;
    c->rows = random_length(state, rows < MOST_ROWS ? rows : MOST_ROWS);
    if (axis && next_random(state) % 4) { /* otherwise rows */
        uint64_t results = c->rows;
        c->inner = random_length(state, results);
        c->rows = next_random(state) % 2 ? results / c->inner : 1;
    } else if (next_random(state) % 2) { /* a length of whole packs */
        c->row_length = (c->row_length + 15) / 16 * 16;
    }
    while (elements_of(c) > most && c->rows > 1)
        c->rows /= 2;
    if (elements_of(c) > most) {
        c->row_length = most;
        c->inner = 1;
    }
}

static struct call random_call(struct worker *w)
{
    const struct family *f = w->family;
    uint64_t *state = &w->random;
    uint64_t most = next_random(state) % LONG_PER ? SHORT : f->elements;
    most = most > f->elements ? f->elements : most;
    struct call c = {.rows = 1, .row_length = random_length(state, most), .inner = 1};
    if (f->function->over != ARRAY)
        random_shape(state, most, f->function->over == AXIS, &c);
    uint64_t room = f->elements - elements_of(&c);
    if (next_random(state) % 2) /* otherwise aligned */
        c.first = room ? next_random(state) % (room < 64 ? room + 1 : 64) : 0;
    else
        c.first = room / 64 ? next_random(state) % (room / 64) * 64 : 0;
    return c;
}

/* Returns the depth of the configuration that serves the call, which bounds its error. */
static double depth_of(const struct family *f, const struct call *c)
{
    int device, code;
    bool ptx;
    struct shape shape = {0};
    const char *input = f->device + c->first * f->element;
    const char *second = f->input.second ? input + f->input.second * f->element : NULL;
    const struct request r = {.input = input,
                              .second = second,
                              .element = f->element,
                              .outer = c->rows,
                              .length = c->row_length,
                              .inner = c->inner};
    pthread_mutex_lock(&mutex); /* other threads also read earlier choices */
    must_call(current_device(&device), "the device");
    const struct table *table =
        choose_table(f->function->tables, f->function->table_count, device, &ptx);
    const struct place at = place_of(&r, device);
    const bool aligned = ((uintptr_t)input | (uintptr_t)second) % PACK_BYTES == 0;
    const struct search search = {.table = table,
                                  .at = &at,
                                  .wide = elements_of(c) > NARROW_MOST,
                                  .ptx = ptx,
                                  .aligned = aligned,
                                  .packs = aligned && r.length * r.element % PACK_BYTES == 0};
    bool found = table && find_entry(&search, &shape, &code);
    pthread_mutex_unlock(&mutex);
    if (!found) {
        fprintf(stderr, "%s: nothing serves %llu x %llu x %llu\n", f->function->name,
                (unsigned long long)c->rows, (unsigned long long)c->row_length,
                (unsigned long long)c->inner);
        exit(2);
    }
    return shape.depth;
}

/* Computes the reference results of a call over an axis. Returns how many there are. */
static size_t axis_references(const struct input *in, const struct call *c, struct reference *out)
{
    size_t done = 0;
    for (uint64_t outer = 0; outer < c->rows; outer++)
        for (uint64_t i = 0, count; i < c->inner; i += count) {
            count = c->inner - i < REDUCE_COLUMNS ? c->inner - i : REDUCE_COLUMNS;
            reduce_reference_columns(in, c->first + outer * c->row_length * c->inner + i, count,
                                     c->row_length, c->inner, out + done);
            done += count;
        }
    return done;
}

static size_t row_references(const struct input *in, const struct call *c, struct reference *out)
{
    for (uint64_t row = 0; row < c->rows; row++) {
        uint64_t first = c->first + row * c->row_length;
        reduce_reference_range(in, first, first + c->row_length, 1, &out[row]);
        if (operation_accumulator(in->op) == ACCUMULATES_INDEXED)
            out[row].bits -= first;
    }
    return c->rows;
}

static void make_references(struct worker *w)
{
    const struct input *in = &w->family->input;
    size_t needed = 0, done = 0;
    for (size_t i = 0; i < w->count; i++)
        needed += results_of(&w->list[i]);
    w->references = xrealloc(w->references, needed * sizeof *w->references);
    for (size_t i = 0; i < w->count; i++)
        done += (w->list[i].inner > 1 ? axis_references : row_references)(in, &w->list[i],
                                                                          w->references + done);
    w->reference_count = done;
}

static void make_batch(struct worker *w, uint64_t most)
{
    size_t used = 0;
    for (w->count = 0; w->count < BATCH && w->count < most; w->count++) {
        struct call c = random_call(w);
        size_t bytes = results_of(&c) * w->family->result + GUARD_BYTES;
        if (used + bytes + 16 > ROOM)
            break;
        c.at = used;
        used += (bytes + 15) / 16 * 16;
        w->list[w->count] = c;
    }
    make_references(w);
}

static void call_one(struct worker *w, const struct call *c, cudaStream_t stream)
{
    const struct family *f = w->family;
    const char *input = f->device + c->first * f->element;
    const char *second = f->input.second ? input + f->input.second * f->element : NULL;
#ifdef INVENTED
    invented_expect(w, c);
#endif
    must_call(f->function->call(input, second, c->rows, c->row_length, c->inner, w->device + c->at,
                                stream),
              f->function->name);
}

static void poison(struct worker *w)
{
    must(cudaMemsetAsync(w->device, POISON, ROOM, w->streams[0]), "clearing results");
    must(cudaStreamSynchronize(w->streams[0]), "clearing results");
}

/* Returns whether result i is the value of its type nearest to the exact sum. The reference is
 * the exact sum rounded to double. If this double is halfway between two floats, either may be
 * the nearest one. */
static bool rounded_once(const struct input *in, const struct reference *reference,
                         const void *results, uint64_t i)
{
    const double sum = reference->value;
    const double x = reduce_float_at(element_value_type(in->type), results, i);
    const bool single = element_value_type(in->type) == TYPE_FLOAT32;
    return fabs(x - sum) <= (single ? fabs((double)(float)sum - sum) : 0);
}

static bool call_is_right(const struct worker *w, const struct call *c,
                          const struct reference *references)
{
    const struct family *f = w->family;
    const struct work work = {.input = &f->input,
                              .n = elements_of(c),
                              .row_length = f->function->over != ARRAY ? c->row_length : 0,
                              .grid = 1,
                              .block = 1,
                              .complete = true,
                              .depth = depth_of(f, c)};
    double error;
    for (uint64_t row = 0; row < results_of(c); row++)
        if (!reduce_value_right(&work, &references[row], w->host + c->at, row, &error) ||
            (f->exact && !rounded_once(&f->input, &references[row], w->host + c->at, row)))
            return false;
    for (size_t i = 0; i < GUARD_BYTES; i++)
        if (w->host[c->at + results_of(c) * f->result + i] != POISON)
            return false;
    return true;
}

static void judge(struct worker *w, const char *how)
{
    const struct reference *references = w->references;
    must(cudaMemcpyAsync(w->host, w->device, ROOM, cudaMemcpyDeviceToHost, w->streams[0]),
         "results");
    must(cudaStreamSynchronize(w->streams[0]), "results");
    for (size_t i = 0; i < w->count; i++) {
        const struct call *c = &w->list[i];
        bool right = call_is_right(w, c, references);
        references += results_of(c);
        if (right)
            continue;
        pthread_mutex_lock(&printing);
        if (w->wrong++ < MOST_SHOWN)
            fprintf(stderr, "WRONG: %s, %s: %llu x %llu x %llu elements from element %llu on\n",
                    w->family->function->name, how, (unsigned long long)c->rows,
                    (unsigned long long)c->row_length, (unsigned long long)c->inner,
                    (unsigned long long)c->first);
        pthread_mutex_unlock(&printing);
    }
}

static void run_streams(struct worker *w)
{
    poison(w);
    for (size_t i = 0; i < w->count; i++)
        call_one(w, &w->list[i], w->streams[next_random(&w->random) % STREAMS]);
    for (int s = 0; s < STREAMS; s++)
        must(cudaStreamSynchronize(w->streams[s]), "running");
    judge(w, "in a stream");
}

/* Captures every second call, starting with call `first`, into a graph with two branches of
 * calls. */
static cudaGraphExec_t capture(struct worker *w, size_t first)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStream_t main = w->streams[0], branch = w->streams[1];
    must(cudaStreamBeginCapture(main, cudaStreamCaptureModeThreadLocal), "capturing");
    must(cudaEventRecord(w->forked, main), "forking");
    must(cudaStreamWaitEvent(branch, w->forked, 0), "forking");
    for (size_t i = first; i < w->count; i += 2)
        call_one(w, &w->list[i], next_random(&w->random) % 2 ? main : branch);
    must(cudaEventRecord(w->joined, branch), "joining");
    must(cudaStreamWaitEvent(main, w->joined, 0), "joining");
    must(cudaStreamEndCapture(main, &graph), "capturing");
    must(cudaGraphInstantiate(&executable, graph, 0), "a graph");
    must(cudaGraphDestroy(graph), "a graph");
    return executable;
}

static void run_graphs(struct worker *w)
{
    cudaGraphExec_t graphs[2] = {capture(w, 0), capture(w, 1)};
    for (int replay = 0; replay < 2; replay++) {
        poison(w);
        /* The second launch does not wait for the first one. */
        for (int times = 0; times < 2; times++)
            for (int g = 0; g < 2; g++)
                must(cudaGraphLaunch(graphs[g], w->streams[g]), "launching a graph");
        for (int s = 0; s < STREAMS; s++)
            must(cudaStreamSynchronize(w->streams[s]), "running a graph");
        judge(w, "in a graph");
    }
    for (int g = 0; g < 2; g++)
        must(cudaGraphExecDestroy(graphs[g]), "a graph");
}

static void *work(void *argument)
{
    struct worker *w = argument;
    w->host = xmalloc(ROOM);
    must(cudaMalloc((void **)&w->device, ROOM), "memory for results");
    for (int s = 0; s < STREAMS; s++)
        must(cudaStreamCreateWithFlags(&w->streams[s], cudaStreamNonBlocking), "a stream");
    must(cudaEventCreateWithFlags(&w->forked, cudaEventDisableTiming), "an event");
    must(cudaEventCreateWithFlags(&w->joined, cudaEventDisableTiming), "an event");
    for (uint64_t done = 0; done < w->calls; done += w->count) {
        make_batch(w, w->calls - done);
        if (w->batches++ % GRAPH_PER == 0)
            run_graphs(w);
        else
            run_streams(w);
    }
    must(cudaEventDestroy(w->forked), "an event");
    must(cudaEventDestroy(w->joined), "an event");
    for (int s = 0; s < STREAMS; s++)
        must(cudaStreamDestroy(w->streams[s]), "a stream");
    must(cudaFree(w->device), "results");
    free(w->host);
    free(w->references);
    return NULL;
}

/* Checks that wrong calls are refused, and that a call without rows succeeds immediately.
 * Returns how many of these checks fail. */
static uint64_t refusals(const struct family *f, char *output)
{
    function_call *call = f->function->call;
    const char *in = f->device, *second = f->input.second ? in : NULL;
    const size_t odd = f->element > 1;
    uint64_t wrong = 0;
    wrong += call(NULL, second, 1, 1, 1, output, NULL) != CODE(ERROR_POINTER);
    wrong += call(in, second, 1, 1, 1, NULL, NULL) != CODE(ERROR_POINTER);
    wrong += second && call(in, NULL, 1, 1, 1, output, NULL) != CODE(ERROR_POINTER);
    wrong += odd && call(in + 1, second, 1, 1, 1, output, NULL) != CODE(ERROR_ALIGNMENT);
    wrong += call(in, second, 1, 1, 1, output + 1, NULL) != CODE(ERROR_ALIGNMENT);
    wrong += call(in, second, 1, ((size_t)1 << 40) + 1, 1, output, NULL) != CODE(ERROR_SIZE);
    const size_t huge = (size_t)1 << 33;
    if (f->function->over != ARRAY) {
        wrong += call(in, second, huge, huge, 1, output, NULL) != CODE(ERROR_SIZE);
        wrong += call(NULL, NULL, 0, 7, 1, NULL, NULL) != CODE(SUCCESS);
    }
    if (f->function->over == AXIS) {
        wrong += call(in, second, huge, 1, huge, output, NULL) != CODE(ERROR_SIZE);
        wrong += call(NULL, NULL, 7, 7, 0, NULL, NULL) != CODE(SUCCESS);
    }
    if (wrong)
        fprintf(stderr, "WRONG: %s: %llu calls that must be refused were not\n", f->function->name,
                (unsigned long long)wrong);
    return wrong;
}

/* Stores the result for an empty input, as the library's header defines it. */
static void empty_result(const struct family *f, void *out)
{
    const enum operation op = f->input.op;
    const enum element_type value = element_value_type(f->input.type);
    const bool is_float = element_is_float(value), is_signed = element_is_signed(value);
    const int bits = (int)element_size(f->input.type) * 8;
    double real = op == OP_PROD ? 1 : op == OP_MAX || op == OP_LOGSUMEXP ? -INFINITY : 0;
    real = op == OP_MIN ? INFINITY : op == OP_MEAN_VAR ? NAN : real;
    uint64_t least = is_signed ? ~(uint64_t)0 << (bits - 1) : 0, whole = op == OP_PROD;
    if (op == OP_MAX || op == OP_MIN)
        whole =
            op == OP_MAX ? least : ~least & (bits < 64 ? ((uint64_t)1 << bits) - 1 : ~UINT64_C(0));
    if (operation_accumulator(op) == ACCUMULATES_INDEXED)
        whole = ~UINT64_C(0);
    float single[2] = {(float)real, (float)real};
    double twice[2] = {real, real};
    if (is_float && operation_accumulator(op) != ACCUMULATES_INDEXED)
        memcpy(out, value == TYPE_FLOAT32 ? (void *)single : (void *)twice, f->result);
    else
        memcpy(out, &whole, f->result);
}

/* Returns whether two results are the same. Any two NaNs are. */
static bool same_result(const struct family *f, const void *a, const void *b)
{
    const bool single = element_value_type(f->input.type) == TYPE_FLOAT32;
    if (memcmp(a, b, f->result) == 0)
        return true;
    if (f->input.op != OP_MEAN_VAR)
        return false;
    return single ? isnan(((const float *)a)[0]) && isnan(((const float *)a)[1])
                  : isnan(((const double *)a)[0]) && isnan(((const double *)a)[1]);
}

static uint64_t empties(const struct family *f, char *output)
{
    enum { SOME = 300, APART = 3 };
    const uint64_t inner = f->function->over == AXIS ? APART : 1;
    const uint64_t rows = f->function->over == ARRAY ? 1 : SOME;
    char right[16], *found = xmalloc(rows * f->result + GUARD_BYTES);
    uint64_t wrong = 0;
    empty_result(f, right);
    must(cudaMemset(output, POISON, rows * f->result + GUARD_BYTES), "clearing results");
#ifdef INVENTED
    invented_expect_fill(output, right, f->result, rows);
#endif
    must_call(f->function->call(f->device, f->input.second ? f->device : NULL, rows / inner, 0,
                                inner, output, NULL),
              f->function->name);
    must(cudaDeviceSynchronize(), "running");
    must(cudaMemcpy(found, output, rows * f->result + GUARD_BYTES, cudaMemcpyDeviceToHost),
         "results");
    for (uint64_t i = 0; i < rows; i++)
        wrong += !same_result(f, found + i * f->result, right);
    for (size_t i = 0; i < GUARD_BYTES; i++)
        wrong += found[rows * f->result + i] != POISON;
    if (wrong)
        fprintf(stderr, "WRONG: %s: no elements\n", f->function->name);
    free(found);
    return wrong;
}

/* Copies the input to the device. If `back`, checks that the device's copy is unchanged. */
static uint64_t input_there(struct family *f, bool back)
{
    enum { PART = 1 << 20 };
    char *right = xmalloc((size_t)PART * f->element), *found = xmalloc((size_t)PART * f->element);
    uint64_t wrong = 0;
    for (uint64_t first = 0; first < f->input.n; first += PART) {
        uint64_t count = f->input.n - first < PART ? f->input.n - first : PART;
        char *at = f->device + first * f->element;
        input_generate(&f->input, first, count, right);
        if (!back)
            must(cudaMemcpy(at, right, count * f->element, cudaMemcpyHostToDevice), "input");
        else
            must(cudaMemcpy(found, at, count * f->element, cudaMemcpyDeviceToHost), "input");
        wrong += back && memcmp(found, right, count * f->element) != 0;
    }
    if (wrong)
        fprintf(stderr, "WRONG: %s changed its input\n", f->function->name);
    free(right);
    free(found);
    return wrong;
}

static uint64_t run_workers(const struct family *f, uint64_t calls)
{
    static struct worker workers[MOST_THREADS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = cores < 2 ? 2 : cores < MOST_THREADS ? (int)cores : MOST_THREADS;
    uint64_t wrong = 0;
    for (int t = 0; t < threads; t++) {
        workers[t] = (struct worker){
            .family = f,
            .random = 0x9e3779b97f4a7c15ull * ((uint64_t)(f->function - functions) * 64 + t + 1),
            .calls = calls / (uint64_t)threads + (t == 0 ? calls % (uint64_t)threads : 0)};
        if (pthread_create(&workers[t].thread, NULL, work, &workers[t]) != 0)
            exit(2);
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(workers[t].thread, NULL);
        wrong += workers[t].wrong;
    }
    return wrong;
}

static uint64_t run_function(const struct function *function, uint64_t calls, uint64_t elements)
{
    struct family f = {.function = function, .elements = elements};
    enum element_type type;
    enum operation op;
    char *output;
    if (!element_type_find(function->type, &type) || !operation_find(function->op, &op))
        exit(2);
    f.input = workload_input(workload_find("reduce"), type, op, elements);
    f.input.seed = 20261122;
    f.exact = function->tables[0].exact;
    if (f.exact)
        f.input.kind = INPUT_KIND_SPAN60;
    f.element = element_size(type);
    f.result = result_size(op, type);
    must(cudaMalloc((void **)&f.device, f.input.n * f.element), "memory for the input");
    must(cudaMalloc((void **)&output, ROOM), "memory for results");
    (void)input_there(&f, false);
    uint64_t wrong =
        refusals(&f, output) + empties(&f, output) + run_workers(&f, calls) + input_there(&f, true);
    must(cudaFree(f.device), "input");
    must(cudaFree(output), "results");
    printf("%s: %llu of %llu wrong\n", function->name, (unsigned long long)wrong,
           (unsigned long long)calls);
    fflush(stdout);
    return wrong;
}

/* Releases memory. CUDA frees a graph's memory shortly after the graph is destroyed. */
static void release(void)
{
    int status = CODE(ERROR_BUSY);
    for (int tries = 0; tries < 1000 && status == CODE(ERROR_BUSY); tries++) {
        status = NAME(release)();
        if (status == CODE(ERROR_BUSY))
            usleep(10000);
    }
    must_call(status, "giving memory back");
}

static int run_calls(int count, char **arguments)
{
    uint64_t calls = count > 1 ? strtoull(arguments[1], NULL, 10) : 100000;
    uint64_t elements = count > 2 ? strtoull(arguments[2], NULL, 10) : 1 << 24;
    uint64_t wrong = 0;
#ifdef INVENTED
    invented_plant = count > 3 ? strtoull(arguments[3], NULL, 10) : 0;
#endif
    if (calls == 0 || elements < SHORT) {
        fprintf(stderr, "usage: calls [CALLS [ELEMENTS, at least %d]]\n", SHORT);
        return 2;
    }
    for (int i = 0; i < FUNCTIONS; i++)
        wrong += run_function(&functions[i], calls, elements);
    release();
    printf("%d functions, %llu calls each, %llu wrong\n", (int)FUNCTIONS, (unsigned long long)calls,
           (unsigned long long)wrong);
    return wrong != 0;
}

#ifndef INVENTED
int main(int count, char **arguments)
{
    return run_calls(count, arguments);
}
#endif
