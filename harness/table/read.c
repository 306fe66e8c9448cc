/*
 * Reads tables from CSV; see table.h.
 *
 * The file is read through one buffer, row by row, so only the cells stay in memory.
 */
#include "table/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "table/csv.h"
#include "table/lines.h"

/* Larger files are refused. The results of 10^6 points take about 0.4 GB. */
#define LARGEST_FILE ((size_t)2 << 30)

/* Where the bytes of a table come from, a file or memory, and the state while the table is read. */
struct source {
    int file; /* −1: all bytes are in the buffer */
    char *buffer;
    size_t next, filled, capacity;
    table_describe *describe;
    void *context;
    bool begun;  /* the header was read */
    size_t room; /* the number of rows for which memory is allocated */
};

static bool take_header(const struct csv_row *row, const char *path, struct source *from,
                        struct table *t, struct error *e)
{
    for (size_t i = 0; i < row->count; i++) {
        if (!row->cells[i][0])
            return FAIL(e, ERROR_CONFIG, "%s, line %zu: column %zu has no name; write one", path,
                        row->line, i + 1);
        for (size_t j = 0; j < i; j++)
            if (strcmp(row->cells[i], row->cells[j]) == 0)
                return FAIL(e, ERROR_CONFIG,
                            "%s, line %zu: the columns %zu and %zu are both called '%s'; rename "
                            "one of them",
                            path, row->line, j + 1, i + 1, row->cells[i]);
    }
    for (size_t i = 0; i < row->count; i++) {
        struct column *c = xcalloc(1, sizeof *c);
        c->name = table_keep(t, xstrdup(row->cells[i]));
        vec_push(&t->columns, c);
    }
    from->begun = true;
    return !from->describe || from->describe(from->context, t, e);
}

static bool has_texts(const struct column *c)
{
    return c->kind == COLUMN_TEXT || c->as_printed;
}

static void make_room(struct table *t, size_t room)
{
    for (size_t i = 0; i < t->columns.count; i++) {
        struct column *c = t->columns.items[i];
        if (c->numbers)
            c->numbers = xrealloc(c->numbers, room * sizeof *c->numbers);
        if (c->codes)
            c->codes = xrealloc(c->codes, room * sizeof *c->codes);
    }
}

/*
 * Allocates a column's cells when its first nonempty cell is read. The cells of earlier rows are
 * set to missing.
 */
static void begin_cells(struct column *c, size_t rows, size_t room)
{
    if (c->kind != COLUMN_TEXT) {
        c->numbers = xmalloc(room * sizeof *c->numbers);
        for (size_t i = 0; i < rows; i++)
            c->numbers[i] = NAN;
    }
    if (has_texts(c)) {
        c->codes = xcalloc(room, sizeof *c->codes);
        c->texts = xcalloc(1, sizeof *c->texts);
        numbering_add(c->texts, ""); /* code 0: a missing string */
    }
}

static void take_cell(struct column *c, const char *cell, size_t row, size_t room)
{
    if (*cell && !c->numbers && !c->codes)
        begin_cells(c, row, room);
    if (c->numbers)
        c->numbers[row] = *cell ? strtod(cell, NULL) : NAN;
    if (c->codes)
        column_set_text(c, row, cell);
}

static bool take_row(const struct csv_row *row, const char *path, struct source *from,
                     struct table *t, struct error *e)
{
    if (row->count != t->columns.count)
        return FAIL(
            e, ERROR_CONFIG,
            "%s, line %zu: the row has %zu cells, but the header has %zu; every row needs as "
            "many commas as the header",
            path, row->line, row->count, t->columns.count);
    if (t->row_count == from->room) {
        from->room = from->room ? 2 * from->room : 64;
        make_room(t, from->room);
    }
    for (size_t i = 0; i < row->count; i++) {
        struct column *c = t->columns.items[i];
        const struct cell_place place = {path, c->name, row->line};
        if (!cell_check(c->range, row->cells[i], &place, e))
            return false;
        take_cell(c, row->cells[i], t->row_count, from->room);
    }
    t->row_count++;
    return true;
}

/*
 * Reads more bytes into the buffer, after the bytes that have not been used yet. Sets *end to
 * whether the file has ended.
 */
static bool fill(struct source *from, const char *path, bool *end, struct error *e)
{
    memmove(from->buffer, from->buffer + from->next, from->filled - from->next);
    from->filled -= from->next;
    from->next = 0;
    ssize_t got;
    do
        got = read(from->file, from->buffer + from->filled, from->capacity - from->filled);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return FAIL(e, ERROR_SYSTEM, "%s cannot be read: %s", path, strerror(errno));
    from->filled += (size_t)got;
    *end = got == 0;
    return true;
}

/*
 * Finds the end of the next row, which is the first line end outside quotes. If there is none in
 * the next LINE_MOST_BYTES bytes, stores the end of the bytes in the buffer.
 */
static bool find_row(struct source *from, const char *path, char **end, struct error *e)
{
    bool quoted = false, last = from->file < 0;
    for (size_t i = from->next;; i++) {
        if (i == from->filled) {
            size_t seen = i - from->next;
            if (!last && seen < LINE_MOST_BYTES && !fill(from, path, &last, e))
                return false;
            i = from->next + seen;
            if (i == from->filled)
                break;
        }
        char c = from->buffer[i];
        quoted ^= c == '"';
        if (c == '\n' && !quoted) {
            *end = from->buffer + i + 1;
            return true;
        }
    }
    *end = from->buffer + from->filled;
    return last || memchr(from->buffer + from->next, '\n', from->filled - from->next) ||
           FAIL(e, ERROR_CONFIG,
                "%s contains a line of more than %d bytes, so no run has written it; restore the "
                "file",
                path, LINE_MOST_BYTES);
}

static bool take_rows(struct source *from, struct csv_reader *reader, struct csv_row *row,
                      struct table *t, struct error *e)
{
    for (;;) {
        if (!find_row(from, reader->path, &reader->end, e))
            return false;
        reader->at = from->buffer + from->next;
        switch (csv_next(reader, row, e)) {
        case CSV_BAD:
            return false;
        case CSV_ROW:
            if (from->begun ? !take_row(row, reader->path, from, t, e)
                            : !take_header(row, reader->path, from, t, e))
                return false;
            break;
        case CSV_TORN:
            if (!from->begun)
                return FAIL(e, ERROR_CONFIG,
                            "%s, line %zu: the file ends within its header; restore the file",
                            reader->path, reader->line);
            t->torn = true;
            return true;
        case CSV_END:
            if (!from->begun)
                return FAIL(e, ERROR_CONFIG,
                            "%s is empty; a table begins with a line of column names",
                            reader->path);
            return true;
        }
        from->next = (size_t)(reader->at - from->buffer);
    }
}

static bool take_table(const char *path, struct source *from, struct table *out, struct error *e)
{
    struct csv_reader reader = {.path = path, .line = 1};
    struct csv_row row = {0};
    bool ok = true, end;
    *out = (struct table){0};
    if (from->file >= 0)
        ok = fill(from, path, &end, e);
    if (ok && from->filled >= 3 && memcmp(from->buffer, "\xef\xbb\xbf", 3) == 0)
        from->next = 3;
    ok = ok && take_rows(from, &reader, &row, out, e);
    for (size_t i = 0; ok && i < out->columns.count; i++)
        if (out->columns.items[i]->texts)
            numbering_close(out->columns.items[i]->texts);
    csv_row_free(&row);
    free(from->buffer);
    if (!ok)
        table_free(out);
    return ok;
}

bool table_parse(const char *path, char *bytes, size_t length, table_describe *describe,
                 void *context, struct table *out, struct error *e)
{
    struct source from = {
        .file = -1, .buffer = bytes, .filled = length, .describe = describe, .context = context};
    return take_table(path, &from, out, e);
}

bool table_read_as(const char *path, table_describe *describe, void *context, struct table *out,
                   struct error *e)
{
    struct source from = {
        .capacity = 2 * LINE_MOST_BYTES, .describe = describe, .context = context};
    *out = (struct table){0};
    if (!file_open(path, LARGEST_FILE, &from.file, NULL, e))
        return false;
    from.buffer = xmalloc(from.capacity);
    bool ok = take_table(path, &from, out, e);
    close(from.file);
    return ok;
}

bool table_read(const char *path, struct table *out, struct error *e)
{
    return table_read_as(path, NULL, NULL, out, e);
}
