/*
 * The output of a command, stored once, and the ways to print it.
 *
 * A view is a list of lines and tables in their order. A table's columns state how they are shown
 * (table/table.h); a table that may have 10^6 rows is made when a writer asks for it.
 *
 *   text   everything, in aligned columns: numbers to the right, words to the left
 *   HTML   the same as one page that needs no other file
 *   JSON   {"schema": 2, facts, and for each table a list of objects}; tables of one name are one
 *          list. A missing value is null
 *   CSV    one table: the view's main one, or the one that --table names (table/csv.h)
 *
 *   data   the same rows as CSV, for gnuplot (table_write_data())
 *
 * and two for merge requests, where a command offers them:
 *
 *   Markdown  its conclusion, then the text with tables as GitHub and GitLab render them
 *   JUnit     a test case per row of each table that marks bad rows; these are the failures.
 *             Without a result the conclusion is a test case of its own, and an error
 *
 * Memory as in base/memory.h.
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

/* A page has only the first rows of a longer table, and says so. */
enum { VIEW_PAGE_MAX_ROWS = 20000, VIEW_PRINTED_MAX_ROWS = 100 };
/* A table of more rows scrolls in a box of its own; the same number is in page.js and page.css. */
enum { VIEW_LONG_ROWS = 300 };

struct view_table {
    const char *name;  /* for --table and JSON */
    char *title;       /* for people, above the table; owned; "" for none */
    struct text notes; /* for people, lines below the table */
    enum audience audience;
    struct table cells;
    bool searchable; /* HTML: with a field that filters its rows */
    bool *bad;       /* for each row, whether it is marked; owned; NULL: no row can be */
    bool *best;      /* the same in HTML */

    /* For a table that is made when a writer asks for it: adds its columns, and its marks. */
    void (*make)(const void *context, struct view_table *t);
    const void *context; /* borrowed */
};

enum view_item_kind {
    VIEW_ITEM_LINE,    /* a line; in HTML a paragraph */
    VIEW_ITEM_BULLET,  /* one entry of a list */
    VIEW_ITEM_HEADING, /* a section of the page */
    VIEW_ITEM_TABLE,
    VIEW_ITEM_HTML, /* HTML only, as it is */
    VIEW_ITEM_FACT  /* JSON only */
};

struct view_item {
    enum view_item_kind kind;
    const char *name; /* of a heading (its id), a fact, or the line with the conclusion */
    char *text;       /* owned; NULL for tables and facts that are numbers */
    char *choice;     /* for a bullet: the rows behind it, from view_choice(); owned; NULL: none */
    double number;
    struct view_table table;
};

enum view_verdict { VIEW_NO_VERDICT, VIEW_PASS, VIEW_FAIL, VIEW_UNDECIDED };

struct view {
    char *title;               /* of the page; owned */
    const char *main_table;    /* what --csv writes */
    char *conclusion;          /* the last line, once view_conclude() has set it; owned; NULL */
    char *headline;            /* above everything, and before the conclusion; owned; NULL */
    enum view_verdict verdict; /* colors the headline */
    size_t width;   /* of the text, in columns; 0: the terminal's, or as wide as tables are */
    int refresh_s;  /* a page reloads itself after this many seconds; 0: never */
    bool no_result; /* the conclusion says that there is nothing to conclude from */
    /* A separate document for --json; NULL: facts and tables. */
    void (*json_writer)(const void *context, FILE *to);
    const void *json_context;
    VEC(struct view_item *) items;
};

void view_title(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
void view_line(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Before view_conclude(): the line that states the verdict, and a fact. */
void view_headline(struct view *v, enum view_verdict verdict, const char *line);
void view_conclude(struct view *v, const char *line); /* the last line, a fact and a headline */
void view_bullet(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A bullet about rows of the searchable table: HTML links to those of `choice`, from
 * view_choice(). */
void view_bullet_where(struct view *v, const char *choice, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void view_heading(struct view *v, const char *id, const char *text);
void view_html(struct view *v, struct text *html); /* takes ownership of the text, and empties it */
void view_fact(struct view *v, const char *name, const char *text);
void view_fact_number(struct view *v, const char *name, double number);

/* A table with this many rows and no columns yet: add its cells. */
struct view_table *view_add_table(struct view *v, const char *name, enum audience audience,
                                  size_t row_count);
/* Creates a mark for each of its rows, none set; view_table.bad or view_table.best. */
bool *view_marks(const struct view_table *t);
void view_table_title(struct view_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_table_note(struct view_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_free(struct view *v);

/* The writers; `table` NULL: everything, for CSV the main table. */
void view_write_text(const struct view *v, const char *table, FILE *to);
void view_write_csv(const struct view *v, const char *table, FILE *to);
void view_write_json(const struct view *v, const char *table, FILE *to);
void view_write_html(const struct view *v, const char *table, FILE *to);
void view_write_markdown(const struct view *v, const char *table, FILE *to);
void view_write_junit(const struct view *v, const char *table, FILE *to);
void view_write_data(const struct view *v, const char *table, FILE *to);

/* Parts that the writers share. */
/* Makes a table that is made on demand; the writers' loops over tables call it first. */
void view_make(const struct view_table *t);
bool view_selects(const struct view_table *t, const char *table, enum audience audience);
/* Whether the readers `is` see items for `audience`. */
bool view_reads(enum audience audience, enum audience is);
/* A column's heading for people. */
const char *view_heading_of(const struct column *c);
/* For each column whether people (in text or on a page) see it; the caller frees the list. */
bool *view_shown_columns(const struct view_table *t, enum audience audience);
void view_html_text(struct text *html, const char *text);                 /* escaped */
void view_html_heading(struct view *v, const char *id, const char *text); /* only for the page */
/* The place where the page's script draws charts, and their data: the JSON that plots/page_charts.js
 * reads. */
void view_html_charts(struct text *html, const char *json);
/* A link to the rows of the searchable table for which the expression is true. */
void view_html_link(struct text *html, const char *choice, const char *label);

/* The rows with this value in a column, or for NULL with any, in the form of a link; malloc'd. */
char *view_choice(const char *column, const char *value);

#endif
