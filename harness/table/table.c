/*
 * Reading recorded results back: see table.h for the rule.
 *
 * The file goes through one buffer, row by row, so that only the texts of its cells stay in memory,
 * each once.
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

/* 10^6 rows of results take about 0.4 GB; larger files are not ours. */
#define LARGEST_FILE ((size_t)2 << 30)

/* Texts of one form in 64 bits, so that the same text comes out again. */
struct table_packing {
    bool (*pack)(const char *text, uint64_t *out); /* false: not of this form */
    void (*unpack)(uint64_t packed, char text[DECIMAL_TEXT]);
};

/* A point's id. */
enum { ID_DIGITS = 16 };
static const char hexadecimal[] = "0123456789abcdef";

static bool pack_id(const char *text, uint64_t *out)
{
    if (strspn(text, hexadecimal) != ID_DIGITS || text[ID_DIGITS])
        return false;
    *out = strtoull(text, NULL, 16);
    return true;
}

static void unpack_id(uint64_t packed, char text[DECIMAL_TEXT])
{
    for (int i = 0; i < ID_DIGITS; i++)
        text[i] = hexadecimal[packed >> 4 * (ID_DIGITS - 1 - i) & 15];
    text[ID_DIGITS] = '\0';
}

static const struct table_packing numbers = {decimal_pack, decimal_text};
static const struct table_packing ids = {pack_id, unpack_id};

/* A row's bytes, as they come from a file or from memory. */
struct source {
    int file; /* −1: everything is in the buffer */
    struct table_rules rules;
    char *buffer;
    size_t next, filled, capacity;
};

static bool is_left_out(const char *const *left_out, const char *column)
{
    for (size_t i = 0; left_out && left_out[i]; i++)
        if (strcmp(left_out[i], column) == 0)
            return true;
    return false;
}

static bool take_header(const struct csv_row *row, const char *path, const struct source *from,
                        struct table *t, struct error *e)
{
    for (size_t i = 0; i < row->count; i++) {
        if (!row->cells[i][0])
            return FAIL(e, ERROR_CONFIG, "%s: line %zu: column %zu has no name", path, row->line,
                        i + 1);
        for (size_t j = 0; j < i; j++)
            if (strcmp(row->cells[i], row->cells[j]) == 0)
                return FAIL(e, ERROR_CONFIG,
                            "%s: line %zu: columns %zu and %zu are both called '%s'; every column "
                            "needs a name of its own",
                            path, row->line, j + 1, i + 1, row->cells[i]);
    }
    t->columns = xcalloc(row->count, sizeof *t->columns);
    t->stores = xcalloc(row->count, sizeof *t->stores);
    for (size_t i = 0; i < row->count; i++) {
        t->columns[i] = xstrdup(row->cells[i]);
        t->stores[i].left_out = is_left_out(from->rules.left_out, row->cells[i]);
        if (from->rules.range)
            t->stores[i].range = from->rules.range(from->rules.context, row->cells[i]);
    }
    t->column_count = row->count;
    return true;
}

static uint64_t get_cell(const struct table_column *c, size_t row)
{
    switch (c->width) {
    case 0:
        return 0;
    case 1:
        return ((const uint8_t *)c->cells)[row];
    case 2:
        return ((const uint16_t *)c->cells)[row];
    case 4:
        return ((const uint32_t *)c->cells)[row];
    default:
        return ((const uint64_t *)c->cells)[row];
    }
}

static void put_cell(struct table_column *c, size_t row, uint64_t value)
{
    switch (c->width) {
    case 0:
        break;
    case 1:
        ((uint8_t *)c->cells)[row] = (uint8_t)value;
        break;
    case 2:
        ((uint16_t *)c->cells)[row] = (uint16_t)value;
        break;
    case 4:
        ((uint32_t *)c->cells)[row] = (uint32_t)value;
        break;
    default:
        ((uint64_t *)c->cells)[row] = value;
    }
}

/* Where a text of a column that is not packed is. */
static uint32_t offset_of(const struct table_column *c, size_t row)
{
    uint64_t cell = get_cell(c, row);
    return c->width == 4 ? (uint32_t)cell : c->texts.items[cell];
}

static const char *text_of(const struct table *t, struct table_column *c, size_t row)
{
    if (c->left_out)
        return "";
    if (c->width < 8)
        return t->bytes.items + offset_of(c, row);
    char *written = c->written[c->next_written++ % TABLE_WRITTEN];
    c->packing->unpack(get_cell(c, row), written);
    return written;
}

static uint32_t add_text(struct table *t, const char *text)
{
    size_t length = strlen(text) + 1, at = t->bytes.count;
    vec_reserve(&t->bytes, at + length);
    memcpy(t->bytes.items + at, text, length);
    t->bytes.count += length;
    return (uint32_t)at;
}

static bool all_are(const struct table_packing *packing, const struct table *t,
                    const struct table_column *c)
{
    uint64_t packed;
    for (size_t i = 0; i < c->texts.count; i++)
        if (!packing->pack(t->bytes.items + c->texts.items[i], &packed))
            return false;
    return true;
}

/* What packs all texts of a column; NULL: nothing does. */
static const struct table_packing *packing_of(const struct table *t, const struct table_column *c)
{
    return all_are(&numbers, t, c) ? &numbers : all_are(&ids, t, c) ? &ids : NULL;
}

/* Stores the first `rows` cells of a column as the texts' numbers in one or two bytes, their
 * offsets, or packed by `c->packing`, by the width. */
static void widen(struct table *t, struct table_column *c, size_t rows, int width)
{
    struct table_column wider = {.width = width};
    uint64_t value;
    wider.cells = xmalloc(c->capacity * (size_t)width);
    for (size_t i = 0; i < rows; i++) {
        value = get_cell(c, i);
        if (width == 8)
            c->packing->pack(text_of(t, c, i), &value);
        else if (width == 4)
            value = c->width == 8 ? add_text(t, text_of(t, c, i)) : offset_of(c, i);
        put_cell(&wider, i, value);
    }
    free(c->cells);
    c->cells = wider.cells;
    c->width = width;
    c->packing = width == 8 ? c->packing : NULL;
    if (width >= 4) {
        vec_free(&c->texts);
        map_free(&c->numbers);
    }
    free(c->written);
    c->written = width == 8 ? xcalloc(TABLE_WRITTEN, sizeof *c->written) : NULL;
}

struct sought {
    const struct table *table;
    const struct table_column *column;
    const char *text;
};

static bool is_sought(const void *context, uint32_t number)
{
    const struct sought *s = context;
    return strcmp(s->table->bytes.items + s->column->texts.items[number], s->text) == 0;
}

/* The number of a text among the column's; UINT64_MAX where there is no room for another one. */
static uint64_t number_of_text(struct table *t, struct table_column *c, const char *text)
{
    uint64_t hash = hash_text(HASH_START, text);
    uint32_t number = map_find(&c->numbers, hash, is_sought, &(struct sought){t, c, text});
    if (number != MAP_NONE)
        return number;
    if (c->texts.count == (size_t)1 << (8 * c->width))
        return UINT64_MAX;
    number = (uint32_t)c->texts.count;
    vec_push(&c->texts, add_text(t, text));
    map_add(&c->numbers, hash, number);
    return number;
}

static void store_cell(struct table *t, struct table_column *c, size_t row, const char *text)
{
    uint64_t value = 0;
    if (row == c->capacity) {
        c->capacity = row ? 2 * row : 64;
        if (c->width)
            c->cells = xrealloc(c->cells, c->capacity * (size_t)c->width);
    }
    if (c->width < 8 && row > 0 && strcmp(t->bytes.items + offset_of(c, row - 1), text) == 0) {
        put_cell(c, row, get_cell(c, row - 1));
        return;
    }
    if (c->width == 0 && (value = number_of_text(t, c, text)) == UINT64_MAX)
        widen(t, c, t->row_count, 1);
    if (c->width == 1 && (value = number_of_text(t, c, text)) == UINT64_MAX)
        widen(t, c, t->row_count, 2);
    if (c->width == 2 && (value = number_of_text(t, c, text)) == UINT64_MAX) {
        c->packing = packing_of(t, c);
        widen(t, c, t->row_count, c->packing ? 8 : 4);
    }
    if (c->width == 8 && !c->packing->pack(text, &value))
        widen(t, c, t->row_count, 4);
    if (c->width == 4)
        value = add_text(t, text);
    put_cell(c, row, value);
}

static bool take_row(const struct csv_row *row, const char *path, struct table *t, struct error *e)
{
    if (row->count != t->column_count)
        return FAIL(e, ERROR_CONFIG,
                    "%s: line %zu: %zu cells, but the header has %zu; every row needs as many "
                    "commas as the header",
                    path, row->line, row->count, t->column_count);
    for (size_t i = 0; i < row->count; i++) {
        const struct cell_place place = {path, t->columns[i], row->line};
        if (!cell_check(t->stores[i].range, row->cells[i], &place, e))
            return false;
        if (!t->stores[i].left_out)
            store_cell(t, &t->stores[i], t->row_count, row->cells[i]);
    }
    t->row_count++;
    return true;
}

/* Reads on behind what is there. */
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
        return FAIL(e, ERROR_SYSTEM, "%s: cannot be read: %s", path, strerror(errno));
    from->filled += (size_t)got;
    *end = got == 0;
    return true;
}

/*
 * The bytes of the next row: to the first line end outside of quotes; where there is none, all that
 * is left, or LINE_MOST_BYTES of it.
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
           FAIL(e, ERROR_CONFIG, "%s: a line of more than %d bytes: no row that a run has written",
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
            if (t->columns ? !take_row(row, reader->path, t, e)
                           : !take_header(row, reader->path, from, t, e))
                return false;
            break;
        case CSV_TORN:
            if (!t->columns)
                return FAIL(e, ERROR_CONFIG, "%s: line %zu: the file ends within its header",
                            reader->path, reader->line);
            t->torn = true;
            return true;
        case CSV_END:
            if (!t->columns)
                return FAIL(e, ERROR_CONFIG,
                            "%s: empty; a table begins with a line of column names", reader->path);
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
    csv_row_free(&row);
    free(from->buffer);
    if (!ok)
        table_free(out);
    return ok;
}

bool table_parse(const char *path, char *bytes, size_t length, struct table *out, struct error *e)
{
    return take_table(path, &(struct source){.file = -1, .buffer = bytes, .filled = length}, out,
                      e);
}

static bool read_file(const char *path, struct source *from, struct table *out, struct error *e)
{
    *out = (struct table){0};
    if (!file_open(path, LARGEST_FILE, &from->file, NULL, e))
        return false;
    from->capacity = 2 * LINE_MOST_BYTES;
    from->buffer = xmalloc(from->capacity);
    bool ok = take_table(path, from, out, e);
    close(from->file);
    return ok;
}

bool table_read(const char *path, struct table *out, struct error *e)
{
    return read_file(path, &(struct source){0}, out, e);
}

bool table_read_by(const char *path, const struct table_rules *rules, struct table *out,
                   struct error *e)
{
    return read_file(path, &(struct source){.rules = *rules}, out, e);
}

void table_free(struct table *t)
{
    for (size_t i = 0; i < t->column_count; i++) {
        free(t->columns[i]);
        free(t->stores[i].cells);
        free(t->stores[i].written);
        vec_free(&t->stores[i].texts);
        map_free(&t->stores[i].numbers);
    }
    free(t->columns);
    free(t->stores);
    vec_free(&t->bytes);
    memset(t, 0, sizeof *t);
}

int table_column(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (t->columns[i][0] == name[0] && strcmp(t->columns[i], name) == 0)
            return (int)i;
    return -1;
}

const char *table_cell(const struct table *t, size_t row, int column)
{
    return column < 0 ? "" : text_of(t, &t->stores[column], row);
}

void table_set_cell(struct table *t, size_t row, int column, const char *text)
{
    store_cell(t, &t->stores[column], row, text);
}

double table_number(const struct table *t, size_t row, int column)
{
    if (column >= 0 && t->stores[column].packing == &numbers)
        return decimal_number(get_cell(&t->stores[column], row));
    const char *cell = table_cell(t, row, column);
    char *end;
    double number = strtod(cell, &end);
    return end == cell || *end ? NAN : number;
}
