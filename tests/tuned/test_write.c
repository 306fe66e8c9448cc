/* These tests check the files of a library: the table for people, the table for C (which compiles),
 * its code, and the messages if the files cannot be written. */
#include "writing_fixture.h"

#include "base/library.h"
#include "spec/kernel.h"
#include "tuned/pack.h"
#include "tuned/residuals.h"
#include "../texts/expected.h"

static int set_up(void **state)
{
    if (make_scratch(state) != 0)
        return -1;
    texts_rename(scratch, "$work");
    return open_compiler();
}

static struct tuned_range make_range(const char *kernel, int loads, uint64_t first, uint64_t last)
{
    return (struct tuned_range){.kernel = catalogue_find(&kernels, kernel),
                                .variant = {.block = 64, .unroll = 1, .tunables = {loads}},
                                .first = first,
                                .last = last,
                                .sizes = {first, first + 1},
                                .us = {4.25, 8.5},
                                .reference_us = {5, NAN}};
}

/* This library has a sum whose second range needs both widths of n, and a maximum with the sum's
 * first setting. */
static struct tuned make_tuned(struct tuned_function functions[2], struct tuned_range ranges[3])
{
    ranges[0] = make_range("even", 2, 1, 8192);
    ranges[1] = make_range("odd", 4, 8193, (uint64_t)1 << TUNED_MOST_LOG2);
    ranges[2] = make_range("even", 2, 1, (uint64_t)1 << 31);
    ranges[2].variant.op = OP_MAX;
    functions[0] = (struct tuned_function){TYPE_INT32, OP_SUM, OVER_ARRAYS, .ranges = ranges,
                                           .range_count = 2};
    functions[1] = (struct tuned_function){TYPE_INT32, OP_MAX, OVER_ARRAYS, .ranges = &ranges[2],
                                           .range_count = 1};
    return (struct tuned){.catalogue = &kernels,
                          .functions = functions,
                          .function_count = 2,
                          .device = "Device D",
                          .started = "2026-01-02T03:04:05Z",
                          .run = "invented",
                          .cc = 90};
}

#define IMAGE "static const uint64_t image_"

static const char *in_scratch(const char *name)
{
    static char path[2][256];
    static int next;
    char *at = path[next++ % 2];
    snprintf(at, sizeof path[0], "%s/%s", scratch, name);
    return at;
}

static char *file_text(const char *name)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = fopen(in_scratch(name), "r");
    assert_non_null(f);
    assert_true(getdelim(&text, &length, '\0', f) > 0);
    fclose(f);
    return text;
}

/* Returns the lines of a written file without its code, whose length depends on the compiler. */
static void expect_file(const char *name)
{
    char *text = file_text(name), *to = text;
    bool in_image = false;
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        in_image |= strncmp(line, IMAGE, strlen(IMAGE)) == 0;
        if (!in_image) {
            memmove(to, line, (size_t)(next - line));
            to += next - line;
        }
        in_image &= strncmp(line, "};", 2) != 0;
    }
    *to = '\0';
    texts_expect(name, text);
    free(text);
}

static int times_in(const char *text, const char *part)
{
    int times = 0;
    while ((text = strstr(text, part)) != NULL)
        times++, text += strlen(part);
    return times;
}

static const char *packer; /* the compressing program; if it is NULL, code is stored uncompressed */

static bool written(const struct tuned *targets, size_t count, const char *prefix,
                    const char *folder, struct error *e)
{
    const struct tuned_output to = {.prefix = prefix, .folder = folder, .packer = packer};
    return tuned_write(targets, count, &to, compiler, e);
}

static void write_library(const char *folder)
{
    static struct error e;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    if (!written(&t, 1, "redsweep", in_scratch(folder), &e))
        fail_msg("%s", e.text);
}

/*
 * This test compares the files with test_write.txt: the table for people, the header, and the table
 * for C. Each configuration has code for aligned input and for any other input. These kernels use
 * the same code for both, which is stored once as machine code and once as PTX. Beyond 2^31
 * elements counts have 64 bits, which needs other code.
 */
static void the_files_of_a_library(void **state)
{
    (void)state;
    write_library("c");
    expect_file("c/table.csv");
    expect_file("c/redsweep_tuned.h");
    expect_file("c/redsweep_tuned_table.h");
    char *text = file_text("c/redsweep_tuned_table.h");
    assert_int_equal(times_in(text, IMAGE), 8);
    free(text);
}

/* Two ranges with equal settings share their code. So do variants that differ only in values that
 * do not change the code. */
static void equal_code_is_stored_once(void **state)
{
    (void)state;
    static struct error e;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    ranges[1] = make_range("even", 2, 8193, 16384);
    t.function_count = 1;
    assert_true(written(&t, 1, "redsweep", in_scratch("once"), &e));
    char *text = file_text("once/redsweep_tuned_table.h");
    assert_int_equal(times_in(text, IMAGE), 2);
    free(text);
    expect_file("once/redsweep_tuned_table.h");
}

/* Returns an image's words in the table and sets *words to their number. The caller frees them. */
static uint64_t *image_words(const char *table, const char *name, size_t *words)
{
    const char *at = strstr(table, name);
    assert_non_null(at);
    *words = strtoull(at + strlen(name), NULL, 10);
    uint64_t *image = calloc(*words + 1, sizeof *image);
    const char *end = strstr(at, "};");
    size_t got = 0;
    for (at = strchr(at, '{'); (at = strstr(at, "0x")) != NULL && at < end; at += 2)
        image[got++] = strtoull(at, NULL, 16);
    assert_int_equal(got, *words);
    return image;
}

/* An image is a cubin in 64-bit words. It lacks the line tables of redsweep's own images. */
static void the_code_is_machine_code_without_line_tables(void **state)
{
    (void)state;
    write_library("code");
    char *text = file_text("code/redsweep_tuned_table.h");
    size_t words;
    uint64_t *image = image_words(text, "image_0[", &words);
    assert_memory_equal(image, "\177ELF", 4);
    size_t length = words * sizeof *image;
    assert_non_null(memmem(image, length, ".text.even", 10));
    assert_null(memmem(image, length, ".debug_line", 11));
    assert_null(memmem(image, length, "even.cu", 7));
    free(image);
    free(text);
}

static size_t all_words(const char *table)
{
    size_t sum = 0;
    for (const char *at = table; (at = strstr(at, IMAGE)) != NULL; at++)
        sum += strtoull(strchr(at, '[') + 1, NULL, 10);
    return sum;
}

/* The container begins with its number, and is less than half as long as its code. If the toolkit's
 * program is missing, nothing is compressed. The writer reports the errors of that program. */
static void the_code_is_compressed_by_the_toolkit(void **state)
{
    (void)state;
    static struct error e;
    char program[LIBRARY_PATH_SIZE];
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    packer = "false";
    assert_false(written(&t, 1, "redsweep", in_scratch("packed"), &e));
    texts_expect("a packer that fails", e.text);
    packer = NULL;
    setenv("REDSWEEP_FATBINARY", "/no/such/program", 1);
    assert_false(pack_find(program));
    assert_string_equal(program, "");
    unsetenv("REDSWEEP_FATBINARY");
    if (!pack_find(program)) {
        print_message("the toolkit's fatbinary is not here: compressing is not tested\n");
        skip();
    }
    write_library("plain");
    packer = program;
    write_library("packed");
    packer = NULL;
    char *plain = file_text("plain/redsweep_tuned_table.h"),
         *packed = file_text("packed/redsweep_tuned_table.h");
    size_t words;
    uint64_t *image = image_words(packed, "image_0[", &words);
    assert_int_equal(image[0] & 0xffffffff, 0xba55ed50);
    assert_true(all_words(packed) > 0 && all_words(packed) < all_words(plain) / 2);
    assert_int_equal(times_in(packed, IMAGE), times_in(plain, IMAGE));
    free(image);
    free(plain);
    free(packed);
}

/* This program contains the library, and prints its launches for a few n, but launches nothing. */
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

/* Compiles main.c together with the library in a folder. Returns the program's output, which the
 * caller closes with pclose(). */
static FILE *program_around(const char *folder)
{
    char command[4096], here[1024];
    /* The name may contain spaces and quotation marks. */
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

/* The generated and the handwritten part make one C file with the shapes of the kernels' facts. */
static void what_is_written_compiles(void **state)
{
    (void)state;
    char line[128];
    write_library("whole");
    put("whole", "main.c", program);
    FILE *output = program_around("whole");
    static const char *const expected[] = {
        /* The columns are the kernel, the image, blocks of 64 times LOADS elements, 16 bytes for
         * each, shared memory, the cluster, and the default depth. */
        "even 0 1 16 0 1 8\n",
        "even 0 64 1024 0 1 8\n",
        "odd 2 33 528 0 1 10\n",
        "odd 2 8388608 134217728 0 1 10\n",
        "odd 4 8388609 134217744 0 1 10\n",
        "none\n", /* this is more blocks than a grid can have */
    };
    for (int i = 0; i < 6; i++) {
        assert_non_null(fgets(line, sizeof line, output));
        assert_string_equal(line, expected[i]);
    }
    assert_int_equal(pclose(output), 0);
}

/* This program contains the library, and prints its expected time at rows x columns of halves. */
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

/* A library corrects its expected times by the written grid as `best --at` does, between the grid's
 * places and beyond them. */
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

/*
 * This program contains a library for 8.0 and 9.0. Its GPU has the capability in the argument (80
 * is 8.0) and does nothing. The program prints which code is loaded, and the block of the launch.
 */
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

/* The maximum was measured only on 9.0. */
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
    static const char none[] = "4"; /* this is REDSWEEP_ERROR_DEVICE */
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

/* This program in C and C++ calls functions for rows and for an array as one row. */
static const char user[] =
    "#include \"mine_tuned.h\"\n"
    "int use(const uint16_t *input, int64_t *output, float *pair, cudaStream_t stream);\n"
    "int use(const uint16_t *input, int64_t *output, float *pair, cudaStream_t stream)\n"
    "{\n"
    "    mine_status status = mine_rows_argmax_f16(input, 4, 64, output, stream);\n"
    "    if (status == MINE_SUCCESS)\n"
    "        status = mine_argmax_f16(input, 256, output, stream);\n"
    "    if (status == MINE_SUCCESS)\n"
    "        status = mine_rows_mean_var_f16(input, 4, 64, pair, stream);\n"
    "    if (status == MINE_ERROR_CUDA)\n"
    "        return (int)mine_cuda_error();\n"
    "    return mine_release() == MINE_ERROR_BUSY || mine_error_text(status)[0] == 'x';\n"
    "}\n";

/* Names begin with the prefix, the header is valid in C11 and C++17, and all files compile. */
static void rows_and_a_prefix(void **state)
{
    (void)state;
    static struct error e;
    struct tuned_range ranges[2][3];
    struct tuned_function functions[2] = {
        {TYPE_FLOAT16, OP_ARGMAX, OVER_ROWS, .ranges = ranges[0], .range_count = 3},
        {TYPE_FLOAT16, OP_MEAN_VAR, OVER_ROWS, .ranges = ranges[1], .range_count = 1}};
    struct tuned t = {.functions = functions, .function_count = 2, .cc = 90};
    ranges[0][0] = ranges[0][1] = make_range("flat", 2, 4096, 4096);
    ranges[0][0].at = (struct config_shape){4096, 64, 1};
    ranges[0][1].at = (struct config_shape){4096, 512, 1};
    ranges[0][0].model[0] = 2.5; /* both share one code, and the first model counts */
    ranges[0][0].model[2] = 0.125;
    ranges[0][0].shortest = 64;
    ranges[0][0].longest = 512;
    ranges[0][2] = make_range("rows_scalar", 8, 1, (uint64_t)1 << TUNED_MOST_LOG2);
    ranges[0][2].fallback = true;
    ranges[0][2].us[0] = ranges[0][2].us[1] = ranges[0][2].reference_us[0] = NAN;
    ranges[1][0] = ranges[0][0];
    for (int i = 0; i < 3; i++) {
        ranges[0][i].variant.type = TYPE_FLOAT16;
        ranges[0][i].variant.op = OP_ARGMAX;
    }
    ranges[1][0].variant.type = TYPE_FLOAT16;
    ranges[1][0].variant.op = OP_MEAN_VAR;
    if (!written(&t, 1, "mine", in_scratch("mine"), &e))
        fail_msg("%s", e.text);
    expect_file("mine/table.csv");
    expect_file("mine/redsweep_tuned_table.h"); /* two shapes share one entry */
    put("mine", "user.c", user);
    put("mine", "library.c", "#include \"tuned/redsweep_tuned.c\"\n");
    char command[4096], here[1024];
    assert_non_null(getcwd(here, sizeof here));
    setenv("HERE", here, 1);
    setenv("TOOLKIT", TOOLKIT, 1);
    snprintf(command, sizeof command,
             "cd %s && for f in user library; do " COMPILER
             " -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. -I\"$HERE\" "
             "-isystem \"$TOOLKIT/include\" -c $f.c || exit 1; done; "
             "if command -v c++ >/dev/null; then c++ -x c++ -std=c++17 -Wall -Wextra -Werror -I. "
             "-isystem \"$TOOLKIT/include\" -c user.c; fi",
             in_scratch("mine"));
    assert_int_equal(system(command), 0);
    assert_true(tuned_prefix_valid("mine") && tuned_prefix_valid("a_1"));
    assert_false(tuned_prefix_valid("") || tuned_prefix_valid("1a") || tuned_prefix_valid("a-b") ||
                 tuned_prefix_valid("Mine") || tuned_prefix_valid("_a") ||
                 tuned_prefix_valid("abcdefghijklmnopqrstuvwxyzabcdefg"));
}

static void refused(const struct tuned *t, const char *folder, enum error_kind kind)
{
    static struct error e;
    assert_false(written(t, 1, "redsweep", in_scratch(folder), &e));
    assert_int_equal(e.kind, kind);
    texts_expect(folder, e.text);
}

static void what_goes_wrong_is_said(void **state)
{
    (void)state;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    put("blocked", "file", "x");
    refused(&t, "blocked/file/deeper", ERROR_SYSTEM);
    assert_int_equal(mkdir(in_scratch("taken"), 0777), 0);
    assert_int_equal(mkdir(in_scratch("taken/table.csv"), 0777), 0);
    refused(&t, "taken", ERROR_SYSTEM);
    t.cc = 12; /* no GPU has this capability */
    refused(&t, "old", ERROR_UNSUPPORTED);
    t.cc = 90;
    ranges[0].variant.tunables[0] = 3;
    struct kernel broken = *ranges[0].kernel;
    broken.code = (char[]){"extern \"C\" __global__ void even(int *a) { oops; }\n"};
    broken.code_length = strlen(broken.code);
    ranges[0].kernel = &broken;
    static struct error e; /* the error contains the compiler's message */
    assert_false(written(&t, 1, "redsweep", in_scratch("broken"), &e));
    assert_int_equal(e.kind, ERROR_COMPILE);
    assert_non_null(strstr(e.text, "oops"));
}

static void types_have_suffixes(void **state)
{
    (void)state;
    static const char *const suffixes[TYPE_COUNT] = {"i32", "u32",  "i64", "f32", "f64",
                                                     "f16", "bf16", "i8",  "u8",  "u64"};
    for (int type = 0; type < TYPE_COUNT; type++)
        assert_string_equal(element_suffix((enum element_type)type), suffixes[type]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_files_of_a_library),
        cmocka_unit_test(equal_code_is_stored_once),
        cmocka_unit_test(the_code_is_machine_code_without_line_tables),
        cmocka_unit_test(the_code_is_compressed_by_the_toolkit),
        cmocka_unit_test(what_is_written_compiles),
        cmocka_unit_test(a_library_expects_the_times_of_best_at),
        cmocka_unit_test(a_gpu_gets_the_newest_table_that_it_can_run),
        cmocka_unit_test(rows_and_a_prefix),
        cmocka_unit_test(what_goes_wrong_is_said),
        cmocka_unit_test(types_have_suffixes),
    };
    return cmocka_run_group_tests_name("writing", tests, set_up, tear_down);
}
