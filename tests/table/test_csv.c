/*
 * Writes CSV as RFC 4180 describes it, and checks that the same table is read back. Any other text
 * is refused, with a message that names one fault, its line and its column.
 */
#include "../texts/expected.h"
#include "table/csv.h"
#include "table/table.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../allocated.h"
#include "cells.h"

static bool parse(const char *text, size_t length, struct table *t, struct error *e)
{
    char *bytes = malloc(length + 1);
    assert_non_null(bytes);
    memcpy(bytes, text, length);
    return table_parse("t.csv", bytes, length, NULL, NULL, t, e);
}

static void expect_cell(const char *cell, const char *written)
{
    struct text t = {0};
    csv_append_text(&t, cell);
    text_append(&t, "%s", "");
    assert_string_equal(t.bytes, written);
    text_free(&t);
}

static void cells_are_quoted_where_needed(void **state)
{
    (void)state;
    expect_cell("", "");
    expect_cell("plain text; with 'marks'", "plain text; with 'marks'");
    expect_cell("a,b", "\"a,b\"");
    expect_cell("say \"no\"", "\"say \"\"no\"\"\"");
    expect_cell("\"", "\"\"\"\"");
    expect_cell("two\nlines", "\"two\nlines\"");
    expect_cell("return\r", "\"return\r\"");
    expect_cell("µs ≤ 3 — ok", "µs ≤ 3 — ok");
}

static void prose_becomes_one_line_of_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *prose, *line;
    } cases[] = {
        {"", ""},
        {"one", "one"},
        {"k.cu(3): error\n  x\r\n  ^\n", "k.cu(3): error |   x |   ^"},
        {"\n\n", ""},
        {"caf\xc3\xa9 €", "café €"},
        {"latin \xe9!", "latin \xef\xbf\xbd!"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* an overlong form */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = {0};
        csv_append_line(&t, cases[i].prose);
        text_append(&t, "%s", "");
        assert_string_equal(t.bytes, cases[i].line);
        text_free(&t);
    }
}

static void every_cell_reads_back_equal(void **state)
{
    (void)state;
    static const char *const cells[] = {"",     "a",       ",",        "\"",    "\"\"",    "\n",
                                        "\r\n", "x\ny\nz", "\"a\",\"", " pad ", "naïve µ", "end\""};
    enum { COUNT = sizeof cells / sizeof *cells };
    struct text file = {0};
    for (int i = 0; i < COUNT; i++)
        text_append(&file, "%sc%d", i ? "," : "", i);
    text_append(&file, "\n");
    for (int row = 0; row < COUNT; row++)
        for (int i = 0; i < COUNT; i++) {
            csv_append_text(&file, cells[(row + i) % COUNT]);
            text_append(&file, "%s", i + 1 < COUNT ? "," : "\n");
        }
    struct table t;
    struct error e = {0};
    assert_true(parse(file.bytes, file.length, &t, &e));
    assert_int_equal(t.columns.count, COUNT);
    assert_int_equal(t.row_count, COUNT);
    assert_false(t.torn);
    for (int row = 0; row < COUNT; row++)
        for (int i = 0; i < COUNT; i++)
            assert_string_equal(table_cell(&t, (size_t)row, i), cells[(row + i) % COUNT]);
    table_free(&t);
    text_free(&file);
}

static void columns_and_numbers(void **state)
{
    (void)state;
    const char text[] =
        "\xef\xbb\xbfkernel,n,\"time, us\",word\r\nunroll,16384,,\r\n\"a b\",1e3,2.5,1e3x\r\n";
    struct table t;
    struct error e = {0};
    assert_true(parse(text, sizeof text - 1, &t, &e));
    assert_int_equal(t.row_count, 2);
    assert_int_equal(table_column(&t, "kernel"), 0);
    assert_int_equal(table_column(&t, "time, us"), 2);
    assert_int_equal(table_column(&t, "absent"), -1);
    assert_string_equal(table_cell(&t, 1, 0), "a b");
    assert_string_equal(table_cell(&t, 1, -1), "");
    assert_true(table_number(&t, 0, 1) == 16384);
    assert_true(isnan(table_number(&t, 0, 2)));
    assert_true(table_number(&t, 1, 1) == 1000);
    assert_true(isnan(table_number(&t, 1, 3)));
    assert_true(isnan(table_number(&t, 1, -1)));
    assert_true(table_number(&t, 1, 2) == 2.5);
    table_free(&t);
}

/* `from` is the first range that accepts the cell: 1 accepts numbers that are not negative, 2
 * also negative numbers, and 3 also infinity and NaN. 0: no range accepts it. */
static void a_cell_outside_of_its_columns_range_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *cell;
        int from;
    } cells[] = {{"", 1},         {"0", 1},     {"5", 1},    {"0.25", 1},  {"1e-3", 1},
                 {"12E+2", 1},    {"7.", 1},    {"-5", 2},   {"-1e3", 2},  {"inf", 3},
                 {"-inf", 3},     {"nan", 3},   {"fast", 0}, {"5 ", 0},    {"+5", 0},
                 {" 5", 0},       {"0x10", 0},  {"1e", 0},   {"1e+", 0},   {".5", 0},
                 {"5+0*x", 0},    {"1e999", 0}, {"--1", 0},  {"-", 0},     {"nan(1)", 0},
                 {"infinity", 0}, {"5,6", 0},   {"5\n6", 0}, {"1e5.5", 0}, {"NaN", 0}};
    static const enum cell_range ranges[] = {CELL_POSITIVE, CELL_SIGNED, CELL_REAL};
    static const char *const fast[] = {"a word in a column of positive numbers",
                                       "a word in a column of numbers with a sign",
                                       "a word in a column of any numbers"};
    const struct cell_place place = {"t.csv", "time_us", 3};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        assert_true(cell_check(CELL_ANY, cells[i].cell, &place, NULL));
        for (int k = 0; k < 3; k++) {
            struct error e = {0};
            bool allowed = cells[i].from && cells[i].from <= k + 1;
            if (cell_check(ranges[k], cells[i].cell, &place, &e) != allowed)
                fail_msg("'%s' in range %d is%s allowed", cells[i].cell, k, allowed ? " not" : "");
            if (!allowed && strncmp(e.text, "t.csv, line 3, column time_us: ", 31) != 0)
                fail_msg("no place: %s", e.text);
            if (strcmp(cells[i].cell, "fast") == 0)
                texts_expect(fast[k], e.text);
        }
    }
}

/* Programs compare hashes as strings, so the same hash in capital letters would count as a
 * different one. Capital letters are therefore refused. */
static void a_hash_has_one_way_to_be_written(void **state)
{
    (void)state;
    static const char *const good[] = {"", "varies", "0123456789abcdef", "0000000000000000"};
    static const char *const bad[] = {"0123456789ABCDEF", "123", "0123456789abcdef0", "varies ",
                                      "VARIES",           "g",   "0123456789abcde",   "=1+1"};
    const struct cell_place place = {"t.csv", "bits", 3};
    struct error e = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(cell_check(CELL_BITS, good[i], &place, &e));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (cell_check(CELL_BITS, bad[i], &place, &e))
            fail_msg("'%s' is taken for a hash", bad[i]);
}

/* Sets the kinds and ranges of the columns of numbered_columns(). */
static bool describe(void *as_printed, struct table *t, struct error *e)
{
    (void)e;
    t->columns.items[1]->kind = COLUMN_COUNT;
    t->columns.items[1]->range = CELL_POSITIVE;
    t->columns.items[2]->kind = COLUMN_NUMBER;
    t->columns.items[2]->range = CELL_SIGNED;
    t->columns.items[2]->as_printed = *(const bool *)as_printed;
    return true;
}

static bool parse_numbers(const char *text, bool as_printed, struct table *t, struct error *e)
{
    return table_parse("t.csv", strdup(text), strlen(text), describe, &as_printed, t, e);
}

static void columns_of_numbers(void **state)
{
    (void)state;
    for (int as_printed = 0; as_printed < 2; as_printed++) {
        struct table t;
        struct error e = {0};
        assert_true(
            parse_numbers("kernel,n,us\na,1048576,2.50\na,,-1e3\nb,7,\n", as_printed, &t, &e));
        const struct column *n = table_find(&t, "n"), *us = table_find(&t, "us");
        assert_true(column_number(n, 0) == 1048576);
        assert_true(isnan(column_number(n, 1)) && column_is_missing(n, 1));
        assert_string_equal(column_text(n, 0), "");
        assert_string_equal(table_cell(&t, 0, 1), "1048576");
        assert_true(column_number(us, 0) == 2.5 && column_number(us, 1) == -1000);
        assert_true(column_is_missing(us, 2));
        assert_string_equal(column_text(us, 0), as_printed ? "2.50" : "");
        assert_string_equal(table_cell(&t, 0, 2), as_printed ? "2.50" : "2.5");
        assert_string_equal(table_cell(&t, 1, 2), as_printed ? "-1e3" : "-1000");
        assert_true(isnan(column_number(table_find(&t, "kernel"), 0)));
        table_free(&t);
    }
}

static void a_column_of_numbers_holds_nothing_else(void **state)
{
    (void)state;
    static const char *const cases[] = {"k,n,us\na,1,2\nb,-1,2\n", "k,n,us\na,1,fast\n",
                                        "k,n,us\na,1,inf\n"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table t;
        struct error e = {0};
        assert_false(parse_numbers(cases[i], false, &t, &e));
        texts_expect(cases[i], e.text);
        assert_null(t.columns.items);
    }
}

static bool refuse(void *context, struct table *t, struct error *e)
{
    (void)context;
    return FAIL(e, ERROR_CONFIG, "%zu columns", t->columns.count);
}

static void a_header_may_be_refused(void **state)
{
    (void)state;
    struct table t;
    struct error e = {0};
    assert_false(table_parse("t.csv", strdup("a,b\n1,2\n"), 8, refuse, NULL, &t, &e));
    assert_string_equal(e.text, "2 columns");
    assert_null(t.columns.items);
}

/* The table has more rows and more distinct strings than the first allocation of any array can
 * hold. */
static void a_column_of_many_texts(void **state)
{
    (void)state;
    enum { MANY = 70000 };
    struct text csv = {0};
    struct table t;
    struct error e = {0};
    text_append(&csv, "id,device\n");
    for (uint64_t i = 0; i < MANY; i++)
        text_append(&csv, "%016" PRIx64 ",%s\n", i * UINT64_C(0x9e3779b97f4a7c15),
                    i % 3 ? "D" : "other");
    assert_true(parse(csv.bytes, csv.length, &t, &e));
    assert_int_equal(t.row_count, MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        char id[32];
        snprintf(id, sizeof id, "%016" PRIx64, i * UINT64_C(0x9e3779b97f4a7c15));
        assert_string_equal(table_cell(&t, i, 0), id);
        assert_string_equal(table_cell(&t, i, 1), i % 3 ? "D" : "other");
    }
    assert_int_equal(table_find(&t, "device")->texts->texts.count, 3); /* and the text "" */
    column_set_text(t.columns.items[1], 2, "changed");
    column_set_text(t.columns.items[1], 3, "");
    assert_string_equal(table_cell(&t, 1, 1), "D");
    assert_string_equal(table_cell(&t, 2, 1), "changed");
    assert_string_equal(table_cell(&t, 3, 1), "");
    assert_string_equal(table_cell(&t, 4, 1), "D");
    table_free(&t);
    text_free(&csv);
}

/* A program was killed while it wrote a file. Whichever byte the file ends after, the complete
 * rows can be read. */
static void torn_at_every_byte(void **state)
{
    (void)state;
    const char text[] = "id,reason,us\n1,plain,2\n2,\"quoted, \"\"µ\"\" end\",3\n";
    size_t length = sizeof text - 1, first = strlen("id,reason,us\n"),
           second = first + strlen("1,plain,2\n");
    for (size_t cut = first; cut <= length; cut++) {
        struct table t;
        struct error e = {0};
        if (!parse(text, cut, &t, &e))
            fail_msg("cut at %zu: %s", cut, e.text);
        assert_int_equal(t.row_count, cut == length ? 2 : cut >= second ? 1 : 0);
        assert_int_equal(t.torn, cut != length && cut != first && cut != second);
        table_free(&t);
    }
}

static void files_that_are_none(void **state)
{
    (void)state;
    struct table t;
    struct error e = {0};
    assert_false(table_read("/nonexistent/results.csv", &t, &e));
    texts_expect("/nonexistent/results.csv", e.text);
    assert_false(table_read("/dev/zero", &t, &e));
    texts_expect("/dev/zero", e.text);
    assert_false(table_read("/tmp", &t, &e));
    texts_expect("/tmp", e.text);

    char path[] = "/tmp/redsweep-huge-XXXXXX"; /* a hole, which takes no disk space */
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)3 << 30), 0);
    assert_false(table_read(path, &t, &e));
    texts_rename(path, "$huge");
    texts_expect("a file of 3 GiB", e.text);
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, "a\n1\n", 4, 0), 4);
    assert_true(table_read(path, &t, &e));
    assert_int_equal(t.row_count, 1);
    assert_string_equal(table_cell(&t, 0, 0), "1");
    table_free(&t);
    close(file);
    unlink(path);
}

/* Reads a file of two rows. Unless `sound`, the second row has one cell too many, and the file
 * must be refused. */
static void read_two_rows(const char *path, bool sound)
{
    struct table t;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "a,b\n1,2\n3,4%s\n", sound ? "" : ",5") > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(table_read(path, &t, NULL), sound);
    if (sound)
        table_free(&t);
}

static int next_descriptor(void)
{
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    return file;
}

/* Whether a file is read or refused, it does not stay open, and no memory stays allocated. The
 * first calls do not count, because the C library keeps some of their memory. */
static void nothing_stays_open_or_allocated(void **state)
{
    (void)state;
    char path[] = "/tmp/redsweep-table-XXXXXX";
    int file = mkstemp(path), next = 0;
    size_t used = 0;
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    for (int call = 0; call < 40; call++) {
        read_two_rows(path, call % 2);
        if (call == 20) {
            used = allocated_bytes();
            next = next_descriptor();
        }
    }
    assert_int_equal(allocated_bytes(), used);
    assert_int_equal(next_descriptor(), next);
    assert_int_equal(unlink(path), 0);
}

/* A file with a damaged byte anywhere must be read, or refused with a message. The sanitizers
 * check that it causes no invalid memory access. */
static void damaged_bytes(void **state)
{
    (void)state;
    const char text[] = "id,reason\n1,\"a, \"\"b\"\"\"\n2,c\r\n3,\"x\ny\"\n";
    const char damage[] = {'"', ',', '\n', '\r', '\0', (char)0xff, 'z'};
    int refused = 0, taken = 0;
    for (size_t at = 0; at + 1 < sizeof text; at++)
        for (size_t d = 0; d < sizeof damage; d++) {
            char copy[sizeof text];
            memcpy(copy, text, sizeof text);
            copy[at] = damage[d];
            struct table t;
            struct error e = {0};
            if (parse(copy, sizeof text - 1, &t, &e)) {
                taken++;
                table_free(&t);
            } else {
                refused++;
                assert_non_null(strstr(e.text, "t.csv, line "));
            }
        }
    assert_true(refused > 20 && taken > 20);
}

/* A column takes memory only once its first value is read. The cells above that value are empty. */
static void a_column_without_values_holds_nothing(void **state)
{
    (void)state;
    struct table t;
    struct error e = {0};
    assert_true(parse_numbers("kernel,n,us\n,,\n,,\n", true, &t, &e));
    for (size_t i = 0; i < 3; i++) {
        const struct column *c = t.columns.items[i];
        assert_true(!c->codes && !c->numbers && !c->texts);
        assert_true(column_is_missing(c, 0) && column_is_missing(c, 1));
    }
    table_free(&t);
    assert_true(parse_numbers("kernel,n,us\n,,\n,,\na,7,2.50\n,,\n", true, &t, &e));
    for (size_t i = 0; i < 3; i++)
        for (size_t row = 0; row < 4; row++)
            assert_true(column_is_missing(t.columns.items[i], row) == (row != 2));
    assert_string_equal(table_cell(&t, 2, 0), "a");
    assert_true(table_number(&t, 2, 1) == 7);
    assert_string_equal(table_cell(&t, 2, 2), "2.50");
    table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_quoted_where_needed),
        cmocka_unit_test(prose_becomes_one_line_of_utf8),
        cmocka_unit_test(every_cell_reads_back_equal),
        cmocka_unit_test(columns_and_numbers),
        cmocka_unit_test(a_cell_outside_of_its_columns_range_is_refused),
        cmocka_unit_test(a_hash_has_one_way_to_be_written),
        cmocka_unit_test(columns_of_numbers),
        cmocka_unit_test(a_column_without_values_holds_nothing),
        cmocka_unit_test(a_column_of_numbers_holds_nothing_else),
        cmocka_unit_test(a_header_may_be_refused),
        cmocka_unit_test(a_column_of_many_texts),
        cmocka_unit_test(torn_at_every_byte),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(nothing_stays_open_or_allocated),
        cmocka_unit_test(damaged_bytes),
    };
    return cmocka_run_group_tests_name("csv and tables", tests, NULL, NULL);
}
