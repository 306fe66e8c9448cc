/* Extracts the device part of files that mix kernels and host code, as authors write them. Tests
 * which text is kept, which is removed, and the line numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "spec/device_part.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/redsweep-part-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    texts_rename(folder, "$work");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void put(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Returns the device part of a file a.cu with this text, without the first #line directive. */
static struct text part_of(const char *text)
{
    char path[160];
    struct text out = {0};
    struct error e = {0};
    put("a.cu", text);
    snprintf(path, sizeof path, "%s/a.cu", folder);
    if (!device_part(path, "a.cu", &out, &e))
        fail_msg("%s", e.text);
    return out;
}

static void becomes(const char *text, const char *expected)
{
    struct text out = part_of(text);
    static const char begin[] = "#line 1 \"a.cu\"\n";
    const char *part = strstr(out.bytes, begin);
    assert_non_null(part);
    part += sizeof begin - 1;
    size_t length = strlen(part) - 1; /* The part ends with a newline. */
    if (length != strlen(expected) || strncmp(part, expected, length) != 0)
        fail_msg("the device part of\n"
                 "%s\n"
                 "is\n"
                 "%s\n"
                 "instead of\n"
                 "%s",
                 text, part, expected);
    text_free(&out);
}

static void stays(const char *text)
{
    becomes(text, text);
}

static void what_the_device_uses_stays(void **state)
{
    (void)state;
    stays(
        "__global__ void k(int *x)\n{\n    if (x[0] == '}') /* } */\n        x[1] = 0; // }\n}\n");
    stays("template <int N = 256 / 8>\n__global__ void k(int *x)\n{\n}\n");
    stays("static __device__ __forceinline__ int f(int a) { return a; }\n");
    stays("#define FN static __device__\nFN int f(int a) { return a; }\n");
    stays("struct pair {\n    int a, b;\n};\ntypedef int number;\nusing other = float;\n");
    stays("namespace cg = cooperative_groups;\nnamespace a {\n__device__ int x = 3;\n}\n");
    stays("extern \"C\" {\n__global__ void k() {}\n}\nextern \"C\" __global__ void l() {}\n");
    stays("constexpr int twice(int a) { return 2 * a; }\nconst int size = 1'000'000;\n");
    stays("__constant__ int table[2] = {1, 2};\n#if 1\n#define LESS 3\n#endif\nusing namespace "
          "std;\n");
    stays("const int most = 1'000'0, many = 0x1'F;\nconst char brace = '{', quote = '\\'';\n");
    stays("const char *const a = R\"(})\", *const b = R\"x()\" } )x\", *const c = \"}\\\"\";\n");
    stays("template <class T> struct shared {\n    __device__ operator T *() { return 0; }\n};\n");
}

static void what_the_host_has_leaves_its_lines(void **state)
{
    (void)state;
    becomes("int main()\n{\n    k<<<1, 2>>>(0);\n    return 0;\n}\n__global__ void k(int *x) {}\n",
            "\n\n\n\n\n__global__ void k(int *x) {}\n");
    becomes("template <class T = int>\nvoid launch(T *x)\n{\n    puts(\"{\");\n}\nint used;\n",
            "\n\n\n\n\n\n");
    becomes("void f(int);\n__host__ int g() { return 0; }\nstd::vector<int> v = {1, 2};\n",
            "\n\n\n");
    becomes("struct timer {\n    cudaEvent_t a;\n};\nint x[] = {1, 2};\n", "\n\n\n\n");
    becomes("int f()\n{\n    return g(0, R\"yy(\n})yy\", 1'0);\n}\n__device__ int x;\n",
            "\n\n\n\n\n__device__ int x;\n");
    becomes("BIND(a, b)\nBIND(c, d)\nint f() { return 1; }\n", "\n\n\n");
    becomes("__host__ __device__ int f() { return 1; }\n",
            "__host__ __device__ int f() { return 1; }\n");
}

static void includes_are_inserted_or_asked_for(void **state)
{
    (void)state;
    put("own.h", "#pragma once\nint host();\n__device__ int f() { return 1; }\n");
    becomes("#include \"own.h\"\n#include \"own.h\"\n#include \"missing.h\"\n#include "
            "<thrust/reduce.h>\n#include <cmath>\nint a;\n",
            "#line 1 \"own.h\"\n\n\n__device__ int f() { return 1; }\n\n#line 1 \"a.cu\"\n#line 2 "
            "\"a.cu\"\n"
            "#if __has_include(<missing.h>)\n#include <missing.h>\n#endif\n#line 3 \"a.cu\"\n\n"
            "#if __has_include(<cmath>)\n#include <cmath>\n#endif\n#line 5 \"a.cu\"\n\n");
}

static void what_cannot_be_read_is_said(void **state)
{
    (void)state;
    char path[160];
    struct text out = {0};
    struct error e = {0};
    put("a.cu", "int a;\nvoid f() {\n");
    snprintf(path, sizeof path, "%s/a.cu", folder);
    assert_false(device_part(path, "a.cu", &out, &e));
    texts_expect("a bracket that is never closed", e.text);
    text_free(&out);
    assert_false(device_part("/nowhere/b.cu", "b.cu", &out, &e));
    text_free(&out);
}

/* The file may be cut off after any byte. The reader must stop there. */
static void any_beginning_of_a_file_is_read_to_its_end(void **state)
{
    (void)state;
    static const char whole[] =
        "#define A \\\n 1\n#include \"x\ntemplate <class T> __global__ void k(T *x)\n{\n"
        " char c = '\\''; const char *s = R\"(})\"; /* }} */ }\nint a[] = {1, 2};\n"
        "namespace n { extern \"C\" { struct s { int a; } v; } }\nBIND(a)\n";
    char path[160], cut[sizeof whole];
    snprintf(path, sizeof path, "%s/a.cu", folder);
    for (size_t length = 0; length < sizeof whole; length++) {
        struct text out = {0};
        struct error e = {0};
        snprintf(cut, length + 1, "%s", whole);
        put("a.cu", cut);
        if (!device_part(path, "a.cu", &out, &e))
            assert_int_equal(e.kind, ERROR_CONFIG);
        text_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_device_uses_stays),
        cmocka_unit_test(what_the_host_has_leaves_its_lines),
        cmocka_unit_test(includes_are_inserted_or_asked_for),
        cmocka_unit_test(what_cannot_be_read_is_said),
        cmocka_unit_test(any_beginning_of_a_file_is_read_to_its_end),
    };
    return cmocka_run_group_tests_name("device_part", tests, make_folder, remove_folder);
}
