/*
 * The expression language of base/expr.h: values by hand, text comparisons, every error once.
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

#include "base/expr.h"
#include "base/text.h"

static const struct {
    const char *name, *text;
    double number;
} names[] = {
    {"BLOCK", NULL, 256},
    {"UNROLL", NULL, 8},
    {"N", NULL, 1000000},
    {"unroll", NULL, 4},
    {"kernel", "unroll", 0},
    {"op", "min", 0},
    {"zero", NULL, 0},
    {"missing", NULL, NAN},
    {"gpu__time.sum", NULL, 12.5},
    {"device", "NVIDIA H200", 0},
    {"odd", "a[b", 0},
};

static bool find(void *context, const char *name, struct expr_value *value)
{
    (void)context;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0) {
            value->text = names[i].text;
            value->number = names[i].number;
            return true;
        }
    return false;
}

static double value_of(const char *source)
{
    struct error e = {0};
    struct expr *x;
    double value = -12345;
    if (!expr_parse(source, &x, &e))
        fail_msg("%s", e.text);
    assert_string_equal(expr_source(x), source);
    if (!expr_number(x, find, NULL, &value, &e))
        fail_msg("%s", e.text);
    expr_free(x);
    return value;
}

#define VALUE(source, expected)                                                                    \
    do {                                                                                           \
        double value = value_of(source);                                                           \
        if (value != (expected))                                                                   \
            fail_msg("%s is %.17g, not %.17g", source, value, (double)(expected));                 \
    } while (0)

static void numbers(void **state)
{
    (void)state;
    VALUE("12", 12);
    VALUE(" 1.5e3\n", 1500);
    VALUE(".5", 0.5);
    VALUE("2.", 2);
    VALUE("1e+2 + 1E-2", 100.01);
    VALUE("9007199254740992", 9007199254740992.0);
    VALUE("2^20", 1048576);
    VALUE("2^30 - 1", 1073741823);
}

static void precedence(void **state)
{
    (void)state;
    VALUE("1 + 2 * 3", 7);
    VALUE("(1 + 2) * 3", 9);
    VALUE("10 - 4 - 3", 3);
    VALUE("100 / 10 / 5", 2);
    VALUE("2 ^ 3 ^ 2", 512);
    VALUE("-2 ^ 2", -4);
    VALUE("2 ^ -1", 0.5);
    VALUE("--3", 3);
    VALUE("2 * -3", -6);
    VALUE("7 / 2", 3.5);
    VALUE("7 % 4 * 2", 6);
    VALUE("1 or 0 and 0", 1);
    VALUE("not 1 = 2", 1);
    VALUE("not 0 and 0", 0);
    VALUE("not not 5", 1);
    VALUE("1 + 1 = 2 and 3 > 2 + 0", 1);
    VALUE("2 < 1 || !(3 <= 2) && 1 == 1", 1);
    VALUE("3 != 3", 0);
    VALUE("3 >= 3", 1);
    VALUE("3 < 3", 0);
}

static void calls(void **state)
{
    (void)state;
    VALUE("min(3, 1, 2)", 1);
    VALUE("max(3, 1, 2, 9, 4)", 9);
    VALUE("min(7)", 7);
    VALUE("ceil_div(N, BLOCK * UNROLL)", 489); /* 1000000 / 2048 = 488.28… */
    VALUE("ceil_div(2048, 2048)", 1);
    VALUE("ceil_div(0, 5)", 0);
    VALUE("ceil_div(2^53, 3)", 3002399751580331.0); /* 2^53 = 3 · 3002399751580330 + 2 */
    VALUE("log2(BLOCK)", 8);
    VALUE("power_of_two(1)", 1);
    VALUE("power_of_two(96)", 0);
    VALUE("power_of_two(2^40)", 1);
    VALUE("power_of_two(0)", 0);
    VALUE("power_of_two(0.5)", 0);
    VALUE("power_of_two(-4)", 0);
    VALUE("if(BLOCK > 128, 10, 20)", 10);
    VALUE("if(BLOCK > 256, 10, 20)", 20);
    VALUE("gpu__time.sum * 2", 25);
}

static void only_what_is_needed_is_evaluated(void **state)
{
    (void)state;
    VALUE("if(zero = 0, 0, 1 / zero)", 0);
    VALUE("zero != 0 and 1 / zero > 2", 0);
    VALUE("zero = 0 or nowhere = 1", 1);
}

static void texts(void **state)
{
    (void)state;
    VALUE("kernel = unroll", 1); /* `unroll` is the name of a number, too */
    VALUE("kernel = (unroll)", 1);
    VALUE("kernel != unroll", 0);
    VALUE("kernel = interleaved", 0);
    VALUE("op = min and unroll = 4", 1);
    VALUE("kernel = \"unr*\"", 1);
    VALUE("kernel != 'unr*'", 0);
    VALUE("kernel = 'smem_*'", 0);
    VALUE("device = \"NVIDIA H200\"", 1);
    VALUE("device = ''", 0);
    VALUE("kernel < 'v'", 1);
    VALUE("kernel >= 'v'", 0);
    VALUE("odd = 'a[b'", 1); /* an unclosed bracket of a glob is itself */
}

/* fnmatch(3) decides what an unclosed bracket is; the language only has to agree with it. */
static void globs_are_those_of_text_glob_match(void **state)
{
    (void)state;
    VALUE("kernel = 'u?r[n-s]ll'", text_glob_match("u?r[n-s]ll", "unroll"));
    VALUE("kernel = 'u?r[!n-s]ll'", 0);
}

static void missing_values(void **state)
{
    (void)state;
    assert_true(isnan(value_of("missing + 1")));
    assert_true(isnan(value_of("max(missing, 1)")));
    assert_true(isnan(value_of("-missing / 0")));
    assert_true(isnan(value_of("log2(missing)")));
    VALUE("missing = 1", 0);
    VALUE("missing != 1", 0);
    VALUE("missing <= 1", 0);
    VALUE("missing = word", 0);
    VALUE("missing != 'text'", 0);
    VALUE("not missing", 1);
    VALUE("missing or 0", 0);
    VALUE("if(missing, 1, 2)", 2);
}

/* Refused by the parser: the text of the error must contain `part`. */
static void refuses(const char *source, const char *part)
{
    struct error e = {0};
    struct expr *x = NULL;
    if (expr_parse(source, &x, &e)) {
        expr_free(x);
        fail_msg("'%s' was accepted", source);
    }
    assert_int_equal(e.kind, ERROR_CONFIG);
    if (!strstr(e.text, part))
        fail_msg("'%s': \"%s\" does not say \"%s\"", source, e.text, part);
    assert_false(expr_parse(source, &x, NULL)); /* an error may be unwanted */
}

static void parse_errors(void **state)
{
    (void)state;
    refuses("", "expected a number, a name or '('");
    refuses("1 +", "unexpected end of the expression");
    refuses("(1", "expected ')'");
    refuses("1)", "unexpected ')'");
    refuses("1 2", "unexpected '2'; expected an operator or the end");
    refuses("* 2", "unexpected '*'");
    refuses("2x", "not a number: '2x'");
    refuses("0x10", "not a number");
    refuses("1.2.3", "not a number");
    refuses("1e400", "too large");
    refuses("a & b", "unexpected character '&'");
    refuses("a ≤ b", "unexpected character '≤'");
    refuses("a \x01 b", "unexpected byte 0x01");
    refuses("kernel = \"unroll", "unclosed quote");
    refuses("\"unroll\" = kernel", "to the right of a comparison");
    refuses("min('a', 1)", "to the right of a comparison");
    refuses("1 + 1 = 'two'", "only a name");
    refuses("1 < 2 < 3", "do not chain");
    refuses("ceil_dif(1, 2)", "did you mean 'ceil_div'?");
    refuses("sqrt_of_that(1)", "unknown function 'sqrt_of_that'; expected min");
    refuses("ceil_div(1)", "takes 2 arguments, not 1");
    refuses("log2(1, 2)", "takes 1 argument, not 2");
    refuses("if(1, 2, 3, 4)", "takes 3 arguments, not 4");
    refuses("min()", "unexpected ')'");
    refuses("min(1, 2", "')' or ','");
    refuses("and", "unexpected 'and'");
}

static void caret_stands_under_the_fault(void **state)
{
    (void)state;
    struct error e = {0};
    struct expr *x;
    assert_false(expr_parse("block > 512 nad n < 3", &x, &e));
    assert_non_null(strstr(e.text, "\n    block > 512 nad n < 3\n                ^"));
    assert_false(expr_parse("a =\t'é' x", &x, &e)); /* one column for é, a blank for the tab */
    assert_non_null(strstr(e.text, "\n    a = 'é' x\n            ^"));

    char longer[601]; /* only the part around the fault is shown */
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
    /* "…" has three bytes and one column */
    assert_int_equal(strchr(below, '^') - below, dollar - shown - 2);
}

/* Refused when evaluated. */
static void faults(const char *source, const char *part)
{
    struct error e = {0};
    struct expr *x;
    double value;
    if (!expr_parse(source, &x, &e))
        fail_msg("%s", e.text);
    if (expr_number(x, find, NULL, &value, &e))
        fail_msg("'%s' is %.17g", source, value);
    if (!strstr(e.text, part) || !strchr(e.text, '^'))
        fail_msg("'%s': \"%s\" does not say \"%s\"", source, e.text, part);
    expr_free(x);
}

static void evaluation_errors(void **state)
{
    (void)state;
    faults("nowhere + 1", "unknown name 'nowhere'");
    faults("kernel + 1", "'kernel' is text (here 'unroll')");
    faults("kernel", "a number is needed");
    faults("kernel and 1", "a number is needed");
    faults("kernel = 5", "compare it with a word");
    faults("kernel = unroll + 1", "compare it with a word");
    faults("kernel < unroll", "compare it with a word");
    faults("unroll = kernel", "a number is needed");
    faults("BLOCK = '256'", "is a number (here 256)");
    faults("BLOCK = nowhere", "unknown name 'nowhere'");
    faults("1 / zero", "division of 1 by 0");
    faults("1 % zero", "% of 1 by 0");
    faults("ceil_div(1, zero)", "ceil_div of 1 by 0");
    faults("1.5 % 2", "integers in [0, 2^53]");
    faults("ceil_div(-1, 2)", "integers in [0, 2^53]");
    faults("ceil_div(2^54, 2)", "integers in [0, 2^53]");
    faults("log2(zero)", "log2 of 0");
    faults("zero ^ -1", "is not finite");
    faults("(-1) ^ 0.5", "is not finite");
    faults("1e300 * 1e300", "is not finite");
}

static bool count_of(const char *source, unsigned long long *count, struct error *e)
{
    struct expr *x;
    if (!expr_parse(source, &x, e))
        fail_msg("%s", e->text);
    bool ok = expr_count(x, find, NULL, count, e);
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
    assert_non_null(strstr(e.text, "9.2233720368547758e+18"));
    assert_false(count_of("0 - 1", &count, &e));
    assert_non_null(strstr(e.text, "-1"));
    assert_false(count_of("7 / 2", &count, &e));
    assert_non_null(strstr(e.text, "3.5"));
    assert_false(count_of("missing", &count, &e));
    assert_non_null(strstr(e.text, "missing"));
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

/* Repeats `part` so often, with `middle` between the two halves. */
static char *nest(const char *before, const char *middle, const char *after, int times)
{
    struct text t = {0};
    for (int i = 0; i < times; i++)
        text_append(&t, "%s", before);
    text_append(&t, "%s", middle);
    for (int i = 0; i < times; i++)
        text_append(&t, "%s", after);
    return t.bytes;
}

static void limits(void **state)
{
    (void)state;
    static const struct {
        const char *before, *middle, *after, *why;
        int fits, too_much;
    } cases[] = {
        {"(", "1", ")", "nested deeper", 63, 64},
        {"not ", "1", "", "nested deeper", 63, 64},
        {"-", "1", "", "nested deeper", 63, 64},
        {"", "1", "^1", "nested deeper", 63, 64},
        {"min(", "1", ")", "nested deeper", 63, 64},
        {"", "1", "+1", "more than 2000 parts", 999, 1000},
        {"(", "1", ")", "nested deeper", 63, 1000000},
        {"", "1", " or 1", "more than 2000 parts", 999, 1000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error e = {0};
        struct expr *x;
        double value;
        char *source = nest(cases[i].before, cases[i].middle, cases[i].after, cases[i].fits);
        assert_non_null(source);
        if (!expr_parse(source, &x, &e))
            fail_msg("%s", e.text);
        assert_true(expr_number(x, find, NULL, &value, &e));
        expr_free(x);
        free(source);
        source = nest(cases[i].before, cases[i].middle, cases[i].after, cases[i].too_much);
        assert_non_null(source);
        refuses(source, cases[i].why);
        free(source);
    }
}

/* Random bytes and random tokens: whatever comes, an answer or an error, never a crash. */
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
            if (!expr_number(x, find, NULL, &value, &e))
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
        if (!expr_number(context, find, NULL, &value, NULL) || value != 489)
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

/* The same expression in C, as the tuned library holds it. */
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
        {"-a % 2^b", "fmod(-(a), pow((double)2, b))"},
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
    assert_false(expr_write_c(x, &c)); /* there are no texts in it */
    text_free(&c);
    expr_free(x);
}

static bool find_partly(void *context, const char *name, struct expr_value *value)
{
    *value = (struct expr_value){.number = INFINITY};
    return strcmp(name, "later") == 0 || find(context, name, value);
}

/* What is decided although `later` is not known; missing values decide, errors do not. */
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
        cmocka_unit_test(numbers),
        cmocka_unit_test(precedence),
        cmocka_unit_test(calls),
        cmocka_unit_test(only_what_is_needed_is_evaluated),
        cmocka_unit_test(texts),
        cmocka_unit_test(globs_are_those_of_text_glob_match),
        cmocka_unit_test(missing_values),
        cmocka_unit_test(partly_known),
        cmocka_unit_test(parse_errors),
        cmocka_unit_test(caret_stands_under_the_fault),
        cmocka_unit_test(evaluation_errors),
        cmocka_unit_test(counts),
        cmocka_unit_test(visited_names),
        cmocka_unit_test(limits),
        cmocka_unit_test(random_sources),
        cmocka_unit_test(threads_share_an_expression),
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
