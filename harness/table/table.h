/*
 * A table in memory consists of columns with a cell for every row. The code here does not know what
 * the rows mean.
 *
 * A column of strings stores each distinct string once, and a code for each row. A column of
 * numbers stores a double for each row. A missing cell is NaN or "". If all cells that were read
 * for a column are missing, the column stores no cells. Instead of storing cells, a column can also
 * show cells of another table, selected by a list of rows.
 *
 * A column also says how it is shown: to which audience, under which heading, and with how many
 * digits. The code that makes a table states these properties once, where it computes the cells:
 *
 *     table_add_numbers(&t, row, b[row] / a[row], "ratio", .kind = COLUMN_CHANGE);
 *
 * For out-of-memory behavior, see base/memory.h. The strings of a struct column are borrowed unless
 * they were given to the table with table_keep().
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
    COLUMN_NUMBER, /* people see as many significant digits as `digits` says */
    COLUMN_COUNT,  /* an integer */
    COLUMN_SIZE,   /* an integer; people see powers of two from 2^10 on as "2^20" */
    COLUMN_CHANGE  /* a ratio; people see "+3.2 %" */
};

/* Who sees a column or a table. */
enum audience {
    FOR_ALL,
    FOR_PEOPLE,   /* readers of text, Markdown and HTML */
    FOR_PROGRAMS, /* readers of CSV, JSON and data */
    FOR_PAGES     /* readers of HTML, CSV and JSON: too much for a terminal */
};

/* The order of columns on a page. RANK_OTHER comes last. */
enum column_rank {
    RANK_OTHER,
    RANK_KEY, /* stays in place while the other columns scroll */
    RANK_TIME,
    RANK_PROBLEM,
    RANK_SHARE
};

#define ROW_NONE UINT32_MAX

struct column {
    const char *name;
    /* another name by which users may call the column, unless a column has this name; or NULL */
    const char *alias;
    const char *heading; /* for people; NULL: the name */
    enum column_kind kind;
    enum cell_range range; /* what a reader accepts in a cell */
    int digits;            /* significant digits of a COLUMN_NUMBER */
    enum audience audience;
    enum column_rank rank;
    bool optional;  /* hidden from people if all its cells are missing */
    bool names_row; /* the column's numbers are part of the rows' names in reports */
    /* lines to unfold below the previous column; only in HTML */
    bool details;
    /* on a narrow terminal, its texts wrap before columns are folded away */
    bool wraps;
    bool as_printed;            /* numbers are shown with the digits that were read */
    const char *unit, *meaning; /* NULL or "": there is none */
    /*
     * whether each number may differ if counted again; people see "≈" before such a number. NULL:
     * none may differ
     */
    const bool *varies;

    /* The cells. Callers of table_add() leave these members zeroed. */
    const uint32_t *rows; /* the place of each row's cell (ROW_NONE: missing); NULL: the row's
                             own number */
    bool borrowed;        /* the cells belong to another column */
    uint32_t *codes;      /* codes of the cells' texts in `texts` */
    struct numbering *texts;
    /* if `as_printed` is set, `codes` have the strings of these numbers */
    double *numbers;
};

struct table {
    VEC(struct column *) columns;
    size_t row_count;
    VEC(void *) kept;
    bool torn; /* the file ended within a line */
};

void table_free(struct table *t);

/* Gives memory to the table, so that table_free() frees it. Returns the memory. */
void *table_keep(struct table *t, void *what);

/*
 * Returns the index of the column with this name, or −1. Callers should look up a column once, not
 * for each row.
 */
int table_column(const struct table *t, const char *name);
/* Returns the index of the column with this name or alias, or −1. */
int table_column_named(const struct table *t, const char *name);
/* Returns the column with this name, or NULL. */
struct column *table_find(const struct table *t, const char *name);

/* Returns what text_suggestion() suggests in place of the mistyped column name `word`. */
const char *table_suggestion(const struct table *t, const char *word, char buffer[]);

/* Adds a column of missing cells. */
struct column *table_add(struct table *t, struct column like);
/*
 * Adds a column that shows cells of `from`. `rows` (borrowed) has the row of `from` for each row of
 * the table, or is NULL if the rows have the same numbers. If `from` is NULL, all cells are
 * missing. `like` defines the column's name and how it is shown.
 */
struct column *table_show(struct table *t, struct column like, const struct column *from,
                          const uint32_t *rows);

/*
 * Sets the text of a cell. The column must be from table_add(), or have been read with at least one
 * nonempty cell.
 */
void column_set_text(struct column *c, size_t row, const char *text);

/*
 * Adds a column computed by an expression, in which `row` is the row's number. The remaining
 * arguments initialize struct column, beginning with the name.
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
 * Returns the text of a cell. Returns "" if the cell is missing, if the column has numbers without
 * strings, or if `c` is NULL.
 */
static inline const char *column_text(const struct column *c, size_t row)
{
    uint32_t at = c && c->rows ? c->rows[row] : (uint32_t)row;
    return c && c->codes && at != ROW_NONE ? c->texts->texts.items[c->codes[at]] : "";
}

/*
 * Returns the number of a cell. Returns NaN if the cell is missing, if the column has only strings,
 * or if `c` is NULL.
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

/* Returns whether two rows have equal cells in a column. Missing cells are equal. */
bool column_same(const struct column *c, size_t a, size_t b);

/* Appends a cell in the form for programs: a string as it is, a number in its shortest form. */
struct text;
void column_append(const struct column *c, size_t row, struct text *out);
/*
 * Returns what column_append() would append, or "" if the column is NULL. For a number, the text
 * stays valid until the 8th call after this one.
 */
const char *column_cell(const struct column *c, size_t row);

/* Returns whether the number in this cell may differ if counted again. */
bool column_varies(const struct column *c, size_t row);
/*
 * Returns a cell as people see it, with "≈" before a number that varies. The text is in `number` or
 * in the table.
 */
enum { SHOWN_SIZE = 40 };
const char *column_shown(const struct column *c, size_t row, char number[SHOWN_SIZE]);

/*
 * show_number() writes `digits` significant digits, with an exponent only for very large and very
 * small numbers, and "" for NaN. show_size() writes a power of two, such as "2^20", or all digits.
 */
void show_number(double number, int digits, char out[SHOWN_SIZE]);
void show_size(double size, char out[SHOWN_SIZE]);

/* ---- From CSV -------------------------------------------------------------------------------- */

/*
 * Reads a table from CSV (table/csv.h). `describe` is called after the header has been read, when
 * the columns have names but no cells. It sets the kind of each column and the range of its cells,
 * and may refuse columns. If `describe` is NULL, all columns are strings. A column of numbers must
 * have a range of numbers; with `as_printed`, the column keeps the strings as well.
 *
 * A last line without a line end is dropped, because its writer was killed, and `torn` is set.
 * Fails with ERROR_CONFIG if the text is not a table or a cell is outside its range. The message
 * names the file, the line and the column.
 */
typedef bool table_describe(void *context, struct table *t, struct error *e);
bool table_read_as(const char *path, table_describe *describe, void *context, struct table *out,
                   struct error *e);
bool table_read(const char *path, struct table *out, struct error *e);
/* table_parse() reads from memory, and frees `bytes`, which must come from malloc(). */
bool table_parse(const char *path, char *bytes, size_t length, table_describe *describe,
                 void *context, struct table *out, struct error *e);

/* ---- Operations ------------------------------------------------------------------------------ */

/*
 * Rows of a table, in any order and without duplicates. Must be zero-initialized; free it with
 * vec_free().
 */
typedef VEC(uint32_t) row_list;

/*
 * Appends the rows for which `where` is true, or all rows if `where` is NULL. Names in the
 * expression (base/expr.h) are columns, and a missing number is NaN. Fails with ERROR_USAGE,
 * suggesting the most similar name, if the table lacks a column.
 */
struct expr;
bool table_filter(const struct table *t, const struct expr *where, row_list *out, struct error *e);

/*
 * Adds a column of numbers to `to`. The cell in row i is `formula` evaluated for row rows[i] of
 * `from`. The cell is NaN if this row lacks a number that the formula uses. Fails with ERROR_USAGE
 * if a column is unknown or the formula has no value.
 */
bool table_compute(const struct table *from, const uint32_t *rows, const struct expr *formula,
                   struct table *to, struct column like, struct error *e);

/*
 * Sorts rows by `count` columns; the first one has precedence. Missing cells come last in either
 * direction. Equal rows stay in the table's order.
 */
struct order {
    const struct column *column;
    bool down;
};
void table_sort(const struct order *by, size_t count, row_list *rows);

/*
 * Numbers rows by their cells in some columns, to group rows or to join the rows of two tables.
 * Rows with equal cells get the same number, in order of first occurrence from 0, even across
 * tables. Numbers are compared as numbers, and everything else as strings. Missing cells are equal.
 *
 * A struct row_keys must be zero-initialized except for column_count. This is the length of every
 * list of columns that row_keys_number() gets. The lists and their tables are borrowed until
 * row_keys_free().
 */
struct key_column {
    const struct column *column; /* NULL: all cells are the following text or number */
    const char *text;            /* used if `number` is NaN; NULL: all cells are missing */
    double number;
};
struct row_keys {
    size_t column_count;
    struct map map;
    VEC(const struct key_column *) lists; /* the lists that row_keys_number() has got so far */
    VEC(struct keyed_row {
        uint32_t list;
        uint32_t row;
    })
    first; /* the first row with each number */
};
uint32_t row_keys_number(struct row_keys *k, const struct key_column *columns, size_t row);
typedef VEC(struct key_column) key_columns; /* vec_free() frees it */

/*
 * Returns the place that each number would have if the numbers were sorted by their rows' cells.
 * The first column has precedence. Missing cells come first, then strings (by strverscmp(): "int8"
 * before "int32"), then numbers. The caller frees the list, which has one more entry than there are
 * numbers.
 */
uint32_t *row_keys_order(const struct row_keys *k);
void row_keys_free(struct row_keys *k);

/* ---- For gnuplot ----------------------------------------------------------------------------- */

/*
 * Writes the columns for programs, separated by tabs. With `heading`, the first line has their
 * names, so that gnuplot can use them:
 *
 *     set datafile separator tab; plot "data" using "n":"time_us_median"
 *
 * Strings and names are in quotes. A quote in a string is replaced with ', a backslash with /, and
 * a control character with a blank, because gnuplot has no escape for these that means the same in
 * labels and in comparisons. Numbers are decimal or NaN, even if the column shows the text that was
 * read.
 */
void table_write_data(const struct table *t, bool heading, FILE *to);

#endif
