/*
 * CSV: what is written is what RFC 4180 says and reads back equal; what is not CSV is refused one
 * fault at a time, with its line and column.
 */
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

static bool parse(const char *text, size_t length, struct table *t, struct error *e)
{
    char *bytes = malloc(length + 1);
    assert_non_null(bytes);
    memcpy(bytes, text, length);
    return table_parse("t.csv", bytes, length, t, e);
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
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong */
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
    assert_int_equal(t.column_count, COUNT);
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

/* 1: as a count or time; 2: also with a sign; 3: also infinite or no number; 0: never. */
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
    const struct cell_place place = {"t.csv", "time_us", 3};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        assert_true(cell_check(CELL_ANY, cells[i].cell, &place, NULL));
        for (int k = 0; k < 3; k++) {
            struct error e = {0};
            bool allowed = cells[i].from && cells[i].from <= k + 1;
            if (cell_check(ranges[k], cells[i].cell, &place, &e) != allowed)
                fail_msg("'%s' in range %d is%s allowed", cells[i].cell, k, allowed ? " not" : "");
            if (!allowed && strncmp(e.text, "t.csv: line 3, column time_us: '", 32) != 0)
                fail_msg("no place: %s", e.text);
        }
    }
}

/* The writer was killed: whatever byte it got to, the rows before it stay. */
/* Packed or not, a text comes out as it went in, and as the number that strtod() makes of it. */
static void expect_decimal(const char *text, bool packs)
{
    uint64_t packed;
    char out[DECIMAL_TEXT];
    if (decimal_pack(text, &packed) != packs)
        fail_msg("'%s' is%s packed", text, packs ? " not" : "");
    if (!packs)
        return;
    decimal_text(packed, out);
    assert_string_equal(out, text);
    double number = decimal_number(packed), expected = strtod(text, NULL);
    if (*text ? memcmp(&number, &expected, sizeof number) != 0 : !isnan(number))
        fail_msg("'%s' is read as %.17g", text, number);
}

static void decimals_keep_their_text(void **state)
{
    (void)state;
    static const char *const packed[] = {"",
                                         "0",
                                         "-0",
                                         "0.0",
                                         "7",
                                         "-12.340",
                                         "0.005348555692896548",
                                         "-0.1",
                                         "209.67888299999998",
                                         "99999999999999999",
                                         "0.99999999999999999",
                                         "9007199254740993",
                                         "0.0000000000000000000000000000001"};
    static const char *const others[] = {"-",
                                         "+1",
                                         "1.",
                                         ".5",
                                         "007",
                                         "-01",
                                         "1e5",
                                         "nan",
                                         "inf",
                                         "1,2",
                                         "1.2.3",
                                         "1 ",
                                         " 1",
                                         "0x1",
                                         "ok",
                                         "--1",
                                         "100000000000000000",
                                         "0.00000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        expect_decimal(packed[i], true);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_decimal(others[i], false);
    uint64_t random = 1;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        random = random * 6364136223846793005u + 1442695040888963407u;
        snprintf(text, sizeof text, "%.*f", i % 15, (double)(int64_t)random / 1e16);
        expect_decimal(text, true);
    }
}

enum { MANY = 70000 }; /* more different cells than two bytes number */

/* The cell of row i; in row `text_at` something else of the same length or a little longer. */
typedef void (*cell_writer)(int i, int text_at, char cell[32]);

static void number_cell(int i, int text_at, char cell[32])
{
    snprintf(cell, 32, "%s%d.%d", i == text_at ? "x" : "", i, i % 10);
}

static void id_cell(int i, int text_at, char cell[32])
{
    snprintf(cell, 32, "%016" PRIx64 "%s", i * UINT64_C(0x9e3779b97f4a7c15),
             i == text_at ? "0" : "");
}

/* A table of such a column and one of few numbers, read back; the caller's. */
static struct table packed_until(int text_at, cell_writer write_cell)
{
    struct text csv = {0};
    struct table t;
    struct error e = {0};
    char cell[32];
    text_append(&csv, "cell,rest\n");
    for (int i = 0; i < MANY; i++) {
        write_cell(i, text_at, cell);
        text_append(&csv, "%s,%d\n", cell, i % 3);
    }
    assert_true(parse(csv.bytes, csv.length, &t, &e));
    assert_int_equal(t.stores[0].width, text_at == MANY ? 8 : 4);
    for (int i = 0; i < MANY; i++) {
        write_cell(i, text_at, cell);
        assert_string_equal(table_cell(&t, (size_t)i, 0), cell);
        if (strspn(cell, ".0123456789") == strlen(cell))
            assert_true(table_number(&t, (size_t)i, 0) == strtod(cell, NULL));
    }
    assert_string_not_equal(table_cell(&t, 1, 0), table_cell(&t, 2, 0));
    text_free(&csv);
    return t;
}

static void change_a_cell(struct table *t)
{
    table_set_cell(t, 2, 0, "changed");
    assert_string_equal(table_cell(t, 2, 0), "changed");
    assert_string_equal(table_cell(t, MANY - 1, 1), "0");
    table_free(t);
}

/* Numbers are packed until a text is none. */
static void a_column_of_many_numbers(void **state)
{
    (void)state;
    for (int text_at = 0; text_at <= MANY; text_at += MANY / 2) {
        struct table t = packed_until(text_at, number_cell);
        change_a_cell(&t);
    }
}

/* Ids of points are packed, too, and are no numbers, not even those of decimal digits alone. */
static void a_column_of_many_ids(void **state)
{
    (void)state;
    for (int text_at = 0; text_at <= MANY; text_at += MANY / 2) {
        struct table t = packed_until(text_at, id_cell);
        assert_true(isnan(table_number(&t, 1, 0)));
        change_a_cell(&t);
    }
}

/* A column of one text takes no memory, until a cell is another one. */
static void a_column_of_one_text(void **state)
{
    (void)state;
    enum { ROWS = 200 };
    for (int other_at = 0; other_at <= ROWS; other_at += ROWS / 2) {
        struct text csv = {0};
        struct table t;
        struct error e = {0};
        text_append(&csv, "empty,device\n");
        for (int i = 0; i < ROWS; i++)
            text_append(&csv, ",%s\n", i == other_at ? "other" : "D");
        assert_true(parse(csv.bytes, csv.length, &t, &e));
        assert_int_equal(t.stores[0].width, 0);
        assert_int_equal(t.stores[1].width, other_at == ROWS ? 0 : 1);
        table_set_cell(&t, ROWS / 4, 1, "changed");
        table_set_cell(&t, 0, 0, "5");
        for (int i = 0; i < ROWS; i++) {
            assert_string_equal(table_cell(&t, (size_t)i, 0), i == 0 ? "5" : "");
            assert_string_equal(table_cell(&t, (size_t)i, 1), i == ROWS / 4   ? "changed"
                                                              : i == other_at ? "other"
                                                                              : "D");
        }
        table_free(&t);
        text_free(&csv);
    }
}

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

static void expect_refusal(const char *text, size_t length, const char *message)
{
    struct table t;
    struct error e = {0};
    assert_false(parse(text, length, &t, &e));
    assert_int_equal(e.kind, ERROR_CONFIG);
    if (!strstr(e.text, message))
        fail_msg("'%s' does not say '%s'", e.text, message);
    assert_null(t.bytes.items);
}
#define REFUSED(text, message) expect_refusal(text, sizeof text - 1, message)

static void faults_one_by_one(void **state)
{
    (void)state;
    REFUSED("", "t.csv: empty");
    REFUSED("id,n", "line 1: the file ends within its header");
    REFUSED("id,,n\n", "line 1: column 2 has no name");
    REFUSED("id,n,us,n\n", "columns 2 and 4 are both called 'n'");
    REFUSED("a,b\n1,2\n1,2,3\n", "line 3: 3 cells, but the header has 2");
    REFUSED("a,b\n1,2\n\n1,2\n", "line 3: 1 cells, but the header has 2");
    REFUSED("a,b\n1,x\"y\n", "line 2, column 4: a quote inside a cell");
    REFUSED("a,b\n\"é\"x,2\n", "line 2, column 4: text after a closing quote");
    REFUSED("a,b\n\"1\"\0,2\n", "line 2, column 4: text after a closing quote");
    REFUSED("a,b\n1,\"never\nclosed\n", "line 2, column 3: unclosed quote");
    REFUSED("a,b\n1,\"l1\nl2\",\0\n", "line 3, column 5: a NUL byte");
    REFUSED("a,b\n1\0,2\n", "line 2, column 2: a NUL byte");
    REFUSED("a,b\n1,caf\xe9\n", "line 2, column 6: invalid UTF-8");
    REFUSED("a,b\n1,2\r3\n", "line 2, column 4: a carriage return");
    REFUSED("a,b\n\"1\"\r,3\n", "line 2, column 4: a carriage return without a line feed");
}

static void files_that_are_none(void **state)
{
    (void)state;
    struct table t;
    struct error e = {0};
    assert_false(table_read("/nonexistent/results.csv", &t, &e));
    assert_non_null(strstr(e.text, "/nonexistent/results.csv: No such file"));
    assert_false(table_read("/dev/zero", &t, &e));
    assert_non_null(strstr(e.text, "/dev/zero: not a regular file"));
    assert_false(table_read("/tmp", &t, &e));
    assert_non_null(strstr(e.text, "/tmp: not a regular file"));

    char path[] = "/tmp/redsweep-huge-XXXXXX"; /* a hole: takes no room on the disk */
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)3 << 30), 0);
    assert_false(table_read(path, &t, &e));
    assert_non_null(strstr(e.text, "has 3221225472 bytes; at most"));
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, "a\n1\n", 4, 0), 4);
    assert_true(table_read(path, &t, &e));
    assert_int_equal(t.row_count, 1);
    assert_string_equal(table_cell(&t, 0, 0), "1");
    table_free(&t);
    close(file);
    unlink(path);
}

/* A file of two rows; the second may have a cell too many. */
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

/* Whether a file is read or refused. The C library keeps some memory of the first calls. */
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

/* Damaged bytes anywhere give a table or a message, never a crash (the sanitizers watch). */
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
                assert_non_null(strstr(e.text, "t.csv: line "));
            }
        }
    assert_true(refused > 20 && taken > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_quoted_where_needed),
        cmocka_unit_test(prose_becomes_one_line_of_utf8),
        cmocka_unit_test(every_cell_reads_back_equal),
        cmocka_unit_test(columns_and_numbers),
        cmocka_unit_test(a_cell_outside_of_its_columns_range_is_refused),
        cmocka_unit_test(decimals_keep_their_text),
        cmocka_unit_test(a_column_of_many_numbers),
        cmocka_unit_test(a_column_of_many_ids),
        cmocka_unit_test(a_column_of_one_text),
        cmocka_unit_test(torn_at_every_byte),
        cmocka_unit_test(faults_one_by_one),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(nothing_stays_open_or_allocated),
        cmocka_unit_test(damaged_bytes),
    };
    return cmocka_run_group_tests_name("csv and tables", tests, NULL, NULL);
}
