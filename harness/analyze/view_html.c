/*
 * Views as one HTML page that needs no other file; plots/page.css and plots/page.js are in it.
 */
#include "analyze/view.h"

#include <math.h>

/* The two files, as the linker takes them in (see the Makefile). */
extern const char page_css_start[] __asm__("_binary_page_css_start");
extern const char page_css_end[] __asm__("_binary_page_css_end");
extern const char page_js_start[] __asm__("_binary_page_js_start");
extern const char page_js_end[] __asm__("_binary_page_js_end");

void view_html_text(struct text *html, const char *text)
{
    while (*text) {
        size_t plain = strcspn(text, "&<>\"");
        text_append_bytes(html, text, plain);
        text += plain;
        if (*text)
            text_append(html, "%s",
                        *text == '&'   ? "&amp;"
                        : *text == '<' ? "&lt;"
                        : *text == '>' ? "&gt;"
                                       : "&quot;");
        text += *text != '\0';
    }
}

static void append_heading_cell(const struct view_column *c, struct text *html)
{
    text_append(html, "<th");
    if (c->meaning && *c->meaning) {
        text_append(html, " title=\"");
        view_html_text(html, c->meaning);
        text_append(html, "\"");
    }
    text_append(html, ">");
    view_html_text(html, c->heading ? c->heading : c->name);
    if (c->unit && *c->unit) {
        text_append(html, " (");
        view_html_text(html, c->unit);
        text_append(html, ")");
    }
    text_append(html, "</th>");
}

/* What a cell says: details below their summary, a power of two with its exponent raised. */
static void append_content(const struct view_column *c, const struct view_cell *cell,
                           struct text *html)
{
    char number[40];
    const char *shown;
    view_cell_shown(c, cell, number, &shown);
    const char *power = c->kind == VIEW_SIZE ? strchr(shown, '^') : NULL;
    if (cell->details)
        text_append(html, "<details><summary>");
    if (power)
        text_append(html, "2<sup>%s</sup>", power + 1);
    else
        view_html_text(html, shown);
    if (cell->details)
        text_append(html, "</summary>");
    for (const char *line = cell->details; line && *line;) {
        size_t length = strcspn(line, "\n");
        char *one = xstrndup(line, length);
        view_html_text(html, one);
        text_append(html, "<br>");
        free(one);
        line += length + (line[length] == '\n');
    }
    if (cell->details)
        text_append(html, "</details>");
}

static void append_html_cell(const struct view_column *c, const struct view_cell *cell,
                             struct text *html)
{
    text_append(html, "<td");
    if (c->kind != VIEW_TEXT && !isnan(cell->number)) {
        text_append(html, " class=\"n\" data-v=\"");
        text_number(html, cell->number);
        text_append(html, "\"");
    }
    text_append(html, ">");
    append_content(c, cell, html);
    text_append(html, "</td>");
}

static void append_element(const char *tag, const char *text, struct text *html)
{
    while (*text == ' ' || *text == '\n')
        text++;
    if (!*text)
        return;
    text_append(html, "<%s>", tag);
    view_html_text(html, text);
    text_append(html, "</%s>\n", tag);
}

static void append_table(const struct view_table *t, struct text *html)
{
    append_element("p", t->title, html);
    if (t->searchable)
        text_append(html, "<input id=\"filter\" placeholder=\"filter: words that a row must hold\" "
                          "aria-label=\"filter rows\">\n");
    text_append(html, t->searchable ? "<div class=\"rows\"><table id=\"rows-table\">"
                                    : "<div class=\"wide\"><table>");
    bool *shown = view_shown_columns(t);
    text_append(html, "<thead><tr>");
    for (size_t i = 0; i < t->columns.count; i++)
        if (shown[i])
            append_heading_cell(&t->columns.items[i], html);
    text_append(html, "</tr></thead><tbody>\n");
    struct view_row row = {0};
    for (size_t r = 0; r < t->row_count; r++) {
        text_append(html, "<tr%s>", t->is_bad && t->is_bad(t->rows, r) ? " class=\"bad\"" : "");
        view_row_at(t, r, &row);
        for (size_t i = 0; i < t->columns.count; i++)
            if (shown[i])
                append_html_cell(&t->columns.items[i], &row.cells.items[i], html);
        text_append(html, "</tr>\n");
    }
    view_row_free(&row);
    free(shown);
    text_append(html, "</tbody></table></div>\n");
    append_element("p", text_shown(&t->notes), html);
}

static void append_item(const struct view_item *item, const char *table, struct text *html)
{
    if (item->kind == VIEW_ITEM_TABLE && view_selects(&item->table, table, VIEW_PEOPLE))
        append_table(&item->table, html);
    else if (table)
        return;
    else if (item->kind == VIEW_ITEM_LINE)
        append_element("p", item->text, html);
    else if (item->kind == VIEW_ITEM_BULLET)
        append_element("li", item->text, html);
    else if (item->kind == VIEW_ITEM_HTML)
        text_append(html, "%s", item->text);
    if (item->kind == VIEW_ITEM_HEADING) {
        text_append(html, "<h2 id=\"%s\">", item->name);
        view_html_text(html, item->text);
        text_append(html, "</h2>\n");
    }
}

static bool is_bullet(const struct view *v, size_t item)
{
    return item < v->items.count && v->items.items[item]->kind == VIEW_ITEM_BULLET;
}

void view_write_html(const struct view *v, const char *table, FILE *to)
{
    struct text html = {0};
    text_append(&html,
                "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n<title>redsweep: ");
    view_html_text(&html, v->title);
    text_append(&html, "</title>\n<style>\n");
    text_append_bytes(&html, page_css_start, (size_t)(page_css_end - page_css_start));
    text_append(&html, "</style>\n</head>\n<body>\n<h1>");
    view_html_text(&html, v->title);
    text_append(&html, "</h1>\n");
    for (size_t i = 0; i < v->items.count; i++) {
        if (!table && is_bullet(v, i) && (i == 0 || !is_bullet(v, i - 1)))
            text_append(&html, "<ul>\n");
        append_item(v->items.items[i], table, &html);
        if (!table && is_bullet(v, i) && !is_bullet(v, i + 1))
            text_append(&html, "</ul>\n");
        fwrite(html.bytes, 1, html.length, to);
        html.length = 0;
        text_append(&html, "%s", "");
    }
    text_append(&html, "<script>\n");
    text_append_bytes(&html, page_js_start, (size_t)(page_js_end - page_js_start));
    text_append(&html, "</script>\n</body>\n</html>\n");
    fwrite(html.bytes, 1, html.length, to);
    text_free(&html);
}
