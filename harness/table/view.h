/*
 * A view is the output of a command. It is stored once and can be written in several formats.
 *
 * A view is a list of lines and tables in order. The columns of a table define how they are shown
 * (table/table.h). A table that may have 10^6 rows is made only when a writer needs it. The formats
 * are:
 *
 *   text      everything, in columns: numbers are aligned to the right, words to the left
 *   HTML      the same content, as one page that needs no other file
 *   JSON      {"schema": 2, the facts, and a list of objects for each table}. Tables with the same
 *             name form one list. A missing value is null
 *   CSV       one table: the view's main table, or the table that --table names (table/csv.h)
 *   data      the rows of CSV, for gnuplot (table_write_data())
 *
 * Some commands offer two more formats, for merge requests:
 *
 *   Markdown  the conclusion, then the text, with tables as GitHub and GitLab render them
 *   JUnit     a test case for each row of each table that can mark bad rows. A marked row is a
 *             failure. If there is no result, the conclusion is a test case with an error
 *
 * If memory is exhausted, the program ends as described in base/memory.h.
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
 * A page shows at most VIEW_PAGE_MAX_ROWS rows of a table, and says so if there are more. At most
 * VIEW_PRINTED_MAX_ROWS rows are printed on paper.
 */
enum { VIEW_PAGE_MAX_ROWS = 20000, VIEW_PRINTED_MAX_ROWS = 100 };
/* A table with more rows than this scrolls in a box of its own. page.js and page.css contain the
 * same number. */
enum { VIEW_LONG_ROWS = 300 };

struct view_table {
    const char *name;  /* the name for --table and JSON */
    char *title;       /* the title that people see above the table; owned; "": there is none */
    struct text notes; /* lines for people, shown below the table */
    enum audience audience;
    struct table cells;
    bool searchable; /* HTML shows a field that filters the table's rows */
    bool *bad;       /* for each row, whether it is marked as bad; owned; NULL: the table does
                        not mark rows */
    bool *best;      /* for each row, whether HTML marks it as the best; owned; NULL: the table
                        has no such marks */

    /*
     * Adds the columns and the marks of a table that is made only when a writer needs it. For other
     * tables, this member is NULL.
     */
    void (*make)(const void *context, struct view_table *t);
    const void *context; /* borrowed */
};

enum view_item_kind {
    VIEW_ITEM_LINE,    /* a line, which is a paragraph in HTML */
    VIEW_ITEM_BULLET,  /* an entry of a list */
    VIEW_ITEM_HEADING, /* the heading of a section */
    VIEW_ITEM_TABLE,
    VIEW_ITEM_HTML, /* a piece of HTML, which only HTML contains */
    VIEW_ITEM_FACT  /* a fact, which only JSON contains */
};

struct view_item {
    enum view_item_kind kind;
    const char *name; /* the id of a heading, the name of a fact, or the kind of a special line
                         (headline, conclusion) */
    char *text;       /* owned; NULL for tables, and for facts that are numbers */
    /*
     * the choice (from view_choice()) of the rows that a bullet describes (owned; NULL if there is
     * none)
     */
    char *choice;
    double number;
    struct view_table table;
};

enum view_verdict { VIEW_NO_VERDICT, VIEW_PASS, VIEW_FAIL, VIEW_UNDECIDED };

struct view {
    char *title;            /* the title of the page; owned */
    const char *main_table; /* the name of the table that --csv writes */
    /* the last line, which view_conclude() sets (owned; NULL if there is none) */
    char *conclusion;
    /*
     * the line that states the verdict, which is shown before the conclusion (owned; NULL if there
     * is none)
     */
    char *headline;
    enum view_verdict verdict; /* the verdict, which selects the color of the headline */
    size_t width;   /* the width of the text in columns; 0: that of the terminal, or of the
                       widest table */
    int refresh_s;  /* the seconds after which a page reloads itself; 0: never */
    bool no_result; /* nothing was compared, and the conclusion says why */
    /* Writes a separate document for --json. NULL means that --json writes the facts and the
     * tables. */
    void (*json_writer)(const void *context, FILE *to);
    const void *json_context;
    VEC(struct view_item *) items;
};

void view_title(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
void view_line(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Adds the headline, which states the verdict, as a line and as a fact. The function must be called
 * before view_conclude().
 */
void view_headline(struct view *v, enum view_verdict verdict, const char *line);
/* Adds the conclusion as the last line and as a fact. */
void view_conclude(struct view *v, const char *line);
void view_bullet(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Adds a bullet that describes rows of the searchable table. In HTML, it contains a link to the
 * rows that `choice` selects. view_choice() makes such a choice.
 */
void view_bullet_where(struct view *v, const char *choice, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void view_heading(struct view *v, const char *id, const char *text);
/* Adds a piece of HTML. Takes ownership of the text and empties `*html`. */
void view_html(struct view *v, struct text *html);
void view_fact(struct view *v, const char *name, const char *text);
void view_fact_number(struct view *v, const char *name, double number);

/* Adds a table with this many rows and no columns. The caller adds the columns. */
struct view_table *view_add_table(struct view *v, const char *name, enum audience audience,
                                  size_t row_count);
/*
 * Returns a list that contains a mark for each row of the table. No mark is set yet. The caller
 * stores the list in `bad` or `best`.
 */
bool *view_marks(const struct view_table *t);
void view_table_title(struct view_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_table_note(struct view_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_free(struct view *v);

/*
 * These functions write a view. If `table` is NULL, they write the whole view, but the writers of
 * CSV and data write the main table.
 */
void view_write_text(const struct view *v, const char *table, FILE *to);
void view_write_csv(const struct view *v, const char *table, FILE *to);
void view_write_json(const struct view *v, const char *table, FILE *to);
void view_write_html(const struct view *v, const char *table, FILE *to);
void view_write_markdown(const struct view *v, const char *table, FILE *to);
void view_write_junit(const struct view *v, const char *table, FILE *to);
void view_write_data(const struct view *v, const char *table, FILE *to);

/* The writers share the following functions. */
/* Makes a table that is made on demand. A writer must call this before it reads a table. */
void view_make(const struct view_table *t);
bool view_selects(const struct view_table *t, const char *table, enum audience audience);
/* Returns whether `audience` sees items that are meant for the audience `is`. */
bool view_reads(enum audience audience, enum audience is);
/* Returns a column's heading for people. */
const char *view_heading_of(const struct column *c);
/* Returns for each column whether `audience` sees it. The caller frees the list. */
bool *view_shown_columns(const struct view_table *t, enum audience audience);
/* Appends a string and escapes it for HTML. */
void view_html_text(struct text *html, const char *text);
/* Adds a heading that only HTML contains. */
void view_html_heading(struct view *v, const char *id, const char *text);
/*
 * Appends the element in which the page's script draws charts. Also appends the charts' data, the
 * JSON that plots/page_charts.js reads.
 */
void view_html_charts(struct text *html, const char *json);
/* Appends a link to the rows of the searchable table for which `choice` is true. */
void view_html_link(struct text *html, const char *choice, const char *label);

/*
 * Returns the choice of the rows that have this value in a column, in the form that links use. If
 * the value is NULL, selects all rows that have any value there. The caller frees the text.
 */
char *view_choice(const char *column, const char *value);

#endif
