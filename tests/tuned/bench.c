/*
 * The tuned library against CUB, call by call in turn: median times by n, cold and warm caches.
 *
 *   bench [SAMPLES]     prints CSV: function, n, cache, tuned_us, cub_us, ratio (CUB / tuned)
 *
 * CUB comes from build/libredsweep_cub.so (make cub), looked for beside this program's folder.
 * Cold: a write of the L2's size, then a read of four times that, so that no line of the input is
 * in it and no line is dirty. The reader is the library itself. The calls of a pair follow each
 * other in random order, each behind its own flush, and the CPU is well ahead of the GPU. Each call
 * was made once before its flush, so its code is where it is when it is called again and again; and
 * it stands in each of four places among the launches equally often (docs/measuring.md says why).
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "redsweep_tuned.h"

enum { SAMPLES = 60, MOST_SAMPLES = 1000, QUEUE = 16 };
enum { DIRTY_TIMES = 1, CLEAN_TIMES = 4 /* the L2's size */, PLACES = 4 };

typedef int host_code(int type, int op, const void *input, void *output, uint64_t n,
                      void *workspace, size_t workspace_bytes, void *stream);
typedef cudaError_t reduction(const void *d_in, size_t n, void *d_out, cudaStream_t stream);

#define WRAP(op, suffix, type)                                                                     \
    static cudaError_t call_##op##_##suffix(const void *d_in, size_t n, void *d_out,               \
                                            cudaStream_t stream)                                   \
    {                                                                                              \
        return reduce_##op##_##suffix((const type *)d_in, n, (type *)d_out, stream);               \
    }
REDSWEEP_TUNED_FUNCTIONS(WRAP)

/* The numbering of harness/base/element.h, which CUB's library is called with. */
enum { TYPE_i32, TYPE_u32, TYPE_i64, TYPE_f32, TYPE_f64 };
enum { OP_sum, OP_max, OP_min };

static const struct {
    const char *name;
    int op, type;
    size_t size;
    reduction *call;
} functions[] = {
#define ROW(op, suffix, type)                                                                      \
    {"reduce_" #op "_" #suffix, OP_##op, TYPE_##suffix, sizeof(type), call_##op##_##suffix},
    REDSWEEP_TUNED_FUNCTIONS(ROW)};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

struct bench {
    host_code *cub;
    cudaStream_t stream;
    cudaEvent_t start[QUEUE], stop[QUEUE];
    char *input, *output, *workspace, *dirty, *clean;
    size_t input_bytes, workspace_bytes, l2_bytes;
    uint64_t random;
};

static void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(2);
}

static host_code *find_cub(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    char *slash = length > 0 ? (path[length] = '\0', strrchr(path, '/')) : NULL;
    if (!slash)
        return NULL;
    strcpy(slash, "/../libredsweep_cub.so");
    void *library = dlopen(path, RTLD_NOW);
    host_code *found = NULL;
    if (library)
        *(void **)&found = dlsym(library, "redsweep_cub");
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
    must(cudaMalloc((void **)&b->output, 256), "output");
    must(cudaMalloc((void **)&b->workspace, b->workspace_bytes), "CUB's memory");
    must(cudaMalloc((void **)&b->dirty, DIRTY_TIMES * b->l2_bytes), "flush");
    must(cudaMalloc((void **)&b->clean, CLEAN_TIMES * b->l2_bytes), "flush");
    must(cudaMemset(b->clean, 1, CLEAN_TIMES * b->l2_bytes), "flush");
    for (int i = 0; i < QUEUE; i++) {
        must(cudaEventCreate(&b->start[i]), "an event");
        must(cudaEventCreate(&b->stop[i]), "an event");
    }
    must(cudaDeviceSynchronize(), "preparing");
}

static cudaError_t call(const struct bench *b, int f, bool cub, size_t n)
{
    if (!cub)
        return functions[f].call(b->input, n, b->output, b->stream);
    return (cudaError_t)b->cub(functions[f].type, functions[f].op, b->input, b->output, n,
                               b->workspace, b->workspace_bytes, b->stream);
}

/* A launch of the library, over the first n elements of what cleans the cache. */
static void sweep(struct bench *b, size_t n)
{
    must(functions[0].call(b->clean, n, b->output + 64, b->stream), "flush");
}

static void queue(struct bench *b, int i, int f, bool cub, size_t n, bool cold)
{
    must(call(b, f, cub, n), "rehearsing");
    for (int pad = 0; pad < i / 2 % PLACES; pad++)
        sweep(b, 1);
    if (cold) {
        must(cudaMemsetAsync(b->dirty, i, DIRTY_TIMES * b->l2_bytes, b->stream), "flush");
        sweep(b, CLEAN_TIMES * b->l2_bytes / functions[0].size);
    } else {
        must(call(b, f, true, n), "warming");
    }
    must(cudaEventRecord(b->start[i], b->stream), "an event");
    must(call(b, f, cub, n), functions[f].name);
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

static void measure(struct bench *b, int f, size_t n, bool cold, int samples)
{
    double us[2][MOST_SAMPLES];
    int have[2] = {0, 0};
    while (have[0] < samples) {
        bool which[QUEUE];
        for (int i = 0; i < QUEUE; i += 2) {
            b->random ^= b->random << 13;
            b->random ^= b->random >> 7;
            b->random ^= b->random << 17;
            which[i] = b->random >> 63;
            which[i + 1] = !which[i];
            queue(b, i, f, which[i], n, cold);
            queue(b, i + 1, f, which[i + 1], n, cold);
        }
        must(cudaStreamSynchronize(b->stream), "running");
        for (int i = 2; i < QUEUE && have[0] + have[1] < 2 * samples; i++) {
            float ms;
            must(cudaEventElapsedTime(&ms, b->start[i], b->stop[i]), "a time");
            if (have[which[i]] < samples)
                us[which[i]][have[which[i]]++] = ms * 1e3;
        }
    }
    double tuned = median(us[0], have[0]), cub = median(us[1], have[1]);
    printf("%s,%zu,%s,%.3f,%.3f,%.4f\r\n", functions[f].name, n, cold ? "cold" : "warm", tuned, cub,
           cub / tuned);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    static struct bench b;
    int samples = count > 1 ? atoi(arguments[1]) : SAMPLES;
    if (samples < 1 || samples > MOST_SAMPLES || !(b.cub = find_cub()))
        return 2;
    prepare(&b);
    printf("function,n,cache,tuned_us,cub_us,ratio\r\n");
    for (int f = 0; f < FUNCTIONS; f++)
        for (int log2 = 14; log2 <= 30; log2 += 2)
            for (int odd = 0; odd < 2; odd++) {
                size_t n = ((size_t)1 << log2) * (odd ? 3 : 2) / 2 + (odd ? 5 : 0);
                if (n * functions[f].size > b.input_bytes)
                    continue;
                measure(&b, f, n, true, samples);
                if (n <= (size_t)1 << 23)
                    measure(&b, f, n, false, samples);
            }
    must(redsweep_tuned_release(), "giving memory back");
    return 0;
}
