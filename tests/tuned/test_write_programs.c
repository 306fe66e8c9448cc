/* Compiles programs with a library's files, and checks what they print. */
#include "small_library.h"

#include "tuned/residuals.h"

/* A program that includes the library. It prints the launch that the library would make for a few
 * values of n, without launching anything. */
static const char program[] =
    "#include \"tuned/redsweep_tuned.c\"\n"
    "#include <stdio.h>\n"
    "int main(void)\n"
    "{\n"
    "    const uint64_t n[] = {1, 8192, 8193, 1ull << 31, (1ull << 31) + 1, 1ull << 40};\n"
    "    for (int i = 0; i < 6; i++) {\n"
    "        const struct place at = {(double)n[i], (double)n[i], 1, 0, 132};\n"
    "        const struct search search = {\n"
    "            .table = sum_i32, .at = &at, .wide = n[i] > NARROW_MOST, .aligned = true};\n"
    "        struct shape s;\n"
    "        int code;\n"
    "        const struct entry *e = find_entry(&search, &s, &code);\n"
    "        if (!e)\n"
    "            printf(\"none\\n\");\n"
    "        else\n"
    "            printf(\"%s %d %.0f %.0f %.0f %.0f %.0f\\n\", e->kernel, code, s.grid, "
    "s.workspace,\n"
    "                   s.shared, s.cluster, s.depth);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

/* Compiles main.c with the library in the same folder, and runs it. Returns the program's
 * output, which the caller closes with pclose(). */
static FILE *program_around(const char *folder)
{
    char command[4096], here[1024];
    /* These folders' names may contain spaces and quotation marks, so they are passed in the
     * environment. */
    assert_non_null(getcwd(here, sizeof here));
    setenv("HERE", here, 1);
    setenv("TOOLKIT", TOOLKIT, 1);
    snprintf(command, sizeof command,
             "cd %s && " COMPILER " -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror "
             "-Wno-unused-function -I. -I\"$HERE\" -isystem \"$TOOLKIT/include\" main.c -o main "
             "-L\"$TOOLKIT/lib64\" "
             "-lcudart_static -lpthread -ldl -lrt -lm && ./main",
             in_scratch(folder));
    FILE *output = popen(command, "r");
    assert_non_null(output);
    return output;
}

/* The generated part, the handwritten part, and the shape functions from the kernels' facts
 * compile as one C file. */
static void what_is_written_compiles(void **state)
{
    (void)state;
    char line[128];
    write_library("whole");
    put("whole", "main.c", program);
    FILE *output = program_around("whole");
    static const char *const expected[] = {
        /* The columns are the kernel, the image, the number of blocks (of 64 · LOADS elements
         * each), the workspace (16 bytes per block), the shared memory, the cluster, and the
         * default depth. */
        "even 0 1 16 0 1 8\n",
        "even 0 64 1024 0 1 8\n",
        "odd 2 33 528 0 1 10\n",
        "odd 2 8388608 134217728 0 1 10\n",
        "odd 4 8388609 134217744 0 1 10\n",
        "none\n", /* more blocks than a grid can have */
    };
    for (int i = 0; i < 6; i++) {
        assert_non_null(fgets(line, sizeof line, output));
        assert_string_equal(line, expected[i]);
    }
    assert_int_equal(pclose(output), 0);
}

/* A program that includes the library. It prints the expected times for rows of halves, for many
 * numbers and lengths of rows. */
static const char expecting[] =
    "#include \"tuned/redsweep_tuned.c\"\n"
    "#include <stdio.h>\n"
    "int main(void)\n"
    "{\n"
    "    for (double rows = 1; rows < 1e8; rows *= 7)\n"
    "        for (double length = 11; length < 400; length += 9) {\n"
    "            const struct place at = {rows * length, length, 1, 0, 132};\n"
    "            const struct search search = {.table = rows_max_f16, .at = &at, .aligned = true,\n"
    "                .packs = rest_of(2 * length, 16) == 0};\n"
    "            struct shape s = {0};\n"
    "            int code;\n"
    "            if (!find_entry(&search, &s, &code))\n"
    "                return 1;\n"
    "            printf(\"%.0f %.0f %.12g\\n\", rows, length, s.us);\n"
    "        }\n"
    "    return 0;\n"
    "}\n";

/* A library corrects its expected times with the grid in its table. Between and beyond the grid
 * points, its times must equal those of `best --at`. */
static void a_library_expects_the_times_of_best_at(void **state)
{
    (void)state;
    static struct error e;
    struct tuned_range range = make_range("ragged", 2, 64, 64);
    range.variant.type = TYPE_FLOAT16;
    range.variant.op = OP_MAX;
    range.at = (struct config_shape){64, 8, 1};
    range.shortest = 16;
    range.longest = 256;
    memcpy(range.model, (double[]){4, 1e-6, 1e-3}, 3 * sizeof(double));
    range.residuals.first = 3.5;
    range.residuals.step = 0.3;
    for (int i = 0; i < (int)sizeof range.residuals.off; i++)
        (&range.residuals.off[0][0][0])[i] = (signed char)(i * 37 % 251 - 125);
    struct tuned_function function = {TYPE_FLOAT16, OP_MAX, OVER_ROWS, .ranges = &range,
                                      .range_count = 1};
    struct tuned t = {.catalogue = &kernels,
                      .functions = &function,
                      .function_count = 1,
                      .device = "Device D",
                      .started = "2026-01-02T03:04:05Z",
                      .run = "invented",
                      .cc = 90,
                      .sms = 132};
    if (!written(&t, 1, "redsweep", in_scratch("expecting"), &e))
        fail_msg("%s", e.text);
    put("expecting", "main.c", expecting);
    FILE *output = program_around("expecting");
    unsigned long rows, length;
    double us;
    int count = 0;
    for (; fscanf(output, "%lu %lu %lf", &rows, &length, &us) == 3; count++) {
        const struct config_shape at = {rows * length, length, 1};
        assert_near(us, expected_us(&range, 132, &at), 1e-9 * us);
    }
    assert_int_equal(count, 10 * 44);
    assert_int_equal(pclose(output), 0);
}

/* A program that includes a library for the compute capabilities 8.0 and 9.0. Its fake GPU has the
 * capability that the argument states (80 for 8.0), and executes nothing. The program prints which
 * code is loaded, and the block size of the launch. */
static const char chooser[] =
    "#include \"tuned/redsweep_tuned.c\"\n"
    "#include <stdio.h>\n"
    "static int cc;\n"
    "cudaError_t cudaGetDevice(int *d) { *d = 0; return cudaSuccess; }\n"
    "cudaError_t cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr a, int d)\n"
    "{\n"
    "    (void)d;\n"
    "    *v = a == cudaDevAttrComputeCapabilityMajor ? cc / 10 :\n"
    "         a == cudaDevAttrComputeCapabilityMinor ? cc % 10 : 132;\n"
    "    return cudaSuccess;\n"
    "}\n"
    "cudaError_t cudaLibraryLoadData(cudaLibrary_t *l, const void *code, enum cudaJitOption *o,\n"
    "    void **ov, unsigned on, enum cudaLibraryOption *p, void **pv, unsigned pn)\n"
    "{\n"
    "    (void)o, (void)ov, (void)on, (void)p, (void)pv, (void)pn;\n"
    "    *l = (cudaLibrary_t)1;\n"
    "    const char *target = strstr(code, \".target sm_\");\n"
    "    printf(\"%s \", memcmp(code, \"\\177ELF\", 4) == 0 ? \"machine code\" : \"PTX\");\n"
    "    if (memcmp(code, \"\\177ELF\", 4) != 0)\n"
    "        printf(\"%.5s \", target ? target + 8 : \"?\");\n"
    "    return cudaSuccess;\n"
    "}\n"
    "cudaError_t cudaLibraryGetKernel(cudaKernel_t *k, cudaLibrary_t l, const char *n)\n"
    "{\n    (void)k, (void)l;\n    printf(\"%s \", n);\n    return cudaSuccess;\n}\n"
    "cudaError_t cudaLibraryUnload(cudaLibrary_t l) { (void)l; return cudaSuccess; }\n"
    "cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id)\n"
    "{\n    (void)s;\n    *id = 1;\n    return cudaSuccess;\n}\n"
    "cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus *c)\n"
    "{\n    (void)s;\n    *c = cudaStreamCaptureStatusNone;\n    return cudaSuccess;\n}\n"
    "cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *m)\n"
    "{\n    (void)m;\n    return cudaSuccess;\n}\n"
    "cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned f)\n"
    "{\n    (void)s, (void)f;\n    return cudaErrorNotSupported;\n}\n"
    "cudaError_t cudaStreamDestroy(cudaStream_t s) { (void)s; return cudaSuccess; }\n"
    "cudaError_t cudaStreamSynchronize(cudaStream_t s) { (void)s; return cudaSuccess; }\n"
    "cudaError_t cudaUserObjectCreate(cudaUserObject_t *o, void *p, cudaHostFn_t f, unsigned r,\n"
    "    unsigned g)\n"
    "{\n    (void)o, (void)p, (void)f, (void)r, (void)g;\n    return cudaErrorNotSupported;\n}\n"
    "cudaError_t cudaUserObjectRelease(cudaUserObject_t o, unsigned c)\n"
    "{\n    (void)o, (void)c;\n    return cudaErrorNotSupported;\n}\n"
    "cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, cudaUserObject_t o, unsigned c, unsigned "
    "f)\n"
    "{\n    (void)g, (void)o, (void)c, (void)f;\n    return cudaErrorNotSupported;\n}\n"
    "#if CUDART_VERSION >= 13000\n"
    "cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus *c,\n"
    "    unsigned long long *i, cudaGraph_t *g, const cudaGraphNode_t **d,\n"
    "    const cudaGraphEdgeData **e, size_t *n)\n"
    "{\n    (void)s, (void)c, (void)i, (void)g, (void)d, (void)e, (void)n;\n"
    "    return cudaErrorNotSupported;\n}\n"
    "#else\n"
    "cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t s, enum cudaStreamCaptureStatus *c,\n"
    "    unsigned long long *i, cudaGraph_t *g, const cudaGraphNode_t **d, size_t *n)\n"
    "{\n    (void)s, (void)c, (void)i, (void)g, (void)d, (void)n;\n"
    "    return cudaErrorNotSupported;\n}\n"
    "#endif\n"
    "cudaError_t cudaMalloc(void **p, size_t n) { *p = malloc(n); return cudaSuccess; }\n"
    "cudaError_t cudaFree(void *p) { free(p); return cudaSuccess; }\n"
    "cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t s)\n"
    "{\n    (void)s;\n    memset(p, v, n);\n    return cudaSuccess;\n}\n"
    "cudaError_t cudaSetDevice(int d) { (void)d; return cudaSuccess; }\n"
    "cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }\n"
    "cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute a, int v)\n"
    "{\n    (void)f, (void)a, (void)v;\n    return cudaSuccess;\n}\n"
    "cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *f, void **a)\n"
    "{\n    (void)f, (void)a;\n    printf(\"block %u \", c->blockDim.x);\n    return "
    "cudaSuccess;\n}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    static int32_t in[16], out;\n"
    "    cc = atoi(argv[argc - 1]);\n"
    "    redsweep_status sum = redsweep_sum_i32(in, 16, &out, NULL);\n"
    "    printf(\"%d max \", (int)sum);\n"
    "    printf(\"%d\\n\", (int)redsweep_max_i32(in, 16, &out, NULL));\n"
    "    return redsweep_release() != REDSWEEP_SUCCESS;\n"
    "}\n";

/* The maximum was measured only for 9.0. */
static void a_gpu_gets_the_newest_table_that_it_can_run(void **state)
{
    (void)state;
    static struct error e;
    struct tuned_function functions[2][2];
    struct tuned_range ranges[2][3];
    struct tuned targets[2] = {make_tuned(functions[0], ranges[0]),
                               make_tuned(functions[1], ranges[1])};
    targets[1].cc = 80;
    targets[1].function_count = 1;
    ranges[1][0].variant.block = 128;
    if (!written(targets, 2, "redsweep", in_scratch("two"), &e))
        fail_msg("%s", e.text);
    put("two", "main.c", chooser);
    char command[4096], line[200], here[1024];
    assert_non_null(getcwd(here, sizeof here));
    setenv("HERE", here, 1);
    setenv("TOOLKIT", TOOLKIT, 1);
    snprintf(command, sizeof command,
             "cd %s && " COMPILER " -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. -I\"$HERE\" "
             "-isystem \"$TOOLKIT/include\" main.c -o main -lpthread -lm && "
             "for cc in 75 80 86 90 100; do ./main $cc; done",
             in_scratch("two"));
    FILE *output = popen(command, "r");
    assert_non_null(output);
    static const char none[] = "4"; /* REDSWEEP_ERROR_DEVICE */
    static const char *const loaded[] = {"", "machine code even block 128 ",
                                         "machine code even block 128 ",
                                         "machine code even block 64 ", "PTX sm_90 even block 64 "};
    for (int i = 0; i < 5; i++) {
        char expected[200];
        snprintf(expected, sizeof expected, "%s%s max %s%s\n", loaded[i], i ? "0" : none,
                 i < 3 ? "" : loaded[i], i < 3 ? none : "0");
        assert_non_null(fgets(line, sizeof line, output));
        assert_string_equal(line, expected);
    }
    assert_int_equal(pclose(output), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_compiles),
        cmocka_unit_test(a_library_expects_the_times_of_best_at),
        cmocka_unit_test(a_gpu_gets_the_newest_table_that_it_can_run),
    };
    return cmocka_run_group_tests_name("programs with a library", tests, set_up, tear_down);
}
