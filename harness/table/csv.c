/* Reads and writes CSV; csv.h describes the rules. */
#include "table/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

void csv_append_text(struct text *t, const char *cell)
{
    if (!cell[strcspn(cell, ",\"\r\n")]) {
        text_append_bytes(t, cell, strlen(cell));
        return;
    }
    text_append_bytes(t, "\"", 1);
    for (const char *s = cell; *s;) {
        size_t plain = strcspn(s, "\"");
        text_append_bytes(t, s, plain);
        s += plain;
        if (*s) {
            text_append_bytes(t, "\"\"", 2);
            s++;
        }
    }
    text_append_bytes(t, "\"", 1);
}

void csv_append_line(struct text *t, const char *prose)
{
    size_t left = strlen(prose);
    while (left > 0 && strchr("\r\n", prose[left - 1]))
        left--;
    while (left > 0) {
        if (*prose == '\r' || *prose == '\n') {
            size_t ends = 1 + (prose[0] == '\r' && prose[1] == '\n');
            text_append_bytes(t, " | ", 3);
            prose += ends;
            left -= ends;
            continue;
        }
        size_t length = utf8_length(prose, left);
        if (length)
            text_append_bytes(t, prose, length);
        else
            text_append_bytes(t, "\xef\xbf\xbd", 3);
        prose += length ? length : 1;
        left -= length ? length : 1;
    }
}

static void add_cell(struct csv_row *row, char *cell)
{
    if (row->count == row->capacity) {
        row->capacity = row->capacity ? 2 * row->capacity : 32;
        row->cells = xrealloc(row->cells, row->capacity * sizeof *row->cells);
    }
    row->cells[row->count++] = cell;
}

/* The state while reading a row. */
struct scan {
    struct csv_reader *reader;
    char *s;             /* the current position */
    size_t line, column; /* the current line and the character in it, both from 1, for messages */
};

static enum csv_found refuse(const struct scan *scan, struct error *e, const char *what)
{
    FAIL(e, ERROR_CONFIG, "%s, line %zu, column %zu: %s", scan->reader->path, scan->line,
         scan->column, what);
    return CSV_BAD;
}

/* Steps over one character. Fails if it is a NUL byte or not valid UTF-8. */
static bool step(struct scan *scan, struct error *e)
{
    size_t length = utf8_length(scan->s, (size_t)(scan->reader->end - scan->s));
    if (*scan->s == '\0') {
        refuse(scan, e, "unexpected NUL byte; is this a CSV file?");
        return false;
    }
    if (length == 0) {
        refuse(scan, e, "the text is not valid UTF-8; save the file as UTF-8");
        return false;
    }
    scan->column++;
    if (*scan->s == '\n') {
        scan->line++;
        scan->column = 1;
    }
    scan->s += length;
    return true;
}

/* Steps over one byte of CSV's syntax, such as a quote or a comma. */
static void skip(struct scan *scan)
{
    scan->s++;
    scan->column++;
}

/* Reads the quoted cell at scan->s, and sets *out to its text, unquoted in place. */
static enum csv_found quoted_cell(struct scan *scan, char **out, struct error *e)
{
    struct scan before = *scan;
    char *to = scan->s;
    skip(scan);
    char *end = scan->reader->end;
    *out = to;
    for (;;) {
        if (scan->s == end)
            return refuse(&before, e, "unclosed quote");
        if (*scan->s == '"') {
            if (scan->s + 1 == end || scan->s[1] != '"')
                break;
            skip(scan);
        }
        char *from = scan->s;
        if (!step(scan, e))
            return CSV_BAD;
        memmove(to, from, (size_t)(scan->s - from));
        to += scan->s - from;
    }
    skip(scan);
    if (scan->s < end && *scan->s != ',' && *scan->s != '\r' && *scan->s != '\n')
        return refuse(scan, e,
                      "text follows a closing quote; double each quote inside a quoted cell");
    *to = '\0';
    return CSV_ROW;
}

/*
 * Returns whether a character needs no special handling: it is printable ASCII, does not end a
 * cell, and does not begin a quoted cell. Most characters in cells are like this.
 */
static bool is_plain(char c)
{
    return c >= ' ' && c < 127 && c != ',' && c != '"';
}

static enum csv_found plain_cell(struct scan *scan, char **out, struct error *e)
{
    const char *end = scan->reader->end;
    *out = scan->s;
    for (;;) {
        char *s = scan->s;
        while (s < end && is_plain(*s))
            s++;
        scan->column += (size_t)(s - scan->s);
        scan->s = s;
        if (s == end || *s == ',' || *s == '\n' || *s == '\r')
            return CSV_ROW;
        if (*s == '"')
            return refuse(scan, e,
                          "the cell contains a quote, but does not begin with one; put the whole "
                          "cell in quotes and double each quote inside it");
        if (!step(scan, e))
            return CSV_BAD;
    }
}

/* Ends the cell that was just read. Sets *last to whether it is the last cell of the row. */
static enum csv_found end_cell(struct scan *scan, bool *last, struct error *e)
{
    char *end = scan->reader->end;
    if (scan->s == end)
        return CSV_TORN;
    char after = *scan->s;
    if (after == '\r' && scan->s + 1 == end)
        return CSV_TORN;
    if (after == '\r' && scan->s[1] != '\n')
        return refuse(scan, e,
                      "a carriage return is not followed by a line feed; save the file with LF or "
                      "CRLF line ends");
    *scan->s = '\0'; /* ends a plain cell; a quoted cell has been ended before */
    skip(scan);
    if (after == '\r')
        scan->s++;
    *last = after != ',';
    return CSV_ROW;
}

/*
 * A killed writer can leave an incomplete last line, which may end within quotes or within a
 * character. Such a line is not read: the function first checks that there is a line end.
 */
enum csv_found csv_next(struct csv_reader *r, struct csv_row *row, struct error *e)
{
    row->count = 0;
    row->line = r->line;
    if (r->at == r->end)
        return CSV_END;
    if (!memchr(r->at, '\n', (size_t)(r->end - r->at)))
        return CSV_TORN;
    struct scan scan = {.reader = r, .s = r->at, .line = r->line, .column = 1};
    for (bool last = false; !last;) {
        char *cell;
        bool quoted = scan.s < r->end && *scan.s == '"';
        enum csv_found found = quoted ? quoted_cell(&scan, &cell, e) : plain_cell(&scan, &cell, e);
        if (found == CSV_ROW)
            found = end_cell(&scan, &last, e);
        if (found != CSV_ROW)
            return found;
        add_cell(row, cell);
    }
    r->at = scan.s;
    r->line = scan.line + 1;
    return CSV_ROW;
}

void csv_row_free(struct csv_row *row)
{
    free(row->cells);
    memset(row, 0, sizeof *row);
}

size_t csv_find(const struct csv_row *row, const char *text)
{
    size_t i = 0;
    while (i < row->count && strcmp(row->cells[i], text) != 0)
        i++;
    return i;
}
