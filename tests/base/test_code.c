/*
 * Checks which source texts fold to the same text (base/code.h). tests/compile/test_code.c checks
 * folding against the compiler.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/code.h"

static char *fold(const char *code)
{
    struct text out = {0};
    code_fold(code, strlen(code), &out, NULL);
    text_append(&out, "%s", "");
    return out.bytes;
}

struct pair {
    const char *a, *b;
};

static const struct pair equal[] = {
    {"", " \t\r\n\f\v"},
    {"", "// x"},
    {"", "/* x */\n// y\n"},
    {"", "// x \\\n y"}, /* the backslash joins the two lines, so both are comment */
    {"int a;", "int/**/a ;"},
    {"int a;", "\n\n  int\ta\n;\n"},
    {"int a;\nint b;", "int a; int b;"},
    {"int a;\n", "int a;\r\n"},
    {"int ab;", "int a\\\nb;"},
    {"int ab;", "int a\\\r\nb;"},
    {"a+b", "a + b"},
    {"a+++b", "a++ + b"},
    {"a>>b", "a >> b"},
    {"f<<<g,b>>>(x)", "f <<< g , b >>> ( x )"},
    {"a/b", "a / b"},
    {"a/ *b", "a / * b"},
    {"x<::y>", "x < ::y >"},
    {"1'000", " 1'000 "},
    {"1e+5+x", "1e+5 + x"},
    {".5f", " .5f"},
    {"\"a\" \"b\"", "\"a\"\"b\""},
    {"\"/*\"", "\"/*\" /* \" */"},
    {"'\"' + '\\''", "'\"'+'\\''// '"},
    {"R\"(a\nb)\"", "\nR\"(a\nb)\"\n"},
    {"#define A 1\n", "  #  define   A\t1 // one\n"},
    {"#define A 1\n", "#define A \\\n 1\n"},
    {"#define A 1\n", "/* x */ #define A 1"},
    {"#define A 1\n", "#define A /* x\n y */ 1\n"},
    {"#define A\n#define B\n", "#define A\n\n\n#define B"},
    {"int a;\n#if A\nint b;\n#endif\n", "int a; // x\n\n# if A\n int b;\n#endif"},
    {"#define F(x) x\n", "#define F( x )  x\n"},
    {"#define F (x)\n", "#define F  ( x )\n"},
    {"#include \"a.h\"\n", "# include   \"a.h\"  // x\n"},
    {"#include \"a.h\"\n", "#include \"../lib/a.h\"\n"},
    {"#include <a.h>\n", "#include<a.h>\n"},
    {"#define S(x) #x\nS(a + b)", "#define S(x)  #x // x\nS(a  +\n/**/ b)"},
    {"int a = __LINE__;", "int a/**/=  __LINE__; // x"},
    {"asm(\"add %0, %1;\" : \"=r\"(a));", "asm ( \"add %0, %1;\"\n: \"=r\" (a) ) ;"},
    {"#pragma unroll\nfor (;;) ;", "#pragma  unroll // all\n  for(;;);"},
};

static const struct pair different[] = {
    {"a b", "ab"},
    {"a + +b", "a ++b"},
    {"a - -b", "a --b"},
    {"a > > b", "a >> b"},
    {"a & &b", "a &&b"},
    {"a < <b", "a <<b"},
    {"x<:: y", "x<: :y"},
    {"1 .5", "1.5"},
    {"0x1e + 5", "0x1e+5"}, /* one token, an invalid number */
    {"\"a b\"", "\"ab\""},
    {"\"a  b\"", "\"a b\""},
    {"\"a/* */b\"", "\"ab\""},
    {"\"// x\"", "\"// y\""},
    {"' '", "'  '"},
    {"\"a\\\" /* \" b", "\"a\\\" /* \" c"},
    {"\"a\"_s", "\"a\" _s"},
    {"L\"a\"", "L \"a\""},
    {"R\"(a b)\"", "R\"(ab)\""},
    {"R\"(a\nb)\"", "R\"(a b)\""},
    {"R\"x(/*)\" )x\" a", "R\"x(/*)\" )x\" b"},
    {"R\"(a\\\nb)\"", "R\"(ab)\""}, /* in a raw string, a backslash does not join lines */
    {"R\"xy(a  )\" )x\" b)xy\"", "R\"xy(a )\" )x\" b)xy\""},
    {"R\"xy()xy\" + R\"(a  b)\"", "R\"xy()xy\" + R\"(a b)\""},
    {"R\"xy(\" b  c \")xy\"", "R\"xy(\" b c \")xy\""},
    {"a . 5", "a .5"},
    {"R\"(//)\" + 1", "R\"(//)\" + 2"},
    {"#define A 1\nB", "#define A 1 B"},
    {"#define A 1\n2", "#define A 1 \\\n2"},
    {"#define F(x) x\n", "#define F (x) x\n"},
    {"#pragma unroll\nfor (;;) ;", "#pragma unroll for (;;) ;"},
    {"#if A\n#endif\nint a;", "#if A\nint a;\n#endif\n"},
    {"#include \"a.h\"\n", "#include \"b.h\"\n"},
    {"#include \"a.h\"\n", "#include <a.h>\n"},
    {"#include <a/b.h>\n", "#include <b.h>\n"},
    {"#include <a//b.h>\nint a;", "#include <a//c.h>\nint a;"},
    {"#define S(x) #x\nS(a + b)", "#define S(x) #x\nS(a+b)"},
    {"#define S(x) %:x\nS(a b)", "#define S(x) %:x\nS(ab)"},
    {"int a = __LINE__;", "\nint a = __LINE__;"},
    {"assert(a);", "\nassert(a);"},
    {"// x \\\n int a;", "// x\n int a;"},
    {"// x \\ \n int a;", "// x\n"},
    {"/* x *\\\n/ int a;", "/* x */ int b;"},
    {"a /\\\n* x */ b", "a / b"},
    {"#error don't /* x\n int a;", "#error don't /* x\n int b;"},
    {"int \\u00e4;", "int \\u00e5;"},
    {"int \xc3\xa4;", "int \xc3\xa5;"},
    {"// x\r int a;", "// x\r int b;"}, /* compilers disagree on whether \r ends a line */
};

static void what_the_compiler_does_not_see_does_not_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
        char *a = fold(equal[i].a), *b = fold(equal[i].b);
        if (strcmp(a, b) != 0)
            fail_msg("'%s' folds to '%s', '%s' to '%s'", equal[i].a, a, equal[i].b, b);
        free(a);
        free(b);
    }
}

static void what_it_sees_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof different / sizeof *different; i++) {
        char *a = fold(different[i].a), *b = fold(different[i].b);
        if (strcmp(a, b) == 0)
            fail_msg("'%s' and '%s' both fold to '%s'", different[i].a, different[i].b, a);
        free(a);
        free(b);
    }
}

/* The folded text is itself code, and folding it again changes nothing. */
static void folding_twice_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof equal / sizeof *equal + sizeof different / sizeof *different;
         i++) {
        size_t first = sizeof equal / sizeof *equal;
        const char *text = i < first ? equal[i].a : different[i - first].a;
        if (strstr(text, "__LINE__") || strstr(text, "assert"))
            continue; /* If line numbers matter, folding adds a line end to a directive. */
        char *once = fold(text), *twice = fold(once);
        assert_string_equal(once, twice);
        free(once);
        free(twice);
    }
}

static void includes_are_listed_as_written(void **state)
{
    (void)state;
    static const char code[] =
        "#include \"../lib/a.cuh\"\n// #include \"no.h\"\n"
        "/* #include \"no.h\" */\n\"#include <no.h>\";\n"
        "#if __has_include(<cub/cub.cuh>)\n#  include <cub/cub.cuh>\n#endif\n"
        "#inc\\\nlude /**/ \"b.h\"\n#include MACRO\nint include(\"no.h\");\n";
    static const char *const expected[] = {"../lib/a.cuh", "cub/cub.cuh", "cub/cub.cuh", "b.h"};
    struct text out = {0};
    code_includes includes = {0};
    code_fold(code, sizeof code - 1, &out, &includes);
    assert_int_equal(includes.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < includes.count; i++)
        assert_string_equal(includes.items[i], expected[i]);
    code_includes_free(&includes);
    text_free(&out);
}

/* code_fold() accepts any bytes, including NUL. The text may begin a literal, a comment or a
 * directive without ending it. */
static void any_bytes_can_be_folded(void **state)
{
    (void)state;
    static const char *const torn[] = {
        "\"a",         "'a",          "/* a", "R\"(a", "R\"a", "R\"aaaaaaaaaaaaaaaaaaaaa(",
        "#include <a", "#include \"", "\\",   "a\\",   "#",    "#define",
        "u8R\"x(",     "/",           "1e",   "'\\"};
    for (size_t i = 0; i < sizeof torn / sizeof *torn; i++) {
        char *text = fold(torn[i]);
        assert_true(strlen(text) > 0 || torn[i][1] == '*');
        free(text);
    }
    struct text out = {0};
    code_fold("a\0b", 3, &out, NULL);
    assert_int_equal(out.length, 5);
    assert_memory_equal(out.bytes, "a \0 b", 5);
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_compiler_does_not_see_does_not_count),
        cmocka_unit_test(what_it_sees_counts),
        cmocka_unit_test(folding_twice_changes_nothing),
        cmocka_unit_test(includes_are_listed_as_written),
        cmocka_unit_test(any_bytes_can_be_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
