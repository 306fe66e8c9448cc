/*
 * Writes a view as one self-contained HTML page, with plots/page.css, page.js, page_frames.js and
 * page_charts.js inlined. The page can be read without its scripts. They only sort and filter
 * tables and keep long tables fast.
 */
#include "table/view.h"

#include <ctype.h>
#include <math.h>

#include "base/sha256.h"

/* The linker includes these files as data (see the Makefile). */
extern const char page_css_start[] __asm__("_binary_page_css_start");
extern const char page_css_end[] __asm__("_binary_page_css_end");
extern const char page_js_start[] __asm__("_binary_page_js_start");
extern const char page_js_end[] __asm__("_binary_page_js_end");
extern const char page_frames_start[] __asm__("_binary_page_frames_js_start");
extern const char page_frames_end[] __asm__("_binary_page_frames_js_end");
extern const char page_charts_start[] __asm__("_binary_page_charts_js_start");
extern const char page_charts_end[] __asm__("_binary_page_charts_js_end");

/* The columns of a table in the order of the page. */
struct page_columns {
    size_t *order; /* indices of the table's columns */
    size_t count;
    size_t ranked; /* how many columns have a rank; they come first */
    size_t key;    /* the place of the key in `order` */
};

/* Control characters are replaced, because XML (for JUnit) does not allow them. */
void view_html_text(struct text *html, const char *text)
{
    struct text printable = {0};
    text_append_printable(&printable, text, strlen(text));
    for (const char *at = text_shown(&printable); *at;) {
        size_t plain = strcspn(at, "&<>\"");
        text_append_bytes(html, at, plain);
        at += plain;
        if (*at)
            text_append(html, "%s",
                        *at == '&'   ? "&amp;"
                        : *at == '<' ? "&lt;"
                        : *at == '>' ? "&gt;"
                                     : "&quot;");
        at += *at != '\0';
    }
    text_free(&printable);
}

/* Appends a name that browsers may break after each underscore. */
static void append_breakable(const char *name, struct text *html)
{
    while (*name) {
        size_t length = strcspn(name, "_");
        length += name[length] == '_';
        char *part = xstrndup(name, length);
        view_html_text(html, part);
        free(part);
        name += length;
        text_append(html, "%s", *name ? "<wbr>" : "");
    }
}

/*
 * Appends the heading of a column. Its attributes tell the scripts the column's name and kind, and
 * whether people can choose one of the column's values.
 */
static void append_heading_cell(const struct column *c, bool key, struct text *html)
{
    text_append(html, "<th scope=\"col\" data-name=\"%s\"%s%s", c->name,
                c->kind == COLUMN_TEXT ? "" : " data-number",
                c->kind == COLUMN_TEXT || c->names_row ? " data-choice" : "");
    if (key)
        text_append(html, " class=\"key\"");
    if (c->meaning && *c->meaning) {
        text_append(html, " title=\"");
        view_html_text(html, c->meaning);
        text_append(html, "\"");
    }
    text_append(html, ">");
    append_breakable(view_heading_of(c), html);
    if (c->unit && *c->unit) {
        text_append(html, " (");
        view_html_text(html, c->unit);
        text_append(html, ")");
    }
    text_append(html, "</th>");
}

/*
 * Appends the content of a cell, with details folded below it and the exponents of powers of two
 * raised.
 */
static void append_content(const struct column *c, const char *shown, const char *details,
                           struct text *html)
{
    const char *power = c->kind == COLUMN_SIZE ? strchr(shown, '^') : NULL;
    if (*details)
        text_append(html, "<details><summary>");
    if (power)
        text_append(html, "2<sup>%s</sup>", power + 1);
    else
        view_html_text(html, shown);
    if (*details)
        text_append(html, "</summary>");
    for (const char *line = details; *line;) {
        size_t length = strcspn(line, "\n");
        char *one = xstrndup(line, length);
        view_html_text(html, one);
        text_append(html, "<br>");
        free(one);
        line += length + (line[length] == '\n');
    }
    if (*details)
        text_append(html, "</details>");
}

/* Appends a cell. If the displayed text is rounded, an attribute has the exact number. */
static void append_html_cell(const struct table *t, size_t column, size_t row, bool key,
                             struct text *html)
{
    const struct column *c = t->columns.items[column],
                        *next = column + 1 < t->columns.count ? t->columns.items[column + 1] : NULL;
    double value = column_number(c, row);
    bool number = c->kind != COLUMN_TEXT && !isnan(value);
    char shown[SHOWN_SIZE], exact[SHOWN_SIZE];
    const char *text = column_shown(c, row, shown);
    snprintf(exact, sizeof exact, "%.15g", value);
    text_append(html, "%s%s", key ? "<th scope=\"row\" class=\"key" : "<td",
                key      ? (number ? " n\"" : "\"")
                : number ? " class=\"n\""
                         : "");
    if (number && strcmp(text, exact) != 0) {
        text_append(html, " data-v=\"");
        text_number(html, value);
        text_append(html, "\"");
    }
    text_append(html, ">");
    append_content(c, text, next && next->details ? column_text(next, row) : "", html);
    text_append(html, key ? "</th>" : "</td>");
}

/*
 * The data is in an element whose type is not a script type, so browsers do not run the data. Each
 * < is escaped, so the data cannot contain an end tag.
 */
void view_html_charts(struct text *html, const char *json)
{
    text_append(html, "<div id=\"charts-live\"><svg hidden></svg></div>\n"
                      "<script type=\"application/json\" id=\"charts-data\">");
    while (*json) {
        size_t plain = strcspn(json, "<");
        text_append_bytes(html, json, plain);
        json += plain;
        text_append(html, "%s", *json ? "\\u003c" : "");
        json += *json != '\0';
    }
    text_append(html, "</script>\n");
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

/*
 * Orders the columns by rank; those without a rank come last. The key is the first column in this
 * order.
 */
static struct page_columns order_columns(const struct view_table *t)
{
    static const enum column_rank ranks[] = {RANK_KEY, RANK_TIME, RANK_PROBLEM, RANK_SHARE,
                                             RANK_OTHER};
    bool *shown = view_shown_columns(t, FOR_PAGES);
    struct page_columns p = {.order = xcalloc(t->cells.columns.count + 1, sizeof *p.order)};
    for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++) {
        p.ranked = ranks[k] == RANK_OTHER ? p.count : 0;
        for (size_t i = 0; i < t->cells.columns.count; i++)
            if (shown[i] && t->cells.columns.items[i]->rank == ranks[k])
                p.order[p.count++] = i;
    }
    free(shown);
    return p;
}

/*
 * Appends the field that filters rows. The page's script adds lists of values for columns with few
 * distinct values.
 */
static void append_filter(struct text *html)
{
    text_append(
        html,
        "<form id=\"filter-form\" hidden><label>Text <input id=\"filter\" spellcheck=\"false\" "
        "autocapitalize=\"off\" autocomplete=\"off\" placeholder=\"words that a row "
        "contains\"></label> "
        "<output id=\"filter-says\" for=\"filter\"></output></form>\n");
}

static void append_rows(const struct view_table *t, const struct page_columns *p, size_t rows,
                        struct text *html)
{
    for (size_t r = 0; r < rows; r++) {
        bool bad = t->bad && t->bad[r], best = !bad && t->best && t->best[r];
        text_append(html, "<tr%s>", bad ? " class=\"bad\"" : best ? " class=\"best\"" : "");
        for (size_t i = 0; i < p->count; i++)
            append_html_cell(&t->cells, p->order[i], r, i == p->key, html);
        text_append(html, "</tr>\n");
    }
}

/*
 * Appends a table, or its first rows if it is long. append_style() limits which columns are printed
 * on paper.
 */
static void append_table(const struct view_table *t, struct text *html)
{
    struct page_columns p = order_columns(t);
    size_t rows = t->cells.row_count < VIEW_PAGE_MAX_ROWS ? t->cells.row_count : VIEW_PAGE_MAX_ROWS;
    append_element("p", t->title, html);
    if (t->searchable)
        append_filter(html);
    text_append(
        html, "<div class=\"%s\" role=\"region\" tabindex=\"0\" aria-label=\"table: %s\"><table%s>",
        t->searchable || rows > VIEW_LONG_ROWS ? "wide rows" : "wide", t->name,
        t->searchable ? " id=\"rows-table\"" : "");
    text_append(html, "<thead><tr>");
    for (size_t i = 0; i < p.count; i++)
        append_heading_cell(t->cells.columns.items[p.order[i]], i == p.key, html);
    text_append(html, "</tr></thead><tbody>\n");
    append_rows(t, &p, rows, html);
    text_append(html, "</tbody></table></div>\n");
    if (rows < t->cells.row_count)
        text_append(html, "<p>The first %zu of %zu rows; --csv writes all of them.</p>\n", rows,
                    t->cells.row_count);
    if (rows > VIEW_PRINTED_MAX_ROWS)
        text_append(html,
                    "<p class=\"printed\">At most %d of %zu rows are printed: those that "
                    "match the filter, in the order shown on the screen.</p>\n",
                    VIEW_PRINTED_MAX_ROWS, rows);
    append_element("p", text_shown(&t->notes), html);
    free(p.order);
}

void view_html_heading(struct view *v, const char *id, const char *text)
{
    struct text html = {0};
    text_append(&html, "<h2 id=\"%s\">", id);
    view_html_text(&html, text);
    text_append(&html, "</h2>\n");
    view_html(v, &html);
}

char *view_choice(const char *column, const char *value)
{
    struct text choice = {0};
    /* The page's lists of values have entries of the form "=value". */
    text_append(&choice, "%s=%s", column, value ? "%3D" : "*");
    for (const char *c = value ? value : ""; *c; c++)
        text_append(&choice, isalnum((unsigned char)*c) || *c == '_' ? "%c" : "%%%02X",
                    (unsigned char)*c);
    return choice.bytes;
}

/* The page's script reads `choice` from the link's address. */
void view_html_link(struct text *html, const char *choice, const char *label)
{
    text_append(html, "<a href=\"#rows&amp;");
    view_html_text(html, choice);
    text_append(html, "\">");
    view_html_text(html, label);
    text_append(html, "</a>");
}

static void append_bullet(const struct view_item *item, struct text *html)
{
    text_append(html, "<li>");
    view_html_text(html, item->text);
    if (item->choice) {
        text_append(html, " ");
        view_html_link(html, item->choice, "Show the rows");
    }
    text_append(html, "</li>\n");
}

static void append_item(const struct view_item *item, const char *table, struct text *html)
{
    if (item->kind == VIEW_ITEM_TABLE && view_selects(&item->table, table, FOR_PAGES))
        append_table(&item->table, html);
    else if (table)
        return;
    /* Lines with a name have been written at the top of the page. */
    else if (item->kind == VIEW_ITEM_LINE && !item->name)
        append_element("p", item->text, html);
    else if (item->kind == VIEW_ITEM_BULLET)
        append_bullet(item, html);
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

/*
 * Appends the page's style. On paper, it hides the columns of a searchable table that have no rank.
 */
static void append_style(const struct view *v, const char *table, struct text *css)
{
    text_append(css, "\n");
    text_append_bytes(css, page_css_start, (size_t)(page_css_end - page_css_start));
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_item *item = v->items.items[i];
        if (item->kind != VIEW_ITEM_TABLE || !item->table.searchable ||
            !view_selects(&item->table, table, FOR_PAGES))
            continue;
        struct page_columns p = order_columns(&item->table);
        if (p.ranked && p.ranked < p.count)
            text_append(css,
                        "@media print { #rows-table :is(th, td):nth-child(n+%zu) { display: none } "
                        "}\n",
                        p.ranked + 1);
        free(p.order);
    }
}

static void append_script(struct text *script)
{
    text_append(script, "\n");
    text_append_bytes(script, page_js_start, (size_t)(page_js_end - page_js_start));
    text_append_bytes(script, page_frames_start, (size_t)(page_frames_end - page_frames_start));
    text_append_bytes(script, page_charts_start, (size_t)(page_charts_end - page_charts_start));
}

static void append_hash(const struct text *what, struct text *html)
{
    uint8_t digest[SHA256_BYTES];
    sha256(what->bytes, what->length, digest);
    text_append(html, "'sha256-");
    text_append_base64(html, digest, sizeof digest);
    text_append(html, "'");
}

/*
 * Appends a content security policy, because the page may contain untrusted text: browsers run only
 * this script, use only this style, show only pictures that the page contains, and load and send
 * nothing.
 */
static void append_policy(const struct text *style, const struct text *script, struct text *html)
{
    text_append(html, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "base-uri 'none'; form-action 'none'; img-src data:; style-src ");
    append_hash(style, html);
    text_append(html, "; script-src ");
    append_hash(script, html);
    text_append(html, "\">\n");
}

void view_write_html(const struct view *v, const char *table, FILE *to)
{
    struct text html = {0}, style = {0}, script = {0};
    append_style(v, table, &style);
    append_script(&script);
    text_append(&html, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    append_policy(&style, &script, &html);
    if (v->refresh_s > 0)
        text_append(&html, "<meta http-equiv=\"refresh\" content=\"%d\">\n", v->refresh_s);
    text_append(&html,
                "<meta name=\"viewport\" content=\"width=device-width\">\n<title>redsweep: ");
    view_html_text(&html, v->title);
    text_append(&html, "</title>\n<style>");
    text_append_bytes(&html, style.bytes, style.length);
    text_append(&html, "</style>\n</head>\n<body>\n<main>\n<h1>");
    view_html_text(&html, v->title);
    text_append(&html, "</h1>\n");
    if (!table && v->headline) {
        text_append(&html, "<p class=\"conclusion %s\">",
                    v->verdict == VIEW_FAIL        ? "fail"
                    : v->verdict == VIEW_PASS      ? "pass"
                    : v->verdict == VIEW_UNDECIDED ? "undecided"
                                                   : "");
        view_html_text(&html, v->headline);
        text_append(&html, "</p>\n");
        append_element("p", v->conclusion, &html);
    } else if (!table && v->conclusion) {
        text_append(&html, "<p class=\"conclusion\">");
        view_html_text(&html, v->conclusion);
        text_append(&html, "</p>\n");
    }
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
    text_append(&html, "</main>\n<script>");
    text_append_bytes(&html, script.bytes, script.length);
    text_append(&html, "</script>\n</body>\n</html>\n");
    fwrite(html.bytes, 1, html.length, to);
    text_free(&html);
    text_free(&style);
    text_free(&script);
}
