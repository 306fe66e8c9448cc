/*
 * Compares the tuned library with CUB. Their calls alternate. Prints the median times for each
 * shape, with cold and with warm caches.
 *
 *   bench [SAMPLES [FUNCTION]]     prints CSV: function, n, row_length, cache, tuned_us, cub_us,
 *                                  ratio
 *
 * `ratio` is CUB's time divided by the tuned library's. CUB is called through
 * build/libredsweep_cub.so and libredsweep_cub_rows.so (make cub), which are looked up relative to
 * this program's folder. If CUB lacks the function or a library is missing, its columns are empty.
 *
 * For a cold cache, the program writes as much memory as the L2 holds, and then reads four times as
 * much. After that, the L2 holds no line of the input and no dirty line. A separate kernel reads,
 * because the library's loads use evict-first, which would leave the dirty lines in the L2
 * (results/reference/h200-fastest/README.md says how much time that costs). Each pair calls CUB and
 * the library once, in random order, and each call has its own flush. The CPU queues work well
 * ahead of the GPU. Each call is also made once before its flush, which makes its code resident, as
 * in repeated calls. Each call gets each of four positions among the launches equally often
 * (docs/measuring.md explains why).
 */
#include "tuned/redsweep_tuned.c"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "base/element.h"
#include "must.h"

enum { SAMPLES = 60, MOST_SAMPLES = 1000, QUEUE = 16, OUTPUT_BYTES = 1 << 26 };
enum { DIRTY_TIMES = 1, CLEAN_TIMES = 4 /* multiples of the L2's size */, PLACES = 4 };

typedef int host_code(int type, int op, const void *input, void *output, uint64_t n,
                      void *workspace, size_t workspace_bytes, void *stream, uint64_t row_length);
typedef int function_call(const void *input, size_t rows, size_t row_length, void *output,
                          cudaStream_t stream);

#define WRAP_ARRAY(name, function, type, op, in, out)                                              \
    static int call_##name(const void *input, size_t rows, size_t n, void *output,                 \
                           cudaStream_t stream)                                                    \
    {                                                                                              \
        (void)rows;                                                                                \
        return function((const in *)input, n, (out *)output, stream);                              \
    }
#define WRAP_ROWS(name, function, type, op, in, out)                                               \
    static int call_##name(const void *input, size_t rows, size_t length, void *output,            \
                           cudaStream_t stream)                                                    \
    {                                                                                              \
        return function((const in *)input, rows, length, (out *)output, stream);                   \
    }
FOR_ARRAYS(WRAP_ARRAY)
FOR_ROWS(WRAP_ROWS)

static const struct function {
    const char *name, *type, *op;
    bool rows;
    size_t size;
    function_call *call;
} functions[] = {
#define ARRAY_ROW(name, function, type, op, in, out)                                               \
    {#function, #type, #op, false, sizeof(in), call_##name},
#define ROWS_ROW(name, function, type, op, in, out)                                                \
    {#function, #type, #op, true, sizeof(in), call_##name},
    FOR_ARRAYS(ARRAY_ROW) FOR_ROWS(ROWS_ROW)};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* A function and the shape at which it is measured. */
struct shape_of {
    const struct function *function;
    size_t n, row_length; /* `row_length` is 0 for a whole array */
    /* the numbers of harness/base/element.h, as the library of CUB expects them */
    int type, op;
    bool has_cub;
};

/* Reads `words` words with plain loads. It would write if a word were 7, but all bytes are 1, so
 * it never does. */
static const char reader_code[] =
    ".version 7.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry read(.param .u64 from, .param .u64 words)\n{\n"
    ".reg .pred %p<3>;\n.reg .b32 %r<6>;\n.reg .b64 %d<7>;\n"
    "ld.param.u64 %d1, [from];\nld.param.u64 %d2, [words];\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.wide.u32 %d3, %r1, %r2, 0;\ncvt.u64.u32 %d4, %r3;\nadd.u64 %d3, %d3, %d4;\n"
    "mov.u32 %r4, %nctaid.x;\nmul.wide.u32 %d5, %r4, %r2;\nmov.u32 %r5, 0;\n"
    "LOOP:\nsetp.ge.u64 %p1, %d3, %d2;\n@%p1 bra END;\n"
    "shl.b64 %d6, %d3, 2;\nadd.u64 %d6, %d6, %d1;\nld.global.u32 %r4, [%d6];\n"
    "or.b32 %r5, %r5, %r4;\nadd.u64 %d3, %d3, %d5;\nbra LOOP;\n"
    "END:\nsetp.ne.u32 %p2, %r5, 7;\n@%p2 ret;\nst.global.u32 [%d1], %r5;\nret;\n}\n";
enum { READER_BLOCKS = 2048, READER_THREADS = 256 };

struct bench {
    cudaKernel_t reader;
    host_code *cub[2]; /* CUB's functions for arrays and rows, or NULL */
    cudaStream_t stream;
    cudaEvent_t start[QUEUE], stop[QUEUE];
    char *input, *output, *workspace, *dirty, *clean;
    size_t input_bytes, workspace_bytes, l2_bytes;
    uint64_t random;
};

static host_code *find_cub(const char *file, const char *name)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    char *slash = length > 0 ? (path[length] = '\0', strrchr(path, '/')) : NULL;
    if (!slash)
        return NULL;
    snprintf(slash, sizeof path - (size_t)(slash - path), "/../%s", file);
    void *library = dlopen(path, RTLD_NOW);
    host_code *found = NULL;
    if (library)
        *(void **)&found = dlsym(library, name);
    if (!found)
        fprintf(stderr, "CUB is missing (%s): make cub\n", dlerror());
    return found;
}

static void prepare(struct bench *b)
{
    int l2 = 0;
    must(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "the L2's size");
    b->l2_bytes = (size_t)l2;
    b->input_bytes = (size_t)1 << 32;
    b->workspace_bytes = 1 << 20;
    b->random = 88172645463325252ull;
    must(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking), "a stream");
    must(cudaMalloc((void **)&b->input, b->input_bytes), "input");
    must(cudaMemset(b->input, 1, b->input_bytes), "input");
    must(cudaMalloc((void **)&b->output, OUTPUT_BYTES), "output");
    must(cudaMalloc((void **)&b->workspace, b->workspace_bytes), "CUB's memory");
    must(cudaMalloc((void **)&b->dirty, DIRTY_TIMES * b->l2_bytes), "flush");
    must(cudaMalloc((void **)&b->clean, CLEAN_TIMES * b->l2_bytes), "flush");
    must(cudaMemset(b->clean, 1, CLEAN_TIMES * b->l2_bytes), "flush");
    for (int i = 0; i < QUEUE; i++) {
        must(cudaEventCreate(&b->start[i]), "an event");
        must(cudaEventCreate(&b->stop[i]), "an event");
    }
    cudaLibrary_t library;
    must(cudaLibraryLoadData(&library, reader_code, NULL, NULL, 0, NULL, NULL, 0), "the reader");
    must(cudaLibraryGetKernel(&b->reader, library, "read"), "the reader");
    must(cudaDeviceSynchronize(), "preparing");
}

static cudaError_t call_cub(const struct bench *b, const struct shape_of *s)
{
    return (cudaError_t)b->cub[s->row_length > 0](s->type, s->op, b->input, b->output, s->n,
                                                  b->workspace, b->workspace_bytes, b->stream,
                                                  s->row_length);
}

static void call(const struct bench *b, const struct shape_of *s, bool cub)
{
    size_t length = s->row_length ? s->row_length : s->n;
    if (cub && s->has_cub)
        must(call_cub(b, s), "CUB");
    else
        must_call(s->function->call(b->input, s->n / length, length, b->output, b->stream),
                  s->function->name);
}

/* Launches a kernel of the tuned library that reads one element. */
static void pad(struct bench *b)
{
    must_call(functions[0].call(b->clean, 1, 1, b->output, b->stream), "a launch");
}

/* Fills the L2 with clean lines of other data. */
static void flush(struct bench *b, int value)
{
    size_t words = CLEAN_TIMES * b->l2_bytes / 4;
    void *arguments[] = {&b->clean, &words};
    must(cudaMemsetAsync(b->dirty, value, DIRTY_TIMES * b->l2_bytes, b->stream), "flush");
    must(cudaLaunchKernel((const void *)b->reader, (dim3){READER_BLOCKS, 1, 1},
                          (dim3){READER_THREADS, 1, 1}, arguments, 0, b->stream),
         "flush");
}

static void queue(struct bench *b, int i, const struct shape_of *s, bool cub, bool cold)
{
    call(b, s, cub);
    for (int k = 0; k < i / 2 % PLACES; k++)
        pad(b);
    if (cold)
        flush(b, i);
    else
        call(b, s, true);
    must(cudaEventRecord(b->start[i], b->stream), "an event");
    call(b, s, cub);
    must(cudaEventRecord(b->stop[i], b->stream), "an event");
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *us, int count)
{
    qsort(us, (size_t)count, sizeof *us, ascending);
    return count % 2 ? us[count / 2] : (us[count / 2 - 1] + us[count / 2]) / 2;
}

static void print_times(const struct shape_of *s, bool cold, double tuned, double cub)
{
    printf("%s,%zu,", s->function->name, s->n);
    if (s->row_length)
        printf("%zu", s->row_length);
    printf(",%s,%.3f,", cold ? "cold" : "warm", tuned);
    if (s->has_cub)
        printf("%.3f,%.4f\r\n", cub, cub / tuned);
    else
        printf(",\r\n");
    fflush(stdout);
}

static void measure(struct bench *b, const struct shape_of *s, bool cold, int samples)
{
    double us[2][MOST_SAMPLES];
    int have[2] = {0, 0};
    while (have[0] < samples || have[1] < samples) {
        bool which[QUEUE];
        for (int i = 0; i < QUEUE; i += 2) {
            b->random ^= b->random << 13;
            b->random ^= b->random >> 7;
            b->random ^= b->random << 17;
            which[i] = b->random >> 63;
            which[i + 1] = !which[i];
            queue(b, i, s, which[i], cold);
            queue(b, i + 1, s, which[i + 1], cold);
        }
        must(cudaStreamSynchronize(b->stream), "running");
        for (int i = 2; i < QUEUE; i++) {
            float ms;
            must(cudaEventElapsedTime(&ms, b->start[i], b->stop[i]), "a time");
            if (have[which[i]] < samples)
                us[which[i]][have[which[i]]++] = ms * 1e3;
        }
    }
    print_times(s, cold, median(us[0], have[0]), median(us[1], have[1]));
}

/* Returns whether CUB has this function. Other errors are ignored here, because they will come
 * up again when the function is measured. */
static bool has_cub(const struct bench *b, const struct shape_of *s)
{
    if (!b->cub[s->row_length > 0])
        return false;
    cudaError_t error = call_cub(b, s);
    if (error == cudaErrorNotSupported)
        (void)cudaGetLastError();
    return error != cudaErrorNotSupported;
}

static void measure_shape(struct bench *b, const struct function *f, size_t n, size_t row_length,
                          int samples)
{
    struct shape_of s = {.function = f, .n = n, .row_length = row_length};
    enum element_type type;
    enum operation op;
    if (!element_type_find(f->type, &type) || !operation_find(f->op, &op))
        exit(2);
    s.type = (int)type;
    s.op = (int)op;
    s.has_cub = has_cub(b, &s);
    measure(b, &s, true, samples);
    if (!row_length && n <= (size_t)1 << 23)
        measure(b, &s, false, samples);
}

static void measure_array(struct bench *b, const struct function *f, int samples)
{
    for (int log2 = 14; log2 <= 30; log2 += 2)
        for (int odd = 0; odd < 2; odd++) {
            size_t n = ((size_t)1 << log2) * (odd ? 3 : 2) / 2 + (odd ? 5 : 0);
            if (n * f->size <= b->input_bytes)
                measure_shape(b, f, n, 0, samples);
        }
}

/* Measures each shape, plus one whose rows have an additional element. Kernels that load packs
 * cannot run that one. */
static void measure_rows(struct bench *b, const struct function *f, int samples)
{
    static const int lengths[] = {4, 6, 8, 10, 12, 14, 17, 20, 22, 26};
    for (int log2 = 14; log2 <= 26; log2 += 6)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= log2; i++)
            for (size_t more = 0; more < 2; more++) {
                size_t length = ((size_t)1 << lengths[i]) + more;
                measure_shape(b, f, (((size_t)1 << log2) >> lengths[i]) * length, length, samples);
            }
}

int main(int count, char **arguments)
{
    static struct bench b;
    int samples = count > 1 ? atoi(arguments[1]) : SAMPLES;
    if (samples < 1 || samples > MOST_SAMPLES) {
        fprintf(stderr, "usage: bench [SAMPLES [FUNCTION]], at most %d samples\n", MOST_SAMPLES);
        return 2;
    }
    b.cub[0] = find_cub("libredsweep_cub.so", "redsweep_cub");
    b.cub[1] = find_cub("libredsweep_cub_rows.so", "redsweep_cub_rows");
    prepare(&b);
    printf("function,n,row_length,cache,tuned_us,cub_us,ratio\r\n");
    for (int f = 0; f < FUNCTIONS; f++)
        if (count < 3 || strcmp(functions[f].name, arguments[2]) == 0)
            (functions[f].rows ? measure_rows : measure_array)(&b, &functions[f], samples);
    must_call(NAME(release)(), "giving memory back");
    return 0;
}
