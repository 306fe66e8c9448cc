/*
 * Writes a view as text, with tables in aligned columns.
 *
 * A table that is wider than the terminal is narrowed as far as necessary, in this order:
 *
 *   1. Columns with the same value in every row are folded into one line.
 *   2. Wide strings that name rows (such as a winner's setting), and those in columns with `wraps`,
 *      are wrapped within their columns.
 *   3. Columns are folded away, last column first, and a line names them. The key columns always
 *      remain, and at least two columns in all.
 *   4. All other strings are wrapped within their columns.
 */
#include "table/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "base/utf8.h"

enum { GAP = 2, KEPT = 2, NAME_WIDTH = 40, WRAPPED_WIDTH = 37, LEAST_TEXT = 16 };

/*
 * A table as text. All cells are formatted before the first one is printed, because each column is
 * as wide as its widest cell.
 */
struct text_table {
    VEC(const struct column *) columns;
    VEC(char *) cells; /* row by row; the first row has the headings */
    size_t *widths;
    bool *folded; /* whether each column is folded away */
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
    out->folded = xcalloc(out->columns.count + 1, sizeof *out->folded);
}

static size_t width_of(const struct text_table *t, size_t indent)
{
    size_t width = indent, shown = 0;
    for (size_t c = 0; c < t->columns.count; c++)
        if (!t->folded[c])
            width += t->widths[c] + (shown++ ? GAP : 0);
    return width;
}

static const char *cell_of(const struct text_table *t, size_t row, size_t column)
{
    return t->cells.items[row * t->columns.count + column];
}

static bool is_same_in_all(const struct text_table *t, size_t column, size_t rows)
{
    for (size_t row = 2; row <= rows; row++)
        if (strcmp(cell_of(t, row, column), cell_of(t, 1, column)) != 0)
            return false;
    return rows > 1 && *cell_of(t, 1, column);
}

static void append_name(struct text *out, const struct text_table *t, size_t column, bool value)
{
    text_append(out, "%s%s", out->length ? ", " : "", cell_of(t, 0, column));
    if (value)
        text_append(out, " %s", cell_of(t, 1, column));
}

/*
 * Returns the smallest width to which a column may be narrowed by wrapping its strings, or 0 if its
 * strings are not wrapped. `early` is true in step 2 and false in step 4 (see the top of this
 * file).
 */
static size_t narrowest(const struct column *column, bool early)
{
    if (column->kind != COLUMN_TEXT)
        return 0;
    return !early                     ? LEAST_TEXT
           : column->wraps            ? WRAPPED_WIDTH
           : column->rank == RANK_KEY ? NAME_WIDTH
                                      : 0;
}

/* Narrows columns as far as necessary by wrapping their strings. For `early`, see narrowest(). */
static void narrow(struct text_table *t, size_t indent, size_t width, bool early)
{
    for (size_t c = 0; c < t->columns.count; c++) {
        size_t all = width_of(t, indent), least = narrowest(t->columns.items[c], early);
        if (all <= width || t->folded[c] || !least || t->widths[c] <= least)
            continue;
        size_t over = all - width;
        t->widths[c] = t->widths[c] > least + over ? t->widths[c] - over : least;
    }
}

/*
 * Folds columns away until the table is no wider than `width`. Appends the names of these columns
 * to `folded`. If all cells of a column are equal, appends its name and value to `alike` instead.
 */
static void fold(struct text_table *t, size_t rows, size_t indent, size_t width, struct text *alike,
                 struct text *folded)
{
    for (size_t c = 0; c < t->columns.count && width_of(t, indent) > width; c++)
        if (t->columns.items[c]->rank != RANK_KEY && is_same_in_all(t, c, rows)) {
            t->folded[c] = true;
            append_name(alike, t, c, true);
        }
    narrow(t, indent, width, true);
    size_t first = t->columns.count, shown = 0;
    for (size_t c = 0; c < t->columns.count; c++)
        shown += !t->folded[c];
    while (first > 0 && shown > KEPT && width_of(t, indent) > width)
        if (!t->folded[--first] && t->columns.items[first]->rank != RANK_KEY) {
            t->folded[first] = true;
            shown--;
        }
    for (size_t c = first; c < t->columns.count; c++)
        if (t->folded[c] && !is_same_in_all(t, c, rows))
            append_name(folded, t, c, false);
    narrow(t, indent, width, false);
}

/*
 * Returns the next line of a cell, broken between words if the column is narrower than the text.
 * Moves *rest to the text after this line.
 */
static char *next_line(const char **rest, size_t width)
{
    const char *text = *rest;
    size_t taken = strlen(text);
    char *line = xstrdup(text);
    while (utf8_width(line) > width) {
        char *blank = strrchr(line, ' ');
        if (!blank)
            break;
        *blank = '\0';
        taken = (size_t)(blank - line) + 1;
    }
    *rest = text + taken;
    return line;
}

/*
 * Prints one line of a row. `rest` is the remaining text of each cell. Returns whether any cell has
 * text left for another line.
 */
static bool print_text_line(const struct text_table *t, const char **rest, int indent, FILE *to)
{
    struct text line = {0};
    bool more = false;
    text_append(&line, "%*s", indent, "");
    for (size_t c = 0; c < t->columns.count; c++) {
        if (t->folded[c])
            continue;
        char *cell = next_line(&rest[c], t->widths[c]);
        more = more || *rest[c];
        size_t width = utf8_width(cell);
        int blanks = width < t->widths[c] ? (int)(t->widths[c] - width) : 0;
        const char *gap = c + 1 < t->columns.count ? "  " : "";
        if (t->columns.items[c]->kind != COLUMN_TEXT)
            text_append(&line, "%*s%s%s", blanks, "", cell, gap);
        else
            text_append(&line, "%s%*s%s", cell, blanks, "", gap);
        free(cell);
    }
    while (line.length > 0 && line.bytes[line.length - 1] == ' ')
        line.bytes[--line.length] = '\0';
    fprintf(to, "%s\n", text_shown(&line));
    text_free(&line);
    return more;
}

static void print_text_row(const struct text_table *t, size_t row, int indent, FILE *to)
{
    const char **rest = xcalloc(t->columns.count + 1, sizeof *rest);
    for (size_t c = 0; c < t->columns.count; c++)
        rest[c] = cell_of(t, row, c);
    while (print_text_line(t, rest, indent, to))
        continue;
    free(rest);
}

static void print_underline(const struct text_table *t, size_t indent, FILE *to)
{
    struct text line = {0};
    text_append(&line, "%*s", (int)indent, "");
    for (size_t c = 0, shown = 0; c < t->columns.count; c++) {
        if (t->folded[c])
            continue;
        text_append(&line, "%s", shown++ ? "  " : "");
        for (size_t i = 0; i < t->widths[c]; i++)
            text_append(&line, "-");
    }
    fprintf(to, "%s\n", text_shown(&line));
    text_free(&line);
}

static void print_folded(const char *names, size_t indent, size_t width, FILE *to)
{
    char *words = xasprintf("(too wide for %zu columns: %s)", width, names);
    struct text out = {0};
    text_append(&out, "%*s", (int)indent, "");
    text_append_wrapped(&out, words, indent, width);
    fprintf(to, "%s\n", out.bytes);
    text_free(&out);
    free(words);
}

/* Writes lines. Wraps lines that are wider than the terminal, with an indent. */
static void write_lines(const char *text, size_t width, FILE *to)
{
    struct text out = {0};
    for (;;) {
        size_t length = strcspn(text, "\n"), indent = strspn(text, " ");
        struct text line = {0};
        text_append_bytes(&line, text, length);
        if (line.bytes && width && utf8_width(line.bytes) > width) {
            text_append(&out, "%.*s", (int)indent, text);
            text_append_wrapped(&out, line.bytes + indent, indent + 2, width);
        } else {
            text_append_bytes(&out, text, length);
        }
        text_free(&line);
        text_append(&out, "\n");
        text += length;
        if (!*text)
            break;
        text++;
    }
    fputs(out.bytes, to);
    text_free(&out);
}

static void write_text_table(const struct view_table *t, size_t width, FILE *to)
{
    int indent = *t->title ? 2 : 0;
    struct text_table laid = {0};
    struct text alike = {0}, folded = {0};
    lay_out(t, &laid);
    if (width)
        fold(&laid, t->cells.row_count, (size_t)indent, width, &alike, &folded);
    if (*t->title)
        write_lines(t->title, width, to);
    if (alike.length)
        fprintf(to, "%*s%s\n", indent, "", alike.bytes);
    for (size_t row = 0; laid.columns.count && row <= t->cells.row_count; row++) {
        print_text_row(&laid, row, indent, to);
        if (row == 0)
            print_underline(&laid, (size_t)indent, to);
    }
    if (folded.length)
        print_folded(folded.bytes, (size_t)indent, width, to);
    if (t->notes.length) { /* ends with a line end */
        char *notes = xasprintf("%.*s", (int)t->notes.length - 1, t->notes.bytes);
        write_lines(notes, width, to);
        free(notes);
    }
    for (size_t i = 0; i < laid.cells.count; i++)
        free(laid.cells.items[i]);
    vec_free(&laid.cells);
    vec_free(&laid.columns);
    free(laid.widths);
    free(laid.folded);
    text_free(&alike);
    text_free(&folded);
}

/* Writes a list entry, wrapped with an indent. */
static void write_bullet(const char *text, size_t width, FILE *to)
{
    struct text out = {0};
    text_append(&out, "- ");
    if (width)
        text_append_wrapped(&out, text, 2, width);
    else
        text_append_bytes(&out, text, strlen(text));
    fprintf(to, "%s\n", out.bytes);
    text_free(&out);
}

/* Writes the headline, in color on a terminal unless NO_COLOR is set (https://no-color.org). */
static void write_headline(const struct view *v, const char *text, size_t width, FILE *to)
{
    static const char *const colors[] = {"", "\033[1;32m", "\033[1;31m", "\033[1;33m"};
    const char *unwanted = getenv("NO_COLOR"), *color = colors[v->verdict];
    bool colored = *color && isatty(fileno(to)) && !(unwanted && *unwanted);
    struct text line = {0};
    text_append_wrapped(&line, text, 0, width ? width : SIZE_MAX);
    fprintf(to, "\n%s%s%s\n", colored ? color : "", line.bytes, colored ? "\033[0m" : "");
    text_free(&line);
}

void view_write_text(const struct view *v, const char *table, FILE *to)
{
    size_t width = v->width ? v->width : terminal_width(to);
    for (size_t i = 0; i < v->items.count; i++) {
        const struct view_item *item = v->items.items[i];
        if (item->kind == VIEW_ITEM_TABLE && view_selects(&item->table, table, FOR_PEOPLE))
            write_text_table(&item->table, width, to);
        else if (!table && item->kind == VIEW_ITEM_LINE && item->name &&
                 strcmp(item->name, "headline") == 0)
            write_headline(v, item->text, width, to);
        else if (!table && (item->kind == VIEW_ITEM_LINE || item->kind == VIEW_ITEM_HEADING))
            write_lines(item->text, width, to);
        else if (!table && item->kind == VIEW_ITEM_BULLET)
            write_bullet(item->text, width, to);
    }
}
