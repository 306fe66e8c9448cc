/*
 * Writes one small view in every format. Checks which columns each kind of reader gets, how cells
 * are written, and that special characters in a cell do not end the cell, the row or the HTML
 * element.
 */
#include "table/view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *const kernels[] = {"a|b", "<i>, \"q\"", ""};
static const double times[] = {2.5, NAN, 0.127};

/* Makes three rows. Some columns are for all readers, some for people, some for programs and
 * some for details. One column is empty, so it is not shown. */
static void make(struct view *v)
{
    static const char *const ties[] = {"one & all\ntwo", "", ""};
    view_title(v, "a < b");
    v->main_table = "rows";
    view_fact(v, "metric", "time");
    view_fact_number(v, "missing", NAN);
    view_line(v, "a line");
    struct view_table *t = view_add_table(v, "rows", FOR_ALL, 3);
    view_table_title(t, "Rows:");
    view_table_note(t, "a note");
    struct table *cells = &t->cells;
    table_add_texts(cells, row, kernels[row], "kernel");
    table_add_texts(cells, row, ties[row], "ties", .details = true);
    table_add_numbers(cells, row, 1024.0 * (double)(row + 1), "n", .kind = COLUMN_SIZE,
                      .names_row = true);
    table_add_numbers(cells, row, times[row], "us", .heading = "µs", .kind = COLUMN_NUMBER,
                      .digits = 2);
    table_add_numbers(cells, row, times[row] / 2, "ratio", .heading = "change",
                      .kind = COLUMN_CHANGE, .audience = FOR_PEOPLE);
    table_add_numbers(cells, row, (double)row, "p", .kind = COLUMN_NUMBER, .digits = 1,
                      .audience = FOR_PROGRAMS);
    table_add_texts(cells, row, "", "empty", .optional = true);
    t->bad = view_marks(t);
    t->bad[1] = true;
    struct view_table *other = view_add_table(v, "for_programs", FOR_PROGRAMS, 1);
    table_add_texts(&other->cells, row, "x", "only");
}

static void expect(void (*write)(const struct view *, const char *, FILE *), const char *table,
                   const char *expected)
{
    struct view v = {0};
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    make(&v);
    write(&v, table, to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, expected);
    free(text);
    view_free(&v);
}

static void text_is_for_people(void **state)
{
    (void)state;
    expect(view_write_text, NULL,
           "a line\n"
           "Rows:\n"
           "  kernel       n    µs   change\n"
           "  --------  ----  ----  -------\n"
           "  a|b       2^10   2.5  +25.0 %\n"
           "  <i>, \"q\"  2^11\n"
           "            3072  0.13  -93.7 %\n"
           "a note\n");
}

static void csv_is_for_programs(void **state)
{
    (void)state;
    expect(view_write_csv, NULL,
           "kernel,n,us,p,empty\n"
           "a|b,1024,2.5,0,\n"
           "\"<i>, \"\"q\"\"\",2048,,1,\n"
           ",3072,0.127,2,\n");
    expect(view_write_csv, "for_programs", "only\nx\n");
}

static void json_is_for_programs(void **state)
{
    (void)state;
    expect(
        view_write_json, NULL,
        "{\n\"schema\": 2,\n\"metric\": \"time\",\n\"missing\": null,\n\"rows\": [\n"
        "{\"kernel\": \"a|b\", \"n\": 1024, \"us\": 2.5, \"p\": 0, \"empty\": null},\n"
        "{\"kernel\": \"<i>, \\\"q\\\"\", \"n\": 2048, \"us\": null, \"p\": 1, \"empty\": null},\n"
        "{\"kernel\": null, \"n\": 3072, \"us\": 0.127, \"p\": 2, \"empty\": null}\n"
        "],\n\"for_programs\": [\n{\"only\": \"x\"}\n]\n}\n");
}

static void data_is_of_one_table(void **state)
{
    (void)state;
    expect(view_write_data, NULL,
           "\"kernel\"\t\"n\"\t\"us\"\t\"p\"\t\"empty\"\n"
           "\"a|b\"\t1024\t2.5\t0\t\"\"\n"
           "\"<i>, 'q'\"\t2048\tNaN\t1\t\"\"\n"
           "\"\"\t3072\t0.127\t2\t\"\"\n");
    expect(view_write_data, "for_programs", "\"only\"\n\"x\"\n");
}

static void markdown_is_for_a_comment(void **state)
{
    (void)state;
    expect(view_write_markdown, NULL,
           "### redsweep: a &lt; b\n\na line\n\nRows:\n\n"
           "| kernel | n | µs | change |\n| --- | ---: | ---: | ---: |\n"
           "| a\\|b | 2^10 | 2.5 | +25.0 % |\n"
           "| **&lt;i>, \"q\"** | **2^11** |  |  |\n"
           "|  | 3072 | 0.13 | -93.7 % |\n\na note \n\n");
}

static void junit_has_a_case_per_row_and_a_failure_per_bad_one(void **state)
{
    (void)state;
    expect(view_write_junit, NULL,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<testsuite name=\"redsweep: a &lt; b\" tests=\"3\" failures=\"1\" errors=\"0\" "
           "skipped=\"0\">\n"
           "  <testcase classname=\"redsweep.rows\" name=\"a|b, 2^10\"/>\n"
           "  <testcase classname=\"redsweep.rows\" name=\"&lt;i&gt;, &quot;q&quot;, 2^11\">"
           "<failure message=\"&lt;i&gt;, &quot;q&quot;, 2^11\"/></testcase>\n"
           "  <testcase classname=\"redsweep.rows\" name=\"3072\"/>\n"
           "  <system-out></system-out>\n</testsuite>\n");
}

static void a_page_has_exact_numbers_marks_and_details(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "<h1>a &lt; b</h1>",
        "<details><summary>a|b</summary>one &amp; all<br>two<br></details></th>",
        "<tr class=\"bad\"><th scope=\"row\" class=\"key\">&lt;i&gt;, &quot;q&quot;</th>",
        "<td class=\"n\" data-v=\"1024\">2<sup>10</sup></td>",
        "<td class=\"n\" data-v=\"0.127\">0.13</td>",
        ">µs</th>",
    };
    static const char *const absent[] = {"data-name=\"p\"",
                                         "data-name=\"ties\"",
                                         "data-name=\"empty\"",
                                         "data-name=\"only\"",
                                         "NaN",
                                         "nan\""};
    struct view v = {0};
    char *page = NULL;
    size_t length;
    FILE *to = open_memstream(&page, &length);
    make(&v);
    view_write_html(&v, NULL, to);
    assert_int_equal(fclose(to), 0);
    char *script = strstr(page, "<script>");
    assert_non_null(script);
    *script = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(page, parts[i]))
            fail_msg("the page lacks %s", parts[i]);
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strstr(page, absent[i]))
            fail_msg("the page has %s", absent[i]);
    free(page);
    view_free(&v);
}

/* Tables with the same name are written as one list, under one line of column names. */
static void two_tables_of_one_name(void **state)
{
    (void)state;
    struct view v = {.main_table = "rows"};
    char *text = NULL;
    size_t length;
    for (int i = 0; i < 2; i++) {
        struct view_table *t = view_add_table(&v, "rows", FOR_ALL, 1);
        table_add_numbers(&t->cells, row, i, "i", .kind = COLUMN_COUNT);
    }
    FILE *to = open_memstream(&text, &length);
    view_write_csv(&v, NULL, to);
    view_write_json(&v, NULL, to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text,
                        "i\n0\n1\n{\n\"schema\": 2,\n\"rows\": [\n{\"i\": 0},\n{\"i\": 1}\n]\n}\n");
    free(text);
    view_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_for_people),
        cmocka_unit_test(csv_is_for_programs),
        cmocka_unit_test(json_is_for_programs),
        cmocka_unit_test(data_is_of_one_table),
        cmocka_unit_test(markdown_is_for_a_comment),
        cmocka_unit_test(junit_has_a_case_per_row_and_a_failure_per_bad_one),
        cmocka_unit_test(a_page_has_exact_numbers_marks_and_details),
        cmocka_unit_test(two_tables_of_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
