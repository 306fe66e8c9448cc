/* Finds the kernels that a source text defines: their names, their parameters, and where they
 * begin and end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "spec/signature.h"

static void append_parameters(const signature_parameters *list, const char *around,
                              struct text *out)
{
    text_append(out, "%c", around[0]);
    for (size_t i = 0; i < list->count; i++) {
        const struct signature_parameter *p = &list->items[i];
        text_append(out, "%s%s%s%.*s%s%s%s", i ? ", " : "", p->constant ? "const " : "", p->type,
                    p->pointers, "****", *p->name ? " " : "", p->name, p->has_default ? " =" : "");
    }
    text_append(out, "%c", around[1]);
}

/* Checks the signatures of the kernels in a text. `expected` has the form "name<template
 * parameters>(parameters)", joined by "|". In the text itself, "|" marks where a kernel must
 * begin or end. */
static void reads(const char *marked, const char *expected)
{
    size_t marks[16], count = 0, length = 0;
    char text[512];
    struct text got = {0};
    signature_list list;
    assert_true(strlen(marked) < sizeof text);
    for (const char *p = marked; *p; p++) {
        if (*p == '|')
            marks[count++] = length;
        else
            text[length++] = *p;
    }
    text[length] = '\0';
    signatures_read(text, &list);
    for (size_t i = 0; i < list.count; i++) {
        text_append(&got, "%s%s", i ? "|" : "", list.items[i].name);
        if (list.items[i].template_parameters.count)
            append_parameters(&list.items[i].template_parameters, "<>", &got);
        append_parameters(&list.items[i].parameters, "()", &got);
    }
    if (strcmp(text_shown(&got), expected) != 0)
        fail_msg("from\n"
                 "%s\n"
                 "the signatures\n"
                 "%s\n"
                 "were read instead of\n"
                 "%s",
                 text, text_shown(&got), expected);
    assert_int_equal(count, 2 * list.count);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].begin != marks[2 * i] || list.items[i].end != marks[2 * i + 1])
            fail_msg("of\n%s\n%s is from %zu to %zu", text, list.items[i].name, list.items[i].begin,
                     list.items[i].end);
    signatures_free(&list);
    text_free(&got);
}

static void parameters_have_types_and_names(void **state)
{
    (void)state;
    reads("|__global__ void k() {}|", "k()");
    reads("|__global__ void k(void) {}|", "k()");
    reads("|__global__ void k(void *p) {}|", "k(void* p)");
    reads("|__global__ void k(const float *__restrict__ in, float* out, const int n) { out[0] = 1; "
          "}|",
          "k(const float* in, float* out, const int n)");
    reads("|__global__ void k(float const *a, float *const b, int **c, int d[], int) {}|",
          "k(const float* a, float* b, int** c, int* d, int)");
    reads("|__global__ void k(unsigned long long n, std::size_t m, struct pair p, "
          "__grid_constant__ const args a, volatile int *v) {}|",
          "k(unsigned long long n, std::size_t m, pair p, const args a, int* v)");
    reads("|__global__ void k(int n = (3, 4), float x = f<1, 2>(5)) {}|", "k(int n =, float x =)");
}

static void templates_have_parameters(void **state)
{
    (void)state;
    reads("|template <typename T, int BLOCK, bool = true>\n__global__ void k(T *x)\n{\n}|\nint y;",
          "k<typename T, int BLOCK, bool =>(T* x)");
    reads("|template <class F, pair<int, 2> P> __global__ void k(F f) {}|",
          "k<class F, pair int 2 P>(F f)");
}

static void what_is_no_kernel_is_left_out(void **state)
{
    (void)state;
    reads("", "");
    reads("void host() { k<<<1, 2>>>(); }", "");
    reads("__global__ void k(int n);", "");
    reads("__global__", "");
    reads("__global__ void k(int n)", "");
    reads("__global__ (int n) {}", "");
    reads("__global__ int x; void f() {}", "");
    reads("// __global__ void k(int n) {}\n/* __global__ void l(int n) {} */", "");
    reads("const char *s = \"__global__ void k(int n) {}\";", "");
}

static void kernels_begin_and_end(void **state)
{
    (void)state;
    reads("int a; |__global__ void k(int n) { if (n) { n = '}'; } }| int b;", "k(int n)");
    reads("int f() { return 1; }\n|static __global__ void k(int n)\n{\n}|\n|__global__ void l(char "
          "c) {}|",
          "k(int n)|l(char c)");
    reads("namespace a {\n|__global__ void __launch_bounds__(256, 1 + (2)) k (int n) {}|\n}",
          "k(int n)");
    reads("|extern \"C\" __global__ void k(int n) { /* } */ n = 1'0; // }\n }|;", "k(int n)");
    reads("int x = 4 / 2; |__global__ void k(int /* how many */ n, // of them\n int m) {}|",
          "k(int n, int m)");
    reads("#define K __global__ void m(int) { \\\n }\n  # if 1\n|__global__ void k(int n) "
          "{}|\n#endif",
          "k(int n)");
    reads("char q = '\"', r = '\\\\'; const char *s = \"a\\\"}\"; |__global__ void k(int n) {}|",
          "k(int n)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_have_types_and_names),
        cmocka_unit_test(templates_have_parameters),
        cmocka_unit_test(what_is_no_kernel_is_left_out),
        cmocka_unit_test(kernels_begin_and_end),
    };
    return cmocka_run_group_tests_name("signatures", tests, NULL, NULL);
}
