/* Writes views for merge requests: Markdown for a comment, and JUnit XML for a test report. */
#include "table/view.h"

#include <ctype.h>
#include <math.h>

#include "base/utf8.h"

/*
 * Appends a string as a cell of a Markdown table, where a | ends the cell, a < begins HTML, and a
 * line end or a carriage return ends the row.
 */
static void append_markdown(struct text *out, const char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text)) {
            text_append(out, " ");
            text += strspn(text + 1, " ");
        } else if (*text == '<')
            text_append(out, "&lt;");
        else
            text_append(out, "%s%c", strchr("|*_`\\[]", *text) ? "\\" : "", *text);
}

static void append_markdown_table(const struct view_table *t, struct text *out)
{
    bool *shown = view_shown_columns(t, FOR_PEOPLE);
    struct column *const *columns = t->cells.columns.items;
    text_append(out, "|");
    for (size_t i = 0; i < t->cells.columns.count; i++)
        if (shown[i]) {
            text_append(out, " ");
            append_markdown(out, view_heading_of(columns[i]));
            text_append(out, " |");
        }
    text_append(out, "\n|");
    for (size_t i = 0; i < t->cells.columns.count; i++)
        if (shown[i])
            text_append(out, columns[i]->kind == COLUMN_TEXT ? " --- |" : " ---: |");
    for (size_t r = 0; r < t->cells.row_count; r++) {
        bool bad = t->bad && t->bad[r];
        text_append(out, "\n|");
        for (size_t i = 0; i < t->cells.columns.count; i++) {
            char number[SHOWN_SIZE];
            const char *cell = column_shown(columns[i], r, number);
            if (!shown[i])
                continue;
            text_append(out, bad && *cell ? " **" : " ");
            append_markdown(out, cell);
            text_append(out, bad && *cell ? "** |" : " |");
        }
    }
    text_append(out, "\n");
    free(shown);
}

/* Appends a paragraph, without the blanks and empty lines at its beginning. */
static void append_paragraph(struct text *out, const char *text)
{
    text += strspn(text, " \n");
    if (!*text)
        return;
    append_markdown(out, text);
    text_append(out, "\n\n");
}

void view_write_markdown(const struct view *v, const char *table, FILE *to)
{
    struct text out = {0};
    if (!table && v->title) {
        text_append(&out, "### redsweep: ");
        append_markdown(&out, v->title);
        text_append(&out, "\n\n");
    }
    if (!table && v->headline) {
        text_append(&out, "**");
        append_markdown(&out, v->headline);
        text_append(&out, "**\n\n");
        append_paragraph(&out, v->conclusion);
    } else if (!table && v->conclusion) {
        text_append(&out, "**");
        append_markdown(&out, v->conclusion);
        text_append(&out, "**\n\n");
    }
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_item *item = v->items.items[i];
        bool conclusion = v->conclusion && item->text && *item->text == '\n' &&
                          strcmp(item->text + 1, v->conclusion) == 0;
        if (item->kind == VIEW_ITEM_TABLE && view_selects(&item->table, table, FOR_PEOPLE)) {
            append_paragraph(&out, item->table.title);
            append_markdown_table(&item->table, &out);
            text_append(&out, "\n");
            append_paragraph(&out, text_shown(&item->table.notes));
        } else if (!table && item->kind == VIEW_ITEM_LINE && !conclusion) {
            append_paragraph(&out, item->text);
        } else if (!table && item->kind == VIEW_ITEM_HEADING) {
            text_append(&out, "#### ");
            append_paragraph(&out, item->text);
        } else if (!table && item->kind == VIEW_ITEM_BULLET) {
            text_append(&out, "- ");
            append_paragraph(&out, item->text);
        }
    }
    fwrite(text_shown(&out), 1, out.length, to);
    text_free(&out);
}

/*
 * Appends a test case for a row of a table. The cells before the first measured number are the test
 * case's name; the other cells are the message of a failure.
 */
static void append_case(const struct view_table *t, const bool *shown, size_t r, bool bad,
                        struct text *out)
{
    struct text name = {0}, message = {0};
    bool measured = false;
    for (size_t i = 0; i < t->cells.columns.count; i++) {
        const struct column *c = t->cells.columns.items[i];
        char number[SHOWN_SIZE];
        const char *cell = column_shown(c, r, number);
        measured = measured || (c->kind != COLUMN_TEXT && !c->names_row);
        if (!shown[i] || !*cell)
            continue;
        if (measured)
            text_append(&message, "%s%s %s", message.length ? ", " : "", view_heading_of(c), cell);
        else
            text_append(&name, "%s%s", name.length ? ", " : "", cell);
    }
    text_append(out, "  <testcase classname=\"redsweep.");
    view_html_text(out, t->name);
    text_append(out, "\" name=\"");
    view_html_text(out, text_shown(&name));
    text_append(out, bad ? "\"><failure message=\"" : "\"/>\n");
    if (bad) {
        view_html_text(out, message.length ? message.bytes : text_shown(&name));
        text_append(out, "\"/></testcase>\n");
    }
    text_free(&name);
    text_free(&message);
}

void view_write_junit(const struct view *v, const char *table, FILE *to)
{
    struct text cases = {0}, head = {0};
    size_t count = v->no_result, failures = 0;
    if (v->no_result) {
        text_append(&cases, "  <testcase classname=\"redsweep.conclusion\" "
                            "name=\"something was compared\"><error message=\"");
        view_html_text(&cases, v->conclusion);
        text_append(&cases, "\"/></testcase>\n");
    }
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_table *t = &v->items.items[i]->table;
        if (v->items.items[i]->kind != VIEW_ITEM_TABLE || !view_selects(t, table, FOR_PEOPLE) ||
            !t->bad)
            continue;
        bool *shown = view_shown_columns(t, FOR_PEOPLE);
        for (size_t r = 0; r < t->cells.row_count; r++) {
            bool bad = t->bad[r];
            append_case(t, shown, r, bad, &cases);
            count++;
            failures += bad;
        }
        free(shown);
    }
    text_append(&head, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"redsweep: ");
    view_html_text(&head, v->title ? v->title : "");
    text_append(&head, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"0\">\n", count,
                failures, v->no_result);
    fwrite(head.bytes, 1, head.length, to);
    fwrite(text_shown(&cases), 1, cases.length, to);
    text_free(&head);
    text_append(&head, "  <system-out>");
    view_html_text(&head, v->conclusion ? v->conclusion : "");
    text_append(&head, "</system-out>\n</testsuite>\n");
    fwrite(head.bytes, 1, head.length, to);
    text_free(&head);
    text_free(&cases);
}
