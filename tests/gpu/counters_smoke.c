/*
 * Checks counting on a real GPU. Uses a kernel whose counts are known, many ranges, and three sets
 * of counters, and prints how long each step takes. It is not part of `make test`, which needs no
 * GPU:
 *
 *   make build/tests/gpu/counters_smoke && build/tests/gpu/counters_smoke [RANGES]
 *
 * It exits with 0 if every count is right, 1 if a count is wrong, and 77 if this machine cannot
 * count.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compile/nvrtc_library.h"
#include "devices/cuda/counters.h"
#include "devices/cuda/runtime.h"
#include "base/command.h"

enum { ELEMENTS = 1 << 20, BLOCK = 256, EXIT_SKIPPED = 77 };

/*
 * Each warp reads 32 neighboring elements of 4 bytes and writes 32. The reads and the writes each
 * access 4 sectors and 1 line.
 */
static const char source[] = "extern \"C\" __global__ void smoke(const int *input, int *output)\n"
                             "{\n"
                             "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    output[i] = input[i] + 1;\n"
                             "}\n";

struct smoke {
    cudaKernel_t kernel;
    int *input, *output;
    int fail_at; /* the range whose launch fails on purpose, or −1 */
};

/*
 * A requested counter and its required value. If this value is NaN, the counter may have any value,
 * but it must be the same in every range.
 */
struct expectation {
    const char *name;
    double value;
};

static const struct expectation expected[] = {
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", ELEMENTS / 8},
    {"smsp__average_inst_executed_per_warp.ratio", NAN},
    {"smsp__average_thread_inst_executed_per_inst_executed.pct", 100},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", ELEMENTS / 8},
    {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum", ELEMENTS / 32},
    {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_st.sum", ELEMENTS / 32},
    {"smsp__warps_launched.sum", ELEMENTS / 32},
    {"smsp__thread_inst_executed.sum", NAN},
    {"smsp__sass_data_bytes_mem_global_op_ld.sum", ELEMENTS * 4.0},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 100},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", ELEMENTS / 32},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 0},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", ELEMENTS / 8},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", ELEMENTS / 8},
    {"smsp__sass_inst_executed_op_global_ld.sum", ELEMENTS / 32},
    {"smsp__sass_l1tex_tags_mem_global.sum", ELEMENTS / 16},
};

static void check_cuda(cudaError_t result, const char *doing)
{
    if (result == cudaSuccess)
        return;
    printf("%s: %s\n", doing, cudaGetErrorString(result));
    exit(result == cudaErrorNoDevice || result == cudaErrorInsufficientDriver ? EXIT_SKIPPED : 1);
}

static bool cuda_step(cudaError_t result, const char *doing, struct error *e)
{
    if (result == cudaSuccess)
        return true;
    FAIL(e, ERROR_LAUNCH, "%s: %s", doing, cudaGetErrorString(result));
    e->device_lost = true;
    return false;
}

static bool restore(void *context, int range, struct error *e)
{
    struct smoke *s = context;
    (void)range;
    return cuda_step(cudaMemsetAsync(s->output, 0, ELEMENTS * sizeof(int), 0), "memset", e) &&
           cuda_step(cudaDeviceSynchronize(), "waiting for memset", e);
}

static bool launch(void *context, int range, struct error *e)
{
    struct smoke *s = context;
    if (range == s->fail_at)
        return FAIL(e, ERROR_LAUNCH, "made to fail");
    void *arguments[] = {&s->input, &s->output};
    cudaLaunchConfig_t config = {.gridDim = {ELEMENTS / BLOCK, 1, 1}, .blockDim = {BLOCK, 1, 1}};
    return cuda_step(cudaLaunchKernelExC(&config, (const void *)s->kernel, arguments), "launch",
                     e) &&
           cuda_step(cudaDeviceSynchronize(), "waiting for the kernel", e);
}

static char *compile(int cc)
{
    struct nvrtc l;
    struct error e = {0};
    if (!nvrtc_load(&l, &e)) {
        printf("%s\n", e.text);
        exit(EXIT_SKIPPED);
    }
    char architecture[32];
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d", cc);
    const char *options[] = {architecture};
    nvrtcProgram program;
    size_t size = 0;
    char *cubin = NULL;
    bool ok = l.nvrtcCreateProgram(&program, source, "smoke.cu", 0, NULL, NULL) == NVRTC_SUCCESS &&
              l.nvrtcCompileProgram(program, 1, options) == NVRTC_SUCCESS &&
              l.nvrtcGetCUBINSize(program, &size) == NVRTC_SUCCESS &&
              (cubin = malloc(size)) != NULL && l.nvrtcGetCUBIN(program, cubin) == NVRTC_SUCCESS &&
              l.nvrtcDestroyProgram(&program) == NVRTC_SUCCESS;
    if (!ok) {
        printf("NVRTC failed for sm_%d\n", cc);
        exit(1);
    }
    return cubin;
}

static void set_up(struct smoke *s)
{
    int major, minor;
    cudaLibrary_t library;
    check_cuda(cudaSetDevice(0), "choosing device 0");
    check_cuda(cudaFree(NULL), "starting the runtime");
    check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking");
    check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "asking");
    char *cubin = compile(10 * major + minor);
    check_cuda(cudaLibraryLoadData(&library, cubin, NULL, NULL, 0, NULL, NULL, 0), "loading");
    check_cuda(cudaLibraryGetKernel(&s->kernel, library, "smoke"), "finding the kernel");
    check_cuda(cudaMalloc((void **)&s->input, ELEMENTS * sizeof(int)), "allocating");
    check_cuda(cudaMalloc((void **)&s->output, ELEMENTS * sizeof(int)), "allocating");
    check_cuda(cudaMemset(s->input, 0, ELEMENTS * sizeof(int)), "clearing");
    check_cuda(cudaDeviceSynchronize(), "clearing");
    s->fail_at = -1;
    free(cubin);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int check_values(const double *values, int count, int ranges)
{
    int wrong = 0;
    for (int r = 0; r < ranges; r++)
        for (int i = 0; i < count; i++) {
            double got = values[r * count + i];
            double want = isnan(expected[i].value) ? values[i] : expected[i].value;
            bool right = got == want && (want > 0 || expected[i].value == 0);
            if (!right && wrong++ < 5)
                printf("  WRONG: range %d: %s is %.17g, not %.17g\n", r, expected[i].name, got,
                       want);
        }
    return wrong;
}

static void print_share(const char *what, double part, double whole, int ranges)
{
    printf("    %-10s %8.3f ms %5.1f %%  %8.4f ms/range\n", what, 1e3 * part, 100 * part / whole,
           1e3 * part / ranges);
}

static void print_cost(struct counters_cost a, struct counters_cost b, double wall, int ranges)
{
    print_share("set-up", b.set_up_s - a.set_up_s, wall, ranges);
    print_share("enable", b.enable_s - a.enable_s, wall, ranges);
    print_share("image", b.image_s - a.image_s, wall, ranges);
    print_share("start/stop", b.start_stop_s - a.start_stop_s, wall, ranges);
    print_share("prepare", b.prepare_s - a.prepare_s, wall, ranges);
    print_share("push/pop", b.push_pop_s - a.push_pop_s, wall, ranges);
    print_share("launch", b.launch_s - a.launch_s, wall, ranges);
    print_share("decode", b.decode_s - a.decode_s, wall, ranges);
    print_share("evaluate", b.evaluate_s - a.evaluate_s, wall, ranges);
}

/* Measures the first `count` counters. Returns how many values are wrong. */
static int measure(struct counters *c, struct smoke *s, int count, int ranges)
{
    const char *names[sizeof expected / sizeof expected[0]];
    for (int i = 0; i < count; i++)
        names[i] = expected[i].name;
    double *values = malloc((size_t)ranges * (size_t)count * sizeof *values);
    if (!values)
        exit(1);
    struct error e = {0};
    struct counters_cost before = counters_cost(c);
    double since = seconds();
    bool ok = counters_measure(c, names, count, ranges, restore, launch, s, values, &e);
    double wall = seconds() - since;
    int passes = counters_passes(c, names, count), wrong = 1;
    if (ok) {
        wrong = check_values(values, count, ranges);
        printf("%d counters, %d ranges, %d passes: %.3f ms/range, %.3f ms/range and pass, %s\n",
               count, ranges, passes, 1e3 * wall / ranges, 1e3 * wall / ranges / passes,
               wrong ? "WRONG" : "all right");
        print_cost(before, counters_cost(c), wall, ranges);
        printf("    instructions/warp %g\n", values[1]);
    } else {
        printf("%d counters, %d ranges: %s\n", count, ranges, e.text);
    }
    free(values);
    return wrong;
}

/* Makes a launch fail. The call must return the launch's error, and the next call must succeed. */
static int fail_and_recover(struct counters *c, struct smoke *s)
{
    double value[8];
    struct error e = {0};
    s->fail_at = 3;
    bool ok = counters_measure(c, &expected[0].name, 1, 8, restore, launch, s, value, &e);
    s->fail_at = -1;
    if (ok || strcmp(e.text, "made to fail") != 0) {
        printf("WRONG: a failing launch gave \"%s\"\n", e.text);
        return 1;
    }
    printf("after a failing launch: ");
    return measure(c, s, 3, 8);
}

int main(int argc, char **argv)
{
    int ranges = argc > 1 ? atoi(argv[1]) : 200;
    if (ranges < 1) {
        printf("usage: counters_smoke [RANGES]\n");
        return 2;
    }
    struct smoke s = {0};
    set_up(&s);
    double since = seconds();
    struct counters *c = counters_open(0, NULL);
    printf("%s, chip %s, opened in %.1f ms\n", counters_library(c), counters_chip(c),
           1e3 * (seconds() - since));
    if (counters_missing(c)[0]) {
        printf("no counters: %s\n", counters_missing(c));
        counters_close(c);
        return EXIT_SKIPPED;
    }
    int all = (int)(sizeof expected / sizeof expected[0]);
    int wrong = measure(c, &s, 3, ranges); /* The first call also sizes the image. */
    wrong += measure(c, &s, 3, ranges);
    wrong += measure(c, &s, 3, 1);
    wrong += measure(c, &s, 6, ranges);
    wrong += measure(c, &s, all, ranges);
    /* 600 ranges are too many for a single start and stop. */
    wrong += measure(c, &s, 3, 600);
    wrong += fail_and_recover(c, &s);
    counters_close(c);
    printf("%s\n", wrong ? "FAILED" : "passed");
    return wrong ? 1 : 0;
}
