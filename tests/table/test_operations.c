/* Selects, sorts and numbers the rows of tables by their cells, and writes tables as data for
 * gnuplot. */
#include "table/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../texts/expected.h"
#include "base/expr.h"

/* Makes a table of five rows with a string column, a number column that lacks one value, and a
 * tunable. */
static struct table make_table(void)
{
    static const char *const kernels[] = {"smem", "unroll", "smem", "", "unroll"};
    static const double sizes[] = {4, 2, 4, 8, NAN}, loads[] = {1, 1, -0.0, 2, 0};
    struct table t = {.row_count = 5};
    table_add_texts(&t, row, kernels[row], "kernel");
    table_add_numbers(&t, row, sizes[row], "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, row, loads[row], "t_loads", .kind = COLUMN_COUNT, .alias = "loads");
    return t;
}

static void expect_rows(const row_list *rows, size_t count, const uint32_t *expected)
{
    assert_int_equal(rows->count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rows->items[i], expected[i]);
}

static void rows_are_chosen_by_an_expression(void **state)
{
    (void)state;
    static const struct {
        const char *where;
        size_t count;
        uint32_t rows[5];
    } cases[] = {{"n > 2", 3, {0, 2, 3}}, /* a missing value is not greater than anything */
                 {"kernel = smem and loads = 1", 1, {0}},
                 {"kernel = \"*l\"", 2, {1, 4}},
                 {"not (n > 2)", 2, {1, 4}},
                 {"n + t_loads = 4", 1, {2}},
                 {"n = t_loads", 0, {0}},
                 {"0", 0, {0}}};
    struct table t = make_table();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *x;
        struct error e = {0};
        row_list rows = {0};
        assert_true(expr_parse(cases[i].where, &x, &e));
        assert_true(table_filter(&t, x, &rows, &e));
        expect_rows(&rows, cases[i].count, cases[i].rows);
        vec_free(&rows);
        expr_free(x);
    }
    struct error none = {0};
    row_list all = {0};
    assert_true(table_filter(&t, NULL, &all, &none));
    assert_int_equal(all.count, 5);
    vec_free(&all);
    table_free(&t);
}

static void what_cannot_be_evaluated_is_an_error(void **state)
{
    (void)state;
    static const char *const cases[] = {"kernl = smem", "n = 4 / t_loads", "kernel + 1"};
    struct table t = make_table();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *x;
        struct error e = {0};
        row_list rows = {0};
        assert_true(expr_parse(cases[i], &x, &e));
        assert_false(table_filter(&t, x, &rows, &e));
        texts_expect(cases[i], e.text);
        vec_free(&rows);
        expr_free(x);
    }
    table_free(&t);
}

static void a_column_is_computed_from_others(void **state)
{
    (void)state;
    static const uint32_t rows[] = {3, 4, 0};
    struct table t = make_table(), to = {.row_count = 3};
    struct error e = {0};
    struct expr *x;
    assert_true(expr_parse("n * 100 + loads", &x, &e));
    assert_true(
        table_compute(&t, rows, x, &to, (struct column){.name = "x", .kind = COLUMN_NUMBER}, &e));
    expr_free(x);
    assert_true(column_number(to.columns.items[0], 0) == 802);
    assert_true(column_is_missing(to.columns.items[0], 1)); /* The column n has no value here. */
    assert_true(column_number(to.columns.items[0], 2) == 401);
    assert_true(expr_parse("n / kernl", &x, &e));
    assert_false(
        table_compute(&t, rows, x, &to, (struct column){.name = "y", .kind = COLUMN_NUMBER}, &e));
    assert_int_equal(e.kind, ERROR_USAGE);
    texts_expect("n / kernl", e.text);
    assert_int_equal(to.columns.count, 1);
    expr_free(x);
    table_free(&to);
    table_free(&t);
}

static void rows_are_sorted_by_columns_in_turn(void **state)
{
    (void)state;
    struct table t = make_table();
    struct error e = {0};
    row_list rows = {0};
    assert_true(table_filter(&t, NULL, &rows, &e));
    const struct order by_size[] = {{t.columns.items[1], false}, {t.columns.items[2], false}};
    table_sort(by_size, 2, &rows);
    expect_rows(&rows, 5, (const uint32_t[]){1, 2, 0, 3, 4});
    /* Rows with a missing value come last, in ascending and in descending order. */
    const struct order down[] = {{t.columns.items[1], true}};
    table_sort(down, 1, &rows);
    expect_rows(&rows, 5, (const uint32_t[]){3, 0, 2, 1, 4});
    const struct order by_name[] = {{t.columns.items[0], true}};
    table_sort(by_name, 1, &rows);
    expect_rows(&rows, 5, (const uint32_t[]){1, 4, 0, 2, 3});
    vec_free(&rows);
    table_free(&t);
}

/* Rows of two tables get the same number if their cells are equal. The second table stores its
 * numbers as strings, as they were printed, and lacks a column. */
static void rows_of_equal_cells_have_one_number(void **state)
{
    (void)state;
    static const char *const printed[] = {"4.0", "8", "4"};
    struct table a = make_table(), b = {.row_count = 3};
    table_add_texts(&b, row, row == 1 ? "" : "smem", "kernel");
    struct column *n =
        table_add(&b, (struct column){.name = "n", .kind = COLUMN_COUNT, .as_printed = true});
    for (size_t i = 0; i < 3; i++) {
        column_set_text(n, i, printed[i]);
        n->numbers[i] = strtod(printed[i], NULL);
    }
    const struct key_column of_a[] = {{a.columns.items[0], NULL, NAN},
                                      {a.columns.items[1], NULL, NAN},
                                      {a.columns.items[2], NULL, NAN}},
                            of_b[] = {{b.columns.items[0], NULL, NAN},
                                      {n, NULL, NAN},
                                      {NULL, NULL, 0}}; /* The value of t_loads is 0 in all rows. */
    static const uint32_t in_a[] = {0, 1, 2, 3, 4}, in_b[] = {2, 5, 2};
    struct row_keys keys = {.column_count = 3};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(row_keys_number(&keys, of_a, i), in_a[i]);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(row_keys_number(&keys, of_b, i), in_b[i]);
    for (size_t i = 0; i < 5; i++) /* The same rows get the same numbers again. */
        assert_int_equal(row_keys_number(&keys, of_a, i), in_a[i]);
    row_keys_free(&keys);
    keys = (struct row_keys){.column_count = 1}; /* by kernel alone this time */
    static const uint32_t groups[] = {0, 1, 0, 2, 1};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(row_keys_number(&keys, of_a, i), groups[i]);
    row_keys_free(&keys);
    table_free(&a);
    table_free(&b);
}

/* Numbers sort by value and not as strings. Strings that contain numbers, such as int8 and
 * int32, sort by those numbers. Missing values come first. */
static void numbers_are_ordered_by_their_cells(void **state)
{
    (void)state;
    static const char *const types[] = {"int32", "", "int8", "int32", "int32", "int8"};
    static const double sizes[] = {1024, 16, 128, NAN, 128, 128};
    struct table t = {.row_count = 6};
    table_add_texts(&t, row, types[row], "type");
    table_add_numbers(&t, row, sizes[row], "n", .kind = COLUMN_COUNT);
    const struct key_column of[] = {{.column = t.columns.items[0], .number = NAN},
                                    {.column = t.columns.items[1], .number = NAN}};
    struct row_keys keys = {.column_count = 2};
    for (size_t i = 0; i < t.row_count; i++)
        row_keys_number(&keys, of, i);
    /* the place of each of the five distinct rows in sorted order */
    static const uint32_t places[] = {4, 0, 1, 2, 3};
    uint32_t *found = row_keys_order(&keys);
    assert_int_equal(keys.first.count, 5);
    assert_memory_equal(found, places, sizeof places);
    free(found);
    row_keys_free(&keys);
    table_free(&t);
}

static void data_for_gnuplot_can_be_nothing_else(void **state)
{
    (void)state;
    static const char *const names[] = {"a \"b\"\tc", "back\\slash\n`date`"};
    static const double numbers[] = {0.1, INFINITY};
    struct table t = {.row_count = 2};
    table_add_texts(&t, row, names[row], "k\"n");
    table_add_numbers(&t, row, numbers[row], "x", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, row, NAN, "y", .kind = COLUMN_NUMBER);
    table_add_texts(&t, row, "people", "seen", .audience = FOR_PEOPLE);
    struct column *printed =
        table_add(&t, (struct column){.name = "p", .kind = COLUMN_NUMBER, .as_printed = true});
    column_set_text(printed, 0, "25.010; system 'date'");
    printed->numbers[0] = 25.01;
    char *bytes;
    size_t length;
    FILE *f = open_memstream(&bytes, &length);
    table_write_data(&t, true, f);
    assert_int_equal(fclose(f), 0);
    assert_string_equal(bytes, "\"k'n\"\t\"x\"\t\"y\"\t\"p\"\n"
                               "\"a 'b' c\"\t0.1\tNaN\t25.01\n"
                               "\"back/slash `date`\"\tNaN\tNaN\tNaN\n");
    free(bytes);
    table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_chosen_by_an_expression),
        cmocka_unit_test(what_cannot_be_evaluated_is_an_error),
        cmocka_unit_test(a_column_is_computed_from_others),
        cmocka_unit_test(rows_are_sorted_by_columns_in_turn),
        cmocka_unit_test(rows_of_equal_cells_have_one_number),
        cmocka_unit_test(numbers_are_ordered_by_their_cells),
        cmocka_unit_test(data_for_gnuplot_can_be_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
