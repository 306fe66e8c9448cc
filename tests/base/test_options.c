/*
 * A table of options: each kind of value, its default, and what a wrong one is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/options.h"

enum colour { RED, GREEN, BLUE, COLOURS };
static const char *const colours[COLOURS] = {"red", "green", "blue"};

struct arguments {
    const char *out;
    int count;
    uint64_t rows;
    double width, share;
    enum colour colour;
    bool strict, shades[COLOURS];
    int *sizes, size_count;
};

#define AT(member) .offset = offsetof(struct arguments, member)

static const struct field options[] = {
    {"--out", NULL, field_argument, AT(out), HELP("DIR", "where")},
    {"--count", "7", field_int, AT(count), RANGE(-3, 9), HELP("N", "how many")},
    {"--rows", NULL, field_uint64, AT(rows), RANGE(1, 1099511627776.0), HELP("ROWS", "rows")},
    {"--width", "0.5", field_double, AT(width), RANGE(0, 1), HELP("WIDTH", "how wide")},
    {"--share", "5", field_share, AT(share), RANGE(0, 50), HELP("PERCENT", "how much")},
    {"--colour", "green", field_choice, AT(colour), WORDS(colours, COLOURS), HELP("C", "which")},
    {"--shades", NULL, field_choices, AT(shades), WORDS(colours, COLOURS), .flags = FIELD_LIST,
     HELP("LIST", "which ones")},
    {"--sizes", NULL, field_ints, AT(sizes), .count_offset = offsetof(struct arguments, size_count),
     RANGE(1, 1024), .flags = FIELD_LIST, HELP("LIST", "sizes")},
    {"--strict", NULL, field_switch, AT(strict), HELP(NULL, "be strict")},
    {0}};

#define READ(a, operands, e, ...)                                                                  \
    options_read(options, a, sizeof((char *[]){__VA_ARGS__}) / sizeof(char *),                     \
                 (char *[]){__VA_ARGS__}, operands, e)

static void values_and_defaults(void **state)
{
    (void)state;
    struct arguments a = {0};
    struct error e = {0};
    const char *items[2] = {NULL, "default"};
    struct operands operands = {.items = items, .max = 2};
    assert_true(options_read(options, &a, 0, NULL, &operands, &e));
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

/* A name with a dot at its end is the row of all that begin so, and knows which one it was. */
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

static void refused(char *option, char *value, const char *message)
{
    struct arguments a = {0};
    struct error e = {0};
    struct operands operands = {0};
    assert_false(
        options_read(options, &a, value ? 2 : 1, (char *[]){option, value}, &operands, &e));
    assert_int_equal(e.kind, ERROR_USAGE);
    assert_string_equal(e.text, message);
}

static void refusals(void **state)
{
    (void)state;
    refused("--cuont", "3",
            "unknown option \"--cuont\"; did you mean '--count'? Expected one of --out, --count, "
            "--rows, --width, --share, "
            "--colour, --shades, --sizes, --strict");
    refused("x", NULL, "unexpected argument 'x'; see --help");
    refused("--out", NULL, "--out needs a value: --out DIR");
    refused("--strict=yes", NULL, "--strict takes no value");
    refused("--count", "10", "--count: \"10\" is out of range; expected an integer in [-3, 9]");
    refused("--count", "", "--count: \"\" is not an integer; expected an integer in [-3, 9]");
    refused("--rows", "1.5", "--rows: \"1.5\" is not an integer; expected an integer in [1, 2^40]");
    refused("--width", "nan", "--width: \"nan\" is not a number; expected a number in [0, 1]");
    refused("--share", "51%", "--share: \"51\" is out of range; expected a number in [0, 50]");
    refused("--share", "5 %%", "--share: \"5 %%\" is not a number; expected a number in [0, 50]");
    refused("--share", "%", "--share: \"\" is not a number; expected a number in [0, 50]");
    refused("--colour", "gren",
            "--colour: unknown value \"gren\"; expected red, green, blue; did you mean 'green'?");
    refused("--shades", "red,red", "--shades: duplicate entry \"red\"");
    refused("--shades", ",", "--shades: the list is empty; expected at least one word");
    refused("--sizes", "64,2^11",
            "--sizes: \"2^11\" is out of range; expected an integer in [1, 1024]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_share_a_row),
        cmocka_unit_test(values_and_defaults),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
