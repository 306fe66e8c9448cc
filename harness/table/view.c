/*
 * Views: how they are made, and their text. See view.h.
 */
#include "table/view.h"

#include <math.h>
#include <stdarg.h>

#include "base/utf8.h"

static struct view_item *add_item(struct view *v, enum view_item_kind kind)
{
    struct view_item *item = xcalloc(1, sizeof *item);
    item->kind = kind;
    vec_push(&v->items, item);
    return item;
}

/* What a run's files hold begins no line of its own. */
static char *format_text(const char *format, va_list list)
{
    struct text t = {0};
    text_append_list_safely(&t, format, list);
    return t.bytes ? t.bytes : xstrdup("");
}

void view_title(struct view *v, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    free(v->title);
    v->title = format_text(format, list);
    va_end(list);
}

void view_line(struct view *v, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_item(v, VIEW_ITEM_LINE)->text = format_text(format, list);
    va_end(list);
}

void view_conclude(struct view *v, const char *line)
{
    v->conclusion = xstrdup(line);
    view_fact(v, "conclusion", line);
    view_line(v, "\n%s", line);
    v->items.items[v->items.count - 1]->name = "conclusion";
}

void view_bullet(struct view *v, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_item(v, VIEW_ITEM_BULLET)->text = format_text(format, list);
    va_end(list);
}

void view_bullet_where(struct view *v, const char *choice, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    struct view_item *item = add_item(v, VIEW_ITEM_BULLET);
    item->text = format_text(format, list);
    item->choice = xstrdup(choice);
    va_end(list);
}

void view_heading(struct view *v, const char *id, const char *text)
{
    struct view_item *item = add_item(v, VIEW_ITEM_HEADING);
    item->name = id;
    item->text = xstrdup(text);
}

void view_html(struct view *v, struct text *html)
{
    add_item(v, VIEW_ITEM_HTML)->text = html->bytes ? html->bytes : xstrdup("");
    *html = (struct text){0};
}

void view_fact(struct view *v, const char *name, const char *text)
{
    struct view_item *item = add_item(v, VIEW_ITEM_FACT);
    item->name = name;
    item->text = xstrdup(text);
}

void view_fact_number(struct view *v, const char *name, double number)
{
    struct view_item *item = add_item(v, VIEW_ITEM_FACT);
    item->name = name;
    item->number = number;
}

struct view_table *view_add_table(struct view *v, const char *name, enum audience audience,
                                  size_t row_count)
{
    struct view_table *t = &add_item(v, VIEW_ITEM_TABLE)->table;
    t->name = name;
    t->title = xstrdup("");
    t->audience = audience;
    t->cells.row_count = row_count;
    return t;
}

bool *view_marks(const struct view_table *t)
{
    return xcalloc(t->cells.row_count + 1, sizeof(bool));
}

void view_table_title(struct view_table *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    free(t->title);
    t->title = format_text(format, list);
    va_end(list);
}

void view_table_note(struct view_table *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *line = format_text(format, list);
    va_end(list);
    text_append(&t->notes, "%s\n", line);
    free(line);
}

void view_free(struct view *v)
{
    for (size_t i = 0; i < v->items.count; i++) {
        struct view_item *item = v->items.items[i];
        free(item->text);
        free(item->choice);
        free(item->table.title);
        text_free(&item->table.notes);
        table_free(&item->table.cells);
        free(item->table.bad);
        free(item->table.best);
        free(item);
    }
    vec_free(&v->items);
    free(v->title);
    free(v->conclusion);
    memset(v, 0, sizeof *v);
}

void view_make(const struct view_table *table)
{
    struct view_table *t =
        (struct view_table *)table; /* its columns are as if they had been there */
    if (t->make && !t->cells.columns.count)
        t->make(t->context, t);
}

bool view_reads(enum audience audience, enum audience is)
{
    switch (is) {
    case FOR_ALL:
        return true;
    case FOR_PEOPLE:
        return audience != FOR_PROGRAMS;
    case FOR_PROGRAMS:
        return audience == FOR_PROGRAMS;
    default:
        return audience != FOR_PEOPLE;
    }
}

const char *view_heading_of(const struct column *c)
{
    return c->heading ? c->heading : c->name;
}

static bool has_value(const struct column *c, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        if (!column_is_missing(c, row))
            return true;
    return false;
}

bool *view_shown_columns(const struct view_table *t, enum audience audience)
{
    const struct table *cells = &t->cells;
    bool *shown = xcalloc(cells->columns.count + 1, sizeof *shown);
    for (size_t i = 0; i < cells->columns.count; i++) {
        const struct column *c = cells->columns.items[i];
        shown[i] = !c->details && view_reads(audience, c->audience) &&
                   (!c->optional || has_value(c, cells->row_count));
    }
    return shown;
}

bool view_selects(const struct view_table *t, const char *table, enum audience audience)
{
    bool selected = table ? strcmp(t->name, table) == 0 : view_reads(audience, t->audience);
    if (selected)
        view_make(t);
    return selected;
}

/* A table as text, all cells at once: the columns are as wide as their widest cell. */
struct text_table {
    VEC(const struct column *) columns;
    VEC(char *) cells; /* row by row, the headings first */
    size_t *widths;
};

static void take_text_cell(struct text_table *out, size_t column, const char *text)
{
    struct text cell = {0};
    text_append_line(&cell, text, strlen(text));
    size_t width = utf8_width(cell.bytes);
    if (width > out->widths[column])
        out->widths[column] = width;
    vec_push(&out->cells, cell.bytes);
}

static void lay_out(const struct view_table *t, struct text_table *out)
{
    const struct table *cells = &t->cells;
    bool *shown = view_shown_columns(t, FOR_PEOPLE);
    out->widths = xcalloc(cells->columns.count + 1, sizeof *out->widths);
    for (size_t i = 0; i < cells->columns.count; i++)
        if (shown[i])
            vec_push(&out->columns, cells->columns.items[i]);
    for (size_t i = 0; i < out->columns.count; i++)
        take_text_cell(out, i, view_heading_of(out->columns.items[i]));
    for (size_t row = 0; row < cells->row_count; row++)
        for (size_t i = 0; i < out->columns.count; i++) {
            char number[SHOWN_SIZE];
            take_text_cell(out, i, column_shown(out->columns.items[i], row, number));
        }
    free(shown);
}

static void print_text_row(const struct text_table *t, size_t row, int indent, FILE *to)
{
    struct text line = {0};
    text_append(&line, "%*s", indent, "");
    for (size_t c = 0; c < t->columns.count; c++) {
        const char *cell = t->cells.items[row * t->columns.count + c];
        int blanks = (int)(t->widths[c] - utf8_width(cell));
        const char *gap = c + 1 < t->columns.count ? "  " : "";
        if (t->columns.items[c]->kind != COLUMN_TEXT)
            text_append(&line, "%*s%s%s", blanks, "", cell, gap);
        else
            text_append(&line, "%s%*s%s", cell, blanks, "", gap);
    }
    while (line.length > 0 && line.bytes[line.length - 1] == ' ')
        line.bytes[--line.length] = '\0';
    fprintf(to, "%s\n", text_shown(&line));
    text_free(&line);
}

static void write_text_table(const struct view_table *t, FILE *to)
{
    int indent = *t->title ? 2 : 0;
    struct text_table laid = {0};
    lay_out(t, &laid);
    if (*t->title)
        fprintf(to, "%s\n", t->title);
    for (size_t row = 0; laid.columns.count && row <= t->cells.row_count; row++) {
        print_text_row(&laid, row, indent, to);
        if (row > 0)
            continue;
        fprintf(to, "%*s", indent, ""); /* the line below the headings */
        for (size_t c = 0; c < laid.columns.count; c++) {
            for (size_t i = 0; i < laid.widths[c]; i++)
                fputc('-', to);
            fputs(c + 1 < laid.columns.count ? "  " : "\n", to);
        }
    }
    fputs(text_shown(&t->notes), to);
    for (size_t i = 0; i < laid.cells.count; i++)
        free(laid.cells.items[i]);
    vec_free(&laid.cells);
    vec_free(&laid.columns);
    free(laid.widths);
}

void view_write_text(const struct view *v, const char *table, FILE *to)
{
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_item *item = v->items.items[i];
        if (item->kind == VIEW_ITEM_TABLE && view_selects(&item->table, table, FOR_PEOPLE))
            write_text_table(&item->table, to);
        else if (!table && (item->kind == VIEW_ITEM_LINE || item->kind == VIEW_ITEM_HEADING))
            fprintf(to, "%s\n", item->text);
        else if (!table && item->kind == VIEW_ITEM_BULLET)
            fprintf(to, "- %s\n", item->text);
    }
}
