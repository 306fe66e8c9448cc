/*
 * Views: how they are made, and their text. See view.h.
 */
#include "analyze/view.h"

#include <math.h>
#include <stdarg.h>

#include "base/utf8.h"
#include "record/output.h"

static struct view_item *add_item(struct view *v, enum view_item_kind kind)
{
    struct view_item *item = xcalloc(1, sizeof *item);
    item->kind = kind;
    vec_push(&v->items, item);
    return item;
}

static char *format_text(const char *format, va_list list)
{
    char *text = NULL;
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    return text ? text : xstrdup("");
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

struct view_table *view_table(struct view *v, const char *name, enum view_readers readers,
                              void (*put_row)(const void *, size_t, struct view_row *),
                              const void *rows, size_t row_count)
{
    struct view_table *t = &add_item(v, VIEW_ITEM_TABLE)->table;
    *t = (struct view_table){.name = name,
                             .title = xstrdup(""),
                             .readers = readers,
                             .put_row = put_row,
                             .rows = rows,
                             .row_count = row_count};
    return t;
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

void view_columns(struct view_table *t, const struct view_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vec_push(&t->columns, columns[i]);
}

void view_free(struct view *v)
{
    for (size_t i = 0; i < v->items.count; i++) {
        struct view_item *item = v->items.items[i];
        free(item->text);
        free(item->choice);
        free(item->table.title);
        text_free(&item->table.notes);
        vec_free(&item->table.columns);
        free(item);
    }
    vec_free(&v->items);
    free(v->title);
    free(v->conclusion);
    memset(v, 0, sizeof *v);
}

void view_number(double number, int digits, char out[40])
{
    out[0] = '\0';
    if (isnan(number))
        return;
    int whole = number == 0 || isinf(number) ? 1 : (int)floor(log10(fabs(number))) + 1;
    if (whole > 15 || whole < -5)
        snprintf(out, 40, "%.*g", digits, number);
    else if (number == floor(number)) /* counts: all digits, no fraction */
        snprintf(out, 40, "%.0f", number);
    else
        snprintf(out, 40, "%.*f", digits > whole ? digits - whole : 0, number);
}

void view_size(double size, char out[40])
{
    int power = size >= 1024 ? (int)lround(log2(size)) : 0;
    if (power && exp2(power) == size)
        snprintf(out, 40, "2^%d", power);
    else
        snprintf(out, 40, "%.0f", size);
}

/* "+3.2 %", and "12.3×" for a change that percent do not tell well. */
static void format_change(double ratio, char out[40])
{
    double percent = (ratio - 1) * 100;
    if (fabs(percent) >= 1000)
        snprintf(out, 40, "%.3g×", ratio);
    else
        snprintf(out, 40, "%+.*f %%", fabs(percent) < 99.95 ? 1 : 0, percent);
}

void view_put(struct view_row *r, const char *text)
{
    vec_push(&r->cells, (struct view_cell){text, NAN, NULL});
}

void view_put_number(struct view_row *r, double number)
{
    vec_push(&r->cells, (struct view_cell){"", number, NULL});
}

void view_put_numbers(struct view_row *r, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        view_put_number(r, numbers[i]);
}

static const char *keep_text(struct view_row *r, char *text)
{
    vec_push(&r->made, text);
    return text;
}

void view_put_format(struct view_row *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    view_put(r, keep_text(r, format_text(format, list)));
    va_end(list);
}

void view_put_made(struct view_row *r, struct text *text)
{
    view_put(r, text->bytes ? keep_text(r, text->bytes) : "");
    *text = (struct text){0};
}

void view_put_cut(struct view_row *r, struct text *text, size_t most)
{
    size_t shown = utf8_cut(text_shown(text), most);
    view_put_format(r, "%.*s%s", (int)shown, text_shown(text), shown < text->length ? "…" : "");
    text_free(text);
}

void view_put_details(struct view_row *r, struct text *text)
{
    r->cells.items[r->cells.count - 1].details = text->bytes ? keep_text(r, text->bytes) : NULL;
    *text = (struct text){0};
}

static void forget_cells(struct view_row *r)
{
    for (size_t i = 0; i < r->made.count; i++)
        free(r->made.items[i]);
    r->made.count = r->cells.count = 0;
}

void view_row_at(const struct view_table *t, size_t row, struct view_row *out)
{
    forget_cells(out);
    t->put_row(t->rows, row, out);
    while (out->cells.count < t->columns.count) /* a row that ends early */
        view_put(out, "");
}

void view_row_free(struct view_row *r)
{
    forget_cells(r);
    vec_free(&r->made);
    vec_free(&r->cells);
}

void view_cell_shown(const struct view_column *c, const struct view_cell *cell, char number[40],
                     const char **shown)
{
    *shown = number;
    if (c->kind == VIEW_TEXT || isnan(cell->number))
        *shown = cell->text;
    else if (c->kind == VIEW_SIZE)
        view_size(cell->number, number);
    else if (c->kind == VIEW_COUNT)
        snprintf(number, 40, "%.0f", cell->number);
    else if (c->kind == VIEW_CHANGE)
        format_change(cell->number, number);
    else
        view_number(cell->number, c->digits, number);
}

bool view_reads(enum view_readers readers, enum view_readers what)
{
    switch (what) {
    case VIEW_ALL:
        return true;
    case VIEW_PEOPLE:
        return readers != VIEW_PROGRAMS;
    case VIEW_PROGRAMS:
        return readers == VIEW_PROGRAMS;
    default:
        return readers != VIEW_PEOPLE;
    }
}

bool *view_shown_columns(const struct view_table *t, enum view_readers readers)
{
    bool *shown = xcalloc(t->columns.count + 1, sizeof *shown);
    struct view_row row = {0};
    for (size_t i = 0; i < t->columns.count; i++)
        shown[i] =
            view_reads(readers, t->columns.items[i].readers) && !t->columns.items[i].optional;
    for (size_t r = 0; r < t->row_count; r++) {
        bool any_hidden = false;
        for (size_t i = 0; i < t->columns.count; i++)
            any_hidden =
                any_hidden || (view_reads(readers, t->columns.items[i].readers) && !shown[i]);
        if (!any_hidden)
            break;
        view_row_at(t, r, &row);
        for (size_t i = 0; i < t->columns.count; i++) {
            const struct view_cell *cell = &row.cells.items[i];
            shown[i] = shown[i] || (view_reads(readers, t->columns.items[i].readers) &&
                                    (*cell->text || !isnan(cell->number)));
        }
    }
    view_row_free(&row);
    return shown;
}

bool view_selects(const struct view_table *t, const char *table, enum view_readers readers)
{
    return table ? strcmp(t->name, table) == 0 : view_reads(readers, t->readers);
}

/* A table as text, all cells at once: the columns are as wide as their widest cell. */
struct text_table {
    VEC(const struct view_column *) columns;
    VEC(char *) cells; /* row by row, the headings first */
    size_t *widths;
};

static void take_text_cell(struct text_table *out, size_t column, const char *text)
{
    size_t width = utf8_width(text);
    if (width > out->widths[column])
        out->widths[column] = width;
    vec_push(&out->cells, xstrdup(text));
}

static void lay_out(const struct view_table *t, struct text_table *out)
{
    bool *shown = view_shown_columns(t, VIEW_PEOPLE);
    out->widths = xcalloc(t->columns.count + 1, sizeof *out->widths);
    for (size_t i = 0; i < t->columns.count; i++)
        if (shown[i]) {
            const struct view_column *c = &t->columns.items[i];
            vec_push(&out->columns, c);
            take_text_cell(out, out->columns.count - 1, c->heading ? c->heading : c->name);
        }
    struct view_row row = {0};
    for (size_t r = 0; r < t->row_count; r++) {
        view_row_at(t, r, &row);
        for (size_t i = 0, column = 0; i < t->columns.count; i++) {
            char number[40];
            const char *text;
            view_cell_shown(&t->columns.items[i], &row.cells.items[i], number, &text);
            if (shown[i])
                take_text_cell(out, column++, text);
        }
    }
    view_row_free(&row);
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
        if (t->columns.items[c]->kind != VIEW_TEXT)
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
    for (size_t row = 0; laid.columns.count && row <= t->row_count; row++) {
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
        if (item->kind == VIEW_ITEM_TABLE && view_selects(&item->table, table, VIEW_PEOPLE))
            write_text_table(&item->table, to);
        else if (!table && (item->kind == VIEW_ITEM_LINE || item->kind == VIEW_ITEM_HEADING))
            fprintf(to, "%s\n", item->text);
        else if (!table && item->kind == VIEW_ITEM_BULLET)
            fprintf(to, "- %s\n", item->text);
    }
}

static bool check_table(const struct view *v, const char *table, struct error *e)
{
    VEC(const char *) names = {0};
    bool known = false;
    for (size_t i = 0; i < v->items.count; i++)
        if (v->items.items[i]->kind == VIEW_ITEM_TABLE) {
            vec_push(&names, v->items.items[i]->table.name);
            known = known || strcmp(v->items.items[i]->table.name, table) == 0;
        }
    struct text list = {0};
    for (size_t i = 0; i < names.count; i++)
        if (i == 0 || strcmp(names.items[i], names.items[i - 1]) != 0)
            text_append(&list, "%s %s", list.length ? "," : "", names.items[i]);
    char suggestion[SUGGESTION_SIZE];
    if (!known)
        FAIL(e, ERROR_USAGE, "--table: unknown table '%s'%s; there are:%s", table,
             text_suggestion(table, names.items, names.count, suggestion), text_shown(&list));
    text_free(&list);
    vec_free(&names);
    return known;
}

static bool write_file(const struct view *v, const char *path, const char *table,
                       void (*write)(const struct view *, const char *, FILE *), struct error *e)
{
    FILE *to;
    if (!output_open(path, &to, e))
        return false;
    write(v, table, to);
    return output_close(to, path, e);
}

/* Whether a file is written; `name` NULL: any, else one of this name. */
static bool writes(const struct view_output *o, const char *name)
{
    const char *const files[] = {o->csv, o->json, o->html, o->markdown, o->junit};
    bool any = false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        any = any || (files[i] && (!name || strcmp(files[i], name) == 0));
    return any;
}

bool view_takes_stdout(const struct view_output *o)
{
    return writes(o, "-");
}

bool view_has_files(const struct view_output *o)
{
    return writes(o, NULL);
}

bool view_write_files(const struct view *v, const struct view_output *o, struct error *e)
{
    const struct {
        const char *path;
        void (*write)(const struct view *, const char *, FILE *);
    } files[] = {{o->csv, view_write_csv},
                 {o->json, view_write_json},
                 {o->html, view_write_html},
                 {o->markdown, view_write_markdown},
                 {o->junit, view_write_junit}};
    if (o->table && !check_table(v, o->table, e))
        return false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].path && !write_file(v, files[i].path, o->table, files[i].write, e))
            return false;
    return true;
}

bool view_output(const struct view *v, const struct view_output *o, struct error *e)
{
    if (o->table && !check_table(v, o->table, e))
        return false;
    if (!view_takes_stdout(o))
        view_write_text(v, o->table, stdout);
    return view_write_files(v, o, e);
}
