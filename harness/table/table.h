/*
 * A table in memory consists of columns, each of which has a cell for every row. This code does not
 * depend on the meaning of the rows.
 *
 * A column of strings stores each distinct string once, and a code for each row. A column of
 * numbers stores a double for each row. A missing cell is NaN in a column of numbers and "" in a
 * column of strings. If a column was read and all its cells are missing, it stores no cells. A
 * column can also show cells of another table's column; a list of rows selects these cells. Such a
 * column stores no cells of its own.
 *
 * A column also defines how it is shown: to which audience, under which heading, and with how many
 * digits. The code that makes a table defines this once, where it computes the cells:
 *
 *     table_add_numbers(&t, row, b[row] / a[row], "ratio", .kind = COLUMN_CHANGE);
 *
 * If memory is exhausted, the program ends as described in base/memory.h. The strings of a struct
 * column are borrowed, unless table_keep() has given them to the table.
 */
#ifndef REDSWEEP_TABLE_TABLE_H
#define REDSWEEP_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "table/cell.h"
#include "table/numbering.h"

enum column_kind {
    COLUMN_TEXT,
    COLUMN_NUMBER, /* shown to people with the column's number of significant digits */
    COLUMN_COUNT,  /* an integer */
    COLUMN_SIZE,   /* an integer; shown to people as "2^20" if it is a power of two from 2^10 on */
    COLUMN_CHANGE  /* a ratio; shown to people as "+3.2 %" */
};

/* This is the audience of a column, or of a table. */
enum audience {
    FOR_ALL,
    FOR_PEOPLE,   /* readers of text, Markdown and HTML */
    FOR_PROGRAMS, /* readers of CSV, JSON and data */
    FOR_PAGES     /* readers of HTML, CSV and JSON; the data is too much for a terminal */
};

/* These ranks order the columns on a page. Columns with RANK_OTHER come last. */
enum column_rank {
    RANK_OTHER,
    RANK_KEY, /* the column stays in place while the other columns scroll */
    RANK_TIME,
    RANK_PROBLEM,
    RANK_SHARE
};

#define ROW_NONE UINT32_MAX

struct column {
    const char *name;
    /*
     * another name that users may write for the column, unless it is another column's name; NULL if
     * there is none
     */
    const char *alias;
    const char *heading; /* the heading for people; NULL: the name */
    enum column_kind kind;
    enum cell_range range; /* the values that a reader accepts in a cell */
    int digits;            /* the number of significant digits of a COLUMN_NUMBER */
    enum audience audience;
    enum column_rank rank;
    bool optional;  /* people do not see the column if all its cells are missing */
    bool names_row; /* the column contains numbers that are part of the rows' names in reports */
    /*
     * the column contains lines that are hidden below the previous column until the reader unfolds
     * them; only HTML shows them
     */
    bool details;
    bool wraps; /* on a narrow terminal, long strings are wrapped before columns are folded away */
    bool as_printed;            /* the numbers are shown with the characters that were read */
    const char *unit, *meaning; /* NULL or "": there is none */
    /*
     * For each cell, says whether the number may differ if it is counted again. People see such a
     * number with "≈" before it. NULL means that no number varies.
     */
    const bool *varies;

    /* The cells. A caller of table_add() leaves all these members zeroed. */
    const uint32_t *rows; /* the place of each row's cell (ROW_NONE: the cell is missing); NULL:
                             the row's own number */
    bool borrowed;        /* the cells belong to another column */
    uint32_t *codes;      /* the code of each cell's text in `texts` */
    struct numbering *texts;
    /* a column has both numbers and codes if the strings of its numbers are kept */
    double *numbers;
};

struct table {
    VEC(struct column *) columns;
    size_t row_count;
    VEC(void *) kept;
    bool torn; /* the file from which the table was read ends within a line */
};

void table_free(struct table *t);

/* Transfers ownership of memory to the table, so that table_free() frees it. Returns the memory. */
void *table_keep(struct table *t, void *what);

/*
 * Returns the index of the column with this name, or −1 if there is none. Callers should look a
 * column up only once, and not for each row.
 */
int table_column(const struct table *t, const char *name);
/* Returns the index of the column whose name or alias is the name that a user gave. */
int table_column_named(const struct table *t, const char *name);
/* Returns the column with this name, or NULL if there is none. */
struct column *table_find(const struct table *t, const char *name);

/*
 * Returns the result of text_suggestion() for a mistyped name, with the names of the columns as
 * candidates.
 */
const char *table_suggestion(const struct table *t, const char *word, char buffer[]);

/* Adds a column with a missing cell for each row of the table. */
struct column *table_add(struct table *t, struct column like);
/*
 * Adds a column that shows cells of `from`. `rows` (borrowed) contains the row of `from` for each
 * row of the table. If `rows` is NULL, each row shows the row of `from` with the same number. If
 * `from` is NULL, all cells are missing. `like` defines the column's name and how it is shown.
 */
struct column *table_show(struct table *t, struct column like, const struct column *from,
                          const uint32_t *rows);

/*
 * Sets the text of a cell. The column must have been made by table_add(), or have been read with at
 * least one cell that is not missing.
 */
void column_set_text(struct column *c, size_t row, const char *text);

/*
 * Adds a column whose cells are the values of one expression. In the expression, the variable `row`
 * is the number of the row. The remaining arguments initialize the members of struct column,
 * beginning with the name.
 */
#define table_add_numbers(t, row, number, ...)                                                     \
    do {                                                                                           \
        struct column *column_ = table_add((t), (struct column){.name = __VA_ARGS__});             \
        for (size_t row = 0; row < (t)->row_count; row++)                                          \
            column_->numbers[row] = (number);                                                      \
    } while (0)
#define table_add_texts(t, row, text, ...)                                                         \
    do {                                                                                           \
        struct column *column_ = table_add((t), (struct column){.name = __VA_ARGS__});             \
        for (size_t row = 0; row < (t)->row_count; row++)                                          \
            column_set_text(column_, row, (text));                                                 \
    } while (0)

/*
 * Returns the text of a cell. Returns "" for a missing cell, for a column of numbers without
 * strings, and for NULL.
 */
static inline const char *column_text(const struct column *c, size_t row)
{
    uint32_t at = c && c->rows ? c->rows[row] : (uint32_t)row;
    return c && c->codes && at != ROW_NONE ? c->texts->texts.items[c->codes[at]] : "";
}

/*
 * Returns the number of a cell. Returns NaN for a missing cell, for a column of strings, and for
 * NULL.
 */
static inline double column_number(const struct column *c, size_t row)
{
    uint32_t at = c && c->rows ? c->rows[row] : (uint32_t)row;
    return c && c->numbers && at != ROW_NONE ? c->numbers[at] : __builtin_nan("");
}

static inline bool column_is_missing(const struct column *c, size_t row)
{
    return !*column_text(c, row) && __builtin_isnan(column_number(c, row));
}

/* Returns whether two rows have equal cells in a column. Missing cells are equal to each other. */
bool column_same(const struct column *c, size_t a, size_t b);

/*
 * Appends a cell in the form for programs. A string is not changed, and a number is written in its
 * shortest form.
 */
struct text;
void column_append(const struct column *c, size_t row, struct text *out);
/*
 * Returns the text that column_append() would append. If the cell is a number, the text remains
 * valid until the 8th call after this one. Returns "" if the column is NULL.
 */
const char *column_cell(const struct column *c, size_t row);

/* Returns whether the number in this cell may differ if it is counted again. */
bool column_varies(const struct column *c, size_t row);
/* Returns the text of a cell for people, with "≈" before a number that varies. The text is stored
 * in `number` or in the table. */
enum { SHOWN_SIZE = 40 };
const char *column_shown(const struct column *c, size_t row, char number[SHOWN_SIZE]);

/*
 * show_number() writes a number with `digits` significant digits. It uses an exponent only for very
 * large and very small numbers, and writes "" for NaN. show_size() writes a size as a power of two,
 * such as "2^20", or with all its digits.
 */
void show_number(double number, int digits, char out[SHOWN_SIZE]);
void show_size(double size, char out[SHOWN_SIZE]);

/* ---- From CSV -------------------------------------------------------------------------------- */

/*
 * Reads a table from CSV (table/csv.h). `describe` is called when the columns have their names but
 * no cells. It sets the kind of each column and the values that its cells may have, and it may
 * refuse columns. If `describe` is NULL, all columns contain strings. The range of a column of
 * numbers must be a range of numbers. If `as_printed` is set for such a column, the column keeps
 * the strings together with the numbers.
 *
 * If the last line has no line end, because its writer was killed, it is dropped and `torn` is set.
 * If the text is not a table, or a cell is outside its range, the functions fail with ERROR_CONFIG
 * and name the file, the line and the column.
 */
typedef bool table_describe(void *context, struct table *t, struct error *e);
bool table_read_as(const char *path, table_describe *describe, void *context, struct table *out,
                   struct error *e);
bool table_read(const char *path, struct table *out, struct error *e);
/* table_parse() reads from memory. It takes ownership of `bytes`, which must come from malloc(),
 * and frees them. */
bool table_parse(const char *path, char *bytes, size_t length, table_describe *describe,
                 void *context, struct table *out, struct error *e);

/* ---- Operations ------------------------------------------------------------------------------ */

/*
 * This is a list of rows of a table, in any order and without duplicates. It must be
 * zero-initialized; vec_free() frees it.
 */
typedef VEC(uint32_t) row_list;

/*
 * Appends the rows for which `where` is true, or all rows if `where` is NULL. In the expression
 * (base/expr.h), each name is a column's name, and a missing number is NaN. If the table does not
 * have a column, the function fails with ERROR_USAGE, which also names the column with the most
 * similar name.
 */
struct expr;
bool table_filter(const struct table *t, const struct expr *where, row_list *out, struct error *e);

/*
 * Adds a column of numbers to `to`. Its cell in row i is the value of `formula` for row rows[i] of
 * `from`, or NaN if that row lacks a number that the formula uses. Fails with ERROR_USAGE if a
 * column is unknown or the formula has no value.
 */
bool table_compute(const struct table *from, const uint32_t *rows, const struct expr *formula,
                   struct table *to, struct column like, struct error *e);

/*
 * Sorts rows by several columns, of which the first has precedence. Missing cells come last,
 * whether the order is ascending or descending. Equal rows remain in the table's order.
 */
struct order {
    const struct column *column;
    bool down;
};
void table_sort(const struct order *by, size_t count, row_list *rows);

/*
 * Numbers rows by their cells in some columns. The numbers 0, 1, 2 … are assigned in the order of
 * first occurrence. The rows may belong to several tables. Rows with equal cells get the same
 * number. Callers use this to group rows, and to join the rows of two tables. Cells are compared as
 * numbers if they are numbers, and otherwise as strings. Missing cells are equal to each other.
 *
 * A struct row_keys must be zero-initialized, except for column_count. All lists of columns must
 * have the same length. The lists and their tables are borrowed until row_keys_free().
 */
struct key_column {
    const struct column *column; /* NULL: all cells contain the following text or number */
    const char *text;            /* the text, if the number is NaN; NULL: all cells are missing */
    double number;
};
struct row_keys {
    size_t column_count;
    struct map map;
    VEC(const struct key_column *) lists; /* the lists of columns that were used */
    VEC(struct keyed_row {
        uint32_t list;
        uint32_t row;
    })
    first; /* the first row with each number */
};
uint32_t row_keys_number(struct row_keys *k, const struct key_column *columns, size_t row);
typedef VEC(struct key_column) key_columns; /* vec_free() frees it */

/*
 * Sorts the numbers by the rows' cells, and returns the place of each number. The first column has
 * precedence. Missing cells come first, then strings, then numbers. Numbers are sorted by size, and
 * strings as strverscmp() sorts them ("int8" before "int32"). The list comes from malloc(), and has
 * one more entry than there are numbers.
 */
uint32_t *row_keys_order(const struct row_keys *k);
void row_keys_free(struct row_keys *k);

/* ---- For gnuplot ----------------------------------------------------------------------------- */

/*
 * Writes the columns for programs, separated by tabs. With `heading`, the first line contains their
 * names, so that gnuplot can refer to columns by name:
 *
 *     set datafile separator tab; plot "data" using "n":"time_us_median"
 *
 * Strings and names are in quotes. Within quotes, gnuplot has no notation for a quote, a backslash
 * or a control character that has the same meaning in labels and in comparisons. These characters
 * are therefore replaced with ', / and a blank. Every number is decimal or NaN, even if the column
 * shows it as the text that was read.
 */
void table_write_data(const struct table *t, bool heading, FILE *to);

#endif
