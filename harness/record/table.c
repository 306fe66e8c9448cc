/*
 * Reading recorded results back: see table.h for the rule.
 */
#include "record/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "record/csv.h"

/* 10^6 rows of results take about 0.4 GB; larger files are not ours. */
#define LARGEST_FILE ((size_t)2 << 30)

static bool take_header(const struct csv_row *row, const char *path, struct table *t,
                        struct error *e)
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
    t->columns = xmalloc(row->count * sizeof *t->columns);
    memcpy(t->columns, row->cells, row->count * sizeof *t->columns);
    t->column_count = row->count;
    return true;
}

static bool take_row(const struct csv_row *row, const char *path, struct table *t, struct error *e)
{
    if (row->count != t->column_count)
        return FAIL(e, ERROR_CONFIG,
                    "%s: line %zu: %zu cells, but the header has %zu; every row needs as many "
                    "commas as the header",
                    path, row->line, row->count, t->column_count);
    vec_reserve(&t->cells, t->cells.count + row->count);
    memcpy(t->cells.items + t->cells.count, row->cells, row->count * sizeof *row->cells);
    t->cells.count += row->count;
    t->row_count++;
    return true;
}

static bool take_rows(struct csv_reader *reader, struct csv_row *row, struct table *t,
                      struct error *e)
{
    for (;;) {
        switch (csv_next(reader, row, e)) {
        case CSV_BAD:
            return false;
        case CSV_ROW:
            if (t->columns ? !take_row(row, reader->path, t, e)
                           : !take_header(row, reader->path, t, e))
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
    }
}

bool table_parse(const char *path, char *bytes, size_t length, struct table *out, struct error *e)
{
    *out = (struct table){.bytes = bytes};
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    struct csv_reader reader = {path, bytes + mark, bytes + length, 1};
    struct csv_row row = {0};
    bool ok = take_rows(&reader, &row, out, e);
    csv_row_free(&row);
    if (!ok)
        table_free(out);
    return ok;
}

bool table_read(const char *path, struct table *out, struct error *e)
{
    *out = (struct table){0};
    char *bytes = NULL;
    size_t length = 0;
    return file_read(path, LARGEST_FILE, &bytes, &length, e) &&
           table_parse(path, bytes, length, out, e);
}

void table_free(struct table *t)
{
    free(t->bytes);
    free(t->columns);
    vec_free(&t->cells);
    memset(t, 0, sizeof *t);
}

int table_column(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i], name) == 0)
            return (int)i;
    return -1;
}

const char *table_cell(const struct table *t, size_t row, int column)
{
    return column < 0 ? "" : t->cells.items[row * t->column_count + (size_t)column];
}

double table_number(const struct table *t, size_t row, int column)
{
    const char *cell = table_cell(t, row, column);
    char *end;
    double number = strtod(cell, &end);
    return end == cell || *end ? NAN : number;
}
