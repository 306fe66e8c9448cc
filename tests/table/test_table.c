/*
 * Checks tables in memory: the values of their columns, views of another table, and numbers in the
 * form that people read.
 */
#include "../texts/expected.h"
#include "table/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"

static void a_column_is_said_once(void **state)
{
    (void)state;
    static const char *const names[] = {"b", "", "a", "b"};
    struct table t = {.row_count = 4};
    table_add_texts(&t, row, names[row], "kernel", .heading = "name");
    table_add_numbers(&t, row, row == 1 ? NAN : 1.0 + 0.25 * (double)row, "ratio",
                      .kind = COLUMN_CHANGE);
    assert_int_equal(t.columns.count, 2);
    assert_int_equal(table_column(&t, "ratio"), 1);
    assert_null(table_find(&t, "name"));
    const struct column *kernel = table_find(&t, "kernel"), *ratio = table_find(&t, "ratio");
    for (size_t row = 0; row < 4; row++)
        assert_string_equal(column_text(kernel, row), names[row]);
    assert_int_equal(kernel->codes[0], kernel->codes[3]);
    assert_true(column_is_missing(kernel, 1) && column_is_missing(ratio, 1));
    assert_false(column_is_missing(kernel, 0) || column_is_missing(ratio, 0));
    assert_true(column_number(ratio, 3) == 1.75);
    assert_true(column_is_missing(NULL, 0));
    table_free(&t);
}

static void a_column_shows_rows_of_another_table(void **state)
{
    (void)state;
    static const uint32_t rows[] = {2, ROW_NONE, 0, 2};
    static const char *const names[] = {"x", "y", "z"};
    struct table from = {.row_count = 3}, to = {.row_count = 4};
    table_add_texts(&from, row, names[row], "kernel");
    table_add_numbers(&from, row, (double)row * 10, "n", .kind = COLUMN_COUNT);
    struct column *kernel = table_show(&to, *from.columns.items[0], from.columns.items[0], rows);
    struct column *n = table_show(&to, (struct column){.name = "n_a", .kind = COLUMN_COUNT},
                                  from.columns.items[1], rows);
    struct column *none = table_show(&to, (struct column){.name = "none"}, NULL, rows);
    assert_string_equal(kernel->name, "kernel");
    assert_string_equal(column_text(kernel, 0), "z");
    assert_string_equal(column_text(kernel, 2), "x");
    assert_true(column_is_missing(kernel, 1) && column_is_missing(n, 1));
    assert_true(column_number(n, 3) == 20 && column_number(n, 2) == 0);
    assert_true(column_is_missing(none, 0));
    table_free(&to);
    assert_string_equal(column_text(from.columns.items[0], 1), "y"); /* not changed by the view */
    table_free(&from);
}

static void expect_shown(enum column_kind kind, int digits, double number, const char *people,
                         const char *programs)
{
    struct table t = {.row_count = 1};
    char shown[SHOWN_SIZE];
    struct text text = {0};
    table_add_numbers(&t, row, number, "x", .kind = kind, .digits = digits);
    assert_string_equal(column_shown(t.columns.items[0], 0, shown), people);
    column_append(t.columns.items[0], 0, &text);
    assert_string_equal(text_shown(&text), programs);
    text_free(&text);
    table_free(&t);
}

static void numbers_for_people_and_for_programs(void **state)
{
    (void)state;
    expect_shown(COLUMN_NUMBER, 4, 3.14159265, "3.142", "3.14159265");
    expect_shown(COLUMN_NUMBER, 4, 0.1 + 0.2, "0.3000", "0.30000000000000004");
    expect_shown(COLUMN_NUMBER, 3, 123456, "123456", "123456");
    expect_shown(COLUMN_NUMBER, 3, 1234.56, "1235", "1234.56");
    expect_shown(COLUMN_NUMBER, 3, 1.5e-7, "1.5e-07", "1.5e-07");
    expect_shown(COLUMN_NUMBER, 3, 0, "0", "0");
    expect_shown(COLUMN_NUMBER, 3, INFINITY, "inf", "inf");
    expect_shown(COLUMN_COUNT, 0, 1048576, "1048576", "1048576");
    expect_shown(COLUMN_SIZE, 0, 1048576, "2^20", "1048576");
    expect_shown(COLUMN_SIZE, 0, 512, "512", "512");
    expect_shown(COLUMN_SIZE, 0, 1048577, "1048577", "1048577");
    expect_shown(COLUMN_CHANGE, 0, 1.0321, "+3.2 %", "1.0321");
    expect_shown(COLUMN_CHANGE, 0, 0.5, "-50.0 %", "0.5");
    expect_shown(COLUMN_CHANGE, 0, 3, "+200 %", "3");
    expect_shown(COLUMN_CHANGE, 0, 12.34, "12.3×", "12.34");
    for (enum column_kind kind = COLUMN_NUMBER; kind <= COLUMN_CHANGE; kind++)
        expect_shown(kind, 3, NAN, "", "");
}

/* A number that varies between launches has "≈" before it in the text for people. The text for
 * programs is just the number. */
static void numbers_that_vary_are_marked(void **state)
{
    (void)state;
    static const bool varies[] = {false, true, true};
    static const uint32_t rows[] = {1, 0};
    struct table t = {.row_count = 3}, lent = {.row_count = 2};
    char shown[SHOWN_SIZE];
    struct text text = {0};
    table_add_numbers(&t, i, i < 2 ? 129 : NAN, "count", .kind = COLUMN_COUNT, .varies = varies);
    const struct column *c = t.columns.items[0], *other = table_show(&lent, *c, c, rows);
    assert_string_equal(column_shown(c, 0, shown), "129");
    assert_string_equal(column_shown(c, 1, shown), "≈129");
    assert_string_equal(column_shown(c, 2, shown), "");
    assert_string_equal(column_shown(other, 0, shown), "≈129");
    assert_string_equal(column_shown(other, 1, shown), "129");
    column_append(c, 1, &text);
    assert_string_equal(text.bytes, "129");
    text_free(&text);
    table_free(&lent);
    table_free(&t);
}

static void numbers_as_they_were_printed(void **state)
{
    (void)state;
    struct table t = {.row_count = 2};
    char shown[SHOWN_SIZE];
    struct text text = {0};
    struct column *c =
        table_add(&t, (struct column){.name = "us", .kind = COLUMN_NUMBER, .as_printed = true});
    column_set_text(c, 0, "25.010");
    c->numbers[0] = 25.01;
    assert_string_equal(column_shown(c, 0, shown), "25.010");
    column_append(c, 0, &text);
    assert_string_equal(text.bytes, "25.010");
    assert_true(column_is_missing(c, 1));
    text_free(&text);
    table_free(&t);
}

static void a_suggestion_is_a_column(void **state)
{
    (void)state;
    char buffer[SUGGESTION_SIZE];
    struct table t = {0};
    table_add(&t, (struct column){.name = "kernel"});
    table_add(&t, (struct column){.name = "time_us_median"});
    texts_expect("kernl, where there is a column kernel", table_suggestion(&t, "kernl", buffer));
    assert_string_equal(table_suggestion(&t, "colour", buffer), "");
    table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_is_said_once),
        cmocka_unit_test(a_column_shows_rows_of_another_table),
        cmocka_unit_test(numbers_for_people_and_for_programs),
        cmocka_unit_test(numbers_that_vary_are_marked),
        cmocka_unit_test(numbers_as_they_were_printed),
        cmocka_unit_test(a_suggestion_is_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
