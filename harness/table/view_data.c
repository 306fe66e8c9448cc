/* Writes views for programs, as CSV, JSON, or data for gnuplot. */
#include "table/view.h"

#include <math.h>

#include "table/csv.h"

static void flush_text(struct text *t, FILE *to)
{
    if (t->length)
        fwrite(t->bytes, 1, t->length, to);
    t->length = 0;
}

/* The columns that programs read. */
typedef VEC(const struct column *) column_list;

static column_list program_columns(const struct view_table *t)
{
    column_list list = {0};
    for (size_t i = 0; i < t->cells.columns.count; i++) {
        const struct column *c = t->cells.columns.items[i];
        if (c->audience != FOR_PEOPLE && !c->details)
            vec_push(&list, c);
    }
    return list;
}

static bool is_text(const struct column *c, size_t row)
{
    return c->kind == COLUMN_TEXT || c->as_printed || isnan(column_number(c, row));
}

static void append_csv_cell(const struct column *c, size_t row, struct text *line)
{
    if (is_text(c, row))
        csv_append_text(line, column_text(c, row));
    else
        column_append(c, row, line);
}

static void write_csv_rows(const struct view_table *t, bool heading, FILE *to)
{
    struct text line = {0};
    column_list columns = program_columns(t);
    for (size_t i = 0; heading && i < columns.count; i++) {
        text_append(&line, "%s", i ? "," : "");
        csv_append_text(&line, columns.items[i]->name);
    }
    if (heading)
        text_append(&line, "\n");
    for (size_t row = 0; row < t->cells.row_count; row++) {
        for (size_t i = 0; i < columns.count; i++) {
            text_append(&line, "%s", i ? "," : "");
            append_csv_cell(columns.items[i], row, &line);
        }
        text_append(&line, "\n");
        flush_text(&line, to);
    }
    flush_text(&line, to);
    vec_free(&columns);
    text_free(&line);
}

void view_write_csv(const struct view *v, const char *table, FILE *to)
{
    bool heading = true;
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_item *item = v->items.items[i];
        if (item->kind != VIEW_ITEM_TABLE ||
            strcmp(item->table.name, table ? table : v->main_table) != 0)
            continue;
        view_make(&item->table);
        write_csv_rows(&item->table, heading, to);
        heading = false;
    }
}

void view_write_data(const struct view *v, const char *table, FILE *to)
{
    bool heading = true;
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_item *item = v->items.items[i];
        if (item->kind != VIEW_ITEM_TABLE ||
            strcmp(item->table.name, table ? table : v->main_table) != 0)
            continue;
        view_make(&item->table);
        table_write_data(&item->table.cells, heading, to);
        heading = false;
    }
}

static void append_json_cell(const struct column *c, size_t row, struct text *line)
{
    if (is_text(c, row) && *column_text(c, row))
        text_append_json(line, column_text(c, row));
    else if (is_text(c, row) || !isfinite(column_number(c, row)))
        text_append(line, "null");
    else
        column_append(c, row, line);
}

/* Writes an object for each row. *any says whether the list already has an object. */
static void write_json_rows(const struct view_table *t, bool *any, FILE *to)
{
    struct text line = {0};
    column_list columns = program_columns(t);
    for (size_t row = 0; row < t->cells.row_count; row++) {
        text_append(&line, "%s\n{", *any ? "," : "");
        *any = true;
        for (size_t i = 0; i < columns.count; i++) {
            text_append(&line, "%s", i ? ", " : "");
            text_append_json(&line, columns.items[i]->name);
            text_append(&line, ": ");
            append_json_cell(columns.items[i], row, &line);
        }
        text_append(&line, "}");
        flush_text(&line, to);
    }
    vec_free(&columns);
    text_free(&line);
}

static void write_json_table(const struct view *v, size_t first, FILE *to)
{
    const char *name = v->items.items[first]->table.name;
    for (size_t i = 0; i < first; i++)
        if (v->items.items[i]->kind == VIEW_ITEM_TABLE &&
            strcmp(v->items.items[i]->table.name, name) == 0)
            return; /* written with the first table of this name */
    bool any = false;
    fprintf(to, ",\n\"%s\": [", name);
    for (size_t i = first; i < v->items.count; i++)
        if (v->items.items[i]->kind == VIEW_ITEM_TABLE &&
            strcmp(v->items.items[i]->table.name, name) == 0) {
            view_make(&v->items.items[i]->table);
            write_json_rows(&v->items.items[i]->table, &any, to);
        }
    fprintf(to, "%s]", any ? "\n" : "");
}

void view_write_json(const struct view *v, const char *table, FILE *to)
{
    if (v->json_writer && !table) {
        v->json_writer(v->json_context, to);
        return;
    }
    fprintf(to, "{\n\"schema\": 2");
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_item *item = v->items.items[i];
        struct text line = {0};
        if (item->kind == VIEW_ITEM_FACT && !table) {
            text_append(&line, ",\n\"%s\": ", item->name);
            if (item->text)
                text_append_json(&line, item->text);
            else if (isfinite(item->number))
                text_number(&line, item->number);
            else
                text_append(&line, "null");
            flush_text(&line, to);
        } else if (item->kind == VIEW_ITEM_TABLE &&
                   view_selects(&item->table, table, FOR_PROGRAMS)) {
            write_json_table(v, i, to);
        }
        text_free(&line);
    }
    fprintf(to, "\n}\n");
}
