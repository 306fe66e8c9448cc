/* Makes views, and has the functions that all writers of views share; see view.h. */
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

/*
 * Formats text and escapes control characters in the arguments, because text from a run's files
 * must not begin a new line.
 */
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

void view_headline(struct view *v, enum view_verdict verdict, const char *line)
{
    v->headline = xstrdup(line);
    v->verdict = verdict;
    view_fact(v, "headline", line);
    view_line(v, "%s", line);
    v->items.items[v->items.count - 1]->name = "headline";
}

void view_conclude(struct view *v, const char *line)
{
    v->conclusion = xstrdup(line);
    view_fact(v, "conclusion", line);
    if (v->headline)
        view_line(v, "%s", line);
    else
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
    free(v->headline);
    memset(v, 0, sizeof *v);
}

void view_make(const struct view_table *table)
{
    /* The table is const for callers, who do not notice that its columns are made only now. */
    struct view_table *t = (struct view_table *)table;
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
