/*
 * Views for programs: CSV and JSON. Row by row, so that memory does not grow with the rows.
 */
#include "analyze/view.h"

#include <math.h>

#include "table/csv.h"
#include "record/members.h"

static void flush_text(struct text *t, FILE *to)
{
    if (t->length)
        fwrite(t->bytes, 1, t->length, to);
    t->length = 0;
}

static void append_csv_cell(const struct view_column *c, const struct view_cell *cell,
                            struct text *line)
{
    if (c->kind == VIEW_TEXT || isnan(cell->number))
        csv_append_text(line, cell->text);
    else if (c->kind == VIEW_COUNT || c->kind == VIEW_SIZE)
        text_append(line, "%.0f", cell->number);
    else
        text_number(line, cell->number);
}

static void write_csv_rows(const struct view_table *t, bool heading, FILE *to)
{
    struct text line = {0};
    struct view_row row = {0};
    for (size_t r = heading ? 0 : 1; r <= t->row_count; r++) {
        const char *comma = "";
        if (r > 0)
            view_row_at(t, r - 1, &row);
        for (size_t i = 0; i < t->columns.count; i++) {
            const struct view_column *c = &t->columns.items[i];
            if (c->readers == VIEW_PEOPLE)
                continue;
            text_append(&line, "%s", comma);
            comma = ",";
            if (r == 0)
                csv_append_text(&line, c->name);
            else
                append_csv_cell(c, &row.cells.items[i], &line);
        }
        text_append(&line, "\n");
        flush_text(&line, to);
    }
    view_row_free(&row);
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
        write_csv_rows(&item->table, heading, to);
        heading = false;
    }
}

static void append_json_cell(const struct view_column *c, const struct view_cell *cell,
                             struct text *line)
{
    if (c->kind == VIEW_TEXT || (isnan(cell->number) && *cell->text)) {
        if (*cell->text)
            json_append_string(line, cell->text);
        else
            text_append(line, "null");
    } else if (!isfinite(cell->number)) {
        text_append(line, "null");
    } else if (c->kind == VIEW_COUNT || c->kind == VIEW_SIZE) {
        text_append(line, "%.0f", cell->number);
    } else {
        text_number(line, cell->number);
    }
}

/* Appends one object per row; *any: whether the list has one already. */
static void write_json_rows(const struct view_table *t, bool *any, FILE *to)
{
    struct text line = {0};
    struct view_row row = {0};
    for (size_t r = 0; r < t->row_count; r++) {
        const char *comma = "";
        text_append(&line, "%s\n{", *any ? "," : "");
        *any = true;
        view_row_at(t, r, &row);
        for (size_t i = 0; i < t->columns.count; i++) {
            const struct view_column *c = &t->columns.items[i];
            if (c->readers == VIEW_PEOPLE)
                continue;
            text_append(&line, "%s", comma);
            comma = ", ";
            json_append_string(&line, c->name);
            text_append(&line, ": ");
            append_json_cell(c, &row.cells.items[i], &line);
        }
        text_append(&line, "}");
        flush_text(&line, to);
    }
    view_row_free(&row);
    text_free(&line);
}

static void write_json_table(const struct view *v, size_t first, FILE *to)
{
    const char *name = v->items.items[first]->table.name;
    for (size_t i = 0; i < first; i++)
        if (v->items.items[i]->kind == VIEW_ITEM_TABLE &&
            strcmp(v->items.items[i]->table.name, name) == 0)
            return; /* written with the first of this name */
    bool any = false;
    fprintf(to, ",\n\"%s\": [", name);
    for (size_t i = first; i < v->items.count; i++)
        if (v->items.items[i]->kind == VIEW_ITEM_TABLE &&
            strcmp(v->items.items[i]->table.name, name) == 0)
            write_json_rows(&v->items.items[i]->table, &any, to);
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
                json_append_string(&line, item->text);
            else if (isfinite(item->number))
                text_number(&line, item->number);
            else
                text_append(&line, "null");
            flush_text(&line, to);
        } else if (item->kind == VIEW_ITEM_TABLE &&
                   view_selects(&item->table, table, VIEW_PROGRAMS)) {
            write_json_table(v, i, to);
        }
        text_free(&line);
    }
    fprintf(to, "\n}\n");
}
