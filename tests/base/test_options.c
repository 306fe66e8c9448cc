/*
 * Parses arguments with a table of options. Checks each kind of value, its default, and the message
 * about a wrong value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "toy_options.h"

#define READ(a, operands, e, ...)                                                                  \
    options_read(toy_options, a, sizeof((char *[]){__VA_ARGS__}) / sizeof(char *),                 \
                 (char *[]){__VA_ARGS__}, operands, e)

static void values_and_defaults(void **state)
{
    (void)state;
    struct toy_arguments a = {0};
    struct error e = {0};
    const char *items[2] = {NULL, "default"};
    struct operands operands = {.items = items, .max = 2};
    assert_true(options_read(toy_options, &a, 0, NULL, &operands, &e));
    assert_true(!a.out && a.count == 7 && a.width == 0.5 && a.share == 0.05 && a.colour == GREEN);
    assert_true(!a.strict && a.rows == 0 && operands.count == 0);
    if (!READ(&a, &operands, &e, "x", "--out", "some where", "--count=-3", "--rows", "2^20",
              "--width=1e-1", "--share", "2.5 %", "--colour", "blue", "--shades", "red,blue",
              "--sizes=64,32,,64", "--strict", "--", "--out"))
        fail_msg("%s", e.text);
    assert_string_equal(a.out, "some where");
    assert_true(a.count == -3 && a.rows == 1 << 20 && a.width == 0.1 && a.share == 0.025);
    assert_true(a.colour == BLUE && a.strict);
    assert_true(a.shades[RED] && !a.shades[GREEN] && a.shades[BLUE]);
    assert_true(a.size_count == 2 && a.sizes[0] == 32 && a.sizes[1] == 64);
    free(a.sizes);
    assert_int_equal(operands.count, 2);
    assert_string_equal(items[0], "x");
    assert_string_equal(items[1], "--out");
}

/* A row whose name ends with a dot applies to all options whose names begin with it. This
 * function stores the option's full name along with its value. */
static bool keep_name(const struct reading *r, const struct field *f, const struct field_path *at,
                      const cJSON *value)
{
    (void)at;
    return snprintf(field_member(r, f->offset), 40, "%s=%s", r->prefix, value->valuestring) > 0;
}

static void options_that_share_a_row(void **state)
{
    (void)state;
    static const struct field rows[] = {
        {"--a.", NULL, keep_name, .offset = 0, HELP("VALUE", "one")}, {0}};
    char kept[40] = "";
    struct error e = {0};
    struct operands none = {0};
    assert_true(options_read(rows, kept, 2, (char *[]){"--a.bc", "7"}, &none, &e));
    assert_string_equal(kept, "--a.bc=7");
    assert_false(options_read(rows, kept, 2, (char *[]){"--a", "7"}, &none, &e));
    assert_false(options_read(rows, kept, 2, (char *[]){"--ab.c", "7"}, &none, &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_share_a_row),
        cmocka_unit_test(values_and_defaults),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
