/*
 * A view is the output of a command, which can be written in several formats.
 *
 * A view is a list of lines and tables. The tables' columns say how they are shown (table/table.h).
 * A fact is a named value for programs. A table that may have 10^6 rows is made only when a writer
 * needs it. The formats are:
 *
 *   text      lines and tables, with numbers right-aligned and words left-aligned
 *   HTML      lines and tables, as one self-contained page
 *   JSON      {"schema": 2, the facts, a list of objects for each table}. Tables with the same name
 *             share a list. A missing value is null
 *   CSV       one table: the main table, or the one that --table names (table/csv.h)
 *   data      the rows of CSV, for gnuplot (table_write_data())
 *
 * Some commands offer two more formats, for merge requests:
 *
 *   Markdown  the conclusion, then the text, with tables as GitHub and GitLab render them
 *   JUnit     a test case for each row of the tables that can mark bad rows. A marked row is a
 *             failure. If nothing was compared, there is a test case whose error is the conclusion
 *
 * For out-of-memory behavior, see base/memory.h.
 */
#ifndef REDSWEEP_TABLE_VIEW_H
#define REDSWEEP_TABLE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "table/table.h"

/*
 * A page shows at most VIEW_PAGE_MAX_ROWS rows of a table, and says so if the table has more. When
 * the page is printed, at most VIEW_PRINTED_MAX_ROWS rows go to paper.
 */
enum { VIEW_PAGE_MAX_ROWS = 20000, VIEW_PRINTED_MAX_ROWS = 100 };
/* A table with more rows scrolls in its own box. page.js and page.css have the same number. */
enum { VIEW_LONG_ROWS = 300 };

struct view_table {
    const char *name;  /* for --table and JSON */
    char *title;       /* shown to people above the table; owned; "": none */
    struct text notes; /* shown to people below the table */
    enum audience audience;
    struct table cells;
    bool searchable; /* HTML has a field that filters the rows */
    bool *bad;       /* which rows are bad; owned; NULL: the table does not mark rows */
    bool *best;      /* which rows HTML marks as the best; owned; NULL: none */

    /* Adds the columns and marks of a table that is made on demand; NULL for other tables. */
    void (*make)(const void *context, struct view_table *t);
    const void *context; /* borrowed */
};

enum view_item_kind {
    VIEW_ITEM_LINE,    /* a paragraph in HTML */
    VIEW_ITEM_BULLET,  /* a list entry */
    VIEW_ITEM_HEADING, /* a section heading */
    VIEW_ITEM_TABLE,
    VIEW_ITEM_HTML, /* a piece of HTML, only in HTML */
    VIEW_ITEM_FACT  /* only in JSON */
};

struct view_item {
    enum view_item_kind kind;
    const char *name; /* a heading's id, a fact's name, or a special line's kind (headline,
                         conclusion) */
    char *text;       /* owned; NULL for tables and numeric facts */
    /* which rows a bullet describes, from view_choice(); owned; may be NULL */
    char *choice;
    double number;
    struct view_table table;
};

enum view_verdict { VIEW_NO_VERDICT, VIEW_PASS, VIEW_FAIL, VIEW_UNDECIDED };

struct view {
    char *title;            /* the title of the page; owned */
    const char *main_table; /* the table that --csv writes */
    /* the last line of the output, set by view_conclude(); owned; may be NULL */
    char *conclusion;
    /* a line before the conclusion that states the verdict; owned; may be NULL */
    char *headline;
    enum view_verdict verdict; /* selects the headline's color */
    /* the width of text output, in characters; 0: the width of the terminal, or no limit */
    size_t width;
    int refresh_s;  /* how often a page reloads itself; 0: never */
    bool no_result; /* nothing was compared; the conclusion says why */
    /* Writes a separate document for --json. NULL: --json writes the facts and the tables. */
    void (*json_writer)(const void *context, FILE *to);
    const void *json_context;
    VEC(struct view_item *) items;
};

void view_title(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
void view_line(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Adds the headline, which states the verdict, as a line and as a fact. Must be called before
 * view_conclude().
 */
void view_headline(struct view *v, enum view_verdict verdict, const char *line);
/* Adds the conclusion as the last line and as a fact. */
void view_conclude(struct view *v, const char *line);
void view_bullet(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Adds a bullet that describes rows of the searchable table, with a link in HTML to the rows that
 * `choice` (from view_choice()) selects.
 */
void view_bullet_where(struct view *v, const char *choice, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void view_heading(struct view *v, const char *id, const char *text);
/* Adds a piece of HTML, and takes the text out of `*html`. */
void view_html(struct view *v, struct text *html);
void view_fact(struct view *v, const char *name, const char *text);
void view_fact_number(struct view *v, const char *name, double number);

/* Adds a table with this many rows, to which the caller adds columns. */
struct view_table *view_add_table(struct view *v, const char *name, enum audience audience,
                                  size_t row_count);
/* Returns a list with an unset mark for each row of the table, to be stored in `bad` or `best`. */
bool *view_marks(const struct view_table *t);
void view_table_title(struct view_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_table_note(struct view_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_free(struct view *v);

/*
 * Write a view or, if `table` is not NULL, only the table with this name. CSV and data have a
 * single table. If `table` is NULL, this is the main table.
 */
void view_write_text(const struct view *v, const char *table, FILE *to);
void view_write_csv(const struct view *v, const char *table, FILE *to);
void view_write_json(const struct view *v, const char *table, FILE *to);
void view_write_html(const struct view *v, const char *table, FILE *to);
void view_write_markdown(const struct view *v, const char *table, FILE *to);
void view_write_junit(const struct view *v, const char *table, FILE *to);
void view_write_data(const struct view *v, const char *table, FILE *to);

/* Shared by the writers. */
/*
 * Adds the columns of a table that is made on demand. Writers must call this before they read a
 * table.
 */
void view_make(const struct view_table *t);
bool view_selects(const struct view_table *t, const char *table, enum audience audience);
/* Returns whether the readers in `audience` see columns and tables that are meant for `is`. */
bool view_reads(enum audience audience, enum audience is);
/* Returns a column's heading for people. */
const char *view_heading_of(const struct column *c);
/* Returns whether `audience` sees each column. The caller frees the list. */
bool *view_shown_columns(const struct view_table *t, enum audience audience);
/* Appends a string, escaped for HTML. */
void view_html_text(struct text *html, const char *text);
/* Adds a heading, only in HTML. */
void view_html_heading(struct view *v, const char *id, const char *text);
/*
 * Appends the element in which the page's script draws charts, and the charts' data, the JSON that
 * plots/page_charts.js reads.
 */
void view_html_charts(struct text *html, const char *json);
/* Appends a link to the rows of the searchable table that `choice` (from view_choice()) selects. */
void view_html_link(struct text *html, const char *choice, const char *label);

/*
 * Returns a text that stands in links for the rows with this value in a column or, if `value` is
 * NULL, with any value in the column. The caller frees the text.
 */
char *view_choice(const char *column, const char *value);

#endif
