/*
 * Checks the values of the expression language in base/expr.h. tests/texts/expressions.txt contains
 * more values, and the message of each error.
 */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../texts/expected.h"
#include "base/text.h"
#include "toy_names.h"

static double value_of(const char *source)
{
    struct error e = {0};
    struct expr *x;
    double value = -12345;
    if (!expr_parse(source, &x, &e))
        fail_msg("%s", e.text);
    assert_string_equal(expr_source(x), source);
    if (!expr_number(x, toy_name, NULL, &value, &e))
        fail_msg("%s", e.text);
    expr_free(x);
    return value;
}

/* fnmatch(3) defines what an unclosed bracket means, and the language must follow. */
static void globs_are_those_of_text_glob_match(void **state)
{
    (void)state;
    static const char *const globs[] = {"u?r[n-s]ll", "u?r[!n-s]ll", "u*[", "[]u]nroll", "u**l"};
    for (size_t i = 0; i < sizeof globs / sizeof *globs; i++) {
        char source[40];
        snprintf(source, sizeof source, "kernel = '%s'", globs[i]);
        assert_true(value_of(source) == text_glob_match(globs[i], "unroll"));
    }
}

static void caret_stands_under_the_fault(void **state)
{
    (void)state;
    struct error e = {0};
    struct expr *x;
    assert_false(expr_parse("block > 512 nad n < 3", &x, &e));
    assert_non_null(strstr(e.text, "\n    block > 512 nad n < 3\n                ^"));
    /* The letter é is one column wide, and the tab is shown as a blank. */
    assert_false(expr_parse("a =\t'é' x", &x, &e));
    assert_non_null(strstr(e.text, "\n    a = 'é' x\n            ^"));

    char longer[601]; /* The message shows just the part around the fault. */
    memset(longer, ' ', 600);
    longer[0] = '1';
    memcpy(longer + 300, "$", 1);
    longer[600] = '\0';
    assert_false(expr_parse(longer, &x, &e));
    assert_true(strlen(e.text) < 300);
    const char *shown = strstr(e.text, "\n    …");
    assert_non_null(shown);
    const char *dollar = strchr(shown, '$'), *below = strchr(shown + 1, '\n');
    assert_non_null(dollar);
    assert_non_null(below);
    /* "…" is three bytes long and one column wide. */
    assert_int_equal(strchr(below, '^') - below, dollar - shown - 2);
}

static bool count_of(const char *source, unsigned long long *count, struct error *e)
{
    struct expr *x;
    if (!expr_parse(source, &x, e))
        fail_msg("%s", e->text);
    bool ok = expr_count(x, toy_name, NULL, count, e);
    expr_free(x);
    return ok;
}

static void counts(void **state)
{
    (void)state;
    struct error e = {0};
    unsigned long long count = 0;
    assert_true(count_of("0", &count, &e));
    assert_true(count == 0);
    assert_true(count_of("2^62", &count, &e));
    assert_true(count == 1ull << 62);
    assert_true(count_of("ceil_div(N, 3)", &count, &e));
    assert_true(count == 333334);
    assert_false(count_of("2^63", &count, &e));
    texts_expect("2^63", e.text);
    assert_false(count_of("0 - 1", &count, &e));
    texts_expect("0 - 1", e.text);
    assert_false(count_of("7 / 2", &count, &e));
    texts_expect("7 / 2", e.text);
    assert_false(count_of("missing", &count, &e));
    texts_expect("missing", e.text);
}

/* A value that need not be an integer is computed as in the C code that expr_write_c() writes,
 * even where the exact evaluation would report an error. */
static void estimates_divide_fractions(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        double value;
    } cases[] = {{"ceil_div(7, 7 / 2)", 2},
                 {"ceil_div(7.5, 2)", 4},
                 {"ceil_div(5, 2.5)", 2},
                 {"ceil_div(0, 2.5)", 0},
                 {"ceil_div(2^53, 3)", 3002399751580331},
                 {"ceil_div(1, 0.0)", NAN},
                 {"ceil_div(-1.5, 2)", NAN},
                 {"7.5 % 2", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *x;
        struct error e = {0};
        double value = NAN;
        assert_true(expr_parse(cases[i].source, &x, &e));
        const bool known = expr_estimate(x, toy_name, NULL, &value, &e);
        if (known != !isnan(cases[i].value) || (known && value != cases[i].value))
            fail_msg("%s is %.17g: %s", cases[i].source, value, e.text);
        error_clear(&e);
        assert_int_equal(expr_number(x, toy_name, NULL, &value, &e), i == 4);
        expr_free(x);
    }
}

static void collect(void *context, const char *name)
{
    text_append(context, "%s ", name);
}

static void assert_names(const char *source, const char *expected)
{
    struct error e = {0};
    struct expr *x;
    struct text found = {0};
    if (!expr_parse(source, &x, &e))
        fail_msg("%s", e.text);
    expr_names(x, collect, &found);
    assert_string_equal(found.bytes ? found.bytes : "", expected);
    text_free(&found);
    expr_free(x);
}

static void visited_names(void **state)
{
    (void)state;
    assert_names("1 + 2", "");
    assert_names("a + b * a", "a b ");
    assert_names("kernel = unroll and block > 512", "kernel block ");
    assert_names("kernel = unroll and unroll > 2", "kernel unroll ");
    assert_names("kernel = 'unr*'", "kernel ");
    assert_names("BLOCK <= LOADS", "BLOCK LOADS ");
    assert_names("BLOCK * 2 = COVERS", "BLOCK COVERS ");
    assert_names("min(a, min(b, c))", "a b c ");
}

/* Random bytes and random tokens give a value or an error, never a crash. */
static void random_sources(void **state)
{
    (void)state;
    static const char *const tokens[] = {
        "1",   "2.5", "BLOCK", "kernel", "'u*'",  "(",       ")", ",",    "min(",
        "if(", "=",   "!=",    "<",      "+",     "-",       "*", "/",    "%",
        "^",   "and", "or",    "not",    "log2(", "missing", " ", "\xff", "é",
    };
    srand(20240917);
    for (int i = 0; i < 20000; i++) {
        struct text t = {0};
        text_append(&t, "%s", "");
        for (int j = rand() % 12; j >= 0; j--)
            text_append(&t, "%s ", tokens[(size_t)rand() % (sizeof tokens / sizeof tokens[0])]);
        struct error e = {0};
        struct expr *x;
        double value;
        if (expr_parse(t.bytes, &x, &e)) {
            if (!expr_number(x, toy_name, NULL, &value, &e))
                assert_int_equal(e.kind, ERROR_CONFIG);
            expr_free(x);
        } else {
            assert_int_equal(e.kind, ERROR_CONFIG);
        }
        text_free(&t);
    }
}

static void *evaluate_often(void *context)
{
    for (int i = 0; i < 2000; i++) {
        double value = 0;
        if (!expr_number(context, toy_name, NULL, &value, NULL) || value != 489)
            return context;
    }
    return NULL;
}

static void threads_share_an_expression(void **state)
{
    (void)state;
    struct expr *x;
    pthread_t threads[4];
    assert_true(expr_parse("if(kernel = 'unr*', ceil_div(N, BLOCK * UNROLL), 0)", &x, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, evaluate_often, x), 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    expr_free(x);
}

/* For the tuned library, expressions are written as C code, which must compute the same values. */
static void expressions_in_c(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"n", "n"},
        {"7 / 2", "((double)7 / (double)2)"},
        {"a + b - c * d", "((a + b) - (c * d))"},
        {"a = 1 and b != 2 or c < 3",
         "(((a == (double)1) && (b != (double)2)) || (c < (double)3))"},
        {"a <= 1 and b > 2 and c >= 3",
         "(((a <= (double)1) && (b > (double)2)) && (c >= (double)3))"},
        {"not (a = 1)", "!((a == (double)1))"},
        {"-a % 2^b", "rest_of(-(a), pow((double)2, b))"},
        {"min(a, max(b, 1))", "fmin(a, fmax(b, (double)1))"},
        {"ceil_div(n, block) + log2(n)", "(ceil_div(n, block) + log2(n))"},
        {"if(power_of_two(n), 1, 2)", "(is_power_of_two(n) ? (double)1 : (double)2)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *x;
        struct error e = {0};
        struct text c = {0};
        if (!expr_parse(cases[i][0], &x, &e))
            fail_msg("%s", e.text);
        assert_true(expr_write_c(x, &c));
        assert_string_equal(c.bytes, cases[i][1]);
        text_free(&c);
        expr_free(x);
    }
    struct expr *x;
    struct text c = {0};
    assert_true(expr_parse("kernel = \"unroll\"", &x, NULL));
    assert_false(expr_write_c(x, &c)); /* The C code cannot contain texts. */
    text_free(&c);
    expr_free(x);
}

static bool find_partly(void *context, const char *name, struct expr_value *value)
{
    *value = (struct expr_value){.number = INFINITY};
    return strcmp(name, "later") == 0 || toy_name(context, name, value);
}

/* The value of `later` is unknown, but some conditions are true or false whatever it is. A missing
 * value can decide a condition. An error cannot. */
static void partly_known(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        enum expr_truth truth;
    } cases[] = {
        {"later = 1", EXPR_UNKNOWN},
        {"not (later = 1)", EXPR_UNKNOWN},
        {"later = word", EXPR_UNKNOWN},
        {"later = \"w*\"", EXPR_UNKNOWN},
        {"later = word or BLOCK = 256", EXPR_TRUE},
        {"later = word and BLOCK = 255", EXPR_FALSE},
        {"later = 1 and BLOCK = 256", EXPR_UNKNOWN},
        {"later = 1 and BLOCK = 255", EXPR_FALSE},
        {"BLOCK = 255 and later = 1", EXPR_FALSE},
        {"later = 1 or BLOCK = 256", EXPR_TRUE},
        {"BLOCK = 256 or later = 1", EXPR_TRUE},
        {"later = 1 or BLOCK = 255", EXPR_UNKNOWN},
        {"BLOCK = 256 and later = 1", EXPR_UNKNOWN},
        {"not (later = 1 and BLOCK = 255)", EXPR_TRUE},
        {"missing = later", EXPR_FALSE},
        {"later + missing > 0", EXPR_FALSE},
        {"later + 1 > 0", EXPR_UNKNOWN},
        {"-later", EXPR_UNKNOWN},
        {"max(1, later)", EXPR_UNKNOWN},
        {"power_of_two(later)", EXPR_UNKNOWN},
        {"if(later, 1, 1)", EXPR_UNKNOWN},
        {"if(BLOCK, 1, later)", EXPR_TRUE},
        {"if(BLOCK, later, 1)", EXPR_UNKNOWN},
        {"1 / zero = later", EXPR_UNKNOWN},
        {"1 / zero", EXPR_UNKNOWN},
        {"kernel = unroll", EXPR_TRUE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *x;
        assert_true(expr_parse(cases[i].source, &x, NULL));
        enum expr_truth truth = expr_partial(x, find_partly, NULL);
        if (truth != cases[i].truth)
            fail_msg("%s: %d", cases[i].source, (int)truth);
        expr_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_in_c),
        cmocka_unit_test(globs_are_those_of_text_glob_match),
        cmocka_unit_test(partly_known),
        cmocka_unit_test(caret_stands_under_the_fault),
        cmocka_unit_test(counts),
        cmocka_unit_test(estimates_divide_fractions),
        cmocka_unit_test(visited_names),
        cmocka_unit_test(random_sources),
        cmocka_unit_test(threads_share_an_expression),
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
