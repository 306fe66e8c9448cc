/*
 * A table in memory: columns, and a cell of each for every row. It knows nothing of what its rows
 * are about.
 *
 * A column of texts holds each distinct text once, and a code per row. A column of numbers holds a
 * double per row; NaN is missing, as "" is of texts. A column that was read without a single value
 * holds nothing. A column can also show the cells of another table's column through a list of rows,
 * and then holds none of its own.
 *
 * A column also says how it is shown: to whom, under which heading, to how many digits. What makes
 * a table says this once, where it computes the cells:
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
    COLUMN_SIZE,   /* an integer; for people "2^20" where it is a power of two from 2^10 on */
    COLUMN_CHANGE  /* a ratio; for people "+3.2 %" */
};

/* Who sees a column, or a table. */
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
    const char *alias;   /* users may name it so where no column has that name; NULL */
    const char *heading; /* for people; NULL: the name */
    enum column_kind kind;
    enum cell_range range; /* what a reader accepts in a cell */
    int digits;            /* significant ones of COLUMN_NUMBER */
    enum audience audience;
    enum column_rank rank;
    bool optional;  /* people do not see it when no row has a value */
    bool names_row; /* a number that belongs to the row's name */
    bool details;   /* lines that HTML folds away below the column before; nobody else sees them */
    bool
        wraps; /* on a narrow terminal a long text goes on below before other columns are folded away */
    bool as_printed;            /* numbers that are shown as the texts that were read */
    const char *unit, *meaning; /* NULL or "": none */
    const bool
        *varies; /* of each row, where its cell is: the number would be another one if it were
                           counted again, and people read "≈" before it; NULL: of none */

    /* The cells; a caller of table_add() leaves all this zeroed. */
    const uint32_t *rows; /* where a row's cell is, ROW_NONE: missing; NULL: in its own place */
    bool borrowed;        /* the cells are another column's */
    uint32_t *codes;      /* of a text in `texts` */
    struct numbering *texts;
    double *numbers; /* also beside codes, where the texts of numbers are kept */
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

/* −1 when there is no such column. Looked up once, not for each row. */
int table_column(const struct table *t, const char *name);
/* The same by the name that a user gave, which may be an alias. */
int table_column_named(const struct table *t, const char *name);
/* The column as a pointer; NULL. */
struct column *table_find(const struct table *t, const char *name);

/* What text_suggestion() makes of the columns' names. */
const char *table_suggestion(const struct table *t, const char *word, char buffer[]);

/* Adds a column of missing cells, for as many rows as the table has. */
struct column *table_add(struct table *t, struct column like);
/* Adds a column with the cells that `from` has in `rows` (borrowed, one of each row; NULL: all of
 * its rows); `from` NULL: cells are missing. Its name and how it is shown are those of `like`. */
struct column *table_show(struct table *t, struct column like, const struct column *from,
                          const uint32_t *rows);

/* Of a column that table_add() made, or that was read with a value. */
void column_set_text(struct column *c, size_t row, const char *text);

/* A column with one expression for all its rows, whose number is in the variable `row`; behind it
 * come the members of struct column, the name first. */
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

/* "" for what is missing, for a column of numbers without texts, and for NULL. */
static inline const char *column_text(const struct column *c, size_t row)
{
    uint32_t at = c && c->rows ? c->rows[row] : (uint32_t)row;
    return c && c->codes && at != ROW_NONE ? c->texts->texts.items[c->codes[at]] : "";
}

/* NaN for what is missing, for a column of texts, and for NULL. */
static inline double column_number(const struct column *c, size_t row)
{
    uint32_t at = c && c->rows ? c->rows[row] : (uint32_t)row;
    return c && c->numbers && at != ROW_NONE ? c->numbers[at] : __builtin_nan("");
}

static inline bool column_is_missing(const struct column *c, size_t row)
{
    return !*column_text(c, row) && __builtin_isnan(column_number(c, row));
}

/* Whether two rows have equal cells; what is missing is equal to itself. */
bool column_same(const struct column *c, size_t a, size_t b);

/* Appends a cell as programs read it: a text as it is, the shortest text of a number. */
struct text;
void column_append(const struct column *c, size_t row, struct text *out);
/* The same as a text of its own; that of a number lives until the 8th call from now. "" for NULL. */
const char *column_cell(const struct column *c, size_t row);

/* Whether the number would be another one if it were counted again. */
bool column_varies(const struct column *c, size_t row);
/* The same for people, "≈1234" for a number that varies; the text is in `number`, or the table's. */
enum { SHOWN_SIZE = 40 };
const char *column_shown(const struct column *c, size_t row, char number[SHOWN_SIZE]);

/*
 * A number with `digits` significant ones, without an exponent where it can be read without; "" for
 * NaN. A size: "2^20", or all its digits.
 */
void show_number(double number, int digits, char out[SHOWN_SIZE]);
void show_size(double size, char out[SHOWN_SIZE]);

/* ---- From CSV -------------------------------------------------------------------------------- */

/*
 * Reads a table (table/csv.h). Its columns have their names and no cells when `describe` is called,
 * which says of each what kind it is and what its cells may hold, and may refuse them; NULL: all are
 * texts. A column of numbers needs a range of numbers. Where `as_printed` is set of such a column, its
 * texts are kept beside the numbers.
 *
 * A torn last line (no line end: the writer was killed) is dropped and said in `torn`. ERROR_CONFIG
 * names the file, the line and the column of what is no table, and of a cell outside of its range.
 */
typedef bool table_describe(void *context, struct table *t, struct error *e);
bool table_read_as(const char *path, table_describe *describe, void *context, struct table *out,
                   struct error *e);
bool table_read(const char *path, struct table *out, struct error *e);
/* `bytes` (from malloc) are the reader's, and freed. */
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
 * Adds a column of numbers to `to`: of its row i the value of `formula` in row rows[i] of `from`;
 * NaN where a number is missing there. ERROR_USAGE for an unknown column, and for what has no value.
 */
bool table_compute(const struct table *from, const uint32_t *rows, const struct expr *formula,
                   struct table *to, struct column like, struct error *e);

/* Sorts rows by columns, the first one first; what is missing comes last, both ways, and rows that
 * are equal stay in the table's order. */
struct order {
    const struct column *column;
    bool down;
};
void table_sort(const struct order *by, size_t count, row_list *rows);

/*
 * Numbers rows by their cells in some columns, also rows of several tables: 0, 1, 2 … in the order
 * in which they are first seen. Two cells are equal as numbers, or else as texts, and what is
 * missing is equal to itself. Rows of one number are a group; those of two tables are joined.
 *
 * Starts zeroed but for column_count. The lists of columns, all of that length, and their tables
 * are borrowed until row_keys_free().
 */
struct key_column {
    const struct column *column; /* NULL: all cells are the following */
    const char *text;            /* where the number is NaN; NULL: missing */
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
 * The place of each number, 0, 1, 2 …, in the order of the cells, of the first column first: numbers
 * by size, texts as strverscmp() has them ("int8" before "int32"), what is missing first. From
 * malloc(), one more than numbers.
 */
uint32_t *row_keys_order(const struct row_keys *k);
void row_keys_free(struct row_keys *k);

/* ---- For gnuplot ----------------------------------------------------------------------------- */

/*
 * Writes the columns that programs read, separated by tabs, with `heading` below a line of their names:
 *
 *     set datafile separator tab; plot "data" using "n":"time_us_median"
 *
 * Texts and names are in quotes; as gnuplot has no way to write a quote, a backslash or a control
 * character between them that labels and comparisons read alike, these are ', / and a blank.
 * Numbers are decimal or NaN, whatever was read, also where a column shows them as printed.
 */
void table_write_data(const struct table *t, bool heading, FILE *to);

#endif
