/*
 * What is written for a library: the table for people, the table for C (which compiles), its code,
 * and what is said when it cannot be written.
 */
#include "fixture.h"

#include "record/table.h"
#include "compile/compile.h"
#include "spec/kernel.h"

static struct catalogue kernels;
static struct compiler *compiler;

static int set_up(void **state)
{
    static struct error e;
    char cache[64];
    if (make_scratch(state) != 0)
        return -1;
    kernels = make_catalogue();
    snprintf(cache, sizeof cache, "%s/cache", scratch);
    return compiler_open(cache, "kernels", &compiler, &e) ? 0 : -1;
}

static int tear_down(void **state)
{
    compiler_close(compiler);
    catalogue_free(&kernels);
    return remove_scratch(state);
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

/* A sum whose second range needs both widths of n, and a maximum with the sum's first setting. */
static struct tuned make_tuned(struct tuned_function functions[2], struct tuned_range ranges[3])
{
    ranges[0] = make_range("even", 2, 1, 8192);
    ranges[1] = make_range("odd", 4, 8193, (uint64_t)1 << TUNED_MOST_LOG2);
    ranges[2] = make_range("even", 2, 1, (uint64_t)1 << 31);
    ranges[2].variant.op = OP_MAX;
    functions[0] = (struct tuned_function){TYPE_INT32, OP_SUM, ranges, 2};
    functions[1] = (struct tuned_function){TYPE_INT32, OP_MAX, &ranges[2], 1};
    return (struct tuned){.catalogue = &kernels,
                          .functions = functions,
                          .function_count = 2,
                          .device = "Device D",
                          .started = "2026-01-02T03:04:05Z",
                          .run = "invented",
                          .cc = 90};
}

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

static int times_in(const char *text, const char *part)
{
    int times = 0;
    while ((text = strstr(text, part)) != NULL)
        times++, text += strlen(part);
    return times;
}

static void write_library(const char *folder)
{
    static struct error e;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    if (!tuned_write(&t, 1, compiler, in_scratch(folder), &e))
        fail_msg("%s", e.text);
}

static void the_table_for_people(void **state)
{
    (void)state;
    write_library("people");
    struct table t;
    assert_true(table_read(in_scratch("people/table.csv"), &t, NULL));
    assert_int_equal(t.row_count, 3);
    static const char *const expected[3][12] = {
        {"reduce_sum_i32", "1", "8192", "even", "block 64 LOADS 2", "1", "4.25", "5", "2", "8.5",
         "", "9.0"},
        {"reduce_sum_i32", "8193", "1099511627776", "odd", "block 64 LOADS 4", "8193", "4.25", "5",
         "8194", "8.5", "", "9.0"},
        {"reduce_max_i32", "1", "2147483648", "even", "block 64 LOADS 2", "1", "4.25", "5", "2",
         "8.5", "", "9.0"},
    };
    for (size_t row = 0; row < 3; row++)
        for (int c = 0; c < 12; c++)
            assert_string_equal(table_cell(&t, row, c), expected[row][c]);
    table_free(&t);
}

static void the_table_for_c(void **state)
{
    (void)state;
    write_library("c");
    char *text = file_text("c/redsweep_tuned_table.h");
    assert_non_null(strstr(
        text, "the run invented of 2026-01-02T03:04:05Z on Device D (compute capability 9.0)"));
    /* Beyond 2^31 elements counts are 64 bits wide: an entry of its own for these. Each entry has
     * code for aligned input and for any other, which these kernels do not tell apart by text, but
     * by the macro that they are compiled with; as machine code and as PTX. */
    assert_non_null(strstr(text, "{UINT64_C(8192), \"even\", 64, 4, shape_0, {{0, 1}, {2, 3}}}"));
    assert_non_null(
        strstr(text, "{UINT64_C(2147483648), \"odd\", 64, 4, shape_1, {{4, 5}, {6, 7}}}"));
    assert_non_null(
        strstr(text, "{UINT64_C(1099511627776), \"odd\", 64, 8, shape_1, {{8, 9}, {10, 11}}}"));
    assert_non_null(
        strstr(text, "{UINT64_C(2147483648), \"even\", 64, 4, shape_2, {{12, 13}, {14, 15}}}"));
    assert_int_equal(times_in(text, "static const uint64_t image_"), 16);
    assert_int_equal(times_in(text, "}, /* block 64 LOADS 2 */\n"), 2);
    assert_int_equal(times_in(text, "}, /* block 64 LOADS 4 */\n"), 2);
    free(text);
    text = file_text("c/redsweep_tuned.h");
    assert_non_null(strstr(text, "cudaError_t reduce_sum_i32(const int32_t *d_in, size_t n, "
                                 "int32_t *d_out,"));
    assert_non_null(strstr(text, "X(max, i32, int32_t)"));
    assert_non_null(strstr(text, "Measured on compute capability 9.0."));
    free(text);
}

/* Two ranges of equal settings share their code. */
static void equal_code_is_stored_once(void **state)
{
    (void)state;
    static struct error e;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    ranges[1] = make_range("even", 2, 8193, 16384);
    t.function_count = 1;
    assert_true(tuned_write(&t, 1, compiler, in_scratch("once"), &e));
    char *text = file_text("once/redsweep_tuned_table.h");
    assert_int_equal(times_in(text, "static const uint64_t image_"), 4);
    assert_non_null(strstr(text, "{UINT64_C(8192), \"even\", 64, 4, shape_0, {{0, 1}, {2, 3}}}"));
    assert_non_null(strstr(text, "{UINT64_C(16384), \"even\", 64, 4, shape_1, {{0, 1}, {2, 3}}}"));
    free(text);
}

/* An image is a cubin, as 64-bit words, without the line tables that redsweep's own images have. */
static void the_code_is_machine_code_without_line_tables(void **state)
{
    (void)state;
    write_library("code");
    char *text = file_text("code/redsweep_tuned_table.h");
    const char *at = strstr(text, "image_0[");
    assert_non_null(at);
    size_t words = strtoull(at + strlen("image_0["), NULL, 10), got = 0;
    uint64_t *image = calloc(words + 1, sizeof *image);
    const char *end = strstr(at, "};");
    for (at = strchr(at, '{'); (at = strstr(at, "0x")) != NULL && at < end; at += 2)
        image[got++] = strtoull(at, NULL, 16);
    assert_int_equal(got, words);
    assert_memory_equal(image, "\177ELF", 4);
    size_t length = words * sizeof *image;
    assert_non_null(memmem(image, length, ".text.even", 10));
    assert_null(memmem(image, length, ".debug_line", 11));
    assert_null(memmem(image, length, "even.cu", 7));
    free(image);
    free(text);
}

/* A program around the library, which tells what it would launch for a few n; it launches nothing.
 */
static const char program[] =
    "#include \"tuned/redsweep_tuned.c\"\n"
    "#include <stdio.h>\n"
    "int main(void)\n"
    "{\n"
    "    const uint64_t n[] = {1, 8192, 8193, 1ull << 31, (1ull << 31) + 1, 1ull << 40};\n"
    "    for (int i = 0; i < 6; i++) {\n"
    "        const struct entry *e = sum_i32_90;\n"
    "        struct shape s;\n"
    "        while (e->last < n[i])\n"
    "            e++;\n"
    "        e->shape((double)n[i], 132, &s);\n"
    "        printf(\"%s %u %.0f %.0f %.0f %.0f\\n\", e->kernel, e->count_bytes, s.grid, "
    "s.workspace,\n"
    "               s.shared, s.cluster);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

/* What is written and what is written by hand make one file of C, with the facts' shapes in it. */
static void what_is_written_compiles(void **state)
{
    (void)state;
    write_library("whole");
    put("whole", "main.c", program);
    char command[4096], line[128], here[1024];
    assert_non_null(getcwd(here, sizeof here)); /* its name may have spaces and quotes */
    setenv("HERE", here, 1);
    setenv("TOOLKIT", TOOLKIT, 1);
    snprintf(command, sizeof command,
             "cd %s && " COMPILER " -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror "
             "-Wno-unused-function -I. -I\"$HERE\" -isystem \"$TOOLKIT/include\" main.c -o main "
             "-L\"$TOOLKIT/lib64\" "
             "-lcudart_static -lpthread -ldl -lrt -lm && ./main",
             in_scratch("whole"));
    FILE *output = popen(command, "r");
    assert_non_null(output);
    static const char *const expected[] = {
        /* kernel, bytes of n, blocks of 64 times LOADS elements, 16 bytes for each, shared, cluster
         */
        "even 4 1 16 0 1\n",
        "even 4 64 1024 0 1\n",
        "odd 4 33 528 0 1\n",
        "odd 4 8388608 134217728 0 1\n",
        "odd 8 8388609 134217744 0 1\n",
        "odd 8 4294967296 68719476736 0 1\n",
    };
    for (int i = 0; i < 6; i++) {
        assert_non_null(fgets(line, sizeof line, output));
        assert_string_equal(line, expected[i]);
    }
    assert_int_equal(pclose(output), 0);
}

/*
 * A program around a library for 8.0 and 9.0, whose GPU is of the capability that its argument says
 * (80: 8.0) and does nothing: which code is loaded, and with which block it is launched.
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
    "    cudaError_t sum = reduce_sum_i32(in, 16, &out, NULL);\n"
    "    printf(\"%d max \", (int)sum);\n"
    "    printf(\"%d\\n\", (int)reduce_max_i32(in, 16, &out, NULL));\n"
    "    return redsweep_tuned_release() != cudaSuccess;\n"
    "}\n";

/* The maximum was measured on 9.0 only. */
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
    if (!tuned_write(targets, 2, compiler, in_scratch("two"), &e))
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
    static const char none[] = "209"; /* cudaErrorNoKernelImageForDevice */
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

static void refused(const struct tuned *t, const char *folder, enum error_kind kind,
                    const char *message)
{
    static struct error e;
    assert_false(tuned_write(t, 1, compiler, folder, &e));
    assert_int_equal(e.kind, kind);
    if (!strstr(e.text, message))
        fail_msg("'%s' does not say '%s'", e.text, message);
}

static void what_goes_wrong_is_said(void **state)
{
    (void)state;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    put("blocked", "file", "x");
    refused(&t, in_scratch("blocked/file/deeper"), ERROR_SYSTEM, "cannot make the folder");
    assert_int_equal(mkdir(in_scratch("taken"), 0777), 0);
    assert_int_equal(mkdir(in_scratch("taken/table.csv"), 0777), 0);
    refused(&t, in_scratch("taken"), ERROR_SYSTEM, "taken/table.csv: cannot write");
    t.cc = 12; /* no such GPU */
    refused(&t, in_scratch("old"), ERROR_UNSUPPORTED, "kernel even");
    t.cc = 90;
    ranges[0].variant.tunables[0] = 3;
    struct kernel broken = *ranges[0].kernel;
    broken.code = (char[]){"extern \"C\" __global__ void even(int *a) { oops; }\n"};
    broken.code_length = strlen(broken.code);
    ranges[0].kernel = &broken;
    refused(&t, in_scratch("broken"), ERROR_COMPILE, "oops");
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
        cmocka_unit_test(the_table_for_people),
        cmocka_unit_test(the_table_for_c),
        cmocka_unit_test(equal_code_is_stored_once),
        cmocka_unit_test(the_code_is_machine_code_without_line_tables),
        cmocka_unit_test(what_is_written_compiles),
        cmocka_unit_test(a_gpu_gets_the_newest_table_that_it_can_run),
        cmocka_unit_test(what_goes_wrong_is_said),
        cmocka_unit_test(types_have_suffixes),
    };
    return cmocka_run_group_tests_name("writing", tests, set_up, tear_down);
}
