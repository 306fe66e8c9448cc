/*
 * A table in memory: columns, and a cell of each for every row. It does not know the meaning of its
 * rows.
 *
 * A column of texts stores each distinct text once, and a code per row. A column of numbers stores
 * a double per row; NaN is missing, like "" for texts. A column that was read without a single
 * value stores nothing. A column can also show the cells of another table's column through a list
 * of rows; it then stores none of its own.
 *
 * A column also states how it is shown: to whom, under which heading, with how many digits. The
 * code that makes a table states this once, where it computes the cells:
 *
 *     table_add_numbers(&t, row, b[row] / a[row], "ratio", .kind = COLUMN_CHANGE);
 *
 * Memory as in base/memory.h. The texts of a struct column are borrowed, unless table_keep() gave
 * them to the table.
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
    COLUMN_NUMBER, /* for people with the column's significant digits */
    COLUMN_COUNT,  /* an integer */
    COLUMN_SIZE,   /* an integer; for people "2^20" if it is a power of two from 2^10 on */
    COLUMN_CHANGE  /* a ratio; for people "+3.2 %" */
};

/* The audience of a column, or of a table. */
enum audience {
    FOR_ALL,
    FOR_PEOPLE,   /* text, Markdown and HTML */
    FOR_PROGRAMS, /* CSV, JSON and data */
    FOR_PAGES     /* HTML, CSV and JSON: too much for a terminal */
};

/* The columns that a page begins with, in this order; the others follow them. */
enum column_rank {
    RANK_OTHER,
    RANK_KEY /* stays while the rest scrolls */,
    RANK_TIME,
    RANK_PROBLEM,
    RANK_SHARE
};

#define ROW_NONE UINT32_MAX

struct column {
    const char *name;
    const char *alias;   /* users may use this name if no column has it; NULL */
    const char *heading; /* for people; NULL: the name */
    enum column_kind kind;
    enum cell_range range; /* values that a reader accepts in a cell */
    int digits;            /* significant digits of COLUMN_NUMBER */
    enum audience audience;
    enum column_rank rank;
    bool optional;  /* people do not see it when no row has a value */
    bool names_row; /* a number that is part of the row's name */
    bool details;   /* lines that HTML folds away below the previous column; only HTML shows them */
    bool
        wraps; /* on a narrow terminal a long text goes on below before other columns are folded away */
    bool as_printed;            /* numbers that are shown as the texts that were read */
    const char *unit, *meaning; /* NULL or "": none */
    const bool
        *varies; /* for each row, at the place of its cell: whether another count would give another
                           number, so that people read "≈" before it; NULL: for no row */

    /* The cells; a caller of table_add() leaves all of these zeroed. */
    const uint32_t *rows; /* place of each row's cell, ROW_NONE: missing; NULL: its own place */
    bool borrowed;        /* the cells are another column's */
    uint32_t *codes;      /* code of a text in `texts` */
    struct numbering *texts;
    double *numbers; /* also beside codes, if the texts of numbers are kept */
};

struct table {
    VEC(struct column *) columns;
    size_t row_count;
    VEC(void *) kept;
    bool torn; /* the file that it was read from ends within a line */
};

void table_free(struct table *t);

/* Memory that lives as long as the table, which frees it. */
void *table_keep(struct table *t, void *what);

/* −1 if there is no such column. Looked up once, not for each row. */
int table_column(const struct table *t, const char *name);
/* The same by the name that a user gave, which may be an alias. */
int table_column_named(const struct table *t, const char *name);
/* The column as a pointer; NULL if there is none. */
struct column *table_find(const struct table *t, const char *name);

/* The result of text_suggestion() for the columns' names. */
const char *table_suggestion(const struct table *t, const char *word, char buffer[]);

/* Adds a column of missing cells, for as many rows as the table has. */
struct column *table_add(struct table *t, struct column like);
/* Adds a column with the cells of `from` in `rows` (borrowed, one of each row; NULL: all of its
 * rows); `from` NULL: cells are missing. Its name and how it is shown are those of `like`. */
struct column *table_show(struct table *t, struct column like, const struct column *from,
                          const uint32_t *rows);

/* Only for a column that table_add() made, or that was read with a value. */
void column_set_text(struct column *c, size_t row, const char *text);

/* Adds a column whose cells are one expression, in which the variable `row` is the number of the
 * row; the members of struct column follow, the name first. */
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

/* "" for missing cells, for a column of numbers without texts, and for NULL. */
static inline const char *column_text(const struct column *c, size_t row)
{
    uint32_t at = c && c->rows ? c->rows[row] : (uint32_t)row;
    return c && c->codes && at != ROW_NONE ? c->texts->texts.items[c->codes[at]] : "";
}

/* NaN for missing cells, for a column of texts, and for NULL. */
static inline double column_number(const struct column *c, size_t row)
{
    uint32_t at = c && c->rows ? c->rows[row] : (uint32_t)row;
    return c && c->numbers && at != ROW_NONE ? c->numbers[at] : __builtin_nan("");
}

static inline bool column_is_missing(const struct column *c, size_t row)
{
    return !*column_text(c, row) && __builtin_isnan(column_number(c, row));
}

/* Whether two rows have equal cells; missing cells are equal to each other. */
bool column_same(const struct column *c, size_t a, size_t b);

/* Appends a cell in the form for programs: a text unchanged, the shortest text of a number. */
struct text;
void column_append(const struct column *c, size_t row, struct text *out);
/* The same as a separate text; that of a number stays valid until the 8th call from now. "" for
 * NULL. */
const char *column_cell(const struct column *c, size_t row);

/* Whether another count would give another number. */
bool column_varies(const struct column *c, size_t row);
/* The same for people, "≈1234" for a number that varies; the text is in `number`, or the table's. */
enum { SHOWN_SIZE = 40 };
const char *column_shown(const struct column *c, size_t row, char number[SHOWN_SIZE]);

/*
 * A number with `digits` significant digits, without an exponent if it is readable without; "" for
 * NaN. A size: "2^20", or all its digits.
 */
void show_number(double number, int digits, char out[SHOWN_SIZE]);
void show_size(double size, char out[SHOWN_SIZE]);

/* ---- From CSV -------------------------------------------------------------------------------- */

/*
 * Reads a table (table/csv.h). When `describe` is called, the columns have their names and no cells.
 * It sets the kind of each column and the values that its cells may have, and may refuse columns;
 * NULL: all are texts. A column of numbers needs a range of numbers. If `as_printed` is set for such a
 * column, its texts are kept beside the numbers.
 *
 * A torn last line (without a line end: the writer was killed) is dropped, and `torn` is set.
 * ERROR_CONFIG names the file, the line and the column of text that is not a table, and of a cell
 * outside its range.
 */
typedef bool table_describe(void *context, struct table *t, struct error *e);
bool table_read_as(const char *path, table_describe *describe, void *context, struct table *out,
                   struct error *e);
bool table_read(const char *path, struct table *out, struct error *e);
/* `bytes` (from malloc) become the reader's, and are freed. */
bool table_parse(const char *path, char *bytes, size_t length, table_describe *describe,
                 void *context, struct table *out, struct error *e);

/* ---- Operations ------------------------------------------------------------------------------ */

/* Rows of a table, each once, in any order. Starts zeroed; vec_free(). */
typedef VEC(uint32_t) row_list;

/*
 * Appends the rows for which `where` is true (base/expr.h; names are columns, a missing number is
 * NaN); NULL: all. ERROR_USAGE names a column that the table lacks, and the nearest one.
 */
struct expr;
bool table_filter(const struct table *t, const struct expr *where, row_list *out, struct error *e);

/*
 * Adds a column of numbers to `to`: its cell in row i is the value of `formula` in row rows[i] of
 * `from`; NaN if a number is missing there. ERROR_USAGE for an unknown column, and for a formula
 * that has no value.
 */
bool table_compute(const struct table *from, const uint32_t *rows, const struct expr *formula,
                   struct table *to, struct column like, struct error *e);

/* Sorts rows by columns, the first one first; missing cells come last in both directions, and equal
 * rows stay in the table's order. */
struct order {
    const struct column *column;
    bool down;
};
void table_sort(const struct order *by, size_t count, row_list *rows);

/*
 * Numbers rows by their cells in some columns, also rows of several tables: 0, 1, 2 … in the order
 * of their first occurrence. Two cells are equal as numbers, or else as texts, and missing cells
 * are equal to each other. Rows with one number are a group; those of two tables are joined.
 *
 * Starts zeroed but for column_count. The lists of columns, all of the same length, and their
 * tables are borrowed until row_keys_free().
 */
struct key_column {
    const struct column *column; /* NULL: all cells are the following */
    const char *text;            /* if the number is NaN; NULL: missing */
    double number;
};
struct row_keys {
    size_t column_count;
    struct map map;
    VEC(const struct key_column *) lists; /* that were used */
    VEC(struct keyed_row {
        uint32_t list;
        uint32_t row;
    })
    first; /* of each number */
};
uint32_t row_keys_number(struct row_keys *k, const struct key_column *columns, size_t row);
typedef VEC(struct key_column) key_columns; /* vec_free() */

/*
 * The place of each number, 0, 1, 2 …, in the order of the cells, the first column first: numbers by
 * size, texts as in strverscmp() ("int8" before "int32"), missing cells first. From malloc(); one
 * more entry than numbers.
 */
uint32_t *row_keys_order(const struct row_keys *k);
void row_keys_free(struct row_keys *k);

/* ---- For gnuplot ----------------------------------------------------------------------------- */

/*
 * Writes the columns for programs, separated by tabs, with `heading` above a line of their names:
 *
 *     set datafile separator tab; plot "data" using "n":"time_us_median"
 *
 * Texts and names are in quotes; as gnuplot has no way to write a quote, a backslash or a control
 * character between them that labels and comparisons read alike, these are ', / and a blank.
 * Numbers are decimal or NaN, whatever was read, also where a column shows them as printed.
 */
void table_write_data(const struct table *t, bool heading, FILE *to);

#endif
